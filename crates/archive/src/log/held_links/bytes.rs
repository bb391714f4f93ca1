//! How lists of links are spelled: numbers as in LEB128, a byte for each link that says what follows of it.

use super::First;
use tintype_vocab::{Link, LinkKind, LinkPlace, Mention, Span, Tag, Time};

/// In the order of their numbers.
const KINDS: [LinkKind; 6] =
    [LinkKind::Anchor, LinkKind::Embed, LinkKind::Redirect, LinkKind::Sitemap, LinkKind::Feed, LinkKind::Listed];

/// What is said of a link beside its URL: nothing, what was first said of that, or something else, which follows.
const NOTHING: u8 = 0;
const FIRST: u8 = 1;
const FOLLOWS: u8 = 2;

pub(super) fn put(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A text that may not be there.
pub(super) fn put_text(text: Option<&str>, out: &mut Vec<u8>) {
    put(text.map_or(0, |text| text.len() as u64 + 1), out);
    out.extend_from_slice(text.unwrap_or_default().as_bytes());
}

/// A number that may not be there, any of whose bits may be set.
pub(super) fn put_gist(gist: Option<u64>, out: &mut Vec<u8>) {
    out.push(u8::from(gist.is_some()));
    out.extend(gist.into_iter().flat_map(u64::to_le_bytes));
}

pub(super) fn put_mention(mention: Mention, out: &mut Vec<u8>) {
    out.extend_from_slice(&[mention.tag as u8, mention.place as u8]);
    mention.words.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
}

/// A link whose URL has this number.
pub(super) fn put_link(link: &Link<'_>, number: u32, first: First, out: &mut Vec<u8>) {
    let (context, mention) = (said(link.context, first.context), said(link.mention, first.mention));
    let dated = u8::from(link.modified.is_some()) * 2 + u8::from(link.every.is_some());
    out.push(((link.kind as u8 * 3 + context) * 3 + mention) * 4 + dated);
    put(number.into(), out);
    if context == FOLLOWS {
        out.extend_from_slice(&link.context.to_le_bytes());
    }
    if mention == FOLLOWS {
        put_mention(link.mention, out);
    }
    let times = link.modified.map(Time::as_millis).into_iter().chain(link.every.map(Span::as_millis));
    times.for_each(|time| out.extend_from_slice(&time.to_le_bytes()));
}

fn said<T: Default + PartialEq>(is: T, first: T) -> u8 {
    match is {
        is if is == first => FIRST,
        is if is == T::default() => NOTHING,
        _ => FOLLOWS,
    }
}

/// A link without the text of its URL.
pub(super) struct CodedLink {
    pub(super) number: u32,
    kind: LinkKind,
    /// Nothing where it is what was first said of the URL.
    context: Option<u32>,
    mention: Option<Mention>,
    modified: Option<Time>,
    every: Option<Span>,
}

impl CodedLink {
    pub(super) fn link<'u>(&self, url: &'u str, first: First) -> Link<'u> {
        let CodedLink { kind, context, mention, modified, every, .. } = *self;
        let (context, mention) = (context.unwrap_or(first.context), mention.unwrap_or(first.mention));
        Link { url, kind, modified, every, context, mention }
    }
}

/// What is yet to be read.
pub(super) struct Bytes<'b>(pub(super) &'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub(super) fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    pub(super) fn text(&mut self) -> Option<Option<String>> {
        let Some(len) = self.number()?.checked_sub(1) else { return Some(None) };
        let text = std::str::from_utf8(self.take(len.try_into().ok()?)?).ok()?;
        Some(Some(text.to_owned()))
    }

    pub(super) fn gist(&mut self) -> Option<Option<u64>> {
        match self.take(1)?[0] {
            0 => Some(None),
            _ => Some(Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))),
        }
    }

    pub(super) fn context(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    pub(super) fn mention(&mut self) -> Option<Mention> {
        let bytes = self.take(10)?;
        let word = |nth: usize| u16::from_le_bytes([bytes[2 + 2 * nth], bytes[3 + 2 * nth]]);
        let (tag, place) = (*Tag::ALL.get(usize::from(bytes[0]))?, *LinkPlace::ALL.get(usize::from(bytes[1]))?);
        Some(Mention { tag, place, words: [0, 1, 2, 3].map(word) })
    }

    fn time(&mut self) -> Option<i64> {
        Some(i64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    pub(super) fn link(&mut self) -> Option<CodedLink> {
        let says = self.take(1)?[0];
        let (dated, mention, context) = (says % 4, says / 4 % 3, says / 12 % 3);
        let kind = *KINDS.get(usize::from(says / 36))?;
        let number = self.small()?;
        let context = match context {
            FOLLOWS => Some(self.context()?),
            said => (said == NOTHING).then_some(0),
        };
        let mention = match mention {
            FOLLOWS => Some(self.mention()?),
            said => (said == NOTHING).then(Mention::default),
        };
        let modified = if dated >= 2 { Some(Time::from_millis(self.time()?)) } else { None };
        let every = if dated % 2 == 1 { Some(Span::from_millis(self.time()?)) } else { None };
        Some(CodedLink { number, kind, context, mention, modified, every })
    }
}
