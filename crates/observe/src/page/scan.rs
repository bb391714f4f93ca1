//! One pass over the markup: atoms, and the boxes they stand in.
//!
//! No tree of elements is built. Atoms lie in source order, so whatever part of a page a box is, it is a range of them.

use super::{
    atoms::{ATOMS_MAX, Atom, Atoms, Part},
    beside,
    role::{self, Meaning, Sort},
};
use crate::html::{Element as Tagged, Name, Syntax, Tag, Tags};
use hashbrown::HashSet;
use memchr::memmem;
use rapidhash::v3::rapidhash_v3;

/// Boxes open inside each other; what is deeper belongs to the last of them.
pub const DEPTH_MAX: usize = 64;
/// Boxes of one page; more do not divide it.
const BOXES_MAX: usize = 2 * ATOMS_MAX;
/// Elements that hold nothing and have no end tag.
const NO_CONTENT: [&[u8]; 9] = [b"br", b"hr", b"img", b"input", b"link", b"meta", b"source", b"track", b"script"];
/// No box has this number.
const NOWHERE: u32 = u32::MAX;

/// A box and the atoms in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boxed {
    pub(super) sort: Sort,
    parent: u32,
    pub(super) first: u32,
    pub(super) end: u32,
    /// The number of the first box after it that is not inside of it.
    pub(super) next: u32,
    /// Whether there are lists, tables, landmarks or headings inside.
    pub(super) divided: bool,
}

/// All that was found on a page.
#[derive(Debug)]
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
    let open = Vec::with_capacity(DEPTH_MAX);
    let mut scanner = Scanner {
        syntax,
        atoms: Atoms::new(page.len()),
        boxes: Vec::new(),
        open,
        too_deep: 0,
        hidden: None,
        // Most pages hide nothing, and need not be asked at every tag.
        hides: memmem::find(page.as_bytes(), b"hidden").is_some() || memmem::find(page.as_bytes(), b"none").is_some(),
        veil: None,
        data: Vec::new(),
    };
    while let Some(tag) = tags.next_after(|piece| scanner.text(piece)) {
        scanner.tag(&mut tags, tag);
    }
    scanner.finish()
}

#[derive(Debug)]
struct Scanner<'p> {
    syntax: Syntax,
    atoms: Atoms,
    boxes: Vec<Boxed>,
    open: Vec<Open>,
    /// How many boxes are open beyond [`DEPTH_MAX`].
    too_deep: u32,
    /// The place among the open boxes of the outermost that is not shown.
    hidden: Option<usize>,
    /// Whether anything may be hidden.
    hides: bool,
    /// What is hidden and no box: a paragraph, a heading, words in a line.
    veil: Option<Veil<'p>>,
    /// The data of scripts.
    data: Vec<&'p [u8]>,
}

/// The name of an element that is hidden, and how many of that name are open inside of it.
#[derive(Clone, Copy, Debug)]
struct Veil<'p> {
    name: &'p [u8],
    inside: u32,
    /// Also ends where the next block begins.
    is_block: bool,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    sort: Sort,
    number: u32,
}

impl<'p> Scanner<'p> {
    fn finish(mut self) -> Scan {
        // What follows the last of too many atoms is an atom as well, and in no box.
        self.atoms.cut();
        self.close_down_to(0);
        self.say_data();
        let (buffers, atoms) = self.atoms.finish();
        Scan { buffers, atoms, boxes: self.boxes }
    }

    fn text(&mut self, piece: &[u8]) {
        self.atoms.pass(piece.len());
        // Pieces end where ASCII begins, so they are characters if the page is.
        if let Ok(text) = std::str::from_utf8(piece) {
            self.atoms.text(text);
        }
    }

    /// The texts of data that the page does not show anyway.
    fn say_data(&mut self) {
        if self.data.is_empty() {
            return;
        }
        let shown: HashSet<u64> = self.atoms.texts().map(|text| rapidhash_v3(text.as_bytes())).collect();
        for data in std::mem::take(&mut self.data) {
            let texts = std::str::from_utf8(data).map(|data| beside::texts(data, &shown)).unwrap_or_default();
            texts.iter().for_each(|text| self.atoms.alone(Part::Data, text));
        }
    }

