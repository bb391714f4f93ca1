//! Labelled digests (`sha1:…`) and checking bytes against them as they stream by.

use crate::{Header, RecordType, chunked::Dechunker, finding::Problem, http::Head};
use data_encoding::{BASE32, BASE32_NOPAD, HEXLOWER_PERMISSIVE};
use sha1::{Digest as _, Sha1};
use sha2::Sha256;
use tintype_vocab::Digest;

/// A digest as a record states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stated {
    Sha1([u8; 20]),
    Sha256([u8; 32]),
    /// Another algorithm or a form we cannot read, kept as written.
    Unknown(String),
}

impl Stated {
    /// Reads `label:value`; the value may be BASE32 (padded or not, any case) or hexadecimal.
    pub fn parse(text: &str) -> Stated {
        let unknown = || Stated::Unknown(text.to_owned());
        let Some((label, value)) = text.split_once(':') else { return unknown() };
        match label.to_ascii_lowercase().as_str() {
            "sha1" | "sha-1" => bytes_of(value).map_or_else(unknown, Stated::Sha1),
            "sha256" | "sha-256" => bytes_of(value).map_or_else(unknown, Stated::Sha256),
            _ => unknown(),
        }
    }
}

/// Decodes by the length the algorithm leaves no doubt about.
fn bytes_of<const N: usize>(value: &str) -> Option<[u8; N]> {
    let value = value.trim();
    let bytes = if value.len() == N * 2 {
        HEXLOWER_PERMISSIVE.decode(value.as_bytes()).ok()?
    } else {
        let upper = value.trim_end_matches('=').to_ascii_uppercase();
        BASE32_NOPAD.decode(upper.as_bytes()).ok()?
    };
    bytes.try_into().ok()
}

/// SHA-1 of bytes at hand.
pub fn sha1(bytes: &[u8]) -> Digest {
    Digest(Sha1::digest(bytes).into())
}

/// SHA-1 of several slices as if they were one.
pub fn sha1_of(parts: &[&[u8]]) -> Digest {
    let mut hash = Sha1::new();
    parts.iter().for_each(|part| hash.update(part));
    Digest(hash.finalize().into())
}

/// `sha1:` and BASE32 appended to a text without an allocation of its own.
pub(crate) fn append_sha1(digest: &Digest, out: &mut String) {
    out.push_str("sha1:");
    BASE32.encode_append(&digest.0, out);
}

/// The hash a stated digest asks for, running.
#[derive(Clone, Debug)]
enum Running {
    Sha1(Sha1, [u8; 20]),
    Sha256(Sha256, [u8; 32]),
    Unknown,
}

impl Running {
    fn against(stated: &Stated) -> Running {
        match stated {
            Stated::Sha1(want) => Running::Sha1(Sha1::new(), *want),
            Stated::Sha256(want) => Running::Sha256(Sha256::new(), *want),
            Stated::Unknown(_) => Running::Unknown,
        }
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            Running::Sha1(hash, _) => hash.update(bytes),
            Running::Sha256(hash, _) => hash.update(bytes),
            Running::Unknown => {}
        }
    }

    /// `None` when nothing could be checked.
    fn matches(self) -> Option<bool> {
        match self {
            Running::Sha1(hash, want) => Some(<[u8; 20]>::from(hash.finalize()) == want),
            Running::Sha256(hash, want) => Some(<[u8; 32]>::from(hash.finalize()) == want),
            Running::Unknown => None,
        }
    }
}

/// Checks one record's block and payload digests while its bytes go by in pieces of any size.
#[derive(Debug)]
pub struct Checker {
    block: Option<Running>,
    payload: Option<Running>,
    decoded: Option<(Dechunker, Running)>,
    /// Bytes of the HTTP head still to pass before the payload starts.
    head_left: u64,
}

impl Checker {
    /// `start` is as much of the block as is in memory: the HTTP head is looked for in it.
    pub fn new(header: &Header, start: &[u8]) -> Checker {
        let payload = payload_stated(header).map(|d| Running::against(&Stated::parse(d)));
        let head = if payload.is_some() && has_http_head(header) { Head::parse(start) } else { None };
        let chunked = head.as_ref().is_some_and(is_chunked);
        Checker {
            block: header.block_digest().map(|d| Running::against(&Stated::parse(d))),
            decoded: payload.clone().filter(|_| chunked).map(|running| (Dechunker::new(), running)),
            payload,
            head_left: head.map_or(0, |head| head.len as u64),
        }
    }

    /// Whether there is anything to check.
    pub fn is_idle(&self) -> bool {
        self.block.is_none() && self.payload.is_none()
    }

    /// The next bytes of the block.
    pub fn update(&mut self, bytes: &[u8]) {
        if let Some(block) = &mut self.block {
            block.update(bytes);
        }
        let skip = self.head_left.min(bytes.len() as u64);
        self.head_left -= skip;
        let body = &bytes[skip as usize..];
        if let Some(payload) = &mut self.payload {
            payload.update(body);
        }
        if let Some((decoder, running)) = &mut self.decoded {
            decoder.feed(body, &mut |piece| running.update(piece));
        }
    }

