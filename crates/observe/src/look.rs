//! The one question the room answers: what is this body, and where does it point?

use crate::{
    charset::{self, Charset},
    collect::Collector,
    css, decode, gist, header,
    html::{self, Syntax},
    json_feed, manifest,
    media::ContentTypeHeader,
    playlist, robots, script, sitemap, sniff, xml,
};
use std::borrow::Cow;
use tintype_vocab::{LinkKind, Links, folded};

/// What the head of an answer says about its body: strings as received, any may be missing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Described<'a> {
    pub url: &'a str,
    pub content_type: Option<&'a str>,
    pub content_encoding: Option<&'a str>,
    pub link_headers: &'a [&'a str],
    /// `X-Robots-Tag`.
    pub robots_headers: &'a [&'a str],
}

/// Everything discovery wants to know about a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// `type/subtype`, lower case: as served if that makes sense, else by the look of the bytes.
    pub media_type: Option<String>,
    /// What the bytes are, in the same form, where that is something else than was served.
    pub sniffed: Option<String>,
    /// Absolute http(s) URLs without fragment, each once per kind, in the order they stand there. The context of one
    /// that stands in several places is that of all of them.
    pub links: Links,
    /// What a page says without its numbers and the words of its address; nothing of what is no page.
    pub gist: Option<u64>,
    pub findings: LookFindings,
}

/// What was odd, and what was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LookFindings {
    /// The body is in a coding we do not read, or not in the one it claims.
    pub undecodable: bool,
    /// The coded body ends early or turns into garbage; links are from what decoded.
    pub coding_broken: bool,
    /// Decoding stopped at a limit, as it must for a decompression bomb.
    pub decoded_too_large: bool,
    /// XML or JSON that breaks off or is not well formed; links are from the readable part.
    pub markup_broken: bool,
    /// Links beyond the limits of number and text.
    pub links_over_limit: u32,
    /// URLs longer than anyone should send.
    pub urls_too_long: u32,
    /// References no URL parser makes sense of.
    pub urls_unreadable: u32,
}

/// Everything discovery wants to know about a body.
pub fn look(described: &Described<'_>, body: &[u8]) -> Look {
    let (mut plain, mut damage) = decode::undo(described.content_encoding, body);
    let served = described.content_type.and_then(ContentTypeHeader::parse).filter(|served| !served.is_vague());
    let charset = served.as_ref().and_then(|served| served.charset.clone());
    let readable = !damage.undecodable;
    let sniffed = served.as_ref().filter(|_| readable).and_then(|served| sniff::contradiction(&served.essence, &plain));
    let media_type = served.map(|served| served.essence).or_else(|| sniff::media_type(&plain).map(str::to_owned));
    let mut collector = Collector::new(described.url);
    described.link_headers.iter().for_each(|value| header::links(value, &mut collector));
    collector.is_unfollowed = described.robots_headers.iter().any(|value| robots::forbids_following(value));
    // A page is read as one whatever it is called, and a picture never is: what it leads to would be missed, or made up.
    let believed = sniffed.or(media_type.as_deref()).unwrap_or_default();
    let mut format = Format::of(believed, described.url, &plain);
    if format == Format::GzippedListing {
        plain = Cow::Owned(decode::gunzip(&plain, &mut damage));
        format = Format::Xml;
    }
    format.links(&plain, charset.as_deref(), described.url, &mut collector);
    let (links, mut findings) = collector.finish();
    let gist = match format {
        Format::Html(syntax) => Some(gist::gist(&plain, syntax, described.url).wrapping_add(gist::shown(&links))),
        _ => None,
    };
    findings.undecodable = damage.undecodable;
    findings.coding_broken = damage.broken;
    findings.decoded_too_large = damage.too_large;
    Look { media_type, sniffed: sniffed.map(str::to_owned), links, gist, findings }
}

/// How a body is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Html(Syntax),
    Css,
    Xml,
    GzippedListing,
    JsonFeed,
    Manifest,
    Playlist,
    Script,
    UrlList,
    Opaque,
}

/// How much of a gzip file is inflated to see whether a sitemap or feed is inside.
const GZIPPED_HEAD: usize = 1024;

/// How far into a drawing the style sheets are looked for that stand before its root.
const PROLOGUE: usize = 2048;

impl Format {
    fn of(media_type: &str, url: &str, body: &[u8]) -> Format {
        match media_type {
            "text/html" if xml::starts_listing(body) => Format::Xml,
            "text/html" => Format::Html(Syntax::Html),
            "application/xhtml+xml" | "image/svg+xml" => Format::Html(Syntax::Xml),
            "text/css" => Format::Css,
            "text/xml" | "application/xml" => Format::Xml,
            "application/feed+json" => Format::JsonFeed,
            "application/json" if json_feed::is_one(body) => Format::JsonFeed,
            "application/manifest+json" => Format::Manifest,
            "application/json" | "text/json" | "text/plain" | "application/octet-stream"
                if could_be_json(body) && manifest::is_one(url, body) =>
            {
                Format::Manifest
            }
            _ if is_script(media_type) => {
                if script::may_name(body) {
                    Format::Script
                } else {
                    Format::Opaque
                }
            }
            _ if playlist::is_one(body) => Format::Playlist,
            "text/plain" if is_url_list(url) => Format::UrlList,
            _ if media_type.ends_with("+xml") => Format::Xml,
            "text/plain" | "application/octet-stream" | "binary/octet-stream" if xml::starts_listing(body) => {
                Format::Xml
            }
            "application/gzip"
            | "application/x-gzip"
            | "application/octet-stream"
            | "binary/octet-stream"
            | "text/plain"
                if decode::is_gzip(body) && xml::starts_listing(&decode::gunzip_head(body, GZIPPED_HEAD)) =>
            {
                Format::GzippedListing
            }
            _ => Format::Opaque,
        }
    }

    fn links(self, body: &[u8], header: Option<&str>, url: &str, collector: &mut Collector) {
        let charset = |inside: fn(&[u8]) -> _| Charset::new(body, header, url, inside);
        match self {
            Format::Html(syntax) => {
                if syntax == Syntax::Xml {
                    xml::style_sheets(&String::from_utf8_lossy(&body[..body.len().min(PROLOGUE)]), collector);
                }
                html::links(body, syntax, &charset(html::declared_encoding), collector);
            }
            Format::Css => {
                let sheet = charset(charset::in_style_sheet).text();
                css::references(&sheet, |reference, tag| collector.add(reference, LinkKind::Embed, tag));
            }
            Format::Xml => xml::links(body, &charset(charset::in_xml_declaration), collector),
            Format::JsonFeed => json_feed::links(&charset(|_| None).text(), collector),
            Format::Manifest => manifest::links(&charset(|_| None).text(), collector),
            Format::Playlist => playlist::links(&charset(|_| None).text(), collector),
            Format::Script => script::links(&charset(|_| None).text(), collector),
            Format::UrlList => sitemap::plain_links(&charset(|_| None).text(), collector),
            Format::GzippedListing | Format::Opaque => {}
        }
    }
}

fn could_be_json(body: &[u8]) -> bool {
    body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii_start().starts_with(b"{")
}

fn is_script(media_type: &str) -> bool {
    folded(media_type) == "application/javascript"
}

/// Plain-text sitemaps are told by their name alone: `sitemap.txt`, `sitemap-3.txt`.
fn is_url_list(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    name.starts_with("sitemap") && name.ends_with(".txt")
}

#[cfg(test)]
mod tests;
