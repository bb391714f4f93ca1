//! Our own: crawls when the share of time that a promise may be broken is used up.
//!
//! To look just before a promise is *likely* to break wastes crawls: over most of the time since the last one it was safe.
//! What matters is the share of all time in which it is broken. So a copy is left alone as long as the chances to be
//! broken, averaged over the time since its crawl, stay within what is allowed; and what is allowed follows what past
//! crawls showed: a promise kept too well may be stretched, one broken too often must be made good.

use super::{Promise, SourcePolicy};
use serde::{Deserialize, Serialize};
use tintype_learn::decay::{Crawl, Decay};
use tintype_vocab::{Span, Time};

/// Credit and debt are spread over so many crawls.
const CRAWLS_TO_SETTLE: f64 = 4.0;
/// How much is remembered from crawl to crawl.
const MEMORY: f64 = 0.97;
/// The share allowed between two crawls stays within these multiples of the one promised.
const STRETCH: (f64, f64) = (0.25, 3.0);
/// Before anything is known, crawls double their distance.
const DOUBLINGS_MAX: u32 = 16;
/// Moments between two crawls at which the promise is looked at.
const MOMENTS_MAX: u32 = 256;

/// When to crawl next, and why then.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NextCrawl {
    pub at: Time,
    pub why: Reason,
    /// The chance that the promise is broken right before, and averaged over the time since the last crawl.
    pub broken: f64,
    pub broken_average: f64,
    /// The average that was allowed this time.
    pub allowed: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Too little is known of the source: crawls double their distance until it is.
    GettingToKnow,
    /// Waiting longer would break the promise for more of the time than is allowed.
    Spent,
    /// The promise would hold for even longer than anybody plans ahead.
    LongEnough,
}

/// The promise about one source, and how well it was kept so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Deadline {
    pub promise: Promise,
    /// Days in which it was broken, of the days looked back on; both fade.
    broken_days: f64,
    watched_days: f64,
    last_gap_days: f64,
}

impl Deadline {
    pub fn new(promise: Promise) -> Deadline {
        Deadline { promise, broken_days: 0.0, watched_days: 0.0, last_gap_days: 0.0 }
    }

    /// The share of past time in which the promise was broken, as far as crawls can tell.
    pub fn broken_share(&self) -> Option<f64> {
        (self.watched_days > 0.0).then(|| self.broken_days / self.watched_days)
    }

    /// What may be spent until the next crawl.
    fn allowed(&self) -> f64 {
        let share = self.promise.broken_share_max;
        if self.watched_days <= 0.0 {
            return share;
        }
        let credit_days = share * self.watched_days - self.broken_days;
        let spread = credit_days / (CRAWLS_TO_SETTLE * self.last_gap_days);
        (share + spread).clamp(STRETCH.0 * share, STRETCH.1 * share)
    }

    /// When to crawl next. Crawls are possible every `step` after the last one, and wanted within `at_most` of them.
    pub fn next(&self, decay: &Decay, step: Span, at_most: u32) -> Option<NextCrawl> {
        let last = decay.last()?.at;
        let after = |steps: u32| last + step * i64::from(steps);
        let allowed = self.allowed();
        let (mut spent, mut broken, mut steps) = (0.0, 0.0, 1);
        let next = |steps: u32, why, broken, spent: f64| NextCrawl {
            at: after(steps),
            why,
            broken,
            broken_average: spent / f64::from(steps),
            allowed,
        };
        while steps < at_most {
            let Some(chance) = self.promise.broken_at(decay, after(steps)) else {
                let doubled = 1 << (decay.crawls().saturating_sub(1) as u32).min(DOUBLINGS_MAX);
                return Some(next(at_most.min(doubled), Reason::GettingToKnow, 0.0, 0.0));
            };
            if (spent + chance) / f64::from(steps + 1) > allowed {
                return Some(next(steps, Reason::Spent, broken, spent));
            }
            (spent, broken, steps) = (spent + chance, chance, steps + 1);
        }
        Some(next(at_most.max(1), Reason::LongEnough, broken, spent))
    }

    /// Looks back on the time since the last crawl, before the new one is learned.
    pub fn settle(&mut self, decay: &Decay, crawl: &Crawl, step: Span) {
        let Some(last) = decay.last().filter(|last| last.at < crawl.at) else { return };
        let gap = Span::from_millis(crawl.at.as_millis() - last.at.as_millis());
        let moments = ((gap.as_millis() / step.as_millis().max(1)).max(1) as u32).min(MOMENTS_MAX);
        // The copy is right again at the crawl itself.
        let moment =
            |number: u32| last.at + Span::from_millis(gap.as_millis() * i64::from(number) / i64::from(moments));
        let broken: f64 = (1..moments).map(|number| self.promise.was_broken_at(decay, crawl, moment(number))).sum();
        let days = gap.as_days_f64();
        self.broken_days = self.broken_days * MEMORY + days * broken / f64::from(moments);
        self.watched_days = self.watched_days * MEMORY + days;
        self.last_gap_days = days;
    }
}

/// The deadline together with what it decides by.
#[derive(Clone, Debug)]
pub struct Tintype {
    deadline: Deadline,
    decay: Decay,
    step: Option<Span>,
}

impl Tintype {
    pub fn new(promise: Promise) -> Tintype {
        Tintype { deadline: Deadline::new(promise), decay: Decay::new(), step: None }
    }

    /// The same knowledge under another promise, none of which was kept or broken yet.
    pub fn with_promise(self, promise: Promise) -> Tintype {
        Tintype { deadline: Deadline::new(promise), ..self }
    }

    pub fn decay(&self) -> &Decay {
        &self.decay
    }
}

impl SourcePolicy for Tintype {
    fn see(&mut self, crawl: &Crawl) {
        // Before it was asked for the first time, somebody else chose the crawls: no promise was kept or broken by them.
        if let Some(step) = self.step {
            self.deadline.settle(&self.decay, crawl, step);
        }
        // A crawl that is no later than the last one teaches nothing.
        let _ = self.decay.see(crawl);
    }

    fn next(&mut self, step: Span, at_most: u32) -> u32 {
        self.step = Some(step);
        let Some((last, next)) = self.decay.last().zip(self.deadline.next(&self.decay, step, at_most)) else {
            return 1;
        };
        ((next.at.as_millis() - last.at.as_millis()) / step.as_millis().max(1)).max(1) as u32
    }
}
