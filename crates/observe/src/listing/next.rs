//! Further pages of a listing.

use super::{
    Page, json, select,
    template::resolve,
    way::{Next, Objects, Way},
};
use crate::{
    entity, header,
    html::Tags,
    look,
    xml::{self, Name, Tag, Visitor},
};
use tintype_vocab::LinkKind;
use url::Url;

/// Most further pages that one page may name: as many as a sitemap index.
pub(super) const PAGES_MAX: usize = crate::ENTRIES_MAX;

/// The pages that a page leads to, absolute and each once.
pub(super) fn pages(page: &Page<'_, '_>, way: &Way) -> Vec<String> {
    let url = page.described.url;
    let base = Url::parse(url).ok();
    let absolute = |texts: Vec<String>| texts.iter().filter_map(|text| resolve(base.as_ref(), text)).collect();
    let mut pages: Vec<String> = match (&way.next, &way.objects) {
        (Next::Select(wanted), _) => select::links(&page.html(), url, wanted),
        (Next::Json(pointer), _) => absolute(json::texts(&page.json(), pointer)),
        (Next::Links(template), _) => {
            links(page, |kind, url| kind == LinkKind::Anchor && template.parts(url).is_some())
        }
        (Next::Said, Objects::Sitemap) => links(page, |kind, _| kind == LinkKind::Sitemap),
        (Next::Said, Objects::Feed) if page.is_json() => absolute(json::texts(&page.json(), &["next_url".to_owned()])),
        (Next::Said, Objects::Feed) => absolute(said_by_feed(&page.xml())),
        (Next::Said, Objects::Json(_)) => Vec::new(),
        (Next::Said, Objects::Links(_) | Objects::Select(_)) => said_by_page(&page.html(), base.as_ref()),
    };
    if way.next == Next::Said {
        let headers = page.described.link_headers.iter().flat_map(|value| header::named(value, "next"));
        pages.extend(headers.filter_map(|target| resolve(base.as_ref(), target)));
    }
    let mut seen = hashbrown::HashSet::new();
    pages.retain(|page| page != url && seen.insert(page.clone()));
    pages.truncate(PAGES_MAX);
    pages
}

fn links(page: &Page<'_, '_>, wanted: impl Fn(LinkKind, &str) -> bool) -> Vec<String> {
    // Codings are undone already.
    let described = crate::Described { content_encoding: None, ..*page.described };
    let look = look(&described, &page.plain);
    look.links.iter().filter(|link| wanted(link.kind, link.url)).map(|link| link.url.to_owned()).collect()
}

/// `rel=next` of link and anchor elements.
fn said_by_page(page: &str, base: Option<&Url>) -> Vec<String> {
    let (mut base, mut pages) = (base.cloned(), Vec::new());
    let mut tags = Tags::new(page.as_bytes());
    while let Some(tag) = tags.next() {
        let value = |name| tags.attribute(name).and_then(|raw| std::str::from_utf8(raw).ok()).map(entity::unescape);
        let is_called = |name: &str| !tag.closes && tags.name.eq_ignore_ascii_case(name.as_bytes());
        if is_called("base") {
            let href = value("href").and_then(|href| resolve(base.as_ref(), &href));
            base = href.and_then(|href| Url::parse(&href).ok()).or(base);
        } else if (is_called("link") || is_called("a")) && value("rel").is_some_and(|rel| is_next(&rel)) {
            pages.extend(value("href").and_then(|href| resolve(base.as_ref(), &href)));
        }
    }
    pages
}

fn is_next(relations: &str) -> bool {
    relations.split_ascii_whitespace().any(|relation| relation.eq_ignore_ascii_case("next"))
}

/// The next page of a feed in pages, RFC 5005.
fn said_by_feed(text: &str) -> Vec<String> {
    struct Links(Vec<String>);
    impl Visitor for Links {
        fn open(&mut self, name: Name<'_>, tag: &Tag<'_>) {
            if name.local == "link" && tag.attribute("rel").is_some_and(|rel| is_next(&rel)) {
                self.0.extend(tag.attribute("href").map(|href| href.into_owned()));
            }
        }

        fn close(&mut self, _: Name<'_>, _: &str) {}
    }
    let mut links = Links(Vec::new());
    xml::walk(text, &mut links);
    links.0
}
