//! One measure of one source: observers with different views of how it is lost, heard by how well each of them foretold.

use super::{
    Crawl, Forecast,
    ages::Ages,
    beta, curve,
    levels::{HALF_LIVES, Levels, OBSERVERS, PerObserver, SHAPES},
    rhythm::Rhythm,
    spread::Spread,
    surprises::Surprises,
    whole::exactly,
};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use tintype_vocab::{CopyMeasure, Time};

/// Older successes count for less.
const FORGETTING: f64 = 0.99;
/// A failure costs no more than this, in powers of e: one burst refutes nobody.
const WORST: f64 = -12.0;
/// Copies worse than this are of no interest to anyone.
const QUALITY_MIN: f64 = 0.45;
/// Crawls before forecasts are held against what came.
const CRAWLS_MIN: usize = 2;
/// How far losses spread is remembered half as well after so many losses per object.
const SPREAD_HALF_LIFE: f64 = 3.0;
/// A forecast that much further ahead than a source was watched is as uncertain as any.
const REACH_MAX: f64 = 20.0;
/// No forecast is less certain than this part of what is possible at all.
const WIDEST: f64 = 0.8;

/// What was believed right after a crawl.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Belief {
    #[serde(deserialize_with = "exactly::<OBSERVERS, _>")]
    levels: PerObserver,
    #[serde(deserialize_with = "exactly::<OBSERVERS, _>")]
    weights: PerObserver,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Side {
    measure: CopyMeasure,
    pub(super) rhythm: Rhythm,
    levels: Levels,
    spread: Spread,
    surprises: Surprises,
    #[serde(deserialize_with = "exactly::<OBSERVERS, _>")]
    success: PerObserver,
    /// After each of the crawls that are remembered, but for the first ones.
    beliefs: VecDeque<Belief>,
}

/// What the expectations of observers are made from.
pub(super) struct Scene<'a> {
    pub(super) crawls: &'a VecDeque<Crawl>,
    pub(super) ages: &'a Ages,
}

/// What was left of a copy.
#[derive(Clone, Copy)]
struct Came {
    kept: f64,
    objects: f64,
}

impl Came {
    /// Nothing held is all right, and so is nothing to hold.
    fn share(self) -> f64 {
        if self.objects < 1.0 { 1.0 } else { self.kept / self.objects }
    }
}

impl Side {
    pub(super) fn new(measure: CopyMeasure, first: Time) -> Side {
        Side {
            measure,
            rhythm: Rhythm::new(first),
            levels: Levels::default(),
            spread: Spread::default(),
            surprises: Surprises::default(),
            success: vec![0.0; OBSERVERS],
            beliefs: VecDeque::new(),
        }
    }

    /// What became of the copy made by an earlier crawl.
    fn came(&self, then: &Crawl, now: &Crawl) -> Came {
        let of = match self.measure {
            CopyMeasure::Precision => then,
            CopyMeasure::Recall => now,
        };
        // Who was away for a while and has returned was not held then.
        Came { kept: f64::from(now.kept_since(then.at).min(of.size())), objects: f64::from(of.size()) }
    }

    /// Forgets all but the rhythm, to go through the remembered crawls once more with it.
    pub(super) fn begin_again(&mut self) {
        self.levels = Levels::default();
        self.spread = Spread::default();
        self.surprises = Surprises::default();
        self.success = vec![0.0; OBSERVERS];
        self.beliefs.clear();
    }

    pub(super) fn forget_first(&mut self) {
        self.beliefs.pop_front();
    }

    pub(super) fn learn_rhythm(&mut self, before: &Crawl, now: &Crawl) {
        let came = self.came(before, now);
        self.rhythm.see(before.at, now.at, 1.0 - came.share());
    }

    /// The crawl of that number was made. Crawl `n` has left belief `n - 1`.
    pub(super) fn fold(&mut self, scene: &Scene, number: usize) {
        let (before, now) = (&scene.crawls[number - 1], &scene.crawls[number]);
        let came = self.came(before, now);
        let memory = 0.5f64.powf((1.0 - came.share()) / SPREAD_HALF_LIFE);
        self.success.iter_mut().for_each(|success| *success *= FORGETTING);
        self.spread.forget(memory);
        self.surprises.forget(memory);
        self.hear(scene, number);
        self.spread.believe();
        self.surprises.believe();
        let by_age = self.knows_ages().then(|| 1.0 - scene.ages.left(&self.rhythm, before, &[1.0], now.at)[0]);
        self.levels.see(came.kept, came.objects, self.rhythm.days(before.at, now.at), by_age);
        self.beliefs.push_back(Belief { levels: self.levels.get(), weights: self.weights() });
    }

