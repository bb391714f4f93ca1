//! Several attributes, from the top down: whichever tells objects apart best, then again within each part.

use super::{Category, PartitionEvidence, Stretches, categories, category, chance_of_difference, likelihood_ratio};
use crate::life::Watched;
use serde::{Deserialize, Serialize};

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// The chance to cut what is alike, over all attributes together and over all parts of one depth together.
    pub level: f64,
    /// Values of fewer lives than this are pooled.
    pub category_min: u64,
    /// No group has fewer lives.
    pub group_min: u64,
    /// Forks on the way to a group at most.
    pub depth_max: usize,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { level: 0.01, category_min: 30, group_min: 200, depth_max: 4 }
    }
}

/// Which objects belong together: a question at each fork, a group at each end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartitionTree(Node);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Node {
    Leaf { group: usize, evidence: PartitionEvidence },
    Fork { attribute: usize, slow: Vec<String>, fast: Vec<String>, unknown_is_slow: bool, parts: Box<[Node; 2]> },
}

/// The attribute, by number, has one of these values (or, `unknown`, one that was not known when the tree was made).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Condition {
    pub attribute: usize,
    pub values: Vec<String>,
    pub unknown: bool,
}

/// A group, and who belongs to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Leaf {
    pub group: usize,
    pub conditions: Vec<Condition>,
    pub evidence: PartitionEvidence,
}

impl PartitionTree {
    /// Lives and the attributes of their objects, as many of each.
    pub fn grow(objects: &[(Watched, &[String])], rules: &Rules) -> PartitionTree {
        let mut grower = Grower { objects, rules, groups: 0 };
        PartitionTree(grower.node((0..objects.len() as u32).collect(), 0))
    }

    /// The group an object belongs to.
    pub fn group(&self, attributes: &[String]) -> usize {
        let mut node = &self.0;
        loop {
            match node {
                Node::Leaf { group, .. } => return *group,
                Node::Fork { attribute, slow, fast, unknown_is_slow, parts } => {
                    let has = |values: &[String]| {
                        attributes.get(*attribute).is_some_and(|value| values.binary_search(value).is_ok())
                    };
                    let slow = has(slow) || *unknown_is_slow && !has(fast);
                    node = &parts[usize::from(!slow)];
                }
            }
        }
    }

    /// All groups in order of their numbers.
    pub fn leaves(&self) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.0.collect(&[], &mut leaves);
        leaves
    }
}

impl Node {
    fn collect(&self, path: &[Condition], leaves: &mut Vec<Leaf>) {
        match self {
            Node::Leaf { group, evidence } => {
                leaves.push(Leaf { group: *group, conditions: path.to_vec(), evidence: *evidence })
            }
            Node::Fork { attribute, slow, fast, unknown_is_slow, parts } => {
                let sides = [(slow, *unknown_is_slow), (fast, !unknown_is_slow)];
                for ((values, unknown), part) in sides.into_iter().zip(parts.iter()) {
                    // Further down on the way the same attribute has fewer values left.
                    let asked = path.iter().position(|condition| condition.attribute == *attribute);
                    let unknown = unknown && asked.is_none_or(|at| path[at].unknown);
                    let mut path = path.to_vec();
                    asked.map(|at| path.remove(at));
                    path.push(Condition { attribute: *attribute, values: values.clone(), unknown });
                    part.collect(&path, leaves);
                }
            }
        }
    }
}

struct Grower<'a> {
    objects: &'a [(Watched, &'a [String])],
    rules: &'a Rules,
    groups: usize,
}

/// A way to part some objects.
struct Fork {
    attribute: usize,
    /// Of the values not being different at all.
    chance: f64,
    slow: Category,
    fast: Category,
}

