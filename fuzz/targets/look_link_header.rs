//! Any text where a server or a page puts lists of links: Link headers, srcset, Content-Type, Content-Encoding.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_fuzz::{all_links_hold, look_as};
use tintype_observe::{ContentTypeHeader, Described, look};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let headers: Vec<&str> = text.split('\n').collect();
    let described = Described {
        url: "http://example.com/dir/page",
        content_type: headers.first().copied(),
        content_encoding: headers.get(1).copied(),
        link_headers: &headers,
        robots_headers: &headers,
    };
    all_links_hold(&look(&described, b"<a href=x>"));
    if let Some(parsed) = ContentTypeHeader::parse(&text) {
        assert!(parsed.essence.contains('/') && parsed.essence == parsed.essence.to_ascii_lowercase());
    }
    // The document's own address is foreign too: it comes out of redirects and other people's archives.
    all_links_hold(&look(&Described { url: headers[0], ..described }, b"<base href='//h'><a href='?x'><img src=y>"));
    look_as("text/html", format!("<img srcset=\"{text}\"><a href=after>").as_bytes());
});
