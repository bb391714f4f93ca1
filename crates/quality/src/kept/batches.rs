//! Changes that come together: an edit of many pages at once is one event, and twenty of them are no more certain a number
//! than one.

use std::collections::BTreeMap;
use tintype_vocab::Time;

/// Changes of one hour are one event.
const EVENT_MS: i64 = 3_600_000;

/// Changes of a site by the hour in which they came.
#[derive(Clone, Debug, Default)]
pub(super) struct Batches(BTreeMap<i64, u32>);

impl Batches {
    pub(super) fn add(&mut self, changed: Time) {
        *self.0.entry(changed.as_millis().div_euclid(EVENT_MS)).or_default() += 1;
    }

    /// How many changes the event of a change has in the mean: so many times the variance of a number of changes that come
    /// alone their number has.
    pub(super) fn size(&self) -> f64 {
        let sizes = || self.0.values().map(|&size| f64::from(size));
        let all: f64 = sizes().sum();
        if all > 0.0 { sizes().map(|size| size * size).sum::<f64>() / all } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_are_edited_at_once_are_one_event() {
        let mut batches = Batches::default();
        assert_eq!(batches.size(), 1.0);
        (0..5).for_each(|day| batches.add(Time::from_secs(day * 86_400)));
        assert_eq!(batches.size(), 1.0);
        (0..95).for_each(|second| batches.add(Time::from_secs(10 * 86_400 + second)));
        assert!((90.0..91.0).contains(&batches.size()), "{}", batches.size());
    }
}
