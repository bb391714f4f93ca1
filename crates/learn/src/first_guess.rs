//! How often a page changes, guessed before it is asked for, from what pages with the same signs did on all sites.
//!
//! The logarithm of changes per day is a sum of weights, one for every feature of the page ([`Signs`]). What is believed
//! of a weight is a normal distribution around what is shipped; each page that was seen moves the weights of its features,
//! the doubtful ones most. Two doubts make the certainty of a guess: how far the weights may be off, and how far pages
//! with the same signs were found to scatter. Memory is [`FirstGuess::BYTES`], whatever is learned.

mod features;
mod folding;
mod shipped;
mod signs;
mod weights;

pub use signs::Signs;

use crate::{
    distribution::digamma,
    rate::{
        Past,
        gamma::{Gamma, Moments, Record},
    },
};
use features::Features;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use tintype_vocab::{ChangeRate, LinkKind};
use weights::{Weight, Weights};

/// Steps towards the weights that balance what was believed and what was seen, and one that is too small to matter.
const STEPS: usize = 8;
const CLOSE: f64 = 0.02;
/// A last change is not known more finely than this: pages made while one waits say they changed just now.
const MOMENT_DAYS: f64 = 1.0 / 24.0;
const DAYS_MAX: f64 = 36_500.0;
/// Logarithms of changes per day that are guessed: from once in 2,700 years to once in five minutes.
const LOGS: (f32, f32) = (-13.8, 5.7);

/// What was seen of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateSeen {
    /// Whether two visits, so many days apart, found the same.
    Interval { days: f64, changed: bool },
    /// A server or a listing says that the last change was so long ago.
    ChangedAgo { days: f64 },
    /// All that is known of a page. One record teaches more than its intervals one by one, because intervals of one
    /// page say little about others; only records of several comparisons teach how far pages scatter.
    Record(Past),
}

/// How far pages with the same signs scatter, by what they are.
#[derive(Clone, Copy)]
enum Group {
    Page,
    Embed,
    Listing,
}

impl Group {
    fn of(kind: LinkKind) -> Group {
        match kind {
            LinkKind::Embed => Group::Embed,
            LinkKind::Feed | LinkKind::Sitemap => Group::Listing,
            LinkKind::Anchor | LinkKind::Redirect | LinkKind::Listed => Group::Page,
        }
    }
}

/// The logarithm of the shape that is shipped, and the doubt about it.
const SCATTER: [f32; 3] = [-0.5, -1.2, 0.0];
const SCATTER_DOUBT: f32 = 1.0;

/// The model. [`FirstGuess::default`] knows what is shipped.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FirstGuess {
    version: Version,
    weights: Weights,
    /// By [`Group`].
    scatter: [Weight; 3],
}

impl FirstGuess {
    /// What the weights take, learned or not.
    pub const BYTES: usize = features::SLOTS * size_of::<Weight>();

    /// How often a page with these signs changes, and how sure that is.
    pub fn guess(&self, signs: &Signs<'_>) -> ChangeRate {
        let (log, doubt) = self.sum(&Features::of(signs));
        let gamma = self.spread(Group::of(signs.kind), log, doubt);
        ChangeRate { per_day: gamma.per_day as f32, shape: gamma.shape as f32 }
    }

    /// Learns from what was seen of a page that had these signs before. What cannot be is passed over.
    pub fn learn(&mut self, signs: &Signs<'_>, seen: &RateSeen) {
        let Some(evidence) = Evidence::of(seen) else { return };
        let features = match evidence {
            // That a page changed lately is no news to who was told so.
            Evidence::ChangedAgo(_) => Features::of(&Signs { modified: None, listed_modified: None, ..*signs }),
            _ => Features::of(signs),
        };
        let group = Group::of(signs.kind);
        let (log, doubt) = self.sum(&features);
        if let Evidence::Record(record) = &evidence
            && record.unchanged + record.changed >= 2.0
        {
            self.learn_scatter(group, self.spread(group, log, doubt), record);
        }
        let (by, information) = self.balance(group, log, doubt, &evidence);
        for feature in features.iter() {
            let weight = self.weights.at_mut(feature.slot);
            let share = weight.variance(feature.doubt) / doubt;
            weight.learn(feature.doubt, by * share, information);
        }
    }

    /// Adds what another model learned from other pages. Beliefs are multiplied and what both were shipped with counts
    /// once, so that merging is the same in any order and an unlearned model adds nothing. Where pages share no
    /// features it is, up to rounding, what one model would have learned from all of them; where they do it leaves out
    /// that the one would have read its later pages in the light of the earlier ones.
    pub fn merge(&mut self, other: &FirstGuess) {
        self.weights.add(&other.weights);
        self.scatter.iter_mut().zip(other.scatter).for_each(|(scatter, other)| scatter.add(other));
    }

