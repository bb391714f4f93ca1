//! Path patterns: `*` for anything, `$` for the end, and one spelling for all ways to percent-encode.

use serde::{Deserialize, Serialize};

/// The pattern of a rule in normal form, without the `$` at its end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Pattern {
    text: String,
    anchored: bool,
}

impl Pattern {
    /// Nothing for an empty pattern, which makes no rule, and for one that can match no path because it starts with
    /// neither `/` nor `*`.
    pub(super) fn parse(written: &[u8]) -> Option<Pattern> {
        if !matches!(written.first(), Some(b'/' | b'*')) {
            return None;
        }
        let (written, anchored) = match written.strip_suffix(b"$") {
            Some(start) => (start, true),
            None => (written, false),
        };
        Some(Pattern { text: normal(written, Stars::Wild), anchored })
    }

    /// How specific the pattern is.
    pub(super) fn octets(&self) -> usize {
        self.text.len() + usize::from(self.anchored)
    }

    /// Whether a path in normal form matches.
    ///
    /// Each piece between stars is taken where it first occurs, which leaves the most for those after it; so there is
    /// nothing to go back to, and the work is one look at the path however many stars there are.
    pub(super) fn matches(&self, path: &str) -> bool {
        let Some((start, starred)) = self.text.split_once('*') else {
            return path.strip_prefix(&*self.text).is_some_and(|rest| rest.is_empty() || !self.anchored);
        };
        let Some(mut rest) = path.strip_prefix(start) else { return false };
        let (middle, end) = starred.rsplit_once('*').unwrap_or(("", starred));
        for piece in middle.split('*') {
            let Some(at) = rest.find(piece) else { return false };
            rest = &rest[at + piece.len()..];
        }
        if self.anchored { rest.ends_with(end) } else { rest.contains(end) }
    }
}

/// The path and query of a URL in normal form: with a slash in front and without fragment.
pub(super) fn normal_path(path: &str) -> String {
    let path = path.split_once('#').map_or(path, |(path, _fragment)| path);
    let normal = normal(path.as_bytes(), Stars::Literal);
    if normal.starts_with('/') { normal } else { format!("/{normal}") }
}

/// What a `*` stands for.
#[derive(Clone, Copy, PartialEq)]
enum Stars {
    Wild,
    Literal,
}

/// One spelling for octets that mean the same: what RFC 3986 calls unreserved is plain, reserved octets stay as they
/// are written, all others are percent-encoded with upper-case digits. A `*` or `$` that is meant literally is encoded
/// too, so that `%2A` in a rule matches a star in a path.
fn normal(text: &[u8], stars: Stars) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte == b'%' {
            match tail.split_at_checked(2).and_then(|(digits, after)| Some((octet(digits)?, after))) {
                Some((octet, after)) => {
                    rest = after;
                    if is_unreserved(octet) { out.push(char::from(octet)) } else { push_encoded(octet, &mut out) }
                }
                None => out.push('%'),
            }
        } else if is_unreserved(byte) || is_reserved(byte) || (byte == b'*' && stars == Stars::Wild) {
            out.push(char::from(byte));
        } else {
            push_encoded(byte, &mut out);
        }
    }
    out
}

fn octet(digits: &[u8]) -> Option<u8> {
    let value = |digit: u8| char::from(digit).to_digit(16);
    u8::try_from(value(digits[0])? * 16 + value(digits[1])?).ok()
}

fn push_encoded(byte: u8, out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    out.extend(['%', char::from(HEX[usize::from(byte >> 4)]), char::from(HEX[usize::from(byte & 15)])]);
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Reserved octets, without the two that patterns give a meaning of their own.
fn is_reserved(byte: u8) -> bool {
    b":/?#[]@!&'()+,;=".contains(&byte)
}
