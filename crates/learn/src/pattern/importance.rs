//! The paper's own pattern: mean importance per period, its threshold and urgency, corrected where it was wrong.

use super::{calendar::Calendar, shape::Shape};
use serde::{Deserialize, Serialize};
use tintype_vocab::Time;

/// The running mean moves by 1/n per day until it moves by this.
const FLOOR: f64 = 0.05;

/// Importance per period, weekdays and weekend days apart: ω_k. With hours: 384 bytes and about 40 for the fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "(Calendar, Vec<(f32, f32)>)", into = "(Calendar, Vec<(f32, f32)>)")]
pub struct ImportancePattern {
    calendar: Calendar,
    /// Mean importance and how many periods it is the mean of, at most 1/[`FLOOR`].
    periods: Box<[(f32, f32)]>,
}

impl TryFrom<(Calendar, Vec<(f32, f32)>)> for ImportancePattern {
    type Error = &'static str;

    fn try_from((calendar, periods): (Calendar, Vec<(f32, f32)>)) -> Result<ImportancePattern, &'static str> {
        let sound = |&(mean, seen): &(f32, f32)| mean >= 0.0 && mean.is_finite() && (0.0..=20.0).contains(&seen);
        if periods.len() != 2 * calendar.periods() || !periods.iter().all(sound) {
            return Err("a pattern with the wrong periods, or impossible numbers in them");
        }
        Ok(ImportancePattern { calendar, periods: periods.into() })
    }
}

impl From<ImportancePattern> for (Calendar, Vec<(f32, f32)>) {
    fn from(pattern: ImportancePattern) -> (Calendar, Vec<(f32, f32)>) {
        (pattern.calendar, pattern.periods.into())
    }
}

impl ImportancePattern {
    pub fn new(calendar: Calendar) -> ImportancePattern {
        ImportancePattern { calendar, periods: vec![(0.0, 0.0); 2 * calendar.periods()].into() }
    }

    pub fn calendar(&self) -> Calendar {
        self.calendar
    }

    /// Bytes that one pattern holds on to.
    pub fn bytes(&self) -> usize {
        size_of::<ImportancePattern>() + size_of_val(&*self.periods)
    }

    /// A visit found changes of this importance since the one before: they belong to all periods in between, in
    /// proportion to the pattern so far (evenly while it knows nothing).
    pub fn observe(&mut self, from: Time, to: Time, importance: f64) {
        let importance = if importance > 0.0 { importance.min(1.0) } else { 0.0 };
        let per_period = 24.0 / self.calendar.period_hours();
        let likely = |mean: f32| f64::from(mean) + 1e-3;
        let mut sum = 0.0;
        let calendar = self.calendar;
        calendar.walk(from, to, |cell| sum += likely(self.periods[cell.bins[0]].0) * cell.days);
        // All at once, so that the pattern the change is spread by does not move while it is spread.
        let mut shares = vec![(0.0, 0.0); self.periods.len()];
        calendar.walk(from, to, |cell| {
            let (found, seen): &mut (f64, f64) = &mut shares[cell.bins[0]];
            *found += importance * likely(self.periods[cell.bins[0]].0) * cell.days / sum;
            *seen += cell.days * per_period;
        });
        for (period, (found, seen)) in self.periods.iter_mut().zip(shares).filter(|(_, (_, seen))| *seen > 0.0) {
            let count = (f64::from(period.1) + seen).min(1.0 / FLOOR);
            let moved = (seen / count).min(1.0);
            period.0 += (moved * (found / seen - f64::from(period.0))) as f32;
            period.1 = count as f32;
        }
    }

    /// What both logs say: means weighted by how much they have seen.
    pub fn merge(&mut self, other: &ImportancePattern) {
        if self.calendar != other.calendar {
            return;
        }
        for (mine, theirs) in self.periods.iter_mut().zip(&other.periods) {
            let seen = mine.1 + theirs.1;
            if seen > 0.0 {
                *mine = ((mine.0 * mine.1 + theirs.0 * theirs.1) / seen, seen.min((1.0 / FLOOR) as f32));
            }
        }
    }

    /// ω_k of a moment.
    pub fn at(&self, time: Time) -> f64 {
        f64::from(self.periods[self.calendar.bins_at(time)[0]].0)
    }

    /// How many periods the mean of a moment's period is the mean of, at most 20.
    pub fn seen_at(&self, time: Time) -> f64 {
        f64::from(self.periods[self.calendar.bins_at(time)[0]].1)
    }

    /// The mean over all periods, whatever the hour, each counting as often as it was seen; and how often that was on
    /// average.
    pub fn overall(&self) -> (f64, f64) {
        let add = |(found, all): (f64, f64), &(mean, seen): &(f32, f32)| {
            (found + f64::from(mean * seen), all + f64::from(seen))
        };
        let (found, seen) = self.periods.iter().fold((0.0, 0.0), add);
        (if seen > 0.0 { found / seen } else { 0.0 }, seen / self.periods.len() as f64)
    }

    /// ω_k by period, weekdays first.
    pub fn means(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.periods.iter().map(|(mean, _)| f64::from(*mean))
    }

    /// The mean of the pattern, above which accumulated changes are indexed: δ.
    pub fn threshold(&self) -> f64 {
        self.means().sum::<f64>() / self.periods.len() as f64
    }

    /// The pattern as factors around its mean.
    pub fn shape(&self) -> Shape {
        let mut factors = vec![1.0; self.calendar.bins()];
        factors.iter_mut().zip(self.means()).for_each(|(factor, mean)| *factor = mean as f32);
        Shape::of(self.calendar, factors)
    }
}

