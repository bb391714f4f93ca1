//! What the bytes of a string mean in a font, and how wide they are.

use super::{
    TEXT_MAX,
    cmap::{self, Map},
    file::Pdf,
    glyph,
    object::Object,
};
use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1252};
use hashbrown::HashMap;

/// Width of a character nobody measured, in parts of the font's size.
const WIDTH: f64 = 0.5;
/// Widths kept of one font.
const WIDTHS_MAX: usize = 1 << 16;
/// Work that one entry of a map or table is worth: about the bytes it takes.
const ENTRY: usize = 64;

/// One font of a page.
#[derive(Clone, Debug)]
pub(super) struct Font {
    /// Bytes of a code.
    bytes: usize,
    map: Map,
    /// Of fonts with one byte a code: the code page, and what differs from it.
    base: &'static Encoding,
    differences: HashMap<u8, String>,
    widths: Widths,
}

impl Default for Font {
    fn default() -> Font {
        let (map, differences, widths) = (Map::default(), HashMap::new(), Widths::default());
        Font { bytes: 1, map, base: WINDOWS_1252, differences, widths }
    }
}

impl Font {
    pub(super) fn read<'f>(file: &'f Pdf<'_>, font: &Object<'f>) -> Font {
        let map = font.get("ToUnicode").and_then(|reference| file.stream(reference));
        let map = map.map(|(_, source)| Map::read(&source)).unwrap_or_default();
        file.spend(ENTRY * map.len());
        if font.get("Subtype").is_some_and(|kind| kind.is_name("Type0")) {
            let inside = file.get(font, "DescendantFonts");
            let inside = inside.list().first().map(|inside| file.resolve(inside));
            let widths = inside.map(|inside| Widths::composite(file, file.get(&inside, "W").list()));
            let widths = widths.unwrap_or_default();
            return Font { bytes: map.width.unwrap_or(2).clamp(1, 4), map, widths, ..Font::default() };
        }
        let encoding = file.get(font, "Encoding");
        let base = encoding.get("BaseEncoding").unwrap_or(&encoding);
        let base = if base.is_name("MacRomanEncoding") { MACINTOSH } else { WINDOWS_1252 };
        let named = file.get(&encoding, "Differences");
        let differences =
            if file.spend(ENTRY * named.list().len()) { differences(named.list()) } else { HashMap::new() };
        let first = file.get(font, "FirstChar").count().unwrap_or(0) as u32;
        let widths = Widths::simple(first, file.get(font, "Widths").list());
        Font { bytes: 1, map, base, differences, widths }
    }

    /// Adds what a string shows, and says how wide it is for a font of size 1.
    pub(super) fn show(&self, string: &[u8], out: &mut String) -> f64 {
        let mut width = 0.0;
        for bytes in string.chunks(self.bytes) {
            let code = cmap::code(bytes);
            width += self.widths.of(code);
            // A code that a font of many keeps to itself shows nothing.
            if !self.map.write(code, out) && self.bytes == 1 {
                self.simple(bytes[0], out);
            }
            if out.len() >= TEXT_MAX {
                break;
            }
        }
        width
    }

    fn simple(&self, byte: u8, out: &mut String) {
        match self.differences.get(&byte) {
            Some(text) => out.push_str(text),
            // No font draws a control character.
            None if byte.is_ascii_control() => {}
            None => out.push_str(&self.base.decode_without_bom_handling(&[byte]).0),
        }
    }
}

/// Widths by code: from the one to the other, in their order.
#[derive(Clone, Debug, Default)]
struct Widths(Vec<(u32, u32, f64)>);

impl Widths {
    fn of(&self, code: u32) -> f64 {
        let begun = &self.0[..self.0.partition_point(|(first, ..)| *first <= code)];
        let found = begun.last().filter(|(_, last, width)| code <= *last && *width > 0.0);
        found.map_or(WIDTH, |(.., width)| *width)
    }

    /// Of the codes from `first` on.
    fn simple(first: u32, list: &[Object<'_>]) -> Widths {
        Widths((first..=255).zip(list.iter().filter_map(width)).map(|(code, width)| (code, code, width)).collect())
    }

    /// A code with the widths from there on, or two codes with the width of all from the one to the other.
    fn composite<'f>(file: &'f Pdf<'_>, list: &[Object<'f>]) -> Widths {
        let (mut widths, mut rest) = (Vec::new(), list);
        while let [first, second, after @ ..] = rest
            && let (Some(first), true) = (first.count(), widths.len() < WIDTHS_MAX && file.spend(ENTRY))
        {
            let first = first as u32;
            let second = file.resolve(second);
            rest = match (&*second, after) {
                (Object::List(each), _) => {
                    file.spend(each.len());
                    widths
                        .extend((first..).zip(each.iter().filter_map(width)).map(|(code, width)| (code, code, width)));
                    after
                }
                (last, [same, after @ ..]) => {
                    let last = last.count().map_or(0, |last| last as u32);
                    widths.push((first, last, width(same).unwrap_or(WIDTH)));
                    after
                }
                _ => break,
            };
        }
        widths.sort_by_key(|(first, ..)| *first);
        Widths(widths)
    }
}

/// In parts of the font's size; nothing where there is no number.
fn width(object: &Object<'_>) -> Option<f64> {
    object.number().map(|width| width / 1000.0)
}

/// Numbers, each with the names of the glyphs from there on.
fn differences(list: &[Object<'_>]) -> HashMap<u8, String> {
    let (mut differences, mut code) = (HashMap::new(), 0usize);
    for object in list {
        match object {
            Object::Number(_) => code = object.count().unwrap_or(256),
            Object::Name(name) => {
                let shown = std::str::from_utf8(name).ok().and_then(glyph::shown);
                if let (Ok(code), Some(shown)) = (u8::try_from(code), shown) {
                    differences.insert(code, shown);
                }
                code = code.saturating_add(1);
            }
            _ => {}
        }
    }
    differences
}
