//! The numbers of the paper on media types (M01–M11), recomputed and corrected, and Table 2 as printed.

use crate::golden::{is_close, number, numbers};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tintype_learn::media::{
    Parts,
    statistical::{confidence, decide, estimate},
};

/// Of a content type, by measure and threshold, the per cent of seven rounds.
type Printed = BTreeMap<String, Vec<f64>>;
const COLUMNS: [&str; 4] = ["precision 0.5", "recall 0.5", "precision 0.7", "recall 0.7"];

#[derive(Deserialize)]
struct Fixture {
    table2: BTreeMap<String, Printed>,
    items: Vec<Value>,
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn gain(printed: &Printed) -> f64 {
    mean(&printed[COLUMNS[2]]) - mean(&printed[COLUMNS[0]])
}

fn by_type(table: &BTreeMap<String, Printed>, of: impl Fn(&Printed) -> Value) -> Value {
    Value::Object(table.iter().map(|(name, printed)| (name.clone(), of(printed))).collect())
}

fn least(printed: &Printed) -> Value {
    COLUMNS.iter().map(|column| printed[*column].iter().copied().fold(f64::INFINITY, f64::min)).collect()
}

/// What the rules of the example decide. Its pairs are of the top-level domain.
fn decided(inputs: &Value) -> Value {
    let parts = Parts::of(inputs["uri"].as_str().unwrap());
    let rule = |kind: &str, feature: String| inputs["rules"][kind][feature].as_f64();
    let extension: Vec<f64> =
        parts.extension().and_then(|extension| rule("E", extension.to_owned())).into_iter().collect();
    let tokens: Vec<f64> = parts.tokens().filter_map(|token| rule("T", token.to_owned())).collect();
    let pair = |token: &str| rule("DT", format!("{}+{token}", parts.top_level()));
    let pairs: Vec<f64> = parts.tokens().filter_map(pair).collect();
    json!(decide([("E", extension), ("T", tokens), ("DT", pairs)]))
}

fn compute(item: &Value, table: &BTreeMap<String, Printed>) -> Value {
    let inputs = &item["inputs"];
    match item["fn"].as_str().unwrap() {
        "media.estimate" => {
            let [occurrences, worth, confidence, prior] = numbers(inputs, ["v", "m", "R", "C"]);
            json!(estimate(occurrences, worth, confidence, prior))
        }
        "media.confidence" => {
            let [together, feature] = numbers(inputs, ["both", "a"]);
            json!(confidence(together as u32, feature as u32))
        }
        "media.features" => {
            let parts = Parts::of(inputs["uri"].as_str().unwrap());
            json!({
                "D_host": parts.host(),
                "D_tld": parts.top_level(),
                "T": parts.tokens().collect::<Vec<_>>(),
                "F": parts.file(),
                "E": parts.extension(),
            })
        }
        "media.decide" => decided(inputs),
        "media.speedup" => {
            let [ours, theirs] = numbers(inputs, ["ours", "theirs"]);
            json!(ours / theirs)
        }
        "media.table2_min" => by_type(table, least),
        "media.table2_gain" => by_type(table, |printed| json!(gain(printed))),
        "media.table2_gain_mean" => {
            let gains: Vec<f64> = table.values().map(gain).collect();
            let before: Vec<f64> = table.values().map(|printed| mean(&printed[COLUMNS[0]])).collect();
            json!(100.0 * mean(&gains) / mean(&before))
        }
        "media.folds" => {
            let [folds, fold, last] = numbers(inputs, ["folds", "fold", "last"]);
            json!(folds * fold + last)
        }
        other => panic!("nobody computes {other}"),
    }
}

#[test]
fn numbers_of_the_paper_come_out() {
    let fixture: Fixture = serde_json::from_str(include_str!("../golden/media.json")).unwrap();
    assert_eq!(fixture.items.len(), 11);
    for item in &fixture.items {
        let computed = compute(item, &fixture.table2);
        assert!(is_close(&computed, &item["expected"], number(&item["tolerance"])), "{item}: {computed}");
    }
}
