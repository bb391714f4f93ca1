//! `--policy skip` and `--policy warm`: what will not have changed is not asked for, that is said, and being wrong is
//! found out.

use crate::{
    bench::{capture, files, run, tintype},
    host::{Host, answer, html, not_there},
};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader},
    path::Path,
    process::Stdio,
    sync::{Arc, Mutex},
};

/// Pages that stand still, below `/old/`.
const OLD: usize = 40;
/// Pages that change with every edition, below `/news/`.
const NEWS: usize = 8;

/// Texts of pages by path.
type Pages = Arc<Mutex<BTreeMap<String, String>>>;

/// A newspaper: news that change all the time, an archive that stands still, a sitemap that lists what is in `extra`.
struct Paper {
    pages: Pages,
    host: Host,
}

impl Paper {
    fn new() -> Paper {
        let pages = Pages::default();
        let served = pages.clone();
        let host = Host::start(move |asked| match asked.target.as_str() {
            "/sitemap.xml" => {
                let pages = served.lock().unwrap();
                let listed = pages.keys().filter(|path| path.contains("born"));
                let urls = listed.map(|path| format!("<url><loc>{}{path}</loc></url>", asked.origin()));
                let xml = format!(
                    "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{}</urlset>",
                    urls.collect::<String>()
                );
                answer(200, &[("Content-Type", "application/xml")], xml.as_bytes())
            }
            path => served.lock().unwrap().get(path).map_or_else(not_there, |text| html(text)),
        });
        let paper = Paper { pages, host };
        paper.print(0);
        let list = |directory: &str, count| -> String {
            (0..count).map(|nth| format!("<a href='/{directory}/{nth}'>{nth}</a> ")).collect()
        };
        paper.set("/", "<h1>The Paper</h1><a href='/news/'>news</a> <a href='/old/'>archive</a>");
        paper.set("/news/", &list("news", NEWS));
        paper.set("/old/", &list("old", OLD));
        for nth in 0..OLD {
            paper.set(&format!("/old/{nth}"), &words(&format!("archive {nth}")));
        }
        paper
    }

    fn set(&self, path: &str, text: &str) {
        self.pages.lock().unwrap().insert(path.to_owned(), text.to_owned());
    }

    /// Every piece of news is written anew.
    fn print(&self, edition: usize) {
        for nth in 0..NEWS {
            self.set(&format!("/news/{nth}"), &words(&format!("news {nth} of edition {edition}")));
        }
    }

    /// Captures so many editions in full, so that somebody knows what stands still.
    fn learned(directory: &Path, editions: usize) -> Paper {
        let paper = Paper::new();
        for edition in 0..editions {
            paper.print(edition);
            capture(directory, &paper.host.seed(), &[]);
        }
        paper.print(editions);
        paper.host.take_hits();
        paper
    }

    fn skip(&self, directory: &Path) -> Value {
        capture(directory, &self.host.seed(), &["--policy", "skip"])["sites"][0].clone()
    }

    /// How many pages of a directory were asked for since the last time.
    fn asked_below(&self, directory: &str) -> usize {
        let hits = self.host.take_hits();
        (0..OLD.max(NEWS)).filter(|nth| hits.contains_key(&format!("{directory}{nth}"))).count()
    }
}

/// A text that has little in common with one about anything else: numbers that go up would be taken for a counter.
fn words(about: &str) -> String {
    let mut state = about.bytes().fold(17_u64, |state, byte| state.wrapping_mul(31).wrapping_add(byte.into()));
    let mut word = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let letters = (0..5).map(|nth| char::from(b'a' + (state >> (13 + 9 * nth)) as u8 % 26));
        letters.collect::<String>()
    };
    let text: Vec<String> = (0..60).map(|_| word()).collect();
    format!("<p>{}.</p>", text.join(" "))
}

