//! What a capture left alone on purpose, and what that is expected to have cost, so that a report can say so.

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use tintype_learn::directory::{DirectoryId, Memory};

/// Directories that are told one by one.
pub(crate) const DIRECTORIES_MAX: usize = 1000;

/// Pages of earlier captures that this one did not look at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Skipped {
    pub pages: u64,
    /// Changes among them and births where nobody looked, as far as can be foreseen.
    pub expected_lost: f64,
    /// Changes in all: found, and lost.
    pub expected_changes: f64,
    /// The fewest and the most changes that are lost nine times out of ten; nothing from earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_between: Option<[u64; 2]>,
    /// Pages that were to be left alone and were looked at by lot, to see how things are there.
    #[serde(default)]
    pub drawn: u64,
    /// Directories of which nothing was looked at, other than by lot, largest first; no more than a thousand.
    pub directories: Vec<SkippedDirectory>,
    /// Pages left alone in directories of which others were looked at.
    pub single_pages: u64,
}

/// A directory of which nothing was looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkippedDirectory {
    pub directory: String,
    pub pages: u64,
    pub expected_lost: f64,
    /// Why, in words, where it was a rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// Skipped pages by the outermost directory of which nothing was looked at, largest first; and how many have none.
pub(crate) fn by_directory(
    memory: &Memory,
    pages: impl Iterator<Item = (DirectoryId, f64)>,
    looked_below: impl Fn(DirectoryId) -> bool,
) -> (Vec<(DirectoryId, u64, f64)>, u64) {
    let (mut sums, mut single_pages) = (HashMap::<DirectoryId, (u64, f64)>::new(), 0);
    for (directory, lost) in pages {
        match memory.shape().ancestors(directory).take_while(|directory| !looked_below(*directory)).last() {
            None => single_pages += 1,
            Some(outermost) => {
                let (pages, sum) = sums.entry(outermost).or_default();
                *pages += 1;
                *sum += lost;
            }
        }
    }
    let mut directories: Vec<_> = sums.into_iter().map(|(directory, (pages, lost))| (directory, pages, lost)).collect();
    directories.sort_by_key(|(directory, pages, _)| (std::cmp::Reverse(*pages), *directory));
    (directories, single_pages)
}
