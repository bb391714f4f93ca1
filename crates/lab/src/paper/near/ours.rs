//! Ours beside WARM: what is noticed at every share of pages skipped, and the best that was possible.

use super::site::{BIRTHS, Past, Pasts, RUNS, TRAINING};
use crate::{
    paper::part::{Claim, Part},
    table::{Cell, Table},
    usage,
};
use tintype_learn::directory::Weighing;
use tintype_picture::{Axis, Lines, Picture, Series};
use tintype_plan::policy::{Grain, Price};
use tintype_quality::{Estimate, MeanBypass, estimate, oracle::Leaves};
use tintype_world::near::{BypassCurve, Mean, Setting, SkipExperiment, Wanted, Windows};

const WANTED: Wanted = Wanted { every: None, train: TRAINING, test: RUNS };
/// Prices of our skip: so many to a factor of ten, down from one change per request.
const PRICES_PER_DECADE: i32 = 6;
const DECADES: i32 = 5;
/// The recall people ask for, and the share they want to skip with it.
const RECALL: f64 = 0.95;
const HALF: f64 = 0.5;
/// Recalls that differ by less are equal.
const EQUAL: f64 = 0.0005;
/// Bypass ratios of the table.
const BYPASSES: [f64; 4] = [0.1, 0.25, 0.5, 0.75];
/// Points of a line.
const POINTS: usize = 50;

pub(super) fn parts(sites: &[Pasts]) -> anyhow::Result<Vec<Part>> {
    let part = |site: &Pasts| {
        let played = site.pasts.iter().map(|past| Played::new(past, &site.name)).collect::<anyhow::Result<_>>()?;
        Ok(Site { name: site.name.clone(), is_recorded: site.is_recorded, played }.part())
    };
    sites.iter().map(part).collect()
}

/// A policy on one past.
struct Policy {
    name: &'static str,
    curve: BypassCurve,
    /// At the setting it has by itself.
    own: Option<MeanBypass>,
}

/// Everybody on one past.
struct Played {
    /// WARM at all thresholds.
    warm: Vec<MeanBypass>,
    policies: [Policy; 5],
}

impl Played {
    fn new(past: &Past, name: &str) -> anyhow::Result<Played> {
        let windows = Windows::fit(past.from, past.to, WANTED)
            .map_err(|_| usage(format!("{name} is too short"), "leave it out, or take a longer history"))?;
        let experiment = SkipExperiment::new(&past.history, &past.weights, windows, BIRTHS);
        let warm: Vec<MeanBypass> =
            experiment.warm_everywhere(Weighing::Count).iter().map(|warm| Mean::of(&warm.judged()).ratios).collect();
        let own = Mean::of(&experiment.warm(Setting::default()).judged()).ratios;
        let best = |leaves: Leaves| BypassCurve::of(experiment.best(leaves));
        let policies = [
            Policy { name: "warm", curve: BypassCurve::of(warm.iter().copied()), own: Some(own) },
            Policy::skip("skip-directories", &experiment, &past.origin, Grain::Directories)?,
            Policy::skip("skip", &experiment, &past.origin, Grain::Pages)?,
            Policy { name: "oracle-directories", curve: best(Leaves::Directories), own: None },
            Policy { name: "oracle", curve: best(Leaves::Pages), own: None },
        ];
        Ok(Played { warm, policies })
    }

    fn policy(&self, name: &str) -> &Policy {
        self.policies.iter().find(|policy| policy.name == name).expect("everybody has played")
    }
}

impl Policy {
    fn skip(name: &'static str, experiment: &SkipExperiment<'_>, origin: &str, grain: Grain) -> anyhow::Result<Policy> {
        let price = |step: i32| Price::Fixed(10_f64.powf(-f64::from(step) / f64::from(PRICES_PER_DECADE)));
        let fixed = (0..=PRICES_PER_DECADE * DECADES).map(price);
        let prices: Vec<Price> = std::iter::once(Price::Learned).chain(fixed).collect();
        let played = experiment.skip(origin, &prices, grain, None)?;
        let means: Vec<MeanBypass> = played.iter().map(|skip| Mean::of(&skip.judged()).ratios).collect();
        Ok(Policy { name, curve: BypassCurve::of(means.iter().copied()), own: means.first().copied() })
    }

    /// The most it ever skips, short of everything.
    fn reach(&self) -> f64 {
        let points = self.curve.points();
        points.iter().rev().map(|point| point.0).find(|bypass| *bypass < 1.0).unwrap_or(0.0)
    }
}

/// A site with all its pasts.
struct Site {
    name: String,
    is_recorded: bool,
    played: Vec<Played>,
}

impl Site {
    fn over(&self, name: &str, read: impl Fn(&Policy) -> f64) -> Estimate {
        estimate(&self.played.iter().map(|played| read(played.policy(name))).collect::<Vec<f64>>())
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.played[0].policies.iter().map(|policy| policy.name)
    }

