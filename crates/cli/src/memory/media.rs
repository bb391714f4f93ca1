//! What a collection has learned of media types, folded from the logs of its captures one by one.
//!
//! What was folded is kept with the names of the captures in it, so that a new one is only added. It is derived: what is
//! lost, cannot be read, is of another version or tells of other captures than there are is folded anew.

use super::kept;
use crate::{failure::sentence, media::score::Calibration, media::score::Score};
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
    sync::Arc,
};
use tintype_archive::{CaptureId, CaptureInfo, Collection, Reading};
use tintype_learn::media::{Answer, Guess, Media, Sight};
use tintype_vocab::{ContentType, Entry, Mention, Observation, Time};

/// Beside the other derived state of a collection.
const FILE: &str = "state/media";
/// What was kept by another version may mean something else. The number behind the slash is raised when that happens
/// between versions.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/1");
/// Links whose mentions are held while a capture is folded; further ones count as not mentioned.
const MENTIONS_MAX: usize = 1_000_000;

/// What was learned, and how well it was known before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lessons {
    /// Shared with every capture that begins with it: it is large.
    pub(crate) media: Arc<Media>,
    pub(crate) foretold: Foretold,
}

/// How guesses that were made before the answer was known came true.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Foretold {
    /// Of content types.
    pub(crate) score: Score,
    /// Of whether it carries links.
    pub(crate) links: Calibration,
}

/// The lessons of a collection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Remembered {
    pub(crate) lessons: Lessons,
    pub(crate) captures: Vec<CaptureId>,
    /// Captures folded in that are not yet in what is kept.
    added: usize,
}

/// How pages were linked, as far as their capture has come.
#[derive(Debug, Default)]
pub(crate) struct Mentions(HashMap<u64, Mention>);

impl Mentions {
    pub(crate) fn hear(&mut self, seen: &Observation) {
        for link in seen.links.iter().filter(|_| seen.links.has_mentions()) {
            if self.0.len() < MENTIONS_MAX && link.mention != Mention::default() {
                self.0.entry(number(link.url)).or_insert(link.mention);
            }
        }
    }

    pub(crate) fn of(&self, url: &str) -> Mention {
        self.0.get(&number(url)).copied().unwrap_or_default()
    }
}

fn number(url: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    url.hash(&mut hasher);
    hasher.finish()
}

impl Lessons {
    /// Folds in a capture. `hear` is told what was guessed of every answer before it was known.
    pub(crate) fn fold(
        &mut self,
        entries: impl Iterator<Item = anyhow::Result<Entry>>,
        mut hear: impl FnMut(&Observation, &Guess<'_>),
    ) -> anyhow::Result<()> {
        let mut mentions = Mentions::default();
        for entry in entries {
            let Entry::Observation(seen) = entry? else { continue };
            if let Some(answer) = Answer::told_by(&seen) {
                let sight = Sight { url: &seen.url, mention: mentions.of(&seen.url) };
                let guess = self.media.guess(&sight);
                self.foretold.compare(&guess, &answer);
                hear(&seen, &guess);
                Arc::make_mut(&mut self.media).learn(&sight, &answer);
            }
            mentions.hear(&seen);
        }
        Ok(())
    }

    /// As they will be when they were kept and read again: what is folded anew is then the same to the bit.
    fn rounded(&mut self) -> anyhow::Result<()> {
        self.media = Media::from_bytes(&self.media.to_bytes())?.into();
        Ok(())
    }
}

impl Foretold {
    fn compare(&mut self, guess: &Guess<'_>, answer: &Answer<'_>) {
        if let Some(was) = ContentType::of(answer.media_type) {
            self.score.add(&guess.content_types(), was);
        }
        if let Some(carried) = answer.links {
            self.links.add(guess.links(), carried);
        }
    }
}

impl Remembered {
    /// What the captures tell that ended and began before `until`.
    pub(crate) fn of(path: &Path, reading: &Reading, until: Time) -> anyhow::Result<Remembered> {
        let captures = ended(reading, until)?;
        let mut remembered = Remembered::kept(path, &captures).unwrap_or_default();
        for capture in &captures[remembered.captures.len()..] {
            let entries = reading.entries(&capture.id)?.map(|entry| Ok(entry?));
            remembered.lessons.fold(entries, |_, _| ())?;
            remembered.lessons.rounded()?;
            remembered.captures.push(capture.id.clone());
            remembered.added += 1;
        }
        Ok(remembered)
    }

    /// All of it, for captures about to begin; kept for the next ones. It is not worth a capture: if it fails,
    /// only what ships with us is known.
    pub(crate) fn for_capture(collection: &Collection) -> Remembered {
        match Remembered::of(collection.path(), &collection.reading(), Time::MAX) {
            Ok(remembered) => {
                if let Err(error) = remembered.keep(collection.path()) {
                    eprintln!("what was learned of media types could not be kept for next time: {}", sentence(&error));
                }
                remembered
            }
            Err(error) => {
                eprintln!("what was learned of media types cannot be read: {}", sentence(&error));
                Remembered::default()
            }
        }
    }

    /// What was kept, if it is the beginning of what is wanted: a line of JSON, then the model.
    fn kept(path: &Path, wanted: &[CaptureInfo]) -> Option<Remembered> {
        let all = fs::read(path.join(FILE)).ok()?;
        let end = all.iter().position(|byte| *byte == b'\n')?;
        let (foretold, captures) = kept::read(&all[..end], VERSION, wanted)?;
        let media = Media::from_bytes(&all[end + 1..]).ok()?.into();
        Some(Remembered { lessons: Lessons { media, foretold }, captures, added: 0 })
    }

    /// Keeps it for next time, unless it is there as it is. Who reads meanwhile finds the old one or the new one.
    fn keep(&self, path: &Path) -> anyhow::Result<()> {
        if self.added == 0 {
            return Ok(());
        }
        let mut all = kept::written(VERSION, &self.captures, &self.lessons.foretold)?;
        all.push(b'\n');
        all.extend(self.lessons.media.to_bytes());
        let (file, fresh) = (path.join(FILE), path.join(format!("{FILE}.new")));
        fs::write(&fresh, all).with_context(|| format!("cannot write {}", fresh.display()))?;
        fs::rename(&fresh, &file).with_context(|| format!("cannot write {}", file.display()))
    }
}

/// The captures that came to an end and began before a moment, oldest first. What others recorded is as good.
fn ended(reading: &Reading, until: Time) -> anyhow::Result<Vec<CaptureInfo>> {
    let mut captures = reading.captures()?;
    captures.retain(|capture| capture.end.is_some() && capture.head.started < until);
    Ok(captures)
}
