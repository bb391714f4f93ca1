//! The most pages of a site that can be skipped for the fewest changes lost, told what changed.
//!
//! Over whole directories this is a knapsack on a tree: either a directory is skipped with all that is below it, or it is
//! not and its subdirectories are chosen among. Over single pages it is plain: unchanged ones first.

use crate::bypass::{Bypass, Fate};

/// The pages that lie directly in a directory, by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectoryFates {
    /// The directory this one lies in, by its place in the list, which is before this one's.
    pub parent: Option<u32>,
    pub unchanged: u32,
    pub modified: u32,
    pub inserted: u32,
    pub deleted: u32,
}

impl DirectoryFates {
    pub fn count(&mut self, fate: Fate) {
        *match fate {
            Fate::Unchanged => &mut self.unchanged,
            Fate::Modified => &mut self.modified,
            Fate::Inserted => &mut self.inserted,
            Fate::Deleted => &mut self.deleted,
        } += 1;
    }

    fn add(&mut self, other: &DirectoryFates) {
        self.unchanged += other.unchanged;
        self.modified += other.modified;
        self.inserted += other.inserted;
        self.deleted += other.deleted;
    }

    fn changes(&self) -> usize {
        (self.modified + self.inserted + self.deleted) as usize
    }

    /// Everything of it is skipped.
    fn loss(&self) -> Loss {
        Loss {
            skipped: self.unchanged + self.modified + self.inserted,
            insertions: self.inserted,
            deletions: self.deleted,
        }
    }
}

/// What may be skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// A directory with everything below it, or nothing of it.
    Directories,
    /// Any page.
    Pages,
}

/// The best that can be done at every number of changes lost: each point skips more pages than the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BypassFrontier {
    pub points: Vec<Bypass>,
}

/// The exact frontier of one passage from version to version.
///
/// Tables are as long as a directory has changes below it, and of the shorter one of two only the steps are combined with
/// the longer: O(changes · min(changes, directories) · depth) at worst, and next to nothing where little changed.
///
/// # Panics
/// If a directory comes before the one it lies in.
pub fn bypass(directories: &[DirectoryFates], leaves: Leaves) -> BypassFrontier {
    let mut whole = DirectoryFates::default();
    directories.iter().for_each(|directory| whole.add(directory));
    let best = match leaves {
        Leaves::Directories => by_directory(directories),
        Leaves::Pages => by_page(&whole),
    };
    let steps = steps(&best);
    BypassFrontier { points: steps.map(|(changes, loss)| counters(&whole, changes, loss)).collect() }
}

/// What skipping something costs besides the number of changes, which is its place in a [`Table`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Loss {
    skipped: u32,
    insertions: u32,
    deletions: u32,
}

impl Loss {
    fn and(self, other: Loss) -> Loss {
        Loss {
            skipped: self.skipped + other.skipped,
            insertions: self.insertions + other.insertions,
            deletions: self.deletions + other.deletions,
        }
    }

    /// More pages skipped; of equals, fewer pages missing from the archive.
    fn better_than(&self, other: &Loss) -> bool {
        self.skipped > other.skipped || (self.skipped == other.skipped && self.insertions < other.insertions)
    }

    fn improve(&mut self, other: Loss) {
        if other.better_than(self) {
            *self = other;
        }
    }
}

/// The best loss by the number of changes that may be lost; never worse where more may be.
type Table = Vec<Loss>;

/// The places of a table where more changes lost buy more pages skipped.
fn steps(table: &[Loss]) -> impl Iterator<Item = (usize, Loss)> {
    let before = std::iter::once(None).chain(table.iter().map(Some));
    let rises = |(place, (before, loss)): (usize, (Option<&Loss>, &Loss))| {
        before.is_none_or(|before| before.skipped < loss.skipped).then_some((place, *loss))
    };
    before.zip(table).enumerate().filter_map(rises)
}

