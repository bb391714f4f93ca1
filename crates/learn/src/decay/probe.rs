//! What asking for some of the objects, one by one, says about the whole copy.

use super::{Crawl, Decay, Forecast};
use serde::{Deserialize, Serialize};
use tintype_vocab::{CopyMeasure, Time};

/// Some objects of the copy were asked for since the last crawl.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    pub at: Time,
    pub asked: u32,
    /// Those that were still there.
    pub kept: u32,
}

impl Forecast {
    /// The same after so many objects, drawn by lot, were asked for and so many of them were right.
    ///
    /// A sample says as much as its size, however many objects there are; what was expected counts as a sample as large as
    /// it is certain.
    pub fn after(&self, kept: u32, asked: u32) -> Forecast {
        let (right, wrong) = self.beta();
        let certainty = right + wrong + f64::from(asked);
        let mean = (right + f64::from(kept.min(asked))) / certainty;
        Forecast { mean, variance: mean * (1.0 - mean) / (certainty + 1.0), objects: self.objects }
    }

    /// The same for a later moment, when `before` was expected for an earlier one at which the truth turned out to be
    /// `found`: what has been lost by then is lost, what comes after is as uncertain as it was.
    fn carried(&self, before: &Forecast, found: &Forecast) -> Forecast {
        let ratio = (self.mean / before.mean.max(1e-9)).min(1.0);
        let own = (self.variance - ratio * ratio * before.variance).max(0.0);
        Forecast { mean: found.mean * ratio, variance: ratio * ratio * found.variance + own, objects: self.objects }
    }
}

impl Decay {
    /// Some objects were asked for. It counts until the next crawl; an earlier probe no longer does.
    pub fn probed(&mut self, probe: Probe) {
        let after_crawl = self.last().is_some_and(|last: &Crawl| last.at < probe.at);
        if after_crawl && probe.asked > 0 {
            self.probe = Some(probe);
        }
    }

    /// The last probe since the last crawl.
    pub fn probe(&self) -> Option<Probe> {
        self.probe
    }

    /// A forecast in the light of the last probe. What came to the source since, no probe of the copy can tell.
    pub(super) fn in_its_light(&self, measure: CopyMeasure, at: Time, forecast: Forecast) -> Forecast {
        let Some(probe) = self.probe.filter(|probe| measure == CopyMeasure::Precision && at >= probe.at) else {
            return forecast;
        };
        let Some(before) = self.blind(measure, probe.at) else { return forecast };
        forecast.carried(&before, &before.after(probe.kept, probe.asked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_weighs_against_what_was_expected() {
        let expected = Forecast { mean: 0.9, variance: 0.0009, objects: 2000 };
        let good = expected.after(100, 100);
        assert!(good.mean > 0.94 && good.mean < 0.97, "{good:?}");
        assert!(good.variance < expected.variance);
        assert_eq!(expected.after(0, 0).mean, 0.9);
        let wide = Forecast { variance: 0.02, ..expected };
        assert!(wide.after(100, 100).mean > good.mean, "who knows little believes the sample");
    }

    #[test]
    fn a_probe_counts_from_its_time_to_the_next_crawl_and_for_precision_only() {
        let day = |day: i64| Time::from_millis(day * 86_400_000);
        let mut decay = Decay::new();
        let mut alive = vec![(day(0), 1000)];
        for number in 0..30 {
            decay.see(&Crawl { at: day(number), alive: alive.clone() }).unwrap();
            alive.iter_mut().for_each(|(_, count)| *count = *count * 98 / 100);
            let left: u32 = alive.iter().map(|(_, count)| count).sum();
            alive.push((day(number + 1), 1000 - left));
        }
        let ask = |decay: &Decay, measure, at| decay.forecast(measure, day(at)).unwrap().mean;
        let before = [33, 35, 40].map(|at| ask(&decay, CopyMeasure::Precision, at));
        let recall = ask(&decay, CopyMeasure::Recall, 40);
        decay.probed(Probe { at: day(35), asked: 400, kept: 399 });
        assert_eq!(ask(&decay, CopyMeasure::Precision, 33), before[0]);
        assert!(ask(&decay, CopyMeasure::Precision, 35) > before[1] + 0.02);
        assert!(ask(&decay, CopyMeasure::Precision, 40) > before[2] + 0.02);
        assert_eq!(ask(&decay, CopyMeasure::Recall, 40), recall);
        decay.see(&Crawl { at: day(36), alive: alive.clone() }).unwrap();
        assert_eq!(decay.probe(), None);
        decay.probed(Probe { at: day(36), asked: 10, kept: 1 });
        assert_eq!(decay.probe(), None, "no later than the crawl");
    }
}
