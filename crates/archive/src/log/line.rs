//! A line and its checksum: `{…,"crc":"0a1b2c3d"}`, still readable with any JSON tool.

/// Between what is summed and the eight hexadecimal digits of the sum.
const LABEL: &[u8] = b",\"crc\":\"";
const CLOSE: &[u8] = b"\"}";
const TAIL: usize = LABEL.len() + 8 + CLOSE.len();

/// Turns the JSON object that starts at `start` of `lines` into a finished line with checksum and newline.
pub(crate) fn seal(lines: &mut Vec<u8>, start: usize) {
    let brace = lines.pop();
    assert!(brace == Some(b'}') && lines.len() > start + 1, "only objects with a key become lines");
    let sum = crc32fast::hash(&lines[start..]);
    lines.extend_from_slice(LABEL);
    for shift in (0..8).rev() {
        lines.push(b"0123456789abcdef"[(sum >> (4 * shift)) as usize & 15]);
    }
    lines.extend_from_slice(CLOSE);
    lines.push(b'\n');
}

/// The JSON object of a line (without its newline), if the line is what was written. Undoes [`seal`] in place.
pub(crate) fn unseal(line: &mut Vec<u8>) -> bool {
    let Some(cut) = line.len().checked_sub(TAIL) else { return false };
    let (body, tail) = line.split_at(cut);
    let sum = tail.strip_prefix(LABEL).and_then(|rest| rest.strip_suffix(CLOSE));
    let sum = sum.and_then(|hex| std::str::from_utf8(hex).ok()).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    let sound = sum == Some(crc32fast::hash(body));
    line.truncate(cut);
    line.push(b'}');
    sound
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_line_is_json_and_every_damage_shows() {
        let object = br#"{"observe":{"n":1}}"#;
        let mut lines = object.to_vec();
        seal(&mut lines, 0);
        assert_eq!(lines.pop(), Some(b'\n'));
        let value: serde_json::Value = serde_json::from_slice(&lines).unwrap();
        assert_eq!(value["observe"]["n"], 1);
        let mut whole = lines.clone();
        assert!(unseal(&mut whole));
        assert_eq!(whole, object);
        for cut in 0..lines.len() {
            assert!(!unseal(&mut lines[..cut].to_vec()));
            let mut flipped = lines.clone();
            flipped[cut] ^= 1;
            assert!(!unseal(&mut flipped), "byte {cut}");
        }
        assert!(!unseal(&mut vec![0; 64]));
    }
}
