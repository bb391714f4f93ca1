//! How complete and how old a kept site is, by what is believed of its pages: the visits that were made say what was caught,
//! the rates what came and went unseen in between.

use tintype_vocab::Time;

/// Standard errors either side of the mean that hold nine tenths.
const NINE_TENTHS: f64 = 1.645;

/// A mean with the interval that holds it nine times in ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BelievedRange {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

/// Adds up what the pages of a site are believed to have done in a window.
#[derive(Clone, Debug)]
pub struct KeptQuality {
    from: Time,
    to: Time,
    caught: f64,
    missed: f64,
    missed_variance: f64,
    age_hours: f64,
    age_variance: f64,
    pages: f64,
}

/// Two visits in a row to a page, or the latest and the end of the window.
#[derive(Clone, Copy, Debug)]
pub struct VisitGap {
    pub days: f64,
    /// Whether the second visit found another version; nothing if there was none yet.
    pub changed: Option<bool>,
    /// Changes per day, and how many of them were seen: so sure is the rate.
    pub per_day: f64,
    pub seen: f64,
}

impl KeptQuality {
    pub fn new(from: Time, to: Time) -> KeptQuality {
        let zero = 0.0;
        KeptQuality {
            from,
            to,
            caught: zero,
            missed: zero,
            missed_variance: zero,
            age_hours: zero,
            age_variance: zero,
            pages: zero,
        }
    }

    pub fn window(&self) -> (Time, Time) {
        (self.from, self.to)
    }

    /// A version was caught.
    pub fn catch(&mut self) {
        self.caught += 1.0;
    }

    /// What may have come and gone between two visits. A page found as it was has shown nothing else.
    pub fn pass(&mut self, gap: &VisitGap) {
        let expected = gap.per_day * gap.days;
        if gap.changed == Some(false) || expected <= 0.0 {
            return;
        }
        let (mean, variance) = match gap.changed {
            // One at least, of which one was caught.
            Some(_) => at_least_one(expected),
            None => (expected, expected),
        };
        let unsure = mean / (gap.seen + 1.0).sqrt();
        self.missed += mean;
        self.missed_variance += variance + unsure * unsure;
    }

    /// How old the copy of a page is at the end of the window, so long after its latest visit.
    pub fn age(&mut self, days: f64, per_day: f64) {
        let (mean, square) = age_moments(days, per_day);
        self.pages += 1.0;
        self.age_hours += 24.0 * mean;
        self.age_variance += 24.0 * 24.0 * (square - mean * mean).max(0.0);
    }

    pub fn caught(&self) -> u64 {
        self.caught as u64
    }

    /// Versions that came and went unseen.
    pub fn missed(&self) -> BelievedRange {
        let spread = NINE_TENTHS * self.missed_variance.sqrt();
        BelievedRange { mean: self.missed, low: (self.missed - spread).max(0.0), high: self.missed + spread }
    }

    /// Share of the versions of the window that were caught; nothing if there were none.
    pub fn completeness(&self) -> Option<BelievedRange> {
        let share = |missed: f64| self.caught / (self.caught + missed);
        let missed = self.missed();
        (self.caught + self.missed > 0.0).then(|| BelievedRange {
            mean: share(missed.mean),
            low: share(missed.high),
            high: share(missed.low),
        })
    }

    /// Mean age of the copies, in hours; nothing without pages.
    pub fn mean_age_hours(&self) -> Option<BelievedRange> {
        (self.pages > 0.0).then(|| {
            let (mean, spread) = (self.age_hours / self.pages, NINE_TENTHS * self.age_variance.sqrt() / self.pages);
            BelievedRange { mean, low: (mean - spread).max(0.0), high: mean + spread }
        })
    }
}

/// Mean and variance of a Poisson number that is not zero, less one.
fn at_least_one(expected: f64) -> (f64, f64) {
    let chance = -(-expected).exp_m1();
    let mean = expected / chance;
    let square = (expected + expected * expected) / chance;
    (mean - 1.0, (square - mean * mean).max(0.0))
}

