//! Visits to the pages of a site, in order of time, and where they come from: the logs of a collection, or a recorded
//! history. Those who learn when pages change, or together with which others, hear them all alike.

use crate::failure::usage;
use anyhow::Context;
use std::{
    collections::{BTreeMap, HashSet},
    fs::File,
    path::Path,
};
use tintype_archive::{CaptureInfo, Reading};
use tintype_vocab::{Change, Entry, Observation, Outcome, PageUrl, Purpose, Span, Time, UrlKey};
use tintype_world::{
    EventKind, History,
    recorded::{read_events, window},
};

/// Names of the table of events, in the order they are looked for.
const EVENTS: [&str; 2] = ["events.csv.gz", "events.csv"];

/// One visit, as learners want to hear of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VisitRecord<'a> {
    /// What parts of a site are selected by: its key in the index, or its path.
    pub(crate) key: &'a str,
    /// Identity of the page, and what people call it.
    pub(crate) name: &'a str,
    pub(crate) at: Time,
    pub(crate) saw: VisitResult,
}

/// What a visit saw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum VisitResult {
    /// The page, for the first time; `newborn` if the site was known before and the page was not there.
    First {
        newborn: bool,
    },
    Same,
    /// At least one change since the visit before, the latest at a known moment or not.
    Change {
        at: Option<Time>,
        importance: f64,
    },
    /// The page is not there.
    Gone,
}

/// Somebody who can tell of all visits to a site, as often as asked.
pub(crate) trait Source {
    /// Tells of every visit, in order of time.
    fn tell(&self, hear: &mut dyn FnMut(VisitRecord<'_>)) -> anyhow::Result<()>;
}

/// What a collection saw of one site.
#[derive(Debug)]
pub(crate) struct OfCollection<'a> {
    pub(crate) reading: &'a Reading,
    /// Of the site, oldest first.
    pub(crate) captures: Vec<CaptureInfo>,
}

impl Source for OfCollection<'_> {
    fn tell(&self, hear: &mut dyn FnMut(VisitRecord<'_>)) -> anyhow::Result<()> {
        for (nth, capture) in self.captures.iter().enumerate() {
            for entry in self.reading.entries(&capture.id)? {
                if let Entry::Observation(seen) = entry?
                    && let Some(saw) = saw(&seen, nth > 0)
                {
                    let (key, page) = (UrlKey::of(&seen.url), PageUrl::new(&seen.url));
                    hear(VisitRecord { key: key.as_str(), name: page.as_str(), at: seen.asked, saw });
                }
            }
        }
        Ok(())
    }
}

fn saw(seen: &Observation, known_site: bool) -> Option<VisitResult> {
    if seen.purpose == Purpose::Robots {
        return None;
    }
    match (&seen.outcome, seen.change) {
        (Outcome::Gone { .. }, _) => Some(VisitResult::Gone),
        (_, Change::First) => Some(VisitResult::First { newborn: known_site }),
        (_, Change::Same) => Some(VisitResult::Same),
        // A clock that ticks is no change, here as in captures.
        (_, change @ Change::New { .. }) if !change.matters() => Some(VisitResult::Same),
        (_, Change::New { importance }) => {
            Some(VisitResult::Change { at: seen.modified(), importance: f64::from(importance) })
        }
        (_, Change::Unknown) => None,
    }
}

/// A recorded history as if every event had been seen by somebody who looks once a minute.
#[derive(Debug)]
pub(crate) struct OfHistory<'a> {
    pub(crate) history: &'a History,
}

const LOOKS_EVERY: Span = Span::from_secs(60);

impl OfHistory<'_> {
    /// From when to when it was recorded.
    pub(crate) fn window(&self) -> (Time, Time) {
        window(self.history)
    }
}

impl Source for OfHistory<'_> {
    fn tell(&self, hear: &mut dyn FnMut(VisitRecord<'_>)) -> anyhow::Result<()> {
        let (from, to) = self.window();
        let mut alive = HashSet::new();
        for event in self.history.events() {
            let path = self.history.path(event.page);
            // What is older than the window was there when recording began, and nobody watched it before.
            let at = event.at.max(from);
            let mut told = |at, saw| hear(VisitRecord { key: path, name: path, at, saw });
            match event.kind {
                EventKind::Added => {
                    alive.insert(event.page);
                    told(at, VisitResult::First { newborn: event.at > from });
                }
                EventKind::Modified if event.at < from => {}
                EventKind::Modified => {
                    told(at - LOOKS_EVERY, VisitResult::Same);
                    told(at, VisitResult::Change { at: Some(at), importance: 1.0 });
                }
                EventKind::Deleted => {
                    alive.remove(&event.page);
                    told(at, VisitResult::Gone);
                }
            }
        }
        let mut alive: Vec<u32> = alive.into_iter().collect();
        alive.sort_unstable();
        for page in alive {
            let path = self.history.path(page);
            hear(VisitRecord { key: path, name: path, at: to, saw: VisitResult::Same });
        }
        Ok(())
    }
}

/// A recorded history and what people call it.
#[derive(Debug)]
pub(crate) struct Recorded {
    /// The last part of its path that has a name, `.` and `..` included.
    pub(crate) name: String,
    pub(crate) history: History,
}

impl Recorded {
    pub(crate) fn read(directory: &Path) -> anyhow::Result<Recorded> {
        let whole = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        let name = whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy().into_owned();
        let table = EVENTS.iter().map(|name| directory.join(name)).find(|path| path.exists());
        let Some(table) = table else {
            let problem = format!("{} holds no recorded history", directory.display());
            return Err(usage(
                problem,
                "name a directory with events.csv.gz in it, or leave --history out for a collection",
            ));
        };
        let file = File::open(&table).with_context(|| format!("cannot read {}", table.display()))?;
        let malformed = |bad| usage(format!("{}: {bad}", table.display()), "correct that line, or make it again");
        Ok(Recorded { name, history: read_events(file).map_err(malformed)? })
    }
}

/// The captures of each site, by name, oldest first.
pub(crate) fn by_site(captures: Vec<CaptureInfo>) -> BTreeMap<String, Vec<CaptureInfo>> {
    let mut sites = BTreeMap::new();
    for capture in captures {
        sites.entry(capture.head.site.clone()).or_insert_with(Vec::new).push(capture);
    }
    sites
}