impl Grower<'_> {
    fn node(&mut self, some: Vec<u32>, depth: usize) -> Node {
        let Some(Fork { attribute, slow, fast, .. }) = self.fork(&some, depth) else {
            return self.leaf(&some);
        };
        let [slow_names, fast_names] = [&slow, &fast].map(|side| {
            let mut names = side.names.clone();
            names.sort_unstable();
            names
        });
        let is_slow = |at: &u32| slow_names.binary_search(&self.value(*at, attribute).to_string()).is_ok();
        let (slow_ones, fast_ones): (Vec<u32>, Vec<u32>) = some.into_iter().partition(is_slow);
        let unknown_is_slow = slow.evidence.lives >= fast.evidence.lives;
        let parts = Box::new([self.node(slow_ones, depth + 1), self.node(fast_ones, depth + 1)]);
        Node::Fork { attribute, slow: slow_names, fast: fast_names, unknown_is_slow, parts }
    }

    fn leaf(&mut self, some: &[u32]) -> Node {
        let mut evidence = PartitionEvidence::default();
        some.iter().for_each(|at| evidence.see(self.objects[*at as usize].0));
        self.groups += 1;
        Node::Leaf { group: self.groups - 1, evidence }
    }

    /// The attribute whose values differ most, if they differ by more than chance would have it in so many looks.
    fn fork(&self, some: &[u32], depth: usize) -> Option<Fork> {
        if depth >= self.rules.depth_max {
            return None;
        }
        let attributes = self.objects.first().map_or(0, |(_, attributes)| attributes.len());
        let forks = (0..attributes).filter_map(|attribute| self.fork_by(some, attribute));
        let best = forks.min_by(|one, other| one.chance.total_cmp(&other.chance))?;
        let looks = attributes as f64 * 2.0_f64.powi(depth as i32);
        (best.chance * looks < self.rules.level).then_some(best)
    }

    fn fork_by(&self, some: &[u32], attribute: usize) -> Option<Fork> {
        let lives = some.iter().map(|at| (self.value(*at, attribute), self.objects[*at as usize].0));
        let mut categories = categories(lives, self.rules.category_min, &Stretches::default());
        categories.sort_by(|one, other| one.evidence.rate_per_day().total_cmp(&other.evidence.rate_per_day()));
        let apart: Vec<PartitionEvidence> = categories.iter().map(|category| category.evidence).collect();
        let slower = running_sums(apart.iter());
        let mut faster = running_sums(apart.iter().rev());
        faster.reverse();
        let all = slower[apart.len()];
        let chance = chance_of_difference(&[all], &apart);
        let gain = |cut: usize| likelihood_ratio(&[all], &[slower[cut], faster[cut]]);
        let large = |part: &PartitionEvidence| part.lives >= self.rules.group_min;
        let cut = (1..apart.len())
            .filter(|cut| large(&slower[*cut]) && large(&faster[*cut]))
            .max_by(|one, other| gain(*one).total_cmp(&gain(*other)))?;
        let side = |range: std::ops::Range<usize>| {
            let names = categories[range.clone()].iter().flat_map(|category| category.names.clone()).collect();
            Category { names, ..category::merged(&categories, &range.collect::<Vec<_>>()) }
        };
        Some(Fork { attribute, chance, slow: side(0..cut), fast: side(cut..apart.len()) })
    }

    fn value(&self, at: u32, attribute: usize) -> &str {
        self.objects[at as usize].1.get(attribute).map_or("", String::as_str)
    }
}

