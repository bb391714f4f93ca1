//! What counts as a word, for the index and for phrases alike: SQLite's tokenizer takes case, accents and punctuation away;
//! what is written without spaces is taken apart here, and what is not seen is left out.

use rusqlite::{Connection, params};

/// The tokenizer of the index, and of everything that is compared with it.
pub(super) const TOKENS: &str = "tokenize = 'unicode61 remove_diacritics 2'";
/// No phrase has more characters.
const PHRASE_MAX: usize = 500;
/// Words of an excerpt.
const EXCERPT_WORDS: u32 = 28;
/// Around what was searched for in an excerpt; no text that is read keeps control characters.
const MARK: char = '\u{2}';
const UNMARK: char = '\u{3}';
/// Between two lines, for the tokenizer no more than a space.
const LINE: &str = "\u{4}";

/// Words that stand one after the other; case, accents and punctuation do not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    text: String,
    query: String,
}

impl Phrase {
    /// Nothing if there is no word in it, or too many.
    pub fn parse(text: &str) -> Option<Phrase> {
        let text = text.trim();
        if text.chars().count() > PHRASE_MAX {
            return None;
        }
        let query = format!("\"{}\"", spaced(text).replace('"', " "));
        let phrase = Phrase { text: text.to_owned(), query };
        // What the tokenizer makes nothing of is found nowhere, which would prove nothing.
        let finds_itself = Matcher::new().and_then(|matcher| matcher.excerpt(&phrase, "", text)).ok().flatten();
        finds_itself.map(|_| phrase)
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// As SQLite reads it.
    pub(super) fn query(&self) -> &str {
        &self.query
    }
}

/// A piece of an excerpt, and whether it is what was searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExcerptPart {
    pub text: String,
    pub is_marked: bool,
}

/// Looks for phrases in single texts as the index does.
#[derive(Debug)]
pub(super) struct Matcher(Connection);

impl Matcher {
    pub(super) fn new() -> rusqlite::Result<Matcher> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(&format!("CREATE VIRTUAL TABLE page USING fts5(title, text, {TOKENS})"))?;
        Ok(Matcher(connection))
    }

    /// Where the phrase stands in a page; nothing if it does not.
    pub(super) fn excerpt(
        &self,
        phrase: &Phrase,
        title: &str,
        text: &str,
    ) -> rusqlite::Result<Option<Vec<ExcerptPart>>> {
        self.0.execute("DELETE FROM page", [])?;
        self.0.prepare_cached("INSERT INTO page VALUES (?1, ?2)")?.execute(params![spaced(title), spaced(text)])?;
        let mut find = self
            .0
            .prepare_cached("SELECT snippet(page, -1, char(2), char(3), '…', ?2) FROM page WHERE page MATCH ?1")?;
        let mut rows = find.query(params![phrase.query(), EXCERPT_WORDS])?;
        let found: Option<String> = rows.next()?.map(|row| row.get(0)).transpose()?;
        Ok(found.map(|text| parts(&joined(&text))))
    }
}

impl Matcher {
    /// A whole text, line by line, with every place marked at which the phrase stands; and the title.
    pub(super) fn marked(&self, phrase: &Phrase, title: &str, text: &str) -> rusqlite::Result<Vec<Vec<ExcerptPart>>> {
        self.0.execute("DELETE FROM page", [])?;
        let lines: Vec<String> = text.lines().map(spaced).collect();
        let mut put = self.0.prepare_cached("INSERT INTO page VALUES (?1, ?2)")?;
        put.execute(params![spaced(title), lines.join(LINE)])?;
        let mut find = self.0.prepare_cached(
            "SELECT highlight(page, 0, char(2), char(3)), highlight(page, 1, char(2), char(3)) FROM page WHERE page MATCH ?1",
        )?;
        let mut rows = find.query(params![phrase.query()])?;
        let (title, text): (String, String) = match rows.next()? {
            Some(row) => (row.get(0)?, row.get(1)?),
            None => (title.to_owned(), lines.join(LINE)),
        };
        let title = parts(&joined(&title));
        Ok(std::iter::once(title).chain(lines_of(parts(&joined(&text)))).collect())
    }
}

