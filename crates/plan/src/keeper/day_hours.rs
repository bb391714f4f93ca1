//! The hours of a day in which a site may be asked.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use tintype_vocab::{Span, Time};

const DAY_MINUTES: u16 = 24 * 60;

/// From one time of day to another, in UTC; over midnight if the second is earlier. Written `22:00-06:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DayHours {
    from: u16,
    to: u16,
}

/// Hours that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseDayHoursError(String);

impl fmt::Display for ParseDayHoursError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is no range of hours: write 22:00-06:00, in UTC", self.0)
    }
}

impl std::error::Error for ParseDayHoursError {}

impl DayHours {
    /// When asking is allowed, at `now` or later.
    pub fn opens(&self, now: Time) -> Time {
        let minute = Span::from_secs(60).as_millis();
        let into_day = now.as_millis().rem_euclid(i64::from(DAY_MINUTES) * minute);
        let of_day = (into_day / minute) as u16;
        let open = match self.from <= self.to {
            true => (self.from..self.to).contains(&of_day),
            false => of_day >= self.from || of_day < self.to,
        };
        if open {
            return now;
        }
        let until = (i64::from(self.from) * minute - into_day).rem_euclid(i64::from(DAY_MINUTES) * minute);
        now + Span::from_millis(until)
    }
}

impl FromStr for DayHours {
    type Err = ParseDayHoursError;

    fn from_str(text: &str) -> Result<DayHours, ParseDayHoursError> {
        let minutes = |text: &str| {
            let (hours, minutes) = text.trim().split_once(':').unwrap_or((text.trim(), "0"));
            let (hours, minutes): (u16, u16) = (hours.parse().ok()?, minutes.parse().ok()?);
            let time = hours.checked_mul(60)?.checked_add(minutes).filter(|_| minutes < 60)?;
            (time <= DAY_MINUTES).then_some(time)
        };
        let range = || {
            let (from, to) = text.split_once('-')?;
            Some(DayHours { from: minutes(from)?, to: minutes(to)? })
        };
        range().filter(|hours| hours.from != hours.to).ok_or_else(|| ParseDayHoursError(text.to_owned()))
    }
}

impl fmt::Display for DayHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DayHours { from, to } = self;
        write!(f, "{:02}:{:02}-{:02}:{:02}", from / 60, from % 60, to / 60, to % 60)
    }
}

impl TryFrom<String> for DayHours {
    type Error = ParseDayHoursError;

    fn try_from(text: String) -> Result<DayHours, ParseDayHoursError> {
        text.parse()
    }
}

impl From<DayHours> for String {
    fn from(hours: DayHours) -> String {
        hours.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hours: f64) -> Time {
        Time::from_millis((hours * 3_600_000.0) as i64)
    }

    #[test]
    fn a_site_is_asked_in_its_hours_only() {
        let day: DayHours = "9-17:30".parse().unwrap();
        assert_eq!([8.0, 9.0, 17.4, 17.5].map(|hour| day.opens(at(hour))), [9.0, 9.0, 17.4, 33.0].map(at));
        let night: DayHours = "22:00-06:00".parse().unwrap();
        assert_eq!([0.0, 5.9, 6.0, 23.0].map(|hour| night.opens(at(hour))), [0.0, 5.9, 22.0, 23.0].map(at));
        assert_eq!(night.to_string(), "22:00-06:00");
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for bad in ["", "9", "9-9", "25-3", "9:60-10", "x-y", "9-10-11"] {
            assert!(bad.parse::<DayHours>().is_err(), "{bad}");
        }
    }
}
