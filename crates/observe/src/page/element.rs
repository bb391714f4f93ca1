//! What a block consists of: one text, links and images.

use serde::{Deserialize, Serialize};

/// The sorts of things a block has. An image is anything a page draws from elsewhere, frames and films as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Element {
    Text,
    Link,
    Image,
}

impl Element {
    pub const ALL: [Element; 3] = [Element::Text, Element::Link, Element::Image];

    /// What stands between two words of a text, or two URLs; never inside one.
    pub(crate) const fn separator(self) -> char {
        match self {
            Element::Text => ' ',
            Element::Link | Element::Image => '\n',
        }
    }
}

/// Everything in one block, apart from its page: what a delta says was inserted or deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Content {
    /// Words with one space between two.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// URLs as written, one a line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub links: String,
    /// URLs as written, one a line; behind a tab what the image is said to show.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub images: String,
}

impl Content {
    pub fn of(&self, element: Element) -> &str {
        match element {
            Element::Text => &self.text,
            Element::Link => &self.links,
            Element::Image => &self.images,
        }
    }

    pub(crate) fn of_mut(&mut self, element: Element) -> &mut String {
        match element {
            Element::Text => &mut self.text,
            Element::Link => &mut self.links,
            Element::Image => &mut self.images,
        }
    }
}

/// The word before and after words that are struck out.
pub(crate) const STRUCK: &str = "~~";
/// Stands between the URL of an image and what is said in its place where it is not shown; never inside a URL.
pub(crate) const DESCRIBED: char = '\t';

/// The URL of an image, without its description.
pub(crate) fn image_url(item: &str) -> &str {
    item.split(DESCRIBED).next().unwrap_or(item)
}

/// The words of a text or the URLs of a list.
pub(crate) fn items(list: &str, element: Element) -> impl Iterator<Item = &str> {
    list.split(element.separator()).filter(|item| !item.is_empty())
}
