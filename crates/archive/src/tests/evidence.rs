//! What the segments alone tell is what the log tells.

use super::rig::{self, HTML, START, exchange, files, head, open, temporary};
use crate::{CaptureId, Collection, Evidence, Exchange, evidence};
use proptest::{collection::vec, prelude::*};
use std::path::Path;
use tintype_vocab::{
    Change, ChangeRate, Entry, Failure, Observation, Outcome, Phase, Purpose, Span, Time, Truncated, Validators,
};

/// What of an observation the records hold.
fn told(mut observation: Observation) -> Observation {
    (observation.change, observation.media_type, observation.robots) = (Change::Unknown, None, None);
    observation.max_age = None;
    if observation.purpose == Purpose::Robots {
        observation.links = Default::default();
    }
    observation
}

fn by_log(collection: &Collection, id: &CaptureId) -> Vec<Observation> {
    let mut visits = Vec::new();
    for entry in collection.reading().entries(id).unwrap() {
        if let Entry::Observation(observation) = entry.unwrap() {
            visits.push(told(*observation));
        }
    }
    visits.sort_by_key(|visit| visit.asked);
    visits
}

fn by_segments(root: &Path, id: &CaptureId) -> (Vec<Observation>, Evidence) {
    let mut visits = Vec::new();
    let files = files(&root.join("warc"), ".warc.gz");
    let evidence = evidence(&files, id, &mut |visit| visits.push(told(visit.clone()))).unwrap();
    visits.sort_by_key(|visit| visit.asked);
    (visits, evidence)
}

/// One thing that can come of a request.
#[derive(Clone, Debug)]
struct Happening {
    page: u8,
    body: u8,
    kind: u8,
    rate: f32,
}

fn happenings() -> impl Strategy<Value = Vec<Vec<Happening>>> {
    let one = (0..4_u8, 0..3_u8, 0..9_u8, 0.0..5.0_f32);
    let one = one.prop_map(|(page, body, kind, rate)| Happening { page, body, kind, rate });
    vec(vec(one, 1..10), 1..4)
}

fn outcome(kind: u8) -> Outcome {
    match kind {
        0..=3 => Outcome::Body { status: 200 },
        4 => Outcome::NotModified,
        5 => Outcome::Gone { status: 404 },
        6 => Outcome::Redirected { status: 301, to: "http://example.com/1".to_owned() },
        7 => Outcome::Failed { cause: Failure::Timeout(Phase::Connect) },
        _ => Outcome::Failed { cause: Failure::Disconnected },
    }
}

fn answer(happening: &Happening, path: &str) -> Option<Exchange> {
    let body = format!("<img src=/{0}.png><a href=/{0}>{0}</a><img src=x.png>", happening.body);
    let dated = format!("{HTML}Last-Modified: Sun, 15 Nov 2026 0{}:00:00 GMT\r\n", happening.body);
    Some(match happening.kind {
        3 => exchange(path, "200 OK", &dated, b""),
        0..=2 => exchange(path, "200 OK", &dated, body.as_bytes()),
        4 => exchange(path, "304 Not Modified", "Last-Modified: Sun, 15 Nov 2026 01:00:00 GMT\r\n", b""),
        5 => exchange(path, "404 Not Found", HTML, b"nothing here"),
        6 => exchange(path, "301 Moved", "Location: /1\r\n", b"nothing here"),
        7 => return None,
        _ => Exchange { truncated: Some(Truncated::Disconnect), ..exchange(path, "200 OK", HTML, b"<img src=") },
    })
}

/// Captures a site, and again, and again.
fn capture(collection: &Collection, number: usize, happenings: &[Happening]) -> CaptureId {
    let started = START + Span::from_days(number as i64);
    let mut capture = collection.begin(head(started)).unwrap();
    for (n, happening) in happenings.iter().enumerate() {
        let path = format!("/dir{}/{}", happening.page % 2, happening.page);
        let mut visit = rig::visit(n as u32, &path, started, outcome(happening.kind));
        visit.request.rate = ChangeRate { per_day: happening.rate, shape: 0.7 };
        visit.request.purpose = if n % 3 == 2 { Purpose::Revisit } else { Purpose::Visit };
        capture.ingest(&visit, answer(happening, &path), None).unwrap();
    }
    let id = capture.id().clone();
    capture.finish(&serde_json::json!({})).unwrap();
    id
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn segments_alone_tell_what_the_log_tells(captures in happenings()) {
        let directory = temporary();
        let collection = open(directory.path());
        for (number, happenings) in captures.iter().enumerate() {
            let id = capture(&collection, number, happenings);
            let (visits, evidence) = by_segments(directory.path(), &id);
            prop_assert_eq!(&visits, &by_log(&collection, &id));
            prop_assert_eq!((evidence.visits as usize, evidence.elsewhere), (happenings.len(), 0));
            prop_assert_eq!(evidence.head.unwrap().started, START + Span::from_days(number as i64));
            prop_assert_eq!((evidence.others.len(), evidence.findings), (number, vec![]));
        }
    }
}

