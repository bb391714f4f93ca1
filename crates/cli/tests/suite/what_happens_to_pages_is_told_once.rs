//! `tintype changes`: a newsroom's day. A post enters every sidebar, a page moves, one is refused, one goes, a price changes, a
//! name is replaced on every page: each of it is one item, with its evidence.

use crate::{
    bench::{capture, run},
    host::{Host, Reply, answer, html, not_there, redirect},
};
use serde_json::Value;
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Posts of the site, and so its pages with a sidebar.
const POSTS: usize = 30;

pub(crate) fn edition(number: usize) -> Arc<AtomicUsize> {
    Arc::new(AtomicUsize::new(number))
}

/// A site of posts; what the second and third editions change is in `page`.
pub(crate) fn newsroom(edition: &Arc<AtomicUsize>) -> Host {
    let edition = edition.clone();
    Host::start(move |asked| page(&asked.target, edition.load(Ordering::SeqCst)))
}

fn sidebar(edition: usize) -> String {
    let last = if edition > 1 { POSTS + 1 } else { POSTS };
    let entry = |post: usize| format!("<li><a href=/post/{post}>{}</a></li>", title(post));
    let entries: String = (last - 4..=last).rev().map(entry).collect();
    format!("<aside><h2>Latest posts</h2><ul>{entries}</ul></aside>")
}

fn title(post: usize) -> String {
    match post {
        post if post > POSTS => "Harbour tunnel approved after a long night of debate".to_owned(),
        post => format!("Report number {post} from the town hall of the {post}th week"),
    }
}

fn framed(edition: usize, head: &str, main: &str) -> Reply {
    let firm = if edition > 2 { "Acme Inc" } else { "Acme Ltd" };
    html(&format!(
        "<html lang=en><head>{head}</head><body><main>{main}</main>{}<footer>Printed by {firm} for the town</footer></body></html>",
        sidebar(edition)
    ))
}

fn page(target: &str, edition: usize) -> Reply {
    let post = target.strip_prefix("/post/").and_then(|post| post.parse::<usize>().ok());
    match (target, edition) {
        ("/", _) => {
            let links: String = (1..=POSTS).map(|post| format!("<a href=/post/{post}>{post}</a> ")).collect();
            let teaser = if edition > 1 {
                "<article><h2><a href=/post/31>Harbour tunnel approved after a long night of debate</a></h2><p>The council voted eleven to four for the tunnel below the harbour.</p></article>"
            } else {
                ""
            };
            let more = "<a href=/prices>p</a><a href=/moved>m</a><a href=/secret>s</a><a href=/gone>g</a><a href=/quiet>q</a><a href=/wall>w</a><a href=/rules.pdf>r</a>";
            framed(
                edition,
                "<title>The Harbour Post</title>",
                &format!("<h1>The Harbour Post</h1>{teaser}<p>{links}{more}</p>"),
            )
        }
        ("/prices", _) => {
            let price = if edition > 1 { "49" } else { "39" };
            framed(
                edition,
                "<title>Prices</title>",
                &format!("<h1>Prices</h1><p>A year of the paper costs {price} euros for readers in town.</p>"),
            )
        }
        ("/moved", 1) => {
            framed(edition, "<title>Office</title>", "<h1>Office</h1><p>We are at the old harbour, number five.</p>")
        }
        ("/moved", _) => redirect("/post/1"),
        ("/secret", 1) => framed(
            edition,
            "<title>Minutes</title>",
            "<h1>Minutes</h1><p>What was said in the meeting of the board.</p>",
        ),
        ("/secret", 2) => answer(403, &[("Content-Type", "text/html")], b"no"),
        ("/secret", _) => framed(
            edition,
            "<title>Minutes</title>",
            "<h1>Minutes</h1><p>What was said in the meeting of the board.</p>",
        ),
        ("/gone", 1) => {
            framed(edition, "<title>Promise</title>", "<h1>Promise</h1><p>We will never charge for the archive.</p>")
        }
        ("/quiet", 1) => framed(edition, "<title>Quiet</title>", "<h1>Quiet</h1><p>Nothing to see here.</p>"),
        ("/quiet", _) => framed(
            edition,
            "<title>Quiet</title><meta name=robots content=noindex>",
            "<h1>Quiet</h1><p>Nothing to see here.</p>",
        ),
        ("/wall", 1) => framed(
            edition,
            "<title>Long read</title>",
            &format!("<h1>Long read</h1><p>{}</p>", "All that happened that summer. ".repeat(40)),
        ),
        ("/wall", _) => html(
            "<title>Sign in</title><main><h1>Sign in to read on</h1><form><input type=text><input type=password></form></main>",
        ),
        ("/rules.pdf", _) => answer(
            200,
            &[("Content-Type", "application/pdf")],
            format!("%PDF-1.4\n{}", "x".repeat(100 * edition)).as_bytes(),
        ),
        _ => match post {
            Some(post) if post <= POSTS || post == POSTS + 1 && edition > 1 => {
                let text = if post > POSTS {
                    "The council voted eleven to four for the tunnel below the harbour. Work begins in spring and ends within six years, said the mayor.".to_owned()
                } else {
                    format!(
                        "What the town hall decided in week {post}: item {post} of the list, and {} others.",
                        post * 7
                    )
                };
                framed(
                    edition,
                    &format!("<title>{}</title>", title(post)),
                    &format!("<h1>{}</h1><p>{text}</p>", title(post)),
                )
            }
            _ => not_there(),
        },
    }
}

