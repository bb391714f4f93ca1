//! What happened to a site: every version of every page, in columns. Ten million events fit in half a gigabyte.
//!
//! A history is recorded (read from a file, or from a collection of our own) or made up; everything that plays one
//! (tournaments, the time machine) cannot tell which.

use hashbrown::HashTable;
use std::fmt;
use tintype_quality::{Truth, Version};
use tintype_vocab::Time;

/// What an event did to its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    Added,
    Modified,
    Deleted,
}

/// One event: from `at` on, the page is something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    pub at: Time,
    /// The first eight bytes of the body's digest; 0 for a deletion.
    pub digest: u64,
    /// Number of the page, in order of appearance.
    pub page: u32,
    /// Bytes of the body, as far as they can be counted in 32 bits.
    pub size: u32,
    media_type: u16,
    pub kind: EventKind,
}

/// An event that cannot have happened after those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// Earlier than the event before it.
    Unsorted,
    /// The page exists already.
    AddedTwice,
    /// The page does not exist (never added, or deleted).
    NotThere,
    TooMany,
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Impossible::Unsorted => "is earlier than the event before it",
            Impossible::AddedTwice => "adds a page that is already there",
            Impossible::NotThere => "changes or deletes a page that is not there at that time",
            Impossible::TooMany => "is one event too many: at most 4,294,967,295 are read",
        })
    }
}

impl std::error::Error for Impossible {}

/// Takes events in order of time and refuses what cannot have happened.
#[derive(Debug, Default)]
pub struct Recorder {
    paths: Vec<Box<str>>,
    by_path: HashTable<u32>,
    /// EventKind of each page's latest event.
    latest: Vec<EventKind>,
    events: Vec<Event>,
    media_types: Vec<Box<str>>,
}

fn hash(text: &str) -> u64 {
    rapidhash::v3::rapidhash_v3(text.as_bytes())
}

impl Recorder {
    /// One event more. Digest and size are those of the new body. A page may be touched several times at one moment,
    /// because clocks have steps: then the last event counts, and the versions before it lived for no time at all.
    pub fn record(
        &mut self,
        at: Time,
        path: &str,
        kind: EventKind,
        size: u64,
        digest: u64,
        media_type: &str,
    ) -> Result<(), Impossible> {
        if self.events.last().is_some_and(|last| at < last.at) {
            return Err(Impossible::Unsorted);
        }
        if self.events.len() >= u32::MAX as usize {
            return Err(Impossible::TooMany);
        }
        let page = self.page(path, kind)?;
        let media_type = self.media_type(media_type);
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        self.events.push(Event { at, digest, page, size, media_type, kind });
        Ok(())
    }

    fn page(&mut self, path: &str, kind: EventKind) -> Result<u32, Impossible> {
        let Recorder { paths, by_path, latest, .. } = self;
        let Some(&page) = by_path.find(hash(path), |&page| &*paths[page as usize] == path) else {
            if kind != EventKind::Added {
                return Err(Impossible::NotThere);
            }
            let page = paths.len() as u32;
            paths.push(path.into());
            latest.push(kind);
            by_path.insert_unique(hash(path), page, |&page| hash(&paths[page as usize]));
            return Ok(page);
        };
        let last = &mut latest[page as usize];
        match (*last, kind) {
            (EventKind::Deleted, EventKind::Modified | EventKind::Deleted) => return Err(Impossible::NotThere),
            (EventKind::Added | EventKind::Modified, EventKind::Added) => return Err(Impossible::AddedTwice),
            _ => *last = kind,
        }
        Ok(page)
    }

    fn media_type(&mut self, name: &str) -> u16 {
        let known = self.media_types.iter().rposition(|known| &**known == name);
        let number = known.unwrap_or_else(|| {
            // A table full of nonsense must not make every event search it for ever.
            if self.media_types.len() < 1024 {
                self.media_types.push(name.into());
            }
            self.media_types.len() - 1
        });
        number as u16
    }

    pub fn finish(mut self) -> History {
        self.events.shrink_to_fit();
        let mut first = vec![0u32; self.paths.len() + 1];
        for event in &self.events {
            first[event.page as usize + 1] += 1;
        }
        for page in 0..self.paths.len() {
            first[page + 1] += first[page];
        }
        let mut free = first.clone();
        let mut rows = vec![0u32; self.events.len()];
        for (row, event) in self.events.iter().enumerate() {
            let slot = &mut free[event.page as usize];
            rows[*slot as usize] = row as u32;
            *slot += 1;
        }
        let Recorder { paths, by_path, events, media_types, .. } = self;
        History { paths, by_path, events, media_types, first, rows }
    }
}

/// Every event of a site in order of time, and by page.
#[derive(Debug)]
pub struct History {
    paths: Vec<Box<str>>,
    by_path: HashTable<u32>,
    events: Vec<Event>,
    media_types: Vec<Box<str>>,
    /// Where each page's rows begin in `rows`; one more at the end.
    first: Vec<u32>,
    /// Rows of `events`, page by page, each page's in order of time.
    rows: Vec<u32>,
}

impl History {
    /// How many pages ever existed.
    pub fn pages(&self) -> usize {
        self.paths.len()
    }

    pub fn path(&self, page: u32) -> &str {
        &self.paths[page as usize]
    }

    pub fn find(&self, path: &str) -> Option<u32> {
        self.by_path.find(hash(path), |&page| self.path(page) == path).copied()
    }

