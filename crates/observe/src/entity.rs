//! Character references in attribute values and XML text.
//!
//! Numeric ones all, named ones as far as they occur in URLs: ASCII punctuation and Latin-1. Others stay as written.

use std::borrow::Cow;

/// Names that must end in a semicolon.
const NAMED: [(&str, char); 31] = [
    ("apos", '\''),
    ("Tab", '\t'),
    ("NewLine", '\n'),
    ("excl", '!'),
    ("num", '#'),
    ("dollar", '$'),
    ("percnt", '%'),
    ("lpar", '('),
    ("rpar", ')'),
    ("ast", '*'),
    ("plus", '+'),
    ("comma", ','),
    ("period", '.'),
    ("sol", '/'),
    ("colon", ':'),
    ("semi", ';'),
    ("equals", '='),
    ("quest", '?'),
    ("commat", '@'),
    ("lsqb", '['),
    ("lbrack", '['),
    ("bsol", '\\'),
    ("rsqb", ']'),
    ("rbrack", ']'),
    ("Hat", '^'),
    ("lowbar", '_'),
    ("grave", '`'),
    ("lcub", '{'),
    ("rcub", '}'),
    ("vert", '|'),
    ("ndash", '–'),
];

/// Names that old pages write without semicolon, too.
const LEGACY: [(&str, char); 8] =
    [("amp", '&'), ("AMP", '&'), ("lt", '<'), ("LT", '<'), ("gt", '>'), ("GT", '>'), ("quot", '"'), ("QUOT", '"')];

/// The names of U+00A0 to U+00FF, in order; as old as [`LEGACY`].
const LATIN_1: [&str; 96] = [
    "nbsp", "iexcl", "cent", "pound", "curren", "yen", "brvbar", "sect", "uml", "copy", "ordf", "laquo", "not", "shy",
    "reg", "macr", "deg", "plusmn", "sup2", "sup3", "acute", "micro", "para", "middot", "cedil", "sup1", "ordm",
    "raquo", "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc", "Atilde", "Auml", "Aring", "AElig",
    "Ccedil", "Egrave", "Eacute", "Ecirc", "Euml", "Igrave", "Iacute", "Icirc", "Iuml", "ETH", "Ntilde", "Ograve",
    "Oacute", "Ocirc", "Otilde", "Ouml", "times", "Oslash", "Ugrave", "Uacute", "Ucirc", "Uuml", "Yacute", "THORN",
    "szlig", "agrave", "aacute", "acirc", "atilde", "auml", "aring", "aelig", "ccedil", "egrave", "eacute", "ecirc",
    "euml", "igrave", "iacute", "icirc", "iuml", "eth", "ntilde", "ograve", "oacute", "ocirc", "otilde", "ouml",
    "divide", "oslash", "ugrave", "uacute", "ucirc", "uuml", "yacute", "thorn", "yuml",
];

/// Longest name in the tables.
const NAME_MAX: usize = 7;

/// The text with its character references replaced, by the rules for attribute values: a name without semicolon
/// counts only where neither `=` nor a letter or digit follows, so that `?a=1&copy=2` keeps its parameter.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'&', text.as_bytes()) else { return text.into() };
    let mut out = String::with_capacity(text.len());
    out.push_str(&text[..first]);
    let mut rest = &text[first..];
    while let Some(after) = rest.strip_prefix('&') {
        match reference(after) {
            Some((char, len)) => {
                out.push(char);
                rest = &after[len..];
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
        let next = memchr::memchr(b'&', rest.as_bytes()).unwrap_or(rest.len());
        out.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    out.into()
}

/// The character a reference stands for, and how many bytes after `&` it takes.
fn reference(after: &str) -> Option<(char, usize)> {
    if let Some(number) = after.strip_prefix('#') {
        let (char, len) = numeric(number)?;
        return Some((char, len + 1));
    }
    let len = after.bytes().take(NAME_MAX + 1).take_while(u8::is_ascii_alphanumeric).count();
    let closed = after.as_bytes().get(len) == Some(&b';');
    if closed {
        return named(&after[..len]).map(|char| (char, len + 1));
    }
    let follows = after.as_bytes().get(len).is_some_and(|next| *next == b'=' || next.is_ascii_alphanumeric());
    if follows { None } else { legacy(&after[..len]).map(|char| (char, len)) }
}

/// The character of a reference by name.
pub(crate) fn named(name: &str) -> Option<char> {
    legacy(name).or_else(|| NAMED.iter().find(|(known, _)| *known == name).map(|(_, char)| *char))
}

fn legacy(name: &str) -> Option<char> {
    let latin = || LATIN_1.iter().position(|known| *known == name).and_then(|at| char::from_u32(0xa0 + at as u32));
    LEGACY.iter().find(|(known, _)| *known == name).map(|(_, char)| *char).or_else(latin)
}

fn numeric(number: &str) -> Option<(char, usize)> {
    let (digits, radix, skipped) = match number.strip_prefix(['x', 'X']) {
        Some(hex) => (hex, 16, 1),
        None => (number, 10, 0),
    };
    let len = digits.bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
    if len == 0 {
        return None;
    }
    let code = u32::from_str_radix(&digits[..len], radix).unwrap_or(u32::MAX);
    let semicolon = usize::from(digits.as_bytes().get(len) == Some(&b';'));
    let char = char::from_u32(code).filter(|char| *char != '\0').unwrap_or(char::REPLACEMENT_CHARACTER);
    Some((char, skipped + len + semicolon))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_replaced_as_in_attributes() {
        for (text, expected) in [
            ("plain", "plain"),
            ("?a=1&amp;b=2", "?a=1&b=2"),
            ("?a=1&b=2&copy=3&lt=4", "?a=1&b=2&copy=3&lt=4"),
            ("&amp", "&"),
            ("a&amp b", "a& b"),
            ("caf&eacute;&eacute", "caféé"),
            ("&#47;&#x2f;&#X2F", "///"),
            ("&#0;&#xD800;&#99999999999;", "\u{fffd}\u{fffd}\u{fffd}"),
            ("&#;&#x;&;&", "&#;&#x;&;&"),
            ("&sol;&unknown;&é", "/&unknown;&é"),
            ("&yuml;&nbsp;", "ÿ\u{a0}"),
            ("&&amp;&amp;", "&&&"),
        ] {
            assert_eq!(unescape(text), expected, "{text}");
        }
    }
}
