//! The rhythm of a whole site: what all its pages have in common, and the first guess for each of them.
//!
//! One edit can change hundreds of pages, so changes found in the same period count for less the more there are. Whether
//! hours, weekdays and days of the month are worth believing is decided by how well each would have foretold the visits
//! so far: on real sites days of the month mostly mislead.

use super::{
    calendar::Calendar,
    shape::Shape,
    tally::{HourSeen, HourTally, log_chance},
};
use serde::{Deserialize, Serialize};
use tintype_vocab::{Span, Time};

/// Changes that hold the shape of a site to flat.
const STRENGTH: f64 = 100.0;
/// Shapes to choose from: flat, with hours, with weekdays as well, with days of the month as well.
const CANDIDATES: usize = 4;
/// How well a candidate did long ago counts less with every change: about 500 changes matter.
const KEPT_PER_CHANGE: f64 = 0.998;
/// The shape is learned anew when this much time has passed.
const RELEARN_AFTER: Span = Span::from_days(1);

/// When a site changes. With hours about 2,300 bytes, for the whole site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rhythm {
    tally: HourTally,
    candidates: [Shape; CANDIDATES],
    /// How well each would have foretold what was found: log-likelihoods.
    scores: [f64; CANDIDATES],
    learned: Time,
    /// The latest period in which a change was found, and how many were.
    crowd: (Time, u32),
    /// How many different periods changes were found in.
    occasions: f64,
}

impl Rhythm {
    /// Changes count 1/e after `memory_days`.
    pub fn new(calendar: Calendar, memory_days: f64) -> Rhythm {
        Rhythm {
            tally: HourTally::new(calendar, memory_days),
            candidates: std::array::from_fn(|_| Shape::flat(calendar)),
            scores: [0.0; CANDIDATES],
            learned: Time::MIN,
            crowd: (Time::MIN, 0),
            occasions: 0.0,
        }
    }

    pub(crate) fn calendar(&self) -> Calendar {
        self.tally.calendar()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.tally.bytes() + self.candidates.iter().map(Shape::bytes).sum::<usize>()
    }

    /// What is believed of every page of the site until it shows otherwise.
    pub fn shape(&self) -> &Shape {
        let best = (0..CANDIDATES).max_by(|a, b| self.scores[*a].total_cmp(&self.scores[*b]));
        &self.candidates[best.unwrap_or(0)]
    }

    /// The time zone the site shows, if it shows one.
    pub fn zone(&self) -> Option<super::Zone> {
        super::infer_zone(&self.tally, self.occasions)
    }

    /// A visit to any page of the site, of which this mean rate is believed. Returns whether the shape was learned anew.
    pub fn observe(&mut self, from: Time, to: Time, seen: HourSeen, rate_per_day: f64) -> bool {
        if from >= to || rate_per_day.is_nan() {
            return false;
        }
        self.score(from, to, seen != HourSeen::Same, rate_per_day.clamp(1e-9, 1e4));
        let seen = self.in_crowd(seen, to);
        let shape = self.shape().clone();
        self.tally.observe(from, to, seen, rate_per_day, &shape);
        let due = self.learned == Time::MIN || to - self.learned >= RELEARN_AFTER;
        if due {
            self.learn(to);
        }
        due
    }

    fn score(&mut self, from: Time, to: Time, changed: bool, rate: f64) {
        for (score, shape) in self.scores.iter_mut().zip(&self.candidates) {
            let kept = if changed { KEPT_PER_CHANGE } else { 1.0 };
            *score = *score * kept + log_chance(rate * shape.effective_days(from, to), changed);
        }
    }

    /// The second change of a period counts 1/√2, the third 1/√3, and so on.
    fn in_crowd(&mut self, seen: HourSeen, found: Time) -> HourSeen {
        if seen == HourSeen::Same {
            return seen;
        }
        let length = Span::from_days(1) / self.tally.calendar().periods() as i64;
        let period = Time::from_millis(found.as_millis().div_euclid(length.as_millis()));
        if period != self.crowd.0 {
            self.crowd = (period, 0);
            self.occasions += 1.0;
        }
        self.crowd.1 = self.crowd.1.saturating_add(1);
        let weight = f64::from(self.crowd.1).sqrt().recip();
        match seen {
            HourSeen::Same => HourSeen::Same,
            HourSeen::Change { importance } => HourSeen::Change { importance: importance * weight },
            HourSeen::ChangeAt { at, importance } => HourSeen::ChangeAt { at, importance: importance * weight },
        }
    }

    fn learn(&mut self, now: Time) {
        let calendar = self.tally.calendar();
        let whole = self.tally.shape(&Shape::flat(calendar), STRENGTH);
        self.candidates = [0, 2, 3, 4].map(|groups| whole.of_first_groups(groups));
        self.learned = now;
    }

    /// What both logs say. Nothing happens if they are cut into different bins.
    pub fn merge(&mut self, other: &Rhythm) {
        if self.tally.calendar() != other.tally.calendar() {
            return;
        }
        self.tally.merge(&other.tally);
        self.scores.iter_mut().zip(other.scores).for_each(|(mine, theirs)| *mine += theirs);
        self.occasions += other.occasions;
        self.learn(self.learned.max(other.learned));
    }
}
