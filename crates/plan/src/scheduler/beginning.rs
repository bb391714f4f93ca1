//! When a capture that is meant for a moment begins: half of it before that moment, half of it after (SHARC, Theorem 4.7).

use super::Scheduler;
use tintype_vocab::Time;

impl Scheduler {
    /// Pages the site is expected to have; 0 if nobody knows.
    pub(super) fn expected_pages(&self) -> usize {
        let by_a_person = self.settings.pages_expected.map(|pages| usize::try_from(pages).unwrap_or(usize::MAX));
        by_a_person.unwrap_or_else(|| self.knowledge.pages_expected())
    }

    /// When the first request goes out, if that is not at once. Of how many there will be nothing is known on a site never
    /// seen: its capture begins at once, and its policy makes the best of where the moment lies.
    pub(super) fn begins(&self) -> Option<Time> {
        let as_of = self.settings.as_of.filter(|_| self.settled == 0 && self.in_flight == 0)?;
        let expected = self.expected_pages();
        let pages = self.settings.pages_max.map_or(expected, |max| expected.min(max as usize));
        let each = if self.settings.revisit { 2 } else { 1 };
        let affordable = self.settings.budget.requests.map_or(usize::MAX, |requests| requests as usize);
        let requests = pages.saturating_mul(each).min(affordable);
        (requests > 0).then(|| as_of - self.hosts.slot() * i64::try_from(requests).unwrap_or(i64::MAX) / 2)
    }
}
