//! What bytes are, whatever is said of them: the signatures of the WHATWG MIME sniffing standard, and those of more of
//! what is on the web.
//!
//! [`media_type`] is for bytes that nobody says anything of, [`contradiction`] for those of which something else is said.

mod belief;
mod containers;
mod family;
mod signatures;

pub(crate) use belief::contradiction;

/// How many bytes are looked at; only what is packed in something is searched for further.
const HEADER: usize = 1445;

/// What bytes look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sniffed {
    /// A page; `declared` if it says so, and does not just begin with one of the tags that pages have.
    Page {
        declared: bool,
    },
    Xml,
    Drawing,
    /// The format of that name, by bytes that it begins with.
    Signature(&'static str),
    Text,
    Binary,
}

fn sniff(body: &[u8]) -> Option<Sniffed> {
    let head = head(body);
    if head.is_empty() {
        return None;
    }
    let plain = || if is_binary(head) { Sniffed::Binary } else { Sniffed::Text };
    Some(markup(head).or_else(|| signature(head, body)).unwrap_or_else(plain))
}

fn head(body: &[u8]) -> &[u8] {
    &body[..body.len().min(HEADER)]
}

/// The media type of a body that came without a usable one; nothing for an empty body.
pub(crate) fn media_type(body: &[u8]) -> Option<&'static str> {
    Some(match sniff(body)? {
        Sniffed::Page { .. } => "text/html",
        Sniffed::Xml => "text/xml",
        Sniffed::Drawing => "image/svg+xml",
        Sniffed::Signature(media_type) => media_type,
        Sniffed::Text => "text/plain",
        Sniffed::Binary => "application/octet-stream",
    })
}

fn signature(head: &[u8], body: &[u8]) -> Option<Sniffed> {
    let found = signatures::of(head).or_else(|| containers::of(head))?;
    Some(Sniffed::Signature(containers::inside(found, body)))
}

/// Tags that nothing but a page begins with.
const DECLARE: [&str; 5] = ["!doctype html", "html", "head", "body", "title"];

/// Other tags that make a document HTML when one of them comes first.
const HTML_TAGS: [&str; 13] =
    ["script", "iframe", "h1", "div", "font", "table", "a", "style", "b", "br", "p", "!--", "meta"];

fn markup(head: &[u8]) -> Option<Sniffed> {
    let start = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    if start.starts_with(b"<?xml") {
        return Some(Sniffed::Xml);
    }
    let tag = start.strip_prefix(b"<")?;
    let begins = |words: &[&str]| words.iter().any(|word| starts_with_word(tag, word));
    match () {
        () if begins(&DECLARE) => Some(Sniffed::Page { declared: true }),
        () if begins(&HTML_TAGS) => Some(Sniffed::Page { declared: false }),
        () if begins(&["svg"]) => Some(Sniffed::Drawing),
        () if begins(&["rss", "feed", "urlset", "sitemapindex", "rdf:RDF"]) => Some(Sniffed::Xml),
        () => None,
    }
}

fn starts_with_word(tag: &[u8], word: &str) -> bool {
    let Some((head, rest)) = tag.split_at_checked(word.len()) else { return false };
    let ends =
        word == "!--" || rest.first().is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'));
    ends && head.eq_ignore_ascii_case(word.as_bytes())
}

/// Whether there are bytes that text does not have.
fn is_binary(body: &[u8]) -> bool {
    let head = head(body);
    let marked = head.starts_with(b"\xef\xbb\xbf") || head.starts_with(b"\xfe\xff") || head.starts_with(b"\xff\xfe");
    !marked && head.iter().any(|byte| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_known_beginnings_are_recognised() {
        for (body, expected) in [
            (&b"  \n<!DOCTYPE HTML>"[..], "text/html"),
            (b"<Html >", "text/html"),
            (b"<p>", "text/html"),
            (b"<!-- x", "text/html"),
            (b"<pre>", "text/plain"),
            (b"\xef\xbb\xbf<?xml version='1.0'?>", "text/xml"),
            (b"<urlset xmlns='x'>", "text/xml"),
            (b"<svg xmlns='x'>", "image/svg+xml"),
            (b"%PDF-1.7", "application/pdf"),
            (b"\x89PNG\r\n\x1a\nIHDR", "image/png"),
            (b"GIF89a..", "image/gif"),
            (b"\xff\xd8\xff\xe0", "image/jpeg"),
            (b"RIFF....WEBPVP", "image/webp"),
            (b"\0\0\0\x18ftypmp42....", "video/mp4"),
            (b"\0\0\0\x18ftypavif....", "image/avif"),
            (b"\x1a\x45\xdf\xa3", "video/webm"),
            (b"ID3\x03", "audio/mpeg"),
            (b"\xff\xfb\x90\x64", "audio/mpeg"),
            (b"\0asm\x01\0\0\0", "application/wasm"),
            (b"wOF2", "font/woff2"),
            (b"PK\x03\x04", "application/zip"),
            (b"\x1f\x8b\x08\0", "application/gzip"),
            (b"hello\n", "text/plain"),
            (b"\xff\xfeh\0", "text/plain"),
            (b"he\0llo", "application/octet-stream"),
            (b"FWS\x08....", "application/x-shockwave-flash"),
            (b"\0\0\x01\xba!", "video/mpeg"),
            (b"BMW\n", "text/plain"),
            (b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0", "image/bmp"),
            (b"OggS\0\x02.....................\x80theora", "video/ogg"),
            (b"OggS\0\x02.....................OpusHead", "audio/ogg"),
            (b"OggS\0\x02.....................", "application/ogg"),
            (b"\x1a\x45\xdf\xa3....webm....A_OPUS", "audio/webm"),
            (b"\x1a\x45\xdf\xa3....webm....V_VP9..A_OPUS", "video/webm"),
            (b"\x1a\x45\xdf\xa3....matroska", "video/x-matroska"),
            (b"\0\0\0\x18ftypM4A ....", "audio/mp4"),
            (b"\0\0\0\x18ftypqt  ....", "video/quicktime"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1..W\0o\0r\0k\0b\0o\0o\0k\0", "application/vnd.ms-excel"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1..", "application/x-ole-storage"),
        ] {
            assert_eq!(media_type(body), Some(expected), "{body:?}");
        }
        assert_eq!(media_type(b""), None);
    }

    #[test]
    fn what_a_packed_file_holds_is_found_at_both_ends() {
        let directory = |name: &[u8]| [b"PK\x01\x02".as_slice(), &[0; 42], name].concat();
        let large = |name: &[u8]| [b"PK\x03\x04".to_vec(), vec![1; 300_000], directory(name)].concat();
        let word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
        assert_eq!(media_type(&large(b"word/document.xml")), Some(word));
        assert_eq!(media_type(&large(b"words.txt")), Some("application/zip"));
        let stated =
            [b"PK\x03\x04".as_slice(), &[0; 26], b"mimetypeapplication/vnd.oasis.opendocument.textPK\x03\x04"].concat();
        assert_eq!(media_type(&stated), Some("application/vnd.oasis.opendocument.text"));
        let tar = [&[b'x'; 257][..], b"ustar\0"].concat();
        assert_eq!(media_type(&tar), Some("application/x-tar"));
    }
}
