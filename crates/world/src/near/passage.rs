//! From one version of a site to the next: what became of every page, and what a capture that skips some makes of it.

use super::versions::Versions;
use tintype_learn::directory::{DirectoryId, DirectoryShape};
use tintype_quality::{
    Bypass, Fate, MeanBypass, WeighedChanges,
    oracle::{BypassFrontier, DirectoryFates, Leaves, bypass},
};

/// How new pages are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Births {
    /// By looking into their directory: one of the pages that were there before is asked for. Of a new directory that
    /// means the nearest one above it that held pages.
    LookedInto,
    /// Listings, sitemaps or feeds name them all.
    Announced,
}

/// A page that is in one of the two versions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passed {
    /// Its number in the history.
    pub page: u32,
    pub directory: DirectoryId,
    pub fate: Fate,
    /// Of its change, if it has one.
    pub importance: f32,
    /// Where a new page is found: the nearest directory that held pages. `None` if there was none: then nobody can miss
    /// it on the way in.
    pub found_in: Option<DirectoryId>,
}

/// One passage.
#[derive(Clone, Debug)]
pub struct Passage {
    pub pages: Vec<Passed>,
    /// How many directories the site has.
    directories: usize,
}

/// What a capture saved and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Judged {
    pub bypass: Bypass,
    pub weighed: WeighedChanges,
}

impl Passage {
    /// Into a version from the one before it. Pages without a place in the shape are left out.
    pub fn into_version(versions: &Versions<'_>, version: usize, shape: &DirectoryShape) -> Passage {
        Passage::from_held(versions, version, shape, |page| versions.content(version - 1, page))
    }

    /// Into a version from what is held of every page, however old that is.
    pub(super) fn from_held(
        versions: &Versions<'_>,
        version: usize,
        shape: &DirectoryShape,
        held: impl Fn(u32) -> Option<u64>,
    ) -> Passage {
        let of = |page: u32| {
            let (before, now) = (held(page), versions.content(version, page));
            let fate = before.or(now).map(|_| Fate::of(before, now))?;
            let directory = shape.directory_of(shape.find_page(versions.history.path(page))?);
            let importance = versions.importance(version, page);
            Some(Passed { page, directory, fate, importance, found_in: None })
        };
        let pages = (0..versions.history.pages() as u32).filter_map(of).collect();
        let mut passage = Passage { pages, directories: shape.directories() };
        passage.find_births(shape);
        passage
    }

    fn find_births(&mut self, shape: &DirectoryShape) {
        let held = self.directories_of(|page| page.fate != Fate::Inserted);
        for page in self.pages.iter_mut().filter(|page| page.fate == Fate::Inserted) {
            page.found_in = shape.ancestors(page.directory).find(|directory| held[directory.0 as usize]);
        }
    }

    /// Which directories directly hold a page like that.
    fn directories_of(&self, like: impl Fn(&Passed) -> bool) -> Vec<bool> {
        let mut found = vec![false; self.directories];
        self.pages.iter().filter(|page| like(page)).for_each(|page| found[page.directory.0 as usize] = true);
        found
    }

    /// What a capture is worth that asks for some pages, if it knows of them.
    pub fn judge(&self, births: Births, asks: impl Fn(&Passed) -> bool) -> Judged {
        let looked = self.directories_of(|page| page.fate != Fate::Inserted && asks(page));
        let found = |page: &Passed| {
            let seen = || page.found_in.is_none_or(|directory| looked[directory.0 as usize]);
            page.fate != Fate::Inserted || births == Births::Announced || seen()
        };
        let mut judged = Judged::default();
        for page in &self.pages {
            let skipped = !(asks(page) && found(page));
            judged.bypass.count(page.fate, skipped);
            judged.weighed.count(page.fate, page.importance.into(), skipped);
        }
        judged
    }

    /// The best that can be skipped, told everything.
    pub fn best(&self, shape: &DirectoryShape, leaves: Leaves) -> BypassFrontier {
        let parent = |number: u32| shape.parent(DirectoryId(number)).map(|parent| parent.0);
        let empty = |number: u32| DirectoryFates { parent: parent(number), ..DirectoryFates::default() };
        let mut directories: Vec<DirectoryFates> = (0..self.directories as u32).map(empty).collect();
        self.pages.iter().for_each(|page| directories[page.directory.0 as usize].count(page.fate));
        bypass(&directories, leaves)
    }
}

