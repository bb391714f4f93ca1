//! What the versions of pages link to, kept with the state of their site, so that a page found as it was need neither be
//! read again nor have its links in the log again.
//!
//! Derived and never needed: what is missing is found by reading the version's record. URLs are numbered once for many
//! pages, from `base` on in each list. Lists are bytes, not text, because every unchanged page has its list read.

mod bytes;

use super::links::{First, Ready, TABLE_MAX};
use bytes::{Bytes, put, put_gist, put_link, put_mention, put_text};
use hashbrown::{HashMap, hash_map::Entry};
use std::hash::BuildHasherDefault;
use tintype_observe::Look;
use tintype_vocab::{Digest, LeftOut, Link, Links};

/// URLs that are fetched at a time: neighbours were met together, and will be again.
const URLS_AT_ONCE: u64 = 64;

/// Of a link in a list: what it says, and a number.
const LINK_BYTES_USUAL: usize = 3;

/// Where lists and URLs are kept.
pub(crate) trait Kept {
    fn list(&self, key: u64) -> Option<Vec<u8>>;
    /// Those of `count` numbers from `from` on that are there.
    fn urls(&self, from: u64, count: u64) -> Vec<(u64, Vec<u8>)>;
}

/// Lists and URLs that are new, and URLs that were asked for.
#[derive(Debug, Default)]
pub(crate) struct HeldLinks {
    /// By URL: its number after `base`, and what was first said of it.
    numbers: HashMap<u64, (u32, First), BuildHasherDefault<Ready>>,
    base: u64,
    next: u64,
    pub(crate) new_lists: HashMap<u64, Vec<u8>>,
    pub(crate) new_urls: HashMap<u64, Vec<u8>>,
    /// URLs that were asked for, in blocks of neighbours, and where each block is.
    blocks: Vec<UrlBlock>,
    places: HashMap<u64, usize, rapidhash::fast::RandomState>,
}

type UrlBlock = Box<[Option<(Box<str>, First)>]>;

/// The number of a version.
fn key(url: &str, digest: &Digest) -> u64 {
    rapidhash::v3::rapidhash_v3(url.as_bytes()) ^ u64::from_le_bytes(digest.0[..8].try_into().expect("eight bytes"))
}

impl HeldLinks {
    /// New URLs are numbered from `next`.
    pub(crate) fn new(next: u64) -> HeldLinks {
        HeldLinks { base: next, next, ..HeldLinks::default() }
    }

    /// Keeps what a version shows.
    pub(crate) fn keep(&mut self, url: &str, digest: &Digest, look: &Look) {
        if self.numbers.len() >= TABLE_MAX {
            self.numbers.clear();
            self.base = self.next;
        }
        let LeftOut { too_long, too_many } = look.links.left_out();
        let mut list = Vec::with_capacity(64 + 4 * look.links.len());
        [self.base, too_long.into(), too_many.into()].into_iter().for_each(|number| put(number, &mut list));
        put_text(look.media_type.as_deref(), &mut list);
        put_text(look.sniffed.as_deref(), &mut list);
        put_gist(look.gist, &mut list);
        for link in look.links.iter() {
            let (number, first) = self.number(&link);
            put_link(&link, number, first, &mut list);
        }
        self.new_lists.insert(key(url, digest), list);
    }

    /// The number of a link's URL, and what was said of it when it was new.
    fn number(&mut self, link: &Link<'_>) -> (u32, First) {
        let first = First { context: link.context, mention: link.mention };
        let number = self.numbers.len() as u32;
        match self.numbers.entry(rapidhash::v3::rapidhash_v3(link.url.as_bytes())) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                self.next = self.base + u64::from(number) + 1;
                self.new_urls.insert(self.next - 1, row(link.url, first));
                // Not all of its block was there yet.
                self.places.remove(&((self.next - 1) / URLS_AT_ONCE));
                *place.insert((number, first))
            }
        }
    }

    /// What a version shows; nothing if that was not kept, or not all of it.
    pub(crate) fn recall(&mut self, url: &str, digest: &Digest, kept: &dyn Kept) -> Option<Look> {
        let key = key(url, digest);
        let list = self.new_lists.get(&key).cloned().or_else(|| kept.list(key))?;
        let mut rest = Bytes(&list);
        let (base, too_long, too_many) = (rest.number()?, rest.small()?, rest.small()?);
        let (media_type, sniffed, gist) = (rest.text()?, rest.text()?, rest.gist()?);
        let mut links = Links::new();
        links.reserve(rest.0.len() / LINK_BYTES_USUAL);
        while !rest.0.is_empty() {
            let coded = rest.link()?;
            let (url, first) = self.url(base.checked_add(coded.number.into())?, kept)?;
            links.push_link(coded.link(url, *first));
        }
        links.leave_out(LeftOut { too_long, too_many });
        Some(Look { media_type, sniffed, links, gist, ..Look::default() })
    }

    fn url(&mut self, number: u64, kept: &dyn Kept) -> Option<&(Box<str>, First)> {
        let block = number / URLS_AT_ONCE;
        let at = match self.places.get(&block) {
            Some(at) => *at,
            None => self.read_block(block, kept),
        };
        self.blocks[at][(number % URLS_AT_ONCE) as usize].as_ref()
    }

    /// Returns where it is now.
    fn read_block(&mut self, number: u64, kept: &dyn Kept) -> usize {
        if self.blocks.len() * URLS_AT_ONCE as usize > TABLE_MAX {
            self.blocks.clear();
            self.places.clear();
        }
        let from = number * URLS_AT_ONCE;
        let mut block: UrlBlock = (0..URLS_AT_ONCE).map(|_| None).collect();
        for (number, row) in kept.urls(from, URLS_AT_ONCE) {
            block[(number - from) as usize] = of_row(&row);
        }
        for (nth, url) in block.iter_mut().enumerate().filter(|(_, url)| url.is_none()) {
            *url = self.new_urls.get(&(from + nth as u64)).and_then(|row| of_row(row));
        }
        self.blocks.push(block);
        self.places.insert(number, self.blocks.len() - 1);
        self.blocks.len() - 1
    }
}

