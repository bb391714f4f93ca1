//! What must hold for the links of any body.

use std::collections::HashSet;
use tintype_observe::{Described, LINK_TEXT_MAX, LINKS_MAX, Look, URL_MAX, look};
use url::Url;

/// Looks at a body served under that media type and checks what came out.
pub fn look_as(content_type: &str, body: &[u8]) -> Look {
    let described =
        Described { url: "http://example.com/dir/page?q#f", content_type: Some(content_type), ..Described::default() };
    let look = look(&described, body);
    all_links_hold(&look);
    look
}

/// Links are absolute http(s) URLs in their one spelling, without fragment, once per kind, within the limits.
pub fn all_links_hold(look: &Look) {
    let (mut seen, mut text) = (HashSet::new(), 0);
    for link in look.links.iter() {
        let url = Url::parse(link.url).expect("a link is a URL");
        assert!(matches!(url.scheme(), "http" | "https") && url.host().is_some(), "{}", link.url);
        assert_eq!(url.as_str(), link.url, "a link is written in one way");
        assert!(url.fragment().is_none(), "{}", link.url);
        assert!(link.url.len() <= URL_MAX);
        assert!(seen.insert((link.url, format!("{:?}", link.kind))), "{} came twice", link.url);
        text += link.url.len();
    }
    assert!(look.links.len() <= LINKS_MAX && text <= LINK_TEXT_MAX);
}
