//! What the Content-Type header says.

/// A Content-Type header, read leniently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentTypeHeader {
    /// `type/subtype`, lower case.
    pub essence: String,
    /// The charset parameter as written.
    pub charset: Option<String>,
}

/// Longest `type/subtype` that is taken seriously.
const ESSENCE_MAX: usize = 127;

impl ContentTypeHeader {
    /// Nothing if the header names no usable media type.
    pub fn parse(header: &str) -> Option<ContentTypeHeader> {
        let mut parts = header.split(';');
        // Two Content-Type lines folded into one by a proxy: the last usable one is what browsers take.
        let essence = parts.next()?.split(',').rev().find_map(essence)?;
        let charset = parts.find_map(charset);
        Some(ContentTypeHeader { essence, charset })
    }

    /// Whether the server says no more than "bytes".
    pub fn is_vague(&self) -> bool {
        matches!(
            self.essence.as_str(),
            "unknown/unknown" | "application/unknown" | "content/unknown" | "application/x-unknown" | "*/*"
        )
    }
}

fn essence(text: &str) -> Option<String> {
    let text = text.trim();
    let (kind, subtype) = text.split_once('/')?;
    let valid = !kind.is_empty() && !subtype.is_empty() && text.len() <= ESSENCE_MAX;
    (valid && kind.bytes().chain(subtype.bytes()).all(is_token)).then(|| text.to_ascii_lowercase())
}

fn charset(parameter: &str) -> Option<String> {
    let (name, value) = parameter.split_once('=')?;
    let value = value.trim().trim_matches(['"', '\'']).trim();
    (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then(|| value.to_owned())
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_leniently() {
        for (header, expected) in [
            ("text/html", Some(("text/html", None))),
            (" Text/HTML ; Charset=\"UTF-8\"", Some(("text/html", Some("UTF-8")))),
            ("text/html;boundary=x;charset='koi8-r'", Some(("text/html", Some("koi8-r")))),
            ("text/html; charset=", Some(("text/html", None))),
            ("text/plain, text/html; charset=utf-8", Some(("text/html", Some("utf-8")))),
            ("image/svg+xml", Some(("image/svg+xml", None))),
            ("text", None),
            ("/html", None),
            ("text/", None),
            ("", None),
            (";charset=utf-8", None),
            ("te xt/html", None),
            ("text/html/x", None),
        ] {
            let seen = ContentTypeHeader::parse(header);
            let seen = seen.as_ref().map(|t| (t.essence.as_str(), t.charset.as_deref()));
            assert_eq!(seen, expected, "{header}");
        }
        assert!(ContentTypeHeader::parse("*/*").unwrap().is_vague());
        assert_eq!(ContentTypeHeader::parse(&format!("a/{}", "b".repeat(200))), None);
    }
}
