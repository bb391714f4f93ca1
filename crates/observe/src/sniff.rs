//! What bytes are when nobody says: the signatures of the WHATWG MIME sniffing standard.

/// How many bytes are looked at.
const HEADER: usize = 1445;

/// The media type of a body that came without a usable one; nothing for an empty body.
pub(crate) fn media_type(body: &[u8]) -> Option<&'static str> {
    let head = &body[..body.len().min(HEADER)];
    if head.is_empty() {
        return None;
    }
    markup(head).or_else(|| signature(head)).or_else(|| container(head)).or(Some(text_or_binary(head)))
}

/// Tags that make a document HTML when one of them comes first.
const HTML_TAGS: [&str; 18] = [
    "!doctype html",
    "html",
    "head",
    "script",
    "iframe",
    "h1",
    "div",
    "font",
    "table",
    "a",
    "style",
    "title",
    "b",
    "body",
    "br",
    "p",
    "!--",
    "meta",
];

fn markup(head: &[u8]) -> Option<&'static str> {
    let start = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    if start.starts_with(b"<?xml") {
        return Some("text/xml");
    }
    let tag = start.strip_prefix(b"<")?;
    if starts_with_word(tag, "svg") {
        return Some("image/svg+xml");
    }
    if ["rss", "feed", "urlset", "sitemapindex", "rdf:RDF"].iter().any(|word| starts_with_word(tag, word)) {
        return Some("text/xml");
    }
    HTML_TAGS.iter().any(|word| starts_with_word(tag, word)).then_some("text/html")
}

fn starts_with_word(tag: &[u8], word: &str) -> bool {
    let Some((head, rest)) = tag.split_at_checked(word.len()) else { return false };
    let ends =
        word == "!--" || rest.first().is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'));
    ends && head.eq_ignore_ascii_case(word.as_bytes())
}

const SIGNATURES: [(&[u8], &str); 27] = [
    (b"%PDF-", "application/pdf"),
    (b"%!PS-Adobe-", "application/postscript"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\0\0\x01\0", "image/x-icon"),
    (b"\0\0\x02\0", "image/x-icon"),
    (b"BM", "image/bmp"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"ID3", "audio/mpeg"),
    (b"OggS\0", "application/ogg"),
    (b"fLaC", "audio/flac"),
    (b"MThd\0\0\0\x06", "audio/midi"),
    (b"\x1a\x45\xdf\xa3", "video/webm"),
    (b"\0asm", "application/wasm"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"OTTO", "font/otf"),
    (b"ttcf", "font/collection"),
    (b"\0\x01\0\0", "font/ttf"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"Rar!\x1a\x07", "application/x-rar-compressed"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
];

fn signature(head: &[u8]) -> Option<&'static str> {
    let hit = SIGNATURES.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, media_type)| *media_type);
    hit.or_else(|| is_mp3_frame(head).then_some("audio/mpeg"))
}

/// An MPEG audio frame without tag: sync, layer III, and no reserved bit rate or sampling rate.
fn is_mp3_frame(head: &[u8]) -> bool {
    matches!(head, [0xff, b, c, ..] if b & 0xe6 == 0xe2 && b & 0x18 != 0x08 && c >> 4 != 15 && c >> 4 != 0 && (c >> 2) & 3 != 3)
}

/// Formats whose name stands a few bytes in.
fn container(head: &[u8]) -> Option<&'static str> {
    match (head.get(..4)?, head.get(4..8)?, head.get(8..12)?) {
        (b"RIFF", _, b"WEBP") => Some("image/webp"),
        (b"RIFF", _, b"WAVE") => Some("audio/wave"),
        (b"RIFF", _, b"AVI ") => Some("video/avi"),
        (b"FORM", _, b"AIFF") => Some("audio/aiff"),
        (_, b"ftyp", b"avif" | b"avis") => Some("image/avif"),
        (_, b"ftyp", b"heic" | b"heix") => Some("image/heic"),
        (_, b"ftyp", b"M4A ") => Some("audio/mp4"),
        (_, b"ftyp", _) => Some("video/mp4"),
        _ => None,
    }
}

fn text_or_binary(head: &[u8]) -> &'static str {
    let marked = head.starts_with(b"\xef\xbb\xbf") || head.starts_with(b"\xfe\xff") || head.starts_with(b"\xff\xfe");
    let binary = |byte: &u8| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f);
    if marked || !head.iter().any(binary) { "text/plain" } else { "application/octet-stream" }
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
        ] {
            assert_eq!(media_type(body), Some(expected), "{body:?}");
        }
        assert_eq!(media_type(b""), None);
    }
}
