//! Runs of text that nothing divides, with the links and images in them.

use super::{
    element::{self, Element},
    layout::{Role, Span},
};
use crate::entity;
use rapidhash::v3::rapidhash_v3;
use std::borrow::Cow;

/// Atoms of one page; the rest of a page with more is one atom.
pub const ATOMS_MAX: usize = 8_192;
/// Bytes kept of a URL; what a longer one (nearly always data in the page) goes on with is replaced by its hash.
pub const URL_KEPT: usize = 1_024;
/// As many atoms as most pages have; room for them is made at once.
const ATOMS_USUAL: usize = 256;
/// Words kept of what an image is said to show.
const DESCRIPTION_WORDS: usize = 64;

/// A run of text with its links and images.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Atom {
    pub(super) spans: [Span; 3],
    pub(super) words: u32,
    /// Words that are the text of links.
    pub(super) linked_words: u32,
    /// Length of its source: text, hidden or not, and names of tags.
    pub(super) source: u32,
    pub(super) part: Part,
}

/// What sort of run it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Part {
    #[default]
    Text,
    Heading,
    Title,
    Hidden,
    Metadata,
    Data,
}

impl Part {
    /// The role of an atom that stands for itself.
    pub(super) fn role(self) -> Role {
        match self {
            Part::Text => Role::Text,
            Part::Heading => Role::Heading,
            Part::Title => Role::Title,
            Part::Hidden => Role::Hidden,
            Part::Metadata => Role::Metadata,
            Part::Data => Role::Data,
        }
    }
}

/// The atoms of a page in the making. Their texts, links and images lie behind one another, so that neighbouring atoms
/// can become one block without being copied.
#[derive(Debug)]
pub(super) struct Atoms {
    buffers: [String; 3],
    done: Vec<Atom>,
    atom: Atom,
    source: u32,
    /// Whether words are the text of a link.
    in_anchor: bool,
    /// Whether the last word goes on if no white space follows.
    joins: bool,
    /// Whether the last thing was a line break.
    broken: bool,
    /// Whether an empty line divides.
    pub(super) preformatted: bool,
}

impl Atoms {
    /// For a page of that many bytes.
    pub(super) fn new(len: usize) -> Atoms {
        Atoms {
            buffers: [String::with_capacity(len / 2), String::new(), String::new()],
            done: Vec::with_capacity(ATOMS_USUAL),
            atom: Atom::default(),
            source: 0,
            in_anchor: false,
            joins: false,
            broken: false,
            preformatted: false,
        }
    }

    pub(super) fn finish(mut self) -> ([String; 3], Vec<Atom>) {
        self.end();
        (self.buffers, self.done)
    }

    /// How many are done.
    pub(super) fn len(&self) -> u32 {
        self.done.len() as u32
    }

