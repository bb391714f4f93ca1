//! Values with names, inside each other: what JSON, XML and style sheets have in common.

use std::borrow::Cow;

/// Values inside each other; what is deeper belongs to the last of them.
pub(super) const DEPTH_MAX: usize = 48;
/// Values of one document; the rest of one with more is a single text. A sitemap of the greatest size has fewer.
pub(super) const NODES_MAX: usize = 1 << 18;

/// A value and what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node<'t> {
    /// Empty for an item of a list, and for text between elements.
    pub(super) name: Cow<'t, str>,
    pub(super) value: Value<'t>,
    /// In it and all that is inside of it.
    pub(super) words: u32,
    /// Whether it is an attribute of what it is inside of.
    pub(super) is_attribute: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value<'t> {
    Text(Cow<'t, str>),
    Many(Vec<Node<'t>>),
}

impl<'t> Node<'t> {
    pub(super) fn text(name: impl Into<Cow<'t, str>>, text: impl Into<Cow<'t, str>>) -> Node<'t> {
        let text = text.into();
        let words = text.split_ascii_whitespace().count() as u32;
        Node { name: name.into(), value: Value::Text(text), words, is_attribute: false }
    }

    pub(super) fn many(name: impl Into<Cow<'t, str>>, children: Vec<Node<'t>>) -> Node<'t> {
        let words = children.iter().fold(0u32, |sum, child| sum.saturating_add(child.words));
        Node { name: name.into(), value: Value::Many(children), words, is_attribute: false }
    }

    /// What the value says if it is one text, whatever attributes it has.
    pub(super) fn said(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            Value::Many(children) => {
                let mut texts = children.iter().filter(|child| !child.is_attribute);
                let only = texts.next().filter(|child| child.name.is_empty() && texts.next().is_none())?;
                if let Value::Text(text) = &only.value { Some(text) } else { None }
            }
        }
    }
}
