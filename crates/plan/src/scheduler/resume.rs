//! Going on from a log: what an earlier run asked and learned, without asking again.

use super::Scheduler;
use crate::{PageState, Settings, authority::Rules, pages::Found};
use tintype_learn::first_guess::Signs;
use tintype_vocab::{Decision, LinkKind, Mention, PageId, PageUrl, Purpose, Why};

impl Scheduler {
    /// Marks a request of an earlier run as sent, whatever the policy would choose today.
    pub fn assume(&mut self, decision: &Decision) {
        self.begin();
        self.entrances.allow(&decision.budgets);
        let page = self.locate(decision.page, &decision.url, decision.purpose);
        self.mark_sent(page, decision.at);
    }

    /// From now on so much may be spent on each way into the site in all, what an earlier run spent included.
    pub fn allow(&mut self, settings: &Settings) {
        self.settings.budget = settings.budget;
        for (more, today) in self.settings.more.iter_mut().zip(&settings.more) {
            more.budget = today.budget;
        }
        let budgets: Vec<_> = std::iter::once(self.settings.budget)
            .chain(self.settings.more.iter().map(|more| more.budget))
            .map(|budget| budget.as_pair())
            .collect();
        self.entrances.allow(&budgets);
        self.is_budget_new = true;
    }

    /// An earlier run stopped here: what it had in flight is asked for again, first of all.
    pub fn release_in_flight(&mut self) {
        self.hosts.forgive();
        for page in self.pages.ids() {
            if self.pages.get(page).state != PageState::InFlight {
                continue;
            }
            self.no_longer(page);
            let authority = self.authorities.get_mut(self.pages.get(page).authority);
            if authority.robots_page == Some(page) {
                authority.rules = Rules::Unknown;
                self.pages.get_mut(page).state = PageState::Visited;
            } else {
                self.wait_again(page);
                self.urgent.push_back((page, Why::Resumed));
            }
        }
    }

    /// The page a log line speaks of. Its number is only right in the run that made it, its URL always.
    pub(super) fn locate(&mut self, page: PageId, url: &str, purpose: Purpose) -> PageId {
        if page.index() < self.pages.len() && self.pages.url(page) == url {
            return page;
        }
        if purpose == Purpose::Robots
            && let Some(number) = self.authorities.number(url)
        {
            return self.robots_page(number);
        }
        let url = PageUrl::new(url);
        let url = url.as_str();
        match self.pages.look_up(url) {
            Found::Known(page) => page,
            Found::New { .. } if self.across.is_some() => self.locate_across(url),
            Found::New { hash, .. } => {
                self.admit(&Signs::new(url, LinkKind::Anchor, 0, self.clock), Mention::default(), hash, 0)
            }
        }
    }
}
