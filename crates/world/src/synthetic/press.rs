//! Turns what should happen to a site into its history, and prints any document of it again.

use super::{Made, PlainTree};
use crate::{Contents, Document, EventKind, History, Recorder, Unreadable};
use std::fmt;
use tintype_vocab::Time;

/// A version to be printed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edition {
    /// Number of the page, as the press counts.
    pub page: u32,
    /// How many versions of the page there were before.
    pub nth: u32,
    pub at: Time,
    pub gone: bool,
}

/// Prints every version of every page of a site. The same edition always comes out the same.
pub(super) trait Press: fmt::Debug + Send + Sync {
    fn path(&self, page: u32) -> String;

    fn content_type(&self, page: u32) -> &'static str;

    /// The change rate the dice were thrown with, if there is one.
    fn rate_per_day(&self, page: u32) -> Option<f64>;

    fn print(&self, edition: Edition, out: &mut String);
}

/// Something that may have changed a page. Whether it did is decided by printing: a listing that reads as before is no
/// new version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Happening {
    pub at: Time,
    pub page: u32,
    what: What,
}

/// Of two things at the same moment the first in this order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Appears,
    Vanishes,
    Changes,
}

impl Happening {
    pub(super) fn appears(at: Time, page: u32) -> Happening {
        Happening { at, page, what: What::Appears }
    }

    pub(super) fn vanishes(at: Time, page: u32) -> Happening {
        Happening { at, page, what: What::Vanishes }
    }

    pub(super) fn changes(at: Time, page: u32) -> Happening {
        Happening { at, page, what: What::Changes }
    }
}

/// The documents of a world, printed on demand.
#[derive(Debug)]
pub struct Printer {
    press: Box<dyn Press>,
    /// What to print for each row of the history.
    editions: Vec<Edition>,
}

impl Contents for Printer {
    fn document(&mut self, row: u32) -> Result<Option<Document>, Unreadable> {
        Ok(self.editions.get(row as usize).map(|edition| self.printed(*edition)))
    }
}

impl Printer {
    fn printed(&self, edition: Edition) -> Document {
        if edition.gone {
            return Document::gone();
        }
        let mut body = String::new();
        self.press.print(edition, &mut body);
        let content_type = Some(self.press.content_type(edition.page).to_owned());
        Document { status: 200, content_type, body: body.into_bytes(), ..Document::default() }
    }
}

/// What is known of a page while history is written.
#[derive(Clone, Copy, Debug, Default)]
struct Latest {
    digest: u64,
    versions: u32,
}

/// Writes history: prints every version once to learn its digest and size.
pub(super) fn record(press: impl Press + 'static, mut happenings: Vec<Happening>, tree: Option<PlainTree>) -> Made {
    happenings.sort_unstable();
    happenings.dedup_by_key(|happening| (happening.at, happening.page));
    let pages = happenings.iter().map(|happening| happening.page as usize + 1).max().unwrap_or(0);
    let mut latest = vec![Latest::default(); pages];
    let mut editions = Vec::with_capacity(happenings.len());
    let mut recorder = Recorder::default();
    let mut body = String::new();
    for Happening { at, page, what } in happenings {
        let known = &mut latest[page as usize];
        let edition = Edition { page, nth: known.versions, at, gone: what == What::Vanishes };
        body.clear();
        let digest = if edition.gone { 0 } else { printed(&press, edition, &mut body) };
        if what == What::Changes && digest == known.digest {
            continue;
        }
        *known = Latest { digest, versions: known.versions + u32::from(!edition.gone) };
        let media_type = if edition.gone { "" } else { essence(press.content_type(page)) };
        recorder
            .record(at, &press.path(page), kind(what), body.len() as u64, digest, media_type)
            .unwrap_or_else(|impossible| panic!("{} at {at} {impossible}", press.path(page)));
        editions.push(edition);
    }
    editions.shrink_to_fit();
    let history = recorder.finish();
    let rates = rates(&press, &history, &editions);
    Made { history, rates, tree, contents: Printer { press: Box::new(press), editions } }
}

fn kind(what: What) -> EventKind {
    match what {
        What::Appears => EventKind::Added,
        What::Vanishes => EventKind::Deleted,
        What::Changes => EventKind::Modified,
    }
}

fn printed(press: &impl Press, edition: Edition, body: &mut String) -> u64 {
    press.print(edition, body);
    rapidhash::v3::rapidhash_v3(body.as_bytes())
}

fn essence(content_type: &str) -> &str {
    content_type.split(';').next().unwrap_or_default()
}

fn rates(press: &impl Press, history: &History, editions: &[Edition]) -> Vec<f64> {
    let end = editions.last().map_or(Time::MIN, |last| last.at);
    let rate = |page| {
        let rows = history.rows(page);
        let drawn = rows.first().and_then(|&row| press.rate_per_day(editions[row as usize].page));
        drawn.unwrap_or_else(|| realised(rows.iter().map(|&row| &editions[row as usize]), end))
    };
    (0..history.pages() as u32).map(rate).collect()
}

/// Changes per day of one page that was never there twice.
fn realised<'a>(mut editions: impl Iterator<Item = &'a Edition>, end: Time) -> f64 {
    let Some(first) = editions.next() else { return 0.0 };
    let (mut changes, mut last) = (0u32, end);
    for edition in editions {
        changes += u32::from(!edition.gone);
        if edition.gone {
            last = edition.at;
        }
    }
    f64::from(changes) / (last - first.at).as_days_f64().max(1.0 / 24.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::{SyntheticConfig, named};

    /// Pages of sites are printed only when something may have changed them: nothing else may.
    #[test]
    fn between_two_versions_a_page_reads_the_same() {
        for name in ["objects", "news", "docs", "shop", "forum"] {
            let wish = SyntheticConfig { pages: 150, days: 10.0, seed: 21, ..SyntheticConfig::default() };
            let Made { history, contents, .. } = (named(name).unwrap().make)(&wish);
            let sitemap = history.find("/sitemap.xml");
            for now in contents.editions.iter().map(|edition| edition.at).step_by(41) {
                for page in (0..history.pages() as u32).filter(|&page| Some(page) != sitemap) {
                    let Some(row) = history.at(page, now) else { continue };
                    let held = contents.editions[row as usize];
                    let fresh = contents.printed(Edition { at: now, ..held });
                    assert!(fresh == contents.printed(held), "{name}: {} differs at {now}", history.path(page));
                }
            }
        }
    }
}
