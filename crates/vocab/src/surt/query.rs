//! Queries: session ids dropped, arguments sorted.

use super::escape::{append_escaped_lower, unescape_fully};

/// Appends `?` and the canonical query, or nothing if nothing is left of it.
pub(super) fn append(query: &str, out: &mut String) {
    let mut lower = String::new();
    append_escaped_lower(&unescape_fully(query.as_bytes()), &mut lower);
    drop_sessions(&mut lower);
    if lower.is_empty() {
        return;
    }
    let mut arguments: Vec<Argument<'_>> = lower.split('&').map(argument).collect();
    arguments.sort_unstable();
    let mut before = '?';
    for (name, value) in arguments {
        out.push(before);
        out.push_str(name);
        if let Some(value) = value {
            out.push('=');
            out.push_str(value);
        }
        before = '&';
    }
}

/// Sorts by name first, so that `a=1` comes before `a-b=1`, and `a` before `a=`.
type Argument<'a> = (&'a str, Option<&'a str>);

fn argument(text: &str) -> Argument<'_> {
    text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)))
}

/// Drops the last session id of each kind. The name may be the end of a longer one (`phpsessid` ends in `sid`), and
/// the `&` before it stays.
fn drop_sessions(query: &mut String) {
    for find in [java, php, sid, asp, cold_fusion] {
        if let Some((start, end)) = find(query.as_bytes()) {
            let end = if query[end..].starts_with('&') { end + 1 } else { end };
            query.replace_range(start..end, "");
        }
    }
}

type Found = Option<(usize, usize)>;

fn java(query: &[u8]) -> Found {
    last_ending_an_argument(query, 43, |text| is_session(text, b"jsessionid="))
}

fn php(query: &[u8]) -> Found {
    last_ending_an_argument(query, 42, |text| is_session(text, b"phpsessid="))
}

fn sid(query: &[u8]) -> Found {
    last_ending_an_argument(query, 36, |text| is_session(text, b"sid="))
}

fn asp(query: &[u8]) -> Found {
    last_ending_an_argument(query, 45, |text| match text.strip_prefix(b"aspsessionid") {
        Some(rest) => rest[8] == b'=' && rest[..8].iter().chain(&rest[9..]).all(u8::is_ascii_alphabetic),
        None => false,
    })
}

fn is_session(text: &[u8], name: &[u8]) -> bool {
    text.strip_prefix(name).is_some_and(|id| id.iter().all(u8::is_ascii_alphanumeric))
}

/// The last stretch of a given length that ends where an argument ends and that `matches` accepts.
fn last_ending_an_argument(query: &[u8], length: usize, matches: impl Fn(&[u8]) -> bool) -> Found {
    let ends = (length..=query.len()).rev().filter(|end| matches!(query.get(*end), None | Some(b'&')));
    ends.map(|end| (end - length, end)).find(|(start, end)| matches(&query[*start..*end]))
}

/// The last `cfid=…&cftoken=…`.
fn cold_fusion(query: &[u8]) -> Found {
    let mut end = query.len();
    for at in (0..query.len()).rev().filter(|at| query[*at] == b'&') {
        let token = query[at + 1..end].strip_prefix(b"cftoken=").is_some_and(|token| !token.is_empty());
        if token && let Some(start) = last_cfid(&query[..at]) {
            return Some((start, end));
        }
        end = at;
    }
    None
}

/// Where `cfid=` and a value begin in the last argument of a query.
fn last_cfid(query: &[u8]) -> Option<usize> {
    let argument = query.iter().rposition(|b| *b == b'&').map_or(0, |and| and + 1);
    let name = b"cfid=";
    let at = query[argument..].windows(name.len() + 1).rposition(|window| window.starts_with(name))?;
    Some(argument + at)
}
