//! What URLs of one kind have in common.

use crate::trap::speaks_of_dates;
use std::fmt;

/// Digits of a number that counts pages. No small site has as many pages that say the same.
const COUNTING_DIGITS: usize = 6;

/// A URL with a sign for everything that may be another in the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    /// Host and port.
    host: String,
    /// Each once, numbers as `#`.
    directories: Vec<String>,
    /// Names of parameters, in the query or behind semicolons, each once and in order of the alphabet.
    names: Vec<String>,
    /// Whether there is a parameter, or a query that is none.
    pub(super) has_values: bool,
    /// Whether nothing but plain numbers can be another in the next one.
    pub(super) is_numbered: bool,
}

impl Pattern {
    pub(super) fn of(url: &str) -> Pattern {
        let start = url.find("://").map_or(0, |at| at + 3);
        let end = url[start..].find(['/', '?', '#']).map_or(url.len(), |at| start + at);
        let (path, query) = url[end..].split_once('?').map_or((&url[end..], None), |(path, query)| (path, Some(query)));
        let (mut directories, mut names) = (Vec::new(), Vec::new());
        let mut has_values = query.is_some();
        let (mut is_numbered, mut before, mut values) = (true, Vec::new(), Vec::new());
        for segment in path.split('/').filter(|segment| !segment.is_empty()) {
            let mut parts = segment.split(';');
            let directory = parts.next().unwrap_or_default();
            add_once(&mut directories, numbers_as_signs(directory));
            is_numbered &= is_number(directory) || !before.contains(&directory) && counts_up(directory);
            before.push(directory);
            for part in parts {
                has_values = true;
                values.push(value(part));
                add_once(&mut names, name(part));
            }
        }
        for part in query.into_iter().flat_map(|query| query.split(['&', ';'])) {
            values.push(value(part));
            add_once(&mut names, name(part));
        }
        is_numbered &=
            values.iter().all(|value| is_number(value)) && !is_month(&values) && !is_page_of_calendar(&before);
        names.sort_unstable();
        Pattern { host: url[start..end].to_owned(), directories, names, has_values, is_numbered }
    }

    pub(super) fn key(&self) -> u64 {
        rapidhash::v3::rapidhash_v3(self.to_string().as_bytes())
    }

    /// All URLs of the host with these parameters, or below the first directory.
    pub(super) fn broader(&self) -> Option<u64> {
        let text = match self.has_values {
            true => format!("{}/**?{}", self.host, self.names.join("&")),
            false if self.directories.len() > 1 => format!("{}/{}/**", self.host, self.directories[0]),
            false => return None,
        };
        Some(rapidhash::v3::rapidhash_v3(text.as_bytes()))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.host, self.directories.join("/"))?;
        if self.has_values {
            write!(f, "?{}", self.names.join("&"))?;
        }
        Ok(())
    }
}

fn add_once(list: &mut Vec<String>, text: String) {
    if !list.contains(&text) {
        list.push(text);
    }
}

fn value(part: &str) -> &str {
    part.split_once('=').map_or(part, |(_, value)| value)
}

/// Whether numbers stand alone or end a word, as in `page12`, which a session's do not.
fn counts_up(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_alphanumeric());
    words.all(|word| is_number(word.trim_start_matches(|letter: char| !letter.is_ascii_digit())))
}

/// Whether it counts something: the number of a session, or a day written in one piece, is longer.
fn is_number(text: &str) -> bool {
    text.len() <= COUNTING_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether there is a year, and the number of a month beside it.
fn is_month(values: &[&str]) -> bool {
    let is_year = |value: &&str| value.len() == 4 && value.starts_with(['1', '2']);
    let is_month = |value: &&str| value.parse().is_ok_and(|month: u32| (1..=12).contains(&month));
    values.iter().any(is_year) && values.iter().any(is_month)
}

/// Whether a path names a month or a day below a word for calendars.
fn is_page_of_calendar(segments: &[&str]) -> bool {
    let after = segments.iter().position(|segment| speaks_of_dates(segment)).map_or(segments.len(), |at| at + 1);
    let numbers: Vec<&str> = segments[after..].iter().flat_map(|segment| segment.split(['-', '.', '_'])).collect();
    numbers.windows(2).any(is_month)
}

/// The name of a parameter; one without a value is all value.
fn name(part: &str) -> String {
    part.split_once('=').map_or_else(|| "*".to_owned(), |(name, _)| format!("{}=*", numbers_as_signs(name)))
}

/// Every word in which there is a digit becomes a sign.
fn numbers_as_signs(text: &str) -> String {
    let mut signs = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(word);
        match word.bytes().any(|byte| byte.is_ascii_digit()) {
            true => signs.push('#'),
            false => signs.push_str(word),
        }
        let between = after.find(char::is_alphanumeric).unwrap_or(after.len());
        signs.push_str(&after[..between]);
        rest = &after[between..];
    }
    signs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_a_kind_have_one_pattern() {
        let pattern = |url: &str| Pattern::of(url).to_string();
        for (one, other, is) in [
            ("http://e.com/cal/1770/03", "https://e.com/cal/2031/11", "e.com/cal/#"),
            ("http://e.com/c?y=1770&m=3", "http://e.com/c?m=4;y=1771", "e.com/c?m=*&y=*"),
            ("http://e.com/c?date=2020-01-02", "http://e.com/c?date=now", "e.com/c?date=*"),
            ("http://e.com/p;sid=a8f/x", "http://e.com/p;sid=qqq/x", "e.com/p/x?sid=*"),
            ("http://e.com/a/b/a/b/a", "http://e.com/a/b", "e.com/a/b"),
            ("http://e.com/s?8", "http://e.com/s?9", "e.com/s?*"),
            ("http://e.com/news-12.html", "http://e.com/news-b9.html", "e.com/news-#.html"),
            ("http://e.com", "http://e.com/", "e.com/"),
        ] {
            assert_eq!((&*pattern(one), &*pattern(other)), (is, is));
        }
        assert_ne!(pattern("http://e.com/a/x"), pattern("http://e.com/a/y"));
        assert_ne!(pattern("http://e.com/a"), pattern("http://f.com/a"));
    }

    #[test]
    fn pages_are_merely_numbered_where_nothing_else_can_differ() {
        for (url, is) in [
            ("http://e.com/photo/17", true),
            ("http://e.com/cal/1770/03", false),
            ("http://e.com/events/day/1770-03-11", false),
            ("http://e.com/1770/03/11", true),
            ("http://e.com/events/17", true),
            ("http://e.com/news-12.html", true),
            ("http://e.com/list?page=3&of=9", true),
            ("http://e.com/c?date=2020-01-02", false),
            ("http://e.com/p;sid=a8f/x", false),
            ("http://e.com/page12/part3", true),
            ("http://e.com/9f3ac1/x", false),
            ("http://e.com/s/3?sid=561927451", false),
            ("http://e.com/day?date=20201118", false),
            ("http://e.com/cal?y=1770&m=3", false),
            ("http://e.com/cal;jahr=2031;monat=11", false),
            ("http://e.com/a/b/a", false),
        ] {
            assert_eq!(Pattern::of(url).is_numbered, is, "{url}");
        }
    }
}
