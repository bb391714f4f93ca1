//! Ticks of a time axis: seconds to centuries, at the moments a person would choose, in UTC.

use tintype_vocab::Time;

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// The first Monday: weeks are counted from it.
const MONDAY: i64 = 4 * DAY;

/// Years of four digits: from the year 1 to the end of 9998.
const EARLIEST: f64 = -62_135_596_800_000.0;
const LATEST: f64 = 253_370_764_800_000.0;

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The distance of neighbouring ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Multiples of a fixed length, counted from an instant.
    Fixed {
        length_ms: i64,
        from_ms: i64,
    },
    Months(i64),
}

impl Step {
    fn length_ms(self) -> i64 {
        match self {
            Step::Fixed { length_ms, .. } => length_ms,
            Step::Months(months) => months * 365 * DAY / 12,
        }
    }
}

/// A range of at least a minute within the years that have four digits.
pub(crate) fn widened(low: f64, high: f64) -> (f64, f64) {
    let (low, high) = (low.clamp(EARLIEST, LATEST), high.clamp(EARLIEST, LATEST));
    let air = ((MINUTE as f64 - (high - low)) / 2.0).max(0.0);
    (low - air, high + air)
}

/// About `wanted` ticks: instant, text, and the coarser part of the date where it is new.
pub(crate) fn ticks(low: f64, high: f64, wanted: usize) -> Vec<(f64, String, Option<String>)> {
    let step = step((high - low) / wanted.max(1) as f64);
    let mut above = String::new();
    instants(step, low.ceil() as i64, high.floor() as i64)
        .into_iter()
        .map(|at| {
            let (text, coarse) = texts(step, Time::from_millis(at));
            let below = (coarse != above && !coarse.is_empty()).then(|| coarse.clone());
            above = coarse;
            (at as f64, text, below)
        })
        .collect()
}

fn step(rough_ms: f64) -> Step {
    let even = [SECOND, MINUTE].into_iter().flat_map(|unit| [1, 2, 5, 10, 15, 30].map(|times| times * unit));
    let even = even.chain([1, 2, 3, 6, 12, 24, 48].map(|hours| hours * HOUR));
    let even = even.map(|length_ms| Step::Fixed { length_ms, from_ms: 0 });
    let weeks = [7, 14].map(|days| Step::Fixed { length_ms: days * DAY, from_ms: MONDAY });
    let years = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];
    let months = [1, 2, 3, 6].into_iter().chain(years.map(|years| years * 12)).map(Step::Months);
    even.chain(weeks).chain(months).find(|step| step.length_ms() as f64 >= rough_ms).unwrap_or(Step::Months(60_000))
}

fn instants(step: Step, low: i64, high: i64) -> Vec<i64> {
    match step {
        Step::Fixed { length_ms, from_ms } => {
            let first = (low - from_ms + length_ms - 1).div_euclid(length_ms);
            let last = (high - from_ms).div_euclid(length_ms);
            (first..=last).map(|index| from_ms + index * length_ms).collect()
        }
        Step::Months(months) => {
            let (first, last) = (month_index(low).div_euclid(months), month_index(high).div_euclid(months));
            (first..=last)
                .filter_map(|index| month_start(index * months))
                .filter(|at| (low..=high).contains(at))
                .collect()
        }
    }
}

/// Months since the start of the year 0.
fn month_index(at_ms: i64) -> i64 {
    let stamp = Time::from_millis(at_ms).to_timestamp14();
    number(&stamp[..4]) * 12 + number(&stamp[4..6]) - 1
}

fn month_start(index: i64) -> Option<i64> {
    let stamp = format!("{:04}{:02}", index.div_euclid(12), index.rem_euclid(12) + 1);
    Time::parse_timestamp14(&stamp).ok().map(Time::as_millis)
}

/// The fine and the coarse part of an instant, as the distance of the ticks asks for.
fn texts(step: Step, at: Time) -> (String, String) {
    let stamp = at.to_timestamp14();
    let (year, day, hour, minute, second) =
        (&stamp[..4], number(&stamp[6..8]), &stamp[8..10], &stamp[10..12], &stamp[12..]);
    let month = MONTHS.get(number(&stamp[4..6]) as usize - 1).copied().unwrap_or_default();
    match step {
        Step::Fixed { length_ms, .. } if length_ms < MINUTE => {
            (format!("{hour}:{minute}:{second}"), format!("{day} {month} {year}"))
        }
        Step::Fixed { length_ms, .. } if length_ms < DAY => {
            (format!("{hour}:{minute}"), format!("{day} {month} {year}"))
        }
        Step::Fixed { .. } => (format!("{day} {month}"), year.to_owned()),
        Step::Months(months) if months < 12 => (month.to_owned(), year.to_owned()),
        Step::Months(_) => (year.to_owned(), String::new()),
    }
}

fn number(digits: &str) -> i64 {
    digits.parse().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(from: &str, to: &str) -> Vec<String> {
        let at = |text| Time::parse_rfc3339(text).unwrap().as_millis() as f64;
        let ticks = ticks(at(from), at(to), 6);
        ticks.into_iter().map(|(_, text, below)| format!("{text}|{}", below.unwrap_or_default())).collect()
    }

    #[test]
    fn a_night_has_hours_and_names_the_day_when_it_is_new() {
        assert_eq!(
            labels("2026-11-15T21:00:00Z", "2026-11-16T05:00:00Z"),
            ["22:00|15 Nov 2026", "00:00|16 Nov 2026", "02:00|", "04:00|"]
        );
    }

    #[test]
    fn a_month_has_mondays_a_year_has_months_a_century_has_years() {
        assert_eq!(labels("2026-11-01", "2026-12-01"), ["2 Nov|2026", "9 Nov|", "16 Nov|", "23 Nov|", "30 Nov|"]);
        assert_eq!(labels("2025-06-15", "2026-06-15"), ["Jul|2025", "Sep|", "Nov|", "Jan|2026", "Mar|", "May|"]);
        assert_eq!(labels("1950-01-01", "2010-01-01"), ["1960|", "1980|", "2000|"]);
    }

    #[test]
    fn a_minute_has_seconds_and_all_of_history_has_few_ticks() {
        assert_eq!(labels("2026-01-01T00:00:00Z", "2026-01-01T00:00:20Z").len(), 5);
        let (low, high) = widened(f64::MIN, f64::MAX);
        assert!((1..8).contains(&ticks(low, high, 6).len()));
    }
}
