//! The elements links are in, and those whose content is not markup.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    Anchor,
    /// A link without text.
    Area,
    Base,
    Link,
    Meta,
    Image,
    Source,
    Video,
    Audio,
    Track,
    /// `embed`, whatever it is.
    Plugin,
    Frame,
    Iframe,
    Object,
    Script,
    Style,
    Input,
    /// What an object is told.
    Param,
    /// SVG that draws something from elsewhere.
    Drawn,
    /// May have a background.
    Backed,
    /// svg, math: other parsing rules inside.
    Foreign,
    /// Content in which `<` opens nothing.
    RawText,
    Plaintext,
    Other,
}

/// The longest name that means anything here, `blockquote`.
const NAME_MAX: usize = 10;

/// The name of a tag, in lower case; nothing if it is longer than any we know.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Name<'b> {
    /// As it stands there, as nearly always.
    Written(&'b [u8]),
    Lowered([u8; NAME_MAX], usize),
}

impl<'b> Name<'b> {
    #[inline]
    pub(crate) fn new(written: &'b [u8]) -> Name<'b> {
        if written.len() > NAME_MAX {
            Name::Written(&[])
        } else if written.iter().any(u8::is_ascii_uppercase) {
            let mut lower = [0; NAME_MAX];
            lower.iter_mut().zip(written).for_each(|(to, from)| *to = from.to_ascii_lowercase());
            Name::Lowered(lower, written.len())
        } else {
            Name::Written(written)
        }
    }

    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Name::Written(name) => name,
            Name::Lowered(name, len) => &name[..*len],
        }
    }
}

impl Element {
    pub(crate) fn of(name: &Name<'_>) -> Element {
        match name.bytes() {
            b"a" => Element::Anchor,
            b"area" => Element::Area,
            b"base" => Element::Base,
            b"link" => Element::Link,
            b"meta" => Element::Meta,
            b"img" | b"image" => Element::Image,
            b"source" => Element::Source,
            b"video" => Element::Video,
            b"audio" | b"bgsound" => Element::Audio,
            b"track" => Element::Track,
            b"embed" => Element::Plugin,
            b"frame" => Element::Frame,
            b"iframe" => Element::Iframe,
            b"object" => Element::Object,
            b"script" => Element::Script,
            b"style" => Element::Style,
            b"input" => Element::Input,
            b"param" => Element::Param,
            b"use" | b"feimage" => Element::Drawn,
            b"body" | b"table" | b"td" | b"th" | b"tr" => Element::Backed,
            b"svg" | b"math" => Element::Foreign,
            b"title" | b"textarea" | b"xmp" | b"noembed" => Element::RawText,
            b"plaintext" => Element::Plaintext,
            _ => Element::Other,
        }
    }
}
