//! Percent-encoding: undone until nothing is left to undo, then done once.

/// Undoes percent-encoding until a further round would change nothing (`%2541` is `A`).
///
/// One pass does what rounds would do: escapes never overlap, so the order in which they are undone does not matter,
/// and each one undone makes the result shorter. Hence linear work even for a megabyte of `%25252525…`.
pub(super) fn unescape_fully(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    for &byte in text {
        plain.push(byte);
        while let [.., b'%', high, low] = plain[..]
            && let (Some(high), Some(low)) = (hex(high), hex(low))
        {
            plain.truncate(plain.len() - 3);
            plain.push(high << 4 | low);
        }
    }
    plain
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// Appends text in lower case, with everything percent-encoded that is not visible ASCII, and `#` and `%` too.
pub(super) fn append_escaped_lower(text: &[u8], out: &mut String) {
    append_unless(text, out, |byte| byte.is_ascii_graphic() && !matches!(byte, b'#' | b'%'), u8::to_ascii_lowercase);
}

/// Appends text as it is, except that what is not visible ASCII is percent-encoded.
pub(super) fn append_visible(text: &[u8], out: &mut String) {
    append_unless(text, out, u8::is_ascii_graphic, |byte| *byte);
}

fn append_unless(text: &[u8], out: &mut String, safe: impl Fn(&u8) -> bool, written: impl Fn(&u8) -> u8) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.reserve(text.len());
    for byte in text {
        if safe(byte) {
            out.push(char::from(written(byte)));
        } else {
            out.push('%');
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
}
