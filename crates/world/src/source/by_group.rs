//! One schedule for every group of objects that decay alike, held against one schedule for all.
//!
//! What is counted are objects looked at: a crawl of a group costs as many as the group has. The promise is about the copy as
//! a whole. Groups that are looked at at different times are never all old at once, whatever they are grouped by, so that
//! groups drawn by lot show what grouping by itself is worth.

use super::{CrawlGrid, Source, TooFine, Trial};
use crate::synthetic::chance::below;
use tintype_learn::{
    life::Watched,
    partition::{PartitionTree, Rules},
};
use tintype_plan::{
    Dice,
    deadline::{Promise, SourcePolicy, Tintype},
};
use tintype_vocab::{CopyMeasure, Life, Span, Time};

/// Twentieths of what a promise allows to be lost that groups are tried with in hindsight.
const LOSSES: (u32, u32) = (6, 80);
/// Targets of groups stay between these.
const TARGETS: (f64, f64) = (0.02, 0.995);

/// How much each group may lose, of what the whole may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Every group the same.
    Even,
    /// As the square root of how fast it decays. Crawls cost objects by time, losses are rate times time: no other division
    /// of the same loss costs less.
    Root,
}

/// The objects of a source in groups.
#[derive(Clone, Debug)]
pub struct Groups {
    grids: Vec<CrawlGrid>,
    /// Ends per object and day in training.
    rates: Vec<f64>,
}

/// What schedules of groups came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupScore {
    /// Of single groups.
    pub crawls: usize,
    pub looked_at: u64,
    /// Of the copy as a whole: mean quality, and the share of steps below the target.
    pub mean: f64,
    pub below: f64,
}

/// One way to group, and to share what may be lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ByGroup {
    pub way: &'static str,
    pub groups: usize,
    /// As it comes.
    pub live: GroupScore,
    /// In hindsight: how many times the loss that the promise allows, with the fewest objects looked at.
    pub tuned: Option<(f64, GroupScore)>,
}

impl Groups {
    /// All in one.
    pub fn whole(source: &Source, step: Span) -> Result<Groups, TooFine> {
        Groups::of(source, step, 1, |_, _| 0)
    }

    /// Those that decay alike, by what the training shows of some attributes, by number.
    pub fn alike(source: &Source, step: Span, training: usize, attributes: &[usize]) -> Result<Groups, TooFine> {
        let pick =
            |life: &Life| -> Vec<String> { attributes.iter().map(|nth| life.attributes[*nth].clone()).collect() };
        let end = source.looks[0] + step * training as i64;
        let seen = source.lives.iter().filter(|life| life.first_seen <= end);
        let seen: Vec<(Watched, Vec<String>)> =
            seen.map(|life| (source.watched_until(life, end), pick(life))).collect();
        let objects: Vec<(Watched, &[String])> = seen.iter().map(|(life, values)| (*life, values.as_slice())).collect();
        let tree = PartitionTree::grow(&objects, &Rules::default());
        let leaves = tree.leaves();
        let mut groups = Groups::of(source, step, leaves.len(), |_, life| tree.group(&pick(life)))?;
        groups.rates = leaves.iter().map(|leaf| leaf.evidence.rate_per_day()).collect();
        Ok(groups)
    }

    /// As many, drawn by lot.
    pub fn by_lot(source: &Source, step: Span, count: usize, seed: u64) -> Result<Groups, TooFine> {
        let mut dice = Dice::new(seed, 0);
        let lots: Vec<usize> = source.lives.iter().map(|_| below(&mut dice, count)).collect();
        Groups::of(source, step, count, |nth, _| lots[nth])
    }

