//! Whom to believe where a server says one thing and the bytes another.
//!
//! As browsers do it, with less fear, since nothing is run here: an image that was labelled as text is an image. Text is
//! never taken for a page because it begins like one, and what has no signature is what it is said to be.

use super::{Sniffed, containers, family, is_binary, sniff};
use crate::xml;
use tintype_vocab::folded;

/// What the bytes are, where that is something else than the server says.
pub(crate) fn contradiction(served: &str, body: &[u8]) -> Option<&'static str> {
    let sniffed = sniff(body)?;
    if served == "text/html" && matches!(sniffed, Sniffed::Page { .. }) {
        return None;
    }
    let label = Label::of(served);
    match sniffed {
        Sniffed::Signature(found) if is_certain(found, body) => {
            (!agrees(served, found) && label.yields_to(found)).then_some(found)
        }
        Sniffed::Page { declared } => label.yields_to_page(declared).then_some("text/html"),
        Sniffed::Xml => label.yields_to_xml(body).then_some("text/xml"),
        Sniffed::Drawing => label.promises_no_text().then_some("image/svg+xml"),
        Sniffed::Signature(_) | Sniffed::Text => label.promises_no_text().then_some("text/plain"),
        Sniffed::Binary => None,
    }
}

/// Letters alone are no signature: "GIF89a is a format" is a sentence. These formats are text themselves.
fn is_certain(found: &str, body: &[u8]) -> bool {
    is_binary(body) || matches!(found, "application/pdf" | "application/postscript" | "application/rtf")
}

/// What a served media type promises of the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    /// Nothing.
    Bytes,
    Page,
    /// Text for people, or for whomever.
    Plain,
    /// Text for machines, which never begins like a page.
    Code,
    /// XML of some sort, which may be a page or a drawing as well.
    Xml,
    /// A format of which we would know the signature.
    Known,
    /// A format that may look like anything.
    Other,
}

const SAYS_NOTHING: [&str; 5] = [
    "application/octet-stream",
    "binary/octet-stream",
    "application/download",
    "application/force-download",
    "application/x-download",
];

impl Label {
    fn of(served: &str) -> Label {
        let (kind, subtype) = served.split_once('/').unwrap_or_default();
        match folded(served) {
            name if SAYS_NOTHING.contains(&name) => Label::Bytes,
            "text/html" => Label::Page,
            "application/javascript" | "application/json" | "text/css" => Label::Code,
            "application/xml" => Label::Xml,
            _ if subtype.ends_with("+xml") => Label::Xml,
            _ if subtype.ends_with("+json") => Label::Code,
            _ if kind == "text" => Label::Plain,
            _ if family::has_signature(served) => Label::Known,
            _ => Label::Other,
        }
    }

    fn promises_no_text(self) -> bool {
        matches!(self, Label::Bytes | Label::Known)
    }

    /// Whether bytes with that signature are what they are in spite of the label. Two or three bytes are too little
    /// against a format we do not know.
    fn yields_to(self, found: &str) -> bool {
        const SHORT: [&str; 6] =
            ["image/x-icon", "font/ttf", "audio/aac", "audio/mpeg", "video/quicktime", "application/java-vm"];
        self != Label::Other || !SHORT.contains(&found)
    }

    /// Whether it is a page in spite of the label; `declared` if it says so itself, and does not just begin with a tag.
    fn yields_to_page(self, declared: bool) -> bool {
        self.promises_no_text() || declared && matches!(self, Label::Code | Label::Other)
    }

    /// Sitemaps and feeds are served as pages and as text every day.
    fn yields_to_xml(self, body: &[u8]) -> bool {
        self.promises_no_text() || matches!(self, Label::Page | Label::Plain) && xml::starts_listing(body)
    }
}

