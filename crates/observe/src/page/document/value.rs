//! What sort of thing a text in a data file is, by its name and its look.

use super::records::Dialect;
use crate::{
    date,
    html::{Element as Tagged, Name, Tags},
    page::role::Meaning,
};

/// Shorter texts look like dates by chance, longer ones are none.
const STAMP_MIN: usize = 8;
const STAMP_MAX: usize = 64;
/// How far into a text its first tag is looked for.
const MARKUP_HEAD: usize = 4 << 10;
/// Pictures by the end of their URL.
const PICTURES: [&str; 8] = [".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg", ".ico"];
/// Pictures by the word in their name.
const PICTURED: [&str; 8] = ["image", "img", "icon", "logo", "photo", "picture", "thumb", "avatar"];
/// Names of dates end so.
const STAMPED: [&str; 10] =
    ["date", "time", "stamp", "modified", "updated", "created", "published", "lastmod", "_at", "generated"];
/// What feeds and sitemaps say to machines.
const BOOKKEEPING: [&str; 4] = ["changefreq", "priority", "generator", "ttl"];

/// What to make of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Link,
    Image,
    /// A date, or other bookkeeping.
    Stamp,
    /// HTML in a string.
    Markup,
    Words,
}

impl Sort {
    pub(super) fn of(name: &str, text: &str, dialect: Dialect) -> Sort {
        let text = text.trim();
        match dialect {
            Dialect::Style => Sort::Words,
            _ if is_url(name, text) => {
                if is_picture(name, text) {
                    Sort::Image
                } else {
                    Sort::Link
                }
            }
            Dialect::Drawing => Sort::Words,
            _ if is_stamp(name, text) => Sort::Stamp,
            _ if is_markup(text) => Sort::Markup,
            _ => Sort::Words,
        }
    }
}

fn is_url(name: &str, text: &str) -> bool {
    let absolute = ["http://", "https://"].iter().any(|scheme| starts_with(text, scheme));
    let named = || ["href", "src", "url", "link"].iter().any(|ending| ends_with(name, ending));
    let local = || text.starts_with('/') && named();
    (absolute || local()) && !text.contains(char::is_whitespace)
}

fn is_picture(name: &str, url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    PICTURES.iter().any(|ending| ends_with(path, ending)) || {
        let name = name.to_ascii_lowercase();
        PICTURED.iter().any(|word| name.contains(word))
    }
}

fn is_stamp(name: &str, text: &str) -> bool {
    if text.is_empty() || text.len() > STAMP_MAX {
        return false;
    }
    let dated = || name.ends_with("At") || STAMPED.iter().any(|ending| ends_with(name, ending));
    let counts = || text.bytes().any(|byte| byte.is_ascii_digit());
    BOOKKEEPING.iter().any(|known| name.eq_ignore_ascii_case(known))
        || dated() && counts()
        || text.len() >= STAMP_MIN && date::parse(text).is_some()
}

/// Whether there is a tag that HTML knows.
fn is_markup(text: &str) -> bool {
    if memchr::memchr(b'<', text.as_bytes()).is_none() {
        return false;
    }
    let mut tags = Tags::new(&text.as_bytes()[..text.len().min(MARKUP_HEAD)]);
    while tags.next().is_some() {
        let name = Name::new(tags.name);
        let inline = || matches!(name.bytes(), b"b" | b"i" | b"u" | b"em" | b"strong" | b"span" | b"small" | b"font");
        if Meaning::of(&name) != Meaning::Inline || Tagged::of(&name) != Tagged::Other || inline() {
            return true;
        }
    }
    false
}

fn starts_with(text: &str, start: &str) -> bool {
    text.as_bytes().get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
}

fn ends_with(text: &str, end: &str) -> bool {
    let tail = text.len().checked_sub(end.len()).map(|start| &text.as_bytes()[start..]);
    tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end.as_bytes()))
}
