//! Our own: crawls when the share of time that a promise may be broken is used up.
//!
//! To look just before a promise is *likely* to break wastes crawls: over most of the time since the last one it was safe.
//! What matters is the share of all time in which it is broken. A chance to be broken is worth waiting for up to a
//! threshold, the same one always: the one at which chances, averaged over the time between crawls, come to what is
//! allowed. And what is allowed follows what crawls showed: a promise kept too well may be stretched, one broken too
//! often must be made good. Where the pace of a source cannot be foretold, no distance is better than always the same, so
//! that what forecasts ask for is held against the distance crawls had so far.

use super::{Promise, SourcePolicy, course::Course};
use serde::{Deserialize, Serialize};
use tintype_learn::decay::{Crawl, Decay};
use tintype_vocab::{Span, Time};

/// Credit and debt are spread over so many crawls.
const CRAWLS_TO_SETTLE: f64 = 6.0;
/// How much of what crawls showed is remembered from one to the next.
const MEMORY: f64 = 0.95;
/// How much of the threshold is.
const THRESHOLD_MEMORY: f64 = 0.8;
/// The share allowed between two crawls stays within these multiples of the one promised.
const STRETCH: (f64, f64) = (0.25, 3.0);
/// Chances below this are all the same.
const NEXT_TO_NOTHING: f64 = 1e-4;
/// Before anything is known, crawls double their distance.
const DOUBLINGS_MAX: u64 = 16;
/// So far ahead it is looked to find out what has been waited for.
const AHEAD_MAX: u32 = 1 << 20;
/// Moments between two crawls at which the promise is looked back on.
const MOMENTS_MAX: u32 = 64;
/// How much the distance of crawls so far counts against the one that forecasts ask for.
const HABIT: f64 = 0.4;
/// How quickly that distance follows.
const HABIT_FOLLOWS: f64 = 1.0 / 3.0;

/// When to crawl next, and why then.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NextCrawl {
    pub at: Time,
    pub why: CrawlReason,
    /// The chance that the promise is broken by then, if nobody looks.
    pub broken: f64,
    /// The same, averaged over the time from the last crawl.
    pub broken_average: f64,
    /// The average that is allowed this time.
    pub allowed: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CrawlReason {
    /// Too little is known of the source: crawls double their distance until it is.
    GettingToKnow,
    /// Waiting longer would break the promise for more of the time than is allowed.
    Spent,
    /// The promise would hold for even longer than anybody plans ahead.
    LongEnough,
}

/// The promise about one source, and how well it was kept so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Deadline {
    pub promise: Promise,
    /// Days in which it was broken, of the days looked back on; both fade.
    broken_days: f64,
    watched_days: f64,
    last_gap_days: f64,
    /// The logarithm of the chance that was waited for so far.
    threshold: Option<f64>,
    /// The logarithm of the usual distance of crawls, in days.
    #[serde(default)]
    habit: Option<f64>,
}

impl Deadline {
    pub fn new(promise: Promise) -> Deadline {
        Deadline { promise, broken_days: 0.0, watched_days: 0.0, last_gap_days: 0.0, threshold: None, habit: None }
    }

    /// The share of past time in which the promise was broken, as far as crawls can tell.
    pub fn broken_share(&self) -> Option<f64> {
        (self.watched_days > 0.0).then(|| self.broken_days / self.watched_days)
    }

    /// What may be spent until the next crawl.
    fn allowed(&self) -> f64 {
        let share = self.promise.broken_share_max.max(0.0).clamp(0.0, 1.0);
        if self.watched_days <= 0.0 {
            return share;
        }
        let credit_days = share * self.watched_days - self.broken_days;
        let spread = credit_days / (CRAWLS_TO_SETTLE * self.last_gap_days);
        (share + spread).clamp(STRETCH.0 * share, STRETCH.1 * share)
    }

