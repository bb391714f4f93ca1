//! Percent-encoding: undone until nothing is left to undo, then done once.

use std::borrow::Cow;

/// Undoes percent-encoding until a further round would change nothing (`%2541` is `A`).
///
/// One pass does what rounds would do: escapes never overlap, so the order in which they are undone does not matter,
/// and each one undone makes the result shorter. Hence linear work even for a megabyte of `%25252525…`.
pub(super) fn unescape_fully(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = text.iter().position(|byte| *byte == b'%') else { return Cow::Borrowed(text) };
    let mut plain = Vec::with_capacity(text.len());
    plain.extend_from_slice(&text[..first]);
    for &byte in &text[first..] {
        plain.push(byte);
        while let [.., b'%', high, low] = plain[..]
            && let (Some(high), Some(low)) = (hex(high), hex(low))
        {
            plain.truncate(plain.len() - 3);
            plain.push(high << 4 | low);
        }
    }
    Cow::Owned(plain)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// Appends text in lower case, with everything percent-encoded that is not visible ASCII, and `#` and `%` too.
pub(super) fn append_escaped_lower(text: &[u8], out: &mut String) {
    let start = out.len();
    append_escaped(text, out, |byte| byte.is_ascii_graphic() && !matches!(byte, b'#' | b'%'));
    out[start..].make_ascii_lowercase();
}

/// Appends text as it is, except that what is not visible ASCII is percent-encoded.
pub(super) fn append_visible(text: &[u8], out: &mut String) {
    append_escaped(text, out, u8::is_ascii_graphic);
}

/// Appends text with all but ASCII that is `safe` percent-encoded.
fn append_escaped(text: &[u8], out: &mut String, safe: impl Fn(&u8) -> bool) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.reserve(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (run, tail) = rest.split_at(rest.iter().position(|byte| !safe(byte)).unwrap_or(rest.len()));
        out.push_str(std::str::from_utf8(run).expect("ASCII is UTF-8"));
        rest = tail;
        if let Some((byte, tail)) = rest.split_first() {
            out.push('%');
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
            rest = tail;
        }
    }
}
