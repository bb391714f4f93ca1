//! Visual block extraction: which boxes of a part are blocks in this round, and how coherent they are.
//!
//! The rules are the paper's, with sizes by the room that words take: what is one block must not depend on how long the
//! rest of the page is, or a paragraph more would divide it anew.

use super::{
    super::{
        layout::Role,
        role::{Meaning, Sort},
    },
    boxes::Rect,
    sheet::Sheet,
};

/// Letters as large as most, in pixels.
pub(super) const LETTER: f32 = 16.0;
/// The room of a word as long as most, in such letters.
pub(super) const WORD_AREA: f32 = 45.0 * 18.0;
/// Rows and items with less text stay whole.
const ITEM_INK: f32 = 60.0 * WORD_AREA;
/// Lists with less are one block if there is little in each of their items: menus.
const MENU_INK: f32 = 100.0 * WORD_AREA;
const MENU_ITEM_INK: f32 = 5.0 * WORD_AREA;
/// Boxes of less are not worth dividing.
const BOX_INK: f32 = 10.0 * WORD_AREA;
/// What takes more than this share of a part is divided in the same round.
const LARGE: f32 = 0.4;

/// Degrees of coherence.
const TEXT: u8 = 10;
const ITEM: u8 = 8;
const BOX: u8 = 8;
const MENU: u8 = 7;
/// Of what is only smaller than the rest.
const LOOSE: u8 = 3;

/// Neighbouring nodes that are one block for now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    /// The first node, and the number after the last.
    pub(super) first: u32,
    pub(super) end: u32,
    /// Whether it is one node, with all that is in it.
    pub(super) single: bool,
    pub(super) extent: Rect,
    pub(super) ink: f32,
    /// DoC, from 1 to 10.
    pub(super) coherence: u8,
}

impl Part {
    pub(super) fn of(sheet: &Sheet<'_>, node: u32, coherence: u8) -> Part {
        let facts = &sheet.facts[node as usize];
        Part { first: node, end: facts.end, single: true, extent: facts.extent, ink: facts.ink, coherence }
    }

    /// The same with another node after it.
    fn and(self, sheet: &Sheet<'_>, node: u32) -> Part {
        let facts = &sheet.facts[node as usize];
        let (extent, ink) = (self.extent.and(facts.extent), self.ink + facts.ink);
        Part { end: facts.end, single: false, extent, ink, ..self }
    }
}

/// The blocks of a part, of which there is at least one.
pub(super) fn parts(sheet: &Sheet<'_>, part: &Part) -> Vec<Part> {
    let mut extractor = Extractor { sheet, area: part.extent.area(), parts: Vec::new() };
    if part.single {
        extractor.divide(part.first);
    }
    if extractor.parts.is_empty() {
        extractor.parts.push(Part { coherence: TEXT, ..*part });
    }
    extractor.parts
}

struct Extractor<'s, 'b> {
    sheet: &'s Sheet<'b>,
    /// Of the part that is divided.
    area: f32,
    parts: Vec<Part>,
}

impl Extractor<'_, '_> {
    /// Each thing in a node is looked at by itself; text that runs on is one thing, unless an empty line ends it.
    fn divide(&mut self, node: u32) {
        let mut text: Option<Part> = None;
        let mut breaks = 0;
        let inside = node + 1..self.sheet.facts[node as usize].end;
        let mut at = inside.start;
        while at < inside.end {
            let facts = &self.sheet.facts[at as usize];
            match (facts.extent.is_empty(), facts.meaning) {
                (true, Meaning::LineBreak) => breaks += 1,
                (true, Meaning::Inline) => {}
                (false, _) if facts.is_running && !self.has_gaps(at) => {
                    self.parts.extend(text.take_if(|_| breaks > 1));
                    breaks = 0;
                    text = Some(match text {
                        Some(text) => text.and(self.sheet, at),
                        None => Part::of(self.sheet, at, TEXT),
                    });
                }
                (nothing, _) => {
                    self.parts.extend(text.take());
                    breaks = 0;
                    if !nothing {
                        self.node(at);
                    }
                }
            }
            at = facts.end.max(at + 1);
        }
        self.parts.extend(text);
    }

    fn node(&mut self, node: u32) {
        match self.coherence(node) {
            Some(coherence) => self.parts.push(Part::of(self.sheet, node, coherence)),
            None => self.divide(node),
        }
    }

    /// How coherent a node is, if it is not divided in this round.
    fn coherence(&self, node: u32) -> Option<u8> {
        let facts = &self.sheet.facts[node as usize];
        if facts.children.is_empty() || self.sheet.is_too_deep(node) {
            return Some(TEXT);
        }
        // Rule 4: text is whole, unless there are empty lines in it.
        if facts.holds_text {
            return (!self.has_gaps(node)).then_some(TEXT);
        }
        // Rule 2: what holds one thing is that thing.
        if facts.children.len() == 1 {
            return None;
        }
        // Rule 9, by the tag.
        if let Some(coherence) = self.is_small(node) {
            return Some(coherence);
        }
        // Rule 12: what is most of the part is divided with it, the rest in a round of its own.
        (facts.extent.area() <= LARGE * self.area).then_some(LOOSE)
    }

    /// The coherence of a node with little in it.
    fn is_small(&self, node: u32) -> Option<u8> {
        let facts = &self.sheet.facts[node as usize];
        if facts.divided {
            return None;
        }
        let items = facts.children.len() as f32;
        match facts.meaning {
            Meaning::Box(Sort::Row | Sort::Item) => (facts.ink <= ITEM_INK).then_some(ITEM),
            Meaning::Box(Sort::List | Sort::Landmark(Role::Navigation)) => {
                (facts.ink <= MENU_INK && facts.ink <= items * MENU_ITEM_INK).then_some(MENU)
            }
            // Rows of a table are read one by one, however short.
            Meaning::Box(Sort::Table | Sort::Landmark(_)) => None,
            _ => (facts.ink <= BOX_INK).then_some(BOX),
        }
    }

    /// Whether there are two line breaks with nothing in between.
    fn has_gaps(&self, node: u32) -> bool {
        let mut breaks = 0;
        (node + 1..self.sheet.facts[node as usize].end).any(|at| {
            let facts = &self.sheet.facts[at as usize];
            match facts.meaning {
                Meaning::LineBreak => breaks += 1,
                _ if facts.extent.is_empty() => {}
                _ => breaks = 0,
            }
            breaks > 1
        })
    }
}
