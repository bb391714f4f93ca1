//! A tree read back, not believed before its lists fit together.

use super::{DirectoryTree, Mark};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for DirectoryTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The derived one: an inherent function, because the type says it is its own remote.
        DirectoryTree::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for DirectoryTree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DirectoryTree, D::Error> {
        let mut tree = DirectoryTree::deserialize(deserializer)?;
        tree.check().map_err(serde::de::Error::custom)?;
        tree.settle_directories();
        Ok(tree)
    }
}

impl DirectoryTree {
    fn check(&self) -> Result<(), &'static str> {
        let pages = self.shape.pages();
        let is_page = |page: u32| (page as usize) < pages;
        if self.contents.len() != pages || self.marks.len() != pages {
            return Err("a tree with more or fewer contents than pages");
        }
        if self.standings.len() > self.shape.directories() {
            return Err("a tree with more counts than directories");
        }
        if !self.born.iter().all(|page| is_page(*page)) || !self.touched.iter().all(|touched| is_page(touched.page)) {
            return Err("a change of a page that is none");
        }
        if !(1..=Mark::VERSION_MAX).contains(&self.version) {
            return Err("a tree without a version");
        }
        Ok(())
    }
}
