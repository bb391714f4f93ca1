//! Whose turn it is when several sources share one budget.

use super::{Deadline, NextCrawl};
use tintype_learn::decay::Decay;
use tintype_vocab::{Span, Time};

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
    let candidates = sources.iter().enumerate().rev().filter(affordable);
    let urgencies = candidates.map(|(index, source)| (index, source.urgency(now)));
    urgencies.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadline::{
        Promise,
        sampling::tests::{DAY, day, learned},
    };
    use tintype_vocab::CopyMeasure;

    fn waiting<'a>(deadline: &'a Deadline, decay: &'a Decay, requests: u32) -> Waiting<'a> {
        Waiting { deadline, decay, requests, next: deadline.next(decay, DAY, 100).unwrap() }
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
