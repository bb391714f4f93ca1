//! Requests that all sources share: so many a day.

use tintype_vocab::{Span, Time};

/// Requests come in evenly and are kept for up to a day.
///
/// What a crawl really takes is known only afterwards, so it may leave a debt; nothing else is paid before that is. A crawl
/// that takes more than a whole day's requests begins when a day's are there, because it would else never begin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowance {
    per_day: u32,
    left: f64,
    at: Time,
}

impl Allowance {
    /// A day's requests, all of them there.
    pub fn new(per_day: u32, at: Time) -> Allowance {
        Allowance { per_day, left: f64::from(per_day), at }
    }

    /// Requests that may be made; none while there is a debt.
    pub fn left(&self, now: Time) -> u64 {
        self.exactly(now).max(0.0) as u64
    }

    /// What must be left before a crawl of so many requests may begin.
    pub fn needed(&self, requests: u32) -> u32 {
        requests.clamp(1, self.per_day.max(1))
    }

    /// So many requests were made.
    pub fn spend(&mut self, requests: u64, now: Time) {
        self.left = self.exactly(now) - requests as f64;
        self.at = self.at.max(now);
    }

    /// When a crawl of so many requests may begin.
    pub fn affords_at(&self, requests: u32, now: Time) -> Time {
        let missing = f64::from(self.needed(requests)) - self.exactly(now);
        let days = missing.max(0.0) / f64::from(self.per_day.max(1));
        now + Span::from_millis((days * Span::from_days(1).as_millis() as f64).ceil() as i64)
    }

    /// A clock that was set back brings nothing in.
    fn exactly(&self, now: Time) -> f64 {
        let days = (now - self.at).as_days_f64().max(0.0);
        (self.left + days * f64::from(self.per_day)).min(f64::from(self.per_day))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hour(hours: i64) -> Time {
        Time::from_secs(hours * 3600)
    }

    #[test]
    fn requests_come_in_evenly_and_no_more_than_a_day_of_them_is_kept() {
        let mut allowance = Allowance::new(48, hour(0));
        assert_eq!(allowance.left(hour(0)), 48);
        allowance.spend(40, hour(0));
        assert_eq!([0, 1, 10, 20, 24, 900].map(|hours| allowance.left(hour(hours))), [8, 10, 28, 48, 48, 48]);
        assert_eq!(allowance.affords_at(8, hour(0)), hour(0));
        assert_eq!(allowance.affords_at(28, hour(0)), hour(10));
        assert_eq!(allowance.left(hour(-5)), 8, "a clock that was set back");
    }

    #[test]
    fn a_crawl_dearer_than_a_day_begins_with_a_day_and_leaves_a_debt() {
        let mut allowance = Allowance::new(48, hour(0));
        allowance.spend(10, hour(0));
        assert_eq!((allowance.needed(500), allowance.affords_at(500, hour(0))), (48, hour(5)));
        allowance.spend(144, hour(5));
        assert_eq!(allowance.left(hour(5)), 0);
        assert_eq!(allowance.affords_at(1, hour(5)), hour(5) + Span::from_secs(48 * 3600 + 1800));
        assert_eq!(allowance.affords_at(0, hour(5)), allowance.affords_at(1, hour(5)), "no crawl is free");
    }
}
