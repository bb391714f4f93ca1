//! Links in the log. A site's pages repeat the same fifty links, so each URL is written once as text and later
//! as its number: the first text after a reset is 0, the next 1, and so on.
//!
//! An element of the list is a URL (text or number), `[URL, modified]` or `[URL, modified or null, every]` if its
//! lister said so, or `{"are": kind}`, which holds for the elements after it. Each list says which number its first new URL gets; 0 means that the table starts afresh,
//! so a reader that lost a line knows what it lost. What the words around the links come to is told in
//! [`contexts`].

use super::contexts::{self, Told};
use hashbrown::{HashMap, hash_map::Entry};
use serde::{
    Deserialize, Serialize,
    de::{MapAccess, SeqAccess, Visitor},
};
use std::{borrow::Cow, fmt};
use tintype_vocab::{Link, LinkKind, Links, Span, Time};

/// The table is emptied before the list that finds it this full: a bound on memory for writer and reader alike.
const TABLE_MAX: usize = 1 << 16;

/// A URL hash as its own hash.
#[derive(Debug, Default)]
struct Ready(u64);

impl std::hash::Hasher for Ready {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are u64")
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// The links of one observation as they stand in the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Coded<'a> {
    from: u32,
    #[serde(borrow)]
    list: Vec<Item<'a>>,
    /// Missing if no link has a context, and in logs older than contexts.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    contexts: String,
}

#[derive(Clone, Debug, PartialEq)]
enum Item<'a> {
    Are(LinkKind),
    Url(Target<'a>),
    /// One of the two at least is there.
    Dated(Target<'a>, Option<Time>, Option<Span>),
}

#[derive(Clone, Debug, PartialEq)]
enum Target<'a> {
    New(Cow<'a, str>),
    Known(u32),
}

/// The writer's table.
#[derive(Debug, Default)]
pub(crate) struct Coder {
    /// A URL's number, and the context it was first seen in.
    numbers: HashMap<u64, (u32, u32), std::hash::BuildHasherDefault<Ready>>,
}

impl Coder {
    pub(crate) fn code<'a>(&mut self, links: &'a Links) -> Coded<'a> {
        if self.numbers.len() >= TABLE_MAX {
            self.numbers.clear();
        }
        let from = self.numbers.len() as u32;
        let mut list = Vec::with_capacity(links.len() + 4);
        let mut contexts = contexts::Writer::default();
        let mut kind = None;
        for link in links.iter() {
            if kind.replace(link.kind) != Some(link.kind) {
                list.push(Item::Are(link.kind));
            }
            let (target, first) = self.target(&link);
            contexts.push(link.context, first);
            list.push(match (link.modified, link.every) {
                (None, None) => Item::Url(target),
                (modified, every) => Item::Dated(target, modified, every),
            });
        }
        let contexts = if links.has_contexts() { contexts.finish() } else { String::new() };
        Coded { from, list, contexts }
    }

    /// How a link's URL is written, and the context it had when it was new, if it no longer is.
    fn target<'a>(&mut self, link: &Link<'a>) -> (Target<'a>, Option<u32>) {
        let next = self.numbers.len() as u32;
        match self.numbers.entry(rapidhash::v3::rapidhash_v3(link.url.as_bytes())) {
            Entry::Occupied(known) => {
                let (number, first) = *known.get();
                (Target::Known(number), Some(first))
            }
            Entry::Vacant(place) => {
                place.insert((next, link.context));
                (Target::New(link.url.into()), None)
            }
        }
    }
}

/// The reader's table.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    /// A URL, and the context it was first seen in.
    urls: Vec<Option<(Box<str>, u32)>>,
}

impl Decoder {
    /// The links, without those whose text stood on a line that is lost.
    pub(crate) fn decode(&mut self, coded: &Coded<'_>) -> Links {
        // Damage cannot make the table larger than an honest writer would.
        self.urls.resize((coded.from as usize).min(2 * TABLE_MAX), None);
        let mut links = Links::new();
        let mut contexts = contexts::Reader::new(&coded.contexts);
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
            let told = contexts.next();
            let Some((url, context)) = self.resolve(target, told) else { continue };
            links.push_link(Link { modified, every, context, ..Link::new(url, kind) });
        }
        links
    }

    fn resolve(&mut self, target: &Target<'_>, told: Told) -> Option<(&str, u32)> {
        let at = match target {
            Target::New(url) => {
                self.urls.push(Some((url.as_ref().into(), told.or_first(0))));
                self.urls.len() - 1
            }
            Target::Known(number) => *number as usize,
        };
        let (url, first) = self.urls.get(at)?.as_ref()?;
        Some((url, told.or_first(*first)))
    }
}