/// How much a page wants to be visited, by the paper: weight × ω_k × time since the latest visit.
pub fn urgency(page_weight: f64, period_importance: f64, since: f64) -> f64 {
    page_weight * period_importance * since
}

/// The expected importance of the version a visit would find, after so many more changes of this mean importance.
pub fn live_value(value: f64, changes: f64, importance: f64) -> f64 {
    let kept = (-changes.max(0.0)).exp();
    value * kept + importance * (1.0 - kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tintype_vocab::Span;

    /// A Monday.
    const START: Time = Time::from_secs(1_704_067_200);

    fn hours(hours: i64) -> Time {
        START + Span::from_secs(3600 * hours)
    }

    #[test]
    fn golden_p03_threshold() {
        let mut pattern = ImportancePattern::new(Calendar::new(6, Span::ZERO));
        for day in [0, 5] {
            for (period, importance) in [0.1, 0.3, 0.6, 0.42, 0.37, 0.83].into_iter().enumerate() {
                let from = 24 * day + 4 * period as i64;
                pattern.observe(hours(from), hours(from + 4), importance);
            }
        }
        assert!((pattern.threshold() - 0.436_666_666_667).abs() < 1e-7);
    }

    #[test]
    fn golden_p07_pattern_is_the_mean_of_the_days() {
        let mut pattern = ImportancePattern::new(Calendar::new(2, Span::ZERO));
        for (half_day, importance) in [0.2, 0.4, 0.4, 0.0, 0.0, 0.2].into_iter().enumerate() {
            let from = 12 * half_day as i64;
            pattern.observe(hours(from), hours(from + 12), importance);
        }
        let means: Vec<_> = pattern.means().take(2).collect();
        assert!(means.iter().all(|mean| (mean - 0.2).abs() < 1e-7), "{means:?}");
    }

    #[test]
    fn the_overall_mean_counts_only_what_was_seen() {
        let mut pattern = ImportancePattern::new(Calendar::new(2, Span::ZERO));
        assert_eq!((pattern.overall(), pattern.seen_at(START)), ((0.0, 0.0), 0.0));
        [0.2, 0.4, 0.6].into_iter().enumerate().for_each(|(half_day, importance)| {
            pattern.observe(hours(12 * half_day as i64), hours(12 * half_day as i64 + 12), importance);
        });
        assert!((pattern.overall().0 - 0.4).abs() < 1e-6 && pattern.overall().1 == 0.75);
        assert_eq!(
            (pattern.seen_at(START), pattern.seen_at(hours(12)), pattern.seen_at(hours(24 * 5))),
            (2.0, 1.0, 0.0)
        );
    }

    #[test]
    fn golden_p08_urgency() {
        assert!((urgency(0.5, 0.6, 10.0 - 7.0) - 0.9).abs() < 1e-9);
    }

    #[test]
    fn golden_p11_live_value() {
        let mut value = 0.0;
        let steps = [(0.5, 0.4), (1.0, 0.2), (0.0, 0.0), (2.0, 0.5)];
        let expected = [0.157_387_736_115, 0.184_323_824_175, 0.184_323_824_175, 0.457_277_875_334];
        for ((changes, importance), expected) in steps.into_iter().zip(expected) {
            value = live_value(value, changes, importance);
            assert!((value - expected).abs() < 1e-9, "{value}");
        }
    }

    #[test]
    fn a_change_found_after_a_gap_goes_to_the_periods_it_is_likely_from() {
        let mut pattern = ImportancePattern::new(Calendar::new(2, Span::ZERO));
        for day in 0..3 {
            pattern.observe(hours(24 * day), hours(24 * day + 12), 0.9);
            pattern.observe(hours(24 * day + 12), hours(24 * day + 24), 0.0);
        }
        pattern.observe(hours(72), hours(96), 0.9);
        let means: Vec<_> = pattern.means().collect();
        assert!(means[0] > 0.89 && means[1] < 0.001, "{means:?}");
        assert!(pattern.shape().at(hours(6)) > 1.9);
    }

    #[test]
    fn half_a_log_and_the_other_half_are_the_whole_log() {
        let day = |pattern: &mut ImportancePattern, day: i64| {
            (0..24).for_each(|hour| {
                let from = 24 * day + hour;
                pattern.observe(hours(from), hours(from + 1), (hour * day) as f64 / 200.0);
            });
        };
        let fold = |days: &[i64]| {
            let mut pattern = ImportancePattern::new(Calendar::default());
            days.iter().for_each(|&at| day(&mut pattern, at));
            pattern
        };
        let (mut first, second, both) = (fold(&[0, 1, 2]), fold(&[3, 7]), fold(&[0, 1, 2, 3, 7]));
        first.merge(&second);
        for (merged, replayed) in first.means().zip(both.means()) {
            assert!((merged - replayed).abs() < 1e-6);
        }
        assert!(both.bytes() < 440, "{}", both.bytes());
    }

    proptest! {
        #[test]
        fn any_visit_leaves_a_pattern_that_can_be_written_and_read(
            visits in prop::collection::vec((any::<i64>(), any::<i64>(), any::<f64>()), 0..8), periods in any::<u16>(),
        ) {
            let mut pattern = ImportancePattern::new(Calendar::new(periods % 30, Span::ZERO));
            for (from, to, importance) in visits {
                pattern.observe(Time::from_millis(from), Time::from_millis(to), importance);
            }
            prop_assert!(pattern.means().all(|mean| (0.0..=1.0).contains(&mean)));
            let text = serde_json::to_string(&pattern).unwrap();
            let back = serde_json::from_str::<ImportancePattern>(&text).unwrap();
            prop_assert_eq!(back.calendar, pattern.calendar);
            prop_assert!(back.means().zip(pattern.means()).all(|(a, b)| (a - b).abs() < 1e-6));
        }
    }
}