    /// The chance, as a logarithm, up to which to wait: the last one that waiting by averages alone accepts, now and so far.
    fn threshold(&self, course: &mut Course, at_most: u32) -> Option<f64> {
        let now = course.accepted(self.allowed(), at_most)?.max(NEXT_TO_NOTHING).ln();
        Some(self.threshold.map_or(now, |before| THRESHOLD_MEMORY * before + (1.0 - THRESHOLD_MEMORY) * now))
    }

    /// When to crawl next. Crawls are possible every `step` after the last one, and wanted within `at_most` of them.
    pub fn next(&self, decay: &Decay, step: Span, at_most: u32) -> Option<NextCrawl> {
        let (last, allowed) = (decay.last()?.at, self.allowed());
        let mut course = Course::new(&self.promise, decay, step);
        let next = |steps: u32, why, broken, broken_average| {
            Some(NextCrawl { at: last + step * i64::from(steps), why, broken, broken_average, allowed })
        };
        let Some(threshold) = self.threshold(&mut course, at_most) else {
            let doubled = 1 << decay.crawls().saturating_sub(1).min(DOUBLINGS_MAX);
            return next(at_most.min(doubled).max(1), CrawlReason::GettingToKnow, 0.0, 0.0);
        };
        let spent = course.first_above(threshold.exp(), at_most);
        let why = if spent.is_some() { CrawlReason::Spent } else { CrawlReason::LongEnough };
        let wait = self.held_against_habit(spent.unwrap_or(at_most).max(1), decay, step).clamp(1, at_most.max(1));
        next(wait, why, course.chance(wait)?, course.average_before(wait)?)
    }

    /// What a probe found, no habit knows.
    fn held_against_habit(&self, wait: u32, decay: &Decay, step: Span) -> u32 {
        let Some(habit) = self.habit.filter(|_| decay.probe().is_none()) else { return wait };
        let step = step.as_days_f64().max(1e-9);
        ((1.0 - HABIT) * (f64::from(wait) * step).ln() + HABIT * habit - step.ln()).exp().round() as u32
    }

    /// Looks back on the time since the last crawl, before the new one is learned.
    pub fn settle(&mut self, decay: &Decay, crawl: &Crawl, step: Span) {
        let Some(last) = decay.last().filter(|last| last.at < crawl.at) else { return };
        let (gap, days) = (crawl.at - last.at, (crawl.at - last.at).as_days_f64());
        self.threshold = self.threshold(&mut Course::new(&self.promise, decay, step), AHEAD_MAX);
        if self.threshold.is_some() {
            let now = days.max(1e-9).ln();
            self.habit = Some(self.habit.map_or(now, |before| before + HABIT_FOLLOWS * (now - before)));
        }
        let moments = ((gap.as_millis() / step.as_millis().max(1)).clamp(1, i64::from(MOMENTS_MAX))) as u32;
        // The copy is right again at the crawl itself.
        let part = |number: u32| i128::from(gap.as_millis()) * i128::from(number) / i128::from(moments);
        let moment = |number: u32| last.at + Span::from_millis(part(number) as i64);
        let broken: f64 = match self.promise.was_broken_at(decay, crawl, crawl.at) > 0.0 {
            true => (1..moments).map(|number| self.promise.was_broken_at(decay, crawl, moment(number))).sum(),
            false => 0.0,
        };
        self.broken_days = self.broken_days * MEMORY + days * broken / f64::from(moments);
        self.watched_days = self.watched_days * MEMORY + days;
        self.last_gap_days = days;
    }
}

/// The deadline together with what it decides by.
#[derive(Clone, Debug)]
pub struct Tintype {
    deadline: Deadline,
    decay: Decay,
    /// Since it was first asked.
    step: Option<Span>,
}

impl Tintype {
    pub fn new(promise: Promise) -> Tintype {
        let mut targets = promise.targets().map(|(measure, _)| measure);
        let decay = match (targets.next(), targets.next()) {
            (Some(only), None) => Decay::of(only),
            _ => Decay::new(),
        };
        Tintype { deadline: Deadline::new(promise), decay, step: None }
    }

