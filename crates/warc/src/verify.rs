//! Everything wrong with one segment, including what other validators let pass.

use crate::{
    Header, Problem, Reader, Record, RecordFindings, RecordType, digest::Checker, digest::has_http_head, http::Head,
};
use std::{
    borrow::Cow,
    collections::HashSet,
    hash::{DefaultHasher, Hash, Hasher},
    io::{self, Read},
};
use tintype_vocab::Time;

/// Ids and originals beyond this many are not remembered, so that repeats among them go unnoticed.
pub const REMEMBERED_MAX: usize = 4_000_000;

/// What a duplicate record says its original is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference<'a> {
    pub url: Cow<'a, str>,
    pub date: Time,
}

/// The outcome for one segment.
#[derive(Debug, Default)]
pub struct WarcReport {
    pub records: u64,
    /// Where the last whole record ends; less than the file's length when its tail is torn.
    pub valid_up_to: u64,
    pub findings: RecordFindings,
}

/// Checks every record. `elsewhere` says whether an original that is not in this file exists in another.
pub fn check<R: Read>(
    mut reader: Reader<R>,
    elsewhere: &mut dyn FnMut(&Reference<'_>) -> bool,
) -> io::Result<WarcReport> {
    let (mut seen, mut records, mut found) = (Seen::default(), 0, RecordFindings::default());
    while let Some(mut record) = reader.next()? {
        records += 1;
        let offset = record.offset;
        let mut add = |problem| found.add(offset, problem);
        check_fields(record.header, &mut add);
        check_place_among_others(record.header, &mut seen, elsewhere, &mut add);
        check_bytes(&mut record, &mut add)?;
    }
    let (valid_up_to, mut findings) = (reader.valid_up_to(), reader.take_findings());
    found.iter().for_each(|finding| findings.add(finding.offset, finding.problem.clone()));
    findings.sort();
    Ok(WarcReport { records, valid_up_to, findings })
}

/// Hashes of what was met before: a false alarm needs two equal 64-bit hashes.
#[derive(Default)]
struct Seen {
    ids: HashSet<u64>,
    originals: HashSet<u64>,
}

fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn remember(set: &mut HashSet<u64>, value: impl Hash) -> bool {
    let hash = hash_of(value);
    set.contains(&hash) || (set.len() < REMEMBERED_MAX && !set.insert(hash))
}

fn check_fields(header: &Header, add: &mut dyn FnMut(Problem)) {
    let kind = header.record_type();
    if kind == RecordType::Other {
        add(Problem::UnknownType);
    }
    if header.record_id().is_none_or(str::is_empty) {
        add(Problem::BadField { name: "WARC-Record-ID" });
    }
    if header.date().is_none() {
        add(Problem::BadField { name: "WARC-Date" });
    }
    let about_a_page = matches!(kind, RecordType::Response | RecordType::Request | RecordType::Duplicate);
    if about_a_page && header.target_uri().is_none() {
        add(Problem::BadField { name: "WARC-Target-URI" });
    }
}

fn check_place_among_others(
    header: &Header,
    seen: &mut Seen,
    elsewhere: &mut dyn FnMut(&Reference<'_>) -> bool,
    add: &mut dyn FnMut(Problem),
) {
    if header.record_id().is_some_and(|id| remember(&mut seen.ids, id)) {
        add(Problem::RepeatedId);
    }
    match header.record_type() {
        RecordType::Response | RecordType::Resource => {
            if let (Some(url), Some(date)) = (header.target_uri(), header.date()) {
                remember(&mut seen.originals, (url.as_ref(), date));
            }
        }
        RecordType::Duplicate => match (header.refers_to_target_uri(), header.refers_to_date()) {
            (Some(url), Some(date)) => {
                let here = seen.originals.contains(&hash_of((url.as_ref(), date)));
                if !here && !elsewhere(&Reference { url, date }) {
                    add(Problem::OriginalMissing);
                }
            }
            _ => add(Problem::OriginalUnnamed),
        },
        _ => {}
    }
}

fn check_bytes(record: &mut Record<'_>, add: &mut dyn FnMut(Problem)) -> io::Result<()> {
    let response = record.header.record_type() == RecordType::Response && has_http_head(record.header);
    if response && Head::parse(record.block()).is_none() {
        add(Problem::NoHttpHead);
    }
    let mut checker = Checker::new(record.header, record.block());
    let extent = record.pour(&mut |piece| checker.update(piece))?;
    if extent.is_some() {
        checker.finish().for_each(add);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Composer, Encoder, OriginalRecord, RecordId, ResponseHead, digest::sha1};

    const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\n\r\n";

    fn about(url: &str) -> ResponseHead<'_> {
        ResponseHead { url, date: Time::from_secs(7), address: None, protocols: &[], truncated: None }
    }

    fn response(id: u128, url: &str, block: &[u8], stated: &[u8]) -> Vec<u8> {
        let (mut composer, mut out) = (Composer::new(), Vec::new());
        let header =
            composer.response(RecordId::new(id), &about(url), sha1(stated), sha1(&stated[19..]), block.len() as u64);
        Encoder::default().encode(header, &[block], &mut out);
        out
    }

    fn duplicate(id: u128, of: &str) -> Vec<u8> {
        let (mut composer, mut out) = (Composer::new(), Vec::new());
        let original = OriginalRecord { url: of, date: Time::from_secs(7), id: None, payload: sha1(b"x") };
        let header = composer.not_modified(RecordId::new(id), of, about(of).date, &original, &Default::default());
        Encoder::default().encode(header, &[], &mut out);
        out
    }

    fn problems(parts: &[&[u8]]) -> Vec<Problem> {
        let bytes = parts.concat();
        let report = check(Reader::new(bytes.as_slice()), &mut |r| r.url == "http://elsewhere/").unwrap();
        report.findings.iter().map(|finding| finding.problem.clone()).collect()
    }

    #[test]
    fn a_sound_segment_has_no_findings() {
        let page = [HEAD, b"abc"].concat();
        let good = response(1, "http://a/", &page, &page);
        assert_eq!(problems(&[&good, &duplicate(2, "http://a/"), &duplicate(3, "http://elsewhere/")]), []);
    }

    #[test]
    fn each_kind_of_damage_is_named() {
        let page = [HEAD, b"abc"].concat();
        let other = [HEAD, b"abd"].concat();
        let good = response(1, "http://a/", &page, &page);
        let wrong = [
            Problem::WrongDigest { field: "WARC-Block-Digest" },
            Problem::WrongDigest { field: "WARC-Payload-Digest" },
        ];
        assert_eq!(problems(&[&response(1, "http://a/", &page, &other)]), wrong);
        assert_eq!(problems(&[&good, &good]), [Problem::RepeatedId]);
        assert_eq!(problems(&[&duplicate(2, "http://nowhere/")]), [Problem::OriginalMissing]);
        assert_eq!(problems(&[&good, &good[..good.len() - 1]]), [Problem::Torn]);
        let no_head = b"<html>0123456789012345";
        assert_eq!(problems(&[&response(1, "http://a/", no_head, no_head)])[0], Problem::NoHttpHead);
    }

    #[test]
    fn missing_fields_are_named() {
        let (mut header, mut out) = (Header::new(), Vec::new());
        header.push("WARC-Type", "response");
        header.push("Content-Length", "0");
        Encoder::default().encode(&header, &[], &mut out);
        let names = ["WARC-Record-ID", "WARC-Date", "WARC-Target-URI"].map(|name| Problem::BadField { name });
        assert_eq!(problems(&[&out]), names);
    }
}
