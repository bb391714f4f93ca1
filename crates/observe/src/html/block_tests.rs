//! What is taken for the words around a link.

use super::{blocks::BLOCK_MAX, *};
use proptest::prelude::*;

/// The links of a page at `http://h/`, without that prefix, and their contexts.
fn contexts(html: &str) -> Vec<(String, u32)> {
    let mut collector = Collector::new("http://h/");
    let charset = Charset::new(html.as_bytes(), Some("utf-8"), "http://h/", declared_encoding);
    links(html.as_bytes(), Syntax::Html, &charset, &mut collector);
    let (links, _) = collector.finish();
    links.iter().map(|link| (link.url.trim_start_matches("http://h/").to_owned(), link.context)).collect()
}

fn context(html: &str, url: &str) -> u32 {
    contexts(html).into_iter().find(|(seen, _)| seen == url).unwrap_or_else(|| panic!("no {url} in {html}")).1
}

/// Lists of two items, of which the second can be said in other words. Link 1 is in the first, 2 in the second.
const LISTS: [&str; 14] = [
    "<ul><li><a href=1>one</a> first</li><li><a href=2>two</a> WORDS</li></ul>",
    "<ul><li><a href=1>one</a> first<li>WORDS <a href=2>two</a></ul>",
    "<article><h2><a href=1>one</a></h2><p>first</p></article><article><div><a href=2><p>two</a></div><p>WORDS</article>",
    "<table><tr><td><a href=1>one</a><td>first<tr><td><a href=2>two</a><td>WORDS</table>",
    "<dl><dt>x<dd><a href=1>one</a> first<dt>y<dd><a href=2>two</a> WORDS</dl>",
    "<p><a href=1>one</a> first<p><a href=2>two</a> WORDS",
    "<a href=1>one</a> first<br><a href=2>two</a> WORDS<br>",
    "<div><a href=1>one</a></div><div>WORDS<span><a href=2>two</a></span></div>",
    "<div><a href=1><h3>one</h3><p>first</p></a></div><div><a href=2><h3>two</h3><p>WORDS</p></a></div>",
    "<li><a href=1>one</a><ul><li><a href=2>two</a> WORDS</ul>more</li>",
    "<li>WORDS <ul><li><a href=1>one</a></ul><a href=2>two</a></li>",
    "<li><table><tr><td><a href=1>one</table>WORDS<a href=2>two",
    "<ol><li><a href=1>one</a></ul></table></li></ol></li>WORDS <a href=2>two</a>",
    "<LI><A HREF=1>one</A><LI CLASS=x><A HREF=2>two</A><EM>WORDS</EM></LI>",
];

#[test]
fn a_context_changes_with_its_own_words_and_no_others() {
    for list in LISTS {
        let (before, after) = (list.replace("WORDS", "some words 7"), list.replace("WORDS", "some words 8"));
        assert_eq!(context(&before, "1"), context(&after, "1"), "{list}");
        assert_ne!(context(&before, "2"), context(&after, "2"), "{list}");
        assert!(context(&before, "1") != 0 && context(&before, "2") != 0, "{list}");
    }
}

#[test]
fn only_words_count() {
    let plain = context("<li><a href=1>one</a> two three</li>", "1");
    for html in [
        "<p>x<ul><li class=y>\n  <a\nhref=1 title=z><b>one</b></a>\ttwo\n\nthree </ul>",
        "<li><a href=1>one</a><!-- z --> two <script>z</script><style>z</style>three<!-- z --></li>",
        "<li><a href=1>one</a> two <textarea>z</textarea><img alt=z src=z> three",
        "<li><a href=1></a><a href=1>one</a> two three<ul><li>other</ul>",
        "<li><div><p><a href=1>one</a><p>two</p><br>three</div></li>",
        "x<table><tr><td><a href=1>one</a></td><td>two<td>three</tr></table>",
        "<article><ul><li>x</li></ul><a href=1>one</a> two three</article>",
        "<p><a href=1>one</a> two three<p>",
        "<p><a href=1>one</a> two three",
    ] {
        assert_eq!(context(html, "1"), plain, "{html}");
    }
    for html in ["<li><a href=1>one</a> two", "<li><a href=1>one</a> two < three", "<li><a href=1>one</a> two Three"] {
        assert_ne!(context(html, "1"), plain, "{html}");
    }
}

