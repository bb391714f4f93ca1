//! What the bytes of a string mean in a font, and how wide they are.

use super::{
    cmap::{self, Map},
    file::File,
    glyph,
    object::Object,
};
use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1252};
use hashbrown::HashMap;

/// Width of a character nobody measured, in parts of the font's size.
const WIDTH: f64 = 0.5;
/// Widths kept of one font.
const WIDTHS_MAX: usize = 1 << 16;

/// One font of a page.
#[derive(Clone, Debug)]
pub(super) struct Font {
    /// Bytes of a code.
    bytes: usize,
    map: Map,
    /// Of fonts with one byte a code: the code page, and what differs from it.
    base: &'static Encoding,
    differences: HashMap<u8, String>,
    /// By code.
    widths: HashMap<u32, f64>,
}

impl Default for Font {
    fn default() -> Font {
        let (map, differences, widths) = (Map::default(), HashMap::new(), HashMap::new());
        Font { bytes: 1, map, base: WINDOWS_1252, differences, widths }
    }
}

impl Font {
    pub(super) fn read<'f>(file: &'f File<'_>, font: &Object<'f>) -> Font {
        let map = font.get("ToUnicode").and_then(|reference| file.stream(reference));
        let map = map.map(|(_, source)| Map::read(&source)).unwrap_or_default();
        if font.get("Subtype").is_some_and(|kind| kind.is_name("Type0")) {
            let inside = file.get(font, "DescendantFonts").list().first().map(|inside| file.resolve(inside));
            let widths = composite_widths(file, file.get(&inside.unwrap_or(Object::Null), "W").list());
            return Font { bytes: map.width.unwrap_or(2).clamp(1, 4), map, widths, ..Font::default() };
        }
        let encoding = file.get(font, "Encoding");
        let base = encoding.get("BaseEncoding").unwrap_or(&encoding);
        let base = if base.is_name("MacRomanEncoding") { MACINTOSH } else { WINDOWS_1252 };
        let differences = differences(file.get(&encoding, "Differences").list());
        let first = file.get(font, "FirstChar").count().unwrap_or(0) as u32;
        let widths = (first..=255).zip(file.get(font, "Widths").list().iter().filter_map(width)).collect();
        Font { bytes: 1, map, base, differences, widths }
    }

    /// Adds what a string shows, and says how wide it is for a font of size 1.
    pub(super) fn show(&self, string: &[u8], out: &mut String) -> f64 {
        let mut width = 0.0;
        for bytes in string.chunks(self.bytes) {
            let code = cmap::code(bytes);
            width += self.width(code);
            match self.map.get(code) {
                Some(text) => out.push_str(text),
                None if self.bytes == 1 => self.simple(bytes[0], out),
                // A code of a font that keeps to itself what it means.
                None => {}
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

    fn width(&self, code: u32) -> f64 {
        self.widths.get(&code).copied().filter(|width| *width > 0.0).unwrap_or(WIDTH)
    }
}

/// In parts of the font's size; nothing where there is no number.
fn width(object: &Object<'_>) -> Option<f64> {
    object.number().map(|width| width / 1000.0)
}

/// A code with the widths from there on, or two codes with the width of all from the one to the other.
fn composite_widths<'f>(file: &'f File<'_>, list: &[Object<'f>]) -> HashMap<u32, f64> {
    let mut widths = HashMap::new();
    let mut rest = list;
    while let [first, second, after @ ..] = rest
        && let (Some(first), true) = (first.count(), widths.len() < WIDTHS_MAX)
    {
        let first = first as u32;
        rest = match (file.resolve(second), after) {
            (Object::List(each), _) => {
                widths.extend((first..).zip(each.iter().filter_map(width)));
                after
            }
            (last, [same, after @ ..]) => {
                let last = last.count().unwrap_or(0).min(first as usize + WIDTHS_MAX) as u32;
                widths.extend((first..=last).zip(std::iter::repeat(width(same).unwrap_or(WIDTH))));
                after
            }
            _ => break,
        };
    }
    widths
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
