//! From a tree of parts to the blocks everybody else works with.

use super::{
    super::{
        atoms::{Atoms, Part as Run},
        layout::{BlockShape, Layout, Placed, Role},
        read::Segmented,
        role::{Meaning, Sort},
        segment::{self, Measure, Sight},
    },
    boxes::{Rect, What},
    construct::Tree,
    extract::{LETTER, Part, WORD_AREA},
    sheet::Sheet,
};

/// The blocks of a page, each before those inside of it.
pub(super) fn segmented(sheet: &Sheet<'_>, tree: Tree) -> Segmented {
    let shown = sheet.roots().map(|root| sheet.facts[root as usize].extent).fold(Rect::default(), Rect::and);
    let atoms = Atoms::new(sheet.boxes.nodes.len());
    let bottom = shown.bottom();
    let mut emitter = Emitter { sheet, atoms, link: None, stands_in: None, outlines: Vec::new(), bottom };
    emitter.title();
    emitter.tree(&tree, 0, None);
    emitter.finish()
}

/// A block in the making: the atoms it will consist of.
struct Outline {
    shape: BlockShape,
    first: u32,
    end: u32,
    sight: Option<Sight>,
}

struct Emitter<'s, 'b> {
    sheet: &'s Sheet<'b>,
    atoms: Atoms,
    /// The link that words belong to.
    link: Option<u32>,
    /// What the last text stood in: words do not run on from one box to the next.
    stands_in: Option<u32>,
    outlines: Vec<Outline>,
    /// Where the page ends: with what it shows, however high its window is.
    bottom: f32,
}

impl Emitter<'_, '_> {
    fn title(&mut self) {
        self.atoms.begin(Run::Title);
        self.atoms.words(&self.sheet.boxes.title);
        self.atoms.begin(Run::Text);
        self.outline(BlockShape { role: Role::Title, depth: 0 }, 0, None);
    }

    /// Adds a block of all atoms from `first` on, if there are any.
    fn outline(&mut self, shape: BlockShape, first: u32, sight: Option<Sight>) {
        let end = self.atoms.len();
        if first < end {
            self.outlines.push(Outline { shape, first, end, sight });
        }
    }

    /// Adds the blocks of a tree inside of a landmark.
    fn tree(&mut self, tree: &Tree, depth: u16, inside: Option<u32>) {
        match tree {
            Tree::Leaf(part) => self.leaf(part, depth, inside),
            Tree::Group(trees) if trees.is_empty() => {}
            Tree::Group(trees) => {
                let landmark = self.landmark(tree);
                let role = self.role_of(landmark.filter(|_| landmark != inside)).unwrap_or_else(|| self.group(trees));
                let at = self.atoms.len();
                self.outlines.push(Outline { shape: BlockShape { role, depth }, first: at, end: at, sight: None });
                trees.iter().for_each(|tree| self.tree(tree, depth.saturating_add(1), landmark));
            }
        }
    }

    /// What begins with a heading is a section.
    fn group(&self, trees: &[Tree]) -> Role {
        match trees.first() {
            Some(Tree::Leaf(part)) if self.role(part) == Role::Heading => Role::Section,
            _ => Role::Group,
        }
    }

    /// The innermost landmark that all of a tree is in. Landmarks come before what is in them.
    fn landmark(&self, tree: &Tree) -> Option<u32> {
        match tree {
            Tree::Leaf(part) => self.sheet.facts[part.first as usize].landmark,
            Tree::Group(trees) => {
                let mut each = trees.iter().map(|tree| self.landmark(tree));
                let first = each.next().flatten();
                each.fold(first, |one, two| self.common(one, two))
            }
        }
    }

    fn common(&self, mut one: Option<u32>, mut two: Option<u32>) -> Option<u32> {
        let outer = |at: Option<u32>| {
            let around = at.and_then(|at| self.sheet.parent(at));
            around.and_then(|around| self.sheet.facts[around as usize].landmark)
        };
        while one != two {
            if one > two { one = outer(one) } else { two = outer(two) }
        }
        one
    }

    fn role_of(&self, landmark: Option<u32>) -> Option<Role> {
        match self.sheet.facts[landmark? as usize].meaning {
            Meaning::Box(sort) => Some(sort.role()),
            _ => None,
        }
    }

    fn leaf(&mut self, part: &Part, depth: u16, inside: Option<u32>) {
        let first = self.atoms.len();
        (part.first..part.end).for_each(|at| self.node(at));
        self.atoms.cut();
        let landmark = self.sheet.facts[part.first as usize].landmark;
        let role = self.role_of(landmark.filter(|_| landmark != inside)).unwrap_or_else(|| self.role(part));
        let sight = sight(part, self.sheet, self.bottom);
        self.outline(BlockShape { role, depth }, first, Some(sight));
    }

