//! A run without end: visited pages go back to the frontier, and pages become known from outside.

use super::Scheduler;
use crate::{Dice, Mode, PageState, pages::Found};
use tintype_learn::first_guess::Signs;
use tintype_vocab::{ChangeRate, LinkKind, Mention, Outcome, PageId, Time};

impl Scheduler {
    /// The site says that this page exists, as a sitemap would. A page that had gone is watched again.
    pub fn announce(&mut self, url: &str, now: Time) -> Option<PageId> {
        self.begin();
        self.clock = self.clock.max(now);
        let url = &*self.current(url);
        let page = match self.pages.look_up(url) {
            Found::New { hash, .. } => {
                self.authorities.number(url)?;
                self.admit(&Signs::new(url, LinkKind::Listed, 1, now), Mention::default(), hash, 0)
            }
            Found::Known(page) => {
                if self.settings.mode != Mode::Once && self.pages.get(page).state == PageState::Visited {
                    self.wait_again(page);
                    self.knowledge.know(page, self.pages.url(page), self.clock);
                    self.tell_known(page);
                }
                page
            }
        };
        Some(page)
    }

    /// Tells a page's change rate from a better source than our own visits.
    pub fn reveal_rate(&mut self, page: PageId, rate_per_day: f64) {
        self.pages.get_mut(page).rate = ChangeRate::known(rate_per_day);
    }

    /// After a visit in a continual run the page waits for the next one, unless it is gone.
    pub(super) fn keep_watching(&mut self, page: PageId, outcome: &Outcome) {
        let gone = matches!(outcome, Outcome::Gone { .. });
        if self.settings.mode != Mode::Once && !gone && self.pages.get(page).state == PageState::Visited {
            self.wait_again(page);
        }
    }

    pub(super) fn tell_known(&mut self, page: PageId) {
        let dice = Dice::new(self.settings.run_seed, self.steps);
        let view = view!(self, self.clock, &[], dice);
        self.policy.on_known(page, &view);
    }
}
