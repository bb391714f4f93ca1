//! One pass over the markup: runs of text that nothing divides (atoms), and the boxes they stand in.
//!
//! No tree of elements is built. Atoms lie in source order, so whatever part of a page a box is, it is a range of them.

use super::{
    element::Element,
    layout::{Role, Span},
    role::{self, Meaning, Sort},
};
use crate::{
    entity,
    html::{Element as Tagged, Name, Syntax, Tag, Tags},
};
use rapidhash::v3::rapidhash_v3;
use std::borrow::Cow;

/// Atoms of one page; the rest of a page with more is one atom.
pub const ATOMS_MAX: usize = 8_192;
/// Boxes open inside each other; what is deeper belongs to the last of them.
pub const DEPTH_MAX: usize = 64;
/// Bytes kept of a URL; what a longer one (nearly always data in the page) goes on with is replaced by its hash.
pub const URL_KEPT: usize = 1_024;
/// As many atoms as most pages have; room for them is made at once.
const ATOMS_USUAL: usize = 256;
/// No box has this number.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A run of text with its links and images.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Atom {
    pub(super) spans: [Span; 3],
    pub(super) words: u32,
    /// Words that are the text of links.
    pub(super) linked_words: u32,
    /// Length of its source, with markup.
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
}

/// A box and the atoms in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boxed {
    pub(super) sort: Sort,
    pub(super) parent: u32,
    pub(super) first: u32,
    pub(super) end: u32,
    /// The number of the first box after it that is not inside of it.
    pub(super) next: u32,
    /// Whether there are lists, tables, landmarks or headings inside.
    pub(super) divided: bool,
}

/// All that was found on a page.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) buffers: [String; 3],
    pub(super) atoms: Vec<Atom>,
    /// In the order they begin.
    pub(super) boxes: Vec<Boxed>,
}

/// Reads the boxes and atoms of a page.
pub(super) fn scan(page: &str, syntax: Syntax) -> Scan {
    let mut tags = Tags::new(page.as_bytes());
    tags.cdata = syntax == Syntax::Xml;
    let mut scanner = Scanner::new(page.len());
    while let Some(tag) = tags.next_after(|piece| scanner.text(piece)) {
        scanner.tag(&mut tags, tag, syntax);
    }
    scanner.finish()
}

#[derive(Debug)]
struct Scanner {
    found: Scan,
    atom: Atom,
    /// Where in the source the atom began, in bytes of text and tags seen.
    seen: u32,
    open: Vec<Open>,
    too_deep: u32,
    /// Open boxes up to this number are shown.
    shown: usize,
    in_anchor: bool,
    preformatted: bool,
    /// Whether the last word goes on if no white space follows.
    joins: bool,
    /// Whether the last thing was a line break.
    broken: bool,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    sort: Sort,
    number: u32,
}

impl Scanner {
    fn new(len: usize) -> Scanner {
        let text = String::with_capacity(len / 2);
        Scanner {
            found: Scan {
                buffers: [text, String::new(), String::new()],
                atoms: Vec::with_capacity(ATOMS_USUAL),
                boxes: Vec::with_capacity(ATOMS_USUAL),
            },
            atom: Atom::default(),
            seen: 0,
            open: Vec::with_capacity(DEPTH_MAX),
            too_deep: 0,
            shown: usize::MAX,
            in_anchor: false,
            preformatted: false,
            joins: false,
            broken: false,
        }
    }

    fn finish(mut self) -> Scan {
        self.end_atom();
        self.close_down_to(0);
        self.found
    }

    fn tag(&mut self, tags: &mut Tags<'_>, tag: Tag, syntax: Syntax) {
        let name = Name::new(tags.name);
        self.seen = self.seen.saturating_add(tags.name.len() as u32);
        match Tagged::of(&name) {
            Tagged::Other | Tagged::Backed => self.boundary(tags, Meaning::of(&name), tag, syntax),
            Tagged::Anchor => self.anchor(tags, tag),
            _ if tag.closes => {}
            Tagged::Image | Tagged::Video | Tagged::Embedded | Tagged::Input => self.image(tags, "src"),
            Tagged::Object => self.image(tags, "data"),
            Tagged::Iframe => {
                self.image(tags, "src");
                tags.raw_text();
            }
            Tagged::Script | Tagged::Style if !(tag.self_closing && syntax == Syntax::Xml) => drop(tags.raw_text()),
            Tagged::RawText => self.raw_text(tags),
            Tagged::Plaintext => self.text(tags.rest()),
            _ => {}
        }
    }

