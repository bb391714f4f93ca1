//! What a collection has learned of media types, folded from the logs of its captures one by one.
//!
//! What was folded is kept with the names of the captures in it, so that a new one is only added. It is derived: what is
//! lost, cannot be read, is of another version or tells of other captures than there are is folded anew.

use crate::{Error, Warning, cached};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};
use tintype_archive::{CaptureId, CaptureInfo, Collection, Reading};
use tintype_learn::{
    knowledge::SharedKnowledge,
    media::{Guess, Media, MediaAnswer, Sight},
};
use tintype_quality::{Calibration, MediaScore};
use tintype_vocab::{ContentType, Entry, Mention, Observation, Time};

/// The name it is saved under.
const NAME: &str = "media";
/// What was kept by another version may mean something else. The number behind the slash is raised when that happens
/// between versions.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/1");
/// Links whose mentions are held while a capture is folded; further ones count as not mentioned.
const MENTIONS_MAX: usize = 1_000_000;

/// What was learned, and how well it was known before.
#[derive(Clone, Debug)]
pub struct MediaModel {
    /// Shared with every capture that begins with it: it is large.
    pub media: Arc<Media>,
    pub score: PredictionScore,
}

impl Default for MediaModel {
    fn default() -> MediaModel {
        MediaModel { media: SharedKnowledge::default().media, score: PredictionScore::default() }
    }
}

/// How guesses that were made before the answer was known came true.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PredictionScore {
    /// Of content types.
    pub content_types: MediaScore,
    /// Of whether it carries links.
    pub links: Calibration,
}

/// The model of a collection.
#[derive(Clone, Debug, Default)]
pub struct CachedMedia {
    pub model: MediaModel,
    pub captures: Vec<CaptureId>,
    /// Captures folded in that are not yet in what is kept.
    added: usize,
}

/// How pages were linked, as far as their capture has come.
#[derive(Debug, Default)]
pub struct Mentions(HashMap<u64, Mention>);

impl Mentions {
    pub fn observe(&mut self, seen: &Observation) {
        for link in seen.links.iter().filter(|_| seen.links.has_mentions()) {
            if self.0.len() < MENTIONS_MAX && link.mention != Mention::default() {
                self.0.entry(number(link.url)).or_insert(link.mention);
            }
        }
    }

    pub fn of(&self, url: &str) -> Mention {
        self.0.get(&number(url)).copied().unwrap_or_default()
    }
}

fn number(url: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    url.hash(&mut hasher);
    hasher.finish()
}

impl MediaModel {
    /// Folds in a capture. `hear` is told what was guessed of every answer before it was known.
    pub fn fold(
        &mut self,
        entries: impl Iterator<Item = Result<Entry, Error>>,
        mut each: impl FnMut(&Observation, &Guess<'_>),
    ) -> Result<(), Error> {
        let mut mentions = Mentions::default();
        for entry in entries {
            let Entry::Observation(seen) = entry? else { continue };
            if let Some(answer) = MediaAnswer::told_by(&seen) {
                let sight = Sight { url: &seen.url, mention: mentions.of(&seen.url) };
                let guess = self.media.guess(&sight);
                self.score.compare(&guess, &answer);
                each(&seen, &guess);
                Arc::make_mut(&mut self.media).learn(&sight, &answer);
            }
            mentions.observe(&seen);
        }
        Ok(())
    }

    /// As they will be when they were kept and read again: what is folded anew is then the same to the bit.
    fn round(&mut self) {
        self.media = Media::from_bytes(&self.media.to_bytes()).expect("what was just written can be read").into();
    }
}

impl PredictionScore {
    fn compare(&mut self, guess: &Guess<'_>, answer: &MediaAnswer<'_>) {
        if let Some(was) = ContentType::of(answer.media_type) {
            self.content_types.add(&guess.content_types(), was);
        }
        if let Some(carried) = answer.links {
            self.links.add(guess.links(), carried);
        }
    }
}

impl CachedMedia {
    /// What the captures tell that ended and began before `until`.
    pub fn of(reading: &Reading, until: Time) -> Result<CachedMedia, Error> {
        let captures = ended(reading, until)?;
        let mut cached = CachedMedia::saved(reading, &captures).unwrap_or_default();
        for capture in &captures[cached.captures.len()..] {
            let entries = reading.entries(&capture.id)?.map(|entry| Ok(entry?));
            cached.model.fold(entries, |_, _| ())?;
            cached.model.round();
            cached.captures.push(capture.id.clone());
            cached.added += 1;
        }
        Ok(cached)
    }

    /// All of it, for captures about to begin; saved for the next ones.
    pub fn for_capture(collection: &Collection, warnings: &mut Vec<Warning>) -> CachedMedia {
        // A capture is worth more than what is known of media types: without it the shipped model has to do.
        let cached = CachedMedia::of(&collection.reading(), Time::MAX).unwrap_or_else(|error| {
            warnings.push(Warning::MediaUnreadable { error: error.to_string() });
            CachedMedia::default()
        });
        if let Err(error) = cached.save(collection) {
            let what = "what was learned of media types".to_owned();
            warnings.push(Warning::NotSaved { what, error: error.to_string() });
        }
        cached
    }

    /// What was saved, if it is the beginning of what is wanted: a line of JSON, then the model.
    fn saved(reading: &Reading, wanted: &[CaptureInfo]) -> Option<CachedMedia> {
        let all = reading.derived(NAME)?.bytes;
        let end = all.iter().position(|byte| *byte == b'\n')?;
        let (score, captures) = cached::read(&all[..end], VERSION, wanted)?;
        let media = Media::from_bytes(&all[end + 1..]).ok()?.into();
        Some(CachedMedia { model: MediaModel { media, score }, captures, added: 0 })
    }

    /// Saves it, unless it is there as it is.
    fn save(&self, collection: &Collection) -> Result<(), Error> {
        if self.added == 0 {
            return Ok(());
        }
        let mut all = cached::write(VERSION, &self.captures, &self.model.score);
        all.push(b'\n');
        all.extend(self.model.media.to_bytes());
        Ok(collection.keep_derived(NAME, collection.sequence()?, &all)?)
    }
}

/// The captures that came to an end and began before a moment, oldest first. What others recorded is as good.
fn ended(reading: &Reading, until: Time) -> Result<Vec<CaptureInfo>, Error> {
    let mut captures = reading.captures()?;
    captures.retain(|capture| capture.end.is_some() && capture.head.started < until);
    Ok(captures)
}
