//! Reading a response head the way it came, forgivingly: one view for heads hyper took and for those it refused.

use std::ops::Range;

/// Where the final head lies in the received bytes: after blank lines and interim (1xx) answers, up to and with its
/// blank line. Nothing while it is incomplete.
pub(super) fn final_head(received: &[u8]) -> Option<Range<usize>> {
    let mut start = 0;
    loop {
        start += leading_newlines(&received[start..]);
        let end = start + head_end(&received[start..])?;
        if !is_interim(&received[start..end]) {
            return Some(start..end);
        }
        start = end;
    }
}

fn leading_newlines(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| matches!(b, b'\r' | b'\n')).count()
}

/// The length of the head `bytes` begins with, blank line included; lines end with CRLF or LF.
fn head_end(bytes: &[u8]) -> Option<usize> {
    let mut line = 0;
    while let Some(length) = memchr::memchr(b'\n', &bytes[line..]) {
        if matches!(&bytes[line..line + length], b"" | b"\r") {
            return Some(line + length + 1);
        }
        line += length + 1;
    }
    None
}

/// 101 ends the exchange as HTTP; every other 1xx is followed by the answer proper.
fn is_interim(head: &[u8]) -> bool {
    matches!(status(head), Some(100 | 102..=199))
}

/// The status code, if the first line is a status line of any protocol that looks like HTTP.
pub(super) fn status(head: &[u8]) -> Option<u16> {
    let line = head.split(|&b| b == b'\n').next()?;
    let mut words = line.split(|b| b.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let protocol = words.next()?;
    let like_http = protocol.get(..5).is_some_and(|p| p.eq_ignore_ascii_case(b"HTTP/"));
    if !like_http && !protocol.eq_ignore_ascii_case(b"ICY") {
        return None;
    }
    let code = words.next()?;
    match code {
        [a @ b'1'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9'] => {
            Some(u16::from(a - b'0') * 100 + u16::from(b - b'0') * 10 + u16::from(c - b'0'))
        }
        _ => None,
    }
}

/// Whether these first bytes can still become a status line; false as soon as they cannot.
pub(super) fn may_be_http(received: &[u8]) -> bool {
    let bytes = &received[leading_newlines(received)..];
    let begins = |magic: &[u8]| bytes.iter().zip(magic).all(|(b, m)| b.eq_ignore_ascii_case(m));
    begins(b"HTTP/") || begins(b"ICY ")
}

/// The header fields in order: names and values trimmed, folded lines still inside their value, lines without a colon
/// left out.
pub(super) fn fields(head: &[u8]) -> Fields<'_> {
    let first = memchr::memchr(b'\n', head).map_or(head.len(), |end| end + 1);
    Fields { rest: &head[first..] }
}

/// All values of one field.
pub(super) fn values<'a>(head: &'a [u8], name: &'static str) -> impl Iterator<Item = &'a [u8]> {
    fields(head).filter(move |(n, _)| n.eq_ignore_ascii_case(name.as_bytes())).map(|(_, value)| value)
}

#[derive(Clone, Debug)]
pub(super) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    /// Cuts off one line and the lines folded into it.
    fn next_line(&mut self) -> Option<&'a [u8]> {
        let mut end = 0;
        loop {
            end += memchr::memchr(b'\n', &self.rest[end..]).map_or(self.rest.len() - end, |at| at + 1);
            if !matches!(self.rest.get(end), Some(b' ' | b'\t')) {
                break;
            }
        }
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!line.is_empty()).then_some(line)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = self.next_line()?;
            if let Some(colon) = memchr::memchr(b':', line) {
                return Some((line[..colon].trim_ascii(), line[colon + 1..].trim_ascii()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn interim_answers_and_blank_lines_are_cut_off() {
        let received = b"\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\nA: b\n\nbody";
        assert_eq!(&received[final_head(received).unwrap()], b"HTTP/1.1 200 OK\nA: b\n\n");
        assert_eq!(final_head(b"HTTP/1.1 200 OK\r\nA: b\r\n"), None);
        assert_eq!(final_head(b"HTTP/1.1 100 Continue\r\n\r\n"), None);
    }

    #[test]
    fn a_status_is_found_in_anything_that_looks_like_http() {
        for (line, code) in [
            ("HTTP/1.1 200 OK\r\n", Some(200)),
            ("http/1.0  404\n", Some(404)),
            ("HTTP/1.2 301 x", Some(301)),
            ("ICY 200 OK\r\n", Some(200)),
            ("HTTP/1.1 20 OK", None),
            ("HTTP/1.1 099 OK", None),
            ("SSH-2.0-OpenSSH", None),
            ("", None),
        ] {
            assert_eq!(status(line.as_bytes()), code, "{line}");
        }
        assert!(may_be_http(b"") && may_be_http(b"\r\nHT") && may_be_http(b"icy 200"));
        assert!(!may_be_http(b"<html>") && !may_be_http(b"220 smtp"));
    }

    #[test]
    fn fields_are_read_forgivingly() {
        let head = b"HTTP/1.1 200 OK\r\nA : b\r\nno colon\r\nFolded: x\r\n  y\r\nEmpty:\r\nNul: a\0b\r\n\r\n";
        let found: Vec<_> = fields(head).collect();
        let expected: [(&[u8], &[u8]); 4] =
            [(b"A", b"b"), (b"Folded", b"x\r\n  y"), (b"Empty", b""), (b"Nul", b"a\0b")];
        assert_eq!(found, expected);
        assert_eq!(values(head, "folded").count(), 1);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(bytes: Vec<u8>, cut in 0usize..200) {
            let mut text = b"HTTP/1.1 200 OK\r\n".to_vec();
            text.extend(&bytes);
            for input in [&bytes[..], &text[..], &text[..cut.min(text.len())]] {
                if let Some(range) = final_head(input) {
                    prop_assert!(range.end <= input.len());
                    status(&input[range.clone()]);
                }
                prop_assert!(fields(input).count() <= input.len());
                may_be_http(input);
            }
        }
    }
}
