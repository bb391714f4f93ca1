//! Something that happened to a page.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use tintype_archive::{CaptureId, Original, Place};
use tintype_vocab::Time;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PageEventKind {
    /// A page that was not there before.
    Appeared,
    /// It was there, and the server says it is not (404, 410).
    Disappeared,
    /// It leads elsewhere now.
    Moved,
    /// The server does not hand it out any more (401, 403, 451, a log-in in its place).
    Refused,
    /// It cannot be had: server errors, time-outs, an error or consent page in its place.
    Failing,
    /// It is there again.
    Back,
    /// It says something else.
    Changed,
    /// A document or file behind the same address is another one.
    Document,
    Title,
    Description,
    Language,
    /// The address it calls its own.
    Canonical,
    /// What it tells robots.
    Robots,
    /// It is of another media type.
    Type,
}

impl PageEventKind {
    pub const ALL: [PageEventKind; 14] = [
        PageEventKind::Appeared,
        PageEventKind::Disappeared,
        PageEventKind::Moved,
        PageEventKind::Refused,
        PageEventKind::Failing,
        PageEventKind::Back,
        PageEventKind::Changed,
        PageEventKind::Document,
        PageEventKind::Title,
        PageEventKind::Description,
        PageEventKind::Language,
        PageEventKind::Canonical,
        PageEventKind::Robots,
        PageEventKind::Type,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            PageEventKind::Appeared => "appeared",
            PageEventKind::Disappeared => "disappeared",
            PageEventKind::Moved => "moved",
            PageEventKind::Refused => "refused",
            PageEventKind::Failing => "failing",
            PageEventKind::Back => "back",
            PageEventKind::Changed => "changed",
            PageEventKind::Document => "document",
            PageEventKind::Title => "title",
            PageEventKind::Description => "description",
            PageEventKind::Language => "language",
            PageEventKind::Canonical => "canonical",
            PageEventKind::Robots => "robots",
            PageEventKind::Type => "type",
        }
    }

    /// Whether two versions are to be compared.
    pub(super) fn has_versions(self) -> bool {
        !matches!(
            self,
            PageEventKind::Appeared
                | PageEventKind::Disappeared
                | PageEventKind::Moved
                | PageEventKind::Refused
                | PageEventKind::Failing
        )
    }
}

impl fmt::Display for PageEventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for PageEventKind {
    type Err = String;

    fn from_str(text: &str) -> Result<PageEventKind, String> {
        PageEventKind::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or_else(|| {
            let all = PageEventKind::ALL.map(PageEventKind::as_str).join(", ");
            format!("{text} is no kind of event; there are {all}")
        })
    }
}

/// What happened to one page, with the visits and records that show it.
#[derive(Clone, Debug, PartialEq)]
pub struct PageEvent {
    pub kind: PageEventKind,
    pub site: String,
    /// The capture of the visit that found it so.
    pub capture: CaptureId,
    pub url: String,
    /// The first visit that found it so.
    pub found: Time,
    /// The last that did.
    pub last_seen: Time,
    /// How many did.
    pub visits: u32,
    /// It was otherwise when it was last looked at before.
    pub last_seen_before: Option<Time>,
    /// A visit that found it otherwise again.
    pub over: Option<Time>,
    /// `403`, `server error 500`, the address it moved to; empty where the kind says all.
    pub cause: String,
    /// As the log says, 1 while nothing finer is known; only of changes.
    pub logged: f32,
    pub media_type: Option<String>,
    /// What the page says without its numbers, as one number; and what it said before.
    pub(super) gist: Option<u64>,
    pub(super) gist_before: Option<u64>,
    /// The page is older than the first visit to its site: it was found late rather than published late.
    pub(super) is_old: bool,
    /// The record of the version before.
    pub before: Option<Original>,
    /// The record of the version that is there now.
    pub after: Option<Original>,
    /// The record of the answer that shows it, also where that is no version of the page.
    pub answer: Option<Place>,
}

impl PageEvent {
    /// The same whoever computes it and whenever: a visit makes one event at most.
    pub fn id(&self) -> u64 {
        let text = format!("{}\n{}\n{}", self.site, self.url, self.found.as_millis());
        rapidhash::v3::rapidhash_v3(text.as_bytes())
    }

    /// What sort of file it is about.
    pub(super) fn sort(&self) -> Sort {
        Sort::new(self.media_type.as_deref().unwrap_or("text/html"))
    }
}

/// What a file is to its readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Page,
    Document,
    /// Feeds, sitemaps, data.
    Machine,
    /// What pages are drawn with: pictures, style sheets, scripts, fonts.
    Part,
}

impl Sort {
    fn new(media_type: &str) -> Sort {
        match media_type {
            "text/html" | "application/xhtml+xml" => Sort::Page,
            "text/css" | "text/javascript" | "application/javascript" | "application/wasm" => Sort::Part,
            _ if media_type.ends_with("xml") || media_type.ends_with("json") => {
                match media_type.starts_with("image/") {
                    true => Sort::Part,
                    false => Sort::Machine,
                }
            }
            _ if ["image/", "font/", "audio/", "video/"].iter().any(|sort| media_type.starts_with(sort)) => Sort::Part,
            _ if media_type.contains("font") => Sort::Part,
            _ => Sort::Document,
        }
    }
}
