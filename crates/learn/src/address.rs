//! The shape of a URL. Any text has one.

use tintype_vocab::Time;

/// Directories of a path, and keys of a query, that are looked at.
pub(crate) const PARTS_MAX: usize = 8;
/// Bytes of a URL that are looked at: servers take no longer ones, and hostile ones have no end.
pub(crate) const URL_MAX: usize = 2_048;
/// Years that a path may speak of.
const YEARS: std::ops::RangeInclusive<&str> = "1990"..="2099";

/// A URL in the parts that say something about what is behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address<'a> {
    pub(crate) host: &'a str,
    /// The directories and, behind them, the name.
    parts: [&'a str; PARTS_MAX + 1],
    len: usize,
    /// Whether the path ends with a slash.
    pub(crate) is_directory: bool,
    query: &'a str,
}

/// What the last part of a path looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// There is none: the front page.
    Front,
    /// A directory, or its index.
    Section,
    /// Words joined by hyphens or behind a date, as blogs and newspapers do it.
    Slug,
    /// A name with a number of at least four digits in it.
    Numbered,
    Named,
}

impl<'a> Address<'a> {
    pub(crate) fn of(url: &'a str) -> Address<'a> {
        let url = &url[..url.floor_char_boundary(URL_MAX)];
        let scheme = url.find(':').filter(|at| url[*at..].starts_with("://"));
        let rest = scheme.map_or(url, |at| &url[at + 3..]);
        let rest = rest.split('#').next().unwrap_or_default();
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let mut parts = [""; PARTS_MAX + 1];
        let mut len = 0;
        for part in path.split('/').filter(|part| !part.is_empty()) {
            // What is too deep to be told apart gives way to what is deeper: the last one is the name.
            parts[len.min(PARTS_MAX)] = part;
            len = (len + 1).min(PARTS_MAX + 1);
        }
        Address { host, parts, len, is_directory: path.ends_with('/'), query }
    }

    /// All parts but the last.
    pub(crate) fn directories(&self) -> &[&'a str] {
        &self.parts[..self.len.saturating_sub(1)]
    }

    /// The last part; empty on the front page.
    pub(crate) fn name(&self) -> &'a str {
        self.parts[..self.len].last().copied().unwrap_or_default()
    }

    pub(crate) fn leaf(&self) -> Leaf {
        let name = self.name();
        let stem = name.split('.').next().unwrap_or_default();
        let is_index = ["index", "default", "home", "main"].iter().any(|index| stem.eq_ignore_ascii_case(index));
        match self.len {
            0 => Leaf::Front,
            1 if is_index => Leaf::Front,
            _ if is_index => Leaf::Section,
            _ if stem.bytes().filter(|byte| matches!(byte, b'-' | b'_')).count() >= 3 => Leaf::Slug,
            _ if longest_number(name) >= 4 => Leaf::Numbered,
            _ if self.is_directory && self.date().is_some() => Leaf::Slug,
            _ if self.is_directory => Leaf::Section,
            _ => Leaf::Named,
        }
    }

    /// What stands behind the last dot of the name, if it may be an extension.
    pub(crate) fn extension(&self) -> Option<&'a str> {
        let (_, extension) = self.name().rsplit_once('.')?;
        let plausible =
            (1..=5).contains(&extension.len()) && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
        plausible.then_some(extension)
    }

    /// The names of what the query asks for.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let pairs = self.query.split(['&', ';']).filter(|pair| !pair.is_empty());
        pairs.map(|pair| pair.split('=').next().unwrap_or_default()).take(PARTS_MAX)
    }

    /// The date in the path: `/2024/5/17/`, `/2024/05/`, `/2024-05-17…`, `/20240517…`.
    pub(crate) fn date(&self) -> Option<Time> {
        let parts = &self.parts[..self.len];
        (0..parts.len()).find_map(|at| date_at(&parts[at..]))
    }
}