    /// Holds what was foretold one, two, four, ... crawls ago against what came.
    fn hear(&mut self, scene: &Scene, number: usize) {
        let now = &scene.crawls[number];
        let mut back = 1;
        while back < number {
            let then = &scene.crawls[number - back];
            let Some(belief) = self.beliefs.get(number - back - 1) else { break };
            let came = self.came(then, now);
            if came.objects < 1.0 || (back > 1 && came.share() < QUALITY_MIN) {
                break;
            }
            let reach = self.reach(then.at, now.at);
            let told = self.expect(scene, then, &belief.levels, now.at);
            let (mean, apart) = together(&told, &belief.weights);
            let weight = 1.0 / back as f64;
            if number - back >= CRAWLS_MIN {
                let foretold = self.foretold(&told, &belief.weights, came.objects as u32, reach);
                self.surprises.see(1.0 - mean, foretold.place(came.share()), weight);
            }
            for (success, share) in self.success.iter_mut().zip(&told) {
                let variance = self.spread.variance(1.0 - share, came.objects, reach);
                *success += weight * beta::ln_density(*share, variance, came.share(), came.objects).max(WORST);
            }
            if number - back >= CRAWLS_MIN {
                self.spread.see(1.0 - mean, 1.0 - came.share(), came.objects, reach, apart, weight);
            }
            back *= 2;
        }
    }

    /// How far ahead a moment lies, in parts of the time for which the source has been watched.
    fn reach(&self, then: Time, at: Time) -> f64 {
        let watched = (then - self.rhythm.origin()).as_days_f64().max(1e-6);
        ((at - then).as_days_f64() / watched).min(REACH_MAX)
    }

    /// What all observers say together, before it is held against past surprises.
    fn foretold(&self, told: &[f64], weights: &[f64], objects: u32, reach: f64) -> Forecast {
        let (mean, apart) = together(told, weights);
        let of = |(share, weight): (&f64, &f64)| weight * self.spread.variance(1.0 - share, f64::from(objects), reach);
        let own: f64 = told.iter().zip(weights).map(of).sum();
        Forecast { mean, variance: own + apart, objects }
    }

    /// Only losses of our own objects depend on their ages.
    fn knows_ages(&self) -> bool {
        self.measure == CopyMeasure::Precision
    }

    /// What each observer expects to be left of the copy made by a crawl.
    fn expect(&self, scene: &Scene, then: &Crawl, levels: &[f64], at: Time) -> PerObserver {
        let days = self.rhythm.days(then.at, at);
        let (shaped, aged) = levels.split_at(SHAPES.len() * HALF_LIVES.len());
        let by_shape = shaped.iter().enumerate().map(|(observer, level)| {
            let shape = SHAPES[observer / HALF_LIVES.len()];
            curve::left(shape, level * days)
        });
        let by_age = match self.knows_ages() {
            true => scene.ages.left(&self.rhythm, then, aged, at),
            false => vec![0.5; aged.len()],
        };
        by_shape.chain(by_age).map(|left| left.clamp(1e-4, 1.0 - 1e-5)).collect()
    }

    fn weights(&self) -> PerObserver {
        let heard = if self.knows_ages() { OBSERVERS } else { OBSERVERS - HALF_LIVES.len() };
        let best = self.success[..heard].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weight = |observer: usize| if observer < heard { (self.success[observer] - best).exp() } else { 0.0 };
        let weights: PerObserver = (0..OBSERVERS).map(weight).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / sum).collect()
    }

    /// The quality, at a later time, of the copy made by the last crawl.
    pub(super) fn forecast(&self, scene: &Scene, at: Time) -> Option<Forecast> {
        let (last, belief) = (scene.crawls.back()?, self.beliefs.back()?);
        let told = self.expect(scene, last, &belief.levels, at);
        let foretold = self.foretold(&told, &belief.weights, last.size().max(1), self.reach(last.at, at));
        let stretch = self.surprises.stretch(1.0 - foretold.mean);
        let widest = WIDEST * foretold.mean * (1.0 - foretold.mean);
        Some(Forecast { variance: (foretold.variance * stretch * stretch).min(widest), ..foretold })
    }

    /// How many objects go together, at least one.
    pub(super) fn usual_batch(&self) -> f64 {
        self.spread.usual_batch().max(1.0)
    }

    /// How much each observer is heard, by what it believes of the stock and by how much it remembers.
    pub(super) fn heard(&self) -> (Vec<f64>, Vec<f64>) {
        let weights = self.weights();
        let columns = HALF_LIVES.len();
        let row = |row: usize| weights[row * columns..(row + 1) * columns].iter().sum();
        let column = |column: usize| weights.iter().skip(column).step_by(columns).sum();
        ((0..OBSERVERS / columns).map(row).collect(), (0..columns).map(column).collect())
    }
}

/// What observers expect on average, and how far they are apart.
fn together(told: &[f64], weights: &[f64]) -> (f64, f64) {
    let mean: f64 = told.iter().zip(weights).map(|(share, weight)| share * weight).sum();
    (mean, told.iter().zip(weights).map(|(share, weight)| weight * (share - mean).powi(2)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_of_nothing() {
        assert_eq!(Came { kept: 0.0, objects: 0.0 }.share(), 1.0);
        assert_eq!(Came { kept: 1.0, objects: 4.0 }.share(), 0.25);
    }
}
