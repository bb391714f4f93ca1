use super::page::refresh_target;
use super::*;
use tintype_vocab::LinkKind::{Anchor, Embed, Feed};

/// Links of a page at `http://h/`, without that prefix; embeds marked by a plus, feeds by a star.
fn seen_in(body: &[u8], header: Option<&str>) -> Vec<String> {
    let mut collector = Collector::new("http://h/");
    let charset = Charset::new(body, header, "http://h/", declared_encoding);
    links(body, Syntax::Html, &charset, &mut collector);
    let (links, _) = collector.finish();
    let mark = |kind| match kind {
        Anchor => "",
        Embed => "+",
        Feed => "*",
        _ => "?",
    };
    links.iter().map(|link| format!("{}{}", mark(link.kind), link.url.trim_start_matches("http://h/"))).collect()
}

fn seen(html: &str) -> Vec<String> {
    seen_in(html.as_bytes(), None)
}

#[test]
fn every_source_of_links_is_read() {
    for (html, expected) in [
        ("<a href=1>x</a><area href='2'><A HREF=\"3\" rel=nofollow>", &["1", "2", "3"][..]),
        ("<a name=x><a href><a href=''><a href=#x><a href=mailto:x@y>", &[]),
        ("<link rel=stylesheet href=1><link rel=icon href=2><link rel=preconnect href=//x>", &["+1", "+2"]),
        ("<link rel=alternate type=application/rss+xml href=1><link rel=canonical href=2>", &["*1", "2"]),
        ("<link rel=preload as=image imagesrcset='1 1x, 2 2x'>", &["+1", "+2"]),
        ("<img src=1 srcset='2 1x, 3 2x' data-src=4 data-srcset='5'>", &["+1", "+2", "+3", "+4", "+5"]),
        ("<picture><source srcset=1><source src=2></picture>", &["+1", "+2"]),
        ("<video src=1 poster=2></video><audio src=3><track src=4>", &["+1", "+2", "+3", "+4"]),
        ("<embed src=1><object data=2></object><iframe src=3></iframe><frame src=4>", &["+1", "+2", "+3", "+4"]),
        ("<input type=IMAGE src=1><input type=text src=2>", &["+1"]),
        ("<script src=1></script>", &["+1"]),
        ("<svg><image xlink:href=1 /><use href='2#x'/><use href=#y /><a xlink:href=3></a></svg>", &["+1", "+2", "3"]),
        ("<body background=1><td background=2>", &["+1", "+2"]),
        ("<meta http-equiv=Refresh content=\"5; URL='1'\">", &["1"]),
        ("<meta property=og:image content=1><meta name=twitter:image content=2><meta name=x content=3>", &["+1", "+2"]),
        ("<style>@import '1';b{c:url(2)}</style>", &["+1", "+2"]),
        ("<p style='background: url(&quot;1&quot;)'>", &["+1"]),
        ("<a style='b:url(2)' href=1>", &["1", "+2"]),
        ("<noscript><img src=1></noscript><noframes><a href=2></noframes>", &["+1", "2"]),
        ("<template><a href=1></template>", &["1"]),
        (
            "<bgsound src=1><img lowsrc=2><object><param name=Movie value=3><param name=x value=4></object>",
            &["+1", "+2", "+3"],
        ),
        (
            "<meta property=og:video content=1><meta itemprop=image content=2><meta itemprop=name content=3>",
            &["+1", "+2"],
        ),
        ("<base href=/d/><base href=/e/><a href=1>", &["d/1"]),
        ("<base><base href=/e/><a href=1>", &["e/1"]),
        ("<a href='?a=1&amp;b=2&#38;c'>", &["?a=1&b=2&c"]),
        ("<a href=' \n1\n2 '>", &["12"]),
        ("<a href=1><a href=1><img src=1>", &["1", "+1"]),
    ] {
        assert_eq!(seen(html), expected, "{html}");
    }
}

#[test]
fn what_only_looks_like_markup_is_not() {
    for (html, expected) in [
        ("<!-- <a href=1> --><a href=2>", &["2"][..]),
        ("<script>'<a href=1>'</script><a href=2>", &["2"]),
        ("<script><!-- <script></script><a href=1>--></script><a href=2>", &["2"]),
        ("<title><a href=1></title><textarea><a href=2></textarea><a href=3>", &["3"]),
        ("<iframe><a href=1></iframe><xmp><a href=2></xmp><a href=3>", &["3"]),
        ("<style><a href=1></style><a href=2>", &["2"]),
        ("<plaintext><a href=1>", &[]),
        ("<p title='<a href=1>'><a title=\"'>\" href=2>", &["2"]),
        ("<svg><title/><style/><script/><![CDATA[<a href=1>]]></svg><a href=2>", &["2"]),
        ("<svg/><title><a href=1></title><a href=2>", &["2"]),
        ("<script/><a href=1></script><a href=2>", &["2"]),
        ("<title><a href=1>", &[]),
        ("<a href=1", &[]),
        ("<a href='1>", &[]),
    ] {
        assert_eq!(seen(html), expected, "{html}");
    }
}

