//! What the versions of pages link to, kept with the state of their site, so that a page found as it was need neither be
//! read again nor have its links in the log again.
//!
//! Derived and never needed: what is missing is found by reading the version's record. URLs are numbered once for many
//! pages; a list is coded as in the log, with the numbers counted from `base`.

use super::{
    links::{Coded, Coder, First, Item, TABLE_MAX, Target},
    spelled::{Reader, Spelled},
};
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use tintype_observe::Look;
use tintype_vocab::{Digest, LeftOut, Link, LinkKind, Links, Mention};

/// Where lists and URLs are kept.
pub(crate) trait Kept {
    fn list(&self, key: u64) -> Option<Vec<u8>>;
    fn url(&self, number: u64) -> Option<String>;
}

/// One version's links, and what it is.
#[derive(Serialize, Deserialize)]
struct List<'a> {
    base: u64,
    #[serde(borrow)]
    links: Coded<'a>,
    #[serde(default, skip_serializing_if = "LeftOut::is_nothing")]
    left_out: LeftOut,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    media_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sniffed: Option<String>,
}

/// Lists and URLs that are new, and URLs that were asked for.
#[derive(Debug, Default)]
pub(crate) struct HeldLinks {
    coder: Coder,
    /// The number of the coder's first URL.
    base: u64,
    next: u64,
    pub(crate) new_lists: HashMap<u64, Vec<u8>>,
    pub(crate) new_urls: HashMap<u64, String>,
    decoded: HashMap<u64, (Box<str>, First)>,
}

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
        let mut links = self.coder.code(&look.links);
        if links.from == 0 {
            self.base = self.next;
        }
        let named = intern(&mut links);
        for (nth, named) in (u64::from(links.from)..).zip(named) {
            self.new_urls.insert(self.base + nth, named);
            self.next = self.base + nth + 1;
        }
        let list = List {
            base: self.base,
            links,
            left_out: look.links.left_out(),
            media_type: look.media_type.clone(),
            sniffed: look.sniffed.clone(),
        };
        self.new_lists.insert(key(url, digest), serde_json::to_vec(&list).expect("a list is plain data"));
    }

    /// What a version shows; nothing if that was not kept, or not all of it.
    pub(crate) fn recall(&mut self, url: &str, digest: &Digest, kept: &dyn Kept) -> Option<Look> {
        let key = key(url, digest);
        let text = self.new_lists.get(&key).cloned().or_else(|| kept.list(key))?;
        let List { base, links: coded, left_out, media_type, sniffed } = serde_json::from_slice(&text).ok()?;
        let mut links = Links::new();
        let (mut contexts, mut mentions) = (Reader::new(&coded.contexts), Reader::<Mention>::new(&coded.mentions));
        let mut kind = LinkKind::Anchor;
        for item in &coded.list {
            let (target, modified, every) = match item {
                Item::Are(new) => {
                    kind = *new;
                    continue;
                }
                Item::Url(target) => (target, None, None),
                Item::Dated(target, modified, every) => (target, *modified, *every),
            };
            let (context, mention) = (contexts.next(), mentions.next());
            let Target::Known(number) = target else { return None };
            let (url, first) = self.url(base + u64::from(*number), kept)?;
            let (context, mention) = (context.or_first(first.context), mention.or_first(first.mention));
            links.push_link(Link { url, kind, modified, every, context, mention });
        }
        links.leave_out(left_out);
        Some(Look { media_type, sniffed, links, ..Look::default() })
    }

    fn url(&mut self, number: u64, kept: &dyn Kept) -> Option<(&str, First)> {
        if self.decoded.len() > TABLE_MAX {
            self.decoded.clear();
        }
        if !self.decoded.contains_key(&number) {
            let text = self.new_urls.get(&number).cloned().or_else(|| kept.url(number))?;
            let (url, context, mention): (String, u32, String) = serde_json::from_str(&text).ok()?;
            let (mention, _) = Mention::read(mention.as_bytes())?;
            self.decoded.insert(number, (url.into(), First { context, mention }));
        }
        self.decoded.get(&number).map(|(url, first)| (&**url, *first))
    }
}

/// Puts numbers in the place of URLs. Returns those, with what was first said of them.
fn intern(coded: &mut Coded<'_>) -> Vec<String> {
    let (mut contexts, mut mentions) = (Reader::new(&coded.contexts), Reader::<Mention>::new(&coded.mentions));
    let (mut named, mut number) = (Vec::new(), coded.from);
    for item in &mut coded.list {
        let target = match item {
            Item::Are(_) => continue,
            Item::Url(target) | Item::Dated(target, ..) => target,
        };
        let (context, mention) = (contexts.next(), mentions.next());
        if let Target::New(url) = target {
            let mut text = String::new();
            mention.or_first(Mention::default()).spell(&mut text);
            let row = (&*url, context.or_first(0u32), text);
            named.push(serde_json::to_string(&row).expect("a row is plain data"));
            *target = Target::Known(number);
            number += 1;
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a database would keep.
    #[derive(Default)]
    struct Memory {
        lists: HashMap<u64, Vec<u8>>,
        urls: HashMap<u64, String>,
    }

    impl Kept for Memory {
        fn list(&self, key: u64) -> Option<Vec<u8>> {
            self.lists.get(&key).cloned()
        }

        fn url(&self, number: u64) -> Option<String> {
            self.urls.get(&number).cloned()
        }
    }

    fn look(page: &str) -> Look {
        let html = format!("<nav><a href=/>Home</a><a href=/{page}>{page} words</a></nav><img src=/i.png alt=x>");
        let url = "http://example.com/";
        let described = tintype_observe::Described {
            url,
            content_type: Some("text/html"),
            content_encoding: None,
            link_headers: &[],
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
}
