//! The named fields of a record: an ordered list in one allocation that can be refilled without another.

use std::{borrow::Cow, ops::Range};
use tintype_vocab::Time;

/// What a record is. The WARC `revisit` is called a duplicate here, because a revisit is something else in this house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordType {
    Warcinfo,
    Response,
    Request,
    Duplicate,
    Metadata,
    Resource,
    Conversion,
    Continuation,
    /// A type the standard does not name, or none at all.
    Other,
}

impl RecordType {
    const NAMES: [(RecordType, &'static str); 8] = [
        (RecordType::Response, "response"),
        (RecordType::Request, "request"),
        (RecordType::Duplicate, "revisit"),
        (RecordType::Warcinfo, "warcinfo"),
        (RecordType::Metadata, "metadata"),
        (RecordType::Resource, "resource"),
        (RecordType::Conversion, "conversion"),
        (RecordType::Continuation, "continuation"),
    ];

    /// The value of WARC-Type.
    pub fn as_str(self) -> &'static str {
        Self::NAMES.iter().find(|(kind, _)| *kind == self).map_or("unknown", |(_, name)| name)
    }

    fn of(name: &str) -> RecordType {
        Self::NAMES.iter().find(|(_, known)| known.eq_ignore_ascii_case(name)).map_or(RecordType::Other, |(k, _)| *k)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Field {
    name: Range<u32>,
    value: Range<u32>,
}

/// The fields of one record in the order they stand. Names compare without case and may repeat (`WARC-Protocol`).
#[derive(Clone, Debug, Default)]
pub struct Header {
    version: &'static str,
    text: String,
    fields: Vec<Field>,
}

/// What the standard calls the version line; anything else is read all the same and reported.
const VERSIONS: [&str; 5] = ["WARC/1.1", "WARC/1.0", "WARC/0.18", "WARC/0.17", "WARC/0.16"];

/// Things seen while reading a header that its writer should not have done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeaderOddities {
    pub(crate) unknown_version: bool,
    pub(crate) folded: bool,
    pub(crate) line_without_colon: bool,
    pub(crate) not_utf8: bool,
    pub(crate) bare_line_feeds: bool,
}

impl Header {
    pub fn new() -> Header {
        Header::default()
    }

    /// Forgets the fields, keeps the memory.
    pub fn clear(&mut self) {
        self.version = "WARC/1.1";
        self.text.clear();
        self.fields.clear();
    }

    /// `WARC/1.1` and its elder siblings; `WARC/?` when a foreign file names none we know.
    pub fn version(&self) -> &'static str {
        if self.version.is_empty() { "WARC/1.1" } else { self.version }
    }

    /// Adds a field at the end. Line ends inside a value would forge fields, so they become spaces.
    pub fn push(&mut self, name: &str, value: &str) {
        let name = self.append(name);
        let start = self.text.len();
        self.text.push_str(value);
        if value.bytes().any(|b| matches!(b, b'\r' | b'\n' | 0)) {
            let clean = self.text.split_off(start).replace(['\r', '\n', '\0'], " ");
            self.text.push_str(&clean);
        }
        self.fields.push(Field { name, value: start as u32..self.text.len() as u32 });
    }

    fn append(&mut self, text: &str) -> Range<u32> {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        start..self.text.len() as u32
    }

    fn slice(&self, range: &Range<u32>) -> &str {
        &self.text[range.start as usize..range.end as usize]
    }

