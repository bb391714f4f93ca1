//! The words of a text that stay if nothing is said: without markup that shows, and without what is volatile.

use super::{
    element::{Element, items},
    figure,
    hooks::{Field, Hooks},
    stamp,
};
use std::borrow::Cow;

/// Names of elements that are markup even where a page shows them as text: some put markup through an escape too many.
const TAGS: [&str; 32] = [
    "a",
    "b",
    "blockquote",
    "br",
    "center",
    "code",
    "div",
    "em",
    "font",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "li",
    "ol",
    "p",
    "pre",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tr",
    "ul",
];
/// Bytes of a tag that shows, at most.
const TAG_MAX: usize = 1_024;

/// The words of a text that say something, and those that are stamps.
#[derive(Debug)]
pub(super) struct Steady<'t> {
    /// As they stand between white space.
    pub(super) words: Vec<&'t str>,
    pub(super) stamps: Vec<&'t str>,
}

impl<'t> Steady<'t> {
    pub(super) fn of(text: &'t str, hooks: &Hooks<'_>) -> Steady<'t> {
        let all: Vec<&str> = untagged(text).flat_map(|piece| items(piece, Element::Text)).collect();
        let mut is_stamp = stamp::volatile(&all);
        let fields = fields(all.iter().copied());
        // What something costs, and a share of something, is said however often it changes.
        let learned = |field: &Field<'_>| !figure::is_amount(field.word) && (hooks.is_volatile)(field);
        is_stamp.iter_mut().zip(fields).for_each(|(mark, field)| *mark = *mark || learned(&field));
        stamp::whole_dates(&all, &mut is_stamp);
        stamp::seconds(&all, &mut is_stamp);
        let mut steady = Steady { words: Vec::with_capacity(all.len()), stamps: Vec::new() };
        for (word, is_stamp) in all.into_iter().zip(is_stamp) {
            if is_stamp { steady.stamps.push(word) } else { steady.words.push(word) }
        }
        steady
    }
}

/// Where a moment stands alone and was a machine's, or becomes one, it is none on the other side either: what is written at
/// one time to the second and at another as midnight.
pub(super) fn level(versions: &mut [Steady<'_>; 2]) {
    let is_stamp = |steady: &Steady<'_>| steady.words.is_empty() && !steady.stamps.is_empty();
    let stamps = [is_stamp(&versions[0]), is_stamp(&versions[1])];
    for (at, steady) in versions.iter_mut().enumerate() {
        if stamps[1 - at] && matches!(steady.words[..], [word] if stamp::is_moment_word(word)) {
            steady.stamps.append(&mut steady.words);
        }
    }
}

/// Words with those before them.
pub(super) fn fields<'t>(words: impl Iterator<Item = &'t str>) -> impl Iterator<Item = Field<'t>> {
    let mut before = [""; 2];
    words.map(move |word| {
        let field = Field { before, word };
        before = [before[1], word];
        field
    })
}

/// A word without scheme and host if it is a URL on the page's own site, which can be written either way.
pub(super) fn on_site<'w>(word: &'w str, host: &str) -> &'w str {
    let bare = |host: &str| host.trim_start_matches("www.").len();
    match word.split_once("://").map(|(_, rest)| rest.trim_start_matches("www.")) {
        Some(rest) if rest.starts_with(&host[host.len() - bare(host)..]) => {
            let path = &rest[bare(host)..];
            if path.starts_with('/') { path } else { word }
        }
        _ => word.trim_start_matches(['(', '\'', '"', '<']),
    }
}

/// The last part of the path of a URL or path that shows as a word: what it is called, wherever it lies.
pub(super) fn linked_name(word: &str) -> Option<&str> {
    let url = word.trim_matches(|char: char| !char.is_alphanumeric() && !matches!(char, '/' | '.'));
    let path = match url.split_once("://") {
        Some((_, rest)) => rest,
        None if url.starts_with('/') || url.starts_with("../") || url.starts_with("www.") => url,
        None => return None,
    };
    let path = path.split(['?', '#']).next().unwrap_or(path).trim_start_matches("www.");
    path.trim_end_matches(['/', '.']).rsplit('/').next().filter(|name| !name.is_empty())
}

/// The last part of the path of a URL, however it is written.
pub(super) fn file_name(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or(url).trim_end_matches('/');
    path.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(url)
}

/// The numbers of an address before what it names: of a version, a year.
pub(super) fn numbers_before<'w>(word: &'w str, name: &str) -> impl Iterator<Item = &'w str> {
    let end = word.rfind(name).unwrap_or_default();
    word[..end].split(|char: char| !char.is_ascii_digit()).filter(|number| !number.is_empty())
}

/// The pieces of a text between tags that show in it.
fn untagged(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let tag = memchr::memchr_iter(b'<', text.as_bytes()).find_map(|at| Some((at, tag(&text[at..])?)));
        let Some((at, len)) = tag else { return Some(text) };
        rest = Some(&text[at + len..]);
        Some(&text[..at])
    })
}

/// How long the tag is that a text begins with, if it begins with one.
fn tag(text: &str) -> Option<usize> {
    let name = text[1..].trim_start_matches('/');
    let name = &name[..name.bytes().take_while(u8::is_ascii_alphanumeric).count()];
    let known = name.len() <= 10 && TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name));
    let end = || memchr::memchr(b'>', &text.as_bytes()[..text.len().min(TAG_MAX)]);
    if known { end().map(|end| end + 1) } else { None }
}

/// What stands between the parts of a URL.
const SIGNS: [char; 6] = ['/', '?', '&', ';', '=', '#'];

/// The parts of a URL with the signs after them, and as words with those before.
pub(super) fn url_fields(url: &str) -> impl Iterator<Item = (&str, Field<'_>)> {
    url.split_inclusive(SIGNS).zip(fields(url_parts(url)))
}

/// The parts of a URL as words.
pub(super) fn url_parts(url: &str) -> impl Iterator<Item = &str> {
    url.split_inclusive(SIGNS).map(|part| part.trim_end_matches(SIGNS))
}

/// A URL without the parts that are volatile: a new session is no new link.
pub(super) fn url<'u>(url: &'u str, hooks: &Hooks<'_>) -> Cow<'u, str> {
    let is_volatile = |field: &Field<'_>| !field.word.is_empty() && (hooks.is_volatile)(field);
    if !url_fields(url).any(|(_, field)| is_volatile(&field)) {
        return Cow::Borrowed(url);
    }
    Cow::Owned(url_fields(url).filter(|(_, field)| !is_volatile(field)).map(|(part, _)| part).collect())
}
