//! How likely a page is to have changed, given what the capture under way has shown so far.
//!
//! Three things have a say. The page's own past, smoothed by the pages around it. How busy its directories are in this
//! capture compared with what was to be expected of them: a site is edited part by part. And whether pages of the same
//! name elsewhere have changed: a translation, a print version. What comes of all that is not assumed but counted
//! ([`Table`]): every past capture is gone through in the order in which a capture would go, the likeliest pages first,
//! so that each page is judged by what would have been known by then. Unlike a correlation it is defined for directories
//! that never or always change.

mod rehearsal;
mod saved;
mod surprise;
mod table;

use super::{DirectoryId, DirectoryShape, LossRecord, PageNumber, segments::DEPTH_MAX};
use hashbrown::HashMap;
use rapidhash::v3::rapidhash_v3;
use serde::{Deserialize, Serialize};
use surprise::Surprises;
pub use surprise::UNLIKELY;
use table::{Table, Twins};
use tintype_vocab::{Span, Time};

/// Changes per gap between captures of a page nothing is known about.
const FIRST_CHANGES_PER_GAP: f64 = 0.05;
/// What the pages around count beside a page's own past, in gaps between captures.
const AROUND_GAPS: f64 = 5.0;
/// What the directory above counts beside a directory's own pages, in gaps of pages.
const ABOVE_GAPS: f64 = 300.0;
/// What the whole site counts beside a directory when it comes to how unevenly changes fall on captures.
const UNEVEN_WEIGHT: f64 = 0.2;
const UNEVEN_MIN: f64 = 0.02;
/// Somewhere between two captures the change came: half of the gap went by without it.
const CHANGED_GAP_PARTS: i64 = 2;

/// Changes and the time in which they would have been noticed.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Watched {
    changes: f32,
    days: f32,
}

/// The same of all pages of a directory: too many for four bytes, where one more would not count in the end. Whole
/// numbers, as those that are read back must be those that were kept.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct WatchedAll {
    changes: u64,
    millis: u64,
}

impl Watched {
    fn add(&mut self, changed: bool, unnoticed: Span) {
        self.changes += f32::from(u8::from(changed));
        self.days += unnoticed.as_days_f64() as f32;
    }
}

impl WatchedAll {
    fn add(&mut self, changed: bool, unnoticed: Span) {
        self.changes = self.changes.saturating_add(u64::from(changed));
        self.millis = self.millis.saturating_add(millis(unnoticed));
    }
}

fn millis(span: Span) -> u64 {
    span.as_millis().max(0) as u64
}

fn days(millis: u64) -> f64 {
    millis as f64 / Span::from_days(1).as_millis() as f64
}

/// How much more unevenly the changes of a directory fall on captures than by chance.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Uneven {
    surplus: f32,
    expected_squared: f32,
}

/// What a visit found of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundPage {
    /// It was not there last time.
    Born,
    Same,
    Changed,
    Gone,
}

/// What all past captures taught of when pages change together.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DirectoryActivity {
    pages: Vec<Watched>,
    seen: Vec<Time>,
    directories: Vec<WatchedAll>,
    uneven: Vec<Uneven>,
    births: Vec<f32>,
    comparisons: u64,
    compared_millis: u64,
    /// Of captures, not of pages.
    captured_millis: u64,
    table: Table,
    losses: LossRecord,
}

/// What the capture under way has shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Round {
    at: Time,
    /// By directory: changes seen and changes expected of the pages looked at, and how firmly it keeps to what is expected.
    changed: Vec<f64>,
    expected: Vec<f64>,
    firmness: Vec<f64>,
    looked_into: Vec<bool>,
    looked_below: Vec<bool>,
    twins: HashMap<u32, Twins>,
    surprises: Surprises,
}

impl DirectoryActivity {
    /// A capture begins.
    pub fn begin(&self, shape: &DirectoryShape, at: Time) -> Round {
        let directories = shape.directories();
        let site = self.uneven.first().map_or(0.0, |_| self.site_uneven());
        let firmness = (0..directories).map(|number| self.firmness(number, site)).collect();
        Round {
            at,
            changed: vec![0.0; directories],
            expected: vec![0.0; directories],
            firmness,
            looked_into: vec![false; directories],
            looked_below: vec![false; directories],
            twins: HashMap::new(),
            surprises: Surprises::new(directories),
        }
    }

    /// Changes to be expected of a page since it was last seen, before anything is known of this capture.
    pub fn expected(&self, shape: &DirectoryShape, page: PageNumber, at: Time) -> f64 {
        let Some(seen) = self.last_seen(page) else { return FIRST_CHANGES_PER_GAP };
        let days = (at - seen).as_days_f64().max(0.0);
        self.rate(shape, page) * days
    }

