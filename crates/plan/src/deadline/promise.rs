//! What a person wants to be able to say about a copy.

use serde::{Deserialize, Serialize};
use tintype_learn::decay::{Crawl, Decay};
use tintype_vocab::{CopyMeasure, Time};

/// How much of the time a promise may be broken when nobody says.
pub const BROKEN_SHARE_MAX: f64 = 0.05;

/// "At least so much of what we show is still there, at least so much of what is there we show."
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Promise {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall: Option<f64>,
    /// The share of the time in which this may be untrue.
    pub broken_share_max: f64,
}

impl Promise {
    /// The same target for one measure.
    pub fn of(measure: CopyMeasure, target: f64) -> Promise {
        let target_of = |asked: CopyMeasure| (asked == measure).then_some(target);
        Promise {
            precision: target_of(CopyMeasure::Precision),
            recall: target_of(CopyMeasure::Recall),
            broken_share_max: BROKEN_SHARE_MAX,
        }
    }

    pub fn targets(&self) -> impl Iterator<Item = (CopyMeasure, f64)> {
        let each = [(CopyMeasure::Precision, self.precision), (CopyMeasure::Recall, self.recall)];
        each.into_iter().filter_map(|(measure, target)| Some((measure, target?)))
    }

    /// The chance that the promise is broken at a later time if nobody looks; nothing while too little is known.
    ///
    /// What leaves a source makes room for what comes: the measures mostly fall together, so the likelier failure stands
    /// for both.
    pub fn broken_at(&self, decay: &Decay, at: Time) -> Option<f64> {
        let mut worst = 0.0f64;
        for (measure, target) in self.targets() {
            worst = worst.max(decay.forecast(measure, at)?.below(target));
        }
        Some(worst)
    }

    /// The chance that it was broken at a moment between the last crawl and `crawl`, which is not learned yet.
    pub(super) fn was_broken_at(&self, decay: &Decay, crawl: &Crawl, at: Time) -> f64 {
        let was = |(measure, target)| decay.was_below(measure, target, crawl, at);
        self.targets().map(was).fold(0.0, f64::max)
    }
}
