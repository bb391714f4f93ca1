//! What a week of captures teaches: how often each page changes, and who announces it.

use super::{
    announcer::{self, Announcer},
    newspaper::Newspaper,
    week::Sighting,
};
use serde::Serialize;
use std::collections::HashMap;
use tintype_learn::grid::{Grid, RateEvidence};
use tintype_vocab::{Change, Observation, Purpose, Time};
use tintype_world::EventKind;

/// How many of the liveliest pages are told.
const LIVELIEST: usize = 5;

#[derive(Debug, Serialize)]
pub(super) struct Learned {
    /// Pages seen more than once, and those of them that never changed.
    pub(super) compared: usize,
    pub(super) still: usize,
    pub(super) liveliest: Vec<Lively>,
    pub(super) announcer: Option<Announcer>,
}

#[derive(Debug, Serialize)]
pub(super) struct Lively {
    pub(super) path: String,
    pub(super) believed_per_day: f64,
    /// As it really was in that time.
    pub(super) true_per_day: f64,
}

/// What is known of one page.
struct Page {
    last: Time,
    evidence: RateEvidence,
    comparisons: u64,
    changes: u64,
}

pub(super) fn learn(newspaper: &Newspaper, sightings: &[Sighting]) -> Learned {
    let grid = Grid::default();
    let mut pages: HashMap<&str, Page> = HashMap::new();
    for Sighting { at, observations } in sightings {
        for seen in observations.iter().filter(|seen| seen.purpose != Purpose::Robots && seen.outcome.saw_page()) {
            let fresh = || Page { last: *at, evidence: RateEvidence::default(), comparisons: 0, changes: 0 };
            pages.entry(&seen.url).or_insert_with(fresh).see(&grid, *at, seen);
        }
    }
    let compared = pages.values().filter(|page| page.comparisons > 0);
    let (still, compared) = (compared.clone().filter(|page| page.changes == 0).count(), compared.count());
    let liveliest = liveliest(newspaper, &grid, &pages, sightings.last().map_or(newspaper.from, |last| last.at));
    Learned { compared, still, liveliest, announcer: announcer::best(newspaper.origin(), sightings) }
}

impl Page {
    /// One sight more. Where the server dates the version, it is known not only that but when the page changed.
    fn see(&mut self, grid: &Grid, at: Time, seen: &Observation) {
        let dated = seen.validators.last_modified.as_deref().and_then(Time::parse_mail_date);
        let dated = dated.filter(|dated| *dated <= at).map(|dated| (at - dated).as_days_f64());
        let days = (at - self.last).as_days_f64();
        match (seen.change, dated) {
            (Change::Same, _) => self.evidence.unchanged(days),
            (Change::New { .. }, Some(ago)) => self.evidence.changed_ago(ago),
            (Change::New { .. }, None) => self.evidence.changed_within(grid, days),
            (Change::First, Some(ago)) => self.evidence.unchanged(ago),
            (Change::First, None) | (Change::Unknown, _) => {}
        }
        self.comparisons += u64::from(matches!(seen.change, Change::Same | Change::New { .. }));
        self.changes += u64::from(matches!(seen.change, Change::New { .. }));
        self.last = at;
    }
}

fn liveliest(newspaper: &Newspaper, grid: &Grid, pages: &HashMap<&str, Page>, until: Time) -> Vec<Lively> {
    let ignorance = grid.ignorance();
    let lively = pages.iter().filter_map(|(url, page)| {
        let number = newspaper.page(url)?;
        Some(Lively {
            path: newspaper.made.history.path(number).to_owned(),
            believed_per_day: grid.mean_per_day(&page.evidence.belief(grid, &ignorance)),
            true_per_day: true_per_day(newspaper, number, until),
        })
    });
    let mut lively: Vec<_> = lively.collect();
    lively.sort_by(|a, b| b.believed_per_day.total_cmp(&a.believed_per_day).then_with(|| a.path.cmp(&b.path)));
    lively.truncate(LIVELIEST);
    lively
}

/// Changes of a page from its birth or the first capture to `until`, per day.
fn true_per_day(newspaper: &Newspaper, page: u32, until: Time) -> f64 {
    let history = &newspaper.made.history;
    let events = || history.rows(page).iter().map(|&row| &history.events()[row as usize]);
    let born = events().next().map_or(newspaper.from, |event| event.at.max(newspaper.from));
    let inside = |at: Time| newspaper.from < at && at <= until;
    let changes = events().filter(|event| event.kind == EventKind::Modified && inside(event.at)).count();
    changes as f64 / (until - born).as_days_f64().max(f64::MIN_POSITIVE)
}
