//! The links of an HTML page.
//!
//! `noscript` and `noframes` count as markup: an archive wants what is shown without scripts and frames as well.

mod anchor;
mod blocks;
mod element;
mod elements;
mod inner;
mod lazy;
mod mentions;
mod page;
mod regions;
mod token;
mod visible;

use crate::{
    charset::{self, Charset},
    collect::Collector,
    script::ImportMap,
};
pub(crate) use element::{Element, Name};
use elements::Elements;
pub(crate) use elements::Syntax;
use encoding_rs::{Encoding, UTF_8};
use page::Page;
pub(crate) use token::{Tag, Tags};
pub(crate) use visible::visible_text;

/// Adds every link of the page.
pub(crate) fn links(body: &[u8], syntax: Syntax, charset: &Charset<'_>, collector: &mut Collector) {
    let transcoded = charset.readable();
    let utf8 = Charset::new(&[], Some(UTF_8.name()), "", |_| None);
    let (bytes, charset) = match &transcoded {
        Some(bytes) => (bytes.as_slice(), &utf8),
        None => (body, charset),
    };
    let (elements, imports) = (Elements::new(bytes, syntax), ImportMap::default());
    Page { elements, charset, collector, imports, depth: 0 }.read();
}

/// The encoding a page names in its head.
pub(crate) fn declared_encoding(head: &[u8]) -> Option<&'static Encoding> {
    let mut tags = Tags::new(head);
    while tags.next().is_some() {
        if Element::of(&Name::new(tags.name)) != Element::Meta {
            continue;
        }
        let content = || tags.attribute("content").and_then(charset::label_in_content);
        let label = tags.attribute("charset").or_else(|| tags.attribute("http-equiv").and_then(|_| content()));
        if let Some(encoding) = label.and_then(charset::from_inside) {
            return Some(encoding);
        }
    }
    charset::in_xml_declaration(head)
}

#[cfg(test)]
mod block_tests;
#[cfg(test)]
mod differential;
#[cfg(test)]
mod mention_tests;
#[cfg(test)]
mod tests;
