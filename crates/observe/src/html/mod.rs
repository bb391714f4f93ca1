//! The links of an HTML page.
//!
//! `noscript` and `noframes` count as markup: an archive wants what is shown without scripts and frames as well.

mod blocks;
mod element;
mod elements;
mod token;
mod visible;

use crate::{
    charset::{self, Charset},
    collect::Collector,
    css, entity, rel, srcset,
};
pub(crate) use element::{Element, Name};
use elements::Elements;
pub(crate) use elements::Syntax;
use encoding_rs::{Encoding, UTF_8};
use std::borrow::Cow;
use tintype_vocab::{Link, LinkKind};
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
    Page { elements: Elements::new(bytes, syntax), charset, collector }.read();
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

struct Page<'p, 'b> {
    elements: Elements<'b>,
    charset: &'p Charset<'b>,
    collector: &'p mut Collector,
}

impl<'b> Page<'_, 'b> {
    fn read(mut self) {
        while let Some(opened) = self.elements.next() {
            self.element(opened.element);
            self.style_attribute();
            if opened.element == Element::Style {
                self.style(opened.raw_text);
            }
        }
        let contexts = self.elements.blocks.finish();
        contexts.into_iter().enumerate().for_each(|(link, context)| self.collector.add_context(link as u32, context));
    }

    fn element(&mut self, element: Element) {
        use LinkKind::{Anchor, Embed};
        match element {
            Element::Anchor => {
                self.add_here("href");
                self.add_here("xlink:href");
            }
            Element::Area => {
                self.add("href", Anchor);
                self.add("xlink:href", Anchor);
            }
            Element::Link => self.link(),
            Element::Image => self.add_all(&["src", "data-src", "href", "xlink:href"], &["srcset", "data-srcset"]),
            Element::Source => self.add_all(&["src", "data-src"], &["srcset", "data-srcset"]),
            Element::Video => self.add_all(&["src", "poster", "data-src"], &[]),
            Element::Embedded => self.add("src", Embed),
            Element::Iframe => self.add_all(&["src", "data-src"], &[]),
            Element::Script => self.add_all(&["src", "href", "xlink:href"], &[]),
            Element::Object => self.add("data", Embed),
            Element::Drawn => self.add_all(&["href", "xlink:href"], &[]),
            Element::Input if self.is("type", "image") => self.add("src", Embed),
            Element::Backed => self.add("background", Embed),
            Element::Meta => self.meta(),
            Element::Base => {
                if let Some(href) = self.value("href") {
                    self.collector.rebase(href.trim());
                }
            }
            _ => {}
        }
    }

    fn link(&mut self) {
        let relations = self.value("rel").unwrap_or_default();
        let media_type = self.value("type");
        if let Some(kind) = rel::kind(&relations, media_type.as_deref()) {
            self.add("href", kind);
            self.add_set("imagesrcset");
        }
    }

    fn meta(&mut self) {
        if self.is("http-equiv", "refresh") {
            let content = self.value("content").unwrap_or_default();
            if let Some(target) = refresh_target(&content) {
                self.collector.add(target, LinkKind::Anchor);
            }
            return;
        }
        let name = self.elements.tags.attribute("property").or_else(|| self.elements.tags.attribute("name"));
        if name.is_some_and(names_image) {
            self.add("content", LinkKind::Embed);
        }
    }

    fn style_attribute(&mut self) {
        let Some(raw) = self.elements.tags.attributes().iter().find(|a| a.name.eq_ignore_ascii_case(b"style")) else {
            return;
        };
        if css::may_refer(raw.value) {
            let declarations = self.text(raw.value);
            css::references(&declarations, |url| self.collector.add(url, LinkKind::Embed));
        }
    }

    fn style(&mut self, sheet: &'b [u8]) {
        if css::may_refer(sheet) {
            let sheet = self.charset.decode(sheet);
            css::references(&sheet, |url| self.collector.add(url, LinkKind::Embed));
        }
    }

    fn add_all(&mut self, urls: &[&str], sets: &[&str]) {
        urls.iter().for_each(|attribute| self.add(attribute, LinkKind::Embed));
        sets.iter().for_each(|attribute| self.add_set(attribute));
    }

    fn add(&mut self, attribute: &str, kind: LinkKind) {
        if let Some(url) = self.value(attribute) {
            self.collector.add(&url, kind);
        }
    }

    /// Adds an anchor that the text around it may be about.
    fn add_here(&mut self, attribute: &str) {
        let Some(url) = self.value(attribute) else { return };
        if let Some(link) = self.collector.place(Link::new(&url, LinkKind::Anchor)) {
            self.elements.blocks.link(link);
        }
    }

    fn add_set(&mut self, attribute: &str) {
        if let Some(set) = self.value(attribute) {
            srcset::urls(&set).for_each(|url| self.collector.add(url, LinkKind::Embed));
        }
    }

    fn is(&self, attribute: &str, value: &str) -> bool {
        self.elements
            .tags
            .attribute(attribute)
            .is_some_and(|seen| seen.trim_ascii().eq_ignore_ascii_case(value.as_bytes()))
    }

    fn value(&mut self, attribute: &str) -> Option<Cow<'b, str>> {
        self.elements.tags.attribute(attribute).map(|raw| self.text(raw))
    }

    /// An attribute value as characters.
    fn text(&mut self, raw: &'b [u8]) -> Cow<'b, str> {
        let text = self.charset.decode(raw);
        if !raw.is_ascii() {
            self.collector.query_encoding = self.charset.encoding().output_encoding();
        }
        match text {
            Cow::Borrowed(text) => entity::unescape(text),
            Cow::Owned(text) => Cow::Owned(entity::unescape(&text).into_owned()),
        }
    }
}

/// Meta names whose content is a picture of the page.
fn names_image(name: &[u8]) -> bool {
    const NAMES: [&str; 6] = [
        "og:image",
        "og:image:url",
        "og:image:secure_url",
        "twitter:image",
        "twitter:image:src",
        "msapplication-tileimage",
    ];
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// The URL of a refresh such as `5; url='/next'`.
fn refresh_target(content: &str) -> Option<&str> {
    let after_time = content.trim_start().trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let rest = after_time.trim_start().strip_prefix([';', ','])?.trim_start();
    let url = match rest.get(..3) {
        Some(word) if word.eq_ignore_ascii_case("url") => match rest[3..].trim_start().strip_prefix('=') {
            Some(url) => url.trim_start(),
            None => rest,
        },
        _ => rest,
    };
    match url.chars().next()? {
        quote @ ('"' | '\'') => url[1..].split(quote).next(),
        _ => Some(url),
    }
}

#[cfg(test)]
mod block_tests;
#[cfg(test)]
mod differential;
#[cfg(test)]
mod tests;
