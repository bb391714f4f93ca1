//! To people by its help, to machines by one JSON object, to scripts by its exit code.

use crate::bench::{Bench, capture, files, run};
use serde_json::Value;
use std::{fs, path::Path, process::Output};

/// The one JSON object a command printed, and its exit code.
fn told(directory: &Path, arguments: &[&str]) -> (Value, Option<i32>) {
    let output = run(directory, &[arguments, &["--json"]].concat());
    let text = text(&output.stdout);
    assert_eq!(text.lines().count(), 1, "{arguments:?}: {output:?}");
    (serde_json::from_str(&text).unwrap(), output.status.code())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// An object has exactly these fields.
fn assert_fields(object: &Value, mut names: Vec<&str>) {
    names.sort_unstable();
    let mut fields: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    assert_eq!(fields, names);
}

#[test]
fn capture_tells_machines_what_it_tells_people() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    let (said, code) = told(directory.path(), &["capture", &bench.seed(), "--delay", "0"]);
    assert_eq!(code, Some(0));
    assert_fields(&said, vec!["collection", "sites"]);
    assert_eq!(said["collection"], "collection");
    let site = &said["sites"][0];
    assert_fields(
        site,
        vec![
            "site",
            "capture",
            "resumed",
            "ending",
            "seconds",
            "waiting",
            "visits",
            "pages",
            "first",
            "changed",
            "unchanged",
            "redirects",
            "rendered",
            "revisits",
            "changed_meanwhile",
            "truncated",
            "bytes",
            "failures",
            "first_failure",
            "same_bytes",
            "excluded",
            "time_is_up",
            "settings",
        ],
    );
    assert_eq!((&site["ending"], &site["resumed"], &site["waiting"]), (&"complete".into(), &false.into(), &0.into()));
    assert_eq!(site["pages"], site["first"]);
    let log = format!("{}.", site["capture"].as_str().unwrap());
    let logs = files(directory.path(), "log");
    assert!(logs[0].file_name().unwrap().to_str().unwrap().starts_with(&log), "{log} {logs:?}");

    let people = run(directory.path(), &["capture", &bench.seed(), "--delay", "0"]);
    let (summary, lines) = (text(&people.stdout), text(&people.stderr));
    assert!(summary.contains(&format!("{} pages", site["pages"])) && summary.contains("unchanged"), "{summary}");
    assert!(lines.lines().any(|line| line.starts_with("304  same")), "a line per visit: {lines}");
}

#[test]
fn verify_and_repair_tell_what_was_wrong_and_what_was_mended() {
    let (directory, bench) = (tempfile::tempdir().unwrap(), Bench::newsroom());
    let here = directory.path();
    capture(here, &bench.seed(), &[]);
    assert_eq!(
        told(here, &["verify"]),
        (
            serde_json::json!({ "findings": [], "missing": [], "unindexed": 0, "noted": 0, "being_written": false }),
            Some(0)
        )
    );
    assert_eq!(told(here, &["repair"]), (serde_json::json!({ "repairs": [], "left": [], "missing": [] }), Some(0)));

    let index = files(here, "index").remove(0);
    let lines = fs::read_to_string(&index).unwrap();
    fs::write(&index, lines.split_once('\n').unwrap().1).unwrap();
    let (said, code) = told(here, &["verify"]);
    assert_eq!(code, Some(1), "{said}");
    let finding = &said["findings"][0];
    assert_fields(finding, vec!["file", "offset", "defect"]);
    assert!(!finding["defect"].as_str().unwrap().is_empty());
    let people = run(here, &["verify"]);
    assert_eq!(people.status.code(), Some(1));
    assert!(text(&people.stdout).contains("next: tintype repair"), "{people:?}");

    let (said, code) = told(here, &["repair"]);
    assert_eq!((code, &said["left"]), (Some(0), &serde_json::json!([])), "{said}");
    assert!(!said["repairs"].as_array().unwrap().is_empty(), "{said}");
    assert_eq!(fs::read_to_string(&index).unwrap(), lines);
    assert_eq!(told(here, &["verify"]).1, Some(0));
}