impl Serialize for Target<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Target::New(url) => serializer.serialize_str(url),
            Target::Known(number) => serializer.serialize_u32(*number),
        }
    }
}

impl Serialize for Item<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Item::Are(kind) => serializer.collect_map([("are", kind)]),
            Item::Url(target) => target.serialize(serializer),
            Item::Dated(target, modified, None) => (target, modified).serialize(serializer),
            Item::Dated(target, modified, every) => (target, modified, every).serialize(serializer),
        }
    }
}

struct TargetVisitor;

impl<'de> Visitor<'de> for TargetVisitor {
    type Value = Target<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a URL or its number")
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Target<'de>, E> {
        u32::try_from(number).map(Target::Known).map_err(E::custom)
    }

    fn visit_borrowed_str<E>(self, url: &'de str) -> Result<Target<'de>, E> {
        Ok(Target::New(url.into()))
    }

    fn visit_str<E>(self, url: &str) -> Result<Target<'de>, E> {
        Ok(Target::New(url.to_owned().into()))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Target<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Target<'a>, D::Error> {
        deserializer.deserialize_any(TargetVisitor)
    }
}

struct ItemVisitor;

impl<'de> Visitor<'de> for ItemVisitor {
    type Value = Item<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a link or a kind of link")
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Item<'de>, E> {
        TargetVisitor.visit_u64(number).map(Item::Url)
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, url: &'de str) -> Result<Item<'de>, E> {
        TargetVisitor.visit_borrowed_str(url).map(Item::Url)
    }

