//! Numbers on a line in so many groups, with the least spread within them: k-means, but the best there is.

use std::ops::Range;

/// Spreads that differ by less than this share are the same but for rounding; of these the later cut is taken.
const TIE: f64 = 1e-9;

/// Numbers in ascending order, cut into `count` groups so that the weighted squared distances from their groups' means are
/// least.
///
/// In one dimension groups are stretches, so that the best cuts into k follow from the best cuts of every beginning into
/// k − 1.
pub fn clusters(sorted: &[f64], weights: &[f64], count: usize) -> Vec<Range<usize>> {
    let all = sorted.len();
    let count = count.min(all);
    let sums = Sums::of(sorted, weights);
    // The least spread of each beginning, and where its last group starts, for each number of groups.
    let mut least: Vec<f64> = (0..=all).map(|end| sums.spread(0..end)).collect();
    let mut starts: Vec<Vec<usize>> = Vec::new();
    for groups in 2..=count {
        let mut next = vec![f64::INFINITY; all + 1];
        let mut start = vec![0; all + 1];
        for end in groups..=all {
            for cut in groups - 1..end {
                let spread = least[cut] + sums.spread(cut..end);
                if spread <= next[end] + TIE * least[end] {
                    (next[end], start[end]) = (spread.min(next[end]), cut);
                }
            }
        }
        least = next;
        starts.push(start);
    }
    let mut groups = Vec::new();
    let mut end = all;
    for start in starts.iter().rev() {
        groups.push(start[end]..end);
        end = start[end];
    }
    if end > 0 {
        groups.push(0..end);
    }
    groups.reverse();
    groups
}

/// The squared distances of numbers from their mean.
pub fn within(numbers: &[f64]) -> f64 {
    let mean = numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
    numbers.iter().map(|number| (number - mean).powi(2)).sum()
}

/// Sums over every beginning: weights, weighted numbers and their squares.
struct Sums(Vec<[f64; 3]>);

impl Sums {
    fn of(numbers: &[f64], weights: &[f64]) -> Sums {
        // Far from zero the squares would swallow the differences.
        let middle = numbers.get(numbers.len() / 2).copied().unwrap_or(0.0);
        let mut sums = vec![[0.0; 3]];
        let mut sum = [0.0; 3];
        for (number, weight) in numbers.iter().map(|number| number - middle).zip(weights) {
            sum = [sum[0] + weight, sum[1] + weight * number, sum[2] + weight * number * number];
            sums.push(sum);
        }
        Sums(sums)
    }

    fn spread(&self, range: Range<usize>) -> f64 {
        let [weight, sum, squares] = [0, 1, 2].map(|at| self.0[range.end][at] - self.0[range.start][at]);
        if weight > 0.0 { (squares - sum * sum / weight).max(0.0) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spread(sorted: &[f64], groups: &[Range<usize>]) -> f64 {
        groups.iter().map(|group| within(&sorted[group.clone()])).sum()
    }

    /// The least spread over all ways to cut.
    fn brute(sorted: &[f64], count: usize) -> f64 {
        let cut = |first: usize| within(&sorted[..first]) + brute(&sorted[first..], count - 1);
        match count {
            1 => within(sorted),
            _ => (1..=sorted.len() + 1 - count).map(cut).fold(f64::INFINITY, f64::min),
        }
    }

    #[test]
    fn heavy_numbers_draw_their_groups() {
        let sorted = [0.0, 1.0, 2.0];
        assert_eq!(clusters(&sorted, &[1.0, 1.0, 100.0], 2), [0..2, 2..3]);
        assert_eq!(clusters(&sorted, &[100.0, 1.0, 1.0], 2), [0..1, 1..3]);
    }

    #[test]
    fn there_are_no_more_groups_than_numbers() {
        assert_eq!(clusters(&[1.0, 2.0], &[1.0, 1.0], 5), [0..1, 1..2]);
        assert_eq!(clusters(&[], &[], 3), []);
    }

    proptest! {
        #[test]
        fn no_other_cut_is_better(mut numbers in prop::collection::vec(-10.0f64..10.0, 1..9), count in 1usize..5) {
            numbers.sort_by(f64::total_cmp);
            let count = count.min(numbers.len());
            let groups = clusters(&numbers, &vec![1.0; numbers.len()], count);
            prop_assert_eq!(groups.len(), count);
            prop_assert_eq!(groups.iter().map(|group| group.len()).sum::<usize>(), numbers.len());
            prop_assert!(groups.iter().all(|group| !group.is_empty()));
            prop_assert!((spread(&numbers, &groups) - brute(&numbers, count)).abs() < 1e-6);
        }
    }
}
