use super::*;
use crate::directory::{brute::case, mine, mine_all};
use proptest::prelude::*;

fn shape(paths: &[&str]) -> DirectoryShape {
    let mut shape = DirectoryShape::default();
    paths.iter().for_each(|path| assert!(shape.directory(path).is_some()));
    shape
}

fn rule(shape: &DirectoryShape, head: &[&str], tail: &str) -> Rule {
    let find = |path: &str| shape.find_directory(path).unwrap();
    Rule {
        head: head.iter().map(|path| find(path)).collect(),
        tail: find(tail),
        transitions: 4,
        head_changed: 2,
        tail_changed: 2,
        together: 0,
        correlation: -1.0,
        confidence: 1.0,
    }
}

fn paths(shape: &DirectoryShape, skipped: Vec<(DirectoryId, usize)>) -> Vec<(String, usize)> {
    skipped.into_iter().map(|(directory, rule)| (shape.path(directory), rule)).collect()
}

fn named(path: &str, rule: usize) -> (String, usize) {
    (path.to_owned(), rule)
}

proptest! {
    #[test]
    fn every_rule_mined_for_the_target_is_used_once(case in case()) {
        let all = mine_all(&case.shape, &case.bitmaps, case.within(), &case.thresholds);
        for target in case.directories() {
            let rules = mine(&case.shape, &case.bitmaps, case.within(), target, &case.thresholds);
            let mut used: Vec<_> = skipped(&case.shape, &all, target).into_iter().map(|(_, rule)| &all[rule]).collect();
            used.sort_by_key(|rule| rule.tail);
            let mut expected: Vec<_> = rules.iter().collect();
            expected.sort_by_key(|rule| rule.tail);
            prop_assert_eq!(used, expected);
        }
    }
}

#[test]
fn heads_of_any_length_are_followed() {
    let shape = shape(&["/a/b/c", "/a/b/d", "/e"]);
    let rules = [rule(&shape, &["/", "/a", "/a/b"], "/a/b/c"), rule(&shape, &["/"], "/e")];
    let expected = vec![named("/a/b/c", 0), named("/e", 1)];
    assert_eq!(paths(&shape, skipped(&shape, &rules, DirectoryId::ROOT)), expected);
    assert_eq!(paths(&shape, skipped_as_printed(&shape, &rules, DirectoryId::ROOT)), [named("/e", 1)]);
}

#[test]
fn siblings_do_not_see_what_was_gone_through_in_each_other() {
    let shape = shape(&["/a/b", "/c"]);
    let rules = [rule(&shape, &["/", "/a"], "/a/b"), rule(&shape, &["/"], "/c")];
    let expected = vec![named("/a/b", 0), named("/c", 1)];
    assert_eq!(paths(&shape, skipped(&shape, &rules, DirectoryId::ROOT)), expected);
    assert_eq!(paths(&shape, skipped_as_printed(&shape, &rules, DirectoryId::ROOT)), [named("/a/b", 0)]);
}

#[test]
fn rules_that_begin_elsewhere_are_not_used() {
    let shape = shape(&["/a/b"]);
    let rules = [rule(&shape, &["/a"], "/a/b")];
    assert_eq!(skipped(&shape, &rules, DirectoryId::ROOT), []);
    let target = shape.find_directory("/a").unwrap();
    assert_eq!(paths(&shape, skipped(&shape, &rules, target)), [named("/a/b", 0)]);
}

#[test]
fn nothing_below_a_skipped_directory_is_skipped_once_more() {
    let shape = shape(&["/a/b"]);
    let rules = [rule(&shape, &["/"], "/a"), rule(&shape, &["/"], "/a/b")];
    assert_eq!(paths(&shape, skipped(&shape, &rules, DirectoryId::ROOT)), [named("/a", 0)]);
}
