//! What earlier captures of a site taught of its directories: which changed when, and how likely the rest is to have
//! changed once some of it was seen.
//!
//! Captures are folded in one by one, each appends one bit per directory; nothing is built anew.

use super::{
    Bitmaps, Chapter, DirectoryId, DirectoryShape, DirectoryTree, PageNumber, Unseen, Weighing,
    activity::{DirectoryActivity, FoundPage},
    segments::DEPTH_MAX,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use tintype_vocab::{Change, Observation, Outcome, Purpose, Time};

/// The directories of a site and how they change.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Memory {
    tree: DirectoryTree,
    bitmaps: Bitmaps,
    activity: DirectoryActivity,
    degree_of_change_min: f64,
    weighing: Weighing,
    /// The host whose paths need no host before them: that of the first page seen.
    home: Option<Box<str>>,
    last: Option<Time>,
    #[serde(skip)]
    open: Open,
    /// Every version, if somebody wants to see them.
    #[serde(skip)]
    chronicle: Option<Vec<Chapter>>,
}

// The derived ones are inherent functions, because the type says it is its own remote.
impl Serialize for Memory {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Memory::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Memory {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Memory, D::Error> {
        let mut memory = Memory::deserialize(deserializer)?;
        memory.activity.fit(memory.tree.shape()).map_err(serde::de::Error::custom)?;
        Ok(memory)
    }
}

/// The capture being folded in.
#[derive(Clone, Debug, Default)]
struct Open {
    at: Time,
    found: Vec<(PageNumber, FoundPage)>,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory::new(DEGREE_OF_CHANGE_MIN, Weighing::Importance)
    }
}

/// A directory of which one page in twenty changed has changed: the upper end of what the paper tried.
pub const DEGREE_OF_CHANGE_MIN: f64 = 0.05;

impl Memory {
    /// One that calls a directory changed from this degree of change on.
    pub fn new(degree_of_change_min: f64, weighing: Weighing) -> Memory {
        Memory {
            tree: DirectoryTree::default(),
            bitmaps: Bitmaps::default(),
            activity: DirectoryActivity::default(),
            degree_of_change_min,
            weighing,
            home: None,
            last: None,
            open: Open::default(),
            chronicle: None,
        }
    }

    pub fn tree(&self) -> &DirectoryTree {
        &self.tree
    }

    pub fn shape(&self) -> &DirectoryShape {
        self.tree.shape()
    }

    pub fn bitmaps(&self) -> &Bitmaps {
        &self.bitmaps
    }

    pub fn activity(&self) -> &DirectoryActivity {
        &self.activity
    }

    /// When the latest capture began that was folded in; nothing if there was none.
    pub fn last(&self) -> Option<Time> {
        self.last
    }

    /// Keeps what every version changes from here on, for [`Memory::chronicle`].
    pub fn keep_chronicle(&mut self) {
        self.chronicle = Some(Vec::new());
    }

    /// Every version since somebody wanted them kept.
    pub fn chronicle(&self) -> &[Chapter] {
        self.chronicle.as_deref().unwrap_or_default()
    }

    /// A capture begins.
    pub fn begin(&mut self, at: Time) {
        self.open = Open { at, found: Vec::new() };
    }

    /// It saw a page of this path with this content; how important a change would be if there is one.
    pub fn see(&mut self, path: &str, content: u64, importance: f32) {
        let before = self.shape().find_page(path).and_then(|page| self.tree.content(page));
        let Some(page) = self.tree.see_weighed(path, content, importance) else { return };
        let found = match before {
            None => FoundPage::Born,
            Some(before) if before == content => FoundPage::Same,
            Some(_) => FoundPage::Changed,
        };
        self.open.found.push((page, found));
    }

    /// It saw that there is no such page any more.
    pub fn remove(&mut self, path: &str) {
        let there = self.shape().find_page(path).filter(|page| self.tree.content(*page).is_some());
        if let Some(page) = there {
            self.tree.remove(path);
            self.open.found.push((page, FoundPage::Gone));
        }
    }

