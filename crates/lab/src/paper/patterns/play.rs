//! The playing: every policy on every made-up site, with every share of pages an hour.

use super::sweep::Sweep;
use crate::parallel::side_by_side;
use anyhow::Context;
use tintype_plan::policy::Policy;
use tintype_quality::{Truth, oracle};
use tintype_vocab::{Span, Time};
use tintype_world::{
    Discovery, SimulationConfig, WarmUp,
    patterns::{ChangeModel, Patterned, patterned},
    synthetic::SyntheticConfig,
    tournament::Tournament,
};

/// The period of the paper's simulation.
pub(super) const PERIOD: Span = Span::from_secs(3600);
/// How much longer pages are watched before the game than they are played with.
const TAUGHT: f64 = 1.0;

/// The made-up sites of an experiment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) pages: usize,
    pub(super) seeds: u64,
    pub(super) run_seed: u64,
    /// Judged days.
    pub(super) days: f64,
    pub(super) model: ChangeModel,
    /// Whether every page was visited once an hour for as long as the game lasts, just before it.
    pub(super) is_taught: bool,
}

/// What was kept, and what the same visits could have kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    /// Weighted completeness.
    pub(super) share: f64,
    pub(super) best: f64,
}

impl Kept {
    pub(super) fn of_best(&self) -> f64 {
        if self.best > 0.0 { self.share / self.best } else { 1.0 }
    }
}

/// Somebody who plays, made afresh for every game.
pub(super) struct Player {
    pub(super) name: String,
    pub(super) make: Box<dyn Fn() -> Box<dyn Policy> + Sync>,
}

impl Setting {
    fn wish(&self, nth: u64) -> SyntheticConfig {
        let seed = self.run_seed.wrapping_add(nth);
        // Whole weeks before the game, so that the week goes on where it was.
        let days = self.days + self.days_before();
        SyntheticConfig { seed, pages: self.pages, days, ..SyntheticConfig::default() }
    }

    fn days_before(&self) -> f64 {
        self.days * TAUGHT
    }

    fn game(&self, wish: &SyntheticConfig, share_of_pages: f64) -> SimulationConfig {
        let after = |days: f64| wish.from + Span::from_secs((days * 86_400.0) as i64);
        SimulationConfig {
            from: after(self.days_before()),
            to: after(wish.days),
            per_day: share_of_pages * self.pages as f64 * 24.0,
            discovery: Discovery::Announced,
            sitemap: None,
            run_seed: wish.seed,
        }
    }

    /// Once an hour, at its very end: whatever happened in it is seen in it.
    fn rehearsal(&self, wish: &SyntheticConfig) -> Option<WarmUp> {
        self.is_taught.then(|| WarmUp { since: wish.from + PERIOD - Span::from_secs(1), every: PERIOD })
    }

    /// What everybody keeps of every site with every share of pages an hour.
    pub(super) fn play(&self, shares: &[f64], players: Vec<Player>) -> anyhow::Result<Sweep> {
        let sites = side_by_side(self.seeds, |nth| self.play_on(nth, shares, &players))?;
        let of = |share: usize, player: usize| sites.iter().map(|site| site[share][player]).collect();
        let at = |share: usize| (shares[share], (0..players.len()).map(|player| of(share, player)).collect());
        let at = (0..shares.len()).map(at).collect();
        Ok(Sweep { at, names: players.into_iter().map(|player| player.name).collect() })
    }

    /// By share and player.
    fn play_on(&self, nth: u64, shares: &[f64], players: &[Player]) -> anyhow::Result<Vec<Vec<Kept>>> {
        let wish = self.wish(nth);
        let Patterned { history, weights, mut contents } = patterned(&wish, self.model);
        let truth = history.truth(|row| weights[row as usize]);
        let first = self.game(&wish, shares[0]);
        let mut tournament = Tournament::new(&history, &truth, Some(&mut contents), &wish.origin, first);
        tournament.rehearse(self.rehearsal(&wish));
        let with_share = |share: &f64| {
            let game = self.game(&wish, *share);
            tournament.spend(game.per_day);
            let best = best(&truth, &game);
            let kept = |player: &Player| {
                let played = tournament.play_with((player.make)(), game.run_seed);
                let score = played.with_context(|| format!("{} cannot play", player.name))?.score;
                Ok(Kept { share: score.weighted_completeness, best })
            };
            players.iter().map(kept).collect()
        };
        shares.iter().map(with_share).collect()
    }
}

/// The weighted completeness of the best schedule with the slots of a game.
pub(super) fn best(truth: &Truth, game: &SimulationConfig) -> f64 {
    let slots: Vec<Time> = game.slots().collect();
    oracle::weighted_completeness(truth, game.from, game.to, &slots)
}
