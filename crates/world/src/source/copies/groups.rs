//! Which objects leave faster than others, by the values of one attribute.

use super::Copies;
use tintype_learn::{
    life::Watched,
    partition::{Category, Judge, Stretches, categories, groups_of},
};
use tintype_vocab::Span;

/// Values of fewer lives are pooled.
const LIVES_MIN: u64 = 30;
/// Stretches of age that Pearson's statistic counts in.
const STRETCHES: usize = 10;
/// Lives are followed until so many of the completed ones had ended.
const FOLLOWED: f64 = 0.8;
/// Names of one group that are told.
const NAMES_MAX: usize = 4;
/// The chance up to which a difference is believed.
const LEVEL: f64 = 0.05;

/// The values of one attribute, cut into ever more groups.
#[derive(Debug)]
pub struct Looked {
    pub attribute: String,
    pub values: usize,
    /// One group first.
    pub cuts: Vec<Cut>,
}

/// A cut of the values, the slowest group first.
#[derive(Debug)]
pub struct Cut {
    pub groups: Vec<String>,
    /// By how much Pearson's statistic fell since the cut before; it may have risen.
    pub pearson_drop: f64,
    /// Twice by how much the logarithm of the likelihood rose.
    pub likelihood_ratio: f64,
    /// That values which share a group of the cut before differ as much though they are alike.
    pub chance: f64,
}

impl Looked {
    /// How many groups the paper's rule ends with.
    pub fn by_pearson(&self, drop_min: f64) -> usize {
        self.until(|cut| cut.pearson_drop > drop_min)
    }

    /// How many groups there are by likelihood ratio.
    pub fn by_likelihood(&self) -> usize {
        self.until(|cut| cut.chance < LEVEL)
    }

    fn until(&self, accepts: impl Fn(&Cut) -> bool) -> usize {
        1 + self.cuts.iter().skip(1).take_while(|cut| accepts(cut)).count()
    }
}

/// Every attribute of a source that has more than one value worth telling apart.
pub fn looked_at(copies: &Copies) -> Vec<Looked> {
    let Some(window) = window(copies) else { return Vec::new() };
    let look = |(nth, attribute): (usize, &String)| look(copies, nth, attribute, window);
    copies.source.attributes().iter().enumerate().filter_map(look).collect()
}

fn look(copies: &Copies, nth: usize, attribute: &str, window: Span) -> Option<Looked> {
    let looks = copies.source.looks();
    let last_chance = *looks.last()? - window;
    let lives = copies.source.lives().iter().filter(|life| life.first_seen <= last_chance);
    let followed: Vec<(&str, Watched)> = lives
        .filter_map(|life| Some((life.attributes[nth].as_str(), Watched::of(life, looks)?.until(window))))
        .collect();
    let stretches = Stretches::of(followed.iter().map(|(_, life)| *life), window.as_days_f64(), STRETCHES);
    let values = categories(followed, LIVES_MIN, &stretches);
    let steps = groups_of(&values, Judge::Pearson { drop_min: f64::NEG_INFINITY });
    let mut before = None;
    let cuts = steps.iter().map(|step| {
        let pearson_drop = before.replace(step.pearson).map_or(0.0, |before: f64| before - step.pearson);
        let groups = step.groups.iter().map(|group| names(&values, group)).collect();
        Cut { groups, pearson_drop, likelihood_ratio: step.likelihood_ratio, chance: step.chance }
    });
    let cuts: Vec<Cut> = cuts.collect();
    (cuts.len() > 1).then(|| Looked { attribute: attribute.to_owned(), values: values.len(), cuts })
}

/// The age that most completed lives did not exceed.
fn window(copies: &Copies) -> Option<Span> {
    let mut ended: Vec<Span> = copies.watched().filter(|life| life.ended).map(|life| life.to).collect();
    ended.sort_unstable();
    ended.get((FOLLOWED * ended.len().saturating_sub(1) as f64) as usize).copied()
}

fn names(values: &[Category], group: &[usize]) -> String {
    let names: Vec<&str> = group.iter().flat_map(|at| &values[*at].names).map(String::as_str).collect();
    let shown: Vec<&str> =
        names.iter().take(NAMES_MAX).map(|name| if name.is_empty() { "(none)" } else { name }).collect();
    let further = names.len() - shown.len();
    let further = if further > 0 { format!(" and {further} more") } else { String::new() };
    format!("{{{}{further}}}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::made_up::{MadeUpConfig, named};

    #[test]
    fn kinds_that_differ_are_told_apart_and_colours_are_not() {
        let source =
            (named("partitions").unwrap().make)(&MadeUpConfig { size: 2000, days: 240, ..MadeUpConfig::default() });
        let looked = looked_at(&Copies::new("partitions".to_owned(), source, None).unwrap());
        let [kind, colour] = &looked[..] else { panic!("two attributes") };
        // Cars and jobs stay equally long.
        assert_eq!((kind.by_likelihood(), colour.by_likelihood()), (3, 1));
        assert_eq!(kind.cuts[2].groups[0], "{book}");
    }
}
