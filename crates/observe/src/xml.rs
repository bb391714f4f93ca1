//! XML that points somewhere: finds out what a document is and reads its elements one by one.
//!
//! Entities other than the built-in ones are never expanded, so entity bombs are just odd names.

use crate::{
    charset::Charset,
    collect::Collector,
    dash, entity,
    feed::{self, Dialect},
    html::{self, Syntax},
    sitemap,
};
use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};
use std::borrow::Cow;
use tintype_vocab::{self as vocab, LinkKind};

/// Longest text of one element that is kept: longer ones are articles, not URLs or dates.
const TEXT_MAX: usize = 16 << 10;

/// Adds the links of an XML document, if it is of a sort that has any.
pub(crate) fn links(body: &[u8], charset: &Charset<'_>, collector: &mut Collector) {
    let text = charset.text();
    match root(&text) {
        Some("urlset") => sitemap::links(&text, LinkKind::Listed, collector),
        Some("sitemapindex") => sitemap::links(&text, LinkKind::Sitemap, collector),
        Some("rss" | "RDF") => feed::links(&text, Dialect::Rss, collector),
        Some("feed") => feed::links(&text, Dialect::Atom, collector),
        Some("html" | "svg") => {
            style_sheets(&text, collector);
            html::links(body, Syntax::Xml, charset, collector);
        }
        Some("MPD") => dash::links(&text, collector),
        _ => style_sheets(&text, collector),
    }
}

/// Whether bytes of whatever label are a sitemap or a feed.
pub(crate) fn starts_listing(body: &[u8]) -> bool {
    let start = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii_start();
    let tag = start.strip_prefix(b"<").unwrap_or_default();
    let likely = [&b"?xml"[..], b"!--", b"rss", b"feed", b"rdf:RDF", b"urlset", b"sitemapindex"];
    if !likely.iter().any(|word| tag.starts_with(word)) {
        return false;
    }
    let head = &start[..start.len().min(HEAD)];
    let head = String::from_utf8_lossy(head);
    matches!(root(&head), Some("urlset" | "sitemapindex" | "rss" | "RDF" | "feed"))
}

/// How far into a document of another label its root element is looked for.
const HEAD: usize = 1024;

/// The local name of the root element.
pub(crate) fn root(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = rest[rest.find('<')?..].strip_prefix('<')?;
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = &comment[comment.find("-->")? + 3..];
        } else if rest.starts_with('?') {
            rest = &rest[rest.find("?>")? + 2..];
        } else if rest.starts_with('!') {
            rest = &rest[rest.find('>')? + 1..];
        } else {
            let end = rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '>' | '/'))?;
            let name = &rest[..end];
            return Some(name.split_once(':').map_or(name, |(_, local)| local));
        }
    }
}

/// The `xml-stylesheet` instructions before the root element.
pub(crate) fn style_sheets(text: &str, collector: &mut Collector) {
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event() {
            Ok(Event::PI(instruction)) if instruction.target() == "xml-stylesheet" => {
                let href = instruction.attributes().flatten().find(|attribute| attribute.key.as_ref() == "href");
                if let Some(href) = href {
                    collector.add(&entity::unescape(&href.value), LinkKind::Embed, vocab::Tag::StyleSheet);
                }
            }
            Ok(Event::Start(_) | Event::Empty(_) | Event::Eof) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

/// One who is told of the elements of a document.
pub(crate) trait Visitor {
    fn open(&mut self, name: Name<'_>, tag: &Tag<'_>);
    /// `text` is what stands directly before the end tag, without surrounding white space.
    fn close(&mut self, name: Name<'_>, text: &str);
    /// Whether the rest of the document is of no interest.
    fn is_done(&self) -> bool {
        false
    }
}

/// An element's name; the prefix of the root element's own namespace counts as none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name<'t> {
    pub(crate) prefix: &'t str,
    pub(crate) local: &'t str,
}

impl<'t> Name<'t> {
    fn new(qualified: &'t str, root_prefix: &str) -> Name<'t> {
        let (prefix, local) = qualified.split_once(':').unwrap_or(("", qualified));
        Name { prefix: if prefix == root_prefix { "" } else { prefix }, local }
    }
}

/// A start tag.
#[derive(Debug)]
pub(crate) struct Tag<'t>(BytesStart<'t>);

impl Tag<'_> {
    pub(crate) fn attribute(&self, name: &str) -> Option<Cow<'_, str>> {
        let mut attributes = self.0.attributes();
        let found = attributes.with_checks(false).flatten().find(|attribute| attribute.key.as_ref() == name)?;
        Some(entity::unescape(&found.value).into_owned().into())
    }
}

/// A reader that puts up with what people and programs write.
pub(crate) fn lenient(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.expand_empty_elements = true;
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    reader
}

/// Reads a document element by element; false if it breaks off or is not well formed.
pub(crate) fn walk(text: &str, visitor: &mut impl Visitor) -> bool {
    let mut reader = lenient(text);
    let mut root_prefix = None;
    let mut content = String::new();
    let mut depth = 0usize;
    while !visitor.is_done() {
        match reader.read_event() {
            Err(_) => return false,
            Ok(Event::Eof) => return depth == 0,
            Ok(Event::Start(tag)) => {
                content.clear();
                depth += 1;
                let qualified = tag.name().0.to_owned();
                let prefix = qualified.split_once(':').map_or("", |(prefix, _)| prefix);
                let root_prefix: &String = root_prefix.get_or_insert_with(|| prefix.to_owned());
                visitor.open(Name::new(&qualified, root_prefix), &Tag(tag));
            }
            Ok(Event::End(tag)) => {
                depth = depth.saturating_sub(1);
                let root_prefix = root_prefix.as_deref().unwrap_or_default();
                visitor.close(Name::new(tag.name().0, root_prefix), content.trim());
                content.clear();
            }
            Ok(Event::Text(text)) => keep(&mut content, &text.into_inner()),
            Ok(Event::CData(text)) => keep(&mut content, &text.into_inner()),
            Ok(Event::GeneralRef(name)) => keep(&mut content, &entity::unescape(&format!("&{};", name.into_inner()))),
            Ok(_) => {}
        }
    }
    true
}

fn keep(content: &mut String, more: &str) {
    if content.len() + more.len() <= TEXT_MAX {
        content.push_str(more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_found_behind_everything_that_may_stand_before_it() {
        for (text, expected) in [
            ("<urlset>", Some("urlset")),
            ("<?xml version='1.0'?>\n<!-- <rss> --><!DOCTYPE rss><rss version='2.0'>", Some("rss")),
            ("<rdf:RDF xmlns='x'>", Some("RDF")),
            ("<!--", None),
            ("<a", None),
            ("", None),
        ] {
            assert_eq!(root(text), expected, "{text}");
        }
        assert!(starts_listing(b"\xef\xbb\xbf \n<?xml?><feed >"));
        assert!(!starts_listing(b"<?xml version='1.0'?><html>"));
        assert!(!starts_listing(b"<!doctype html><rss>"));
    }
}