    /// How far the line of a policy is drawn.
    fn reach(&self, name: &str) -> f64 {
        self.played.iter().map(|played| played.policy(name).reach()).fold(1.0, f64::min)
    }

    fn part(&self) -> Part {
        Part {
            name: format!("ours-{}", self.name),
            title: format!("Ours: what is noticed when as much is skipped, {}", self.name),
            text: format!(
                "{TRAINING} captures to learn from, {RUNS} tests, as `tintype lab near` plays them. WARM over all sensible \
                 thresholds, our skip over its price (through the crawler's own scheduler), and the best possible, told \
                 everything; policies ending in -directories leave out whole directories only, as WARM does. Own: at the \
                 thresholds of Table 2, at the price skip learns itself."
            ),
            table: Some(self.table()),
            picture: Some(self.picture()),
            claims: self.claims(),
        }
    }

    fn table(&self) -> Table {
        let at = BYPASSES.map(|bypass| format!("CR at BR {bypass}"));
        let first = ["policy".to_owned(), format!("BR at CR {RECALL}")].into_iter();
        let mut table = Table::new(first.chain(at).chain(["own BR".to_owned(), "own CR".to_owned()]));
        for name in self.names() {
            let reach = self.reach(name);
            let recall = |bypass: f64| match bypass <= reach {
                true => Cell::Estimate(self.over(name, |policy| policy.curve.recall_at(bypass)), 3),
                false => Cell::Empty,
            };
            let own = |read: fn(&MeanBypass) -> f64| match self.played[0].policy(name).own {
                Some(_) => Cell::Estimate(self.over(name, |policy| policy.own.as_ref().map_or(f64::NAN, read)), 3),
                None => Cell::Empty,
            };
            let first = [Cell::text(name), Cell::Estimate(self.bypass(name), 3)].into_iter();
            let last = [own(|mean| mean.bypass_ratio), own(|mean| mean.change_recall)];
            table.push(first.chain(BYPASSES.map(recall)).chain(last).collect());
        }
        table
    }

    /// The most that is skipped with the recall people ask for.
    fn bypass(&self, name: &str) -> Estimate {
        self.over(name, |policy| policy.curve.bypass_at(RECALL).min(policy.reach()))
    }

    fn picture(&self) -> Picture {
        let line = |name: &'static str| {
            let reach = self.reach(name);
            let at = (0..=POINTS).map(|nth| reach * nth as f64 / POINTS as f64);
            let points: Vec<(f64, f64)> =
                at.map(|bypass| (bypass, self.over(name, |policy| policy.curve.recall_at(bypass)).mean)).collect();
            let series = Series::new(name, points);
            match name {
                "skip" => series.emphasised(),
                "oracle" => series.reference(),
                _ => series,
            }
        };
        let chart = Lines {
            title: format!("Changes noticed by share of pages skipped: {}", self.name),
            caption: "Best points of each policy over its settings, straight lines between; WARM as far as it goes."
                .to_owned(),
            x: Axis::linear("Bypass ratio", "share of the pages").including(0.0, 1.0),
            y: Axis::linear("Change recall", "share of the changes").including(0.0, 1.0),
            series: self.names().map(line).collect(),
        };
        chart.draw()
    }

    fn claims(&self) -> Vec<Claim> {
        let margins = self.played.iter().flat_map(|played| {
            let skip = &played.policy("skip").curve;
            let skips = played.warm.iter().filter(|warm| warm.bypass_ratio > 0.0);
            skips.map(|warm| (skip.recall_at(warm.bypass_ratio) - warm.change_recall, warm.bypass_ratio))
        });
        let margins: Vec<(f64, f64)> = margins.collect();
        let (worst, at) = margins.iter().copied().fold((f64::INFINITY, 0.0), |a, b| if b.0 < a.0 { b } else { a });
        let because = match margins.is_empty() {
            true => "WARM never skips anything".to_owned(),
            false => format!("{} settings that skip; the closest: {worst:+.4} at BR {at:.3}", margins.len()),
        };
        let (skip, oracle) = (self.bypass("skip").mean, self.bypass("oracle").mean);
        let equal = "skipping as much, we notice at least what WARM does at any setting";
        let mut claims = vec![Claim::goal(equal, worst >= -EQUAL, because)];
        // Who throws dice for every page leaves nothing to learn that would be enough for this.
        if self.is_recorded {
            let said =
                format!("half of the pages, or all that can be, are skipped with {RECALL} of the changes noticed");
            let because = format!("skip {skip:.3}, best possible {oracle:.3}");
            claims.push(Claim::goal(said, skip >= HALF.min(oracle), because));
        }
        claims
    }
}
