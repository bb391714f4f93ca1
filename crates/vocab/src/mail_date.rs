//! Dates as mail, HTTP headers and RSS write them.

use crate::{Span, Time};

impl Time {
    /// `Tue, 10 Jun 2003 04:00:00 GMT` (RFC 822, IMF-fixdate), weekday, seconds and zone optional.
    pub fn parse_mail_date(text: &str) -> Option<Time> {
        rfc822(text)
    }

    /// `Tue, 10 Jun 2003 04:00:00 GMT`, the form of HTTP headers; parts of a second are dropped.
    pub fn to_mail_date(self) -> String {
        let days = self.as_secs().div_euclid(86_400);
        let weekday = WEEKDAYS[(days + 3).rem_euclid(7) as usize];
        let stamp = self.to_timestamp14();
        let (date, clock) = stamp.split_at(stamp.len() - 6);
        let (month_day, year) = (&date[date.len() - 4..], &date[..date.len() - 4]);
        let month = MONTHS[month_day[..2].parse::<usize>().map_or(0, |month| month - 1)];
        let (first, rest) = month.split_at(1);
        let day = &month_day[2..];
        let month = format!("{}{rest}", first.to_ascii_uppercase());
        format!("{weekday}, {day} {month} {year} {}:{}:{} GMT", &clock[..2], &clock[2..4], &clock[4..])
    }
}

const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

fn rfc822(text: &str) -> Option<Time> {
    let text = text.split_once(',').map_or(text, |(_, date)| date);
    let mut words = text.split_ascii_whitespace();
    let day: u32 = words.next()?.parse().ok()?;
    let month = words.next()?.get(..3)?.to_ascii_lowercase();
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let year = full_year(words.next()?)?;
    let mut clock = words.next().unwrap_or("00:00").split(':');
    let mut number = || clock.next().unwrap_or("0").parse::<u32>().ok();
    let (hour, minute, second) = (number()?, number()?, number()?);
    let local = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z");
    let east = words.next().map_or(Some(0), minutes_east)?;
    Some(Time::parse_rfc3339(&local).ok()? + Span::from_secs(-60 * east))
}

fn full_year(text: &str) -> Option<u32> {
    let year: u32 = text.parse().ok()?;
    match year {
        0..=69 => Some(2000 + year),
        70..=99 => Some(1900 + year),
        _ => Some(year),
    }
}

/// How far a zone's clock is ahead of UTC.
fn minutes_east(zone: &str) -> Option<i64> {
    let american = |name: &str| ["E", "C", "M", "P"].iter().position(|first| name.starts_with(first));
    match zone.to_ascii_uppercase().as_str() {
        "GMT" | "UT" | "UTC" | "Z" => Some(0),
        name @ ("EST" | "CST" | "MST" | "PST") => Some(-60 * (5 + american(name)? as i64)),
        name @ ("EDT" | "CDT" | "MDT" | "PDT") => Some(-60 * (4 + american(name)? as i64)),
        offset => {
            let (sign, digits) = match offset.split_at_checked(1)? {
                ("+", digits) => (1, digits.replace(':', "")),
                ("-", digits) => (-1, digits.replace(':', "")),
                _ => return None,
            };
            let number: i64 = digits.parse().ok().filter(|_| digits.len() == 4)?;
            Some(sign * (number / 100 * 60 + number % 100))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_of_a_header_reads() {
        let date = Time::parse_mail_date("Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(date, Time::parse_rfc3339("1994-11-06T08:49:37Z").ok());
        assert_eq!(date.unwrap().to_mail_date(), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(Time::parse_mail_date("0"), None);
        for day in (-30_000..30_000).step_by(7) {
            let time = Time::from_secs(day * 86_400 + day);
            assert_eq!(Time::parse_mail_date(&time.to_mail_date()), Some(time));
        }
    }
}
