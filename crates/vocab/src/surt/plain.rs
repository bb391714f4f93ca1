//! The short way for ordinary URLs: one look at each byte, nothing allocated.
//!
//! It answers only where every rule of the long way either does nothing or is repeated here; a property test holds the
//! two against each other.

use super::host::{append_reversed, without_www};

/// More arguments than this in the wrong order take the long way.
const MOST_ARGUMENTS: usize = 24;

/// Appends the SURT of an ordinary URL; leaves `out` alone and says so if the URL needs the long way.
pub(super) fn append(url: &str, out: &mut String) -> bool {
    let Some(parts) = split(url) else { return false };
    let mut arguments = [""; MOST_ARGUMENTS];
    let Some(arguments) = parts.arguments(&mut arguments) else { return false };
    append_reversed(without_www(parts.host), out);
    out.push(')');
    let start = out.len();
    out.push_str(if parts.path.is_empty() { "/" } else { parts.path });
    if parts.path.len() > 1 && parts.path.ends_with('/') {
        out.pop();
    }
    let mut before = '?';
    for argument in arguments {
        out.push(before);
        out.push_str(argument);
        before = '&';
    }
    out[start..].make_ascii_lowercase();
    true
}

struct Plain<'a> {
    host: &'a str,
    path: &'a str,
    query: &'a str,
}

fn split(url: &str) -> Option<Plain<'_>> {
    let rest = url.strip_prefix("http")?;
    let rest = rest.strip_prefix('s').unwrap_or(rest).strip_prefix("://")?;
    let bytes = rest.as_bytes();
    let host = plain_host(bytes)?;
    let path = host + plain_path(&bytes[host..])?;
    let query = if bytes.get(path) == Some(&b'?') { &rest[path + 1..] } else { "" };
    let query = &query[..plain_query(query.as_bytes())?];
    Some(Plain { host: &rest[..host], path: &rest[host..path], query })
}

/// The length of a host of lower-case letters, digits, dashes and single dots that is no address and has no port.
fn plain_host(url: &[u8]) -> Option<usize> {
    let mut named = false;
    let mut previous = b'.';
    for (at, &byte) in url.iter().enumerate() {
        match byte {
            b'a'..=b'z' | b'-' | b'_' => named = true,
            b'0'..=b'9' => {}
            b'.' if previous != b'.' => {}
            b'/' | b'?' | b'#' => return (named && previous != b'.').then_some(at),
            _ => return None,
        }
        previous = byte;
    }
    (named && previous != b'.').then_some(url.len())
}

/// The length of a path without escapes, empty or dot segments, or what could be a session.
fn plain_path(url: &[u8]) -> Option<usize> {
    let mut previous = 0;
    for (at, &byte) in url.iter().enumerate() {
        match byte {
            b'?' | b'#' => return Some(at),
            b'/' | b'.' | b'(' if previous == b'/' => return None,
            b'%' => return None,
            b'!'..=b'~' => {}
            _ => return None,
        }
        previous = byte;
    }
    Some(url.len())
}

/// The length of a query without escapes or what could be a session.
fn plain_query(query: &[u8]) -> Option<usize> {
    for (at, &byte) in query.iter().enumerate() {
        match byte {
            b'#' => return Some(at),
            b'=' if names_session(&query[..at]) => return None,
            b'%' => return None,
            b'!'..=b'~' => {}
            _ => return None,
        }
    }
    Some(query.len())
}

/// Whether a name ends as the names of session ids do: `…sid`, `jsessionid`, `cfid`, `aspsessionid` and eight letters.
fn names_session(name: &[u8]) -> bool {
    let id = |end: usize| end >= 2 && name[end - 2..end].eq_ignore_ascii_case(b"id");
    let len = name.len();
    let short = len >= 3 && id(len) && matches!(name[len - 3].to_ascii_lowercase(), b's' | b'n' | b'f');
    short || (len >= 20 && id(len - 8))
}

impl<'a> Plain<'a> {
    /// The arguments in order, or nothing if there are more than fit.
    fn arguments<'s>(&self, room: &'s mut [&'a str]) -> Option<&'s [&'a str]> {
        if self.query.is_empty() {
            return Some(&[]);
        }
        let mut count = 0;
        for argument in self.query.split('&') {
            *room.get_mut(count)? = argument;
            count += 1;
        }
        let arguments = &mut room[..count];
        if count > 1 {
            arguments.sort_unstable_by(|a, b| order(a.as_bytes(), b.as_bytes()));
        }
        Some(arguments)
    }
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
