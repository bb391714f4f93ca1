//! What a string of a script says.

use std::borrow::Cow;

/// Replaces `\x2f`, `\u002f`, `\u{2f}`, `\/` and escaped line breaks.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        rest = escaped(after, &mut out);
    }
    out.push_str(rest);
    out.into()
}

/// Reads one escape, whose backslash was read, and says what is left.
fn escaped<'t>(after: &'t str, out: &mut String) -> &'t str {
    let Some(first) = after.chars().next() else { return after };
    let rest = &after[first.len_utf8()..];
    let digits = match first {
        'x' => rest.get(..2).map(|digits| (digits, 2)),
        'u' if rest.starts_with('{') => rest.find('}').map(|end| (&rest[1..end], end + 1)),
        'u' => rest.get(..4).map(|digits| (digits, 4)),
        _ => None,
    };
    let code = digits.and_then(|(digits, len)| Some((char::from_u32(u32::from_str_radix(digits, 16).ok()?)?, len)));
    match (code, first) {
        (Some((char, len)), _) => {
            out.push(char);
            &rest[len..]
        }
        (None, '\n') => rest,
        (None, 'n') => {
            out.push('\n');
            rest
        }
        (None, char) => {
            out.push(char);
            rest
        }
    }
}