/// Whether what has this signature may be called that.
fn agrees(served: &str, found: &str) -> bool {
    if family::is_same(served, found) {
        return true;
    }
    // Countless formats are one of these inside.
    let holds_others = containers::is_zip(found) || matches!(found, "application/gzip" | "application/x-ole-storage");
    let unknown = served.starts_with("application/") && Label::of(served) == Label::Other;
    holds_others && unknown || found == "application/zip" && containers::is_zip(served)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The beginning of a file, with a byte in it that no text has.
    fn binary(begin: &[u8]) -> Vec<u8> {
        [begin, &[0; 16]].concat()
    }

    fn zip(names: &[&str]) -> Vec<u8> {
        names.iter().flat_map(|name| [b"PK\x03\x04".as_slice(), &[0; 26], name.as_bytes()].concat()).collect()
    }

    #[test]
    fn bytes_win_over_labels_that_cannot_be_right() {
        for (served, body, found) in [
            ("text/html", binary(b"\x89PNG\r\n\x1a\n"), "image/png"),
            ("text/plain", binary(b"\xff\xd8\xff"), "image/jpeg"),
            ("text/html", b"%PDF-1.4\n".to_vec(), "application/pdf"),
            ("application/json", binary(b"GIF89a"), "image/gif"),
            ("image/jpeg", binary(b"\x89PNG\r\n\x1a\n"), "image/png"),
            ("image/jpeg", b"<!DOCTYPE html><title>Not found".to_vec(), "text/html"),
            ("image/gif", b"<p>no such image</p>".to_vec(), "text/html"),
            ("image/png", b"no such image".to_vec(), "text/plain"),
            ("audio/mpeg", b"<?xml version='1.0'?><Error/>".to_vec(), "text/xml"),
            ("video/x-flv", binary(b"\0\0\0\x18ftypisom"), "video/mp4"),
            ("application/pdf", b"<html>".to_vec(), "text/html"),
            ("application/json", b"<!doctype html>".to_vec(), "text/html"),
            ("text/css", b"<html >".to_vec(), "text/html"),
            ("application/vnd.ms-excel", b"<html xmlns:o='x'>".to_vec(), "text/html"),
            ("application/octet-stream", b"<html>".to_vec(), "text/html"),
            ("application/octet-stream", b"one, two\n".to_vec(), "text/plain"),
            ("application/octet-stream", b"<svg >".to_vec(), "image/svg+xml"),
            ("binary/octet-stream", binary(b"OggS\0\x02........\0\0\0\x01\x1e\x01vorbis"), "audio/ogg"),
            (
                "application/octet-stream",
                zip(&["[Content_Types].xml", "word/document.xml"]),
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            ),
            (
                "application/msword",
                zip(&["[Content_Types].xml", "xl/workbook.xml"]),
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            ),
            ("application/zip", zip(&["mimetypeapplication/epub+zip"]), "application/epub+zip"),
            ("text/html", b"<?xml version='1.0'?><rss><channel>".to_vec(), "text/xml"),
            ("text/plain", b"<urlset >".to_vec(), "text/xml"),
        ] {
            assert_eq!(contradiction(served, &body), Some(found), "{served} {:?}", body.escape_ascii().to_string());
        }
    }

    #[test]
    fn labels_that_may_be_right_are_believed() {
        for (served, body) in [
            ("text/html", b"<p>".to_vec()),
            ("text/html", b"anything".to_vec()),
            ("text/html", b"".to_vec()),
            ("text/plain", b"<!DOCTYPE html><html>".to_vec()),
            ("text/plain", b"GIF89a is a format".to_vec()),
            ("application/octet-stream", b"\0\x02\x01".to_vec()),
            ("text/x-php", b"<html><?php".to_vec()),
            ("text/xml", b"<html>".to_vec()),
            ("application/xhtml+xml", b"<!doctype html>".to_vec()),
            ("text/html", b"<?xml version='1.0'?><html>".to_vec()),
            ("application/javascript", b"<!-- hidden\nalert(1)".to_vec()),
            ("image/svg+xml", b"<?xml version='1.0'?><svg>".to_vec()),
            ("image/jpg", binary(b"\xff\xd8\xff")),
            ("image/vnd.microsoft.icon", binary(b"\0\0\x01\0")),
            ("audio/mp3", binary(b"ID3\x03")),
            ("audio/x-wav", binary(b"RIFF....WAVE")),
            ("audio/mp4", binary(b"\0\0\0\x18ftypisom")),
            ("video/quicktime", binary(b"\0\0\0\x18ftypqt  ")),
            ("video/ogg", binary(b"OggS\0")),
            ("font/woff2", binary(b"wOF2")),
            ("application/x-font-ttf", binary(b"\0\x01\0\0")),
            ("application/x-unheard-of", binary(b"\0\x01\0\0")),
            ("application/java-archive", zip(&["META-INF/MANIFEST.MF"])),
            ("application/x-xpinstall", zip(&["META-INF/MANIFEST.MF"])),
            ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", zip(&["docProps/app.xml"])),
            ("application/x-zip-compressed", zip(&["a"])),
            ("application/vnd.ms-word.document.macroenabled.12", zip(&["word/document.xml"])),
            ("application/x-gzip", binary(b"\x1f\x8b\x08")),
            ("application/warc", binary(b"\x1f\x8b\x08")),
            ("audio/x-mpegurl", b"#EXTM3U\n".to_vec()),
            ("application/vnd.google-earth.kml+xml", b"<?xml version='1.0'?><kml>".to_vec()),
            ("image/x-xbitmap", b"#define x 1".to_vec()),
            ("multipart/mixed", b"--x".to_vec()),
        ] {
            assert_eq!(contradiction(served, &body), None, "{served} {:?}", body.escape_ascii().to_string());
        }
    }
}
