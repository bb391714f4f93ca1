//! A change rate as a distribution over a grid of rates, from slower than once in 27 years to once in five minutes.
//!
//! A rate and a length of time only ever meet as their product, and the grid is even in the logarithm, so every
//! expectation is one sum over a table: no exponentials are computed while planning.

use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// Rates a belief tells apart.
pub const BINS: usize = 64;
const SLOWEST_PER_DAY: f64 = 1e-4;
const FASTEST_PER_DAY: f64 = 300.0;
/// Table steps per bin: products of rate and time are rounded to one eighth of a bin (3 %).
const STEPS: usize = 8;
/// Table entries before the product 1, and in all.
const BEFORE: usize = 260 * STEPS;
const ENTRIES: usize = 340 * STEPS;

/// Weights over the grid.
pub type Weights = [f32; BINS];

/// Functions of "changes to be expected", y = rate × time, that planning takes expectations of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// 1 − e^−y: the chance that there was a change.
    Changed,
    /// y²/2 + (1 + y) e^−y − 1: worth of a visit to a copy that should not grow old, per rate².
    Age,
    /// 1 − (1 + y) e^−y, per rate: worth of a visit to a copy that should be right as often as possible (R − x R′).
    Freshness,
}

struct Tables {
    rates: [f64; BINS],
    logs: [f64; BINS],
    /// Each curve divided by its powers of y, which leaves powers of time to multiply by. One row per step within a bin,
    /// so that the values a belief meets lie side by side.
    curves: [[Vec<f32>; STEPS]; 3],
}

/// The logarithm of the ratio of neighbouring rates: ln(3,000,000) / 63.
fn bin_width() -> f64 {
    14.914_122_846_632_385 / (BINS - 1) as f64
}

impl Curve {
    /// The curve at `y` exactly.
    pub fn at(self, y: f64) -> f64 {
        match self {
            Curve::Changed => -(-y).exp_m1(),
            Curve::Freshness if y < 1e-3 => y * y / 2.0,
            Curve::Freshness => 1.0 - (1.0 + y) * (-y).exp(),
            Curve::Age if y < 1e-2 => y.powi(3) / 3.0,
            Curve::Age => y * y / 2.0 + (1.0 + y) * (-y).exp() - 1.0,
        }
    }

    /// Powers of the rate the curve is to be divided by.
    pub fn per_rate(self) -> i32 {
        match self {
            Curve::Changed => 0,
            Curve::Freshness => 1,
            Curve::Age => 2,
        }
    }
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let rate = |bin: usize| SLOWEST_PER_DAY * (bin as f64 * bin_width()).exp();
    let entry = |step: usize| ((step as f64 - BEFORE as f64) * bin_width() / STEPS as f64).exp();
    let value = |curve: Curve, step: usize| (curve.at(entry(step)) / entry(step).powi(curve.per_rate())) as f32;
    let row = |curve: Curve, first: usize| (first..ENTRIES).step_by(STEPS).map(|step| value(curve, step)).collect();
    let table = |curve: Curve| std::array::from_fn(|first| row(curve, first));
    Tables {
        rates: std::array::from_fn(rate),
        logs: std::array::from_fn(|bin| rate(bin).ln()),
        curves: [Curve::Changed, Curve::Age, Curve::Freshness].map(table),
    }
});

/// The grid, with its tables at hand.
#[derive(Clone, Copy)]
pub struct Grid(&'static Tables);

impl std::fmt::Debug for Grid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{BINS} rates from {SLOWEST_PER_DAY} to {FASTEST_PER_DAY} per day")
    }
}

impl Default for Grid {
    fn default() -> Grid {
        Grid(&TABLES)
    }
}

impl Grid {
    /// The rate of a bin.
    pub fn per_day(&self, bin: usize) -> f64 {
        self.0.rates[bin]
    }

    /// What is believed of a page nobody knows anything about: once in three weeks, give or take a factor of ten.
    pub fn ignorance(&self) -> Weights {
        const TYPICAL_PER_DAY: f64 = 0.05;
        const SPREAD: f64 = 2.5;
        let mut weights: Weights = std::array::from_fn(|bin| {
            let z = (self.0.logs[bin] - TYPICAL_PER_DAY.ln()) / SPREAD;
            (-0.5 * z * z).exp() as f32
        });
        normalise(&mut weights);
        weights
    }

    /// The expectation of a curve when `days` have passed.
    pub fn expect(&self, belief: &Weights, curve: Curve, days: f64) -> f64 {
        if days <= 0.0 {
            return 0.0;
        }
        let steps = (SLOWEST_PER_DAY * days).ln() * (STEPS as f64 / bin_width()) + BEFORE as f64 + 0.5;
        let start = (steps as isize).clamp(0, (ENTRIES - STEPS * BINS) as isize) as usize;
        let row = &self.0.curves[curve as usize][start % STEPS][start / STEPS..];
        f64::from(dot(belief, &row[..BINS])) * days.powi(curve.per_rate())
    }

