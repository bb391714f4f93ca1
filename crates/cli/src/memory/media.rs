//! What a collection has learned of media types, folded from the logs of its captures one by one.
//!
//! Nothing of it is kept: the logs hold all of it.

use crate::{failure::sentence, media::score::Calibration, media::score::Score};
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};
use tintype_archive::{CaptureId, CaptureInfo, Collection, Reading};
use tintype_learn::media::{Answer, Guess, Media, Sight};
use tintype_vocab::{Change, ContentType, Entry, Mention, Observation, Outcome, Purpose, Time};

/// Links whose mentions are held while a capture is folded; further ones count as not mentioned.
const MENTIONS_MAX: usize = 1_000_000;

/// What was learned, how well it was known before, and the captures it is of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lessons {
    pub(crate) media: Media,
    /// Guesses of content types, made before the answer was known.
    pub(crate) score: Score,
    /// The same of whether it carries links.
    pub(crate) links: Calibration,
}

/// The lessons of a collection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Remembered {
    pub(crate) lessons: Lessons,
    pub(crate) captures: Vec<CaptureId>,
}

/// What an observation teaches of media types: an answer that is the page itself, and news.
pub(crate) fn answer(seen: &Observation) -> Option<Answer<'_>> {
    let is_page =
        matches!(seen.purpose, Purpose::Visit | Purpose::Probe) && matches!(seen.outcome, Outcome::Body { .. });
    let media_type = seen.real_media_type().filter(|_| is_page && seen.change != Change::Same)?;
    Some(Answer { media_type, bytes: Some(seen.bytes), links: Some(!seen.links.is_empty()) })
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
            if let Some(answer) = answer(&seen) {
                let sight = Sight { url: &seen.url, mention: mentions.of(&seen.url) };
                let guess = self.media.guess(&sight);
                compare(&mut self.score, &mut self.links, &guess, &answer);
                hear(&seen, &guess);
                self.media.learn(&sight, &answer);
            }
            mentions.hear(&seen);
        }
        Ok(())
    }
}

/// Holds a guess against what was there.
fn compare(score: &mut Score, links: &mut Calibration, guess: &Guess<'_>, answer: &Answer<'_>) {
    if let Some(was) = ContentType::of(answer.media_type) {
        score.add(&guess.content_types(), was);
    }
    if let Some(carried) = answer.links {
        links.add(guess.links(), carried);
    }
}

impl Remembered {
    /// What the captures tell that ended and began before `until`.
    pub(crate) fn of(reading: &Reading, until: Time) -> anyhow::Result<Remembered> {
        let captures = ended(reading, until)?;
        let mut remembered = Remembered::default();
        for capture in &captures {
            let entries = reading.entries(&capture.id)?.map(|entry| Ok(entry?));
            remembered.lessons.fold(entries, |_, _| ())?;
            remembered.captures.push(capture.id.clone());
        }
        Ok(remembered)
    }

    /// All of it, for captures about to begin. It is not worth a capture: if it fails,
    /// only what ships with us is known.
    pub(crate) fn for_capture(collection: &Collection) -> Remembered {
        match Remembered::of(&collection.reading(), Time::MAX) {
            Ok(remembered) => remembered,
            Err(error) => {
                eprintln!("what was learned of media types cannot be read: {}", sentence(&error));
                Remembered::default()
            }
        }
    }
}

/// The captures that came to an end and began before a moment, oldest first. What others recorded is as good.
fn ended(reading: &Reading, until: Time) -> anyhow::Result<Vec<CaptureInfo>> {
    let mut captures = reading.captures()?;
    captures.retain(|capture| capture.end.is_some() && capture.head.started < until);
    Ok(captures)
}