    fn boundary(&mut self, tags: &Tags<'_>, meaning: Meaning, tag: Tag, syntax: Syntax) {
        match meaning {
            Meaning::Inline => return,
            Meaning::Box(sort) => {
                if !tag.closes {
                    self.opens(tags, sort);
                }
                if tag.closes || tag.self_closing && syntax == Syntax::Xml {
                    self.closes(sort);
                }
            }
            Meaning::Heading(level) => self.heading(level, tag.closes),
            Meaning::Paragraph | Meaning::Rule => self.cut(),
            Meaning::Preformatted => {
                self.cut();
                self.preformatted = !tag.closes;
            }
            Meaning::LineBreak if self.broken => self.cut(),
            Meaning::LineBreak => {}
        }
        self.joins = false;
        self.broken = meaning == Meaning::LineBreak;
    }

    fn opens(&mut self, tags: &Tags<'_>, sort: Sort) {
        self.cut();
        self.end_sibling(sort);
        self.push(role::named(tags, sort));
        if self.shown == usize::MAX && self.too_deep == 0 && role::is_hidden(tags) {
            self.shown = self.open.len() - 1;
        }
    }

    fn closes(&mut self, sort: Sort) {
        self.cut();
        if self.too_deep > 0 {
            self.too_deep -= 1;
        } else {
            self.close(sort);
        }
    }

    /// Items, rows and cells without end tag end where the next of their kind begins.
    fn end_sibling(&mut self, sort: Sort) {
        if self.too_deep == 0 && sort.scope().is_some() {
            self.close(sort);
        }
    }

    fn heading(&mut self, level: u8, closes: bool) {
        self.cut();
        self.atom.part = if closes { Part::Text } else { Part::Heading };
        if closes || self.too_deep > 0 {
            return;
        }
        while let Some(Open { sort: Sort::Under(above), .. }) = self.open.last()
            && *above >= level
        {
            self.close_down_to(self.open.len() - 1);
        }
        self.push(Sort::Under(level));
    }

    fn push(&mut self, sort: Sort) {
        if self.open.len() >= DEPTH_MAX || self.found.boxes.len() >= 2 * ATOMS_MAX {
            self.too_deep += u32::from(!matches!(sort, Sort::Under(_)));
            return;
        }
        let (parent, at) = (self.open.last().map_or(NOWHERE, |open| open.number), self.found.atoms.len() as u32);
        self.open.push(Open { sort, number: self.found.boxes.len() as u32 });
        self.found.boxes.push(Boxed { sort, parent, first: at, end: at, next: 0, divided: false });
    }

    /// Ends the innermost open box of that sort, if there is one in scope, with all that is open inside.
    fn close(&mut self, sort: Sort) {
        let scope = sort.scope();
        let found = self.open.iter().rposition(|open| {
            let landmark = matches!(open.sort, Sort::Landmark(_));
            alike(open.sort, sort) || Some(open.sort) == scope || landmark && scope.is_some()
        });
        if let Some(at) = found.filter(|at| alike(self.open[*at].sort, sort)) {
            self.close_down_to(at);
        }
    }

    fn close_down_to(&mut self, depth: usize) {
        let (atoms, boxes) = (self.found.atoms.len() as u32, self.found.boxes.len() as u32);
        while self.open.len() > depth
            && let Some(Open { number, .. }) = self.open.pop()
        {
            let boxed = &mut self.found.boxes[number as usize];
            (boxed.end, boxed.next) = (atoms, boxes);
            let divides = boxed.divided || !matches!(boxed.sort, Sort::Item | Sort::Row | Sort::Cell | Sort::Plain);
            let parent = boxed.parent;
            if let Some(around) = self.found.boxes.get_mut(parent as usize) {
                around.divided |= divides;
            }
        }
        if self.shown != usize::MAX && self.open.len() <= self.shown {
            self.shown = usize::MAX;
        }
    }

