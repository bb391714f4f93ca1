//! Gathers the links of one body: resolves, drops what cannot be asked for, keeps each once, and knows when to stop.

use crate::{
    LookFindings,
    join::{self, Base},
    wording,
};
use encoding_rs::{Encoding, UTF_8};
use hashbrown::HashTable;
use rapidhash::v3::rapidhash_v3;
use std::borrow::Cow;
use tintype_vocab::{LeftOut, Link, LinkKind, Links, Mention, Tag};
use url::{Position, Url};

/// Most links taken from one page; the rest is counted.
pub const LINKS_MAX: usize = 20_000;
/// Longest URL worth asking for, in bytes.
pub const URL_MAX: usize = 4_096;
/// Most bytes of URL text taken from one body.
pub const LINK_TEXT_MAX: usize = 16 << 20;

/// As many links as most pages have; room for them is made at once.
pub(crate) const LINKS_USUAL: usize = 56;

/// The links of one body in the making.
#[derive(Debug)]
pub(crate) struct Collector {
    base: Option<Base>,
    has_base_element: bool,
    /// Where the last absolute link went that needed the URL parser: its neighbours often go there as well.
    last_origin: String,
    /// What the page's own charset makes of non-ASCII in queries, as browsers do it.
    pub(crate) query_encoding: &'static Encoding,
    links: Links,
    text_len: usize,
    /// Hash and number of what is in `links`. At 64 bits an accidental collision is a one in 10^9 event on the largest page,
    /// and a page that makes one on purpose hides only its own link.
    seen: HashTable<(u64, u32)>,
    joined: String,
    pub(crate) links_max: usize,
    /// The page asks that none of its anchors be followed.
    pub(crate) is_unfollowed: bool,
    pub(crate) findings: LookFindings,
}

impl Collector {
    pub(crate) fn new(page: &str) -> Collector {
        Collector {
            base: Url::parse(page).ok().and_then(Base::new),
            has_base_element: false,
            last_origin: String::new(),
            query_encoding: UTF_8,
            links: Links::new(),
            text_len: 0,
            seen: HashTable::with_capacity(LINKS_USUAL),
            joined: String::new(),
            links_max: LINKS_MAX,
            is_unfollowed: false,
            findings: LookFindings::default(),
        }
    }

    /// Resolves what follows against `reference`; only the first such wish of a page counts.
    pub(crate) fn rebase(&mut self, reference: &str) {
        if self.has_base_element || reference.len() > URL_MAX {
            return;
        }
        self.has_base_element = true;
        let options = Url::options();
        let parsed = options.base_url(self.base.as_ref().map(Base::url)).parse(reference);
        if let Some(base) = parsed.ok().and_then(Base::new) {
            self.base = Some(base);
        }
    }

    /// What links are resolved against.
    pub(crate) fn base_url(&self) -> Option<&Url> {
        self.base.as_ref().map(Base::url)
    }

    /// Lets `read` add the links of a page inside the page, which may have a base of its own.
    pub(crate) fn within(&mut self, read: impl FnOnce(&mut Collector)) {
        let (base, has_base_element) = (self.base.clone(), std::mem::take(&mut self.has_base_element));
        read(self);
        (self.base, self.has_base_element) = (base, has_base_element);
    }

    /// Adds a part of a stream, whose manifest says what it is relative to.
    pub(crate) fn add_part(&mut self, base: &Url, reference: &str) {
        if reference.len() > URL_MAX {
            self.findings.urls_too_long += 1;
            return;
        }
        match base.join(reference) {
            Ok(url) => self.add(url.as_str(), LinkKind::Embed, Tag::Video),
            Err(_) => self.findings.urls_unreadable += 1,
        }
    }

    /// Adds a link of which no more is known than the construct that carries it.
    pub(crate) fn add(&mut self, reference: &str, kind: LinkKind, tag: Tag) {
        self.place(Link { mention: Mention { tag, ..Mention::default() }, ..Link::new(reference, kind) });
    }

    /// Adds an entry of a listing, with what the listing says about it.
    pub(crate) fn add_entry(&mut self, entry: Link<'_>) {
        let context = entry.context;
        if let Some(link) = self.place(entry) {
            self.add_context(link, context);
        }
    }

    /// Says what the text around a link comes to; what stands in several places has the text of all of them.
    pub(crate) fn add_context(&mut self, link: u32, context: u32) {
        let link = link as usize;
        self.links.set_context(link, wording::together(self.links.context(link), context));
    }