/// A URL as it is kept, with what was first said of it.
fn row(url: &str, first: First) -> Vec<u8> {
    let mut row = Vec::with_capacity(14 + url.len());
    row.extend_from_slice(&first.context.to_le_bytes());
    put_mention(first.mention, &mut row);
    row.extend_from_slice(url.as_bytes());
    row
}

fn of_row(row: &[u8]) -> Option<(Box<str>, First)> {
    let mut rest = Bytes(row);
    let first = First { context: rest.context()?, mention: rest.mention()? };
    Some((std::str::from_utf8(rest.0).ok()?.into(), first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::{LinkKind, Mention, Span, Time};

    /// What a database would keep.
    #[derive(Default)]
    struct Memory {
        lists: HashMap<u64, Vec<u8>>,
        urls: HashMap<u64, Vec<u8>>,
    }

    impl Kept for Memory {
        fn list(&self, key: u64) -> Option<Vec<u8>> {
            self.lists.get(&key).cloned()
        }

        fn urls(&self, from: u64, count: u64) -> Vec<(u64, Vec<u8>)> {
            (from..from + count).filter_map(|number| Some((number, self.urls.get(&number)?.clone()))).collect()
        }
    }

    fn look(page: &str) -> Look {
        let html = format!("<nav><a href=/>Home</a><a href=/{page}>{page} words</a></nav><img src=/i.png alt=x>");
        let url = "http://example.com/";
        let described = tintype_observe::Described {
            url,
            content_type: Some("text/html"),
            content_encoding: None,
            ..tintype_observe::Described::default()
        };
        tintype_observe::look(&described, html.as_bytes())
    }

    #[test]
    fn every_version_shows_what_it_showed_also_to_a_later_process() {
        let (mut first, mut memory) = (HeldLinks::new(0), Memory::default());
        let pages: Vec<String> = (0..50).map(|n| format!("p{n}")).collect();
        let digest = |n: usize| Digest([n as u8; 20]);
        let same = |held: &mut HeldLinks, memory: &Memory| {
            for (n, page) in pages.iter().enumerate() {
                let is = held.recall(page, &digest(n), memory).unwrap();
                let should = look(page);
                assert_eq!((is.links, is.media_type, is.sniffed), (should.links, should.media_type, should.sniffed));
                assert!(is.gist.is_some() && is.gist == should.gist);
            }
        };
        for (n, page) in pages.iter().enumerate() {
            first.keep(page, &digest(n), &look(page));
        }
        same(&mut first, &memory);
        memory.lists.extend(first.new_lists.drain());
        memory.urls.extend(first.new_urls.drain());
        same(&mut first, &memory);
        let mut later = HeldLinks::new(memory.urls.keys().max().unwrap() + 1);
        later.keep("other", &digest(7), &look("p3"));
        same(&mut later, &memory);
        assert!(later.recall("p1", &digest(2), &memory).is_none());
        memory.urls.clear();
        assert!(HeldLinks::new(0).recall("p1", &digest(1), &memory).is_none(), "half of it is nothing");
    }

    #[test]
    fn all_that_is_said_of_a_link_comes_back_and_a_list_that_is_cut_is_nothing() {
        let (mention, listed) = (Mention { words: [1, 0, 9, u16::MAX], ..Mention::default() }, LinkKind::Listed);
        let dated = Link { modified: Some(Time::from_millis(-5)), ..Link::new("http://e/1", listed) };
        let (context, every) = (7, Some(Span::from_days(400)));
        let mut links: Links = [
            Link { context, mention, ..dated },
            Link { every, ..Link::new("http://e/1", LinkKind::Embed) },
            Link { context, every, mention, ..Link::new("http://e/2", LinkKind::Redirect) },
            Link { context: 8, ..Link::new("http://e/2", LinkKind::Feed) },
            Link { context, mention, ..dated },
        ]
        .into_iter()
        .collect();
        links.leave_out(LeftOut { too_long: 3, too_many: 1 << 20 });
        let look = Look { links, sniffed: Some("text/html".into()), ..Look::default() };
        let mut held = HeldLinks::new(9);
        held.keep("p", &Digest::EMPTY, &look);
        let is = held.recall("p", &Digest::EMPTY, &Memory::default()).unwrap();
        assert_eq!((is.links, is.media_type, is.sniffed), (look.links, None, look.sniffed));
        let whole = held.new_lists.values().next().unwrap().clone();
        for cut in 0..whole.len() {
            let lists = [(key("p", &Digest::EMPTY), whole[..cut].to_vec())];
            // Only where one link ends and the next begins does it look whole.
            let part =
                HeldLinks::new(0).recall("p", &Digest::EMPTY, &Memory { lists: lists.into(), urls: HashMap::new() });
            assert!(part.is_none_or(|part| part.links.is_empty()), "{cut}");
        }
    }
}