    /// The chance that a page changed since it was last seen; `expected` as of the beginning of the capture. Where pages
    /// that were hardly expected to have changed had, it is raised as much as they were more than expected.
    pub fn chance(&self, shape: &DirectoryShape, round: &Round, page: PageNumber, expected: f64) -> f64 {
        let usual = self.usual_chance(shape, round, page, expected);
        round.surprises.raised(shape.directory_of(page), usual)
    }

    /// The same by what was usual in the past.
    pub fn usual_chance(&self, shape: &DirectoryShape, round: &Round, page: PageNumber, expected: f64) -> f64 {
        let busy = round.business(shape, shape.directory_of(page));
        self.table.chance(expected, busy, round.twins(shape, page))
    }

    /// Pages that are born in a directory between its last capture and this one, as far as the past tells.
    pub fn births(&self, directory: DirectoryId, since_days: f64) -> f64 {
        let births = self.births.get(directory.index()).copied().unwrap_or(0.0);
        if self.captured_millis > 0 { f64::from(births) / days(self.captured_millis) * since_days } else { 0.0 }
    }

    /// What captures that skipped would have lost.
    pub fn losses(&self) -> &LossRecord {
        &self.losses
    }

    /// When a page was last seen.
    pub fn last_seen(&self, page: PageNumber) -> Option<Time> {
        self.seen.get(page.index()).copied().filter(|seen| *seen != Time::MIN)
    }

    /// A typical time between two visits to a page.
    pub fn gap_days(&self) -> f64 {
        if self.comparisons > 0 { (days(self.compared_millis) / self.comparisons as f64).max(1e-6) } else { 1.0 }
    }

    /// Changes per day: the page's own, beside those of the pages around it, itself left out.
    fn rate(&self, shape: &DirectoryShape, page: PageNumber) -> f64 {
        let (own, gap) = (self.pages[page.index()], self.gap_days());
        let mut rate = FIRST_CHANGES_PER_GAP / gap;
        for directory in from_the_root(shape, shape.directory_of(page)) {
            let all = self.directories[directory.index()];
            let changes = (all.changes as f64 - f64::from(own.changes)).max(0.0);
            let days = (days(all.millis) - f64::from(own.days)).max(0.0);
            rate = (changes + ABOVE_GAPS * gap * rate) / (days + ABOVE_GAPS * gap);
        }
        (f64::from(own.changes) + AROUND_GAPS * gap * rate) / (f64::from(own.days) + AROUND_GAPS * gap)
    }

    fn site_uneven(&self) -> f64 {
        let sum = |of: fn(&Uneven) -> f32| self.uneven.iter().map(|uneven| f64::from(of(uneven))).sum::<f64>();
        (sum(|uneven| uneven.surplus) / sum(|uneven| uneven.expected_squared).max(1e-9)).max(UNEVEN_MIN)
    }

    /// How many expected changes it takes for a directory's own to count as much as what was expected.
    fn firmness(&self, directory: usize, site: f64) -> f64 {
        let uneven = self.uneven.get(directory).copied().unwrap_or_default();
        let surplus = f64::from(uneven.surplus) + UNEVEN_WEIGHT * site;
        let share = surplus / (f64::from(uneven.expected_squared) + UNEVEN_WEIGHT);
        1.0 / share.max(UNEVEN_MIN)
    }

    /// A capture is over: what it found of the pages it looked at.
    pub fn learn(&mut self, shape: &DirectoryShape, at: Time, since: Option<Time>, found: &[(PageNumber, FoundPage)]) {
        self.grow(shape);
        let mut round = self.begin(shape, at);
        // Of a page that no capture before this one ended with, nobody knows since when it is as it is.
        let mut compared: Vec<(PageNumber, f64, bool)> = (found.iter())
            .filter(|(page, found)| *found != FoundPage::Born && self.last_seen(*page).is_some())
            .map(|&(page, found)| (page, self.expected(shape, page, at), found != FoundPage::Same))
            .collect();
        compared.sort_by(|(a, more, _), (b, less, _)| less.total_cmp(more).then(a.cmp(b)));
        self.rehearse(shape, (at, since), &compared, found);
        self.table.begin();
        for &(page, expected, changed) in &compared {
            let busy = round.business(shape, shape.directory_of(page));
            self.table.count(expected, busy, round.twins(shape, page), changed);
            round.saw(shape, page, expected, changed);
        }
        self.learn_unevenness(&round);
        for &(page, _, changed) in &compared {
            self.watch(shape, page, at, changed);
        }
        for &(page, found) in found {
            self.seen[page.index()] = at;
            if found == FoundPage::Born && since.is_some() {
                self.births[shape.directory_of(page).index()] += 1.0;
            }
        }
        self.captured_millis = self.captured_millis.saturating_add(since.map_or(0, |since| millis(at - since)));
    }

    fn grow(&mut self, shape: &DirectoryShape) {
        self.pages.resize(shape.pages(), Watched::default());
        self.seen.resize(shape.pages(), Time::MIN);
        self.directories.resize(shape.directories(), WatchedAll::default());
        self.uneven.resize(shape.directories(), Uneven::default());
        self.births.resize(shape.directories(), 0.0);
    }

