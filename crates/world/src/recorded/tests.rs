//! Tables of events, good and bad, and segments beside them.

use super::*;
use crate::{Contents, Document, EventKind, History, Impossible, Recorder, Unreadable};
use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;
use std::io::{Cursor, Write};
use tintype_vocab::Time;
use tintype_warc::{Composer, Encoder, RecordId, ResponseHead, digest::sha1_of};

const HEADER: &str = "time,path,kind,size,sha1,media_type\n";

fn zip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn read(rows: &str) -> Result<History, Malformed> {
    read_events([HEADER, rows].concat().as_bytes())
}

/// Writes a history the way its format says.
fn csv(history: &History) -> String {
    let quoted = |text: &str| match text.contains(['"', ',']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    };
    let mut text = HEADER.to_owned();
    for event in history.events() {
        let kind = ["A", "M", "D"][event.kind as usize];
        let sha1 = if event.kind == EventKind::Deleted { String::new() } else { format!("{:016x}00", event.digest) };
        let (path, media_type) = (quoted(history.path(event.page)), history.media_type(event));
        text += &format!("{},{path},{kind},{},{sha1},{media_type}\n", event.at.as_secs(), event.size);
    }
    text
}

/// All that can be told of a history.
fn told(history: &History) -> Vec<(crate::Event, String, String)> {
    let tell =
        |event: &crate::Event| (*event, history.path(event.page).to_owned(), history.media_type(event).to_owned());
    history.events().iter().map(tell).collect()
}

/// Any history: each step waits, then touches one of a few pages.
fn histories() -> impl Strategy<Value = History> {
    let step = (0i64..3, 0usize..5, any::<bool>(), any::<u32>(), 1u64.., "(text/(html|css)|)");
    let paths = prop::collection::vec("/[a-z,\"é ?=#%]{0,9}", 5);
    (paths, prop::collection::vec(step, 0..60)).prop_map(|(paths, steps)| {
        let (mut recorder, mut now) = (Recorder::default(), 1_000_000_000);
        for (wait, page, delete, size, digest, media_type) in steps {
            now += wait;
            let mut enter = |kind| {
                let (size, digest) = if kind == EventKind::Deleted { (0, 0) } else { (u64::from(size), digest) };
                recorder.record(Time::from_secs(now), &paths[page], kind, size, digest, &media_type)
            };
            let kind = if delete { EventKind::Deleted } else { EventKind::Modified };
            enter(kind).or_else(|_| enter(EventKind::Added)).unwrap();
        }
        recorder.finish()
    })
}

proptest! {
    #[test]
    fn what_is_written_as_a_table_reads_back(history in histories(), zipped in any::<bool>()) {
        let text = csv(&history).into_bytes();
        let text = if zipped { zip(&text) } else { text };
        let again = read_events(text.as_slice()).unwrap();
        prop_assert_eq!(told(&again), told(&history));
        prop_assert_eq!(again.pages(), history.pages());
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), text in "[0-9AMD,/\"\n-]{0,99}") {
        let _ = read_events(bytes.as_slice());
        let _ = read_events([HEADER.as_bytes(), &bytes].concat().as_slice());
        let _ = read(&text);
    }
}

#[test]
fn columns_are_found_by_name_and_times_in_both_forms() {
    let text = "\u{feff}kind,note,media_type,path,time,sha1,size\n\
                A,\"x,y\",text/html,/a,2001-09-09T01:46:40Z,0123456789,7\n\
                M,,text/html,/a,1000000060,ABCDEFabcdef012345678,5000000000\n\
                D,,,/a,1000000060,,\n";
    let history = read_events(text.as_bytes()).unwrap();
    let [added, modified, deleted] = history.events() else { panic!("three events") };
    assert_eq!((added.at, added.digest, added.size), (Time::from_secs(1_000_000_000), 0x0123_4567_8900_0000, 7));
    assert_eq!((modified.digest, modified.size), (0xabcd_efab_cdef_0123, u32::MAX));
    assert_eq!((deleted.kind, deleted.digest, deleted.at), (EventKind::Deleted, 0, modified.at));
}

#[test]
fn versions_without_a_digest_are_told_apart_all_the_same() {
    let history = read("1,/a,A,1,,\n2,/a,M,1,,\n3,/a,M,1,v1,\n4,/a,M,1,v2,\n5,/a,M,1,v1,\n").unwrap();
    let digests: Vec<u64> = history.events().iter().map(|event| event.digest).collect();
    assert_eq!(digests[2], digests[4]);
    let different: std::collections::HashSet<_> = digests[..4].iter().collect();
    assert_eq!(different.len(), 4);
}

