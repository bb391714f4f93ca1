//! CDXJ index lines: `surt timestamp14 {json}`, read, written and ordered as every replay tool does.

use serde::de::{Deserializer, MapAccess, Visitor};
use std::fmt::{self, Write as _};
use tintype_vocab::Time;

/// A longer line is not read.
pub const LINE_BYTES_MAX: usize = 1 << 20;

/// One index line. Values are text, as the field writes them; what is absent is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The page's URL key.
    pub key: String,
    /// Fourteen digits.
    pub timestamp: String,
    pub url: Option<String>,
    pub mime: Option<String>,
    pub status: Option<String>,
    pub digest: Option<String>,
    pub length: Option<u64>,
    pub offset: Option<u64>,
    pub filename: Option<String>,
    /// Fields of other tools, in their order; values that are not text are kept as JSON.
    pub others: Vec<(String, String)>,
}

/// Why a line is not one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineError {
    TooLong,
    /// Not key, timestamp and a JSON object.
    Malformed,
    /// A header or comment line (`!meta`, ` CDX`, `#`), not an entry.
    NotAnEntry,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LineError::TooLong => "index line too long",
            LineError::Malformed => "not a CDXJ line",
            LineError::NotAnEntry => "not an entry but a header line",
        })
    }
}

impl std::error::Error for LineError {}

/// Key, timestamp and JSON text of a line, without looking into the JSON: enough for lookups.
pub fn split(line: &str) -> Option<(&str, &str, &str)> {
    let (key, rest) = line.trim_end_matches(['\r', '\n']).split_once(' ')?;
    let (timestamp, json) = rest.split_once(' ')?;
    Some((key, timestamp, json))
}

/// Whether that many digits may be a time: from a year to milliseconds.
pub(crate) fn is_timestamp(text: &str) -> bool {
    (4..=17).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
}

/// Sorts as `LC_ALL=C sort -u` would: bytewise, equal lines once.
pub fn sort(lines: &mut Vec<String>) {
    lines.sort_unstable();
    lines.dedup();
}

impl Line {
    pub fn parse(text: &str) -> Result<Line, LineError> {
        if text.len() > LINE_BYTES_MAX {
            return Err(LineError::TooLong);
        }
        if text.starts_with(['!', '#', ' ']) {
            return Err(LineError::NotAnEntry);
        }
        let (key, timestamp, json) = split(text).ok_or(LineError::Malformed)?;
        if !is_timestamp(timestamp) {
            return Err(LineError::Malformed);
        }
        let fields: Fields = serde_json::from_str(json).map_err(|_| LineError::Malformed)?;
        let mut line = Line { key: key.to_owned(), timestamp: timestamp.to_owned(), ..Line::default() };
        fields.0.into_iter().for_each(|(name, value)| line.set(name, value));
        Ok(line)
    }

    fn set(&mut self, name: String, value: String) {
        match name.as_str() {
            "url" => self.url = Some(value),
            "mime" => self.mime = Some(value),
            "status" => self.status = Some(value),
            "digest" => self.digest = Some(value),
            "filename" => self.filename = Some(value),
            "length" => self.length = value.parse().ok(),
            "offset" => self.offset = value.parse().ok(),
            _ => self.others.push((name, value)),
        }
    }

    pub fn time(&self) -> Option<Time> {
        Time::parse_timestamp14(self.timestamp.get(..14).unwrap_or(&self.timestamp)).ok()
    }

    /// Whether the line stands for a duplicate record.
    pub fn is_duplicate(&self) -> bool {
        self.mime.as_deref() == Some("warc/revisit")
    }

    /// Appends the line with its line feed.
    pub fn write_to(&self, out: &mut String) {
        let mut writer = LineWriter::start(out, &self.key, &self.timestamp);
        let texts = [("url", &self.url), ("mime", &self.mime), ("status", &self.status), ("digest", &self.digest)];
        texts.into_iter().for_each(|(name, value)| writer.text(name, value.as_deref()));
        writer.number("length", self.length);
        writer.number("offset", self.offset);
        writer.text("filename", self.filename.as_deref());
        self.others.iter().for_each(|(name, value)| writer.text(name, Some(value)));
        writer.end();
    }
}

impl fmt::Display for Line {
    /// Without the line feed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write_to(&mut text);
        f.write_str(text.trim_end_matches('\n'))
    }
}

/// Writes a line field by field exactly as Python's `json.dumps` would: `, ` and `: ` between, ASCII only.
pub(crate) struct LineWriter<'a> {
    out: &'a mut String,
    first: bool,
}

