//! For how long an answer may be used again, by its Cache-Control fields.

use tintype_vocab::Span;
use tintype_warc::http::Head;

/// RFC 9111 takes any larger number for this one.
const SECONDS_MAX: i64 = 1 << 31;

/// None if the server does not say; no time at all if it forbids (`no-store`, `no-cache`). `s-maxage` is meant for those
/// who keep pages for others, as we do, and so goes before `max-age`; of two that contradict each other the shorter one
/// counts. What is not written as RFC 9111 has it was not said.
pub(crate) fn max_age(head: &Head<'_>) -> Option<Span> {
    let fields = head.fields().filter(|(name, _)| name.eq_ignore_ascii_case(b"cache-control"));
    let directives = fields.flat_map(|(_, value)| value.split(|byte| *byte == b',')).map(<[u8]>::trim_ascii);
    let (mut shared, mut any) = (None, None);
    for directive in directives {
        match named(directive) {
            (name, None) if is(name, "no-store") || is(name, "no-cache") => return Some(Span::ZERO),
            (name, Some(value)) if is(name, "s-maxage") => shared = shorter(shared, seconds(value)),
            (name, Some(value)) if is(name, "max-age") => any = shorter(any, seconds(value)),
            _ => {}
        }
    }
    shared.or(any).map(Span::from_secs)
}

/// A directive and its argument.
fn named(directive: &[u8]) -> (&[u8], Option<&[u8]>) {
    match directive.iter().position(|byte| *byte == b'=') {
        Some(at) => (&directive[..at], Some(&directive[at + 1..])),
        None => (directive, None),
    }
}

fn is(name: &[u8], directive: &str) -> bool {
    name.eq_ignore_ascii_case(directive.as_bytes())
}

/// Digits, which some write in quotes.
fn seconds(value: &[u8]) -> Option<i64> {
    let quoted = value.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
    let digits = quoted.unwrap_or(value);
    let add = |sum: i64, digit: &u8| (sum * 10 + i64::from(digit - b'0')).min(SECONDS_MAX);
    (!digits.is_empty() && digits.iter().all(u8::is_ascii_digit)).then(|| digits.iter().fold(0, add))
}

fn shorter(one: Option<i64>, other: Option<i64>) -> Option<i64> {
    one.into_iter().chain(other).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(fields: &str) -> Option<i64> {
        let text = format!("HTTP/1.1 200 OK\r\nA: b\r\n{fields}\r\n\r\n");
        max_age(&Head::parse(text.as_bytes()).unwrap()).map(|span| span.as_millis() / 1000)
    }

    #[test]
    fn what_servers_say_is_understood() {
        for (fields, expected) in [
            ("Cache-Control: max-age=600", Some(600)),
            ("cache-control:public,MAX-AGE=0 , must-revalidate", Some(0)),
            ("Cache-Control: max-age=600, s-maxage=60", Some(60)),
            ("Cache-Control: s-maxage=600\r\nCache-Control: max-age=60", Some(600)),
            ("Cache-Control: max-age=600, max-age=60", Some(60)),
            ("Cache-Control: max-age=\"5\"", Some(5)),
            ("Cache-Control: max-age=600, no-cache", Some(0)),
            ("Cache-Control: no-store", Some(0)),
            ("Cache-Control: max-age=99999999999999999999999", Some(SECONDS_MAX)),
        ] {
            assert_eq!(said(fields), expected, "{fields}");
        }
    }

    #[test]
    fn what_is_said_otherwise_is_not_said() {
        for fields in [
            "X: y",
            "Cache-Control:",
            "Cache-Control: public, immutable",
            "Cache-Control: max-age",
            "Cache-Control: max-age=",
            "Cache-Control: max-age=-1",
            "Cache-Control: max-age=+1",
            "Cache-Control: max-age = 1",
            "Cache-Control: max-age=1.5",
            "Cache-Control: max-age=\"",
            "Cache-Control: no-cache=\"Set-Cookie\"",
            "Cache-Control: \u{fffd}=,,,;=",
        ] {
            assert_eq!(said(fields), None, "{fields}");
        }
    }
}
