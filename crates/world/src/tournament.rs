//! Policies side by side on one history, with the same visits to spend, next to the best any schedule could have done.

use crate::{Contents, EventKind, History, Played, Simulation, SimulationConfig, SimulationError, WarmUp};
use tintype_plan::policy::Policy;
use tintype_quality::{Score, Seen, Truth, judge, oracle};
use tintype_vocab::Time;

/// The best any schedule with the same visit times could have done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    pub completeness: f64,
    pub weighted_completeness: f64,
    pub freshness: f64,
}

/// One policy's game.
#[derive(Clone, Debug)]
pub struct PolicyOutcome {
    pub score: Score,
    pub played: Played,
}

/// A history set up for a tournament.
#[derive(Debug)]
pub struct Tournament<'a> {
    stage: Simulation<'a>,
    truth: &'a Truth,
}

impl<'a> Tournament<'a> {
    /// `truth` is the history with the weights its versions shall have ([`History::truth`]).
    pub fn new(
        history: &'a History,
        truth: &'a Truth,
        contents: Option<&'a mut dyn Contents>,
        origin: &str,
        game: SimulationConfig,
    ) -> Tournament<'a> {
        Tournament { stage: Simulation::new(history, contents, origin, game).weighing(truth), truth }
    }

    /// Another budget, everything else as before.
    pub fn spend(&mut self, per_day: f64) {
        self.stage.game.per_day = per_day;
    }

    /// Everybody may watch before the game.
    pub fn rehearse(&mut self, rehearsal: Option<WarmUp>) {
        self.stage.rehearsal = rehearsal;
    }

    /// At these moments, in order, it is noted what a policy watches.
    pub fn note_watched(&mut self, moments: Vec<Time>) {
        self.stage.moments = moments;
    }

    /// Lets a policy play with the dice of one run.
    pub fn play(&mut self, policy: &str, run_seed: u64) -> Result<PolicyOutcome, SimulationError> {
        self.stage.game.run_seed = run_seed;
        let played = self.stage.play(policy)?;
        Ok(self.outcome(played))
    }

    /// The same with a policy that is not registered, for experiments.
    pub fn play_with(&mut self, policy: Box<dyn Policy>, run_seed: u64) -> Result<PolicyOutcome, SimulationError> {
        self.stage.game.run_seed = run_seed;
        let played = self.stage.play_with(policy)?;
        Ok(self.outcome(played))
    }

    fn outcome(&self, played: Played) -> PolicyOutcome {
        PolicyOutcome { score: self.judge(&played), played }
    }

    fn judge(&self, played: &Played) -> Score {
        let seen: Vec<Seen> = played.seen();
        let mut score = judge(self.truth, self.stage.game.from, self.stage.game.to, &seen);
        // Visits to what never existed are visits too.
        let asked = played.visits.len() as f64;
        if asked > 0.0 {
            score.useful *= seen.len() as f64 / asked;
        }
        score.visits = played.visits.len() as u64;
        score
    }

    /// What the same visit times could have brought at best.
    pub fn best(&self) -> Best {
        let (from, to) = (self.stage.game.from, self.stage.game.to);
        let slots: Vec<Time> = self.stage.game.slots().collect();
        let versions = judge(self.truth, from, to, &[]).versions;
        let seen = oracle::completeness(self.truth, from, to, &slots);
        Best {
            completeness: if versions == 0 { 1.0 } else { seen as f64 / versions as f64 },
            weighted_completeness: oracle::weighted_completeness(self.truth, from, to, &slots),
            freshness: oracle::freshness(self.truth, from, to, &slots),
        }
    }
}

/// How many pages were there at some moment of the window.
pub fn pages_in_window(history: &History, from: Time, to: Time) -> usize {
    let there = |page: &u32| {
        history.alive(*page, from).is_some() || {
            let events = history.rows(*page).iter().map(|&row| &history.events()[row as usize]);
            events.into_iter().any(|event| event.kind != EventKind::Deleted && (from..to).contains(&event.at))
        }
    };
    (0..history.pages() as u32).filter(there).count()
}
