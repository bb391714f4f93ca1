//! How one list becomes another: the fewest items that come and go, and the longest part that keeps its order.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Insertions and deletions looked for before a stretch is called replaced.
pub const EDITS_MAX: usize = 128;
/// Steps of the search; long lists are given fewer edits.
const STEPS_MAX: usize = 4_000_000;

/// Items of a list that gave way to others. They are joined by the separator of their kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Hunk {
    /// How many items of the old list stand before.
    pub at: u32,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub removed: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub inserted: String,
}

/// Which stretches of the old list are replaced by which of the new one, in order.
pub(super) fn edits<T: PartialEq>(old: &[T], new: &[T]) -> Vec<(Range<usize>, Range<usize>)> {
    let start = common(old.iter(), new.iter());
    let end = common(old[start..].iter().rev(), new[start..].iter().rev());
    let (old, new) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    if old.is_empty() && new.is_empty() {
        return Vec::new();
    }
    let whole = || vec![(0..old.len(), 0..new.len())];
    let found = if old.is_empty() || new.is_empty() { whole() } else { shortest(old, new).unwrap_or_else(whole) };
    let shift = |range: Range<usize>| range.start + start..range.end + start;
    found.into_iter().map(|(removed, inserted)| (shift(removed), shift(inserted))).collect()
}

/// How many items two lists have in common before they differ.
fn common<T: PartialEq>(one: impl Iterator<Item = T>, two: impl Iterator<Item = T>) -> usize {
    one.zip(two).take_while(|(left, right)| left == right).count()
}

/// Myers' greedy search: for every number of edits the furthest place reachable on each diagonal.
fn shortest<T: PartialEq>(old: &[T], new: &[T]) -> Option<Vec<(Range<usize>, Range<usize>)>> {
    let edits_max = EDITS_MAX.min(STEPS_MAX / (old.len() + new.len())).min(old.len() + new.len());
    let middle = edits_max + 1;
    let mut furthest = vec![0usize; 2 * middle + 1];
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    for round in 0..=edits_max {
        for diagonal in (middle - round..=middle + round).step_by(2) {
            let down = takes_down(&furthest, diagonal, middle, round);
            let mut x = if down { furthest[diagonal + 1] } else { furthest[diagonal - 1] + 1 };
            // Off the lower edge nothing is left to compare, and the diagonal leads nowhere.
            let Some(mut y) = (x + middle).checked_sub(diagonal) else { continue };
            while x < old.len() && y < new.len() && old[x] == new[y] {
                (x, y) = (x + 1, y + 1);
            }
            furthest[diagonal] = x;
            if x >= old.len() && y >= new.len() {
                return Some(trace(&rounds, round, diagonal, [old.len(), new.len()], middle));
            }
        }
        rounds.push(furthest[middle - round..=middle + round].to_vec());
    }
    None
}

/// Whether a diagonal is best reached from the one above, by an insertion.
fn takes_down(furthest: &[usize], diagonal: usize, middle: usize, round: usize) -> bool {
    diagonal == middle - round || diagonal != middle + round && furthest[diagonal - 1] < furthest[diagonal + 1]
}

/// Walks the rounds back from the end and gathers neighbouring edits.
fn trace(
    rounds: &[Vec<usize>],
    last: usize,
    mut diagonal: usize,
    [mut x, mut y]: [usize; 2],
    middle: usize,
) -> Vec<(Range<usize>, Range<usize>)> {
    let mut found: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for round in (1..=last).rev() {
        let before = &rounds[round - 1];
        let at = |diagonal: usize| before[diagonal - (middle - (round - 1))];
        let lowest = middle - (round - 1);
        let highest = middle + (round - 1);
        let down = diagonal == middle - round
            || diagonal != middle + round && {
                let left = if diagonal > lowest { at(diagonal - 1) } else { 0 };
                let above = if diagonal < highest { at(diagonal + 1) } else { 0 };
                left < above
            };
        diagonal = if down { diagonal + 1 } else { diagonal - 1 };
        let from_x = at(diagonal);
        let from_y = from_x + middle - diagonal;
        let end = if down { [from_x, from_y + 1] } else { [from_x + 1, from_y] };
        debug_assert!(end[0] <= x && end[1] <= y);
        match found.last_mut() {
            Some((removed, inserted)) if removed.start == end[0] && inserted.start == end[1] => {
                (removed.start, inserted.start) = (from_x, from_y);
            }
            _ => found.push((from_x..end[0], from_y..end[1])),
        }
        (x, y) = (from_x, from_y);
    }
    found.reverse();
    found
}

/// Which of the numbers form a longest increasing sequence.
pub(super) fn in_order(numbers: &[u32]) -> Vec<bool> {
    // For each length the place of the smallest number a sequence of that length ends with.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![usize::MAX; numbers.len()];
    for (at, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|end| numbers[*end] < *number);
        if length > 0 {
            before[at] = ends[length - 1];
        }
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut chosen = vec![false; numbers.len()];
    let mut at = ends.last().copied().unwrap_or(usize::MAX);
    while at != usize::MAX {
        chosen[at] = true;
        at = before[at];
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn patch(old: &[u8], new: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut at = 0;
        for (removed, inserted) in edits(old, new) {
            out.extend_from_slice(&old[at..removed.start]);
            out.extend_from_slice(&new[inserted]);
            at = removed.end;
        }
        out.extend_from_slice(&old[at..]);
        out
    }

    #[test]
    fn the_fewest_items_come_and_go() {
        assert_eq!(edits(b"same", b"same"), []);
        assert_eq!(edits(b"", b"new"), [(0..0, 0..3)]);
        assert_eq!(edits(b"abcabba", b"abcxbba"), [(3..4, 3..4)]);
        assert_eq!(edits(b"axbycz", b"abc"), [(1..2, 1..1), (3..4, 2..2), (5..6, 3..3)]);
        let count = edits(b"ABCABBA", b"CBABAC").iter().map(|(old, new)| old.len() + new.len()).sum::<usize>();
        assert_eq!(count, 5);
    }

    #[test]
    fn lists_without_anything_in_common_are_replaced_as_a_whole() {
        let (old, new): (Vec<u32>, Vec<u32>) = ((0..5_000).collect(), (5_000..9_000).collect());
        assert_eq!(edits(&old, &new), [(0..5_000, 0..4_000)]);
    }

    #[test]
    fn the_longest_part_keeps_its_order() {
        assert_eq!(in_order(&[3, 0, 1, 2]), [false, true, true, true]);
        assert_eq!(in_order(&[0, 1, 4, 2, 3]), [true, true, false, true, true]);
        assert_eq!(in_order(&[]), [false; 0]);
    }

    proptest! {
        #[test]
        fn edits_lead_from_one_list_to_the_other(
            old in prop::collection::vec(0u8..4, 0..60),
            new in prop::collection::vec(0u8..4, 0..60),
        ) {
            prop_assert_eq!(patch(&old, &new), new);
        }
    }
}
