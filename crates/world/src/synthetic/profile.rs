//! When people work: how much more happens at some hours and weekdays than at others.

use super::chance::{happens, poisson};
use tintype_plan::Dice;
use tintype_vocab::{Span, Time};

/// Hours of a weekday, relative: asleep, a morning peak, a dip at noon, a second peak, a long evening.
const HOURS: [f64; 24] = [
    0.15, 0.1, 0.05, 0.05, 0.1, 0.2, 0.5, 1.0, 1.8, 2.2, 2.0, 1.7, 1.2, 1.6, 1.9, 2.0, 1.9, 1.6, 1.2, 0.9, 0.8, 0.6,
    0.4, 0.25,
];

/// Days from Monday to Sunday, relative.
const WEEKDAYS: [f64; 7] = [1.2, 1.3, 1.3, 1.25, 1.05, 0.5, 0.4];

/// 1970-01-01 was a Thursday.
const FIRST_WEEKDAY: i64 = 3;

/// How many times the mean rate at a moment; its mean over a week is 1.
pub(super) fn intensity(at: Time) -> f64 {
    let hours: f64 = HOURS.iter().sum::<f64>() / 24.0;
    let weekdays: f64 = WEEKDAYS.iter().sum::<f64>() / 7.0;
    HOURS[hour(at)] * WEEKDAYS[weekday(at)] / (hours * weekdays)
}

pub(super) fn hour(at: Time) -> usize {
    (at.as_secs().div_euclid(3600)).rem_euclid(24) as usize
}

/// 0 is Monday.
pub(super) fn weekday(at: Time) -> usize {
    (at.as_secs().div_euclid(86_400) + FIRST_WEEKDAY).rem_euclid(7) as usize
}

/// More than [`intensity`] ever is.
const INTENSITY_MAX: f64 = 3.0;

/// The moments, in days after `start`, of a process whose rate follows the week: Poisson at the highest rate, thinned.
pub(super) fn weekly(dice: &mut Dice, rate_per_day: f64, start: Time, days: std::ops::Range<f64>) -> Vec<f64> {
    let candidates: Vec<f64> = poisson(dice, rate_per_day * INTENSITY_MAX, days.start, days.end).collect();
    let moment = |day: f64| start + Span::from_millis((day * 86_400_000.0) as i64);
    candidates.into_iter().filter(|&day| happens(dice, intensity(moment(day)) / INTENSITY_MAX)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_over_a_week_is_one_and_the_peak_below_the_bound() {
        let week = (0..168).map(|hour| intensity(Time::from_secs(hour * 3600)));
        assert!((week.clone().sum::<f64>() / 168.0 - 1.0).abs() < 1e-9);
        assert!(week.fold(0.0, f64::max) < INTENSITY_MAX);
    }

    #[test]
    fn weekdays_begin_on_monday() {
        assert_eq!(weekday(Time::from_secs(1_767_571_200)), 0, "2026-01-05");
        assert_eq!(weekday(Time::from_secs(-1)), 2, "1969-12-31 was a Wednesday");
    }
}
