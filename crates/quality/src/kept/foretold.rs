//! What the policy's own forecasts say of pages since their latest visit, and how far windows strayed from them.
//!
//! A policy that leaves a page alone because it has reason to believe it quiet says so here: its visits alone would not.

use crate::certificate::{Experience, REMEMBERED};
use tintype_vocab::{Span, TestedDay, Time};

/// A forecast is of the next visit, hours or days later: of shorter times a share of it, as changes add up.
pub(super) const LEAST_DAYS: f64 = 1.0 / 24.0;
/// No change is more certain than this.
pub(super) const SURE: f64 = 0.9999;

/// Stretches of time as long as the window, in order, the last of them the window itself: changes that visits found, and how
/// many had been foretold.
pub(super) fn experiences(days: &[TestedDay], since: Time, now: Time) -> Vec<Experience> {
    let length = (now - since).as_millis().max(1);
    let mut experiences = vec![Experience::default(); REMEMBERED];
    for day in days {
        let middle = day.day + Span::from_millis(Span::from_days(1).as_millis() / 2);
        let ago = usize::try_from((now - middle).as_millis().max(0) / length).unwrap_or(REMEMBERED);
        let Some(nth) = REMEMBERED.checked_sub(ago + 1) else { continue };
        experiences[nth].changed += u64::from(day.found);
        experiences[nth].expected += f64::from(day.foretold);
        experiences[nth].per_factor += f64::from(day.per_factor);
    }
    let first = experiences.iter().position(|one| one.expected > 0.0).unwrap_or(REMEMBERED);
    experiences.split_off(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_belong_to_the_window_they_lie_in() {
        let day = |nth: i64| Time::from_secs(1_704_067_200 + 86_400 * nth);
        let tested = |nth: i64| TestedDay { day: day(nth), foretold: 2.0, found: 1, per_factor: 1.0 };
        let days: Vec<TestedDay> = (0..21).map(tested).collect();
        let all = experiences(&days, day(14), day(21));
        assert_eq!(all.iter().map(|one| one.changed).collect::<Vec<_>>(), [7, 7, 7]);
        assert!(experiences(&[], day(0), day(7)).is_empty());
    }
}
