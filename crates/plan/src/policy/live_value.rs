//! The version alive that is worth most comes first: V ← V e^−c + w (1 − e^−c) for every period that passes, with c
//! changes to be expected in it that are worth w each; a visit takes the value and leaves nothing.
//!
//! Unlike an urgency, the value of a page that changed an hour ago does not vanish with the hour, and what was worth much
//! is lost when something less important covers it. How often a page changes, when, and what changes of that hour are
//! worth is learned, each shrunk to what is known of more pages. About 2.2 kB a page: the cheap bound for anything finer.

use super::{
    View,
    by_list::Listing,
    periods::Periods,
    watch::{Rates, Watch},
};
use tintype_learn::pattern::{Calendar, ImportancePattern, Rhythm, Seen, Shape, Tally, live_value};
use tintype_vocab::{Change, Observation, PageId, Time};

/// Changes count 1/e after this many days in what is known of the hours.
const MEMORY_DAYS: f64 = 60.0;
/// The shape of a page is held to that of the site as firmly as so many changes would hold it.
const SHAPE_STRENGTH: f64 = 24.0;
/// What changes are worth on average counts as much as so many of them would.
const WORTH_STRENGTH: f64 = 2.0;
/// Periods that are walked one by one; what passed before them is one long period.
const WALK_MAX: i64 = 24 * 14;

#[derive(Debug)]
struct Page {
    tally: Tally,
    shape: Shape,
    /// What versions were worth by the period they came to be in.
    worth: ImportancePattern,
    /// What they were worth on average, shrunk to the site's.
    mean_worth: f64,
    value: f64,
    as_of: Time,
}

#[derive(Debug)]
pub(super) struct LiveValue {
    periods: Periods,
    calendar: Calendar,
    watch: Watch,
    rhythm: Rhythm,
    /// What versions of all pages were worth, and how many there were.
    worth: (f64, f64),
    pages: Vec<Option<Box<Page>>>,
}

impl Page {
    /// What a change in the period of that moment is worth.
    fn worth(&self, at: Time) -> f64 {
        let seen = self.worth.seen_at(at);
        (self.worth.at(at) * seen + self.mean_worth * WORTH_STRENGTH) / (seen + WORTH_STRENGTH)
    }

    /// Lets time pass, period by period.
    fn advance(&mut self, to: Time, rate: f64, periods: Periods) {
        let walked = periods.start(periods.number(to) - WALK_MAX);
        if self.as_of < walked {
            self.value = self.shape.live_value(self.value, rate, self.mean_worth, self.as_of, walked);
            self.as_of = walked;
        }
        while self.as_of < to {
            let next = periods.start(periods.number(self.as_of) + 1).min(to);
            let worth = self.worth(self.as_of);
            self.value = live_value(self.value, rate * self.shape.effective_days(self.as_of, next), worth);
            self.as_of = next;
        }
    }
}

impl LiveValue {
    pub(super) fn new(calendar: Calendar) -> LiveValue {
        LiveValue {
            periods: Periods::of(calendar),
            calendar,
            watch: Watch::new(Rates::Learned),
            rhythm: Rhythm::new(calendar, MEMORY_DAYS),
            worth: (0.0, 0.0),
            pages: Vec::new(),
        }
    }

    /// Nothing is known of what changes are worth until there was one.
    fn mean_worth(&self) -> f64 {
        (self.worth.0 + WORTH_STRENGTH) / (self.worth.1 + WORTH_STRENGTH)
    }

    fn learn_when(&mut self, page: PageId, last: Time, observation: &Observation, rate: f64) {
        let Some(page) = &mut self.pages[page.index()] else { return };
        let seen = match (observation.change, dated(observation, last)) {
            (Change::New { .. }, Some(at)) => Seen::ChangeAt { at, importance: 1.0 },
            (Change::New { .. }, None) => Seen::Change { importance: 1.0 },
            (Change::Same, _) => Seen::Same,
            (Change::First | Change::Unknown, _) => return,
        };
        self.rhythm.observe(last, observation.answered, seen, rate);
        page.tally.observe(last, observation.answered, seen, rate, &page.shape);
        page.shape = page.tally.shape(self.rhythm.shape(), SHAPE_STRENGTH);
    }

    fn learn_worth(&mut self, page: PageId, last: Time, observation: &Observation, rate: f64) {
        let Change::New { importance } = observation.change else { return };
        let importance = f64::from(importance).clamp(0.0, 1.0);
        self.worth = (self.worth.0 + importance, self.worth.1 + 1.0);
        let (site, periods) = (self.mean_worth(), self.periods);
        let Some(page) = &mut self.pages[page.index()] else { return };
        let born = dated(observation, last).map(|at| periods.number(at));
        let born = born.unwrap_or_else(|| latest_change(&page.shape, last, observation.answered, rate, periods));
        page.worth.observe(periods.start(born), periods.start(born + 1), importance);
        let (own, seen) = page.worth.overall();
        let versions = seen * page.worth.means().len() as f64;
        page.mean_worth = (own * versions + site * WORTH_STRENGTH) / (versions + WORTH_STRENGTH);
    }
}

