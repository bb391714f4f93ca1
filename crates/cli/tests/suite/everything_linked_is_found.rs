//! Discovery: whatever a site points to with is followed, once, and nothing else is.

use crate::{
    bench::{capture, run},
    host::{Host, Reply, answer, html, not_there, redirect},
};
use flate2::{Compression, write::GzEncoder};
use std::{collections::BTreeMap, io::Write, path::Path};

/// Every way to write a link on the entrance, and what it must lead to.
const WAYS: &[(&str, &str)] = &[
    ("<a href=/anchor>", "/anchor"),
    ("<a href='relative.html#part'>", "/relative.html"),
    ("<A HREF=\"/entity?a=1&amp;b=2\">", "/entity?a=1&b=2"),
    ("<map><area href=/area></map>", "/area"),
    ("<link rel=stylesheet href=/style.css>", "/style.css"),
    ("<link rel=icon href=/icon.png>", "/icon.png"),
    ("<link rel=next href=/next>", "/next"),
    ("<link rel=alternate type=application/rss+xml href=/feed.rss>", "/feed.rss"),
    ("<link rel=alternate type=application/atom+xml href=/feed.atom>", "/feed.atom"),
    ("<link rel=alternate type=application/feed+json href=/feed.json>", "/feed.json"),
    ("<img src=/img.png>", "/img.png"),
    ("<img srcset='/small.png 1x, /large.png 2x'>", "/small.png"),
    ("", "/large.png"),
    ("<script src=/script.js></script>", "/script.js"),
    ("<iframe src=/frame></iframe>", "/frame"),
    ("<picture><source srcset='/source.webp 400w'></picture>", "/source.webp"),
    ("<video poster=/poster.jpg src=/video.mp4></video>", "/poster.jpg"),
    ("", "/video.mp4"),
    ("<audio src=/audio.ogg></audio>", "/audio.ogg"),
    ("<audio><source src=/source.mp3></audio>", "/source.mp3"),
    ("<object data=/object.pdf></object>", "/object.pdf"),
    ("<meta http-equiv=refresh content='900; url=/refresh'>", "/refresh"),
    ("<p style=\"background: url('/inline.gif')\">", "/inline.gif"),
    ("<style>@import '/imported.css'; b { background: url(/sheet.gif) }</style>", "/imported.css"),
    ("", "/sheet.gif"),
    ("<noscript><img src=/noscript.gif></noscript>", "/noscript.gif"),
    ("<script type=module src=/modules/main.mjs></script>", "/modules/main.mjs"),
    ("<script type=module>import x, { y } from './modules/inline.js'</script>", "/modules/inline.js"),
    ("<script type=module>import './modules/bare.js'</script>", "/modules/bare.js"),
    ("<script type=module>export * from \"./modules/exported.js\"</script>", "/modules/exported.js"),
    ("<script type=module>export { z } from './modules/picked.js'</script>", "/modules/picked.js"),
    ("<script>if (a) import('./modules/later.js').then(go)</script>", "/modules/later.js"),
    (
        "<script type=importmap>{\"imports\":{\"mapped\":\"/modules/mapped.js\",\"lib/\":\"/modules/lib/\"}}</script>",
        "",
    ),
    ("<script type=module>import 'mapped'; import 'unmapped'</script>", "/modules/mapped.js"),
    ("<script type=module>import { w } from 'lib/part.js'</script>", "/modules/lib/part.js"),
    ("<script type=module>new URL('beside.wasm', import.meta.url)</script>", "/beside.wasm"),
    ("<script>new Worker('/worker.js')</script>", "/worker.js"),
    ("<script>new SharedWorker('/shared-worker.js')</script>", "/shared-worker.js"),
    ("<script>navigator.serviceWorker.register('/service-worker.js')</script>", "/service-worker.js"),
    ("<script>context.audioWorklet.addModule('/worklet.js')</script>", "/worklet.js"),
    (
        "<script>var s = 'import \\'/no.js\\''; // new Worker('/no.js')\n x.import('/no.js'); y = a / b / '/no.js'</script>",
        "",
    ),
    (
        "<script type=application/json>{\"search\":\"/settings-worker.js\",\"not\":\"chunks/no.js\"}</script>",
        "/settings-worker.js",
    ),
    ("<link rel=manifest href=/app/site.webmanifest>", "/app/site.webmanifest"),
    ("<link rel=apple-touch-icon href=/touch.png>", "/touch.png"),
    ("<link rel=mask-icon href=/mask.svg>", "/mask.svg"),
    ("<link rel=modulepreload href=/modules/preloaded.js>", "/modules/preloaded.js"),
    ("<link rel=preload as=font href=/preloaded.woff2>", "/preloaded.woff2"),
    ("<link rel=preload as=image imagesrcset='/preset.png 1x'>", "/preset.png"),
    ("<link rel=prefetch href=/prefetched>", "/prefetched"),
    ("<link rel='alternate stylesheet' href=/alternate.css>", "/alternate.css"),
    ("<meta property=og:image content=/og.png>", "/og.png"),
    ("<meta name=twitter:image content=/twitter.png>", "/twitter.png"),
    ("<meta property=og:video content=/og.mp4>", "/og.mp4"),
    ("<meta itemprop=image content=/item.png>", "/item.png"),
    ("<meta name=msapplication-TileImage content=/tile.png>", "/tile.png"),
    (
        "<script type=application/ld+json>{\"image\":[\"/ld.png\"],\"logo\":{\"url\":\"/ld-logo.png\"}}</script>",
        "/ld.png",
    ),
    ("", "/ld-logo.png"),
    (
        "<script type=application/ld+json>{\"@graph\":[{\"contentUrl\":\"/ld.mp4\",\"url\":\"/ld-page\"}]}</script>",
        "/ld.mp4",
    ),
    ("", "/ld-page"),
    ("<iframe srcdoc='<img src=&quot;/srcdoc.png&quot;><a href=/from-srcdoc>x</a>'></iframe>", "/srcdoc.png"),
    ("", "/from-srcdoc"),
    ("<embed src=/embedded.swf>", "/embedded.swf"),
    ("<object><param name=movie value=/film.swf></object>", "/film.swf"),
    ("<bgsound src=/sound.mid>", "/sound.mid"),
    ("<video><track src=/track.vtt></video>", "/track.vtt"),
    ("<input type=image src=/button.png>", "/button.png"),
    ("<table background=/table.gif><td background=/cell.gif></table>", "/table.gif"),
    ("", "/cell.gif"),
    ("<img lowsrc=/low.gif>", "/low.gif"),
    ("<svg><image href=/drawn.png /><use href='/sprite.svg#x'/></svg>", "/drawn.png"),
    ("", "/sprite.svg"),
    ("<svg><image xlink:href=/xlink.png /><filter><feImage href=/filtered.png /></filter></svg>", "/xlink.png"),
    ("", "/filtered.png"),
    ("<img data-src=/lazy-1.png>", "/lazy-1.png"),
    ("<img data-srcset='/lazy-2.png 1x, /lazy-3.png 2x'>", "/lazy-2.png"),
    ("", "/lazy-3.png"),
    ("<img data-original=/lazy-4.png>", "/lazy-4.png"),
    ("<img data-lazy=/lazy-5.png>", "/lazy-5.png"),
    ("<img data-lazy-src=/lazy-6.png>", "/lazy-6.png"),
    ("<img data-lazy-srcset='/lazy-7.png 2x'>", "/lazy-7.png"),
    ("<div data-bg=/lazy-8.png data-theme=/dark data-image=hero></div>", "/lazy-8.png"),
    ("<div data-background=/lazy-9.png></div>", "/lazy-9.png"),
    ("<div data-background-image=\"url('/lazy-10.png')\"></div>", "/lazy-10.png"),
    ("<video data-poster=/lazy-11.png></video>", "/lazy-11.png"),
    ("<iframe data-src=/lazy-12></iframe>", "/lazy-12"),
    ("<picture><source data-srcset='/lazy-13.webp'></picture>", "/lazy-13.webp"),
    ("<p style='background-image: image-set(\"/set-1.png\" 1x, \"/set-2.avif\" type(\"image/avif\"))'>", "/set-1.png"),
    ("", "/set-2.avif"),
    ("<style>i { background: -webkit-image-set(url(/set-3.png) 1x, \"/set-4.png\" 2x) }</style>", "/set-3.png"),
    ("", "/set-4.png"),
    ("<style>@import url('/layered.css') layer(a) screen; u { cursor: url(/hand.cur), auto }</style>", "/layered.css"),
    ("", "/hand.cur"),
    (
        "<style>:root { --logo: url('/variable.svg') } li { list-style-image: url(\"/bullet.gif\") }</style>",
        "/variable.svg",
    ),
    ("", "/bullet.gif"),
    ("<video src=/hls/master.m3u8></video>", "/hls/master.m3u8"),
    ("<video><source src=/dash/stream.mpd type=application/dash+xml></video>", "/dash/stream.mpd"),
    ("<template><img src=/template.png></template>", "/template.png"),
    ("<a href=/based/page>", "/based/page"),
    ("<a href=/latin>", "/latin"),
    ("<a href=/moved>", "/moved"),
    ("<a href=/moved/far>", "/moved/far"),
    // Said elsewhere than on the entrance.
    ("", "/from-base/deep"),
    ("", "/caf%C3%A9"),
    ("", "/search?q=%E9"),
    ("", "/arrived"),
    ("", "/moved/near"),
    ("", "/css/font.woff"),
    ("", "/css/more.css"),
    ("", "/css/bottom.png"),
    ("", "/css/set.png"),
    ("", "/from-link-header"),
    ("", "/modules/second.js"),
    ("", "/modules/third.js"),
    ("", "/modules/deep/lazy.js"),
    ("", "/modules/asset.bin"),
    ("", "/scripts/imported-1.js"),
    ("", "/scripts/imported-2.js"),
    ("", "/app/icon-192.png"),
    ("", "/app/screenshot.png"),
    ("", "/app/start"),
    ("", "/app/shortcut"),
    ("", "/app/shortcut.png"),
    ("", "/hls/low/list.m3u8"),
    ("", "/hls/audio.m3u8"),
    ("", "/hls/low/init.mp4"),
    ("", "/hls/low/key"),
    ("", "/hls/low/1.m4s"),
    ("", "/hls/low/2.m4s"),
    ("", "/dash/a/init.mp4"),
    ("", "/dash/a/1.m4s"),
    ("", "/dash/a/2.m4s"),
    ("", "/dash/whole.mp4"),
    ("", "/drawing.css"),
    ("", "/index.xml"),
    ("", "/first.xml.gz"),
    ("", "/listed"),
    ("", "/from-rss"),
    ("", "/from-rss.mp3"),
    ("", "/from-atom"),
    ("", "/from-json"),
    ("", "/robots.txt"),
    ("", "/"),
];

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn typed(media_type: &str, body: impl AsRef<[u8]>) -> Reply {
    answer(200, &[("Content-Type", media_type)], body.as_ref())
}

