//! The newspaper's next weeks with the same number of visits a day, spent by different policies.

use super::{
    newspaper::Newspaper,
    week::{HOURS_BETWEEN, Round},
};
use serde::Serialize;
use tintype_quality::{Score, Truth, oracle};
use tintype_vocab::Time;
use tintype_world::{Discovery, SimulationConfig, SimulationError, tournament::Tournament};

/// Who plays: what cron does, what the crawler of many libraries does, and ours.
const POLICIES: [&str; 3] = [CRON, "heritrix", OURS];
pub(super) const CRON: &str = "uniform";
const OURS: &str = "tintype";
const RUN_SEED: u64 = 1;

#[derive(Debug, Serialize)]
pub(super) struct Spent {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) days: f64,
    /// What the recaptures of the week took.
    pub(super) budget_per_day: u64,
    pub(super) versions: u64,
    /// Share of the versions that the best schedule of all would have caught.
    pub(super) oracle_completeness: f64,
    pub(super) results: Vec<Played>,
    /// With how little our policy does as well as cron by both measures.
    pub(super) enough: Option<Played>,
}

#[derive(Debug, Serialize)]
pub(super) struct Played {
    pub(super) policy: String,
    pub(super) budget_per_day: u64,
    pub(super) visits: u64,
    pub(super) caught: u64,
    pub(super) completeness: f64,
    pub(super) mean_age_hours: f64,
    pub(super) useful: f64,
}

impl Played {
    fn of(policy: &str, budget_per_day: u64, score: &Score) -> Played {
        Played {
            policy: policy.to_owned(),
            budget_per_day,
            visits: score.visits,
            caught: score.seen,
            completeness: score.completeness,
            mean_age_hours: score.mean_age_hours,
            useful: score.useful,
        }
    }
}

/// Visits a day that the week's recaptures took.
pub(super) fn budget(rounds: &[Round]) -> u64 {
    let again = rounds.get(1..).unwrap_or_default();
    let requests: u64 = again.iter().map(|round| round.requests).sum();
    (requests as f64 * 24.0 / (HOURS_BETWEEN * again.len().max(1) as i64) as f64).round().max(1.0) as u64
}

pub(super) fn play(newspaper: &mut Newspaper, from: Time, budget_per_day: u64) -> Result<Spent, SimulationError> {
    let (origin, to) = (newspaper.origin().to_owned(), newspaper.until);
    let game = SimulationConfig {
        from,
        to,
        per_day: budget_per_day as f64,
        discovery: Discovery::Announced,
        sitemap: None,
        run_seed: RUN_SEED,
    };
    let (history, contents) = (&newspaper.made.history, &mut newspaper.made.contents);
    let mut tournament = Tournament::new(history, &newspaper.truth, Some(contents), &origin, game.clone());
    let scores = POLICIES.map(|policy| tournament.play(policy, RUN_SEED));
    let mut results = Vec::new();
    let (mut versions, mut cron) = (0, None);
    for (policy, outcome) in POLICIES.into_iter().zip(scores) {
        let score = outcome?.score;
        versions = score.versions;
        cron = cron.or((policy == CRON).then_some(score));
        results.push(Played::of(policy, budget_per_day, &score));
    }
    let oracle_completeness = best(&newspaper.truth, &game) as f64 / versions.max(1) as f64;
    let enough = match cron {
        Some(cron) => enough(&mut tournament, &cron, budget_per_day)?,
        None => None,
    };
    let days = (to - from).as_days_f64();
    // The lab's newspaper begins on a day of its own.
    let [from, to] = [from, to].map(|time| (time - newspaper.later).to_rfc3339_secs());
    Ok(Spent { from, to, days, budget_per_day, versions, oracle_completeness, results, enough })
}

/// Versions that the best schedule with the same visit times would have caught.
fn best(truth: &Truth, game: &SimulationConfig) -> usize {
    let slots: Vec<Time> = game.slots().collect();
    oracle::completeness(truth, game.from, game.to, &slots)
}

/// The least of the budget, in steps of a twentieth, with which we catch as much as cron with copies no older.
fn enough(
    tournament: &mut Tournament<'_>,
    cron: &Score,
    budget_per_day: u64,
) -> Result<Option<Played>, SimulationError> {
    const STEPS: u64 = 20;
    let (mut too_little, mut least, mut found) = (0, STEPS, None);
    while least - too_little > 1 {
        let step = too_little.midpoint(least);
        let budget = (budget_per_day * step).div_ceil(STEPS);
        tournament.spend(budget as f64);
        let score = tournament.play(OURS, RUN_SEED)?.score;
        if score.completeness >= cron.completeness && score.mean_age_hours <= cron.mean_age_hours {
            (least, found) = (step, Some(Played::of(OURS, budget, &score)));
        } else {
            too_little = step;
        }
    }
    Ok(found)
}
