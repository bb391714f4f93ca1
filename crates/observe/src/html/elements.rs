//! Start tags with the raw text that belongs to them, as a browser's tree would have it.

use super::{
    anchor::Anchor,
    blocks::{Blocks, Boundary},
    element::{Element, Name},
    regions::Regions,
    token::{Tag, Tags},
};

/// HTML proper, or XML that uses its elements (XHTML, SVG), where any element may close itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    Html,
    Xml,
}

/// An element that begins here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opened<'b> {
    pub(crate) element: Element,
    /// Content in which there are no tags: a script, a style sheet.
    pub(crate) raw_text: &'b [u8],
}

/// Reads element after element.
#[derive(Debug)]
pub(crate) struct Elements<'b> {
    /// Holds name and attributes of the element just read.
    pub(crate) tags: Tags<'b>,
    /// Knows the text around the element just read.
    pub(crate) blocks: Blocks<'b>,
    /// Knows where on the page the element just read stands.
    pub(crate) regions: Regions<'b>,
    /// Knows the text of the anchor opened last.
    pub(crate) anchor: Anchor<'b>,
    syntax: Syntax,
    /// How many svg and math elements are open: inside, elements may close themselves as in XML.
    foreign_depth: u32,
}

impl<'b> Elements<'b> {
    pub(crate) fn new(bytes: &'b [u8], syntax: Syntax) -> Elements<'b> {
        let mut tags = Tags::new(bytes);
        tags.cdata = syntax == Syntax::Xml;
        let (regions, anchor) = (Regions::default(), Anchor::default());
        Elements { tags, blocks: Blocks::new(), regions, anchor, syntax, foreign_depth: 0 }
    }

    pub(crate) fn next(&mut self) -> Option<Opened<'b>> {
        loop {
            let tag = self.tags.next_after(|text| {
                self.blocks.text(text);
                self.anchor.text(text);
            })?;
            let name = Name::new(self.tags.name);
            let element = Element::of(&name);
            if element == Element::Foreign && !tag.self_closing {
                self.pass_foreign(tag.closes);
            }
            self.pass_boundary(element, &name, tag);
            if !tag.closes {
                let raw_text = self.raw_text(element, tag);
                return Some(Opened { element, raw_text });
            }
        }
    }

    fn pass_boundary(&mut self, element: Element, name: &Name<'b>, tag: Tag) {
        if !matches!(element, Element::Other | Element::Backed | Element::Anchor) {
            return;
        }
        let boundary = Boundary::of(name);
        if !tag.closes {
            self.open(boundary, name);
        }
        if tag.closes || tag.self_closing && self.is_xml() {
            self.close(boundary, name);
        }
    }

    fn open(&mut self, boundary: Option<Boundary>, name: &Name<'b>) {
        if let Some(boundary) = boundary {
            self.regions.in_body = true;
            self.blocks.opens(boundary);
        }
        if boundary == Some(Boundary::Anchor) {
            self.anchor.closes();
        } else {
            self.regions.opens(boundary, name, self.tags.attribute("role"));
        }
    }

    fn close(&mut self, boundary: Option<Boundary>, name: &Name<'b>) {
        if let Some(boundary) = boundary {
            self.blocks.closes(boundary);
        }
        if boundary == Some(Boundary::Anchor) {
            self.anchor.closes();
        } else {
            self.regions.closes(boundary, name);
        }
    }

    fn pass_foreign(&mut self, closes: bool) {
        self.regions.in_body = true;
        self.foreign_depth = if closes { self.foreign_depth.saturating_sub(1) } else { self.foreign_depth + 1 };
        self.tags.cdata = self.is_xml();
    }

    fn is_xml(&self) -> bool {
        self.syntax == Syntax::Xml || self.foreign_depth > 0
    }

    fn raw_text(&mut self, element: Element, tag: Tag) -> &'b [u8] {
        match element {
            _ if tag.self_closing && self.is_xml() => &[],
            Element::Style | Element::Script => self.tags.raw_text(),
            Element::Iframe | Element::RawText if !self.is_xml() => self.tags.raw_text(),
            Element::Plaintext if !self.is_xml() => self.tags.rest(),
            _ => &[],
        }
    }
}
