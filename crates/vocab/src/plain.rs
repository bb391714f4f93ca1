//! Words from the web, made harmless for where they are shown.

/// For a terminal, which obeys control characters, on one line.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if is_obeyed(c) { '\u{fffd}' } else { c }).collect()
}

/// Whether a character moves, rings or turns what is shown around it: controls, and those that set the direction of
/// writing, which can make one address look like another.
pub fn is_obeyed(c: char) -> bool {
    let turns = matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || c.is_control()
}

/// For HTML and XML, between tags and inside quoted attributes.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            // Neither may stand in an XML document, not even escaped.
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            c if c.is_control() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_obeyed_by_who_shows_it() {
        assert_eq!(printable("a\u{1b}[2Jb\nc"), "a\u{fffd}[2Jb\u{fffd}c");
        assert_eq!(
            printable("a\u{202e}gpj.exe\u{2066}\u{200f}\u{61c}\u{9b}é"),
            "a\u{fffd}gpj.exe\u{fffd}\u{fffd}\u{fffd}\u{fffd}é"
        );
        assert_eq!(
            escaped("<a href=\"x\">&\u{0}\u{ffff}é</a>"),
            "&lt;a href=&quot;x&quot;&gt;&amp;\u{fffd}\u{fffd}é&lt;/a&gt;"
        );
    }
}
