use super::{Declared, Listing, OBJECTS_MAX, Way, list};
use crate::Described;
use proptest::prelude::*;
use std::io::Write as _;

const URL: &str = "http://h.example/cars?page=1";

fn way(objects: &str, id: Option<&str>, attributes: &[(&str, &str)], next: Option<&str>) -> Way {
    let attributes: Vec<(String, String)> =
        attributes.iter().map(|(name, at)| ((*name).to_owned(), (*at).to_owned())).collect();
    Way::parse(&Declared { objects, id, attributes: &attributes, next }).unwrap()
}

fn listed(content_type: &str, body: &str, way: &Way) -> Listing {
    let described = Described { url: URL, content_type: Some(content_type), ..Described::default() };
    list(&described, body.as_bytes(), way)
}

/// `id:value,value` of every object.
fn brief(listing: &Listing) -> Vec<String> {
    listing.objects.iter().map(|object| format!("{}:{}", object.id, object.attributes.join(","))).collect()
}

const CARS: &str = r#"<base href="http://h.example/yard/"><h1>Cars</h1><ul>
    <li class="car" data-id="17"><a href="car/17">BMW &amp; Co</a> <b class=year>2001</b>
    <li class="car" data-id="18"><a href="/car/18">  Fiat
       <i>Uno</i></a> <b class=year>1988</b> <b class=year>red</b></li>
    <li class="ad"><a href="/ad/1">Buy</a></li>
    <li class="car"><a href="car/19">No number</a></li></ul>
    <a rel="nofollow next" href="?page=2">more</a>"#;

#[test]
fn elements_are_objects_with_what_stands_in_them() {
    let by_number = way("css:li.car", Some("@data-id"), &[("name", "a"), ("year", "b.year")], None);
    let listing = listed("text/html", CARS, &by_number);
    assert_eq!(brief(&listing), ["17:BMW & Co,2001", "18:Fiat Uno,1988"]);
    assert_eq!(listing.findings.without_id, 1);
    assert_eq!(listing.next, ["http://h.example/yard/?page=2"]);
    assert!(listing.is_whole());
    let by_link = way("css:li.car", None, &[("to", "a@href"), ("all", "text")], None);
    let listing = listed("text/html", CARS, &by_link);
    assert_eq!(listing.objects[0].id, "http://h.example/yard/car/17");
    assert_eq!(brief(&listing)[1], "http://h.example/car/18:/car/18,Fiat Uno 1988 red");
}

#[test]
fn lists_of_selectors_and_elements_without_content_are_objects_too() {
    let page = "<img class=x id=1><p class=y id=2><b>two</b></p><div title='a,b'><u id=3><b>three</b></u></div>";
    let found = listed("text/html", page, &way("css:.x, p.y, [title='a,b'] u", Some("@id"), &[("b", "b, i")], None));
    assert_eq!(brief(&found), ["1:", "2:two", "3:three"]);
}

#[test]
fn links_of_a_form_are_objects() {
    let page =
        "<a href='/car/bmw/17'>a</a><a href='/car/fiat/18?x'>b</a><a href='/car/vw/19'>c</a><img src='/car/a/1'>";
    let parts = way("links:/car/{make}/{id}", None, &[("make", "{make}")], None);
    assert_eq!(brief(&listed("text/html", page, &parts)), ["17:bmw", "19:vw"]);
    let all = way("links:http://h.example/car/", None, &[], None);
    assert_eq!(brief(&listed("text/html", page, &all)).len(), 3);
}

