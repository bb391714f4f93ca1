//! Times as people and replay tools write them: as much of a date as matters.

use crate::{ParseTimeError, Span, Time};

/// From the first to the last second that a date names: `2026` is a year, `202611` and `2026-11` a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartialTime {
    pub earliest: Time,
    pub latest: Time,
}

/// The largest value of every part of a timestamp.
const LAST: &str = "99991231235959";
const FIRST: &str = "00000101000000";

impl PartialTime {
    /// Reads 1 to 14 digits (more are dropped) or RFC 3339, whole or in part.
    pub fn parse(text: &str) -> Result<PartialTime, ParseTimeError> {
        let text = text.trim();
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(PartialTime::of_digits(&text[..text.len().min(14)]));
        }
        let earliest = Time::parse_rfc3339(text)?;
        let length = match (text.len(), text.contains(['T', 't', ' '])) {
            (_, true) => Span::ZERO,
            (..=7, _) => return PartialTime::parse(&text.replace('-', "")),
            _ => Span::from_secs(86_399),
        };
        Ok(PartialTime { earliest, latest: earliest + length })
    }

    /// What replay tools look for when they are given such a time: the last second it names.
    pub fn as_asked(self) -> Time {
        self.latest
    }

    fn of_digits(digits: &str) -> PartialTime {
        let padded = |with: &str| format!("{digits}{}", &with[digits.len()..]);
        let (first, last) = (padded(FIRST), padded(LAST));
        PartialTime { earliest: clamped(&first), latest: clamped(&last) }
    }
}

/// Reads fourteen digits; a part that is too large or nothing counts as the largest or smallest there is.
fn clamped(digits: &str) -> Time {
    let part = |from: usize, low: i64, high: i64| digits[from..from + 2].parse::<i64>().unwrap_or(low).clamp(low, high);
    let (month, hour, minute, second) = (part(4, 1, 12), part(8, 0, 23), part(10, 0, 59), part(12, 0, 59));
    let of_day = |day: i64| {
        let text = format!("{}{month:02}{day:02}{hour:02}{minute:02}{second:02}", &digits[..4]);
        Time::parse_timestamp14(&text).ok().filter(|time| i64::from(time.day_of_month()) == day)
    };
    let day = part(6, 1, 31);
    (1..=day).rev().find_map(of_day).unwrap_or(Time::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> (String, String) {
        let time = PartialTime::parse(text).unwrap();
        (time.earliest.to_timestamp14(), time.latest.to_timestamp14())
    }

    #[test]
    fn a_part_of_a_date_names_all_of_it() {
        for (text, first, last) in [
            ("2014", "20140101000000", "20141231235959"),
            ("201402", "20140201000000", "20140228235959"),
            ("20140229", "20140228000000", "20140228235959"),
            ("20160229", "20160229000000", "20160229235959"),
            ("2014-02", "20140201000000", "20140228235959"),
            ("2014-02-03", "20140203000000", "20140203235959"),
            ("20140203120000", "20140203120000", "20140203120000"),
            ("20140203120000123", "20140203120000", "20140203120000"),
            ("2014-02-03T12:00:00Z", "20140203120000", "20140203120000"),
            ("2", "20000101000000", "29991231235959"),
        ] {
            assert_eq!(spelled(text), (first.to_owned(), last.to_owned()), "{text}");
        }
        for bad in ["", "yesterday", "-3", "2014-13", "2014-02-03T"] {
            assert!(PartialTime::parse(bad).is_err(), "{bad}");
        }
    }
}
