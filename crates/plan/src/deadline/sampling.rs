//! Asking for some objects instead of all, when that is cheaper.
//!
//! A probe of a few objects can show that a copy is better than feared, and a crawl can wait. Where a crawl takes few
//! requests (a listing of a hundred objects a page) it never pays; where every object costs one it may.

use super::Deadline;
use tintype_learn::decay::{Decay, Forecast, Probe};
use tintype_vocab::{CopyMeasure, Span, Time};

/// A smaller sample tells nothing.
const SAMPLE_MIN: u32 = 16;
/// How good the copy may turn out to be, at equal chances.
const OUTCOMES: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];

impl Deadline {
    /// How many objects to ask for at a moment when a crawl is due, instead of crawling; nothing if a crawl is cheaper.
    ///
    /// A crawl takes so many requests, a probe one for each object. What a probe saves is the part of a crawl by which the
    /// next one comes later.
    pub fn sample(&self, decay: &Decay, at: Time, crawl_requests: u32, step: Span, at_most: u32) -> Option<u32> {
        let (last, forecast) = (decay.last()?, decay.forecast(CopyMeasure::Precision, at)?);
        let sizes = std::iter::successors(Some(SAMPLE_MIN), |size| size.checked_mul(2));
        let affordable = sizes.take_while(|size| *size < crawl_requests.min(last.size()));
        let gap = (at.as_millis() - last.at.as_millis()) as f64;
        let mut imagined = decay.clone();
        let saved = |size: u32| {
            let later =
                self.expected_delay(&mut imagined, &forecast, Probe { at, asked: size, kept: 0 }, step, at_most)?;
            Some((size, f64::from(crawl_requests) * later / (gap + later) - f64::from(size)))
        };
        let best = affordable.filter_map(saved).max_by(|a, b| a.1.total_cmp(&b.1))?;
        (best.1 > 0.0).then_some(best.0)
    }

    /// By how many milliseconds a crawl due now comes later, on the average over what a probe may find.
    fn expected_delay(
        &self,
        imagined: &mut Decay,
        forecast: &Forecast,
        probe: Probe,
        step: Span,
        at_most: u32,
    ) -> Option<f64> {
        let mut later = 0.0;
        for chance in OUTCOMES {
            let kept = (f64::from(probe.asked) * forecast.quantile(chance)).round() as u32;
            imagined.probed(Probe { kept, ..probe });
            let next = self.next(imagined, step, at_most)?;
            later += (next.at.as_millis() - probe.at.as_millis()).max(0) as f64 / OUTCOMES.len() as f64;
        }
        Some(later)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::deadline::Promise;
    use tintype_learn::decay::Crawl;

    pub(in crate::deadline) const DAY: Span = Span::from_days(1);

    pub(in crate::deadline) fn day(days: i64) -> Time {
        Time::from_millis(days * DAY.as_millis())
    }

    /// Forty daily crawls of a source that loses one object in `one_in` every day, more or less.
    pub(in crate::deadline) fn learned(objects: u32, one_in: u32) -> Decay {
        let mut decay = Decay::new();
        let mut alive = vec![(day(0), objects)];
        for number in 0..40 {
            decay.see(&Crawl { at: day(number), alive: alive.clone() }).unwrap();
            let uneven = if number % 3 == 0 { 3 } else { 1 };
            alive.iter_mut().for_each(|(_, count)| *count -= (*count * uneven / one_in).min(*count));
            let left: u32 = alive.iter().map(|(_, count)| count).sum();
            alive.push((day(number + 1), objects - left));
        }
        decay
    }

    #[test]
    fn a_probe_pays_only_where_a_crawl_is_dear() {
        let decay = learned(5000, 150);
        let deadline = Deadline::new(Promise::of(CopyMeasure::Precision, 0.9));
        let due = deadline.next(&decay, DAY, 100).unwrap().at;
        let sample = |requests| deadline.sample(&decay, due, requests, DAY, 100);
        assert_eq!(sample(20), None, "a listing of twenty pages");
        assert!(sample(50_000).is_some_and(|size| size >= SAMPLE_MIN), "{:?}", sample(50_000));
    }

    #[test]
    fn a_good_probe_puts_the_crawl_off_and_a_bad_one_does_not() {
        let mut decay = learned(5000, 150);
        let deadline = Deadline::new(Promise::of(CopyMeasure::Precision, 0.9));
        let due = deadline.next(&decay, DAY, 100).unwrap().at;
        decay.probed(Probe { at: due, asked: 800, kept: 784 });
        assert!(deadline.next(&decay, DAY, 100).unwrap().at > due);
        decay.probed(Probe { at: due, asked: 800, kept: 640 });
        assert!(deadline.next(&decay, DAY, 100).unwrap().at <= due + DAY);
    }
}
