//! JSON-LD: what a page says of itself to search engines, with the pictures and media it is about.

use serde_json::Value;
use tintype_vocab::{LinkKind, Tag};

/// How much of a block is read; larger ones are left.
const BLOCK_MAX: usize = 1 << 20;
/// Values that are looked at in one block.
const VALUES_MAX: usize = 20_000;

/// Properties whose value, or whose value's address, is loaded or led to.
const PROPERTIES: [(&str, Meaning); 14] = [
    ("image", Meaning::Picture),
    ("logo", Meaning::Picture),
    ("photo", Meaning::Picture),
    ("screenshot", Meaning::Picture),
    ("thumbnail", Meaning::Picture),
    ("thumbnailUrl", Meaning::Picture),
    ("primaryImageOfPage", Meaning::Picture),
    ("contentUrl", Meaning::Media),
    ("embedUrl", Meaning::Player),
    ("url", Meaning::Page),
    ("item", Meaning::Page),
    ("mainEntityOfPage", Meaning::Page),
    ("relatedLink", Meaning::Page),
    ("significantLink", Meaning::Page),
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Meaning {
    Picture,
    Media,
    Player,
    Page,
}

impl Meaning {
    fn link(self) -> (LinkKind, Tag) {
        match self {
            Meaning::Picture => (LinkKind::Embed, Tag::Image),
            Meaning::Media => (LinkKind::Embed, Tag::Enclosure),
            Meaning::Player => (LinkKind::Embed, Tag::Frame),
            Meaning::Page => (LinkKind::Anchor, Tag::Link),
        }
    }
}

/// Calls `found` with every address a block names, unresolved. What is no JSON names none.
pub(crate) fn references(block: &str, mut found: impl FnMut(&str, LinkKind, Tag)) {
    if block.len() > BLOCK_MAX {
        return;
    }
    let Ok(block) = serde_json::from_str::<Value>(block) else { return };
    // What is read of a value depends on the property it stands in; the parser bounds the nesting.
    let mut waiting = vec![(&block, None)];
    for _ in 0..VALUES_MAX {
        let Some((value, meaning)) = waiting.pop() else { return };
        match value {
            Value::String(address) => {
                if let Some((kind, tag)) = meaning.filter(|_| is_address(address)).map(Meaning::link) {
                    found(address, kind, tag);
                }
            }
            Value::Array(values) => waiting.extend(values.iter().rev().map(|value| (value, meaning))),
            Value::Object(members) => {
                waiting.extend(members.iter().rev().map(|(name, value)| (value, of_member(name, meaning))));
            }
            _ => {}
        }
    }
}

/// The address of a picture is that of its object.
fn of_member(name: &str, around: Option<Meaning>) -> Option<Meaning> {
    match (name, around) {
        ("url" | "@id" | "contentUrl", Some(Meaning::Picture)) => Some(Meaning::Picture),
        ("@id", Some(Meaning::Page)) => Some(Meaning::Page),
        _ => PROPERTIES.iter().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning),
    }
}

/// Names of things and templates stand where addresses may.
fn is_address(text: &str) -> bool {
    let whole = ["http://", "https://", "/", "./", "../"].iter().any(|start| text.starts_with(start));
    whole && text.len() > 1 && !text.contains(['{', '}', ' ', '\n'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(block: &str) -> Vec<String> {
        let mut seen = Vec::new();
        references(block, |url, kind, _| seen.push(format!("{}{url}", if kind == LinkKind::Embed { "+" } else { "" })));
        seen
    }

    #[test]
    fn pictures_media_and_pages_are_read() {
        for (block, expected) in [
            (r#"{"@type":"Article","image":"/a.png","url":"/a"}"#, &["+/a.png", "/a"][..]),
            (r#"{"image":["/a.png",{"@type":"ImageObject","url":"/b.png","width":5}]}"#, &["+/a.png", "+/b.png"]),
            (
                r#"{"publisher":{"@type":"Organization","logo":{"url":"/l.png"},"url":"http://o/"}}"#,
                &["+/l.png", "http://o/"],
            ),
            (r#"{"@graph":[{"thumbnailUrl":"/t.png"},{"mainEntityOfPage":{"@id":"/p"}}]}"#, &["+/t.png", "/p"]),
            (r#"{"@type":"VideoObject","contentUrl":"/v.mp4","embedUrl":"/player"}"#, &["+/v.mp4", "+/player"]),
            (r#"{"itemListElement":[{"item":"/1","name":"/no"},{"item":{"@id":"/2","name":"x"}}]}"#, &["/1", "/2"]),
            (r#"{"image":{"@id":"/i.png"}}"#, &["+/i.png"]),
        ] {
            assert_eq!(seen(block), expected, "{block}");
        }
    }

    #[test]
    fn what_is_no_address_is_none() {
        for block in [
            r#"{"@context":"https://schema.org","@id":"https://h/#me","sameAs":["https://o/"]}"#,
            r#"{"potentialAction":{"target":"https://h/?q={x}","urlTemplate":"https://h/{x}"}}"#,
            r#"{"url":"https://h/?q={x}","image":"a picture of it","logo":7,"item":null}"#,
            "{\"image\":",
            "",
        ] {
            assert!(seen(block).is_empty(), "{block}");
        }
        assert!(seen(&format!("{}{}", "[".repeat(5000), "]".repeat(5000))).is_empty());
        let many = format!("{{\"image\":[{}\"/x\"]}}", "\"/x\",".repeat(2 * VALUES_MAX));
        assert!(seen(&many).len() < VALUES_MAX);
    }
}