    /// What a part is: the outermost thing that holds nothing else and has a meaning.
    fn role(&self, part: &Part) -> Role {
        let alone = |at: &u32| self.sheet.facts[*at as usize].children.len() == 1;
        let around = |at: &u32| self.sheet.parent(*at).filter(alone);
        // A run of text fills the box it is alone in.
        let parent = self.sheet.parent(part.first);
        let fills = |at: &u32| self.sheet.facts[*at as usize].extent == part.extent;
        let start = if part.single { Some(part.first) } else { parent.filter(fills) };
        std::iter::successors(start, around)
            .filter_map(|at| told(self.sheet.facts[at as usize].meaning))
            .last()
            .unwrap_or(Role::Text)
    }

    fn node(&mut self, at: u32) {
        let (node, facts) = (self.sheet.node(at), &self.sheet.facts[at as usize]);
        if facts.meaning == Meaning::LineBreak {
            self.atoms.line_break();
        }
        if node.look.hidden {
            return;
        }
        match &node.what {
            What::Text(text) => {
                if self.stands_in.replace(facts.stands_in) != Some(facts.stands_in) {
                    self.atoms.cut();
                }
                if !text.trim().is_empty() {
                    self.follow(facts.link);
                }
                self.atoms.pass(text.len());
                self.atoms.words(text);
            }
            What::Element { tag, .. } => {
                self.atoms.pass(tag.len());
                let source = node.attribute("data-src").or_else(|| node.attribute(source_of(tag)?));
                if let Some(source) = source.filter(|_| source_of(tag).is_some()) {
                    self.follow(facts.link);
                    self.atoms.image(source.as_bytes(), None);
                }
            }
        }
    }

    /// What follows belongs to this link, or to none.
    fn follow(&mut self, link: Option<u32>) {
        if self.link == link {
            return;
        }
        self.link = link;
        let target = link.and_then(|link| self.sheet.node(link).attribute("href"));
        self.atoms.anchor(target.map(str::as_bytes));
    }

    fn finish(mut self) -> Segmented {
        // What follows the last of too many atoms is an atom as well.
        self.atoms.cut();
        let shape = BlockShape { role: Role::Text, depth: 0 };
        let done = self.outlines.iter().map(|outline| outline.end).max().unwrap_or(0);
        let (buffers, atoms) = self.atoms.finish();
        if (done as usize) < atoms.len() {
            self.outlines.push(Outline { shape, first: done, end: atoms.len() as u32, sight: None });
        }
        let block = |outline: &Outline| {
            let (spans, measure) = segment::together(&atoms[outline.first as usize..outline.end as usize]);
            (Placed { shape: outline.shape, spans }, Measure { sight: outline.sight, ..measure })
        };
        let (blocks, measures) = self.outlines.iter().map(block).unzip();
        Segmented::new(Layout { buffers, blocks, ..Layout::default() }, measures)
    }
}

/// The attribute in which an element names what it shows.
fn source_of(tag: &str) -> Option<&'static str> {
    match tag {
        "img" | "video" | "embed" | "iframe" | "input" => Some("src"),
        "object" => Some("data"),
        _ => None,
    }
}

/// What a node says it is, if it says so.
fn told(meaning: Meaning) -> Option<Role> {
    match meaning {
        Meaning::Heading(_) => Some(Role::Heading),
        Meaning::Box(Sort::Plain | Sort::Cell) => None,
        Meaning::Box(sort) => Some(sort.role()),
        _ => None,
    }
}

/// Where a part is, of a page that ends at `bottom`.
fn sight(part: &Part, sheet: &Sheet<'_>, bottom: f32) -> Sight {
    // Sideways by the box it stands in: a short line at the left of a wide column is not at the edge of the page.
    let column = sheet.node(sheet.facts[part.first as usize].stands_in).place;
    let (x, y) = (column.x + column.width / 2.0, part.extent.y + part.extent.height / 2.0);
    // Letters twice as large take four times the room, and are looked at twice as long.
    let letters = (sheet.node(part.first).look.font_size / LETTER).max(1.0);
    Sight {
        room: part.extent.area() / (WORD_AREA * letters),
        down: within(y / bottom.max(1.0)),
        aside: within((x / sheet.boxes.width.max(1.0) - 0.5).abs() * 2.0),
    }
}

/// Between 0 and 1; 0 if it is no number.
fn within(share: f32) -> f32 {
    if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) }
}
