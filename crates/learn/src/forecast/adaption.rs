//! What a site teaches of itself: how far the forest is off there, learned from every forecast that was tested.
//!
//! It begins as if the forest were right, and takes the smaller steps the more it has learned.

use super::{clues::*, group::Group};
use serde::{Deserialize, Serialize};

const WEIGHTS: usize = 15;
/// Imaginary learning behind the steps.
const STEADY: f32 = 2.0;
const STEADY_DIRECTORY: f32 = 4.0;
/// What of a weight is forgotten with every test.
const FORGET: f32 = 0.0005;
/// Nothing is surer than this.
const ODDS_MAX: f32 = 9.0;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Adaption {
    weights: [f32; WEIGHTS],
    learned: [f32; WEIGHTS],
}

impl Default for Adaption {
    fn default() -> Adaption {
        Adaption { weights: [0.0; WEIGHTS], learned: [1e-2; WEIGHTS] }
    }
}

fn odds(chance: f32) -> f32 {
    let chance = chance.clamp(1e-4, 1.0 - 1e-4);
    (chance / (1.0 - chance)).ln()
}

fn signs(clues: &Values, forest: f32) -> [f32; WEIGHTS] {
    [
        1.0,
        odds(clues[CHANCE]) / 3.0,
        forest / 3.0,
        clues[DIRECTORY_SURPRISE],
        clues[DIRECTORY_CHANGES] - 0.5,
        clues[NAMESAKE_CHANGES] - 0.3,
        clues[SINCE_CHANGE] / 4.0 - 1.0,
        clues[BUSY],
        clues[IS_INDEX],
        clues[RUN] - 1.0,
        clues[RECENT_SURPRISE],
        clues[TOGETHER],
        // Of a page that was born here: how many came after it.
        (-clues[NEWER]).exp(),
        clues[BY_AGE] / 3.0,
        clues[AGE_SURPRISE],
    ]
    .map(|sign| sign.clamp(-5.0, 5.0))
}

impl Adaption {
    /// Log-odds as this site has them.
    pub(super) fn adapted(&self, clues: &Values, forest: f32, directory: Option<&Group>) -> f32 {
        let bias = directory.map_or(0.0, |directory| directory.bias);
        let own: f32 = signs(clues, forest).iter().zip(&self.weights).map(|(sign, weight)| sign * weight).sum();
        (forest + own + bias).clamp(-ODDS_MAX, ODDS_MAX)
    }

    /// A forecast was tested.
    pub(super) fn learn(&mut self, clues: &Values, forest: f32, directory: &mut Group, changed: bool) {
        let foretold = 1.0 / (1.0 + (-self.adapted(clues, forest, Some(directory))).exp());
        let off = f32::from(u8::from(changed)) - foretold;
        for ((sign, weight), learned) in signs(clues, forest).iter().zip(&mut self.weights).zip(&mut self.learned) {
            let slope = off * sign;
            *learned += slope * slope;
            *weight += slope / (learned.sqrt() + STEADY) - FORGET * *weight;
        }
        directory.learned += off * off;
        directory.bias += off / (directory.learned.sqrt() + STEADY_DIRECTORY);
    }

    /// Whoever has learned more is right.
    pub(super) fn add(&mut self, other: &Adaption) {
        if other.learned[0] > self.learned[0] {
            *self = other.clone();
        }
    }

    pub(super) fn is_sound(&self) -> bool {
        let weights = self.weights.iter().all(|weight| weight.abs() < 1e6);
        weights && self.learned.iter().all(|learned| (0.0..1e12).contains(learned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forest_that_is_too_sure_of_changes_is_corrected() {
        let (mut adaption, mut directory) = (Adaption::default(), Group::default());
        let clues = [0.0; CLUES];
        assert_eq!(adaption.adapted(&clues, 2.0, None), 2.0);
        (0..300).for_each(|nth| adaption.learn(&clues, 2.0, &mut directory, nth % 5 == 0));
        let now = adaption.adapted(&clues, 2.0, Some(&directory));
        assert!((-2.2..-0.6).contains(&now), "{now}");
    }
}
