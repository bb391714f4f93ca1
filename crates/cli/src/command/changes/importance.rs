//! Importance as people say and type it.

/// Cells of the bar beside it.
const CELLS: usize = 8;

/// A number from 0 to 1.
pub(super) fn parse_importance(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| format!("{text} is not an importance: write a number from 0 to 1, such as 0.2"))
}

/// `███░░░░░`: its square root, so that little changes are told apart as well.
pub(super) fn bar(importance: f64) -> String {
    let full = (importance.clamp(0.0, 1.0).sqrt() * CELLS as f64).round() as usize;
    format!("{}{}", "█".repeat(full), "░".repeat(CELLS - full))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn importance_is_a_number_and_a_bar() {
        assert_eq!(parse_importance("0.25"), Ok(0.25));
        for bad in ["", "much", "-0.1", "1.5", "NaN"] {
            assert!(parse_importance(bad).is_err(), "{bad}");
        }
        assert_eq!([bar(0.0), bar(0.25), bar(1.0)], ["░░░░░░░░", "████░░░░", "████████"]);
    }
}
