//! The architecture, checked: which room may use which, and that pure rooms stay pure.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Room, and the rooms it may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("vocab", &[]),
    ("warc", &["vocab"]),
    ("observe", &["vocab"]),
    ("quality", &["vocab"]),
    ("learn", &["vocab"]),
    ("plan", &["vocab", "quality", "learn"]),
    ("picture", &["vocab"]),
    ("archive", &["vocab", "warc", "observe"]),
    ("session", &["vocab", "observe", "quality", "learn", "plan", "archive"]),
    ("live", &["vocab", "observe", "plan", "archive", "session"]),
    ("world", &["vocab", "warc", "observe", "quality", "learn", "plan", "archive", "session"]),
    (
        "lab",
        &["vocab", "warc", "observe", "quality", "learn", "plan", "picture", "archive", "session", "live", "world"],
    ),
    ("serve", &["vocab", "warc", "observe", "quality", "learn", "plan", "picture", "archive", "session"]),
    (
        "cli",
        &[
            "vocab", "warc", "observe", "quality", "learn", "plan", "picture", "archive", "session", "live", "world",
            "lab", "serve",
        ],
    ),
];

const PURE: &[&str] = &["vocab", "warc", "observe", "quality", "learn", "plan", "picture"];

/// What a pure room must not say: clocks, files, sockets, threads, environment, logging, unseeded dice.
const IMPURE: &[&str] = &[
    "SystemTime",
    "Instant",
    "std::fs",
    "std::net",
    "std::thread",
    "std::env",
    "std::process",
    "File::",
    "TcpStream",
    "tokio",
    "thread_rng",
    "rand::rng",
    "getrandom",
    "RandomState",
    "println!",
    "eprintln!",
    "tracing::",
    "log::",
];

/// Crates that open a door by themselves.
const DOORS: &[&str] =
    &["tokio", "hyper", "rusqlite", "getrandom", "rand", "reqwest", "tracing", "log", "rustls", "tempfile"];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a crate lies in a folder").to_owned()
}

fn dependencies(room: &str) -> Vec<String> {
    let manifest = fs::read_to_string(crates().join(room).join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let table = manifest.get("dependencies").and_then(|table| table.as_table()).cloned().unwrap_or_default();
    table.keys().cloned().collect()
}

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_room_is_listed_and_uses_only_what_it_may() {
    let mut rooms: Vec<String> =
        fs::read_dir(crates()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    rooms.sort();
    let mut listed: Vec<&str> = ARROWS.iter().map(|(room, _)| *room).collect();
    listed.sort();
    assert_eq!(rooms, listed);
    for (room, allowed) in ARROWS {
        for dependency in dependencies(room) {
            if let Some(used) = dependency.strip_prefix("tintype-") {
                assert!(allowed.contains(&used), "{room} must not use {used}");
            }
        }
    }
}

#[test]
fn pure_rooms_open_no_doors() {
    for room in PURE {
        for dependency in dependencies(room) {
            assert!(!DOORS.contains(&dependency.as_str()), "{room} depends on {dependency}");
        }
        let mut files = Vec::new();
        sources(&crates().join(room).join("src"), &mut files);
        assert!(!files.is_empty());
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            for (number, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                for word in IMPURE {
                    assert!(!mentions(code, word), "{}:{}: a pure room says {word}", file.display(), number + 1);
                }
            }
        }
    }
}

/// Whether code says `word`, not merely as part of a longer one.
fn mentions(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
        let after = code[at + word.len()..]
            .chars()
            .next()
            .is_none_or(|c| !c.is_alphanumeric() && c != '_' || word.ends_with([':', '!']));
        before && after
    })
}

#[test]
fn a_forbidden_word_would_be_noticed() {
    assert!(mentions("let now = SystemTime::now();", "SystemTime"));
    assert!(mentions("use std::fs;", "std::fs"));
    assert!(!mentions("let profile = Profile::new();", "File::"));
    assert!(!mentions("catalog::open()", "log::"));
}

/// The public types of a room, by name: those declared at the edge of a line, outside tests.
fn public_types(room: &str) -> Vec<String> {
    let mut files = Vec::new();
    sources(&crates().join(room).join("src"), &mut files);
    let kinds = ["struct", "enum", "trait", "type"];
    let declared = |line: &str| {
        let mut words = line.strip_prefix("pub ")?.split([' ', '<', '(', '{', ';', ':', '=']);
        let kind = words.next()?;
        kinds.contains(&kind).then(|| words.next().unwrap_or_default().to_owned())
    };
    let mut names: Vec<String> = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        names.extend(code.lines().filter_map(declared));
    }
    names
}

#[test]
fn a_public_name_means_one_thing_in_one_room() {
    let mut homes: std::collections::BTreeMap<String, Vec<&str>> = Default::default();
    for (room, _) in ARROWS {
        for name in public_types(room) {
            homes.entry(name).or_default().push(room);
        }
    }
    assert!(homes.len() > 400, "the rooms have {} public types", homes.len());
    // Every room may have its own error, as is the custom.
    let twice: Vec<_> = homes.iter().filter(|(name, rooms)| rooms.len() > 1 && *name != "Error").collect();
    assert!(twice.is_empty(), "{twice:?}");
}
