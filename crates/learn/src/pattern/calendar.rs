//! Where an instant stands in the day, the week and the month of its site.

use serde::{Deserialize, Serialize};
use std::ops::Range;
use tintype_vocab::{Span, Time};

/// Periods of a day unless somebody asks for others: hours.
pub const PERIODS_DEFAULT: u16 = 24;
/// Periods of five minutes.
pub const PERIODS_MAX: u16 = 288;

const DAY_MS: i64 = 86_400_000;
const WEEK: usize = 7;
const MONTH: usize = 31;
/// Longer stretches are taken to look like their beginning: a bound on the time that any one visit costs.
const WALK_MAX: i64 = 372 * DAY_MS;
/// Instants further off than this are taken for this far off, so that sums stay within integers.
const FARTHEST: i64 = i64::MAX / 4;

/// How time is cut into bins: periods of weekdays, then of weekend days, then days of the week and of the month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u16, Span)", into = "(u16, Span)")]
pub struct Calendar {
    periods: u16,
    offset: Span,
}

/// A stretch of time within one period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cell {
    /// The bins it belongs to: period, day of the week, day of the month.
    pub(crate) bins: [usize; 3],
    pub(crate) start: Time,
    pub(crate) days: f64,
}

impl Default for Calendar {
    fn default() -> Calendar {
        Calendar::new(PERIODS_DEFAULT, Span::ZERO)
    }
}

impl From<(u16, Span)> for Calendar {
    fn from((periods, offset): (u16, Span)) -> Calendar {
        Calendar::new(periods, offset)
    }
}

impl From<Calendar> for (u16, Span) {
    fn from(calendar: Calendar) -> (u16, Span) {
        (calendar.periods, calendar.offset)
    }
}

impl Calendar {
    /// So many periods a day, at most [`PERIODS_MAX`], at a site whose clocks are ahead of UTC by `offset`, at most a day.
    pub fn new(periods: u16, offset: Span) -> Calendar {
        let day = Span::from_days(1);
        Calendar { periods: periods.clamp(1, PERIODS_MAX), offset: offset.clamp(Span::from_days(-1), day) }
    }

    pub fn periods(self) -> usize {
        usize::from(self.periods)
    }

    pub fn offset(self) -> Span {
        self.offset
    }

    /// T = 24/N_T.
    pub fn period_hours(self) -> f64 {
        24.0 / f64::from(self.periods)
    }

    /// How many bins there are.
    pub fn bins(self) -> usize {
        2 * self.periods() + WEEK + MONTH
    }

    /// Bins of which every instant has one of its own: periods of weekdays, of weekend days, days of the week, of the
    /// month. Each group has a mean of one in a shape.
    pub(super) fn groups(self) -> [Range<usize>; 4] {
        let periods = self.periods();
        let week = 2 * periods..2 * periods + WEEK;
        [0..periods, periods..2 * periods, week.clone(), week.end..week.end + MONTH]
    }

    /// How much of the time belongs to a bin, within its group.
    pub(super) fn share(self, bin: usize) -> f64 {
        let (periods, month) = (self.periods(), 2 * self.periods() + WEEK);
        match bin {
            _ if bin < 2 * periods => 1.0 / periods as f64,
            _ if bin < month => 1.0 / WEEK as f64,
            // Of 365.25 days a year.
            _ => [12.0, 11.25, 11.0, 7.0][(bin - month).saturating_sub(27)] / 365.25,
        }
    }

    /// The bins of an instant.
    pub(crate) fn bins_at(self, time: Time) -> [usize; 3] {
        let local = self.local(time);
        let period = local.rem_euclid(DAY_MS) * i64::from(self.periods) / DAY_MS;
        self.bins_of_day(local.div_euclid(DAY_MS)).with_period(period as usize)
    }

    /// Cuts a stretch of time where periods end.
    pub(crate) fn walk(self, from: Time, to: Time, mut visit: impl FnMut(Cell)) {
        let (start, end, scale) = self.clip(from, to);
        let mut at = start;
        while at < end {
            let midnight = at.div_euclid(DAY_MS) * DAY_MS;
            let day = self.bins_of_day(at.div_euclid(DAY_MS));
            let day_end = end.min(midnight + DAY_MS);
            while at < day_end {
                let period = (at - midnight) * i64::from(self.periods) / DAY_MS;
                let until = (midnight + self.period_start(period + 1)).min(day_end);
                let days = (until - at) as f64 / DAY_MS as f64 * scale;
                visit(Cell { bins: day.with_period(period as usize), start: self.utc(at), days });
                at = until;
            }
        }
    }

    /// The bins of the whole days within a stretch, the day of the week and of the month each, and what is left before
    /// and after them. Long stretches are cut as in [`Calendar::walk`]; the scale says by how much.
    pub(super) fn whole_days(self, from: Time, to: Time) -> Option<WholeDays> {
        let (start, end, scale) = self.clip(from, to);
        let (first, last) = ((start + DAY_MS - 1).div_euclid(DAY_MS), end.div_euclid(DAY_MS));
        (first < last).then_some(WholeDays { calendar: self, days: first..last, scale })
    }

