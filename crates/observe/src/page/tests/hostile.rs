//! Pages made to be hard to read.

use crate::{
    Described,
    html::Syntax,
    page::{ATOMS_MAX, DEPTH_MAX, Delta, Difference, Hooks, Mismatch, Operation, Segmented, compare},
};
use proptest::prelude::*;

fn between(old: &[u8], new: &[u8]) -> Difference {
    let described = Described { content_type: Some("text/html"), ..Described::default() };
    compare((&described, old), (&described, new), &Hooks::default()).unwrap()
}

fn of(html: &str) -> Segmented {
    Segmented::of(html, Syntax::Html)
}

#[test]
fn a_hundred_thousand_nested_boxes_are_read() {
    for tag in ["<div>", "<ul><li>", "<table><tr><td>", "<section><h1>", "<p>x<div>x", "</div>", "<div hidden>"] {
        let page = format!("{}<p>end", tag.repeat(100_000));
        let segmented = of(&page);
        let deepest = segmented.layout.blocks().map(|block| block.shape().depth).max();
        assert!(deepest.is_none_or(|depth| usize::from(depth) <= DEPTH_MAX + 1), "{tag}");
        assert!(segmented.layout.len() <= 3 * ATOMS_MAX, "{tag}");
    }
}

#[test]
fn a_ten_mebibyte_line_is_compared() {
    let line = format!("{}{}", "a".repeat(5 << 20), " bcdefghijklmnopqrstuvwxyz".repeat((5 << 20) / 26));
    assert!(between(line.as_bytes(), b"short").importance > 0.4);
}

#[test]
fn more_blocks_than_anybody_reads_are_cut() {
    let page = |word: &str| (0..3 * ATOMS_MAX).map(|n| format!("<p>{word} {}", n % 7)).collect::<String>();
    assert_eq!(of(&page("x")).layout.len(), ATOMS_MAX);
    assert!(between(page("x").as_bytes(), page("y").as_bytes()).importance > 0.3);
}

#[test]
fn a_foreign_delta_is_refused() {
    let [one, two, other] = ["<p>a b<p>c", "<p>a x<p>d<p>c", "<p>z<p>c y"].map(of);
    let delta = super::round_trip::delta(&one, &two);
    assert_eq!(delta.apply(&two.layout), Err(Mismatch));
    assert_eq!(delta.apply(&other.layout), Err(Mismatch));
    for operation in [
        Operation::Move { from: 0, to: 7, count: 1 },
        Operation::Move { from: 1, to: 0, count: u32::MAX },
        Operation::Move { from: 0, to: u32::MAX, count: 2 },
    ] {
        assert_eq!(Delta { operations: vec![operation] }.apply(&one.layout), Err(Mismatch));
    }
}

proptest! {
    #[test]
    fn any_bytes_are_compared(
        old in prop::collection::vec(any::<u8>(), 0..300),
        new in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let difference = between(&old, &new);
        prop_assert!((0.0..=1.0).contains(&difference.importance));
    }
}
