//! Files of other tools: written by wget 1.21.3, warcio 1.8.1, cdxj-indexer 1.5.0 and py-wacz 0.6.0.

use super::crashing_disk::{CrashingDisk, Fate};
use super::rig::{START, head, open, page, temporary};
use crate::{Collection, ImportOptions, Imported, OpenOptions};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};
use tintype_vocab::{Change, Entry, LinkKind, Observation, Outcome};

const HOST: &str = "127.0.0.1:18080";

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

fn options() -> ImportOptions {
    ImportOptions { site: None, now: START, describe: Vec::new() }
}

fn observations(root: &Path, imported: &Imported) -> Vec<Observation> {
    let entries = Collection::read(root).unwrap().entries(&imported.capture).unwrap();
    let observation = |entry| match entry {
        Ok(Entry::Observation(seen)) => Some(*seen),
        _ => None,
    };
    entries.filter_map(observation).collect()
}

/// Imports into a new collection, which is sound afterwards.
fn import(name: &str) -> (tempfile::TempDir, Imported, Vec<Observation>) {
    let root = temporary();
    let imported = open(root.path()).import(&fixture(name), options()).unwrap();
    assert_eq!(Collection::read(root.path()).unwrap().verify().unwrap().findings, []);
    assert_eq!(open(root.path()).repairs(), []);
    let seen = observations(root.path(), &imported);
    (root, imported, seen)
}

#[test]
fn wget_files_come_in_without_their_chunks() {
    let (root, imported, seen) = import("wget.warc.gz");
    assert_eq!((imported.visits, imported.history), (seen.len() as u64, 0));
    let urls: Vec<&str> = seen.iter().map(|seen| seen.url.as_str()).collect();
    let url = |path: &str| format!("http://{HOST}{path}");
    assert!(urls.contains(&url("/").as_str()) && urls.contains(&url("/a.html").as_str()), "{urls:?}");
    let front = seen.iter().find(|seen| seen.url == url("/")).unwrap();
    let body = br#"<a href="/a.html">a</a> <a href="/b.html">b</a> <a href="/moved">m</a><a href="/c.html">c</a>"#;
    assert_eq!(front.digest, Some(tintype_warc::digest::sha1(body)), "the digest is over the body, not its chunks");
    assert_eq!((front.links.len(), front.change), (4, Change::First));
    let moved = seen.iter().find(|seen| seen.url == url("/moved")).unwrap();
    assert_eq!(moved.outcome, Outcome::Redirected { status: 301, to: url("/b.html") });
    assert_eq!(moved.links.iter().next().unwrap().kind, LinkKind::Redirect);
    let version = Collection::read(root.path()).unwrap().lookup(&url("/c.html"), START).unwrap().unwrap();
    assert!(version.is_duplicate(), "the same payload as another page");
}

#[test]
fn warcio_files_come_in_with_their_requests() {
    let (root, imported, seen) = import("warcio.warc.gz");
    assert_eq!(imported.visits, 6, "{imported:?}");
    assert_eq!(seen.iter().filter(|seen| seen.change == Change::Same).count(), 1);
    let segment = super::rig::files(&root.path().join("warc"), ".warc.gz").remove(0);
    let mut reader = tintype_warc::Reader::new(fs::File::open(segment).unwrap());
    let mut requests = 0;
    while let Some(record) = reader.next().unwrap() {
        requests += usize::from(record.header.record_type() == tintype_warc::RecordType::Request);
    }
    assert_eq!(requests, 6);
}

#[test]
fn packages_come_in_like_the_segments_inside() {
    let (_, packed, in_package) = import("py-wacz.wacz");
    let (_, plain, in_segment) = import("warcio.warc.gz");
    assert_eq!(packed.visits, plain.visits);
    assert_eq!(in_package, in_segment);
}

