//! One table of spoiled collections, settings and files, each against every command: no hang, no panic, nothing written outside,
//! and a sentence.

use crate::strangers_collections_hurt_nobody::{Ground, bomb, places, served, tried};
use flate2::{Compression, write::GzEncoder};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

/// Spoils one file of a collection.
type Spoil = fn(&Path);

/// What a stranger may have done to every file there is.
const SPOILED: [(&str, Spoil); 9] = [
    ("a directory", |path| {
        fs::remove_file(path).ok();
        fs::create_dir(path).unwrap();
    }),
    ("nothing", |path| put(path, &[])),
    ("zeros", |path| put(path, &[0; 70_000])),
    ("its first half", |path| with(path, |bytes| bytes[..bytes.len() / 2].to_vec())),
    ("here and there another bit", |path| {
        with(path, |bytes| bytes.iter().enumerate().map(|(at, byte)| byte ^ u8::from(at % 97 == 7)).collect());
    }),
    ("numbers larger than any", |path| with_text(path, |text| numbers(text, "99999999999999999999"))),
    ("the largest number there is", |path| with_text(path, |text| numbers(text, "9223372036854775807"))),
    ("numbers below nothing", |path| with_text(path, |text| text.replace(":1", ":-1"))),
    ("names that lead out", |path| with_text(path, |text| text.replace("tintype-", "../../victims/"))),
];

fn put(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
}

fn with(path: &Path, change: impl FnOnce(&[u8]) -> Vec<u8>) {
    let bytes = fs::read(path).unwrap_or_default();
    put(path, &change(&bytes));
}

/// Changes a file of text. The sums of a log's lines are right again, as a stranger would see to.
fn with_text(path: &Path, change: impl FnOnce(&str) -> String) {
    let Ok(text) = fs::read_to_string(path) else { return };
    let changed = change(&text);
    let seal = |line: &str| match line.split_once(",\"crc\":") {
        Some((object, _)) => format!("{object},\"crc\":\"{:08x}\"}}\n", crc32fast::hash(object.as_bytes())),
        None => format!("{line}\n"),
    };
    put(path, changed.lines().map(seal).collect::<String>().as_bytes());
}

/// Every number of JSON values is another.
fn numbers(text: &str, other: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(':') {
        out.push_str(&rest[..=at]);
        rest = &rest[at + 1..];
        let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        out.push_str(if digits > 0 { other } else { "" });
        rest = &rest[digits..];
    }
    out + rest
}

fn suffer_spoiled(rows: &[(&str, Spoil)]) {
    let ground = Ground::new();
    for (what, spoil) in rows {
        let collection = ground.collection();
        let mine: Vec<PathBuf> = places(&collection).into_iter().filter(|path| path.is_file()).collect();
        mine.iter().for_each(|path| spoil(path));
        ground.suffer(&format!("every file {what}"));
    }
}

#[test]
fn collections_of_files_that_are_not_there_or_half_there_are_survived() {
    suffer_spoiled(&SPOILED[..5]);
}

#[test]
fn collections_of_numbers_and_names_that_lie_are_survived() {
    suffer_spoiled(&SPOILED[5..]);
}

#[test]
fn settings_that_make_no_sense_are_survived() {
    let ground = Ground::new();
    let site = |more: &str| format!("[[site]]\nurls = [\"{}\"]\n{more}\n", ground.seed());
    let settings = [
        ("zeros", "\0\0".to_owned()),
        ("deep", format!("a = {}", "[".repeat(100_000))),
        ("a name that leads out", site("name = \"../../victims\"")),
        ("huge numbers", site("budget = 99999999999999999999999\ndelay = 1e308")),
        ("numbers below nothing", site("delay = -5\nbudget = \"-3\"\nmax-pages = -1")),
        ("a pattern that takes for ever", site("include = [\"re:(((((a{1000}){1000}){1000}){1000}){1000})\"]")),
        ("other types", "site = 3\ncontact = []".to_owned()),
        ("words that steer", site("\"\\u001b[2J\" = 3")),
        ("two lines in a header", format!("user-agent = \"a\\r\\nX: y\"\n{}", site(""))),
        ("devices as lists", format!("ad-lists = [\"/dev/zero\"]\n{}", site(""))),
        (
            "no pages of the web",
            "[[site]]\nurls = [\"file:///etc/passwd\", \"http://[::1\", \"javascript:1\"]".to_owned(),
        ),
        ("very large", format!("#{}\n{}", "x".repeat(30 << 20), site(""))),
    ];
    for (what, text) in settings {
        let collection = ground.collection();
        put(&collection.join("tintype.toml"), text.as_bytes());
        ground.suffer(&format!("settings: {what}"));
    }
}

