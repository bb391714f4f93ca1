//! The time machine: a history as the web server it was, at whatever moment it is asked about.
//!
//! Knows neither sockets nor clocks: a request and the site's time go in, an answer comes out. Bodies are served as they
//! were recorded, links to the recorded host included. Read [`Machine::respond`] first.

mod address;
pub(crate) mod sitemap;
#[cfg(test)]
mod tests;

pub use sitemap::Sitemap;

use crate::{Contents, Document, Event, EventKind, History, Unreadable};
use address::written;
use tintype_vocab::Time;

pub(crate) const ROBOTS: &str = "/robots.txt";

/// Header fields of a document that also say something about a copy of it.
const OF_A_COPY: [&str; 6] = ["etag", "last-modified", "cache-control", "content-location", "expires", "vary"];

/// The last second HTTP can write.
const LAST_SECOND: i64 = 253_402_300_799;

/// A history that answers requests.
pub struct Machine {
    history: History,
    contents: Option<Box<dyn Contents + Send>>,
    sitemap: Option<Sitemap>,
}

/// A request, as far as an answer depends on it.
#[derive(Clone, Copy, Debug)]
pub struct MachineRequest<'a> {
    /// Path and query.
    pub target: &'a str,
    /// Where the asker believes the site to be, such as `http://127.0.0.1:8080`; sitemaps use it.
    pub origin: &'a str,
    pub if_none_match: Option<&'a str>,
    pub if_modified_since: Option<&'a str>,
}

impl std::fmt::Debug for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Machine").field("pages", &self.history.pages()).field("sitemap", &self.sitemap).finish()
    }
}

impl Machine {
    /// Without contents every version is a sentence of its own: it can still be told from the one before.
    pub fn new(history: History, contents: Option<Box<dyn Contents + Send>>, sitemap: Option<Sitemap>) -> Machine {
        Machine { history, contents, sitemap }
    }

    /// The answer at `now`: the version alive then, 304 if the asker holds it already, 404 before its birth and after
    /// its deletion, 301 where only a slash at the end is wrong. A sitemap that was asked for, and a `robots.txt` naming it
    /// where the history has none, are added.
    pub fn respond(&mut self, ask: &MachineRequest<'_>, now: Time) -> Result<Document, Unreadable> {
        if let Some(added) = self.added(ask, now) {
            return Ok(added);
        }
        let Some(row) = self.page(ask.target).and_then(|page| self.history.at(page, now)) else {
            return Ok(self.other_spelling(ask, now).unwrap_or_else(Document::gone));
        };
        let contents = self.contents.as_deref_mut().map(|contents| contents as &mut dyn Contents);
        served(&self.history, contents, row, ask)
    }

    /// Leads to the page that is there with a slash more or less at the end, as servers do.
    fn other_spelling(&self, ask: &MachineRequest<'_>, now: Time) -> Option<Document> {
        let path = self.history.respelled(ask.target, now)?;
        Some(Document::moved(format!("{}{path}", ask.origin)))
    }

    /// The page to begin with at `now`: the HTML page alive with the shortest path, which is the front page if there is
    /// one, or for want of HTML any page.
    pub fn entrance(&self, now: Time) -> Option<&str> {
        let live = (0..self.history.pages() as u32).filter_map(|page| {
            let event = &self.history.events()[self.history.at(page, now)? as usize];
            let is_html = self.history.media_type(event).starts_with("text/html");
            (event.kind != EventKind::Deleted).then(|| (!is_html, self.history.path(page).len(), page))
        });
        live.min().map(|(.., page)| self.history.path(page))
    }

    /// The page of the history that a request asks for, added ones aside.
    pub fn page_of(&self, target: &str) -> Option<u32> {
        let is_added = target == ROBOTS && self.history.find(ROBOTS).is_none();
        let is_sitemap = self.sitemap.is_some() && sitemap::is_part(target);
        self.page(target).filter(|_| !is_added && !is_sitemap)
    }

    fn added(&self, ask: &MachineRequest<'_>, now: Time) -> Option<Document> {
        if ask.target == ROBOTS && self.history.find(ROBOTS).is_none() {
            return Some(text("text/plain", self.robots(ask.origin)));
        }
        let file = self.sitemap?.file(&self.history, ask, now)?;
        Some(text("application/xml", file))
    }

