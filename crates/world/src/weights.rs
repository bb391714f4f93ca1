//! What each version of a page weighs: the importance of the change that made it.
//!
//! Pages are compared block by block with what the site has taught about itself (template, volatile words), learned from
//! a sample first, so that a version weighs the same whoever reads it in whatever order. Where one of two versions has no
//! blocks, the distance of their words has to do.

use crate::{Contents, Document, EventKind, History, Unreadable};
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};
use tintype_observe::{
    DISTANCE_MIN, Described, Words,
    page::{Habits, Segmented, segment},
};

/// Pages the site's habits are learned from; more teach nothing new.
const TEACHERS: usize = 300;

/// The weight of every row of a history, for [`History::truth`]: a birth weighs 1, a deletion nothing, a new version as
/// much as the change from the version before is important, or 1 where one of the two is not known. Only documents that
/// are compared are read, page by page; no more than two per core are held.
pub fn weights(history: &History, contents: &mut (dyn Contents + Send), origin: &str) -> Result<Vec<f32>, Unreadable> {
    let site = Site { history, origin: origin.trim_end_matches('/'), shelf: Mutex::new(contents) };
    let pages: Vec<u32> = (0..history.pages() as u32).filter(|page| site.pairs(*page).next().is_some()).collect();
    let habits = site.habits(&pages)?;
    let mut weights: Vec<f32> = history.events().iter().map(|event| unread(event.kind)).collect();
    for weighed in site.weigh_side_by_side(&pages, &habits) {
        weighed?.into_iter().for_each(|(row, weight)| weights[row as usize] = weight);
    }
    Ok(weights)
}

/// What is said of a version nobody reads.
fn unread(kind: EventKind) -> f32 {
    match kind {
        EventKind::Added | EventKind::Modified => 1.0,
        EventKind::Deleted => 0.0,
    }
}

/// How important the change from one body to another is, of a page of which nothing else is known.
pub(crate) fn importance(described: &Described<'_>, old: &[u8], new: &[u8]) -> f32 {
    let blocks = segment(described, old).zip(segment(described, new));
    let words = || Words::of(described, old).distance(&Words::of(described, new));
    blocks.map_or_else(words, |(old, new)| weight(&Habits::default(), &old, &new, described.url))
}

/// Never nothing: the digest differs, and somebody may care why.
fn weight(habits: &Habits, old: &Segmented, new: &Segmented, url: &str) -> f32 {
    (habits.difference(old, new, url).importance as f32).clamp(DISTANCE_MIN, 1.0)
}

/// One version, read.
struct Version {
    document: Document,
    blocks: Option<Segmented>,
}

impl Version {
    fn distance(&self, other: &Version, habits: &Habits, url: &str) -> f32 {
        if let (Some(old), Some(new)) = (&self.blocks, &other.blocks) {
            return weight(habits, old, new, url);
        }
        let words = |version: &Version| Words::of(&version.document.described(url), &version.document.body);
        words(self).distance(&words(other))
    }
}

struct Site<'a, 'c> {
    history: &'a History,
    origin: &'a str,
    /// Read by one worker at a time.
    shelf: Mutex<&'c mut (dyn Contents + Send)>,
}

impl Site<'_, '_> {
    /// The rows of a page's versions that follow upon a version, with the row of that.
    fn pairs(&self, page: u32) -> impl Iterator<Item = (u32, u32)> {
        let rows = self.history.rows(page).windows(2).map(|pair| (pair[0], pair[1]));
        rows.filter(|(_, row)| self.history.events()[*row as usize].kind == EventKind::Modified)
    }

    fn url(&self, page: u32) -> String {
        format!("{}{}", self.origin, self.history.path(page))
    }

    fn read(&self, row: u32, url: &str) -> Result<Option<Version>, Unreadable> {
        let document = self.shelf.lock().unwrap_or_else(PoisonError::into_inner).document(row)?;
        Ok(document.map(|document| {
            let blocks = segment(&document.described(url), &document.body);
            Version { document, blocks }
        }))
    }

    /// What the site teaches: of some of its pages, evenly chosen, the first change.
    fn habits(&self, pages: &[u32]) -> Result<Habits, Unreadable> {
        let mut habits = Habits::default();
        for &page in pages.iter().step_by(pages.len().div_ceil(TEACHERS).max(1)) {
            let Some((before, row)) = self.pairs(page).next() else { continue };
            let url = self.url(page);
            let Some(old) = self.read(before, &url)?.and_then(|version| version.blocks) else { continue };
            habits.see(&url, &old);
            if let Some(new) = self.read(row, &url)?.and_then(|version| version.blocks) {
                let at = |row: u32| self.history.events()[row as usize].at;
                habits.learn(&url, &old, &new, at(row) - at(before));
            }
        }
        Ok(habits)
    }

