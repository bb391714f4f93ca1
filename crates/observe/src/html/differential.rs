//! Our reading of tags beside that of a streaming rewriter that follows the standard.

use super::elements::{Elements, Syntax};
use lol_html::{HtmlRewriter, Settings, element};
use proptest::prelude::*;

type Element = (String, Vec<(String, String)>);

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn ours(page: &[u8]) -> Vec<Element> {
    let mut elements = Elements::new(page, Syntax::Html);
    let mut seen = Vec::new();
    while elements.next().is_some() {
        let attributes = elements.tags.attributes().iter();
        let attributes = attributes.map(|a| (text(a.name).to_ascii_lowercase(), text(a.value))).collect();
        seen.push((text(elements.tags.name).to_ascii_lowercase(), attributes));
    }
    seen
}

fn theirs(page: &[u8]) -> Vec<Element> {
    let mut seen = Vec::new();
    let handler = element!("*", |element| {
        let attributes = element.attributes().iter().map(|a| (a.name(), a.value())).collect();
        seen.push((element.tag_name(), attributes));
        Ok(())
    });
    let settings = Settings::new().append_element_content_handler(handler).with_strict(false);
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(page).unwrap();
    rewriter.end().unwrap();
    seen
}

#[test]
fn a_recorded_page_has_the_same_elements() {
    let page = include_bytes!("tests/page.html");
    assert_eq!(ours(page), theirs(page));
    assert_eq!(ours(page).len(), 55);
}

/// Pieces of markup, whole and torn, that between them reach every state of the tokenizer.
const PIECES: [&str; 62] = [
    "<a href=x>",
    "<a href=\"x\">",
    "<a href='x'>",
    "</a>",
    "<a",
    "<p ",
    " href=",
    "=",
    "\"",
    "'",
    ">",
    "/>",
    "/",
    "<",
    "</",
    "</>",
    "</ ",
    "<!",
    "<!--",
    "-->",
    "--!>",
    "--",
    "-",
    "<!-->",
    "<!--->",
    "!",
    "<!doctype html>",
    "<?php ",
    "?>",
    "<script>",
    "</script>",
    "</script ",
    "<SCRIPT",
    "<style>",
    "</style>",
    "<title>",
    "</title>",
    "</titl",
    "<textarea>",
    "</textarea>",
    "<xmp>",
    "</xmp>",
    "<iframe>",
    "</iframe>",
    "<noembed>",
    "</noembed>",
    "text",
    " ",
    "\n",
    "\t",
    "\u{c}",
    "\r",
    "x=y",
    "é",
    "\0",
    "&amp;",
    "<![CDATA[",
    "]]>",
    "<b/c>",
    "<1>",
    "<i j = k l>",
    "<plaintext>",
];

/// What changes how a script ends.
const SCRIPT_PIECES: [&str; 9] =
    ["<!--", "-->", "--", "<script>", "<script ", "</script>", "</script", "</scripts>", ">"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn soup_has_the_same_elements(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24)) {
        let soup = pieces.concat();
        prop_assert_eq!(ours(soup.as_bytes()), theirs(soup.as_bytes()), "{:?}", soup);
    }

    #[test]
    fn scripts_end_at_the_same_place(
        pieces in prop::collection::vec(prop::sample::select(&SCRIPT_PIECES[..]), 0..12),
    ) {
        let soup = format!("<script>{}<a href=x></script><b>", pieces.concat());
        prop_assert_eq!(ours(soup.as_bytes()), theirs(soup.as_bytes()), "{:?}", soup);
    }
}
