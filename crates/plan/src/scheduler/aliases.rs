//! URLs that lead to another page for good. What links them links that page, and they are not watched themselves.

use super::Scheduler;
use crate::{Mode, pages::Found};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tintype_vocab::{Outcome, PageId, PageUrl};

/// Redirects in a row that are resolved; they may go in circles.
const STEPS_MAX: usize = 10;
/// Redirects that are remembered.
const LED_MAX: usize = 1 << 16;

/// Where pages lead to that are not there themselves.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Aliases {
    for_good: BTreeMap<PageId, PageId>,
    /// Where pages led to when they were last asked for.
    led: BTreeMap<PageId, PageId>,
}

impl Aliases {
    pub(super) fn contains(&self, page: PageId) -> bool {
        self.for_good.contains_key(&page)
    }

    /// The page that stands for this one.
    pub(super) fn resolve(&self, page: PageId) -> PageId {
        let next = |page: &PageId| self.for_good.get(page).copied();
        std::iter::successors(Some(page), next).take(STEPS_MAX).last().unwrap_or(page)
    }

    /// Notes where a page leads to; whether that leads back to it.
    pub(super) fn leads_in_circles(&mut self, from: PageId, to: PageId) -> bool {
        if self.led.len() < LED_MAX {
            self.led.insert(from, to);
        }
        let next = |page: &PageId| self.led.get(page).copied();
        from != to && std::iter::successors(Some(to), next).take(STEPS_MAX).any(|page| page == from)
    }
}

impl Scheduler {
    /// Whether a page leads elsewhere for good, by its latest answer. A capture asks for every page once and need not know.
    pub(super) fn learn_alias(&mut self, page: PageId, outcome: &Outcome) {
        if self.settings.mode == Mode::Once {
            return;
        }
        match outcome {
            Outcome::Redirected { status: 301 | 308, to } => match self.pages.look_up(PageUrl::new(to).as_str()) {
                Found::Known(target) if target != page => drop(self.aliases.for_good.insert(page, target)),
                _ => drop(self.aliases.for_good.remove(&page)),
            },
            outcome if outcome.is_transient() => {}
            _ => drop(self.aliases.for_good.remove(&page)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_are_followed_to_their_end_and_circles_come_to_one() {
        let [a, b, c] = [0, 1, 2].map(PageId);
        let mut aliases = Aliases { for_good: [(a, b), (b, c)].into(), led: [(a, b)].into() };
        assert_eq!([a, b, c].map(|page| aliases.resolve(page)), [c, c, c]);
        assert!(!aliases.leads_in_circles(b, c) && aliases.leads_in_circles(c, a));
        let circle = Aliases { for_good: [(a, b), (b, a)].into(), ..Aliases::default() };
        assert!([a, b].contains(&circle.resolve(a)));
    }
}
