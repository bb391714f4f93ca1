//! Which objects leave faster than others, by their attributes: groups that deserve a schedule of their own.
//!
//! One attribute is cut into groups as in the paper, categories of like rates together and one group more at a time, until a
//! test says stop ([`groups_of`]); several attributes make a [`PartitionTree`]. Rates are exponential, ends per day watched: what is
//! asked is who leaves faster, not at which age ([`crate::life`]). Read [`Judge`] first.

mod category;
mod evidence;
mod means;
mod pearson;
mod tree;

pub use category::{Category, categories};
pub use evidence::{PartitionEvidence, likelihood_ratio};
pub use means::{clusters, within};
pub use pearson::Stretches;
pub use tree::{Condition, Leaf, PartitionTree, Rules};

use crate::distribution::chi_square_tail;
use evidence::dispersion;
use serde::Serialize;

/// More groups of one attribute than this nobody would tell apart.
const GROUPS_MAX: usize = 24;

/// Who says whether one more group is worth it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judge {
    /// More groups, as long as categories that share one differ by more than chance: the likelihood ratio between all of them
    /// apart and the groups so far, at this level. Nothing is looked for twice, so that categories which are alike are cut at
    /// all no more often than that, however many cuts were thought of.
    LikelihoodRatio { level: f64 },
    /// The paper's: more groups, as long as Pearson's statistic falls by more than this. It may also rise.
    Pearson { drop_min: f64 },
}

impl Judge {
    /// As the paper has it: one split in five of what is alike.
    pub const FAITHFUL: Judge = Judge::Pearson { drop_min: 1.5 };
    /// As the paper means it: one in twenty, if the statistic were what it is taken for.
    pub const PEARSON: Judge = Judge::Pearson { drop_min: 3.841_458_820_694_124 };
}

impl Default for Judge {
    fn default() -> Judge {
        Judge::LikelihoodRatio { level: 0.05 }
    }
}

/// Groups that were looked at.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartitionStep {
    /// Categories by number, the slowest first.
    pub groups: Vec<Vec<usize>>,
    /// Twice by how much the logarithm of the likelihood rose since the step before.
    pub likelihood_ratio: f64,
    /// The chance that categories which are alike within the groups of the step before differ as much.
    pub chance: f64,
    /// Pearson's statistic, where life spans were counted.
    pub pearson: f64,
    pub accepted: bool,
}

/// One group, then two, until the judge has enough; the last step may be one that was not accepted.
pub fn groups_of(categories: &[Category], judge: Judge) -> Vec<PartitionStep> {
    let mut order: Vec<usize> = (0..categories.len()).filter(|at| categories[*at].evidence.ended > 0).collect();
    order.sort_by(|one, other| rate(&categories[*one]).total_cmp(&rate(&categories[*other])));
    let rates: Vec<f64> = order.iter().map(|at| rate(&categories[*at])).collect();
    // Of few lives a rate is hardly known.
    let weights: Vec<f64> = order.iter().map(|at| categories[*at].evidence.lives as f64).collect();
    let mut steps: Vec<PartitionStep> = Vec::new();
    for count in 1..=order.len().min(GROUPS_MAX) {
        let cut = clusters(&rates, &weights, count);
        let groups: Vec<Vec<usize>> = cut.into_iter().map(|range| order[range].to_vec()).collect();
        let step = looked_at(categories, groups, steps.last(), judge);
        let accepted = step.accepted;
        steps.push(step);
        if !accepted {
            break;
        }
    }
    steps
}

fn rate(category: &Category) -> f64 {
    category.evidence.rate_per_day()
}

fn looked_at(
    categories: &[Category],
    groups: Vec<Vec<usize>>,
    before: Option<&PartitionStep>,
    judge: Judge,
) -> PartitionStep {
    let merged = |groups: &[Vec<usize>]| -> Vec<Category> {
        groups.iter().map(|group| category::merged(categories, group)).collect()
    };
    let evidence =
        |merged: &[Category]| -> Vec<PartitionEvidence> { merged.iter().map(|category| category.evidence).collect() };
    let now = merged(&groups);
    let pearson = pearson::statistic(&now);
    let Some(before) = before else {
        return PartitionStep { groups, likelihood_ratio: 0.0, chance: 1.0, pearson, accepted: true };
    };
    let coarse = evidence(&merged(&before.groups));
    let apart: Vec<PartitionEvidence> = before.groups.iter().flatten().map(|at| categories[*at].evidence).collect();
    let chance = chance_of_difference(&coarse, &apart);
    let accepted = match judge {
        Judge::LikelihoodRatio { level } => chance < level,
        Judge::Pearson { drop_min } => before.pearson - pearson > drop_min,
    };
    PartitionStep { groups, likelihood_ratio: likelihood_ratio(&coarse, &evidence(&now)), chance, pearson, accepted }
}

/// The chance that parts of these wholes differ as much as they do if they are alike within them.
///
/// Lives are rarely exponential; the ratio is measured by how much they really vary.
fn chance_of_difference(wholes: &[PartitionEvidence], parts: &[PartitionEvidence]) -> f64 {
    let freedom = parts.len().saturating_sub(wholes.len());
    if freedom == 0 {
        return 1.0;
    }
    chi_square_tail(likelihood_ratio(wholes, parts) / dispersion(parts), freedom as u32)
}

#[cfg(test)]
mod trial;

#[cfg(test)]
mod tests {
    use super::{trial::Trial, *};
    use crate::life::Watched;

    fn categories_of(lives: &[(String, Watched)]) -> Vec<Category> {
        categories(lives.iter().map(|(name, life)| (name.as_str(), *life)), 1, &Stretches::default())
    }

    fn named(categories: &[Category], step: &PartitionStep) -> Vec<Vec<String>> {
        let names = |group: &Vec<usize>| {
            let mut names: Vec<String> = group.iter().flat_map(|at| categories[*at].names.clone()).collect();
            names.sort();
            names
        };
        step.groups.iter().map(names).collect()
    }

    #[test]
    fn planted_groups_are_found() {
        let lives = Trial::new(1).lives(&[("a", 0.02), ("b", 0.02), ("c", 0.05), ("d", 0.05), ("e", 0.12)], 600, 1.0);
        let categories = categories_of(&lives);
        let steps = groups_of(&categories, Judge::default());
        let found = steps.iter().rfind(|step| step.accepted).unwrap();
        assert_eq!(named(&categories, found), [vec!["a", "b"], vec!["c", "d"], vec!["e"]]);
    }

    /// How often lives that know no attribute are cut, at five per cent.
    fn false_cuts(shape: f64) -> usize {
        let cut = |seed: u32| {
            let lives =
                Trial::new(seed).lives(&[("a", 0.05), ("b", 0.05), ("c", 0.05), ("d", 0.05), ("e", 0.05)], 150, shape);
            groups_of(&categories_of(&lives), Judge::default())[1].accepted
        };
        (0..300).filter(|seed| cut(*seed)).count()
    }

    #[test]
    fn what_is_alike_is_cut_as_rarely_as_stated() {
        // 15 of 300 are stated; four standard deviations are 15.
        for shape in [1.0, 0.5, 3.0] {
            let cuts = false_cuts(shape);
            assert!((3..=30).contains(&cuts), "{cuts} of 300 for shape {shape}");
        }
    }

    #[test]
    fn one_category_is_one_group_and_none_is_none() {
        let lives = Trial::new(3).lives(&[("a", 0.05)], 50, 1.0);
        assert_eq!(groups_of(&categories_of(&lives), Judge::default()).len(), 1);
        assert_eq!(groups_of(&[], Judge::FAITHFUL), []);
    }
}
