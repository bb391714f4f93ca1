//! The blocks of one version of a page.

use super::element::{Content, Element};
use rapidhash::v3::rapidhash_v3;
use serde::{Deserialize, Serialize};

/// What a block is on its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The name of the page, shown outside of it.
    Title,
    Main,
    Article,
    Section,
    Navigation,
    Aside,
    Header,
    Footer,
    /// A box its own markup calls an advertisement.
    Advertisement,
    Heading,
    List,
    Item,
    Table,
    Row,
    /// Blocks that stand together for no reason we know.
    Group,
    Text,
    /// Words that are in the page and not shown.
    Hidden,
    /// What a page says of itself beside what it shows: its description, what robots may do, its language.
    Metadata,
    /// Words in data that a script of the page shows.
    Data,
}

impl Role {
    /// Whether it tells what part of the page all that is inside belongs to.
    pub fn is_landmark(self) -> bool {
        use Role::{Advertisement, Article, Aside, Footer, Header, Main, Navigation};
        matches!(self, Main | Article | Navigation | Aside | Header | Footer | Advertisement)
    }

    /// Whether a reader sees it without looking behind the page.
    pub fn is_shown(self) -> bool {
        !matches!(self, Role::Hidden | Role::Metadata | Role::Data)
    }

    /// Whether it is a list or a table, or a part of one.
    pub(super) fn is_listed(self) -> bool {
        matches!(self, Role::List | Role::Item | Role::Table | Role::Row)
    }
}

/// Where and as what a block stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BlockShape {
    pub role: Role,
    /// How many blocks it is inside of.
    pub depth: u16,
}

/// Metadata stands among the first blocks of a page.
const METADATA_WITHIN: usize = 64;

/// A part of one of the layout's buffers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Span {
    /// The span from the beginning of this to the end of the next, of which either may be empty.
    pub(super) fn and(self, next: Span) -> Span {
        match (self.start == self.end, next.start == next.end) {
            (true, _) => next,
            (_, true) => self,
            _ => Span { start: self.start, end: next.end },
        }
    }
}

/// All blocks in the order they begin, each before those inside of it. Only those with none inside have content.
///
/// Equal layouts look the same: markup that changes neither blocks nor content does not show.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Texts, links and images of all blocks, each with its separator between two items.
    pub(super) buffers: [String; 3],
    pub(super) blocks: Vec<Placed>,
    /// By block, what it is known by in every version, if its document says so; zero for none. Not part of its looks.
    pub(super) names: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) shape: BlockShape,
    pub(super) spans: [Span; 3],
}

impl Layout {
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    pub fn block(&self, at: usize) -> Block<'_> {
        Block { layout: self, placed: &self.blocks[at] }
    }

    pub fn blocks(&self) -> impl ExactSizeIterator<Item = Block<'_>> {
        self.blocks.iter().map(|placed| Block { layout: self, placed })
    }

    /// Adds a block that its document names at the end.
    pub(super) fn push_named(&mut self, shape: BlockShape, content: [&str; 3], name: u64) {
        self.names.resize(self.blocks.len(), 0);
        self.names.push(name);
        self.push(shape, content);
    }

    /// Metadata is known by its name, if there is one of that name.
    pub(super) fn name_metadata(&mut self) {
        for at in (0..self.len()).take_while(|at| *at < METADATA_WITHIN) {
            let block = self.block(at);
            if block.shape().role == Role::Metadata {
                let name = block.of(Element::Text).split(' ').next().unwrap_or_default();
                let name = rapidhash_v3(name.as_bytes()).max(1);
                self.names.resize(self.blocks.len(), 0);
                self.names[at] = name;
            }
        }
    }

    /// What a block is known by, if anything.
    pub(super) fn name(&self, at: usize) -> Option<u64> {
        self.names.get(at).copied().filter(|name| *name != 0)
    }

    /// Adds a block at the end.
    pub(super) fn push(&mut self, shape: BlockShape, content: [&str; 3]) {
        let mut spans = [Span::default(); 3];
        for element in Element::ALL {
            let buffer = &mut self.buffers[element as usize];
            let start = buffer.len() as u32;
            buffer.push_str(content[element as usize]);
            spans[element as usize] = Span { start, end: buffer.len() as u32 };
        }
        self.blocks.push(Placed { shape, spans });
    }

    /// For each block the number of the one it is inside of; nothing at the top.
    pub(super) fn parents(&self) -> Vec<Option<u32>> {
        let mut open: Vec<(u16, u32)> = Vec::new();
        let parent = |(at, placed): (usize, &Placed)| {
            let depth = placed.shape.depth;
            while open.last().is_some_and(|(outer, _)| *outer >= depth) {
                open.pop();
            }
            let parent = open.last().map(|(_, at)| *at);
            open.push((depth, at as u32));
            parent
        };
        self.blocks.iter().enumerate().map(parent).collect()
    }
}

impl PartialEq for Layout {
    fn eq(&self, other: &Layout) -> bool {
        self.len() == other.len() && self.blocks().zip(other.blocks()).all(|(one, two)| one.same_as(two))
    }
}

impl Eq for Layout {}

/// One block of a layout.
#[derive(Clone, Copy, Debug)]
pub struct Block<'l> {
    layout: &'l Layout,
    placed: &'l Placed,
}

impl<'l> Block<'l> {
    pub fn shape(self) -> BlockShape {
        self.placed.shape
    }

    /// The text, links or images, as in [`Content`].
    pub fn of(self, element: Element) -> &'l str {
        let Span { start, end } = self.placed.spans[element as usize];
        &self.layout.buffers[element as usize][start as usize..end as usize]
    }

    pub fn all(self) -> [&'l str; 3] {
        Element::ALL.map(|element| self.of(element))
    }

    pub fn is_bare(self) -> bool {
        self.all().iter().all(|content| content.is_empty())
    }

    pub fn content(self) -> Content {
        let [text, links, images] = self.all().map(str::to_owned);
        Content { text, links, images }
    }

    /// Tells blocks apart by what they say and show, wherever they stand: what a site's template is known by.
    /// Zero if there is nothing in it.
    pub fn fingerprint(self) -> u64 {
        if self.is_bare() {
            return 0;
        }
        let [text, links, images] = self.all().map(|content| rapidhash_v3(content.as_bytes()));
        (text ^ links.rotate_left(21) ^ images.rotate_left(42)).max(1)
    }

    pub(super) fn same_as(self, other: Block<'_>) -> bool {
        self.shape() == other.shape() && self.all() == other.all()
    }
}
