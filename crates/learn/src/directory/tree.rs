//! The directory tree of a site, version after version.

mod close;
mod mark;
mod saved;
#[cfg(test)]
mod tests;

use super::{DirectoryId, DirectoryShape, PageNumber, tight};
use mark::Mark;
use serde::{Deserialize, Serialize};

/// What it means that a page of the last version was not seen in this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unseen {
    /// The list was full: the page is gone.
    Gone,
    /// Not everything was looked at: the page is as it was.
    Kept,
}

/// A site as last seen, to tell what the next version of it changes: the consolidated tree of all its versions, as in
/// the paper's general delta tree (Definition 11), whose bitmaps stand beside it in [`super::Bitmaps`].
///
/// Paths are seen in any order, best in the order of the last version. Nothing of the size of a version is allocated
/// per version, only the changed pages are written down.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct DirectoryTree {
    shape: DirectoryShape,
    /// The version being seen, from 1.
    version: u32,
    contents: Vec<u64>,
    marks: Vec<Mark>,
    standings: Vec<Standing>,
    born: Vec<u32>,
    touched: Vec<Touched>,
    #[serde(skip)]
    sums: Vec<Sums>,
}

/// A directory in the last version.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Standing {
    /// Pages right in it.
    pages: u32,
    /// Nodes of its subtree, itself included; none if it is not there.
    nodes: u32,
    /// The version in which it was last said to be there whatever is in it.
    held: u32,
}

/// A page that was there, as it was before this version.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Touched {
    page: u32,
    importance: f32,
    content: u64,
}

/// What a directory gathers from itself and below while a version is closed.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    nodes: u32,
    /// Nodes that are not there any more.
    lost: u32,
    changed: u32,
    weighed: f64,
}

impl Default for DirectoryTree {
    fn default() -> DirectoryTree {
        DirectoryTree {
            shape: DirectoryShape::default(),
            version: 1,
            contents: Vec::new(),
            marks: Vec::new(),
            standings: Vec::new(),
            born: Vec::new(),
            touched: Vec::new(),
            sums: Vec::new(),
        }
    }
}

impl DirectoryTree {
    pub fn shape(&self) -> &DirectoryShape {
        &self.shape
    }

    /// Versions closed.
    pub fn versions(&self) -> usize {
        self.version as usize - 1
    }

    /// The page is there with this content, any number that differs if the content does. None if the shape has no room
    /// for it, see [`DirectoryShape::page`]; then nothing happens.
    pub fn see(&mut self, path: &str, content: u64) -> Option<PageNumber> {
        self.see_weighed(path, content, 1.0)
    }

    /// The same, with the importance (0..1) of its change, if it is one; one if it is no number. Seen more than once in a version, the last
    /// content and the importance of the first change count.
    pub fn see_weighed(&mut self, path: &str, content: u64, importance: f32) -> Option<PageNumber> {
        let page = self.shape.page(path)?;
        let place = page.index();
        if place == self.marks.len() {
            tight::push(&mut self.marks, Mark::NEVER);
            tight::push(&mut self.contents, 0);
        }
        let mark = self.marks[place];
        if mark.is_there() && self.contents[place] == content {
            self.marks[place] = Mark::new(self.version, true, mark.is_logged(self.version));
        } else {
            let logged = self.log(page, importance);
            self.contents[place] = content;
            self.marks[place] = Mark::new(self.version, true, logged);
        }
        Some(page)
    }

    /// The page is not there.
    pub fn remove(&mut self, path: &str) {
        let Some(page) = self.shape.find_page(path) else { return };
        if self.is_there(page) {
            let logged = self.log(page, 1.0);
            self.marks[page.index()] = Mark::new(self.version, false, logged);
        }
    }

    /// The directory is there, whatever is in it. Others are there as long as a page below them is.
    pub fn see_directory(&mut self, path: &str) -> Option<DirectoryId> {
        let directory = self.shape.directory(path)?;
        self.settle_directories();
        self.standings[directory.index()].held = self.version;
        Some(directory)
    }

    /// Whether the page is there, as far as is known by now.
    pub fn is_there(&self, page: PageNumber) -> bool {
        self.marks[page.index()].is_there()
    }

    /// The content of a page that is there.
    pub fn content(&self, page: PageNumber) -> Option<u64> {
        self.is_there(page).then(|| self.contents[page.index()])
    }

    /// Nodes of the subtree of a directory in the last version closed, itself included; none if it was not there.
    pub fn nodes(&self, directory: DirectoryId) -> usize {
        self.standings.get(directory.index()).map_or(0, |standing| standing.nodes as usize)
    }

    /// Bytes held beside the paths and names themselves.
    pub fn bytes_beside_text(&self) -> usize {
        self.shape.bytes_beside_text()
            + self.contents.capacity() * size_of::<u64>()
            + self.marks.capacity() * size_of::<Mark>()
            + self.standings.capacity() * size_of::<Standing>()
            + self.born.capacity() * size_of::<u32>()
            + self.touched.capacity() * size_of::<Touched>()
            + self.sums.capacity() * size_of::<Sums>()
    }

    /// Writes down what a page was before this version; of the first version, before which nothing was, nothing.
    fn log(&mut self, page: PageNumber, importance: f32) -> bool {
        if self.version == 1 {
            return false;
        }
        let place = page.index();
        let mark = self.marks[place];
        if mark.is_logged(self.version) {
            return true;
        }
        if mark.is_there() {
            let importance = if importance.is_nan() { 1.0 } else { importance.clamp(0.0, 1.0) };
            self.touched.push(Touched { page: page.0, importance, content: self.contents[place] });
        } else {
            self.born.push(page.0);
        }
        true
    }
}
