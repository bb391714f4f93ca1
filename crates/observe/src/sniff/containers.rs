//! Formats that others are packed in: what a file of them is, is told by what is inside.

use memchr::memmem;

/// How much of either end of a body is searched for names.
const SEARCHED: usize = 64 << 10;
/// How many names of a packed file are looked at.
const NAMES_MAX: usize = 256;

/// What is inside, where `outside` is a format for that; else `outside`.
pub(super) fn inside(outside: &'static str, body: &[u8]) -> &'static str {
    match outside {
        "application/ogg" => ogg(body),
        "video/webm" => matroska(head(body)),
        "application/zip" => zip(body),
        "application/x-ole-storage" => ole(body),
        other => other,
    }
}

/// Formats whose name stands a few bytes in.
pub(super) fn of(body: &[u8]) -> Option<&'static str> {
    match (body.get(..4)?, body.get(4..8)?, body.get(8..12)?) {
        (b"RIFF", _, b"WEBP") => Some("image/webp"),
        (b"RIFF", _, b"WAVE") => Some("audio/wave"),
        (b"RIFF", _, b"AVI ") => Some("video/avi"),
        (b"FORM", _, b"AIFF" | b"AIFC") => Some("audio/aiff"),
        (_, b"ftyp", brand) => Some(brand_type(brand)),
        (_, b"moov" | b"mdat" | b"wide" | b"free", _) => Some("video/quicktime"),
        _ => None,
    }
}

/// Whether that name is given to any bytes that another format is packed in, or to those told by [`of`].
pub(super) fn tell(media_type: &str) -> bool {
    const NAMES: [&str; 7] =
        ["image/webp", "audio/wave", "video/avi", "audio/aiff", "image/avif", "image/heic", "video/mp4"];
    NAMES.contains(&media_type) || is_zip(media_type)
}

/// Whether files of that name are packed as ZIP, as far as we know them.
pub(super) fn is_zip(media_type: &str) -> bool {
    let named = ENTRIES.iter().any(|(_, name)| *name == media_type);
    named || STATED.contains(&media_type) || media_type.contains("zip") && media_type != "application/gzip"
}

fn head(body: &[u8]) -> &[u8] {
    &body[..body.len().min(SEARCHED)]
}

fn tail(body: &[u8]) -> &[u8] {
    &body[body.len().saturating_sub(SEARCHED)..]
}

fn has(text: &[u8], name: &[u8]) -> bool {
    memmem::find(text, name).is_some()
}

/// What an MP4 file of this brand is.
fn brand_type(brand: &[u8]) -> &'static str {
    match brand {
        b"avif" | b"avis" => "image/avif",
        b"heic" | b"heix" | b"heim" | b"heis" | b"mif1" | b"msf1" => "image/heic",
        b"M4A " | b"M4B " | b"M4P " => "audio/mp4",
        b"qt  " => "video/quicktime",
        [b'3', b'g', b'p' | b'r' | b's', _] => "video/3gpp",
        b"crx " => "image/x-canon-cr3",
        _ => "video/mp4",
    }
}

/// By the name of the document type, and whether there is a codec for pictures.
fn matroska(head: &[u8]) -> &'static str {
    let sounds = has(head, b"A_OPUS") || has(head, b"A_VORBIS") || has(head, b"A_AAC") || has(head, b"A_MPEG");
    let shows = has(head, b"V_");
    match (has(head, b"matroska"), sounds && !shows) {
        (false, true) => "audio/webm",
        (false, false) => "video/webm",
        (true, true) => "audio/x-matroska",
        (true, false) => "video/x-matroska",
    }
}

fn ogg(body: &[u8]) -> &'static str {
    let head = &body[..body.len().min(512)];
    let any = |codecs: &[&[u8]]| codecs.iter().any(|codec| has(head, codec));
    if any(&[b"\x80theora", b"BBCD\0", b"OVP80"]) {
        "video/ogg"
    } else if any(&[b"\x01vorbis", b"OpusHead", b"\x7fFLAC", b"Speex  "]) {
        "audio/ogg"
    } else {
        "application/ogg"
    }
}

/// Media types that a file says itself, in its first entry.
const STATED: [&str; 5] = [
    "application/epub+zip",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.oasis.opendocument.graphics",
];

/// Names of entries that only one format has.
const ENTRIES: [(&[u8], &str); 6] = [
    (b"word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    (b"xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    (b"ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    (b"AndroidManifest.xml", "application/vnd.android.package-archive"),
    (b"META-INF/MANIFEST.MF", "application/java-archive"),
    (b"doc.kml", "application/vnd.google-earth.kmz"),
];

fn zip(body: &[u8]) -> &'static str {
    let stated = body.get(30..).and_then(|entry| entry.strip_prefix(b"mimetype"));
    if let Some(stated) = stated
        && let Some(known) = STATED.iter().find(|known| is_stated(stated, known))
    {
        return known;
    }
    let named = |name: &[u8]| ENTRIES.iter().position(|(begin, _)| name.starts_with(begin));
    names(body).filter_map(named).min().map_or("application/zip", |at| ENTRIES[at].1)
}

/// Whether the name is all of an entry: the next header follows, or nothing.
fn is_stated(entry: &[u8], name: &str) -> bool {
    entry.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"PK"))
}

/// The names of entries: from the headers before them at the beginning, and from the directory at the end.
fn names(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let begin = memmem::find_iter(head(body), b"PK\x03\x04").filter_map(|at| head(body).get(at + 30..));
    let end = memmem::find_iter(tail(body), b"PK\x01\x02").filter_map(|at| tail(body).get(at + 46..));
    begin.take(NAMES_MAX).chain(end.take(NAMES_MAX))
}

/// Streams that only one format has.
const STREAMS: [(&str, &str); 3] = [
    ("WordDocument", "application/msword"),
    ("Workbook", "application/vnd.ms-excel"),
    ("PowerPoint Document", "application/vnd.ms-powerpoint"),
];

fn ole(body: &[u8]) -> &'static str {
    let has_stream = |name: &str| {
        let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        has(head(body), &name) || has(tail(body), &name)
    };
    STREAMS.iter().find(|(stream, _)| has_stream(stream)).map_or("application/x-ole-storage", |(_, name)| name)
}
