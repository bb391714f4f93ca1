//! The objects a page lists, found in the way a person declared for their source.
//!
//! [`Way`] is what was declared and [`list`] what it finds. Nothing is guessed: a page that is not of the declared kind
//! lists nothing and says so, because an empty listing and a login page must not look alike. Every size is bounded by a
//! constant, and what is left out is counted.

mod entries;
mod gather;
mod json;
mod next;
mod place;
mod select;
mod template;
#[cfg(test)]
mod tests;
mod way;

use crate::{
    Described,
    charset::{self, Charset},
    decode, html, json_feed, look,
    media::ContentTypeHeader,
};
use gather::Gatherer;
pub use gather::{ID_MAX, OBJECTS_MAX, TEXT_MAX, VALUE_MAX};
use std::borrow::Cow;
use tintype_vocab::Object;
use way::Objects;
pub use way::{BadWay, Declared, Way};

/// What one page of a listing says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// In the order they stand there; an object that stands there twice is there twice.
    pub objects: Vec<Object>,
    /// Further pages of the listing, absolute and each once.
    pub next: Vec<String>,
    pub findings: ListingFindings,
}

/// What was odd about a page of a listing, and what was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListingFindings {
    /// The page could not be read to its end, or is not of the declared kind.
    pub broken: bool,
    /// Objects beyond the limits of number and text.
    pub over_limit: u32,
    /// Places where an object should be that has no identifier.
    pub without_id: u32,
    /// Identifiers too long to be any.
    pub ids_too_long: u32,
}

impl Listing {
    /// Whether everything that the page lists is here, but for what is no object in any crawl.
    pub fn is_whole(&self) -> bool {
        !self.findings.broken && self.findings.over_limit == 0
    }
}

/// What a page lists.
pub fn list(described: &Described<'_>, body: &[u8], way: &Way) -> Listing {
    let (plain, mut damage) = decode::undo(described.content_encoding, body);
    let page = Page { described, plain: unpacked(plain, &mut damage) };
    let mut gatherer = Gatherer::new(&way.attributes);
    page.objects(way, body, &mut gatherer);
    let mut listing = gatherer.finish();
    listing.next = next::pages(&page, way);
    listing.findings.broken |= damage.undecodable || damage.broken || damage.too_large;
    listing
}

/// One page without its content codings.
struct Page<'d, 'b> {
    described: &'d Described<'d>,
    plain: Cow<'b, [u8]>,
}

impl Page<'_, '_> {
    fn objects(&self, way: &Way, body: &[u8], gatherer: &mut Gatherer<'_>) {
        match &way.objects {
            Objects::Links(template) => {
                let look = look(self.described, body);
                place::links(&look, template, way, gatherer);
            }
            Objects::Select(items) => select::objects(&self.html(), self.described.url, items, way, gatherer),
            Objects::Json(items) => json::objects(&self.json(), items, way, gatherer),
            Objects::Feed if self.is_json() => json::entries(&self.json(), way, gatherer),
            Objects::Feed => entries::objects(&self.xml(), entries::Kind::Feed, way, gatherer),
            Objects::Sitemap => entries::objects(&self.xml(), entries::Kind::Sitemap, way, gatherer),
        }
    }

    fn is_json(&self) -> bool {
        json_feed::is_one(&self.plain)
    }

    fn html(&self) -> Cow<'_, str> {
        self.text(html::declared_encoding)
    }

    fn xml(&self) -> Cow<'_, str> {
        self.text(charset::in_xml_declaration)
    }

    fn json(&self) -> Cow<'_, str> {
        self.text(|_| None)
    }

    fn text(&self, inside: fn(&[u8]) -> Option<&'static encoding_rs::Encoding>) -> Cow<'_, str> {
        let served = self.described.content_type.and_then(ContentTypeHeader::parse).and_then(|served| served.charset);
        Charset::new(&self.plain, served.as_deref(), self.described.url, inside).text()
    }
}

/// Sitemaps are often files in gzip form.
fn unpacked<'b>(plain: Cow<'b, [u8]>, damage: &mut decode::Damage) -> Cow<'b, [u8]> {
    if decode::is_gzip(&plain) {
        return Cow::Owned(decode::gunzip(&plain, damage));
    }
    plain
}
