//! The heaviest versions that can be seen.

use super::born;
use crate::{Truth, window::Window};
use tintype_vocab::Time;

/// The largest share of the weight of versions born in `[from, to)` that visits at `slots` (in order of time) can see.
///
/// Sets of versions that can all be seen form a transversal matroid, so adding versions in any order, and dropping the
/// lightest of the circuit whenever one closes, ends with the heaviest set. In order of falling birth the circuit is
/// plain: the versions that end by the first moment by which more would have to be seen than there are slots.
/// O((V + S) log (V + S)).
pub fn weighted_completeness(truth: &Truth, from: Time, to: Time, slots: &[Time]) -> f64 {
    let window = Window::new(from, to);
    let mut versions = born(truth, window);
    if versions.iter().all(|version| version.weight == 0.0) {
        versions.iter_mut().for_each(|version| version.weight = 1.0);
    }
    let all: f64 = versions.iter().map(|version| f64::from(version.weight)).sum();
    let slots = window.slots(slots);
    let place = |time: Time| slots.partition_point(|&slot| slot < time);
    let jobs = versions.iter().map(|version| Job {
        first: place(version.from),
        end: place(version.until),
        weight: version.weight,
    });
    let jobs: Vec<Job> = jobs.filter(|job| job.first < job.end).collect();
    if versions.is_empty() { 1.0 } else { heaviest(jobs, slots.len()) / all }
}

/// The same where every page counts by its weight ω(P), however much happens on it (Definition 4).
pub fn archive_completeness(
    truth: &Truth,
    from: Time,
    to: Time,
    slots: &[Time],
    page_weight: impl Fn(usize) -> f64,
) -> f64 {
    weighted_completeness(&truth.page_by_page(from, to, page_weight), from, to, slots)
}

/// A version, alive at the slots `first..end`.
#[derive(Clone, Copy)]
struct Job {
    first: usize,
    end: usize,
    weight: f32,
}

fn heaviest(mut jobs: Vec<Job>, slots: usize) -> f64 {
    jobs.sort_unstable_by_key(|job| job.end);
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_unstable_by_key(|&number| std::cmp::Reverse(jobs[number].first));
    let mut spare = Spare::new(slots);
    let mut kept = Lightest::new(jobs.len());
    let mut open = slots;
    for number in order {
        let job = jobs[number];
        (job.first..open).for_each(|slot| spare.add(slot, 1));
        open = job.first;
        spare.add(job.end - 1, -1);
        kept.set(number, job.weight);
        if let Some(slot) = spare.first_shortage() {
            let circuit = jobs.partition_point(|job| job.end <= slot + 1);
            let lightest = kept.lightest(circuit);
            kept.set(lightest, f32::INFINITY);
            spare.add(jobs[lightest].end - 1, 1);
        }
    }
    kept.total()
}

/// Slots open so far minus versions that end by them, summed from the first slot on: where a sum is below zero, the
/// versions that end there need more slots than there are. A segment tree; node 1 is the root.
struct Spare {
    leaves: usize,
    /// Of the slots below a node: the sum, and the smallest sum of a beginning.
    nodes: Vec<(i32, i32)>,
}

impl Spare {
    fn new(slots: usize) -> Spare {
        let leaves = slots.next_power_of_two();
        Spare { leaves, nodes: vec![(0, 0); 2 * leaves] }
    }

    fn add(&mut self, slot: usize, amount: i32) {
        let mut node = self.leaves + slot;
        let sum = self.nodes[node].0 + amount;
        self.nodes[node] = (sum, sum);
        while node > 1 {
            node /= 2;
            let (left, right) = (self.nodes[2 * node], self.nodes[2 * node + 1]);
            self.nodes[node] = (left.0 + right.0, left.1.min(left.0 + right.1));
        }
    }

    fn first_shortage(&self) -> Option<usize> {
        if self.nodes[1].1 >= 0 {
            return None;
        }
        let (mut node, mut before) = (1, 0);
        while node < self.leaves {
            node *= 2;
            if before + self.nodes[node].1 >= 0 {
                before += self.nodes[node].0;
                node += 1;
            }
        }
        Some(node - self.leaves)
    }
}

