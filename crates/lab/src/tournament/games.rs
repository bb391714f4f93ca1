//! The playing: every policy with every budget, as often as its dice or the site's ask for.

use super::{TournamentConfig, results::Spent, visits};
use crate::{LabProgress, open::OpenedSite, usage};
use std::sync::Arc;
use tintype_learn::forecast::Forest;
use tintype_plan::policy::{self, RegisteredPolicy};
use tintype_quality::{Truth, freshness_over_time};
use tintype_world::{
    Contents, SimulationConfig, SimulationError,
    tournament::{PolicyOutcome, Tournament},
};

/// Budgets beside the one asked for, as multiples of it: what a curve needs.
const LADDER: [f64; 4] = [0.25, 0.5, 2.0, 4.0];

/// The policy that other sites have taught.
const TAUGHT: &str = "tintype";

/// A picture's width of freshness.
const COURSE_BINS: usize = 60;

/// More slots than anybody has patience or memory for.
const SLOTS_MAX: f64 = 100e6;

/// A tournament under way.
pub(super) struct Games<'a> {
    config: &'a TournamentConfig,
    players: &'a [&'static RegisteredPolicy],
    game: &'a SimulationConfig,
    /// The budget asked for comes first.
    spent: Vec<Spent>,
    progress: &'a dyn LabProgress,
    /// What taught ours, if not what ships.
    forest: Option<Arc<Forest>>,
}

impl<'a> Games<'a> {
    pub(super) fn new(
        config: &'a TournamentConfig,
        players: &'a [&'static RegisteredPolicy],
        game: &'a SimulationConfig,
        progress: &'a dyn LabProgress,
    ) -> Games<'a> {
        let mut budgets = vec![game.per_day];
        if config.with_pictures {
            let affordable = |per_day: &f64| slots(game, *per_day) <= SLOTS_MAX;
            budgets.extend(LADDER.map(|times| times * game.per_day).into_iter().filter(affordable));
        }
        let spent = budgets.iter().map(|per_day| Spent::new(*per_day, players)).collect();
        let games = Games { config, players, game, spent, progress, forest: None };
        progress.begin(games.visits(&budgets));
        games
    }

    /// Ours plays with this instead of what ships.
    pub(super) fn taught_by(self, forest: Option<Arc<Forest>>) -> Games<'a> {
        Games { forest, ..self }
    }

    /// Whether a budget is beyond all patience.
    pub(super) fn too_long(game: &SimulationConfig) -> bool {
        slots(game, game.per_day) > SLOTS_MAX
    }

    /// Sites to play on: a made-up one has as many sisters as there are to be runs.
    pub(super) fn sites(&self) -> u64 {
        if self.config.source.is_made_up() { self.config.seeds } else { 1 }
    }

    /// Runs on each site: dice of policies are thrown again only where the site's own are not.
    fn runs(&self, player: &RegisteredPolicy) -> u64 {
        if player.rolls_dice && !self.config.source.is_made_up() { self.config.seeds } else { 1 }
    }

    /// All visits to be made, the measure of progress.
    fn visits(&self, budgets: &[f64]) -> u64 {
        let runs = self.sites() * self.players.iter().map(|player| self.runs(player)).sum::<u64>();
        budgets.iter().map(|per_day| slots(self.game, *per_day) as u64 * runs).sum()
    }

    /// Everybody plays on one site with every budget.
    pub(super) fn play_on(&mut self, site: &mut OpenedSite, truth: &Truth, nth_site: u64) -> anyhow::Result<()> {
        let contents = site.contents.as_mut().map(|contents| contents.as_mut() as &mut dyn Contents);
        let mut tournament = Tournament::new(&site.history, truth, contents, &site.origin, self.game.clone());
        for budget in 0..self.spent.len() {
            tournament.spend(self.spent[budget].per_day);
            self.progress.now("the best possible");
            self.spent[budget].bests.push(tournament.best());
            for player in 0..self.players.len() {
                self.play_as(&mut tournament, truth, nth_site, budget, player)?;
            }
        }
        Ok(())
    }

    /// All runs of one policy with one budget on one site.
    fn play_as(
        &mut self,
        tournament: &mut Tournament<'_>,
        truth: &Truth,
        nth_site: u64,
        budget: usize,
        player: usize,
    ) -> anyhow::Result<()> {
        let registered = self.players[player];
        self.progress.now(registered.name);
        for run in 0..self.runs(registered) {
            let run_seed = self.game.run_seed.wrapping_add(nth_site + run);
            let outcome = match &self.forest {
                Some(forest) if registered.name == TAUGHT => {
                    tournament.play_with(policy::taught(forest.clone()), run_seed)
                }
                _ => tournament.play(registered.name, run_seed),
            };
            let outcome = outcome.map_err(|spoiled| match spoiled {
                SimulationError::Empty => usage(spoiled, "choose a later --from, at which some page is there"),
                other => anyhow::Error::new(other).context(format!("{} cannot play", registered.name)),
            })?;
            self.spent[budget].rows[player].scores.push(outcome.score);
            if (nth_site, budget, run) == (0, 0, 0) {
                self.keep(&outcome, truth, player)?;
            }
            self.progress.advance(slots(self.game, self.spent[budget].per_day) as u64);
        }
        Ok(())
    }

    /// What is to be known of the run that was asked for, beyond its score.
    fn keep(&mut self, outcome: &PolicyOutcome, truth: &Truth, player: usize) -> anyhow::Result<()> {
        let row = &mut self.spent[0].rows[player];
        row.bytes = outcome.played.bytes;
        row.signal_requests = outcome.played.visits.iter().filter(|visit| visit.is_signal).count() as u64;
        if self.config.with_pictures {
            let seen = outcome.played.seen();
            row.course = freshness_over_time(truth, self.game.from, self.game.to, &seen, COURSE_BINS);
        }
        match &self.config.visits {
            Some(directory) => visits::write(directory, row.policy, visits::rows(&outcome.played)),
            None => Ok(()),
        }
    }

    /// What came of the budget asked for, and of the others.
    pub(super) fn finish(mut self) -> (Spent, Vec<Spent>) {
        (self.spent.remove(0), self.spent)
    }
}

fn slots(game: &SimulationConfig, per_day: f64) -> f64 {
    (per_day * (game.to - game.from).as_days_f64()).max(1.0)
}