    /// Ends the run of text.
    fn cut(&mut self) {
        (self.joins, self.broken) = (false, false);
        if self.found.atoms.len() + 1 < ATOMS_MAX {
            self.end_atom();
        }
    }

    fn end_atom(&mut self) {
        if self.atom.spans.iter().any(|span| span.start < span.end) {
            self.atom.source = std::mem::take(&mut self.seen);
            self.found.atoms.push(std::mem::take(&mut self.atom));
        }
    }

    fn is_shown(&self) -> bool {
        self.shown == usize::MAX
    }

    fn text(&mut self, piece: &[u8]) {
        self.seen = self.seen.saturating_add(piece.len() as u32);
        // Pieces end where ASCII begins, so they are characters if the page is.
        let Ok(text) = std::str::from_utf8(piece) else { return };
        if !self.is_shown() {
            return;
        }
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

    fn words(&mut self, text: &str) {
        if text.is_ascii() {
            let space = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
            let ends = [space(text.as_bytes().first()), space(text.as_bytes().last())];
            self.add_words(text.split_ascii_whitespace(), text.is_empty(), ends);
        } else {
            let ends = [text.starts_with(char::is_whitespace), text.ends_with(char::is_whitespace)];
            self.add_words(text.split_whitespace(), false, ends);
        }
    }

    /// Adds words of a piece that begins or ends with space.
    fn add_words<'t>(&mut self, words: impl Iterator<Item = &'t str>, empty: bool, [begins, ends]: [bool; 2]) {
        if empty {
            return;
        }
        let mut joins = self.joins && !begins;
        for word in words {
            self.broken = false;
            if joins {
                self.found.buffers[0].push_str(word);
                self.atom.spans[0].end = self.found.buffers[0].len() as u32;
            } else {
                self.add(Element::Text, word);
                self.atom.words += 1;
                self.atom.linked_words += u32::from(self.in_anchor);
            }
            joins = false;
        }
        self.joins = !ends;
    }

    /// Adds a word or a URL.
    fn add(&mut self, element: Element, item: &str) {
        let buffer = &mut self.found.buffers[element as usize];
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

    /// Text in which there are no tags: the title in the head, or what a form suggests.
    fn raw_text(&mut self, tags: &mut Tags<'_>) {
        let is_title = tags.name.eq_ignore_ascii_case(b"title") && self.open.is_empty();
        let text = tags.raw_text();
        if is_title {
            self.cut();
            self.atom.part = Part::Title;
        }
        self.text(text);
        if is_title {
            self.cut();
            self.atom.part = Part::Text;
        }
    }

    fn anchor(&mut self, tags: &Tags<'_>, tag: Tag) {
        self.in_anchor = false;
        if tag.closes || !self.is_shown() {
            return;
        }
        if let Some(url) = tags.attribute("href").and_then(target) {
            self.in_anchor = true;
            self.add(Element::Link, &url);
        }
    }

    fn image(&mut self, tags: &Tags<'_>, attribute: &str) {
        let lazy = || tags.attribute("data-src").and_then(target);
        if self.is_shown()
            && let Some(url) = lazy().or_else(|| tags.attribute(attribute).and_then(target))
        {
            self.add(Element::Image, &url);
        }
        (self.joins, self.broken) = (false, false);
    }
}

/// Whether an end tag of the one ends the other: attributes may have made a landmark of what its tag calls a box.
fn alike(open: Sort, closes: Sort) -> bool {
    match (open, closes) {
        (Sort::Landmark(_), Sort::Landmark(_) | Sort::Plain) => true,
        _ => open == closes,
    }
}

/// The URL an attribute names, as written but for the white space that URLs do not have; nothing if it leads nowhere.
fn target(value: &[u8]) -> Option<Cow<'_, str>> {
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

impl Part {
    /// The role of an atom that stands for itself.
    pub(super) fn role(self) -> Role {
        match self {
            Part::Text => Role::Text,
            Part::Heading => Role::Heading,
            Part::Title => Role::Title,
        }
    }
}
