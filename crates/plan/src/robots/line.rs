//! The lines of a robots.txt that mean something.

/// A line by its meaning; values are without comment and surrounding white space.
pub(super) enum Field<'a> {
    Agent(&'a [u8]),
    Rule { allow: bool, pattern: &'a [u8] },
    Delay(&'a [u8]),
    Sitemap(&'a [u8]),
}

/// Names as people write them. Misspelt ones are read as meant: who writes `Disalow` forbids something.
const NAMES: [(&str, fn(&[u8]) -> Field<'_>); 18] = [
    ("user-agent", Field::Agent),
    ("user agent", Field::Agent),
    ("useragent", Field::Agent),
    ("allow", |pattern| Field::Rule { allow: true, pattern }),
    ("disallow", |pattern| Field::Rule { allow: false, pattern }),
    ("dissallow", |pattern| Field::Rule { allow: false, pattern }),
    ("dissalow", |pattern| Field::Rule { allow: false, pattern }),
    ("disalow", |pattern| Field::Rule { allow: false, pattern }),
    ("diasllow", |pattern| Field::Rule { allow: false, pattern }),
    ("disallaw", |pattern| Field::Rule { allow: false, pattern }),
    ("crawl-delay", Field::Delay),
    ("crawl delay", Field::Delay),
    ("crawldelay", Field::Delay),
    ("crawl_delay", Field::Delay),
    ("sitemap", Field::Sitemap),
    ("site-map", Field::Sitemap),
    ("site map", Field::Sitemap),
    ("site_map", Field::Sitemap),
];

/// The fields of a file with their line numbers, counted from 1.
pub(super) fn fields(text: &[u8]) -> impl Iterator<Item = (u32, Field<'_>)> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    (1..).zip(lines(text)).filter_map(|(number, line)| Some((number, field(line)?)))
}

/// Lines end in CR, LF or CR LF.
fn lines(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        if text.is_empty() {
            return None;
        }
        let end = text.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(text.len());
        let (line, rest) = text.split_at(end);
        text = rest.strip_prefix(b"\r\n").or_else(|| rest.get(1..)).unwrap_or_default();
        Some(line)
    })
}

/// `name: value # comment`; the colon may be missing if there is a space.
fn field(line: &[u8]) -> Option<Field<'_>> {
    let line = line.split(|byte| *byte == b'#').next().unwrap_or_default().trim_ascii();
    NAMES.iter().find_map(|(name, meaning)| {
        let (start, rest) = line.split_at_checked(name.len())?;
        let value = rest.trim_ascii_start();
        let spaced = value.len() < rest.len();
        let value = if let Some(value) = value.strip_prefix(b":") { value } else { spaced.then_some(value)? };
        start.eq_ignore_ascii_case(name.as_bytes()).then(|| meaning(value.trim_ascii_start()))
    })
}
