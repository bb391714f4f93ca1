//! Streams without the filters they are stored in.

use super::object::{Object, hexadecimal, is_space};
use flate2::bufread::ZlibDecoder;
use std::{borrow::Cow, cell::Cell, io::Read};

/// Filters on one stream.
const FILTERS_MAX: usize = 4;

/// What a stream holds, as far as there is room; nothing if it is stored in a way we do not read. Whatever is read or
/// written takes room, also between two filters.
pub(super) fn undo<'p>(dictionary: &Object<'_>, stored: &'p [u8], room: &Cell<usize>) -> Option<Cow<'p, [u8]>> {
    let filters = dictionary.get("Filter").or_else(|| dictionary.get("F"));
    let filters: &[Object<'_>] = match filters {
        None | Some(Object::Null) => &[],
        Some(Object::List(list)) => list,
        Some(one) => std::slice::from_ref(one),
    };
    if filters.len() > FILTERS_MAX || is_predicted(dictionary) {
        return None;
    }
    let spend = |work: usize| room.set(room.get().saturating_sub(work));
    let mut bytes = Cow::Borrowed(stored);
    spend(stored.len());
    for filter in filters {
        bytes = match filter.name()? {
            b"FlateDecode" | b"Fl" => inflate(&bytes, room.get()).into(),
            b"ASCIIHexDecode" | b"AHx" => hexadecimal(bytes.split(|byte| *byte == b'>').next()?).into(),
            b"ASCII85Decode" | b"A85" => ascii_85(&bytes).into(),
            _ => return None,
        };
        spend(bytes.len());
    }
    Some(bytes)
}

/// Whether pixels, or rows of a table, are stored by how they differ: no text is.
fn is_predicted(dictionary: &Object<'_>) -> bool {
    let predictor = |parameters: &Object<'_>| parameters.get("Predictor").and_then(Object::number).unwrap_or(1.0);
    match dictionary.get("DecodeParms").or_else(|| dictionary.get("DP")) {
        Some(Object::List(list)) => list.iter().any(|parameters| predictor(parameters) > 1.0),
        Some(parameters) => predictor(parameters) > 1.0,
        None => false,
    }
}

/// As far as it can be undone.
fn inflate(stored: &[u8], room: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    // A stream that breaks off is as long as it is.
    let _ = ZlibDecoder::new(stored).take(room as u64).read_to_end(&mut bytes);
    bytes
}

fn ascii_85(stored: &[u8]) -> Vec<u8> {
    let (mut bytes, mut group) = (Vec::with_capacity(stored.len() / 5 * 4), Vec::with_capacity(5));
    for byte in stored.iter().copied().filter(|byte| !is_space(*byte)) {
        match byte {
            b'z' if group.is_empty() => bytes.extend([0; 4]),
            b'!'..=b'u' => group.push(byte - b'!'),
            _ => break,
        }
        if group.len() == 5 {
            bytes.extend(quartet(&group));
            group.clear();
        }
    }
    if group.len() > 1 {
        let len = group.len() - 1;
        group.resize(5, 84);
        bytes.extend(&quartet(&group)[..len]);
    }
    bytes
}

fn quartet(group: &[u8]) -> [u8; 4] {
    group.iter().fold(0u32, |sum, digit| sum.wrapping_mul(85).wrapping_add(u32::from(*digit))).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_filters_are_undone() {
        assert_eq!(ascii_85(b"87cUR D]i,\"Ebo80~>"), b"Hello World!");
        assert_eq!(ascii_85(b"z9jq~>"), b"\0\0\0\0Man"[..6]);
        let dictionary = Object::Dictionary(vec![(b"Filter"[..].into(), Object::Name(b"AHx"[..].into()))]);
        let room = Cell::new(100);
        assert_eq!(undo(&dictionary, b"48 69>zz", &room).as_deref(), Some(&b"Hi"[..]));
        assert_eq!(room.get(), 100 - 8 - 2);
    }
}
