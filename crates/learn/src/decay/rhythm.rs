//! When in a week a source changes: busy and quiet days, busy and quiet hours.
//!
//! A source that is worked on from Monday to Friday loses nothing at weekends. Crawls days apart do not show that any
//! more, so what close crawls once taught is kept: a loss is shared out over its interval as the rhythm known so far has
//! it, and long intervals hardly count as evidence of a rhythm.

use super::whole::exactly;
use serde::{Deserialize, Deserializer, Serialize, de::Error};
use tintype_vocab::Time;

const HOURS: usize = 24;
const DAYS: usize = 7;
const WEEK: usize = HOURS * DAYS;
const HOUR_MS: i64 = 3_600_000;
const WEEK_MS: i64 = HOUR_MS * WEEK as i64;
/// Crawls before a rhythm is believed.
const CRAWLS_MIN: u32 = 12;
/// Old losses count for less in how irregular losses are.
const FORGETTING: f64 = 0.997;
/// No part of a week is believed quieter than this, on an average of 1.
const QUIETEST: f64 = 0.01;

/// Losses and time by one part of the calendar.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Part {
    losses: Vec<f64>,
    days: Vec<f64>,
    /// As many whole parts were seen by themselves.
    evidence: Vec<f64>,
    factor: Vec<f64>,
}

/// How busy a source is, hour by hour of a week that begins when it was first crawled: crawls at the same hour of every day
/// then never straddle two days.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Rhythm {
    origin: Time,
    #[serde(deserialize_with = "whole_part::<HOURS, _>")]
    hours: Part,
    #[serde(deserialize_with = "whole_part::<DAYS, _>")]
    days: Part,
    crawls: u32,
    surprise: f64,
    expected: f64,
    /// Days of average business from the beginning of the week to each hour.
    #[serde(deserialize_with = "exactly::<{ WEEK + 1 }, _>")]
    until: Vec<f64>,
}

fn whole_part<'de, const N: usize, D: Deserializer<'de>>(from: D) -> Result<Part, D::Error> {
    let part = Part::deserialize(from)?;
    let lists = [&part.losses, &part.days, &part.evidence, &part.factor];
    if lists.iter().all(|list| list.len() == N) { Ok(part) } else { Err(D::Error::custom("not a whole part")) }
}

impl Part {
    fn new(parts: usize) -> Part {
        Part { losses: vec![0.0; parts], days: vec![0.0; parts], evidence: vec![0.0; parts], factor: vec![1.0; parts] }
    }

    /// Losses a day.
    fn pace(&self) -> f64 {
        self.losses.iter().sum::<f64>() / self.days.iter().sum::<f64>().max(1e-9)
    }

    /// How busy each part was on an average of 1, with half of one whole part of average business added.
    fn seen(&self) -> Vec<f64> {
        let pace = self.pace().max(1e-12);
        let whole = self.days.iter().sum::<f64>() / self.evidence.iter().sum::<f64>().max(1e-9);
        let each = |(loss, days): (&f64, &f64)| (loss + 0.5 * whole * pace) / ((days + 0.5 * whole) * pace).max(1e-12);
        self.losses.iter().zip(&self.days).map(each).collect()
    }

    /// Believes in differences as far as they are larger than those of chance.
    fn believe(&mut self, irregularity: f64) {
        let pace = self.pace();
        if pace <= 0.0 || self.evidence.iter().any(|evidence| *evidence < 1.5) {
            return;
        }
        let seen = self.seen();
        let whole = self.days.iter().sum::<f64>() / self.evidence.iter().sum::<f64>();
        let noise = |part: usize| irregularity / (pace * whole) * seen[part].max(0.02) / self.evidence[part];
        let parts = seen.len();
        let real = (0..parts).map(|part| (seen[part] - 1.0).powi(2) - noise(part)).sum::<f64>() / parts as f64;
        let real = real.max(0.0);
        let shrunk = |part: usize| (1.0 + real / (real + noise(part) + 1e-12) * (seen[part] - 1.0)).max(QUIETEST);
        self.factor = (0..parts).map(shrunk).collect();
        let mean = self.factor.iter().sum::<f64>() / parts as f64;
        self.factor.iter_mut().for_each(|factor| *factor /= mean);
    }
}

impl Rhythm {
    pub(super) fn new(origin: Time) -> Rhythm {
        let (hours, days) = (Part::new(HOURS), Part::new(DAYS));
        let mut rhythm =
            Rhythm { origin, hours, days, crawls: 0, surprise: 0.0, expected: 0.0, until: vec![0.0; WEEK + 1] };
        rhythm.add_up();
        rhythm
    }

    fn add_up(&mut self) {
        for hour in 0..WEEK {
            let busy = self.hours.factor[hour % HOURS] * self.days.factor[hour / HOURS];
            self.until[hour + 1] = self.until[hour] + busy / HOURS as f64;
        }
        let scale = DAYS as f64 / self.until[WEEK];
        self.until.iter_mut().for_each(|days| *days *= scale);
    }

    /// Days of average business since the origin.
    fn position(&self, at: Time) -> f64 {
        let ms = (at - self.origin).as_millis();
        let (weeks, rest) = (ms.div_euclid(WEEK_MS), ms.rem_euclid(WEEK_MS));
        let (hour, part) = ((rest / HOUR_MS) as usize, (rest % HOUR_MS) as f64 / HOUR_MS as f64);
        let within = self.until[hour] + part * (self.until[hour + 1] - self.until[hour]);
        weeks as f64 * DAYS as f64 + within
    }