    /// The texts that are done, and where they end.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.done.iter().map(|atom| &self.buffers[0][atom.spans[0].start as usize..atom.spans[0].end as usize])
    }

    /// An atom of its own.
    pub(super) fn alone(&mut self, part: Part, text: &str) {
        self.begin(part);
        self.words(text);
        self.begin(Part::Text);
    }

    /// Words that are struck out begin or end.
    pub(super) fn struck(&mut self) {
        self.joins = false;
        self.add(Element::Text, element::STRUCK);
        self.joins = false;
    }

    /// Whether the last that is done is of that sort.
    pub(super) fn end_with(&self, part: Part) -> bool {
        self.done.last().is_some_and(|atom| atom.part == part)
    }

    /// Ends the run of text.
    pub(super) fn cut(&mut self) {
        (self.joins, self.broken) = (false, false);
        if self.done.len() + 1 < ATOMS_MAX {
            self.end();
        }
    }

    /// Ends the run of text and says what the next one is.
    pub(super) fn begin(&mut self, part: Part) {
        self.cut();
        if self.is_empty() {
            self.atom.part = part;
        }
    }

    /// Says whether the next run is shown.
    pub(super) fn hide(&mut self, is_hidden: bool) {
        match self.atom.part {
            _ if !self.is_empty() => {}
            Part::Hidden if !is_hidden => self.atom.part = Part::Text,
            _ if is_hidden => self.atom.part = Part::Hidden,
            _ => {}
        }
    }

    fn is_empty(&self) -> bool {
        self.atom.spans.iter().all(|span| span.start >= span.end)
    }

    fn end(&mut self) {
        if !self.is_empty() {
            self.atom.source = std::mem::take(&mut self.source);
            self.done.push(std::mem::take(&mut self.atom));
        }
    }

    /// The second of two line breaks divides.
    pub(super) fn line_break(&mut self) {
        if self.broken {
            self.cut();
        }
        (self.joins, self.broken) = (false, true);
    }

    /// So many bytes of the page were passed.
    pub(super) fn pass(&mut self, bytes: usize) {
        self.source = self.source.saturating_add(bytes as u32);
    }

    /// Adds text as it is written.
    pub(super) fn text(&mut self, text: &str) {
        if !self.preformatted {
            return self.words(&entity::unescape(text));
        }
        for (n, paragraph) in text.split("\n\n").enumerate() {
            if n > 0 {
                self.cut();
            }
            self.words(&entity::unescape(paragraph));
        }
    }

    /// Adds text as it is read.
    pub(super) fn words(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let space = |char: Option<char>| char.is_none_or(char::is_whitespace);
        let joins = self.joins && !space(text.chars().next());
        self.joins = !space(text.chars().next_back());
        if text.is_ascii() {
            self.add_words(text.split_ascii_whitespace(), joins);
        } else {
            self.add_words(text.split_whitespace(), joins);
        }
    }

    /// Adds words, of which the first may only be the rest of one.
    fn add_words<'t>(&mut self, words: impl Iterator<Item = &'t str>, mut joins: bool) {
        for word in words {
            if joins {
                self.buffers[0].push_str(word);
                self.atom.spans[0].end = self.buffers[0].len() as u32;
            } else {
                self.add(Element::Text, word);
                self.atom.words += 1;
                self.atom.linked_words += u32::from(self.in_anchor);
            }
            (joins, self.broken) = (false, false);
        }
    }

    /// A link begins here, or text that is none.
    pub(super) fn anchor(&mut self, href: Option<&[u8]>) {
        let url = href.and_then(target);
        self.in_anchor = url.is_some();
        if let Some(url) = url {
            self.add(Element::Link, &url);
        }
    }

    /// An image stands here.
    pub(super) fn image(&mut self, source: &[u8], described: Option<&[u8]>) {
        if let Some(url) = target(source) {
            match described.and_then(description) {
                Some(words) => self.add(Element::Image, &format!("{url}{}{words}", element::DESCRIBED)),
                None => self.add(Element::Image, &url),
            }
        }
        (self.joins, self.broken) = (false, false);
    }

    /// Adds a word or a URL.
    fn add(&mut self, element: Element, item: &str) {
        let buffer = &mut self.buffers[element as usize];
        if !buffer.is_empty() {
            buffer.push(element.separator());
        }
        let span = &mut self.atom.spans[element as usize];
        if span.start == span.end {
            span.start = buffer.len() as u32;
        }
        buffer.push_str(item);
        span.end = buffer.len() as u32;
    }
}

/// What an image is said to show, if anything.
fn description(value: &[u8]) -> Option<String> {
    let text = entity::unescape(std::str::from_utf8(value).ok()?);
    let words: Vec<&str> = text.split_whitespace().take(DESCRIPTION_WORDS).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The URL an attribute names, as written but for the white space that URLs do not have; nothing if it leads nowhere.
pub(super) fn target(value: &[u8]) -> Option<Cow<'_, str>> {
    let written = std::str::from_utf8(value).ok()?;
    let mut url = entity::unescape(written);
    if url.contains(['\t', '\n', '\r']) || url.trim().len() < url.len() {
        url = Cow::Owned(url.trim().chars().filter(|char| !matches!(char, '\t' | '\n' | '\r')).collect());
    }
    if url.is_empty() || url.starts_with('#') || url.starts_with("javascript:") {
        return None;
    }
    if url.len() > URL_KEPT {
        let end = url.floor_char_boundary(URL_KEPT);
        url = Cow::Owned(format!("{}#{:016x}", &url[..end], rapidhash_v3(&url.as_bytes()[end..])));
    }
    Some(url)
}
