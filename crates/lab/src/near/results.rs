//! Everything an experiment found out.

use super::{
    NearConfig,
    foretold::Foretold,
    out,
    point::{Point, Policy},
    table,
};
use crate::{Folder, ResultFiles, Results, open::OpenedSite};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tintype_learn::directory::{LOSS_SHARE, Weighing};
use tintype_plan::policy::{Grain, Price};
use tintype_quality::{Bypass, oracle::Leaves};
use tintype_vocab::Time;
use tintype_world::near::{Births, Judged, Ridden, SkipExperiment, Windows};

/// Prices of the skip curve: so many to a factor of ten, down from one change per request.
const PRICES_PER_DECADE: i32 = 10;
const DECADES: i32 = 4;
/// The recall people ask for.
pub(super) const RECALL: f64 = 0.95;
/// Recalls that differ by less are equal.
const EQUAL: f64 = 0.0005;

/// A setting of WARM, and what others notice who skip as much.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Compared {
    #[serde(flatten)]
    pub(super) warm: Point,
    pub(super) skip_cr: f64,
    pub(super) skip_directories_cr: f64,
    pub(super) oracle_cr: f64,
    pub(super) oracle_directories_cr: f64,
    /// Of skip against WARM.
    pub(super) verdict: Verdict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    Better,
    Equal,
    Worse,
}

impl Verdict {
    fn of(ours: f64, theirs: f64) -> Verdict {
        if (ours - theirs).abs() < EQUAL {
            Verdict::Equal
        } else if ours > theirs {
            Verdict::Better
        } else {
            Verdict::Worse
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Verdict::Better => "better",
            Verdict::Equal => "equal",
            Verdict::Worse => "worse",
        }
    }
}

/// What one test was like.
#[derive(Clone, Debug)]
pub(super) struct Test {
    pub(super) at: Time,
    pub(super) rules: usize,
    pub(super) warm: Judged,
    /// At the learned price.
    pub(super) skip: Ridden,
}

/// Everything an experiment found out.
#[derive(Debug)]
pub struct NearResults {
    pub(super) name: String,
    pub(super) windows: Windows,
    pub(super) births: Births,
    pub(super) notes: Vec<String>,
    /// Rules of all tests, each counted once.
    pub(super) rules: usize,
    /// WARM at the thresholds asked for.
    pub(super) warm: Point,
    /// The formulas (7) and (9) as the paper prints them: precision and recall.
    pub(super) printed: [f64; 2],
    /// Skip and skip-directories at the learned price.
    pub(super) learned: [Point; 2],
    pub(super) tests: Vec<Test>,
    /// What skip may lose.
    pub(super) loss: f64,
    /// What it said it would lose, and what it lost: learning from full captures, and from nothing but its own.
    pub(super) foretold: Foretold,
    pub(super) closed: Option<Foretold>,
    /// WARM, skip, skip-directories, oracle-directories, oracle.
    pub(super) policies: [Policy; 5],
}

impl NearResults {
    pub(super) fn of(
        experiment: &SkipExperiment<'_>,
        site: &OpenedSite,
        config: &NearConfig,
        notes: Vec<String>,
    ) -> anyhow::Result<NearResults> {
        let loss = config.loss;
        let warm = experiment.warm(config.setting);
        let everywhere = experiment.warm_everywhere(Weighing::Count);
        let grid: Vec<Point> = everywhere.iter().chain([&warm]).map(Point::of_warm).collect();
        let skip = Skipping::play(experiment, site, Grain::Pages, "skip", loss)?;
        let whole = Skipping::play(experiment, site, Grain::Directories, "skip-directories", loss)?;
        let rules: BTreeSet<_> =
            warm.tests.iter().flat_map(|test| &test.rules).map(|rule| (rule.head.clone(), rule.tail)).collect();
        let printed = |of: fn(&Bypass) -> f64| {
            warm.tests.iter().map(|test| of(&test.judged.bypass)).sum::<f64>() / warm.tests.len() as f64
        };
        let closed = match config.closed_loop {
            true => Some(experiment.closed_loop(&site.origin, Grain::Pages, loss)?),
            false => None,
        };
        let foretold = Foretold::of(experiment, &skip.tests);
        let tests = warm.tests.iter().zip(skip.tests).enumerate().map(|(nth, (test, skip))| Test {
            at: experiment.windows.time(experiment.windows.tested(nth)),
            rules: test.rules.len(),
            warm: test.judged,
            skip,
        });
        Ok(NearResults {
            name: site.name.clone(),
            windows: experiment.windows,
            births: experiment.births,
            notes,
            rules: rules.len(),
            warm: Point::of_warm(&warm),
            printed: [printed(Bypass::printed_overall_precision), printed(Bypass::printed_change_recall)],
            learned: [skip.learned, whole.learned],
            tests: tests.collect(),
            loss: loss.unwrap_or(LOSS_SHARE),
            foretold,
            closed: closed.map(|closed| Foretold::of(experiment, &closed)),
            policies: [
                Policy::new("warm", grid),
                skip.policy,
                whole.policy,
                Policy::oracle("oracle-directories", &experiment.best(Leaves::Directories)),
                Policy::oracle("oracle", &experiment.best(Leaves::Pages)),
            ],
        })
    }

    pub(super) fn policy(&self, name: &str) -> &Policy {
        self.policies.iter().find(|policy| policy.name == name).expect("it is one of the five")
    }

