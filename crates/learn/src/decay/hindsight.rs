//! What the quality of a copy was between two crawls, now that the second one was made.

use super::{Crawl, Decay, beta};
use tintype_vocab::{CopyMeasure, Time};

impl Decay {
    /// The chance that the copy made by the last crawl had fallen below a target at some moment before `crawl`, which is not
    /// learned yet.
    ///
    /// How much was lost in the end is known; each loss happened at its own moment, in proportion to how busy the source is.
    pub fn was_below(&self, measure: CopyMeasure, target: f64, crawl: &Crawl, at: Time) -> f64 {
        let Some(last) = self.last().filter(|last| last.at < at && at <= crawl.at) else { return 0.0 };
        let objects = match measure {
            CopyMeasure::Precision => last.size(),
            CopyMeasure::Recall => crawl.size(),
        };
        let lost = f64::from(objects.saturating_sub(crawl.kept_since(last.at)));
        let allowed = (f64::from(objects) - (target * f64::from(objects) - 1e-9).ceil()).max(0.0);
        if lost <= allowed {
            return 0.0;
        }
        let by_then = self.busy_days(measure, last.at, at) / self.busy_days(measure, last.at, crawl.at);
        let together = self.batch(measure);
        // More than `allowed` of `lost` draws are early exactly if the draw of that rank is.
        beta::at_most((allowed + 1.0) / together, (lost - allowed) / together, by_then)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_ended_well_never_was_bad_and_one_that_ended_badly_was_so_late() {
        let day = |day: i64| Time::from_millis(day * 86_400_000);
        let mut decay = Decay::new();
        decay.see(&Crawl { at: day(0), alive: vec![(day(0), 100)] }).unwrap();
        let after = |kept: u32| Crawl { at: day(10), alive: vec![(day(0), kept), (day(10), 100 - kept)] };
        for measure in CopyMeasure::ALL {
            assert_eq!(decay.was_below(measure, 0.9, &after(90), day(9)), 0.0);
            let chance = |day_: i64| decay.was_below(measure, 0.9, &after(80), day(day_));
            assert!(chance(2) < 0.05 && (0.3..0.7).contains(&chance(5)) && chance(9) > 0.95 && chance(10) == 1.0);
            assert_eq!((chance(0), chance(11)), (0.0, 0.0), "asked of another time");
        }
    }
}