/// The weights of the versions kept, infinite for the others, under a tree of the smaller one of two.
struct Lightest {
    leaves: usize,
    nodes: Vec<f32>,
}

impl Lightest {
    fn new(versions: usize) -> Lightest {
        // One more, so that a beginning is never the whole tree.
        let leaves = (versions + 1).next_power_of_two();
        Lightest { leaves, nodes: vec![f32::INFINITY; 2 * leaves] }
    }

    fn set(&mut self, version: usize, weight: f32) {
        let mut node = self.leaves + version;
        self.nodes[node] = weight;
        while node > 1 {
            node /= 2;
            self.nodes[node] = self.nodes[2 * node].min(self.nodes[2 * node + 1]);
        }
    }

    /// The lightest of the first `count` versions.
    fn lightest(&self, count: usize) -> usize {
        let mut best = self.leaves;
        let mut end = self.leaves + count;
        while end > 1 {
            if end % 2 == 1 && self.nodes[end - 1] <= self.nodes[best] {
                best = end - 1;
            }
            end /= 2;
        }
        while best < self.leaves {
            best *= 2;
            if self.nodes[best + 1] < self.nodes[best] {
                best += 1;
            }
        }
        best - self.leaves
    }

    fn total(&self) -> f64 {
        self.nodes[self.leaves..].iter().filter(|weight| weight.is_finite()).map(|&weight| f64::from(weight)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Version, judge, oracle,
        trial::{self, at, close},
    };
    use proptest::prelude::*;

    /// Adding versions from the heaviest on, each if all can still be seen by earliest deadline first: the matroid greedy.
    fn greedily(versions: &[Version], slots: &[Time]) -> f64 {
        let mut order: Vec<Version> = versions.to_vec();
        order.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let mut kept = Truth::default();
        let mut total = 0.0;
        for version in order {
            let mut more = kept.clone();
            more.push_page([version]);
            if oracle::completeness(&more, at(4), at(20), slots) == more.pages() {
                kept = more;
                total += f64::from(version.weight);
            }
        }
        total
    }

    proptest! {
        #[test]
        fn the_greedy_of_the_matroid_finds_the_same(truth in trial::truths(12, 9), slots in trial::slots(20)) {
            let born = born(&truth, Window::new(at(4), at(20)));
            let all: f64 = born.iter().map(|version| f64::from(version.weight)).sum();
            prop_assume!(all > 0.0);
            let share = weighted_completeness(&truth, at(4), at(20), &slots);
            prop_assert!(close(share, greedily(&born, &slots) / all));
        }

        #[test]
        fn no_plan_is_better_page_by_page_and_one_is_as_good(truth in trial::truths(3, 5), slots in trial::slots(5)) {
            let weight = |page: usize| [1.0, 2.0, 5.0][page];
            let most = archive_completeness(&truth, at(4), at(20), &slots, weight);
            let value = |plan: Vec<_>| {
                let pages = crate::page_completeness(&truth, at(4), at(20), &plan);
                crate::archive_completeness(&pages, weight)
            };
            let best = trial::plans(&truth, &slots).map(value).fold(0.0, f64::max);
            prop_assert!((most - best).abs() < 1e-5, "{} is {}", most, best);
        }

        #[test]
        fn no_plan_sees_more_weight_and_one_sees_as_much(truth in trial::truths(3, 6), slots in trial::slots(5)) {
            let most = weighted_completeness(&truth, at(4), at(20), &slots);
            let best = trial::best(&truth, at(4), at(20), &slots, |score| score.weighted_completeness);
            prop_assert!(close(most, best), "{most} is {best}");
        }

        #[test]
        fn equal_weights_give_the_number_of_versions(truth in trial::truths(20, 9), slots in trial::slots(30)) {
            let mut even = Truth::default();
            for page in 0..truth.pages() {
                even.push_page(truth.page(page).iter().map(|version| Version { weight: 2.0, ..*version }));
            }
            let versions = judge(&even, at(4), at(20), &[]).versions as f64;
            prop_assume!(versions > 0.0);
            let share = oracle::completeness(&even, at(4), at(20), &slots) as f64 / versions;
            prop_assert!(close(weighted_completeness(&even, at(4), at(20), &slots), share));
        }
    }
}
