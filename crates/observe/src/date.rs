//! Dates as feeds write them.

use tintype_vocab::{Span, Time};

/// RFC 3339 as Atom has it, or RFC 822 as RSS has it, with the usual liberties.
pub(crate) fn parse(text: &str) -> Option<Time> {
    Time::parse_rfc3339(text).ok().or_else(|| rfc822(text))
}

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// `Tue, 10 Jun 2003 04:00:00 GMT`, weekday, seconds and zone optional.
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
    fn dates_of_all_feeds_read() {
        let expected = Time::parse_rfc3339("2003-06-10T04:00:00Z").ok();
        for text in [
            "2003-06-10T04:00:00Z",
            "Tue, 10 Jun 2003 04:00:00 GMT",
            "10 June 2003 04:00",
            "Tue, 10 Jun 03 06:00:00 +0200",
            "Tue, 10 Jun 2003 00:00:00 EDT",
            "Mon, 09 Jun 2003 20:00:00 PST",
            " Tue, 10 Jun 2003 04:00:00 +00:00 ",
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
        for text in [
            "",
            "yesterday",
            "Tue, 10 Foo 2003",
            "99 Jun 2003",
            "10 Jun 2003 04:00 XYZ",
            "10 Jun 2003 04:00 +é",
            "1 é 2",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
