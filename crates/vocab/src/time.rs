//! Instants and lengths of time as integers. Nothing here knows what time it is.

use serde::{Deserialize, Serialize};
use std::{
    fmt,
    ops::{Add, AddAssign, Div, Mul, Range, Sub},
};

/// An instant: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(i64);

/// A length of time in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Span(i64);

const DAY_MS: i64 = 86_400_000;

impl Time {
    /// Before everything.
    pub const MIN: Time = Time(i64::MIN);
    /// After everything.
    pub const MAX: Time = Time(i64::MAX);

    pub const fn from_millis(millis: i64) -> Time {
        Time(millis)
    }

    pub const fn from_secs(secs: i64) -> Time {
        Time(secs.saturating_mul(1000))
    }

    pub const fn as_millis(self) -> i64 {
        self.0
    }

    pub const fn as_secs(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// The instant of a proleptic Gregorian date in UTC; fields are not range-checked.
    fn civil(year: i64, month: i64, day: i64, hour: i64, minute: i64, second: i64, milli: i64) -> Time {
        let seconds = days_from_civil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
        Time(seconds * 1000 + milli)
    }

    /// Year, month, day, hour, minute, second, millisecond in UTC.
    fn fields(self) -> [i64; 7] {
        let (days, ms) = (self.0.div_euclid(DAY_MS), self.0.rem_euclid(DAY_MS));
        let (year, month, day) = civil_from_days(days);
        [year, month, day, ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000]
    }

    /// The beginning of its day, in UTC.
    pub fn midnight(self) -> Time {
        let day = Span::from_days(1).as_millis();
        Time::from_millis(self.as_millis().div_euclid(day) * day)
    }

    /// 1 to 31, in UTC.
    pub fn day_of_month(self) -> u8 {
        self.fields()[2] as u8
    }

    /// `2026-11-15T21:55:03Z`, the form of WARC-Date.
    pub fn to_rfc3339_secs(self) -> String {
        let [y, mo, d, h, mi, s, _] = self.fields();
        format!("{y:04}-{mo:02}-{d:02}T{h:02}:{mi:02}:{s:02}Z")
    }

    /// `2026-11-15T21:55:03.123Z`.
    pub fn to_rfc3339(self) -> String {
        let [y, mo, d, h, mi, s, ms] = self.fields();
        format!("{y:04}-{mo:02}-{d:02}T{h:02}:{mi:02}:{s:02}.{ms:03}Z")
    }

    /// `20261115215503`, the form of CDX lines.
    pub fn to_timestamp14(self) -> String {
        let [y, mo, d, h, mi, s, _] = self.fields();
        format!("{y:04}{mo:02}{d:02}{h:02}{mi:02}{s:02}")
    }

    /// `20261115215503123`, the form of segment names.
    pub fn to_timestamp17(self) -> String {
        format!("{}{:03}", self.to_timestamp14(), self.fields()[6])
    }

    /// Reads 4 to 14 digits as web archives write times; missing fields take their smallest value.
    pub fn parse_timestamp14(text: &str) -> Result<Time, ParseTimeError> {
        let digits = text.as_bytes();
        if !(4..=14).contains(&digits.len())
            || !digits.len().is_multiple_of(2)
            || !digits.iter().all(u8::is_ascii_digit)
        {
            return Err(ParseTimeError);
        }
        let number = |from: usize, to: usize, missing: i64| {
            if digits.len() < to { missing } else { text[from..to].parse().unwrap_or(missing) }
        };
        checked(
            number(0, 4, 0),
            number(4, 6, 1),
            number(6, 8, 1),
            number(8, 10, 0),
            number(10, 12, 0),
            number(12, 14, 0),
            0,
        )
    }

    /// Reads a date as feeds, sitemaps and WARC records write it: `2026`, `2026-11`, `2026-11-15`,
    /// `2026-11-15T21:55`, with seconds, a fraction and a zone (`Z`, `+01:00`) if they are there.
    pub fn parse_rfc3339(text: &str) -> Result<Time, ParseTimeError> {
        let mut rest = Cursor(text.trim().as_bytes());
        let year = rest.digits(4)?;
        let month = if rest.eat(b'-') { rest.digits(2)? } else { 1 };
        let day = if rest.eat(b'-') { rest.digits(2)? } else { 1 };
        let (mut hour, mut minute, mut second, mut milli, mut zone) = (0, 0, 0, 0, 0);
        if rest.eat(b'T') || rest.eat(b't') || rest.eat(b' ') {
            hour = rest.digits(2)?;
            if !rest.eat(b':') {
                return Err(ParseTimeError);
            }
            minute = rest.digits(2)?;
            if rest.eat(b':') {
                second = rest.digits(2)?;
            }
            if rest.eat(b'.') {
                milli = rest.fraction()?;
            }
            zone = rest.zone()?;
        }
        if !rest.0.is_empty() {
            return Err(ParseTimeError);
        }
        let local = checked(year, month, day, hour, minute, second, milli)?;
        writable(Time(local.0 - zone * 60_000))
    }
}

fn checked(y: i64, mo: i64, d: i64, h: i64, mi: i64, s: i64, ms: i64) -> Result<Time, ParseTimeError> {
    let valid = (1..=12).contains(&mo) && (1..=31).contains(&d) && h <= 24 && mi < 60 && s <= 60;
    if valid { writable(Time::civil(y, mo, d, h, mi, s, ms)) } else { Err(ParseTimeError) }
}

/// The start of the year 0 and of the year 10000.
const WRITABLE: Range<Time> = Time::from_secs(-62_167_219_200)..Time::from_secs(253_402_300_800);

/// A time whose year has four digits. A zone, `24:00` or the 60th second may lead out of them, to where neither a record
/// nor an index line could name it.
fn writable(time: Time) -> Result<Time, ParseTimeError> {
    if WRITABLE.contains(&time) { Ok(time) } else { Err(ParseTimeError) }
}

/// What is left to read of a date.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn eat(&mut self, byte: u8) -> bool {
        let hit = self.0.first() == Some(&byte);
        if hit {
            self.0 = &self.0[1..];
        }
        hit
    }

    fn digits(&mut self, count: usize) -> Result<i64, ParseTimeError> {
        let (head, tail) = self.0.split_at_checked(count).ok_or(ParseTimeError)?;
        if !head.iter().all(u8::is_ascii_digit) {
            return Err(ParseTimeError);
        }
        self.0 = tail;
        Ok(head.iter().fold(0, |n, b| n * 10 + i64::from(b - b'0')))
    }

    fn fraction(&mut self) -> Result<i64, ParseTimeError> {
        let end = self.0.iter().position(|b| !b.is_ascii_digit()).unwrap_or(self.0.len());
        if end == 0 {
            return Err(ParseTimeError);
        }
        let milli = (0..3).fold(0, |n, i| n * 10 + if i < end { i64::from(self.0[i] - b'0') } else { 0 });
        self.0 = &self.0[end..];
        Ok(milli)
    }

    /// Minutes east of UTC; nothing at all means UTC.
    fn zone(&mut self) -> Result<i64, ParseTimeError> {
        if self.0.is_empty() || self.eat(b'Z') || self.eat(b'z') {
            return Ok(0);
        }
        let sign = if self.eat(b'+') {
            1
        } else if self.eat(b'-') {
            -1
        } else {
            return Err(ParseTimeError);
        };
        let hours = self.digits(2)?;
        self.eat(b':');
        let minutes = if self.0.is_empty() { 0 } else { self.digits(2)? };
        if hours > 23 || minutes > 59 { Err(ParseTimeError) } else { Ok(sign * (hours * 60 + minutes)) }
    }
}