fn text(directory: &Path, arguments: &[&str]) -> String {
    let output = run(directory, arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn report(directory: &Path, capture: &Value) -> Value {
    let report = text(directory, &["report", capture["capture"].as_str().unwrap(), "--json"]);
    serde_json::from_str::<Value>(&report).unwrap()["captures"][0].take()
}

#[test]
fn a_recapture_by_skip_leaves_a_still_directory_alone_and_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let paper = Paper::learned(here, 6);
    let said = paper.skip(here);
    let hits = paper.host.take_hits();
    let asked = |prefix: &str| hits.keys().filter(|path| path.starts_with(prefix)).count();
    assert_eq!(asked("/news/"), NEWS + 1, "{hits:?}");
    assert!(asked("/old/") < OLD / 2, "{hits:?}");
    assert_eq!(said["changed"], NEWS, "{said}");
    let skipped = said["skipped"]["pages"].as_u64().unwrap();
    assert_eq!(skipped as usize + asked("/old/"), OLD + 1, "{said}");
    assert!(said["skipped"]["expected_lost"].as_f64().unwrap() < 1.0, "{said}");
    assert_eq!(said["nothing_skipped"], Value::Null);

    let log = std::fs::read_to_string(files(here, "log").last().unwrap()).unwrap();
    assert!(log.lines().last().unwrap().contains("\"skipped\""), "the closing entry says so too");
    let told = text(here, &["report"]);
    for words in ["expected loss", "realised loss", "not known until a capture visits them", "\n  directories "] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let certificate = text(here, &["report", "--json"]);
    std::fs::write(here.join("certificate.json"), &certificate).unwrap();
    assert!(certificate.contains("\"skipped\""), "{certificate}");
    assert!(text(here, &["verify", "--certificate", "certificate.json"]).contains("agrees"));
    paper.print(7);
    let people = text(here, &["capture", &paper.host.seed(), "--delay", "0", "--policy", "skip"]);
    assert!(people.contains("skipped") && people.contains("expected loss"), "{people}");
}

#[test]
fn the_first_capture_of_a_site_asks_for_everything_and_says_why() {
    let (directory, paper) = (tempfile::tempdir().unwrap(), Paper::new());
    let said = paper.skip(directory.path());
    assert_eq!(said["pages"], OLD + NEWS + 4, "{said}");
    assert!(said["nothing_skipped"].as_str().unwrap().contains("first capture"), "{said}");
    assert_eq!(report(directory.path(), &said)["skipped"], Value::Null);
    paper.print(2);
    let second = text(directory.path(), &["capture", "--policy", "skip"]);
    assert!(second.contains("only one capture came before"), "{second}");
}

#[test]
fn what_a_rule_found_wrong_has_cost_is_known_after_the_next_full_capture() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let paper = Paper::learned(here, 6);
    let before = paper.host.take_hits();
    assert!(before.is_empty());
    // Every page of the archive changes but one, and that is gone.
    for nth in 1..OLD {
        paper.set(&format!("/old/{nth}"), &words(&format!("archive {nth}, corrected")));
    }
    let skipping = paper.skip(here);
    let missed = skipping["skipped"]["pages"].as_u64().unwrap();
    assert!(missed > 0, "{skipping}");
    assert_eq!(report(here, &skipping)["skipped"]["realised"], Value::Null);
    capture(here, &paper.host.seed(), &[]);
    let skipped = report(here, &skipping)["skipped"].clone();
    let realised = &skipped["realised"];
    assert_eq!((&realised["skipped"], &realised["visited_since"]), (&missed.into(), &missed.into()), "{skipped}");
    let lost = realised["counted"]["skipped_modifications"].as_u64().unwrap();
    assert!(lost + 2 >= missed && lost <= missed, "{skipped}");
    assert!(realised["change_recall"].as_f64().unwrap() < 1.0, "{skipped}");
    let told = text(here, &["report", skipping["capture"].as_str().unwrap()]);
    for words in ["bypass ratio", "overall precision", "overall recall", "change recall", "all skipped pages"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    text(here, &["report", skipping["capture"].as_str().unwrap(), "--html", "report.html"]);
    let page = std::fs::read_to_string(here.join("report.html")).unwrap();
    assert!(page.contains("realised loss") && page.contains("change recall"), "{page}");
}

#[test]
fn a_still_directory_that_comes_to_life_is_found_out_by_skipping_captures_themselves() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let paper = Paper::learned(here, 6);
    let mut found = 0;
    for edition in 7..16 {
        paper.print(edition);
        for nth in 0..OLD {
            paper.set(&format!("/old/{nth}"), &words(&format!("archive {nth} of edition {edition}")));
        }
        paper.skip(here);
        found = paper.asked_below("/old/");
        if found > OLD * 9 / 10 {
            break;
        }
    }
    assert!(found > OLD * 9 / 10, "only {found} of {OLD} pages are asked for after nine editions");
}

