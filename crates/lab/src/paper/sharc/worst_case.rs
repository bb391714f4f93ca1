//! Figure 6: how much a few misplaced pages cost at worst.

use super::super::part::{Claim, Part};
use crate::table::{Cell, Table};
use tintype_picture::{Axis, Lines, Series};
use tintype_quality::capture::{hot_outside_increase, penalty, worst_increase};

const SKEWS: [f64; 4] = [0.5, 1.0, 2.0, 3.0];
const SIZES: [usize; 3] = [10, 100, 1000];
const PAGES: usize = 100;
/// Shares of the pages that are misplaced, in Figure 6(b).
const SHARES: usize = 20;
/// Skew of Figure 6(b), which the paper does not tell.
const SKEW: f64 = 1.0;

pub(super) fn parts() -> Vec<Part> {
    vec![by_skew(), by_size()]
}

/// Rates of 100 / rank ^ skew, each twice, coldest first.
fn rates(pages: usize, skew: f64) -> Vec<f64> {
    (0..pages).rev().map(|page| 100.0 / ((page / 2 + 1) as f64).powf(skew)).collect()
}

/// Equation (17) as a share of the best order's Σ λω.
fn increase(rates: &[f64], misplaced: usize) -> f64 {
    hot_outside_increase(rates, misplaced, 1.0) / best(rates)
}

fn best(rates: &[f64]) -> f64 {
    let last = rates.len().saturating_sub(1) as f64;
    rates.iter().enumerate().map(|(rank, rate)| rate * penalty(&[(rank / 2) as f64], 0.0, last)).sum()
}

fn by_skew() -> Part {
    let misplaced: Vec<usize> = (0..=PAGES).step_by(2).collect();
    let curve = |skew: f64| misplaced.iter().map(|k| increase(&rates(PAGES, skew), *k)).collect::<Vec<f64>>();
    let curves: Vec<Vec<f64>> = SKEWS.iter().map(|skew| curve(*skew)).collect();
    let titles = SKEWS.iter().map(|skew| format!("skew {skew}"));
    let mut table = Table::new(std::iter::once("misplaced pages".to_owned()).chain(titles.clone()));
    for (nth, k) in misplaced.iter().enumerate() {
        let values = curves.iter().map(|curve| Cell::Number(curve[nth], 4));
        table.push(std::iter::once(Cell::text(k.to_string())).chain(values).collect());
    }
    let series = titles
        .zip(&curves)
        .map(|(name, curve)| Series::new(name, misplaced.iter().zip(curve).map(|(k, value)| (*k as f64, *value))));
    let chart = Lines {
        title: "What misplaced pages cost at worst, by skew".to_owned(),
        caption: format!("Equation (17), corrected, for {PAGES} pages of 100 / rank ^ skew changes."),
        x: Axis::linear("Misplaced pages", "pages"),
        y: Axis::linear("Blur added", "share of the least blur"),
        series: series.collect(),
    };
    Part {
        name: "figure-6a".to_owned(),
        title: "Figure 6(a): worst case, by skew".to_owned(),
        text: "Added blur as a share of the best order's, which the paper does not draw: it shows sums.".to_owned(),
        table: Some(table),
        picture: Some(chart.draw()),
        claims: vec![order_of_magnitude(), steep_then_slow(&curves), theorem_6_2()],
    }
}

fn order_of_magnitude() -> Claim {
    let absolute = |skew: f64| hot_outside_increase(&rates(PAGES, skew), PAGES / 2, 1.0);
    let factor = absolute(1.0) / absolute(2.0);
    let relative = increase(&rates(PAGES, 2.0), PAGES / 2) / increase(&rates(PAGES, 1.0), PAGES / 2);
    Claim::new(
        "one more skew increases the added blur by an order of magnitude",
        1.0 / factor > 5.0,
        format!(
            "from skew 1 to 2 with half of the pages misplaced the sum of (17) is multiplied by {:.2}, its share of the \
             least blur by {relative:.2}",
            1.0 / factor
        ),
    )
}

fn steep_then_slow(curves: &[Vec<f64>]) -> Claim {
    let shares: Vec<f64> = curves[1..].iter().map(|curve| curve[5] / curve[curve.len() - 1]).collect();
    let words: Vec<String> = shares.iter().map(|share| format!("{:.0} %", 100.0 * share)).collect();
    Claim::new(
        "the first ten misplaced pages cost most, then the increase slows down",
        shares.iter().all(|share| *share > 0.5),
        format!("the first ten of {PAGES} cost {} of all for skews 1, 2 and 3", words.join(", ")),
    )
}

fn theorem_6_2() -> Claim {
    let exceeds = |skew: f64| {
        let rates = rates(PAGES, skew);
        let over = |k: usize| worst_increase(&rates, k, 1.0) / hot_outside_increase(&rates, k, 1.0);
        (10..=PAGES).step_by(10).map(over).fold(1.0, f64::max)
    };
    let worst = SKEWS.iter().map(|skew| exceeds(*skew)).fold(1.0, f64::max);
    Claim::new(
        "hot pages outside are the worst misplacement of such rates (Theorem 6.2)",
        worst < 1.0 + 1e-9,
        format!(
            "the worst split between hot pages outside and cold ones in the middle costs up to {worst:.4} times as much"
        ),
    )
}

fn by_size() -> Part {
    let curve = |pages: usize| {
        let rates = rates(pages, SKEW);
        let k = |nth: usize| (nth * pages / SHARES) & !1;
        (0..=SHARES).map(|nth| (k(nth) as f64 / pages as f64, increase(&rates, k(nth)))).collect::<Vec<_>>()
    };
    let curves: Vec<Vec<(f64, f64)>> = SIZES.iter().map(|pages| curve(*pages)).collect();
    let mut table = Table::new(["pages", "misplaced share", "blur added"]);
    for (pages, curve) in SIZES.iter().zip(&curves) {
        for (share, value) in curve {
            table.push(vec![Cell::text(pages.to_string()), Cell::Number(*share, 3), Cell::Number(*value, 4)]);
        }
    }
    let at_half = |nth: usize| curves[nth][SHARES / 2].1;
    let (small, large) = ((at_half(1) / at_half(0) - 1.0).abs(), (at_half(2) / at_half(1) - 1.0).abs());
    let claim = Claim::new(
        "size matters much among small sites and little among large ones",
        small > large,
        format!("10 to 100 pages changes it by {:.0} %, 100 to 1000 by {:.0} %", 100.0 * small, 100.0 * large),
    );
    let chart = Lines {
        title: "What misplaced pages cost at worst, by size".to_owned(),
        caption: format!("Equation (17), corrected, for skew {SKEW}."),
        x: Axis::linear("Misplaced pages", "share of all"),
        y: Axis::linear("Blur added", "share of the least blur"),
        series: SIZES
            .iter()
            .zip(&curves)
            .map(|(pages, curve)| Series::new(format!("{pages} pages"), curve.clone()))
            .collect(),
    };
    Part {
        name: "figure-6b".to_owned(),
        title: "Figure 6(b): worst case, by size".to_owned(),
        text: String::new(),
        table: Some(table),
        picture: Some(chart.draw()),
        claims: vec![claim],
    }
}
