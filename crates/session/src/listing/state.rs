//! What is known of one source: its objects, how fast they come and go, and how well its promise was kept.
//!
//! All of it follows from the logs and is kept beside the state of the source as a short cut: what cannot be read, or was
//! learned on other terms, is learned again.

use super::{Terms, probe};
use crate::Error;
use serde::{Deserialize, Serialize};
use tintype_archive::{CaptureId, Collection, Reading};
use tintype_learn::{decay::Decay, ledger::Ledger};
use tintype_plan::deadline::{Deadline, NextCrawl};
use tintype_vocab::{ObjectCrawl, Span, Time};

/// The name under which it is kept.
const NAME: &str = "source";
/// Nobody plans further ahead.
const HORIZON: Span = Span::from_days(28);
/// After a crawl that taught nothing the next one is tried soon, then at distances that double so often.
const DOUBLINGS_MAX: u32 = 6;

/// One source, as its log tells it.
#[derive(Debug, Serialize, Deserialize)]
pub struct SourceState {
    terms: Terms,
    pub ledger: Ledger,
    pub decay: Decay,
    pub deadline: Deadline,
    /// The last capture that is part of this.
    seen: Option<CaptureId>,
    /// Crawls in a row that were not believed, and when the last of them was made.
    held: u32,
    tried: Option<Time>,
}

impl SourceState {
    fn new(terms: Terms) -> SourceState {
        SourceState {
            terms,
            ledger: Ledger::bridging(terms.bridge),
            decay: Decay::new(),
            deadline: Deadline::new(terms.promise),
            seen: None,
            held: 0,
            tried: None,
        }
    }

    /// Everything the logs say of a source so far.
    pub fn of(reading: &Reading, source: &str, terms: Terms) -> Result<SourceState, Error> {
        let kept =
            reading.site_derived(source, NAME).and_then(|bytes| serde_json::from_slice::<SourceState>(&bytes).ok());
        let mut known = kept.filter(|kept| kept.terms == terms).unwrap_or_else(|| SourceState::new(terms));
        known.catch_up(reading, source)?;
        Ok(known)
    }

    /// Learns what the logs say beyond what is known.
    pub fn catch_up(&mut self, reading: &Reading, source: &str) -> Result<(), Error> {
        let mut probes = probe::since(reading, source, self.ledger.last())?.into_iter().peekable();
        for crawl in reading.object_crawls(source, self.seen.as_ref())? {
            let (capture, crawl) = crawl?;
            while let Some(probe) = probes.next_if(|probe| probe.at < crawl.at) {
                self.decay.probed(probe);
            }
            self.observe(&crawl);
            self.seen = Some(capture);
        }
        probes.for_each(|probe| self.decay.probed(probe));
        Ok(())
    }

    /// Keeps what is known, so that it need not be learned again.
    pub fn save(&self, collection: &Collection, source: &str) -> Result<(), Error> {
        let bytes = serde_json::to_vec(self).expect("what is known of a source is plain data");
        Ok(collection.keep_site_derived(source, NAME, &bytes)?)
    }

    /// Learns from a crawl, in the order in which they were made.
    fn observe(&mut self, crawl: &ObjectCrawl) {
        self.ledger.replay(crawl);
        self.tried = Some(crawl.at);
        self.held = if crawl.held.is_some() { self.held + 1 } else { 0 };
        let believed = self.ledger.crawl().filter(|_| crawl.held.is_none());
        if let Some(crawl) = believed {
            self.deadline.settle(&self.decay, &crawl, self.terms.step);
            // Only one that is no later than the last is refused, and such a one is not believed.
            let _ = self.decay.see(&crawl);
        }
    }

    /// The crawl that keeps the promise; nothing before the first one.
    pub fn next(&self) -> Option<NextCrawl> {
        self.deadline.next(&self.decay, self.terms.step, self.steps_max())
    }

    fn steps_max(&self) -> u32 {
        (HORIZON.as_millis() / self.terms.step.as_millis()).clamp(1, i64::from(u32::MAX)) as u32
    }

    /// How many objects to ask for instead of a crawl of so many requests, if that is cheaper and the last crawl was believed.
    pub fn sample(&self, now: Time, crawl_requests: u32) -> Option<u32> {
        let sample = || self.deadline.sample(&self.decay, now, crawl_requests, self.terms.step, self.steps_max());
        (self.held == 0).then(sample).flatten()
    }

    /// When to crawl next if a crawl has only just ended: one that was not believed may have taken long to fail.
    pub fn due_again(&self, ended: Time) -> Time {
        if self.held > 0 { ended + retry_after(self.terms.step, self.held) } else { self.due(ended) }
    }

    /// When to crawl next: as planned, or soon after a crawl that was not believed.
    pub fn due(&self, now: Time) -> Time {
        let step = self.terms.step;
        let retry = self.tried.filter(|_| self.held > 0).map(|tried| tried + retry_after(step, self.held));
        let due = retry.or_else(|| self.next().map(|next| next.at)).unwrap_or(now);
        // A crawl from the future would have everybody wait for it.
        let is_past = self.ledger.last().is_none_or(|last| last <= now);
        if is_past { due } else { now + step }
    }
}

/// How long to wait after so many crawls in a row that taught nothing.
pub fn retry_after(step: Span, failures: u32) -> Span {
    (step * (1 << failures.saturating_sub(1).min(DOUBLINGS_MAX))).min(Span::from_days(1)).max(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::HeldBack;

    #[test]
    fn a_crawl_that_failed_for_longer_than_a_step_is_not_repeated_at_once() {
        let (mut known, at) = (SourceState::new(Terms::default()), Time::from_secs(1_800_000_000));
        let held = Some(HeldBack::Incomplete { unread: 1 });
        known.observe(&ObjectCrawl { at, found: 0, held, events: Vec::new() });
        let (step, ended) = (known.terms.step, at + Span::from_days(1));
        assert_eq!([known.due(at), known.due_again(ended)], [at + step, ended + step]);
    }
}
