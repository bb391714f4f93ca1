//! Links in the log. A site's pages repeat the same fifty links, so each URL is written once as text and later
//! as its number: the first text after a reset is 0, the next 1, and so on.
//!
//! An element of the list is a URL (text or number), `[URL, modified]` or `[URL, modified or null, every]` if its
//! lister said so, or `{"are": kind}`, which holds for the elements after it. Each list says which number its first new URL gets; 0 means that the table starts afresh,
//! so a reader that lost a line knows what it lost. What the words around the links come to and how the links are
//! written is told in texts beside the list ([`spelled`](super::spelled)).

use super::spelled::{Reader, Told, Writer};
use hashbrown::{HashMap, hash_map::Entry};
use serde::{
    Deserialize, Serialize,
    de::{MapAccess, SeqAccess, Visitor},
};
use std::{borrow::Cow, fmt};
use tintype_vocab::{Link, LinkKind, Links, Mention, Span, Time};

/// The table is emptied before the list that finds it this full: a bound on memory for writer and reader alike.
pub(super) const TABLE_MAX: usize = 1 << 16;

/// A URL hash as its own hash.
#[derive(Debug, Default)]
pub(super) struct Ready(u64);

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
    pub(super) from: u32,
    #[serde(borrow)]
    pub(super) list: Vec<Item<'a>>,
    /// Missing if no link has a context, and in logs older than contexts.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) contexts: String,
    /// The same for mentions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) mentions: String,
}

/// What was said of a URL when it was new.
#[derive(Clone, Copy, Debug)]
pub(super) struct First {
    pub(super) context: u32,
    pub(super) mention: Mention,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item<'a> {
    Are(LinkKind),
    Url(Target<'a>),
    /// One of the two at least is there.
    Dated(Target<'a>, Option<Time>, Option<Span>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Target<'a> {
    New(Cow<'a, str>),
    Known(u32),
}

/// The writer's table.
#[derive(Debug, Default)]
pub(crate) struct Coder {
    /// By URL: its number, and what was first said of it.
    numbers: HashMap<u64, (u32, First), std::hash::BuildHasherDefault<Ready>>,
}

impl Coder {
    pub(crate) fn code<'a>(&mut self, links: &'a Links) -> Coded<'a> {
        if self.numbers.len() >= TABLE_MAX {
            self.numbers.clear();
        }
        let from = self.numbers.len() as u32;
        let mut list = Vec::with_capacity(links.len() + 4);
        let (mut contexts, mut mentions) = (Writer::default(), Writer::default());
        let mut kind = None;
        for link in links.iter() {
            if kind.replace(link.kind) != Some(link.kind) {
                list.push(Item::Are(link.kind));
            }
            let (target, first) = self.target(&link);
            contexts.push(link.context, first.map(|first| first.context));
            mentions.push(link.mention, first.map(|first| first.mention));
            list.push(match (link.modified, link.every) {
                (None, None) => Item::Url(target),
                (modified, every) => Item::Dated(target, modified, every),
            });
        }
        Coded { from, list, contexts: contexts.finish(), mentions: mentions.finish() }
    }

    /// How a link's URL is written, and what was said of it when it was new, if it no longer is.
    fn target<'a>(&mut self, link: &Link<'a>) -> (Target<'a>, Option<First>) {
        let next = self.numbers.len() as u32;
        match self.numbers.entry(rapidhash::v3::rapidhash_v3(link.url.as_bytes())) {
            Entry::Occupied(known) => {
                let (number, first) = *known.get();
                (Target::Known(number), Some(first))
            }
            Entry::Vacant(place) => {
                place.insert((next, First { context: link.context, mention: link.mention }));
                (Target::New(link.url.into()), None)
            }
        }
    }
}

/// The reader's table.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    /// A URL, and what was first said of it.
    urls: Vec<Option<(Box<str>, First)>>,
}

impl Decoder {
    /// The links, without those whose text stood on a line that is lost.
    pub(crate) fn decode(&mut self, coded: &Coded<'_>) -> Links {
        // Damage cannot make the table larger than an honest writer would.
        self.urls.resize((coded.from as usize).min(2 * TABLE_MAX), None);
        let mut links = Links::new();
        let (mut contexts, mut mentions) = (Reader::new(&coded.contexts), Reader::new(&coded.mentions));
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
            let Some((url, First { context, mention })) = self.resolve(target, context, mention) else { continue };
            links.push_link(Link { url, kind, modified, every, context, mention });
        }
        links
    }

    /// The URL, and what is said of it here.
    fn resolve(&mut self, target: &Target<'_>, context: Told<u32>, mention: Told<Mention>) -> Option<(&str, First)> {
        let said =
            |first: First| First { context: context.or_first(first.context), mention: mention.or_first(first.mention) };
        let at = match target {
            Target::New(url) => {
                let nothing = First { context: 0, mention: Mention::default() };
                self.urls.push(Some((url.as_ref().into(), said(nothing))));
                self.urls.len() - 1
            }
            Target::Known(number) => *number as usize,
        };
        let (url, first) = self.urls.get(at)?.as_ref()?;
        Some((url, said(*first)))
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
mod tests;