/// A site that links in every way there is. `elsewhere` is another site.
fn all_ways(elsewhere: &str) -> Host {
    let entrance = WAYS.iter().map(|(way, _)| *way).collect::<String>()
        + &format!(
            "<a href={elsewhere}/anchor>away</a><a href=mailto:me@here.example>me</a><a href='javascript:go()'>js</a>"
        );
    Host::start(move |asked| {
        let here = asked.origin();
        match asked.target.as_str() {
            "/robots.txt" => typed("text/plain", format!("Sitemap: {here}/index.xml\n")),
            "/" => answer(
                200,
                &[
                    ("Content-Type", "text/html"),
                    ("Link", "</from-link-header>; rel=next, <https://cdn.invalid>; rel=preconnect"),
                ],
                entrance.as_bytes(),
            ),
            "/index.xml" => typed(
                "application/xml",
                format!("<sitemapindex><sitemap><loc>{here}/first.xml.gz</loc></sitemap></sitemapindex>"),
            ),
            "/first.xml.gz" => typed(
                "application/gzip",
                gzip(&format!("<urlset><url><loc>{here}/listed</loc><lastmod>2026-11-01</lastmod></url></urlset>")),
            ),
            "/feed.rss" => typed(
                "application/rss+xml",
                "<rss version='2.0'><channel><item><link>/from-rss</link>\
                 <enclosure url='/from-rss.mp3' type='audio/mpeg' length='1'/></item></channel></rss>",
            ),
            "/feed.atom" => typed(
                "application/atom+xml",
                "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='/from-atom'/></entry></feed>",
            ),
            "/feed.json" => typed(
                "application/feed+json",
                r#"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","url":"/from-json"}]}"#,
            ),
            "/style.css" => typed("text/css", "@import url(css/more.css); @font-face { src: url('css/font.woff') }"),
            "/css/more.css" => {
                typed("text/css", "hr { background: url(bottom.png) } b { background: image-set('set.png' 1x) }")
            }
            "/modules/main.mjs" => typed(
                "text/javascript",
                "import{a as b}from'./second.js';const c=()=>import(`./deep/lazy.js`),d=/[\"'`]/g;import 'react';\
                 e=\"import './no.js'\";new Worker('./no.js');f=new URL('asset.bin',import.meta.url);g=require('./no.js')",
            ),
            "/modules/second.js" => typed("application/javascript", "// import './no.js'\nexport * from './third.js'"),
            "/worker.js" => {
                typed("text/javascript", "importScripts('scripts/imported-1.js', '/scripts/imported-2.js')")
            }
            "/app/site.webmanifest" => typed(
                "application/octet-stream",
                r#"{"start_url":"start","icons":[{"src":"icon-192.png"}],"screenshots":[{"src":"/app/screenshot.png"}],
                    "shortcuts":[{"url":"shortcut","icons":[{"src":"shortcut.png"}]}]}"#,
            ),
            "/hls/master.m3u8" => typed(
                "application/vnd.apple.mpegurl",
                "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,NAME=\"x\",URI=\"audio.m3u8\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow/list.m3u8\n",
            ),
            "/hls/low/list.m3u8" => typed(
                "application/x-mpegurl",
                "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"key\"\n#EXT-X-MAP:URI=\"init.mp4\"\n#EXTINF:2,\n1.m4s\n#EXTINF:2,\n2.m4s\n",
            ),
            "/dash/stream.mpd" => typed(
                "application/dash+xml",
                "<MPD mediaPresentationDuration='PT8S'><Period><AdaptationSet><Representation id='a'><SegmentTemplate duration='4' \
                 media='$RepresentationID$/$Number$.m4s' initialization='$RepresentationID$/init.mp4'/></Representation>\
                 <Representation id='b'><BaseURL>whole.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>",
            ),
            "/sprite.svg" => typed("image/svg+xml", "<?xml-stylesheet href='drawing.css'?><svg></svg>"),
            "/based/page" => html("<base href='/from-base/'><a href=deep>deep</a>"),
            "/latin" => typed(
                "text/html; charset=windows-1252",
                b"<a href='/caf\xe9'>caf\xe9</a><a href='/search?q=\xe9'>search</a>",
            ),
            "/moved" => redirect("arrived"),
            "/moved/far" => redirect(&format!("{here}/moved/near")),
            "/moved/near" => redirect("/arrived"),
            "/sitemap.xml" => not_there(),
            _ => typed("text/plain", format!("{} without links", asked.target)),
        }
    })
}

