//! Beliefs about the weights of features: a normal distribution each, as if none knew of the others.

use super::features::SLOTS;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// No weight becomes surer than this, so that new experience never stops counting.
const INFORMATION_MAX: f32 = 400.0;

/// What was learned of one weight, apart from what was believed of it at first: that it is about as shipped, with some
/// doubt. In natural parameters, so that what was learned from different pages adds up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Weight {
    pull: f32,
    information: f32,
}

impl Weight {
    fn precision(self, doubt: f32) -> f32 {
        1.0 / doubt + self.information
    }

    /// How far it is from the shipped weight.
    pub(super) fn shift(self, doubt: f32) -> f32 {
        self.pull / self.precision(doubt)
    }

    /// How far off that may be, squared; with nothing learned it is the doubt.
    pub(super) fn variance(self, doubt: f32) -> f32 {
        1.0 / self.precision(doubt)
    }

    pub(super) fn learn(&mut self, doubt: f32, by: f32, information: f32) {
        let shift = self.shift(doubt) + by;
        self.information += information;
        self.pull = shift * self.precision(doubt);
        self.fade();
    }

    pub(super) fn add(&mut self, other: Weight) {
        self.pull += other.pull;
        self.information += other.information;
        self.fade();
    }

    fn fade(&mut self) {
        if self.information > INFORMATION_MAX {
            self.pull *= INFORMATION_MAX / self.information;
            self.information = INFORMATION_MAX;
        }
    }

    fn is_sound(self) -> bool {
        self.pull.is_finite() && (0.0..=INFORMATION_MAX).contains(&self.information)
    }
}

/// A weight for every slot.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Weights(Box<[Weight]>);

impl Default for Weights {
    fn default() -> Weights {
        Weights(vec![Weight::default(); SLOTS].into_boxed_slice())
    }
}

impl Weights {
    pub(super) fn at(&self, slot: usize) -> Weight {
        self.0[slot]
    }

    pub(super) fn at_mut(&mut self, slot: usize) -> &mut Weight {
        &mut self.0[slot]
    }

    pub(super) fn add(&mut self, other: &Weights) {
        self.0.iter_mut().zip(&other.0).for_each(|(weight, other)| weight.add(*other));
    }
}

impl Serialize for Weight {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (self.pull, self.information).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Weight {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Weight, D::Error> {
        let (pull, information) = Deserialize::deserialize(from)?;
        let weight = Weight { pull, information };
        if weight.is_sound() { Ok(weight) } else { Err(D::Error::custom("no such weight")) }
    }
}

/// Slots and weights of what was learned; the rest is nothing.
impl Serialize for Weights {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let learned = self.0.iter().enumerate().filter(|(_, weight)| **weight != Weight::default());
        to.collect_seq(learned.collect::<Vec<_>>())
    }
}

impl<'de> Deserialize<'de> for Weights {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Weights, D::Error> {
        let mut weights = Weights::default();
        for (slot, weight) in Vec::<(usize, Weight)>::deserialize(from)? {
            *weights.0.get_mut(slot).ok_or_else(|| D::Error::custom("no such slot"))? = weight;
        }
        Ok(weights)
    }
}
