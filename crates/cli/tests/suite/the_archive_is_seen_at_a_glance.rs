//! `tintype serve` for people: sites, pages and captures, made on the server, readable without script.

use crate::{
    bench::{Bench, INTERVAL, capture, run, tintype},
    browser::Past,
    host::{Host, html, not_there},
};
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    sync::{Arc, Condvar, Mutex},
};

/// Everything that begins with `prefix` and ends before a quote.
fn links(page: &str, prefix: &str) -> Vec<String> {
    let start = format!("href=\"{prefix}");
    let starts = page.match_indices(&start).map(|(at, _)| at + 6);
    starts.map(|at| page[at..].split('"').next().unwrap_or_default().replace("&#38;", "&")).collect()
}

fn captured_twice(directory: &Path) -> Bench {
    let bench = Bench::newsroom();
    capture(directory, &bench.seed(), &[]);
    bench.advance(INTERVAL);
    capture(directory, &bench.seed(), &["--revisit"]);
    bench
}

#[test]
fn one_click_leads_from_the_first_page_to_a_site_its_pages_and_its_captures() {
    let directory = tempfile::tempdir().unwrap();
    let bench = captured_twice(directory.path());
    let past = Past::serve(directory.path(), &[]);
    let home = past.get("/").text();
    let [site] = &links(&home, "/site/")[..] else { panic!("{home}") };
    let site = past.get(site).text();
    assert!(site.contains("Pages by activity") && site.contains(&bench.seed()), "{site}");
    assert!(site.contains("pause that was kept") && site.contains("in the middle, never below"), "{site}");
    assert!(site.contains("robots.txt") && site.contains("<h2>Directories</h2>"), "{site}");
    let mut captures = links(&site, "/capture/");
    captures.sort();
    captures.dedup();
    assert_eq!(captures.len(), 2, "{site}");
    let latest = past.get(&captures[1]).text();
    assert!(latest.contains("Sharp pages") && latest.contains("<svg") && latest.contains("Fingerprint"), "{latest}");
    let certificate = past.get(&format!("{}.json", captures[1])).json();
    assert!(certificate["captures"][0]["sharp"]["proved"].as_u64().unwrap() > 0, "{certificate}");
    let pages = links(&site, "/page?url=");
    let page = past.get(&pages[0]).text();
    assert!(page.contains("Versions, the latest first") && page.contains("What is believed of it"), "{page}");
    assert!(page.contains("What captures prove of it") && page.contains("sharp, "), "{page}");
    let parts = past.get(&links(&page, "/parts?url=")[0]).text();
    assert!(parts.contains("whole by itself") || parts.contains("are proved to have been there"), "{parts}");
    let shown = links(&page, "/web/");
    assert!(!shown.is_empty() && shown.iter().all(|link| past.get(link).status < 400), "{shown:?}");
}

#[test]
fn a_capture_is_handed_on_as_a_package_and_on_paper() {
    let directory = tempfile::tempdir().unwrap();
    captured_twice(directory.path());
    let past = Past::serve(directory.path(), &[]);
    let capture = links(&past.get("/captures").text(), "/capture/").remove(0);
    let package = past.get(&format!("{capture}.wacz"));
    assert_eq!((package.status, package.header("content-type")), (200, "application/wacz"), "{}", package.text());
    assert_eq!(package.header("content-length"), package.body.len().to_string());
    fs::write(directory.path().join("out.wacz"), &package.body).unwrap();
    let verified = run(directory.path(), &["verify", "out.wacz"]);
    assert!(verified.status.success() && String::from_utf8_lossy(&verified.stdout).contains("signed"), "{verified:?}");
    fs::write(directory.path().join("certificate.json"), past.get(&format!("{capture}.json")).body).unwrap();
    let hash = Command::new("sha256sum").current_dir(directory.path()).arg("certificate.json").output().unwrap();
    let hash = String::from_utf8(hash.stdout).unwrap()[..64].to_owned();
    let paper = || past.get(&format!("{capture}.print")).text();
    let between = |text: &str, before: &str| text.split_once(before).unwrap().1.split_once('<').unwrap().0.to_owned();
    assert!(paper().contains(&format!("sha256:{hash}")), "{}", paper());
    let key = "public key (ECDSA, P-384)</dt><dd>";
    assert_eq!(between(&paper(), key), between(&paper(), key), "one person has one key");
    assert!(between(&paper(), "signature of that line</dt><dd>").len() > 100);
    assert_eq!(past.get("/capture/nothing.wacz").status, 404);
}

