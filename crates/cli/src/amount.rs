//! Amounts as people type and read them.

use tintype_plan::Budget;
use tintype_vocab::Span;

/// `500`, `2GB`, or both as `500,2GB`: requests and bytes.
pub(crate) fn parse_budget(text: &str) -> Result<Budget, String> {
    let mut budget = Budget::default();
    for part in text.split(',') {
        match part.trim().parse::<u64>() {
            Ok(requests) => budget.requests = Some(requests),
            Err(_) => budget.bytes = Some(parse_bytes(part)?),
        }
    }
    Ok(budget)
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
        _ => Err(format!("{text} is not an amount: write 500, 10MB or 500,10MB")),
    }
}

/// `0`, `2`, `1.5`, `300ms`, `2min`: seconds unless a unit says otherwise.
pub(crate) fn parse_span(text: &str) -> Result<Span, String> {
    let text = text.trim();
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let millis = match unit {
        "ms" => 1.0,
        "" | "s" => 1e3,
        "min" => 60e3,
        "h" => 3600e3,
        "d" => 86_400e3,
        _ => return Err(format!("{unit} is not a unit of time: use ms, s, min, h or d")),
    };
    match number.trim().parse::<f64>() {
        Ok(number) if (0.0..1e9).contains(&number) => Ok(Span::from_millis((number * millis) as i64)),
        _ => Err(format!("{text} is not a time: write 2, 1.5s, 300ms or 2min")),
    }
}

/// `12.3 kB`.
pub(crate) fn bytes(count: u64) -> String {
    let mut value = count as f64;
    for unit in ["B", "kB", "MB", "GB"] {
        if value < 1000.0 {
            return if unit == "B" { format!("{count} B") } else { format!("{value:.1} {unit}") };
        }
        value /= 1000.0;
    }
    format!("{value:.1} TB")
}

/// `1 page`, `2 pages`.
pub(crate) fn counted(count: u64, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_as_people_write_them() {
        assert_eq!(parse_budget("500"), Ok(Budget { requests: Some(500), bytes: None }));
        assert_eq!(parse_budget("500, 1.5MB"), Ok(Budget { requests: Some(500), bytes: Some(1_500_000) }));
        assert_eq!(parse_bytes("2KiB"), Ok(2048));
        assert!(parse_budget("many").is_err() && parse_bytes("3 parsecs").is_err() && parse_bytes("-1MB").is_err());
        assert_eq!(parse_span("0"), Ok(Span::ZERO));
        assert_eq!(parse_span("300ms"), Ok(Span::from_millis(300)));
        assert_eq!(parse_span("1.5"), Ok(Span::from_millis(1500)));
        assert!(parse_span("soon").is_err() && parse_span("-2").is_err());
    }

    #[test]
    fn amounts_print_for_people() {
        assert_eq!([bytes(0), bytes(999), bytes(12_345), bytes(3_000_000_000)], ["0 B", "999 B", "12.3 kB", "3.0 GB"]);
        assert_eq!((counted(1, "page"), counted(2, "page")), ("1 page".into(), "2 pages".into()));
    }
}