    /// The same knowledge under another promise about the same measures, none of which was kept or broken yet.
    pub fn with_promise(self, promise: Promise) -> Tintype {
        Tintype { deadline: Deadline::new(promise), ..self }
    }

    pub fn decay(&self) -> &Decay {
        &self.decay
    }
}

impl SourcePolicy for Tintype {
    fn see(&mut self, crawl: &Crawl) {
        // Before it was asked for the first time, somebody else chose the crawls: no promise was kept or broken by them.
        if let Some(step) = self.step {
            self.deadline.settle(&self.decay, crawl, step);
        }
        // A crawl that is no later than the last one teaches nothing.
        let _ = self.decay.see(crawl);
    }

    fn next(&mut self, step: Span, at_most: u32) -> u32 {
        self.step = Some(step);
        let Some((last, next)) = self.decay.last().zip(self.deadline.next(&self.decay, step, at_most)) else {
            return 1;
        };
        ((next.at.as_millis() - last.at.as_millis()) / step.as_millis().max(1)).max(1) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::CopyMeasure;

    const DAY: Span = Span::from_days(1);

    fn day(days: i64) -> Time {
        Time::from_millis(days * DAY.as_millis())
    }

    /// A source of a thousand objects that loses `percent` of what it has every day and gets as many.
    struct Listing {
        alive: Vec<(Time, f64)>,
        now: i64,
    }

    impl Listing {
        fn new() -> Listing {
            Listing { alive: vec![(day(0), 1000.0)], now: 0 }
        }

        fn crawl_after(&mut self, days: i64, percent: f64) -> Crawl {
            self.now += days;
            self.alive.iter_mut().for_each(|(_, count)| *count *= (1.0 - percent / 100.0).powi(days as i32));
            let kept: f64 = self.alive.iter().map(|(_, count)| count.round()).sum();
            self.alive.push((day(self.now), 1000.0 - kept));
            let alive = self.alive.iter().map(|(first, count)| (*first, count.round() as u32)).collect();
            Crawl { at: day(self.now), alive }
        }
    }

    fn keep(promise: Promise, listing: &mut Listing, percent: f64, until: i64) -> (Tintype, Vec<u32>) {
        let mut policy = Tintype::new(promise);
        policy.see(&listing.crawl_after(0, percent));
        let mut gaps = Vec::new();
        while listing.now < until {
            gaps.push(policy.next(DAY, 60));
            policy.see(&listing.crawl_after(i64::from(*gaps.last().unwrap()), percent));
        }
        (policy, gaps)
    }

    #[test]
    fn crawls_get_as_far_apart_as_the_promise_allows() {
        let promise = Promise::of(CopyMeasure::Precision, 0.9);
        let (policy, gaps) = keep(promise, &mut Listing::new(), 1.0, 400);
        // 0.99 to the tenth is 0.904, to the eleventh 0.895: a crawl on day 11 never lets a day pass below 0.9.
        let late = &gaps[gaps.len() - 8..];
        assert!(late.iter().all(|gap| (9..=12).contains(gap)), "{gaps:?}");
        assert!(policy.deadline.broken_share().unwrap() < 0.15);
    }

    #[test]
    fn a_stricter_promise_costs_more_crawls_and_both_measures_count() {
        let crawls = |promise| keep(promise, &mut Listing::new(), 1.0, 300).1.len();
        let loose = crawls(Promise::of(CopyMeasure::Recall, 0.8));
        let strict = crawls(Promise::of(CopyMeasure::Recall, 0.95));
        let both = crawls(Promise { precision: Some(0.95), ..Promise::of(CopyMeasure::Recall, 0.8) });
        assert!(strict > loose * 2, "{strict} {loose}");
        assert!(both.abs_diff(strict) <= strict / 5, "{both} {strict}");
    }

    #[test]
    fn a_source_that_stands_still_is_left_alone() {
        let (_, gaps) = keep(Promise::of(CopyMeasure::Precision, 0.9), &mut Listing::new(), 0.0, 400);
        assert!(*gaps.last().unwrap() >= 30, "{gaps:?}");
    }

    #[test]
    fn a_source_that_rots_within_a_step_is_crawled_at_every_step() {
        let (_, gaps) = keep(Promise::of(CopyMeasure::Precision, 0.9), &mut Listing::new(), 40.0, 60);
        assert!(gaps[gaps.len() - 20..].iter().all(|gap| *gap == 1), "{gaps:?}");
    }

    #[test]
    fn fine_steps_do_not_bring_crawls_nearer() {
        let step = Span::from_secs(60);
        let a_day = (DAY.as_millis() / step.as_millis()) as u32;
        let mut listing = Listing::new();
        let mut policy = Tintype::new(Promise::of(CopyMeasure::Precision, 0.9));
        (0..20).for_each(|day| policy.see(&listing.crawl_after(i64::from(day > 0), 1.0)));
        let mut waits = Vec::new();
        for _ in 0..3 {
            let wait = policy.next(step, 60 * a_day);
            waits.push(f64::from(wait) / f64::from(a_day));
            policy.see(&listing.crawl_after(i64::from((wait / a_day).max(1)), 1.0));
        }
        assert!(waits.iter().all(|days| (9.5..12.5).contains(days)), "{waits:?}");
    }

    #[test]
    fn no_promise_and_no_clock_breaks_it() {
        let mut listing = Listing::new();
        let crawls: Vec<Crawl> = (0..4).map(|day| listing.crawl_after(i64::from(day > 0), 2.0)).collect();
        for strange in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 1.0, 1.5] {
            for (target, broken_share_max) in [(strange, 0.05), (0.9, strange)] {
                let promise = Promise { broken_share_max, ..Promise::of(CopyMeasure::Recall, target) };
                let mut policy = Tintype::new(promise);
                crawls.iter().for_each(|crawl| {
                    policy.see(crawl);
                    let wait = policy.next(DAY, 9);
                    assert!((1..=9).contains(&wait), "{target} {broken_share_max}: {wait}");
                });
            }
        }
        let mut policy = Tintype::new(Promise::of(CopyMeasure::Recall, 0.9));
        crawls.iter().for_each(|crawl| policy.see(crawl));
        assert!(policy.next(Span::from_millis(1), 5_000_000) >= 1);
        policy.see(&Crawl { at: Time::MAX, alive: Vec::new() });
        assert!(policy.next(DAY, u32::MAX) >= 1);
    }

    #[test]
    fn nothing_is_known_before_the_first_crawl() {
        let deadline = Deadline::new(Promise::of(CopyMeasure::Precision, 0.9));
        assert_eq!(deadline.next(&Decay::new(), DAY, 10), None);
        let mut decay = Decay::new();
        decay.see(&Listing::new().crawl_after(0, 1.0)).unwrap();
        let next = deadline.next(&decay, DAY, 10).unwrap();
        assert_eq!((next.at, next.why), (day(1), CrawlReason::GettingToKnow));
    }

    #[test]
    fn asking_twice_changes_nothing_and_it_can_be_written_down() {
        let (policy, _) = keep(Promise::of(CopyMeasure::Precision, 0.9), &mut Listing::new(), 2.0, 90);
        let next = policy.deadline.next(&policy.decay, DAY, 60);
        assert_eq!(policy.deadline.next(&policy.decay, DAY, 60), next);
        let read: Deadline = serde_json::from_str(&serde_json::to_string(&policy.deadline).unwrap()).unwrap();
        assert_eq!(read.next(&policy.decay, DAY, 60).unwrap().at, next.unwrap().at);
    }
}