/// Days since 1970-01-01 of a Gregorian date (the usual shift to a year that starts in March).
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_rfc3339_secs())
    }
}

/// The text is not a date this project reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseTimeError;

impl fmt::Display for ParseTimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a date: write 2026-11-15T21:55:03Z, or 20261115215503")
    }
}

impl std::error::Error for ParseTimeError {}

impl Span {
    pub const ZERO: Span = Span(0);

    pub const fn from_millis(millis: i64) -> Span {
        Span(millis)
    }

    pub const fn from_secs(secs: i64) -> Span {
        Span(secs.saturating_mul(1000))
    }

    pub const fn from_days(days: i64) -> Span {
        Span(days.saturating_mul(DAY_MS))
    }

    pub const fn as_millis(self) -> i64 {
        self.0
    }

    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1000.0
    }

    pub fn as_days_f64(self) -> f64 {
        self.0 as f64 / DAY_MS as f64
    }
}

impl fmt::Display for Span {
    /// `350 ms`, `4.2 s`, `3 min 20 s`, `5 h 2 min`, `3 d 4 h`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0;
        let secs = ms / 1000;
        match ms.abs() {
            0..1_000 => write!(f, "{ms} ms"),
            1_000..60_000 => write!(f, "{:.1} s", ms as f64 / 1000.0),
            60_000..3_600_000 => write!(f, "{} min {} s", secs / 60, secs % 60),
            3_600_000..DAY_MS => write!(f, "{} h {} min", secs / 3600, secs / 60 % 60),
            _ => write!(f, "{} d {} h", secs / 86_400, secs / 3600 % 24),
        }
    }
}