#[test]
fn what_is_born_in_a_skipped_directory_is_found_where_it_is_listed() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let paper = Paper::learned(here, 6);
    paper.set("/old/born-listed", &words("a late addition to the archive"));
    paper.set("/", "<h1>The Paper</h1><a href='/news/'>n</a> <a href='/old/'>a</a> <a href='/old/linked'>new</a>");
    paper.set("/old/linked", &words("found from the entrance"));
    let said = paper.skip(here);
    let hits = paper.host.take_hits();
    assert!(said["skipped"]["pages"].as_u64().unwrap() > 0, "{said}");
    assert!(hits.contains_key("/old/born-listed"), "the sitemap names it: {hits:?}");
    assert!(hits.contains_key("/old/linked"), "the entrance links it: {hits:?}");
}

#[test]
fn a_capture_that_skips_goes_on_as_it_was_begun() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let paper = Paper::learned(here, 6);
    let mut child = tintype()
        .current_dir(here)
        .args(["capture", &paper.host.seed(), "--policy", "skip", "--delay", "0.05"])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    for _ in 0..5 {
        lines.next().unwrap().unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    paper.host.take_hits();
    let said = paper.skip(here);
    let hits = paper.host.take_hits();
    assert_eq!(said["resumed"], true, "{said}");
    assert_eq!(said["changed"], NEWS, "{said}");
    assert!(said["skipped"]["pages"].as_u64().unwrap() > OLD as u64 / 2, "{said}");
    assert!(hits.keys().filter(|path| path.starts_with("/old/")).count() < OLD / 2, "{hits:?}");
    assert!(hits.values().all(|count| *count == 1), "{hits:?}");
    let told = report(here, &said);
    assert_eq!(told["skipped"]["pages"], said["skipped"]["pages"], "{told}");
}

#[test]
fn what_was_learned_can_be_lost_or_spoiled_and_is_learned_again() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let paper = Paper::learned(here, 6);
    let first = paper.skip(here)["skipped"]["pages"].as_u64().unwrap();
    std::fs::remove_dir_all(here.join("collection/state")).unwrap();
    paper.print(7);
    let second = paper.skip(here)["skipped"]["pages"].as_u64().unwrap();
    assert!(first > 0 && second > 0, "{first} {second}");
}

/// A site on which `/list/` changes as a whole every other time, and `/list/rare/` just then does not.
fn alternating(directory: &Path, editions: usize) -> Host {
    let pages = Pages::default();
    let served = pages.clone();
    let host =
        Host::start(move |asked| served.lock().unwrap().get(&asked.target).map_or_else(not_there, |text| html(text)));
    let set = |path: &str, text: &str| pages.lock().unwrap().insert(path.to_owned(), text.to_owned());
    let links: String = (0..40).map(|nth| format!("<a href='/list/{nth}'>{nth}</a>")).collect();
    set("/", &format!("{links}<a href='/list/rare/0'>rare</a>"));
    for edition in 0..editions {
        let (even, odd) = (edition / 2, edition.div_ceil(2));
        for nth in 0..40 {
            set(&format!("/list/{nth}"), &words(&format!("{nth} in edition {even}")));
        }
        set("/list/rare/0", &words(&format!("rare in edition {odd}")));
        capture(directory, &format!("{}/", host.origin()), &[]);
    }
    host
}

