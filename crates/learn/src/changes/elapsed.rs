//! The time since a page was last visited, as far as a change in it would not have shown.

use crate::hint::Silence;
use tintype_vocab::Time;

/// From the latest visit to a moment, with a part in which a listing was silent.
#[derive(Clone, Copy, Debug)]
pub struct Elapsed {
    pub last: Time,
    pub at: Time,
    pub silence: Option<Silence>,
    /// How much more than its past says the page changes.
    pub habit: f64,
}

impl Elapsed {
    /// Effective days in which a change would not have shown, `effective` turning days of the clock into them.
    pub(super) fn days(&self, clock: impl Fn(Time, Time) -> f64, effective: impl Fn(f64) -> f64) -> f64 {
        let since = |at: Time| effective(clock(self.last, at));
        let silent = self.silence.map_or(0.0, |part| part.shown * (since(part.until) - since(part.from)));
        (since(self.at) - silent).max(1e-6) * self.habit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_of_a_listing_takes_days_away() {
        let hour = |hour: i64| Time::from_secs(1_704_067_200 + 3600 * hour);
        let silence = Some(Silence { from: hour(2), until: hour(12), shown: 0.5 });
        let elapsed = Elapsed { last: hour(0), at: hour(24), silence, habit: 2.0 };
        let days = elapsed.days(|from, to| (to - from).as_days_f64(), |days| days);
        assert!((days - 2.0 * 19.0 / 24.0).abs() < 1e-9, "{days}");
    }
}