#[test]
fn indexes_bring_history_in_order_of_time_without_bytes() {
    for (name, lines) in [("warcio.cdxj", 6), ("wget.cdx", 7)] {
        let (root, imported, seen) = import(name);
        assert_eq!((imported.visits, imported.history, seen.len()), (0, lines, lines as usize), "{name}");
        assert!(seen.is_sorted_by_key(|seen| seen.asked));
        assert_eq!(fs::read_dir(root.path().join("warc")).unwrap().count(), 0);
        // PageHistory alone is nothing a duplicate record may refer to.
        let again = open(root.path()).import(&fixture("warcio.warc.gz"), options()).unwrap();
        assert_eq!(again.visits, 6);
        assert_eq!(Collection::read(root.path()).unwrap().verify().unwrap().findings, [], "{name}");
    }
}

#[test]
fn what_is_no_archive_is_refused_and_leaves_no_trace() {
    let root = temporary();
    let collection = open(root.path());
    let file = root.path().join("letter.txt");
    let zip = root.path().join("empty.zip");
    fs::write(&file, "Dear Sir or Madam,\nthis is not an archive.\n").unwrap();
    fs::write(&zip, [&b"PK\x05\x06"[..], &[0; 18]].concat()).unwrap();
    fs::write(root.path().join("cut.wacz"), &fs::read(fixture("py-wacz.wacz")).unwrap()[..3000]).unwrap();
    for path in [&file, &zip, &root.path().join("cut.wacz")] {
        let error = collection.import(path, options()).unwrap_err().to_string();
        assert!(error.contains(" is "), "{error}");
    }
    assert!(collection.import(&root.path().join("absent"), options()).is_err());
    assert_eq!(collection.captures().unwrap(), []);
    assert_eq!(fs::read_dir(root.path().join("warc")).unwrap().count(), 0);
}

#[test]
fn a_torn_file_gives_what_it_has_and_says_so() {
    let root = temporary();
    let whole = fs::read(fixture("warcio.warc.gz")).unwrap();
    let path = root.path().join("torn.warc.gz");
    fs::write(&path, &whole[..whole.len() - 700]).unwrap();
    let imported = open(root.path()).import(&path, options()).unwrap();
    assert!(imported.visits >= 4 && imported.visits < 6, "{imported:?}");
    assert!(!imported.findings.is_empty());
}

#[test]
fn an_import_that_was_cut_short_goes_on_where_it_stopped() {
    let mut resumed = 0;
    for at in 0.. {
        let root = temporary();
        let disk = CrashingDisk::new(Fate::Kill, at);
        let write = OpenOptions { create: true, command: String::new(), now: START };
        let opened = Collection::open_on(Arc::new(disk.clone()), root.path(), write, 1 << 30);
        let result = opened.and_then(|collection| collection.import(&fixture("warcio.warc.gz"), options()));
        if result.is_ok() {
            assert!(resumed > 0);
            return;
        }
        let collection = open(root.path());
        let again = collection.import(&fixture("warcio.warc.gz"), options()).unwrap();
        resumed += again.known;
        let all: u64 = collection.captures().unwrap().len() as u64;
        if again.visits + again.known == 6 && all == 1 {
            assert_eq!(observations(root.path(), &again).len(), 6, "at {at}");
        }
        assert_eq!(Collection::read(root.path()).unwrap().verify().unwrap().findings, []);
    }
}

#[test]
fn imported_history_lets_the_next_capture_see_what_changed() {
    let root = temporary();
    let collection = open(root.path());
    let mut capture = collection.begin(head(START)).unwrap();
    page(&mut capture, 0, "/", START, "first");
    capture.finish(&serde_json::json!({})).unwrap();
    let segment = super::rig::files(&root.path().join("warc"), ".warc.gz").remove(0);
    let other = temporary();
    let other = open(other.path());
    let imported = other.import(&segment, options()).unwrap();
    assert_eq!(imported.visits, 1);
    let mut capture = other.begin(head(START + tintype_vocab::Span::from_secs(60))).unwrap();
    assert_eq!(page(&mut capture, 0, "/", START, "first").change, Change::Same);
    assert!(page(&mut capture, 1, "/", START, "second").change.matters());
}
