//! The numbers of the NEAR-Miner paper that measure what a capture skipped: N13, by definition and as printed.

use super::Item;
use serde_json::Value;
use tintype_quality::Bypass;

fn counted(inputs: &Value) -> Bypass {
    let number = |name: &str| inputs[name].as_u64().expect("all inputs are counts");
    Bypass {
        skipped: number("Ns"),
        fetched: number("Nm"),
        changes: number("Ct"),
        skipped_insertions: number("C1s"),
        skipped_deletions: number("C2s"),
        skipped_modifications: number("C3s"),
    }
}

fn agree(item: &Item, expected: &Value, computed: [f64; 4]) {
    for (name, computed) in ["BR", "OP", "OR", "CR"].into_iter().zip(computed) {
        let expected = expected[name].as_f64().expect("a ratio");
        assert!((computed - expected).abs() <= item.tolerance, "{} {name}: {computed}, not {expected}", item.id);
    }
}

#[test]
fn counters_give_the_ratios_by_definition_and_as_printed() {
    let items = super::items(include_str!("../golden/near.json"));
    let [item] = &items[..] else { panic!("one item: {items:?}") };
    assert_eq!((item.function.as_str(), item.status.as_str()), ("near.metrics", "corrected"));
    let bypass = counted(&item.inputs);
    let (br, or) = (bypass.bypass_ratio(), bypass.overall_recall());
    agree(item, &item.expected, [br, bypass.overall_precision(), or, bypass.change_recall()]);
    let printed = item.paper_prints.as_ref().expect("the paper prints other numbers");
    agree(item, printed, [br, bypass.printed_overall_precision(), or, bypass.printed_change_recall()]);
}
