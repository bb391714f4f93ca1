//! Both phases of NEAR-Miner on trees that change at random, by the clock.

use std::time::Instant;
use tintype_learn::directory::{
    Bitmaps, DirectoryDelta, DirectoryShape, DirectoryTree, Thresholds, Unseen, Weighing, mine_all,
};
use tintype_world::{growth::Growth, near::Setting};

/// Runs of which the fastest counts: the others were disturbed.
const RUNS: usize = 3;
/// The second phase is over too soon to be measured by few.
const MINING_RUNS: usize = 20;

/// The first phase: all versions compared and merged.
pub(super) struct Organised {
    shape: DirectoryShape,
    deltas: Vec<DirectoryDelta>,
    seconds: f64,
}

/// The second phase: the thresholds that vary.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mine {
    pub(super) degree: f64,
    pub(super) frequency: f64,
    pub(super) correlation: f64,
    pub(super) confidence: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Mined {
    pub(super) seconds: f64,
    pub(super) rules: usize,
}

impl Mine {
    fn thresholds(&self) -> Thresholds {
        let setting = Setting {
            frequency_of_change_min: self.frequency,
            correlation_max: Some(self.correlation),
            confidence_min: self.confidence,
            ..Setting::default()
        };
        setting.thresholds()
    }
}

impl Organised {
    pub(super) fn new(growth: &Growth, versions: usize) -> Organised {
        let runs = (0..RUNS).map(|_| Organised::once(growth, versions));
        runs.min_by(|a, b| a.seconds.total_cmp(&b.seconds)).expect("there are runs")
    }

    fn once(growth: &Growth, versions: usize) -> Organised {
        let mut grown = growth.first();
        let mut tree = DirectoryTree::default();
        let (mut deltas, mut seconds) = (Vec::new(), 0.0);
        for _ in 0..versions {
            // As if it had been read just now: one path after the other in memory.
            let list: Vec<(Box<str>, u64)> = grown.pages().map(|(path, content)| (path.into(), content)).collect();
            let began = Instant::now();
            for (path, content) in &list {
                tree.see(path, *content);
            }
            deltas.extend(tree.close(Unseen::Gone));
            seconds += began.elapsed().as_secs_f64();
            grown.step();
        }
        Organised { shape: tree.shape().clone(), deltas, seconds }
    }

    /// Both phases.
    pub(super) fn seconds(&self, mine: &Mine) -> f64 {
        self.seconds + self.mine(mine).seconds
    }

    /// The second phase.
    pub(super) fn mine(&self, mine: &Mine) -> Mined {
        let mut bitmaps = Bitmaps::default();
        self.deltas.iter().for_each(|delta| bitmaps.append(delta, mine.degree, Weighing::Count));
        let thresholds = mine.thresholds();
        let once = |_| {
            let began = Instant::now();
            let rules = mine_all(&self.shape, &bitmaps, 0..self.deltas.len(), &thresholds).len();
            Mined { seconds: began.elapsed().as_secs_f64(), rules }
        };
        (0..MINING_RUNS).map(once).min_by(|a, b| a.seconds.total_cmp(&b.seconds)).expect("there are runs")
    }
}