    fn is_hidden(&self) -> bool {
        self.hidden.is_some() || self.veil.is_some()
    }

    /// What the next run of text is, if nothing says otherwise.
    fn plain(&self) -> Part {
        if self.is_hidden() { Part::Hidden } else { Part::Text }
    }

    /// Ends the run of text; what follows may be shown or not.
    fn cut(&mut self) {
        self.atoms.cut();
        if self.hides {
            self.atoms.hide(self.is_hidden());
        }
    }

    fn tag(&mut self, tags: &mut Tags<'p>, tag: Tag) {
        let name = Name::new(tags.name);
        self.atoms.pass(tags.name.len());
        self.veil(tags, &name, tag);
        match Tagged::of(&name) {
            Tagged::Other | Tagged::Backed => self.boundary(tags, Meaning::of(&name), tag),
            Tagged::Anchor => {
                self.atoms.anchor(tags.attribute("href").filter(|_| !tag.closes));
            }
            _ if tag.closes => {}
            Tagged::Image | Tagged::Video | Tagged::Input => self.image(tags, "src"),
            Tagged::Audio | Tagged::Track | Tagged::Plugin | Tagged::Frame => self.image(tags, "src"),
            Tagged::Object => self.image(tags, "data"),
            Tagged::Iframe => {
                self.image(tags, "src");
                self.skip(tags, tag);
            }
            Tagged::Meta => self.metadata(beside::meta(tags)),
            Tagged::Link => self.metadata(beside::link(tags)),
            Tagged::Script if beside::is_data(tags) && !tag.self_closing => self.data.push(tags.raw_text()),
            Tagged::Script | Tagged::Style => self.skip(tags, tag),
            Tagged::RawText => self.raw_text(tags),
            Tagged::Plaintext => self.text(tags.rest()),
            _ => {}
        }
    }

    fn metadata(&mut self, said: Option<String>) {
        if let Some(said) = said {
            self.atoms.alone(Part::Metadata, &said);
            self.cut();
        }
    }

    /// Hides what is inside of an element that is no box, or shows what comes after it.
    fn veil(&mut self, tags: &Tags<'p>, name: &Name<'_>, tag: Tag) {
        if let Some(veil) = &mut self.veil {
            let same = veil.name.eq_ignore_ascii_case(tags.name);
            let is_over = match tag.closes {
                true if same => veil.inside == 0,
                true => false,
                false => veil.is_block && !matches!(Meaning::of(name), Meaning::Inline | Meaning::LineBreak),
            };
            veil.inside =
                if same && !tag.closes { veil.inside + 1 } else { veil.inside.saturating_sub(u32::from(same)) };
            if is_over {
                self.veil = None;
                self.cut();
            }
        }
        let may_be = self.hides && self.veil.is_none() && !tag.closes && !tag.self_closing;
        if !may_be || !role::is_hidden(tags) || NO_CONTENT.contains(&name.bytes()) {
            return;
        }
        let is_block = match Meaning::of(name) {
            Meaning::Box(_) => return,
            Meaning::Inline | Meaning::LineBreak => false,
            _ => true,
        };
        self.veil = Some(Veil { name: tags.name, inside: 0, is_block });
        self.cut();
    }

    /// Content that nobody sees.
    fn skip(&self, tags: &mut Tags<'_>, tag: Tag) {
        if !(tag.self_closing && self.syntax == Syntax::Xml) {
            tags.raw_text();
        }
    }

    fn image(&mut self, tags: &Tags<'_>, attribute: &str) {
        // Pages that load their images late have the true source elsewhere.
        let source = tags.attribute("data-src").or_else(|| tags.attribute(attribute));
        if let Some(source) = source {
            self.atoms.image(source, tags.attribute("alt"));
        }
    }

    /// Text in which there are no tags: the title in the head, or what a form suggests.
    fn raw_text(&mut self, tags: &mut Tags<'_>) {
        let is_title = tags.name.eq_ignore_ascii_case(b"title") && self.open.is_empty();
        let text = tags.raw_text();
        if is_title {
            self.atoms.begin(Part::Title);
        }
        self.text(text);
        if is_title {
            self.atoms.begin(self.plain());
        }
    }