    /// It made this observation.
    pub fn observe(&mut self, observation: &Observation) {
        if observation.purpose == Purpose::Robots {
            return;
        }
        let path = self.place(&observation.url);
        match (&observation.outcome, observation.change) {
            (Outcome::Gone { .. }, _) => self.remove(&path),
            (_, Change::Unknown) => {}
            (_, change) => {
                let before = self.shape().find_page(&path).and_then(|page| self.tree.content(page));
                let content = match (change, before) {
                    // What nobody can read is no change here, whatever its digest; a stamp is one.
                    (Change::Same, Some(before)) => before,
                    (change @ Change::New { .. }, Some(before)) if !change.is_readable() => before,
                    _ => content_of(observation),
                };
                let importance = if let Change::New { importance } = change { importance } else { 1.0 };
                self.see(&path, content, importance);
            }
        }
    }

    /// It is over. A page seen twice counts with what was found first: a second look only proves.
    pub fn end(&mut self, unseen: Unseen) {
        let Open { at, mut found } = std::mem::take(&mut self.open);
        found.sort_by_key(|(page, _)| *page);
        found.dedup_by_key(|(page, _)| *page);
        if unseen == Unseen::Gone {
            found.extend(self.missed(&found));
        }
        let delta = self.tree.close(unseen);
        if let Some(delta) = &delta {
            self.bitmaps.append(delta, self.degree_of_change_min, self.weighing);
        }
        if let Some(chronicle) = &mut self.chronicle {
            let pages = (0..self.tree.shape().pages() as u32).filter(|page| self.tree.is_there(PageNumber(*page)));
            let changes = delta.map_or_else(Vec::new, |delta| delta.changes().to_vec());
            chronicle.push(Chapter { at, pages: pages.count(), changes });
        }
        self.activity.learn(self.tree.shape(), at, self.last, &found);
        self.last = Some(at);
    }

    /// Pages that were there and were not found, which are in order.
    fn missed(&self, found: &[(PageNumber, FoundPage)]) -> Vec<(PageNumber, FoundPage)> {
        let mut found = found.iter().map(|(page, _)| *page).peekable();
        let all = (0..self.shape().pages() as u32).map(PageNumber);
        let missed = all.filter(|page| found.next_if_eq(page).is_none() && self.tree.is_there(*page));
        missed.map(|page| (page, FoundPage::Gone)).collect()
    }

    /// The path a URL has here: of other hosts than the first with the host before it.
    fn place<'a>(&mut self, url: &'a str) -> Cow<'a, str> {
        self.home.get_or_insert_with(|| host_and_path(url).0.into());
        self.path_of(url)
    }

    /// The page a URL stands for, if it was ever seen.
    pub fn find(&self, url: &str) -> Option<PageNumber> {
        self.shape().find_page(&self.path_of(url))
    }

    /// The innermost directory that is known of those a URL lies in.
    pub fn directory_of(&self, url: &str) -> DirectoryId {
        let path = self.path_of(url);
        let ends = path.bytes().enumerate().rev().filter(|(_, byte)| matches!(byte, b'/' | b'?' | b'&'));
        let known = ends.map(|(end, byte)| end + usize::from(byte == b'?'));
        known.take(DEPTH_MAX).find_map(|end| self.shape().find_directory(&path[..end])).unwrap_or(DirectoryId::ROOT)
    }

    fn path_of<'a>(&self, url: &'a str) -> Cow<'a, str> {
        place(url, self.home.as_deref().unwrap_or(host_and_path(url).0))
    }
}

/// The path of a URL, after its host where that is not `home`.
pub fn place<'a>(url: &'a str, home: &str) -> Cow<'a, str> {
    let (host, path) = host_and_path(url);
    if host == home { Cow::Borrowed(path) } else { Cow::Owned(format!("/{host}{path}")) }
}

/// Host without the www that comes and goes, and everything from the path on.
fn host_and_path(url: &str) -> (&str, &str) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split('#').next().unwrap_or_default();
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    (host.strip_prefix("www.").unwrap_or(host), if path.is_empty() { "/" } else { path })
}

fn content_of(observation: &Observation) -> u64 {
    let digest =
        observation.digest.map(|digest| digest.0.iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
    digest.unwrap_or_else(|| observation.answered.as_millis() as u64)
}

#[cfg(test)]
mod tests;
