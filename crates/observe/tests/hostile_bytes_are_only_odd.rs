//! Whatever comes from outside, `look` answers: it does not panic, hang or grow without bound.

use proptest::prelude::*;
use tintype_observe::{Described, ENTRIES_MAX, LINKS_MAX, Look, URL_MAX, look};

const MEDIA_TYPES: [&str; 16] = [
    "text/html",
    "application/xhtml+xml",
    "image/svg+xml",
    "text/css",
    "application/xml",
    "application/rss+xml",
    "application/feed+json",
    "application/json",
    "text/plain",
    "application/gzip",
    "application/octet-stream",
    "text/javascript",
    "application/manifest+json",
    "application/vnd.apple.mpegurl",
    "application/dash+xml",
    "nonsense",
];

fn look_as(content_type: &str, body: &[u8]) -> Look {
    let url = "http://h.example/sitemap.txt";
    look(&Described { url, content_type: Some(content_type), ..Described::default() }, body)
}

fn assert_sound(seen: &Look) {
    assert!(seen.links.len() <= ENTRIES_MAX);
    assert!(seen.sniffed.is_none() || seen.sniffed != seen.media_type, "{:?}", seen.sniffed);
    for link in seen.links.iter() {
        let http = link.url.starts_with("http://") || link.url.starts_with("https://");
        assert!(http && link.url.len() <= URL_MAX && !link.url.contains('#'), "{}", link.url);
    }
}

/// Beginnings of things that need an end, repeated without mercy.
const UNFINISHED: [&str; 34] = [
    "<div>",
    "<",
    "<a ",
    "<a href=\"",
    "<a href='x",
    "<!--",
    "<!-- -",
    "<![CDATA[",
    "<script>",
    "<script><!--<script>",
    "<title>",
    "<svg>",
    "<style>@import \"",
    "url(",
    "url('",
    "/*",
    "\\",
    "&",
    "&#",
    "<urlset><url><loc>",
    "<feed><entry>",
    "{\"items\":[",
    "[",
    "<?xml ",
    "import ",
    "import{",
    "`${",
    "=/[",
    "new URL('x',",
    "<script>import`${",
    "<iframe srcdoc='",
    "#EXTM3U\n#EXT-X-KEY:URI=\"",
    "<MPD><Representation><SegmentTemplate media='$Number$' duration='1'>",
    "image-set('",
];

#[test]
fn unfinished_business_ends() {
    for content_type in MEDIA_TYPES {
        for piece in UNFINISHED {
            assert_sound(&look_as(content_type, piece.repeat(20_000).as_bytes()));
        }
    }
}

#[test]
fn a_hundred_thousand_nested_elements_are_read() {
    let page = format!("{}<a href=x>", "<div>".repeat(100_000));
    assert_eq!(look_as("text/html", page.as_bytes()).links.len(), 1);
    let sitemap = format!("<urlset>{}<url><loc>/x</loc></url>", "<x>".repeat(100_000));
    assert_eq!(look_as("text/xml", sitemap.as_bytes()).links.len(), 1);
}

#[test]
fn a_ten_mebibyte_line_is_read() {
    let page = format!("{}<a href=x>{}", "a".repeat(5 << 20), "b ".repeat(5 << 19));
    assert_eq!(look_as("text/html", page.as_bytes()).links.len(), 1);
    let endless = format!("<a href=\"{}\"><a href=x>", "a".repeat(10 << 20));
    let seen = look_as("text/html", endless.as_bytes());
    assert_eq!((seen.links.len(), seen.findings.urls_too_long), (1, 1));
}

#[test]
fn a_srcset_bomb_is_cut_and_counted() {
    let candidates: String = (0..LINKS_MAX + 1000).map(|n| format!("/{n} {n}w,")).collect();
    let seen = look_as("text/html", format!("<img srcset='{candidates}'>").as_bytes());
    assert_eq!((seen.links.len(), seen.findings.links_over_limit), (LINKS_MAX, 1000));
    assert_sound(&look_as("text/html", format!("<img srcset='{}'>", ", (".repeat(1 << 20)).as_bytes()));
}

#[test]
fn zeros_and_bytes_of_no_charset_hide_nothing() {
    let page = b"\0\xff<p \0\xfe><a href='/x\xff'>\xc3<a\0 href=y><a href=z>";
    let seen = look_as("text/html; charset=utf-8", page);
    let urls: Vec<_> = seen.links.iter().map(|link| link.url).collect();
    assert_eq!(urls, ["http://h.example/x%EF%BF%BD", "http://h.example/z"]);
}

/// Bytes that look like something often enough.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..12),
        prop::sample::select(&UNFINISHED[..]).prop_map(|text| text.as_bytes().to_vec()),
        "[ -~é\n]{0,12}".prop_map(String::into_bytes),
        prop::sample::select(vec![
            "<rss><channel><item><link>",
            "</link><pubDate>Tue, 1 Jan",
            "</item>",
            "</loc>",
            "\u{1f}\u{8b}",
            "srcset='a 1x,",
            "charset=utf-16",
            "<meta charset=iso-2022-jp>",
            "\u{feff}",
            "http://",
            "</script>",
            "-->",
            "]]>",
            "'",
            "\"",
            ">",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn no_bytes_of_any_media_type_do_harm(body in bytes()) {
        for content_type in MEDIA_TYPES {
            assert_sound(&look_as(content_type, &body));
        }
    }

    #[test]
    fn no_head_does_harm(
        url in "(https?://)?[ -~é]{0,20}",
        content_type in "[a-z/;= \"'é,]{0,20}(charset=[a-z0-9-]{0,10})?",
        content_encoding in "(gzip|deflate|br|,| |x){0,5}",
        link in "[<>;,= \"\\\\a-zé]{0,30}",
        body in prop::collection::vec(any::<u8>(), 0..64),
    ) {
        let described = Described {
            url: &url,
            content_type: Some(&content_type),
            content_encoding: Some(&content_encoding),
            link_headers: &[&link],
            robots_headers: &[&link],
        };
        assert_sound(&look(&described, &body));
        assert_sound(&look(&described, &[&[0x1f, 0x8b, 8, 0], body.as_slice()].concat()));
    }
}
