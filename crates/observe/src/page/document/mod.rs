//! Documents that are not HTML, as blocks: what a reader of a feed, a data file or a text would point at.
//!
//! Formats with names for their parts (JSON, XML, feeds, sitemaps, style sheets) become a [`tree`], which is divided
//! into records and members; texts and PDF are divided into paragraphs. Both end in a [`draft::Draft`].

mod draft;
mod identity;
mod json;
mod pdf;
mod records;
mod style;
mod text;
mod tree;
mod value;
mod xml;

use super::read::Segmented;
use crate::{
    charset,
    decode::{self, Damage},
    html::{self, Syntax},
    json_feed, sniff, xml as markup,
};
use encoding_rs::Encoding;
use records::Dialect;
use std::borrow::Cow;

/// How a body is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Page(Syntax),
    Json,
    Xml,
    Style,
    Script,
    /// Paragraphs.
    Text,
    /// Lines that stand for themselves.
    Rows,
    Pdf,
}

/// How much of a gzip file is inflated to see whether a sitemap or feed is inside.
const GZIPPED_HEAD: usize = 1024;

/// Decoration is not what a page says.
const STYLE_MATTERS: f64 = 0.05;
/// Programs are read by machines; the texts in them are shown to people now and then.
const SCRIPT_MATTERS: f64 = 0.3;

impl Format {
    /// Nothing for what can only be compared by size and digest.
    pub(super) fn of(media_type: &str, body: &[u8]) -> Option<Format> {
        let (kind, subtype) = media_type.split_once('/')?;
        Some(match (kind, subtype) {
            ("text", "html") if markup::starts_listing(body) => Format::Xml,
            ("text", "html") => Format::Page(Syntax::Html),
            ("application", "xhtml+xml") => Format::Page(Syntax::Xml),
            ("application", "pdf" | "x-pdf") => Format::Pdf,
            ("text", "css") => Format::Style,
            ("text" | "application", "javascript" | "x-javascript" | "ecmascript") => Format::Script,
            ("text" | "application", "json" | "x-ndjson" | "jsonl") => Format::Json,
            ("text" | "application", "xml" | "xml-dtd") => Format::Xml,
            _ if subtype.ends_with("+json") => Format::Json,
            _ if subtype.ends_with("+xml") => Format::Xml,
            ("text", "csv" | "tab-separated-values") => Format::Rows,
            ("image" | "audio" | "video" | "font" | "model", _) => return None,
            _ => return Format::by_look(kind, body),
        })
    }

    /// A type that says little: texts are served under any.
    fn by_look(kind: &str, body: &[u8]) -> Option<Format> {
        match sniff::media_type(body) {
            _ if markup::starts_listing(body) => Some(Format::Xml),
            Some("application/pdf") => Some(Format::Pdf),
            Some("text/plain" | "text/html" | "text/xml") => Some(Format::Text),
            None if kind == "text" => Some(Format::Text),
            _ => None,
        }
    }

    /// How much the changes of such a document matter, beside those of a page.
    pub(super) fn matters(self) -> f64 {
        match self {
            Format::Style => STYLE_MATTERS,
            Format::Script => SCRIPT_MATTERS,
            _ => 1.0,
        }
    }

    /// The encoding a document names in its head.
    pub(super) fn declared_encoding(self, head: &[u8]) -> Option<&'static Encoding> {
        match self {
            Format::Page(_) => html::declared_encoding(head),
            Format::Xml => charset::in_xml_declaration(head),
            Format::Style => charset::in_style_sheet(head),
            _ => None,
        }
    }

    /// The blocks of a document of characters. What is not in the format it claims is text.
    pub(super) fn blocks(self, document: &str) -> Segmented {
        let mut blocks = self.divided(document).unwrap_or_else(|| text::paragraphs(document));
        blocks.matters = self.matters();
        blocks
    }

    fn divided(self, document: &str) -> Option<Segmented> {
        match self {
            Format::Page(syntax) => Some(Segmented::of(document, syntax)),
            Format::Json => {
                let is_feed = json_feed::is_one(document.as_bytes());
                let dialect = if is_feed { Dialect::Feed } else { Dialect::Data };
                json::read(document).map(|tree| records::blocks(&tree, dialect))
            }
            Format::Xml if markup::root(document) == Some("html") => Some(Segmented::of(document, Syntax::Xml)),
            Format::Xml => xml::read(document).map(|(tree, dialect)| records::blocks(&tree, dialect)),
            Format::Style => Some(records::blocks(&style::read(document), Dialect::Style)),
            Format::Rows => Some(text::rows(document)),
            Format::Script | Format::Text | Format::Pdf => None,
        }
    }
}

/// Sitemaps and feeds come in gzip files; what is inside is read.
pub(super) fn unpacked(body: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if decode::is_gzip(&body) && markup::starts_listing(&decode::gunzip_head(&body, GZIPPED_HEAD)) {
        return Cow::Owned(decode::gunzip(&body, &mut Damage::default()));
    }
    body
}

/// The paragraphs of a PDF file.
pub(super) fn pdf(file: &[u8]) -> Option<Segmented> {
    pdf::text(file).map(|text| text::paragraphs(&text))
}
