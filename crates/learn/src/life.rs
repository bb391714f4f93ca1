//! How objects come to a source and how long they stay: what the past of a source says about lives to come.
//!
//! Lives are folded in one pass into [`Lives`], ages and how many ended, which is all that survival needs; arrivals are counts
//! per step. What is known of a copy from both, the paper's arrival and survival model, is in [`ArrivalSurvival`]; what is
//! learned crawl by crawl instead is in [`crate::decay`]. Read [`Survival`] first.

mod arrivals;
mod climb;
mod copy;
mod fit;
mod hazard;
mod kaplan_meier;
mod profile;
mod survival;
mod tally;

pub use arrivals::{ArrivalFit, Arrivals, Gamma, Law};
pub use copy::{ArrivalSurvival, LifeEstimate, interval_of_share};
pub use fit::{Fitted, fits};
pub use hazard::{Stretch, hazard_by_age};
pub use kaplan_meier::KaplanMeier;
pub use profile::{Cycle, Profile};
pub use survival::{Family, Survival};
pub use tally::Lives;

use rapidhash::v3::rapidhash_v3;
use tintype_vocab::{Life, Span, Time};

/// What was seen of one life, by age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watched {
    /// How old it was when watching began: not at all, unless it is known to be older than what we saw of it.
    pub from: Span,
    /// How old it was when it ended, or when watching did.
    pub to: Span,
    /// It ended; otherwise it is only known to be longer.
    pub ended: bool,
}

impl Watched {
    /// As the crawls of a source show it, in order of time: it came at some time between the crawl that first saw it and
    /// the one before, and left between the last that saw it and the next. Where in between is drawn by lot, for each life
    /// its own, so that all of them together are spread as evenly as nobody knows better.
    ///
    /// It could only be seen to end from the first crawl on that saw it: lives that began and ended between two crawls are
    /// not among those that are counted, and counting the others from their birth would take lives for longer than they are.
    ///
    /// Nothing if it was there before watching began (nobody knows how old it is) or was never away from a crawl.
    pub fn of(life: &Life, crawls: &[Time]) -> Option<Watched> {
        let first = crawls.partition_point(|crawl| *crawl < life.first_seen);
        let next = crawls.partition_point(|crawl| *crawl <= life.last_seen);
        if life.left_censored || life.last_seen < life.first_seen {
            return None;
        }
        let lot = rapidhash_v3(life.id.as_bytes());
        let born = between(*crawls.get(first.checked_sub(1)?)?, life.first_seen, lot as u32);
        let left = match life.right_censored {
            true => life.last_seen,
            false => between(life.last_seen, *crawls.get(next)?, (lot >> 32) as u32),
        };
        // The very first crawl may have come right after the birth.
        let from = life.first_seen.min(left + Span::from_millis(-1)) - born;
        let from = from.max(Span::ZERO);
        Some(Watched { from, to: left - born, ended: !life.right_censored })
    }

    /// The same as the paper counts: from a birth midway between two crawls to an end midway between two.
    pub fn midway(life: &Life, crawls: &[Time]) -> Option<Watched> {
        let first = crawls.partition_point(|crawl| *crawl < life.first_seen);
        let next = crawls.partition_point(|crawl| *crawl <= life.last_seen);
        if life.left_censored || life.last_seen < life.first_seen {
            return None;
        }
        let middle = |one: Time, other: Time| one + (other - one) / 2;
        let born = middle(*crawls.get(first.checked_sub(1)?)?, life.first_seen);
        let left = if life.right_censored { life.last_seen } else { middle(life.last_seen, *crawls.get(next)?) };
        Some(Watched { from: Span::ZERO, to: left - born, ended: !life.right_censored })
    }

    /// As if watching had begun at that age; nothing if it was over by then.
    pub fn since(self, age: Span) -> Option<Watched> {
        (age < self.to).then(|| Watched { from: self.from.max(age), ..self })
    }

    /// As if watching had ended at that age.
    pub fn until(self, age: Span) -> Watched {
        Watched { to: self.to.min(age), ended: self.ended && self.to <= age, ..self }
    }
}

