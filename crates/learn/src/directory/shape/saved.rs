//! A shape as it is kept: names and paths in the order of their numbers; the rest follows from them.

use super::{DEPTH_MAX, DirectoryId, DirectoryShape, PageNumber};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Saved {
    directories: Vec<(u32, String)>,
    pages: Vec<String>,
}

impl Serialize for DirectoryShape {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let directory = |number: usize| (self.directories[number].parent, self.name(DirectoryId(number as u32)));
        let mut fields = serializer.serialize_struct("DirectoryShape", 2)?;
        fields.serialize_field("directories", &Listed(|| (1..self.directories.len()).map(directory)))?;
        let page = |number| self.page_path(PageNumber(number as u32));
        fields.serialize_field("pages", &Listed(|| (0..self.pages()).map(page)))?;
        fields.end()
    }
}

/// A list made while it is written.
struct Listed<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Listed<F> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

impl<'de> Deserialize<'de> for DirectoryShape {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<DirectoryShape, D::Error> {
        DirectoryShape::try_from(Saved::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl TryFrom<Saved> for DirectoryShape {
    type Error = &'static str;

    fn try_from(saved: Saved) -> Result<DirectoryShape, &'static str> {
        let mut shape = DirectoryShape::default();
        for (number, (parent, name)) in (1u32..).zip(&saved.directories) {
            let parent = DirectoryId(*parent);
            if parent.0 >= number || shape.ancestors(parent).count() > DEPTH_MAX {
                return Err("a directory before its parent, or too deep");
            }
            if shape.child_or_add(parent, name) != Some(DirectoryId(number)) {
                return Err("a directory twice");
            }
        }
        for (number, path) in (0u32..).zip(&saved.pages) {
            if shape.page(path) != Some(PageNumber(number)) {
                return Err("a page twice, or too long");
            }
        }
        Ok(shape)
    }
}
