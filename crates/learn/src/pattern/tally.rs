//! What visits say about when a page changes: changes found and changes expected, per bin.
//!
//! A visit that finds a change does not say when it happened. The change is spread over the time since the visit before
//! in proportion to what is believed of that time (one step of expectation maximisation), and so is the exposure.
//! Sums fade with the calendar, not with the number of visits, so the sums of two logs add up to those of both.

use super::{calendar::Calendar, shape::Shape};
use serde::{Deserialize, Serialize};
use tintype_vocab::Time;

/// A day is one occasion however many changes it has seen, so shapes of the week and of the month are held more firmly
/// than those of the day: by group of bins.
const FIRMNESS: [f64; 4] = [1.0, 1.0, 2.0, 10.0];

/// What a visit found against the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HourSeen {
    Same,
    /// At least one change since, of this importance.
    Change {
        importance: f64,
    },
    /// The latest change was at a known moment.
    ChangeAt {
        at: Time,
        importance: f64,
    },
}

/// Changes found and expected per bin. With hours: 688 bytes and what the fields take, about 760 for a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct HourTally {
    calendar: Calendar,
    /// Days after which a change counts 1/e; infinite to forget nothing.
    memory_days: f64,
    as_of: Time,
    found: Box<[f32]>,
    expected: Box<[f32]>,
}

#[derive(Serialize, Deserialize)]
struct Written {
    calendar: Calendar,
    /// None: nothing is forgotten.
    memory_days: Option<f64>,
    as_of: Time,
    found: Vec<f32>,
    expected: Vec<f32>,
}

impl From<HourTally> for Written {
    fn from(tally: HourTally) -> Written {
        let HourTally { calendar, memory_days, as_of, found, expected } = tally;
        let memory_days = Some(memory_days).filter(|days| days.is_finite());
        Written { calendar, memory_days, as_of, found: found.into(), expected: expected.into() }
    }
}

impl TryFrom<Written> for HourTally {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<HourTally, &'static str> {
        let fits = |sums: &[f32]| sums.len() == written.calendar.bins() && sums.iter().all(|sum| *sum >= 0.0);
        if !fits(&written.found) || !fits(&written.expected) {
            return Err("a tally with the wrong bins, or less than nothing in one");
        }
        let mut tally = HourTally::new(written.calendar, written.memory_days.unwrap_or(f64::INFINITY));
        (tally.as_of, tally.found, tally.expected) = (written.as_of, written.found.into(), written.expected.into());
        Ok(tally)
    }
}

impl HourTally {
    /// Nothing seen yet. Changes count 1/e after `memory_days`: the running mean that moves by 1/`memory_days` a day.
    pub fn new(calendar: Calendar, memory_days: f64) -> HourTally {
        let sums = || vec![0.0; calendar.bins()].into();
        let memory_days = if memory_days > 0.0 { memory_days } else { f64::INFINITY };
        HourTally { calendar, memory_days, as_of: Time::MIN, found: sums(), expected: sums() }
    }

    pub fn calendar(&self) -> Calendar {
        self.calendar
    }

    /// Bytes that one tally holds on to.
    pub fn bytes(&self) -> usize {
        size_of::<HourTally>() + size_of_val(&*self.found) + size_of_val(&*self.expected)
    }

    /// Changes found, weighted by importance, old ones less.
    pub fn changes(&self) -> f64 {
        self.found[..2 * self.calendar.periods()].iter().map(|found| f64::from(*found)).sum()
    }

    /// Changes found in a bin, and those expected of a flat shape.
    pub(super) fn bin(&self, bin: usize) -> (f64, f64) {
        (f64::from(self.found[bin]), f64::from(self.expected[bin]))
    }

    /// A visit at `to` after one at `from`, of a page that is believed to change at this mean rate in this shape.
    pub fn observe(&mut self, from: Time, to: Time, seen: HourSeen, rate_per_day: f64, shape: &Shape) {
        if from >= to || shape.calendar() != self.calendar || rate_per_day.is_nan() {
            return;
        }
        let rate = rate_per_day.clamp(1e-9, 1e4);
        let weight = self.catch_up(to) as f32;
        match seen {
            HourSeen::Same => self.expect(from, to, rate, shape, weight),
            HourSeen::Change { importance } => {
                self.expect(from, to, rate, shape, weight);
                self.spread(from, to, importance, rate, shape, weight);
            }
            // What happened before that change is not known: neither found nor expected.
            HourSeen::ChangeAt { at, importance } => {
                let at = at.clamp(from, to);
                self.expect(at, to, rate, shape, weight);
                self.find(self.calendar.bins_at(at), weight * importance.clamp(0.0, 1.0) as f32);
            }
        }
    }

