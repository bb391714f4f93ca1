//! The blocks of a document in the making.

use crate::{
    html::Syntax,
    page::{
        Block, BlockShape, Element, Role,
        atoms::{self, ATOMS_MAX},
        element::items,
        layout::Layout,
        read::Segmented,
        segment::Measure,
    },
};

/// What one block will say and show.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaf {
    content: [String; 3],
    measure: Measure,
}

impl Leaf {
    pub(super) fn of(text: &str) -> Leaf {
        let mut leaf = Leaf::default();
        leaf.say(text);
        leaf
    }

    /// Adds words.
    pub(super) fn say(&mut self, text: &str) {
        for word in text.split_whitespace() {
            self.add(Element::Text, word);
            self.measure.words += 1;
            self.measure.source = self.measure.source.saturating_add(word.len() as u32 + 1);
        }
    }

    /// Adds a link or an image.
    pub(super) fn refer(&mut self, element: Element, url: &str) {
        if let Some(url) = atoms::target(url.as_bytes()) {
            self.add(element, &url);
        }
    }

    /// Adds all that a page in a string says and shows.
    pub(super) fn page(&mut self, html: &str) {
        Segmented::of(html, Syntax::Html).layout.blocks().for_each(|block| self.block(block));
    }

    fn block(&mut self, block: Block<'_>) {
        self.say(block.of(Element::Text));
        for element in [Element::Link, Element::Image] {
            items(block.of(element), element).for_each(|url| self.add(element, url));
        }
    }

    pub(super) fn append(&mut self, other: &Leaf) {
        self.say(&other.content[0]);
        for element in [Element::Link, Element::Image] {
            items(&other.content[element as usize], element).for_each(|url| self.add(element, url));
        }
    }

    pub(super) fn is_silent(&self) -> bool {
        self.content[0].is_empty()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.content.iter().all(String::is_empty)
    }

    fn add(&mut self, element: Element, item: &str) {
        let list = &mut self.content[element as usize];
        if !list.is_empty() {
            list.push(element.separator());
        }
        list.push_str(item);
    }
}

/// Blocks in the order they are read.
#[derive(Debug, Default)]
pub(super) struct Draft {
    layout: Layout,
    measures: Vec<Measure>,
    leaves: usize,
    /// What is left of a document with more than [`ATOMS_MAX`] blocks.
    rest: Leaf,
}

impl Draft {
    pub(super) fn is_full(&self) -> bool {
        self.leaves + 1 >= ATOMS_MAX
    }

    /// A block that holds the deeper ones that follow.
    pub(super) fn holder(&mut self, shape: BlockShape, name: u64) {
        if !self.is_full() {
            self.layout.push_named(shape, [""; 3], name);
            self.measures.push(Measure::default());
        }
    }

    pub(super) fn leaf(&mut self, shape: BlockShape, name: u64, leaf: &Leaf) {
        if leaf.is_empty() {
            return;
        }
        if self.is_full() {
            return self.rest.append(leaf);
        }
        self.layout.push_named(shape, leaf.content.each_ref().map(String::as_str), name);
        self.measures.push(leaf.measure);
        self.leaves += 1;
    }

    /// The blocks of a page in a string.
    pub(super) fn page(&mut self, html: &str, depth: u16) {
        let page = Segmented::of(html, Syntax::Html);
        for (block, measure) in page.layout.blocks().zip(&page.measures) {
            let shape = BlockShape { depth: block.shape().depth + depth, ..block.shape() };
            if block.is_bare() {
                self.holder(shape, 0);
            } else if self.is_full() {
                self.rest.block(block);
            } else {
                self.layout.push_named(shape, block.all(), 0);
                self.measures.push(*measure);
                self.leaves += 1;
            }
        }
    }

    pub(super) fn finish(mut self) -> Segmented {
        if !self.rest.is_empty() {
            self.layout
                .push(BlockShape { role: Role::Text, depth: 0 }, self.rest.content.each_ref().map(String::as_str));
            self.measures.push(self.rest.measure);
        }
        Segmented::new(self.layout, self.measures)
    }
}
