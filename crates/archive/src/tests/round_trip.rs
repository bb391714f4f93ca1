//! Capture, finish, reopen: what went in comes out.

use super::rig::{self, HTML, SITE, START, exchange, files, head, open, page, visit};
use crate::{Error, Kept, ResumedCapture};
use tintype_vocab::{
    Change, Digest, Entry, Failure, LinkKind, LinkPlace, Outcome, PageId, PageUrl, Phase, Span, Tag, Validators,
};

fn day(n: i64) -> tintype_vocab::Time {
    START + Span::from_secs(86_400 * n)
}

#[test]
fn what_is_captured_is_there_after_reopening() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("collection");
    let mut seen = Vec::new();
    {
        let collection = open(&root);
        let mut capture = collection.begin(head(START)).unwrap();
        seen.push(page(&mut capture, 0, "/", START, "<a href=/a>a</a><a href=/b>b</a>"));
        seen.push(page(&mut capture, 1, "/a", START, "<a href=/b>b</a><img src=i.png>"));
        assert!(capture.pending_bytes() > 0);
        assert_eq!(capture.commit().unwrap(), 2);
        assert_eq!(capture.pending_bytes(), 0);
        assert_eq!(collection.unfinished(SITE).unwrap().as_ref(), Some(capture.id()));
        capture.finish(&serde_json::json!({"reason": "done"})).unwrap();
    }
    assert_eq!(seen[0].change, Change::First);
    assert_eq!(seen[0].media_type.as_deref(), Some("text/html"));
    assert_eq!(
        seen[0].links.iter().map(|link| link.url).collect::<Vec<_>>(),
        ["http://example.com/a", "http://example.com/b"]
    );
    let collection = open(&root);
    assert_eq!(collection.repairs(), []);
    assert_eq!(collection.unfinished(SITE).unwrap(), None);
    let captures = collection.captures().unwrap();
    assert_eq!((captures.len(), &captures[0].head), (1, &head(START)));
    assert_eq!(captures[0].end, Some(serde_json::json!({"reason": "done"})));
    assert!(matches!(collection.resume(&captures[0].id), Err(Error::Finished(_))));
    assert_eq!(files(&root.join("warc"), ".warc.gz").len(), 1);
    assert_eq!(files(&root.join("index"), ".cdxj").len(), 1);
}

#[test]
fn what_bytes_are_and_how_links_are_written_is_read_back() {
    let directory = tempfile::tempdir().unwrap();
    let collection = open(directory.path());
    let mut capture = collection.begin(head(START)).unwrap();
    let lie = exchange("/x", "200 OK", "Content-Type: image/gif\r\n", b"<!doctype html><p>no such image");
    let lie = capture.ingest(&visit(0, "/x", START, Outcome::Body { status: 200 }), Some(lie), None).unwrap();
    let truth = page(&mut capture, 1, "/", START, "<nav><a href=/a>Annual report</a></nav><img src=/x alt=none>");
    assert_eq!((lie.media_type.as_deref(), lie.real_media_type()), (Some("image/gif"), Some("text/html")));
    assert_eq!((&truth.sniffed, truth.real_media_type()), (&None, Some("text/html")));
    let mention = truth.links.mention(0);
    assert_eq!((mention.tag, mention.place), (Tag::Anchor, LinkPlace::Navigation));
    assert_eq!(mention.words, tintype_observe::clicked_words("annual report"));
    let id = capture.id().clone();
    capture.finish(&serde_json::json!({})).unwrap();
    let entries = collection.reading().entries(&id).unwrap().map(Result::unwrap);
    let read = entries.filter_map(|entry| match entry {
        Entry::Observation(seen) => Some(*seen),
        Entry::Decision(_) => None,
    });
    let known = collection.history(SITE).unwrap().page(&PageUrl::new(&lie.url)).unwrap().unwrap();
    assert_eq!(known.media_type.as_deref(), Some("text/html"), "what is remembered of a page is what it is");
    assert_eq!(read.collect::<Vec<_>>(), [lie, truth]);
}

