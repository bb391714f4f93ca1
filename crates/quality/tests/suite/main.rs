//! The papers' numbers, recomputed and corrected, against our measures.

use serde::Deserialize;
use serde_json::Value;

mod golden_near;
mod golden_patterns;
mod golden_sharc;

/// One checked number, and what it is made from.
#[derive(Debug, Deserialize)]
struct Item {
    id: String,
    #[serde(rename = "fn")]
    function: String,
    inputs: Value,
    expected: Value,
    tolerance: f64,
    status: String,
    /// What the paper has instead, where it is wrong.
    paper_prints: Option<Value>,
}

/// The items of a fixture.
fn items(fixture: &str) -> Vec<Item> {
    serde_json::from_str(fixture).expect("the fixture is a list of items")
}

/// All numbers in a value, however deep.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(values) => values.iter().flat_map(numbers).collect(),
        value => value.as_f64().into_iter().collect(),
    }
}