    /// The mean rate.
    pub fn mean_per_day(&self, belief: &Weights) -> f64 {
        belief.iter().zip(&self.0.rates).map(|(&weight, rate)| f64::from(weight) * rate).sum()
    }
}

/// The sum of products, in eight lanes so that the processor can add them side by side.
fn dot(weights: &Weights, values: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 8];
    for (weights, values) in weights.chunks_exact(8).zip(values.chunks_exact(8)) {
        for lane in 0..8 {
            lanes[lane] += weights[lane] * values[lane];
        }
    }
    lanes.iter().sum()
}

/// Bins apart at which the likelihood of changes at unknown moments is kept: it is smooth, and what lies between follows.
const KNOT_STEP: usize = 3;
const KNOTS: usize = (BINS - 1) / KNOT_STEP + 1;

type Knots = [f32; KNOTS];

/// What visits say about one page's rate: its logarithm is `dated · ln rate − quiet_days · rate`, and at some rates what
/// changes at unknown moments add. Sixteen bytes for a page whose changes are dated, or that has none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "(f32, f32, Vec<f32>)", into = "(f32, f32, Vec<f32>)")]
pub struct RateEvidence {
    /// Changes at known moments, and days in which there was none for certain.
    dated: f32,
    quiet_days: f32,
    undated: Option<Box<Knots>>,
}

impl TryFrom<(f32, f32, Vec<f32>)> for RateEvidence {
    type Error = &'static str;

    fn try_from((dated, quiet_days, undated): (f32, f32, Vec<f32>)) -> Result<RateEvidence, &'static str> {
        if undated.iter().chain([&dated, &quiet_days]).any(|value| !value.is_finite()) {
            return Err("evidence that says nothing");
        }
        let undated = match undated.is_empty() {
            true => None,
            false => Some(Box::new(Knots::try_from(undated).map_err(|_| "evidence with too many or too few knots")?)),
        };
        Ok(RateEvidence { dated, quiet_days, undated })
    }
}

impl From<RateEvidence> for (f32, f32, Vec<f32>) {
    fn from(evidence: RateEvidence) -> (f32, f32, Vec<f32>) {
        let undated = evidence.undated.map_or_else(Vec::new, |knots| knots.to_vec());
        (evidence.dated, evidence.quiet_days, undated)
    }
}

impl RateEvidence {
    /// What is left of it after a visit.
    const KEPT: f32 = 0.98;

    /// Old evidence counts a little less with every visit, because pages change their habits.
    pub fn fade(&mut self) {
        self.keep(RateEvidence::KEPT);
    }

    /// The same for so many visits at once.
    pub fn fade_by(&mut self, visits: u32) {
        self.keep(f64::from(RateEvidence::KEPT).powf(f64::from(visits)) as f32);
    }

    fn keep(&mut self, share: f32) {
        self.dated *= share;
        self.quiet_days *= share;
        self.undated.iter_mut().flat_map(|knots| knots.iter_mut()).for_each(|value| *value *= share);
    }

    /// What another log says as well.
    pub fn add(&mut self, other: &RateEvidence) {
        self.dated += other.dated;
        self.quiet_days += other.quiet_days;
        if let Some(theirs) = &other.undated {
            let mine = self.undated.get_or_insert_default();
            mine.iter_mut().zip(theirs.iter()).for_each(|(value, other)| *value += other);
        }
    }

    /// Bytes besides its own.
    pub(crate) fn bytes(&self) -> usize {
        self.undated.as_ref().map_or(0, |_| size_of::<Knots>())
    }

    /// No change for so long.
    pub fn unchanged(&mut self, days: f64) {
        self.quiet_days += days as f32;
    }

    /// At least one change some time in so many days.
    pub fn changed_within(&mut self, grid: &Grid, days: f64) {
        let knots = self.undated.get_or_insert_default();
        for (value, rate) in knots.iter_mut().zip(grid.0.rates.iter().step_by(KNOT_STEP)) {
            *value += Curve::Changed.at(rate * days).max(1e-30).ln() as f32;
        }
    }

    /// A change at a known moment, and none in the days since.
    pub fn changed_ago(&mut self, days: f64) {
        self.dated += 1.0;
        self.quiet_days += days as f32;
    }

    /// The belief of somebody who held `prior` and hears this.
    pub fn belief(&self, grid: &Grid, prior: &Weights) -> Weights {
        let mut belief = self.undated.as_deref().map_or([0.0; BINS], between);
        let (dated, quiet_days) = (f64::from(self.dated), f64::from(self.quiet_days));
        let by_rate = grid.0.rates.iter().zip(&grid.0.logs);
        for ((value, (rate, log)), prior) in belief.iter_mut().zip(by_rate).zip(prior) {
            *value += (dated * log - quiet_days * rate) as f32 + prior.max(1e-30).ln();
        }
        let top = belief.iter().copied().fold(f32::MIN, f32::max);
        belief.iter_mut().for_each(|value| *value = (*value - top).exp());
        normalise(&mut belief);
        belief
    }
}

