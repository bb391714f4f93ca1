//! What a host allows: its robots.txt is asked for first, kept a day, and obeyed.

use super::{PARKED_MAX, Scheduler, is_http};
use crate::{
    MediaGuess, Objection, PageInfo, PageState,
    authority::{Rules, path_and_query},
    robots::Robots,
    trap::URL_BYTES_MAX,
};
use tintype_vocab::{ChangeRate, Link, LinkKind, Mention, Observation, Outcome, PageId, Time, Truncated, Why};

/// Redirects of robots.txt that are followed (RFC 9309 asks for five at least).
const ROBOTS_REDIRECTS_MAX: u8 = 5;

/// What stands between a page and its request.
pub(super) enum Gate {
    Open,
    AskRules(PageId),
    RulesUnderWay,
    Closed(Objection),
}

impl Scheduler {
    /// Whether the page's host lets us.
    pub(super) fn gate(&mut self, page: PageId, now: Time) -> Gate {
        let number = self.pages.get(page).authority;
        let authority = self.authorities.get(number);
        if authority.robots_page == Some(page) {
            return Gate::Open;
        }
        if self.hosts.is_silent(authority.host) {
            return Gate::Closed(Objection::HostSilent);
        }
        if self.across.as_ref().is_some_and(|across| across.is_domain_spent(self.pages.url(page))) {
            return Gate::Closed(Objection::DomainSpent);
        }
        match authority.fresh_rules(now) {
            Some((robots, readable)) => {
                let allowed = robots.verdict(path_and_query(self.pages.url(page))).allowed;
                match (allowed, readable) {
                    (true, _) if !self.entrances.can_pay_for(self.pages.url(page)) => {
                        Gate::Closed(Objection::EntranceSpent)
                    }
                    (true, _) => Gate::Open,
                    (false, true) => Gate::Closed(Objection::Robots),
                    (false, false) => Gate::Closed(Objection::RobotsUnreachable),
                }
            }
            None if matches!(authority.rules, Rules::Asked) => Gate::RulesUnderWay,
            None => Gate::AskRules(self.robots_page(number)),
        }
    }

    /// Whether the rules of the site itself are still being fetched. Until they are known the policy is not asked, so that
    /// what it chooses depends on what was settled and not on how often it was asked meanwhile.
    pub(super) fn awaits_home_rules(&self) -> bool {
        let homes = self.hosts.home_authorities();
        let awaits = |number: &u16| matches!(self.authorities.get(*number).rules, Rules::Asked);
        !homes.is_empty() && homes.iter().all(awaits)
    }

    pub(super) fn robots_page(&mut self, number: u16) -> PageId {
        if let Some(page) = self.authorities.get(number).robots_page {
            return page;
        }
        let url = format!("{}/robots.txt", self.authorities.get(number).origin);
        let info = PageInfo {
            rate: ChangeRate::known(0.0),
            depth: 0,
            authority: number,
            kind: LinkKind::Embed,
            mention: Mention::default(),
            media_guess: MediaGuess::default(),
            state: PageState::Visited,
            // No page of the capture, so nobody waits for it.
            answered: true,
            attempts: 0,
            hops: 0,
        };
        let page = self.pages.add_unlisted(&url, info);
        self.authorities.get_mut(number).robots_page = Some(page);
        page
    }

    pub(super) fn settle_rules(&mut self, page: PageId, observation: &Observation) {
        let number = self.pages.get(page).authority;
        if let Outcome::Redirected { to, .. } = &observation.outcome
            && self.pages.get(page).hops < ROBOTS_REDIRECTS_MAX
            && is_http(to)
            && to.len() <= URL_BYTES_MAX
        {
            self.pages.rename(page, to);
            let info = self.pages.get_mut(page);
            info.hops += 1;
            self.wait_again(page);
            self.urgent.push_front((page, Why::Redirect));
            return;
        }
        let (robots, readable) = match &observation.outcome {
            // What was still to come may forbid everything.
            Outcome::Body { .. } if observation.truncated == Some(Truncated::Time) => (Robots::disallow_all(), false),
            Outcome::Body { .. } | Outcome::NotModified => {
                let text = observation.robots.as_deref().unwrap_or_default();
                (Robots::parse(text.as_bytes(), &self.settings.agent), true)
            }
            Outcome::Failed { .. } | Outcome::Refused { status: 429 | 503, .. } => (Robots::disallow_all(), false),
            Outcome::Gone { .. } | Outcome::Refused { .. } | Outcome::Redirected { .. } => (Robots::allow_all(), true),
        };
        let (host, answered) = (self.host_of(page), self.steady(observation.answered));
        self.hosts.obey(host, robots.crawl_delay(), answered);
        self.take_sitemaps(page, &robots, observation.answered);
        let (robots, readable) = match self.ignores_rules(number) {
            true => (Robots::allow_all(), true),
            false => (robots, readable),
        };
        let rules = Rules::Known { robots: Box::new(robots), at: observation.answered, readable };
        let authority = self.authorities.get_mut(number);
        authority.rules = rules;
        for (page, why) in std::mem::take(&mut authority.parked).into_iter().rev() {
            if self.pages.get(page).state != PageState::Visited {
                self.hosts.count_aside(host, -1);
            }
            self.urgent.push_front((page, why));
        }
    }

    /// Whether a person answers for what is asked of a host, with or without its port.
    fn ignores_rules(&self, number: u16) -> bool {
        let origin = self.authorities.get(number).origin.as_str();
        let host = origin.split_once("://").map_or(origin, |(_, host)| host);
        let bare = host.rsplit_once(':').map_or(host, |(bare, _)| bare);
        self.settings.ignore_robots.iter().any(|named| named == host || named == bare)
    }

    /// Sets a page aside until the rules of its host are known; not if too many of a seed's host are already.
    pub(super) fn park_for_rules(&mut self, page: PageId, why: Why) -> bool {
        let host = self.host_of(page);
        let parked = &mut self.authorities.get_mut(self.pages.get(page).authority).parked;
        if parked.len() >= PARKED_MAX && self.hosts.is_home(host) {
            return false;
        }
        parked.push((page, why));
        if self.pages.get(page).state == PageState::Waiting {
            self.hosts.count_aside(host, 1);
        }
        true
    }

    /// Sitemaps named by robots.txt, or the customary one.
    pub(super) fn take_sitemaps(&mut self, page: PageId, robots: &Robots, now: Time) {
        let number = self.pages.get(page).authority;
        let origin = format!("{}/", self.authorities.get(number).origin);
        self.pages.look_up(&origin);
        let spans_host = self.entrances.spans_host(self.pages.last_key());
        if !spans_host && self.across.is_none() {
            return;
        }
        for url in robots.sitemaps() {
            self.take(&Link::new(url, LinkKind::Sitemap), page, now);
        }
        // Where there are hundreds of hosts one that is guessed costs too many requests.
        if spans_host && robots.sitemaps().is_empty() && robots.verdict("/sitemap.xml").allowed {
            let url = format!("{origin}sitemap.xml");
            self.take(&Link::new(&url, LinkKind::Sitemap), page, now);
            self.authorities.get_mut(number).probe = self.pages.find(&url);
        }
    }
}
