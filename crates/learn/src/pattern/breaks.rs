//! Notices when a page, or a site, stops keeping its habits: a break, a holiday, a new owner.

use serde::{Deserialize, Serialize};

/// What a page does after a break, against before: a fourth or four times as many changes.
const FACTOR: f64 = 4.0;
/// Evidence, as a logarithm, that is a break: e^7 times more likely with one than without.
const ALARM: f32 = 7.0;

/// How the habits have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Break {
    Silence,
    Surge,
}

/// Evidence for a change of habits since it may have begun: two sums of log-likelihood ratios that start anew whenever
/// they fall below nothing (CUSUM). Eight bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Breaks {
    silence: f32,
    surge: f32,
}

impl Breaks {
    /// A visit where so many changes were to be expected, by rate and pattern. After a break it looks for the next.
    pub fn observe(&mut self, expected: f64, changed: bool) -> Option<Break> {
        if expected.is_nan() || expected <= 0.0 {
            return None;
        }
        self.silence = more(self.silence, expected, 1.0 / FACTOR, changed);
        self.surge = more(self.surge, expected, FACTOR, changed);
        let found = match (self.silence > ALARM, self.surge > ALARM) {
            (true, _) => Break::Silence,
            (_, true) => Break::Surge,
            _ => return None,
        };
        *self = Breaks::default();
        Some(found)
    }
}

fn more(sum: f32, expected: f64, factor: f64, changed: bool) -> f32 {
    let chance = |expected: f64| -(-expected).exp_m1();
    let ratio = if changed { (chance(factor * expected) / chance(expected)).ln() } else { (1.0 - factor) * expected };
    let next = f64::from(sum) + ratio;
    // Also when a written sum was no number.
    if next > 0.0 { next.min(1e6) as f32 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_run_of_silence_is_a_break_once_nine_changes_are_missing() {
        let mut breaks = Breaks::default();
        let days = (1..100).find(|_| breaks.observe(0.5, false) == Some(Break::Silence)).unwrap();
        assert_eq!(days, 19, "half a change a day, 7/(3/4) changes");
        assert_eq!(breaks, Breaks::default());
    }

    #[test]
    fn a_quiet_page_that_wakes_up_is_a_break() {
        let mut breaks = Breaks::default();
        assert!((0..100).all(|_| breaks.observe(0.01, false).is_none()));
        let visits = (1..100).find(|_| breaks.observe(0.01, true) == Some(Break::Surge)).unwrap();
        assert_eq!(visits, 6);
    }

    #[test]
    fn a_page_that_keeps_its_habits_hardly_ever_breaks_them() {
        let mut state = 12345u64;
        let mut unit = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut breaks = Breaks::default();
        let alarms = (0..20_000).filter(|_| breaks.observe(0.2, unit() < 0.1813).is_some()).count();
        // Lorden's bound for either sum: e^7 visits between false alarms, on average.
        assert!(alarms <= 2 * 20_000 / 1096, "{alarms}");
    }

    proptest! {
        #[test]
        fn any_input_leaves_finite_sums(visits in prop::collection::vec((any::<f64>(), any::<bool>()), 0..50)) {
            let mut breaks = Breaks { silence: f32::NAN, surge: 0.0 };
            visits.iter().for_each(|&(expected, changed)| { breaks.observe(expected, changed); });
            breaks.observe(1.0, true);
            prop_assert!(breaks.silence.is_finite() && breaks.surge.is_finite(), "{breaks:?}");
        }
    }
}