    fn boundary(&mut self, tags: &Tags<'_>, meaning: Meaning, tag: Tag) {
        match meaning {
            Meaning::Inline if tags.name.eq_ignore_ascii_case(b"html") => {
                self.metadata(beside::language(tags).filter(|_| !tag.closes));
            }
            Meaning::Inline => {}
            Meaning::Struck => self.atoms.struck(),
            Meaning::Box(sort) => {
                self.cut();
                if !tag.closes {
                    self.opens(tags, sort);
                }
                if tag.closes || tag.self_closing && self.syntax == Syntax::Xml {
                    self.closes(sort);
                }
                self.cut();
            }
            Meaning::Heading(_) if tag.closes => self.atoms.begin(self.plain()),
            Meaning::Heading(level) => self.heading(level),
            Meaning::Paragraph => self.cut(),
            Meaning::Rule => self.rule(),
            Meaning::Preformatted => {
                self.cut();
                self.atoms.preformatted = !tag.closes;
            }
            Meaning::LineBreak => self.atoms.line_break(),
        }
    }

    fn opens(&mut self, tags: &Tags<'_>, sort: Sort) {
        // Items, rows and cells without end tag end where the next of their kind begins.
        if self.too_deep == 0 && sort.scope().is_some() {
            self.close(sort);
        }
        self.push(role::named(|name| tags.attribute(name), sort));
        if self.hidden.is_none() && self.too_deep == 0 && role::is_hidden(tags) {
            self.hidden = Some(self.open.len() - 1);
        }
    }

    fn closes(&mut self, sort: Sort) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
        } else {
            self.close(sort);
        }
    }

    fn heading(&mut self, level: u8) {
        self.atoms.begin(if self.is_hidden() { Part::Hidden } else { Part::Heading });
        if self.too_deep > 0 {
            return;
        }
        self.close_sections(level);
        self.push(Sort::Under(level));
    }

    /// What is below a line is under none of the headings above it, unless the line belongs to a heading.
    fn rule(&mut self) {
        self.atoms.cut();
        if self.too_deep == 0 && !self.atoms.end_with(Part::Heading) {
            self.close_sections(0);
        }
    }

    /// Ends what headings opened, of that level and below.
    fn close_sections(&mut self, level: u8) {
        while let Some(Open { sort: Sort::Under(above), .. }) = self.open.last()
            && *above >= level
        {
            self.close_down_to(self.open.len() - 1);
        }
    }

    fn push(&mut self, sort: Sort) {
        if self.open.len() >= DEPTH_MAX || self.boxes.len() >= BOXES_MAX {
            // What a heading opens has no end tag to count against.
            self.too_deep += u32::from(!matches!(sort, Sort::Under(_)));
            return;
        }
        let (parent, at) = (self.open.last().map_or(NOWHERE, |open| open.number), self.atoms.len());
        self.open.push(Open { sort, number: self.boxes.len() as u32 });
        self.boxes.push(Boxed { sort, parent, first: at, end: at, next: 0, divided: false });
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
        let (atoms, boxes) = (self.atoms.len(), self.boxes.len() as u32);
        for Open { number, .. } in self.open.drain(depth..).rev() {
            let boxed = &mut self.boxes[number as usize];
            (boxed.end, boxed.next) = (atoms, boxes);
            let divides = boxed.divided || !matches!(boxed.sort, Sort::Item | Sort::Row | Sort::Cell | Sort::Plain);
            let parent = boxed.parent;
            if let Some(around) = self.boxes.get_mut(parent as usize) {
                around.divided |= divides;
            }
        }
        self.hidden = self.hidden.filter(|hidden| *hidden < depth);
    }
}

/// Whether an end tag of the one ends the other: attributes may have made a landmark of what its tag calls a box.
fn alike(open: Sort, closes: Sort) -> bool {
    match (open, closes) {
        (Sort::Landmark(_), Sort::Landmark(_) | Sort::Plain) => true,
        _ => open == closes,
    }
}
