//! What is known to be sound about closed segments, so that opening a collection looks at file sizes and not into
//! files. Derived: without it every segment is read once.

use crate::{
    Error,
    disk::{Disk, publish},
    layout::Layout,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The sizes a segment and its index had when one was last made from the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sizes {
    pub(crate) segment: u64,
    pub(crate) index: u64,
}

/// By segment name.
#[derive(Debug, Default)]
pub(crate) struct Catalogue {
    sizes: BTreeMap<String, Sizes>,
}

impl Catalogue {
    /// Reads it; a missing or damaged one is empty.
    pub(crate) fn read(layout: &Layout) -> Catalogue {
        let text = std::fs::read(layout.catalogue()).unwrap_or_default();
        Catalogue { sizes: serde_json::from_slice(&text).unwrap_or_default() }
    }

    pub(crate) fn get(&self, segment: &str) -> Option<Sizes> {
        self.sizes.get(segment).copied()
    }

    /// Notes a segment's sizes and drops those of segments that are gone.
    pub(crate) fn set(&mut self, disk: &dyn Disk, layout: &Layout, segment: &str, sizes: Sizes) -> Result<(), Error> {
        self.sizes.retain(|name, _| layout.segment(name).exists());
        self.sizes.insert(segment.to_owned(), sizes);
        let path = layout.catalogue();
        let text = serde_json::to_vec(&self.sizes).expect("a catalogue is plain data");
        publish(disk, &path, &text).map_err(Error::io("write", &path))
    }

    /// Whether the files still have the sizes they had.
    pub(crate) fn is_current(&self, layout: &Layout, segment: &str) -> bool {
        let len = |path| std::fs::metadata(path).map(|file| file.len()).ok();
        let sizes = len(layout.segment(segment)).zip(len(layout.index_of(segment)));
        sizes.is_some_and(|(segment_len, index)| self.get(segment) == Some(Sizes { segment: segment_len, index }))
    }
}
