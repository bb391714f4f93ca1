//! What a tournament found out, and the JSON other programs rely on.

use serde_json::{Map, Value, json};
use tintype_plan::policy::{PolicyKind, RegisteredPolicy};
use tintype_quality::{Estimate, Score, estimate, measure::REGISTRY};
use tintype_world::{Discovery, SimulationConfig, tournament::Best};

#[derive(Debug)]
pub(super) struct TournamentResults {
    pub(super) name: String,
    pub(super) game: SimulationConfig,
    pub(super) pages: usize,
    /// Histories that taught ours, where this one was left out.
    pub(super) trained_on: Option<Vec<String>>,
    /// The budget that was asked for.
    pub(super) asked: Spent,
    /// Less and more, for the pictures.
    pub(super) others: Vec<Spent>,
}

/// What everybody did with one budget.
#[derive(Debug)]
pub(super) struct Spent {
    pub(super) per_day: f64,
    /// What was possible, on the site itself first and then on its sisters.
    pub(super) bests: Vec<Best>,
    pub(super) rows: Vec<Row>,
}

/// One policy.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) policy: &'static str,
    /// Told the true rates: not a policy anybody could run, but what learning could gain.
    pub(super) informed: bool,
    pub(super) bytes: u64,
    /// Visits to the sitemap.
    pub(super) signal_requests: u64,
    /// The run with the seed that was asked for comes first.
    pub(super) scores: Vec<Score>,
    /// Freshness over time in that run; empty if nobody wants to see it.
    pub(super) course: Vec<f64>,
}

impl Row {
    pub(super) fn new(player: &RegisteredPolicy) -> Row {
        let informed = player.kind == PolicyKind::Informed;
        Row { policy: player.name, informed, bytes: 0, signal_requests: 0, scores: Vec::new(), course: Vec::new() }
    }

    pub(super) fn score(&self) -> &Score {
        &self.scores[0]
    }

    /// Mean and interval over runs of what `read` reads.
    pub(super) fn over_runs(&self, read: fn(&Score) -> f64) -> Estimate {
        estimate(&self.scores.iter().map(read).collect::<Vec<f64>>())
    }
}

impl Spent {
    pub(super) fn new(per_day: f64, players: &[&'static RegisteredPolicy]) -> Spent {
        Spent { per_day, bests: Vec::new(), rows: players.iter().map(|player| Row::new(player)).collect() }
    }

    /// The best completeness there could be, over the site and its sisters.
    pub(super) fn best_over_runs(&self) -> Estimate {
        estimate(&self.bests.iter().map(|best| best.completeness).collect::<Vec<f64>>())
    }

    /// Best first.
    pub(super) fn ranked(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by(|a, b| b.score().completeness.total_cmp(&a.score().completeness));
        rows
    }
}

impl TournamentResults {
    pub(super) fn best(&self) -> Best {
        self.asked.bests[0]
    }

    /// Share of what was possible.
    pub(super) fn of_best(&self, row: &Row) -> f64 {
        share(row.score().completeness, self.best().completeness)
    }

    /// The same by the weight of versions.
    pub(super) fn weighted_of_best(&self, row: &Row) -> f64 {
        share(row.score().weighted_completeness, self.best().weighted_completeness)
    }

    pub(super) fn versions(&self) -> u64 {
        self.asked.rows.first().map_or(0, |row| row.score().versions)
    }

    /// From the smallest to the largest.
    pub(super) fn budgets(&self) -> impl Iterator<Item = &Spent> {
        let mut all: Vec<&Spent> = self.others.iter().chain([&self.asked]).collect();
        all.sort_by(|a, b| a.per_day.total_cmp(&b.per_day));
        all.into_iter()
    }

    fn discovery(&self) -> String {
        format!("{:?}", self.game.discovery).to_lowercase()
    }

    fn sitemap(&self) -> String {
        self.game.sitemap.map_or("none".to_owned(), |sitemap| format!("{sitemap:?}").to_lowercase())
    }

    /// How pages became known, in words.
    pub(super) fn found(&self) -> &'static str {
        match self.game.discovery {
            Discovery::Announced => "announced at their birth",
            Discovery::Links => "found by links",
        }
    }

    pub(super) fn json(&self) -> Value {
        let best = self.best();
        json!({
            "history": self.name,
            "from": self.game.from.as_secs(),
            "to": self.game.to.as_secs(),
            "budget_per_day": self.game.per_day,
            "discovery": self.discovery(),
            "sitemap": self.sitemap(),
            "run_seed": self.game.run_seed,
            "pages": self.pages,
            "versions": self.versions(),
            "leave_out": self.trained_on.is_some(),
            "trained_on": self.trained_on,
            "oracle_completeness": best.completeness,
            "oracle_weighted_completeness": best.weighted_completeness,
            "oracle_freshness": best.freshness,
            "results": self.asked.rows.iter().map(|row| self.row(row)).collect::<Vec<_>>(),
        })
    }

    fn row(&self, row: &Row) -> Value {
        let score = row.score();
        let mut object = Map::new();
        object.insert("policy".into(), json!(row.policy));
        object.insert("visits".into(), json!(score.visits));
        for measure in REGISTRY {
            object.insert(measure.name.into(), json!((measure.read)(score)));
            if let Estimate { mean, ci95: Some(interval) } = row.over_runs(measure.read) {
                object.insert(format!("{}_mean", measure.name), json!(mean));
                object.insert(format!("{}_ci95", measure.name), json!(interval));
            }
        }
        object.insert("versions_seen".into(), json!(score.seen));
        object.insert("of_oracle".into(), json!(self.of_best(row)));
        object.insert("weighted_of_oracle".into(), json!(self.weighted_of_best(row)));
        object.insert("bytes".into(), json!(row.bytes));
        object.insert("visits_per_version".into(), json!(score.visits as f64 / (score.seen.max(1)) as f64));
        object.insert("signal_requests".into(), json!(row.signal_requests));
        object.insert("runs".into(), json!(row.scores.len()));
        Value::Object(object)
    }
}

/// Where nothing was possible, everything possible was done.
fn share(reached: f64, best: f64) -> f64 {
    if best > 0.0 { reached / best } else { 1.0 }
}