    fn visit_str<E: serde::de::Error>(self, url: &str) -> Result<Item<'de>, E> {
        TargetVisitor.visit_str(url).map(Item::Url)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut pair: A) -> Result<Item<'de>, A::Error> {
        let missing = || serde::de::Error::custom("a dated link has a URL and a time");
        let target = pair.next_element()?.ok_or_else(missing)?;
        let modified = pair.next_element()?.ok_or_else(missing)?;
        let every = pair.next_element()?.flatten();
        Ok(Item::Dated(target, modified, every))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Item<'de>, A::Error> {
        match map.next_entry::<Cow<'_, str>, LinkKind>()? {
            Some((key, kind)) if key == "are" => Ok(Item::Are(kind)),
            _ => Err(serde::de::Error::custom("expected {\"are\": kind}")),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Item<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Item<'a>, D::Error> {
        deserializer.deserialize_any(ItemVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KINDS: [LinkKind; 6] =
        [LinkKind::Anchor, LinkKind::Embed, LinkKind::Redirect, LinkKind::Sitemap, LinkKind::Feed, LinkKind::Listed];

    fn page(links: &[(u16, usize, Option<i64>)]) -> Links {
        scheduled(&links.iter().map(|&(url, kind, modified)| (url, kind, modified, None)).collect::<Vec<_>>())
    }

    fn scheduled(links: &[(u16, usize, Option<i64>, Option<i64>)]) -> Links {
        let mut page = Links::new();
        for &(url, kind, modified, every) in links {
            let url = format!("http://example.com/\"{url}\"");
            let (modified, every) = (modified.map(Time::from_millis), every.map(Span::from_millis));
            page.push_link(Link { modified, every, ..Link::new(&url, KINDS[kind]) });
        }
        page
    }

    fn worded(links: &[(u16, u32)]) -> Links {
        let mut page = page(&links.iter().map(|(url, _)| (*url, 0, None)).collect::<Vec<_>>());
        links.iter().enumerate().for_each(|(index, (_, context))| page.set_context(index, *context));
        page
    }

    proptest! {
        #[test]
        fn what_is_coded_comes_back(pages in prop::collection::vec(
            prop::collection::vec(
                (0u16..40, 0usize..6, prop::option::of(any::<i64>()), prop::option::of(any::<i64>())), 0..30), 0..10)) {
            let (mut coder, mut decoder) = (Coder::default(), Decoder::default());
            for links in &pages {
                let links = scheduled(links);
                let text = serde_json::to_string(&coder.code(&links)).unwrap();
                prop_assert_eq!(decoder.decode(&serde_json::from_str(&text).unwrap()), links);
            }
        }
    }

    #[test]
    fn how_often_is_written_only_where_it_was_said() {
        let links =
            scheduled(&[(1, 5, None, None), (2, 5, Some(5), None), (3, 5, None, Some(7)), (4, 5, Some(8), Some(9))]);
        let text = serde_json::to_string(&Coder::default().code(&links)).unwrap().replace("http://example.com/", "");
        let expected = r#"[{"are":"listed"},"\"1\"",["\"2\"",5],["\"3\"",null,7],["\"4\"",8,9]]"#;
        assert_eq!(text, format!(r#"{{"from":0,"list":{expected}}}"#));
    }

    /// None, one of a few that come back, or any.
    fn context() -> impl Strategy<Value = u32> {
        prop_oneof![Just(0), 1u32..4, any::<u32>()]
    }

    proptest! {
        #[test]
        fn contexts_come_back(pages in prop::collection::vec(
            prop::collection::vec((0u16..20, context()), 0..30), 0..10)) {
            let (mut coder, mut decoder) = (Coder::default(), Decoder::default());
            for links in &pages {
                let links = worded(links);
                let text = serde_json::to_string(&coder.code(&links)).unwrap();
                prop_assert_eq!(text.contains("contexts"), links.has_contexts());
                prop_assert_eq!(decoder.decode(&serde_json::from_str(&text).unwrap()), links);
            }
        }
    }

    #[test]
    fn contexts_are_short_where_nothing_changed() {
        let mut coder = Coder::default();
        let menu: Vec<(u16, u32)> = (0..50).map(|n| (n, 1_000_000 + u32::from(n))).collect();
        let first = coder.code(&worded(&menu)).contexts.len();
        let again = coder.code(&worded(&menu)).contexts.len();
        assert_eq!((first, again), (300, 50));
    }

    #[test]
    fn logs_older_than_contexts_are_read() {
        let text = r#"{"from":0,"list":[{"are":"anchor"},"http://e/1",["http://e/2",5],0]}"#;
        let links = Decoder::default().decode(&serde_json::from_str(text).unwrap());
        assert_eq!((links.len(), links.has_contexts()), (3, false));
        let mut plain = page(&[(1, 0, None)]);
        plain.set_context(0, 0);
        assert!(!serde_json::to_string(&Coder::default().code(&plain)).unwrap().contains("contexts"));
    }

    #[test]
    fn a_lost_line_does_not_give_links_words_they_never_had() {
        let mut coder = Coder::default();
        let pages = [worded(&[(1, 5)]), worded(&[(1, 6), (2, 7)]), worded(&[(1, 5), (2, 7), (3, 8)])];
        let coded: Vec<_> = pages.iter().map(|links| coder.code(links)).collect();
        let mut decoder = Decoder::default();
        decoder.decode(&coded[0]);
        assert_eq!(decoder.decode(&coded[2]), worded(&[(1, 5), (3, 8)]));
    }

    #[test]
    fn the_table_is_emptied_at_its_bound_and_both_sides_agree() {
        let (mut coder, mut decoder) = (Coder::default(), Decoder::default());
        let mut resets = 0;
        for batch in 0..5u32 {
            let mut links = Links::new();
            for number in 0..TABLE_MAX as u32 / 2 {
                links.push(&format!("http://e/{batch}/{number}"), LinkKind::Anchor);
                links.push("http://e/", LinkKind::Anchor);
            }
            let coded = coder.code(&links);
            resets += usize::from(batch > 0 && coded.from == 0);
            assert_eq!(decoder.decode(&coded), links);
            assert!(coder.numbers.len() <= TABLE_MAX + TABLE_MAX / 2);
        }
        assert!(resets >= 1);
    }

    #[test]
    fn a_lost_line_costs_only_the_links_it_introduced() {
        let mut coder = Coder::default();
        let pages = [page(&[(1, 0, None)]), page(&[(1, 0, None), (2, 0, None)]), page(&[(2, 0, None), (3, 1, None)])];
        let coded: Vec<_> = pages.iter().map(|links| coder.code(links)).collect();
        let mut decoder = Decoder::default();
        decoder.decode(&coded[0]);
        assert_eq!(decoder.decode(&coded[2]), page(&[(3, 1, None)]));
    }

    #[test]
    fn nonsense_numbers_neither_panic_nor_grow() {
        let mut decoder = Decoder::default();
        let coded: Coded<'_> = serde_json::from_str(r#"{"from":4294967295,"list":[4294967295,["x",5]]}"#).unwrap();
        assert_eq!(decoder.decode(&coded).len(), 1);
        assert!(serde_json::from_str::<Coded<'_>>(r#"{"from":0,"list":[{"are":"x"}]}"#).is_err());
        assert!(serde_json::from_str::<Coded<'_>>(r#"{"from":0,"list":[[1]]}"#).is_err());
    }
}
