//! Bytes that a format begins with, or has a few bytes in.

/// Formats told by their first bytes.
const BEGINNINGS: [(&[u8], &str); 45] = [
    (b"%PDF-", "application/pdf"),
    (b"%!PS-Adobe-", "application/postscript"),
    (b"{\\rtf", "application/rtf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\0\0\x01\0", "image/x-icon"),
    (b"\0\0\x02\0", "image/x-icon"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\0\0\0\x0cjP  \r\n", "image/jp2"),
    (b"\0\0\0\x0cJXL \r\n", "image/jxl"),
    (b"8BPS\0\x01", "image/vnd.adobe.photoshop"),
    (b"AT&TFORM", "image/vnd.djvu"),
    (b"fLaC", "audio/flac"),
    (b"MThd\0\0\0\x06", "audio/midi"),
    (b"#!AMR", "audio/amr"),
    (b"\0\0\x01\xba", "video/mpeg"),
    (b"\0\0\x01\xb3", "video/mpeg"),
    (b"FLV\x01", "video/x-flv"),
    (b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", "video/x-ms-asf"),
    (b".RMF\0\0\0", "application/vnd.rn-realmedia"),
    (b"\0asm", "application/wasm"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"OTTO", "font/otf"),
    (b"ttcf", "font/collection"),
    (b"\0\x01\0\0", "font/ttf"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"BZh91AY&SY", "application/x-bzip2"),
    (b"\xfd7zXZ\0", "application/x-xz"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"Rar!\x1a\x07", "application/x-rar-compressed"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"SQLite format 3\0", "application/vnd.sqlite3"),
    (b"\x7fELF", "application/x-executable"),
    (b"!<arch>\ndebian", "application/vnd.debian.binary-package"),
    (b"\xed\xab\xee\xdb", "application/x-rpm"),
    (b"\xca\xfe\xba\xbe", "application/java-vm"),
    (b"OggS\0", "application/ogg"),
    (b"\x1a\x45\xdf\xa3", "video/webm"),
];

/// Whether that name is given to any bytes.
pub(super) fn tell(media_type: &str) -> bool {
    let inside =
        ["audio/mpeg", "audio/aac", "image/bmp", "video/mp2t", "application/x-tar", "application/x-shockwave-flash"];
    inside.contains(&media_type) || BEGINNINGS.iter().any(|(_, name)| *name == media_type)
}

/// The format whose signature the bytes have.
pub(super) fn of(head: &[u8]) -> Option<&'static str> {
    let begins = BEGINNINGS.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, media_type)| *media_type);
    begins.or_else(|| inside(head))
}

/// Formats that take more than a beginning, or begin too much like something else.
fn inside(head: &[u8]) -> Option<&'static str> {
    match head {
        [b'I', b'D', b'3', 2..=4, ..] => Some("audio/mpeg"),
        [b'F' | b'C' | b'Z', b'W', b'S', 1..=0x40, ..] => Some("application/x-shockwave-flash"),
        [0xff, 0xf0 | 0xf1 | 0xf8 | 0xf9, ..] => Some("audio/aac"),
        _ if is_mp3_frame(head) => Some("audio/mpeg"),
        _ if is_bitmap(head) => Some("image/bmp"),
        _ if head.get(257..262) == Some(b"ustar") => Some("application/x-tar"),
        _ if is_transport_stream(head) => Some("video/mp2t"),
        _ if is_program(head) => Some("application/vnd.microsoft.portable-executable"),
        _ => None,
    }
}

/// An MPEG audio frame without tag: sync, layer III, and no reserved bit rate or sampling rate.
fn is_mp3_frame(head: &[u8]) -> bool {
    matches!(head, [0xff, b, c, ..] if b & 0xe6 == 0xe2 && b & 0x18 != 0x08 && c >> 4 != 15 && c >> 4 != 0 && (c >> 2) & 3 != 3)
}

/// `BM` and a header of a size that there is: two letters are too little.
fn is_bitmap(head: &[u8]) -> bool {
    let size = head.get(14..18).map(|size| [size[0], size[1], size[2], size[3]]).map(u32::from_le_bytes);
    head.starts_with(b"BM") && matches!(size, Some(12 | 40 | 52 | 56 | 64 | 108 | 124))
}

/// Packets of 188 bytes that all begin with the same.
fn is_transport_stream(head: &[u8]) -> bool {
    [0, 188, 376].iter().all(|at| head.get(*at) == Some(&0x47))
}

/// A program for DOS that says it is one for Windows.
fn is_program(head: &[u8]) -> bool {
    let Some(at) = head.get(0x3c..0x40).map(|at| u32::from_le_bytes([at[0], at[1], at[2], at[3]])) else {
        return false;
    };
    head.starts_with(b"MZ") && head.get(at as usize..).is_some_and(|rest| rest.starts_with(b"PE\0\0"))
}
