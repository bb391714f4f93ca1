//! A tree divided into blocks: records, the members of long ones, and what is inside of those.
//!
//! A record of a few words is one block; a longer one holds a block for each of its members. Dates and other bookkeeping
//! of a record that says something else as well stand in a footer of their own, where they matter less.

use super::{
    draft::{Draft, Leaf},
    identity::{self, step},
    text,
    tree::{DEPTH_MAX, Node, Value},
    value::Sort,
};
use crate::{
    css, entity,
    page::{BlockShape, Element, Role, read::Segmented},
};

/// Records and texts of up to so many words stay whole.
const RECORD_WORDS: u32 = 60;

/// What sort of document a tree is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Names are part of what is said.
    Data,
    /// Everybody knows the names; values may be escaped once more.
    Feed,
    /// Selectors and declarations.
    Style,
    /// Names are of no interest, and neither are dates.
    Drawing,
}

impl Dialect {
    fn says_names(self) -> bool {
        matches!(self, Dialect::Data | Dialect::Style)
    }
}

/// The blocks of a tree.
pub(super) fn blocks(root: &Node<'_>, dialect: Dialect) -> Segmented {
    let mut divider = Divider { draft: Draft::default(), dialect };
    match &root.value {
        // What holds all is no block, as the body of a page is none.
        Value::Many(children) if root.words > RECORD_WORDS || dialect == Dialect::Feed => {
            divider.children(children, step(0, &root.name), 0);
        }
        _ => divider.node(root, 0, 0),
    }
    divider.draft.finish()
}

struct Divider {
    draft: Draft,
    dialect: Dialect,
}

impl Divider {
    fn node(&mut self, node: &Node<'_>, around: u64, depth: u16) {
        let name = identity::of(node, around);
        match &node.value {
            Value::Text(text) => self.member(node, text, name, depth),
            Value::Many(children) if self.is_divided(node, depth) => self.holder(node, children, name, depth),
            Value::Many(_) => self.record(node, name, depth),
        }
    }

    fn is_divided(&self, node: &Node<'_>, depth: u16) -> bool {
        let is_channel = self.dialect == Dialect::Feed && matches!(&*node.name, "channel" | "items");
        (node.words > RECORD_WORDS || is_channel) && usize::from(depth) < DEPTH_MAX
    }

