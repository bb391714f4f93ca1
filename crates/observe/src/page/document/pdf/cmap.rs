//! ToUnicode maps: from the codes in a string to characters.

use super::object::{Object, Objects};
use hashbrown::HashMap;

/// Codes and ranges of one map.
const CODES_MAX: usize = 1 << 17;
/// Operands of one operator: a hundred codes are usual, each with what it means.
const OPERANDS_MAX: usize = 1 << 16;
/// Units of UTF-16 that one code stands for.
const UNITS_MAX: usize = 64;

/// Characters by code.
#[derive(Clone, Debug, Default)]
pub(super) struct Map {
    characters: HashMap<u32, String>,
    /// In the order they begin. Not written out: a line of a few bytes stands for all codes there are.
    ranges: Vec<Range>,
    /// Bytes of a code, if the map says so.
    pub(super) width: Option<usize>,
}

/// Codes of which the first stands for these units, and each of the others for one more in the last of them.
#[derive(Clone, Debug)]
struct Range {
    first: u32,
    last: u32,
    units: Vec<u16>,
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
                operand if operands.len() < OPERANDS_MAX => operands.push(operand),
                _ => {}
            }
        }
        map.ranges.sort_by_key(|range| range.first);
        map
    }

    /// Codes and ranges that are known.
    pub(super) fn len(&self) -> usize {
        self.characters.len() + self.ranges.len()
    }

    /// Writes what a code stands for; says whether the map knows.
    pub(super) fn write(&self, code: u32, out: &mut String) -> bool {
        if let Some(text) = self.characters.get(&code) {
            out.push_str(text);
            return true;
        }
        let begun = &self.ranges[..self.ranges.partition_point(|range| range.first <= code)];
        let Some(units) = begun.last().and_then(|range| range.units(code)) else { return false };
        out.push_str(&characters(units));
        true
    }

    fn single(&mut self, pair: &[Object<'_>]) {
        if let (Some(code), Some(text)) = (pair[0].text().map(code), pair[1].text()) {
            self.insert(code, text);
        }
    }

    fn range(&mut self, range: &[Object<'_>]) {
        let (Some(first), Some(last)) = (range[0].text().map(code), range[1].text().map(code)) else { return };
        match &range[2] {
            Object::List(each) => {
                let texts = each.iter().map(|text| text.text().unwrap_or_default());
                (first..=last).zip(texts).for_each(|(code, text)| self.insert(code, text));
            }
            Object::Text(start) if self.ranges.len() < CODES_MAX => {
                self.ranges.push(Range { first, last, units: units(start).collect() });
            }
            _ => {}
        }
    }

    fn insert(&mut self, code: u32, text: &[u8]) {
        if self.characters.len() < CODES_MAX {
            self.characters.insert(code, characters(units(text)));
        }
    }
}

impl Range {
    /// What a code stands for that is not before this range.
    fn units(&self, code: u32) -> Option<impl Iterator<Item = u16>> {
        let (last, before) = self.units.split_last().filter(|_| code <= self.last)?;
        let last = last.checked_add(u16::try_from(code - self.first).ok()?)?;
        Some(before.iter().copied().chain([last]))
    }
}

/// The number that bytes of a string stand for.
pub(super) fn code(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |code, byte| code << 8 | u32::from(*byte))
}

fn units(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.chunks_exact(2).take(UNITS_MAX).map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
}

fn characters(units: impl Iterator<Item = u16>) -> String {
    char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(map: &Map, code: u32) -> String {
        let mut out = String::new();
        assert!(map.write(code, &mut out), "{code}");
        out
    }

    #[test]
    fn a_range_takes_the_room_of_its_line() {
        let line = format!("<00000000> <ffffffff> <{}> ", "0041".repeat(10_000));
        let map = Map::read(format!("{}endbfrange", line.repeat(20)).as_bytes());
        assert_eq!((map.len(), shown(&map, 1).len()), (20, UNITS_MAX));
        assert!(!map.write(0x10000, &mut String::new()));
    }

    #[test]
    fn codes_are_mapped_singly_and_in_ranges() {
        let map = Map::read(
            b"/CIDInit /ProcSet findresource begin 1 begincodespacerange <0000> <ffff> endcodespacerange
              1 beginbfchar <0003> <00660069> endbfchar
              2 beginbfrange <0010> <0012> <0041> <0020> <0021> [<d83dde00> <0062>] endbfrange",
        );
        assert_eq!(map.width, Some(2));
        for (code, text) in [(3, "fi"), (0x10, "A"), (0x12, "C"), (0x20, "😀"), (0x21, "b")] {
            assert_eq!(shown(&map, code), text);
        }
        assert!(!map.write(0x13, &mut String::new()));
    }
}