/// A record whose block is an answer with this coding.
fn coded(coding: &str, body: &[u8]) -> Vec<u8> {
    let answer = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {coding}\r\n\r\n");
    let block = [answer.as_bytes(), body].concat();
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n\
         WARC-Target-URI: http://a/\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), &block, b"\r\n\r\n"].concat()
}

/// A package with one member, as it is or compressed from so many bytes.
fn package(name: &str, bytes: usize) -> Vec<u8> {
    let mut deflated = flate2::write::DeflateEncoder::new(Vec::new(), Compression::fast());
    (0..bytes >> 20).for_each(|_| deflated.write_all(&[b' '; 1 << 20]).unwrap());
    let member = deflated.finish().unwrap();
    let size = bytes as u32;
    let facts =
        [&[20, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &(member.len() as u32).to_le_bytes(), &size.to_le_bytes()];
    let facts = [&facts.concat()[..], &(name.len() as u16).to_le_bytes(), &[0, 0]].concat();
    let local = [b"PK\x03\x04", &facts[..], name.as_bytes(), &member].concat();
    let entry = [b"PK\x01\x02\x14\0", &facts[..], &[0; 14], name.as_bytes()].concat();
    let end = [
        b"PK\x05\x06\0\0\0\0\x01\0\x01\0",
        &(entry.len() as u32).to_le_bytes()[..],
        &(local.len() as u32).to_le_bytes(),
    ];
    [&local[..], &entry, &end.concat(), &[0, 0]].concat()
}

#[test]
fn files_that_blow_up_lead_out_or_lie_are_refused_or_taken_in_as_far_as_they_make_sense() {
    let ground = Ground::new();
    let here = ground.here();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&bomb(b"", 64 << 20)).unwrap();
    let zstd = zstd::encode_all(&vec![b'a'; 64 << 20][..], 1).unwrap();
    let line = |fields: &str| format!("com,a)/ 20200101000000 {{\"url\":\"http://a/\",{fields}}}\n");
    let lines = line("\"filename\":\"../../victims/victim\",\"offset\":\"-1\",\"length\":\"99999999999999999999\"")
        + &line(
            "\"filename\":\"victims/victim\",\"offset\":\"0\",\"length\":\"18446744073709551615\",\"mime\":\"\u{1b}[2J\"",
        )
        + &line(&"\"a\":{".repeat(100_000));
    let files: Vec<(&str, Vec<u8>)> = vec![
        ("gzip.warc", coded("gzip", &bomb(b"<a href=/x>", 64 << 20))),
        ("nested.warc", coded("gzip, gzip, gzip, gzip, gzip", &gzip.finish().unwrap())),
        ("zstd.warc", coded("zstd", &zstd)),
        ("bomb.warc.zst", zstd),
        ("index.cdxj", lines.into_bytes()),
        ("index.cdx", format!(" CDX N b a m s k r M S V g\n{}\n", "- ".repeat(5000)).into_bytes()),
        ("bomb.wacz", package("archive/a.warc.gz", 64 << 20)),
        ("words.wacz", package("datapackage.json", 64 << 20)),
        ("out.wacz", package("archive/../../../victims/evil.warc", 1 << 20)),
        ("cut.wacz", package("archive/a.warc", 1 << 20)[..200].to_vec()),
        ("certificate.json", format!("{{\"captures\":{}", "[".repeat(100_000)).into_bytes()),
        ("one-line", vec![b'a'; 8 << 20]),
    ];
    for (name, bytes) in &files {
        put(&here.join(name), bytes);
        for command in [
            &["import", name][..],
            &["import", "--objects", name],
            &["verify", name],
            &["verify", "--certificate", name],
            &["capture", "--urls", name, "--delay", "0", "--budget", "2", "-C", "other"],
            &["capture", &ground.seed(), "--cookies", name, "--delay", "0", "--budget", "2", "-C", "other"],
            &["sites", "-C", name],
            &["verify", "-C", name],
            &["export", "-C", name, "--out", "out"],
        ] {
            tried(here, command, name);
            ground.is_unhurt(name, command);
        }
        served(here, &[name], "http://a/", name);
    }
    tried(here, &["verify"], "after all imports");
}
