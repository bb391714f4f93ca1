//! What every version changed, directory by directory, for those who want to see it drawn. The rest of a memory keeps one
//! bit of it.

use super::{DirectoryChange, DirectoryId, DirectoryShape, Weighing};
use tintype_vocab::Time;

/// One version of a site.
#[derive(Clone, Debug, PartialEq)]
pub struct Chapter {
    pub at: Time,
    /// Pages there were.
    pub pages: usize,
    /// What changed since the version before, by directory; nothing of the first one.
    pub changes: Vec<DirectoryChange>,
}

impl Chapter {
    /// The degree of change of a directory: nothing where nothing changed.
    pub fn degree(&self, directory: DirectoryId, weighing: Weighing) -> f64 {
        let place = self.changes.binary_search_by_key(&directory, |change| change.directory);
        place.map_or(0.0, |place| self.changes[place].degree(weighing))
    }
}

/// The directories that are most worth seeing: the root, and of the others those in which most changed in all versions
/// together and that are no mere shells of one below them.
pub fn liveliest(shape: &DirectoryShape, chapters: &[Chapter], count: usize) -> Vec<DirectoryId> {
    let mut changed = vec![0_u64; shape.directories()];
    for change in chapters.iter().flat_map(|chapter| &chapter.changes) {
        changed[change.directory.index()] += u64::from(change.changed);
    }
    let mut own = changed.clone();
    for at in 1..own.len() {
        let parent = shape.parent(DirectoryId(at as u32)).unwrap_or(DirectoryId::ROOT);
        // Nearly all that changed in it changed in one below it: that one tells more.
        if 10 * changed[at] >= 9 * changed[parent.index()] && parent != DirectoryId::ROOT {
            own[parent.index()] = 0;
        }
    }
    let mut others: Vec<DirectoryId> = (1..own.len() as u32).map(DirectoryId).collect();
    others.retain(|directory| own[directory.index()] > 0);
    others.sort_by_key(|directory| (std::cmp::Reverse(own[directory.index()]), *directory));
    others.truncate(count.saturating_sub(1));
    others.sort_unstable();
    std::iter::once(DirectoryId::ROOT).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::Memory, *};
    use crate::directory::Unseen;
    use tintype_vocab::Span;

    fn chronicle() -> Memory {
        let mut memory = Memory::new(0.05, Weighing::Count);
        memory.keep_chronicle();
        for version in 0..4_u64 {
            memory.begin(Time::from_secs(1_000_000_000) + Span::from_days(version as i64));
            for page in 0..4 {
                memory.see(&format!("/a/b/{page}"), if page == 0 { version } else { 0 }, 1.0);
                memory.see(&format!("/still/{page}"), 0, 1.0);
            }
            (0..version).for_each(|page| memory.see(&format!("/new/{page}"), 0, 1.0));
            memory.end(Unseen::Gone);
        }
        memory
    }

    #[test]
    fn every_version_is_told_with_its_size_and_what_changed() {
        let memory = chronicle();
        let chapters = memory.chronicle();
        assert_eq!(chapters.iter().map(|chapter| chapter.pages).collect::<Vec<_>>(), [8, 9, 10, 11]);
        assert!(chapters[0].changes.is_empty());
        let degree = |path: &str| {
            let directory = memory.shape().find_directory(path).unwrap();
            chapters[2].degree(directory, Weighing::Count)
        };
        assert_eq!((degree("/a/b"), degree("/still")), (0.2, 0.0), "one page of four pages and a directory");
    }

    #[test]
    fn shells_and_what_stands_still_are_not_drawn() {
        let memory = chronicle();
        let drawn = liveliest(memory.shape(), memory.chronicle(), 3);
        let paths: Vec<String> = drawn.iter().map(|directory| memory.shape().path(*directory)).collect();
        assert_eq!(paths, ["/", "/a/b", "/new"]);
    }
}
