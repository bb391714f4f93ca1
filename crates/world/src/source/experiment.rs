//! Foresights and policies held against each other on one source, by one measure.

use super::{CrawlGrid, Horizon, LearnedDecay, Trial, cycle_coverage, cycle_error, horizons};
use tintype_learn::decay::AdaptMode;
use tintype_plan::deadline::{
    AtTarget, AutoRegressive, Filling, Fixed, Foresight, Learning, Persistence, Promise, SourcePolicy, Tintype,
};
use tintype_quality::{
    CopyScore, fewest_crawls,
    oracle::{self, latest_crawls},
};
use tintype_vocab::CopyMeasure;

/// So many hundredths below and above the target are tried as thresholds of policies that believe their foresight.
const THRESHOLDS: i32 = 15;
/// Shares of broken time that our own policy is asked for when it is tuned: so many, of half a hundredth each. Of the loss
/// that a promise allows this is as fine as the thresholds of the others.
const SHARES: u32 = 40;
const SHARE: f64 = 0.005;
/// Shares beyond the largest that keeps the promise are tried too: the more is allowed the fewer crawls, but not always.
const SHARES_BEYOND: u32 = 3;
/// Up to so many steps in all, every fixed interval is tried.
const PLAYED_MAX: usize = 50_000_000;

/// One source, one measure.
#[derive(Clone, Copy, Debug)]
pub struct CrawlExperiment<'a> {
    pub grid: &'a CrawlGrid,
    pub trial: Trial,
    pub measure: CopyMeasure,
    /// Steps from one crawl to the next where quality is foretold.
    pub cycle: usize,
}

/// How well qualities were foretold.
#[derive(Clone, Debug, PartialEq)]
pub struct Foreseen {
    pub model: &'static str,
    /// Squared, at the ends of all cycles (SSE).
    pub error: f64,
    pub cycles: usize,
    /// Share of all steps at which the stated 90 % interval held what happened.
    pub coverage: Option<f64>,
    /// The same, and how wide intervals were, by how far ahead.
    pub horizons: Vec<Horizon>,
}

/// How well a promise was kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptPromise {
    pub policy: &'static str,
    /// Live: as the policy comes, knowing nothing but its training.
    pub live: Option<CopyScore>,
    /// In hindsight: the setting of the policy with the fewest crawls that breaks the promise for no more than the share
    /// allowed.
    pub tuned: Option<(f64, CopyScore)>,
}