#[test]
fn every_way_to_link_is_followed_exactly_once() {
    let elsewhere = Host::start(|_| html("another site"));
    let (directory, host) = (tempfile::tempdir().unwrap(), all_ways(&elsewhere.origin()));
    let said = capture(directory.path(), &host.seed(), &[]);
    let targets = WAYS.iter().map(|(_, target)| *target).filter(|target| !target.is_empty());
    let expected: BTreeMap<String, usize> = targets.map(|target| (target.to_owned(), 1)).collect();
    let hits = host.take_hits();
    let missed: Vec<_> = expected.keys().filter(|target| !hits.contains_key(*target)).collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
    assert_eq!(hits, expected);
    assert_eq!(elsewhere.accepted(), 0, "an anchor to another site is not followed");
    assert_eq!(said["sites"][0]["excluded"]["out-of-scope"]["samples"][0], format!("{}/anchor", elsewhere.origin()));
    assert_eq!(said["sites"][0]["redirects"], 3);
}

#[test]
fn what_a_page_is_made_of_is_taken_from_another_host_too() {
    let elsewhere = Host::start(|asked| match asked.target.as_str() {
        "/robots.txt" => typed("text/plain", "User-agent: *\nDisallow: /forbidden.png\n"),
        "/style.css" => typed("text/css", "p { background: url(back.png) }"),
        "/frame" => html("<a href=/nowhere>an anchor that leads on</a>"),
        _ => typed("image/png", "png"),
    });
    let there = elsewhere.origin();
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/" => html(&format!(
            "<link rel=stylesheet href={there}/style.css><img src={there}/forbidden.png><iframe src={there}/frame></iframe>"
        )),
        _ => not_there(),
    });
    let directory = tempfile::tempdir().unwrap();
    capture(directory.path(), &host.seed(), &[]);
    let hits: Vec<String> = elsewhere.take_hits().into_keys().collect();
    assert_eq!(hits, ["/back.png", "/frame", "/robots.txt", "/style.css"]);
}

