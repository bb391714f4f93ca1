//! When versions of every page come to be, and what they are worth: each page's hours and the importance of its changes by
//! the hour, shrunk to what is known of the site. About 2.2 kB a page.

mod saved;

use crate::{
    learner::{Context, Effect, Learner, PageSlot, Subject, same, speaks_of_page},
    pattern::{Calendar, HourSeen, HourTally, ImportancePattern, Periods, Rhythm, Shape, live_value},
    stored,
};
use serde::{Deserialize, Serialize};
use tintype_vocab::{Change, Observation, Time};

/// Changes count 1/e after this many days in what is known of the hours.
const MEMORY_DAYS: f64 = 60.0;
/// The shape of a page is held to that of the site as firmly as so many changes would hold it.
const SHAPE_STRENGTH: f64 = 24.0;
/// What changes are worth on average counts as much as so many of them would.
const WORTH_STRENGTH: f64 = 2.0;
/// Periods that are walked one by one; what passed before them is one long period.
const WALK_MAX: i64 = 24 * 14;

/// When versions of one page come to be, and what they are worth.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PageWorth {
    /// The latest visit since the page was last gone.
    last: Option<Time>,
    tally: HourTally,
    shape: Shape,
    /// What versions were worth by the period they came to be in.
    worth: ImportancePattern,
    /// What they were worth on average, shrunk to the site's.
    mean_worth: f64,
}

/// The same of all pages of a site.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VersionWorth {
    calendar: Calendar,
    rhythm: Rhythm,
    /// What versions of all pages were worth, and how many there were.
    worth: (f64, f64),
    pages: Vec<Option<Box<PageWorth>>>,
}

impl PageWorth {
    /// A page that does as a site does of which nothing else is known.
    pub fn new(shape: &Shape, mean_worth: f64) -> PageWorth {
        let calendar = shape.calendar();
        PageWorth {
            last: None,
            tally: HourTally::new(calendar, MEMORY_DAYS),
            shape: shape.clone(),
            worth: ImportancePattern::new(calendar),
            mean_worth,
        }
    }

    /// What a change in the period of that moment is worth.
    pub fn at(&self, at: Time) -> f64 {
        let seen = self.worth.seen_at(at);
        (self.worth.at(at) * seen + self.mean_worth * WORTH_STRENGTH) / (seen + WORTH_STRENGTH)
    }

    /// What a change is worth, whenever it is.
    pub fn mean(&self) -> f64 {
        self.mean_worth
    }

    /// How its rate rises and falls.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The worth of the version alive at `to`, if the one alive at `from` was worth `value` and the page changes so often:
    /// period by period, V ← V e^−c + w (1 − e^−c) with c changes to be expected that are worth w each.
    pub fn live_value(&self, mut value: f64, from: Time, to: Time, rate_per_day: f64) -> f64 {
        let periods = Periods::new(self.shape.calendar());
        let walked = periods.start(periods.number(to) - WALK_MAX);
        let mut at = from;
        if at < walked {
            value = self.shape.live_value(value, rate_per_day, self.mean_worth, at, walked);
            at = walked;
        }
        while at < to {
            // The calendar ends somewhere.
            let next = periods.start(periods.number(at) + 1).min(to);
            if next <= at {
                break;
            }
            value = live_value(value, rate_per_day * self.shape.effective_days(at, next), self.at(at));
            at = next;
        }
        value
    }

    fn learn_when(&mut self, last: Time, seen: &Observation, rate: f64, rhythm: &mut Rhythm) {
        let found = match (seen.change, dated(seen, last)) {
            (Change::New { .. }, Some(at)) => HourSeen::ChangeAt { at, importance: 1.0 },
            (Change::New { .. }, None) => HourSeen::Change { importance: 1.0 },
            (Change::Same, _) => HourSeen::Same,
            (Change::First | Change::Unknown, _) => return,
        };
        rhythm.observe(last, seen.answered, found, rate);
        self.tally.observe(last, seen.answered, found, rate, &self.shape);
        self.shape = self.tally.shape(rhythm.shape(), SHAPE_STRENGTH);
    }

    /// A version worth so much came to be since `last`.
    fn learn_worth(&mut self, last: Time, seen: &Observation, rate: f64, importance: f64) {
        let periods = Periods::new(self.shape.calendar());
        let born = dated(seen, last).map(|at| periods.number(at));
        let born = born.unwrap_or_else(|| latest_change(&self.shape, last, seen.answered, rate, periods));
        self.worth.observe(periods.start(born), periods.start(born + 1), importance);
    }

    /// Shrinks what versions were worth on average to what the site's are.
    fn shrink(&mut self, site: f64) {
        let (own, seen) = self.worth.overall();
        let versions = seen * self.worth.means().len() as f64;
        self.mean_worth = (own * versions + site * WORTH_STRENGTH) / (versions + WORTH_STRENGTH);
    }
}

impl Default for VersionWorth {
    fn default() -> VersionWorth {
        VersionWorth::new(Calendar::default())
    }
}

impl VersionWorth {
    pub fn new(calendar: Calendar) -> VersionWorth {
        VersionWorth { calendar, rhythm: Rhythm::new(calendar, MEMORY_DAYS), worth: (0.0, 0.0), pages: Vec::new() }
    }

    pub fn calendar(&self) -> Calendar {
        self.calendar
    }

    /// What is known of a page that was visited.
    pub fn page(&self, page: PageSlot) -> Option<&PageWorth> {
        self.pages.get(page.index())?.as_deref()
    }