#[test]
fn a_capture_cut_short_is_forgotten_once_a_later_one_has_ended() {
    let directory = tempfile::tempdir().unwrap();
    let collection = open(directory.path());
    let early = collection.begin(head(START)).unwrap();
    let id = early.id().clone();
    early.suspend().unwrap();
    assert_eq!(collection.unfinished(SITE).unwrap(), Some(id));
    let late = collection.begin(head(START + Span::from_secs(9))).unwrap();
    late.finish(&serde_json::json!("done")).unwrap();
    assert_eq!(collection.unfinished(SITE).unwrap(), None);
}

#[test]
fn an_unfinished_capture_resumes_with_every_line_it_had() {
    let directory = tempfile::tempdir().unwrap();
    let collection = open(directory.path());
    let mut capture = collection.begin(head(START)).unwrap();
    let id = capture.id().clone();
    let body: String = (0..30).map(|n| format!("<a href=/{n}>x</a>")).collect();
    let mut seen: Vec<_> =
        (0..5).map(|n| page(&mut capture, n, &format!("/{n}"), START, &format!("{body}{n}"))).collect();
    capture.commit().unwrap();
    drop(capture);
    drop(collection);
    let collection = open(directory.path());
    assert_eq!(collection.unfinished(SITE).unwrap(), Some(id.clone()));
    let ResumedCapture { mut capture, head, .. } = collection.resume(&id).unwrap();
    assert_eq!(head, rig::head(START));
    seen.push(page(&mut capture, 5, "/5", START, &format!("{body}5")));
    capture.commit().unwrap();
    drop(capture);
    let entries = collection.resume(&id).unwrap().entries;
    let (mut decisions, mut observations) = (0, Vec::new());
    for entry in entries {
        match entry.unwrap() {
            Entry::Decision(decision) => {
                assert_eq!(decision.page, PageId(decisions));
                decisions += 1;
            }
            Entry::Observation(observation) => observations.push(*observation),
        }
    }
    assert_eq!((decisions, observations), (6, seen));
}

#[test]
fn both_kinds_of_duplicate_refer_to_the_original_response() {
    let directory = tempfile::tempdir().unwrap();
    let collection = open(directory.path());
    let mut capture = collection.begin(head(START)).unwrap();
    page(&mut capture, 0, "/", START, "<a href=/x>same</a>");
    let other = page(&mut capture, 1, "/copy", START, "<a href=/x>same</a>");
    assert_eq!(other.change, Change::First, "new to the page, though not to the archive");
    assert_eq!(page(&mut capture, 2, "/empty", START, "").digest, Some(Digest::EMPTY));
    assert_eq!(page(&mut capture, 3, "/empty2", START, "").change, Change::First);
    capture.finish(&serde_json::json!({})).unwrap();

    let history = collection.history(SITE).unwrap();
    let validators = history.validators(&PageUrl::new("http://example.com/copy")).unwrap();
    assert_eq!(validators, Some(Validators { etag: Some("\"1\"".into()), last_modified: None }));
    assert_eq!(history.validators(&PageUrl::new("http://example.com/empty")).unwrap(), None);
    assert!(collection.history("elsewhere.org").unwrap().is_empty());

    let mut capture = collection.begin(head(day(1))).unwrap();
    let not_modified = visit(0, "/copy", day(1), Outcome::NotModified);
    let headers = "ETag: \"1\"\r\nCache-Control: no-store\r\n";
    let seen = capture.ingest(&not_modified, Some(exchange("/copy", "304 Not Modified", headers, b"")), None).unwrap();
    assert_eq!(
        (other.max_age, seen.max_age),
        (Some(Span::from_secs(60)), None),
        "the record of the second has no head"
    );
    assert_eq!((seen.change, seen.digest), (Change::Same, other.digest));
    assert_eq!(seen.links.len(), 1, "the page still has its links");
    let again = page(&mut capture, 1, "/copy", day(1), "<a href=/x>same</a>");
    assert_eq!(again.change, Change::Same);
    assert!(page(&mut capture, 2, "/copy", day(1), "changed").change.matters());
    capture.finish(&serde_json::json!({})).unwrap();

    let mut types = Vec::new();
    for path in files(&directory.path().join("warc"), ".warc.gz") {
        let mut reader = tintype_warc::Reader::new(std::fs::File::open(path).unwrap());
        while let Some(record) = reader.next().unwrap() {
            let kind = record.header.record_type();
            types.push(kind.as_str());
            if kind == tintype_warc::RecordType::Duplicate {
                assert_eq!(record.header.refers_to_target_uri().as_deref(), Some("http://example.com/"));
                assert_eq!(record.header.refers_to_date(), Some(START));
            }
        }
        assert!(reader.findings().is_empty(), "{:?}", reader.findings());
    }
    let first = ["warcinfo", "response", "request", "revisit", "request", "response", "request", "response", "request"];
    let second = ["warcinfo", "revisit", "revisit", "request", "response", "request"];
    assert_eq!(types, [&first[..], &second[..]].concat());
}