/// A tree two levels deep in two directories, with an image on every page.
fn tree() -> Host {
    Host::start(|asked| {
        let page = |links: &str| {
            html(&format!("<img src=/i{}.png>{links}{}", asked.target.replace('/', "-"), " words".repeat(1000)))
        };
        match asked.target.as_str() {
            "/" => page("<a href=/news/>news</a><a href=/shop/>shop</a>"),
            "/news/" => page("<a href=/news/1>1</a><a href=/shop/1>cross</a><a href=/talk.mp3>talk</a>"),
            "/shop/" => page("<a href=/shop/1>1</a>"),
            "/news/1" => page("<a href=/news/1/more>more</a>"),
            "/shop/1" | "/news/1/more" => page(""),
            target if target.ends_with(".png") => typed("image/png", b"\x89PNG\r\n\x1a\n\0"),
            target if target.ends_with(".mp3") => typed("audio/mpeg", b"ID3\x04\0\0\0\0\0\0"),
            _ => not_there(),
        }
    })
}

/// What is asked for besides the rules, sorted.
fn asked_for(start: &str, options: &[&str]) -> (Vec<String>, serde_json::Value) {
    let (directory, host) = (tempfile::tempdir().unwrap(), tree());
    let options: Vec<String> = options.iter().map(|option| option.replace("PORT", &host.port().to_string())).collect();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let said = capture(directory.path(), &format!("{}{start}", host.origin()), &options);
    let rules = |target: &String| target != "/robots.txt" && target != "/sitemap.xml";
    let hits = host.take_hits();
    assert!(hits.values().all(|count| *count == 1), "{hits:?}");
    (hits.into_keys().filter(rules).collect(), said["sites"][0].clone())
}

