//! Amounts as people read them.

/// `12.3 kB`.
pub fn bytes(count: u64) -> String {
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
pub fn counted(count: u64, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_print_for_people() {
        assert_eq!([bytes(0), bytes(999), bytes(12_345), bytes(3_000_000_000)], ["0 B", "999 B", "12.3 kB", "3.0 GB"]);
        assert_eq!((counted(1, "page"), counted(2, "page")), ("1 page".into(), "2 pages".into()));
    }
}
