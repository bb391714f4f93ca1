//! Where links lead that were met lately: menus repeat on every page, and most links are written as pages are.

use crate::Pages;
use tintype_vocab::PageId;

/// Powers of two. A site begins with few places and has more when they fill, so that most pages of a site with a quarter of
/// that many stay; of a larger one, menus do.
const PLACES_MIN: usize = 1 << 10;
const PLACES_MAX: usize = 1 << 18;
const NONE: PageId = PageId(u32::MAX);

/// Pages by the hash of their URL, the latest in each place.
#[derive(Debug)]
pub(super) struct RecentLinks {
    places: Box<[PageId]>,
    taken: usize,
}

impl Default for RecentLinks {
    fn default() -> RecentLinks {
        RecentLinks { places: vec![NONE; PLACES_MIN].into(), taken: 0 }
    }
}

impl RecentLinks {
    /// The page with this very URL, if it was met lately.
    pub(super) fn find(&self, url: &str, pages: &Pages) -> Option<PageId> {
        let page = self.places[self.place(url)];
        (page != NONE && pages.has_url(page, url)).then_some(page)
    }

    /// Takes note that a link led to a page; one that is written in another way is not found by its URL.
    pub(super) fn keep(&mut self, url: &str, page: PageId, pages: &Pages) {
        if 4 * self.taken > self.places.len() && self.places.len() < PLACES_MAX {
            self.grow(pages);
        }
        let place = self.place(url);
        self.taken += usize::from(self.places[place] == NONE);
        self.places[place] = page;
    }

    fn grow(&mut self, pages: &Pages) {
        let places = vec![NONE; 4 * self.places.len()].into();
        let before = std::mem::replace(self, RecentLinks { places, taken: 0 });
        for page in before.places.into_iter().filter(|page| *page != NONE) {
            let place = self.place(pages.url(page));
            self.taken += usize::from(self.places[place] == NONE);
            self.places[place] = page;
        }
    }

    fn place(&self, url: &str) -> usize {
        rapidhash::v3::rapidhash_v3(url.as_bytes()) as usize & (self.places.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PageInfo;

    #[test]
    fn pages_are_found_by_their_urls_however_many_there_are() {
        let (mut pages, mut recent) = (Pages::default(), RecentLinks::default());
        let urls: Vec<String> = (0..20_000).map(|n| format!("http://example.com/{n}")).collect();
        for url in &urls {
            let page = pages.add_unlisted(url, PageInfo::waiting(1));
            recent.keep(url, page, &pages);
        }
        let found = urls.iter().filter_map(|url| Some((url, recent.find(url, &pages)?)));
        let found: Vec<_> = found.inspect(|(url, page)| assert_eq!(pages.url(*page), *url)).collect();
        assert!(found.len() > urls.len() * 3 / 4, "{}", found.len());
        assert_eq!(recent.find("http://example.com/other", &pages), None);
    }
}
