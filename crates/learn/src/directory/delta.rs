//! What one transition did to the directories of a site.

use super::DirectoryId;
use serde::{Deserialize, Serialize};

/// How a change counts in the degree of change of a directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Weighing {
    /// Every changed node alike, as in the paper.
    #[default]
    Count,
    /// An update by the importance of the change, an insertion or deletion as one: the paper's future work.
    Importance,
}

/// What a transition did to one directory and everything below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectoryChange {
    pub directory: DirectoryId,
    /// Nodes inserted, deleted and updated, itself and directories below it included: the edit distance.
    pub changed: u32,
    /// The same, updates weighed by importance.
    pub weighed: f64,
    /// Nodes of either version, itself included: the size of the consolidated tree.
    pub nodes: u32,
}

impl DirectoryChange {
    /// The degree of change (Definition 1), 0..1.
    pub fn degree(&self, weighing: Weighing) -> f64 {
        let changed = match weighing {
            Weighing::Count => f64::from(self.changed),
            Weighing::Importance => self.weighed,
        };
        changed / f64::from(self.nodes)
    }
}

/// One transition: the delta tree of Algorithm 2, without the directories in which nothing changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DirectoryDelta {
    /// Ordered by directory.
    pub(super) changes: Vec<DirectoryChange>,
}

impl DirectoryDelta {
    /// Every directory with a change, in the order of their numbers.
    pub fn changes(&self) -> &[DirectoryChange] {
        &self.changes
    }

    pub fn get(&self, directory: DirectoryId) -> Option<&DirectoryChange> {
        let place = self.changes.binary_search_by_key(&directory, |change| change.directory).ok()?;
        Some(&self.changes[place])
    }

    /// The degree of change (Definition 1): nothing where nothing changed or nothing was, one where everything came or
    /// went.
    pub fn degree(&self, directory: DirectoryId, weighing: Weighing) -> f64 {
        self.get(directory).map_or(0.0, |change| change.degree(weighing))
    }
}
