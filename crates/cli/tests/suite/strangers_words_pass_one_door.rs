//! What strangers wrote reaches a terminal through one door, which makes it harmless.

use crate::{
    bench::capture,
    host::{Host, answer, html, not_there},
    strangers_collections_hurt_nobody::{every_command, run},
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
};

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn nothing_is_printed_but_through_the_door() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let is_bare =
        |line: &str| ["println!(", "print!(", "stdout().lock", "stdout().write"].iter().any(|bare| line.contains(bare));
    for path in files {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let prints = text.lines().any(is_bare);
        assert_eq!(prints, name == "out.rs", "{name}: print with say!, mention!, or out::json");
    }
}

/// What a terminal would obey, in every place a server has for words of its own.
const STEERING: &str = "\u{1b}]0;mine\u{7}\u{1b}[2J\u{9b}8m\u{202e}";

fn steers(said: &str) -> bool {
    said.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}'])
}

#[test]
fn no_command_repeats_what_a_terminal_obeys() {
    let turn = AtomicUsize::new(0);
    let host = Host::start(move |asked| match asked.target.as_str() {
        "/robots.txt" => answer(200, &[("Content-Type", "text/plain")], format!("Disallow: /{STEERING}\n").as_bytes()),
        "/" => {
            let turn = turn.fetch_add(1, Ordering::Relaxed);
            let page = format!(
                "<title>{STEERING} {turn}</title><a href='/a{STEERING}'>{STEERING}</a><a href='/b%1b%07'>b</a>\
                 <p>{STEERING} said something else, the {turn}. time, about bridges</p>"
            );
            let headers = [("Content-Type", "text/html; charset=utf-8"), ("ETag", "\"\u{1b}[2J\u{7}\"")];
            answer(200, &headers, page.as_bytes())
        }
        "/sitemap.xml" => not_there(),
        _ => html(STEERING),
    });
    let directory = tempfile::tempdir().unwrap();
    let (here, seed) = (directory.path(), host.seed());
    capture(here, &seed, &[]);
    capture(here, &seed, &[]);
    for command in every_command(&seed) {
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let output = run(here, &command);
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        assert!(!steers(&said), "{command:?}: {said:?}");
    }
    // What is asked for as it was sent is so for a file, and harmless for a person.
    for how in ["--raw", "--headers"] {
        let sent = run(here, &["get", &seed, how]).stdout;
        assert!(steers(&String::from_utf8_lossy(&sent)), "{how}: the bytes as they were sent");
        let command = format!("{} get {seed} {how}", env!("CARGO_BIN_EXE_tintype"));
        let shown = Command::new("script").args(["-qec", &command, "/dev/null"]).current_dir(here).output().unwrap();
        let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
        assert!(!steers(&shown) && shown.len() > 40, "{how}: {shown:?}");
    }
}
