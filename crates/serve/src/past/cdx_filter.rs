//! Filters of CDX queries, in the dialects of pywb and of the Internet Archive.

use regex::{Regex, RegexBuilder};
use tintype_warc::cdxj::Line;

/// A pattern that needs more memory than this is refused.
const PATTERN_BYTES_MAX: usize = 256 << 10;

/// A field under any of the names it has in the field.
pub(super) fn field_name(name: &str) -> &str {
    match name {
        "original" | "u" => "url",
        "statuscode" => "status",
        "mimetype" | "m" => "mime",
        "l" | "s" => "length",
        "o" => "offset",
        "d" => "digest",
        "t" => "timestamp",
        "k" => "urlkey",
        "f" => "filename",
        other => other,
    }
}

/// The value of a field of an index line.
pub(super) fn value(line: &Line, name: &str) -> Option<String> {
    match field_name(name) {
        "urlkey" => Some(line.key.clone()),
        "timestamp" => Some(line.timestamp.clone()),
        "url" => line.url.clone(),
        "mime" => line.mime.clone(),
        "status" => line.status.clone(),
        "digest" => line.digest.clone(),
        "length" => line.length.map(|length| length.to_string()),
        "offset" => line.offset.map(|offset| offset.to_string()),
        "filename" => line.filename.clone(),
        other => line.others.iter().find(|(name, _)| name == other).map(|(_, value)| value.clone()),
    }
}

#[derive(Debug)]
enum Test {
    Contains(String),
    Equals(String),
    Matches(Regex),
}

/// One condition on a line.
#[derive(Debug)]
pub(super) struct LineFilter {
    is_not: bool,
    /// The whole line if there is none.
    field: Option<String>,
    test: Test,
}

impl LineFilter {
    /// `[!][=|~][field:]text`, as pywb reads it: contains, equals, or matches from its beginning on.
    pub(super) fn parse(text: &str) -> Option<LineFilter> {
        let (is_not, text) = negated(text);
        let (kind, text) = match text.as_bytes().first() {
            Some(sign @ (b'=' | b'~')) => (*sign, &text[1..]),
            _ => (b' ', text),
        };
        let (field, text) = match text.split_once(':') {
            Some((field, text)) => (Some(field.to_owned()), text),
            None => (None, text),
        };
        let test = match kind {
            b'=' => Test::Equals(text.to_owned()),
            b'~' => Test::Matches(pattern(&format!("^(?:{text})"))?),
            _ => Test::Contains(text.to_owned()),
        };
        Some(LineFilter { is_not, field, test })
    }

    /// `[!]field:pattern`, as the Internet Archive reads it: the pattern is that of the whole value.
    pub(super) fn parse_whole(text: &str) -> Option<LineFilter> {
        let (is_not, text) = negated(text);
        let (field, text) = text.split_once(':')?;
        let test = Test::Matches(pattern(&format!("^(?:{text})$"))?);
        Some(LineFilter { is_not, field: Some(field.to_owned()), test })
    }

    pub(super) fn passes(&self, line: &Line) -> bool {
        let value = match &self.field {
            Some(field) => value(line, field).unwrap_or_default(),
            None => line.to_string(),
        };
        let holds = match &self.test {
            Test::Contains(text) => value.contains(text),
            Test::Equals(text) => value == *text,
            Test::Matches(pattern) => pattern.is_match(&value),
        };
        holds != self.is_not
    }
}

fn negated(text: &str) -> (bool, &str) {
    text.strip_prefix('!').map_or((false, text), |text| (true, text))
}

fn pattern(text: &str) -> Option<Regex> {
    RegexBuilder::new(text).size_limit(PATTERN_BYTES_MAX).build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_lets_pass_what_both_dialects_let_pass() {
        let line = Line::parse(
            "com,e)/a 20261118000000 {\"url\": \"http://e.com/a\", \"mime\": \"text/html\", \"status\": \"200\"}",
        )
        .unwrap();
        for (text, passes) in [
            ("status:20", true),
            ("=status:20", false),
            ("!=status:200", false),
            ("~mime:text", true),
            ("~mime:html", false),
            ("!mimetype:image", true),
            ("e.com/a", true),
        ] {
            assert_eq!(LineFilter::parse(text).unwrap().passes(&line), passes, "{text}");
        }
        for (text, passes) in [("statuscode:200", true), ("statuscode:20", false), ("!mimetype:image/.*", true)] {
            assert_eq!(LineFilter::parse_whole(text).unwrap().passes(&line), passes, "{text}");
        }
        assert!(LineFilter::parse("~url:(").is_none() && LineFilter::parse_whole("(a{1000}){1000}:x").is_some());
        assert!(LineFilter::parse("~url:(a{1000}){1000}").is_none(), "patterns are bounded");
    }
}
