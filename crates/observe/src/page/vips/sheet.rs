//! What can be told of every node of a page before it is divided.

use super::{
    super::{
        layout::Role,
        role::{self, Meaning, Sort},
    },
    boxes::{Boxes, Node, Rect, What},
};
use crate::html::Name;

/// Nodes deeper than this are not divided.
const DEPTH_MAX: u32 = 512;
/// The colour of paper.
const WHITE: [u8; 3] = [255; 3];

/// A page with all its nodes understood.
#[derive(Debug)]
pub(super) struct Sheet<'b> {
    pub(super) boxes: &'b Boxes,
    pub(super) facts: Vec<Facts>,
    /// Lines across the page, from the top down.
    rules: Vec<Rect>,
}

/// What is known about one node.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// The nodes in it that show something.
    pub(super) children: Vec<u32>,
    /// The number after the last node in it.
    pub(super) end: u32,
    /// Where all that it shows is: text and images, without the space around.
    pub(super) extent: Rect,
    /// The area of its text.
    pub(super) ink: f32,
    /// What is behind it, whoever put it there.
    pub(super) background: [u8; 3],
    /// Whether there is nothing in it but running text.
    pub(super) holds_text: bool,
    /// The same, and it is part of a text itself.
    pub(super) is_running: bool,
    /// Whether there are lists, tables, landmarks or headings inside.
    pub(super) divided: bool,
    pub(super) meaning: Meaning,
    /// The innermost landmark it is or is in.
    pub(super) landmark: Option<u32>,
    /// The innermost link it is or is in.
    pub(super) link: Option<u32>,
    /// The innermost node it is or is in that does not flow with text.
    pub(super) stands_in: u32,
    depth: u32,
}

impl<'b> Sheet<'b> {
    pub(super) fn of(boxes: &'b Boxes) -> Sheet<'b> {
        let mut sheet = Sheet { boxes, facts: Vec::with_capacity(boxes.nodes.len()), rules: Vec::new() };
        for (at, node) in boxes.nodes.iter().enumerate() {
            let facts = sheet.told_from_above(at as u32, node);
            sheet.facts.push(facts);
        }
        for at in (0..boxes.nodes.len()).rev() {
            sheet.tell_above(at);
        }
        let is_rule = |node: &&Node| node.tag() == "hr" && !node.look.hidden;
        sheet.rules = boxes.nodes.iter().filter(is_rule).map(|node| node.place).collect();
        sheet.rules.sort_by(|one, two| one.y.total_cmp(&two.y));
        sheet
    }

    /// Lines across the page that are not above `y`, from the top down.
    pub(super) fn rules_from(&self, y: f32) -> impl Iterator<Item = &Rect> {
        self.rules[self.rules.partition_point(|rule| rule.y < y)..].iter()
    }

    /// Nodes that are in no other and show something.
    pub(super) fn roots(&self) -> impl Iterator<Item = u32> {
        let numbers = 0..self.facts.len() as u32;
        numbers.filter(|at| self.parent(*at).is_none() && !self.facts[*at as usize].extent.is_empty())
    }

    pub(super) fn node(&self, at: u32) -> &'b Node {
        &self.boxes.nodes[at as usize]
    }

    /// The node it is in. Only one that came before it can be.
    pub(super) fn parent(&self, at: u32) -> Option<u32> {
        self.node(at).parent.filter(|parent| *parent < at)
    }

    pub(super) fn is_too_deep(&self, at: u32) -> bool {
        self.facts[at as usize].depth >= DEPTH_MAX
    }

    /// What being inside of others tells of a node.
    fn told_from_above(&self, at: u32, node: &Node) -> Facts {
        let around = self.parent(at).map(|parent| &self.facts[parent as usize]);
        let inherited = |choose: fn(&Facts) -> Option<u32>| around.and_then(choose);
        let meaning = meaning(node);
        let is_landmark = matches!(meaning, Meaning::Box(Sort::Landmark(role)) if role != Role::Section);
        let is_link = node.tag() == "a" && node.attribute("href").is_some();
        Facts {
            children: Vec::new(),
            end: at + 1,
            extent: own_extent(node),
            ink: if let What::Text(_) = node.what { own_extent(node).area() } else { 0.0 },
            background: node.look.background.unwrap_or_else(|| around.map_or(WHITE, |around| around.background)),
            holds_text: true,
            is_running: node.look.inline,
            divided: false,
            meaning,
            landmark: is_landmark.then_some(at).or_else(|| inherited(|around| around.landmark)),
            link: is_link.then_some(at).or_else(|| inherited(|around| around.link)),
            stands_in: if node.look.inline { around.map_or(at, |around| around.stands_in) } else { at },
            depth: around.map_or(0, |around| around.depth + 1),
        }
    }

    /// Tells the node around what is in this one, all of whose own has been told.
    fn tell_above(&mut self, at: usize) {
        self.facts[at].children.reverse();
        self.facts[at].is_running &= self.facts[at].holds_text;
        let Some(parent) = self.parent(at as u32) else { return };
        let Facts { extent, ink, is_running, end, divided, meaning, .. } = self.facts[at];
        let around = &mut self.facts[parent as usize];
        around.end = around.end.max(end);
        if extent.is_empty() {
            return;
        }
        let divides = matches!(meaning, Meaning::Heading(_))
            || matches!(meaning, Meaning::Box(Sort::List | Sort::Table | Sort::Landmark(_)));
        around.children.push(at as u32);
        around.extent = around.extent.and(extent);
        around.ink += ink;
        around.holds_text &= is_running;
        around.divided |= divided || divides;
    }
}

/// Where a node shows something of its own.
fn own_extent(node: &Node) -> Rect {
    let shows = match &node.what {
        What::Text(text) => !text.trim().is_empty(),
        What::Element { tag, .. } => is_replaced(tag),
    };
    if shows && !node.look.hidden && !node.place.is_empty() { node.place } else { Rect::default() }
}

/// Elements that are shown as a whole.
fn is_replaced(tag: &str) -> bool {
    matches!(
        tag,
        "img" | "svg" | "canvas" | "video" | "iframe" | "embed" | "object" | "input" | "select" | "textarea" | "button"
    )
}

fn meaning(node: &Node) -> Meaning {
    let What::Element { tag, .. } = &node.what else { return Meaning::Inline };
    match Meaning::of(&Name::new(tag.as_bytes())) {
        Meaning::Box(sort) => Meaning::Box(role::named(|name| node.attribute(name).map(str::as_bytes), sort)),
        meaning => meaning,
    }
}
