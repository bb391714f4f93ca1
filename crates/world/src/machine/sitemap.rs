//! Sitemaps of a history, which may be right, late or wrong.

use super::{MachineRequest, ROBOTS, address::sent};
use crate::{EventKind, History};
use std::fmt::{self, Write};
use tintype_vocab::{Span, Time};

/// Where the sitemap is, or the index of its parts.
pub(crate) const PATH: &str = "/sitemap.xml";

/// The protocol allows no more in one file.
const URLS_MAX: usize = 50_000;

/// A `robots.txt` that forbids nothing.
pub(super) const RULES: &str = "User-agent: *\nDisallow:\n";

const LAG: Span = Span::from_days(1);

const SCHEMA: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// What the sitemap says of when pages changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sitemap {
    /// All pages alive, each with the time of its latest change.
    Honest,
    /// What was true a day ago: newer pages are missing, newer changes unknown, deleted pages still there.
    Lagging,
    /// All pages alive with wrong times: what has changed says it never did, what never changed says it just did.
    Lying,
}

/// What one file of a sitemap says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SitemapFile {
    /// An index of so many parts.
    Index(usize),
    /// Pages, and when they are said to have changed.
    Pages(Vec<(u32, Time)>),
}

impl Sitemap {
    /// The sitemap at `now`, an index of its parts if it is too long for one file, or one of the parts; `None` if
    /// something else is asked for.
    pub(super) fn file(self, history: &History, ask: &MachineRequest<'_>, now: Time) -> Option<String> {
        Some(printed(history, ask.origin, &self.read(history, ask.target, now)?))
    }

    /// The same without printing it.
    pub(crate) fn read(self, history: &History, target: &str, now: Time) -> Option<SitemapFile> {
        let part = part_of(target)?;
        let known = if self == Sitemap::Lagging { now - LAG } else { now };
        let parts = born(history, known).div_ceil(URLS_MAX);
        match part {
            None if parts > 1 => Some(SitemapFile::Index(parts)),
            None => Some(self.part(history, 0, known)),
            Some(part) => (parts > 1 && part < parts).then(|| self.part(history, part, known)),
        }
    }

    fn part(self, history: &History, part: usize, known: Time) -> SitemapFile {
        let pages = part * URLS_MAX..((part + 1) * URLS_MAX).min(history.pages());
        let is_page = |page: &u32| history.path(*page) != ROBOTS && history.path(*page) != PATH;
        let pages = pages.map(|page| page as u32).filter(is_page);
        SitemapFile::Pages(pages.filter_map(|page| Some((page, self.claims(history, page, known)?))).collect())
    }

    /// When a page is said to have changed; nothing if it is not there.
    fn claims(self, history: &History, page: u32, known: Time) -> Option<Time> {
        let event = &history.events()[history.at(page, known)? as usize];
        let first = || history.events()[history.rows(page)[0] as usize].at;
        match (event.kind, self) {
            (EventKind::Deleted, _) => None,
            (_, Sitemap::Honest | Sitemap::Lagging) => Some(event.at),
            (EventKind::Modified, Sitemap::Lying) => Some(first()),
            (EventKind::Added, Sitemap::Lying) => Some(known),
        }
    }
}

/// A file as it is sent.
pub(crate) fn printed(history: &History, origin: &str, file: &SitemapFile) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let printed = match file {
        SitemapFile::Index(parts) => index(origin, *parts, &mut text),
        SitemapFile::Pages(pages) => print(history, origin, pages, &mut text),
    };
    printed.expect("a string takes everything");
    text
}

fn print(history: &History, origin: &str, pages: &[(u32, Time)], file: &mut String) -> fmt::Result {
    writeln!(file, "<urlset xmlns=\"{SCHEMA}\">")?;
    for (page, changed) in pages {
        write!(file, "<url><loc>{}{}</loc>", Text(origin), Text(&sent(history.path(*page))))?;
        writeln!(file, "<lastmod>{changed}</lastmod></url>")?;
    }
    writeln!(file, "</urlset>")
}

/// How many pages there have been. Pages are numbered in the order of their appearance, so they are the first ones.
fn born(history: &History, now: Time) -> usize {
    (0..history.pages() as u32).take_while(|page| history.at(*page, now).is_some()).count()
}

/// Whether the sitemap or a part of it is asked for.
pub(super) fn is_part(target: &str) -> bool {
    part_of(target).is_some()
}

/// `Some(None)` for the sitemap itself, `Some(Some(0))` for `/sitemap-1.xml`, `None` for what is neither.
fn part_of(target: &str) -> Option<Option<usize>> {
    if target == PATH {
        return Some(None);
    }
    let number = target.strip_prefix("/sitemap-")?.strip_suffix(".xml")?;
    let part = number.parse::<usize>().ok()?.checked_sub(1)?;
    Some(Some(part))
}

fn index(origin: &str, parts: usize, file: &mut String) -> fmt::Result {
    writeln!(file, "<sitemapindex xmlns=\"{SCHEMA}\">")?;
    for part in 0..parts {
        writeln!(file, "<sitemap><loc>{}{}</loc></sitemap>", Text(origin), part_path(part))?;
    }
    writeln!(file, "</sitemapindex>")
}

/// A `robots.txt` that forbids nothing and names the sitemap.
pub(crate) fn robots(origin: &str) -> String {
    format!("{RULES}Sitemap: {origin}{PATH}\n")
}

/// Where a part is.
pub(crate) fn part_path(part: usize) -> String {
    format!("/sitemap-{}.xml", part + 1)
}

/// Text as XML has it.
struct Text<'a>(&'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| match character {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            _ => f.write_char(character),
        })
    }
}
