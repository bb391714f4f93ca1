//! Numbers as a reader expects them on paper.

/// From here on, and below its inverse, a number is written with a power of ten.
const PLAIN_BELOW: f64 = 1e6;
const PLAIN_STEP_FROM: f64 = 1e-5;
/// More digits than these tell a reader nothing.
const MAX_DECIMALS: i32 = 10;

/// `value` on an axis whose neighbouring ticks lie `step` apart and whose largest tick is `largest`, so that all ticks
/// of one axis are written alike.
pub(crate) fn tick(value: f64, step: f64, largest: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0".to_owned();
    }
    let exponent = decade(largest.abs().max(step));
    if largest.abs() < PLAIN_BELOW && step >= PLAIN_STEP_FROM {
        return plain(value, -decade(step));
    }
    let mantissa = value / 10f64.powi(exponent);
    format!("{}×{}", plain(mantissa, exponent - decade(step)), power_of_ten(exponent))
}

/// A few values side by side, all with as many decimals as give the largest three significant digits.
pub(crate) fn beside(value: f64, largest: f64) -> String {
    tick(value, 10f64.powi(decade(largest.abs().max(1e-290)) - 2), largest)
}

/// `10⁻³`.
pub(crate) fn power_of_ten(exponent: i32) -> String {
    let superscript = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    format!("10{}", exponent.to_string().chars().map(superscript).collect::<String>())
}

/// The power of ten at or below a positive number; rounding noise of a nice number does not push it down.
pub(crate) fn decade(value: f64) -> i32 {
    (value.log10() + 1e-9).floor() as i32
}

fn plain(value: f64, decimals: i32) -> String {
    let decimals = decimals.clamp(0, MAX_DECIMALS) as usize;
    let digits = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let sign = if value < 0.0 && digits.bytes().any(|b| matches!(b, b'1'..=b'9')) { "−" } else { "" };
    format!("{sign}{}{fraction}", thousands(whole))
}

fn thousands(whole: &str) -> String {
    let mut out = String::new();
    for (index, digit) in whole.char_indices() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) && whole.len() > 4 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_of_one_axis_are_written_alike() {
        assert_eq!(tick(0.5, 0.25, 1.0), "0.5");
        assert_eq!(tick(0.2, 0.2, 1.0), "0.2");
        assert_eq!(tick(1.0, 0.05, 1.0), "1.00");
        assert_eq!(tick(-30.0, 10.0, 50.0), "−30");
        assert_eq!(tick(20_000.0, 10_000.0, 50_000.0), "20,000");
        assert_eq!(tick(2000.0, 500.0, 3000.0), "2000");
        assert_eq!(tick(2.5e7, 5e6, 3e7), "2.5×10⁷");
        assert_eq!(tick(3e-9, 1e-9, 4e-9), "3×10⁻⁹");
    }

    #[test]
    fn values_beside_each_other_have_three_digits_at_the_largest() {
        assert_eq!(beside(0.5, 0.976), "0.500");
        assert_eq!(beside(12.34, 80.0), "12.3");
        assert_eq!(beside(1234.0, 80_000.0), "1234");
        assert_eq!(beside(0.0, 0.0), "0");
    }
}
