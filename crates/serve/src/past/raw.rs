//! A memento as it was: status, type and bytes, with the headers of the past under names that cannot act today.

use super::reply::{Reply, ReplyBody};
use tintype_archive::holdings::{MementoBody, OpenedMemento};
use tintype_observe::plain;

/// Headers of the past that describe the bytes and may describe them again.
const KEPT: [&str; 5] = ["content-type", "content-language", "content-disposition", "last-modified", "etag"];
/// No document made of archived bytes runs a script or reads anything under the name of the interface.
const INERT: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";
/// Codings of larger bodies are not undone for clients that do not take them.
const DECODED_FROM_MAX: usize = 16 << 20;

/// The answer of the past as it was, with the part of it that is asked for.
pub(super) fn reply(opened: OpenedMemento, range: Option<&str>, codings: &str) -> Reply {
    let mut headers = Vec::new();
    for (name, value) in opened.fields() {
        let (lower, value) = (name.to_ascii_lowercase(), String::from_utf8_lossy(&value).into_owned());
        if KEPT.contains(&lower.as_str()) {
            headers.push((name.clone(), value.clone()));
        }
        headers.push((format!("X-Archive-Orig-{name}"), value));
    }
    headers.push(("Content-Security-Policy".to_owned(), INERT.to_owned()));
    let coding = opened.field("content-encoding");
    let mut body = opened.body;
    if let Some(coding) = coding.filter(|coding| !coding.eq_ignore_ascii_case("identity")) {
        match body {
            MementoBody::Whole(bytes) if !takes(codings, &coding) && bytes.len() <= DECODED_FROM_MAX => {
                body = MementoBody::Whole(plain(Some(&coding), &bytes).into_owned());
            }
            _ => headers.push(("Content-Encoding".to_owned(), coding)),
        }
    }
    ranged(Reply { status: opened.status, headers, body: ReplyBody::Whole(Vec::new()) }, body, range)
}

/// Whether a header speaks of the bytes that are sent.
pub(super) fn describes_bytes(name: &str) -> bool {
    ["content-length", "content-range", "accept-ranges", "content-encoding"]
        .contains(&name.to_ascii_lowercase().as_str())
}

/// Whether the asker undoes a content coding itself.
fn takes(codings: &str, coding: &str) -> bool {
    let coding = coding.trim().trim_start_matches("x-");
    codings.split(',').any(|taken| taken.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(coding))
}

/// Puts the body in, or the part of it that is asked for.
fn ranged(mut reply: Reply, body: MementoBody, range: Option<&str>) -> Reply {
    let len = match &body {
        MementoBody::Whole(bytes) => Some(bytes.len() as u64),
        MementoBody::Large { len, .. } => *len,
    };
    let wanted = range.filter(|_| reply.status == 200).zip(len).map(|(range, len)| (parse_range(range, len), len));
    let (skip, part) = match wanted {
        Some((Some(Part::Unsatisfiable), len)) => {
            return Reply::error(416, "the body is shorter").with("Content-Range", &format!("bytes */{len}"));
        }
        Some((Some(Part::Bytes { from, to }), len)) => {
            reply.status = 206;
            reply = reply.with("Content-Range", &format!("bytes {from}-{to}/{len}"));
            (from, Some(to - from + 1))
        }
        _ => (0, len),
    };
    if let Some(part) = part {
        reply = reply.with("Content-Length", &part.to_string());
    }
    reply = reply.with("Accept-Ranges", "bytes");
    reply.body = match body {
        MementoBody::Whole(bytes) => {
            let (from, len) = (skip as usize, part.unwrap_or_default() as usize);
            ReplyBody::Whole(bytes[from..from + len].to_vec())
        }
        body => ReplyBody::Large { body, skip, len: part },
    };
    reply
}

#[derive(Debug, PartialEq)]
enum Part {
    /// Both ends included.
    Bytes {
        from: u64,
        to: u64,
    },
    Unsatisfiable,
}

/// One part of a body; nothing for what is no range, or several of them.
fn parse_range(text: &str, len: u64) -> Option<Part> {
    let (from, to) = text.strip_prefix("bytes=")?.split_once('-')?;
    let part = match (from.trim(), to.trim()) {
        ("", last) => {
            let last: u64 = last.parse().ok()?;
            (len.saturating_sub(last), len.checked_sub(1).filter(|_| last > 0))
        }
        (from, "") => (from.parse().ok()?, len.checked_sub(1)),
        (from, to) => (from.parse().ok()?, Some(to.parse::<u64>().ok()?.min(len.saturating_sub(1)))),
    };
    Some(match part {
        (from, Some(to)) if from <= to && from < len => Part::Bytes { from, to },
        _ => Part::Unsatisfiable,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_body_is_the_part_that_was_asked_for() {
        let bytes = |from, to| Some(Part::Bytes { from, to });
        for (range, part) in [
            ("bytes=0-4", bytes(0, 4)),
            ("bytes=5-", bytes(5, 9)),
            ("bytes=-3", bytes(7, 9)),
            ("bytes=-30", bytes(0, 9)),
            ("bytes=5-500", bytes(5, 9)),
            ("bytes=10-", Some(Part::Unsatisfiable)),
            ("bytes=-0", Some(Part::Unsatisfiable)),
            ("bytes=1-2,4-5", None),
            ("lines=1-2", None),
        ] {
            assert_eq!(parse_range(range, 10), part, "{range}");
        }
    }
}
