//! Which text stands around which link.
//!
//! A page that lists others says about each what changes with it: a headline, a summary, a count, a date. The words of
//! a link are those of the innermost item it stands in (`article`, `li`, `tr`, `dd`), without the items inside that
//! one; outside of items they are the run of text between block-level tags. No tree is built: open items form a stack,
//! and so do the pieces of text and the links that wait for the end of their block.

use super::element::Name;
use crate::{
    collect::{LINKS_MAX, LINKS_USUAL},
    wording::{Wording, together},
};
use tintype_vocab::LinkPlace;

/// Blocks with more text are pages, not contexts.
pub(crate) const BLOCK_MAX: usize = 4_000;
/// Text looked at to find [`BLOCK_MAX`] bytes of it when there is much white space.
const SOURCE_MAX: usize = 4 * BLOCK_MAX;
/// Elements that may be open inside each other; deeper ones have no context.
const DEPTH_MAX: usize = 64;
/// As many pieces of text as most blocks have; room for them is made at once.
const PIECES_USUAL: usize = 32;

/// What a tag means for the blocks of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boundary {
    Article,
    ListItem,
    Row,
    Definition,
    /// ul and ol, table, dl: items inside do not end the item they are in.
    List,
    Table,
    Definitions,
    /// Ends a run of text, and a definition before it.
    Term,
    /// Ends a run of text.
    Run,
    /// The same, and says where on the page this is.
    Region(LinkPlace),
    /// Ends nothing as long as it is open: what it wraps is all about its target.
    Anchor,
}

impl Boundary {
    pub(crate) fn of(name: &Name<'_>) -> Option<Boundary> {
        Some(match name.bytes() {
            b"a" => Boundary::Anchor,
            b"article" => Boundary::Article,
            b"li" => Boundary::ListItem,
            b"tr" => Boundary::Row,
            b"dd" => Boundary::Definition,
            b"ul" | b"ol" | b"menu" => Boundary::List,
            b"table" => Boundary::Table,
            b"dl" => Boundary::Definitions,
            b"dt" => Boundary::Term,
            b"nav" | b"header" => Boundary::Region(LinkPlace::Navigation),
            b"main" => Boundary::Region(LinkPlace::Content),
            b"footer" => Boundary::Region(LinkPlace::Footer),
            b"p" | b"div" | b"td" | b"th" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"section" | b"aside"
            | b"body" | b"hr" | b"br" | b"blockquote" | b"pre" | b"form" | b"figure" | b"frameset" => Boundary::Run,
            _ => return None,
        })
    }

    fn is_item(self) -> bool {
        matches!(self, Boundary::Article | Boundary::ListItem | Boundary::Row | Boundary::Definition)
    }

    /// What an item's tags do not reach beyond.
    fn scope(self) -> Option<Boundary> {
        match self {
            Boundary::ListItem => Some(Boundary::List),
            Boundary::Row => Some(Boundary::Table),
            Boundary::Definition => Some(Boundary::Definitions),
            _ => None,
        }
    }
}

/// Where a block's part of the waiting text and links begins.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    pieces: usize,
    links: usize,
    /// Bytes of text.
    len: usize,
}

#[derive(Debug)]
struct Open {
    boundary: Boundary,
    /// The block that goes on when this item ends.
    around: Block,
}

/// The blocks of a page, told of its text, tags and links in the order they stand there.
#[derive(Debug)]
pub(crate) struct Blocks<'b> {
    open: Vec<Open>,
    /// How many of `open` are items.
    items: usize,
    /// How many elements are open beyond [`DEPTH_MAX`].
    too_deep: usize,
    in_anchor: bool,
    block: Block,
    pieces: Vec<&'b [u8]>,
    links: Vec<u32>,
    wording: Wording,
    /// By link.
    contexts: Vec<u32>,
}

