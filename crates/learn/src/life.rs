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
    /// As the crawls of a source show it, in order of time: it came midway between the crawl that first saw it and the one
    /// before, and left midway between the last that saw it and the next.
    ///
    /// Nothing if it was there before watching began (nobody knows how old it is) or was never away from a crawl.
    pub fn of(life: &Life, crawls: &[Time]) -> Option<Watched> {
        let first = crawls.partition_point(|crawl| *crawl < life.first_seen);
        let next = crawls.partition_point(|crawl| *crawl <= life.last_seen);
        if life.left_censored || life.last_seen < life.first_seen {
            return None;
        }
        let born = midway(*crawls.get(first.checked_sub(1)?)?, life.first_seen);
        let left = if life.right_censored { life.last_seen } else { midway(life.last_seen, *crawls.get(next)?) };
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

fn midway(one: Time, other: Time) -> Time {
    one + (other - one) / 2
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
    fn lives_begin_and_end_midway_between_crawls() {
        let crawls = [0, 10, 20, 40].map(Time::from_millis);
        assert_eq!(Watched::of(&life(10, 20, false, false), &crawls), Some(watched(0, 25, true)));
        assert_eq!(Watched::of(&life(20, 40, false, true), &crawls), Some(watched(0, 25, false)));
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
