//! What a collection knows across its sites, and how a capture names what it began with.

use crate::{Error, Warning, known_pages, media::CachedMedia, media::MediaModel};
use std::sync::Arc;
use tintype_archive::{CaptureHead, Collection, Reading};
use tintype_learn::{first_guess::FirstGuess, knowledge::SharedKnowledge, media::Media};

/// The field of a capture's head that names the shared knowledge it began with, by the digest of its snapshot.
const FIELD: &str = "tintype-knowledge";
/// The name first guesses are kept under.
const FIRST_GUESS: &str = "first-guess";
/// First guesses are made anew when there are so many captures for every ten there were.
const RELEARN_AT: (u64, u64) = (11, 10);

/// First guesses of how often pages change, and what is behind URLs: begun with by every session of a collection.
#[derive(Clone, Debug, Default)]
pub struct CollectionKnowledge {
    pub first_guess: Arc<FirstGuess>,
    pub media: Arc<MediaModel>,
}

impl CollectionKnowledge {
    /// What all captures so far taught. What is behind URLs is only read for those who choose by it: it is large.
    pub fn of(
        collection: &Collection,
        by_media: bool,
        warnings: &mut Vec<Warning>,
    ) -> Result<CollectionKnowledge, Error> {
        let media = match by_media {
            true => Arc::new(CachedMedia::for_capture(collection, warnings).model),
            false => Arc::default(),
        };
        let kept = collection.derived(FIRST_GUESS)?;
        let first_guess =
            kept.and_then(|kept| serde_json::from_slice(&kept.bytes).ok()).map_or_else(Arc::default, Arc::new);
        Ok(CollectionKnowledge { first_guess, media })
    }

    /// Learns again after a run what is guessed of pages nobody has seen yet, if there is enough that is new. Done at the
    /// end of a run, so that none has to wait for it.
    pub fn relearn(collection: &Collection) -> Result<(), Error> {
        let captures = collection.sequence()?;
        let known = collection.derived(FIRST_GUESS)?.map_or(0, |kept| kept.upto);
        if captures * RELEARN_AT.1 < known * RELEARN_AT.0 {
            return Ok(());
        }
        let bytes = serde_json::to_vec(&known_pages::first_guess(collection)?).expect("guesses are plain data");
        Ok(collection.keep_derived(FIRST_GUESS, captures, &bytes)?)
    }

    /// As a scheduler begins with it.
    pub(crate) fn shared(&self) -> SharedKnowledge {
        SharedKnowledge { first_guess: self.first_guess.clone(), media: self.media.media.clone() }
    }

    /// The field that names a snapshot.
    pub(crate) fn field(digest: String) -> (String, String) {
        (FIELD.to_owned(), digest)
    }

    /// Keeps a snapshot and returns the field that names it.
    pub(crate) fn name(&self, collection: &Collection, by_media: bool) -> Result<(String, String), Error> {
        Ok((FIELD.to_owned(), collection.keep_snapshot(&self.snapshot(by_media))?.to_string()))
    }

    /// What a capture began with, if its snapshot is still there and is what was named.
    pub(crate) fn named_by(head: &CaptureHead, reading: &Reading) -> Option<CollectionKnowledge> {
        let (_, digest) = head.describe.iter().find(|(name, _)| name == FIELD)?;
        let bytes = reading.snapshot(&digest.parse().ok()?)?;
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let guess = serde_json::from_slice(&bytes[..end]).ok()?;
        let media = match &bytes[end + 1..] {
            [] => MediaModel::default(),
            model => MediaModel { media: Arc::new(Media::from_bytes(model).ok()?), ..MediaModel::default() },
        };
        Some(CollectionKnowledge { first_guess: Arc::new(guess), media: Arc::new(media) })
    }

    /// A line of JSON, then the model of media types where it has a say.
    fn snapshot(&self, by_media: bool) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(&*self.first_guess).expect("guesses are plain data");
        bytes.push(b'\n');
        if by_media {
            bytes.extend(self.media.media.to_bytes());
        }
        bytes
    }
}