    fn robots(&self, origin: &str) -> String {
        match self.sitemap {
            Some(_) => sitemap::robots(origin),
            None => sitemap::RULES.to_owned(),
        }
    }

    fn page(&self, target: &str) -> Option<u32> {
        self.history.find(target).or_else(|| self.history.find(&written(target)?))
    }
}

/// The document behind a row, or the confirmation that the asker holds it.
pub(crate) fn served(
    history: &History,
    contents: Option<&mut dyn Contents>,
    row: u32,
    ask: &MachineRequest<'_>,
) -> Result<Document, Unreadable> {
    let document = document(history, contents, row)?;
    Ok(if document.status == 200 && is_held(&document, ask) { confirmation(document) } else { document })
}

/// The document behind a row, with the header fields that the event knows and the document does not.
fn document(history: &History, contents: Option<&mut dyn Contents>, row: u32) -> Result<Document, Unreadable> {
    let event = &history.events()[row as usize];
    let known = match contents {
        Some(contents) => contents.document(row)?,
        None => None,
    };
    let mut document = known.unwrap_or_else(|| stand_in(history, event));
    if document.status == 200 {
        let media_type = Some(history.media_type(event)).filter(|name| !name.is_empty());
        document.content_type = document.content_type.or(media_type.map(str::to_owned));
        complete(&mut document, "ETag", || format!("\"{:016x}\"", event.digest));
        complete(&mut document, "Last-Modified", || http_date(event.at));
    }
    Ok(document)
}

/// What is served where only the event is known.
fn stand_in(history: &History, event: &Event) -> Document {
    if event.kind == EventKind::Deleted {
        return Document::gone();
    }
    let path = history.path(event.page);
    let sentence = format!(
        "Version {:016x} of {path}, since {}, {} bytes. Its bytes were not recorded.\n",
        event.digest, event.at, event.size
    );
    text("text/plain; charset=utf-8", sentence)
}

pub(crate) fn text(content_type: &str, body: String) -> Document {
    let content_type = Some(content_type.to_owned());
    Document { status: 200, content_type, body: body.into_bytes(), ..Document::default() }
}

/// The site's clock, for every answer: `Date` to the second as servers send it, and `X-Site-Time` exactly, so that an
/// asker knows which moment was seen.
pub fn site_clock(now: Time) -> [(&'static str, String); 2] {
    [("Date", http_date(now)), ("X-Site-Time", now.to_rfc3339())]
}

fn http_date(time: Time) -> String {
    let second = time.as_secs().clamp(0, LAST_SECOND);
    Time::from_secs(second).to_mail_date()
}

fn complete(document: &mut Document, name: &str, value: impl FnOnce() -> String) {
    if document.field(name).is_none() {
        document.headers.push((name.to_owned(), value()));
    }
}

/// Whether the asker's copy is this document. As HTTP has it, entity tags alone decide where there are any.
fn is_held(document: &Document, ask: &MachineRequest<'_>) -> bool {
    match (ask.if_none_match, ask.if_modified_since) {
        (Some(tags), _) => document.field("etag").is_some_and(|tag| names(tags, tag)),
        (None, Some(since)) => document.field("last-modified").is_some_and(|changed| is_by(changed, since)),
        (None, None) => false,
    }
}

/// Whether a list of entity tags names this one. Weak and strong ones count alike when asking for a page.
fn names(tags: &str, tag: &str) -> bool {
    let strong = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    tags.trim() == "*" || std::iter::once(tags).chain(tags.split(',')).any(|known| strong(known) == strong(tag))
}

fn is_by(changed: &str, since: &str) -> bool {
    match (Time::parse_mail_date(changed), Time::parse_mail_date(since)) {
        (Some(changed), Some(since)) => changed <= since,
        _ => changed == since,
    }
}

fn confirmation(mut document: Document) -> Document {
    document.headers.retain(|(name, _)| OF_A_COPY.iter().any(|kept| name.eq_ignore_ascii_case(kept)));
    Document { status: 304, headers: document.headers, ..Document::default() }
}
