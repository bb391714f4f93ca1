//! Lives by one attribute.

use super::{PartitionEvidence, Stretches};
use crate::life::Watched;
use hashbrown::HashMap;

/// Categories that are told apart; the rarest of more than that are pooled.
const CATEGORIES_MAX: usize = 256;

/// Objects that have one value of an attribute, or one of several rare ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Category {
    pub names: Vec<String>,
    pub evidence: PartitionEvidence,
    /// How many ended in each of the stretches that life spans are counted by, and what a rate expects there.
    pub(super) spans: super::pearson::Spans,
}

/// Lives by the name of their category, in order of names; names of fewer than `lives_min` lives are one category together.
pub fn categories<'a>(
    lives: impl IntoIterator<Item = (&'a str, Watched)>,
    lives_min: u64,
    stretches: &Stretches,
) -> Vec<Category> {
    let mut named: HashMap<&str, Category> = HashMap::new();
    for (name, life) in lives {
        let category = named.entry(name).or_default();
        category.evidence.see(life);
        category.spans.see(life, stretches);
    }
    let mut all: Vec<(&str, Category)> = named.into_iter().collect();
    all.sort_unstable_by(|one, other| other.1.evidence.lives.cmp(&one.1.evidence.lives).then(one.0.cmp(other.0)));
    let told_apart = all.iter().take(CATEGORIES_MAX - 1);
    let common = told_apart.take_while(|(_, category)| category.evidence.lives >= lives_min).count();
    let rare = all.split_off(common);
    all.sort_unstable_by_key(|(name, _)| *name);
    let mut pooled = Category::default();
    rare.iter().for_each(|(name, category)| pooled.merge(name, category));
    let mut categories: Vec<Category> =
        all.into_iter().map(|(name, category)| Category { names: vec![name.to_string()], ..category }).collect();
    if pooled.evidence.lives > 0 {
        pooled.names.sort_unstable();
        categories.push(pooled);
    }
    categories
}

impl Category {
    fn merge(&mut self, name: &str, other: &Category) {
        self.names.push(name.to_string());
        self.add(other);
    }

    fn add(&mut self, other: &Category) {
        self.evidence.add(&other.evidence);
        self.spans.add(&other.spans);
    }
}

/// Some of these as one; its names are left out.
pub(super) fn merged(categories: &[Category], some: &[usize]) -> Category {
    let mut merged = Category::default();
    some.iter().for_each(|at| merged.add(&categories[*at]));
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::Span;

    fn life(days: i64) -> Watched {
        Watched { from: Span::ZERO, to: Span::from_days(days), ended: true }
    }

    #[test]
    fn the_rare_are_pooled_and_the_common_are_not() {
        let lives = ["b", "a", "a", "b", "z", "y", "a"].map(|name| (name, life(2)));
        let found = categories(lives, 2, &Stretches::default());
        let seen: Vec<(Vec<&str>, u64)> = found
            .iter()
            .map(|category| (category.names.iter().map(String::as_str).collect(), category.evidence.lives))
            .collect();
        assert_eq!(seen, [(vec!["a"], 3), (vec!["b"], 2), (vec!["y", "z"], 2)]);
    }

    #[test]
    fn there_are_never_more_than_are_told_apart() {
        let names: Vec<String> = (0..1000).map(|number| number.to_string()).collect();
        let found = categories(names.iter().map(|name| (name.as_str(), life(1))), 1, &Stretches::default());
        assert_eq!(found.len(), CATEGORIES_MAX);
        assert_eq!(found.iter().map(|category| category.evidence.lives).sum::<u64>(), 1000);
    }
}
