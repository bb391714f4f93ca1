//! The whole difference between two versions of a page: where they are archived, what differs, word by word.
//!
//! [`PageDiff::between`] finds the two versions and compares them; [`diff_html`] and [`diff_text`] show it, and as data it can be
//! applied in both directions ([`Delta`](tintype_observe::page::Delta)).

mod html;
mod text;

pub use html::{diff_html, lines_html, rows_html};
pub use text::diff_text;

use crate::{
    Error,
    feed::{ArchivedVersion, EventJudge, FactChange},
};
use serde::Serialize;
use tintype_archive::{
    Original, Place, Reading,
    holdings::{AskedVersion, Holdings, Memento, PageVersion, versions_of},
};
use tintype_observe::{
    Described, PageFacts,
    page::{Delta, DiffRow, segment_both, side_by_side},
};
use tintype_vocab::Time;

/// Two versions of a page and what differs.
#[derive(Clone, Debug, Serialize)]
pub struct PageDiff {
    pub url: String,
    pub before: ArchivedVersion,
    pub after: ArchivedVersion,
    /// Versions that lie between the two.
    pub skipped: usize,
    pub importance: f64,
    pub facts: Vec<FactChange>,
    /// How many blocks are the same, changed, new, gone, moved.
    pub counts: DiffCounts,
    /// Every block of both versions.
    pub rows: Vec<DiffRow>,
    /// What makes the blocks of one version out of those of the other, in both directions.
    pub delta: Delta,
    /// Why there are no blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DiffCounts {
    pub same: usize,
    pub changed: usize,
    pub inserted: usize,
    pub deleted: usize,
    pub moved: usize,
}

/// What was asked for and cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoDiff {
    /// Nothing of the page is held.
    NothingHeld,
    /// There is one version only, first and last seen then.
    OneVersion(Time, Time),
    /// Nothing was seen at or before that time.
    NotSeenYet(Time),
}

impl PageDiff {
    /// The version seen last at or before `to` (or of all), and the one before it, or that of `from`.
    pub fn between(
        reading: &Reading,
        judge: &mut EventJudge<'_>,
        url: &str,
        (from, to): (Option<Time>, Option<Time>),
        archive: &str,
    ) -> Result<Result<PageDiff, NoDiff>, Error> {
        let holdings = Holdings::of_collection(reading.clone());
        let is_page = |memento: &Memento| memento.status().is_none_or(|status| (200..300).contains(&status));
        let mementos = holdings.mementos(url)?.into_iter().filter(is_page).collect();
        let versions = versions_of(mementos);
        let (old, new) = match chosen(&versions, from, to) {
            Ok(chosen) => chosen,
            Err(none) => return Ok(Err(none)),
        };
        let near =
            |number: usize, time: Option<Time>| versions[number].visit_near(time.unwrap_or(versions[number].first));
        let sides = [Side::open(&holdings, near(old, from), archive)?, Side::open(&holdings, near(new, to), archive)?];
        let site = holdings.capture_of(near(new, to))?.map(|capture| capture.head.site).unwrap_or_default();
        let mut diff = PageDiff::of(judge, &site, url, sides);
        diff.skipped = new.abs_diff(old) - 1;
        diff.before.name_record(reading);
        diff.after.name_record(reading);
        Ok(Ok(diff))
    }

    fn of(judge: &mut EventJudge<'_>, site: &str, url: &str, [before, after]: [Side; 2]) -> PageDiff {
        let facts = match (before.facts(), after.facts()) {
            (Some(before), Some(after)) => FactChange::between(&before, &after),
            _ => Vec::new(),
        };
        let blocks = segment_both((&before.described(), &before.body), (&after.described(), &after.body));
        let note = blocks.is_none().then(|| {
            let size = |side: &Side| tintype_vocab::amount::bytes(side.body.len() as u64);
            format!("not text that can be compared: {} before, {} after", size(&before), size(&after))
        });
        let (rows, delta, importance) = match blocks {
            Some([old, new]) => {
                let difference = judge.between(site, url, &old, &new);
                (side_by_side(&old.layout, &new.layout), difference.delta, difference.importance)
            }
            None => (Vec::new(), Delta::default(), 0.0),
        };
        let counts = DiffCounts::new(&rows);
        let (before, after) = (before.archived, after.archived);
        PageDiff { url: url.to_owned(), before, after, skipped: 0, importance, facts, counts, rows, delta, note }
    }
}

/// Which two versions are meant.
fn chosen(versions: &[PageVersion], from: Option<Time>, to: Option<Time>) -> Result<(usize, usize), NoDiff> {
    let (Some(first), Some(last)) = (versions.first(), versions.last()) else { return Err(NoDiff::NothingHeld) };
    let at = |time: Time| AskedVersion::Before(time).choose(versions).ok_or(NoDiff::NotSeenYet(time));
    let new = to.map_or(Ok(versions.len() - 1), at)?;
    match from {
        Some(from) => {
            let old = at(from)?;
            if old == new { Err(NoDiff::OneVersion(versions[new].first, versions[new].last)) } else { Ok((old, new)) }
        }
        None if new == 0 => Err(NoDiff::OneVersion(first.first, last.last)),
        None => Ok((new - 1, new)),
    }
}

/// One version as it is held.
struct Side {
    archived: ArchivedVersion,
    content_type: Option<String>,
    content_encoding: Option<String>,
    robots: Option<String>,
    body: Vec<u8>,
}

impl Side {
    fn open(holdings: &Holdings, memento: &Memento, archive: &str) -> Result<Side, Error> {
        let place = |line: &tintype_archive::holdings::Memento| -> Option<Place> {
            Some(Place { segment: line.line.filename.clone()?, offset: line.line.offset?, length: line.line.length? })
        };
        let original = Original { url: memento.url().to_owned(), date: memento.time, place: place(memento) };
        let mut side = Side {
            archived: ArchivedVersion::new(archive, &original, None),
            content_type: None,
            content_encoding: None,
            robots: None,
            body: Vec::new(),
        };
        if let Some(opened) = holdings.open(memento)? {
            [side.content_type, side.content_encoding, side.robots] =
                ["content-type", "content-encoding", "x-robots-tag"].map(|name| opened.field(name));
            holdings.pour(&opened.body, &mut |piece| side.body.extend_from_slice(piece))?;
            side.archived.bytes = Some(side.body.len() as u64);
        }
        Ok(side)
    }

    fn described(&self) -> Described<'_> {
        Described {
            url: &self.archived.url,
            content_type: self.content_type.as_deref(),
            content_encoding: self.content_encoding.as_deref(),
            ..Described::default()
        }
    }

    fn facts(&self) -> Option<PageFacts> {
        let rules: Vec<&str> = self.robots.iter().map(String::as_str).collect();
        PageFacts::read(&Described { robots_headers: &rules, ..self.described() }, &self.body)
    }
}

impl DiffCounts {
    fn new(rows: &[DiffRow]) -> DiffCounts {
        use tintype_observe::page::RowKind;
        let count = |kind| rows.iter().filter(|row| row.kind == kind && !row.moved).count();
        DiffCounts {
            same: count(RowKind::Same),
            changed: rows.iter().filter(|row| row.kind == RowKind::Changed).count(),
            inserted: count(RowKind::Inserted),
            deleted: count(RowKind::Deleted),
            moved: rows.iter().filter(|row| row.moved).count(),
        }
    }
}
