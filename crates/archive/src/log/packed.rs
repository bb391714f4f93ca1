//! Many lines as one: `{"many":{"lines":"…","bytes":1234}}`, compressed with zstd and written in base 64, so that a log stays
//! a text of lines of which each is whole or not.
//!
//! What a capture decides and what it then sees name the same pages. So lines that follow directly on a `many` line may
//! be told as `more`: as if they went on behind its text, which a reader then has at hand.

use super::line::seal;
use data_encoding::BASE64_NOPAD;
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, io};
use zstd::bulk::{Compressor, Decompressor};

/// Fewer bytes of lines are left as they are.
pub(super) const PACKED_MIN: usize = 4 << 10;
/// More are, too: a line has a limit.
const PACKED_MAX: usize = 32 << 20;
/// zstd's own default. Level 19 makes the lines of a recapture a fifth shorter, and takes far more time.
const LEVEL: i32 = 3;

/// The lines as they are stored.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Packed<'a> {
    #[serde(borrow)]
    lines: Cow<'a, str>,
    /// When unpacked.
    bytes: usize,
}

/// A line that holds others.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Holder<'a> {
    #[serde(borrow)]
    Many(Packed<'a>),
    #[serde(borrow)]
    More(Packed<'a>),
}

/// Appends lines to `out`, as one if that is shorter. `before` is the text of the `many` line that `out` follows on, if it
/// does. Whether they became such a line themselves.
pub(super) fn pack(lines: &[u8], before: Option<&[u8]>, out: &mut Vec<u8>) -> bool {
    let packed = (PACKED_MIN..=PACKED_MAX).contains(&lines.len()).then(|| compress(lines, before).ok()).flatten();
    let Some(packed) = packed else {
        seal_each(lines, out);
        return false;
    };
    let packed = Packed { lines: BASE64_NOPAD.encode(&packed).into(), bytes: lines.len() };
    let holder = if before.is_some() { Holder::More(packed) } else { Holder::Many(packed) };
    let start = out.len();
    serde_json::to_writer(&mut *out, &holder).expect("plain data");
    seal(out, start);
    before.is_none()
}

/// Appends lines to `out` as they are, each with its checksum.
pub(super) fn seal_each(lines: &[u8], out: &mut Vec<u8>) {
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        let start = out.len();
        out.extend_from_slice(line.strip_suffix(b"\n").unwrap_or(line));
        seal(out, start);
    }
}

fn compress(lines: &[u8], before: Option<&[u8]>) -> io::Result<Vec<u8>> {
    match before {
        Some(before) => Compressor::with_dictionary(LEVEL, before)?.compress(lines),
        None => Compressor::new(LEVEL)?.compress(lines),
    }
}

/// Whether a line holds others.
pub(super) fn is_packed(line: &[u8]) -> bool {
    line.starts_with(b"{\"many\"") || line.starts_with(b"{\"more\"")
}

/// The lines in a line, without checksums; `text` holds those of the `many` line before it and takes theirs. Nothing if they
/// cannot be read.
pub(super) fn unpack(line: &[u8], text: &mut Vec<u8>) -> Option<Vec<u8>> {
    let before = std::mem::take(text);
    let (packed, before) = match serde_json::from_slice(line).ok()? {
        Holder::Many(packed) => (packed, None),
        Holder::More(packed) => (packed, Some(before).filter(|before| !before.is_empty())),
    };
    let bytes = BASE64_NOPAD.decode(packed.lines.as_bytes()).ok()?;
    let mut unpacker = Decompressor::with_dictionary(before.as_deref().unwrap_or_default()).ok()?;
    let lines = unpacker.decompress(&bytes, packed.bytes.min(PACKED_MAX)).ok()?;
    if before.is_none() {
        text.clone_from(&lines);
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::{super::line::unseal, *};

    /// Each of a page that no other looks like.
    fn lines(word: &str) -> Vec<u8> {
        let name = |n: u64| rapidhash::v3::rapidhash_v3(&n.to_le_bytes());
        let line = |n: u64| format!("{{\"{word}\":\"http://example.com/{:016x}{:016x}\"}}\n", name(n), name(n + 1000));
        (0..500).map(line).collect::<String>().into()
    }

    fn unsealed(out: &[u8]) -> Vec<u8> {
        let mut line = out.strip_suffix(b"\n").unwrap().to_vec();
        assert!(unseal(&mut line) && is_packed(&line));
        line
    }

    #[test]
    fn lines_come_back_and_those_that_follow_take_less_room() {
        let (decided, seen) = (lines("decide"), lines("same"));
        let (mut first, mut alone, mut second) = (Vec::new(), Vec::new(), Vec::new());
        assert!(pack(&decided, None, &mut first) && pack(&seen, None, &mut alone));
        assert!(!pack(&seen, Some(&decided), &mut second));
        assert!(first.len() < decided.len() && second.len() * 2 < alone.len(), "{} {}", first.len(), second.len());
        let mut text = Vec::new();
        assert_eq!(unpack(&unsealed(&first), &mut text), Some(decided));
        assert_eq!(unpack(&unsealed(&second), &mut text), Some(seen));
        assert_eq!(unpack(&unsealed(&second), &mut text), None, "what they follow on is lost");
    }

    #[test]
    fn few_lines_stay_as_they_are() {
        let mut out = Vec::new();
        assert!(!pack(b"{\"a\":1}\n{\"b\":2}\n", None, &mut out));
        let text = String::from_utf8(out).unwrap();
        assert!(text.lines().count() == 2 && text.starts_with("{\"a\":1,\"crc\":\""), "{text}");
    }

    #[test]
    fn nonsense_is_nothing() {
        for line in [
            r#"{"many":{"lines":"AAAA","bytes":99}}"#,
            r#"{"many":{"lines":"*","bytes":1}}"#,
            "{}",
            r#"{"more":{"lines":"","bytes":0}}"#,
        ] {
            assert!(unpack(line.as_bytes(), &mut Vec::new()).is_none_or(|lines| lines.is_empty()), "{line}");
        }
    }
}
