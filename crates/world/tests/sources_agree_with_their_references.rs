//! Fits to real sources against an independent implementation's, in `../shared/objects`: to one per cent, where the estimator
//! is the same.

use serde_json::Value;
use std::{collections::BTreeMap, path::Path};
use tintype_learn::{
    decay::{AutoRegression, decay},
    distribution::chi_square_tail,
    life::{Arrivals, Cycle, Family, KaplanMeier, Law, Lives, Profile, Watched, fits, hazard_by_age},
    partition::{Judge, Stretches, categories, groups_of},
};
use tintype_vocab::{CopyMeasure, Span};
use tintype_world::source::{CrawlGrid, Source};

/// The paper's AR orders go up to a week; the references to one more.
const ORDER_MAX: usize = 8;

struct Reference {
    name: &'static str,
    source: Source,
    grid: CrawlGrid,
    numbers: Value,
}

impl Reference {
    fn all() -> Vec<Reference> {
        let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/objects");
        if !shared.exists() {
            eprintln!("skipped, no ../shared");
            return Vec::new();
        }
        ["cars_upull", "jobs_crypto", "forum_hn2025"].map(|name| Reference::read(name, &shared.join(name))).into()
    }

    fn read(name: &'static str, directory: &Path) -> Reference {
        let numbers = std::fs::read_to_string(directory.join("baseline.json")).unwrap();
        let numbers: Value = serde_json::from_str(&numbers).unwrap();
        let source = Source::read(directory).unwrap();
        let grid = source.grid(Span::from_secs(numbers["step_s"].as_i64().unwrap())).unwrap();
        Reference { name, source, grid, numbers }
    }

    fn step_days(&self) -> f64 {
        self.grid.step().as_days_f64()
    }

    /// Lives as they were watched, in the order of the source.
    fn watched(&self) -> impl Iterator<Item = Watched> + '_ {
        self.source.lives().iter().filter_map(|life| Watched::midway(life, self.source.looks()))
    }

    /// Values of an attribute and lives, all followed for the same time.
    fn followed(&self, attribute: usize) -> (f64, Vec<(&str, Watched)>) {
        let mut ended: Vec<i64> = self.watched().filter(|life| life.ended).map(|life| life.to.as_millis()).collect();
        ended.sort_unstable();
        let place = 0.8 * (ended.len() - 1) as f64;
        let (before, after) = (ended[place as usize], ended[place as usize + 1]);
        let window = Span::from_millis(before + (place.fract() * (after - before) as f64) as i64);
        let looks = self.source.looks();
        let last_chance = *looks.last().unwrap() - window;
        let lives = self.source.lives().iter().filter(|life| life.first_seen <= last_chance);
        let followed = lives.filter_map(|life| {
            let watched = Watched::midway(life, looks)?.until(window);
            Some((life.attributes[attribute].as_str(), watched))
        });
        (window.as_days_f64(), followed.collect())
    }

    fn lives(&self) -> Lives {
        let mut lives = Lives::default();
        self.watched().for_each(|life| assert!(lives.see(life)));
        lives
    }

    fn arrivals(&self) -> Vec<u32> {
        (1..self.grid.steps()).map(|step| self.grid.size(step) - self.grid.kept(step - 1, step)).collect()
    }

    fn check(&self, pointer: &str, found: f64) {
        let expected = self.numbers.pointer(pointer).and_then(Value::as_f64);
        let expected = expected.unwrap_or_else(|| panic!("{}: no {pointer}", self.name));
        let near = (found - expected).abs() <= 0.01 * expected.abs();
        assert!(near, "{}{pointer}: {found} is not {expected}", self.name);
    }
}

#[test]
fn arrivals_agree() {
    for reference in Reference::all() {
        let counts = reference.arrivals();
        let arrivals = Arrivals::of(&counts).unwrap();
        let check = |name: &str, found: f64| reference.check(&format!("/arrivals/{name}"), found);
        check("steps", arrivals.steps as f64);
        check("mean", arrivals.mean);
        check("var", arrivals.variance);
        check("dispersion", arrivals.dispersion());
        check("zero_share", arrivals.empty_share);
        check("burst_share_top5pct", arrivals.burst_share);
        let gamma = arrivals.gamma.unwrap();
        let mut positive: Vec<u32> = counts.iter().copied().filter(|count| *count > 0).collect();
        positive.sort_unstable();
        check("gamma_positive/shape", gamma.shape);
        check("gamma_positive/scale", gamma.scale);
        check("gamma_positive/ks", gamma.distance(&positive));
        for fit in &arrivals.fits {
            match fit.law {
                Law::Poisson { .. } => check("aic/poisson", fit.aic()),
                Law::Gamma(_) => check("aic/gamma_rounded", fit.aic()),
                Law::NegativeBinomial { mean, size } => {
                    check("aic/negbin", fit.aic());
                    check("negbin/mean", mean);
                    check("negbin/r", size);
                }
                Law::ZeroInflatedGamma { .. } => (),
            }
        }
    }
}

