//! The numbers of the NEAR-Miner paper that are mined: examples 1 to 6, its undefined cases and its schedule.
//!
//! Figure 2 is lost; four versions that give all degrees of change printed in the examples stand for it.

use crate::golden::{is_close, number, numbers};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tintype_learn::directory::{
    Bitmaps, DirectoryDelta, DirectoryTree, Strength, Thresholds, Unseen, Weighing, confidence, correlation, mine,
    mine_all, skipped,
};

#[derive(Deserialize)]
struct Fixture {
    versions: Vec<BTreeMap<String, u64>>,
    /// There in every version, whatever is in them.
    directories: Vec<String>,
    /// Each with its name, the function it checks, and what goes in and comes out.
    items: Vec<Value>,
}

struct Site {
    tree: DirectoryTree,
    deltas: Vec<DirectoryDelta>,
    directories: Vec<String>,
}

impl Site {
    fn of(fixture: &Fixture) -> Site {
        let (mut tree, mut deltas) = (DirectoryTree::default(), Vec::new());
        for version in &fixture.versions {
            fixture.directories.iter().for_each(|path| assert!(tree.see_directory(path).is_some()));
            version.iter().for_each(|(path, content)| assert!(tree.see(path, *content).is_some()));
            deltas.extend(tree.close(Unseen::Gone));
        }
        Site { tree, deltas, directories: fixture.directories.clone() }
    }

    fn degrees(&self, path: &str) -> Vec<f64> {
        let directory = self.tree.shape().find_directory(path).unwrap();
        self.deltas.iter().map(|delta| delta.degree(directory, Weighing::Count)).collect()
    }

    fn bitmaps(&self, degree_of_change_min: f64) -> Bitmaps {
        let mut bitmaps = Bitmaps::default();
        self.deltas.iter().for_each(|delta| bitmaps.append(delta, degree_of_change_min, Weighing::Count));
        bitmaps
    }

    /// The bits of every directory, named as in the fixture.
    fn bits(&self, degree_of_change_min: f64) -> Value {
        let bitmaps = self.bitmaps(degree_of_change_min);
        let bits = |path: &String| {
            let directory = self.tree.shape().find_directory(path).unwrap();
            let name = if path.is_empty() { "/" } else { path };
            (name.to_owned(), json!(bitmaps.get(directory).map(u8::from).collect::<Vec<_>>()))
        };
        Value::Object(self.directories.iter().map(bits).collect())
    }

    fn rules(&self, inputs: &Value) -> Value {
        let bitmaps = self.bitmaps(number(&inputs["alpha"]));
        let [beta, gamma, theta] = numbers(inputs, ["beta", "gamma", "theta"]);
        let thresholds = Thresholds::new(beta, Some(gamma), theta);
        let shape = self.tree.shape();
        let root = shape.find_directory(inputs["root"].as_str().unwrap()).unwrap();
        let rules = mine(shape, &bitmaps, 0..bitmaps.transitions(), root, &thresholds);
        let name = |directory| shape.path(directory).trim_start_matches('/').to_owned();
        let named = |head: &[_], tail| json!([head.iter().map(|one| name(*one)).collect::<Vec<_>>(), name(tail)]);
        rules.iter().map(|rule| named(&rule.head, rule.tail)).collect()
    }
}

fn compute(site: &Site, function: &str, inputs: &Value) -> Value {
    match function {
        "near.doc" => {
            let degrees = site.degrees(inputs["dir"].as_str().unwrap());
            inputs["transition"].as_u64().map_or_else(|| json!(degrees), |nth| json!(degrees[nth as usize - 1]))
        }
        "near.bitmap" => site.bits(number(&inputs["alpha"])),
        "near.foc" => {
            let shape = site.tree.shape();
            let both = ["/b", "/b/g"].map(|path| shape.find_directory(path).unwrap());
            let bitmaps = site.bitmaps(0.5);
            let bits = both.map(|directory| bitmaps.get(directory).map(u8::from).collect::<Vec<_>>());
            assert_eq!(json!(bits), inputs["bitmaps"]);
            json!(bitmaps.frequency(&both, 0..3))
        }
        "near.coc" if inputs["cases"].is_array() => {
            let of = |case: &Value| correlation(1.0, number(&case[0]), number(&case[1]), number(&case[2]));
            inputs["cases"].as_array().unwrap().iter().map(of).collect()
        }
        "near.coc" => {
            let [head, tail, both] = numbers(inputs, ["foc_x", "foc_y", "foc_xy"]);
            json!(correlation(1.0, head, tail, both))
        }
        "near.conf" => {
            let [head, both] = numbers(inputs, ["foc_x", "foc_xy"]);
            json!([head, confidence(head, both)])
        }
        "near.mine" => site.rules(inputs),
        "near.phi" => {
            let [transitions, both, head, tail] = numbers(inputs, ["M", "f11", "f1p", "fp1"]);
            let shares = [head, tail, both].map(|count| count / transitions);
            json!([correlation(transitions, head, tail, both), correlation(1.0, shares[0], shares[1], shares[2])])
        }
        "near.gamma_schedule" => json!(Thresholds::new(0.1, None, 0.1).correlations()),
        "near.cohen" => {
            let share = |strength: Strength| f64::from(strength.hundredths()) / 100.0;
            let [strong, moderate, weak] = [Strength::Strong, Strength::Moderate, Strength::Weak].map(share);
            json!({ "strong": strong, "moderate": moderate, "weak": weak })
        }
        other => panic!("nobody computes {other}"),
    }
}

fn fixture() -> Fixture {
    serde_json::from_str(include_str!("../golden/near.json")).expect("the fixture is readable")
}

#[test]
fn every_number_is_computed() {
    let fixture = fixture();
    let site = Site::of(&fixture);
    assert_eq!(fixture.items.len(), 14);
    for item in &fixture.items {
        let computed = compute(&site, item["fn"].as_str().unwrap(), &item["inputs"]);
        let tolerance = number(&item["tolerance"]);
        assert!(is_close(&computed, &item["expected"], tolerance), "{item}: {computed}");
    }
}

#[test]
fn the_rule_of_the_examples_is_what_warm_skips_by() {
    let site = Site::of(&fixture());
    let bitmaps = site.bitmaps(0.5);
    let thresholds = Thresholds::new(0.6, Some(0.5), 0.6);
    let shape = site.tree.shape();
    let rules = mine_all(shape, &bitmaps, 0..3, &thresholds);
    let root = shape.find_directory("/").unwrap();
    let skipped: Vec<_> = skipped(shape, &rules, root).into_iter().map(|(one, rule)| (shape.path(one), rule)).collect();
    assert_eq!(skipped, [("/b/f".to_owned(), 0)]);
    let rule = &rules[0];
    assert_eq!((rule.transitions, rule.head_changed, rule.tail_changed, rule.together), (3, 2, 1, 0));
}