fn date_at(parts: &[&str]) -> Option<Time> {
    let mut digits = Digits::default();
    let first = parts[0].as_bytes();
    digits.push(first, 4)?;
    if first.len() == 4 {
        for part in parts[1..].iter().take(2) {
            if part.len() > 2 || digits.push(part.as_bytes(), part.len()).is_none() {
                break;
            }
        }
    } else {
        let separator = usize::from(matches!(first[4], b'-' | b'_'));
        for field in 0..2 {
            let from = 4 + separator + field * (2 + separator);
            digits.push(first.get(from..from + 2)?, 2)?;
        }
    }
    let text = digits.text();
    (text.len() >= 6 && YEARS.contains(&&text[..4])).then(|| Time::parse_timestamp14(text).ok())?
}

/// Year, month and day as they are gathered; one digit gets a nought before it.
#[derive(Default)]
struct Digits {
    bytes: [u8; 8],
    len: usize,
}

impl Digits {
    /// Adds the first bytes of a text. Nothing is added if one of them is no digit.
    fn push(&mut self, from: &[u8], count: usize) -> Option<()> {
        let digits = from.get(..count).filter(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))?;
        let padded = count + count % 2;
        let place = self.bytes.get_mut(self.len..self.len + padded)?;
        place[0] = b'0';
        place[padded - count..].copy_from_slice(digits);
        self.len += padded;
        Some(())
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

fn longest_number(text: &str) -> usize {
    text.split(|char: char| !char.is_ascii_digit()).map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_come_apart() {
        let address = Address::of("https://h.example:80/a/b/c.html?x=1&&y#z?");
        assert_eq!((address.host, address.directories(), address.name()), ("h.example:80", &["a", "b"][..], "c.html"));
        assert_eq!((address.extension(), address.keys().collect::<Vec<_>>()), (Some("html"), vec!["x", "y"]));
        for odd in ["", "://", "/", "?", "#", "h", "http://", "http://h?a/b", "a://b://c", "\u{1F980}/%%%/\0"] {
            let address = Address::of(odd);
            assert_eq!((address.date(), address.extension()), (None, None), "{odd} {:?}", address.leaf());
        }
    }

    #[test]
    fn the_name_of_a_deep_page_is_its_last_part_and_long_urls_are_cut() {
        let address = Address::of("http://h/1/2/3/4/5/6/7/8/9/10/x.gif");
        assert_eq!((address.directories().len(), address.name()), (PARTS_MAX, "x.gif"));
        let long = format!("http://h/{}", "\u{1F980}/".repeat(1 << 18));
        assert_eq!((Address::of(&long).directories().len(), Address::of(&long).name()), (PARTS_MAX, "\u{1F980}"));
    }

    #[test]
    fn leaves_are_told_apart() {
        for (path, leaf) in [
            ("", Leaf::Front),
            ("/", Leaf::Front),
            ("/index.html", Leaf::Front),
            ("/de/index.php", Leaf::Section),
            ("/docs/", Leaf::Section),
            ("/docs/what-we-did-today/", Leaf::Slug),
            ("/2024/05/17/fire/", Leaf::Slug),
            ("/news/world-56100076", Leaf::Numbered),
            ("/docs", Leaf::Named),
            ("/a/about.html", Leaf::Named),
        ] {
            assert_eq!(Address::of(&format!("http://h{path}")).leaf(), leaf, "{path}");
        }
    }

    #[test]
    fn dates_in_paths_are_read() {
        let day = |text: &str| Time::parse_rfc3339(text).ok();
        for (path, date) in [
            ("/2024/05/17/x", day("2024-05-17")),
            ("/a/2024/5/x", day("2024-05-01")),
            ("/2024/8/3", day("2024-08-03")),
            ("/a/2024-05-17-x", day("2024-05-17")),
            ("/20240517.html", day("2024-05-17")),
            ("/2024/x", None),
            ("/2024/13/x", None),
            ("/1024/05/x", None),
            ("/2024-05", None),
            ("/2024-x5-17", None),
            ("/20249", None),
            ("/2024\u{1F980}/05", None),
        ] {
            assert_eq!(Address::of(&format!("http://h{path}")).date(), date, "{path}");
        }
    }
}