#[test]
fn rhythms_of_arrivals_agree() {
    for reference in Reference::all() {
        let start = reference.source.looks()[0];
        let step = |nth: usize| start + reference.grid.step() * (nth as i64 + 1);
        let counts: Vec<_> = reference.arrivals().iter().enumerate().map(|(nth, count)| (step(nth), *count)).collect();
        for (cycle, name) in [(Cycle::Weekday, "arrivals_weekday"), (Cycle::Hour, "arrivals_hour")] {
            if reference.numbers["season"].get(name).is_some() {
                let profile = Profile::of(&counts, cycle);
                reference.check(&format!("/season/{name}/r2"), profile.explained);
                reference.check(&format!("/season/{name}/p"), profile.chance);
            }
        }
    }
}

#[test]
fn survival_agrees() {
    for reference in Reference::all() {
        let (lives, step) = (reference.lives(), reference.step_days());
        let check = |name: &str, found: f64| reference.check(&format!("/survival/{name}"), found);
        check("n", lives.count() as f64);
        check("events", lives.ended() as f64);
        check("mean_of_completed", lives.mean_of_completed_days().unwrap() / step);
        let curve = KaplanMeier::of(&lives);
        for share in ["25%", "50%", "75%", "90%"] {
            let at: f64 = share.trim_end_matches('%').parse().unwrap();
            check(&format!("km_quantiles_steps/{share}"), curve.quantile(at / 100.0).unwrap() / step);
        }
        for fit in fits(&lives) {
            let name = fit.survival.family.name().replace('-', "");
            let check = |what: &str, found: f64| check(&format!("fits/{name}/{what}"), found);
            // The references' densities are per step.
            check("aic", fit.aic() - 2.0 * lives.ended() as f64 * step.ln());
            check("max_km_gap", fit.gap);
            if matches!(fit.survival.family, Family::Exponential | Family::Weibull) {
                check("rate_per_step", fit.survival.rate_per_day() * step);
            }
            if fit.survival.family == Family::Weibull {
                check("k", 1.0 / fit.survival.spread);
            }
        }
        let stretches = hazard_by_age(&lives, &[0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0]);
        for (nth, stretch) in stretches.iter().enumerate() {
            check(&format!("hazard_by_age/{nth}/1"), stretch.to_days / step);
            check(&format!("hazard_by_age/{nth}/2"), stretch.rate_per_day() * step);
        }
        assert_eq!(stretches.len(), 6);
    }
}

#[test]
fn auto_regressions_agree() {
    for reference in Reference::all() {
        for measure in CopyMeasure::ALL {
            let grid = &reference.grid;
            let all = |step: usize| if measure == CopyMeasure::Recall { grid.size(step) } else { grid.size(step - 1) };
            let decays: Vec<f64> = (1..grid.steps()).map(|step| decay(grid.kept(step - 1, step), all(step))).collect();
            let windows: BTreeMap<String, Value> =
                serde_json::from_value(reference.numbers["ar"][measure.name()].clone()).unwrap();
            for (window, numbers) in windows.iter().filter(|(_, numbers)| numbers.get("coef").is_some()) {
                let bounds: [usize; 2] = serde_json::from_value(numbers["train"].clone()).unwrap();
                let model = AutoRegression::fit(&decays[bounds[0]..bounds[1] - 1], ORDER_MAX).unwrap();
                let pointer = format!("/ar/{}/{window}", measure.name());
                reference.check(&format!("{pointer}/ar_order"), model.weights.len() as f64);
                for (nth, coefficient) in std::iter::once(&model.constant).chain(&model.weights).enumerate() {
                    // Printed with five decimals.
                    let printed = (coefficient * 1e5).round() / 1e5;
                    reference.check(&format!("{pointer}/coef/{nth}"), printed);
                }
            }
        }
    }
}

#[test]
fn partitions_agree() {
    for reference in Reference::all() {
        let step = reference.step_days();
        for (nth, attribute) in reference.source.attributes().iter().enumerate() {
            let numbers = &reference.numbers["partition"][attribute];
            let (window, mut followed) = reference.followed(nth);
            followed.retain(|(value, _)| numbers["n"].get(value).is_some());
            let stretches = Stretches::of(followed.iter().map(|(_, life)| *life), window, 10);
            let found = categories(followed, 1, &stretches);
            let check = |name: &str, found: f64| reference.check(&format!("/partition/{attribute}/{name}"), found);
            check("window_steps", window / step);
            for category in &found {
                check(&format!("n/{}", category.names[0]), category.evidence.lives as f64);
                check(&format!("rates/{}", category.names[0]), category.evidence.rate_per_day() * step);
            }
            let steps = groups_of(&found, Judge::FAITHFUL);
            assert_eq!(steps.len(), numbers["steps"].as_array().unwrap().len(), "{}: {attribute}", reference.name);
            for (at, pair) in steps.windows(2).enumerate() {
                let names = |group: &Vec<usize>| group.iter().map(|at| found[*at].names[0].clone()).collect::<Vec<_>>();
                let groups: Vec<Vec<String>> = pair[1].groups.iter().map(names).collect();
                let step = format!("steps/{}", at + 1);
                assert_eq!(
                    serde_json::to_value(groups).unwrap(),
                    numbers.pointer(&format!("/{step}/groups")).unwrap().clone()
                );
                check(&format!("{step}/T"), pair[1].pearson);
                check(&format!("{step}/dT"), pair[0].pearson - pair[1].pearson);
                check(&format!("{step}/lr"), pair[1].likelihood_ratio);
                check(&format!("{step}/lr_p"), chi_square_tail(pair[1].likelihood_ratio, 1));
            }
        }
    }
}
