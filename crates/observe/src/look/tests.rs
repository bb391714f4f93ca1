use super::*;
use LinkKind::{Anchor, Embed, Listed, Sitemap};
use flate2::{Compression, write::GzEncoder};
use std::io::Write;

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn at<'a>(url: &'a str, content_type: &'a str) -> Described<'a> {
    Described { url, content_type: Some(content_type).filter(|text| !text.is_empty()), ..Described::default() }
}

fn urls(look: &Look) -> Vec<(&str, LinkKind)> {
    look.links.iter().map(|link| (link.url, link.kind)).collect()
}

#[test]
fn each_media_type_is_read_in_its_own_way() {
    let sitemap = "<urlset><url><loc>http://h/a</loc></url></urlset>";
    let index = "<?xml version='1.0'?><sitemapindex><sitemap><loc>http://h/a</loc></sitemap></sitemapindex>";
    let rss = "<rss><channel><item><link>/a</link></item></channel></rss>";
    let json = r#"{"version":"https://jsonfeed.org/version/1","items":[{"url":"/a"}]}"#;
    for (content_type, path, body, expected) in [
        ("text/html", "", "<a href=a>", Some(Anchor)),
        ("", "", "<!doctype html><a href=a>", Some(Anchor)),
        ("*/*", "", "<p><a href=a>", Some(Anchor)),
        ("application/xhtml+xml", "", "<html><title/><a href='a'/></html>", Some(Anchor)),
        ("application/xml", "", "<html><title/><a href='a'/></html>", Some(Anchor)),
        ("image/svg+xml", "", "<svg><script xlink:href='a'/></svg>", Some(Embed)),
        ("text/css", "", "b{c:url(a)}", Some(Embed)),
        ("text/javascript", "s.js", "import './a'", Some(Embed)),
        ("application/x-javascript; charset=utf-8", "s.js", "import './a'", Some(Embed)),
        ("text/plain", "s.js", "import './a'", None),
        ("application/manifest+json", "", r#"{"icons":[{"src":"a"}]}"#, Some(Embed)),
        ("application/json", "", r#"{"icons":[{"src":"a"}],"display":"x"}"#, Some(Embed)),
        ("application/octet-stream", "x.webmanifest", r#"{"icons":[{"src":"a"}]}"#, Some(Embed)),
        ("application/vnd.apple.mpegurl", "", "#EXTM3U\na\n", Some(Embed)),
        ("text/plain", "", "#EXTM3U\na\n", Some(Embed)),
        ("application/dash+xml", "", "<MPD><Representation><BaseURL>a</BaseURL></Representation></MPD>", Some(Embed)),
        ("image/svg+xml", "", "<?xml-stylesheet href='a'?><svg></svg>", Some(Embed)),
        ("text/xml", "", sitemap, Some(Listed)),
        ("text/html", "", sitemap, Some(Listed)),
        ("text/plain", "", sitemap, Some(Listed)),
        ("application/xml; charset=utf-8", "", index, Some(Sitemap)),
        ("application/rss+xml", "", rss, Some(Listed)),
        ("application/xml", "", "<?xml-stylesheet href='a' type='text/css'?><doc/>", Some(Embed)),
        ("application/feed+json", "", json, Some(Listed)),
        ("application/json", "", json, Some(Listed)),
        ("text/plain", "sitemap_1.txt", "http://h/a\n", Some(Listed)),
        ("text/plain", "notes.txt", "http://h/a\n", None),
        ("text/plain", "", "<a href=a>", None),
        ("application/pdf", "", "%PDF-1.4 <a href=a>", None),
        ("application/json", "", "{\"url\":\"http://h/a\"}", None),
    ] {
        let url = format!("http://h/{path}");
        let look = look(&at(&url, content_type), body.as_bytes());
        let expected: Vec<_> = expected.map(|kind| ("http://h/a", kind)).into_iter().collect();
        assert_eq!(urls(&look), expected, "{content_type} {body}");
        assert_eq!(look.findings, LookFindings::default(), "{body}");
    }
}

#[test]
fn the_media_type_is_as_served_if_that_makes_sense() {
    for (content_type, body, expected) in [
        ("Text/HTML; charset=x", &b"%PDF-"[..], Some("text/html")),
        ("nonsense", b"%PDF-", Some("application/pdf")),
        ("unknown/unknown", b"GIF89a", Some("image/gif")),
        ("", b"", None),
    ] {
        assert_eq!(look(&at("http://h/", content_type), body).media_type.as_deref(), expected);
    }
}

#[test]
fn coded_bodies_are_read_and_damage_is_told() {
    let page = format!("<a href=a>{}<a href=b>", "x".repeat(9 << 20));
    let coded = gzip(page.as_bytes());
    let described = Described { content_encoding: Some("gzip"), ..at("http://h/", "text/html") };
    let seen = look(&described, &coded);
    assert_eq!(urls(&seen), [("http://h/a", Anchor)]);
    assert!(seen.findings.decoded_too_large);

    let seen = look(&described, &gzip(b"<a href=a>"));
    assert_eq!((urls(&seen), seen.findings), (vec![("http://h/a", Anchor)], LookFindings::default()));

    let brotli = Described { content_encoding: Some("br"), ..at("http://h/", "") };
    assert_eq!(
        look(&brotli, b"xyz"),
        Look { findings: LookFindings { undecodable: true, ..LookFindings::default() }, ..Look::default() }
    );
}

#[test]
fn sitemaps_that_are_gzip_files_are_read() {
    let body = gzip(b"<?xml version='1.0'?><urlset><url><loc>/a</loc></url></urlset>");
    for content_type in ["application/gzip", "application/x-gzip", "application/octet-stream", "text/plain", ""] {
        let look = look(&at("http://h/sitemap.xml.gz", content_type), &body);
        assert_eq!(urls(&look), [("http://h/a", Listed)], "{content_type}");
    }
    assert!(look(&at("http://h/x.tar.gz", "application/gzip"), &gzip(b"<html><a href=x>")).links.is_empty());
}

#[test]
fn link_headers_come_first_and_ignore_the_base_element() {
    let headers = ["<x>; rel=next", "<y.css>; rel=preload"];
    let described = Described { link_headers: &headers, ..at("http://h/d/", "text/html") };
    let look = look(&described, b"<base href=/e/><a href=z>");
    assert_eq!(urls(&look), [("http://h/d/x", Anchor), ("http://h/d/y.css", Embed), ("http://h/e/z", Anchor)]);
}

#[test]
fn what_bytes_are_decides_how_they_are_read() {
    let (page, sitemap) = ("<!doctype html><a href=a>", "<urlset><url><loc>/a</loc></url></urlset>");
    for (content_type, path, body, expected) in [
        ("image/jpeg", "photo.jpg", page.into(), Some(Anchor)),
        ("application/pdf", "", "<p><a href=a>".into(), Some(Anchor)),
        ("application/json", "", page.into(), Some(Anchor)),
        ("application/octet-stream", "", page.into(), Some(Anchor)),
        ("application/octet-stream", "", "<svg><script href='a'/></svg>".into(), Some(Embed)),
        ("application/octet-stream", "sitemap.txt", b"http://h/a\n".to_vec(), Some(Listed)),
        ("image/png", "", sitemap.into(), Some(Listed)),
        ("text/xml", "sitemap.xml.gz", gzip(sitemap.as_bytes()), Some(Listed)),
        ("text/plain", "", page.into(), None),
        ("text/html", "", b"\x89PNG\r\n\x1a\n\0\0<a href=a>".to_vec(), None),
        ("text/html", "", b"%PDF-1.4 <a href=a>".to_vec(), None),
    ] {
        let url = format!("http://h/{path}");
        let look = look(&at(&url, content_type), &body);
        let expected: Vec<_> = expected.map(|kind| ("http://h/a", kind)).into_iter().collect();
        assert_eq!(urls(&look), expected, "{content_type} {}", body.escape_ascii());
    }
}

#[test]
fn what_bytes_are_is_told_where_the_server_is_wrong() {
    let page = b"<!doctype html><a href=/a>";
    let seen = look(&at("http://h/x.jpg", "image/jpeg"), page);
    assert_eq!((seen.media_type.as_deref(), seen.sniffed.as_deref()), (Some("image/jpeg"), Some("text/html")));
    assert_eq!(look(&at("http://h/", "text/html"), page).sniffed, None);
    assert_eq!(look(&at("http://h/", ""), page).sniffed, None, "nobody said anything wrong");
    let coded = Described { content_encoding: Some("gzip"), ..at("http://h/", "application/json") };
    assert_eq!(look(&coded, &gzip(page)).sniffed.as_deref(), Some("text/html"));
    let unreadable = Described { content_encoding: Some("br"), ..at("http://h/", "text/css") };
    assert_eq!(look(&unreadable, b"\x89PNG\r\n\x1a\n\0").sniffed, None, "it is the coding that has these bytes");
}

#[test]
fn a_header_may_ask_not_to_follow_anything() {
    let tags = |headers: &[&str]| {
        let described = Described { robots_headers: headers, ..at("http://h/", "text/html") };
        look(&described, b"<a href=x></a><img src=y>").links.iter().map(|link| link.mention.tag).collect::<Vec<_>>()
    };
    use tintype_vocab::Tag::{Anchor, Image, Unfollowed};
    assert_eq!(tags(&["noarchive", "nofollow"]), [Unfollowed, Image]);
    assert_eq!(tags(&["otherbot: nofollow"]), [Anchor, Image]);
}
