//! The end of a version: what changed, summed up from the leaves to the root.

use super::{DirectoryTree, Mark, Standing, Sums, Unseen};
use crate::directory::{
    DirectoryId, PageNumber,
    delta::{DirectoryChange, DirectoryDelta},
};

impl DirectoryTree {
    /// Ends a version and says how it differs from the one before; the first one does not. Phase 1 of NEAR-Miner
    /// (Algorithm 2: `WD-Diff` and `Depth_Traverse`), in time linear in pages and directories, of which all but the
    /// changes is one pass over four bytes per page and one backwards over the directories.
    pub fn close(&mut self, unseen: Unseen) -> Option<DirectoryDelta> {
        self.settle_directories();
        let is_first = self.versions() == 0;
        if is_first {
            self.count_first();
        } else {
            self.count_born();
            self.count_touched();
            if unseen == Unseen::Gone {
                self.count_unseen();
            }
        }
        let delta = self.sum_up(unseen);
        self.version = (self.version + 1).min(Mark::VERSION_MAX);
        (!is_first).then_some(delta)
    }

    /// Makes room for directories met since.
    pub(super) fn settle_directories(&mut self) {
        let directories = self.shape.directories();
        let missing = directories - self.standings.len();
        if missing > 0 && self.standings.capacity() < directories {
            let room = missing + directories / 4;
            self.standings.reserve_exact(room);
            self.sums.reserve_exact(room);
        }
        self.standings.resize(directories, Standing::default());
        self.sums.resize(directories, Sums::default());
    }

    fn count_first(&mut self) {
        for (page, mark) in (0u32..).zip(&self.marks) {
            if mark.is_there() {
                let directory = self.shape.directory_of(PageNumber(page));
                self.standings[directory.index()].gain();
            }
        }
    }

    fn count_born(&mut self) {
        for page in std::mem::take(&mut self.born) {
            let page = PageNumber(page);
            if self.is_there(page) {
                let directory = self.shape.directory_of(page).index();
                self.standings[directory].gain();
                self.sums[directory].add(1.0);
            }
        }
    }

    fn count_touched(&mut self) {
        for touched in std::mem::take(&mut self.touched) {
            let page = PageNumber(touched.page);
            if !self.is_there(page) {
                self.count_lost(page);
            } else if self.contents[page.index()] != touched.content {
                let directory = self.shape.directory_of(page).index();
                self.sums[directory].add(f64::from(touched.importance));
            }
        }
    }

    fn count_unseen(&mut self) {
        for page in 0..self.marks.len() {
            let mark = self.marks[page];
            if mark.is_there() && !mark.is_of(self.version) {
                self.marks[page] = Mark::new(self.version, false, false);
                self.count_lost(PageNumber(page as u32));
            }
        }
    }

    fn count_lost(&mut self, page: PageNumber) {
        let directory = self.shape.directory_of(page).index();
        self.standings[directory].lose();
        self.sums[directory].lost += 1;
        self.sums[directory].add(1.0);
    }

    /// Children have larger numbers than their parents, so that one pass backwards has every subtree summed up before
    /// it is passed on. Leaves the sums empty for the next version.
    fn sum_up(&mut self, unseen: Unseen) -> DirectoryDelta {
        let mut delta = DirectoryDelta::default();
        for place in (0..self.standings.len()).rev() {
            let standing = &mut self.standings[place];
            let mut sums = std::mem::take(&mut self.sums[place]);
            let is_held = standing.held == self.version || standing.held != 0 && unseen == Unseen::Kept;
            standing.held = if is_held { self.version } else { 0 };
            sums.nodes = sums.nodes.saturating_add(standing.pages);
            let (was_there, is_there) = (standing.nodes > 0, sums.nodes > 0 || is_held);
            sums.nodes = sums.nodes.saturating_add(u32::from(is_there));
            sums.lost += u32::from(was_there && !is_there);
            if was_there != is_there {
                sums.add(1.0);
            }
            standing.nodes = sums.nodes;
            let directory = DirectoryId(place as u32);
            if sums.changed > 0 {
                delta.changes.push(sums.change(directory));
            }
            if let Some(parent) = self.shape.parent(directory) {
                self.sums[parent.index()].join(sums);
            }
        }
        delta.changes.reverse();
        delta
    }
}

/// Saturating, because what was read back may not add up.
impl Standing {
    fn gain(&mut self) {
        self.pages = self.pages.saturating_add(1);
    }

    fn lose(&mut self) {
        self.pages = self.pages.saturating_sub(1);
    }
}

impl Sums {
    /// One more changed node.
    fn add(&mut self, weight: f64) {
        self.changed += 1;
        self.weighed += weight;
    }

    fn join(&mut self, below: Sums) {
        self.nodes = self.nodes.saturating_add(below.nodes);
        self.lost = self.lost.saturating_add(below.lost);
        self.changed = self.changed.saturating_add(below.changed);
        self.weighed += below.weighed;
    }

    fn change(&self, directory: DirectoryId) -> DirectoryChange {
        let nodes = self.nodes.saturating_add(self.lost);
        DirectoryChange { directory, changed: self.changed, weighed: self.weighed, nodes }
    }
}
