//! Words in a picture: made safe for XML, measured in the font that draws them, wrapped and shortened to fit.

use skrifa::{FontRef, MetadataProvider, instance::LocationRef, instance::Size};

/// The font that draws the PNG; a browser without it takes its own sans-serif.
pub(crate) const FONT_STACK: &str = "Noto Sans, Helvetica, Arial, sans-serif";

/// No reader wants more of a title or name, and no input may make a picture grow without bound.
const MAX_CHARS: usize = 400;

/// Size and weight of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Face {
    pub(crate) size: f64,
    pub(crate) bold: bool,
}

pub(crate) const TITLE: Face = Face { size: 16.0, bold: true };
pub(crate) const BODY: Face = Face { size: 12.5, bold: false };
pub(crate) const STRONG: Face = Face { size: 12.5, bold: true };

/// Width of one line in pixels.
pub(crate) fn width(text: &str, face: Face) -> f64 {
    advances(text, face).into_iter().sum()
}

/// How far each character moves the pen.
fn advances(text: &str, face: Face) -> Vec<f64> {
    let bytes = if face.bold { notosans::BOLD_TTF } else { notosans::REGULAR_TTF };
    let font = FontRef::new(bytes).expect("the font this crate brings along is one");
    let (glyphs, metrics) = (font.charmap(), font.glyph_metrics(Size::new(face.size as f32), LocationRef::default()));
    // A character the font lacks is drawn by another font or as a box: a full square is the safe guess.
    let advance = |c| glyphs.map(c).and_then(|glyph| metrics.advance_width(glyph)).map_or(face.size, f64::from);
    text.chars().map(advance).collect()
}

/// One line that can stand in a picture: no control characters, no line breaks, not endless.
pub(crate) fn clean(text: &str) -> String {
    let printable = |c: char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let words = text.split_whitespace().map(|word| word.chars().filter(|c| printable(*c)).collect::<String>());
    let mut line = String::new();
    for word in words.take(MAX_CHARS).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(MAX_CHARS));
        if line.chars().count() > MAX_CHARS {
            return line.chars().take(MAX_CHARS).chain(['…']).collect();
        }
    }
    line
}

/// The text, cut with an ellipsis if it is wider than `room` pixels.
pub(crate) fn elided(text: &str, face: Face, room: f64) -> String {
    let text = clean(text);
    if width(&text, face) <= room {
        return text;
    }
    let mut left = room - width("…", face);
    let mut fits = |advance: &f64| {
        left -= advance;
        left >= 0.0
    };
    let kept = advances(&text, face).iter().take_while(|advance| fits(advance)).count();
    let kept: String = text.chars().take(kept).collect();
    format!("{}…", kept.trim_end())
}

/// The text in lines of at most `room` pixels; what does not fit into `max_lines` is cut with an ellipsis.
pub(crate) fn wrapped(text: &str, face: Face, room: f64, max_lines: usize) -> Vec<String> {
    let text = clean(text);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if lines_full(line, word, face, room) => lines.push(word.to_owned()),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    if lines.len() > max_lines {
        let rest = lines.split_off(max_lines.max(1) - 1).join(" ");
        lines.push(rest);
    }
    lines.iter().map(|line| elided(line, face, room)).collect()
}

fn lines_full(line: &str, word: &str, face: Face, room: f64) -> bool {
    width(line, face) + width(" ", face) + width(word, face) > room
}

/// Text as it may stand between tags or inside a quoted attribute.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_letter_is_wider_than_a_narrow_one_and_bold_is_wider_still() {
        assert!(width("mmmm", BODY) > 2.0 * width("iiii", BODY));
        assert!(width("policy", STRONG) > width("policy", BODY));
    }

    #[test]
    fn text_is_cut_to_fit_and_says_so() {
        let cut = elided("a policy with a name that never ends", BODY, 80.0);
        assert!(cut.ends_with('…') && width(&cut, BODY) <= 80.0, "{cut}");
        assert_eq!(elided("short", BODY, 80.0), "short");
        assert_eq!(elided("anything", BODY, 0.0), "…");
    }

    #[test]
    fn lines_wrap_at_words_and_stop_at_the_last_line() {
        let lines = wrapped(&"seven little words ".repeat(20), BODY, 120.0, 3);
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| width(line, BODY) <= 120.0) && lines[2].ends_with('…'), "{lines:?}");
    }

    #[test]
    fn controls_vanish_and_markup_is_only_text() {
        assert_eq!(clean("a\u{0}b\n\tc \u{ffff}"), "ab c");
        assert_eq!(escaped("<a href=\"x\">'&'</a>"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
        assert!(clean(&"x".repeat(1_000_000)).chars().count() <= MAX_CHARS + 1);
    }
}