#[test]
fn the_scope_holds() {
    let (asked, said) = asked_for("/news/", &["--scope", "prefix"]);
    assert_eq!(asked, ["/i-news-.png", "/i-news-1-more.png", "/i-news-1.png", "/news/", "/news/1", "/news/1/more"]);
    assert_eq!(said["excluded"]["out-of-scope"]["links"], 2, "{said}");
    let (asked, _) = asked_for("/news/", &["--scope", "page"]);
    assert_eq!(asked, ["/i-news-.png", "/news/"]);
    let (asked, _) = asked_for("/", &["--scope", "1,0,0,127:PORT)/shop"]);
    assert_eq!(asked, ["/", "/i-.png", "/i-shop-.png", "/i-shop-1.png", "/shop/", "/shop/1"]);
}

#[test]
fn the_depth_holds() {
    let (asked, said) = asked_for("/", &["--depth", "1"]);
    assert_eq!(asked, ["/", "/i-.png", "/i-news-.png", "/i-shop-.png", "/news/", "/shop/"]);
    assert_eq!(said["excluded"]["too-deep"]["links"], 4, "{said}");
    let (asked, _) = asked_for("/", &["--depth", "0"]);
    assert_eq!(asked, ["/", "/i-.png"]);
}

#[test]
fn the_budget_holds_and_the_rest_is_counted() {
    let (directory, host) = (tempfile::tempdir().unwrap(), tree());
    let said = capture(directory.path(), &host.seed(), &["--budget", "3"]);
    assert_eq!(host.asked().len(), 3, "the rules are a request as well");
    assert_eq!(said["sites"][0]["ending"], "budget-spent");
    assert!(said["sites"][0]["waiting"].as_u64().unwrap() > 0, "{said}");
    let (directory, host) = (tempfile::tempdir().unwrap(), tree());
    let said = capture(directory.path(), &host.seed(), &["--budget", "20kB"]);
    assert_eq!(said["sites"][0]["ending"], "budget-spent");
    let bytes = said["sites"][0]["bytes"].as_u64().unwrap();
    assert!((20_000..27_000).contains(&bytes), "stopped by the first answer over the limit: {bytes}");
    assert_text_says(directory.path(), &host.seed(), "20kB", "as far as the budget went");
}

fn assert_text_says(directory: &Path, seed: &str, budget: &str, words: &str) {
    let output = run(directory, &["capture", seed, "--delay", "0", "--budget", budget]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains(words), "{said}");
}

#[test]
fn only_wanted_media_are_asked_for_besides_pages() {
    let (asked, said) = asked_for("/", &["--media", "image"]);
    assert!(asked.contains(&"/i-.png".to_owned()) && !asked.contains(&"/talk.mp3".to_owned()), "{asked:?}");
    assert_eq!(said["excluded"]["unwanted-media"]["links"], 1, "{said}");
    let (asked, said) = asked_for("/", &["--media", "audio"]);
    assert_eq!(asked, ["/", "/news/", "/news/1", "/news/1/more", "/shop/", "/shop/1", "/talk.mp3"]);
    assert_eq!(said["excluded"]["unwanted-media"]["links"], 6, "{said}");
}