    /// Nothing is known of what changes are worth until there was one.
    fn mean_worth(&self) -> f64 {
        (self.worth.0 + WORTH_STRENGTH) / (self.worth.1 + WORTH_STRENGTH)
    }
}

/// When the version seen came to be, if the site says so and it can be.
fn dated(seen: &Observation, last: Time) -> Option<Time> {
    seen.modified().filter(|modified| *modified > last)
}

/// The period that most likely had the latest change before `to`.
fn latest_change(shape: &Shape, from: Time, to: Time, rate: f64, periods: Periods) -> i64 {
    let latest = periods.number(to);
    let (mut best, mut buried) = ((0.0, latest), 0.0);
    for number in (periods.number(from).max(latest - WALK_MAX)..=latest).rev() {
        let (start, end) = (periods.start(number).max(from), periods.start(number + 1).min(to));
        let changes = rate * shape.effective_days(start, end);
        let chance = f64::exp(-buried) * -f64::exp_m1(-changes);
        if chance > best.0 {
            best = (chance, number);
        }
        buried += changes;
    }
    best.1
}

impl Learner for VersionWorth {
    fn name(&self) -> &'static str {
        "worth"
    }

    fn blank(&self) -> Box<dyn Learner> {
        Box::new(VersionWorth::new(self.calendar))
    }

    fn fits(&self, wanted: &dyn Learner) -> bool {
        same::<VersionWorth>(wanted).is_some_and(|wanted| wanted.calendar == self.calendar)
    }

    fn observe(&mut self, page: &Subject<'_>, seen: &Observation, context: &Context<'_>) -> Effect {
        if self.pages.len() <= page.slot.index() {
            self.pages.resize_with(page.slot.index() + 1, || None);
        }
        let mean_worth = self.mean_worth();
        let place = &mut self.pages[page.slot.index()];
        if !speaks_of_page(seen) {
            place.iter_mut().for_each(|page| page.last = None);
            return Effect::default();
        }
        let page = place.get_or_insert_with(|| Box::new(PageWorth::new(self.rhythm.shape(), mean_worth)));
        let Some(last) = page.last.replace(seen.answered) else { return Effect::default() };
        let rate = context.per_day;
        page.learn_when(last, seen, rate, &mut self.rhythm);
        if let Change::New { importance } = seen.change {
            // What is no number is nothing.
            let importance = if importance > 0.0 { f64::from(importance).min(1.0) } else { 0.0 };
            self.worth = (self.worth.0 + importance, self.worth.1 + 1.0);
            page.learn_worth(last, seen, rate, importance);
            page.shrink((self.worth.0 + WORTH_STRENGTH) / (self.worth.1 + WORTH_STRENGTH));
        }
        Effect::default()
    }

    fn merge(&mut self, other: &dyn Learner, slots: &[PageSlot]) {
        if let Some(other) = same::<VersionWorth>(other).filter(|other| self.fits(*other)) {
            self.add(other, slots);
        }
    }

    fn save(&self) -> Vec<u8> {
        stored::to_bytes(self)
    }

    fn bytes(&self) -> usize {
        let pages: usize = self.pages.iter().flatten().map(|page| page.bytes()).sum();
        self.pages.capacity() * size_of::<usize>() + pages + self.rhythm.bytes()
    }

    fn believes(&self, page: &Subject<'_>, at: Time) -> Vec<(&'static str, f64)> {
        let Some(page) = self.page(page.slot) else { return Vec::new() };
        let rate = page.shape.at(at);
        vec![("rate in this hour against the mean", rate), ("worth of a change in this hour", page.at(at))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::Span;

    fn hours(hours: i64) -> Time {
        Time::from_secs(1_704_067_200 + 3600 * hours)
    }

    fn page(mean_worth: f64) -> PageWorth {
        PageWorth::new(&Shape::flat(Calendar::default()), mean_worth)
    }

    #[test]
    fn time_passes_alike_in_one_go_and_in_steps() {
        let mut page = page(0.5);
        page.worth.observe(hours(3), hours(4), 0.9);
        let once = page.live_value(0.0, hours(0), hours(40), 2.0);
        let often = (1..=40).fold(0.0, |value, hour| page.live_value(value, hours(hour - 1), hours(hour), 2.0));
        assert!((once - often).abs() < 1e-12, "{once} {often}");
        assert!(once > 0.4 && once < 0.55, "{once}");
    }

    #[test]
    fn an_important_change_fades_when_lesser_ones_cover_it() {
        let mut page = page(0.1);
        (0..20).for_each(|_| page.worth.observe(hours(9), hours(10), 1.0));
        let morning = page.live_value(0.0, hours(0), hours(10), 24.0);
        let afternoon = page.live_value(morning, hours(10), hours(15), 24.0);
        assert!(morning > 0.5 && afternoon < 0.15, "{morning} {afternoon}");
        let later = page.live_value(afternoon, hours(15), hours(24 * 400), 24.0);
        assert!((later - 0.1).abs() < 0.05, "{later}");
    }

    #[test]
    fn the_latest_of_many_changes_is_the_one_seen() {
        let periods = Periods::new(Calendar::default());
        let flat = Shape::flat(Calendar::default());
        let (from, to) = (hours(0), hours(10) + Span::from_secs(1800));
        assert_eq!(latest_change(&flat, from, to, 240.0, periods), periods.number(hours(10)));
        assert_eq!(latest_change(&flat, from, to, 0.01, periods), periods.number(hours(9)));
    }
}