impl Add<Span> for Time {
    type Output = Time;
    fn add(self, span: Span) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}

impl AddAssign<Span> for Time {
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

impl Sub<Span> for Time {
    type Output = Time;
    fn sub(self, span: Span) -> Time {
        Time(self.0.saturating_sub(span.0))
    }
}

impl Sub for Time {
    type Output = Span;
    fn sub(self, earlier: Time) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0.saturating_add(other.0))
    }
}

impl Mul<i64> for Span {
    type Output = Span;
    fn mul(self, factor: i64) -> Span {
        Span(self.0.saturating_mul(factor))
    }
}

impl Div<i64> for Span {
    type Output = Span;
    fn div(self, divisor: i64) -> Span {
        Span(self.0 / divisor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_instants_read_and_print() {
        for (text, secs) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T12:34:56Z", 951_827_696),
            ("2026-11-15T21:55:03Z", 1_794_779_703),
            ("1969-12-31T23:59:59Z", -1),
            ("2100-03-01T00:00:00Z", 4_107_542_400),
        ] {
            assert_eq!(Time::parse_rfc3339(text), Ok(Time::from_secs(secs)), "{text}");
            assert_eq!(Time::from_secs(secs).to_rfc3339_secs(), text);
        }
        assert_eq!(Time::parse_timestamp14("20261115215503"), Ok(Time::from_secs(1_794_779_703)));
        assert_eq!(Time::from_millis(1_794_779_703_042).to_timestamp17(), "20261115215503042");
        assert_eq!(Time::from_secs(951_827_696).day_of_month(), 29);
    }

    #[test]
    fn partial_dates_and_zones_read() {
        let noon = Time::parse_rfc3339("2026-11-15T12:00:00Z");
        assert_eq!(Time::parse_rfc3339("2026-11-15T13:00+01:00"), noon);
        assert_eq!(Time::parse_rfc3339("2026-11-15 07:00:00.000-0500"), noon);
        assert_eq!(Time::parse_rfc3339("2026-11"), Time::parse_rfc3339("2026-11-01"));
        assert_eq!(Time::parse_rfc3339("2026-11-15T12:00:00.5Z").map(|t| t.as_millis() % 1000), Ok(500));
        assert_eq!(Time::parse_timestamp14("2026"), Time::parse_rfc3339("2026"));
        for bad in ["", "abcd", "2026-13-01", "2026-11-15T25:99", "2026-11-15T12:00:00Zx", "2026-11-15T12"] {
            assert_eq!(Time::parse_rfc3339(bad), Err(ParseTimeError), "{bad}");
        }
    }

    #[test]
    fn a_time_that_cannot_be_written_is_not_read() {
        for bad in ["9999-12-31T23:58-00:02", "9999-12-31T24:00", "9999-12-31T23:59:60Z", "0000-01-01T00:00+00:01"] {
            assert_eq!(Time::parse_rfc3339(bad), Err(ParseTimeError), "{bad}");
        }
        assert_eq!(Time::parse_timestamp14("99991231240000"), Err(ParseTimeError));
        for good in ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"] {
            assert_eq!(Time::parse_rfc3339(good).map(Time::to_rfc3339).as_deref(), Ok(good));
        }
    }

    #[test]
    fn every_day_of_four_centuries_round_trips() {
        for day in (-150_000..150_000).step_by(7) {
            let time = Time(day * DAY_MS);
            if time.fields()[0] >= 1600 {
                assert_eq!(Time::parse_rfc3339(&time.to_rfc3339()), Ok(time));
            }
        }
    }
}
