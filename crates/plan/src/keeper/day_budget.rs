//! Requests and bytes of a day, spread evenly over it.

use crate::Budget;
use tintype_vocab::{Span, Time};

const DAY: i64 = Span::from_days(1).as_millis();

/// What was spent today before a run began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DaySpending {
    pub requests: u64,
    pub bytes: u64,
    /// Whether the budget was there before today: then all of the day's belongs to the run, or else what is left of the day.
    pub all_day: bool,
}

/// So many requests and bytes for every day of UTC. They come in evenly; what was not spent can be, until midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayBudget {
    per_day: Budget,
    /// Midnight, and what was spent since.
    day: Time,
    requests: u64,
    bytes: u64,
    /// Since when today's comes in, and what had been spent by then.
    since: Time,
    before: (u64, u64),
    /// All of it may be spent at once.
    at_once: bool,
}

impl DayBudget {
    pub fn new(per_day: Budget, now: Time, spent: DaySpending) -> DayBudget {
        let day = now.midnight();
        let DaySpending { requests, bytes, all_day } = spent;
        let (since, before) = if all_day { (day, (0, 0)) } else { (now, (requests, bytes)) };
        DayBudget { per_day, day, requests, bytes, since, before, at_once: false }
    }

    /// The same without spreading it.
    pub fn at_once(self) -> DayBudget {
        DayBudget { at_once: true, ..self }
    }

    pub fn per_day(&self) -> Budget {
        self.per_day
    }

    /// What was spent today.
    pub fn spent(&self) -> (u64, u64) {
        (self.requests, self.bytes)
    }

    /// Requests that are left of today's; nothing if they are not counted.
    pub fn requests_left(&self) -> Option<u64> {
        self.per_day.requests.map(|per_day| per_day.saturating_sub(self.requests))
    }

    /// When the next day's come in.
    pub fn next_day(&self) -> Time {
        self.day + Span::from_millis(DAY)
    }

    /// Whether nothing is left of today's.
    pub fn is_spent(&self) -> bool {
        let spent = |limit: Option<u64>, spent: u64| limit.is_some_and(|limit| spent >= limit);
        spent(self.per_day.requests, self.requests) || spent(self.per_day.bytes, self.bytes)
    }

    /// When the next request may be made.
    pub fn next_slot(&mut self, now: Time) -> Time {
        self.turn_day(now);
        if self.is_spent() {
            return self.day + Span::from_millis(DAY);
        }
        if self.at_once {
            return now;
        }
        let requests = self.comes_in(self.per_day.requests, self.requests - self.before.0);
        let bytes = self.comes_in(self.per_day.bytes, self.bytes - self.before.1);
        requests.max(bytes).max(now)
    }

    pub fn spend_request(&mut self, now: Time) {
        self.turn_day(now);
        self.requests += 1;
    }

    pub fn spend_bytes(&mut self, bytes: u64, now: Time) {
        self.turn_day(now);
        self.bytes += bytes;
    }

    /// When what follows so much has come in.
    fn comes_in(&self, per_day: Option<u64>, spent: u64) -> Time {
        let Some(per_day) = per_day else { return self.since };
        let millis = i128::from(DAY) * i128::from(spent) / i128::from(per_day.max(1));
        self.since + Span::from_millis(millis.min(i128::from(DAY)) as i64)
    }

    /// A clock that was set back brings no second day. One that had been wrong by days is right now: nothing stands still
    /// until it is as late again.
    fn turn_day(&mut self, now: Time) {
        let day = now.midnight();
        if day > self.day || self.day - day > Span::from_millis(DAY) {
            (self.day, self.since) = (day, day);
            (self.requests, self.bytes, self.before) = (0, 0, (0, 0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hours: f64) -> Time {
        Time::from_millis((hours * 3_600_000.0) as i64)
    }

    fn requests(per_day: u64) -> Budget {
        Budget { requests: Some(per_day), bytes: None }
    }

    /// Slots that are taken between two moments.
    fn taken(budget: &mut DayBudget, from: f64, to: f64) -> Vec<f64> {
        let mut taken = Vec::new();
        let mut now = at(from);
        loop {
            now = budget.next_slot(now);
            if now >= at(to) {
                return taken;
            }
            budget.spend_request(now);
            taken.push(now.as_millis() as f64 / 3_600_000.0);
        }
    }

    #[test]
    fn a_days_requests_are_spread_over_it_and_no_day_has_more() {
        let mut budget = DayBudget::new(requests(4), at(12.0), DaySpending::default());
        assert_eq!(taken(&mut budget, 12.0, 36.0), [12.0, 18.0, 24.0, 30.0]);
        assert_eq!(taken(&mut budget, 36.0, 72.0), [36.0, 42.0, 48.0, 54.0, 60.0, 66.0]);
    }

    #[test]
    fn what_was_not_spent_can_be_until_midnight() {
        let spent = DaySpending { requests: 1, all_day: true, ..DaySpending::default() };
        let mut budget = DayBudget::new(requests(4), at(13.0), spent);
        assert_eq!(taken(&mut budget, 13.0, 24.0), [13.0, 13.0, 18.0]);
        let mut late = DayBudget::new(requests(4), at(13.0), DaySpending { all_day: true, ..spent });
        assert_eq!(taken(&mut late, 30.0, 48.0), [30.0, 30.0, 36.0, 42.0], "yesterday's are gone");
    }

    #[test]
    fn bytes_count_too() {
        let mut budget = DayBudget::new(Budget { requests: None, bytes: Some(2400) }, at(0.0), DaySpending::default());
        budget.spend_bytes(200, at(0.0));
        assert_eq!(budget.next_slot(at(0.5)), at(2.0));
        budget.spend_bytes(5000, at(2.0));
        assert_eq!(budget.next_slot(at(3.0)), at(24.0));
        assert!(budget.is_spent());
    }

    #[test]
    fn at_once_leaves_nothing_for_later() {
        let mut budget = DayBudget::new(requests(3), at(20.0), DaySpending::default()).at_once();
        assert_eq!(taken(&mut budget, 20.0, 24.0), [20.0, 20.0, 20.0]);
    }

    #[test]
    fn a_clock_set_back_brings_no_second_day() {
        let mut budget = DayBudget::new(requests(2), at(30.0), DaySpending::default()).at_once();
        assert_eq!(taken(&mut budget, 30.0, 48.0).len(), 2);
        assert_eq!(budget.next_slot(at(20.0)), at(48.0));
        assert_eq!(budget.next_slot(at(-30.0)), at(-30.0), "days before, nothing was asked");
    }
}