    /// What is wrong with the digests, once the whole block has gone by.
    pub fn finish(self) -> impl Iterator<Item = Problem> {
        let block = self.block.and_then(|running| verdict(running.matches(), "WARC-Block-Digest"));
        let decoded = self.decoded.and_then(|(_, running)| running.matches());
        let payload = self.payload.and_then(|running| match (running.matches(), decoded) {
            (_, Some(true)) => None,
            (Some(true), Some(false)) => Some(Problem::DigestOverChunks),
            (raw, _) => verdict(raw, "WARC-Payload-Digest"),
        });
        block.into_iter().chain(payload)
    }
}

fn verdict(matches: Option<bool>, field: &'static str) -> Option<Problem> {
    match matches {
        Some(true) => None,
        Some(false) => Some(Problem::WrongDigest { field }),
        None => Some(Problem::UnknownDigest { field }),
    }
}

/// The payload digest, where the payload is in the record: a duplicate's payload is elsewhere by definition.
fn payload_stated(header: &Header) -> Option<&str> {
    let here = !matches!(header.record_type(), RecordType::Duplicate) && header.get("WARC-Segment-Number").is_none();
    header.payload_digest().filter(|_| here)
}

/// Whether the block of such a record begins with an HTTP head.
pub fn has_http_head(header: &Header) -> bool {
    let kind = matches!(header.record_type(), RecordType::Response | RecordType::Request | RecordType::Duplicate);
    let scheme = |uri: &str| {
        let starts = |s: &str| uri.get(..s.len()).is_some_and(|start| start.eq_ignore_ascii_case(s));
        starts("http:") || starts("https:")
    };
    kind && header.target_uri().is_some_and(|uri| scheme(&uri))
}

/// Whether a stored head says that chunk framing follows.
pub fn is_chunked(head: &Head<'_>) -> bool {
    head.get("transfer-encoding").is_some_and(|v| v.to_ascii_lowercase().contains("chunked"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABC: &str = "VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5";

    fn problems(fields: &[(&str, &str)], block: &[u8]) -> Vec<Problem> {
        let mut header = Header::new();
        fields.iter().for_each(|(n, v)| header.push(n, v));
        let mut checker = Checker::new(&header, block);
        block.chunks(3).for_each(|piece| checker.update(piece));
        checker.finish().collect()
    }

    fn response(digest: &str, block: &[u8]) -> Vec<Problem> {
        let uri = ("WARC-Target-URI", "http://a/");
        problems(&[("WARC-Type", "response"), uri, ("WARC-Payload-Digest", digest)], block)
    }

    #[test]
    fn all_written_forms_of_a_digest_are_one() {
        let want = Stated::Sha1(sha1(b"abc").0);
        assert_eq!(Stated::parse(&format!("sha1:{ABC}")), want);
        assert_eq!(Stated::parse(&format!("SHA-1:{}", ABC.to_lowercase())), want);
        assert_eq!(Stated::parse("sha1:a9993e364706816aba3e25717850c26c9cd0d89d"), want);
        let long = "sha256:BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD";
        assert_eq!(Stated::parse(long), Stated::Sha256(Sha256::digest(b"abc").into()));
        for odd in ["sha1:xyz", "md5:900150983cd24fb0d6963f7d28e17f72", "abc", "sha256:", "sha1:é"] {
            assert_eq!(Stated::parse(odd), Stated::Unknown(odd.into()));
        }
    }

    #[test]
    fn right_wrong_and_unknown_digests_are_told_apart() {
        let block = b"HTTP/1.1 200 OK\r\n\r\nabc";
        assert_eq!(response(&format!("sha1:{ABC}"), block), []);
        assert_eq!(
            response(&Digest::EMPTY.to_string(), block),
            [Problem::WrongDigest { field: "WARC-Payload-Digest" }]
        );
        assert_eq!(response("md5:00", block), [Problem::UnknownDigest { field: "WARC-Payload-Digest" }]);
        assert_eq!(problems(&[("WARC-Block-Digest", &format!("sha1:{ABC}"))], b"abc"), []);
        let wrong = [Problem::WrongDigest { field: "WARC-Block-Digest" }];
        assert_eq!(problems(&[("WARC-Block-Digest", &format!("sha1:{ABC}"))], b"abd"), wrong);
    }

    #[test]
    fn a_digest_over_the_body_or_over_its_chunks_is_accepted() {
        let block = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
        assert_eq!(response(&format!("sha1:{ABC}"), block), []);
        let over_chunks = sha1(b"3\r\nabc\r\n0\r\n\r\n").to_string();
        assert_eq!(response(&over_chunks, block), [Problem::DigestOverChunks]);
        assert_eq!(
            response(&Digest::EMPTY.to_string(), block),
            [Problem::WrongDigest { field: "WARC-Payload-Digest" }]
        );
    }

    #[test]
    fn the_payload_of_a_duplicate_is_not_looked_for_here() {
        let digest = format!("sha1:{ABC}");
        assert_eq!(problems(&[("WARC-Type", "revisit"), ("WARC-Payload-Digest", &digest)], b""), []);
    }
}
