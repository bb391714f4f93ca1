//! The headers of the records we write, field for field as replay tools want them.

use crate::{Header, digest::append_sha1};
use tintype_vocab::{Digest, Time, Validators};

const IDENTICAL: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
const NOT_MODIFIED: &str = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";
const HTTP_RESPONSE: &str = "application/http; msgtype=response";
const HTTP_REQUEST: &str = "application/http; msgtype=request";
const WARC_FIELDS: &str = "application/warc-fields";

/// The id of a record: 128 bits from the caller's dice, printed as a version 4 UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecordId(u128);

impl RecordId {
    pub fn new(random: u128) -> RecordId {
        let variant = random & !(0xf << 76) & !(0x3 << 62);
        RecordId(variant | (0x4 << 76) | (0x2 << 62))
    }
}

impl std::fmt::Display for RecordId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let n = self.0;
        let (a, b, c) = ((n >> 96) as u32, (n >> 80) as u16, (n >> 64) as u16);
        let (d, e) = ((n >> 48) as u16, n as u64 & 0xffff_ffff_ffff);
        write!(f, "<urn:uuid:{a:08x}-{b:04x}-{c:04x}-{d:04x}-{e:012x}>")
    }
}

/// What response, request and duplicate records of one visit have in common.
#[derive(Clone, Copy, Debug)]
pub struct ResponseHead<'a> {
    pub url: &'a str,
    pub date: Time,
    /// The address that answered, as text.
    pub address: Option<&'a str>,
    /// Protocol names beyond HTTP/1.1 in the clear: `h2`, `tls/1.3`.
    pub protocols: &'a [&'a str],
    /// `length`, `time` or `disconnect` when the body was cut short.
    pub truncated: Option<&'a str>,
}

/// The response a duplicate record stands for. Never itself a duplicate: replay tools do not follow chains.
#[derive(Clone, Copy, Debug)]
pub struct OriginalRecord<'a> {
    pub url: &'a str,
    pub date: Time,
    pub id: Option<&'a str>,
    pub payload: Digest,
}

/// A fetch that gave no response, told in a metadata record.
#[derive(Clone, Copy, Debug)]
pub struct Failed<'a> {
    pub url: &'a str,
    pub date: Time,
    /// A sentence for people: why there was no answer.
    pub cause: &'a str,
}

/// Fills headers. Holds one header and some text so that composing a record costs no allocation once warm.
#[derive(Debug, Default)]
pub struct Composer {
    header: Header,
    text: String,
}

impl Composer {
    pub fn new() -> Composer {
        Composer::default()
    }

    /// The first record of a segment. Returns the header and the block.
    pub fn warcinfo(
        &mut self,
        id: RecordId,
        date: Time,
        filename: &str,
        fields: &[(&str, &str)],
    ) -> (&Header, Vec<u8>) {
        let block = warc_fields(fields);
        self.start("warcinfo", id, date);
        self.header.push("WARC-Filename", filename);
        self.finish(WARC_FIELDS, crate::digest::sha1(&block), block.len() as u64);
        (&self.header, block)
    }

    /// A response whose block is `head` and `body` one after the other.
    pub fn response(
        &mut self,
        id: RecordId,
        about: &ResponseHead<'_>,
        block: Digest,
        payload: Digest,
        len: u64,
    ) -> &Header {
        self.start("response", id, about.date);
        self.about(about);
        self.push_digest("WARC-Payload-Digest", &payload);
        self.finish(HTTP_RESPONSE, block, len);
        &self.header
    }

    /// The request that led to the response `concurrent_to`.
    pub fn request(
        &mut self,
        id: RecordId,
        about: &ResponseHead<'_>,
        concurrent_to: RecordId,
        block: Digest,
        len: u64,
    ) -> &Header {
        self.start("request", id, about.date);
        self.about(&ResponseHead { truncated: None, ..*about });
        self.push_display("WARC-Concurrent-To", concurrent_to);
        self.finish(HTTP_REQUEST, block, len);
        &self.header
    }

    /// A duplicate whose payload is byte for byte that of `original`; its block is the new HTTP head alone.
    pub fn identical(
        &mut self,
        id: RecordId,
        about: &ResponseHead<'_>,
        original: &OriginalRecord<'_>,
        block: Digest,
        len: u64,
    ) -> &Header {
        self.start("revisit", id, about.date);
        self.about(about);
        self.header.push("WARC-Profile", IDENTICAL);
        self.refer(original);
        self.finish(HTTP_RESPONSE, block, len);
        &self.header
    }

    /// A duplicate because the server said "not modified". Its block is empty: a stored 304 head would be replayed
    /// as an empty 304 page. Nothing of it came over the wire but the answer, so nothing is said of the wire.
    pub fn not_modified(
        &mut self,
        id: RecordId,
        url: &str,
        date: Time,
        original: &OriginalRecord<'_>,
        validators: &Validators,
    ) -> &Header {
        self.start("revisit", id, date);
        self.header.push("WARC-Target-URI", url);
        self.header.push("WARC-Profile", NOT_MODIFIED);
        self.refer(original);
        if let Some(etag) = &validators.etag {
            self.header.push("WARC-Etag", etag);
        }
        if let Some(modified) = &validators.last_modified {
            self.header.push("WARC-Last-Modified", modified);
        }
        // There is no block, so nothing to describe.
        self.push_display("Content-Length", 0);
        &self.header
    }