    /// The variance of a count is its mean and, if it comes in bursts, a share of its square.
    fn learn_unevenness(&mut self, round: &Round) {
        for (uneven, (changed, expected)) in self.uneven.iter_mut().zip(round.changed.iter().zip(&round.expected)) {
            uneven.surplus += ((changed - expected).powi(2) - changed) as f32;
            uneven.expected_squared += expected.powi(2) as f32;
        }
    }

    fn watch(&mut self, shape: &DirectoryShape, page: PageNumber, at: Time, changed: bool) {
        let gap = (at - self.seen[page.index()]).max(Span::ZERO);
        let unnoticed = if changed { gap / CHANGED_GAP_PARTS } else { gap };
        self.pages[page.index()].add(changed, unnoticed);
        for directory in shape.ancestors(shape.directory_of(page)) {
            self.directories[directory.index()].add(changed, unnoticed);
        }
        self.comparisons = self.comparisons.saturating_add(1);
        self.compared_millis = self.compared_millis.saturating_add(millis(gap));
    }
}

impl Round {
    /// When the capture began.
    pub fn at(&self) -> Time {
        self.at
    }

    /// Takes note of a page that was looked at.
    pub fn saw(&mut self, shape: &DirectoryShape, page: PageNumber, expected: f64, changed: bool) {
        self.sampled(shape, page, expected, changed);
        for directory in shape.ancestors(shape.directory_of(page)) {
            if let Some(below) = self.looked_below.get_mut(directory.index()) {
                *below = true;
            }
        }
    }

    /// Takes note of a page that was drawn by lot from a directory that is left alone all the same.
    pub fn sampled(&mut self, shape: &DirectoryShape, page: PageNumber, expected: f64, changed: bool) {
        let directory = shape.directory_of(page);
        for directory in shape.ancestors(directory) {
            // Pages found in this capture may lie in directories that are new.
            if let Some(seen) = self.changed.get_mut(directory.index()) {
                *seen += f64::from(u8::from(changed));
                self.expected[directory.index()] += expected;
            }
        }
        if let Some(looked_into) = self.looked_into.get_mut(directory.index()) {
            *looked_into = true;
        }
        self.twins.entry(name(shape, page)).or_default().add(changed);
    }

    /// Takes note of whether a page had changed that was this likely to, by what was usual. [`Round::take_stock`] says what
    /// comes of it.
    pub fn suspect(&mut self, shape: &DirectoryShape, page: PageNumber, usual_chance: f64, changed: bool) {
        self.surprises.saw(shape.directory_of(page), usual_chance, changed);
    }

    /// Finds the parts in which far more has changed of what was not expected to than chance allows.
    pub fn take_stock(&mut self, shape: &DirectoryShape) {
        self.surprises.take_stock(shape);
    }

    /// Whether a page of this very directory was looked at.
    pub fn looked_into(&self, directory: DirectoryId) -> bool {
        self.looked_into.get(directory.index()).copied().unwrap_or(false)
    }

    /// Whether a page of this directory or of one below it was looked at, other than by lot.
    pub fn looked_below(&self, directory: DirectoryId) -> bool {
        self.looked_below.get(directory.index()).copied().unwrap_or(false)
    }

    /// How many times as many changes as expected a directory shows, smoothed by those above it.
    fn business(&self, shape: &DirectoryShape, directory: DirectoryId) -> f64 {
        from_the_root(shape, directory).filter(|directory| directory.index() < self.changed.len()).fold(
            1.0,
            |above, at| {
                let firmness = self.firmness[at.index()];
                (self.changed[at.index()] + firmness * above) / (self.expected[at.index()] + firmness)
            },
        )
    }

    fn twins(&self, shape: &DirectoryShape, page: PageNumber) -> Twins {
        self.twins.get(&name(shape, page)).copied().unwrap_or_default()
    }
}

/// The directories that lead to one, outermost first.
fn from_the_root(shape: &DirectoryShape, directory: DirectoryId) -> impl Iterator<Item = DirectoryId> {
    let mut chain = [DirectoryId::ROOT; DEPTH_MAX + 1];
    let mut depth = 0;
    for ancestor in shape.ancestors(directory) {
        chain[depth] = ancestor;
        depth += 1;
    }
    (0..depth).rev().map(move |at| chain[at])
}

/// Pages of one name are twins: `/de/faq.html` and `/fr/faq.html`, `/docs/pods/` and `/zh/docs/pods/`.
fn name(shape: &DirectoryShape, page: PageNumber) -> u32 {
    let path = shape.page_path(page).trim_end_matches('/');
    let own = path.rsplit(['/', '?', '&']).next().unwrap_or_default();
    rapidhash_v3(own.as_bytes()) as u32
}

#[cfg(test)]
mod tests;