/// When the version seen came to be, if the site says so and it can be.
fn dated(observation: &Observation, last: Time) -> Option<Time> {
    observation.modified().filter(|modified| *modified > last)
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

impl Listing for LiveValue {
    fn on_known(&mut self, page: PageId, now: Time) {
        self.watch.on_known(page, now);
        if self.pages.len() <= page.index() {
            self.pages.resize_with(page.index() + 1, || None);
        }
    }

    fn is_over(&self, made: Time, now: Time) -> bool {
        self.periods.number(made) != self.periods.number(now)
    }

    fn list(&mut self, pages: &[(PageId, Time)], now: Time, view: &View<'_>) -> Vec<f64> {
        let (watch, periods) = (&self.watch, self.periods);
        // Values are those of the beginning of the period, so that they do not depend on how often somebody asked.
        let to = periods.start(periods.number(now));
        let mut value = |page: PageId| {
            let state = self.pages[page.index()].as_mut();
            state.map_or(0.0, |state| {
                state.advance(to, watch.mean_per_day(page, view), periods);
                state.value
            })
        };
        pages.iter().map(|(page, _)| value(*page)).collect()
    }

    fn learn(&mut self, page: PageId, last: Option<Time>, observation: &Observation, view: &View<'_>) {
        let (calendar, mean_worth) = (self.calendar, self.mean_worth());
        let shape = self.rhythm.shape();
        let state = self.pages[page.index()].get_or_insert_with(|| {
            Box::new(Page {
                tally: Tally::new(calendar, MEMORY_DAYS),
                shape: shape.clone(),
                worth: ImportancePattern::new(calendar),
                mean_worth,
                value: 0.0,
                as_of: observation.answered,
            })
        });
        (state.value, state.as_of) = (0.0, observation.answered);
        if let Some(last) = last {
            let rate = self.watch.mean_per_day(page, view);
            self.learn_when(page, last, observation, rate);
            self.learn_worth(page, last, observation, rate);
        }
        self.watch.observe(observation, page, view);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::Span;

    /// A Monday.
    const START: Time = Time::from_secs(1_704_067_200);

    fn hours(hours: i64) -> Time {
        START + Span::from_secs(3600 * hours)
    }

    fn page(mean_worth: f64) -> Page {
        let calendar = Calendar::default();
        Page {
            tally: Tally::new(calendar, MEMORY_DAYS),
            shape: Shape::flat(calendar),
            worth: ImportancePattern::new(calendar),
            mean_worth,
            value: 0.0,
            as_of: START,
        }
    }

    #[test]
    fn time_passes_alike_in_one_go_and_in_steps() {
        let periods = Periods::of(Calendar::default());
        let (mut once, mut often) = (page(0.5), page(0.5));
        once.worth.observe(hours(3), hours(4), 0.9);
        often.worth.observe(hours(3), hours(4), 0.9);
        once.advance(hours(40), 2.0, periods);
        (1..=40).for_each(|hour| often.advance(hours(hour), 2.0, periods));
        assert!((once.value - often.value).abs() < 1e-12, "{} {}", once.value, often.value);
        assert!(once.value > 0.4 && once.value < 0.55, "{}", once.value);
    }

    #[test]
    fn an_important_change_fades_when_lesser_ones_cover_it() {
        let periods = Periods::of(Calendar::default());
        let mut page = page(0.1);
        (0..20).for_each(|_| page.worth.observe(hours(9), hours(10), 1.0));
        page.advance(hours(10), 24.0, periods);
        let morning = page.value;
        page.advance(hours(15), 24.0, periods);
        assert!(morning > 0.5 && page.value < 0.15, "{morning} {}", page.value);
        page.advance(hours(24 * 400), 24.0, periods);
        assert!((page.value - 0.1).abs() < 0.05, "{}", page.value);
    }

    #[test]
    fn the_latest_of_many_changes_is_the_one_seen() {
        let periods = Periods::of(Calendar::default());
        let flat = Shape::flat(Calendar::default());
        let (from, to) = (hours(0), hours(10) + Span::from_secs(1800));
        assert_eq!(latest_change(&flat, from, to, 240.0, periods), periods.number(hours(10)));
        assert_eq!(latest_change(&flat, from, to, 0.01, periods), periods.number(hours(9)));
    }
}
