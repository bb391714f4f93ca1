//! Documents that are not HTML, and what is said about two versions of them.

use crate::{
    Described,
    page::{ATOMS_MAX, Difference, Element, Hooks, Operation, Segmented, compare, difference, identities, segment},
};
use proptest::prelude::*;

fn described(media_type: &str) -> Described<'_> {
    Described { url: "http://site.example/d", content_type: Some(media_type), ..Described::default() }
}

fn read(media_type: &str, body: &str) -> Segmented {
    segment(&described(media_type), body.as_bytes()).unwrap()
}

fn between(media_type: &str, old: &str, new: &str) -> Difference {
    let described = described(media_type);
    compare((&described, old.as_bytes()), (&described, new.as_bytes()), &Hooks::default()).unwrap()
}

/// A line for each block: its depth in dots, its role, its text, links and images.
fn outline(media_type: &str, body: &str) -> Vec<String> {
    let line = |block: crate::page::Block<'_>| {
        let shape = block.shape();
        let said = block.all().into_iter().filter(|said| !said.is_empty()).collect::<Vec<_>>().join(" | ");
        format!("{}{:?} {said}", ".".repeat(shape.depth.into()), shape.role).trim_end().to_owned()
    };
    read(media_type, body).layout.blocks().map(line).collect()
}

fn moves(difference: &Difference) -> usize {
    difference.delta.operations.iter().filter(|each| matches!(each, Operation::Move { .. })).count()
}

const FEED: &str = "<rss version='2.0'><channel><title>News</title><link>http://site.example/</link>
    <lastBuildDate>Mon, 16 Nov 2026 04:00:00 GMT</lastBuildDate>
    <item><title>Rain &amp;amp; wind</title><link>http://site.example/1</link><guid isPermaLink='false'>g1</guid>
      <description>&lt;p&gt;It will &lt;b&gt;rain&lt;/b&gt;.&lt;/p&gt;&lt;img src='/r.png'&gt;</description>
      <pubDate>Mon, 16 Nov 2026 03:00:00 GMT</pubDate></item>
    <item><title>Sun</title><link>http://site.example/2</link><guid isPermaLink='false'>g2</guid></item>
    </channel></rss>";

#[test]
fn entries_of_a_feed_are_blocks_with_their_dates_apart() {
    let expected = [
        "Group",
        ".Heading News",
        ".Text http://site.example/",
        ".Footer Mon, 16 Nov 2026 04:00:00 GMT",
        ".Article",
        "..Text Rain & wind g1 It will rain. | http://site.example/1 | /r.png",
        "..Footer Mon, 16 Nov 2026 03:00:00 GMT",
        ".Article Sun g2 | http://site.example/2",
    ];
    assert_eq!(outline("application/rss+xml", FEED), expected);
    assert_eq!(outline("text/html", FEED), expected, "whatever it is served as");
}

#[test]
fn an_entry_is_known_by_its_guid_however_it_is_rewritten() {
    let new = FEED.replace("Sun</title>", "Clouds, quite another thing</title>").replace("/2<", "/elsewhere<");
    let [old, new] = [FEED, &new].map(|feed| read("application/rss+xml", feed));
    let last = new.layout.len() - 1;
    assert_eq!(identities(&old.layout, &new.layout)[last], Some(last as u32));
}

#[test]
fn only_the_dates_of_a_feed_matter_little() {
    let kind = "application/rss+xml";
    let rebuilt = between(kind, FEED, &FEED.replace("04:00:00", "05:17:03")).importance;
    let news = between(kind, FEED, &FEED.replace("It will", "It may snow and")).importance;
    assert!(rebuilt < news / 4.0, "{rebuilt} {news}");
}

#[test]
fn entries_of_atom_and_json_feeds_are_articles() {
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title><updated>2026-11-16T00:00:00Z</updated>
        <entry><id>a</id><title type='html'>One</title><link rel='alternate' href='http://h.example/1'/>
        <content type='xhtml'><div xmlns='x'>Some <b>words</b></div></content></entry></feed>";
    assert_eq!(
        outline("application/atom+xml", atom),
        ["Heading T", "Footer 2026-11-16T00:00:00Z", "Article a One Some words | http://h.example/1"]
    );
    let json = r#"{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[
        {"id":"1","url":"http://h.example/1","content_html":"<p>Hello","date_published":"2026-11-16T00:00:00Z"}]}"#;
    assert_eq!(
        outline("application/feed+json", json),
        [
            "Group",
            ".Article",
            "..Text Hello 1 | http://h.example/1",
            "..Footer 2026-11-16T00:00:00Z",
            "Heading T",
            "Text https://jsonfeed.org/version/1.1"
        ]
    );
}