/// The newsroom captured in these editions, one after the other.
pub(crate) fn captured(directory: &Path, editions: &[usize]) -> Host {
    let edition = edition(editions[0]);
    let host = newsroom(&edition);
    for number in editions {
        edition.store(*number, Ordering::SeqCst);
        capture(directory, &host.seed(), &[]);
    }
    host
}

pub(crate) fn items(directory: &Path, more: &[&str]) -> Vec<Value> {
    let output = run(directory, &[&["changes", "--json", "--limit", "0"], more].concat());
    assert!(output.status.success(), "{output:?}");
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    said["changes"].as_array().unwrap().clone()
}

fn of_kind<'i>(items: &'i [Value], kind: &str) -> Vec<&'i Value> {
    items.iter().filter(|item| item["kind"] == kind).collect()
}

fn path(item: &Value) -> &str {
    item["url"].as_str().unwrap().splitn(4, '/').nth(3).unwrap()
}

#[test]
fn a_post_that_enters_every_sidebar_is_one_item_led_by_the_post() {
    let directory = tempfile::tempdir().unwrap();
    let _host = captured(directory.path(), &[1, 2]);
    let items = items(directory.path(), &[]);
    let appeared = of_kind(&items, "appeared");
    assert_eq!(appeared.len(), 1, "{items:#?}");
    assert_eq!(path(appeared[0]), "post/31");
    assert!(appeared[0]["headline"].as_str().unwrap().contains("Harbour tunnel approved"), "{appeared:?}");
    assert!(appeared[0]["announced_on"].as_array().unwrap().len() >= POSTS, "{appeared:#?}");
    assert!(appeared[0]["weight"].as_f64().unwrap() > 0.7, "every page links to it: {appeared:#?}");
    assert_eq!(items[0], *appeared[0], "the weightiest comes first");
    let changed = of_kind(&items, "changed");
    assert_eq!(
        changed.iter().map(|item| path(item)).collect::<Vec<_>>(),
        ["prices"],
        "only the price is left: {changed:#?}"
    );
    assert!(changed[0]["blocks"].to_string().contains("49"), "{changed:#?}");
}

#[test]
fn what_became_of_pages_is_told_with_the_records_that_show_it() {
    let directory = tempfile::tempdir().unwrap();
    let host = captured(directory.path(), &[1, 2]);
    let items = items(directory.path(), &[]);
    for (kind, at) in [
        ("moved", "moved"),
        ("refused", "secret"),
        ("disappeared", "gone"),
        ("robots", "quiet"),
        ("document", "rules.pdf"),
    ] {
        let found = of_kind(&items, kind);
        let item = found.iter().find(|item| path(item) == at).unwrap_or_else(|| panic!("{kind} {at}: {items:#?}"));
        for field in ["found", "last_seen", "last_seen_before", "capture"] {
            assert!(item[field].is_string(), "{field}: {item}");
        }
        let shows = if item["after"].is_null() { &item["answer"] } else { &item["after"] };
        for version in [&item["before"], shows] {
            assert!(version["file"].is_string() && version["offset"].is_u64(), "{kind}: {item}");
            assert!(version["record"].as_str().unwrap().starts_with("<urn:uuid:"), "{kind}: {item}");
            assert!(version["memento"].as_str().unwrap().starts_with("http://127.0.0.1:8080/web/20"), "{kind}: {item}");
        }
    }
    let moved = of_kind(&items, "moved")[0];
    assert!(moved["cause"].as_str().unwrap().ends_with("/post/1"), "{moved}");
    let wall =
        of_kind(&items, "refused").into_iter().find(|item| path(item) == "wall").expect("a log-in form in its place");
    assert_eq!(wall["cause"], "a log-in form", "{wall}");
    assert!(of_kind(&items, "robots")[0]["facts"].to_string().contains("noindex"));
    drop(host);
}

#[test]
fn a_name_replaced_on_every_page_is_one_item_and_a_page_that_is_back_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let _host = captured(directory.path(), &[2, 3]);
    let items = items(directory.path(), &[]);
    let changed = of_kind(&items, "changed");
    assert_eq!(changed.len(), 1, "{changed:#?}");
    let pages = changed[0]["pages"].as_array().unwrap();
    assert!(pages.len() >= POSTS && changed[0]["headline"].as_str().unwrap().starts_with("Same edit"), "{changed:#?}");
    let block = &changed[0]["blocks"][0];
    assert_eq!((&block["before"], &block["after"]), (&"Ltd".into(), &"Inc".into()), "{changed:#?}");
    assert!(of_kind(&items, "back").is_empty(), "what was never seen cannot come back: {items:#?}");
    let directory = tempfile::tempdir().unwrap();
    let _host = captured(directory.path(), &[1, 2, 3]);
    let items = self::items(directory.path(), &["--kind", "back"]);
    assert_eq!(items.iter().map(path).collect::<Vec<_>>(), ["secret"]);
}