#[test]
fn what_is_being_fetched_is_told_until_it_is_answered() {
    let directory = tempfile::tempdir().unwrap();
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let shut = gate.clone();
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/" => html("<a href=/slow>slow</a>"),
        "/slow" => {
            let open = shut.0.lock().unwrap();
            drop(shut.1.wait_while(open, |open| !*open).unwrap());
            html("<p>at last")
        }
        _ => not_there(),
    });
    let mut capture = tintype()
        .current_dir(directory.path())
        .args(["capture", &host.seed(), "--delay", "0"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !host.asked().iter().any(|asked| asked.target == "/slow") {}
    let past = Past::serve(directory.path(), &[]);
    let asked = || {
        let page = past.get("/live").text();
        page.split_once("id=\"live-asked\">").unwrap().1.split_once("</tbody>").unwrap().0.to_owned()
    };
    let slow = format!("{}slow", host.seed());
    while !asked().contains(&slow) {}
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
    assert!(capture.wait().unwrap().success());
    while asked().contains(&slow) {}
    assert!(past.get("/live").text().contains(&slow), "it is a visit now");
}

#[test]
fn every_page_forbids_scripts_of_others_and_anything_from_elsewhere() {
    let directory = tempfile::tempdir().unwrap();
    let bench = captured_twice(directory.path());
    let past = Past::serve(directory.path(), &[]);
    let site = links(&past.get("/").text(), "/site/").remove(0);
    let capture = links(&past.get("/captures").text(), "/capture/").remove(0);
    for target in [
        "/",
        "/changes",
        "/listings",
        "/live",
        "/sign-in",
        "/subscribe?kind=changed",
        "/captures",
        "/search",
        "/search?q=the",
        "/lab",
        &format!("{capture}.print"),
        &format!("/version?url={}&q=the", bench.seed()),
        &site,
        &capture,
        &format!("/page?url={}", bench.seed()),
        &format!("/parts?url={}", bench.seed()),
    ] {
        let got = past.get(target);
        assert_eq!(got.status, 200, "{target}");
        assert!(got.header("content-security-policy").starts_with("default-src 'none'"), "{target}");
        let text = got.text();
        let ours = "<script src=\"/assets/interface.js\" defer></script>";
        assert!(text.contains(ours) || target.ends_with(".print"), "{target}: {text}");
        assert!(!text.replace(ours, "").contains("<script"), "{target}: {text}");
        // Versions are shown in frames, under names of this server that no page of it has.
        let mut sources =
            text.match_indices("src=\"http").map(|(at, _)| text[at..].split('"').nth(1).unwrap_or_default());
        assert!(sources.all(|source| source.contains(".localhost:")), "{target}: {text}");
        assert!(text.len() < 200_000, "{target}: {} bytes", text.len());
    }
    for nowhere in ["/site/nowhere.example", "/capture/none", "/capture/none.json", "/page?url=http://nowhere.example/"]
    {
        assert_eq!(past.get(nowhere).status, 404, "{nowhere}");
    }
    assert_eq!(past.get("/page").status, 302);
}

/// Addresses are chosen by whoever runs the site, and stand on every page.
#[test]
fn addresses_of_hostile_pages_are_shown_as_text() {
    let directory = tempfile::tempdir().unwrap();
    let evil = "/a%22%3E%3Cscript%3Ealert(1)%3C/script%3E?q='%22><svg/onload=alert(2)>&b=<!--";
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/" => html(&format!("<a href='{}'>x</a>", evil.replace('\'', "&#39;"))),
        _ => html("<title><script>alert(3)</script></title>"),
    });
    capture(directory.path(), &host.seed(), &[]);
    let past = Past::serve(directory.path(), &[]);
    let site = links(&past.get("/").text(), "/site/").remove(0);
    let capture = links(&past.get("/captures").text(), "/capture/").remove(0);
    let mut targets = vec!["/".to_owned(), "/captures".to_owned(), "/search?url=127.0.0.1".to_owned(), capture];
    targets.extend(links(&past.get(&site).text(), "/page?url="));
    targets.push(site);
    for hostile in [
        "/site/%3Cscript%3E",
        "/captures?site=%22%3E%3Cscript%3E",
        "/page?url=%3Cscript%3E",
        "/capture/%3Cscript%3E",
        "/changes?match=%3Cscript%3E%28",
        "/changes?reader=%22%3E%3Cscript%3E",
        "/sign-in?back=%22%3E%3Cscript%3E",
        "/search?q=%22%3E%3Cscript%3Ealert&site=%22%3E%3Cscript%3E&from=%22%3E%3Cscript%3E",
        "/search?q=alert&url=%22%3E%3Cscript%3E",
        "/version?url=%22%3E%3Cscript%3E&q=%3Cscript%3Ealert",
        "/lab?site=%22%3E%3Cscript%3E",
        "/?reader=%22%3E%3Cscript%3E",
        "/subscribe?match=%22%3E%3Cscript%3E&site=%22%3E%3Cscript%3E",
        "/parts?url=%22%3E%3Cscript%3E",
        "/%3Cscript%3E",
    ] {
        targets.push(hostile.to_owned());
    }
    assert!(targets.len() > 8, "{targets:?}");
    for target in targets {
        let got = past.get(&target);
        let is_page = got.header("content-type").starts_with("text/html");
        let text = got.text().replace("<script src=\"/assets/interface.js\" defer></script>", "");
        assert!(!is_page || !["<script", "<svg/", "<!--"].iter().any(|code| text.contains(code)), "{target}");
    }
}

