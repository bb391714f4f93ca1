//! Which boxes of a page are blocks, and which are only how it was written.
//!
//! Decisions look at one box at a time, never at how much came before it: a paragraph more at the top of a page must
//! not divide the rest of it anew.

use super::{
    atoms::Atom,
    layout::{BlockShape, Layout, Placed, Role, Span},
    role::Sort,
    scan::{Boxed, Scan},
};

/// Rows and items of a few words stay whole; longer ones are divided as they divide themselves.
const ITEM_WORDS: u32 = 60;
/// Lists of up to so many words are one block if their items say little each: menus.
const MENU_WORDS: u32 = 100;
/// Words an item of a menu has, on average.
const MENU_ITEM_WORDS: u32 = 4;
/// Boxes of less are not worth dividing.
const BOX_WORDS: u32 = 10;

/// What a block's importance is judged by, beside what is in it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Measure {
    pub(super) words: u32,
    pub(super) linked_words: u32,
    pub(super) source: u32,
    /// If the page was drawn.
    pub(super) sight: Option<Sight>,
}

/// Where a block is to be seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sight {
    /// As many words as its area has room for.
    pub(super) room: f32,
    /// How far down its middle is, of the whole page.
    pub(super) down: f32,
    /// How far its middle is from that of the page, sideways: 0 to 1.
    pub(super) aside: f32,
}

/// The blocks of a page, and a measure for each.
pub(super) fn blocks(scan: Scan) -> (Layout, Vec<Measure>) {
    let blocks = Vec::with_capacity(scan.atoms.len() + scan.atoms.len() / 2);
    let measures = Vec::with_capacity(blocks.capacity());
    let mut cutter = Cutter { atoms: &scan.atoms, boxes: &scan.boxes, blocks, measures };
    cutter.range(0, scan.boxes.len() as u32, 0, scan.atoms.len() as u32, 0);
    let (blocks, measures) = (cutter.blocks, cutter.measures);
    let mut layout = Layout { buffers: scan.buffers, blocks, ..Layout::default() };
    layout.name_metadata();
    (layout, measures)
}

struct Cutter<'s> {
    atoms: &'s [Atom],
    boxes: &'s [Boxed],
    blocks: Vec<Placed>,
    measures: Vec<Measure>,
}

impl Cutter<'_> {
    /// The blocks of the boxes from `number` to `boxes_end`, and of the atoms beside and between them.
    fn range(&mut self, mut number: u32, boxes_end: u32, first: u32, end: u32, depth: u16) {
        let mut at = first;
        while number < boxes_end {
            let boxed = self.boxes[number as usize];
            if boxed.first < boxed.end {
                self.atoms(at, boxed.first, depth);
                self.boxed(number, depth);
                at = boxed.end;
            }
            number = boxed.next;
        }
        self.atoms(at, end, depth);
    }

    fn atoms(&mut self, first: u32, end: u32, depth: u16) {
        for at in first..end {
            self.leaf(self.atoms[at as usize].part.role(), at, at + 1, depth);
        }
    }

    fn boxed(&mut self, number: u32, depth: u16) {
        let boxed = self.boxes[number as usize];
        if self.is_whole(&boxed) {
            let role = self.role_whole(&boxed);
            return self.leaf(role, boxed.first, boxed.end, depth);
        }
        let inside = if self.is_wrapper(number) { depth } else { depth + 1 };
        if inside > depth {
            let shape = BlockShape { role: boxed.sort.role(), depth };
            self.blocks.push(Placed { shape, spans: [Span::default(); 3] });
            self.measures.push(Measure::default());
        }
        self.range(number + 1, boxed.next, boxed.first, boxed.end, inside);
    }

    /// Whether a box is not divided further.
    fn is_whole(&self, boxed: &Boxed) -> bool {
        let count = boxed.end - boxed.first;
        if count == 1 {
            return true;
        }
        let part = self.atoms[boxed.first as usize].part;
        let is_mixed = || self.of(boxed).iter().any(|atom| atom.part.role().is_shown() != part.role().is_shown());
        if boxed.divided || is_mixed() {
            return false;
        }
        let words: u32 = self.of(boxed).iter().map(|atom| atom.words).sum();
        match boxed.sort {
            Sort::Row | Sort::Item => words <= ITEM_WORDS,
            // Not tables: their rows are read one by one, however short.
            Sort::List | Sort::Landmark(Role::Navigation) => words <= MENU_WORDS && words <= count * MENU_ITEM_WORDS,
            Sort::Plain | Sort::Cell => words <= BOX_WORDS,
            Sort::Table | Sort::Landmark(_) | Sort::Under(_) => false,
        }
    }

    /// The role of a box that is one block: what its only atom is, unless the box says more.
    fn role_whole(&self, boxed: &Boxed) -> Role {
        let alone = self.of(boxed).first().map_or(Role::Text, |atom| atom.part.role());
        if !alone.is_shown() {
            return alone;
        }
        match boxed.sort.role() {
            Role::Group | Role::Section if boxed.end - boxed.first == 1 => alone,
            Role::Group => Role::Text,
            role => role,
        }
    }

    fn of(&self, boxed: &Boxed) -> &[Atom] {
        &self.atoms[boxed.first as usize..boxed.end as usize]
    }

    /// Whether a box without meaning holds one other box and nothing else.
    fn is_wrapper(&self, number: u32) -> bool {
        let boxed = &self.boxes[number as usize];
        let mut inside = number + 1;
        while inside < boxed.next && self.boxes[inside as usize].first == self.boxes[inside as usize].end {
            inside = self.boxes[inside as usize].next;
        }
        let fills = |inner: &Boxed| (inner.first, inner.end) == (boxed.first, boxed.end);
        matches!(boxed.sort, Sort::Plain | Sort::Cell | Sort::Row | Sort::Table | Sort::Item)
            && inside < boxed.next
            && fills(&self.boxes[inside as usize])
    }

    fn leaf(&mut self, role: Role, first: u32, end: u32, depth: u16) {
        let (spans, measure) = together(&self.atoms[first as usize..end as usize]);
        self.blocks.push(Placed { shape: BlockShape { role, depth }, spans });
        self.measures.push(measure);
    }
}

/// What neighbouring atoms are as one block.
pub(super) fn together(atoms: &[Atom]) -> ([Span; 3], Measure) {
    let mut spans = [Span::default(); 3];
    let mut measure = Measure::default();
    for atom in atoms {
        spans.iter_mut().zip(atom.spans).for_each(|(span, more)| *span = span.and(more));
        measure.words += atom.words;
        measure.linked_words += atom.linked_words;
        measure.source = measure.source.saturating_add(atom.source);
    }
    (spans, measure)
}
