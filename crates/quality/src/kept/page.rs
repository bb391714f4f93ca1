//! One kept page: its visits, and the stretches of time between them.

use super::rates::RateEvidence;
use tintype_vocab::{Span, Time};

/// A change is not known more finely than this: a page that is made while one waits says that it changed just now.
const MOMENT_DAYS: f64 = 1.0 / 24.0;

const SECOND: Span = Span::from_secs(1);

/// What a visit that showed a page found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptFound {
    First,
    Same,
    New,
}

/// A visit that showed a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptVisit {
    pub at: Time,
    pub found: KeptFound,
    /// When the version came to be, if the server says so.
    pub modified: Option<Time>,
}

/// A page of a kept site.
#[derive(Clone, Debug)]
pub struct KeptPage {
    /// Since when it was heard of.
    pub known: Time,
    /// In order of time.
    pub visits: Vec<KeptVisit>,
    /// Whether it is still there, as far as anybody knows.
    pub is_watched: bool,
    /// The share of its changes that listings and sitemaps tell of: so much their silence says.
    pub heard_of: f64,
    /// The chance that it has a version nobody has seen, by what the policy that leaves it alone goes by, where that foretells.
    pub foretold: Option<f64>,
}

/// The time between two visits in a row, or up to the first one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// Nothing before the first visit.
    pub(super) from: Option<Time>,
    pub(super) visit: KeptVisit,
}

impl KeptPage {
    pub(super) fn gaps(&self) -> impl Iterator<Item = Gap> {
        let before = std::iter::once(None).chain(self.visits.iter().map(|visit| Some(visit.at)));
        before.zip(&self.visits).map(|(from, visit)| Gap { from, visit: *visit })
    }

    pub(super) fn last(&self) -> Option<Time> {
        self.visits.last().map(|visit| visit.at)
    }

    /// All that its visits, and since then the silence of listings, say of how often it changes.
    pub(super) fn evidence(&self, is_dated: bool, now: Time) -> RateEvidence {
        let mut evidence = RateEvidence::default();
        self.gaps().for_each(|gap| gap.tell(&mut evidence, self, is_dated));
        if let Some(last) = self.last().filter(|_| self.is_watched) {
            evidence.quiet_days += self.heard_of * days(last, now);
        }
        evidence
    }
}

impl Gap {
    /// When the version that the visit found came to be, if that was within the gap and is known.
    pub(super) fn changed_at(&self, is_dated: bool) -> Option<Time> {
        let modified = self.visit.modified.filter(|_| is_dated && self.visit.found != KeptFound::Same)?;
        match self.from {
            Some(from) => self.may_lie_within(modified).then_some(modified.max(from)),
            None => Some(modified),
        }
    }

    /// Whether what the server says of a new version may have been after the visit before. Servers leave out the part of
    /// the second: what was edited right after a visit is dated before it.
    pub(super) fn may_lie_within(&self, modified: Time) -> bool {
        self.from.is_none_or(|from| modified + SECOND > from)
    }

    pub(super) fn tell(&self, evidence: &mut RateEvidence, page: &KeptPage, is_dated: bool) {
        match (self.changed_at(is_dated), self.from) {
            (Some(changed), None) => {
                // A version that came to be when the page was heard of is its first, and no change.
                evidence.dated += f64::from(u8::from(changed != page.known));
                evidence.quiet_days += days(changed, self.visit.at).max(MOMENT_DAYS);
            }
            (Some(changed), Some(from)) => {
                evidence.dated += 1.0;
                evidence.quiet_days += days(changed, self.visit.at).max(MOMENT_DAYS);
                evidence.quiet_days += page.heard_of * days(from, changed);
            }
            (None, Some(from)) if self.visit.found == KeptFound::New => {
                evidence.undated.push(days(from, self.visit.at).max(MOMENT_DAYS));
            }
            (None, Some(from)) => evidence.quiet_days += days(from, self.visit.at),
            (None, None) => {}
        }
    }
}

pub(super) fn days(from: Time, to: Time) -> f64 {
    (to - from).as_days_f64().max(0.0)
}