impl<'a> LineWriter<'a> {
    pub(crate) fn start(out: &'a mut String, key: &str, timestamp: &str) -> LineWriter<'a> {
        out.push_str(key);
        out.push(' ');
        out.push_str(timestamp);
        out.push_str(" {");
        LineWriter { out, first: true }
    }

    /// Goes on with a line that already has fields.
    pub(crate) fn resume(out: &'a mut String) -> LineWriter<'a> {
        let first = out.ends_with('{');
        LineWriter { out, first }
    }

    fn name(&mut self, name: &str) {
        if !std::mem::take(&mut self.first) {
            self.out.push_str(", ");
        }
        push_json(self.out, name);
        self.out.push_str(": ");
    }

    pub(crate) fn text(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.name(name);
            push_json(self.out, value);
        }
    }

    pub(crate) fn number(&mut self, name: &str, value: Option<u64>) {
        if let Some(value) = value {
            self.name(name);
            write!(self.out, "\"{value}\"").expect("a String takes all text");
        }
    }

    pub(crate) fn end(self) {
        self.out.push_str("}\n");
    }
}

fn push_json(out: &mut String, text: &str) {
    out.push('"');
    if text.bytes().all(|b| matches!(b, b' '..=b'~') && b != b'"' && b != b'\\') {
        out.push_str(text);
    } else {
        text.chars().for_each(|c| push_json_char(out, c));
    }
    out.push('"');
}

fn push_json_char(out: &mut String, c: char) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        ' '..='\u{7f}' => out.push(c),
        _ => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}").expect("a String takes all text");
            }
        }
    }
}

/// The JSON object in its own order.
struct Fields(Vec<(String, String)>);

impl<'de> serde::Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let mut fields = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, serde_json::Value>()? {
            let value = match value {
                serde_json::Value::String(text) => text,
                other => other.to_string(),
            };
            fields.push((name, value));
        }
        Ok(Fields(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = r#"org,example)/a 20261115215503 {"url": "http://example.org/a", "mime": "text/html", "status": "200", "digest": "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "length": "12", "offset": "345", "filename": "a.warc.gz"}"#;

    #[test]
    fn a_line_reads_and_writes_back() {
        let line = Line::parse(TEXT).unwrap();
        assert_eq!((line.length, line.offset), (Some(12), Some(345)));
        assert_eq!(line.time(), Time::parse_rfc3339("2026-11-15T21:55:03Z").ok());
        assert_eq!(line.to_string(), TEXT);
    }

    #[test]
    fn foreign_lines_read_and_others_are_refused() {
        let line = Line::parse("a)/ 2026 {\"offset\":7,\"x\":{\"y\":1},\"url\":\"\\u00e9\"}\r\n").unwrap();
        assert_eq!((line.offset, line.url.as_deref()), (Some(7), Some("é")));
        assert_eq!(line.others, [("x".to_owned(), "{\"y\":1}".to_owned())]);
        assert_eq!(Line::parse("!meta 0 {}"), Err(LineError::NotAnEntry));
        assert_eq!(Line::parse(" CDX N b a"), Err(LineError::NotAnEntry));
        for bad in ["", "a", "a 2026", "a 2026 []", "a 2026 {", "a x {}"] {
            assert_eq!(Line::parse(bad), Err(LineError::Malformed), "{bad}");
        }
    }

    #[test]
    fn text_is_escaped_as_python_does() {
        let mut out = String::new();
        push_json(&mut out, "a\"\\\n\u{1}\u{7f}é😀/");
        assert_eq!(out, "\"a\\\"\\\\\\n\\u0001\u{7f}\\u00e9\\ud83d\\ude00/\"");
    }

    #[test]
    fn order_is_bytewise() {
        let mut lines: Vec<String> = ["b", "a)/ 2", "a 1", "a)/ 2", "B"].map(String::from).to_vec();
        sort(&mut lines);
        assert_eq!(lines, ["B", "a 1", "a)/ 2", "b"]);
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "[ -~\\PC]{0,80}", json in "\\PC{0,60}") {
            let _ = Line::parse(&text);
            let _ = Line::parse(&format!("a 2026 {{{json}}}"));
        }

        #[test]
        fn written_lines_read_back(url in "\\PC{0,30}", mime in proptest::option::of("[a-z/]{0,9}"), length in any::<u64>()) {
            let line = Line {
                key: "k".into(), timestamp: "20260101000000".into(), url: Some(url), mime, length: Some(length),
                ..Line::default()
            };
            prop_assert_eq!(Line::parse(&line.to_string()), Ok(line));
        }
    }
}