#[test]
fn warm_skips_by_rules_alone_and_says_when_there_are_none() {
    let directory = tempfile::tempdir().unwrap();
    let paper = Paper::learned(directory.path(), 3);
    let said = capture(directory.path(), &paper.host.seed(), &["--policy", "warm"])["sites"][0].clone();
    assert!(said["nothing_skipped"].as_str().unwrap().contains("no rule"), "{said}");
    assert_eq!(paper.asked_below("/old/"), OLD);

    let directory = tempfile::tempdir().unwrap();
    let host = alternating(directory.path(), 9);
    let told = text(directory.path(), &["learn", "rules"]);
    assert!(told.contains("/list changed, /list/rare did not: 4 of 4 times"), "{told}");
    let rules: Value = serde_json::from_str(&text(directory.path(), &["learn", "rules", "--json"])).unwrap();
    let rules = rules["sites"][0]["rules"].as_array().unwrap().clone();
    let rule = rules.iter().find(|rule| rule["when"] == serde_json::json!(["/list"])).unwrap();
    assert_eq!((&rule["not"], &rule["times"], &rule["of"]), (&"/list/rare".into(), &4.into(), &4.into()), "{rule}");
    host.take_hits();
    let said = capture(directory.path(), &host.seed(), &["--policy", "warm"])["sites"][0].clone();
    assert_eq!(host.take_hits().get("/list/rare/0"), None, "{said}");
    let skipped = &said["skipped"]["directories"][0];
    assert_eq!(skipped["directory"], "/list/rare", "{said}");
    assert!(skipped["rule"].as_str().unwrap().contains("/list/rare did not"), "{said}");
    let told = text(directory.path(), &["report"]);
    assert!(told.contains("/list/rare did not"), "{told}");
}

#[test]
fn still_directories_are_shown_and_young_sites_are_told_to_wait() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let paper = Paper::new();
    capture(here, &paper.host.seed(), &[]);
    assert!(text(here, &["learn", "rules"]).contains("it takes two captures"));
    paper.print(1);
    capture(here, &paper.host.seed(), &[]);
    let told = text(here, &["learn", "rules"]);
    assert!(told.contains("only 1 comparison") && told.contains("never changed by 5 % or more"), "{told}");
    let said: Value = serde_json::from_str(&text(here, &["learn", "rules", "--json"])).unwrap();
    let site = &said["sites"][0];
    assert_eq!((&site["versions"], &site["transitions"]), (&2.into(), &1.into()), "{site}");
    assert_eq!(site["still"][0], serde_json::json!({ "directory": "/old", "pages": OLD + 1 }), "{site}");
    let coarse: Value =
        serde_json::from_str(&text(here, &["learn", "rules", "--json", "--degree-min", "0.06"])).unwrap();
    let still = coarse["sites"][0]["still"].as_array().unwrap();
    assert!(still.iter().all(|still| still["directory"] != "/"), "all of /news changed: {coarse}");
    let none = run(here, &["learn", "rules", "example.com"]);
    assert_eq!(none.status.code(), Some(2), "{none:?}");
}

#[test]
fn links_that_lead_nowhere_are_no_changes_and_end_nothing_early() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let paper = Paper::new();
    let dead: String = (0..30).map(|nth| format!("<a href='/nowhere/{nth}'>{nth}</a>")).collect();
    paper.set("/", &format!("<a href='/news/'>news</a> <a href='/old/'>archive</a> {dead}"));
    let rewrite = |edition: usize| {
        paper.print(edition);
        // A third of the archive, another one each time: nothing tells which.
        for nth in (0..OLD).filter(|nth| (nth * 7 + edition * 5 + nth / 3 * edition).is_multiple_of(3)) {
            paper.set(&format!("/old/{nth}"), &words(&format!("archive {nth} as of {edition}")));
        }
    };
    for edition in 0..6 {
        rewrite(edition);
        capture(here, &paper.host.seed(), &[]);
    }
    rewrite(6);
    let said = paper.skip(here);
    let skipped = &said["skipped"];
    let (lost, all) = (skipped["expected_lost"].as_f64().unwrap(), skipped["expected_changes"].as_f64().unwrap());
    assert!(lost < 0.15 * all, "{said}");
    let found = said["changed"].as_f64().unwrap();
    assert!(all < found + lost + 3.0, "what was never there is no change: {said}");
}

