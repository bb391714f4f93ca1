//! How the directories of a site change, folded from the logs of its captures one by one.
//!
//! What was folded is kept beside the state of the site with the names of the captures in it, so that a new one is only
//! added. It is derived: what is lost, cannot be read, is of another version or tells of other captures than there are
//! is folded anew.

use crate::{Error, Warning, cached, known_pages};
use tintype_archive::{CaptureId, CaptureInfo, Collection, KnownPage, Reading};
use tintype_learn::directory::{Memory, Unseen, Weighing};
use tintype_vocab::{Entry, Observation, Span, Time};

/// The name it is kept under.
const NAME: &str = "directories";
/// What was kept by another version may mean something else. The number behind the slash is raised when that happens
/// between versions.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/3");

/// The memory of a site, and the captures it is of.
#[derive(Debug, Default)]
pub struct CachedDirectories {
    pub memory: Memory,
    pub captures: Vec<CaptureId>,
    /// Captures folded in that are not yet in what is kept.
    added: usize,
}

impl CachedDirectories {
    /// What the captures of `site` tell that ended and began before `until`.
    pub fn of_site(reading: &Reading, site: &str, until: Time) -> Result<CachedDirectories, Error> {
        CachedDirectories::of_captures(reading, site, until, reading.captures_of(site)?)
    }

    /// The same of some of its captures.
    pub(crate) fn of_captures(
        reading: &Reading,
        site: &str,
        until: Time,
        captures: Vec<CaptureInfo>,
    ) -> Result<CachedDirectories, Error> {
        let captures = ended(captures, until);
        let mut cached = CachedDirectories::kept(reading, site, &captures).unwrap_or_default();
        for capture in &captures[cached.captures.len()..] {
            cached.fold(reading, capture)?;
        }
        Ok(cached)
    }

    /// The same for a capture that begins, or began, at `started`; saved for the next one.
    pub fn for_capture(
        collection: &Collection,
        site: &str,
        started: Time,
        warnings: &mut Vec<Warning>,
    ) -> CachedDirectories {
        // A capture is worth more than what is known of directories: without it everything is asked for.
        let cached = CachedDirectories::of_site(&collection.reading(), site, started).unwrap_or_else(|error| {
            warnings.push(Warning::DirectoriesUnreadable { site: site.to_owned(), error: error.to_string() });
            CachedDirectories::default()
        });
        if let Err(error) = cached.save(collection, site) {
            warnings.push(Warning::NotSaved { what: format!("what was learned of {site}"), error: error.to_string() });
        }
        cached
    }

    /// What calls a directory changed from another degree of change on than is kept, for a capture.
    pub fn by_degree(
        collection: &Collection,
        site: &str,
        started: Time,
        degree_min: f64,
        warnings: &mut Vec<Warning>,
    ) -> CachedDirectories {
        let reading = collection.reading();
        let captures = reading.captures_of(site).map_err(Error::from);
        let cached = captures.and_then(|all| CachedDirectories::folded_by_degree(&reading, all, started, degree_min));
        cached.unwrap_or_else(|error| {
            warnings.push(Warning::DirectoriesUnreadable { site: site.to_owned(), error: error.to_string() });
            CachedDirectories::default()
        })
    }

    /// The same of some captures, or why they cannot be read.
    pub(crate) fn folded_by_degree(
        reading: &Reading,
        captures: Vec<CaptureInfo>,
        until: Time,
        degree_min: f64,
    ) -> Result<CachedDirectories, Error> {
        let memory = Memory::new(degree_min, Weighing::Importance);
        let mut cached = CachedDirectories { memory, ..CachedDirectories::default() };
        ended(captures, until).iter().try_for_each(|capture| cached.fold(reading, capture))?;
        Ok(cached)
    }

