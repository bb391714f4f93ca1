use super::*;
use crate::directory::brute::{Case, case, chain_of, site};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn found(case: &Case, start: DirectoryId, by: Subsumed) -> BTreeSet<Vec<DirectoryId>> {
    let rules = mine_subsumed(&case.shape, &case.bitmaps, case.within(), start, &case.thresholds, by);
    rules.iter().map(chain_of).collect()
}

proptest! {
    #[test]
    fn tails_are_subsumed_by_a_mined_rule_and_no_pattern(case in case()) {
        let chains = case.chains();
        for start in case.directories() {
            let mined = crate::directory::mine(&case.shape, &case.bitmaps, case.within(), start, &case.thresholds);
            let expected = chains.iter().filter(|chain| {
                let (tail, head) = chain.split_last().unwrap();
                let subsumes = |rule: &Rule| rule.head == head && case.contains(rule.tail, *tail);
                case.is_rule(chain) && !case.is_head_subsumed(chain, &chains) && mined.iter().any(subsumes)
            });
            prop_assert_eq!(found(&case, start, Subsumed::Tail), expected.cloned().collect());
        }
    }

    #[test]
    fn heads_of_one_directory_are_subsumed_by_a_pattern_and_no_rule(case in case()) {
        let chains = case.chains();
        for start in case.directories() {
            let expected = chains.iter().filter(|chain| {
                chain.len() == 2 && chain[0] == start && case.is_rule(chain)
                    && case.is_head_subsumed(chain, &chains) && !case.is_tail_subsumed(chain, &chains)
            });
            prop_assert_eq!(found(&case, start, Subsumed::Head), expected.cloned().collect());
        }
    }
}

#[test]
fn tails_past_a_pattern_are_left_out() {
    let once: &[&str] = &["/", "/a/b"];
    let again: &[&str] = &["/a", "/a/b/c", "/a/d"];
    let (shape, bitmaps) = site(&["/a/b/c", "/a/d"], &[once, once, again, again]);
    let thresholds = Thresholds::new(0.5, Some(0.5), 0.6);
    let found = |by| {
        let rules = mine_subsumed(&shape, &bitmaps, 0..4, DirectoryId::ROOT, &thresholds, by);
        rules.iter().map(|rule| shape.path(rule.tail)).collect::<Vec<_>>()
    };
    assert_eq!(found(Subsumed::Tail), ["/a/d"]);
    assert_eq!(found(Subsumed::Head), Vec::<String>::new());
}
