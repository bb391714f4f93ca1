//! How the danger of going depends on how long an object has been there.

use super::{Crawl, rhythm::Rhythm, whole::exactly};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tintype_vocab::{Span, Time};

/// Ages a tenth apart, from a minute to some hundred years.
const BINS: usize = 192;
const RATIO: f64 = 1.1;
const MINUTE_DAYS: f64 = 1.0 / 1440.0;
/// Neighbouring ages are taken together until so many objects of that age have gone, or would have at any age.
const GONE_MIN: f64 = 30.0;
/// Of the objects whose age nobody knows, old losses soon say nothing: they grow old together.
const UNKNOWN_HALF_LIFE_LOSS: f64 = 0.4;

/// Losses per object and day of average business, by age.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Ages {
    #[serde(deserialize_with = "exactly::<BINS, _>")]
    gone: Vec<f64>,
    #[serde(deserialize_with = "exactly::<BINS, _>")]
    exposed: Vec<f64>,
    #[serde(deserialize_with = "exactly::<BINS, _>")]
    danger: Vec<f64>,
    unknown: (f64, f64),
    /// When objects first seen by a crawl came, in the middle between it and the one before; those of the first crawl at a
    /// time nobody knows.
    born: BTreeMap<Time, Option<Time>>,
}

fn bin(age_days: f64) -> usize {
    ((age_days / MINUTE_DAYS).max(1.0).ln() / RATIO.ln()).clamp(0.0, (BINS - 1) as f64) as usize
}

/// When objects born then grow out of a bin; never out of the last one.
fn bin_end(born: Time, bin: usize) -> Time {
    let days = MINUTE_DAYS * RATIO.powi(bin as i32 + 1);
    if bin + 1 >= BINS { Time::MAX } else { born + Span::from_millis((days * 86_400_000.0) as i64) }
}

impl Ages {
    pub(super) fn new(first: Time) -> Ages {
        Ages {
            gone: vec![0.0; BINS],
            exposed: vec![0.0; BINS],
            danger: vec![0.02; BINS],
            unknown: (0.0, 0.0),
            born: BTreeMap::from([(first, None)]),
        }
    }

    fn unknown_danger(&self) -> f64 {
        (self.unknown.0 + 0.02) / (self.unknown.1 + 1.0)
    }

    /// Days of average business that objects born then spend in each age bin they pass through.
    fn pieces(&self, rhythm: &Rhythm, born: Time, from: Time, to: Time, mut each: impl FnMut(usize, f64)) {
        let mut at = from;
        while at < to {
            let here = bin((at - born).as_days_f64() + 1e-9);
            let end = bin_end(born, here).min(to).max(at + Span::from_millis(1));
            each(here, rhythm.days(at, end));
            at = end;
        }
    }

    /// The losses due per object of a cohort.
    fn due(&self, rhythm: &Rhythm, first: Time, from: Time, to: Time) -> f64 {
        match self.born.get(&first) {
            Some(Some(born)) => {
                let mut due = 0.0;
                self.pieces(rhythm, *born, from, to, |bin, days| due += self.danger[bin] * days);
                due
            }
            _ => self.unknown_danger() * rhythm.days(from, to),
        }
    }

    /// The share of a crawl's objects that is left later, for each of several levels: dangers are so many times what they
    /// are believed to be.
    pub(super) fn left(&self, rhythm: &Rhythm, crawl: &Crawl, levels: &[f64], to: Time) -> Vec<f64> {
        let mut left = vec![0.0; levels.len()];
        for (first, count) in &crawl.alive {
            let due = self.due(rhythm, *first, crawl.at, to);
            left.iter_mut().zip(levels).for_each(|(left, level)| *left += f64::from(*count) * (-level * due).exp());
        }
        let all = f64::from(crawl.size().max(1));
        left.iter().map(|left| left / all).collect()
    }