#[test]
fn what_may_be_lost_can_be_set_and_is_told_with_an_interval() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let paper = Paper::learned(here, 8);
    let with = |loss: &str| {
        let words = ["--policy", "skip", "--loss", loss];
        capture(here, &paper.host.seed(), &words)["sites"][0].clone()
    };
    let nothing = with("0");
    assert_eq!(nothing["skipped"]["pages"], 0, "{nothing}");
    assert!(nothing["nothing_skipped"].as_str().unwrap().contains("more than 0 % of the changes"), "{nothing}");
    paper.print(9);
    let much = with("0.2");
    let skipped = &much["skipped"];
    assert!(skipped["pages"].as_u64().unwrap() > OLD as u64 / 2, "{much}");
    let [from, to] = [0, 1].map(|nth: usize| skipped["lost_between"][nth].as_u64().unwrap());
    let expected = skipped["expected_lost"].as_f64().unwrap();
    assert!(from <= to && expected < to as f64 + 1.0 && to < OLD as u64, "{much}");
    assert_eq!(much["settings"]["loss"]["value"], "0.2", "{much}");
    assert_eq!(report(here, &much)["skipped"]["lost_between"], skipped["lost_between"]);
    assert!(text(here, &["report"]).contains("nine times out of ten"));

    let file = here.join("collection/tintype.toml");
    let before = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{before}policy = \"skip\"\nloss = 0.2\n")).unwrap();
    paper.print(10);
    let by_file: Value = serde_json::from_str(&text(here, &["capture", "--json", "--delay", "0"])).unwrap();
    assert_eq!(by_file["sites"][0]["settings"]["loss"]["from"], "tintype.toml", "{by_file}");
    assert!(by_file["sites"][0]["skipped"]["pages"].as_u64().unwrap() > 0, "{by_file}");
}

#[test]
fn what_says_something_to_another_policy_is_refused_in_a_sentence() {
    let directory = tempfile::tempdir().unwrap();
    for (words, of) in [
        (["--loss", "0.01", "--policy", "breadth-first"], "--policy skip"),
        (["--within", "/news", "--policy", "skip"], "--policy warm"),
        (["--confidence-min", "0.9", "--policy", "sharp"], "--policy warm"),
    ] {
        let all: Vec<&str> = ["capture", "http://127.0.0.1:9/"].into_iter().chain(words).collect();
        let refused = run(directory.path(), &all);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains(words[0]) && said.contains(of), "{said}");
    }
}

#[test]
fn warm_goes_by_thresholds_and_within_a_directory() {
    let directory = tempfile::tempdir().unwrap();
    let host = alternating(directory.path(), 9);
    let asked = |words: &[&str]| {
        host.take_hits();
        let all: Vec<&str> = ["--policy", "warm"].iter().chain(words).copied().collect();
        capture(directory.path(), &host.seed(), &all);
        host.take_hits().contains_key("/list/rare/0")
    };
    assert!(asked(&["--confidence-min", "1", "--degree-min", "0.999"]), "no directory changes as much as that");
    assert!(asked(&["--within", "/nowhere"]));
    assert!(!asked(&["--within", "/list", "--confidence-min", "0.9"]));
}

#[test]
fn how_directories_changed_and_the_site_grew_is_drawn() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let paper = Paper::learned(here, 3);
    paper.set("/old/", "<a href='/old/0'>0</a> <a href='/old/late'>late</a>");
    paper.set("/old/late", &words("a late one"));
    capture(here, &paper.host.seed(), &[]);
    text(here, &["learn", "rules", "--figures", "drawn"]);
    let read = |name: &str| std::fs::read_to_string(here.join("drawn").join(name)).unwrap();
    let degrees = read("figure-1.csv");
    assert!(degrees.starts_with("version,at,directory,degree_of_change\n"), "{degrees}");
    // Three captures after the first, of the root and of the two directories in which anything changed.
    assert_eq!(degrees.lines().filter(|row| row.contains(",/news,")).count(), 3, "{degrees}");
    assert_eq!(degrees.lines().filter(|row| row.ends_with(",/old,0")).count(), 2, "{degrees}");
    let sizes: Vec<String> =
        read("figure-4.csv").lines().map(|row| row.split(',').nth(2).unwrap().to_owned()).collect();
    let all = OLD + NEWS + 4;
    assert_eq!(sizes, ["pages".to_owned(), all.to_string(), all.to_string(), all.to_string(), (all + 1).to_string()]);
    for name in ["figure-1.svg", "figure-4.svg", "figure-1.md"] {
        assert!(!read(name).is_empty(), "{name}");
    }
    assert!(std::fs::metadata(here.join("drawn/figure-4.png")).unwrap().len() > 1000);
}