    /// What was kept, if it is the beginning of what is wanted.
    fn kept(reading: &Reading, site: &str, wanted: &[CaptureInfo]) -> Option<CachedDirectories> {
        let (memory, captures) = cached::read(&reading.site_derived(site, NAME)?, VERSION, wanted)?;
        Some(CachedDirectories { memory, captures, added: 0 })
    }

    fn fold(&mut self, reading: &Reading, capture: &CaptureInfo) -> Result<(), Error> {
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
    fn save(&self, collection: &Collection, site: &str) -> Result<(), Error> {
        if self.added == 0 {
            return Ok(());
        }
        let all = cached::write(VERSION, &self.captures, &self.memory);
        Ok(collection.keep_site_derived(site, NAME, &all)?)
    }
}

/// Whether a page is still there, as of the last capture in `memory`.
pub fn is_held(memory: &Memory, page: &KnownPage) -> bool {
    match memory.find(&page.url) {
        Some(number) => memory.tree().is_there(number),
        None => known_pages::is_there(page),
    }
}

/// The captures of a site that came to an end and began before a moment, oldest first.
pub(crate) fn ended(mut captures: Vec<CaptureInfo>, until: Time) -> Vec<CaptureInfo> {
    captures.retain(|capture| capture.end.is_some() && capture.head.started < until);
    captures.sort_by_key(|capture| capture.head.started);
    captures
}

/// Folds captures into `memory` one by one, whatever was kept.
pub fn fold_captures(memory: Memory, reading: &Reading, site: &str) -> Result<CachedDirectories, Error> {
    let mut cached = CachedDirectories { memory, ..CachedDirectories::default() };
    for capture in &ended(reading.captures_of(site)?, Time::MAX) {
        cached.fold(reading, capture)?;
    }
    Ok(cached)
}

/// Folds all visits to a site into `memory` as if there had been one capture per `every`; none where nothing was
/// visited. Returns how many there were.
pub fn fold_visits(memory: &mut Memory, reading: &Reading, site: &str, every: Span) -> Result<usize, Error> {
    let (mut count, mut until) = (0, None);
    let mut fold = |seen: &Observation| {
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
    for capture in ended(reading.captures_of(site)?, Time::MAX) {
        for entry in reading.entries(&capture.id)? {
            if let Entry::Observation(seen) = entry? {
                fold(&seen);
            }
        }
    }
    if count > 0 {
        memory.end(Unseen::Kept);
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_archive::{CaptureHead, CaptureKind, Exchange, OpenOptions, Spool};
    use tintype_vocab::{Outcome, PageId, Purpose, Request, SiteId, Visit};

    const SITE: &str = "example.com";
    const MONDAY: Time = Time::from_secs(1_790_000_000);

    fn day(n: i64) -> Time {
        MONDAY + Span::from_days(n)
    }

    fn visit(path: &str, at: Time) -> Visit {
        let (url, purpose) = (format!("http://{SITE}{path}"), Purpose::Visit);
        let request = Request { site: SiteId(0), page: PageId(0), url, purpose, attempt: 0, rate: Default::default() };
        Visit { request, asked: at, answered: at, outcome: Outcome::Body { status: 200 } }
    }

    fn exchange(body: &str) -> Exchange {
        Exchange {
            request_head: b"GET / HTTP/1.1\r\n\r\n".to_vec(),
            response_head: b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".to_vec(),
            body: Spool::from_bytes(body.as_bytes().to_vec()),
            peer: None,
            protocols: Vec::new(),
            cipher_suite: None,
            truncated: None,
        }
    }

    /// A capture in which the news is new and the archive is not; ended or cut short.
    fn capture(collection: &Collection, n: i64, ended: bool) {
        let (site, seeds) = (SITE.to_owned(), vec!["http://example.com/".to_owned()]);
        let (settings, describe) = (serde_json::Value::Null, Vec::new());
        let kind = CaptureKind::Capture;
        let head = CaptureHead { site, kind, seeds, settings, run_seed: 1, started: day(n), describe };
        let mut capture = collection.begin(head).unwrap();
        for (path, body) in [("/news/a", format!("what happened on {}", day(n))), ("/old/a", "as it was".to_owned())] {
            capture.ingest(&visit(path, day(n)), Some(exchange(&body)), None).unwrap();
        }
        match ended {
            true => capture.finish(&serde_json::json!({ "ending": "complete" })).unwrap(),
            false => capture.suspend().unwrap(),
        }
    }

    fn open(path: &std::path::Path) -> Collection {
        Collection::open(path, OpenOptions { create: true, command: "test".to_owned(), now: MONDAY }).unwrap()
    }

    fn before(collection: &Collection, site: &str, started: Time) -> CachedDirectories {
        let mut warnings = Vec::new();
        let cached = CachedDirectories::for_capture(collection, site, started, &mut warnings);
        assert_eq!(warnings, []);
        cached
    }

    /// All that is cached, as text.
    fn told(cached: &CachedDirectories) -> String {
        serde_json::to_string(&(&cached.memory, &cached.captures)).unwrap()
    }

    #[test]
    fn a_new_capture_is_added_to_what_was_kept_and_nothing_is_folded_twice() {
        let directory = tempfile::tempdir().unwrap();
        let collection = open(directory.path());
        for n in 0..4 {
            capture(&collection, n, true);
            let cached = before(&collection, SITE, day(n + 1));
            assert_eq!((cached.captures.len() as i64, cached.added), (n + 1, 1));
            let anew = fold_captures(Memory::default(), &collection.reading(), SITE).unwrap();
            assert_eq!(told(&cached), told(&anew));
        }
        assert_eq!(before(&collection, SITE, day(9)).added, 0);
        assert_eq!(before(&collection, "example.org", day(9)).captures, []);
    }

    #[test]
    fn what_began_later_or_never_ended_is_not_cached() {
        let directory = tempfile::tempdir().unwrap();
        let collection = open(directory.path());
        (0..3).for_each(|n| capture(&collection, n, n != 1));
        let captures = |until| CachedDirectories::of_site(&collection.reading(), SITE, until).unwrap().captures.len();
        assert_eq!((captures(day(0)), captures(day(2)), captures(day(9))), (0, 1, 2));
    }

    #[test]
    fn what_is_spoiled_or_of_another_version_or_of_other_captures_is_folded_anew() {
        let directory = tempfile::tempdir().unwrap();
        let collection = open(directory.path());
        (0..3).for_each(|n| capture(&collection, n, true));
        let whole = told(&before(&collection, SITE, day(9)));
        let kept = String::from_utf8(collection.reading().site_derived(SITE, NAME).unwrap()).unwrap();
        let other = kept.replacen(VERSION, "0.0.0/0", 1);
        let strange = kept.replacen("20260921", "20250921", 1);
        for spoiled in ["", "{}", &kept[..kept.len() / 2], &other, &strange] {
            assert_ne!(spoiled, kept);
            collection.keep_site_derived(SITE, NAME, spoiled.as_bytes()).unwrap();
            let cached = before(&collection, SITE, day(9));
            assert_eq!((cached.added, told(&cached) == whole), (3, true), "{spoiled:.80}");
            assert_eq!(collection.reading().site_derived(SITE, NAME).as_deref(), Some(kept.as_bytes()));
        }
    }

    #[test]
    fn visits_far_apart_are_versions_and_those_close_by_are_one() {
        let directory = tempfile::tempdir().unwrap();
        let collection = open(directory.path());
        (0..6).for_each(|n| capture(&collection, n, true));
        for (every, versions) in [(Span::from_secs(3600), 6), (Span::from_days(2), 3), (Span::from_days(30), 1)] {
            let mut memory = Memory::default();
            assert_eq!(fold_visits(&mut memory, &collection.reading(), SITE, every).unwrap(), versions);
            assert_eq!(memory.bitmaps().transitions(), versions - 1);
        }
    }
}