#[test]
fn what_is_malformed_is_refused_with_its_line() {
    let good = "1000,/a,A,1,0a,text/html\n";
    for (rows, line, why) in [
        ("1000,/b,X,1,0a,\n", 3, "\"X\" is no kind"),
        ("1000,/b,a,1,0a,\n", 3, "\"a\" is no kind"),
        ("soon,/b,A,1,0a,\n", 3, "\"soon\" is no time"),
        (",/b,A,1,0a,\n", 3, "\"\" is no time"),
        ("1000000000000,/b,A,1,0a,\n", 3, "not between the years"),
        ("-5,/b,A,1,0a,\n", 3, "not between the years"),
        ("9999999999999999999,/b,A,1,0a,\n", 3, "is no time"),
        ("1000,/b,A,-1,0a,\n", 3, "\"-1\" is no size"),
        ("1000,/b,A,,0a,\n", 3, "\"\" is no size"),
        ("1000,b,A,1,0a,\n", 3, "\"b\" is no path"),
        ("1000,,A,1,0a,\n", 3, "\"\" is no path"),
        ("1000,\"/b\nc\",A,1,0a,\n", 3, "is no path"),
        ("1000,/b,A,1,0a\n", 3, "5 fields where the header has 6"),
        ("1000,/b,c,A,1,0a,\n", 3, "7 fields where the header has 6"),
        ("1000,\"/b,A,1,0a,\n", 3, "quoted field"),
        ("\n1001,/b,A,1,0a,\n1000,/c,A,1,0a,\n", 5, "earlier than the event before"),
        ("1001,/a,A,1,0a,\n", 3, "already there"),
        ("1001,/b,M,1,0a,\n", 3, "not there at that time"),
        ("1001,/a,D,0,,\n1002,/a,D,0,,\n", 4, "not there at that time"),
        ("1001,/a,D,0,,\n1002,/a,M,1,0a,\n", 4, "not there at that time"),
    ] {
        let refused = read(&[good, rows].concat()).unwrap_err();
        let text = refused.to_string();
        assert!(refused.line == line && text.starts_with(&format!("line {line}: ")), "{rows}: {text}");
        assert!(text.contains(why), "{rows}: {text}");
    }
    let long = |len: usize| format!("1000,/{},A,1,0a,\n", "x".repeat(len));
    assert_eq!(read(&long(PATH_BYTES_MAX - 1)).unwrap().pages(), 1);
    assert!(matches!(read(&long(PATH_BYTES_MAX)).unwrap_err(), Malformed { line: 2, what: Fault::PathTooLong }));
    let what = read(&long(ROW_BYTES_MAX)).unwrap_err().what;
    assert!(matches!(what, Fault::RowTooLong), "{what}");
    let what = read("5,/a,A,1,0a,\n4,/a,M,1,0b,\n").unwrap_err().what;
    assert!(matches!(what, Fault::Impossible(Impossible::Unsorted)), "{what}");
}

#[test]
fn every_missing_column_is_named() {
    for name in ["time", "path", "kind", "size", "sha1", "media_type"] {
        let header = HEADER.replace(name, "other");
        let refused = read_events(format!("{header}1,/a,A,1,0a,\n").as_bytes()).unwrap_err();
        assert_eq!((refused.line, refused.to_string()), (1, format!("line 1: there is no column {name}")));
    }
    assert_eq!(read_events(&b""[..]).unwrap_err().line, 1);
    assert_eq!(read("").unwrap().events(), []);
}

#[test]
fn a_file_of_several_members_is_read_and_every_cut_is_noticed() {
    let rows: String = (0..40).map(|n| format!("{},/page-{n},A,1,{n:010x},text/html\n", 1000 + n)).collect();
    let text = [HEADER, &rows].concat();
    let whole = zip(text.as_bytes());
    for cut in 0..whole.len() {
        let refused = read_events(&whole[..cut]).unwrap_err();
        assert!((1..=42).contains(&refused.line), "{cut}: {refused}");
        let torn = matches!(refused.what, Fault::Torn) || cut < 2;
        assert!(torn, "{cut}: {refused}");
    }
    let (first, second) = text.split_at(500);
    let members = [zip(first.as_bytes()), zip(second.as_bytes())].concat();
    assert_eq!(read_events(members.as_slice()).unwrap().events().len(), 40);
    let refused = read_events(&members[..members.len() - 3]).unwrap_err();
    assert!(matches!(refused, Malformed { line: 20.., what: Fault::Torn }), "{refused}");
    let mut damaged = whole.clone();
    damaged[whole.len() - 6] ^= 1;
    assert!(matches!(read_events(damaged.as_slice()).unwrap_err().what, Fault::Read(_)));
}

/// A segment as it stands beside a table: URL, date, status line with fields, body, WARC-Truncated.
type Answer<'a> = (&'a str, i64, &'a str, &'a [u8], Option<&'a str>);

const BEGAN: i64 = 1000;