    fn holder(&mut self, node: &Node<'_>, children: &[Node<'_>], name: u64, depth: u16) {
        self.draft.holder(BlockShape { role: self.role(node), depth }, name);
        if self.dialect.says_names() && !node.name.is_empty() {
            self.draft.leaf(
                BlockShape { role: Role::Heading, depth: depth + 1 },
                step(name, "\0"),
                &Leaf::of(&node.name),
            );
        }
        self.children(children, name, depth + 1);
    }

    /// Attributes and loose text first, as one block; then a block for each value that has a name or parts.
    fn children(&mut self, children: &[Node<'_>], name: u64, depth: u16) {
        let (mut own, mut stamps) = (Leaf::default(), Leaf::default());
        for child in children.iter().filter(|child| child.is_attribute) {
            self.say(child, &mut own, &mut stamps);
        }
        own.append(&stamps);
        self.draft.leaf(BlockShape { role: Role::Text, depth }, step(name, "\0\0"), &own);
        children.iter().filter(|child| !child.is_attribute).for_each(|child| self.node(child, name, depth));
    }

    fn role(&self, node: &Node<'_>) -> Role {
        match self.dialect {
            Dialect::Feed if identity::own(node).is_some() && !matches!(&*node.name, "channel" | "items") => {
                Role::Article
            }
            Dialect::Data if node.name.is_empty() => Role::Item,
            Dialect::Data | Dialect::Style => Role::Section,
            Dialect::Feed | Dialect::Drawing => Role::Group,
        }
    }

    /// A record in one block, or one and its footer.
    fn record(&mut self, node: &Node<'_>, name: u64, depth: u16) {
        let (mut leaf, mut stamps) = (Leaf::default(), Leaf::default());
        self.say(node, &mut leaf, &mut stamps);
        let role = match self.role(node) {
            Role::Section | Role::Group => Role::Text,
            role => role,
        };
        if stamps.is_empty() || leaf.is_silent() {
            leaf.append(&stamps);
            return self.draft.leaf(BlockShape { role, depth }, name, &leaf);
        }
        self.draft.holder(BlockShape { role: self.role(node), depth }, name);
        let inside = depth + 1;
        self.draft.leaf(BlockShape { role: Role::Text, depth: inside }, step(name, "\0"), &leaf);
        self.draft.leaf(BlockShape { role: Role::Footer, depth: inside }, step(name, "\0\0"), &stamps);
    }

    /// A text that is a block of its own, or several.
    fn member(&mut self, node: &Node<'_>, text: &str, name: u64, depth: u16) {
        let sort = Sort::of(&node.name, text, self.dialect);
        if node.words > RECORD_WORDS && matches!(sort, Sort::Markup | Sort::Words) {
            return self.long(node, text, sort, name, depth);
        }
        let (mut leaf, mut stamps) = (Leaf::default(), Leaf::default());
        self.say(node, &mut leaf, &mut stamps);
        let role = match &*node.name {
            _ if !stamps.is_empty() => Role::Footer,
            "title" | "headline" => Role::Heading,
            _ => Role::Text,
        };
        leaf.append(&stamps);
        self.draft.leaf(BlockShape { role, depth }, name, &leaf);
    }

    fn long(&mut self, node: &Node<'_>, text: &str, sort: Sort, name: u64, depth: u16) {
        self.draft.holder(BlockShape { role: Role::Section, depth }, name);
        let depth = depth + 1;
        if self.dialect.says_names() && !node.name.is_empty() {
            self.draft.leaf(BlockShape { role: Role::Heading, depth }, step(name, "\0"), &Leaf::of(&node.name));
        }
        if sort == Sort::Markup {
            return self.draft.page(text, depth);
        }
        let shape = BlockShape { role: Role::Text, depth };
        text::each_paragraph(text, |paragraph| self.draft.leaf(shape, 0, &Leaf::of(paragraph)));
    }

    /// Adds all that a value says to one block, dates to another.
    fn say(&self, node: &Node<'_>, leaf: &mut Leaf, stamps: &mut Leaf) {
        match &node.value {
            Value::Text(text) => self.say_text(node, text, leaf, stamps),
            Value::Many(children) => {
                if self.dialect.says_names() {
                    leaf.say(&node.name);
                }
                children.iter().for_each(|child| self.say(child, leaf, stamps));
            }
        }
    }

    fn say_text(&self, node: &Node<'_>, text: &str, leaf: &mut Leaf, stamps: &mut Leaf) {
        let sort = Sort::of(&node.name, text, self.dialect);
        let told = ["term", "label", "title"].contains(&&*node.name);
        if self.dialect == Dialect::Feed && node.is_attribute && !told && matches!(sort, Sort::Words | Sort::Stamp) {
            return;
        }
        let leaf = if sort == Sort::Stamp { stamps } else { leaf };
        if self.dialect.says_names() {
            leaf.say(&node.name);
        }
        match sort {
            Sort::Link => leaf.refer(Element::Link, text),
            Sort::Image => leaf.refer(Element::Image, text),
            Sort::Markup => leaf.page(text),
            Sort::Stamp => leaf.say(text),
            Sort::Words if self.dialect == Dialect::Feed => leaf.say(&entity::unescape(text)),
            Sort::Words => leaf.say(text),
        }
        if self.dialect == Dialect::Style && css::may_refer(text.as_bytes()) {
            css::references(text, |url, _| leaf.refer(Element::Image, url));
        }
    }
}