/// Parts as lines: what is marked may reach from one into the next.
fn lines_of(parts: Vec<ExcerptPart>) -> Vec<Vec<ExcerptPart>> {
    let mut lines = vec![Vec::new()];
    for ExcerptPart { text, is_marked } in parts {
        for (nth, piece) in text.split(LINE).enumerate() {
            if nth > 0 {
                lines.push(Vec::new());
            }
            if let Some(line) = lines.last_mut().filter(|_| !piece.is_empty()) {
                line.push(ExcerptPart { text: piece.to_owned(), is_marked });
            }
        }
    }
    lines
}

/// A text whose words all stand apart.
pub(super) fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' => {}
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            c if c.is_control() => out.push(' '),
            c if is_unspaced(c) => out.extend([' ', c, ' ']),
            c => out.push(c),
        }
    }
    out
}

/// Whether words of this script are written without spaces between them.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// Takes the spaces out again that [`spaced`] put in.
fn joined(text: &str) -> String {
    let chars: Vec<char> = text.chars().filter(|c| *c != '\n').collect();
    let beside = |at: usize| {
        let skipped = |c: &&char| ![MARK, UNMARK, ' '].contains(c);
        let before = chars[..at].iter().rev().find(skipped);
        let after = chars[at..].iter().find(skipped);
        [before, after].into_iter().flatten().any(|c| is_unspaced(*c))
    };
    (0..chars.len()).filter(|at| chars[*at] != ' ' || !beside(*at)).map(|at| chars[at]).collect()
}

fn parts(text: &str) -> Vec<ExcerptPart> {
    let mut parts = Vec::new();
    for piece in text.split(MARK) {
        let (marked, rest) = piece.split_once(UNMARK).unwrap_or(("", piece));
        for (text, is_marked) in [(marked, true), (rest, false)] {
            if !text.is_empty() {
                parts.push(ExcerptPart { text: text.to_owned(), is_marked });
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(phrase: &str, text: &str) -> Option<String> {
        let parts = Matcher::new().unwrap().excerpt(&Phrase::parse(phrase)?, "", text).unwrap()?;
        let shown = |part: &ExcerptPart| if part.is_marked { format!("[{}]", part.text) } else { part.text.clone() };
        Some(parts.iter().map(shown).collect())
    }

    #[test]
    fn case_accents_punctuation_and_what_is_not_seen_hide_no_phrase() {
        let text = "Wir schließen die Bücherei – nie: das ver\u{ad}spre\u{200b}chen wir. Ein \"Wort\".";
        for phrase in ["die bucherei, nie", "BÜCHEREI nie", "das versprechen wir", "ein 'wort'", "nie\u{202e} das"] {
            assert!(found(phrase, text).is_some(), "{phrase}");
        }
        for phrase in ["nie die Bücherei", "Büchereien", "versprech", "wort OR die", "text:wort"] {
            assert_eq!(found(phrase, text), None, "{phrase}");
        }
        assert_eq!(found("nie das", "nie\u{2}, das \u{3}!").as_deref(), Some("[nie , das]  !"));
    }

    #[test]
    fn every_place_is_marked_line_by_line() {
        let phrase = Phrase::parse("never close").unwrap();
        let text = "We will never close.\n\nNever, close! Or never\nclose it.\nLast";
        let lines = Matcher::new().unwrap().marked(&phrase, "Never close", text).unwrap();
        let shown = |part: &ExcerptPart| if part.is_marked { format!("[{}]", part.text) } else { part.text.clone() };
        let told: Vec<String> = lines.iter().map(|line| line.iter().map(shown).collect()).collect();
        assert_eq!(
            told,
            ["[Never close]", "We will [never close].", "", "[Never, close]! Or [never]", "[close] it.", "Last"]
        );
        assert_eq!(Matcher::new().unwrap().marked(&phrase, "", "calm\nsea").unwrap().len(), 3);
    }

    #[test]
    fn scripts_without_spaces_are_searched_within_their_sentences() {
        assert_eq!(found("図書館", "町の図書館は閉まりません。").as_deref(), Some("町の[図書館]は閉まりません。"));
        assert_eq!(found("図館", "町の図書館は閉まりません。"), None);
        assert!(found("ห้องสมุด", "เราจะไม่ปิดห้องสมุดของเมือง").is_some());
        assert!(found("पुस्तकालय", "हम पुस्तकालय बंद नहीं करेंगे").is_some());
    }

    #[test]
    fn what_has_no_word_is_no_phrase() {
        for text in ["", " ", "\"", "…—!", "\u{200b}", "\u{301}", &"x ".repeat(600)] {
            assert_eq!(Phrase::parse(text), None, "{text}");
        }
    }
}
