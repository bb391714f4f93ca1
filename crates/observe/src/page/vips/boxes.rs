//! A page as a browser laid it out: what VIPS looks at.

/// Everything a browser drew, in the order of the document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Boxes {
    /// The name of the page, shown outside of it.
    pub title: String,
    pub width: f32,
    pub height: f32,
    /// Each after the one it is in.
    pub nodes: Vec<Node>,
}

/// An element or a run of text that takes part in the layout.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The number of the node it is in; nothing at the root.
    pub parent: Option<u32>,
    pub what: What,
    /// Where it stands on the page, in CSS pixels.
    pub place: Rect,
    pub look: VisualBox,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Text(String),
    Element {
        /// In small letters.
        tag: String,
        /// Only those in [`ATTRIBUTES`].
        attributes: Vec<(String, String)>,
    },
}

/// The attributes that tell something about blocks; no others need be read.
pub const ATTRIBUTES: [&str; 8] = ["role", "id", "class", "href", "src", "data-src", "data", "type"];

/// How a node looks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VisualBox {
    /// In CSS pixels.
    pub font_size: f32,
    pub font_weight: f32,
    /// Red, green and blue, if it has a background of its own.
    pub background: Option<[u8; 3]>,
    /// Whether it flows with the text around it.
    pub inline: bool,
    /// Whether it takes room and cannot be seen.
    pub hidden: bool,
}

/// A rectangle; nothing is in one without width or height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

impl Rect {
    pub fn is_empty(self) -> bool {
        // Not "at most zero": what a browser could not tell is empty as well.
        !(self.width > 0.0 && self.height > 0.0)
    }

    pub fn area(self) -> f32 {
        if self.is_empty() { 0.0 } else { self.width * self.height }
    }

    /// The smallest that holds both.
    pub fn and(self, other: Rect) -> Rect {
        if self.is_empty() || other.is_empty() {
            return if self.is_empty() { other } else { self };
        }
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let (right, bottom) = (self.right().max(other.right()), self.bottom().max(other.bottom()));
        Rect { x, y, width: right - x, height: bottom - y }
    }

    pub(super) fn right(self) -> f32 {
        self.x + self.width
    }

    pub(super) fn bottom(self) -> f32 {
        self.y + self.height
    }
}

impl Node {
    pub(super) fn tag(&self) -> &str {
        match &self.what {
            What::Text(_) => "",
            What::Element { tag, .. } => tag,
        }
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let What::Element { attributes, .. } = &self.what else { return None };
        attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}