pub(super) type MakeForesight = fn(&CrawlExperiment<'_>) -> Box<dyn Foresight>;

/// Every foresight: the paper's, simple ones, ours, and variants of the paper's.
pub(super) const FORESIGHTS: [(&str, MakeForesight); 8] = [
    ("static-ar", |it| Box::new(it.fixed_ar())),
    ("adaptive-ar", |it| Box::new(it.fixed_ar().with_learning(Learning::default()))),
    ("persistence", |it| Box::new(it.persistence())),
    ("tintype", |it| Box::new(LearnedDecay::new(it.measure, it.grid.step()))),
    ("static-ar-shaped", |it| Box::new(it.fixed_ar().with_filling(Filling::AsForecast))),
    ("adaptive-ar-shaped", |it| {
        Box::new(it.fixed_ar().with_learning(Learning::default()).with_filling(Filling::AsForecast))
    }),
    ("adaptive-ar-in-turn", |it| Box::new(it.learning(AdaptMode::InTurn))),
    ("adaptive-ar-literal", |it| Box::new(it.learning(AdaptMode::Literal))),
];

impl CrawlExperiment<'_> {
    fn fixed_ar(&self) -> AutoRegressive {
        AutoRegressive::fixed(self.measure, self.grid.step(), self.trial.training)
    }

    fn learning(&self, mode: AdaptMode) -> AutoRegressive {
        self.fixed_ar().with_learning(Learning { mode, ..Learning::default() })
    }

    fn persistence(&self) -> Persistence {
        Persistence::new(self.measure, self.grid.step(), self.trial.training)
    }

    /// How well each foresight foretells, cycle by cycle.
    pub fn foresee(&self) -> Vec<Foreseen> {
        FORESIGHTS.into_iter().map(|foresight| self.foresee_by(foresight)).collect()
    }

    pub(super) fn foresee_by(&self, (model, make): (&'static str, MakeForesight)) -> Foreseen {
        let outcomes = self.trial.cycles(self.grid, self.measure, self.cycle, &mut *make(self));
        let cycles = outcomes.iter().filter(|outcome| outcome.ends_cycle).count();
        let (error, coverage) = (cycle_error(&outcomes), cycle_coverage(&outcomes));
        Foreseen { model, error, cycles, coverage, horizons: horizons(&outcomes) }
    }

    /// How well each policy keeps the promise of each target, which may be broken for a share of the time.
    pub fn keep(&self, targets: &[f64], broken_share_max: f64) -> Vec<Vec<KeptPromise>> {
        let mut trained = Tintype::new(Promise::of(self.measure, 1.0));
        self.trial.train(self.grid, &mut trained);
        let kept = |target: &f64| {
            let mut all = self.baselines(*target, broken_share_max);
            all.push(self.keep_by_tintype(&trained, *target, broken_share_max));
            all
        };
        targets.iter().map(kept).collect()
    }

    /// Those that ours is held against.
    pub(super) fn baselines(&self, target: f64, broken_share_max: f64) -> Vec<KeptPromise> {
        vec![
            self.keep_by_foresight("static-ar", self.fixed_ar(), target, broken_share_max),
            self.keep_by_foresight("adaptive-ar", self.learning(AdaptMode::Guarded), target, broken_share_max),
            self.keep_by_foresight("persistence", self.persistence(), target, broken_share_max),
            self.keep_by_interval(target, broken_share_max),
            self.keep_by_oracle(target, broken_share_max),
        ]
    }

    fn play(&self, policy: &mut impl SourcePolicy, target: f64) -> CopyScore {
        let schedule = self.trial.play(self.grid, policy);
        self.trial.score(self.grid, self.measure, target, &schedule)
    }

    fn keep_by_foresight<F: Foresight + Clone>(
        &self,
        policy: &'static str,
        foresight: F,
        target: f64,
        broken_share_max: f64,
    ) -> KeptPromise {
        let mut trained = AtTarget { foresight, target };
        self.trial.train(self.grid, &mut trained);
        let at = |threshold: f64| {
            let mut policy = AtTarget { target: threshold, ..trained.clone() };
            (threshold, self.play(&mut policy, target))
        };
        let hundredth = |off: i32| target + f64::from(off) / 100.0;
        let tried =
            (-THRESHOLDS..=THRESHOLDS).map(hundredth).filter(|threshold| (0.0..1.0).contains(threshold)).map(at);
        KeptPromise { policy, live: Some(at(target).1), tuned: fewest_crawls(tried, broken_share_max) }
    }

    /// A fixed interval knows nothing: it can only be chosen in hindsight. The longer the fewer crawls, so that the longest
    /// are tried first; where there are too many, hundredths apart.
    fn keep_by_interval(&self, target: f64, broken_share_max: f64) -> KeptPromise {
        let all_of_them = self.trial.wait_max as usize * self.grid.steps() <= PLAYED_MAX;
        let shorter =
            |every: &u32| Some(every - 1 - if all_of_them { 0 } else { every / 100 }).filter(|every| *every > 0);
        let (mut best, mut fewest) = (None, usize::MAX);
        for every in std::iter::successors(Some(self.trial.wait_max.max(1)), shorter) {
            let tried = Some((f64::from(every), self.play(&mut Fixed { every }, target)));
            if tried.is_some_and(|(_, score)| score.crawls > fewest) {
                break;
            }
            best = fewest_crawls(tried.into_iter().chain(best), broken_share_max);
            fewest = best.map_or(usize::MAX, |(_, score)| score.crawls);
        }
        KeptPromise { policy: "fixed", live: None, tuned: best }
    }

    fn keep_by_tintype(&self, trained: &Tintype, target: f64, broken_share_max: f64) -> KeptPromise {
        let at = |share: f64| {
            let promise = Promise { broken_share_max: share, ..Promise::of(self.measure, target) };
            (share, self.play(&mut trained.clone().with_promise(promise), target))
        };
        let mut tried = vec![at(broken_share_max)];
        let (mut kept, mut broken) = (0, SHARES + 1);
        while broken - kept > 1 {
            let middle = (kept + broken) / 2;
            tried.push(at(SHARE * f64::from(middle)));
            let keeps = tried[tried.len() - 1].1.keeps(broken_share_max);
            if keeps { kept = middle } else { broken = middle }
        }
        let beyond = broken + 1..=(broken + SHARES_BEYOND - 1).min(SHARES);
        tried.extend(beyond.map(|share| at(SHARE * f64::from(share))));
        KeptPromise { policy: "tintype", live: Some(tried[0].1), tuned: fewest_crawls(tried, broken_share_max) }
    }

    /// Told what is going to happen: crawls as late as the promise allows, and the fewest there are if it may be broken.
    fn keep_by_oracle(&self, target: f64, broken_share_max: f64) -> KeptPromise {
        let window = self.trial.window(self.grid);
        let is_below = |from: usize, to: usize| self.grid.quality(self.measure, from, to) < target;
        let score = |schedule: &[usize]| self.trial.score(self.grid, self.measure, target, schedule);
        let allowed = (broken_share_max * window.len() as f64 + 1e-9) as usize;
        let fewest = oracle::fewest_crawls(window.clone(), allowed, is_below);
        KeptPromise {
            policy: "oracle",
            live: Some(score(&latest_crawls(window, is_below))),
            tuned: Some((broken_share_max, score(&fewest))),
        }
    }
}
