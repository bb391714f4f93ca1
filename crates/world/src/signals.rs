//! The sitemap of a history in simulation: what a visit to it teaches, without printing and reading it.

use crate::{
    History,
    machine::sitemap::{SitemapFile, part_path},
};
use hashbrown::HashMap;
use tintype_vocab::{Change, Link, LinkKind, Links, Mention, PageId, Tag};

/// Sitemaps that are held.
#[derive(Debug, Default)]
pub(crate) struct HeldFiles(HashMap<PageId, SitemapFile>);

impl HeldFiles {
    /// How a sitemap compares with the one held, which it replaces.
    pub(crate) fn compare(&mut self, page: PageId, file: &SitemapFile) -> Change {
        match self.0.insert(page, file.clone()) {
            None => Change::First,
            Some(held) if held == *file => Change::Same,
            // Dates alone are nothing that a reader would call a change.
            Some(_) => Change::New { importance: 0.0 },
        }
    }
}

/// What a sitemap lists.
pub(crate) fn links(history: &History, origin: &str, file: &SitemapFile) -> Links {
    let mut links = Links::new();
    let mention = Mention { tag: Tag::Listed, ..Mention::default() };
    match file {
        SitemapFile::Index(parts) => {
            for part in 0..*parts {
                links.push_link(Link {
                    mention,
                    ..Link::new(&format!("{origin}{}", part_path(part)), LinkKind::Sitemap)
                });
            }
        }
        SitemapFile::Pages(pages) => {
            links.reserve(pages.len());
            for (page, changed) in pages {
                let url = format!("{origin}{}", history.path(*page));
                links.push_link(Link { modified: Some(*changed), mention, ..Link::new(&url, LinkKind::Listed) });
            }
        }
    }
    links
}