#[test]
fn refreshes_are_read_as_browsers_do() {
    for (content, expected) in [
        ("0;url=/x", Some("/x")),
        ("0; URL = '/x'y", Some("/x")),
        ("5,/x", Some("/x")),
        ("0.5 ; /x", Some("/x")),
        ("0;url", Some("url")),
        ("5", None),
        ("", None),
        ("é;é", None),
        ("0;é", Some("é")),
    ] {
        assert_eq!(refresh_target(content), expected, "{content}");
    }
}

#[test]
fn links_of_every_charset_are_the_same_as_in_a_browser() {
    let (windows_1251, _, _) = encoding_rs::WINDOWS_1251.encode("<meta charset=windows-1251><a href='/путь?q=да'>");
    assert_eq!(seen_in(&windows_1251, None), ["%D0%BF%D1%83%D1%82%D1%8C?q=%E4%E0"]);
    let (shift_jis, _, _) = encoding_rs::SHIFT_JIS.encode("<a href='/ソ表'>");
    assert_eq!(seen_in(&shift_jis, Some("Shift_JIS")), ["%E3%82%BD%E8%A1%A8"]);
    let latin = b"<meta http-equiv=content-type content='text/html; charset=iso-8859-1'><a href='/caf\xe9?\xe9'>";
    assert_eq!(seen_in(latin, None), ["caf%C3%A9?%E9"]);
    assert_eq!(seen_in(b"<p>d\xe9j\xe0 vu, bient\xf4t</p><a href='/caf\xe9'>", None), ["caf%C3%A9"]);
    assert_eq!(seen("<a href='/café?é'>"), ["caf%C3%A9?%C3%A9"]);
    let utf_16: Vec<u8> = "\u{feff}<a href='/é'>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(seen_in(&utf_16, None), ["%C3%A9"]);
    let bare: Vec<u8> = "<a href='/é'>".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(seen_in(&bare, None), ["%C3%A9"]);
    let (iso_2022_jp, _, _) = encoding_rs::ISO_2022_JP.encode("<meta charset=iso-2022-jp><a href='/日本'>");
    assert_eq!(seen_in(&iso_2022_jp, None), ["%E6%97%A5%E6%9C%AC"]);
}

#[test]
fn scripts_on_the_page_name_what_they_load() {
    for (html, expected) in [
        ("<script type=module>import './1'; import('/2'); export * from 'bare'</script>", &["+1", "+2"][..]),
        (
            "<script type=importmap>{\"imports\":{\"a\":\"/1\",\"b/\":\"/d/\"}}</script>\
             <script type=module>import 'a'; import 'b/2'; import 'c'</script>",
            &["+1", "+d/2"],
        ),
        ("<script>new Worker('1'); navigator.serviceWorker.register(\"2\")</script>", &["+1", "+2"]),
        ("<script type='text/javascript; charset=utf-8'>import('./1')</script>", &["+1"]),
        ("<base href=/d/><script>new Worker('1')</script>", &["+d/1"]),
        ("<script type=application/ld+json>{\"image\":\"/1\",\"url\":\"/2\"}</script>", &["+1", "2"]),
        (
            "<script type=text/template>import './1'</script><script type=application/json>{\"image\":\"/1\"}</script>",
            &[],
        ),
    ] {
        assert_eq!(seen(html), expected, "{html}");
    }
}

#[test]
fn pages_inside_a_page_have_links_and_a_base_of_their_own() {
    for (html, expected) in [
        (
            "<iframe srcdoc='<img src=1><a href=&quot;2&quot;>x</a>' src=3></iframe><a href=4>",
            &["+3", "+1", "2", "4"][..],
        ),
        (
            "<iframe srcdoc='<base href=/d/><img src=1>'></iframe><a href=2><base href=/e/><a href=3>",
            &["+d/1", "2", "e/3"],
        ),
        ("<iframe srcdoc=\"<iframe srcdoc='<img src=1>'></iframe><img src=2>\"></iframe>", &["+1", "+2"]),
    ] {
        assert_eq!(seen(html), expected, "{html}");
    }
    let mut nested = "<img src=1>".to_owned();
    for _ in 0..4 {
        nested = format!("<iframe srcdoc=\"{}\"></iframe>", nested.replace('&', "&amp;").replace('"', "&quot;"));
    }
    assert!(seen(&nested).is_empty(), "the fourth is not read");
}

#[test]
fn what_scripts_load_later_is_found_where_it_is_kept() {
    for (html, expected) in [
        (
            "<img data-original=/a.png><img data-lazy-src=/b.png><img data-lazy=c.jpg>",
            &["+a.png", "+b.png", "+c.jpg"][..],
        ),
        (
            "<div data-bg=/a.png></div><p data-background-image=\"url('b')\"><i data-bgset='c.png 1x, d.png'>",
            &["+a.png", "+b", "+c.png", "+d.png"],
        ),
        (
            "<video data-poster=/a.png data-src=b><source data-src=c></video><iframe data-src=d></iframe>",
            &["+a.png", "+b", "+c", "+d"],
        ),
        ("<div data-bg=dark data-background='#fff' data-src='#x' data-lazy=true data-image=hero data-full=1>", &[]),
        ("<div data-srcx=/a.png data-=/b.png data-other=/c.png DATA-SRC=/d.png>", &["+d.png"]),
    ] {
        assert_eq!(seen(html), expected, "{html}");
    }
}