/// The averages over tests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    pub ratios: MeanBypass,
    /// Each change by its importance.
    pub weighted_change_recall: f64,
}

impl Mean {
    pub fn of(tests: &[Judged]) -> Mean {
        let ratios = MeanBypass::of(tests.iter().map(|test| &test.bypass));
        let recalls: f64 = tests.iter().map(|test| test.weighed.recall()).sum();
        Mean { ratios, weighted_change_recall: recalls / tests.len().max(1) as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::trial::{history, windows};

    /// Two directories; one has a new page, and a new directory comes up below it.
    fn passage() -> (Passage, Vec<String>) {
        let history = history(&[
            (0, "/news/a", 'A', 1),
            (0, "/news/b", 'A', 1),
            (0, "/docs/x", 'A', 1),
            (5, "/news/a", 'M', 2),
            (5, "/news/c", 'A', 1),
            (5, "/docs/deep/er/y", 'A', 1),
            (6, "/docs/x", 'D', 0),
        ]);
        let versions = Versions::new(&history, &[], windows(0, 10, 1, 1));
        let paths: Vec<String> = (0..history.pages() as u32).map(|page| history.path(page).to_owned()).collect();
        (Passage::into_version(&versions, 1, &shape(&paths)), paths)
    }

    fn shape(paths: &[String]) -> DirectoryShape {
        let mut shape = DirectoryShape::default();
        paths.iter().for_each(|path| assert!(shape.page(path).is_some(), "{path}"));
        shape
    }

    fn judge(births: Births, asked: &[&str]) -> Bypass {
        let (passage, paths) = passage();
        let asks = |page: &Passed| page.fate == Fate::Inserted || asked.contains(&paths[page.page as usize].as_str());
        passage.judge(births, asks).bypass
    }

    #[test]
    fn a_new_page_is_found_by_looking_into_its_directory() {
        let all = judge(Births::LookedInto, &["/news/a", "/news/b", "/docs/x"]);
        assert_eq!((all.fetched, all.skipped, all.changes, all.changes_lost()), (4, 0, 4, 0));
        let news = judge(Births::LookedInto, &["/news/b"]);
        assert_eq!((news.skipped_insertions, news.skipped_modifications, news.skipped_deletions), (1, 1, 1));
        assert_eq!((news.fetched, news.skipped), (2, 2), "the new page in news was found");
        let docs = judge(Births::LookedInto, &["/docs/x"]);
        assert_eq!((docs.skipped_insertions, docs.fetched), (1, 1), "a new directory, by looking above it");
        let nothing = judge(Births::LookedInto, &[]);
        assert_eq!((nothing.change_recall(), nothing.bypass_ratio()), (0.0, 1.0));
    }

    #[test]
    fn announced_pages_need_no_looking() {
        let nothing = judge(Births::Announced, &[]);
        assert_eq!((nothing.skipped_insertions, nothing.change_recall()), (0, 0.5));
    }

    #[test]
    fn of_an_empty_archive_nothing_can_be_missed_on_the_way_in() {
        let history = history(&[(5, "/a", 'A', 1)]);
        let shape = shape(&["/a".to_owned()]);
        let versions = Versions::new(&history, &[], windows(0, 10, 1, 1));
        let judged = Passage::into_version(&versions, 1, &shape).judge(Births::LookedInto, |_| true);
        assert_eq!((judged.bypass.fetched, judged.bypass.change_recall()), (1, 1.0));
    }

    #[test]
    fn the_best_is_no_worse_than_any_choice() {
        let (passage, paths) = passage();
        let shape = shape(&paths);
        let best = passage.best(&shape, Leaves::Directories);
        assert_eq!((best.points[0].skipped, best.points[0].changes_lost()), (0, 0), "something changed in each");
        let pages = passage.best(&shape, Leaves::Pages);
        assert_eq!((pages.points[0].skipped, pages.points[0].changes_lost()), (1, 0), "/news/b");
    }
}
