//! Small pages, laid out by hand.

use super::*;
use crate::page::{Element, Role, difference, hooks::Hooks};

/// A page in the making: nodes are added in the order of the document.
struct Drawing(Boxes);

const PLAIN: VisualBox =
    VisualBox { font_size: 16.0, font_weight: 400.0, background: None, inline: false, hidden: false };

impl Drawing {
    fn new() -> Drawing {
        let mut drawing =
            Drawing(Boxes { title: "A page".to_owned(), width: 1000.0, height: 1000.0, ..Boxes::default() });
        drawing.element(None, "body", [0, 0, 1000, 1000], PLAIN);
        drawing
    }

    fn push(&mut self, parent: Option<u32>, what: What, [x, y, width, height]: [i16; 4], look: VisualBox) -> u32 {
        let place = Rect { x: x.into(), y: y.into(), width: width.into(), height: height.into() };
        self.0.nodes.push(Node { parent, what, place, look });
        self.0.nodes.len() as u32 - 1
    }

    fn element(&mut self, parent: Option<u32>, tag: &str, place: [i16; 4], look: VisualBox) -> u32 {
        self.push(parent, What::Element { tag: tag.to_owned(), attributes: Vec::new() }, place, look)
    }

    /// An element with a text that fills it.
    fn text(&mut self, parent: u32, tag: &str, text: &str, place: [i16; 4], look: VisualBox) -> u32 {
        let element = self.element(Some(parent), tag, place, look);
        let inside = VisualBox { inline: true, background: None, ..look };
        self.push(Some(element), What::Text(text.to_owned()), place, inside);
        element
    }

    fn paragraph(&mut self, parent: u32, text: &str, place: [i16; 4]) {
        self.text(parent, "p", text, place, PLAIN);
    }
}

/// Depth, role and text of each block.
fn told(page: &Segmented) -> Vec<(u16, Role, String)> {
    let told =
        |block: crate::page::Block<'_>| (block.shape().depth, block.shape().role, block.of(Element::Text).to_owned());
    page.layout.blocks().map(told).collect()
}

fn block(depth: u16, role: Role, text: &str) -> (u16, Role, String) {
    (depth, role, text.to_owned())
}

/// A column of links on the left, two paragraphs under a heading on the right, and a line below all of it.
fn columns() -> Drawing {
    let mut page = Drawing::new();
    let row = page.element(Some(0), "div", [0, 0, 1000, 800], PLAIN);
    let left = page.element(Some(row), "div", [0, 0, 200, 800], PLAIN);
    for n in 0..20 {
        page.paragraph(left, "one link here", [0, n * 40, 180, 20]);
    }
    let right = page.element(Some(row), "div", [300, 0, 700, 800], PLAIN);
    page.text(right, "h1", "Heading", [300, 0, 700, 40], VisualBox { font_size: 32.0, font_weight: 700.0, ..PLAIN });
    page.paragraph(right, "First paragraph.", [300, 60, 700, 300]);
    page.paragraph(right, "Second paragraph.", [300, 376, 700, 400]);
    page.paragraph(0, "The end.", [0, 900, 1000, 20]);
    page
}

#[test]
fn columns_are_found_by_the_space_between_them() {
    let found = told(&vips(&columns().0));
    let links = found.iter().position(|(_, _, text)| text == "one link here").unwrap();
    let heading = found.iter().position(|(_, _, text)| text == "Heading").unwrap();
    // Title; all; both columns; the left one with its twenty links; the right one; and what is below.
    assert_eq!(found[0], block(0, Role::Title, "A page"));
    assert_eq!(heading - links, 21);
    assert_eq!(found[heading - 1], block(2, Role::Section, ""));
    assert_eq!(found[heading], block(3, Role::Heading, "Heading"));
    assert_eq!(found.last(), Some(&block(1, Role::Text, "The end.")));
    assert_eq!(found[links].0, 3);
}

#[test]
fn a_heading_belongs_to_what_follows() {
    let mut page = Drawing::new();
    let heading = VisualBox { font_size: 24.0, font_weight: 700.0, ..PLAIN };
    for n in 0..3 {
        page.text(0, "h2", "About", [0, n * 300, 1000, 30], heading);
        page.paragraph(0, "One.", [0, n * 300 + 50, 1000, 80]);
        page.paragraph(0, "Two.", [0, n * 300 + 146, 1000, 80]);
    }
    let found = told(&vips(&page.0));
    let section = [block(1, Role::Section, ""), block(2, Role::Heading, "About")];
    assert_eq!(found.iter().filter(|block| **block == section[0]).count(), 3, "{found:#?}");
    assert_eq!(found.iter().filter(|block| **block == section[1]).count(), 3);
}

#[test]
fn a_line_across_divides_what_looks_alike() {
    let mut page = Drawing::new();
    page.paragraph(0, "One.", [0, 0, 1000, 80]);
    page.paragraph(0, "Two.", [0, 96, 1000, 80]);
    page.element(Some(0), "hr", [0, 183, 1000, 2], PLAIN);
    page.paragraph(0, "Three.", [0, 192, 1000, 80]);
    let found = told(&vips(&page.0));
    let expected = [
        block(0, Role::Title, "A page"),
        block(0, Role::Group, ""),
        block(1, Role::Group, ""),
        block(2, Role::Text, "One."),
        block(2, Role::Text, "Two."),
        block(1, Role::Text, "Three."),
    ];
    assert_eq!(found, expected);
}

