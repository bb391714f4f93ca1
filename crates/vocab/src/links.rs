//! The links of one page, in one allocation: a page has fifty of them and a capture has millions of pages.

mod beside;
mod rows;

use crate::{Mention, Span, Time};
use beside::Beside;
use serde::{Deserialize, Serialize};

/// How a link was written on the page that carries it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkKind {
    /// Somewhere a reader may go: a, area, form-free link elements, Link headers.
    Anchor,
    /// Something the page is made of: img, script, style, iframe, media, CSS url().
    Embed,
    /// Where the server sent us instead.
    Redirect,
    /// A sitemap or sitemap index.
    Sitemap,
    /// An RSS, Atom or JSON feed.
    Feed,
    /// Listed in a sitemap or a feed.
    Listed,
}

/// One link: absolute URL without fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link<'a> {
    pub url: &'a str,
    pub kind: LinkKind,
    /// When the lister says the target last changed.
    pub modified: Option<Time>,
    /// How often the lister says the target changes: the time from one change to the next.
    pub every: Option<Span>,
    /// Fingerprint of the text of the block the link stands in (a list item, a teaser, a feed entry), 0 if there is
    /// none or it is unknown. Equal fingerprints mean the same wording: where a listing speaks of a page in other
    /// words than last time, that page has probably changed. Nobody has to fetch it to know.
    pub context: u32,
    /// How the link is written there, as far as that says what is behind it. Of one that stands in several places it is
    /// the first of them.
    pub mention: Mention,
}

impl<'a> Link<'a> {
    /// A link of which nothing but its target and kind is known.
    pub fn new(url: &'a str, kind: LinkKind) -> Link<'a> {
        Link { url, kind, modified: None, every: None, context: 0, mention: Mention::default() }
    }
}

/// How many links a page has besides those that were taken from it, so that a report can say so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// URLs longer than anyone should send.
    #[serde(default)]
    pub too_long: u32,
    /// Links beyond the number that is read from one page.
    #[serde(default)]
    pub too_many: u32,
}

impl LeftOut {
    pub fn is_nothing(&self) -> bool {
        *self == LeftOut::default()
    }
}

const URL_BYTES_USUAL: usize = 64;

/// The links of one page in the order they stand there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    text: String,
    items: Vec<(u32, LinkKind)>,
    modified: Vec<(u32, Time)>,
    every: Vec<(u32, Span)>,
    contexts: Beside<u32>,
    mentions: Beside<Mention>,
    left_out: LeftOut,
}

impl Links {
    pub fn new() -> Links {
        Links::default()
    }

    /// Makes room for so many links, which cost less then.
    pub fn reserve(&mut self, links: usize) {
        self.text.reserve(links * URL_BYTES_USUAL);
        self.items.reserve(links);
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Adds a link. More than 4 GiB of link text is a bug of the caller, which must bound what it reads.
    pub fn push(&mut self, url: &str, kind: LinkKind) {
        self.text.push_str(url);
        let end = u32::try_from(self.text.len()).expect("link text is bounded by the reader");
        self.items.push((end, kind));
    }

    /// Adds a link with all that its lister says about the target.
    pub fn push_link(&mut self, link: Link<'_>) {
        let index = self.items.len();
        self.push(link.url, link.kind);
        self.modified.extend(link.modified.map(|time| (index as u32, time)));
        self.every.extend(link.every.map(|span| (index as u32, span)));
        self.contexts.set(index, link.context);
        self.mentions.set(index, link.mention);
    }

    /// Says what a link's surroundings read, which a page tells only after the link itself.
    ///
    /// Panics if there is no such link.
    pub fn set_context(&mut self, index: usize, context: u32) {
        assert!(index < self.items.len(), "only links that are there have a context");
        self.contexts.set(index, context);
    }

    /// What [`Links::set_context`] said of a link, else 0.
    pub fn context(&self, index: usize) -> u32 {
        self.contexts.get(index)
    }

    /// Says how a link is written, part of which a page tells only after the link itself.
    ///
    /// Panics if there is no such link.
    pub fn set_mention(&mut self, index: usize, mention: Mention) {
        assert!(index < self.items.len(), "only links that are there are mentioned");
        self.mentions.set(index, mention);
    }

    /// How a link is written, as far as that is known.
    pub fn mention(&self, index: usize) -> Mention {
        self.mentions.get(index)
    }

    /// Whether of any link it is known how it is written.
    pub fn has_mentions(&self) -> bool {
        !self.mentions.is_empty()
    }

    /// Whether any link has a context.
    pub fn has_contexts(&self) -> bool {
        !self.contexts.is_empty()
    }

    pub fn left_out(&self) -> LeftOut {
        self.left_out
    }

    /// Says how many links are missing here. Who writes links down must write this down beside them.
    pub fn leave_out(&mut self, left_out: LeftOut) {
        self.left_out = left_out;
    }

    pub fn iter(&self) -> impl Iterator<Item = Link<'_>> {
        let mut start = 0usize;
        let mut modified = said(&self.modified);
        let mut every = said(&self.every);
        self.items.iter().enumerate().map(move |(i, &(end, kind))| {
            let url = &self.text[start..end as usize];
            start = end as usize;
            let (context, mention) = (self.context(i), self.mention(i));
            Link { url, kind, modified: modified(i), every: every(i), context, mention }
        })
    }
}

/// What is said of each link, asked for one after the other, where it is said of few of them.
fn said<T: Copy>(of: &[(u32, T)]) -> impl FnMut(usize) -> Option<T> {
    let mut of = of.iter().peekable();
    move |link| of.next_if(|(at, _)| *at as usize == link).map(|(_, value)| *value)
}

impl<'a> FromIterator<Link<'a>> for Links {
    fn from_iter<T: IntoIterator<Item = Link<'a>>>(iter: T) -> Links {
        let mut links = Links::new();
        iter.into_iter().for_each(|link| links.push_link(link));
        links
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tag;

    #[test]
    fn links_come_back_in_order_with_what_is_said_of_them() {
        let listed = Link::new("http://b/", LinkKind::Listed);
        let rows = [
            Link::new("http://a/", LinkKind::Anchor),
            Link { modified: Some(Time::from_secs(5)), ..listed },
            Link { every: Some(Span::from_days(7)), ..listed },
            Link::new("http://c/", LinkKind::Embed),
            Link { modified: Some(Time::from_secs(6)), every: Some(Span::from_days(1)), context: 3, ..listed },
            Link { mention: Mention { tag: Tag::Image, ..Mention::default() }, ..listed },
        ];
        let links: Links = rows.into_iter().collect();
        assert_eq!(links.iter().collect::<Vec<_>>(), rows);
        assert_eq!(links.iter().collect::<Links>(), links);
    }

    #[test]
    fn links_come_back_with_their_contexts() {
        let mut links = Links::new();
        for url in ["http://a/", "http://b/", "http://c/"] {
            links.push(url, LinkKind::Anchor);
        }
        assert!(!links.has_contexts());
        let bare = links.clone();
        links.set_context(1, 7);
        assert_eq!(links.iter().map(|link| link.context).collect::<Vec<_>>(), [0, 7, 0]);
        assert_eq!(links.iter().collect::<Links>(), links);
        assert_ne!(links, bare);
        links.set_context(1, 0);
        assert_eq!(links, bare);
    }
}
