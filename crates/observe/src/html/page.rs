//! Where the elements of a page point.

use super::{Element, Elements, lazy, token::Attribute};
use crate::{
    charset::Charset,
    collect::Collector,
    css, entity,
    rel::{self, Relation},
    robots,
    script::ImportMap,
    srcset,
};
use std::borrow::Cow;
use tintype_vocab::{Link, LinkKind, Tag};

/// A page as it is read.
pub(super) struct Page<'p, 'b> {
    pub(super) elements: Elements<'b>,
    pub(super) charset: &'p Charset<'b>,
    pub(super) collector: &'p mut Collector,
    pub(super) imports: ImportMap,
    /// How many pages it is inside of.
    pub(super) depth: u8,
}

impl<'b> Page<'_, 'b> {
    pub(super) fn read(mut self) {
        while let Some(opened) = self.elements.next() {
            self.element(opened.element);
            self.attributes(opened.element);
            match opened.element {
                Element::Style => self.style(opened.raw_text),
                Element::Script if !opened.raw_text.is_empty() => self.script(opened.raw_text),
                _ => {}
            }
        }
        self.settle_anchor();
        let contexts = self.elements.blocks.finish();
        contexts.into_iter().enumerate().for_each(|(link, context)| self.collector.add_context(link as u32, context));
    }

    fn element(&mut self, element: Element) {
        match element {
            Element::Anchor => self.anchor(),
            Element::Area => {
                let tag = self.follows(Tag::Anchor);
                self.add_all(&["href", "xlink:href"], LinkKind::Anchor, tag);
            }
            Element::Link => self.link(),
            Element::Image => {
                self.stand_in_for_text();
                self.embed(&["src", "href", "xlink:href", "lowsrc"], Tag::Image);
                self.embed_sets(&["srcset"]);
            }
            Element::Source => {
                let tag = self.source();
                self.embed(&["src"], tag);
                self.embed_sets(&["srcset"]);
            }
            Element::Video => {
                self.embed(&["src"], Tag::Video);
                self.embed(&["poster"], Tag::Image);
            }
            Element::Audio => self.embed(&["src"], Tag::Audio),
            Element::Track => self.embed(&["src"], Tag::Track),
            Element::Plugin => self.embed(&["src"], Tag::Object),
            Element::Frame => self.embed(&["src"], Tag::Frame),
            Element::Iframe => {
                self.embed(&["src"], Tag::Frame);
                self.inner_page();
            }
            Element::Script => self.embed(&["src", "href", "xlink:href"], Tag::Script),
            Element::Object => self.embed(&["data"], Tag::Object),
            Element::Drawn => self.embed(&["href", "xlink:href"], Tag::Image),
            Element::Input if self.is("type", "image") => self.embed(&["src"], Tag::Image),
            Element::Param if self.names_film() => self.embed(&["value"], Tag::Object),
            Element::Backed => self.embed(&["background"], Tag::Image),
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
        let (media_type, loads) = (self.value("type"), self.value("as"));
        if let Some(Relation { kind, tag }) = rel::meaning(&relations, media_type.as_deref(), loads.as_deref()) {
            self.add_all(&["href"], kind, tag);
            self.embed_sets(&["imagesrcset"]);
        }
    }

    fn meta(&mut self) {
        if self.is("http-equiv", "refresh") {
            let content = self.value("content").unwrap_or_default();
            if let Some(target) = refresh_target(&content) {
                self.add(target, LinkKind::Anchor, Tag::Redirect);
            }
            return;
        }
        if self.is("name", "robots") {
            let content = self.value("content").unwrap_or_default();
            self.collector.is_unfollowed |= robots::forbids_following(&content);
        }
        let name = ["property", "name", "itemprop"].iter().find_map(|known| self.elements.tags.attribute(known));
        if let Some(tag) = name.and_then(names_medium) {
            self.embed(&["content"], tag);
        }
    }

    /// What any element may have.
    fn attributes(&mut self, element: Element) {
        for nth in 0..self.elements.tags.attributes().len() {
            let Attribute { name, value } = self.elements.tags.attributes()[nth];
            if name.len() == 5 && name.eq_ignore_ascii_case(b"style") && css::may_refer(value) {
                let declarations = self.text(value);
                self.references(&declarations);
            } else if let Some(rest) = lazy::after_data(name) {
                self.set_aside(element, rest, value);
            }
        }
    }

    /// Whether a `param` names what its `object` plays.
    fn names_film(&self) -> bool {
        ["movie", "src", "filename"].iter().any(|name| self.is("name", name))
    }

    fn style(&mut self, sheet: &'b [u8]) {
        if css::may_refer(sheet) {
            let sheet = self.charset.decode(sheet);
            self.references(&sheet);
        }
    }

    pub(super) fn references(&mut self, css: &str) {
        css::references(css, |url, tag| self.add(url, LinkKind::Embed, tag));
    }

    /// Adds an anchor that the text around it may be about.
    fn anchor(&mut self) {
        self.settle_anchor();
        let download = self.elements.tags.attribute("download").is_some();
        let tag = self.follows(if download { Tag::Download } else { Tag::Anchor });
        for attribute in ["href", "xlink:href"] {
            let Some(url) = self.value(attribute) else { continue };
            let link = Link { mention: self.mention(tag), ..Link::new(&url, LinkKind::Anchor) };
            if let Some(link) = self.collector.place(link) {
                let title = self.attribute_words();
                self.elements.blocks.link(link);
                self.elements.anchor.opens(link, title);
            }
        }
    }

    /// What an anchor is, unless the site asks not to follow it.
    fn follows(&self, tag: Tag) -> Tag {
        let relations = self.elements.tags.attribute("rel").unwrap_or_default();
        let mut relations = relations.split(|byte| byte.is_ascii_whitespace() || *byte == b',');
        if relations.any(|relation| relation.eq_ignore_ascii_case(b"nofollow")) { Tag::Unfollowed } else { tag }
    }

    fn embed(&mut self, attributes: &[&str], tag: Tag) {
        self.add_all(attributes, LinkKind::Embed, tag);
    }

    fn embed_sets(&mut self, attributes: &[&str]) {
        for attribute in attributes {
            let Some(set) = self.value(attribute) else { continue };
            let mention = self.worded(Tag::ImageSet);
            for url in srcset::urls(&set) {
                self.collector.place(Link { mention, ..Link::new(url, LinkKind::Embed) });
            }
        }
    }

    /// Adds what these attributes refer to, with the words that others have.
    fn add_all(&mut self, attributes: &[&str], kind: LinkKind, tag: Tag) {
        for attribute in attributes {
            if let Some(url) = self.value(attribute) {
                self.collector.place(Link { mention: self.worded(tag), ..Link::new(&url, kind) });
            }
        }
    }

    pub(super) fn add(&mut self, url: &str, kind: LinkKind, tag: Tag) {
        self.collector.place(Link { mention: self.mention(tag), ..Link::new(url, kind) });
    }

    pub(super) fn is(&self, attribute: &str, value: &str) -> bool {
        self.elements
            .tags
            .attribute(attribute)
            .is_some_and(|seen| seen.trim_ascii().eq_ignore_ascii_case(value.as_bytes()))
    }

    pub(super) fn value(&mut self, attribute: &str) -> Option<Cow<'b, str>> {
        self.elements.tags.attribute(attribute).map(|raw| self.text(raw))
    }

    /// An attribute value as characters.
    pub(super) fn text(&mut self, raw: &'b [u8]) -> Cow<'b, str> {
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

/// Meta names whose content is a picture of the page, or what it shows.
fn names_medium(name: &[u8]) -> Option<Tag> {
    const NAMES: [(&str, Tag); 18] = [
        ("og:image", Tag::Image),
        ("og:image:url", Tag::Image),
        ("og:image:secure_url", Tag::Image),
        ("og:logo", Tag::Image),
        ("og:video", Tag::Video),
        ("og:video:url", Tag::Video),
        ("og:video:secure_url", Tag::Video),
        ("og:audio", Tag::Audio),
        ("twitter:image", Tag::Image),
        ("twitter:image:src", Tag::Image),
        ("image", Tag::Image),
        ("thumbnail", Tag::Image),
        ("thumbnailurl", Tag::Image),
        ("msapplication-tileimage", Tag::Image),
        ("msapplication-square70x70logo", Tag::Image),
        ("msapplication-square150x150logo", Tag::Image),
        ("msapplication-wide310x150logo", Tag::Image),
        ("msapplication-square310x310logo", Tag::Image),
    ];
    NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes())).map(|(_, tag)| *tag)
}

/// The URL of a refresh such as `5; url='/next'`.
pub(super) fn refresh_target(content: &str) -> Option<&str> {
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
