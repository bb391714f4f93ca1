//! Replay in a browser: every archived host on an origin of its own, and not one request that leaves the archive.

use crate::{
    bench::capture,
    browser::{Got, Past},
    host::{Host, answer, html, not_there},
    the_past_answers_for_a_time::next_second,
};
use std::{
    path::Path,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// As a browser asks for a page.
const NAVIGATION: [(&str, &str); 3] =
    [("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document"), ("Accept", "text/html")];

/// A site that points at another host in every way there is.
fn site(live: &str) -> Host {
    let live = Arc::new(live.to_owned());
    Host::start(move |asked| match asked.target.as_str() {
        "/" => {
            let page = format!(
                "<!doctype html><html><head><title>then</title><link rel=stylesheet href=/style.css>\
                 <link rel=preconnect href={live}><link rel=icon href={live}/icon.png>\
                 <script>fetch('{live}/fetched'); new Image().src='{live}/image.png'; navigator.sendBeacon('{live}/beacon');\
                 var x = new XMLHttpRequest(); x.open('GET', '{live}/xhr'); x.send();\
                 document.addEventListener('DOMContentLoaded', function () {{\
                   document.getElementById('late').innerHTML = '<img src=\"{live}/late.png\"><iframe srcdoc=\"<img src={live}/doc.png>\"></iframe>\
                     <iframe sandbox srcdoc=\"<img src={live}/sandboxed.png>\"></iframe>';\
                   document.getElementById('state').textContent = 'scripts run at ' + document.URL;\
                   fetch('/data.json').then(function (r) {{ return r.json(); }}).then(function (d) {{ document.getElementById('data').textContent = d.said; }});\
                   navigator.serviceWorker.register('/worker.js').catch(function () {{ document.getElementById('worker').textContent = 'no worker'; }});\
                 }});</script></head>\
                 <body><h1 id=state>no script</h1><p id=data></p><p id=worker></p><p id=late></p><img src={live}/static.png srcset='{live}/set.png 2x'>\
                 <p style='background:url({live}/inline.png)'>x</p><a href=/second>second</a><a href=/data.json>data</a><a href={live}/page>away</a>\
                 <form action={live}/form></form><object data={live}/object></object></body></html>"
            );
            let policy = [
                ("Content-Type", "text/html; charset=utf-8"),
                ("Content-Security-Policy", "default-src 'none'"),
                ("X-Frame-Options", "DENY"),
                ("Strict-Transport-Security", "max-age=9"),
            ];
            answer(200, &policy, page.as_bytes())
        }
        "/style.css" => answer(
            200,
            &[("Content-Type", "text/css")],
            format!("@import '{live}/more.css'; body{{background:url({live}/css.png)}} h1{{color:#123456}}").as_bytes(),
        ),
        "/data.json" => answer(200, &[("Content-Type", "application/json")], b"{\"said\": \"data of the past\"}"),
        "/worker.js" => answer(200, &[("Content-Type", "text/javascript")], b"onfetch = () => {}"),
        "/second" => html("<h1>second</h1>"),
        _ => not_there(),
    })
}

/// The page of a site as a browser would be shown it, and where that is.
fn led(past: &Past, url: &str) -> (String, String) {
    let gate = past.get(&format!("/web/{url}"));
    let target = gate.header("location")[past.url("").len()..].to_owned();
    let to = past.get_with(&target, &NAVIGATION);
    assert_eq!(to.status, 302, "{}", to.text());
    let rest = to.header("location").strip_prefix("http://").unwrap().to_owned();
    let at = rest.find('/').unwrap();
    (rest[..at].to_owned(), rest[at..].to_owned())
}

fn shown(past: &Past, host: &str, target: &str, more: &[(&str, &str)]) -> Got {
    past.get_with(target, &[&[("Host", host)], more].concat())
}

#[test]
fn the_banner_says_first_what_is_proved_and_leads_to_what_changed() {
    let is_later = Arc::new(AtomicBool::new(false));
    let later = is_later.clone();
    let host = Host::start(move |ask| match ask.target.as_str() {
        "/" if later.load(Ordering::SeqCst) => html("<p>the library stays open</p>"),
        "/" => html("<p>the library will close</p>"),
        _ => not_there(),
    });
    let directory = tempfile::tempdir().unwrap();
    capture(directory.path(), &host.seed(), &[]);
    is_later.store(true, Ordering::SeqCst);
    next_second();
    capture(directory.path(), &host.seed(), &[]);
    let past = Past::serve(directory.path(), &[]);
    let banner = |nth: usize| {
        let versions = past.get(&format!("/api/versions?url={}", host.seed())).json();
        let memento = versions["versions"][nth]["memento"].as_str().unwrap().to_owned();
        let to = past.get_with(&memento[past.url("").len()..], &NAVIGATION).header("location").to_owned();
        let (name, target) = to.trim_start_matches("http://").split_once('/').unwrap();
        let text = shown(&past, name, &format!("/{target}"), &NAVIGATION).text();
        let at = text.find("/__tt/banner?").unwrap();
        let banner = text[at..].split('"').next().unwrap().replace("&amp;", "&");
        shown(&past, name, &banner, &[]).text()
    };
    let (first, second) = (banner(0), banner(1));
    assert!(first.contains(">proved for ") && first.contains("; seen once<"), "{first}");
    assert!(first.contains("next version") && !first.contains("what changed"), "{first}");
    assert!(second.contains("previous version") && second.contains("what changed"), "{second}");
    let diff = second[second.find("/diff?url=").unwrap()..].split('"').next().unwrap();
    let diff = past.get(&diff.replace("&#38;", "&").replace("&amp;", "&"));
    assert!(diff.status == 200 && diff.text().contains("stays"), "{}", diff.text());
}

#[test]
fn a_page_is_shown_on_an_origin_of_its_own_and_everything_on_it_leads_into_the_archive() {
    let live = Host::start(|_| html("live"));
    let (directory, host) = (tempfile::tempdir().unwrap(), site(&live.origin()));
    capture(directory.path(), &host.seed(), &[]);
    live.take_hits();
    let past = Past::serve(directory.path(), &[]);
    let (name, target) = led(&past, &host.seed());
    assert!(name.contains(&format!("h-127--0--0--1-p{}.localhost:", host.port())), "{name}");
    let page = shown(&past, &name, &target, &NAVIGATION);
    let text = page.text();
    assert_eq!(page.status, 200, "{text}");
    for header in ["x-frame-options", "strict-transport-security", "set-cookie"] {
        assert_eq!(page.header(header), "", "{header} is of the past");
    }
    let policy = page.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'self' data: blob:")
            && policy.contains("object-src 'none'")
            && !policy.contains("https:"),
        "{policy}"
    );
    let body = &text[text.find("<body>").unwrap()..];
    assert!(
        !body.contains(&format!("=\"{}", live.origin())) && !body.contains(&format!("={}", live.origin())),
        "{body}"
    );
    assert!(
        body.contains(&format!("/__tt/f/{}/static.png", live.origin())) && body.contains("/__tt/banner?"),
        "{body}"
    );
    assert!(
        body.contains(&format!(".h-127--0--0--1-p{}.localhost", live.port())),
        "links lead to the other host's own origin: {body}"
    );
    let css = shown(&past, &name, "/style.css", &[]);
    assert!(css.text().contains(&format!("/__tt/f/{}/css.png", live.origin())), "{}", css.text());
    let framed = shown(&past, &name, &target, &[("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe")]);
    assert!(!framed.text().contains("/__tt/banner?"), "a frame has no banner");
    let at = text.find("/__tt/banner?").unwrap();
    let banner = text[at..].split('"').next().unwrap().replace("&amp;", "&");
    let banner = shown(&past, &name, &banner, &[]).text();
    assert!(banner.contains("calendar") && banner.contains("proved"), "{banner}");
    assert_eq!(shown(&past, &name, "/worker.js", &[("Service-Worker", "script")]).status, 403);
    assert_eq!(shown(&past, &name, "/nothing-here", &NAVIGATION).status, 404);
    let go = shown(&past, &name, &format!("/__tt/go/{}/page?x=1", live.origin()), &[]);
    assert!(go.status == 302 && go.header("location").ends_with("/page?x=1"), "{}", go.header("location"));
    let of_other = format!("http://{name}/__tt/f/http://cdn.example/a/b.js");
    let rooted = shown(&past, &name, "/img.png", &[("Referer", &of_other)]);
    assert_eq!(rooted.header("location"), "/__tt/f/http://cdn.example/img.png");
    let plain = past.get(&format!("/web/{}mp_/{}", &name[..14], host.seed()));
    let plain = if plain.status == 302 { past.get(&plain.header("location")[past.url("").len()..]) } else { plain };
    assert!(
        plain.header("content-security-policy").starts_with("sandbox") && plain.text().contains("im_/http"),
        "{}",
        plain.text()
    );
    for odd in ["evil.localhost", "20261118000000.q-x.localhost", "20261118000000.h-a_b.localhost"] {
        assert_eq!(shown(&past, odd, "/", &NAVIGATION).status, 421, "{odd}");
    }
    assert!(live.take_hits().is_empty(), "the server itself asks nobody");
}

/// Where Chromium is installed, a real browser looks at the page: its scripts run, and nothing leaves.
#[test]
fn a_browser_runs_the_page_and_no_request_reaches_the_live_web() {
    let Some(chromium) =
        ["/usr/bin/chromium", "/usr/bin/chromium-browser"].iter().find(|path| Path::new(path).exists())
    else {
        println!("skipped, no Chromium: apt-get install chromium");
        return;
    };
    let live = Host::start(|_| html("live"));
    let (directory, host) = (tempfile::tempdir().unwrap(), site(&live.origin()));
    capture(directory.path(), &host.seed(), &[]);
    let seed = host.seed();
    drop(host);
    live.take_hits();
    let past = Past::serve(directory.path(), &[]);
    let profile = directory.path().join("profile");
    let output = Command::new(chromium)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--virtual-time-budget=8000",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(past.url(&format!("/web/2999/{seed}")))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    assert!(dom.contains(&format!("scripts run at {seed}")), "{dom} {}", String::from_utf8_lossy(&output.stderr));
    assert!(dom.contains("data of the past") && dom.contains("no worker"), "{dom}");
    assert!(live.take_hits().is_empty(), "{:?}", live.take_hits());
}
