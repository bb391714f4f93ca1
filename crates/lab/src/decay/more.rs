//! What else a promise could cost: schedules for groups of objects, and probes of some objects instead of crawls of all.

use super::DecayConfig;
use crate::{
    table::{Cell, Table},
    usage,
};
use serde_json::{Value, json};
use tintype_world::source::{Aim, ByGroup, CrawlExperiment, GroupScore, Groups, Probed, Share, Source};

/// Behind the lots of groups and of probes.
const SEED: u64 = 1;

/// At one target.
#[derive(Debug)]
struct Grouped {
    aim: Aim,
    ways: Vec<ByGroup>,
}

/// Without probes, and with them.
#[derive(Debug)]
struct Sampled {
    target: f64,
    ways: [Probed; 2],
}

/// What was asked for besides.
#[derive(Debug)]
pub(super) struct More {
    grouped: Vec<Grouped>,
    sampled: Vec<Sampled>,
}

impl More {
    pub(super) fn of(
        config: &DecayConfig,
        source: &Source,
        experiments: &[CrawlExperiment<'_>],
    ) -> anyhow::Result<More> {
        let mut more = More { grouped: Vec::new(), sampled: Vec::new() };
        if let Some(attribute) = &config.partition {
            more.grouped = grouped(config, source, experiments, &chosen(source, attribute.as_deref())?)?;
        }
        if config.sampling {
            // Probes tell nothing of what came to the source, so that only copy precision can be kept by them.
            let CrawlExperiment { grid, trial, .. } = experiments[0];
            let probed = |target: f64, probes| trial.probe(grid, target, config.broken_share_max, probes, SEED);
            let sampled = |&target: &f64| Sampled { target, ways: [false, true].map(|probes| probed(target, probes)) };
            more.sampled = config.targets.iter().map(sampled).collect();
        }
        Ok(more)
    }

    /// Beside the keys that others rely on.
    pub(super) fn beside(&self, mut all: Value) -> Value {
        if !self.grouped.is_empty() {
            all["partition"] = self.grouped.iter().map(Grouped::json).collect();
        }
        if !self.sampled.is_empty() {
            all["sampling"] = self.sampled.iter().map(Sampled::json).collect();
        }
        all
    }

    pub(super) fn text(&self) -> String {
        let grouped = self.grouped.iter().map(|grouped| {
            let (measure, target) = (grouped.aim.measure.name(), grouped.aim.target);
            format!(
                "\nCopy {measure} of {target} for the whole, by schedules of groups: live, and with the fewest objects looked at\n\n{}",
                grouped.table().text()
            )
        });
        let sampled = self.sampled.iter().map(|sampled| {
            let target = sampled.target;
            format!("\nCopy precision of {target} where every object costs a request\n\n{}", sampled.table().text())
        });
        grouped.chain(sampled).collect()
    }
}

/// Numbers of the attributes that objects are to be grouped by.
fn chosen(source: &Source, attribute: Option<&str>) -> anyhow::Result<Vec<usize>> {
    let names = source.attributes();
    let chosen: Vec<usize> =
        (0..names.len()).filter(|nth| attribute.is_none_or(|attribute| names[*nth] == attribute)).collect();
    match (chosen.is_empty(), attribute) {
        (false, _) => Ok(chosen),
        (true, None) => Err(usage("these objects have no attributes", "leave out --partition")),
        (true, Some(attribute)) => {
            Err(usage(format!("no attribute {attribute:?}"), format!("choose one of {}", names.join(", "))))
        }
    }
}

fn grouped(
    config: &DecayConfig,
    source: &Source,
    experiments: &[CrawlExperiment<'_>],
    attributes: &[usize],
) -> anyhow::Result<Vec<Grouped>> {
    let CrawlExperiment { grid, trial, .. } = experiments[0];
    let step = grid.step();
    let together = Groups::whole(source, step)?;
    let alike = Groups::alike(source, step, trial.training, attributes)?;
    let lots = Groups::by_lot(source, step, alike.count(), SEED)?;
    let keep = |target: f64, experiment: &CrawlExperiment<'_>| {
        let aim = Aim { measure: experiment.measure, target, broken_share_max: config.broken_share_max };
        let keep = |groups: &Groups, way, share| groups.keep(way, share, experiment.trial, aim);
        let mut ways = vec![keep(&together, "all together", Share::Even)];
        if alike.count() > 1 {
            ways.push(keep(&alike, "alike, each as promised", Share::Even));
            ways.push(keep(&alike, "alike, loss by root of rate", Share::Root));
            ways.push(keep(&lots, "as many drawn by lot", Share::Even));
        }
        Grouped { aim, ways }
    };
    let each = config.targets.iter().flat_map(|target| experiments.iter().map(|experiment| keep(*target, experiment)));
    Ok(each.collect())
}

impl Grouped {
    fn table(&self) -> Table {
        let titles = ["objects", "groups", "crawls", "looked at", "quality", "below", "loss", "fewest", "its below"];
        let mut table = Table::new(titles);
        for ByGroup { way, groups, live, tuned } in &self.ways {
            table.push(vec![
                Cell::text(*way),
                Cell::Number(*groups as f64, 0),
                Cell::Number(live.crawls as f64, 0),
                Cell::Number(live.looked_at as f64, 0),
                Cell::Number(live.mean, 3),
                Cell::Number(live.below, 3),
                Cell::maybe(tuned.map(|(loss, _)| loss), 2),
                Cell::maybe(tuned.map(|(_, score)| score.looked_at as f64), 0),
                Cell::maybe(tuned.map(|(_, score)| score.below), 3),
            ]);
        }
        table
    }

    fn json(&self) -> Value {
        let score = |score: &GroupScore| {
            let GroupScore { crawls, looked_at, mean, below } = score;
            json!({"crawls": crawls, "looked_at": looked_at, "quality": mean, "below": below})
        };
        let way = |it: &ByGroup| {
            let tuned = it.tuned.map(|(loss, tuned)| json!({"loss": loss, "score": score(&tuned)}));
            json!({"way": it.way, "groups": it.groups, "live": score(&it.live), "at_share": tuned})
        };
        json!({
            "measure": self.aim.measure.name(),
            "target": self.aim.target,
            "ways": self.ways.iter().map(way).collect::<Value>(),
        })
    }
}

impl Sampled {
    fn named(&self) -> impl Iterator<Item = (&'static str, &Probed)> {
        ["crawls only", "probes first"].into_iter().zip(&self.ways)
    }

    fn table(&self) -> Table {
        let mut table = Table::new(["looking", "requests", "crawls", "probes", "quality", "below"]);
        for (name, Probed { requests, probes, score }) in self.named() {
            table.push(vec![
                Cell::text(name),
                Cell::Number(*requests as f64, 0),
                Cell::Number(score.crawls as f64, 0),
                Cell::Number(*probes as f64, 0),
                Cell::Number(score.mean, 3),
                Cell::Number(score.below, 3),
            ]);
        }
        table
    }

    fn json(&self) -> Value {
        let way = |(name, probed): (&str, &Probed)| {
            let Probed { requests, probes, score } = probed;
            json!({"looking": name, "requests": requests, "crawls": score.crawls, "probes": probes, "quality": score.mean,
                "below": score.below})
        };
        let [without, with] = self.ways.map(|probed| probed.requests as f64);
        let saved = (without > 0.0).then(|| 1.0 - with / without);
        json!({"target": self.target, "saved": saved, "ways": self.named().map(way).collect::<Value>()})
    }
}