    /// WARM's settings that skip anything, and what others notice who skip as much.
    pub(super) fn compared(&self) -> Vec<Compared> {
        let at = |name: &str, br: f64| self.policy(name).curve.recall_at(br);
        let compared = |warm: &Point| Compared {
            skip_cr: at("skip", warm.br),
            skip_directories_cr: at("skip-directories", warm.br),
            oracle_cr: at("oracle", warm.br),
            oracle_directories_cr: at("oracle-directories", warm.br),
            verdict: Verdict::of(at("skip", warm.br), warm.cr),
            warm: warm.clone(),
        };
        let mut all: Vec<Compared> =
            self.policy("warm").points.iter().filter(|point| point.br > 0.0).map(compared).collect();
        all.sort_by(|a, b| a.warm.br.total_cmp(&b.warm.br).then(b.warm.cr.total_cmp(&a.warm.cr)));
        all.dedup_by(|a, b| (a.warm.br, a.warm.cr) == (b.warm.br, b.warm.cr));
        all
    }

    /// The most that can be skipped while changes are noticed as people ask.
    pub(super) fn bypass_at_recall(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.policies.iter().map(|policy| (policy.name, policy.curve.bypass_at(RECALL)))
    }

    fn all(&self) -> Value {
        let Windows { every, train, test, .. } = self.windows;
        let at_recall: serde_json::Map<String, Value> =
            self.bypass_at_recall().map(|(name, br)| (name.to_owned(), json!(br))).collect();
        let mut object = json!({
            "history": self.name,
            "from": self.windows.from.as_secs(),
            "every_seconds": every.as_secs_f64(),
            "train": train,
            "test": test,
            "discovery": match self.births { Births::LookedInto => "looked-into", Births::Announced => "announced" },
            "notes": self.notes,
            "rules": self.rules,
            "printed_op": self.printed[0],
            "printed_cr": self.printed[1],
            "skip": self.learned[0],
            "skip_directories": self.learned[1],
            "expected_lost": self.expected_lost(),
            "realised_lost": self.realised_lost(),
            "loss": self.loss,
            "foretold": self.foretold.sums(),
            "closed_loop": self.closed,
            "by_test": self.tests.iter().map(Test::json).collect::<Vec<_>>(),
            "at_equal_bypass": self.compared(),
            "bypass_at_recall_95": at_recall,
            "curve": self.policies.iter().flat_map(|policy| &policy.points).collect::<Vec<_>>(),
        });
        let warm = json!(self.warm);
        if let (Some(object), Value::Object(warm)) = (object.as_object_mut(), warm) {
            object.extend(warm.into_iter().filter(|(name, _)| name != "policy"));
        }
        object
    }

    /// Changes skip expected to lose at the learned price, over all tests.
    pub(super) fn expected_lost(&self) -> f64 {
        self.tests.iter().filter_map(Test::expected_lost).sum()
    }

    pub(super) fn realised_lost(&self) -> u64 {
        self.tests.iter().map(|test| test.skip.judged.bypass.changes_lost()).sum()
    }
}

impl Results for NearResults {
    fn json(&self) -> String {
        self.all().to_string()
    }

    fn text(&self) -> String {
        table::text(self)
    }
}

impl ResultFiles for NearResults {
    fn fill(&self, folder: &mut Folder, command: &str) -> anyhow::Result<()> {
        out::fill(folder, self, command)
    }
}

impl Test {
    pub(super) fn expected_lost(&self) -> Option<f64> {
        self.skip.said.as_ref().map(|said| said.expected_lost)
    }

    fn json(&self) -> Value {
        let ratios = |judged: &Judged| {
            let bypass = &judged.bypass;
            json!({
                "br": bypass.bypass_ratio(),
                "op": bypass.overall_precision(),
                "or": bypass.overall_recall(),
                "cr": bypass.change_recall(),
                "weighted_cr": judged.weighed.recall(),
                "counters": bypass,
            })
        };
        let mut object = ratios(&self.warm);
        object["at"] = json!(self.at.as_secs());
        object["rules"] = json!(self.rules);
        let mut skip = ratios(&self.skip.judged);
        skip["expected_lost"] = json!(self.expected_lost());
        skip["lost_between"] = json!(self.skip.said.as_ref().and_then(|said| said.lost_between));
        skip["expected_changes"] = json!(self.skip.said.as_ref().map(|said| said.expected_changes));
        skip["realised_lost"] = json!(self.skip.judged.bypass.changes_lost());
        object["skip"] = skip;
        object
    }
}

/// Our skip at one grain.
struct Skipping {
    learned: Point,
    tests: Vec<Ridden>,
    policy: Policy,
}

impl Skipping {
    fn play(
        experiment: &SkipExperiment<'_>,
        site: &OpenedSite,
        grain: Grain,
        name: &'static str,
        loss: Option<f64>,
    ) -> anyhow::Result<Skipping> {
        let fixed =
            (0..=PRICES_PER_DECADE * DECADES).map(|step| 10_f64.powf(-f64::from(step) / f64::from(PRICES_PER_DECADE)));
        let prices: Vec<Price> = std::iter::once(Price::Learned).chain(fixed.map(Price::Fixed)).collect();
        let mut played = experiment.skip(&site.origin, &prices, grain, loss)?;
        let points: Vec<Point> = played.iter().map(|skip| Point::of_skip(name, skip)).collect();
        let tests = played.swap_remove(0).tests;
        Ok(Skipping { learned: points[0].clone(), tests, policy: Policy::new(name, points) })
    }
}