    /// Says which words are on a link, unless it was seen before with some.
    pub(crate) fn add_words(&mut self, link: u32, words: [u16; 4]) {
        let mention = self.links.mention(link as usize);
        if mention.words == [0; 4] && words != mention.words {
            self.links.set_mention(link as usize, Mention { words, ..mention });
        }
    }

    /// Adds a link whose URL is still to be resolved, without context, and says which one it is; nothing if it is not
    /// kept.
    pub(crate) fn place(&mut self, link: Link<'_>) -> Option<u32> {
        let reference = link.url.trim_matches(|c| c <= ' ');
        if !can_be_asked_for(reference) {
            return None;
        }
        if reference.len() > URL_MAX {
            self.findings.urls_too_long += 1;
            return None;
        }
        let mut joined = std::mem::take(&mut self.joined);
        let resolved = self.resolve(reference, &mut joined);
        let place = if resolved { self.keep(Link { url: &joined, context: 0, ..link }) } else { None };
        self.joined = joined;
        place
    }

    fn resolve(&mut self, reference: &str, joined: &mut String) -> bool {
        if self.base.as_ref().is_some_and(|base| base.join_plain(reference, joined)) {
            return true;
        }
        if !self.last_origin.is_empty() && join::copy_plain(&self.last_origin, reference, joined) {
            return true;
        }
        let encode = encoder(self.query_encoding);
        let options = Url::options().base_url(self.base.as_ref().map(Base::url));
        let foreign = self.query_encoding != UTF_8 && !reference.is_ascii();
        let parsed =
            if foreign { options.encoding_override(Some(&encode)).parse(reference) } else { options.parse(reference) };
        let Ok(mut url) = parsed else {
            self.findings.urls_unreadable += 1;
            return false;
        };
        if !matches!(url.scheme(), "http" | "https") {
            return false;
        }
        if reference.starts_with("http") {
            self.last_origin.clear();
            self.last_origin.push_str(&url[..Position::BeforePath]);
        }
        url.set_fragment(None);
        joined.clear();
        joined.push_str(url.as_str());
        true
    }

