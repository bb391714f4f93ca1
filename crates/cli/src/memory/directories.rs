//! How the directories of a site change, folded from the logs of its captures one by one.
//!
//! What was folded is kept beside the state of the site with the names of the captures in it, so that a new one is only
//! added. It is derived: what is lost, cannot be read, is of another version or tells of other captures than there are
//! is folded anew.

use crate::failure::sentence;
use serde::{Deserialize, Serialize};
use tintype_archive::{CaptureId, CaptureInfo, Collection, KnownPage, Reading};
use tintype_learn::directory::{Memory, Unseen};
use tintype_vocab::{Entry, Observation, Span, Time};
use tintype_world::{History, Kind, recorded::window};

/// The name it is kept under.
const LORE: &str = "directories";
/// What was kept by another version may mean something else. The number behind the slash is raised when that happens
/// between versions.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/1");

/// The memory of a site, and the captures it is of.
#[derive(Debug, Default)]
pub(crate) struct Remembered {
    pub(crate) memory: Memory,
    pub(crate) captures: Vec<CaptureId>,
    /// Captures folded in that are not yet in what is kept.
    added: usize,
}

#[derive(Deserialize)]
struct Kept {
    version: String,
    captures: Vec<CaptureId>,
    memory: Memory,
}

#[derive(Serialize)]
struct ToKeep<'a> {
    version: &'static str,
    captures: &'a [CaptureId],
    memory: &'a Memory,
}

impl Remembered {
    /// What the captures of `site` tell that ended and began before `until`.
    pub(crate) fn of_site(reading: &Reading, site: &str, until: Time) -> anyhow::Result<Remembered> {
        let captures = ended(reading, site, until)?;
        let mut remembered = Remembered::kept(reading, site, &captures).unwrap_or_default();
        for capture in &captures[remembered.captures.len()..] {
            remembered.fold(reading, capture)?;
        }
        Ok(remembered)
    }

    /// The same for a capture about to begin, or to go on, that began at `started`; kept for the next one. It is not worth
    /// a capture: if it fails, nothing is known and everything is asked for.
    pub(crate) fn for_capture(collection: &Collection, site: &str, started: Time) -> Remembered {
        match Remembered::of_site(&collection.reading(), site, started) {
            Ok(remembered) => {
                if let Err(error) = remembered.keep(collection, site) {
                    eprintln!("what was learned of {site} could not be kept for next time: {}", sentence(&error));
                }
                remembered
            }
            Err(error) => {
                eprintln!("what was learned of {site} cannot be read, so nothing is skipped: {}", sentence(&error));
                Remembered::default()
            }
        }
    }

    /// What was kept, if it is the beginning of what is wanted.
    fn kept(reading: &Reading, site: &str, wanted: &[CaptureInfo]) -> Option<Remembered> {
        let Kept { version, captures, memory } = serde_json::from_slice(&reading.lore(site, LORE)?).ok()?;
        let wanted = wanted.iter().map(|capture| &capture.id);
        let is_beginning = wanted.zip(&captures).filter(|(wanted, kept)| wanted == kept).count() == captures.len();
        (version == VERSION && is_beginning).then_some(Remembered { memory, captures, added: 0 })
    }

    fn fold(&mut self, reading: &Reading, capture: &CaptureInfo) -> anyhow::Result<()> {
        self.memory.begin(capture.head.started);
        for entry in reading.entries(&capture.id)? {
            if let Entry::Observation(seen) = entry? {
                self.memory.observe(&seen);
            }
        }
        self.memory.end(Unseen::Kept);
        self.captures.push(capture.id.clone());
        self.added += 1;
        Ok(())
    }

    /// Keeps it for next time, unless it is there as it is.
    fn keep(&self, collection: &Collection, site: &str) -> anyhow::Result<()> {
        if self.added == 0 {
            return Ok(());
        }
        let all = ToKeep { version: VERSION, captures: &self.captures, memory: &self.memory };
        Ok(collection.keep_lore(site, LORE, &serde_json::to_vec(&all)?)?)
    }
}

/// Whether a page is still there, as of the last capture in `memory`.
pub(crate) fn is_held(memory: &Memory, page: &KnownPage) -> bool {
    match memory.find(&page.url) {
        Some(number) => memory.tree().is_there(number),
        None => page.digest.is_some() && !matches!(page.status, Some(404 | 410)),
    }
}

/// The captures of a site that came to an end and began before a moment, oldest first.
fn ended(reading: &Reading, site: &str, until: Time) -> anyhow::Result<Vec<CaptureInfo>> {
    let mut captures = reading.captures()?;
    captures.retain(|capture| capture.head.site == site && capture.end.is_some() && capture.head.started < until);
    Ok(captures)
}

/// Folds captures into `memory` one by one, whatever was kept.
pub(crate) fn fold_captures(memory: Memory, reading: &Reading, site: &str) -> anyhow::Result<Remembered> {
    let mut remembered = Remembered { memory, ..Remembered::default() };
    for capture in &ended(reading, site, Time::MAX)? {
        remembered.fold(reading, capture)?;
    }
    Ok(remembered)
}

/// Folds all visits to a site into `memory` as if there had been one capture per `every`; none where nothing was
/// visited. Returns how many there were.
pub(crate) fn fold_visits(memory: &mut Memory, reading: &Reading, site: &str, every: Span) -> anyhow::Result<usize> {
    let (mut count, mut until) = (0, None);
    let mut hear = |seen: &Observation| {
        if until.is_none_or(|until| seen.asked >= until) {
            if until.is_some() {
                memory.end(Unseen::Kept);
            }
            memory.begin(seen.asked);
            until = Some(seen.asked + every);
            count += 1;
        }
        memory.observe(seen);
    };
    for capture in ended(reading, site, Time::MAX)? {
        for entry in reading.entries(&capture.id)? {
            if let Entry::Observation(seen) = entry? {
                hear(&seen);
            }
        }
    }
    if count > 0 {
        memory.end(Unseen::Kept);
    }
    Ok(count)
}

/// Folds a recorded history into `memory` as if it had been captured whole, at once, and once per `every`. Returns how
/// many such captures there were.
pub(crate) fn fold_history(memory: &mut Memory, history: &History, every: Span) -> usize {
    let (from, to) = window(history);
    let mut events = history.events().iter().peekable();
    let mut contents: Vec<Option<u64>> = Vec::new();
    let (mut at, mut count) = (from, 0);
    while at <= to {
        while let Some(event) = events.next_if(|event| event.at <= at) {
            let page = event.page as usize;
            contents.resize(contents.len().max(page + 1), None);
            contents[page] = (event.kind != Kind::Deleted).then_some(event.digest);
        }
        memory.begin(at);
        for (page, content) in contents.iter().enumerate() {
            if let Some(content) = content {
                memory.see(history.path(page as u32), *content, 1.0);
            }
        }
        memory.end(Unseen::Gone);
        (at, count) = (at + every, count + 1);
    }
    count
}
