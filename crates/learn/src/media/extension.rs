//! What extensions stand for by convention. Known before anything is learned.

use super::kind::Kind;

/// What a name ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extension {
    None,
    /// One that names no media type, or none we know.
    Unknown,
    Names(Kind),
}

impl Extension {
    /// A small number for each.
    pub(super) fn number(self) -> u64 {
        match self {
            Extension::None => 0,
            Extension::Unknown => 1,
            Extension::Names(kind) => 2 + kind as u64,
        }
    }
}

/// Longest extension that is one.
pub(super) const LEN_MAX: usize = 7;

/// Extensions with what they stand for. Those of programs that make pages (php, asp, cgi) name nothing: they serve
/// whatever they like.
const CONVENTIONS: [(Kind, &str); 13] = [
    (Kind::Html, "htm html xhtml shtml mhtml"),
    (Kind::Css, "css"),
    (Kind::Plain, "txt csv md vtt ics log tsv srt"),
    (Kind::Script, "js mjs cjs"),
    (Kind::Json, "json jsonld geojson map"),
    (Kind::Xml, "xml rss atom rdf xsl xslt kml"),
    (Kind::Pdf, "pdf"),
    (Kind::ApplicationFont, "woff woff2 ttf otf eot"),
    (
        Kind::Binary,
        "zip gz tgz bz2 xz 7z rar tar exe msi dmg iso deb rpm jar swf doc docx xls xlsx ppt pptx odt ods odp epub bin cab \
         apk dll psf crx wasm dat",
    ),
    (Kind::Image, "jpg jpeg jpe png gif webp svg ico bmp tif tiff avif heic cur jxl"),
    (Kind::Audio, "mp3 ogg oga wav flac m4a aac opus wma mid aif aiff"),
    (Kind::Video, "mp4 m4v webm mov avi mkv mpg mpeg wmv flv ogv f4v m4s 3gp"),
    (Kind::Video, "ts"),
];

const PLACES: usize = 512;

const fn place(packed: u64) -> usize {
    (packed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55) as usize
}

/// Every convention where [`place`] says, or behind it.
const fn table() -> [(u64, u8); PLACES] {
    let mut table = [(0, 0); PLACES];
    let mut row = 0;
    while row < CONVENTIONS.len() {
        let (kind, list) = CONVENTIONS[row];
        let bytes = list.as_bytes();
        let (mut at, mut number) = (0, 0);
        while at <= bytes.len() {
            if at == bytes.len() || bytes[at] == b' ' {
                if number != 0 {
                    let mut slot = place(number);
                    while table[slot].0 != 0 {
                        slot = (slot + 1) % PLACES;
                    }
                    table[slot] = (number, kind as u8);
                }
                number = 0;
            } else {
                number = number << 8 | bytes[at] as u64;
            }
            at += 1;
        }
        row += 1;
    }
    table
}

static TABLE: [(u64, u8); PLACES] = table();

/// What an extension in lower case stands for, packed into a number: its bytes, the last one lowest.
pub(super) fn known(number: u64) -> Extension {
    if number == 0 {
        return Extension::None;
    }
    let mut slot = place(number);
    while TABLE[slot].0 != 0 {
        if TABLE[slot].0 == number {
            return Extension::Names(Kind::ALL[usize::from(TABLE[slot].1)]);
        }
        slot = (slot + 1) % PLACES;
    }
    Extension::Unknown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(text: &str) -> u64 {
        text.bytes().fold(0, |number, byte| number << 8 | u64::from(byte))
    }

    #[test]
    fn conventions_are_known() {
        for (kind, list) in CONVENTIONS {
            for extension in list.split_ascii_whitespace() {
                assert_eq!(known(packed(extension)), Extension::Names(kind), "{extension}");
            }
        }
        assert_eq!(known(0), Extension::None);
        for odd in ["php", "aspx", "jp", "jpgx"] {
            assert_eq!(known(packed(odd)), Extension::Unknown, "{odd}");
        }
    }
}
