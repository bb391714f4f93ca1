//! One experiment: a past cut into versions, each test with what may be learned for it and what then happened.

use super::{Births, Judged, Passage, Passed, Versions, Windows};
use crate::History;
use tintype_learn::directory::{Bitmaps, DirectoryDelta, DirectoryId, DirectoryShape, DirectoryTree, Unseen, Weighing};
use tintype_quality::{
    Fate, MeanBypass,
    oracle::{Leaves, mean_bypass},
};

/// A site, its versions and its tests. What policies make of it is in files of their own.
#[derive(Debug)]
pub struct SkipExperiment<'h> {
    pub windows: Windows,
    pub births: Births,
    pub versions: Versions<'h>,
    /// The directories of all versions.
    pub shape: DirectoryShape,
    /// From each version to the next.
    pub deltas: Vec<DirectoryDelta>,
    /// By test.
    pub passages: Vec<Passage>,
}

impl<'h> SkipExperiment<'h> {
    /// `weights` as of [`crate::weights`], or nothing where all changes are alike.
    pub fn new(history: &'h History, weights: &'h [f32], windows: Windows, births: Births) -> SkipExperiment<'h> {
        let versions = Versions::new(history, weights, windows);
        let mut tree = DirectoryTree::default();
        let deltas = (0..windows.versions()).filter_map(|version| see(&mut tree, &versions, version)).collect();
        let shape = tree.shape().clone();
        let tested = (0..windows.test).map(|test| windows.tested(test));
        let passages = tested.map(|version| Passage::into_version(&versions, version, &shape)).collect();
        SkipExperiment { windows, births, versions, shape, deltas, passages }
    }

    /// In which passages each directory changed so much.
    pub fn bitmaps(&self, degree_of_change_min: f64, weighing: Weighing) -> Bitmaps {
        let mut bitmaps = Bitmaps::default();
        self.deltas.iter().for_each(|delta| bitmaps.append(delta, degree_of_change_min, weighing));
        bitmaps
    }

    /// What a capture is worth that skips these directories and everything below them.
    pub fn without(&self, test: usize, skipped: impl IntoIterator<Item = DirectoryId>) -> Judged {
        let mut out = vec![false; self.shape.directories()];
        skipped.into_iter().for_each(|directory| out[directory.0 as usize] = true);
        for number in 1..out.len() {
            let parent = self.shape.parent(DirectoryId(number as u32)).expect("only the root has none");
            out[number] |= out[parent.0 as usize];
        }
        let announced = |page: &Passed| self.births == Births::Announced && page.fate == Fate::Inserted;
        self.passages[test].judge(self.births, |page| !out[page.directory.0 as usize] || announced(page))
    }

    /// The best means over all tests, told everything: no policy has means above the lines between them.
    pub fn best(&self, leaves: Leaves) -> Vec<MeanBypass> {
        let frontiers: Vec<_> = self.passages.iter().map(|passage| passage.best(&self.shape, leaves)).collect();
        mean_bypass(&frontiers)
    }
}

/// Shows a version to the tree; the first one changes nothing.
fn see(tree: &mut DirectoryTree, versions: &Versions<'_>, version: usize) -> Option<DirectoryDelta> {
    for (page, content) in versions.pages(version) {
        tree.see_weighed(versions.history.path(page), content, versions.importance(version, page));
    }
    tree.close(Unseen::Gone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::trial::{history, see_saw, windows};

    fn experiment<'h>(history: &'h History, train: usize, test: usize) -> SkipExperiment<'h> {
        SkipExperiment::new(history, &[], windows(0, 10, train, test), Births::LookedInto)
    }

    #[test]
    fn each_test_is_about_the_version_after_those_it_learns_from() {
        let history = see_saw(6);
        let experiment = experiment(&history, 3, 2);
        assert_eq!((experiment.deltas.len(), experiment.passages.len()), (4, 2));
        let changes = |test: usize| experiment.without(test, []).bypass.changes;
        assert_eq!([changes(0), changes(1)], [10, 1]);
        let bits: Vec<bool> = experiment.bitmaps(0.0, Weighing::Count).get(DirectoryId::ROOT).collect();
        assert_eq!(bits, [true; 4]);
    }

    #[test]
    fn directories_are_skipped_with_all_below_them() {
        let history = history(&[
            (0, "/a/b/c/x", 'A', 1),
            (0, "/a/y", 'A', 1),
            (15, "/a/b/c/x", 'M', 2),
            (15, "/a/b/new", 'A', 1),
        ]);
        let experiment = experiment(&history, 2, 1);
        let without = |path: &str| experiment.without(0, experiment.shape.find_directory(path)).bypass;
        assert_eq!((without("/a").skipped, without("/a").changes_lost()), (3, 2));
        assert_eq!((without("/a/b").skipped, without("/a/b").changes_lost()), (2, 2), "the new page is in it");
        assert_eq!((without("/a/b/c").skipped, without("/a/b/c").changes_lost()), (1, 1));
        assert_eq!(without("/nowhere").skipped, 0);
    }

    #[test]
    fn announced_pages_are_fetched_even_from_skipped_directories() {
        let history = history(&[(0, "/a/x", 'A', 1), (0, "/y", 'A', 1), (15, "/a/new", 'A', 1)]);
        let told = SkipExperiment::new(&history, &[], windows(0, 10, 2, 1), Births::Announced);
        let skipped = told.without(0, told.shape.find_directory("/a")).bypass;
        assert_eq!((skipped.skipped, skipped.skipped_insertions), (1, 0));
        let untold = experiment(&history, 2, 1);
        assert_eq!(untold.without(0, untold.shape.find_directory("/a")).bypass.skipped_insertions, 1);
    }

    #[test]
    fn sites_that_vanish_and_come_back_are_judged_all_the_same() {
        let there_and_away = [(5, "/a/x", 'A', 1), (15, "/a/x", 'D', 0), (35, "/a/x", 'A', 1), (36, "/z", 'A', 2)];
        let history = history(&there_and_away);
        let experiment = experiment(&history, 2, 4);
        let seen: Vec<_> = (0..4).map(|test| experiment.without(test, []).bypass).collect();
        let pages: Vec<u64> = seen.iter().map(|bypass| bypass.pages()).collect();
        let changes: Vec<u64> = seen.iter().map(|bypass| bypass.changes).collect();
        assert_eq!((pages, changes), (vec![0, 0, 2, 2], vec![1, 0, 2, 0]));
        assert!(seen.iter().all(|bypass| bypass.change_recall() == 1.0));
        for leaves in [Leaves::Pages, Leaves::Directories] {
            let best = experiment.best(leaves);
            assert_eq!(best[0].change_recall, 1.0);
            assert!(best.iter().all(|corner| corner.bypass_ratio <= 1.0));
        }
    }

    #[test]
    fn a_site_of_one_page_can_be_skipped_or_not() {
        let history = history(&[(0, "/", 'A', 1), (25, "/", 'M', 2)]);
        let experiment = experiment(&history, 2, 2);
        let best: Vec<_> =
            experiment.best(Leaves::Pages).iter().map(|mean| (mean.bypass_ratio, mean.change_recall)).collect();
        assert_eq!(best, [(0.5, 1.0), (1.0, 0.5)]);
    }
}
