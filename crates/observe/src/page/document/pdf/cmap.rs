//! ToUnicode maps: from the codes in a string to characters.

use super::object::{Object, Objects};
use hashbrown::HashMap;

/// Codes of one map.
const CODES_MAX: usize = 1 << 17;

/// Characters by code.
#[derive(Clone, Debug, Default)]
pub(super) struct Map {
    characters: HashMap<u32, String>,
    /// Bytes of a code, if the map says so.
    pub(super) width: Option<usize>,
}

impl Map {
    pub(super) fn read(source: &[u8]) -> Map {
        let mut map = Map::default();
        let mut operands: Vec<Object<'_>> = Vec::new();
        let mut objects = Objects::new(source);
        while let Some(object) = objects.next() {
            match object {
                Object::Word(word) => {
                    match word {
                        b"endcodespacerange" => map.width = operands.first().and_then(Object::text).map(<[u8]>::len),
                        b"endbfchar" => operands.chunks_exact(2).for_each(|pair| map.single(pair)),
                        b"endbfrange" => operands.chunks_exact(3).for_each(|range| map.range(range)),
                        _ => {}
                    }
                    operands.clear();
                }
                operand => operands.push(operand),
            }
        }
        map
    }

    pub(super) fn get(&self, code: u32) -> Option<&str> {
        self.characters.get(&code).map(String::as_str)
    }

    fn single(&mut self, pair: &[Object<'_>]) {
        if let (Some(code), Some(text)) = (pair[0].text().map(code), pair[1].text()) {
            self.insert(code, utf_16(text));
        }
    }

    fn range(&mut self, range: &[Object<'_>]) {
        let (Some(first), Some(last)) = (range[0].text().map(code), range[1].text().map(code)) else { return };
        let codes = first..=last.min(first.saturating_add(CODES_MAX as u32));
        match &range[2] {
            Object::List(each) => {
                let texts = each.iter().map(|text| utf_16(text.text().unwrap_or_default()));
                codes.zip(texts).for_each(|(code, text)| self.insert(code, text));
            }
            Object::Text(start) => {
                // Only the last unit counts up.
                let Some(at) = start.len().checked_sub(2) else { return };
                let unit = u16::from_be_bytes([start[at], start[at + 1]]);
                for (code, unit) in codes.zip(unit..=u16::MAX) {
                    if self.characters.len() >= CODES_MAX {
                        return;
                    }
                    let mut text = start[..at].to_vec();
                    text.extend(unit.to_be_bytes());
                    self.insert(code, utf_16(&text));
                }
            }
            _ => {}
        }
    }

    fn insert(&mut self, code: u32, text: String) {
        if self.characters.len() < CODES_MAX {
            self.characters.insert(code, text);
        }
    }
}

/// The number that bytes of a string stand for.
pub(super) fn code(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |code, byte| code << 8 | u32::from(*byte))
}

fn utf_16(bytes: &[u8]) -> String {
    let units = bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
    char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_mapped_singly_and_in_ranges() {
        let map = Map::read(
            b"/CIDInit /ProcSet findresource begin 1 begincodespacerange <0000> <ffff> endcodespacerange
              1 beginbfchar <0003> <00660069> endbfchar
              2 beginbfrange <0010> <0012> <0041> <0020> <0021> [<d83dde00> <0062>] endbfrange",
        );
        assert_eq!(map.width, Some(2));
        for (code, text) in [(3, "fi"), (0x10, "A"), (0x12, "C"), (0x20, "😀"), (0x21, "b")] {
            assert_eq!(map.get(code), Some(text));
        }
        assert_eq!(map.get(0x13), None);
    }
}