#[test]
fn what_a_sitemap_says_of_its_pages_is_dates() {
    let map = |second: &str| {
        format!(
            "<urlset><url><loc>http://h.example/1</loc><lastmod>2026-11-15</lastmod><changefreq>daily</changefreq></url>
             <url><loc>http://h.example/2</loc><lastmod>{second}</lastmod></url></urlset>"
        )
    };
    assert_eq!(
        outline("application/xml", &map("2026-11-01")),
        ["Article 2026-11-15 daily | http://h.example/1", "Article 2026-11-01 | http://h.example/2"]
    );
    let changed = between("application/xml", &map("2026-11-01"), &map("2026-11-16"));
    assert_eq!(changed.delta.operations.len(), 1);
}

#[test]
fn the_order_of_members_is_no_change_and_that_of_records_a_move() {
    let words = |n: u32| (0..70).map(|at| format!("w{n}x{at} ")).collect::<String>();
    let record = |n: u32| format!(r#"{{"id":{n},"body":"{}"}}"#, words(n));
    let turned = |n: u32| format!(r#"{{"body":"{}","id":{n}}}"#, words(n));
    let list = |records: &[String]| format!("[{}]", records.join(","));
    let json = "application/json";
    let old = list(&[record(1), record(2), record(3)]);
    assert!(between(json, &old, &list(&[turned(1), record(2), turned(3)])).delta.is_empty());
    let moved = between(json, &old, &list(&[record(3), record(1), record(2)]));
    assert!(moves(&moved) == moved.delta.operations.len() && moved.importance < 0.2, "{moved:?}");
}

#[test]
fn members_of_data_are_called_by_their_names() {
    let json = |acres: u32| format!(r#"{{"Name":"Dixie","Acres":{acres},"Updated":"2021-08-01T00:00:00Z"}}"#);
    let changed = between("application/json", &json(100), &json(200)).changed;
    assert_eq!((changed[0].before.as_str(), changed[0].after.as_str()), ("100", "200"));
    assert_eq!(
        outline("application/json", &json(7)),
        ["Item", ".Text Acres 7 Name Dixie", ".Footer Updated 2021-08-01T00:00:00Z"]
    );
}

#[test]
fn html_in_a_string_is_what_it_shows() {
    let json = |html: &str| format!(r#"{{"ConditionStatement":"{html}"}}"#);
    let [old, new] = ["<p>Crews <b>rest</b>.</p>", "<div>Crews rest.</div>"].map(json);
    assert!(between("application/json", &old, &new).delta.is_empty());
    assert_eq!(
        outline("application/json", &json("List<String> x < y")),
        ["Item ConditionStatement List<String> x < y"]
    );
}

#[test]
fn elements_and_attributes_of_xml_are_said_by_name() {
    let xml = "<?xml version='1.0'?><plan xmlns='x' b='2' a='1'><step no='1'>Go <!-- c -->on</step></plan>";
    assert_eq!(outline("application/xml", xml), ["Text plan a 1 b 2 step no 1 Go on"]);
    let turned = xml.replace("b='2' a='1'", "a=\"1\"  b='2'");
    assert!(between("application/xml", xml, &turned).delta.is_empty());
}

#[test]
fn a_drawing_is_its_attributes() {
    let svg = |d: &str| format!("<svg xmlns='x'><title>Logo</title><path d='{d}' fill='#fff'/></svg>");
    let changed = between("image/svg+xml", &svg("M0 0L10 10"), &svg("M5 7C1 2 3 4 5 6"));
    assert!(changed.importance > 0.0);
    assert!(between("image/svg+xml", &svg("M0 0"), &svg("M0 0").replace("/>", "></path>")).delta.is_empty());
}

#[test]
fn paragraphs_of_a_text_are_blocks() {
    let text = "One line\nand another.\n\n \n* a point\r\n\r\nThe end";
    assert_eq!(outline("text/plain", text), ["Text One line and another.", "Text * a point", "Text The end"]);
    assert_eq!(outline("text/csv", "a,b\n1,2\n"), ["Text a,b", "Text 1,2"]);
    let list = (0..200).map(|n| format!("entry {n}\n")).collect::<String>();
    assert_eq!(outline("text/plain", &list).len(), 200, "no prose is as long");
    assert_eq!(outline("application/octet-stream", "a: b\nc: d"), ["Text a: b c: d"]);
}

#[test]
fn style_matters_less_than_words_and_comments_not_at_all() {
    let sheet = "p { color: red; background: url(/b.png) } /* a */ @media print { a { color: blue } }";
    let expected = ["Text p color: red background: url(/b.png) | /b.png", "Text @media print a color: blue"];
    assert_eq!(outline("text/css", &format!("{sheet}{}", "x{y:z}".repeat(70)))[..2], expected);
    assert!(between("text/css", sheet, &sheet.replace("/* a */", "/* b */ ")).delta.is_empty());
}

#[test]
fn a_script_is_text() {
    assert_eq!(outline("text/javascript", "var a = 'x';\n\nb();"), ["Text var a = 'x';", "Text b();"]);
}

#[test]
fn gzip_around_a_sitemap_is_undone() {
    use std::io::Write;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(b"<urlset><url><loc>http://h.example/1</loc></url></urlset>").unwrap();
    let packed = gzip.finish().unwrap();
    let page = segment(&described("application/x-gzip"), &packed).unwrap();
    assert_eq!(page.layout.block(0).of(Element::Link), "http://h.example/1");
}

#[test]
fn pictures_and_odd_bytes_are_not_documents() {
    for (media_type, body) in [
        ("image/png", &b"text"[..]),
        ("application/octet-stream", b"a\0b\x01"),
        ("application/x-thing", b"\x1f\x8b\x08\0"),
        ("application/postscript", b"%!PS-Adobe-2.0"),
        ("font/woff2", b"wOF2"),
    ] {
        assert!(segment(&described(media_type), body).is_none(), "{media_type}");
    }
}

#[test]
fn more_records_than_anybody_reads_are_cut() {
    let list = |word: &str| {
        let items = (0..2 * ATOMS_MAX).map(|n| format!(r#"{{"id":{n},"said":"{word}"}}"#)).collect::<Vec<_>>();
        format!("[{}]", items.join(","))
    };
    assert!(read("application/json", &list("x")).layout.len() <= ATOMS_MAX);
    assert!(between("application/json", &list("x"), &list("y")).importance > 0.0);
}

const TYPES: [&str; 9] = [
    "application/json",
    "application/xml",
    "application/rss+xml",
    "image/svg+xml",
    "text/plain",
    "text/csv",
    "text/css",
    "text/javascript",
    "application/feed+json",
];

/// Documents of few pieces, so that versions have much in common.
fn document() -> impl Strategy<Value = String> {
    let pieces = vec![
        "{",
        "}",
        "[",
        "]",
        "\"id\":",
        "\"a\":",
        "\"b\":",
        ",",
        "1",
        "\"x\"",
        "\"2026-11-16\"",
        "\n",
        "\n\n",
        "<a>",
        "</a>",
        "<rss>",
        "<item>",
        "</item>",
        "<guid>",
        "</guid>",
        "<b c='d'>",
        "</b>",
        "<e/>",
        "one ",
        "two ",
        "http://h/i.png",
        "&amp;",
        "&lt;p&gt;",
        "<p>",
        "a{",
        ";",
        "/*",
        "*/",
        "'",
        "url(x)",
        "é",
        "\\",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..60).prop_map(|pieces| pieces.concat())
}

/// JSON that is whole.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![Just("1".to_owned()), Just("\"one two\"".to_owned()), Just("\"<p>x\"".to_owned())];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let member = |inner| (prop::sample::select(vec!["id", "a", "updated"]), inner);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec(member(inner), 0..5).prop_map(|members| {
                let members: Vec<_> = members.into_iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

fn check(media_type: &str, old: &str, new: &str) -> Result<(), TestCaseError> {
    let [old, new] = [old, new].map(|body| segment(&described(media_type), body.as_bytes()));
    let (Some(old), Some(new)) = (old, new) else { return Ok(()) };
    let found = difference(&old, &new, "http://site.example/d", &Hooks::default());
    prop_assert!((0.0..=1.0 + 1e-6).contains(&found.importance), "{}", found.importance);
    prop_assert_eq!(found.delta.is_empty(), old.layout == new.layout);
    prop_assert_eq!(found.delta.apply(&old.layout), Ok(new.layout.clone()));
    prop_assert_eq!(found.delta.apply_back(&new.layout), Ok(old.layout.clone()));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn any_two_documents_follow_from_each_other(
        kind in prop::sample::select(TYPES.to_vec()),
        old in document(),
        new in document(),
    ) {
        check(kind, &old, &new)?;
    }

    #[test]
    fn any_json_follows_from_any_other(old in json(), new in json()) {
        check("application/json", &old, &new)?;
    }
}
