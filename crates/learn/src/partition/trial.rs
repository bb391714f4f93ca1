//! Lives of a known kind for the tests of partitions.

use crate::life::{Family, Survival, Watched};
use proptest::{
    prelude::RngExt as _,
    test_runner::{RngAlgorithm, TestRng},
};
use tintype_vocab::Span;

/// Beyond this age nobody watches.
const WATCHED_DAYS: f64 = 30.0;

pub(super) struct Trial(TestRng);

impl Trial {
    pub(super) fn new(seed: u32) -> Trial {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&seed.to_le_bytes());
        Trial(TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
    }

    /// So many lives of each name: Weibull of that shape (1 is exponential), with that rate.
    pub(super) fn lives(&mut self, kinds: &[(&str, f64)], count: usize, shape: f64) -> Vec<(String, Watched)> {
        let kinds = kinds.iter().flat_map(|kind| std::iter::repeat_n(kind, count));
        kinds.map(|(name, rate)| (name.to_string(), self.life(*rate, shape))).collect()
    }

    pub(super) fn life(&mut self, rate: f64, shape: f64) -> Watched {
        let survival = Survival { family: Family::Weibull, spread: 1.0 / shape, ..Survival::exponential(rate) };
        let end = survival.quantile(self.0.random());
        let millis = (end.min(WATCHED_DAYS) * 86_400_000.0) as i64;
        Watched { from: Span::ZERO, to: Span::from_millis(millis.max(1)), ended: end <= WATCHED_DAYS }
    }

    pub(super) fn pick<'a>(&mut self, names: &[&'a str]) -> &'a str {
        names[(self.0.random::<f64>() * names.len() as f64) as usize]
    }
}
