//! Numbers that were computed elsewhere, against ours.

use serde_json::Value;

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

pub(crate) fn numbers<const N: usize>(inputs: &Value, names: [&str; N]) -> [f64; N] {
    names.map(|name| number(&inputs[name]))
}

/// Equal, but for the rounding of numbers.
pub(crate) fn is_close(computed: &Value, expected: &Value, tolerance: f64) -> bool {
    match (computed, expected) {
        (Value::Number(_), Value::Number(_)) => (number(computed) - number(expected)).abs() <= tolerance,
        (Value::Array(ones), Value::Array(others)) => {
            let mut pairs = ones.iter().zip(others);
            ones.len() == others.len() && pairs.all(|(one, other)| is_close(one, other, tolerance))
        }
        (Value::Object(ones), Value::Object(others)) => {
            let close = |(name, other)| ones.get(name).is_some_and(|one| is_close(one, other, tolerance));
            ones.len() == others.len() && others.iter().all(close)
        }
        (one, other) => one == other,
    }
}
