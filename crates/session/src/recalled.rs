//! A scheduler that recalls all that was seen of a site, kept between runs: the next one only reads the logs written since.
//!
//! What is kept is derived. Where it is missing, of other settings or of other logs than there are, everything is recalled
//! from the first log on, and gives the same scheduler.

use crate::{CollectionKnowledge, Error, Warning};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashSet,
    hash::{DefaultHasher, Hasher},
};
use tintype_archive::{CaptureId, CaptureKind, CaptureMark, Checkpoint, Collection, Reading};
use tintype_learn::{knowledge::Knowledge, stored};
use tintype_plan::{Scheduler, Settings};
use tintype_vocab::{Entry, Time};

/// To be raised whenever what stands before the scheduler's own blocks changes.
const VERSION: u32 = 2;
/// Observations that are worth keeping a scheduler anew.
const KEPT_AFTER: u64 = 64;

/// What a scheduler that is kept has seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Seen {
    version: u32,
    /// As text, without the number behind the dice.
    settings: String,
    /// How many captures of the site, by their names, and a number that their names and lengths come to.
    captures: u64,
    logs: u64,
    /// When the capture recalled last made its first visit: what saw something before then cannot come after it.
    latest: Time,
    /// The digest of the shared knowledge it began with.
    knowledge: String,
}

/// A scheduler that has seen some captures of a site.
pub(crate) struct Recalled {
    scheduler: Scheduler,
    seen: Seen,
    /// Observations since it was kept.
    since: u64,
}

/// The settings under which runs are recalled: dice are thrown alike, whichever run recalls.
fn plain(settings: &Settings) -> Settings {
    Settings { run_seed: 0, ..settings.clone() }
}

fn text(settings: &Settings) -> String {
    serde_json::to_string(settings).expect("settings are plain data")
}

impl Recalled {
    /// Has seen nothing yet.
    pub(crate) fn nothing(
        settings: &Settings,
        shared: &CollectionKnowledge,
        knowledge: String,
    ) -> Result<Recalled, Error> {
        let settings = plain(settings);
        let seen =
            Seen { version: VERSION, settings: text(&settings), captures: 0, logs: 0, latest: Time::MIN, knowledge };
        let scheduler = Scheduler::with_knowledge(settings, Knowledge::new(shared.shared()))?;
        Ok(Recalled { scheduler, seen, since: 0 })
    }

    /// As it was kept, if it has seen the first of these captures and nothing else.
    fn load(reading: &Reading, site: &str, settings: &Settings, captures: &[CaptureMark]) -> Option<Recalled> {
        let settings = plain(settings);
        let mut blocks = reading.saved_site(site)?;
        let seen: Seen = stored::from_bytes(&blocks.next_block()?)?;
        let first = captures.get(..usize::try_from(seen.captures).ok()?)?;
        if seen.version != VERSION || seen.settings != text(&settings) || seen.logs != number(first) {
            return None;
        }
        let scheduler = Scheduler::load(settings, &mut || blocks.next_block())?;
        Some(Recalled { scheduler, seen, since: 0 })
    }

    /// Recalls captures behind those it has seen; `false`, and nothing recalled, if one of them saw something before.
    fn go_on(&mut self, reading: &Reading, captures: &[CaptureMark]) -> Result<bool, Error> {
        let rest = in_order(reading, captures[self.seen.captures as usize..].iter().map(|mark| &mark.id))?;
        if rest.first().is_some_and(|(first, _)| *first < self.seen.latest) {
            return Ok(false);
        }
        let kept: HashSet<&CaptureId> =
            captures.iter().filter(|mark| mark.kind == CaptureKind::Keep).map(|mark| &mark.id).collect();
        self.recall(reading, &rest, |id| kept.contains(id))?;
        (self.seen.captures, self.seen.logs) = (captures.len() as u64, number(captures));
        Ok(true)
    }

    /// Takes in captures one after the other; in those that watched the site its policy had chosen every visit.
    pub(crate) fn recall(
        &mut self,
        reading: &Reading,
        captures: &[(Time, CaptureId)],
        watched: impl Fn(&CaptureId) -> bool,
    ) -> Result<(), Error> {
        for (first, id) in captures {
            let watched = watched(id);
            for entry in reading.entries(id)? {
                if let Entry::Observation(observation) = entry? {
                    match watched {
                        true => self.scheduler.recall_chosen(&observation),
                        false => self.scheduler.recall(&observation),
                    }
                    self.since += 1;
                }
            }
            self.seen.latest = *first;
        }
        Ok(())
    }

