//! What a link relation makes of a link, in link elements and Link headers alike.

use tintype_vocab::LinkKind;

const EMBEDS: [&str; 13] = [
    "stylesheet",
    "icon",
    "apple-touch-icon",
    "apple-touch-icon-precomposed",
    "apple-touch-startup-image",
    "mask-icon",
    "fluid-icon",
    "image_src",
    "preload",
    "modulepreload",
    "prefetch",
    "manifest",
    "shortcut",
];
/// Hints to browsers and endpoints for machines: nothing to archive behind them.
const IGNORED: [&str; 5] = ["dns-prefetch", "preconnect", "pingback", "webmention", "edituri"];
const FEEDS: [&str; 4] =
    ["application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"];

/// The kind of a link with these relations and this media type; nothing if it should not be followed.
pub(crate) fn kind(relations: &str, media_type: Option<&str>) -> Option<LinkKind> {
    let among = |list: &[&str]| {
        relations.split_ascii_whitespace().any(|relation| list.iter().any(|known| known.eq_ignore_ascii_case(relation)))
    };
    if among(&EMBEDS) {
        Some(LinkKind::Embed)
    } else if among(&IGNORED) {
        None
    } else if among(&["sitemap"]) {
        Some(LinkKind::Sitemap)
    } else if among(&["feed"]) || (among(&["alternate"]) && media_type.is_some_and(is_feed)) {
        Some(LinkKind::Feed)
    } else {
        Some(LinkKind::Anchor)
    }
}

fn is_feed(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    FEEDS.iter().any(|feed| feed.eq_ignore_ascii_case(essence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use LinkKind::{Anchor, Embed, Feed, Sitemap};

    #[test]
    fn relations_decide_the_kind() {
        for (relations, media_type, expected) in [
            ("stylesheet", None, Some(Embed)),
            ("Alternate StyleSheet", None, Some(Embed)),
            ("shortcut icon", None, Some(Embed)),
            ("alternate", Some("application/rss+xml; charset=utf-8"), Some(Feed)),
            ("alternate", Some("text/html"), Some(Anchor)),
            ("next", None, Some(Anchor)),
            ("canonical nofollow", None, Some(Anchor)),
            ("", None, Some(Anchor)),
            ("sitemap", Some("application/xml"), Some(Sitemap)),
            ("dns-prefetch", None, None),
            ("preconnect", None, None),
        ] {
            assert_eq!(kind(relations, media_type), expected, "{relations}");
        }
    }
}