#[test]
fn another_background_divides_what_looks_alike() {
    let mut page = Drawing::new();
    let grey = page.element(Some(0), "div", [0, 0, 1000, 180], VisualBox { background: Some([200; 3]), ..PLAIN });
    page.paragraph(grey, "One.", [0, 0, 1000, 80]);
    page.paragraph(grey, "Two.", [0, 96, 1000, 80]);
    page.paragraph(0, "Three.", [0, 192, 1000, 80]);
    let depths: Vec<u16> = told(&vips(&page.0)).iter().map(|(depth, ..)| *depth).collect();
    assert_eq!(depths, [0, 0, 1, 2, 2, 1]);
}

#[test]
fn what_cannot_be_seen_is_not_there() {
    let mut page = Drawing::new();
    page.paragraph(0, "Seen.", [0, 0, 1000, 80]);
    page.text(0, "p", "Hidden.", [0, 100, 1000, 80], VisualBox { hidden: true, ..PLAIN });
    page.paragraph(0, "Nowhere.", [0, 200, 0, 0]);
    let found = told(&vips(&page.0));
    assert_eq!(found, [block(0, Role::Title, "A page"), block(0, Role::Text, "Seen.")]);
}

#[test]
fn what_is_large_and_in_the_middle_is_important() {
    let page = vips(&columns().0);
    let importance = page.importance(&|_| false);
    let of = |text: &str| {
        let blocks = page.layout.blocks().zip(&importance);
        blocks
            .filter(|(block, _)| block.of(Element::Text) == text)
            .map(|(_, importance)| *importance)
            .fold(0.0, f32::max)
    };
    assert!(of("Second paragraph.") > 2.0 * of("one link here"), "{importance:?}");
    assert!((importance.iter().sum::<f32>() - 1.0).abs() < 1e-5);
}

#[test]
fn versions_are_compared_as_those_of_markup_are() {
    let old = columns();
    let mut new = columns();
    for node in &mut new.0.nodes {
        if let What::Text(text) = &mut node.what
            && text.starts_with("Second")
        {
            "Something else altogether.".clone_into(text);
        }
    }
    let [old, new] = [old, new].map(|page| vips(&page.0));
    let found = difference(&old, &new, "http://127.0.0.1/", &Hooks::default());
    assert_eq!(found.changed.len(), 1);
    assert!(found.importance > 0.1, "{found:?}");
}

#[test]
fn any_boxes_have_blocks() {
    let mut page = columns();
    for (at, node) in page.0.nodes.iter_mut().enumerate() {
        node.parent = Some((at as u32 * 7) % 50);
        node.place.width = if at % 3 == 0 { f32::NAN } else { node.place.width };
        node.place.y = if at % 5 == 0 { f32::INFINITY } else { -node.place.y };
    }
    let found = vips(&page.0);
    assert!(found.importance(&|_| false).iter().all(|importance| importance.is_finite()));
    assert_eq!(told(&vips(&Boxes::default())), []);
}

#[test]
fn nesting_has_an_end() {
    let mut page = Drawing::new();
    for n in 0..20_000 {
        page.element(Some(n), "div", [0, 0, 1000, 1000], PLAIN);
    }
    page.paragraph(20_000, "Deep.", [0, 0, 1000, 20]);
    assert_eq!(told(&vips(&page.0)).len(), 2);
}

#[test]
fn running_text_that_is_nested_has_an_end_as_well() {
    let mut page = Drawing::new();
    let inline = VisualBox { inline: true, ..PLAIN };
    let mut inside = 0;
    for _ in 0..20_000 {
        page.element(Some(inside), "br", [0; 4], inline);
        inside = page.element(Some(inside), "span", [0, 0, 1000, 20], inline);
    }
    page.text(inside, "span", "Deep.", [0, 0, 1000, 20], inline);
    page.element(Some(inside), "br", [0; 4], inline);
    page.element(Some(inside), "br", [0; 4], inline);
    assert_eq!(told(&vips(&page.0))[1].2, "Deep.");
}

#[test]
fn a_stair_of_boxes_has_an_end() {
    let mut page = Drawing::new();
    let mut inside = 0;
    for step in 0..400 {
        // Spaces of many widths, and the rest of the page in the last box.
        for n in 0..8 {
            page.paragraph(inside, "A step.", [step, step + n * n * 8, 100, 4]);
        }
        inside = page.element(Some(inside), "div", [step, step + 600, 500, 500], PLAIN);
    }
    page.paragraph(inside, "The end.", [400, 1_100, 100, 20]);
    let found = told(&vips(&page.0));
    assert!(found.iter().all(|(depth, ..)| *depth < 1_000), "{:?}", found.last());
    assert!(found.iter().any(|(.., text)| text.ends_with("The end.")));
}
