//! How links are said to be written.

use super::*;
use crate::clicked_words;
use proptest::prelude::*;
use tintype_vocab::{LinkPlace, Mention, Tag};

fn mentions_in(body: &[u8], header: Option<&str>) -> Vec<Mention> {
    let mut collector = Collector::new("http://h/");
    let charset = Charset::new(body, header, "http://h/", declared_encoding);
    links(body, Syntax::Html, &charset, &mut collector);
    collector.finish().0.iter().map(|link| link.mention).collect()
}

fn mentions(html: &str) -> Vec<Mention> {
    mentions_in(html.as_bytes(), Some("utf-8"))
}

#[test]
fn what_is_not_to_be_followed_is_marked_unless_it_is_linked_again() {
    let tags = |html: &str| mentions(html).iter().map(|mention| mention.tag).collect::<Vec<_>>();
    use Tag::{Anchor, Image, Unfollowed};
    assert_eq!(
        tags("<a href=1 rel='nofollow ugc'><a href=2 rel=next><area href=3 rel=NOFOLLOW>"),
        [Unfollowed, Anchor, Unfollowed]
    );
    assert_eq!(tags("<a href=1 rel=nofollow>x</a> <a href=1>x</a>"), [Anchor]);
    let of_page = "<a href=1></a><img src=2><meta name=Robots content='noindex,nofollow'><a href=3>";
    assert_eq!(tags(of_page), [Unfollowed, Image, Unfollowed]);
}

#[test]
fn every_tag_is_told() {
    use Tag::*;
    for (html, expected) in [
        ("<a href=1><area href=2><a href=3 download><svg><a xlink:href=4>", &[Anchor, Anchor, Download, Anchor][..]),
        (
            "<img src=1 srcset='2, 3'><input type=image src=4><body background=5>",
            &[Image, ImageSet, ImageSet, Image, Image],
        ),
        ("<picture><source srcset=1><img src=2></picture>", &[ImageSet, Image]),
        (
            "<video src=1 poster=2><source src=3><source type=video/mp4 src=4><track src=5>",
            &[Video, Image, Source, Video, Track],
        ),
        ("<audio src=1><source src=2 type='Audio/MPEG'>", &[Audio, Audio]),
        ("<embed src=1><object data=2><iframe src=3></iframe><frame src=4>", &[Object, Object, Frame, Frame]),
        ("<script src=1></script><link rel=stylesheet href=2><link rel=icon href=3>", &[Script, StyleSheet, Icon]),
        (
            "<link rel=preload as=font href=1><link rel=prefetch href=2><link rel=manifest href=3>",
            &[FontFace, Preload, Manifest],
        ),
        ("<link rel=alternate type=application/atom+xml href=1><link rel=next href=2>", &[Feed, Link]),
        ("<link rel=preload as=image imagesrcset='1 1x'><meta property=og:image content=2>", &[ImageSet, Image]),
        ("<meta http-equiv=refresh content='0;url=1'>", &[Redirect]),
        (
            "<style>@import '1';@font-face{src:url(2)}p{b:url(3)}</style><p style='b:url(4)'>",
            &[StyleSheet, FontFace, Background, Background],
        ),
    ] {
        let tags: Vec<Tag> = mentions(html).iter().map(|mention| mention.tag).collect();
        assert_eq!(tags, expected, "{html}");
    }
}

#[test]
fn places_are_told_by_elements_and_roles() {
    use LinkPlace::*;
    for (html, expected) in [
        ("<html><head><link href=1></head><body><a href=2>", &[Head, Unknown][..]),
        ("<title>x</title><script src=1></script><p><script src=2></script>", &[Head, Unknown]),
        ("<svg><image href=1 /></svg><frameset><frame src=2>", &[Unknown, Unknown]),
        ("<nav><ul><li><a href=1></ul></nav><a href=2>", &[Navigation, Unknown]),
        (
            "<header><a href=1></header><main><header><a href=2></header><nav><a href=3></nav><a href=4></main>",
            &[Navigation, Content, Navigation, Content],
        ),
        (
            "<article><a href=1><footer><a href=2></footer><a href=3></article><FOOTER><a href=4>",
            &[Content, Footer, Content, Footer],
        ),
        ("<div role=navigation><div><a href=1></div><a href=2></div><a href=3>", &[Navigation, Navigation, Unknown]),
        (
            "<div ROLE=' Main '><nav><div><a href=1></div></nav><a href=2><div><a href=3></div></div><a href=4>",
            &[Navigation, Content, Content, Unknown],
        ),
        ("<section role=contentinfo><a href=1></section><p role=presentation><a href=2>", &[Footer, Unknown]),
        (
            "<header><div><a href=1></div><article><header><a href=2></header></article><a href=3></header><a href=4>",
            &[Navigation, Content, Navigation, Unknown],
        ),
        ("<nav><div role=main><a href=1></nav><a href=2>", &[Content, Unknown]),
        ("</nav></div><a href=1><nav></main><a href=2>", &[Unknown, Navigation]),
    ] {
        let places: Vec<LinkPlace> = mentions(html).iter().map(|mention| mention.place).collect();
        assert_eq!(places, expected, "{html}");
    }
}

#[test]
fn words_are_those_a_reader_clicks_on() {
    for (html, expected) in [
        ("<p>not this <a href=1>Annual <b>Report</b></a> nor this", "annual report"),
        ("<a href=1><img src=/x alt='Hear it'></a>", "hear it"),
        ("<a href=1 title='A book'> <i></i> </a>", "a book"),
        ("<a href=1 title='not this'>this</a>", "this"),
        ("<a href=1>one<a href=2>two", "one"),
        ("<a href=1></a>not this<a href=1>this</a>", "this"),
        ("<a href=1>this</a><a href=1>not this</a>", "this"),
        ("<a href=1>Caf&eacute;&nbsp;<script>x</script>PDF</a>", "café pdf"),
        ("<img src=1 title=b alt='An image'>", "an image"),
        ("<area href=1 alt=Map>", "map"),
        ("<a href=1 type=application/pdf></a>", "application pdf"),
        ("<a href=1>one two <p>three<p> four five <!-- no --> six", "one two five six"),
        ("<p style='b:url(1)' title=no>", ""),
    ] {
        assert_eq!(mentions(html)[0].words, clicked_words(expected), "{html}");
    }
    assert_eq!(mentions("<a href=1>one<a href=2>two")[1].words, clicked_words("two"));
    let (koi8, _, _) = encoding_rs::KOI8_R.encode("<a href=1>Видео</a>");
    assert_eq!(mentions_in(&koi8, Some("koi8-r"))[0].words, clicked_words("видео"));
}

proptest! {
    #[test]
    fn soup_is_mentioned_all_the_same(pieces in prop::collection::vec(prop::sample::select(&[
        "<nav>", "</nav>", "<div role=main>", "<div>", "</div>", "<a href=x>", "</a>", "word", "<main>", "</main>", "<nav/>",
        "<article>", "</article>", "<a href=y title=t>", "<img src=z alt=w>", "<footer role=navigation>", "</footer>", "\u{e9}",
    ][..]), 0..60)) {
        let soup = pieces.concat();
        for mention in mentions(&soup) {
            prop_assert!(mention.tag != Tag::Unknown, "{:?} in {}", mention, soup);
        }
    }
}
