//! The links of an HTML page.
//!
//! `noscript` and `noframes` count as markup: an archive wants what is shown without scripts and frames as well.

mod element;
mod token;

use crate::{
    charset::{self, Charset},
    collect::Collector,
    css, entity, rel, srcset,
};
use element::Element;
use encoding_rs::{Encoding, UTF_8};
use std::borrow::Cow;
use tintype_vocab::LinkKind;
use token::{Tag, Tags};

/// HTML proper, or XML that uses its elements (XHTML, SVG), where any element may close itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    Html,
    Xml,
}

/// Adds every link of the page.
pub(crate) fn links(body: &[u8], syntax: Syntax, charset: &Charset<'_>, collector: &mut Collector) {
    let transcoded = charset.readable();
    let utf8 = Charset::new(&[], Some(UTF_8.name()), "", |_| None);
    let (bytes, charset) = match &transcoded {
        Some(bytes) => (bytes.as_slice(), &utf8),
        None => (body, charset),
    };
    Page { tags: Tags::new(bytes), syntax, foreign_depth: 0, charset, collector }.read();
}

/// The encoding a page names in its head.
pub(crate) fn declared_encoding(head: &[u8]) -> Option<&'static Encoding> {
    let mut tags = Tags::new(head);
    while let Some(tag) = tags.next() {
        match Element::of(tag.name) {
            Element::Meta => {}
            _ => continue,
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
    tags: Tags<'b>,
    syntax: Syntax,
    /// How many svg and math elements are open.
    foreign_depth: u32,
    charset: &'p Charset<'b>,
    collector: &'p mut Collector,
}

impl<'b> Page<'_, 'b> {
    fn read(mut self) {
        self.tags.cdata = self.syntax == Syntax::Xml;
        while let Some(tag) = self.tags.next() {
            let element = Element::of(tag.name);
            if element == Element::Foreign && !tag.self_closing {
                self.pass_foreign(tag.closes);
            }
            if !tag.closes {
                self.element(element);
                self.style_attribute();
                self.content(element, tag);
            }
        }
    }

    fn pass_foreign(&mut self, closes: bool) {
        self.foreign_depth = if closes { self.foreign_depth.saturating_sub(1) } else { self.foreign_depth + 1 };
        self.tags.cdata = self.syntax == Syntax::Xml || self.foreign_depth > 0;
    }

    /// Text in which no tags are, after the elements that hold such.
    fn content(&mut self, element: Element, tag: Tag<'b>) {
        let may_close_itself = self.syntax == Syntax::Xml || self.foreign_depth > 0;
        if tag.self_closing && may_close_itself {
            return;
        }
        match element {
            Element::Style => {
                let sheet = self.tags.raw_text(tag.name);
                self.style(sheet);
            }
            Element::Script | Element::Iframe | Element::RawText => {
                self.tags.raw_text(tag.name);
            }
            Element::Plaintext => self.tags.stop(),
            _ => {}
        }
    }

    fn element(&mut self, element: Element) {
        use LinkKind::{Anchor, Embed};
        match element {
            Element::Anchor => {
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
        let name = self.tags.attribute("property").or_else(|| self.tags.attribute("name"));
        if name.is_some_and(names_image) {
            self.add("content", LinkKind::Embed);
        }
    }

    fn style_attribute(&mut self) {
        let Some(raw) = self.tags.attributes().iter().find(|a| a.name.eq_ignore_ascii_case(b"style")) else { return };
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

    fn add_set(&mut self, attribute: &str) {
        if let Some(set) = self.value(attribute) {
            srcset::urls(&set).for_each(|url| self.collector.add(url, LinkKind::Embed));
        }
    }

    fn is(&self, attribute: &str, value: &str) -> bool {
        self.tags.attribute(attribute).is_some_and(|seen| seen.trim_ascii().eq_ignore_ascii_case(value.as_bytes()))
    }

    fn value(&mut self, attribute: &str) -> Option<Cow<'b, str>> {
        self.tags.attribute(attribute).map(|raw| self.text(raw))
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
mod tests;
