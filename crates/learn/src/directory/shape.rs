//! Which directories and pages a site has ever had, by number.

mod saved;
#[cfg(test)]
mod tests;

use super::{
    order::{NONE, Order},
    segments::{DEPTH_MAX, Segments, are_neighbours, bare},
    tight,
};
use hashbrown::HashTable;
use rapidhash::v3::rapidhash_v3;
use serde::{Deserialize, Serialize};

/// Longer paths are no pages.
pub const PATH_BYTES_MAX: usize = 1 << 16;
/// All paths together, and all names of directories together: they are found by four bytes.
const TEXT_BYTES_MAX: usize = u32::MAX as usize;
const NUMBERS_MAX: usize = NONE as usize;

/// A directory. Parents have smaller numbers than their children, so one pass backwards sums up whole subtrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DirectoryId(pub u32);

impl DirectoryId {
    pub const ROOT: DirectoryId = DirectoryId(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A page, numbered as first met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PageNumber(pub u32);

impl PageNumber {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct Directory {
    parent: u32,
    name_end: u32,
    /// Children are linked in a circle, so that the last one knows the first.
    last_child: u32,
    next_sibling: u32,
}

/// Paths to numbers and back. It only grows: what is gone may come back, and then has its old number.
///
/// Text lies in two buffers, everything else in flat vectors; pages and directories of one name are two nodes.
#[derive(Clone, Debug)]
pub struct DirectoryShape {
    text: String,
    /// Where the path of each page begins in the text; one more for the end of the last.
    starts: Vec<u32>,
    directory_of: Vec<u32>,
    names: String,
    directories: Vec<Directory>,
    by_path: HashTable<u32>,
    by_name: HashTable<u32>,
    order: Order,
}

impl Default for DirectoryShape {
    fn default() -> DirectoryShape {
        let root = Directory { parent: NONE, name_end: 0, last_child: NONE, next_sibling: NONE };
        DirectoryShape {
            text: String::new(),
            starts: vec![0],
            directory_of: Vec::new(),
            names: String::new(),
            directories: vec![root],
            by_path: HashTable::new(),
            by_name: HashTable::new(),
            order: Order::default(),
        }
    }
}

impl DirectoryShape {
    /// The page of this path, added with its directories if it is new. None if the path is longer than
    /// [`PATH_BYTES_MAX`] or four thousand million pages, directories or bytes are there already.
    pub fn page(&mut self, path: &str) -> Option<PageNumber> {
        let path = bare(path);
        let guess = self.order.guess();
        let page = if self.is_page(guess, path) { guess } else { self.find_or_add(path)? };
        self.order.came(page);
        Some(PageNumber(page))
    }

    pub fn find_page(&self, path: &str) -> Option<PageNumber> {
        let path = bare(path);
        self.by_path.find(hash_of_path(path), |page| self.is_page(*page, path)).map(|page| PageNumber(*page))
    }

    /// The directory written as [`DirectoryShape::path`] writes it, or with a slash at its end; added if it is new.
    pub fn directory(&mut self, path: &str) -> Option<DirectoryId> {
        if path.len() > PATH_BYTES_MAX {
            return None;
        }
        let names = directory_names(path);
        names.take(DEPTH_MAX + 1).enumerate().try_fold(DirectoryId::ROOT, |directory, (depth, name)| {
            if depth < DEPTH_MAX { self.child_or_add(directory, name) } else { None }
        })
    }

    pub fn find_directory(&self, path: &str) -> Option<DirectoryId> {
        directory_names(path).try_fold(DirectoryId::ROOT, |directory, name| self.child(directory, name))
    }

    pub fn pages(&self) -> usize {
        self.directory_of.len()
    }

    pub fn directories(&self) -> usize {
        self.directories.len()
    }

    pub fn directory_of(&self, page: PageNumber) -> DirectoryId {
        DirectoryId(self.directory_of[page.index()])
    }

    pub fn parent(&self, directory: DirectoryId) -> Option<DirectoryId> {
        Some(self.directories[directory.index()].parent).filter(|parent| *parent != NONE).map(DirectoryId)
    }

    /// The directory itself first, the root last; at most [`DEPTH_MAX`] and one.
    pub fn ancestors(&self, directory: DirectoryId) -> impl Iterator<Item = DirectoryId> + '_ {
        std::iter::successors(Some(directory), |directory| self.parent(*directory))
    }

    /// The directories right below, in the order they were first met.
    pub fn children(&self, directory: DirectoryId) -> impl Iterator<Item = DirectoryId> + '_ {
        let last = self.directories[directory.index()].last_child;
        let first = (last != NONE).then(|| DirectoryId(self.directories[last as usize].next_sibling));
        std::iter::successors(first, move |child| {
            (child.0 != last).then(|| DirectoryId(self.directories[child.index()].next_sibling))
        })
    }

    /// The name of a directory within its parent; empty for the root.
    pub fn name(&self, directory: DirectoryId) -> &str {
        let start = directory.index().checked_sub(1).map_or(0, |before| self.directories[before].name_end);
        &self.names[start as usize..self.directories[directory.index()].name_end as usize]
    }

    /// A directory as its pages' paths begin, without the separator: `/news/2024`, `/list?cat=5`, and `/` for the root.
    /// Only an empty name needs its separator, to be seen: `//` is the directory with the empty name in the root.
    pub fn path(&self, directory: DirectoryId) -> String {
        let mut upwards: Vec<&str> = self.ancestors(directory).map(|directory| self.name(directory)).collect();
        upwards.pop();
        let (mut path, mut separator, mut in_query) = ("/".to_owned(), "", false);
        for name in upwards.iter().rev() {
            path.push_str(separator);
            path.push_str(name);
            let opens_query = !in_query && name.ends_with('?');
            in_query |= opens_query;
            separator = if opens_query { "" } else { separator_in(in_query) };
        }
        if upwards.first().is_some_and(|name| name.is_empty()) {
            path.push_str(separator_in(in_query));
        }
        path
    }

    pub fn page_path(&self, page: PageNumber) -> &str {
        &self.text[self.starts[page.index()] as usize..self.starts[page.index() + 1] as usize]
    }

    /// Bytes held beside the paths and names themselves.
    pub fn bytes_beside_text(&self) -> usize {
        (self.starts.capacity() + self.directory_of.capacity()) * size_of::<u32>()
            + self.directories.capacity() * size_of::<Directory>()
            + self.by_path.allocation_size()
            + self.by_name.allocation_size()
            + self.order.bytes()
    }

    fn is_page(&self, page: u32, path: &str) -> bool {
        let place = page as usize;
        place < self.pages()
            && self.text.as_bytes()[self.starts[place] as usize + 1..self.starts[place + 1] as usize]
                == *path.as_bytes()
    }

    fn find_or_add(&mut self, path: &str) -> Option<u32> {
        let hash = hash_of_path(path);
        if let Some(page) = self.by_path.find(hash, |page| self.is_page(*page, path)) {
            return Some(*page);
        }
        if path.len() > PATH_BYTES_MAX || self.text.len() + path.len() >= TEXT_BYTES_MAX || self.pages() == NUMBERS_MAX
        {
            return None;
        }
        let directory = self.directory_of_path(path)?;
        let page = self.pages() as u32;
        tight::push_str(&mut self.text, "/");
        tight::push_str(&mut self.text, path);
        tight::push(&mut self.starts, self.text.len() as u32);
        tight::push(&mut self.directory_of, directory.0);
        let DirectoryShape { text, starts, by_path, .. } = self;
        let rehash = |page: &u32| {
            let page = *page as usize;
            hash_of_path(&text[starts[page] as usize + 1..starts[page + 1] as usize])
        };
        by_path.insert_unique(hash, page, rehash);
        Some(page)
    }

    fn directory_of_path(&mut self, path: &str) -> Option<DirectoryId> {
        let last = self.pages().checked_sub(1).map(|last| PageNumber(last as u32));
        if let Some(last) = last.filter(|last| are_neighbours(bare(self.page_path(*last)), path)) {
            return Some(self.directory_of(last));
        }
        let mut names = Segments::of_bare(path);
        let mut directory = DirectoryId::ROOT;
        while let Some(name) = names.next() {
            if names.is_over() {
                break;
            }
            directory = self.child_or_add(directory, name)?;
        }
        Some(directory)
    }

    fn child(&self, parent: DirectoryId, name: &str) -> Option<DirectoryId> {
        let is = |child: &u32| self.is_child(DirectoryId(*child), parent, name);
        self.by_name.find(hash_of_name(parent, name), is).map(|child| DirectoryId(*child))
    }

    fn is_child(&self, child: DirectoryId, parent: DirectoryId, name: &str) -> bool {
        self.directories[child.index()].parent == parent.0 && self.name(child) == name
    }

    fn child_or_add(&mut self, parent: DirectoryId, name: &str) -> Option<DirectoryId> {
        if let Some(child) = self.child(parent, name) {
            return Some(child);
        }
        if self.names.len() + name.len() > TEXT_BYTES_MAX || self.directories.len() == NUMBERS_MAX {
            return None;
        }
        let child = DirectoryId(self.directories.len() as u32);
        tight::push_str(&mut self.names, name);
        let name_end = self.names.len() as u32;
        let last = std::mem::replace(&mut self.directories[parent.index()].last_child, child.0);
        let first = if last == NONE {
            child.0
        } else {
            std::mem::replace(&mut self.directories[last as usize].next_sibling, child.0)
        };
        let directory = Directory { parent: parent.0, name_end, last_child: NONE, next_sibling: first };
        tight::push(&mut self.directories, directory);
        let mut by_name = std::mem::take(&mut self.by_name);
        by_name.insert_unique(hash_of_name(parent, name), child.0, |child| {
            hash_of_name(DirectoryId(self.directories[*child as usize].parent), self.name(DirectoryId(*child)))
        });
        self.by_name = by_name;
        Some(child)
    }
}

fn separator_in(query: bool) -> &'static str {
    if query { "&" } else { "/" }
}

/// A directory's path is that of its page with the empty name, with or without the last separator.
fn directory_names(path: &str) -> impl Iterator<Item = &str> {
    let mut names = Segments::of(path);
    std::iter::from_fn(move || names.next().filter(|name| !(names.is_over() && name.is_empty())))
}

fn hash_of_path(path: &str) -> u64 {
    rapidhash_v3(path.as_bytes())
}

fn hash_of_name(parent: DirectoryId, name: &str) -> u64 {
    (rapidhash_v3(name.as_bytes()) ^ u64::from(parent.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}
