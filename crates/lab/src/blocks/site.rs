//! A recorded site as a browser's whole web.

use crate::open::{OpenedSite, SiteSource};
use crate::usage;
use std::path::Path;
use tintype_live::render::RenderResponse;
use tintype_observe::{Described, page, page::Segmented, plain};
use tintype_plan::Dice;
use tintype_vocab::Time;
use tintype_world::{Contents, Document, EventKind};

/// A past site of which the bodies are known.
pub(super) struct Site {
    opened: OpenedSite,
    contents: Box<dyn Contents + Send>,
}

/// One version of a page, and the one before it, by the rows of their events.
#[derive(Clone, Copy, Debug)]
pub(super) struct Version {
    pub(super) page: u32,
    pub(super) row: u32,
    pub(super) before: Option<u32>,
}

impl Site {
    pub(super) fn open(directory: &Path, site: Option<&str>) -> anyhow::Result<Site> {
        let mut opened = SiteSource::recorded(directory, site).open("")?;
        let contents = opened.contents.take().ok_or_else(|| {
            usage("of this history only the events are known", "name one that has history.warc.gz as well")
        })?;
        Ok(Site { opened, contents })
    }

    pub(super) fn name(&self) -> &str {
        &self.opened.name
    }

    pub(super) fn path(&self, version: Version) -> &str {
        self.opened.history.path(version.page)
    }

    pub(super) fn url(&self, version: Version) -> String {
        format!("{}{}", self.opened.origin, self.path(version).replace(' ', "%20"))
    }

    fn at(&self, row: u32) -> Time {
        self.opened.history.events()[row as usize].at
    }

    /// Some HTML pages, each in one of its versions: one that replaced another where there is such a one.
    pub(super) fn sample(&self, count: usize, seed: u64) -> Vec<Version> {
        let mut drawn: Vec<(u64, Version)> = (0..self.opened.history.pages() as u32)
            .filter_map(|page| {
                let mut dice = Dice::new(seed, u64::from(page));
                Some((dice.next_u64(), self.version(page, &mut dice)?))
            })
            .collect();
        drawn.sort_unstable_by_key(|(order, _)| *order);
        drawn.into_iter().take(count).map(|(_, version)| version).collect()
    }

    fn version(&self, page: u32, dice: &mut Dice) -> Option<Version> {
        let history = &self.opened.history;
        let is_page = |row: &u32| {
            let event = &history.events()[*row as usize];
            event.kind != EventKind::Deleted && history.media_type(event).contains("html")
        };
        let rows: Vec<u32> = history.rows(page).iter().copied().filter(is_page).collect();
        match rows.len() {
            0 => None,
            1 => Some(Version { page, row: rows[0], before: None }),
            several => {
                let nth = 1 + (dice.unit() * (several - 1) as f64) as usize;
                Some(Version { page, row: rows[nth], before: Some(rows[nth - 1]) })
            }
        }
    }

    /// What the site answered when that version was there.
    pub(super) fn answer(&mut self, url: &str, row: u32) -> Option<RenderResponse> {
        let path = url.strip_prefix(self.opened.origin.as_str())?;
        let path = path.split('#').next().unwrap_or(path);
        let history = &self.opened.history;
        let page = history.find(path).or_else(|| history.find(&path.replace("%20", " ")))?;
        let row = history.alive(page, self.at(row))?;
        self.document(row).map(response)
    }

    /// The blocks of a version by its markup.
    pub(super) fn blocks(&mut self, url: &str, row: u32) -> Option<Segmented> {
        let document = self.document(row)?;
        let described = Described {
            url,
            content_type: document.content_type.as_deref(),
            content_encoding: field(&document, "content-encoding"),
            ..Described::default()
        };
        page::segment(&described, &document.body)
    }

    fn document(&mut self, row: u32) -> Option<Document> {
        self.contents.document(row).ok().flatten().filter(|document| !document.truncated)
    }
}

fn field<'d>(document: &'d Document, name: &str) -> Option<&'d str> {
    document.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

fn response(document: Document) -> RenderResponse {
    let body = plain(field(&document, "content-encoding"), &document.body).into_owned();
    let content_type = document.content_type.map(|value| ("content-type".to_owned(), value));
    let kept = document.headers.into_iter().filter(|(name, _)| !name.eq_ignore_ascii_case("content-encoding"));
    RenderResponse { status: document.status, headers: content_type.into_iter().chain(kept).collect(), body }
}
