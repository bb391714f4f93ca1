//! The HTTP head inside a record, read leniently: servers write what they like and archives keep it.

use std::{borrow::Cow, ops::Range};

/// A head longer than this is not looked for.
pub const HEAD_BYTES_MAX: usize = 1 << 20;
/// Fields beyond this many are not looked at; they stay in the bytes.
pub const FIELDS_MAX: usize = 1000;

/// A parsed head that borrows the bytes it was found in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head<'a> {
    bytes: &'a [u8],
    /// Status line or request line without its line end.
    first: Range<usize>,
    fields: Range<usize>,
    /// Length of the head with the empty line: where the body starts.
    pub len: usize,
}

impl<'a> Head<'a> {
    /// Reads a head. `None` when the first line is neither a status line nor looks like a request line.
    /// A head that never ends reaches to the end of the bytes (or of the limit).
    pub fn parse(block: &'a [u8]) -> Option<Head<'a>> {
        let window = &block[..block.len().min(HEAD_BYTES_MAX)];
        let (first, fields) = first_line(window);
        looks_like_first_line(&window[first.clone()]).then(|| Head::after_first_line(window, first, fields))
    }

    /// Reads whatever stands there as a head, as lenient indexers do.
    pub(crate) fn parse_anything(block: &'a [u8]) -> Head<'a> {
        let window = &block[..block.len().min(HEAD_BYTES_MAX)];
        let (first, fields) = first_line(window);
        Head::after_first_line(window, first, fields)
    }

    fn after_first_line(window: &'a [u8], first: Range<usize>, fields: usize) -> Head<'a> {
        let (end, len) =
            if window[first.clone()].trim_ascii().is_empty() { (fields, fields) } else { fields_end(window, fields) };
        Head { bytes: window, first, fields: fields..end, len }
    }

    /// The status line or request line.
    pub fn first_line(&self) -> &'a [u8] {
        &self.bytes[self.first.clone()]
    }

    /// The second word of a status line as it stands there, which is what indexers copy.
    pub fn status_text(&self) -> Option<&'a str> {
        self.first_line().get(..5).filter(|start| start.eq_ignore_ascii_case(b"HTTP/"))?;
        self.second_word().filter(|word| !word.is_empty())
    }

    /// What stands between the first and the second gap of the first line.
    pub(crate) fn second_word(&self) -> Option<&'a str> {
        let line = self.first_line();
        let rest = line[memchr::memchr(b' ', line)?..].trim_ascii();
        std::str::from_utf8(rest.split(|b| *b == b' ').next()?).ok()
    }

    /// Whether there is anything beyond one lone word: a field, or a second word.
    pub(crate) fn says_something(&self) -> bool {
        self.second_word().is_some_and(|word| !word.is_empty()) || self.fields().next().is_some()
    }

    /// The status as a number, 100 to 999.
    pub fn status(&self) -> Option<u16> {
        self.status_text()?.parse().ok().filter(|s| (100..1000).contains(s))
    }

    /// Names and values as bytes, line ends and surrounding space removed; folded lines are left out.
    pub fn fields(&self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> + use<'a> {
        self.bytes[self.fields.clone()]
            .split(|b| *b == b'\n')
            .take(FIELDS_MAX)
            .filter(|line| !line.starts_with(b" ") && !line.starts_with(b"\t"))
            .filter_map(|line| {
                let colon = memchr::memchr(b':', line)?;
                Some((line[..colon].trim_ascii_end(), line[colon + 1..].trim_ascii()))
            })
    }

    /// The first value of that name as text: UTF-8, else ISO-8859-1. Folded lines are joined.
    pub fn get(&self, name: &str) -> Option<Cow<'a, str>> {
        let mut lines = self.bytes[self.fields.clone()].split(|b| *b == b'\n').take(FIELDS_MAX);
        let value = lines.by_ref().find_map(|line| value_of(line, name))?;
        let folded: Vec<&[u8]> = lines.take_while(|l| l.starts_with(b" ") || l.starts_with(b"\t")).collect();
        if folded.is_empty() {
            return Some(to_text(value));
        }
        let mut joined = value.to_vec();
        for line in folded {
            joined.push(b' ');
            joined.extend_from_slice(line.trim_ascii());
        }
        Some(Cow::Owned(to_text(&joined).into_owned()))
    }
}

fn value_of<'a>(line: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let rest = line.get(name.len()..)?;
    if !line[..name.len()].eq_ignore_ascii_case(name.as_bytes()) {
        return None;
    }
    Some(rest.trim_ascii_start().strip_prefix(b":")?.trim_ascii())
}