/// Of the first none, the first one, and so on up to all.
fn running_sums<'a>(parts: impl Iterator<Item = &'a PartitionEvidence>) -> Vec<PartitionEvidence> {
    let mut sums = vec![PartitionEvidence::default()];
    for part in parts {
        let mut sum = sums[sums.len() - 1];
        sum.add(part);
        sums.push(sum);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::trial::Trial;

    const MAKES: [&str; 4] = ["bmw", "ford", "honda", "dodge"];
    const YEARS: [&str; 3] = ["2001", "2002", "2003"];
    const COLOURS: [&str; 5] = ["red", "blue", "green", "white", "black"];

    /// Cars whose rate hangs on make and year as `rate` says, and never on colour.
    fn cars(seed: u32, count: usize, rate: impl Fn(&str, &str) -> f64) -> Vec<(Watched, Vec<String>)> {
        let mut trial = Trial::new(seed);
        let car = |_| {
            let (make, year, colour) = (trial.pick(&MAKES), trial.pick(&YEARS), trial.pick(&COLOURS));
            (trial.life(rate(make, year), 1.0), [make, year, colour].map(str::to_string).to_vec())
        };
        (0..count).map(car).collect()
    }

    fn grown(cars: &[(Watched, Vec<String>)]) -> PartitionTree {
        let objects: Vec<(Watched, &[String])> =
            cars.iter().map(|(life, attributes)| (*life, attributes.as_slice())).collect();
        PartitionTree::grow(&objects, &Rules::default())
    }

    #[test]
    fn planted_parts_are_found_and_nothing_else() {
        // Fords leave fast, and of the others those of 2003.
        let cars = cars(1, 4000, |make, year| match (make, year) {
            ("ford", _) => 0.2,
            (_, "2003") => 0.06,
            _ => 0.02,
        });
        let tree = grown(&cars);
        let leaves = tree.leaves();
        assert_eq!(leaves.len(), 3, "{leaves:?}");
        let rates: Vec<f64> = leaves.iter().map(|leaf| leaf.evidence.rate_per_day()).collect();
        assert!(
            rates.iter().zip([0.02, 0.06, 0.2]).all(|(found, truth)| (found / truth).ln().abs() < 0.1),
            "{rates:?}"
        );
        let group = |make: &str, year: &str| tree.group(&[make, year, "red"].map(str::to_string));
        assert_eq!((group("bmw", "2001"), group("dodge", "2003"), group("ford", "2003")), (0, 1, 2));
        assert_eq!(group("tesla", "2001"), 0, "an unknown make goes with the many");
        assert_eq!(leaves[2].conditions[0].values, ["ford"]);
    }

    #[test]
    fn what_is_alike_stays_together() {
        let parted = (0..100).filter(|seed| grown(&cars(*seed + 10, 1500, |_, _| 0.05)).leaves().len() > 1).count();
        // One is stated for one per cent.
        assert!(parted <= 5, "{parted} of 100");
    }

    #[test]
    fn an_attribute_that_is_asked_about_twice_is_one_condition() {
        let cars = cars(4, 6000, |make, _| match make {
            "bmw" => 0.01,
            "dodge" => 0.05,
            _ => 0.2,
        });
        let conditions: Vec<Vec<Condition>> = grown(&cars).leaves().into_iter().map(|leaf| leaf.conditions).collect();
        let values: Vec<&[String]> = conditions.iter().map(|of_one| of_one[0].values.as_slice()).collect();
        assert!(conditions.iter().all(|of_one| of_one.len() == 1), "{conditions:?}");
        assert_eq!(values, [&["bmw"][..], &["dodge"], &["ford", "honda"]]);
        assert_eq!(conditions.iter().filter(|of_one| of_one[0].unknown).count(), 1);
    }

    #[test]
    fn small_groups_are_not_made() {
        let cars = cars(2, 300, |make, _| if make == "ford" { 0.3 } else { 0.02 });
        assert_eq!(grown(&cars).leaves().len(), 1, "75 fords are too few");
        let tree = PartitionTree::grow(&[], &Rules::default());
        assert_eq!((tree.leaves().len(), tree.group(&[])), (1, 0));
    }

    #[test]
    fn every_object_is_where_it_was_counted() {
        let cars = cars(3, 4000, |make, year| {
            if make < "e" {
                0.1
            } else if year == "2001" {
                0.05
            } else {
                0.02
            }
        });
        let tree = grown(&cars);
        let mut counted = vec![0; tree.leaves().len()];
        cars.iter().for_each(|(_, attributes)| counted[tree.group(attributes)] += 1);
        assert!(counted.len() > 2);
        assert_eq!(counted, tree.leaves().iter().map(|leaf| leaf.evidence.lives).collect::<Vec<_>>());
    }
}
