//! Servers that fail on purpose: a share of errors, and a limit to what they answer in a second.

use std::time::Duration;
use tintype_plan::Dice;

/// What goes wrong, and how far it has gone.
#[derive(Debug, Default)]
pub struct Faults {
    /// Share of requests that fail.
    pub(super) errors: f64,
    /// Requests answered in a second.
    pub(super) rate_limit: Option<u32>,
    pub(super) seed: u64,
    asked: u64,
    /// Number of the second, and the requests let through in it.
    second: (u64, u32),
}

/// How a request fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Unavailable,
    TooMany,
}

impl Faults {
    pub fn new(errors: f64, rate_limit: Option<u32>, seed: u64) -> Faults {
        Faults { errors, rate_limit, seed, ..Faults::default() }
    }

    /// Whether the next request fails, so long after the server began. Which ones fail by chance depends on their number
    /// alone.
    pub(super) fn strikes(&mut self, elapsed: Duration) -> Option<Fault> {
        if !self.within_limit(elapsed.as_secs()) {
            return Some(Fault::TooMany);
        }
        self.asked += 1;
        (Dice::new(self.seed, self.asked).unit() < self.errors).then_some(Fault::Unavailable)
    }

    fn within_limit(&mut self, second: u64) -> bool {
        let Some(limit) = self.rate_limit else { return true };
        let (counted, answered) = self.second;
        let answered = if counted == second { answered } else { 0 };
        self.second = (second, answered.saturating_add(1).min(limit));
        answered < limit
    }
}

impl Fault {
    pub(super) fn status(self) -> u16 {
        match self {
            Fault::Unavailable => 503,
            Fault::TooMany => 429,
        }
    }

    /// Seconds after which it may go better, if the server says so.
    pub(super) fn retry_after(self) -> Option<&'static str> {
        (self == Fault::TooMany).then_some("1")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_errors_is_kept_and_repeats_with_the_seed() {
        let strikes = |errors, seed| -> Vec<bool> {
            let mut trouble = Faults::new(errors, None, seed);
            (0..2000).map(|_| trouble.strikes(Duration::ZERO).is_some()).collect()
        };
        let share = |strikes: &[bool]| strikes.iter().filter(|failed| **failed).count();
        assert!((150..250).contains(&share(&strikes(0.1, 1))), "{}", share(&strikes(0.1, 1)));
        assert_eq!(strikes(0.1, 1), strikes(0.1, 1));
        assert_ne!(strikes(0.1, 1), strikes(0.1, 2));
        assert_eq!([0.0, 1.0].map(|errors| share(&strikes(errors, 1))), [0, 2000]);
    }

    #[test]
    fn a_second_has_room_for_so_many_requests() {
        let mut trouble = Faults::new(0.0, Some(2), 1);
        let mut ask = |millis| trouble.strikes(Duration::from_millis(millis));
        assert_eq!([ask(0), ask(1), ask(999)], [None, None, Some(Fault::TooMany)]);
        assert_eq!([ask(1000), ask(1001), ask(1002)], [None, None, Some(Fault::TooMany)]);
    }
}
