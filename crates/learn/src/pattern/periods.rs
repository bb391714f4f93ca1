//! The periods of a calendar, numbered from 1970 on.

use super::calendar::Calendar;
use tintype_vocab::{Span, Time};

const DAY_MS: i64 = 86_400_000;
/// Instants further off than this are taken for this far off, so that sums stay within integers.
const FARTHEST: i64 = i64::MAX / 4;

#[derive(Clone, Copy, Debug)]
pub struct Periods {
    per_day: i64,
    offset: Span,
}

impl Periods {
    pub fn new(calendar: Calendar) -> Periods {
        Periods { per_day: calendar.periods() as i64, offset: calendar.offset() }
    }

    /// The period an instant belongs to.
    pub fn number(self, time: Time) -> i64 {
        let local = time.as_millis().clamp(-FARTHEST, FARTHEST) + self.offset.as_millis();
        local.div_euclid(DAY_MS) * self.per_day + local.rem_euclid(DAY_MS) * self.per_day / DAY_MS
    }

    /// When a period begins.
    pub fn start(self, number: i64) -> Time {
        let (day, nth) = (number.div_euclid(self.per_day), number.rem_euclid(self.per_day));
        let within = (nth * DAY_MS + self.per_day - 1) / self.per_day;
        Time::from_millis(day * DAY_MS + within) - self.offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_begin_where_the_calendar_says() {
        for per_day in [1, 7, 24, 288] {
            let periods = Periods::new(Calendar::new(per_day, Span::from_secs(-7 * 3600)));
            for number in [-3, 0, 1, 1_000_003] {
                let start = periods.start(number);
                assert_eq!(periods.number(start), number);
                assert_eq!(periods.number(start - Span::from_millis(1)), number - 1);
            }
        }
    }
}
