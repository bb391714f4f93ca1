//! Which characters the bytes of a page mean: byte order mark, header, the page's own word, then a guess.
//!
//! Links are nearly always ASCII, so nothing is decoded until a value needs it, and then only that value. Markup
//! can be read as bytes in every encoding of the web but UTF-16 and ISO-2022-JP; those are decoded whole first.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use std::{borrow::Cow, cell::OnceCell};

/// How far into a page its own word about its encoding is looked for.
pub(crate) const PRESCAN: usize = 1024;
/// How much of a page the guess looks at.
const GUESS: usize = 256 << 10;

/// The encoding of one body, found out as late as possible.
#[derive(Debug)]
pub(crate) struct Charset<'b> {
    body: &'b [u8],
    /// The host name tells likely languages.
    url: &'b str,
    known: OnceCell<&'static Encoding>,
}

impl<'b> Charset<'b> {
    /// `inside` reads what the page itself says, if neither mark nor header do.
    pub(crate) fn new(
        body: &'b [u8],
        header: Option<&str>,
        url: &'b str,
        inside: impl FnOnce(&'b [u8]) -> Option<&'static Encoding>,
    ) -> Charset<'b> {
        let declared = Encoding::for_bom(body)
            .map(|(encoding, _)| encoding)
            .or_else(|| header.and_then(|label| Encoding::for_label(label.as_bytes())))
            .or_else(|| bare_utf16(body))
            .or_else(|| inside(&body[..body.len().min(PRESCAN)]));
        Charset { body, url, known: declared.map(OnceCell::from).unwrap_or_default() }
    }

    pub(crate) fn encoding(&self) -> &'static Encoding {
        self.known.get_or_init(|| self.guess())
    }

    /// The encoding as far as it is known without a guess, which takes longer than all else that is read of a page.
    pub(crate) fn unguessed(&self) -> Option<&'static Encoding> {
        self.known.get().copied()
    }

    fn guess(&self) -> &'static Encoding {
        if std::str::from_utf8(self.body).is_ok() {
            return UTF_8;
        }
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(&self.body[..self.body.len().min(GUESS)], true);
        detector.guess(tld(self.url).as_deref().map(str::as_bytes), Utf8Detection::Allow)
    }

    /// The text of a value found in the body.
    pub(crate) fn decode<'v>(&self, value: &'v [u8]) -> Cow<'v, str> {
        match std::str::from_utf8(value) {
            Ok(text) if value.is_ascii() => text.into(),
            _ => self.encoding().decode_without_bom_handling(value).0,
        }
    }

    /// The body as UTF-8 where its bytes cannot be tokenized as they are.
    pub(crate) fn readable(&self) -> Option<Vec<u8>> {
        let encoding = *self.known.get()?;
        let opaque = [UTF_16LE, UTF_16BE, ISO_2022_JP].contains(&encoding);
        opaque.then(|| encoding.decode_with_bom_removal(self.body).0.into_owned().into_bytes())
    }

    /// The whole body as text.
    pub(crate) fn text(&self) -> Cow<'b, str> {
        self.encoding().decode_with_bom_removal(self.body).0
    }
}

/// The last label of the host, as the charset guess wants it.
fn tld(url: &str) -> Option<String> {
    let authority = url.split_once("://")?.1.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?.split(':').next()?;
    let label = host.rsplit('.').next()?;
    (!label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphabetic())).then(|| label.to_ascii_lowercase())
}

/// UTF-16 that says so nowhere: markup starts with `<`, and half of `<` in UTF-16 is zero.
fn bare_utf16(body: &[u8]) -> Option<&'static Encoding> {
    match body {
        [b'<', 0, next, 0, ..] if *next != 0 => Some(UTF_16LE),
        [0, b'<', 0, next, ..] if *next != 0 => Some(UTF_16BE),
        _ => None,
    }
}

