//! Forms of the interface: who may send them, from where, and what they change.

use crate::{
    bench::{Bench, INTERVAL, capture, run},
    browser::{Got, Past},
};
use std::{fs, path::Path};

fn served(directory: &Path) -> (Past, String) {
    let bench = Bench::newsroom();
    capture(directory, &bench.seed(), &[]);
    bench.advance(INTERVAL);
    capture(directory, &bench.seed(), &[]);
    let past = Past::serve(directory, &[]);
    let token = fs::read_to_string(directory.join("own-data/tintype/token")).unwrap().trim().to_owned();
    (past, token)
}

fn signed_in(past: &Past, token: &str) -> (Got, String) {
    let origin = past.url("");
    let got = past.post("/do/sign-in", &[("Origin", &origin)], &format!("token={token}&back=%2Fchanges"));
    let cookie = got.header("set-cookie").split(';').next().unwrap_or_default().to_owned();
    (got, cookie)
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let rest = text.split_once(before).unwrap_or_else(|| panic!("{before} in {text}")).1;
    rest.split_once(after).unwrap().0
}

#[test]
fn a_form_needs_the_token_its_own_secret_and_this_servers_origin() {
    let directory = tempfile::tempdir().unwrap();
    let (past, token) = served(directory.path());
    let origin = past.url("");
    let refused = [
        past.post("/do/sign-in", &[("Origin", &origin)], "token=wrong"),
        past.post("/do/sign-in", &[], &format!("token={token}")),
        past.post("/do/sign-in", &[("Origin", "http://evil.example")], &format!("token={token}")),
        past.post("/do/sign-in", &[("Origin", &origin), ("Sec-Fetch-Site", "same-site")], &format!("token={token}")),
        past.post("/do/read", &[("Origin", &origin)], "item=1"),
        past.post("/do/lab-begin", &[("Origin", &origin)], "site=0+x&policy=uniform"),
        past.post("/do/lab-cancel", &[("Origin", &origin)], ""),
        past.post("/do/subscribe", &[("Origin", &origin)], "collection=0&webhook=http%3A%2F%2F127.0.0.1%2F"),
        past.post("/do/unsubscribe", &[("Origin", &origin)], "collection=0&name=desk"),
        past.post("/do/watch", &[("Origin", &origin)], "collection=0&watch=bridge"),
    ];
    assert!(refused.iter().all(|got| got.status == 403), "{:?}", refused.map(|got| got.status));
    let (got, cookie) = signed_in(&past, &token);
    assert_eq!((got.status, got.header("location")), (303, "/changes"));
    assert!(got.header("set-cookie").contains("HttpOnly; SameSite=Strict"), "{}", got.header("set-cookie"));
    let page = past.get_with("/changes?min_importance=0", &[("Cookie", &cookie)]).text();
    let (secret, item) =
        (between(&page, "name=\"secret\" value=\"", "\""), between(&page, "name=\"item\" value=\"", ","));
    let form = format!("secret={secret}&item={item}&days=7&reader=desk&back=%2F%2Fevil.example");
    let own = [("Origin", origin.as_str()), ("Cookie", cookie.as_str())];
    assert_eq!(past.post("/do/read", &own, &form.replace(secret, "other")).status, 403);
    assert_eq!(past.post("/do/read", &[("Cookie", &cookie)], &form).status, 403);
    assert_eq!(past.get_with("/do/read", &own).status, 404, "an address alone changes nothing");
    let taken = past.post("/do/read", &own, &form);
    assert_eq!((taken.status, taken.header("location")), (303, "/"), "{}", taken.text());
    let unread = |reader: &str| {
        let page = past.get(&format!("/changes?min_importance=0&reader={reader}")).text();
        page.matches("<article class=\"item unread\"").count()
    };
    assert_eq!(unread("desk") + 1, unread("other"), "what one reader read is news to another");
    assert_eq!(past.post("/do/sign-out", &own, &form).status, 303);
    assert_eq!(past.post("/do/read", &own, &form).status, 403);
}

#[test]
fn settings_are_changed_as_on_the_command_line_or_not_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let (past, token) = served(directory.path());
    let (_, cookie) = signed_in(&past, &token);
    let home = past.get("/").text();
    let site = format!("/site/{}", between(&home, "href=\"/site/", "\""));
    let page = past.get_with(&site, &[("Cookie", &cookie)]).text();
    let form = page.split_once("action=\"/do/settings\"").unwrap().1;
    let field = |name: &str| between(form, &format!("name=\"{name}\" value=\""), "\"").to_owned();
    let sent = |settings: &str| {
        let form =
            format!("secret={}&collection={}&site={}&{settings}", field("secret"), field("collection"), field("site"));
        past.post("/do/settings", &[("Origin", &past.url("")), ("Cookie", &cookie)], &form)
    };
    let toml = || fs::read_to_string(directory.path().join("collection/tintype.toml")).unwrap();
    let before = toml();
    assert_eq!(sent("hours=25%3A00").status, 400);
    assert_eq!(sent("seeds=http%3A%2F%2Felsewhere.example%2F").status, 303);
    assert_eq!(toml(), before, "what is no setting of the form is not taken");
    let reckoned = sent("step=reckon&hours=22%3A00-06%3A00&capture-every=10d&budget=5");
    assert_eq!((reckoned.status, toml()), (200, before.clone()), "nothing is saved by asking what it costs");
    let reckoned = reckoned.text();
    assert!(reckoned.contains("found up to 16 h later") && reckoned.contains("requests each time"), "{reckoned}");
    assert!(reckoned.contains("a capture leaves out about"), "{reckoned}");
    assert_eq!(sent("hours=22%3A00-06%3A00&weight=2.5&exclude=%2Fa%2F*%2C+%2Fb%2F*").status, 303);
    assert!(
        toml().contains("22:00-06:00") && toml().contains("weight = 2.5") && toml().contains("\"/b/*\""),
        "{}",
        toml()
    );
    assert_eq!(sent("hours=&weight=&exclude=").status, 303);
    assert_eq!(toml(), before);
}

