//! The short way for ordinary URLs: one look at each byte, nothing allocated.
//!
//! It answers only where every rule of the long way either does nothing or is repeated here; a property test holds the
//! two against each other.

use super::host::{append_reversed, without_www};

/// More arguments than this in the wrong order take the long way.
const MOST_ARGUMENTS: usize = 24;

/// Appends the SURT of an ordinary URL; leaves `out` alone and says so if the URL needs the long way.
pub(super) fn append(url: &str, out: &mut String) -> bool {
    let Some(Plain { host, port, path, query }) = split(url) else { return false };
    let start = out.len();
    append_reversed(without_www(host), out);
    out.push_str(port);
    out.push(')');
    out.push_str(if path.is_empty() { "/" } else { path });
    if path.len() > 1 && path.ends_with('/') {
        out.pop();
    }
    let fits = query.is_empty() || append_sorted(query, out);
    if fits {
        out[start..].make_ascii_lowercase();
    } else {
        out.truncate(start);
    }
    fits
}

struct Plain<'a> {
    host: &'a str,
    /// With its colon.
    port: &'a str,
    path: &'a str,
    query: &'a str,
}

fn split(url: &str) -> Option<Plain<'_>> {
    let rest = url.strip_prefix("http")?;
    let rest = rest.strip_prefix('s').unwrap_or(rest).strip_prefix("://")?;
    let bytes = rest.as_bytes();
    let host = plain_host(bytes)?;
    let port = host + plain_port(&bytes[host..])?;
    let path = port + plain_path(&bytes[port..])?;
    let query = if bytes.get(path) == Some(&b'?') { &rest[path + 1..] } else { "" };
    let query = &query[..plain_query(query.as_bytes())?];
    Some(Plain { host: &rest[..host], port: &rest[host..port], path: &rest[port..path], query })
}

/// Bytes that mean nothing in a host, in a path and in a query.
const LABEL: [bool; 256] = bytes_of(b"-0123456789_abcdefghijklmnopqrstuvwxyz");
const SEGMENT: [bool; 256] = visible_except(b"#%/?");
const ARGUMENT: [bool; 256] = visible_except(b"#%=");

const fn bytes_of(bytes: &[u8]) -> [bool; 256] {
    let mut set = [false; 256];
    let mut at = 0;
    while at < bytes.len() {
        set[bytes[at] as usize] = true;
        at += 1;
    }
    set
}

const fn visible_except(bytes: &[u8]) -> [bool; 256] {
    let except = bytes_of(bytes);
    let mut set = [false; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        set[byte as usize] = !except[byte as usize];
        byte += 1;
    }
    set
}

/// Where the first byte at or after `from` is that is not in the set.
fn skip(text: &[u8], from: usize, set: &[bool; 256]) -> usize {
    text[from..].iter().position(|byte| !set[usize::from(*byte)]).map_or(text.len(), |at| from + at)
}

/// The length of a host of lower-case letters, digits, dashes and single dots, or of an address as addresses are
/// written today.
fn plain_host(url: &[u8]) -> Option<usize> {
    let mut label = 0;
    loop {
        let end = skip(url, label, &LABEL);
        if end == label {
            return None;
        }
        match url.get(end) {
            Some(b'.') => label = end + 1,
            // An address ends in a number, so what ends in a name is none.
            None | Some(b'/' | b'?' | b'#' | b':') => {
                let plain = !url[label].is_ascii_digit() || is_plain_address(&url[..end]);
                return plain.then_some(end);
            }
            Some(_) => return None,
        }
    }
}

/// Four numbers up to 255 without leading zeros, which nobody could read as octal.
fn is_plain_address(host: &[u8]) -> bool {
    let plain = |number: &[u8]| {
        let digits = (1..=3).contains(&number.len()) && number.iter().all(u8::is_ascii_digit);
        let value = || number.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
        digits && value() <= 255 && (number.len() == 1 || number[0] != b'0')
    };
    host.split(|byte| *byte == b'.').count() == 4 && host.split(|byte| *byte == b'.').all(plain)
}

/// The length of a port with its colon: none, or one that is nobody's default.
fn plain_port(url: &[u8]) -> Option<usize> {
    if url.first() != Some(&b':') {
        return Some(0);
    }
    let end = url[1..].iter().position(|byte| !byte.is_ascii_digit()).map_or(url.len(), |at| at + 1);
    let plain = (4..=5).contains(&(end - 1)) && url[1] != b'0' && (end < 6 || url[1..end] <= b"65535"[..]);
    (plain && matches!(url.get(end), None | Some(b'/' | b'?' | b'#'))).then_some(end)
}

/// The length of a path without escapes, empty or dot segments, or what could be a session.
fn plain_path(url: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at = skip(url, at, &SEGMENT);
        match url.get(at) {
            None | Some(b'?' | b'#') => return Some(at),
            Some(b'/') if !matches!(url.get(at + 1), Some(b'/' | b'.' | b'(')) => at += 1,
            Some(_) => return None,
        }
    }
}

/// The length of a query without escapes or what could be a session.
fn plain_query(query: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at = skip(query, at, &ARGUMENT);
        match query.get(at) {
            None | Some(b'#') => return Some(at),
            Some(b'=') if !names_session(&query[..at]) => at += 1,
            Some(_) => return None,
        }
    }
}

/// Whether a name ends as the names of session ids do: `…sid`, `jsessionid`, `cfid`, `aspsessionid` and eight letters.
fn names_session(name: &[u8]) -> bool {
    let id = |end: usize| end >= 2 && name[end - 2..end].eq_ignore_ascii_case(b"id");
    let len = name.len();
    let short = len >= 3 && id(len) && matches!(name[len - 3].to_ascii_lowercase(), b's' | b'n' | b'f');
    short || (len >= 20 && id(len - 8))
}

/// Appends `?` and the arguments in order; says so if there are too many.
fn append_sorted(query: &str, out: &mut String) -> bool {
    let mut arguments = [""; MOST_ARGUMENTS];
    let mut count = 0;
    for argument in query.split('&') {
        let Some(place) = arguments.get_mut(count) else { return false };
        *place = argument;
        count += 1;
    }
    let arguments = &mut arguments[..count];
    arguments.sort_unstable_by(|a, b| order(a.as_bytes(), b.as_bytes()));
    let mut before = '?';
    for argument in arguments {
        out.push(before);
        out.push_str(argument);
        before = '&';
    }
    true
}

/// The order of arguments in lower case: by name, then those without value, then by value. Where two first differ,
/// the one that ends there comes first, then the one whose name ends there.
fn order(a: &[u8], b: &[u8]) -> std::cmp::Ordering {
    let mut in_name = true;
    let rank = |byte: Option<&u8>, in_name: bool| match byte {
        None => 0,
        Some(b'=') if in_name => 1,
        Some(byte) => 2 + u16::from(byte.to_ascii_lowercase()),
    };
    let mut at = 0;
    loop {
        let (x, y) = (rank(a.get(at), in_name), rank(b.get(at), in_name));
        if x != y || x == 0 {
            return x.cmp(&y);
        }
        in_name &= x != 1;
        at += 1;
    }
}
