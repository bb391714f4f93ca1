//! Gathers the objects of one page and knows when to stop.

use super::{Listing, ListingFindings, way::Field};
use std::borrow::Cow;
use tintype_vocab::Object;

/// Most objects taken from one page.
pub const OBJECTS_MAX: usize = 1 << 20;
/// Most bytes of identifiers and attributes taken from one page.
pub const TEXT_MAX: usize = 64 << 20;
/// Longest identifier, in bytes: room for any URL that is worth asking for.
pub const ID_MAX: usize = crate::URL_MAX;
/// Attributes are cut here: what is longer is a text, and two texts that begin alike are told apart elsewhere.
pub const VALUE_MAX: usize = 1 << 10;

/// The objects of one page in the making.
#[derive(Debug)]
pub(super) struct Gatherer<'w> {
    pub(super) attributes: &'w [(String, Field)],
    objects: Vec<Object>,
    text: usize,
    pub(super) findings: ListingFindings,
}

impl<'w> Gatherer<'w> {
    pub(super) fn new(attributes: &'w [(String, Field)]) -> Gatherer<'w> {
        Gatherer { attributes, objects: Vec::new(), text: 0, findings: ListingFindings::default() }
    }

    /// Whether nothing more can be taken: there is no use in looking further.
    pub(super) fn is_full(&self) -> bool {
        self.objects.len() >= OBJECTS_MAX || self.text >= TEXT_MAX
    }

    /// Takes an object in, if it has an identifier.
    pub(super) fn add(&mut self, id: Option<&str>, attributes: impl Iterator<Item = Option<String>>) {
        let id = tidy(id.unwrap_or_default());
        if id.is_empty() {
            self.findings.without_id += 1;
        } else if id.len() > ID_MAX {
            self.findings.ids_too_long += 1;
        } else if self.is_full() {
            self.findings.over_limit += 1;
        } else {
            let attributes: Vec<String> = attributes.map(|value| cut(&tidy(&value.unwrap_or_default()))).collect();
            self.text += id.len() + attributes.iter().map(String::len).sum::<usize>();
            self.objects.push(Object { id: id.into_owned(), attributes });
        }
    }

    pub(super) fn finish(self) -> Listing {
        Listing { objects: self.objects, next: Vec::new(), findings: self.findings }
    }
}

/// Words with one space between them: white space in markup means nothing.
fn tidy(text: &str) -> Cow<'_, str> {
    let is_tidy = !text.starts_with(' ')
        && !text.ends_with(' ')
        && !text.contains("  ")
        && !text.contains(|c: char| c.is_whitespace() && c != ' ');
    if is_tidy { text.into() } else { text.split_whitespace().collect::<Vec<_>>().join(" ").into() }
}

fn cut(text: &str) -> String {
    text[..text.floor_char_boundary(VALUE_MAX)].to_owned()
}