    fn of(source: &Source, step: Span, count: usize, group: impl Fn(usize, &Life) -> usize) -> Result<Groups, TooFine> {
        let mut lives = vec![Vec::new(); count];
        source.lives.iter().enumerate().for_each(|(nth, life)| lives[group(nth, life)].push(life.clone()));
        let grid = |lives| Source { lives, ..source.without_lives() }.grid(step);
        let grids = lives.into_iter().map(grid).collect::<Result<Vec<_>, _>>()?;
        Ok(Groups { rates: vec![1.0; grids.len()], grids })
    }

    pub fn count(&self) -> usize {
        self.grids.len()
    }

    /// Keeps the promise of a target by a schedule for each group.
    pub fn keep(&self, way: &'static str, share: Share, trial: Trial, aim: Aim) -> ByGroup {
        let trained: Vec<Tintype> = self.grids.iter().map(|grid| trained(grid, trial, aim.measure)).collect();
        let weights = self.weights(share, trial);
        let at = |loss: f64| {
            let play = |((grid, policy), weight): ((&CrawlGrid, &Tintype), &f64)| {
                let target = (1.0 - (1.0 - aim.target) * loss * weight).clamp(TARGETS.0, TARGETS.1);
                let promise = Promise { broken_share_max: aim.broken_share_max, ..Promise::of(aim.measure, target) };
                trial.play(grid, &mut policy.clone().with_promise(promise))
            };
            let schedules: Vec<Vec<usize>> = self.grids.iter().zip(&trained).zip(&weights).map(play).collect();
            (loss, self.score(trial, aim, &schedules))
        };
        let live = at(1.0);
        let mut tried = vec![live];
        let (mut kept, mut broken) = (LOSSES.0 - 1, LOSSES.1 + 1);
        while broken - kept > 1 {
            let middle = (kept + broken) / 2;
            tried.push(at(f64::from(middle) / 20.0));
            let keeps = tried[tried.len() - 1].1.below <= aim.broken_share_max;
            if keeps { kept = middle } else { broken = middle }
        }
        let keeping = tried.into_iter().filter(|(_, score)| score.below <= aim.broken_share_max);
        ByGroup { way, groups: self.count(), live: live.1, tuned: keeping.min_by_key(|(_, score)| score.looked_at) }
    }

    /// How much of the loss of the whole each group may have; by objects they come to 1 on the average.
    fn weights(&self, share: Share, trial: Trial) -> Vec<f64> {
        let roots: Vec<f64> = match share {
            Share::Even => vec![1.0; self.count()],
            Share::Root => self.rates.iter().map(|rate| rate.max(1e-9).sqrt()).collect(),
        };
        let sizes = self.grids.iter().map(|grid| f64::from(grid.size(trial.window(grid).start)));
        let (objects, sum) =
            sizes.zip(&roots).fold((0.0, 0.0), |(objects, sum), (size, root)| (objects + size, sum + size * root));
        let mean = if objects > 0.0 { sum / objects } else { 1.0 };
        roots.iter().map(|root| root / mean).collect()
    }

    /// Of the whole, where each group has crawls of its own.
    fn score(&self, trial: Trial, aim: Aim, schedules: &[Vec<usize>]) -> GroupScore {
        let window = trial.window(&self.grids[0]);
        let mut copied = vec![window.start; self.count()];
        let mut score = GroupScore { crawls: 0, looked_at: 0, mean: 0.0, below: 0.0 };
        for step in window.clone() {
            let (mut kept, mut whole) = (0u64, 0u64);
            for ((grid, schedule), copied) in self.grids.iter().zip(schedules).zip(&mut copied) {
                if schedule.binary_search(&step).is_ok() {
                    *copied = step;
                    score.crawls += 1;
                    score.looked_at += u64::from(grid.size(step));
                }
                kept += u64::from(grid.kept(*copied, step));
                whole += u64::from(match aim.measure {
                    CopyMeasure::Precision => grid.size(*copied),
                    CopyMeasure::Recall => grid.size(step),
                });
            }
            let quality = if whole == 0 { 1.0 } else { kept as f64 / whole as f64 };
            score.mean += quality / window.len() as f64;
            score.below += f64::from(u8::from(quality < aim.target)) / window.len() as f64;
        }
        score
    }
}

