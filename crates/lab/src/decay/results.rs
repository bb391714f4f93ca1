//! Everything the experiment found out, and the JSON other programs rely on.

use super::OpenedSource;
use serde_json::{Map, Value, json};
use tintype_quality::CopyScore;
use tintype_vocab::{CopyMeasure, Span};
use tintype_world::source::{CrawlExperiment, Foreseen, Horizon, KeptPromise};

#[derive(Debug)]
pub(super) struct DecayMeasures {
    pub(super) name: String,
    pub(super) objects: usize,
    pub(super) mean_size: f64,
    pub(super) steps: usize,
    pub(super) step: Span,
    pub(super) training: usize,
    pub(super) broken_share_max: f64,
    pub(super) targets: Vec<f64>,
    pub(super) measures: Vec<Measured>,
    findings: Vec<String>,
}

/// By one measure.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) measure: CopyMeasure,
    pub(super) cycle: usize,
    pub(super) foreseen: Vec<Foreseen>,
    /// Of each target.
    pub(super) kept: Vec<Vec<KeptPromise>>,
}

/// Names of policies in keys; ours is always the best we have.
const KEYS: [(&str, &str); 6] = [
    ("static", "static-ar"),
    ("adaptive", "adaptive-ar"),
    ("persistence", "persistence"),
    ("fixed", "fixed"),
    ("oracle", "oracle"),
    ("best", "tintype"),
];

impl DecayMeasures {
    pub(super) fn of(
        opened: &OpenedSource,
        experiments: &[CrawlExperiment<'_>],
        targets: &[f64],
        broken_share_max: f64,
        findings: Vec<String>,
    ) -> DecayMeasures {
        let measures = std::thread::scope(|threads| {
            let measured = |experiment| move || Measured::of(experiment, targets, broken_share_max);
            let running: Vec<_> = experiments.iter().map(|experiment| threads.spawn(measured(experiment))).collect();
            running.into_iter().map(|thread| thread.join().expect("experiments do not panic")).collect()
        });
        let CrawlExperiment { grid, trial, .. } = experiments[0];
        let sizes = (0..grid.steps()).map(|step| f64::from(grid.size(step)));
        DecayMeasures {
            name: opened.name.clone(),
            objects: opened.source.lives().len(),
            mean_size: sizes.sum::<f64>() / grid.steps() as f64,
            steps: grid.steps(),
            step: grid.step(),
            training: trial.training,
            broken_share_max,
            targets: targets.to_vec(),
            measures,
            findings,
        }
    }

    /// Both measures at the first target, as everybody expects them, and the other targets beside.
    pub(super) fn json(&self) -> Value {
        let mut all = json!({
            "source": self.name,
            "objects": self.objects,
            "mean_size": self.mean_size,
            "steps": self.steps,
            "step_seconds": self.step.as_secs_f64(),
            "training": self.training,
            "target": self.targets[0],
            "broken_share_max": self.broken_share_max,
            "findings": self.findings,
        });
        let at = |nth: usize| self.measures.iter().map(move |it| (it.measure.name().to_owned(), it.json(nth)));
        let targets = self.targets.iter().enumerate().map(|(nth, target)| {
            let fields = at(nth).chain([("target".to_owned(), json!(target))]);
            Value::Object(fields.collect())
        });
        all["targets"] = targets.collect();
        if let Value::Object(fields) = &mut all {
            fields.extend(at(0));
        }
        all
    }
}

impl Measured {
    fn of(experiment: &CrawlExperiment<'_>, targets: &[f64], broken_share_max: f64) -> Measured {
        Measured {
            measure: experiment.measure,
            cycle: experiment.cycle,
            foreseen: experiment.foresee(),
            kept: experiment.keep(targets, broken_share_max),
        }
    }

    /// The foresight that says how sure it is.
    pub(super) fn ours(&self) -> Option<&Foreseen> {
        self.foreseen.iter().find(|foreseen| foreseen.coverage.is_some())
    }

    fn json(&self, target: usize) -> Value {
        let mut fields = Map::new();
        let ours = self.ours();
        let coverage = ours.and_then(|foreseen| foreseen.coverage);
        fields.insert("cycle".to_owned(), json!(self.cycle));
        fields.insert("coverage".to_owned(), json!(coverage));
        fields.insert("horizons".to_owned(), ours.map_or(json!([]), |foreseen| horizons(&foreseen.horizons)));
        for (key, name) in KEYS {
            if let Some(foreseen) = self.foreseen.iter().find(|foreseen| foreseen.model == name) {
                fields.insert(format!("sse_{key}"), json!(foreseen.error));
            }
            if let Some(kept) = self.kept[target].iter().find(|kept| kept.policy == name) {
                fields.extend(live_fields(key, kept.live.as_ref()));
                let crawls = kept.tuned.map(|(_, score)| score.crawls);
                fields.insert(format!("crawls_at_share_{key}"), json!(crawls));
            }
        }
        fields.insert("models".to_owned(), self.foreseen.iter().map(model).collect());
        fields.insert("policies".to_owned(), self.kept[target].iter().map(policy).collect());
        Value::Object(fields)
    }
}

/// A fixed interval is only chosen in hindsight.
fn live_fields(key: &str, live: Option<&CopyScore>) -> Vec<(String, Value)> {
    let Some(live) = live else { return Vec::new() };
    vec![
        (format!("rho_{key}"), json!(live.quality_per_crawl())),
        (format!("crawls_{key}"), json!(live.crawls)),
        (format!("quality_{key}"), json!(live.mean)),
        (format!("below_{key}"), json!(live.below)),
    ]
}

fn horizons(horizons: &[Horizon]) -> Value {
    let one = |it: &Horizon| json!({"upto": it.upto, "steps": it.steps, "coverage": it.coverage, "width": it.width});
    horizons.iter().map(one).collect()
}

fn model(foreseen: &Foreseen) -> Value {
    let Foreseen { model, error, cycles, coverage, horizons } = foreseen;
    json!({"model": model, "sse": error, "cycles": cycles, "coverage": coverage, "horizons": self::horizons(horizons)})
}

fn policy(kept: &KeptPromise) -> Value {
    let tuned = kept.tuned.map(|(setting, score)| {
        let mut fields = score_json(&score);
        fields["setting"] = json!(setting);
        fields
    });
    json!({"policy": kept.policy, "live": kept.live.as_ref().map(score_json), "at_share": tuned})
}

fn score_json(score: &CopyScore) -> Value {
    json!({
        "crawls": score.crawls,
        "quality": score.mean,
        "below": score.below,
        "least": score.least,
        "rho": score.quality_per_crawl(),
    })
}