    fn clip(self, from: Time, to: Time) -> (i64, i64, f64) {
        let (start, end) = (self.local(from), self.local(to));
        let clipped = end.min(start + WALK_MAX);
        let scale = if clipped < end { (end - start) as f64 / WALK_MAX as f64 } else { 1.0 };
        (start, clipped, scale)
    }

    fn local(self, time: Time) -> i64 {
        time.as_millis().clamp(-FARTHEST, FARTHEST) + self.offset.as_millis()
    }

    fn utc(self, local: i64) -> Time {
        Time::from_millis(local) - self.offset
    }

    /// Milliseconds from midnight: the first of the period.
    fn period_start(self, period: i64) -> i64 {
        let periods = i64::from(self.periods);
        (period * DAY_MS + periods - 1) / periods
    }

    /// The first bin of its kind of day, its day of the week and its day of the month.
    fn bins_of_day(self, day: i64) -> DayBins {
        // 1970 began on a Thursday.
        let weekday = (day + 3).rem_euclid(7) as usize;
        let month_day = Time::from_millis(day * DAY_MS).day_of_month();
        let first = if weekday < 5 { 0 } else { self.periods() };
        let week = 2 * self.periods();
        DayBins { first, week: week + weekday, month: week + WEEK + usize::from(month_day) - 1 }
    }
}

#[derive(Clone, Copy)]
pub(super) struct DayBins {
    first: usize,
    pub(super) week: usize,
    pub(super) month: usize,
}

impl DayBins {
    fn with_period(self, period: usize) -> [usize; 3] {
        [self.first + period, self.week, self.month]
    }
}

/// Days from midnight to midnight.
pub(super) struct WholeDays {
    calendar: Calendar,
    days: Range<i64>,
    pub(super) scale: f64,
}

impl WholeDays {
    pub(super) fn start(&self) -> Time {
        self.calendar.utc(self.days.start * DAY_MS)
    }

    pub(super) fn end(&self) -> Time {
        self.calendar.utc(self.days.end * DAY_MS)
    }

    pub(super) fn bins(&self) -> impl Iterator<Item = DayBins> + use<> {
        let calendar = self.calendar;
        self.days.clone().map(move |day| calendar.bins_of_day(day))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Time {
        Time::parse_rfc3339(text).unwrap()
    }

    #[test]
    fn golden_p10_period_length() {
        let hours = [30, 40, 60, 80, 120].map(|periods| Calendar::new(periods, Span::ZERO).period_hours());
        for (hours, expected) in hours.iter().zip([0.8, 0.6, 0.4, 0.3, 0.2]) {
            assert!((hours - expected).abs() < 1e-9, "{hours}");
        }
    }

    #[test]
    fn an_instant_has_a_period_a_weekday_and_a_day_of_the_month() {
        let calendar = Calendar::default();
        // A Sunday.
        assert_eq!(calendar.bins_at(at("2026-11-15T21:55:03Z")), [24 + 21, 48 + 6, 48 + 7 + 14]);
        // Monday morning in Tokyo.
        let tokyo = Calendar::new(24, Span::from_secs(9 * 3600));
        assert_eq!(tokyo.bins_at(at("2026-11-15T21:55:03Z")), [6, 48, 48 + 7 + 15]);
        assert_eq!(Calendar::new(7, Span::ZERO).bins_at(at("1970-01-01T23:59:59Z"))[0], 6);
    }

    #[test]
    fn a_walk_covers_the_time_once_and_stays_within_periods() {
        for periods in [1, 7, 24, 288] {
            let calendar = Calendar::new(periods, Span::from_secs(-7 * 3600));
            let (from, to) = (at("2024-02-28T05:17:11Z"), at("2024-03-03T01:00:00Z"));
            let (mut days, mut next) = (0.0, from);
            calendar.walk(from, to, |cell| {
                assert_eq!((cell.start, cell.bins), (next, calendar.bins_at(next)));
                next += Span::from_millis((cell.days * DAY_MS as f64).round() as i64);
                assert_eq!(calendar.bins_at(next + Span::from_millis(-1)), cell.bins);
                days += cell.days;
            });
            assert_eq!(next, to);
            assert!((days - (to - from).as_days_f64()).abs() < 1e-9);
        }
    }

    #[test]
    fn ages_of_time_are_walked_in_bounded_steps_and_still_count_whole() {
        let calendar = Calendar::default();
        for (from, to) in [(Time::MIN, Time::MAX), (Time::from_secs(0), Time::from_secs(4_000_000_000))] {
            let (mut cells, mut days) = (0, 0.0);
            calendar.walk(from, to, |cell| {
                cells += 1;
                days += cell.days;
            });
            assert!(cells <= 373 * 24, "{cells}");
            assert!(days > 46_000.0, "{days}");
        }
        calendar.walk(Time::MAX, Time::MIN, |_| panic!("nothing is between them"));
    }

    #[test]
    fn the_shares_of_every_group_sum_to_one() {
        for group in Calendar::new(5, Span::ZERO).groups() {
            let sum: f64 = group.map(|bin| Calendar::new(5, Span::ZERO).share(bin)).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        }
    }
}
