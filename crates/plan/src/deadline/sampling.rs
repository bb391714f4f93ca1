//! Asking for some objects instead of all, when that is cheaper.
//!
//! A probe of a few objects can show that a copy is better than feared, and a crawl can wait. Where a crawl takes few
//! requests (a listing of a hundred objects a page) it never pays; where every object costs one it often does.

use super::{Deadline, NextCrawl};
use tintype_learn::decay::{Decay, Probe};
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
        let last = decay.last()?;
        let sizes = std::iter::successors(Some(SAMPLE_MIN), |size| size.checked_mul(2));
        let affordable = sizes.take_while(|size| *size < crawl_requests.min(last.size()));
        let gap = (at.as_millis() - last.at.as_millis()) as f64;
        let saved = |size: u32| {
            let later = self.expected_delay(decay, at, size, step, at_most)?;
            Some((size, f64::from(crawl_requests) * later / (gap + later) - f64::from(size)))
        };
        let best = affordable.filter_map(saved).max_by(|a, b| a.1.total_cmp(&b.1))?;
        (best.1 > 0.0).then_some(best.0)
    }

    /// By how many milliseconds a crawl due now comes later, on the average over what a probe may find.
    fn expected_delay(&self, decay: &Decay, at: Time, size: u32, step: Span, at_most: u32) -> Option<f64> {
        let forecast = decay.forecast(CopyMeasure::Precision, at)?;
        let mut later = 0.0;
        for chance in OUTCOMES {
            let mut imagined = decay.clone();
            let kept = (f64::from(size) * forecast.quantile(chance)).round() as u32;
            imagined.probed(Probe { at, asked: size, kept });
            let next = self.next(&imagined, step, at_most)?;
            later += (next.at.as_millis() - at.as_millis()).max(0) as f64 / OUTCOMES.len() as f64;
        }
        Some(later)
    }
}

/// A source that waits for its turn.
#[derive(Clone, Copy, Debug)]
pub struct Waiting<'a> {
    pub deadline: &'a Deadline,
    pub decay: &'a Decay,
    /// What a crawl of it takes.
    pub requests: u32,
    pub next: NextCrawl,
}

impl Waiting<'_> {
    /// What crawling it now is worth per request: by how much more its promise is broken now than it was on the average
    /// since the last crawl, times how long that is ago. This is the time in a broken state that a crawl now, rather than
    /// a little later, saves for what it costs.
    pub fn urgency(&self, now: Time) -> f64 {
        const MOMENTS: i64 = 16;
        let Some(last) = self.decay.last().filter(|last| last.at < now) else { return f64::INFINITY };
        let ago = now.as_millis() - last.at.as_millis();
        let chance = |part: i64| {
            let at = last.at + Span::from_millis(ago / MOMENTS * part);
            self.deadline.promise.broken_at(self.decay, at).unwrap_or(1.0)
        };
        let average = (1..=MOMENTS).map(chance).sum::<f64>() / MOMENTS as f64;
        let days = Span::from_millis(ago).as_days_f64();
        days * (chance(MOMENTS) - average).max(0.0) / f64::from(self.requests.max(1))
    }
}

/// Which of several sources to crawl with the requests that are left: of those that are due and can be afforded, the one
/// for which a request does most, and the first of several. Nothing if none is due, or none can be afforded.
pub fn most_urgent(sources: &[Waiting], now: Time, requests_left: u64) -> Option<usize> {
    let affordable =
        |(_, source): &(usize, &Waiting)| source.next.at <= now && u64::from(source.requests) <= requests_left;
    let of = |source: &Waiting| source.urgency(now);
    let candidates = sources.iter().enumerate().rev().filter(affordable);
    candidates.max_by(|a, b| of(a.1).total_cmp(&of(b.1))).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadline::Promise;
    use tintype_learn::decay::Crawl;

    const DAY: Span = Span::from_days(1);

    fn day(days: i64) -> Time {
        Time::from_millis(days * DAY.as_millis())
    }

    /// Forty daily crawls of a source that loses one object in `one_in` every day, more or less.
    fn learned(objects: u32, one_in: u32) -> Decay {
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

    fn waiting<'a>(deadline: &'a Deadline, decay: &'a Decay, requests: u32) -> Waiting<'a> {
        Waiting { deadline, decay, requests, next: deadline.next(decay, DAY, 100).unwrap() }
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

    #[test]
    fn requests_go_where_they_do_most() {
        let deadline = Deadline::new(Promise::of(CopyMeasure::Precision, 0.9));
        let (slow, fast) = (learned(2000, 400), learned(2000, 100));
        let sources = [waiting(&deadline, &slow, 40), waiting(&deadline, &fast, 40), waiting(&deadline, &fast, 80)];
        let late = day(80);
        assert_eq!(most_urgent(&sources, day(39), 1000), None, "nothing is due");
        assert_eq!(most_urgent(&sources, late, 39), None, "nothing can be afforded");
        assert_eq!(most_urgent(&sources, sources[1].next.at, 60), Some(1));
        let first = most_urgent(&sources[1..], late, 1000).unwrap();
        assert_eq!(first, 0, "the same for half the requests");
        let unknown = Decay::new();
        let new = Waiting { decay: &unknown, ..sources[0] };
        assert_eq!(most_urgent(&[sources[0], new, new], late, 1000), Some(1), "the first of those nobody knows yet");
    }
}
