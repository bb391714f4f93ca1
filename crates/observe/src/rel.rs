//! What a link relation makes of a link, in link elements and Link headers alike.

use tintype_vocab::{LinkKind, Tag};

/// What becomes part of the page.
const EMBEDS: [(&str, Tag); 13] = [
    ("stylesheet", Tag::StyleSheet),
    ("icon", Tag::Icon),
    ("apple-touch-icon", Tag::Icon),
    ("apple-touch-icon-precomposed", Tag::Icon),
    ("apple-touch-startup-image", Tag::Image),
    ("mask-icon", Tag::Icon),
    ("fluid-icon", Tag::Icon),
    ("image_src", Tag::Image),
    ("preload", Tag::Preload),
    ("modulepreload", Tag::Script),
    ("prefetch", Tag::Preload),
    ("manifest", Tag::Manifest),
    ("shortcut", Tag::Icon),
];
/// What is loaded ahead says in `as` what for.
const LOADS: [(&str, Tag); 10] = [
    ("audio", Tag::Audio),
    ("document", Tag::Frame),
    ("embed", Tag::Object),
    ("font", Tag::FontFace),
    ("image", Tag::Image),
    ("object", Tag::Object),
    ("script", Tag::Script),
    ("style", Tag::StyleSheet),
    ("track", Tag::Track),
    ("video", Tag::Video),
];
/// Hints to browsers and endpoints for machines: nothing to archive behind them.
const IGNORED: [&str; 5] = ["dns-prefetch", "preconnect", "pingback", "webmention", "edituri"];
const FEEDS: [&str; 4] =
    ["application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"];

/// What a link is to the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Relation {
    pub(crate) kind: LinkKind,
    pub(crate) tag: Tag,
}

/// What a link with these relations is, of this media type and loaded as this; nothing if it should not be followed.
pub(crate) fn meaning(relations: &str, media_type: Option<&str>, loaded_as: Option<&str>) -> Option<Relation> {
    let is = |known: &str| relations.split_ascii_whitespace().any(|relation| known.eq_ignore_ascii_case(relation));
    let (kind, tag) = if let Some((_, tag)) = EMBEDS.iter().find(|(known, _)| is(known)) {
        (LinkKind::Embed, if *tag == Tag::Preload { loads(loaded_as) } else { *tag })
    } else if IGNORED.iter().any(|known| is(known)) {
        return None;
    } else if is("sitemap") {
        (LinkKind::Sitemap, Tag::Listed)
    } else if is("feed") || (is("alternate") && media_type.is_some_and(is_feed)) {
        (LinkKind::Feed, Tag::Feed)
    } else {
        (LinkKind::Anchor, Tag::Link)
    };
    Some(Relation { kind, tag })
}

fn loads(loaded_as: Option<&str>) -> Tag {
    let loaded_as = loaded_as.unwrap_or_default().trim();
    LOADS.iter().find(|(known, _)| known.eq_ignore_ascii_case(loaded_as)).map_or(Tag::Preload, |(_, tag)| *tag)
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
            let kind = meaning(relations, media_type, None).map(|relation| relation.kind);
            assert_eq!(kind, expected, "{relations}");
        }
    }

    #[test]
    fn what_is_loaded_ahead_is_what_it_is_loaded_for() {
        for (relations, loaded_as, expected) in [
            ("preload", Some("font"), Tag::FontFace),
            ("prefetch", Some(" Image "), Tag::Image),
            ("preload", Some("fetch"), Tag::Preload),
            ("prefetch", None, Tag::Preload),
            ("modulepreload", None, Tag::Script),
            ("stylesheet", Some("font"), Tag::StyleSheet),
            ("shortcut icon", None, Tag::Icon),
            ("next", None, Tag::Link),
        ] {
            assert_eq!(meaning(relations, None, loaded_as).map(|relation| relation.tag), Some(expected), "{relations}");
        }
    }
}
