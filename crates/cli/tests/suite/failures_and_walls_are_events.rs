//! `tintype changes`: pages that cannot be read as before are told, whichever way their server says so, or does not say so.

use crate::{
    bench::{capture, run},
    host::{Host, Reply, answer, html, not_there, redirect},
};
use serde_json::Value;
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

const PAGES: [&str; 9] = ["broken", "busy", "law", "paid", "entry", "consent", "lost/a", "lost/b", "lost/c"];

fn ministry(is_later: &Arc<AtomicBool>) -> Host {
    let is_later = is_later.clone();
    Host::start(move |asked| reply(asked.target.trim_start_matches('/'), is_later.load(Ordering::SeqCst)))
}

fn reply(page: &str, is_later: bool) -> Reply {
    let refusal = |status| answer(status, &[("Content-Type", "text/html")], b"no");
    match page {
        "" => html(&PAGES.map(|page| format!("<p><a href=/{page}>{page}</a>")).concat()),
        "broken" if is_later => refusal(500),
        "busy" if is_later => refusal(503),
        "law" if is_later => refusal(451),
        "paid" if is_later => refusal(401),
        "entry" if is_later => redirect("/login?next=/entry"),
        "login" => html("<title>Sign in</title><form><input type=text><input type=password></form>"),
        "consent" if is_later => html(
            "<title>Before you continue</title><main><h1>Before you continue</h1><p>We use cookies and need your consent.\
             <button>Accept all</button><button>Reject all</button></main>",
        ),
        "lost/a" | "lost/b" | "lost/c" if is_later => html(
            "<title>Ministry</title><main><h1>Ministry</h1><p>The new home of all that the ministry publishes is here, \
             with everything in one place and easier to use than ever before.</main>",
        ),
        _ if PAGES.contains(&page) => {
            let nth = PAGES.iter().position(|known| *known == page).unwrap_or_default();
            let subjects = ["roads", "taxes", "courts", "water", "schools", "trams", "bread", "forests", "harbours"];
            let letters = format!("What the ministry decided on {} this year, and why. ", subjects[nth]).repeat(20);
            html(&format!("<title>On {page}</title><main><h1>On {page}</h1><p>{page}: {letters}</main>"))
        }
        _ => not_there(),
    }
}

fn items(directory: &Path, more: &[&str]) -> Vec<Value> {
    let output = run(directory, &[&["changes", "--json", "--limit", "0", "--min-importance", "0"], more].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice::<Value>(&output.stdout).unwrap()["changes"].as_array().unwrap().clone()
}

/// The kind of what happened to a page, from all items that name it.
fn kinds(items: &[Value], page: &str) -> Vec<String> {
    let names = |item: &&Value| {
        let pages = item["pages"].as_array().into_iter().flatten().filter_map(|page| page["url"].as_str());
        pages.chain(item["url"].as_str()).any(|url| url.ends_with(&format!("/{page}")))
    };
    items.iter().filter(names).map(|item| item["kind"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn whatever_keeps_a_page_from_being_read_is_told_by_its_kind() {
    let directory = tempfile::tempdir().unwrap();
    let is_later = Arc::new(AtomicBool::new(false));
    let host = ministry(&is_later);
    capture(directory.path(), &host.seed(), &[]);
    is_later.store(true, Ordering::SeqCst);
    capture(directory.path(), &host.seed(), &[]);
    let items = items(directory.path(), &[]);
    for (page, kind) in [
        ("broken", "failing"),
        ("busy", "failing"),
        ("law", "refused"),
        ("paid", "refused"),
        ("entry", "refused"),
        ("consent", "failing"),
        ("lost/a", "failing"),
        ("lost/b", "failing"),
        ("lost/c", "failing"),
    ] {
        let found = kinds(&items, page);
        assert!(found.iter().any(|found| found == kind), "{page} is {found:?}, not {kind}: {items:#?}");
    }
    let law = items.iter().find(|item| item["url"].as_str().unwrap().ends_with("/law")).unwrap();
    assert!(law.to_string().contains("451") && law["importance"].as_f64().unwrap() > 0.5, "{law}");
}

#[test]
fn what_is_there_again_is_back() {
    let directory = tempfile::tempdir().unwrap();
    let is_later = Arc::new(AtomicBool::new(false));
    let host = ministry(&is_later);
    for later in [false, true, false] {
        is_later.store(later, Ordering::SeqCst);
        capture(directory.path(), &host.seed(), &[]);
    }
    let items = items(directory.path(), &[]);
    for page in ["law", "paid"] {
        assert!(kinds(&items, page).contains(&"back".to_owned()), "{page}: {items:#?}");
    }
}
