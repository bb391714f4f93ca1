//! The lines of a robots.txt that mean something.

/// A line by its meaning; values are without comment and surrounding white space.
pub(super) enum Field<'a> {
    Agent(&'a [u8]),
    Rule { allow: bool, pattern: &'a [u8] },
    Delay(&'a [u8]),
    Sitemap(&'a [u8]),
}

// Names as people write them. Misspelt ones are read as meant: who writes `Disalow` forbids something.
const AGENT: &[&str] = &["user-agent", "user agent", "useragent"];
const ALLOW: &[&str] = &["allow"];
const DISALLOW: &[&str] = &["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"];
const DELAY: &[&str] = &["crawl-delay", "crawl delay", "crawldelay"];
const SITEMAP: &[&str] = &["sitemap", "site-map", "site map"];

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

fn field(line: &[u8]) -> Option<Field<'_>> {
    let line = line.split(|byte| *byte == b'#').next().unwrap_or_default().trim_ascii();
    let rule = |allow| move |pattern| Field::Rule { allow, pattern };
    value(line, DISALLOW)
        .map(rule(false))
        .or_else(|| value(line, ALLOW).map(rule(true)))
        .or_else(|| value(line, AGENT).map(Field::Agent))
        .or_else(|| value(line, SITEMAP).map(Field::Sitemap))
        .or_else(|| value(line, DELAY).map(Field::Delay))
}

/// What follows one of the names and a colon; the colon may be missing if there is a space.
fn value<'a>(line: &'a [u8], names: &[&str]) -> Option<&'a [u8]> {
    names.iter().find_map(|name| {
        let (start, rest) = line.split_at_checked(name.len())?;
        if !start.eq_ignore_ascii_case(name.as_bytes()) {
            return None;
        }
        let value = rest.trim_ascii_start();
        match value.strip_prefix(b":") {
            Some(value) => Some(value.trim_ascii_start()),
            None => (value.len() < rest.len()).then_some(value),
        }
    })
}