    /// The logarithm of changes per day, and how far off it may be, squared.
    fn sum(&self, features: &Features) -> (f32, f32) {
        let start = (features.shipped, 0.0);
        let (log, doubt) = features.iter().fold(start, |(log, doubt), feature| {
            let weight = self.weights.at(feature.slot);
            (log + weight.shift(feature.doubt), doubt + weight.variance(feature.doubt))
        });
        (log.clamp(LOGS.0, LOGS.1), doubt)
    }

    /// The shape of pages that scatter around a rate that is known.
    fn shape(&self, group: Group) -> f64 {
        let group = group as usize;
        f64::from(SCATTER[group] + self.scatter[group].shift(SCATTER_DOUBT)).exp()
    }

    /// Pages that scatter around a rate that is itself in doubt.
    fn spread(&self, group: Group, log: f32, doubt: f32) -> Gamma {
        Gamma::new(f64::from(log).exp(), 1.0 / (1.0 / self.shape(group) + f64::from(doubt)))
    }

    /// How far to move the logarithm, and how much was learned about it: the most likely value given the page, whose own
    /// rate scatters around it, and what was believed.
    fn balance(&self, group: Group, log: f32, doubt: f32, evidence: &Evidence) -> (f32, f32) {
        let (shape, doubt) = (self.shape(group), f64::from(doubt));
        let (mut by, mut information) = (0.0, 0.0);
        let (mut low, mut high) = (f64::from(LOGS.0 - log), f64::from(LOGS.1 - log));
        for _ in 0..STEPS {
            let gamma = Gamma::new((f64::from(log) + by).exp(), shape);
            let after = evidence.after(gamma);
            // First and second derivative of the likelihood (Fisher's and Louis' identities).
            let ratio = after.mean / gamma.per_day;
            let slope = shape * (ratio - 1.0);
            information = (shape * ratio - shape * shape * after.variance / gamma.per_day.powi(2)).max(0.0);
            let owed = doubt * slope - by;
            if owed > 0.0 {
                low = by
            } else {
                high = by
            }
            let newton = by + owed / (1.0 + doubt * information);
            let next = if (low..=high).contains(&newton) { newton } else { (low + high) / 2.0 };
            let step = next - by;
            by = next;
            if step.abs() < CLOSE {
                break;
            }
        }
        (by as f32, information as f32)
    }

    /// Moves the shape to where the record of a page is more likely.
    fn learn_scatter(&mut self, group: Group, guess: Gamma, record: &Record) {
        let after = guess.after(record);
        let Gamma { per_day, shape } = guess;
        let slope = (shape / per_day).ln() + 1.0 - digamma(shape) + after.mean_log - after.mean / per_day;
        let slope = slope * shape * shape / self.shape(group);
        let scatter = &mut self.scatter[group as usize];
        let variance = f64::from(scatter.variance(SCATTER_DOUBT));
        let information = slope * slope;
        let by = variance * slope / (1.0 + variance * information);
        scatter.learn(SCATTER_DOUBT, by as f32, information as f32);
    }
}

/// What was seen, in the bounds in which it can have been.
#[derive(Clone, Copy, Debug)]
enum Evidence {
    Unchanged(f64),
    ChangedWithin(f64),
    ChangedAgo(f64),
    Record(Record),
}

impl Evidence {
    fn of(seen: &RateSeen) -> Option<Evidence> {
        match *seen {
            RateSeen::Interval { days, changed } if days > 0.0 => {
                let days = days.min(DAYS_MAX);
                Some(if changed { Evidence::ChangedWithin(days) } else { Evidence::Unchanged(days) })
            }
            RateSeen::ChangedAgo { days } if days >= 0.0 => {
                Some(Evidence::ChangedAgo(days.clamp(MOMENT_DAYS, DAYS_MAX)))
            }
            RateSeen::Record(past) => Record::of(&past).map(Evidence::Record),
            RateSeen::Interval { .. } | RateSeen::ChangedAgo { .. } => None,
        }
    }

    fn after(&self, gamma: Gamma) -> Moments {
        match self {
            Evidence::Unchanged(days) => gamma.unchanged(*days),
            Evidence::ChangedWithin(days) => gamma.changed_within(*days),
            Evidence::ChangedAgo(days) => gamma.changed_ago(*days),
            Evidence::Record(record) => gamma.after(record),
        }
    }
}

/// Which features a kept model speaks of. Any change to their names, shipped weights or slots needs another number: who
/// keeps an older model learns it anew from the logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Version(u32);

impl Default for Version {
    fn default() -> Version {
        Version(1)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Version, D::Error> {
        let version = Version(u32::deserialize(from)?);
        (version == Version::default()).then_some(version).ok_or_else(|| D::Error::custom("another version"))
    }
}

#[cfg(test)]
mod tests;