/// A moment after the one and up to the other.
fn between(one: Time, other: Time, lot: u32) -> Time {
    let millis = (i128::from((other - one).as_millis()) * (i128::from(lot) + 1)) >> 32;
    one + Span::from_millis(millis as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn life(first_seen: i64, last_seen: i64, left_censored: bool, right_censored: bool) -> Life {
        let (first_seen, last_seen) = (Time::from_millis(first_seen), Time::from_millis(last_seen));
        Life { id: String::new(), first_seen, last_seen, left_censored, right_censored, updates: 0, attributes: vec![] }
    }

    fn watched(from: i64, to: i64, ended: bool) -> Watched {
        Watched { from: Span::from_millis(from), to: Span::from_millis(to), ended }
    }

    #[test]
    fn lives_begin_and_end_between_crawls_and_are_watched_from_the_first_that_saw_them() {
        let crawls = [0, 1000, 2000, 4000].map(Time::from_millis);
        for id in 0..50 {
            let watched = |life: Life| Watched::of(&Life { id: id.to_string(), ..life }, &crawls).unwrap();
            let Watched { from, to, ended } = watched(life(1000, 2000, false, false));
            let (from, to) = (from.as_millis(), to.as_millis());
            assert!(ended && from < 1000 && (1000..=3000).contains(&(to - from)), "{from} {to}");
            let open = watched(life(2000, 4000, false, true));
            assert_eq!((open.to.as_millis() - open.from.as_millis(), open.ended), (2000, false));
        }
    }

    /// Ends without memory, 84.6 s after the birth on the median, looked at every 35 s.
    #[test]
    fn lives_hardly_longer_than_the_time_between_looks_are_not_taken_for_longer() {
        let crawls: Vec<Time> = (0..40_000).map(|nth| Time::from_millis(35_000 * nth)).collect();
        let (mut lives, mut dice) = (Lives::default(), 1u64);
        let mut even = || {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (dice >> 11) as f64 / (1u64 << 53) as f64
        };
        for id in 0..20_000 {
            let born = even() * 1.39e9;
            let left = born - 84_600.0 / 2f64.ln() * (1.0 - even()).ln();
            let seen = |from: f64| crawls.partition_point(|crawl| (crawl.as_millis() as f64) < from);
            let (first, next) = (seen(born), seen(left));
            if first < next && next < crawls.len() {
                let (first_seen, last_seen) = (crawls[first], crawls[next - 1]);
                let life = Life { first_seen, last_seen, id: id.to_string(), ..life(0, 0, false, false) };
                assert!(lives.see(Watched::of(&life, &crawls).unwrap()));
            }
        }
        let median = KaplanMeier::of(&lives).quantile(0.5).unwrap() * 86_400.0;
        assert!((median / 84.6 - 1.0).abs() < 0.06, "{median} s");
    }

    #[test]
    fn lives_of_the_paper_begin_and_end_midway_between_crawls() {
        let crawls = [0, 10, 20, 40].map(Time::from_millis);
        assert_eq!(Watched::midway(&life(10, 20, false, false), &crawls), Some(watched(0, 25, true)));
        assert_eq!(Watched::midway(&life(20, 40, false, true), &crawls), Some(watched(0, 25, false)));
    }

    #[test]
    fn lives_of_unknown_age_or_length_are_left_out() {
        let crawls = [0, 10, 20].map(Time::from_millis);
        for life in [
            life(0, 10, true, false),
            life(0, 10, false, false),
            life(20, 10, false, false),
            life(10, 20, false, false),
            life(10, 30, false, false),
        ] {
            assert_eq!(Watched::of(&life, &crawls), None, "{life:?}");
        }
        assert_eq!(Watched::of(&life(10, 10, false, false), &[]), None);
    }

    #[test]
    fn watching_can_begin_late_and_end_early() {
        let age = Span::from_millis;
        assert_eq!(watched(0, 25, true).since(age(5)), Some(watched(5, 25, true)));
        assert_eq!(watched(0, 25, true).since(age(25)), None);
        assert_eq!(watched(0, 25, true).until(age(20)), watched(0, 20, false));
        assert_eq!(watched(0, 25, true).until(age(25)), watched(0, 25, true));
    }
}