fn segment(answers: &[Answer<'_>]) -> Vec<u8> {
    let (mut composer, mut encoder, mut out) = (Composer::new(), Encoder::default(), Vec::new());
    let (header, block) = composer.warcinfo(RecordId::new(0), Time::from_secs(BEGAN), "history.warc.gz", &[]);
    encoder.encode(header, &[&block], &mut out);
    for (n, (url, at, head, body, truncated)) in answers.iter().enumerate() {
        let head = format!("HTTP/1.1 {head}\r\n\r\n");
        let date = Time::from_secs(*at);
        let about = ResponseHead { url, date, address: None, protocols: &[], truncated: *truncated };
        let digest = sha1_of(&[head.as_bytes(), body]);
        let len = (head.len() + body.len()) as u64;
        let header = composer.response(RecordId::new(n as u128 + 1), &about, digest, digest, len);
        encoder.encode(header, &[head.as_bytes(), body], &mut out);
    }
    out
}

const ROWS: &str = "990,/,A,5,0a,text/html\n1000,/b c?d,A,9,0b,image/gif\n1001,/,M,5,0c,text/html\n1002,/,D,0,,\n";
const ANSWERS: [Answer<'_>; 4] = [
    (
        "https://a.example/",
        990,
        "200 OK\r\nContent-Type: text/html\r\nETag: \"1\"\r\nContent-Length: 5",
        b"hello",
        None,
    ),
    ("https://a.example/b%20c?d", 1000, "200 OK\r\nDate: now\r\nContent-Type: image/gif", b"GIF", Some("length")),
    ("https://a.example/", 1001, "200 OK\r\nTransfer-Encoding: chunked", b"3\r\nbye\r\n0\r\n\r\n", None),
    ("https://a.example/", 1002, "404 Not Found", b"", None),
];

fn open(answers: &[Answer<'_>]) -> Result<Segment<Cursor<Vec<u8>>>, (u64, String)> {
    let opened = Segment::open(Cursor::new(segment(answers)), &read(ROWS).unwrap());
    opened.map_err(|bad| (bad.record, bad.to_string()))
}

#[test]
fn a_segment_gives_the_document_of_every_row_in_any_order() {
    let mut opened = open(&ANSWERS).unwrap();
    assert_eq!((opened.origin(), opened.began()), ("https://a.example", Time::from_secs(BEGAN)));
    let mut get = |row| opened.document(row).unwrap().unwrap();
    assert_eq!(get(3), Document::gone());
    let first = Document {
        status: 200,
        content_type: Some("text/html".to_owned()),
        headers: vec![("ETag".to_owned(), "\"1\"".to_owned())],
        body: b"hello".to_vec(),
        truncated: false,
    };
    assert_eq!(get(0), first);
    let cut = get(1);
    assert_eq!((cut.body.as_slice(), cut.truncated, cut.headers), (&b"GIF"[..], true, vec![]));
    assert_eq!(get(2).body, b"bye");
    assert_eq!(get(0), first);
}

#[test]
fn a_segment_that_tells_another_story_is_refused_with_the_record() {
    let with = |n: usize, change: &dyn Fn(&mut Answer<'static>)| {
        let mut answers = ANSWERS;
        change(&mut answers[n]);
        open(&answers).unwrap_err()
    };
    let refused = |(record, text): (u64, String), number, why: &str| {
        assert!(record == number && text.starts_with(&format!("record {number}: ")) && text.contains(why), "{text}");
    };
    refused(with(0, &|answer| answer.0 = "https://a.example/x"), 1, "is not that of the event");
    refused(with(1, &|answer| answer.0 = "https://b.example/b%20c?d"), 2, "is not that of the event");
    refused(with(0, &|answer| answer.0 = "/"), 1, "is not that of the event");
    refused(with(2, &|answer| answer.1 += 1), 3, "its date 1970-01-01T00:16:42Z");
    refused(open(&ANSWERS[..3]).unwrap_err(), 4, "not there");
    refused(open(&[ANSWERS, ANSWERS].concat()).unwrap_err(), 5, "no event");
    let bytes = segment(&ANSWERS);
    let no_info = &bytes[members(&bytes)[1]..];
    let history = read(ROWS).unwrap();
    let why = Segment::open(Cursor::new(no_info), &history).unwrap_err();
    refused((why.record, why.to_string()), 0, "no warcinfo");
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(bytes.as_slice()), &mut plain).unwrap();
    assert!(Segment::open(Cursor::new(&plain), &history).is_ok());
    let why = Segment::open(Cursor::new(zip(&plain)), &history).unwrap_err();
    assert!(why.to_string().contains("share one compressed member"), "{why}");
}

/// Where the members of a segment begin.
fn members(bytes: &[u8]) -> Vec<usize> {
    let mut reader = tintype_warc::Reader::new(bytes);
    std::iter::from_fn(|| reader.next().unwrap().map(|record| record.offset as usize)).collect()
}

#[test]
fn a_segment_cut_anywhere_is_refused_with_the_record_it_was_cut_in() {
    let (bytes, history) = (segment(&ANSWERS), read(ROWS).unwrap());
    let starts = members(&bytes);
    for cut in 0..bytes.len() {
        let refused = Segment::open(Cursor::new(&bytes[..cut]), &history).unwrap_err();
        let within = starts.partition_point(|start| *start <= cut) as u64 - 1;
        assert_eq!(refused.record, within, "{cut}: {refused}");
    }
}

#[test]
fn a_record_that_went_bad_after_opening_is_no_document() {
    let bytes = segment(&ANSWERS);
    let place = members(&bytes)[1] + 40;
    let mut opened = open(&ANSWERS).unwrap();
    opened.inner.get_mut()[place] ^= 0xff;
    assert!(matches!(opened.document(0), Err(Unreadable::Damaged { row: 0 })));
    assert!(opened.document(1).is_ok());
}