    fn keep(&mut self, link: Link<'_>) -> Option<u32> {
        let Link { url, kind, .. } = link;
        if url.len() > URL_MAX {
            self.findings.urls_too_long += 1;
            return None;
        }
        let hash = rapidhash_v3(url.as_bytes()) ^ (kind as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if let Some(&(_, index)) = self.seen.find(hash, |&(other, _)| other == hash) {
            self.add_words(index, link.mention.words);
            self.follow(index as usize, link.mention.tag);
            return Some(index);
        }
        if self.is_full(url.len()) {
            self.findings.links_over_limit += 1;
            return None;
        }
        let index = self.links.len() as u32;
        self.seen.insert_unique(hash, (hash, index), |&(hash, _)| hash);
        self.text_len += url.len();
        self.links.push_link(link);
        Some(index)
    }

    /// What is linked twice is only not to be followed if neither link is.
    fn follow(&mut self, link: usize, tag: Tag) {
        let mention = self.links.mention(link);
        if mention.tag == Tag::Unfollowed && tag != mention.tag {
            self.links.set_mention(link, Mention { tag, ..mention });
        }
    }

    /// Marks all anchors of a page that asks not to follow any.
    fn unfollow_all(&mut self) {
        let is_anchor = |link: &Link<'_>| link.kind == LinkKind::Anchor && link.mention.tag != Tag::Redirect;
        let anchors: Vec<usize> =
            self.links.iter().enumerate().filter(|(_, link)| is_anchor(link)).map(|(number, _)| number).collect();
        for link in anchors {
            let mention = self.links.mention(link);
            self.links.set_mention(link, Mention { tag: Tag::Unfollowed, ..mention });
        }
    }

    fn is_full(&self, more: usize) -> bool {
        self.links.len() >= self.links_max || self.text_len + more > LINK_TEXT_MAX
    }

    pub(crate) fn finish(mut self) -> (Links, LookFindings) {
        if self.is_unfollowed {
            self.unfollow_all();
        }
        let LookFindings { urls_too_long: too_long, links_over_limit: too_many, .. } = self.findings;
        self.links.leave_out(LeftOut { too_long, too_many });
        (self.links, self.findings)
    }
}

fn encoder(encoding: &'static Encoding) -> impl Fn(&str) -> Cow<'_, [u8]> {
    move |text| encoding.encode(text).0
}

/// Cheaply drops what is no http(s) URL: nothing, fragments, and foreign schemes such as `javascript:` or `data:`.
fn can_be_asked_for(reference: &str) -> bool {
    let bytes = reference.as_bytes();
    match bytes.first() {
        None | Some(b'#') => false,
        Some(first) if first.is_ascii_alphabetic() => {
            let end = bytes.iter().position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')));
            match end {
                Some(colon) if bytes[colon] == b':' => is_web(&bytes[..colon]),
                _ => true,
            }
        }
        Some(_) => true,
    }
}

fn is_web(scheme: &[u8]) -> bool {
    scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collected(references: &[(&str, LinkKind)]) -> (Vec<(String, LinkKind)>, LookFindings) {
        let mut collector = Collector::new("http://site.example/dir/page");
        for (reference, kind) in references {
            collector.add(reference, *kind, Tag::Unknown);
        }
        let (links, findings) = collector.finish();
        (links.iter().map(|link| (link.url.to_owned(), link.kind)).collect(), findings)
    }

    #[test]
    fn only_what_can_be_asked_for_is_kept() {
        use LinkKind::Anchor;
        let dropped = [
            "",
            " ",
            "#",
            "#top",
            "javascript:void(0)",
            "JavaScript:x",
            "java\nscript:x",
            "mailto:a@b",
            "tel:1",
            "data:,x",
            "blob:http://site.example/1",
            "about:blank",
            "ftp://site.example/",
            "x-app://y",
        ];
        for reference in dropped {
            assert_eq!(collected(&[(reference, Anchor)]), (vec![], LookFindings::default()), "{reference:?}");
        }
        let (links, findings) = collected(&[("http://[bad", Anchor), ("http:///", Anchor)]);
        assert!(links.is_empty());
        assert_eq!(findings.urls_unreadable, 2);
    }

    #[test]
    fn white_space_is_stripped_as_browsers_do() {
        let (links, _) = collected(&[(" \n/a\tb\n/c \u{c}", LinkKind::Anchor), ("//other.example", LinkKind::Anchor)]);
        assert_eq!(links[0].0, "http://site.example/ab/c");
        assert_eq!(links[1].0, "http://other.example/");
    }

    #[test]
    fn a_link_is_kept_once_per_kind() {
        use LinkKind::{Anchor, Embed};
        let (links, _) = collected(&[("x", Anchor), ("/dir/x#y", Anchor), ("x", Embed), ("./x", Embed)]);
        let x = "http://site.example/dir/x".to_owned();
        assert_eq!(links, [(x.clone(), Anchor), (x, Embed)]);
    }

    #[test]
    fn what_goes_beyond_the_limits_is_counted() {
        let mut collector = Collector::new("http://site.example/");
        for n in 0..LINKS_MAX + 5 {
            collector.add(&format!("/{n}"), LinkKind::Anchor, Tag::Anchor);
        }
        collector.add(&"x".repeat(URL_MAX + 1), LinkKind::Anchor, Tag::Anchor);
        collector.add(&"é".repeat(URL_MAX / 4), LinkKind::Anchor, Tag::Anchor);
        let (links, findings) = collector.finish();
        assert_eq!(links.len(), LINKS_MAX);
        assert_eq!((findings.links_over_limit, findings.urls_too_long), (5, 2));
        assert_eq!(links.left_out(), LeftOut { too_long: 2, too_many: 5 });
    }

    #[test]
    fn link_text_is_bounded() {
        let mut collector = Collector::new("http://site.example/");
        let long = "y".repeat(URL_MAX - 100);
        let mut n = 0;
        while collector.findings.links_over_limit == 0 {
            collector.add(&format!("/{n}/{long}"), LinkKind::Anchor, Tag::Anchor);
            n += 1;
        }
        assert!(n < LINKS_MAX);
        assert!(collector.text_len <= LINK_TEXT_MAX);
    }

    #[test]
    fn only_the_first_base_counts() {
        let mut collector = Collector::new("http://site.example/dir/page");
        collector.rebase("/other/");
        collector.rebase("http://elsewhere.example/");
        collector.add("x", LinkKind::Anchor, Tag::Anchor);
        assert_eq!(collector.finish().0.iter().next().unwrap().url, "http://site.example/other/x");
    }

    #[test]
    fn a_page_whose_own_url_is_unusable_still_has_absolute_links() {
        let mut collector = Collector::new("not a url");
        collector.add("x", LinkKind::Anchor, Tag::Anchor);
        collector.add("http://site.example", LinkKind::Anchor, Tag::Anchor);
        let (links, findings) = collector.finish();
        assert_eq!((links.len(), findings.urls_unreadable), (1, 1));
    }
}