    /// Something that no server sent: a page as a browser built it, its text, a picture of it.
    pub fn resource(&mut self, id: RecordId, uri: &str, date: Time, media_type: &str, block: &[u8]) -> &Header {
        let digest = crate::digest::sha1(block);
        self.start("resource", id, date);
        self.header.push("WARC-Target-URI", uri);
        self.push_digest("WARC-Payload-Digest", &digest);
        self.finish(media_type, digest, block.len() as u64);
        &self.header
    }

    /// A fetch that failed: nothing fails silently.
    pub fn failed(&mut self, id: RecordId, failed: &Failed<'_>) -> (&Header, Vec<u8>) {
        let block = warc_fields(&[("outcome", "failed"), ("cause", failed.cause)]);
        self.start("metadata", id, failed.date);
        self.header.push("WARC-Target-URI", failed.url);
        self.finish(WARC_FIELDS, crate::digest::sha1(&block), block.len() as u64);
        (&self.header, block)
    }

    fn start(&mut self, kind: &str, id: RecordId, date: Time) {
        self.header.clear();
        self.header.push("WARC-Type", kind);
        self.push_display("WARC-Record-ID", id);
        self.header.push("WARC-Date", &date.to_rfc3339());
    }

    fn about(&mut self, about: &ResponseHead<'_>) {
        self.header.push("WARC-Target-URI", about.url);
        if let Some(address) = about.address {
            self.header.push("WARC-IP-Address", address);
        }
        about.protocols.iter().for_each(|protocol| self.header.push("WARC-Protocol", protocol));
        if let Some(truncated) = about.truncated {
            self.header.push("WARC-Truncated", truncated);
        }
    }

    fn refer(&mut self, original: &OriginalRecord<'_>) {
        self.header.push("WARC-Refers-To-Target-URI", original.url);
        self.header.push("WARC-Refers-To-Date", &original.date.to_rfc3339());
        if let Some(id) = original.id {
            self.header.push("WARC-Refers-To", id);
        }
        self.push_digest("WARC-Payload-Digest", &original.payload);
    }

    fn finish(&mut self, content_type: &str, block: Digest, len: u64) {
        self.push_digest("WARC-Block-Digest", &block);
        self.header.push("Content-Type", content_type);
        self.push_display("Content-Length", len);
    }

    fn push_digest(&mut self, name: &str, digest: &Digest) {
        self.text.clear();
        append_sha1(digest, &mut self.text);
        self.header.push(name, &self.text);
    }

    fn push_display(&mut self, name: &str, value: impl std::fmt::Display) {
        use std::fmt::Write as _;
        self.text.clear();
        write!(self.text, "{value}").expect("a String takes all text");
        self.header.push(name, &self.text);
    }
}

/// `name: value` lines as `application/warc-fields`.
fn warc_fields(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in fields {
        let value = value.replace(['\r', '\n'], " ");
        block.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::sha1;

    const ABOUT: ResponseHead<'_> = ResponseHead {
        url: "http://a/b",
        date: Time::from_millis(1_794_779_703_042),
        address: Some("127.0.0.1"),
        protocols: &["h2", "tls/1.3"],
        truncated: None,
    };

    fn text(header: &Header) -> String {
        let mut bytes = Vec::new();
        header.write_to(&mut bytes);
        String::from_utf8(bytes).unwrap().replace("\r\n", "\n")
    }

    #[test]
    fn ids_are_version_four() {
        assert_eq!(RecordId::new(0).to_string(), "<urn:uuid:00000000-0000-4000-8000-000000000000>");
        assert_eq!(RecordId::new(u128::MAX).to_string(), "<urn:uuid:ffffffff-ffff-4fff-bfff-ffffffffffff>");
    }

    #[test]
    fn a_response_says_all_it_must() {
        let mut composer = Composer::new();
        let header = composer.response(RecordId::new(1), &ABOUT, sha1(b"x"), Digest::EMPTY, 7);
        assert_eq!(
            text(header),
            "WARC/1.1\nWARC-Type: response\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\n\
             WARC-Date: 2026-11-15T21:55:03.042Z\nWARC-Target-URI: http://a/b\nWARC-IP-Address: 127.0.0.1\n\
             WARC-Protocol: h2\nWARC-Protocol: tls/1.3\nWARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\n\
             WARC-Block-Digest: sha1:CH3K32HNCDHOUPRR4ELYSJZX34Q4KMAP\n\
             Content-Type: application/http; msgtype=response\nContent-Length: 7\n\n"
                .replace("CH3K32HNCDHOUPRR4ELYSJZX34Q4KMAP", &sha1(b"x").to_base32())
        );
    }

    #[test]
    fn a_304_keeps_the_original_digest_over_an_empty_block() {
        let original = OriginalRecord { url: "http://a/b", date: Time::from_secs(0), id: None, payload: sha1(b"old") };
        let validators = Validators { etag: Some("\"1\"".into()), last_modified: None };
        let mut composer = Composer::new();
        let header = composer.not_modified(RecordId::new(1), ABOUT.url, ABOUT.date, &original, &validators);
        assert_eq!(header.content_length(), Some(0));
        assert_eq!(header.payload_digest(), Some(sha1(b"old").to_string().as_str()));
        assert_eq!(header.refers_to_date(), Some(Time::from_secs(0)));
        assert_eq!(header.get("WARC-Etag"), Some("\"1\""));
        assert_eq!(header.get("WARC-Profile"), Some(NOT_MODIFIED));
    }
}
