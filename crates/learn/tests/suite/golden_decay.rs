//! The numbers of the paper on quality-aware repositories that are learned (Q01–Q16), recomputed and corrected.

use crate::golden::{is_close, number, numbers};
use serde_json::{Value, json};
use tintype_learn::{
    decay::{AdaptMode, AutoRegression, interpolate, quality},
    distribution::chi_square_tail,
    life::{ArrivalSurvival, Gamma, Lives, Survival, Watched, interval_of_share},
    partition::{clusters, within},
};
use tintype_vocab::Span;

const SURE: f64 = 0.95;
/// The tables' categories, in the order of the printed rates.
const MAKES: [&str; 5] = ["BMW", "Ford", "Honda", "Dodge", "Toyota"];
const YEARS: [&str; 7] = ["2000", "2001", "2002", "2003", "2004", "2005", "2006"];

fn list(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn count(value: &Value) -> u32 {
    value.as_u64().unwrap() as u32
}

fn daily(inputs: &Value, arrivals: f64) -> ArrivalSurvival {
    let survival = Survival::exponential(number(&inputs["a"]));
    ArrivalSurvival { survival, step: Span::from_days(1), arrivals: (arrivals, 0.0), steps_seen: 0 }
}

fn auto_regression(inputs: &Value) -> AutoRegression {
    AutoRegression { constant: number(&inputs["alpha"]), weights: list(&inputs["beta"]), noise: 0.0 }
}

fn adapted(inputs: &Value, mode: AdaptMode) -> AutoRegression {
    let mut model = auto_regression(inputs);
    let [observed, learning_rate] = numbers(inputs, ["observed", "tau"]);
    model.adapt(&list(&inputs["d"]), count(&inputs["m"]) as usize, observed, learning_rate, mode);
    model
}

/// Groups by name: each number finds its place when they are put in order, equal ones in the order of the table.
fn groups(names: &[&str], rates: &[f64], count: usize) -> Value {
    let mut order: Vec<usize> = (0..rates.len()).collect();
    order.sort_by(|one, other| rates[*one].total_cmp(&rates[*other]));
    let sorted: Vec<f64> = order.iter().map(|at| rates[*at]).collect();
    let mut groups: Vec<Vec<usize>> =
        clusters(&sorted, &vec![1.0; rates.len()], count).into_iter().map(|range| order[range].to_vec()).collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable();
    groups.iter().map(|group| group.iter().map(|at| names[*at]).collect::<Value>()).collect()
}

/// The spreads of both cuts, and which cuts are as good as any.
fn ties(rates: &[f64]) -> Value {
    let spread = |cut: usize| within(&rates[..cut]) + within(&rates[cut..]);
    let least = (1..rates.len()).map(spread).fold(f64::INFINITY, f64::min);
    let best: Vec<usize> = (1..rates.len()).filter(|cut| spread(*cut) - least < 1e-12).collect();
    assert_eq!(clusters(rates, &vec![1.0; rates.len()], 2)[0].end, best[1], "as the table prints it");
    json!([spread(best[0]), spread(best[1]), best])
}

fn compute(item: &Value) -> Value {
    let inputs = &item["inputs"];
    match item["fn"].as_str().unwrap() {
        "quality.precision" => {
            json!(daily(inputs, 0.0).precision(&[(Span::ZERO, 1)], count(&inputs["tau"]), SURE).mean)
        }
        "quality.rate" => {
            // How many mean lives it takes until so many are left, in so many days.
            let rate = |point: &Value| Survival::exponential(1.0).quantile(1.0 - number(&point[1])) / number(&point[0]);
            inputs["points"].as_array().unwrap().iter().map(rate).collect()
        }
        "quality.precision_ci" => {
            let estimate = interval_of_share(number(&inputs["p"]), count(&inputs["n"]), number(&inputs["conf"]));
            json!((estimate.high - estimate.low) / 2.0)
        }
        "quality.recall" => {
            let (held, steps) = ([(Span::ZERO, count(&inputs["n0"]))], count(&inputs["tau"]));
            let model = daily(inputs, number(&inputs["arrivals"]));
            let recall = model.recall(&held, steps, SURE).mean;
            if item["id"] == "Q04" {
                json!([model.size(&held, steps), recall])
            } else {
                json!([recall, model.precision(&held, steps, SURE).mean])
            }
        }
        "quality.rate_mle" => {
            let mut lives = Lives::default();
            for (name, ended) in [("lifetimes", true), ("censored", false)] {
                for days in inputs[name].as_array().unwrap() {
                    lives.see(Watched { from: Span::ZERO, to: Span::from_days(days.as_i64().unwrap()), ended });
                }
            }
            json!(lives.rate_per_day())
        }
        "quality.gamma_mle" => {
            let counts: Vec<u32> = inputs["counts"].as_array().unwrap().iter().map(count).collect();
            let gamma = Gamma::fit(&counts).unwrap();
            json!([gamma.shape, gamma.scale, gamma.mean()])
        }
        "quality.q" => json!(quality(&list(&inputs["d"]))),
        "quality.ar_forecast" => {
            json!(auto_regression(inputs).forecast(&list(&inputs["d"]), count(&inputs["m"]) as usize))
        }
        "quality.update_literal" => {
            let model = adapted(inputs, AdaptMode::Literal);
            json!([model.constant, model.weights[0]])
        }
        "quality.update" => {
            let (history, steps) = (list(&inputs["d"]), count(&inputs["m"]) as usize);
            let (before, after) = (auto_regression(inputs), adapted(inputs, AdaptMode::Guarded));
            let sum: f64 = before.forecast(&history, steps).iter().sum();
            let grad = before.gradient(&history, steps);
            json!({ "sum": sum, "grad": grad, "alpha": after.constant, "beta": after.weights[0] })
        }
        "quality.interpolate" => json!(interpolate(&list(&inputs["forecast"]), number(&inputs["observed"]))),
        "quality.chi2_p" => list(&inputs["dT"]).into_iter().map(|drop| chi_square_tail(drop, 1)).collect(),
        "quality.kmeans" => {
            let rates = list(&inputs["rates"]);
            let names = if rates.len() == MAKES.len() { &MAKES[..] } else { &YEARS[..] };
            list(&inputs["k"]).into_iter().map(|count| groups(names, &rates, count as usize)).collect()
        }
        "quality.kmeans_tie" => ties(&list(&inputs["rates"])),
        other => panic!("nobody computes {other}"),
    }
}

#[test]
fn numbers_of_the_paper_come_out() {
    let items: Vec<Value> = serde_json::from_str(include_str!("../golden/decay.json")).unwrap();
    assert_eq!(items.len(), 16);
    for item in &items {
        let computed = compute(item);
        assert!(is_close(&computed, &item["expected"], number(&item["tolerance"])), "{item}: {computed}");
    }
}
