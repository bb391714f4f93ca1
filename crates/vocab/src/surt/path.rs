//! Paths: escapes, dot segments, repeated slashes, ASP.NET session ids, the trailing slash.

use super::escape::{append_escaped_lower, unescape_fully};

/// Appends the canonical form of the path of a URL that has a host; it is never empty.
pub(super) fn append(path: &str, out: &mut String) {
    finish(&normalised(&unescape_fully(path.as_bytes())), out);
}

/// Appends the path of a URL without host, where slashes and dots mean nothing.
pub(super) fn append_opaque(path: &str, out: &mut String) {
    finish(&unescape_fully(path.as_bytes()), out);
}

fn finish(path: &[u8], out: &mut String) {
    let start = out.len();
    append_escaped_lower(path, out);
    if out[start..].contains("/(") {
        drop_session(out, start, wrapped_sessions);
        drop_session(out, start, bare_session);
    }
    if out.len() > start + 1 && out.ends_with('/') {
        out.pop();
    }
}

/// Dot segments resolved and empty segments dropped. A `..` with nothing before it stays, and can itself be undone by
/// the next one; so can an empty segment.
fn normalised(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in path.split(|b| *b == b'/').skip(1) {
        match segment {
            b"." => {}
            b".." if !kept.is_empty() => {
                kept.pop();
            }
            _ => kept.push(segment),
        }
    }
    let mut out = vec![b'/'];
    let Some((last, leading)) = kept.split_last() else { return out };
    for segment in leading.iter().filter(|segment| !segment.is_empty()) {
        out.extend_from_slice(segment);
        out.push(b'/');
    }
    out.extend_from_slice(last);
    out
}

/// Cuts out the last segment after `from` that `session` recognises, if an `.aspx` follows it before any `?`.
///
/// Walks backwards once and remembers the `.aspx` nearest to the next `?`, so the work does not grow with the number
/// of segments that look like sessions.
fn drop_session(path: &mut String, from: usize, session: fn(&[u8]) -> Option<usize>) {
    let bytes = path.as_bytes();
    let mut page = None;
    for at in (from..bytes.len()).rev() {
        match bytes[at] {
            b'?' => page = None,
            b'.' if page.is_none() && bytes[at..].starts_with(b".aspx") => page = Some(at),
            b'/' => {
                let end = session(&bytes[at + 1..]).map(|length| at + 1 + length);
                if let Some(end) = end.filter(|end| page.is_some_and(|page| page > *end)) {
                    return path.replace_range(at + 1..end, "");
                }
            }
            _ => {}
        }
    }
}

/// The length of `(s(…24…)f(…24…))/` at the start of a path.
fn wrapped_sessions(path: &[u8]) -> Option<usize> {
    let mut rest = path.strip_prefix(b"(")?;
    let mut count = 0;
    while let Some((b'a'..=b'z', tail)) = rest.split_first()
        && let Some(tail) = parenthesised(tail)
    {
        (rest, count) = (tail, count + 1);
    }
    let rest = rest.strip_prefix(b")/")?;
    (count > 0).then(|| path.len() - rest.len())
}

/// The length of `(…24…)/` at the start of a path.
fn bare_session(path: &[u8]) -> Option<usize> {
    let rest = parenthesised(path)?.strip_prefix(b"/")?;
    Some(path.len() - rest.len())
}

/// What follows 24 letters or digits in parentheses.
fn parenthesised(text: &[u8]) -> Option<&[u8]> {
    let (id, rest) = text.strip_prefix(b"(")?.split_at_checked(24)?;
    if id.iter().all(u8::is_ascii_alphanumeric) { rest.strip_prefix(b")") } else { None }
}