#[test]
fn the_order_of_items_does_not_matter() {
    let item = |n: usize| format!("<li><a href={n}>link {n}</a> and words");
    let forth: String = (0..9).map(item).collect();
    let back: String = (0..9).rev().map(item).collect();
    let mut seen = contexts(&back);
    seen.reverse();
    assert_eq!(contexts(&forth), seen);
    let distinct: std::collections::BTreeSet<u32> = seen.iter().map(|(_, context)| *context).collect();
    assert_eq!(distinct.len(), 9);
}

#[test]
fn a_link_in_several_places_has_the_words_of_all() {
    let page = |menu: &str, teaser: &str| {
        context(&format!("<li><a href=1>{menu}</a></li><article>{teaser}<a href=1>x</a></article>"), "1")
    };
    assert_ne!(page("menu", "a"), page("menu", "b"));
    assert_ne!(page("menu", "a"), page("Menu", "a"));
    assert_eq!(page("menu", "a"), context("<article>a<a href=1>x</a></article><li><a href=1>menu</a></li>", "1"));
}

#[test]
fn what_has_no_words_or_a_whole_page_of_them_has_no_context() {
    let page = |len: usize| format!("<li>{}<a href=1></a><li><a href=2>x</a>", "x".repeat(len));
    assert_ne!(context(&page(BLOCK_MAX), "1"), 0);
    assert_eq!(context(&page(BLOCK_MAX + 1), "1"), 0);
    assert_eq!(context(&page(100 * BLOCK_MAX), "1"), 0);
    assert_eq!(context(&page(100 * BLOCK_MAX), "2"), context("<li><a href=2>x</a>", "2"));
    assert_eq!(context("<p><a href=1><img src=2></a><p>text", "1"), 0);
    assert_eq!(context("<li>text<img src=2><link rel=next href=1>", "2"), 0);
    assert_eq!(context("<li>text<map><area href=1></map>", "1"), 0);
}

#[test]
fn hostile_depth_costs_only_the_contexts_down_there() {
    for nest in ["<article>", "<ul><li>", "<table><tr><td>", "<dl><dd>", "<ul>"] {
        let page = format!("<p><a href=0>x</a><p>{}<a href=1>deep</a>", nest.repeat(50_000));
        assert_eq!(context(&page, "1"), 0, "{nest}");
        assert_ne!(context(&page, "0"), 0, "{nest}");
        let ends: String = nest.split_inclusive('>').rev().map(|tag| tag.replace('<', "</")).collect();
        let page = format!("{}<a href=1>deep</a>{}<p><a href=2>x</a>", nest.repeat(99), ends.repeat(99));
        assert_eq!((context(&page, "1"), context(&page, "2")), (0, context("<p><a href=2>x</a>", "2")), "{nest}");
    }
    let unclosed: String = (0..5000).map(|n| format!("<li><a href={n}>x</a>")).collect();
    assert!(contexts(&unclosed).iter().all(|(_, context)| *context != 0));
}

const PIECES: [&str; 36] = [
    "<a href=1>",
    "<a href=2>",
    "<a href=3><p>",
    "</a>",
    "<li>",
    "</li>",
    "<ul>",
    "</ul>",
    "<tr>",
    "</tr>",
    "<table>",
    "</table>",
    "<td>",
    "<dd>",
    "</dd>",
    "<dt>",
    "<dl>",
    "</dl>",
    "<article>",
    "</article>",
    "<p>",
    "<br>",
    "<div>",
    "</div>",
    "<svg>",
    "</svg>",
    "<li/>",
    "<a href=4 />",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "<",
    "word",
    " \n ",
    "é\0",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn soup_has_the_same_links_whatever_is_around_them(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60),
    ) {
        let soup = pieces.concat();
        let seen = contexts(&soup);
        // Without blocks there is one long run, and the links are the same.
        let mut elements = Elements::new(soup.as_bytes(), Syntax::Html);
        let mut expected: Vec<String> = Vec::new();
        while let Some(opened) = elements.next() {
            let href = elements.tags.attribute("href").map(|href| String::from_utf8_lossy(href).into_owned());
            if let Some(href) = href.filter(|href| opened.element == Element::Anchor && !expected.contains(href)) {
                expected.push(href);
            }
        }
        prop_assert_eq!(seen.iter().map(|(url, _)| url.clone()).collect::<Vec<_>>(), expected, "{:?}", soup);
    }

    #[test]
    fn an_item_reads_the_same_after_any_closed_soup(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..18]), 0..30),
    ) {
        // Whatever was left open, the end of the article ends it.
        let page = format!("<article>{}</article><li><a href=9>x</a> words</li>", pieces.concat());
        prop_assert_eq!(context(&page, "9"), context("<li><a href=9>x</a> words", "9"), "{}", page);
    }
}
