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

/// One font of a page.
#[derive(Clone, Debug)]
pub(super) struct Font {
    /// Bytes of a code.
    bytes: usize,
    map: Map,
    /// Of fonts with one byte a code: the code page, and what differs from it.
    base: &'static Encoding,
    differences: HashMap<u8, String>,
    first: usize,
    widths: Vec<f64>,
}

impl Default for Font {
    fn default() -> Font {
        let (map, differences, widths) = (Map::default(), HashMap::new(), Vec::new());
        Font { bytes: 1, map, base: WINDOWS_1252, differences, first: 0, widths }
    }
}

impl Font {
    pub(super) fn read<'f>(file: &'f File<'_>, font: &Object<'f>) -> Font {
        let map = font.get("ToUnicode").and_then(|reference| file.stream(reference));
        let map = map.map(|(_, source)| Map::read(&source)).unwrap_or_default();
        if font.get("Subtype").is_some_and(|kind| kind.is_name("Type0")) {
            return Font { bytes: map.width.unwrap_or(2).clamp(1, 4), map, ..Font::default() };
        }
        let encoding = file.get(font, "Encoding");
        let base = encoding.get("BaseEncoding").unwrap_or(&encoding);
        let base = if base.is_name("MacRomanEncoding") { MACINTOSH } else { WINDOWS_1252 };
        let differences = differences(file.get(&encoding, "Differences").list());
        let first = file.get(font, "FirstChar").count().unwrap_or(0);
        let width = |width: &Object<'_>| width.number().unwrap_or(0.0) / 1000.0;
        let widths = file.get(font, "Widths").list().iter().take(256).map(width).collect();
        Font { bytes: 1, map, base, differences, first, widths }
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
            None => out.push_str(&self.base.decode_without_bom_handling(&[byte]).0),
        }
    }

    fn width(&self, code: u32) -> f64 {
        let known = (code as usize).checked_sub(self.first).and_then(|at| self.widths.get(at));
        known.copied().filter(|width| *width > 0.0).unwrap_or(WIDTH)
    }
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