    /// The days of average business between two moments.
    pub(super) fn days(&self, from: Time, to: Time) -> f64 {
        (self.position(to) - self.position(from)).max(1e-9)
    }

    pub(super) fn origin(&self) -> Time {
        self.origin
    }

    /// How busy the days of the week are that begins with the first crawl, and the hours, on an average of 1.
    pub(super) fn profile(&self) -> (&[f64], &[f64]) {
        (&self.days.factor, &self.hours.factor)
    }

    /// That share of the objects was lost in between.
    pub(super) fn see(&mut self, from: Time, to: Time, loss: f64) {
        let length = (to - from).as_days_f64();
        if length <= 0.0 {
            return;
        }
        self.crawls = self.crawls.saturating_add(1);
        let pace = self.days.pace();
        if self.crawls > CRAWLS_MIN / 2 {
            let expected = pace * self.days(from, to);
            self.surprise = self.surprise * FORGETTING + (loss - expected).powi(2);
            self.expected = self.expected * FORGETTING + expected;
        }
        self.share_out(from, to, loss, length);
        if self.crawls >= CRAWLS_MIN && self.expected > 0.0 {
            let irregularity = self.surprise / self.expected;
            self.hours.believe(irregularity);
            self.days.believe(irregularity);
            self.add_up();
        }
    }

    fn share_out(&mut self, from: Time, to: Time, loss: f64, length: f64) {
        let (hours, days) = (self.hours.seen(), self.days.seen());
        let overlap = self.overlap(from, to);
        let weight = |hour: usize| overlap[hour] * hours[hour % HOURS] * days[hour / HOURS];
        let whole: f64 = (0..WEEK).map(weight).sum::<f64>().max(1e-12);
        for hour in (0..WEEK).filter(|hour| overlap[*hour] > 0.0) {
            let (lost, time) = (loss * weight(hour) / whole, overlap[hour]);
            for (part, index, unit) in
                [(&mut self.hours, hour % HOURS, 1.0 / HOURS as f64), (&mut self.days, hour / HOURS, 1.0)]
            {
                part.losses[index] += lost;
                part.days[index] += time;
                // An interval longer than a part tells parts apart only so far.
                part.evidence[index] += time / length.max(unit);
            }
        }
    }

    /// How many days of an interval fall on each hour of the week.
    fn overlap(&self, from: Time, to: Time) -> Vec<f64> {
        let mut overlap = vec![0.0; WEEK];
        let (mut at, to) = ((from - self.origin).as_millis(), (to - self.origin).as_millis());
        let weeks = (to.saturating_sub(at) / WEEK_MS).max(0);
        overlap.iter_mut().for_each(|days| *days = weeks as f64 / HOURS as f64);
        at += weeks * WEEK_MS;
        while at < to {
            let end = (at.div_euclid(HOUR_MS) + 1).saturating_mul(HOUR_MS);
            let hour = (at.rem_euclid(WEEK_MS) / HOUR_MS) as usize;
            overlap[hour] += (end.min(to) - at) as f64 / (HOUR_MS * HOURS as i64) as f64;
            at = end.min(to);
        }
        overlap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(days: f64) -> Time {
        Time::from_millis((days * 86_400_000.0) as i64 + 40_000_000)
    }

    #[test]
    fn a_source_that_rests_at_weekends_is_known_to_rest() {
        let mut rhythm = Rhythm::new(day(0.0));
        for step in 1..=42 {
            let busy = (step - 1) % 7 < 5;
            rhythm.see(day(f64::from(step) - 1.0), day(f64::from(step)), if busy { 0.02 } else { 0.0 });
        }
        let (days, hours) = rhythm.profile();
        assert!(days[5] < 0.1 && days[6] < 0.1 && days[2] > 1.2, "{days:?}");
        assert!(hours.iter().all(|hour| (hour - 1.0).abs() < 1e-6), "a crawl a day says nothing of hours: {hours:?}");
        assert!((rhythm.days(day(42.0), day(49.0)) - 7.0).abs() < 1e-9);
        assert!(rhythm.days(day(47.0), day(49.0)) < 0.3);
        // Two months of crawls twelve days apart do not wash that away.
        for cycle in 0..6 {
            rhythm.see(day(42.0 + 12.0 * f64::from(cycle)), day(54.0 + 12.0 * f64::from(cycle)), 0.18);
        }
        assert!(rhythm.profile().0[5] < 0.2, "{:?}", rhythm.profile().0);
    }

    #[test]
    fn chance_is_not_taken_for_a_rhythm() {
        let mut rhythm = Rhythm::new(day(0.0));
        let mut dice = 7u64;
        for step in 1..=200 {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let loss = if dice >> 33 & 3 == 0 { 0.08 } else { 0.0 };
            rhythm.see(day(f64::from(step) - 1.0), day(f64::from(step)), loss);
        }
        assert!(rhythm.profile().0.iter().all(|busy| (busy - 1.0).abs() < 0.35), "{:?}", rhythm.profile().0);
    }

    #[test]
    fn time_adds_up_however_it_is_cut() {
        let mut rhythm = Rhythm::new(day(3.3));
        for step in 0..60 {
            let at = |half: i32| day(3.3 + f64::from(step) * 0.5 + f64::from(half) * 0.5);
            rhythm.see(at(0), at(1), if step % 2 == 0 { 0.05 } else { 0.01 });
        }
        let whole = rhythm.days(day(-9.7), day(123.4));
        let cut = rhythm.days(day(-9.7), day(11.1)) + rhythm.days(day(11.1), day(123.4));
        assert!((whole - cut).abs() < 1e-6 && (whole - 133.1).abs() < 2.0);
    }
}
