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
    /// Has a `src` and nothing else of interest.
    Embedded,
    Iframe,
    Object,
    Script,
    Style,
    Input,
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

/// Longest name below.
const NAME_MAX: usize = 9;

impl Element {
    pub(crate) fn of(name: &[u8]) -> Element {
        let mut lower = [0; NAME_MAX];
        let Some(lower) = lower_case(name, &mut lower) else { return Element::Other };
        match lower {
            b"a" => Element::Anchor,
            b"area" => Element::Area,
            b"base" => Element::Base,
            b"link" => Element::Link,
            b"meta" => Element::Meta,
            b"img" | b"image" => Element::Image,
            b"source" => Element::Source,
            b"video" => Element::Video,
            b"audio" | b"track" | b"embed" | b"frame" => Element::Embedded,
            b"iframe" => Element::Iframe,
            b"object" => Element::Object,
            b"script" => Element::Script,
            b"style" => Element::Style,
            b"input" => Element::Input,
            b"use" | b"feimage" => Element::Drawn,
            b"body" | b"table" | b"td" | b"th" | b"tr" => Element::Backed,
            b"svg" | b"math" => Element::Foreign,
            b"title" | b"textarea" | b"xmp" | b"noembed" => Element::RawText,
            b"plaintext" => Element::Plaintext,
            _ => Element::Other,
        }
    }
}

/// The name in lower case; nothing if it is longer than any we know.
pub(super) fn lower_case<'l>(name: &[u8], lower: &'l mut [u8]) -> Option<&'l [u8]> {
    let lower = lower.get_mut(..name.len())?;
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    Some(lower)
}
