//! Strategies side by side, each on the same webs.

use super::{MediaCrawlConfig, RegisteredWeb, STRATEGIES, Spread, Strategy, WebConfig, YieldCurve, play};

/// What one strategy made of webs of one kind.
#[derive(Clone, Debug)]
pub struct StrategyRow {
    pub strategy: &'static Strategy,
    /// By seed.
    pub curves: Vec<YieldCurve>,
}

impl StrategyRow {
    /// Requests until this share of the wanted files was found, where that was reached on every web.
    pub fn reached(&self, share: f64) -> Option<Spread> {
        let reached: Option<Vec<f64>> = self.curves.iter().map(|curve| curve.reached(share).map(f64::from)).collect();
        Spread::of(&reached?)
    }

    /// The same as a part of what another strategy took on the same web.
    pub fn reached_of(&self, share: f64, other: &StrategyRow) -> Option<Spread> {
        let pairs = self.curves.iter().zip(&other.curves);
        let parts: Option<Vec<f64>> =
            pairs.map(|(one, other)| Some(f64::from(one.reached(share)?) / f64::from(other.reached(share)?))).collect();
        Spread::of(&parts?)
    }

    /// The share of the wanted files that was found with so many requests, or in the end.
    pub fn share(&self, requests: Option<&[u32]>) -> Option<Spread> {
        let found = |(nth, curve): (usize, &YieldCurve)| match requests.map(|requests| requests[nth]) {
            None => curve.share(),
            Some(requests) => curve.after(requests) as f64 / curve.wanted.max(1) as f64,
        };
        Spread::of(&self.curves.iter().enumerate().map(found).collect::<Vec<_>>())
    }
}

/// Lets every strategy loose on webs of one kind and about this many pages, one for each seed from 1.
pub fn compare(registered: &RegisteredWeb, pages: usize, seeds: u64) -> Vec<StrategyRow> {
    let mut rows: Vec<StrategyRow> =
        STRATEGIES.iter().map(|strategy| StrategyRow { strategy, curves: Vec::new() }).collect();
    for seed in 1..=seeds {
        let web = (registered.make)(&WebConfig { seed, pages });
        for row in &mut rows {
            row.curves.push(play(&web, row.strategy, &MediaCrawlConfig { run_seed: seed, budget: None }));
        }
    }
    rows
}
