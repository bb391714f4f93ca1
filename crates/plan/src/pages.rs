//! Every page known of a site, in as few bytes as a vector allows: ten million must fit in two gigabytes.

mod saved;

use crate::MediaGuess;
use hashbrown::HashTable;
use serde::{Deserialize, Serialize};
use tintype_vocab::{ChangeRate, LinkKind, Mention, PageId, PageUrl, surt_into};

/// Where a page stands in a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PageState {
    /// Known and not in flight.
    Waiting,
    /// Failed for now; asked again when its back-off is over.
    Retrying,
    /// Asked for, not yet answered.
    InFlight,
    /// Answered for good.
    Visited,
    /// Left out by a rule after it was taken in (robots.txt, redirects without end).
    Excluded,
}

/// What is known of a page before it is asked for.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct PageInfo {
    /// How often it changes, as believed now.
    pub rate: ChangeRate,
    /// Links followed from a seed.
    pub depth: u16,
    pub(crate) authority: u16,
    /// How it was first linked.
    pub kind: LinkKind,
    /// How that link was written.
    pub mention: Mention,
    /// What was expected behind it, when it became known or last might have been asked for.
    pub media_guess: MediaGuess,
    pub state: PageState,
    /// Whether it was answered in this run: the next request is a second look.
    pub answered: bool,
    /// Tries so far.
    pub attempts: u8,
    /// Redirects in a row that led here, or steps outside the scope for what a page is made of.
    pub hops: u8,
}

#[cfg(test)]
impl PageInfo {
    /// A page so many links away that waits, and of which nothing else is known.
    pub(crate) fn waiting(depth: u16) -> PageInfo {
        PageInfo {
            rate: ChangeRate::default(),
            depth,
            authority: 0,
            kind: LinkKind::Anchor,
            mention: Mention::default(),
            media_guess: MediaGuess::default(),
            state: PageState::Waiting,
            answered: false,
            attempts: 0,
            hops: 0,
        }
    }
}

/// URLs live in large chunks that never move, so growth never copies them.
#[derive(Debug, Default)]
struct Chunks {
    full: Vec<Box<[u8]>>,
    open: Vec<u8>,
}

/// The last of a site is half empty, so small for the sake of small sites, and no smaller than the longest URL.
const CHUNK: usize = 1 << 14;
const LEN_BITS: u32 = 13;

impl Chunks {
    /// Where the text went: chunk, offset and length in one word.
    fn push(&mut self, text: &str) -> u64 {
        assert!(text.len() < 1 << LEN_BITS, "the scheduler refuses longer URLs");
        if self.open.len() + text.len() > CHUNK {
            self.full.push(std::mem::take(&mut self.open).into_boxed_slice());
        }
        if self.open.capacity() == 0 && !self.full.is_empty() {
            self.open.reserve_exact(CHUNK);
        }
        let at = (self.full.len() * CHUNK + self.open.len()) as u64;
        self.open.extend_from_slice(text.as_bytes());
        at << LEN_BITS | text.len() as u64
    }

    fn get(&self, place: u64) -> &str {
        std::str::from_utf8(self.bytes(place)).expect("only whole strings are pushed")
    }

    /// The same without a look at every byte, for comparing.
    fn bytes(&self, place: u64) -> &[u8] {
        let (at, len) = ((place >> LEN_BITS) as usize, (place & ((1 << LEN_BITS) - 1)) as usize);
        let chunk = self.full.get(at / CHUNK).map_or(&self.open[..], |chunk| chunk);
        &chunk[at % CHUNK..at % CHUNK + len]
    }
}

/// The pages of one site by id, and by URL.
#[derive(Debug, Default)]
pub struct Pages {
    urls: Chunks,
    places: Vec<u64>,
    info: Vec<PageInfo>,
    /// (hash of the key, page), so that growing needs no key again. Pages are told apart by their URLs; the hash is that of
    /// the key, which the scope needs anyway, so that other spellings of an address are found beside it.
    table: HashTable<(u32, u32)>,
    key: String,
    other: String,
}

/// The answer to "is this URL a known page?"; holds what is needed to add it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found {
    Known(PageId),
    New {
        hash: u32,
        /// Known pages whose URLs have the same key.
        spellings: u32,
    },
}

impl Pages {
    pub fn len(&self) -> usize {
        self.info.len()
    }

    pub fn is_empty(&self) -> bool {
        self.info.is_empty()
    }

    pub fn url(&self, page: PageId) -> &str {
        self.urls.get(self.places[page.index()])
    }

    pub(crate) fn has_url(&self, page: PageId, url: &str) -> bool {
        self.urls.bytes(self.places[page.index()]) == url.as_bytes()
    }

    pub fn get(&self, page: PageId) -> &PageInfo {
        &self.info[page.index()]
    }

    pub(crate) fn get_mut(&mut self, page: PageId) -> &mut PageInfo {
        &mut self.info[page.index()]
    }

    /// The page a URL stands for.
    pub fn find(&mut self, url: &str) -> Option<PageId> {
        match self.look_up(PageUrl::new(url).as_str()) {
            Found::Known(page) => Some(page),
            Found::New { .. } => None,
        }
    }

