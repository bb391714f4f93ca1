use super::*;
use crate::directory::{
    Literal,
    brute::{Case, case, chain_of, site},
};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn mined(case: &Case, thresholds: &Thresholds) -> Vec<Rule> {
    mine_all(&case.shape, &case.bitmaps, case.within(), thresholds)
}

fn chains_of(rules: &[Rule]) -> BTreeSet<Vec<DirectoryId>> {
    rules.iter().map(chain_of).collect()
}

const THRESHOLDS: Thresholds = Thresholds::new(0.5, Some(0.5), 0.6);

proptest! {
    #[test]
    fn nothing_mined_is_subsumed(case in case()) {
        let chains = case.chains();
        for rule in mined(&case, &case.thresholds) {
            let chain = chain_of(&rule);
            prop_assert!(case.is_rule(&chain), "{:?}", rule);
            prop_assert!(!case.is_head_subsumed(&chain, &chains), "{:?}", rule);
            prop_assert!(!case.is_tail_subsumed(&chain, &chains), "{:?}", rule);
        }
    }

    #[test]
    fn everything_that_is_not_subsumed_is_mined(case in case()) {
        let chains = case.chains();
        let expected = chains.iter().filter(|chain| {
            case.is_rule(chain) && !case.is_head_subsumed(chain, &chains) && !case.is_within_a_tail(chain, &chains)
        });
        prop_assert_eq!(chains_of(&mined(&case, &case.thresholds)), expected.cloned().collect::<BTreeSet<_>>());
    }

    #[test]
    fn the_rules_of_one_directory_are_those_of_all_that_begin_with_it(case in case()) {
        let one_by_one = case.directories().flat_map(|start| {
            mine(&case.shape, &case.bitmaps, case.within(), start, &case.thresholds)
        });
        prop_assert_eq!(one_by_one.collect::<Vec<_>>(), mined(&case, &case.thresholds));
    }

    #[test]
    fn without_a_threshold_the_first_that_yields_a_rule_holds(case in case(), strict in any::<bool>()) {
        let literal = Literal { strict, ..Literal::default() };
        let automatic = Thresholds { correlation_max: None, literal, ..case.thresholds };
        for start in case.directories() {
            let with = |correlation_max| {
                let thresholds = Thresholds { correlation_max, ..automatic };
                mine(&case.shape, &case.bitmaps, case.within(), start, &thresholds)
            };
            let first = [0.5, 0.45, 0.4, 0.35].into_iter().map(|wanted| with(Some(wanted))).find(|rules| !rules.is_empty());
            prop_assert_eq!(with(None), first.unwrap_or_default());
        }
    }

    #[test]
    fn patterns_are_the_chains_that_leave_out_nothing_they_could_have(case in case()) {
        let chains = case.chains();
        for start in case.directories() {
            let found = patterns(&case.shape, &case.bitmaps, case.within(), start, &case.thresholds);
            let found: BTreeSet<_> = found.into_iter().map(|pattern| pattern.directories).collect();
            let expected = chains.iter().filter(|chain| {
                chain[0] == start && case.is_pattern(chain) && !case.is_head_subsumed(chain, &chains)
            });
            prop_assert_eq!(found, expected.cloned().collect::<BTreeSet<_>>());
        }
    }
}

#[test]
fn a_rule_says_what_it_was_learned_from() {
    let (shape, bitmaps) = site(&["/a"], &[&["/"], &["/"], &["/", "/a"], &["/a"], &[], &["/"]]);
    let rules = mine_all(&shape, &bitmaps, 0..6, &Thresholds { correlation_max: Some(0.2), ..THRESHOLDS });
    let [rule] = rules.as_slice() else { panic!("{rules:?}") };
    assert_eq!((rule.transitions, rule.head_changed, rule.tail_changed, rule.together), (6, 4, 2, 1));
    assert_eq!(rule.confidence, 0.75);
    assert!((rule.correlation + 0.25).abs() < 1e-12);
}

#[test]
fn what_always_or_never_changes_has_no_rule() {
    let (shape, bitmaps) = site(&["/never", "/always/x"], &[&["/", "/always"], &["/always", "/always/x"]]);
    let rules = mine_all(&shape, &bitmaps, 0..2, &Thresholds { confidence_min: 0.0, ..THRESHOLDS });
    let named: Vec<_> = rules.iter().map(|rule| shape.path(rule.tail)).collect();
    assert_eq!(named, ["/always/x"]);
}

#[test]
fn a_window_without_transitions_has_no_rules() {
    let (shape, bitmaps) = site(&["/a"], &[&["/"], &["/a"]]);
    assert_eq!(mine_all(&shape, &bitmaps, 0..2, &THRESHOLDS).len(), 1);
    let reversed = std::ops::Range { start: 2, end: 1 };
    for within in [0..0, 2..9, 7..8, reversed] {
        assert_eq!(mine_all(&shape, &bitmaps, within, &Thresholds { frequency_of_change_min: 0.0, ..THRESHOLDS }), []);
    }
}

#[test]
fn by_the_letter_siblings_leak_into_heads() {
    let transitions: &[&[&str]] = &[&["/", "/a"], &["/", "/a"], &["/", "/b"], &["/b"]];
    let (shape, bitmaps) = site(&["/a", "/b"], transitions);
    let leaking = Literal { leaking_siblings: true, ..Literal::default() };
    let heads = |literal| {
        let thresholds = Thresholds { literal, confidence_min: 0.5, ..THRESHOLDS };
        let rules = mine(&shape, &bitmaps, 0..4, DirectoryId::ROOT, &thresholds);
        rules.iter().map(|rule| rule.head.len()).collect::<Vec<_>>()
    };
    assert_eq!(heads(Literal::default()), [1]);
    assert_eq!(heads(leaking), [2]);
}

#[test]
fn by_the_letter_nobody_looks_below_a_child_without_a_rule() {
    let transitions: &[&[&str]] = &[&["/"], &["/", "/a"], &["/"], &["/a/b"]];
    let (shape, bitmaps) = site(&["/a/b"], transitions);
    let rules = |literal| {
        let rules = mine(&shape, &bitmaps, 0..4, DirectoryId::ROOT, &Thresholds { literal, ..THRESHOLDS });
        rules.iter().map(|rule| shape.path(rule.tail)).collect::<Vec<_>>()
    };
    assert_eq!(rules(Literal::default()), ["/a/b"]);
    assert_eq!(rules(Literal { no_descent: true, ..Literal::default() }), Vec::<String>::new());
}

#[test]
fn by_the_letter_the_correlation_wanted_is_not_enough_and_tried_once() {
    let (shape, bitmaps) = site(&["/a"], &[&["/"], &["/"], &["/a"], &["/a"]]);
    let count = |correlation_max, literal| {
        mine_all(&shape, &bitmaps, 0..4, &Thresholds { correlation_max, literal, ..THRESHOLDS }).len()
    };
    let (strict, one_try) =
        (Literal { strict: true, ..Literal::default() }, Literal { one_try: true, ..Literal::default() });
    assert_eq!(count(Some(1.0), Literal::default()), 1);
    assert_eq!(count(Some(1.0), strict), 0);
    assert_eq!(count(Some(0.3), Literal::default()), 1);
    assert_eq!(count(Some(0.3), one_try), 0);
    assert_eq!(count(None, one_try), 1);
}