    /// Two crawls in a row.
    pub(super) fn see(&mut self, rhythm: &Rhythm, before: &Crawl, now: &Crawl) {
        let middle = Time::from_millis(before.at.as_millis().midpoint(now.at.as_millis()));
        self.born.insert(now.at, Some(middle));
        let alive: BTreeMap<Time, u32> = now.alive.iter().copied().collect();
        for (first, count) in &before.alive {
            let kept = alive.get(first).copied().unwrap_or(0).min(*count);
            self.count(rhythm, *first, (before.at, now.at), f64::from(*count), f64::from(count - kept));
        }
        self.born.retain(|first, _| alive.contains_key(first) || *first == now.at);
        self.believe();
    }

    /// Those first seen up to then are no longer told apart, and so of no age.
    pub(super) fn forget_births_until(&mut self, oldest: Time) {
        self.born.range_mut(..=oldest).for_each(|(_, born)| *born = None);
    }

    fn count(&mut self, rhythm: &Rhythm, first: Time, (from, to): (Time, Time), objects: f64, gone: f64) {
        let Some(Some(born)) = self.born.get(&first).copied() else {
            let loss = gone / objects.max(1.0);
            let memory = 0.5f64.powf(loss / UNKNOWN_HALF_LIFE_LOSS);
            let days = rhythm.days(from, to) * (1.0 - loss / 2.0);
            self.unknown = (self.unknown.0 * memory + loss, self.unknown.1 * memory + days);
            return;
        };
        let mut pieces = Vec::new();
        self.pieces(rhythm, born, from, to, |bin, days| pieces.push((bin, days)));
        let due: f64 = pieces.iter().map(|(bin, days)| self.danger[*bin] * days).sum::<f64>().max(1e-12);
        let mut left = objects;
        for (bin, days) in pieces {
            let lost = gone * self.danger[bin] * days / due;
            self.gone[bin] += lost;
            self.exposed[bin] += (left - lost / 2.0).max(0.0) * days;
            left -= lost;
        }
    }

    /// Smooths dangers over neighbouring ages: as many as it takes to have seen enough objects go.
    fn believe(&mut self) {
        let sums = |values: &[f64]| {
            let mut sum = vec![0.0];
            values.iter().for_each(|value| sum.push(sum[sum.len() - 1] + value));
            sum
        };
        let (gone, exposed) = (sums(&self.gone), sums(&self.exposed));
        if gone[BINS] < 1.0 {
            return;
        }
        let overall = gone[BINS] / exposed[BINS].max(1e-9);
        for bin in 0..BINS {
            let (mut low, mut high) = (bin, bin + 1);
            let seen = |low: usize, high: usize| (gone[high] - gone[low]).max(overall * (exposed[high] - exposed[low]));
            while seen(low, high) < GONE_MIN && (low > 0 || high < BINS) {
                (low, high) = (low.saturating_sub(1), (high + 1).min(BINS));
            }
            let (lost, days) = (gone[high] - gone[low], exposed[high] - exposed[low]);
            self.danger[bin] = (lost + 0.5) / (days + 0.5 / overall);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(days: i64) -> Time {
        Time::from_millis(days * 86_400_000)
    }

    /// Ten objects come every day and go when they are `life` days old.
    fn crawl(at: i64, life: i64) -> Crawl {
        let alive = (at - life + 1..=at).filter(|first| *first >= 0).map(|first| (day(first), 10)).collect();
        Crawl { at: day(at), alive }
    }

    #[test]
    fn objects_that_all_stay_twenty_days_are_known_to() {
        let mut ages = Ages::new(day(0));
        let rhythm = Rhythm::new(day(0));
        for at in 1..90 {
            ages.see(&rhythm, &crawl(at - 1, 20), &crawl(at, 20));
        }
        let young = Crawl { at: day(89), alive: vec![(day(87), 10), (day(88), 10), (day(89), 10)] };
        let old = Crawl { at: day(89), alive: vec![(day(70), 10), (day(71), 10)] };
        let left = |crawl: &Crawl| ages.left(&rhythm, crawl, &[1.0], day(94))[0];
        assert!(left(&young) > 0.97 && left(&old) < 0.3, "{} {}", left(&young), left(&old));
        assert!(ages.born.len() <= 21, "what is gone is forgotten");
    }
}
