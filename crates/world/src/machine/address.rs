//! Paths as they are written in histories, and as they travel: bytes that no URL may hold are percent-encoded.

use std::fmt::Write;

fn travels(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}')
}

/// The path as a client sends it. What is encoded already stays as it is.
pub(super) fn sent(path: &str) -> String {
    path.bytes().fold(String::with_capacity(path.len()), |mut sent, byte| {
        match travels(byte) {
            true => sent.push(char::from(byte)),
            false => write!(sent, "%{byte:02X}").expect("a string takes everything"),
        }
        sent
    })
}

/// The way back: only what had to be encoded is decoded. `None` if that is no text.
pub(super) fn written(target: &str) -> Option<String> {
    let (mut rest, mut path) = (target.as_bytes(), Vec::with_capacity(target.len()));
    while let Some(&first) = rest.first() {
        let decoded = escaped(rest).filter(|byte| !travels(*byte));
        path.push(decoded.unwrap_or(first));
        rest = &rest[if decoded.is_some() { 3 } else { 1 }..];
    }
    String::from_utf8(path).ok()
}

/// The byte an escape at the beginning stands for.
fn escaped(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = text else { return None };
    let digit = |digit: u8| char::from(digit).to_digit(16);
    Some((digit(*high)? * 16 + digit(*low)?) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_what_cannot_travel_is_encoded() {
        assert_eq!(sent("/a b/é?q=<1>&x=%2F"), "/a%20b/%C3%A9?q=%3C1%3E&x=%2F");
        assert_eq!(written("/a%20b/%c3%a9?x=%2F%").as_deref(), Some("/a b/é?x=%2F%"));
        assert_eq!(written("/%ff"), None);
    }

    proptest! {
        #[test]
        fn what_was_sent_is_found_again(path in "/[^%]{0,40}") {
            prop_assert_eq!(written(&sent(&path)), Some(path));
        }

        #[test]
        fn no_target_is_too_odd(target in any::<String>()) {
            let _ = written(&target);
        }
    }
}