#[test]
fn import_tells_what_it_took_in() {
    let (from, to, bench) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), Bench::newsroom());
    let captured = capture(from.path(), &bench.seed(), &[]);
    let segment = files(from.path(), "warc").remove(0);
    let (said, code) = told(to.path(), &["import", segment.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{said}");
    assert_fields(&said, vec!["files"]);
    let file = &said["files"][0];
    assert_fields(file, vec!["file", "capture", "visits", "history", "known", "already", "passed_over", "findings"]);
    assert_eq!(file["file"], segment.to_str().unwrap());
    assert_eq!(file["visits"], captured["sites"][0]["visits"], "{file}");
    assert_eq!(told(to.path(), &["verify"]).1, Some(0));
    let people = run(to.path(), &["import", segment.to_str().unwrap(), "-C", "again"]);
    assert!(text(&people.stdout).contains("visits with bytes"), "{people:?}");
}

fn help(arguments: &[&str]) -> Output {
    run(Path::new("."), arguments)
}

#[test]
fn every_command_has_help_that_says_what_it_is_for() {
    let overview = help(&["--help"]);
    assert_eq!(overview.status.code(), Some(0));
    for command in [
        "demo", "capture", "keep", "captures", "get", "serve", "changes", "report", "verify", "repair", "import",
        "export", "learn", "lab",
    ] {
        assert!(text(&overview.stdout).lines().any(|line| line.trim().starts_with(command)), "{command}");
        let output = help(&[command, "--help"]);
        assert_eq!(output.status.code(), Some(0), "{command}");
        let said = text(&output.stdout);
        assert!(said.lines().next().unwrap().len() > 40, "{command} begins with a sentence: {said}");
        for option in said.lines().filter(|line| line.trim_start().starts_with("--")) {
            let name = option.split_whitespace().next().unwrap();
            assert!(said.split(name).nth(1).unwrap().trim().len() > 20, "{command} {name} is explained");
        }
    }
    let capture = text(&help(&["capture", "--help"]).stdout);
    assert!(capture.contains("Examples:") && capture.contains("tintype capture https://example.com/"), "{capture}");
    let keep = text(&help(&["keep", "--help"]).stdout);
    for word in ["Examples:", "--objects", "links:/cars/{id}", "css:li.car", "--target-precision", "--once"] {
        assert!(keep.contains(word), "{word}: {keep}");
    }
    let serve = text(&help(&["lab", "serve", "--help"]).stdout);
    for word in ["Examples:", "X-Site-Time", "--history", "--from", "--speed", "lying:", "news:"] {
        assert!(serve.contains(word), "{word}: {serve}");
    }
    let patterns = text(&help(&["learn", "patterns", "--help"]).stdout);
    for word in ["Examples:", "--history", "--clusters", "--out"] {
        assert!(patterns.contains(word), "{word}: {patterns}");
    }
    let rules = text(&help(&["learn", "rules", "--help"]).stdout);
    for word in ["Examples:", "--history", "--every", "--confidence-min", "--policy warm", "--policy skip"] {
        assert!(rules.contains(word), "{word}: {rules}");
    }
    assert!(["skip:", "warm:", "skips"].iter().all(|word| capture.contains(word)), "{capture}");
    for (command, word) in [("verify", "Exit code 1"), ("repair", "originals are kept"), ("import", "WACZ")] {
        assert!(text(&help(&[command, "--help"]).stdout).contains(word), "{command}: {word}");
    }
}

#[test]
fn wrong_usage_exits_with_two() {
    for arguments in
        [&[][..], &["fetch"], &["capture", "--speed", "9"], &["import"], &["verify", "--extra"], &["lab", "serve"]]
    {
        let output = help(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert!(text(&output.stderr).contains("Usage"), "{arguments:?}: {output:?}");
    }
}

#[test]
fn shells_manuals_and_versions_are_read_off_the_commands() {
    let directory = tempfile::tempdir().unwrap();
    let said = |arguments: &[&str]| {
        let output = run(directory.path(), arguments);
        assert!(output.status.success(), "{output:?}");
        text(&output.stdout)
    };
    for shell in ["bash", "zsh", "fish"] {
        let script = said(&["completions", shell]);
        let option = if shell == "fish" { "-l ignore-robots" } else { "--ignore-robots" };
        assert!(script.contains(option) && script.contains("tournament"), "{script}");
    }
    fs::write(directory.path().join("tintype.bash"), said(&["completions", "bash"])).unwrap();
    let press_tab = "source ./tintype.bash; COMP_WORDS=(tintype capture --ignore-r); COMP_CWORD=2; _tintype; echo ${COMPREPLY[@]}; \
                     COMP_WORDS=(tintype cap); COMP_CWORD=1; _tintype; echo ${COMPREPLY[@]}";
    let shell =
        std::process::Command::new("bash").current_dir(directory.path()).args(["-c", press_tab]).output().unwrap();
    assert_eq!(text(&shell.stdout), "--ignore-robots\ncapture captures\n", "{shell:?}");

    let manual = said(&["man", "capture"]);
    for words in [".TH TINTYPE-CAPTURE 1", ".SH SYNOPSIS", "\\-\\-exclude PATTERN", ".SH EXAMPLES"] {
        assert!(manual.contains(words), "{words}: {manual}");
    }
    assert!(said(&["man"]).contains(".B completions"));
    let unknown = run(directory.path(), &["man", "cpature"]);
    assert!(unknown.status.code() == Some(2) && text(&unknown.stderr).contains("there is no command cpature"));

    let version = said(&["--version"]);
    assert!(["commit ", "target ", "profile ", "features "].iter().all(|fact| version.contains(fact)), "{version}");
    assert_eq!(said(&["-V"]).lines().count(), 1);
}