    /// Looks a URL up that is written as [`PageUrl`] writes it; its key stays in [`Pages::last_key`].
    pub(crate) fn look_up(&mut self, url: &str) -> Found {
        self.key.clear();
        surt_into(url, &mut self.key);
        let hash = hash(&self.key);
        let mut spellings = 0;
        let same_page = |&(stored, page): &(u32, u32)| {
            let same = stored == hash && self.urls.bytes(self.places[page as usize]) == url.as_bytes();
            spellings += u32::from(stored == hash && !same);
            same
        };
        match self.table.find(spread(hash), same_page) {
            Some(&(_, page)) => Found::Known(PageId(page)),
            None => Found::New { hash, spellings },
        }
    }

    /// The other known pages whose URLs have the key of this one: by a slash at the end, capitals, the order of the query,
    /// `www.` or the scheme they differ, and a server may or may not tell them apart. The key stays in
    /// [`Pages::last_key`].
    pub(crate) fn spellings(&mut self, of: PageId) -> Vec<PageId> {
        let Pages { urls, places, table, key, other, .. } = self;
        key.clear();
        surt_into(urls.get(places[of.index()]), key);
        let hash = hash(key);
        let mut has_key = |page: u32| {
            other.clear();
            surt_into(urls.get(places[page as usize]), other);
            other == key
        };
        let entries = table.iter_hash(spread(hash)).filter(|(stored, page)| *stored == hash && *page != of.0);
        entries.filter(|(_, page)| has_key(*page)).map(|(_, page)| PageId(*page)).collect()
    }

    /// The key of the URL looked up last.
    pub(crate) fn last_key(&self) -> &str {
        &self.key
    }

    /// Takes in a page that [`Pages::look_up`] did not find.
    pub(crate) fn add(&mut self, url: &str, hash: u32, info: PageInfo) -> PageId {
        let page = self.add_unlisted(url, info);
        self.table.insert_unique(spread(hash), (hash, page.0), |&(hash, _)| spread(hash));
        page
    }

    /// Takes in a page that is not looked up: the rules of a host are no page of the site.
    pub(crate) fn add_unlisted(&mut self, url: &str, info: PageInfo) -> PageId {
        let page = u32::try_from(self.info.len()).expect("fewer than four billion pages per site");
        self.places.push(self.urls.push(url));
        self.info.push(info);
        PageId(page)
    }

    /// The page will be asked for under another URL: one that has the same key, or that of a page that is not looked up.
    pub(crate) fn rename(&mut self, page: PageId, url: &str) {
        self.places[page.index()] = self.urls.push(url);
    }

    pub fn ids(&self) -> impl Iterator<Item = PageId> + use<> {
        (0..self.info.len() as u32).map(PageId)
    }
}

fn hash(key: &str) -> u32 {
    rapidhash::v3::rapidhash_v3(key.as_bytes()) as u32
}

/// The table takes its bucket from low bits and its tag from high ones: give it both.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take_in(pages: &mut Pages, url: &str) -> PageId {
        match pages.look_up(url) {
            Found::Known(page) => page,
            Found::New { hash, .. } => pages.add(url, hash, PageInfo::waiting(0)),
        }
    }

    /// Ten million of them are 320 MB, and every byte more is ten.
    #[test]
    fn what_is_known_of_a_page_takes_thirty_two_bytes() {
        assert_eq!(size_of::<PageInfo>(), 32);
    }

    #[test]
    fn pages_are_told_apart_by_spelling_and_spellings_are_found() {
        let mut pages = Pages::default();
        let spelled =
            ["http://e.com/a?y=2&x=1", "http://e.com/a?x=1&y=2", "http://e.com/A?x=1&y=2", "http://e.com/a/?x=1&y=2"];
        let ids = spelled.map(|url| take_in(&mut pages, url));
        let other = take_in(&mut pages, "http://e.com/b");
        assert_eq!((pages.len(), spelled.map(|url| pages.find(url).unwrap())), (5, ids));
        let mut found = pages.spellings(ids[1]);
        found.sort();
        assert_eq!(found, [ids[0], ids[2], ids[3]]);
        assert!(pages.spellings(other).is_empty());
        assert!(matches!(pages.look_up("http://e.com/a?x=1&y=2&"), Found::New { spellings: 0, .. }));
        assert!(matches!(pages.look_up("https://www.e.com/a?x=1&y=2"), Found::New { spellings: 4, .. }));
        assert_eq!(pages.find("HTTP://E.com:80/b#part"), Some(other), "a browser sends the same for both");
    }

    #[test]
    fn a_page_that_moved_is_found_under_its_new_url() {
        let mut pages = Pages::default();
        let page = take_in(&mut pages, "http://e.com/a");
        pages.rename(page, "https://www.e.com/a");
        assert_eq!((pages.find("https://www.e.com/a"), pages.find("http://e.com/a")), (Some(page), None));
    }

    #[test]
    fn many_pages_keep_their_urls_across_chunks() {
        let mut pages = Pages::default();
        let url = |i: usize| format!("http://example.com/{}/{i}", "d".repeat(i % 3000));
        for i in 0..5000 {
            assert_eq!(take_in(&mut pages, &url(i)), PageId(i as u32));
        }
        assert!(pages.urls.full.len() > 3);
        for i in (0..5000).rev() {
            assert_eq!(pages.url(PageId(i as u32)), url(i));
            assert_eq!(pages.find(&url(i)), Some(PageId(i as u32)));
        }
    }
}
