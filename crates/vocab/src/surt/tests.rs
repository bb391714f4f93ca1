use super::*;
use proptest::prelude::*;

/// What the Python package answers; `tests/make_surt_table.py` writes it.
const TABLE: &str = include_str!("../../tests/surt_table.tsv");

/// The table is text in lines, so white space and backslashes are written as Python writes them.
fn unquoted(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.push(match (c, if c == '\\' { chars.next() } else { None }) {
            ('\\', Some('t')) => '\t',
            ('\\', Some('n')) => '\n',
            ('\\', Some('r')) => '\r',
            ('\\', Some('v')) => '\x0b',
            ('\\', Some('f')) => '\x0c',
            ('\\', Some(c)) => c,
            _ => c,
        });
    }
    out
}

fn in_one_word(text: &str) -> String {
    let mut word = String::new();
    escape::append_visible(text.as_bytes(), &mut word);
    word
}

#[test]
fn every_key_is_the_one_that_the_python_package_makes() {
    let mut rows = 0;
    let mut wrong = Vec::new();
    for line in TABLE.lines() {
        let (url, expected) = line.split_once('\t').expect("a row has two columns");
        let (url, mut expected) = (unquoted(url), unquoted(expected));
        if url.starts_with("filedesc") {
            expected = in_one_word(&expected);
        }
        let got = surt(&url);
        if got != expected {
            wrong.push(format!("{url:?}\n  expected {expected}\n  got      {got}"));
        }
        rows += 1;
    }
    assert!(rows >= 300, "only {rows} rows");
    assert!(wrong.is_empty(), "{} of {rows} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn where_the_python_package_raises_the_key_is_the_url_in_one_word() {
    for (url, expected) in [
        (" \t\n", "-"),
        ("http://example.com:port/A", "http://example.com:port/A"),
        ("http://example.com:65536/", "http://example.com:65536/"),
        ("http://example.com:+80/", "http://example.com:+80/"),
        ("1a:b", "http://1a:b"),
        ("http://example.com:8 0/\u{e9} a%20b", "http://example.com:8%200/%c3%a9%20a%20b"),
    ] {
        assert_eq!(surt(url), expected);
    }
}

#[test]
fn appending_leaves_what_is_there() {
    let mut keys = String::from("kept ");
    surt_into("http://www.example.com/A", &mut keys);
    surt_into(" http://example.com/%41 ", &mut keys);
    assert_eq!(keys, "kept com,example)/acom,example)/a");
}

/// Quadratic work would make any of these run for minutes or hours.
#[test]
fn long_urls_of_anything_take_linear_work() {
    let units = "% %25 25 & &a= b&a& / /.. ../ é. é . http:// sid= = &cftoken=1 cfid= cfid=1&cftoken=1& 1 1. @ : [ ? # \
        /(aaaaaaaaaaaaaaaaaaaaaaaa) /(a(aaaaaaaaaaaaaaaaaaaaaaaa))";
    for unit in units.split_whitespace().chain([" ", "\t"]) {
        let size = if ["%", "%25", "&"].contains(&unit) { 1 << 20 } else { 1 << 16 };
        let many = unit.repeat(size / unit.len());
        for prefix in ["", "http://", "http://a/", "http://a/?"] {
            let url = format!("{prefix}{many}");
            assert!(surt(&url).len() <= 3 * url.len() + 8);
        }
    }
}

fn ordinary_url() -> impl Strategy<Value = String> {
    (
        "https?",
        prop_oneof![
            3 => "(www[0-9]?\\.)?([0-9]\\.){0,3}[a-z0-9_.-]{1,16}(\\.com)?",
            1 => "([0-9]{1,3}\\.){3}[0-9]{1,3}",
        ],
        "(:[0-9]{0,6})?",
        "(/[a-zA-Z0-9_.;,(-]{0,6}){0,4}/?",
        query(),
        "(#.{0,4})?",
    )
        .prop_map(|(scheme, host, port, path, query, fragment)| {
            format!("{scheme}://{host}{port}{path}{query}{fragment}")
        })
}

fn query() -> impl Strategy<Value = String> {
    let name = prop_oneof!["[a-cA-C-]{0,2}", "(s|n|f|phpses|JSESSION|cf)?id", "aspsessionid[a-z]{8}", "cftoken"];
    let value = prop_oneof!["(=[=?a-cA-C0-9-]{0,3})?", "=[a-z]{24}", "=[a-z0-9]{32}"];
    prop::collection::vec((name, value).prop_map(|(name, value)| name + &value), 0..6)
        .prop_map(|arguments| if arguments.is_empty() { String::new() } else { format!("?{}", arguments.join("&")) })
}

#[test]
fn hosts_that_only_begin_like_addresses_are_names() {
    assert_eq!(surt("http://1.2.3.456789abcdefgmn/"), "456789abcdefgmn,3,2,1)/");
    assert_eq!(surt("http://1.2.3.99999999999999999999/"), "99999999999999999999,3,2,1)/");
}

fn long_way(url: &str) -> String {
    let mut out = String::new();
    append_any(url, &mut out);
    out
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn the_short_way_ends_where_the_long_way_does(url in ordinary_url()) {
        prop_assert_eq!(surt(&url), long_way(&url));
    }

    #[test]
    fn any_text_has_a_key_of_visible_ascii(url in "(filedesc)?\\PC{0,40}|[a-zA-Z0-9%:/.@?&=#\\[\\] \t()-]{0,60}") {
        let key = surt(&url);
        prop_assert!(!key.is_empty());
        prop_assert!(key.bytes().all(|b| b.is_ascii_graphic()), "{:?}", key);
        prop_assert_eq!(key, long_way(&url));
    }

    #[test]
    fn undoing_escapes_in_one_pass_equals_undoing_them_in_rounds(text in "[%0-9a-fA-F]{0,40}") {
        let mut rounds = text.clone().into_bytes();
        loop {
            let next = one_round(&rounds);
            if next == rounds { break }
            rounds = next;
        }
        prop_assert_eq!(escape::unescape_fully(text.as_bytes()).into_owned(), rounds);
    }
}

fn one_round(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let digits = text.get(at + 1..at + 3).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        match digits.filter(|_| text[at] == b'%') {
            Some(digits) => {
                out.push(u8::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap());
                at += 3;
            }
            None => {
                out.push(text[at]);
                at += 1;
            }
        }
    }
    out
}