/// Mean and mean square of the age of a copy in days: the time since the first change after the visit.
fn age_moments(days: f64, per_day: f64) -> (f64, f64) {
    let y = days * per_day;
    if y < 1e-6 {
        return (0.0, 0.0);
    }
    let unchanged = (-y).exp();
    let mean = days - (1.0 - unchanged) / per_day;
    let square = days * days - 2.0 * days / per_day + 2.0 * (1.0 - unchanged) / (per_day * per_day);
    (mean.max(0.0), square.max(0.0))
}

/// The share of versions that so many visits a day catch of pages that change so often in all, when each page has visits in
/// proportion to its rate: what maximises it.
pub fn completeness_at(visits_per_day: f64, changes_per_day: f64) -> f64 {
    if changes_per_day <= 0.0 {
        return 1.0;
    }
    let y = changes_per_day / visits_per_day.max(1e-9);
    -(-y).exp_m1() / y
}

/// The share that so many times as many visits would catch where these catch this share: as many changes per visit as
/// explain it are spread over more or fewer.
pub fn completeness_with(times: f64, completeness: f64) -> f64 {
    let share = completeness.clamp(1e-6, 1.0 - 1e-9);
    let (mut low, mut high) = (0.0, 1e7);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if completeness_at(1.0, middle) > share { low = middle } else { high = middle }
    }
    completeness_at(times, low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_that_see_all_leave_nothing_missed_and_rare_ones_much() {
        let quality = |per_day: f64| {
            let mut quality = KeptQuality::new(Time::from_secs(0), Time::from_secs(86_400));
            for _ in 0..10 {
                quality.catch();
                quality.pass(&VisitGap { days: 1.0, changed: Some(true), per_day, seen: 10.0 });
            }
            quality.completeness().unwrap()
        };
        let [rare, often] = [0.01, 5.0].map(quality);
        assert!(rare.mean > 0.99 && often.mean < 0.25, "{rare:?} {often:?}");
        assert!(often.low < often.mean && often.mean < often.high);
    }

    #[test]
    fn ages_are_those_of_a_poisson_process() {
        let (days, rate) = (3.0, 0.7);
        let (mut mean, mut square) = (0.0, 0.0);
        let steps = 300_000;
        for step in 0..steps {
            let first = (step as f64 + 0.5) / steps as f64 * days;
            let density = rate * (-rate * first).exp() * days / steps as f64;
            mean += (days - first) * density;
            square += (days - first).powi(2) * density;
        }
        let moments = age_moments(days, rate);
        assert!((moments.0 - mean).abs() < 1e-6 && (moments.1 - square).abs() < 1e-6, "{moments:?} {mean} {square}");
    }

    #[test]
    fn more_visits_catch_more_of_what_changes() {
        let [half, one, twice] = [50.0, 100.0, 200.0].map(|visits| completeness_at(visits, 100.0));
        assert!(half < one && one < twice && twice < 1.0);
        assert!((one - 0.632).abs() < 1e-3);
        assert_eq!(completeness_at(10.0, 0.0), 1.0);
    }

    #[test]
    fn as_many_visits_catch_what_was_caught() {
        for share in [0.05, 0.3, 0.632, 0.9] {
            let [half, same, twice] = [0.5, 1.0, 2.0].map(|times| completeness_with(times, share));
            assert!((same - share).abs() < 1e-6 && half < share && share < twice, "{half} {same} {twice}");
            assert!(half >= share / 2.0 && twice <= 2.0 * share, "each visit brings less than the one before");
        }
        assert!((completeness_with(0.5, 1.0) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_truncated_poisson_has_its_moments() {
        for expected in [0.1, 1.0, 4.0] {
            let (mut chance, mut mean, mut square, mut weight) = (0.0, 0.0, 0.0, f64::exp(-expected));
            for number in 1..60 {
                weight *= expected / f64::from(number);
                chance += weight;
                mean += weight * f64::from(number - 1);
                square += weight * f64::from(number - 1).powi(2);
            }
            let (m, v) = at_least_one(expected);
            assert!((m - mean / chance).abs() < 1e-9 && (v - (square / chance - (mean / chance).powi(2))).abs() < 1e-9);
        }
    }
}
