//! What a capture across hosts brought in the course of time, beside what asking in the order of discovery would have.

use serde::{Deserialize, Serialize};
use tintype_vocab::Time;

/// Points of a course: when there are more, every other one goes.
const POINTS_MAX: usize = 128;

/// How many files were wanted among so many that were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HarvestPoint {
    /// Answers so far, those of robots.txt left aside.
    pub requests: u64,
    /// Wanted files among them.
    pub wanted: u64,
    pub bytes: u64,
    /// When the last of them came.
    pub at: Time,
}

/// Values of a course at even distances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Course<T> {
    every: u64,
    points: Vec<T>,
}

impl<T: Copy> Course<T> {
    fn new() -> Course<T> {
        Course { every: 1, points: Vec::new() }
    }

    /// The value after `nth`, counted from 1.
    fn add(&mut self, nth: u64, value: T) {
        if !nth.is_multiple_of(self.every) {
            return;
        }
        if self.points.len() == POINTS_MAX {
            let even = self.points.iter().skip(1).step_by(2).copied().collect();
            self.points = even;
            self.every *= 2;
            if !nth.is_multiple_of(self.every) {
                return;
            }
        }
        self.points.push(value);
    }
}

/// What was brought, and what might have been.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Harvest {
    now: HarvestPoint,
    course: Course<HarvestPoint>,
    as_found: AsFound,
}

impl Default for Harvest {
    fn default() -> Harvest {
        let now = HarvestPoint { requests: 0, wanted: 0, bytes: 0, at: Time::MIN };
        Harvest { now, course: Course::new(), as_found: AsFound::default() }
    }
}

impl Harvest {
    pub(crate) fn answered(&mut self, is_wanted: bool, bytes: u64, at: Time) {
        let HarvestPoint { requests, wanted, bytes: before, .. } = self.now;
        self.now =
            HarvestPoint { requests: requests + 1, wanted: wanted + u64::from(is_wanted), bytes: before + bytes, at };
        self.course.add(self.now.requests, self.now);
    }

    /// A URL was found that is wanted with this chance; its number.
    pub(crate) fn found(&mut self, chance: f32) -> u64 {
        self.as_found.add(chance)
    }

    /// What is behind the URL found as the so-manieth is known now.
    pub(crate) fn learned(&mut self, nth: u64, chance: f32, is_wanted: bool) {
        self.as_found.correct(nth, f64::from(u8::from(is_wanted)) - f64::from(chance));
    }

    /// As far as it came.
    pub fn so_far(&self) -> HarvestPoint {
        self.now
    }

    /// The way there, the end included.
    pub fn course(&self) -> impl Iterator<Item = HarvestPoint> {
        let ends_there = self.course.points.last() == Some(&self.now) || self.now.requests == 0;
        self.course.points.iter().copied().chain((!ends_there).then_some(self.now))
    }

    /// How many wanted files so many requests would have been expected to bring, had what was found been asked for in the
    /// order in which it was found: those that were asked for are known, of the others the chance is when they were found.
    /// Nothing if not so many URLs were found.
    pub fn as_found(&self, requests: u64) -> Option<f64> {
        self.as_found.first(requests)
    }
}

/// Wanted files among the URLs that were found, in their order, by stretches of equal length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct AsFound {
    found: u64,
    every: u64,
    stretches: Vec<f64>,
}

impl Default for AsFound {
    fn default() -> AsFound {
        AsFound { found: 0, every: 1, stretches: Vec::new() }
    }
}

impl AsFound {
    fn add(&mut self, chance: f32) -> u64 {
        let nth = self.found;
        self.found += 1;
        if nth / self.every == self.stretches.len() as u64 {
            if self.stretches.len() == POINTS_MAX {
                self.stretches = self.stretches.chunks(2).map(|pair| pair.iter().sum()).collect();
                self.every *= 2;
            }
            self.stretches.resize((nth / self.every) as usize + 1, 0.0);
        }
        self.correct(nth, chance.into());
        nth
    }

    fn correct(&mut self, nth: u64, by: f64) {
        if let Some(stretch) = self.stretches.get_mut((nth / self.every) as usize) {
            *stretch += by;
        }
    }

    fn first(&self, count: u64) -> Option<f64> {
        let (whole, rest) = ((count / self.every) as usize, count % self.every);
        let before: f64 = self.stretches.iter().take(whole).sum();
        // The last stretch may not be full.
        let of_last =
            |stretch: &f64| stretch * rest as f64 / (self.found - whole as u64 * self.every).min(self.every) as f64;
        let last = if rest > 0 { self.stretches.get(whole).map_or(0.0, of_last) } else { 0.0 };
        (count <= self.found).then_some(before + last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_course_is_told_in_few_points_and_ends_at_its_end() {
        let mut harvest = Harvest::default();
        for nth in 0..100_001_u64 {
            harvest.answered(nth % 4 == 0, 10, Time::from_secs(nth as i64));
            let (first, chance) = (nth < 50_000, 0.3);
            let number = harvest.found(chance);
            // It turns out that of the first a tenth is wanted, and of the others half.
            harvest.learned(number, chance, nth % if first { 10 } else { 2 } == 0);
        }
        let course: Vec<HarvestPoint> = harvest.course().collect();
        assert!(course.len() > POINTS_MAX / 2 && course.len() <= POINTS_MAX + 1, "{}", course.len());
        assert!(course.windows(2).all(|pair| pair[0].requests < pair[1].requests));
        assert!(course.iter().all(|point| point.wanted == point.requests.div_ceil(4)));
        assert_eq!(course.last(), Some(&harvest.so_far()));
        for (requests, expected) in [(0, 0.0), (50_000, 5000.0), (60_000, 10_000.0), (100_001, 30_001.0)] {
            let told = harvest.as_found(requests).unwrap();
            assert!((told - expected).abs() < 300.0_f64.min(expected * 0.02 + 1.0), "{requests}: {told}");
        }
        assert_eq!(harvest.as_found(100_002), None);
    }
}