impl<'b> Blocks<'b> {
    pub(crate) fn new() -> Blocks<'b> {
        Blocks {
            open: Vec::new(),
            items: 0,
            too_deep: 0,
            in_anchor: false,
            block: Block::default(),
            pieces: Vec::with_capacity(PIECES_USUAL),
            links: Vec::with_capacity(PIECES_USUAL),
            wording: Wording::new(BLOCK_MAX),
            contexts: Vec::with_capacity(LINKS_USUAL),
        }
    }

    #[inline]
    pub(crate) fn text(&mut self, piece: &'b [u8]) {
        let piece = piece.trim_ascii();
        if !piece.is_empty() && self.too_deep == 0 && self.block.len <= SOURCE_MAX {
            self.block.len += piece.len();
            self.pieces.push(piece);
        }
    }

    /// The page's link of that number stands here; it may have been elsewhere before.
    pub(crate) fn link(&mut self, link: u32) {
        self.in_anchor = true;
        let mentioned = self.links[self.block.links..].last() == Some(&link);
        if !mentioned && self.too_deep == 0 && self.links.len() < LINKS_MAX {
            self.links.push(link);
        }
    }

    pub(crate) fn opens(&mut self, boundary: Boundary) {
        match boundary {
            Boundary::Anchor => self.in_anchor = false,
            Boundary::Run | Boundary::Region(_) => self.end_run(),
            Boundary::Term => {
                self.close_sibling(Boundary::Definition);
                self.end_run();
            }
            _ => {
                self.close_sibling(boundary);
                self.end_run();
                self.push(boundary);
            }
        }
    }

    pub(crate) fn closes(&mut self, boundary: Boundary) {
        match boundary {
            Boundary::Anchor => self.in_anchor = false,
            Boundary::Run | Boundary::Region(_) | Boundary::Term => self.end_run(),
            _ if self.too_deep > 0 => self.too_deep -= 1,
            _ => {
                self.end_run();
                self.close(boundary);
            }
        }
    }

    /// The context of each link, as far as the last that has one.
    pub(crate) fn finish(mut self) -> Vec<u32> {
        self.close_down_to(0);
        self.settle();
        self.contexts
    }

    fn end_run(&mut self) {
        if self.items == 0 && !self.in_anchor {
            self.settle();
        }
    }

    /// Items without end tag end where the next of their kind begins.
    fn close_sibling(&mut self, boundary: Boundary) {
        let follows = self.open.last().is_some_and(|last| last.boundary == boundary);
        if self.too_deep == 0 && (boundary == Boundary::Row || follows && boundary.scope().is_some()) {
            self.close(boundary);
        }
    }

    fn push(&mut self, boundary: Boundary) {
        if self.open.len() >= DEPTH_MAX {
            self.too_deep += 1;
            return;
        }
        self.open.push(Open { boundary, around: self.block });
        if boundary.is_item() {
            self.items += 1;
            self.in_anchor = false;
            self.block = Block { pieces: self.pieces.len(), links: self.links.len(), len: 0 };
        }
    }

    /// Ends the innermost open element of that sort, if there is one, with all that is open inside.
    fn close(&mut self, boundary: Boundary) {
        let found =
            self.open.iter().rposition(|open| open.boundary == boundary || Some(open.boundary) == boundary.scope());
        if let Some(at) = found.filter(|at| self.open[*at].boundary == boundary) {
            self.close_down_to(at);
        }
    }

    fn close_down_to(&mut self, depth: usize) {
        while self.open.len() > depth
            && let Some(Open { boundary, around }) = self.open.pop()
        {
            if boundary.is_item() {
                self.items -= 1;
                self.settle();
                self.block = around;
            }
        }
    }

    /// The block is over: its links have their context.
    fn settle(&mut self) {
        let Block { pieces, links, len } = self.block;
        if self.links.len() > links && len <= SOURCE_MAX {
            let context = self.wording.of(&self.pieces[pieces..]);
            for link in &self.links[links..] {
                let link = *link as usize;
                if link >= self.contexts.len() {
                    self.contexts.resize(link + 1, 0);
                }
                self.contexts[link] = together(self.contexts[link], context);
            }
        }
        self.pieces.truncate(pieces);
        self.links.truncate(links);
        self.block.len = 0;
    }
}