fn by_page(whole: &DirectoryFates) -> Table {
    let (modified, changed) = (whole.modified, whole.modified + whole.inserted);
    let lost = |changes: u32| Loss {
        skipped: whole.unchanged + changes,
        insertions: changes.saturating_sub(modified),
        deletions: 0,
    };
    (0..=changed).map(lost).collect()
}

fn by_directory(directories: &[DirectoryFates]) -> Table {
    let mut below: Vec<DirectoryFates> = directories.to_vec();
    let mut tables: Vec<Table> = vec![vec![Loss::default()]; directories.len()];
    for place in (0..directories.len()).rev() {
        let mut table = std::mem::take(&mut tables[place]);
        skip_all(&mut table, &below[place]);
        match directories[place].parent {
            None if place > 0 => panic!("only the first directory lies in no other"),
            None => return table,
            Some(parent) => {
                let (parent, inner) = (parent as usize, below[place]);
                assert!(parent < place, "a directory comes after the one it lies in");
                below[parent].add(&inner);
                let beside = std::mem::take(&mut tables[parent]);
                tables[parent] = together(beside, table);
            }
        }
    }
    vec![Loss::default()]
}

/// The directory may also be skipped as a whole.
fn skip_all(table: &mut Table, below: &DirectoryFates) {
    let held = *table.last().expect("losing nothing is always possible");
    table.resize(below.changes() + 1, held);
    table[below.changes()].improve(below.loss());
}

/// The best of choosing in both.
fn together(one: Table, other: Table) -> Table {
    let (mut long, short) = if one.len() < other.len() { (other, one) } else { (one, other) };
    if let [free] = short[..] {
        long.iter_mut().for_each(|loss| *loss = loss.and(free));
        return long;
    }
    let mut best = vec![Loss::default(); long.len() + short.len() - 1];
    for (changes, step) in steps(&short) {
        for (best, loss) in best[changes..].iter_mut().zip(&long) {
            best.improve(step.and(*loss));
        }
    }
    let mut held = best[0];
    for loss in &mut best {
        loss.improve(held);
        held = *loss;
    }
    best
}