/// The smooth curve through the knots (Catmull and Rom's), straight beyond the ends.
fn between(knots: &Knots) -> Weights {
    std::array::from_fn(|bin| {
        let (nth, rest) = (bin / KNOT_STEP, bin % KNOT_STEP);
        if rest == 0 {
            return knots[nth];
        }
        let (one, two) = (knots[nth], knots[nth + 1]);
        let before = if nth > 0 { knots[nth - 1] } else { 2.0 * one - two };
        let after = knots.get(nth + 2).copied().unwrap_or(2.0 * two - one);
        let t = rest as f32 / KNOT_STEP as f32;
        let (slope_one, slope_two) = ((two - before) / 2.0, (after - one) / 2.0);
        let curve = (2.0 * t - 3.0) * t * t;
        (1.0 + curve) * one - curve * two + t * (1.0 - t) * ((1.0 - t) * slope_one - t * slope_two)
    })
}

fn normalise(weights: &mut Weights) {
    let sum: f32 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All weight on the bin nearest to a rate.
    fn certain(grid: &Grid, per_day: f64) -> (Weights, f64) {
        let distance = |bin: &usize| (grid.per_day(*bin).ln() - per_day.ln()).abs();
        let nearest = (0..BINS).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap();
        let mut weights = [0.0; BINS];
        weights[nearest] = 1.0;
        (weights, grid.per_day(nearest))
    }

    #[test]
    fn tables_agree_with_the_curves_to_within_a_step() {
        let grid = Grid::default();
        assert!((bin_width() * 63.0 - (FASTEST_PER_DAY / SLOWEST_PER_DAY).ln()).abs() < 1e-12);
        for per_day in [1e-4, 0.03, 1.0, 200.0] {
            let (belief, rate) = certain(&grid, per_day);
            for days in [1e-3, 0.1, 3.0, 400.0] {
                for curve in [Curve::Changed, Curve::Age, Curve::Freshness] {
                    let exact = curve.at(rate * days) / rate.powi(curve.per_rate());
                    let table = grid.expect(&belief, curve, days);
                    assert!(
                        (table - exact).abs() <= 0.06 * exact + 1e-9,
                        "{curve:?} {per_day} {days}: {table} {exact}"
                    );
                }
            }
        }
        assert_eq!(grid.expect(&grid.ignorance(), Curve::Age, 0.0), 0.0);
        assert!(grid.expect(&grid.ignorance(), Curve::Age, 1e9).is_finite());
    }

    #[test]
    fn curves_grow_with_time_so_that_waiting_never_lowers_an_index() {
        let grid = Grid::default();
        for curve in [Curve::Changed, Curve::Age, Curve::Freshness] {
            let values: Vec<_> =
                (0..200).map(|i| grid.expect(&grid.ignorance(), curve, 1e-4 * 1.1f64.powi(i))).collect();
            assert!(values.windows(2).all(|pair| pair[0] <= pair[1]), "{curve:?}");
        }
    }

    #[test]
    fn evidence_moves_belief_towards_the_true_rate() {
        let grid = Grid::default();
        let mut quiet = RateEvidence::default();
        quiet.unchanged(300.0);
        let mut busy = RateEvidence::default();
        let mut seen = RateEvidence::default();
        for _ in 0..20 {
            busy.changed_within(&grid, 1.0);
            seen.changed_ago(0.5);
        }
        let mean = |evidence: &RateEvidence| grid.mean_per_day(&evidence.belief(&grid, &grid.ignorance()));
        assert!(mean(&quiet) < 0.01, "{}", mean(&quiet));
        assert!(mean(&busy) > 3.0, "{}", mean(&busy));
        // Changes on average half a day before the visit: two a day.
        assert!((mean(&seen) - 2.0).abs() < 0.3, "{}", mean(&seen));
    }

    #[test]
    fn what_lies_between_knots_is_what_every_rate_by_itself_would_say() {
        let grid = Grid::default();
        let (mut evidence, mut exact) = (RateEvidence::default(), [0.0f64; BINS]);
        for days in [1e-4, 0.01, 0.3, 0.3, 2.0, 40.0] {
            evidence.changed_within(&grid, days);
            for (value, rate) in exact.iter_mut().zip(&grid.0.rates) {
                *value += Curve::Changed.at(rate * days).ln();
            }
        }
        for (bin, (curve, exact)) in between(evidence.undated.as_ref().unwrap()).iter().zip(exact).enumerate() {
            assert!((f64::from(*curve) - exact).abs() < 0.02, "bin {bin}: {curve} {exact}");
        }
    }

    #[test]
    fn belief_survives_contradictory_and_endless_evidence() {
        let grid = Grid::default();
        let mut evidence = RateEvidence::default();
        for _ in 0..10_000 {
            evidence.fade();
            evidence.changed_ago(0.0);
            evidence.unchanged(1e6);
        }
        let belief = evidence.belief(&grid, &grid.ignorance());
        assert!((belief.iter().sum::<f32>() - 1.0).abs() < 1e-3);
    }
}