#[test]
fn pages_are_found_by_address_date_status_and_type_and_explained_to_programs() {
    let directory = tempfile::tempdir().unwrap();
    let bench = captured_twice(directory.path());
    let past = Past::serve(directory.path(), &[]);
    let pages = |more: &str| {
        let told = past.get(&format!("/api/pages?url={}{more}", bench.seed())).json();
        assert_eq!((&told["more"], &told["partial"]), (&false.into(), &false.into()), "{told}");
        told["pages"].as_array().unwrap().clone()
    };
    let all = pages("");
    let is_html = |page: &&serde_json::Value| page["media_type"] == "text/html";
    let is_gone = |page: &&serde_json::Value| page["status"] == 404;
    let (html, gone) = (all.iter().filter(is_html).count(), all.iter().filter(is_gone).count());
    assert!(0 < html && html < all.len() && all.iter().all(|page| page["visits"].as_u64() >= Some(1)), "{all:?}");
    assert_eq!(pages("&type=text/html").len(), html);
    assert_eq!((pages("&status=404").len(), pages("&status=4xx").len()), (gone, gone));
    assert_eq!((pages("&to=2001").len(), pages("&from=2001").len()), (0, all.len()));
    let cut = past.get(&format!("/api/pages?url={}&limit=2", bench.seed())).json();
    assert_eq!((cut["pages"].as_array().unwrap().len(), &cut["more"]), (2, &true.into()), "{cut}");
    assert!(all.iter().all(|page| past.get(&page["memento"].as_str().unwrap()[past.url("").len()..]).status < 500));
    for nonsense in ["", "?url=example.com&status=4x", "?url=example.com&from=soon", "?url=example.com&type=a/b/c%20d"]
    {
        assert_eq!(past.get(&format!("/api/pages{nonsense}")).status, 400, "{nonsense}");
    }
    let found = past.get(&format!("/search?url={}&type=text/html&status=200", bench.seed())).text();
    assert!(found.contains("pages by their address") && found.contains("text/html"), "{found}");
    assert!(past.get("/search?url=127.0.0.1&status=4x").text().contains("4x is no status"));

    let told = past.get(&format!("/api/explain?url={}", bench.seed())).json();
    let said = run(directory.path(), &["explain", &bench.seed(), "--json"]);
    let said: serde_json::Value = serde_json::from_slice(&said.stdout).unwrap();
    let same = ["site", "url", "media_type", "visits", "watched"];
    assert!(same.iter().all(|field| told[field] == said[field] && !told[field].is_null()), "{told} {said}");
    assert!(told["believed"].as_object().is_some_and(|believed| !believed.is_empty()), "{told}");
    assert_eq!(past.get("/api/explain?url=http://nobody.example/").status, 404);
    assert_eq!(past.get("/api/explain").status, 400);
}