    /// The weights of all compared rows, by page, on all cores.
    fn weigh_side_by_side(&self, pages: &[u32], habits: &Habits) -> Vec<Result<Vec<(u32, f32)>, Unreadable>> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            while let Some(&page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
                done.push(self.weigh(page, habits));
            }
            done
        };
        let workers = thread::available_parallelism().map_or(1, |cores| cores.get()).min(pages.len());
        thread::scope(|scope| {
            let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            workers.into_iter().flat_map(|worker| worker.join().expect("weighing does not panic")).collect()
        })
    }

    fn weigh(&self, page: u32, habits: &Habits) -> Result<Vec<(u32, f32)>, Unreadable> {
        let url = self.url(page);
        let mut weights = Vec::new();
        let mut held: Option<(u32, Option<Version>)> = None;
        for (before, row) in self.pairs(page) {
            let old = match held.take() {
                Some((known, version)) if known == before => version,
                _ => self.read(before, &url)?,
            };
            let new = self.read(row, &url)?;
            if let (Some(old), Some(new)) = (&old, &new) {
                weights.push((row, old.distance(new, habits, &url)));
            }
            held = Some((row, new));
        }
        Ok(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Recorder,
        synthetic::{Made, SyntheticConfig, named},
    };
    use tintype_vocab::Time;

    const ORIGIN: &str = "http://world.invalid";

    /// What each row says, and which were asked for.
    struct Said(Vec<Option<&'static str>>, Vec<u32>);

    impl Contents for Said {
        fn document(&mut self, row: u32) -> Result<Option<Document>, Unreadable> {
            self.1.push(row);
            let document = |text: &str| Document {
                status: 200,
                content_type: Some("text/html".to_owned()),
                body: text.into(),
                ..Document::default()
            };
            Ok(self.0[row as usize].map(document))
        }
    }

    #[test]
    fn versions_weigh_what_is_new_in_them_and_only_the_compared_are_read() {
        use EventKind::{Added, Deleted, Modified};
        let rows = [
            ("/a", Added, Some("<p>one two")),
            ("/b", Added, Some("never read")),
            ("/a", Modified, Some("<p>one two three four")),
            ("/a", Modified, Some("<p class=new>one two three four")),
            ("/c", Added, None),
            ("/c", Modified, Some("not comparable")),
            ("/c", Modified, Some("no match")),
            ("/a", Deleted, Some("not found")),
            ("/a", Added, Some("back again")),
        ];
        let mut recorder = Recorder::default();
        for (at, (path, kind, _)) in rows.iter().enumerate() {
            recorder.record(Time::from_secs(at as i64), path, *kind, 1, at as u64 + 1, "text/html").unwrap();
        }
        let mut said = Said(rows.iter().map(|row| row.2).collect(), Vec::new());
        let weights = weights(&recorder.finish(), &mut said, ORIGIN).unwrap();
        assert_eq!(weights[..2], [1.0, 1.0]);
        for (row, what) in [(2, "half of the words are new"), (6, "no word is the same")] {
            assert!((0.1..=1.0).contains(&weights[row]), "{what}: {}", weights[row]);
        }
        assert_eq!([3, 4, 5, 7, 8].map(|row| weights[row]), [DISTANCE_MIN, 1.0, 1.0, 0.0, 1.0]);
        said.1.sort_unstable();
        said.1.dedup();
        assert_eq!(said.1, [0, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn what_has_no_blocks_is_weighed_by_its_words() {
        let picture = Described { url: ORIGIN, content_type: Some("image/png"), ..Described::default() };
        assert_eq!(importance(&picture, b"some", b"other"), 1.0);
        let page = Described { content_type: Some("text/html"), ..picture };
        assert_eq!(importance(&page, b"<p>one two", b"<p id=x>one two"), DISTANCE_MIN);
    }

    #[test]
    fn the_versions_of_a_made_up_site_differ_a_little_or_much() {
        let wish = SyntheticConfig { pages: 80, days: 5.0, ..SyntheticConfig::default() };
        let Made { history, mut contents, .. } = (named("news").unwrap().make)(&wish);
        let weights = weights(&history, &mut contents, &wish.origin).unwrap();
        assert_eq!(weights.len(), history.events().len());
        assert!(weights.iter().all(|weight| (0.0..=1.0).contains(weight)));
        let truth = history.truth(|row| weights[row as usize]);
        assert_eq!(truth.pages(), history.pages());
        let small = weights.iter().filter(|weight| (DISTANCE_MIN..0.5).contains(*weight)).count();
        assert!(small > 10, "{small} of {}", weights.len());
    }
}
