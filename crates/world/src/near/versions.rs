//! A site at moments of equal distance: what full captures at those moments would have held.

use super::windows::Windows;
use crate::{History, recorded::window};
use std::ops::Range;
use tintype_learn::directory::{Memory, Unseen};
use tintype_quality::Fate;
use tintype_vocab::{Span, Time};

/// Every page in every version of a site. Pages are numbered as in the history.
#[derive(Clone, Copy, Debug)]
pub struct Versions<'h> {
    pub history: &'h History,
    /// Importance of the change that made each row of the history; empty if nobody weighed them.
    weights: &'h [f32],
    windows: Windows,
}

/// Teaches `memory` a recorded history as if it had been captured whole, at once, and once per `every`. Returns how many
/// such captures there were.
pub fn teach_history(memory: &mut Memory, history: &History, every: Span) -> usize {
    let (from, to) = window(history);
    let count = ((to - from).as_millis() / every.as_millis()) as usize + 1;
    let windows = Windows { from, every, train: count, test: 0 };
    Versions::new(history, &[], windows).teach(memory, 0..count);
    count
}

impl<'h> Versions<'h> {
    /// # Panics
    /// If some rows have a weight and others have none.
    pub fn new(history: &'h History, weights: &'h [f32], windows: Windows) -> Versions<'h> {
        assert!(weights.is_empty() || weights.len() == history.events().len(), "every row is weighed, or none");
        Versions { history, weights, windows }
    }

    pub fn time(&self, version: usize) -> Time {
        self.windows.time(version)
    }

    /// What a page says in a version, if it is there.
    pub fn content(&self, version: usize, page: u32) -> Option<u64> {
        self.row(version, page).map(|row| self.history.events()[row as usize].digest)
    }

    /// The pages of a version with their contents.
    pub fn pages(&self, version: usize) -> impl Iterator<Item = (u32, u64)> {
        (0..self.history.pages() as u32).filter_map(move |page| Some((page, self.content(version, page)?)))
    }

    /// What became of a page since the version before, if it is in one of the two.
    pub fn fate(&self, version: usize, page: u32) -> Option<Fate> {
        let (before, now) = (self.content(version - 1, page), self.content(version, page));
        before.or(now).map(|_| Fate::of(before, now))
    }

    /// How important the change of a page since the version before is: several small ones add up. Of the first version
    /// everything is new.
    pub fn importance(&self, version: usize, page: u32) -> f32 {
        let Some(now) = self.row(version, page).filter(|_| !self.weights.is_empty()) else { return 1.0 };
        let since = version.checked_sub(1).and_then(|before| self.row(before, page));
        let rows = self.history.rows(page).iter().filter(|row| since < Some(**row) && **row <= now);
        rows.map(|row| self.weights[*row as usize]).sum::<f32>().min(1.0)
    }

    /// Teaches a memory some of the versions, as if each had been captured whole and at once.
    pub fn teach(&self, memory: &mut Memory, versions: Range<usize>) {
        for version in versions {
            memory.begin(self.time(version));
            for (page, content) in self.pages(version) {
                memory.see(self.history.path(page), content, self.importance(version, page));
            }
            memory.end(Unseen::Gone);
        }
    }

    fn row(&self, version: usize, page: u32) -> Option<u32> {
        self.history.alive(page, self.time(version))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::trial::{history, windows};
    use Fate::{Deleted, Inserted, Modified, Unchanged};

    #[test]
    fn what_happens_between_two_versions_is_one_fate() {
        let history = history(&[
            (0, "/a", 'A', 1),
            (0, "/b", 'A', 1),
            (1, "/a", 'M', 2),
            (2, "/a", 'M', 1),
            (11, "/a", 'M', 3),
            (12, "/b", 'D', 0),
            (13, "/mayfly", 'A', 9),
            (14, "/mayfly", 'D', 0),
            (15, "/b", 'A', 1),
            (22, "/b", 'D', 0),
            (33, "/b", 'A', 1),
        ]);
        let weights = [1.0, 1.0, 0.25, 0.5, 0.125, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0];
        let versions = Versions::new(&history, &weights, windows(0, 10, 4, 0));
        let fates = |path: &str| [1, 2, 3].map(|version| versions.fate(version, history.find(path).unwrap()));
        assert_eq!(fates("/a"), [Some(Unchanged), Some(Modified), Some(Unchanged)], "there and back is no change");
        assert_eq!(fates("/b"), [Some(Unchanged), Some(Unchanged), Some(Deleted)]);
        assert_eq!(fates("/mayfly"), [None; 3]);
        assert_eq!(versions.importance(2, 0), 0.125);
        assert_eq!(versions.pages(3).collect::<Vec<_>>(), [(0, 3)]);
        let later = Versions::new(&history, &[], windows(30, 10, 2, 0));
        assert_eq!((later.fate(1, 1), later.importance(1, 1)), (Some(Inserted), 1.0));
    }

    #[test]
    fn small_changes_between_two_versions_add_up() {
        let history = history(&[(0, "/a", 'A', 1), (1, "/a", 'M', 2), (2, "/a", 'M', 3)]);
        let versions = Versions::new(&history, &[1.0, 0.25, 0.5], windows(0, 10, 2, 0));
        assert_eq!(versions.importance(1, 0), 0.75);
    }
}
