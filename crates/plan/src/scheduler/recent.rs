//! Where links lead that were met lately: menus repeat on every page, and most links are written as pages are.

use crate::Pages;
use tintype_vocab::PageId;

/// A power of two; a site's menus, and the pages of a small site altogether.
const PLACES: usize = 1 << 14;
const NONE: PageId = PageId(u32::MAX);

/// Pages by the hash of their URL, the latest in each place.
#[derive(Debug)]
pub(super) struct RecentLinks(Box<[PageId]>);

impl Default for RecentLinks {
    fn default() -> RecentLinks {
        RecentLinks(vec![NONE; PLACES].into())
    }
}

impl RecentLinks {
    /// The page with this very URL, if it was met lately.
    pub(super) fn find(&self, url: &str, pages: &Pages) -> Option<PageId> {
        let page = self.0[place(url)];
        (page != NONE && pages.has_url(page, url)).then_some(page)
    }

    /// Takes note that a link led to a page; one that is written in another way is not found by its URL.
    pub(super) fn keep(&mut self, url: &str, page: PageId) {
        self.0[place(url)] = page;
    }
}

fn place(url: &str) -> usize {
    rapidhash::v3::rapidhash_v3(url.as_bytes()) as usize % PLACES
}