#[test]
fn values_of_json_are_objects() {
    let body =
        r#"{"next":"/cars?page=2","data":{"cars":[{"id":7,"make":{"name":"BMW"}},{"id":"8","make":null},{"x":1}]}}"#;
    let cars = way("json:/data/cars/*", Some("/id"), &[("make", "/make/name")], Some("json:/next"));
    let listing = listed("application/json", body, &cars);
    assert_eq!(brief(&listing), ["7:BMW", "8:"]);
    assert_eq!((listing.findings.without_id, listing.is_whole()), (1, true));
    assert_eq!(listing.next, ["http://h.example/cars?page=2"]);
    let plain = listed("application/json", r#"["a","b"]"#, &way("json:/*", None, &[], None));
    assert_eq!(brief(&plain), ["a:", "b:"]);
    let empty = listed("application/json", r#"{"data":{"cars":[]}}"#, &cars);
    assert!(empty.objects.is_empty() && empty.is_whole());
}

#[test]
fn entries_of_feeds_and_sitemaps_are_objects() {
    let rss = "<rss xmlns:dc='d'><channel><item><title>A</title><guid>1</guid><dc:creator>X</dc:creator></item>\
        <item><link>http://h/2</link><title>B</title></item></channel></rss>";
    let feed = way("feed", None, &[("title", "title"), ("by", "dc:creator")], None);
    assert_eq!(brief(&listed("application/rss+xml", rss, &feed)), ["1:A,X", "http://h/2:B,"]);
    let atom = "<feed><link rel='next' href='/feed?page=2'/><entry><id>u:1</id><link href='http://h/1'/>\
        <category term='cars'/><title>A</title></entry></feed>";
    let listing = listed("application/atom+xml", atom, &way("feed", None, &[("kind", "category@term")], None));
    assert_eq!(
        (brief(&listing), listing.next),
        (vec!["u:1:cars".to_owned()], vec!["http://h.example/feed?page=2".into()])
    );
    let json = r#"{"version":"https://jsonfeed.org/version/1","next_url":"/2.json","items":[{"id":"5","title":"E"}]}"#;
    let listing = listed("application/feed+json", json, &way("feed", None, &[("title", "title")], None));
    assert_eq!((brief(&listing), listing.next), (vec!["5:E".to_owned()], vec!["http://h.example/2.json".into()]));
    let sitemap =
        "<urlset><url><loc>http://h/a</loc><lastmod>2026</lastmod></url><url><loc>http://h/b</loc></url></urlset>";
    let places = way("sitemap", None, &[("when", "lastmod")], None);
    assert_eq!(brief(&listed("text/xml", sitemap, &places)), ["http://h/a:2026", "http://h/b:"]);
    let index = "<sitemapindex><sitemap><loc>http://h.example/1.xml</loc></sitemap></sitemapindex>";
    assert_eq!(listed("text/xml", index, &places).next, ["http://h.example/1.xml"]);
}

#[test]
fn further_pages_are_where_it_was_declared_or_where_the_page_says() {
    let page = "<div class=pages><a href='?page=1'>1</a> <a href='?page=2'>2</a> <a href='/about'>x</a></div>";
    let next = |how| listed("text/html", page, &way("css:li", None, &[], how)).next;
    assert_eq!(next(Some("links:/cars?page=*")), ["http://h.example/cars?page=2"]);
    assert_eq!(next(Some("css:.pages a:nth-child(2)")), ["http://h.example/cars?page=2"]);
    assert_eq!(next(Some("css:div.pages")), ["http://h.example/cars?page=2", "http://h.example/about"]);
    assert!(next(None).is_empty());
    let described =
        Described { url: URL, link_headers: &["</cars?page=9>; rel=\"next\", </>; rel=prev"], ..Described::default() };
    assert_eq!(list(&described, b"<p>", &way("css:li", None, &[], None)).next, ["http://h.example/cars?page=9"]);
}

#[test]
fn a_page_of_another_kind_lists_nothing_and_says_so() {
    let login = "<html><form>Please log in</form></html>";
    for declared in ["json:/items/*", "feed", "sitemap"] {
        let listing = listed("text/html", login, &way(declared, None, &[], None));
        assert!(listing.objects.is_empty() && !listing.is_whole(), "{declared}");
    }
    let other = listed("application/json", r#"{"error":"no"}"#, &way("json:/items/*", None, &[], None));
    assert!(!other.is_whole());
    let torn = listed("application/json", r#"{"items":[{"id":1},{"id":2"#, &way("json:/items/*", None, &[], None));
    assert_eq!((torn.objects.len(), torn.is_whole()), (1, false));
}

#[test]
fn huge_identifiers_and_endless_pages_are_bounded_and_counted() {
    let long = "x".repeat(1 << 20);
    let page = format!("<p id={long}>a<p id=1>{long}");
    let listing = listed("text/html", &page, &way("css:p", Some("@id"), &[("words", "text")], None));
    assert_eq!((listing.objects.len(), listing.findings.ids_too_long), (1, 1));
    assert_eq!(listing.objects[0].attributes[0].len(), super::VALUE_MAX);
    let many = format!("[{}0]", "0,".repeat(OBJECTS_MAX));
    let listing = listed("application/json", &many, &way("json:/*", None, &[], None));
    assert_eq!((listing.objects.len(), listing.findings.over_limit), (OBJECTS_MAX, 1));
    assert!(!listing.is_whole());
    let deep = "<div class=c>".repeat(50_000);
    let listing = listed("text/html", &deep, &way("css:.c .c", Some("@class"), &[("x", "b")], None));
    assert!(listing.objects.len() < 50_000);
}

#[test]
fn codings_and_charsets_are_read() {
    let described = Described {
        url: URL,
        content_type: Some("text/html; charset=iso-8859-1"),
        content_encoding: Some("br"),
        ..Described::default()
    };
    let titles = way("css:p", Some("text"), &[], None);
    assert!(!list(&described, b"<p>x", &titles).is_whole());
    let described = Described { content_encoding: None, ..described };
    assert_eq!(list(&described, b"<p>caf\xe9</p>", &titles).objects[0].id, "caf\u{e9}");
}

#[test]
fn a_packed_listing_that_ends_early_is_not_whole() {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    packer.write_all("<p>one</p><p>two</p>".repeat(50).as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    let described = Described { url: URL, content_type: Some("text/html"), ..Described::default() };
    let read = |bytes: &[u8]| list(&described, bytes, &way("css:p", Some("text"), &[], None));
    assert!(read(&packed).is_whole() && read(&packed).objects.len() == 100);
    assert!(!read(&packed[..packed.len() / 2]).is_whole(), "half of it");
}

proptest! {
    #[test]
    fn no_bytes_make_a_listing_panic_or_break_its_bounds(
        body in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..60).prop_map(|pieces| pieces.concat()),
        kind in 0usize..5,
    ) {
        let (content_type, way) = match kind {
            0 => ("text/html", way("css:li, p", Some("a@href"), &[("t", "text"), ("b", "b")], Some("css:a"))),
            1 => ("text/html", way("links:/{id}", None, &[], Some("links:/*"))),
            2 => ("application/json", way("json:/items/*", Some("/id"), &[("x", "/x")], Some("json:/next"))),
            3 => ("text/xml", way("feed", None, &[("t", "title")], None)),
            _ => ("text/xml", way("sitemap", None, &[("t", "lastmod")], None)),
        };
        let listing = listed(content_type, &body, &way);
        prop_assert!(listing.objects.iter().all(|object| !object.id.is_empty() && object.id.len() <= super::ID_MAX));
        prop_assert!(listing.objects.iter().all(|object| object.attributes.len() == way.attribute_names().count()));
        prop_assert!(listing.next.iter().all(|url| url.starts_with("http") && url != URL));
    }
}

const PIECES: [&str; 30] = [
    "<li>",
    "</li>",
    "<p id=1>",
    "<a href='/x'>",
    "</a>",
    "<b>",
    "</b>",
    "word ",
    "&amp;",
    "<base href='/y/'>",
    "{",
    "}",
    "[",
    "]",
    "\"items\":",
    "\"id\":",
    "\"x\"",
    ",",
    "1",
    "<rss>",
    "<item>",
    "</item>",
    "<guid>",
    "</guid>",
    "<urlset>",
    "<url>",
    "<loc>",
    "</loc>",
    "http://h/",
    "\u{0}",
];