/// The encoding a label inside the page stands for: it was read as ASCII, so it cannot be UTF-16.
pub(crate) fn from_inside(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    Some(match encoding {
        _ if encoding == UTF_16LE || encoding == UTF_16BE => UTF_8,
        _ if encoding == X_USER_DEFINED => WINDOWS_1252,
        _ => encoding,
    })
}

/// The label in `text/html; charset=…`, as a meta element writes it.
pub(crate) fn label_in_content(content: &[u8]) -> Option<&[u8]> {
    let lower = content.to_ascii_lowercase();
    let at = memchr::memmem::find(&lower, b"charset")? + b"charset".len();
    let rest = content[at..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let end = |stop: &[u8]| rest[1..].iter().position(|byte| stop.contains(byte)).map(|end| &rest[1..=end]);
    match rest.first()? {
        b'"' => end(b"\""),
        b'\'' => end(b"'"),
        _ => rest.split(|byte| byte.is_ascii_whitespace() || matches!(byte, b';' | b',')).next(),
    }
}

/// The encoding an XML declaration names.
pub(crate) fn in_xml_declaration(head: &[u8]) -> Option<&'static Encoding> {
    let end = memchr::memmem::find(head.strip_prefix(b"<?xml")?, b"?>")?;
    let declaration = &head[5..5 + end];
    let at = memchr::memmem::find(declaration, b"encoding")? + b"encoding".len();
    let rest = declaration[at..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *rest.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    from_inside(rest[1..].split(|byte| *byte == quote).next()?)
}

/// The encoding a style sheet names in its first bytes.
pub(crate) fn in_style_sheet(head: &[u8]) -> Option<&'static Encoding> {
    from_inside(head.strip_prefix(b"@charset \"")?.split(|byte| *byte == b'"').next()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{SHIFT_JIS, WINDOWS_1251};

    fn encoding(body: &[u8], header: Option<&str>) -> &'static Encoding {
        Charset::new(body, header, "http://site.example/", in_xml_declaration).encoding()
    }

    #[test]
    fn the_mark_beats_the_header_beats_the_page_beats_the_guess() {
        let xml = b"<?xml version='1.0' encoding='windows-1251'?>";
        assert_eq!(encoding(b"\xef\xbb\xbf<a>", Some("windows-1251")), UTF_8);
        assert_eq!(encoding(xml, Some("shift_jis")), SHIFT_JIS);
        assert_eq!(encoding(xml, None), WINDOWS_1251);
        assert_eq!(encoding(xml, Some("no-such-charset")), WINDOWS_1251);
        assert_eq!(encoding("<a>é".as_bytes(), None), UTF_8);
        assert_eq!(encoding(b"<a>caf\xe9 d\xe9j\xe0 vu", None), WINDOWS_1252);
        assert_eq!(encoding(b"<\0a\0>\0", None), UTF_16LE);
        assert_eq!(encoding(b"\0<\0a\0>", None), UTF_16BE);
    }

    #[test]
    fn a_page_that_could_be_read_as_ascii_is_not_utf_16() {
        assert_eq!(from_inside(b"utf-16"), Some(UTF_8));
        assert_eq!(from_inside(b"x-user-defined"), Some(WINDOWS_1252));
        assert_eq!(from_inside(b"nonsense"), None);
    }

    #[test]
    fn labels_are_found_in_meta_content() {
        for (content, label) in [
            ("text/html; charset=koi8-r", Some("koi8-r")),
            ("text/html;CHARSET = 'koi8-r' ; x", Some("koi8-r")),
            ("charset=\"koi8-r\"", Some("koi8-r")),
            ("charset=koi8-r;x", Some("koi8-r")),
            ("charset=\"koi8-r", None),
            ("charset", None),
            ("charset=", None),
            ("text/html", None),
        ] {
            assert_eq!(label_in_content(content.as_bytes()), label.map(str::as_bytes), "{content}");
        }
    }
}
