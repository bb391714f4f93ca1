//! The text of a page that its readers see: no scripts, style sheets, comments, and nothing of framed documents.

use super::{
    Syntax,
    element::{Element, Name},
    token::Tags,
};

/// Hands over the text in the pieces that tags and comments cut it into, character references as they are written.
pub(crate) fn visible_text<'b>(bytes: &'b [u8], syntax: Syntax, mut each: impl FnMut(&'b [u8])) {
    let mut tags = Tags::new(bytes);
    tags.cdata = syntax == Syntax::Xml;
    while let Some(tag) = tags.next_after(&mut each) {
        if tag.closes || tag.self_closing && syntax == Syntax::Xml {
            continue;
        }
        match Element::of(&Name::new(tags.name)) {
            Element::Script | Element::Style | Element::Iframe => drop(tags.raw_text()),
            Element::RawText => each(tags.raw_text()),
            Element::Plaintext => each(tags.rest()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_shown_is_not_text() {
        for (page, seen) in [
            ("<title>T</title><p>one <b>two</b>", "T one two"),
            ("a<script>var x = '<p>no</p>';</script>b<style>p { color: red }</style>c", "a b c"),
            ("a<!-- not this --!>b<!doctype x>c", "a b c"),
            ("a<iframe>not this</iframe><textarea>but this", "a but this"),
            ("<p title='not this'>1 < 2</p><plaintext><b>", "1 < 2 <b>"),
        ] {
            let mut pieces = Vec::new();
            visible_text(page.as_bytes(), Syntax::Html, |piece| {
                let piece = String::from_utf8_lossy(piece.trim_ascii()).into_owned();
                pieces.extend(Some(piece).filter(|piece| !piece.is_empty()));
            });
            assert_eq!(pieces.join(" "), seen, "{page}");
        }
    }
}