    /// The page a path stands for; servers do not mind a slash more or less at the end.
    pub(crate) fn find_spelled(&self, path: &str) -> Option<u32> {
        let without = path.trim_end_matches('/');
        let spellings = [path, without].into_iter().find_map(|path| self.find(path));
        spellings.or_else(|| self.find(&format!("{without}/")))
    }

    /// The path of the page that is there with a slash more or less at the end.
    pub(crate) fn respelled(&self, path: &str, now: Time) -> Option<&str> {
        let page = self.find_spelled(path).filter(|page| self.path(*page) != path)?;
        self.alive(page, now).map(|_| self.path(page))
    }

    /// All events, in order of time; an event's place here is its row.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    pub fn media_type(&self, event: &Event) -> &str {
        &self.media_types[event.media_type as usize]
    }

    /// The rows of one page, in order of time.
    pub fn rows(&self, page: u32) -> &[u32] {
        &self.rows[self.first[page as usize] as usize..self.first[page as usize + 1] as usize]
    }

    /// The row of the latest event of a page at or before `now`; `None` before its birth.
    pub fn at(&self, page: u32, now: Time) -> Option<u32> {
        let rows = self.rows(page);
        let live = rows.partition_point(|&row| self.events[row as usize].at <= now);
        live.checked_sub(1).map(|last| rows[last])
    }

    /// The row of the version of a page that is there at `now`.
    pub fn alive(&self, page: u32, now: Time) -> Option<u32> {
        self.at(page, now).filter(|&row| self.events[row as usize].kind != EventKind::Deleted)
    }

    /// The same as the measures want it, every version weighing what `weight` says of its row. Versions that were
    /// replaced at the very moment they came are left out: nobody could have seen them.
    pub fn truth(&self, mut weight: impl FnMut(u32) -> f32) -> Truth {
        let mut truth = Truth::default();
        for page in 0..self.pages() as u32 {
            let rows = self.rows(page);
            let versions = rows.iter().enumerate().filter_map(|(nth, &row)| {
                let event = &self.events[row as usize];
                let until = rows.get(nth + 1).map_or(Time::MAX, |&next| self.events[next as usize].at);
                let lived = event.kind != EventKind::Deleted && event.at < until;
                lived.then(|| Version { from: event.at, until, weight: weight(row) })
            });
            truth.push_page(versions);
        }
        truth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(at: i64) -> Time {
        Time::from_secs(at)
    }

    #[test]
    fn events_are_found_by_page_and_time() {
        let mut recorder = Recorder::default();
        recorder.record(second(1), "/a", EventKind::Added, 3, 1, "text/html").unwrap();
        recorder.record(second(2), "/b", EventKind::Added, 3, 2, "text/css").unwrap();
        recorder.record(second(3), "/a", EventKind::Modified, 4, 3, "text/html").unwrap();
        recorder.record(second(4), "/a", EventKind::Deleted, 0, 0, "").unwrap();
        recorder.record(second(5), "/a", EventKind::Added, 4, 3, "text/html").unwrap();
        let history = recorder.finish();
        let a = history.find("/a").unwrap();
        assert_eq!((history.pages(), history.path(a), history.rows(a)), (2, "/a", &[0, 2, 3, 4][..]));
        assert_eq!(
            [0, 1, 2, 3, 4, 9].map(|at| history.at(a, second(at))),
            [None, Some(0), Some(0), Some(2), Some(3), Some(4)]
        );
        assert_eq!(history.media_type(&history.events()[1]), "text/css");
        let truth = history.truth(|row| row as f32);
        let weights: Vec<_> = truth.page(a as usize).iter().map(|version| version.weight).collect();
        assert_eq!(weights, [0.0, 2.0, 4.0]);
        assert_eq!(truth.page(a as usize)[1].until, second(4));
    }

    #[test]
    fn what_cannot_have_happened_is_refused() {
        let mut recorder = Recorder::default();
        let mut record = |at, path, kind| recorder.record(second(at), path, kind, 0, 0, "");
        record(5, "/a", EventKind::Added).unwrap();
        assert_eq!(record(4, "/b", EventKind::Added), Err(Impossible::Unsorted));
        assert_eq!(record(6, "/a", EventKind::Added), Err(Impossible::AddedTwice));
        assert_eq!(record(6, "/b", EventKind::Modified), Err(Impossible::NotThere));
        record(7, "/a", EventKind::Deleted).unwrap();
        assert_eq!(record(8, "/a", EventKind::Modified), Err(Impossible::NotThere));
        record(9, "/a", EventKind::Added).unwrap();
    }

    #[test]
    fn of_several_events_at_one_moment_the_last_counts() {
        let mut recorder = Recorder::default();
        for (at, kind) in
            [(1, EventKind::Added), (1, EventKind::Modified), (2, EventKind::Deleted), (2, EventKind::Added)]
        {
            recorder.record(second(at), "/a", kind, 1, 1, "").unwrap();
        }
        let history = recorder.finish();
        assert_eq!([1, 2].map(|at| history.at(0, second(at))), [Some(1), Some(3)]);
        let truth = history.truth(|row| row as f32);
        let seen: Vec<_> = truth.page(0).iter().map(|version| (version.from, version.weight)).collect();
        assert_eq!(seen, [(second(1), 1.0), (second(2), 3.0)]);
    }
}