fn to_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&b| b as char).collect()),
    }
}

/// The first line without its end, and where the next one starts.
fn first_line(bytes: &[u8]) -> (Range<usize>, usize) {
    match memchr::memchr(b'\n', bytes) {
        Some(end) => (0..line_len(bytes, end), end + 1),
        None => (0..bytes.len(), bytes.len()),
    }
}

fn line_len(bytes: &[u8], line_feed: usize) -> usize {
    if line_feed > 0 && bytes[line_feed - 1] == b'\r' { line_feed - 1 } else { line_feed }
}

/// `HTTP/…`, or a request line `METHOD target …`.
fn looks_like_first_line(line: &[u8]) -> bool {
    if line.len() >= 5 && line[..5].eq_ignore_ascii_case(b"HTTP/") {
        return true;
    }
    let method = line.split(|b| *b == b' ').next().unwrap_or_default();
    !method.is_empty() && method.len() < line.len() && method.iter().all(u8::is_ascii_uppercase)
}

/// Where the fields end and where the body starts: after the first empty line.
fn fields_end(bytes: &[u8], from: usize) -> (usize, usize) {
    let mut start = from;
    for end in memchr::memchr_iter(b'\n', &bytes[from..]).map(|i| i + from) {
        if bytes[start..end].trim_ascii().is_empty() {
            return (start, end + 1);
        }
        start = end + 1;
    }
    (bytes.len(), bytes.len())
}

/// The head without its Transfer-Encoding fields (and their folded lines), everything else byte for byte.
/// For bodies that were transfer-decoded before they were stored.
pub fn without_transfer_encoding(head: &[u8]) -> Cow<'_, [u8]> {
    let drops = |line: &[u8]| value_of(line, "transfer-encoding").is_some();
    if !head.split_inclusive(|b| *b == b'\n').skip(1).any(drops) {
        return Cow::Borrowed(head);
    }
    let mut out = Vec::with_capacity(head.len());
    let (mut dropping, mut first) = (false, true);
    for line in head.split_inclusive(|b| *b == b'\n') {
        let folded = line.starts_with(b" ") || line.starts_with(b"\t");
        dropping = !first && (drops(line) || (dropping && folded));
        first = false;
        if !dropping {
            out.extend_from_slice(line);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_plain_head_gives_status_fields_and_body_start() {
        let block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nX-A:1\r\n\r\nbody";
        let head = Head::parse(block).unwrap();
        assert_eq!(head.status(), Some(200));
        assert_eq!(head.get("content-type").as_deref(), Some("text/html; charset=utf-8"));
        assert_eq!(head.fields().count(), 2);
        assert_eq!(&block[head.len..], b"body");
    }

    #[test]
    fn odd_heads_are_read() {
        let head = Head::parse(b"HTTP/1.0 404\nA: b\n c\n\nx").unwrap();
        assert_eq!((head.status_text(), head.len), (Some("404"), 22));
        assert_eq!(head.get("a").as_deref(), Some("b c"));
        assert_eq!(Head::parse(b"HTTP/1.1").unwrap().status(), None);
        assert_eq!(Head::parse(b"HTTP/1.1 abc def\r\n\r\n").unwrap().status_text(), Some("abc"));
        assert_eq!(Head::parse(b"HTTP/1.1 200 OK\r\nA: b").unwrap().len, 21);
        assert_eq!(Head::parse(b"HTTP/1.1 200 OK\r\nA: \xff\r\n\r\n").unwrap().get("a").as_deref(), Some("ÿ"));
        assert!(Head::parse(b"<html>").is_none() && Head::parse(b"").is_none());
        assert!(Head::parse(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").unwrap().status_text().is_none());
    }

    #[test]
    fn only_transfer_encoding_leaves_the_head() {
        let head = b"HTTP/1.1 200 OK\r\nTransfer-encoding : gzip,\r\n  chunked\r\nX:  y \r\nTE: a\r\n\r\n";
        let want: &[u8] = b"HTTP/1.1 200 OK\r\nX:  y \r\nTE: a\r\n\r\n";
        assert_eq!(without_transfer_encoding(head), want);
        assert!(matches!(without_transfer_encoding(want), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let mut block = b"HTTP/1.1 200 OK\r\n".to_vec();
            block.extend_from_slice(&bytes);
            for bytes in [&bytes, &block] {
                if let Some(head) = Head::parse(bytes) {
                    prop_assert!(head.len <= bytes.len());
                    head.fields().for_each(drop);
                    head.get("transfer-encoding");
                    head.status();
                }
                prop_assert!(without_transfer_encoding(bytes).len() <= bytes.len());
            }
        }
    }
}
