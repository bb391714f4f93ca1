//! A web of which everything is known.

use hashbrown::HashMap;
use tintype_plan::MediaRules;
use tintype_vocab::{Link, LinkKind, Links, Mention, Tag};

/// Pages, and what somebody wants of them.
#[derive(Debug)]
pub struct Web {
    /// Where a capture begins.
    pub seeds: Vec<String>,
    pub wanted: MediaRules,
    pages: Vec<WebPage>,
    by_url: HashMap<String, u32>,
}

/// What is behind a URL.
#[derive(Clone, Debug)]
pub struct WebPage {
    pub url: String,
    pub media_type: String,
    pub bytes: u64,
    /// The numbers of pages it links, and how.
    pub links: Vec<(u32, Mention)>,
}

impl Web {
    pub(super) fn new(seeds: Vec<String>, wanted: MediaRules, pages: Vec<WebPage>) -> Web {
        let by_url = pages.iter().zip(0..).map(|(page, number)| (page.url.clone(), number)).collect();
        Web { seeds, wanted, pages, by_url }
    }

    pub fn pages(&self) -> &[WebPage] {
        &self.pages
    }

    pub fn find(&self, url: &str) -> Option<u32> {
        self.by_url.get(url).copied()
    }

    /// Whether it is one of the files somebody wants.
    pub fn is_wanted(&self, number: u32) -> bool {
        self.wanted.want(&self.pages[number as usize].media_type)
    }

    /// How many files are wanted.
    pub fn wanted_files(&self) -> usize {
        (0..self.pages.len() as u32).filter(|number| self.is_wanted(*number)).count()
    }

    /// The links of a page as one who reads it finds them.
    pub fn links(&self, number: u32) -> Links {
        let links = self.pages[number as usize].links.iter();
        links.map(|(to, mention)| self.link(*to, *mention)).collect()
    }

    fn link(&self, to: u32, mention: Mention) -> Link<'_> {
        Link { mention, ..Link::new(&self.pages[to as usize].url, kind(mention.tag)) }
    }
}

/// What a link written like this is for.
fn kind(tag: Tag) -> LinkKind {
    match tag {
        Tag::Unknown | Tag::Anchor | Tag::Download | Tag::Link => LinkKind::Anchor,
        Tag::Feed => LinkKind::Feed,
        Tag::Entry | Tag::Enclosure | Tag::Listed => LinkKind::Listed,
        Tag::Redirect => LinkKind::Redirect,
        _ => LinkKind::Embed,
    }
}