/// What is promised of the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    pub measure: CopyMeasure,
    pub target: f64,
    pub broken_share_max: f64,
}

fn trained(grid: &CrawlGrid, trial: Trial, measure: CopyMeasure) -> Tintype {
    let mut policy = Tintype::new(Promise::of(measure, 1.0));
    trial.train(grid, &mut policy as &mut dyn SourcePolicy);
    policy
}

impl Source {
    fn without_lives(&self) -> Source {
        let Source { attributes, looks, findings, .. } = self;
        Source { attributes: attributes.clone(), lives: Vec::new(), looks: looks.clone(), findings: findings.clone() }
    }

    /// A life as far as it was watched by then. Of those that were there from the start nobody knows the age; who leaves
    /// faster they tell all the same.
    fn watched_until(&self, life: &Life, end: Time) -> Watched {
        let ended = !life.right_censored && life.last_seen < end;
        Watched { from: Span::ZERO, to: life.last_seen.min(end) - life.first_seen, ended }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::made_up::{MadeUpConfig, named};

    const DAY: Span = Span::from_days(1);
    const TRIAL: Trial = Trial { training: 40, wait_max: 20 };
    const AIM: Aim = Aim { measure: CopyMeasure::Precision, target: 0.8, broken_share_max: 0.05 };

    fn source() -> Source {
        (named("partitions").unwrap().make)(&MadeUpConfig { size: 1200, days: 120, ..MadeUpConfig::default() })
    }

    #[test]
    fn kinds_that_decay_alike_are_found_in_training_and_colours_are_not() {
        let source = source();
        let groups = Groups::alike(&source, DAY, 40, &[0, 1]).unwrap();
        assert_eq!(groups.count(), 3);
        let mut rates = groups.rates.clone();
        rates.sort_by(f64::total_cmp);
        let truth = [1.0 / 80.0, 1.0 / 25.0, 1.0 / 8.0];
        assert!(rates.iter().zip(truth).all(|(rate, truth): (&f64, f64)| (rate / truth).ln().abs() < 0.3), "{rates:?}");
        assert_eq!(Groups::alike(&source, DAY, 40, &[1]).unwrap().count(), 1);
        let objects: u32 = groups.grids.iter().map(|grid| grid.size(50)).sum();
        assert_eq!(objects, source.grid(DAY).unwrap().size(50));
    }

    #[test]
    fn one_group_is_the_source() {
        let source = source();
        let (grid, whole) = (source.grid(DAY).unwrap(), Groups::whole(&source, DAY).unwrap());
        let schedule: Vec<usize> = (44..119).step_by(4).collect();
        let score = whole.score(TRIAL, AIM, std::slice::from_ref(&schedule));
        let known = TRIAL.score(&grid, AIM.measure, AIM.target, &schedule);
        assert_eq!(score.crawls, known.crawls);
        assert!((score.mean - known.mean).abs() < 1e-12 && (score.below - known.below).abs() < 1e-12);
        assert_eq!(score.looked_at, schedule.iter().map(|step| u64::from(grid.size(*step))).sum::<u64>());
    }

    #[test]
    fn groups_cost_less_than_all_together_and_some_of_that_is_not_being_old_at_once() {
        let source = source();
        let looked_at = |groups: Groups, share| groups.keep("", share, TRIAL, AIM).tuned.unwrap().1.looked_at;
        let together = looked_at(Groups::whole(&source, DAY).unwrap(), Share::Even);
        let lots = looked_at(Groups::by_lot(&source, DAY, 3, 1).unwrap(), Share::Even);
        let alike = looked_at(Groups::alike(&source, DAY, 40, &[0]).unwrap(), Share::Root);
        assert!(alike < together * 9 / 10 && lots < together, "alike {alike}, by lot {lots}, together {together}");
    }
}