    fn expect(&mut self, from: Time, to: Time, rate: f64, shape: &Shape, weight: f32) {
        let HourTally { calendar, expected, .. } = self;
        calendar.walk(from, to, |cell| {
            let [period, week, month] = cell.bins.map(|bin| shape.factor(bin));
            let flat = weight * (rate * cell.days) as f32;
            for (bin, others) in cell.bins.into_iter().zip([week * month, period * month, period * week]) {
                expected[bin] += flat * others as f32;
            }
        });
    }

    /// Λ/(1 − e^−Λ) changes are to be expected where there was at least one.
    fn spread(&mut self, from: Time, to: Time, importance: f64, rate: f64, shape: &Shape, weight: f32) {
        let expected = rate * shape.effective_days(from, to);
        let per_expected = if expected > 1e-9 { 1.0 / -(-expected).exp_m1() } else { 1.0 / expected.max(1e-30) };
        let scale = rate * per_expected * f64::from(weight) * importance.clamp(0.0, 1.0);
        let calendar = self.calendar;
        calendar.walk(from, to, |cell| {
            let found = scale * cell.days * shape.product(cell.bins);
            if found.is_finite() {
                self.find(cell.bins, found as f32);
            }
        });
    }

    fn find(&mut self, bins: [usize; 3], weight: f32) {
        bins.into_iter().for_each(|bin| self.found[bin] += weight);
    }

    /// Fades to a moment if that is later; returns what something of that moment counts.
    fn catch_up(&mut self, to: Time) -> f64 {
        if self.as_of == Time::MIN {
            self.as_of = to;
        }
        let kept = |days: f64| (-days / self.memory_days).exp();
        if to <= self.as_of {
            return kept((self.as_of - to).as_days_f64());
        }
        let kept = kept((to - self.as_of).as_days_f64());
        self.as_of = to;
        self.doubt(kept as f32);
        1.0
    }

    /// Trusts what was seen so far only this much: habits have changed.
    pub fn doubt(&mut self, kept: f32) {
        self.found.iter_mut().chain(&mut self.expected).for_each(|sum| *sum *= kept.clamp(0.0, 1.0));
    }

    /// What both logs say. Nothing happens if they are cut into different bins.
    pub fn merge(&mut self, other: &HourTally) {
        self.merge_share(other, 1.0);
    }

    /// The same for a page that belongs here only in part.
    pub(super) fn merge_share(&mut self, other: &HourTally, share: f32) {
        if self.calendar != other.calendar || other.as_of == Time::MIN {
            return;
        }
        let share = share * self.catch_up(other.as_of) as f32;
        let add = |sums: &mut [f32], others: &[f32]| sums.iter_mut().zip(others).for_each(|(a, b)| *a += share * b);
        add(&mut self.found, &other.found);
        add(&mut self.expected, &other.expected);
    }

    /// The belief of somebody who held `prior` as firmly as so many changes would make it.
    pub fn shape(&self, prior: &Shape, strength: f64) -> Shape {
        if prior.calendar() != self.calendar {
            return prior.clone();
        }
        let mut factors = vec![0.0; self.calendar.bins()];
        for (group, firmness) in self.calendar.groups().into_iter().zip(FIRMNESS) {
            let sums = group.clone().map(|bin| self.bin(bin));
            let (found, expected) = sums.fold((0.0, 0.0), |(a, b), (found, expected)| (a + found, b + expected));
            // The rate may have been wrong: only how found and expected compare from bin to bin says something here.
            let scale = if expected > 0.0 { found / expected } else { 0.0 };
            let strength = firmness * strength.max(1e-6) / group.len() as f64;
            for bin in group {
                let (found, expected) = self.bin(bin);
                factors[bin] = ((found + strength * prior.factor(bin)) / (scale * expected + strength)) as f32;
            }
        }
        Shape::of(self.calendar, factors)
    }
}

/// How likely a visit was that found a change, or none, where so many changes were to be expected.
pub(super) fn log_chance(expected: f64, changed: bool) -> f64 {
    if changed { (-(-expected).exp_m1()).max(1e-9).ln() } else { -expected.min(20.0) }
}