fn counters(whole: &DirectoryFates, changes_lost: usize, loss: Loss) -> Bypass {
    let pages = whole.loss().skipped;
    Bypass {
        skipped: loss.skipped.into(),
        fetched: (pages - loss.skipped).into(),
        changes: whole.changes() as u64,
        skipped_insertions: loss.insertions.into(),
        skipped_deletions: loss.deletions.into(),
        skipped_modifications: changes_lost as u64 - u64::from(loss.insertions) - u64::from(loss.deletions),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::{collection::vec, prelude::*};

    /// Small trees: each directory lies in one before it.
    pub(in crate::oracle) fn trees(most: usize, pages: u32) -> impl Strategy<Value = Vec<DirectoryFates>> {
        let directory = (any::<u32>(), 0..pages, 0..pages, 0..pages, 0..pages);
        vec(directory, 1..=most).prop_map(|list| {
            let numbered = (0_u32..).zip(list);
            let directory = |(nth, (parent, unchanged, modified, inserted, deleted)): (u32, _)| {
                let parent: Option<u32> = (nth > 0).then(|| parent % nth);
                DirectoryFates { parent, unchanged, modified, inserted, deleted }
            };
            numbered.map(directory).collect()
        })
    }

    /// Skips what is chosen of a list of pages.
    fn skipping(pages: &[(usize, Fate)], skipped: impl Fn(usize) -> bool) -> Bypass {
        let mut bypass = Bypass::default();
        pages.iter().for_each(|(place, fate)| bypass.count(*fate, skipped(*place)));
        bypass
    }

    /// Pages with the directories they lie in.
    fn listed(directories: &[DirectoryFates]) -> Vec<(usize, Fate)> {
        let pages = |(place, directory): (usize, &DirectoryFates)| {
            let fates = [
                (Fate::Unchanged, directory.unchanged),
                (Fate::Modified, directory.modified),
                (Fate::Inserted, directory.inserted),
                (Fate::Deleted, directory.deleted),
            ];
            fates.into_iter().flat_map(move |(fate, count)| (0..count).map(move |_| (place, fate)))
        };
        directories.iter().enumerate().flat_map(pages).collect()
    }

    /// Everything that whole directories can be skipped for.
    fn all_choices(directories: &[DirectoryFates]) -> Vec<Bypass> {
        let pages = listed(directories);
        let within = |chosen: u32, mut place: usize| loop {
            match directories[place].parent {
                _ if chosen >> place & 1 == 1 => return true,
                Some(parent) => place = parent as usize,
                None => return false,
            }
        };
        (0..1_u32 << directories.len()).map(|chosen| skipping(&pages, |place| within(chosen, place))).collect()
    }

    /// The most pages skipped by changes lost, wherever more changes buy more pages.
    fn best_of(choices: &[Bypass]) -> Vec<(u64, u64)> {
        let mut pairs: Vec<_> = choices.iter().map(|choice| (choice.changes_lost(), choice.skipped)).collect();
        pairs.sort_by_key(|(lost, skipped)| (*lost, std::cmp::Reverse(*skipped)));
        let mut best: Vec<(u64, u64)> = Vec::new();
        for (lost, skipped) in pairs {
            if best.last().is_none_or(|last| last.1 < skipped) {
                best.push((lost, skipped));
            }
        }
        best
    }

    fn reached(frontier: &BypassFrontier) -> Vec<(u64, u64)> {
        frontier.points.iter().map(|point| (point.changes_lost(), point.skipped)).collect()
    }

    proptest! {
        #[test]
        fn no_choice_of_directories_is_better(directories in trees(8, 4)) {
            let choices = all_choices(&directories);
            let frontier = bypass(&directories, Leaves::Directories);
            prop_assert_eq!(reached(&frontier), best_of(&choices));
            prop_assert!(frontier.points.iter().all(|point| choices.contains(point)), "each is a choice");
        }

        #[test]
        fn no_choice_of_pages_is_better(directories in trees(3, 2)) {
            let pages = listed(&directories);
            let numbered: Vec<_> = pages.iter().enumerate().map(|(nth, (_, fate))| (nth, *fate)).collect();
            let choice = |chosen: u32| skipping(&numbered, |nth| chosen >> nth & 1 == 1);
            let choices: Vec<_> = (0..1 << pages.len()).map(choice).collect();
            let frontier = bypass(&directories, Leaves::Pages);
            prop_assert_eq!(reached(&frontier), best_of(&choices));
            prop_assert!(frontier.points.iter().all(|point| choices.contains(point)), "each is a choice");
        }

        #[test]
        fn single_pages_leave_more_to_choose_than_directories(directories in trees(30, 9)) {
            let (pages, whole) = (bypass(&directories, Leaves::Pages), bypass(&directories, Leaves::Directories));
            for point in &whole.points {
                let as_good = |page: &&Bypass| page.changes_lost() <= point.changes_lost();
                prop_assert!(pages.points.iter().rfind(as_good).unwrap().skipped >= point.skipped);
            }
        }
    }

    #[test]
    fn a_site_without_anything_has_one_point() {
        for leaves in [Leaves::Directories, Leaves::Pages] {
            for directories in [&[][..], &[DirectoryFates::default()]] {
                assert_eq!(bypass(directories, leaves).points, [Bypass::default()]);
            }
        }
    }

    #[test]
    fn a_long_chain_of_still_directories_is_skipped_from_the_top() {
        let link = |place: u32| DirectoryFates { parent: place.checked_sub(1), unchanged: 1, ..Default::default() };
        let mut directories: Vec<_> = (0..10_000).map(link).collect();
        directories[0].modified = 1;
        let frontier = bypass(&directories, Leaves::Directories);
        assert_eq!(reached(&frontier), [(0, 9_999), (1, 10_001)]);
    }
}