    /// What is kept and what the logs say since, if the two go together.
    pub(crate) fn kept(
        reading: &Reading,
        site: &str,
        settings: &Settings,
        captures: &[CaptureMark],
    ) -> Result<Option<Recalled>, Error> {
        let Some(mut recalled) = Recalled::load(reading, site, settings, captures) else { return Ok(None) };
        Ok(recalled.go_on(reading, captures)?.then_some(recalled))
    }

    /// For the next run. A policy that cannot say what it has in mind is taught again every time.
    fn keep(&mut self, collection: &Collection, site: &str) -> Result<(), Error> {
        let mut blocks = Checkpoint::new(&collection.spool_directory());
        blocks.push(&stored::to_bytes(&self.seen))?;
        let mut written = Ok(());
        let whole = self.scheduler.save(&mut |block| {
            if written.is_ok() {
                written = blocks.push(&block);
            }
        });
        written?;
        if whole {
            collection.save_site(site, blocks)?;
            self.since = 0;
        }
        Ok(())
    }

    /// The scheduler of a run that begins now.
    pub(crate) fn begin(self, settings: &Settings) -> Scheduler {
        let mut scheduler = self.scheduler;
        scheduler.begin_after_recall(settings.run_seed);
        scheduler
    }
}

/// The scheduler of a site whose watching begins now, and the digest of the shared knowledge it began with.
pub(crate) fn scheduler(
    collection: &Collection,
    (site, settings): (&str, &Settings),
    shared: &CollectionKnowledge,
    now: Time,
    warnings: &mut Vec<Warning>,
) -> Result<(Scheduler, String), Error> {
    let (reading, captures) = (collection.reading(), of_pages(collection.marks_of(site)?));
    let now = now.to_timestamp17();
    // By a clock that was set back some of them are yet to come.
    let are_past = captures.iter().all(|mark| mark.id.as_str() < now.as_str());
    let is_known = |recalled: &Recalled| match recalled.seen.knowledge.parse() {
        Ok(digest) => collection.goes_on_with(&digest),
        Err(_) => Ok(false),
    };
    let mut recalled = match are_past {
        true => Recalled::kept(&reading, site, settings, &captures)?,
        false => None,
    };
    if let Some(kept) = &recalled
        && !is_known(kept)?
    {
        recalled = None;
    }
    let mut recalled = match recalled {
        Some(recalled) => recalled,
        None => {
            let (_, knowledge) = shared.name(collection, !settings.media.is_empty())?;
            let mut recalled = Recalled::nothing(settings, shared, knowledge)?;
            let past: Vec<CaptureMark> =
                captures.iter().filter(|mark| mark.id.as_str() < now.as_str()).cloned().collect();
            recalled.go_on(&reading, &past)?;
            recalled
        }
    };
    // What may be gone on with is not all told yet.
    let is_told = are_past && captures.iter().all(|mark| mark.has_ended);
    if is_told
        && recalled.since >= KEPT_AFTER
        && let Err(error) = recalled.keep(collection, site)
    {
        warnings.push(Warning::NotSaved { what: format!("what is known of {site}"), error: error.to_string() });
    }
    let knowledge = recalled.seen.knowledge.clone();
    Ok((recalled.begin(settings), knowledge))
}

/// Those that are of whole pages.
pub(crate) fn of_pages(mut captures: Vec<CaptureMark>) -> Vec<CaptureMark> {
    captures.retain(|mark| is_of_pages(mark.kind));
    captures
}

pub(crate) fn is_of_pages(kind: CaptureKind) -> bool {
    matches!(kind, CaptureKind::Capture | CaptureKind::Keep | CaptureKind::Import)
}

/// Captures that saw something, by when they saw the first: an import tells of times long before it was made.
pub(crate) fn in_order<'a>(
    reading: &Reading,
    captures: impl Iterator<Item = &'a CaptureId>,
) -> Result<Vec<(Time, CaptureId)>, Error> {
    let mut ordered = Vec::new();
    for id in captures {
        let first = reading.bare_entries(id)?.find_map(|entry| match entry {
            Ok(Entry::Observation(seen)) => Some(seen.asked),
            _ => None,
        });
        ordered.extend(first.map(|first| (first, id.clone())));
    }
    ordered.sort();
    Ok(ordered)
}

/// What the names and lengths of captures come to.
fn number(captures: &[CaptureMark]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for mark in captures {
        hasher.write(mark.id.as_str().as_bytes());
        hasher.write_u64(mark.log_bytes);
        hasher.write_u8(u8::from(mark.has_ended));
    }
    hasher.finish()
}