#[test]
fn who_is_told_is_written_into_the_file_and_shown_to_who_may_change_it() {
    let directory = tempfile::tempdir().unwrap();
    let (past, token) = served(directory.path());
    let (_, cookie) = signed_in(&past, &token);
    let page = || past.get_with("/subscribe?kind=changed,moved&match=bridge", &[("Cookie", &cookie)]).text();
    let secret = between(&page(), "name=\"secret\" value=\"", "\"").to_owned();
    let sent = |to: &str, form: &str| {
        let form = format!("secret={secret}&collection=0&{form}");
        past.post(to, &[("Origin", &past.url("")), ("Cookie", &cookie)], &form)
    };
    let toml = || fs::read_to_string(directory.path().join("collection/tintype.toml")).unwrap();
    let before = toml();
    let rule = "kind=changed,moved&match=bridge&min_importance=0.15&digest=daily&name=desk&sign=hush";
    for odd in [
        "webhook=ftp%3A%2F%2Fhooks.example%2F",
        "mail=editor%40example.org",
        "",
        "webhook=http%3A%2F%2Fh.example%2F&mail=a%40b.example",
    ] {
        let got = sent("/do/subscribe", &format!("{rule}&{odd}"));
        assert_eq!((got.status, toml()), (400, before.clone()), "{odd}: {}", got.text());
    }
    let got = sent("/do/subscribe", &format!("{rule}&webhook=https%3A%2F%2Fhooks.example%2F1"));
    assert_eq!(got.status, 303, "{}", got.text());
    let written = toml();
    for line in [
        "[[notify]]",
        "webhook = \"https://hooks.example/1\"",
        "secret = \"hush\"",
        "min-importance = 0.15",
        "digest = \"daily\"",
    ] {
        assert!(written.contains(line), "{line} in {written}");
    }
    let mine = page();
    assert!(mine.contains("https://hooks.example/1") && !mine.contains("hush"), "{mine}");
    let anybodys = past.get("/subscribe").text();
    assert!(!anybodys.contains("hooks.example"), "{anybodys}");
    assert_eq!(sent("/do/watch", "watch=bridge%7Ctunnel%0D%0Aferry").status, 303);
    assert!(toml().contains("watch = [\"bridge|tunnel\", \"ferry\"]"), "{}", toml());
    let watched = past.get("/subscribe?watched=1").text();
    assert!(
        watched.contains("match=bridge%7Ctunnel%7Cferry") && watched.contains("min_importance=0.001\""),
        "{watched}"
    );
    assert_eq!(past.get("/subscribe?kind=nonsense").status, 400, "not a broader rule than was asked for");
    assert_eq!(sent("/do/watch", "watch=%28").status, 400);
    assert_eq!(sent("/do/watch", "watch=").status, 303);
    assert_eq!(sent("/do/unsubscribe", "name=desk").status, 303);
    assert_eq!(sent("/do/unsubscribe", "name=desk").status, 400);
    assert_eq!(toml(), before);
}

#[test]
fn a_tournament_is_played_on_what_is_recorded() {
    let directory = tempfile::tempdir().unwrap();
    let (past, token) = served(directory.path());
    let (_, cookie) = signed_in(&past, &token);
    let own = [("Origin", past.url("")), ("Cookie", cookie)];
    let own: Vec<(&str, &str)> = own.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let page = || past.get_with("/lab", &own).text();
    let first = page();
    let (secret, site) = (between(&first, "name=\"secret\" value=\"", "\""), between(&first, "<option value=\"", "\""));
    let wish = |more: &str| {
        let form: String = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("secret", secret)
            .append_pair("site", site)
            .finish();
        past.post("/do/lab-begin", &own, &format!("{form}&{more}"))
    };
    assert_eq!(wish("policy=nobody").status, 400);
    assert_eq!(wish("policy=uniform&budget=-1").status, 400);
    assert_eq!(past.get("/lab/results.json").status, 404, "nothing was played yet");
    assert_eq!(wish("policy=uniform&policy=tintype&budget=30").status, 303);
    while page().contains("lab-playing") {}
    let shown = page();
    assert!(shown.contains("of the best possible") && shown.contains("lab tournament --history"), "{shown}");
    let results = past.get("/lab/results.json").json();
    assert_eq!(results["results"].as_array().unwrap().len(), 2, "{results}");
}

#[test]
fn what_happened_is_subscribed_to_as_it_is_chosen() {
    let directory = tempfile::tempdir().unwrap();
    let (past, _) = served(directory.path());
    let feed = past.get("/feed.atom?min_importance=0");
    assert!(feed.header("content-type").starts_with("application/atom+xml"));
    assert!(feed.text().contains(&past.url("/web/")), "{}", feed.text());
    let json = past.get("/feed.json?min_importance=0").json();
    let output = run(directory.path(), &["changes", "--min-importance", "0", "--json", "--limit", "100"]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["items"].as_array().unwrap().len(), told["changes"].as_array().unwrap().len());
    assert_eq!(past.get("/feed.rss?kind=refused").text().matches("<item>").count(), 0);
}