fn two_captures(root: &Path) -> (Collection, [CaptureId; 2]) {
    let collection = open(root);
    let page = |page, body, kind| Happening { page, body, kind, rate: 1.0 };
    let ids = [[page(0, 0, 0), page(1, 1, 0)], [page(0, 0, 0), page(1, 0, 4)]];
    let ids = [0, 1].map(|number| capture(&collection, number, &ids[number]));
    (collection, ids)
}

#[test]
fn duplicates_of_what_is_not_among_the_files_are_counted() {
    let directory = temporary();
    let (_, ids) = two_captures(directory.path());
    let second = files(&directory.path().join("warc"), ".warc.gz").remove(1);
    let mut visits = Vec::new();
    let evidence = evidence(&[second], &ids[1], &mut |visit| visits.push(visit.clone())).unwrap();
    assert_eq!((evidence.visits, evidence.elsewhere, evidence.segments), (2, 2, 1));
    assert!(visits.iter().all(|visit| visit.digest.is_some() && visit.links.is_empty()));
}

/// Writes a segment again, its records as `mend` leaves them.
fn rewrite(path: &Path, mut mend: impl FnMut(&tintype_warc::Header, &mut Vec<u8>) -> bool) {
    let bytes = std::fs::read(path).unwrap();
    let (mut reader, mut encoder, mut out) =
        (tintype_warc::Reader::new(bytes.as_slice()), tintype_warc::Encoder::default(), Vec::new());
    while let Some(record) = reader.next().unwrap() {
        let mut block = record.block().to_vec();
        if mend(record.header, &mut block) {
            encoder.encode(record.header, &[&block], &mut out);
        }
    }
    std::fs::write(path, out).unwrap();
}

#[test]
fn digests_are_those_of_the_bytes_not_those_of_the_headers() {
    let directory = temporary();
    let (collection, ids) = two_captures(directory.path());
    let first = files(&directory.path().join("warc"), ".warc.gz").remove(0);
    let mut touched = 0;
    rewrite(&first, |header, block| {
        if header.record_type() == tintype_warc::RecordType::Response {
            *block.last_mut().unwrap() ^= 1;
            touched += 1;
        }
        true
    });
    assert_eq!(touched, 2);
    for id in &ids {
        let (visits, evidence) = by_segments(directory.path(), id);
        let logged = by_log(&collection, id);
        assert_eq!(visits.len(), logged.len());
        assert!(visits.iter().zip(&logged).all(|(visit, logged)| visit.digest != logged.digest), "{visits:?}");
        assert_eq!(evidence.findings.is_empty(), id == &ids[1], "{:?}", evidence.findings);
    }
}

#[test]
fn a_visit_that_lost_a_record_is_no_visit() {
    let directory = temporary();
    let (_, ids) = two_captures(directory.path());
    let second = files(&directory.path().join("warc"), ".warc.gz").remove(1);
    let mut requests = 0;
    rewrite(&second, |header, _| {
        requests += u32::from(header.record_type() == tintype_warc::RecordType::Request);
        requests != 1 || header.record_type() != tintype_warc::RecordType::Request
    });
    let (visits, _) = by_segments(directory.path(), &ids[1]);
    assert_eq!(visits.len(), 1);
}

#[test]
fn a_file_of_another_tool_tells_its_visits_by_their_dates() {
    let directory = temporary();
    let (_, ids) = two_captures(directory.path());
    let path = files(&directory.path().join("warc"), ".warc.gz").remove(0);
    rewrite(&path, |header, _| header.record_type() == tintype_warc::RecordType::Response);
    let mut visits = Vec::new();
    let evidence = evidence(&[path], &ids[1], &mut |visit| visits.push(visit.clone())).unwrap();
    assert_eq!((visits.len(), evidence.segments, evidence.head), (2, 1, None));
    let modified =
        Validators { etag: Some("\"1\"".into()), last_modified: Some("Sun, 15 Nov 2026 00:00:00 GMT".into()) };
    assert_eq!((visits[0].asked, visits[0].answered, &visits[0].validators), (START, START, &modified));
    assert_eq!((visits[0].rate, visits[0].links.len()), (ChangeRate::default(), 3));
    assert!(visits.iter().all(|visit| visit.asked > Time::MIN && visit.outcome == Outcome::Body { status: 200 }));
}

#[test]
fn what_is_no_warc_file_is_refused() {
    let directory = temporary();
    let path = directory.path().join("notes.txt");
    std::fs::write(&path, "no records here").unwrap();
    let error = evidence(&[path], &CaptureId::from_text("1-x"), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("is not a WARC file"), "{error}");
}