    /// The first value of that name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.get_all(name).next()
    }

    /// Every value of that name, in order.
    pub fn get_all<'a, 'n>(&'a self, name: &'n str) -> impl Iterator<Item = &'a str> + use<'a, 'n> {
        self.fields
            .iter()
            .filter(move |f| f.name.len() == name.len() && self.slice(&f.name).eq_ignore_ascii_case(name))
            .map(|f| self.slice(&f.value))
    }

    /// Names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|f| (self.slice(&f.name), self.slice(&f.value)))
    }

    pub fn record_type(&self) -> RecordType {
        self.get("WARC-Type").map_or(RecordType::Other, RecordType::of)
    }

    /// WARC-Record-ID as written, angle brackets included.
    pub fn record_id(&self) -> Option<&str> {
        self.get("WARC-Record-ID")
    }

    pub fn date(&self) -> Option<Time> {
        Time::parse_rfc3339(self.get("WARC-Date")?).ok()
    }

    /// The URL, without the `<…>` some writers put around it and with spaces escaped, as replay tools read it.
    pub fn target_uri(&self) -> Option<Cow<'_, str>> {
        self.get("WARC-Target-URI").map(plain_uri)
    }

    /// The URL of the original a duplicate record stands for.
    pub fn refers_to_target_uri(&self) -> Option<Cow<'_, str>> {
        self.get("WARC-Refers-To-Target-URI").map(plain_uri)
    }

    pub fn refers_to_date(&self) -> Option<Time> {
        Time::parse_rfc3339(self.get("WARC-Refers-To-Date")?).ok()
    }

    pub fn content_type(&self) -> Option<&str> {
        self.get("Content-Type")
    }

    /// Content-Length if it is there and a number.
    pub fn content_length(&self) -> Option<u64> {
        let text = self.get("Content-Length")?;
        if text.bytes().all(|b| b.is_ascii_digit()) { text.parse().ok() } else { None }
    }

    pub fn payload_digest(&self) -> Option<&str> {
        self.get("WARC-Payload-Digest")
    }

    pub fn block_digest(&self) -> Option<&str> {
        self.get("WARC-Block-Digest")
    }

    /// Why the block is shorter than what was sent (`length`, `time`, `disconnect`).
    pub fn truncated(&self) -> Option<&str> {
        self.get("WARC-Truncated")
    }

    /// Appends version line, fields and the empty line that ends them.
    pub fn write_to(&self, out: &mut Vec<u8>) {
        out.reserve(self.text.len() + self.fields.len() * 4 + 16);
        out.extend_from_slice(self.version().as_bytes());
        out.extend_from_slice(b"\r\n");
        for (name, value) in self.iter() {
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b": ");
            out.extend_from_slice(value.as_bytes());
            out.extend_from_slice(b"\r\n");
        }
        out.extend_from_slice(b"\r\n");
    }

    /// Refills this header from the bytes of one (version line first, empty line left out or not).
    pub(crate) fn parse(&mut self, bytes: &[u8]) -> HeaderOddities {
        self.clear();
        let mut odd = HeaderOddities::default();
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => {
                odd.not_utf8 = true;
                Cow::Owned(bytes.iter().map(|&b| b as char).collect())
            }
        };
        let mut lines = text.split('\n').map(|line| {
            odd.bare_line_feeds |= !line.is_empty() && !line.ends_with('\r');
            line.strip_suffix('\r').unwrap_or(line)
        });
        let first = lines.next().unwrap_or_default().trim_end();
        let known = VERSIONS.iter().find(|v| v.eq_ignore_ascii_case(first));
        self.version = known.copied().unwrap_or("WARC/?");
        let (mut folded, mut colonless) = (false, false);
        for line in lines.take_while(|line| !line.is_empty()) {
            if line.starts_with([' ', '\t']) && !self.fields.is_empty() {
                folded = true;
                self.continue_value(line.trim());
            } else if let Some((name, value)) = line.split_once(':') {
                let (name, value) = (self.append(name.trim_end()), self.append(value.trim()));
                self.fields.push(Field { name, value });
            } else {
                colonless = true;
            }
        }
        odd.folded = folded;
        odd.line_without_colon = colonless;
        odd.unknown_version = known.is_none();
        odd
    }

    /// A folded line belongs to the value above it, which is the last text we appended.
    fn continue_value(&mut self, more: &str) {
        self.text.push(' ');
        self.text.push_str(more);
        let end = self.text.len() as u32;
        if let Some(last) = self.fields.last_mut() {
            last.value.end = end;
        }
    }
}

fn plain_uri(uri: &str) -> Cow<'_, str> {
    let bare = uri.strip_prefix('<').and_then(|u| u.strip_suffix('>')).unwrap_or(uri);
    if bare.contains(' ') { Cow::Owned(bare.replace(' ', "%20")) } else { Cow::Borrowed(bare) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_have_no_case_and_may_repeat() {
        let mut header = Header::new();
        let odd =
            header.parse(b"WARC/1.1\r\nwarc-protocol: h2\r\nWARC-Protocol:tls/1.3\r\nContent-Length : 12 \r\n\r\nx: y");
        assert_eq!(odd, HeaderOddities::default());
        assert_eq!(header.get_all("WARC-PROTOCOL").collect::<Vec<_>>(), ["h2", "tls/1.3"]);
        assert_eq!(header.content_length(), Some(12));
        assert_eq!(header.get("x"), None);
    }

    #[test]
    fn foreign_oddities_are_read_and_named() {
        let mut header = Header::new();
        let odd =
            header.parse(b"WARC/2.0\nwarc-type: Response\nX: a\n  b\nnonsense\nWARC-Target-URI: <http://a/\xe9 c>\n");
        assert!(odd.unknown_version && odd.folded && odd.line_without_colon && odd.not_utf8 && odd.bare_line_feeds);
        assert_eq!(header.record_type(), RecordType::Response);
        assert_eq!(header.get("x"), Some("a b"));
        assert_eq!(header.target_uri().as_deref(), Some("http://a/é%20c"));
    }

    #[test]
    fn a_value_cannot_forge_a_field() {
        let mut header = Header::new();
        header.push("WARC-Etag", "a\r\nWARC-Type: request");
        let mut bytes = Vec::new();
        header.write_to(&mut bytes);
        assert_eq!(bytes, b"WARC/1.1\r\nWARC-Etag: a  WARC-Type: request\r\n\r\n");
    }

    #[test]
    fn every_type_reads_its_own_name() {
        for (kind, name) in RecordType::NAMES {
            assert_eq!((RecordType::of(name), kind.as_str()), (kind, name));
        }
        assert_eq!(RecordType::of("gossip"), RecordType::Other);
    }

    proptest! {
        #[test]
        fn any_bytes_parse(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let mut header = Header::new();
            header.parse(&bytes);
            prop_assert!(header.iter().count() <= bytes.len());
        }

        #[test]
        fn what_is_written_reads_back(pairs in proptest::collection::vec(("[A-Za-z-]{1,12}", "[!-~]([ -~]{0,20}[!-~])?"), 0..9)) {
            let mut header = Header::new();
            pairs.iter().for_each(|(n, v)| header.push(n, v));
            let mut bytes = Vec::new();
            header.write_to(&mut bytes);
            let mut again = Header::new();
            prop_assert_eq!(again.parse(&bytes), HeaderOddities::default());
            let got: Vec<_> = again.iter().map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
            prop_assert_eq!(got, pairs);
        }
    }
}
