//! How the elements of a page are written, and the words on them.

use super::page::Page;
use crate::{charset::Charset, clicked::Clicked, entity};
use encoding_rs::WINDOWS_1252;
use std::borrow::Cow;
use tintype_vocab::{LinkPlace, Mention, Tag};

impl<'b> Page<'_, 'b> {
    /// How the element just read is written, without its words.
    pub(super) fn mention(&self, tag: Tag) -> Mention {
        let regions = &self.elements.regions;
        let place = if regions.in_body { regions.place() } else { LinkPlace::Head };
        Mention { tag, place, words: [0; 4] }
    }

    /// The same, with the words its attributes have.
    pub(super) fn worded(&self, tag: Tag) -> Mention {
        let mut clicked = Clicked::default();
        if let Some(words) = self.attribute_words() {
            click(self.charset, words, &mut clicked);
        }
        Mention { words: clicked.words, ..self.mention(tag) }
    }

    /// What a `source` is of; the media type it names tells more than its place.
    pub(super) fn source(&self) -> Tag {
        let media_type = self.elements.tags.attribute("type").unwrap_or_default();
        let is = |kind: &[u8]| media_type.get(..kind.len()).is_some_and(|start| start.eq_ignore_ascii_case(kind));
        match () {
            () if is(b"audio/") => Tag::Audio,
            () if is(b"video/") => Tag::Video,
            () => Tag::Source,
        }
    }

    /// The anchor before this place is over: its words are known.
    pub(super) fn settle_anchor(&mut self) {
        let mut clicked = Clicked::default();
        if let Some(link) = self.elements.anchor.take(|piece| click(self.charset, piece, &mut clicked)) {
            self.collector.add_words(link, clicked.words);
        }
    }

    /// An image inside an anchor says in words what it shows.
    pub(super) fn stand_in_for_text(&mut self) {
        if let Some(alt) = self.elements.tags.attribute("alt") {
            self.elements.anchor.text(alt);
        }
    }

    /// What the element just read says of itself to those who do not see it, or of what is behind it.
    pub(super) fn attribute_words(&self) -> Option<&'b [u8]> {
        let attributes = self.elements.tags.attributes().iter().filter(|attribute| !attribute.value.is_empty());
        let worded = attributes.filter_map(|attribute| Some((rank(attribute.name)?, attribute.value)));
        worded.min_by_key(|(rank, _)| *rank).map(|(_, words)| words)
    }
}

/// Adds words as they stand in the page. What is UTF-8 is taken for that, whatever the page says, and where a page says
/// nothing its other words are Latin: they are numbers that must be the same next time, nobody reads them.
fn click(charset: &Charset<'_>, raw: &[u8], clicked: &mut Clicked) {
    if raw.is_ascii() && memchr::memchr(b'&', raw).is_none() {
        return clicked.add_ascii(raw);
    }
    let text = match std::str::from_utf8(raw) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => charset.unguessed().unwrap_or(WINDOWS_1252).decode_without_bom_handling(raw).0,
    };
    clicked.add(&entity::unescape(&text));
}

/// Attributes with words, the best first.
fn rank(attribute: &[u8]) -> Option<usize> {
    let is = |known: &str| attribute.eq_ignore_ascii_case(known.as_bytes());
    match attribute.len() {
        3 if is("alt") => Some(0),
        5 if is("title") => Some(1),
        10 if is("aria-label") => Some(2),
        4 if is("type") => Some(3),
        _ => None,
    }
}