#[test]
fn index_lines_made_while_writing_equal_those_made_by_reading() {
    let directory = tempfile::tempdir().unwrap();
    let collection = open(directory.path());
    let mut capture = collection.begin(head(START)).unwrap();
    page(&mut capture, 0, "/?b=2&a=1", START, "one");
    page(&mut capture, 1, "/ü", START, "one");
    let gone = visit(2, "/gone", START, Outcome::Gone { status: 404 });
    capture.ingest(&gone, Some(exchange("/gone", "404 Not Found", "", b"gone")), None).unwrap();
    let failed = visit(3, "/slow", START, Outcome::Failed { cause: Failure::Timeout(Phase::Connect) });
    let seen = capture.ingest(&failed, None, Some("10 s")).unwrap();
    assert_eq!((seen.change, seen.digest, seen.bytes), (Change::Unknown, None, 0));
    let moved = visit(4, "/moved", START, Outcome::Redirected { status: 301, to: "http://example.com/new".into() });
    let seen = capture.ingest(&moved, Some(exchange("/moved", "301 Moved", "Location: /new\r\n", b"")), None).unwrap();
    assert_eq!(
        seen.links.iter().map(|l| (l.url, l.kind)).collect::<Vec<_>>(),
        [("http://example.com/new", LinkKind::Redirect)]
    );
    let big = vec![b'x'; 3 << 20];
    let mut spool = crate::Spool::new(&collection.spool_directory());
    spool.push(&big).unwrap();
    let large = crate::Exchange { body: spool, ..exchange("/big", "200 OK", HTML, b"") };
    let seen = capture.ingest(&visit(5, "/big", START, Outcome::Body { status: 200 }), Some(large), None).unwrap();
    assert_eq!(seen.digest, Some(tintype_warc::digest::sha1(&big)));
    capture.finish(&serde_json::json!({})).unwrap();

    let segment = files(&directory.path().join("warc"), ".warc.gz").remove(0);
    let name = segment.file_name().unwrap().to_str().unwrap();
    let made = crate::index::of_segment(&segment, name).unwrap();
    assert_eq!(made.valid_up_to, made.len);
    let written = std::fs::read_to_string(files(&directory.path().join("index"), ".cdxj").remove(0)).unwrap();
    assert_eq!(made.lines.concat(), written);
    assert_eq!(made.lines.len(), 5);
}

