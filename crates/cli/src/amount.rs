//! Amounts as people type and read them.

use tintype_plan::Budget;
pub(crate) use tintype_vocab::amount::{bytes, counted};
use tintype_vocab::{Span, Time};

/// `500`, `2GB`, or both as `500,2GB`: requests and bytes.
pub(crate) fn parse_budget(text: &str) -> Result<Budget, String> {
    let mut budget = Budget::default();
    for part in text.split(',').map(str::trim) {
        let is_said_twice = match part.parse::<u64>() {
            Ok(requests) => budget.requests.replace(requests).is_some(),
            // One and a half is no number of requests, and nobody means bytes.
            Err(_) if !part.contains(|c: char| c.is_ascii_alphabetic()) => return Err(no_amount(part)),
            Err(_) => budget.bytes.replace(parse_bytes(part)?).is_some(),
        };
        if is_said_twice {
            return Err(no_amount(text));
        }
    }
    Ok(budget)
}

/// `200/day`, `1GB/day` or both as `200/day,1GB/day`: requests and bytes.
pub(crate) fn parse_per_day(text: &str) -> Result<Budget, String> {
    let wrong = || format!("{text} is not an amount per day: write 200/day, 1GB/day or 200/day,1GB/day");
    let parts = text.split(',').map(|part| part.trim().strip_suffix("/day").ok_or_else(wrong));
    let amounts = parts.collect::<Result<Vec<_>, _>>()?.join(",");
    let budget = parse_budget(&amounts).map_err(|_| wrong())?;
    if budget.is_spent() {
        return Err(format!("{text} allows nothing: write 200/day, or leave it out to spend what politeness allows"));
    }
    Ok(budget)
}

/// As [`parse_per_day`] reads it.
pub(crate) fn per_day_text(budget: Budget) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB"), (1, "B")];
    let amount = |bytes: u64| {
        let (factor, unit) = units.into_iter().find(|(factor, _)| bytes.is_multiple_of(*factor)).unwrap_or((1, "B"));
        format!("{}{unit}/day", bytes / factor)
    };
    let requests = budget.requests.map(|requests| format!("{requests}/day"));
    requests.into_iter().chain(budget.bytes.map(amount)).collect::<Vec<_>>().join(",")
}

/// `10MB`, `1.5GiB`, `800k`.
pub(crate) fn parse_bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("{unit} is not a unit of size: use kB, MB, GB or KiB, MiB, GiB")),
    };
    match number.trim().parse::<f64>() {
        Ok(number) if number >= 0.0 && number.is_finite() => Ok((number * factor) as u64),
        _ => Err(no_amount(text)),
    }
}

fn no_amount(text: &str) -> String {
    format!("{text} is not an amount: write 500, 10MB or 500,10MB")
}

/// `0`, `2`, `1.5`, `300ms`, `2min`: seconds unless a unit says otherwise.
pub(crate) fn parse_span(text: &str) -> Result<Span, String> {
    let text = text.trim();
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let millis = match unit {
        "ms" => 1.0,
        "" | "s" => 1e3,
        "m" | "min" => 60e3,
        "h" => 3600e3,
        "d" => 86_400e3,
        "w" => 7.0 * 86_400e3,
        _ => return Err(format!("{unit} is not a unit of time: use ms, s, min, h, d or w")),
    };
    match number.trim().parse::<f64>() {
        Ok(number) if (0.0..1e9).contains(&number) => Ok(Span::from_millis((number * millis) as i64)),
        _ => Err(format!("{text} is not a time: write 2, 1.5s, 300ms or 2min")),
    }
}

/// Unix seconds or RFC 3339, whole or in part: `2026-11-15` is its midnight, `2026` its new year.
pub(crate) fn parse_time(text: &str) -> Result<Time, String> {
    let date = || Time::parse_rfc3339(text).map_err(|_| "write unix seconds or 2026-11-15T21:55:03Z".to_owned());
    match text.parse::<i64>() {
        // Nobody means the first hours of 1970.
        Ok(seconds) if !(1000..10_000).contains(&seconds) => Ok(Time::from_secs(seconds)),
        _ => date(),
    }
}

/// A moment, or how long it is ago: `2d`, `36h`.
pub(crate) fn parse_moment(text: &str, now: Time) -> Result<Time, String> {
    let back = || parse_span(text).ok().filter(|_| text.ends_with(|c: char| c.is_ascii_alphabetic()));
    parse_time(text).or_else(|_| {
        let problem =
            format!("{text} is not a moment: write 2d, 36h, 2026-11-15, 2026-11-15T21:55:03Z or unix seconds");
        back().map(|span| now - span).ok_or(problem)
    })
}

/// A share of something: a number from 0 to 1.
pub(crate) fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write a share from 0 to 1, such as 0.05".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_as_people_write_them() {
        assert_eq!(parse_budget("500"), Ok(Budget { requests: Some(500), bytes: None }));
        assert_eq!(parse_budget("500, 1.5MB"), Ok(Budget { requests: Some(500), bytes: Some(1_500_000) }));
        assert_eq!(parse_bytes("2KiB"), Ok(2048));
        assert!(["1.5", "500,600", "1MB,2MB", "", "5,", "-1"].iter().all(|bad| parse_budget(bad).is_err()));
        assert!(parse_budget("many").is_err() && parse_bytes("3 parsecs").is_err() && parse_bytes("-1MB").is_err());
        let per_day = |text: &str| parse_per_day(text).map(|budget| (budget.requests, budget.bytes));
        assert_eq!([per_day("200/day"), per_day(" 5 /day")], [Ok((Some(200), None)), Ok((Some(5), None))]);
        assert_eq!(per_day("200/day, 2GB/day"), Ok((Some(200), Some(2_000_000_000))));
        assert!(["200", "0/day", "-1/day", "5/week", "/day"].iter().all(|bad| parse_per_day(bad).is_err()));
        for text in ["200/day", "3GB/day", "7/day,1500MB/day", "1B/day"] {
            assert_eq!(parse_per_day(text).map(per_day_text).as_deref(), Ok(text));
        }
        assert_eq!(parse_span("0"), Ok(Span::ZERO));
        assert_eq!(parse_span("300ms"), Ok(Span::from_millis(300)));
        assert_eq!(parse_span("1.5"), Ok(Span::from_millis(1500)));
        for four in ["4m", "4min"] {
            assert_eq!(parse_span(four), Ok(Span::from_secs(240)));
        }
        assert!(parse_span("soon").is_err() && parse_span("-2").is_err());
    }

    #[test]
    fn moments_are_seconds_dates_or_a_while_ago() {
        let noon = Time::from_secs(1_620_043_200);
        assert_eq!([parse_time("1620043200"), parse_time("2021-05-03T12:00:00Z")], [Ok(noon), Ok(noon)]);
        assert_eq!(parse_time("2021"), parse_time("2021-01-01T00:00:00Z"));
        assert_eq!(parse_moment("2d", noon), Ok(noon - Span::from_days(2)));
        assert_eq!(parse_moment("1w", noon), Ok(noon - Span::from_days(7)));
        assert_eq!(parse_moment("2021-05-03", noon), parse_time("2021-05-03T00:00:00Z"));
        for bad in ["yesterday", "", "-3d", "2x", "2021-13-01"] {
            assert!(parse_time(bad).is_err() && parse_moment(bad, noon).is_err(), "{bad}");
        }
    }
}