#[test]
fn items_are_chosen_by_kind_words_and_order() {
    let directory = tempfile::tempdir().unwrap();
    let _host = captured(directory.path(), &[1, 2]);
    let paths =
        |more: &[&str]| items(directory.path(), more).iter().map(|item| path(item).to_owned()).collect::<Vec<_>>();
    assert_eq!(paths(&["--kind", "disappeared"]), ["gone"]);
    assert_eq!(paths(&["--match", "49 EUROS|^never$", "--kind", "changed"]), Vec::<String>::new());
    assert_eq!(paths(&["--match", "^49$"]), ["prices"]);
    assert_eq!(paths(&["--match", "harbour TUNNEL"]), ["post/31"]);
    let scores: Vec<f64> = items(directory.path(), &[]).iter().map(|item| item["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|one, two| one >= two), "{scores:?}");
    let output = run(directory.path(), &["changes", "--watched"]);
    assert!(!output.status.success(), "{output:?}");
    let file = directory.path().join("collection/tintype.toml");
    std::fs::write(&file, format!("watch = [\"tunnel\"]\n{}", std::fs::read_to_string(&file).unwrap())).unwrap();
    assert_eq!(paths(&["--watched"]), ["post/31"]);
    assert!(!run(directory.path(), &["changes", "--kind", "nonsense"]).status.success());
    assert!(!run(directory.path(), &["changes", "--match", "("]).status.success());
}

#[test]
fn a_site_that_nobody_captured_is_no_silence() {
    let directory = tempfile::tempdir().unwrap();
    let _host = captured(directory.path(), &[1]);
    let output = run(directory.path(), &["changes", "--site", "nobody.example"]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && text.contains("no site here is called nobody.example"), "{text}");
    assert!(text.contains("127.0.0.1"), "{text}");
}

#[test]
fn a_stamp_on_every_page_is_a_stamp() {
    let directory = tempfile::tempdir().unwrap();
    let edition = edition(1);
    let shown = edition.clone();
    let host = Host::start(move |asked| {
        let second = shown.load(Ordering::SeqCst);
        let links: String = (0..12).map(|page| format!("<a href=/{page}>{page}</a> ")).collect();
        let footer = format!("<footer>Page generated 2026-11-18 at 10:30:{second:02}</footer>");
        html(&format!(
            "<title>Page {0}</title><main><h1>{0}</h1><p>Says {0} again. {links}</main>{footer}",
            asked.target
        ))
    });
    for second in [7, 41] {
        edition.store(second, Ordering::SeqCst);
        capture(directory.path(), &host.seed(), &[]);
    }
    assert!(items(directory.path(), &[]).is_empty(), "{:#?}", items(directory.path(), &[]));
    let all = items(directory.path(), &["--min-importance", "0"]);
    assert!(all.len() == 1 && all[0]["pages"].as_array().unwrap().len() >= 12, "{all:#?}");
}

#[test]
fn a_reader_is_shown_everything_once_and_readers_do_not_read_for_each_other() {
    let directory = tempfile::tempdir().unwrap();
    let edition = edition(1);
    let host = newsroom(&edition);
    capture(directory.path(), &host.seed(), &[]);
    edition.store(2, Ordering::SeqCst);
    capture(directory.path(), &host.seed(), &[]);
    let unread = |reader: &str| items(directory.path(), &["--unread", "--reader", reader]);
    let first = unread("desk");
    assert!(first.len() >= 6, "{first:#?}");
    assert!(unread("desk").is_empty());
    std::fs::remove_dir_all(directory.path().join("collection/state")).unwrap();
    assert!(unread("desk").is_empty(), "what was read is not derived");
    edition.store(3, Ordering::SeqCst);
    capture(directory.path(), &host.seed(), &[]);
    let second = unread("desk");
    assert_eq!(of_kind(&second, "appeared").len(), 0, "{second:#?}");
    assert_eq!(of_kind(&second, "back").len(), 1, "{second:#?}");
    assert!(unread("other").len() > second.len());
}

#[test]
fn a_section_that_is_taken_away_is_one_item() {
    let directory = tempfile::tempdir().unwrap();
    let edition = edition(1);
    let served = edition.clone();
    let host = Host::start(move |asked| match served.load(Ordering::SeqCst) {
        2 if asked.target.starts_with("/post/") => answer(410, &[("Content-Type", "text/html")], b"gone"),
        _ => page(&asked.target, 1),
    });
    capture(directory.path(), &host.seed(), &[]);
    edition.store(2, Ordering::SeqCst);
    capture(directory.path(), &host.seed(), &[]);
    let items = items(directory.path(), &["--kind", "disappeared"]);
    assert_eq!(items.len(), 1, "{items:#?}");
    assert_eq!(items[0]["pages"].as_array().unwrap().len(), POSTS, "{items:#?}");
}