#[test]
fn robots_are_kept_as_text_also_when_compressed() {
    let directory = tempfile::tempdir().unwrap();
    let collection = open(directory.path());
    let mut capture = collection.begin(head(START)).unwrap();
    let seen = page(&mut capture, 0, "/robots.txt", START, "User-agent: *\nDisallow: /x");
    assert_eq!(seen.robots.as_deref(), Some("User-agent: *\nDisallow: /x"));
    let (fast, rules) = (flate2::Compression::fast(), b"Disallow: /y");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), fast);
    std::io::Write::write_all(&mut gzip, rules).unwrap();
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), fast);
    std::io::Write::write_all(&mut zlib, rules).unwrap();
    for (coding, coded) in [("gzip", gzip.finish().unwrap()), ("deflate", zlib.finish().unwrap())] {
        let visit = visit(1, "/robots.txt", START, Outcome::Body { status: 200 });
        let answer = exchange("/robots.txt", "200 OK", &format!("Content-Encoding: {coding}\r\n"), &coded);
        let seen = capture.ingest(&visit, Some(answer), None).unwrap();
        assert_eq!(seen.robots.as_deref(), Some("Disallow: /y"), "{coding}");
    }
}

#[test]
fn deleted_state_is_made_again_from_the_logs() {
    let directory = tempfile::tempdir().unwrap();
    let key = PageUrl::new("http://example.com/");
    let before = {
        let collection = open(directory.path());
        for n in 0..3 {
            let mut capture = collection.begin(head(day(n))).unwrap();
            page(&mut capture, 0, "/", day(n), &format!("version {}", n / 2));
            capture.finish(&serde_json::json!({})).unwrap();
        }
        collection.history(SITE).unwrap().page(&key).unwrap().unwrap()
    };
    assert_eq!((before.visits, before.changes, before.last_changed), (3, 1, day(2)));
    std::fs::remove_dir_all(directory.path().join("state")).unwrap();
    let collection = open(directory.path());
    assert_eq!(collection.history(SITE).unwrap().page(&key).unwrap(), Some(before));
}

#[test]
fn a_newer_collection_and_a_locked_one_are_refused_in_words() {
    let directory = tempfile::tempdir().unwrap();
    let missing = crate::OpenOptions { create: false, ..rig::options() };
    let error = crate::Collection::open(&directory.path().join("none"), missing).unwrap_err();
    assert!(error.to_string().starts_with("there is no collection at"), "{error}");
    assert!(!directory.path().join("none").exists());
    let held = open(directory.path());
    let error = crate::Collection::open(directory.path(), rig::options()).unwrap_err();
    assert!(matches!(error, Error::Locked { .. }), "{error}");
    drop(held);
    std::fs::write(directory.path().join("version"), "format = 3\n").unwrap();
    let error = crate::Collection::open(directory.path(), rig::options()).unwrap_err();
    assert!(error.to_string().contains("newer version (format 3"), "{error}");
}

#[test]
fn kept_says_how_in_the_log() {
    let text = serde_json::to_string(&Kept::Response).unwrap();
    assert_eq!(text, r#"{"as":"response"}"#);
}

#[test]
fn what_somebody_learnt_is_kept_beside_the_state_and_goes_with_it() {
    let directory = tempfile::tempdir().unwrap();
    let collection = open(directory.path());
    let mut capture = collection.begin(head(START)).unwrap();
    page(&mut capture, 0, "/", START, "text");
    capture.finish(&serde_json::json!("done")).unwrap();
    assert_eq!(collection.reading().site_derived(SITE, "directories"), None);
    collection.keep_site_derived(SITE, "directories", b"nothing ever changes").unwrap();
    collection.keep_site_derived(SITE, "directories", b"nothing changes").unwrap();
    drop(collection);
    let collection = open(directory.path());
    collection.begin(head(day(1))).unwrap().finish(&serde_json::json!("done")).unwrap();
    assert_eq!(collection.reading().site_derived(SITE, "directories").as_deref(), Some(&b"nothing changes"[..]));
    assert_eq!(collection.reading().site_derived("example.org", "directories"), None);
    drop(collection);
    std::fs::remove_dir_all(directory.path().join("state")).unwrap();
    assert_eq!(open(directory.path()).reading().site_derived(SITE, "directories"), None);
}
