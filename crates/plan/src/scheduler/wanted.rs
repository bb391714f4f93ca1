//! What a browser asks for while it builds a page: asked of the same hosts, at the same pace, by the same rules and out of
//! the same budget as everything else, and before it, because somebody waits.
//!
//! Nothing is known of such a URL before the moment it can be asked for, so that the decision in the log says all there is
//! to say, and a replay takes the same step without a browser.

use super::{Scheduler, Step, is_http, rules::Gate};
use crate::{Access, Ending, Objection, PageState, RenderMode, authority::Rules, pages::Found, trap::URL_BYTES_MAX};
use hashbrown::HashSet;
use std::collections::VecDeque;
use tintype_learn::first_guess::Signs;
use tintype_vocab::{Decision, LinkKind, Mention, Outcome, PageId, PageUrl, Purpose, Request, Time, Why};

/// Pages that are being built at a time; their answers wait in memory.
const BUILT_MAX: usize = 8;

/// What is to become of a URL that a browser asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WishAnswer {
    /// It was answered in this run, and what came can be handed on.
    Answered,
    /// It will be asked for, or is being asked for. [`Scheduler::take_refused`] tells if it is not after all.
    Coming,
    Refused(Objection),
}

/// What browsers wait for.
#[derive(Debug, Default)]
pub(super) struct Wishes {
    wanted: VecDeque<String>,
    refused: Vec<(String, Objection)>,
    /// Pages that were answered and are being built: their servers have done their part.
    pub(super) built: HashSet<PageId>,
    /// Whether what was let out last was not known before.
    last_is_new: bool,
}

/// Whether one of them can be asked for now.
pub(super) enum Wish {
    Granted(Step),
    From(Time),
    None,
}

impl Scheduler {
    /// A browser that builds a page asks for a URL.
    pub fn want(&mut self, url: &str) -> WishAnswer {
        self.begin();
        let url = PageUrl::new(url).as_str().to_owned();
        if let Some(objection) = self.objection_to_wish(&url) {
            return WishAnswer::Refused(objection);
        }
        if let Found::Known(page) = self.pages.look_up(&url) {
            match self.pages.get(page).state {
                PageState::Visited if self.pages.get(page).answered => return WishAnswer::Answered,
                PageState::InFlight => return WishAnswer::Coming,
                PageState::Excluded | PageState::Visited => return WishAnswer::Refused(Objection::Excluded),
                PageState::Waiting | PageState::Retrying => {}
            }
        }
        if !self.wishes.wanted.contains(&url) {
            self.wishes.wanted.push_back(url);
        }
        WishAnswer::Coming
    }

    /// No browser waits for what was not asked for yet.
    pub fn forget_wanted(&mut self, url: &str) {
        let url = PageUrl::new(url);
        self.wishes.wanted.retain(|wanted| wanted != url.as_str());
    }

    /// What was wanted and will not be asked for, since this was last asked.
    pub fn take_refused(&mut self) -> Vec<(String, Objection)> {
        std::mem::take(&mut self.wishes.refused)
    }

    /// Whether what was let out last for a browser is something that no page had named.
    pub fn last_wish_is_new(&self) -> bool {
        self.wishes.last_is_new
    }

    /// The answer to a request is here, and a browser builds a page of it before it is settled. Its host rests from now on
    /// as after any answer, and may then be asked for what the page needs.
    pub fn being_built(&mut self, request: &Request, answered: Time) {
        if self.pages.get(request.page).state != PageState::InFlight || !self.wishes.built.insert(request.page) {
            return;
        }
        let host = self.host_of(request.page);
        let rest = self.hosts.host(host).pace.pause(self.settings.delay).0;
        let until = self.steady(answered) + rest;
        self.hosts.landed(host);
        self.hosts.rest(host, until);
    }

    /// Whether a page whose answer came is worth a browser's time at all: not what pages are made of, and not what a browser
    /// only asked for to build another; nor, unless all are to be built, forms of pages, with which a third of a wiki's
    /// requests would each bring several more.
    pub fn may_be_built(&self, request: &Request, outcome: &Outcome) -> bool {
        let is_page =
            !matches!(self.pages.get(request.page).kind, LinkKind::Embed | LinkKind::Sitemap | LinkKind::Feed);
        let is_form = self.settings.render == RenderMode::Auto
            && self.lesser_because(request.page) == Some(Objection::ActionPage);
        is_page && !is_form && request.purpose == Purpose::Visit && outcome.saw_page()
    }

    pub(super) fn has_enough_to_build(&self) -> bool {
        self.hosts.retaking.is_none() && self.wishes.built.len() >= BUILT_MAX
    }

    fn objection_to_wish(&mut self, url: &str) -> Option<Objection> {
        if !is_http(url) {
            return Some(Objection::OutOfScope);
        }
        if url.len() > URL_BYTES_MAX {
            return Some(Objection::UrlTooLong);
        }
        self.settings.urls.leave_out(url, false).then_some(Objection::Excluded)
    }

    /// The first wish that can be granted now, or when one can be.
    pub(super) fn grant_wish(&mut self, now: Time) -> Wish {
        if self.wishes.wanted.is_empty() {
            return Wish::None;
        }
        if self.ending() != Ending::Complete {
            let all = std::mem::take(&mut self.wishes.wanted);
            self.wishes.refused.extend(all.into_iter().map(|url| (url, Objection::EntranceSpent)));
            return Wish::None;
        }
        let mut first: Option<(Time, u16)> = None;
        for _ in 0..self.wishes.wanted.len() {
            let Some(url) = self.wishes.wanted.pop_front() else { break };
            match self.look_at_wish(&url, now) {
                Looked::Ask(page) => return Wish::Granted(self.issue_wanted(page, now)),
                Looked::AskRules(page) => {
                    self.wishes.wanted.push_front(url);
                    return Wish::Granted(self.issue_wanted(page, now));
                }
                Looked::Moot => {}
                Looked::Refuse(objection) => self.wishes.refused.push((url, objection)),
                Looked::Wait(until) => {
                    self.wishes.wanted.push_back(url);
                    first = [first, until].into_iter().flatten().min();
                }
            }
        }
        let Some((turn, host)) = first else { return Wish::None };
        self.waiting_for = self.hosts.host(host).pace.why();
        self.waiting_at = Some(host);
        Wish::From(turn + self.clock_ahead)
    }

    fn look_at_wish(&mut self, url: &str, now: Time) -> Looked {
        let known = self.pages.find(url);
        if known.is_some_and(|page| !matches!(self.pages.get(page).state, PageState::Waiting | PageState::Retrying)) {
            return Looked::Moot;
        }
        let Some(number) = self.authorities.number(url) else { return Looked::Refuse(Objection::TooManyHosts) };
        let host = self.authorities.get(number).host;
        match self.access(host, now) {
            Access::From { turn, .. } => return Looked::Wait(Some((turn, host))),
            Access::Busy => return Looked::Wait(None),
            Access::Free => {}
        }
        match self.gate_of(number, url, now) {
            Gate::Open => {
                self.wishes.last_is_new = known.is_none();
                Looked::Ask(known.unwrap_or_else(|| self.admit_wanted(url)))
            }
            Gate::AskRules(page) => {
                self.wishes.last_is_new = false;
                Looked::AskRules(page)
            }
            Gate::RulesUnderWay => Looked::Wait(None),
            Gate::Closed(objection) => Looked::Refuse(objection),
        }
    }

    /// Something a page is made of, though no page names it.
    fn admit_wanted(&mut self, url: &str) -> PageId {
        match self.pages.look_up(url) {
            Found::Known(page) => page,
            Found::New { hash, .. } => {
                let hops = u8::from(!self.entrances.contains(self.pages.last_key()));
                self.admit(&Signs::new(url, LinkKind::Embed, 1, self.clock), Mention::default(), hash, hops)
            }
        }
    }

    /// Lets a request out that a browser waits for, wherever its page was set aside meanwhile.
    fn issue_wanted(&mut self, page: PageId, now: Time) -> Step {
        let (host, number) = (self.host_of(page), self.pages.get(page).authority);
        let mut aside = self.hosts.take_out(host, page);
        let parked = &mut self.authorities.get_mut(number).parked;
        let before = parked.len();
        parked.retain(|(parked, _)| *parked != page);
        aside += before - parked.len();
        if self.pages.get(page).state == PageState::Waiting {
            self.hosts.count_aside(host, -i32::try_from(aside).unwrap_or_default());
        }
        self.issue(page, Why::Rendered, now)
    }

    /// The step of a log that a browser was behind.
    pub(super) fn retake_wanted(&mut self, logged: &Decision) -> Step {
        self.begin();
        self.clock = self.clock.max(logged.at);
        let page = match logged.purpose {
            Purpose::Robots => self.authorities.number(&logged.url).map(|number| self.robots_page(number)),
            _ => Some(self.admit_wanted(&logged.url)),
        };
        match page {
            Some(page) => self.issue_wanted(page, logged.at),
            None => Step::Idle,
        }
    }

    /// The same gate as for a page that is known, for one that is not yet.
    fn gate_of(&mut self, number: u16, url: &str, now: Time) -> Gate {
        let authority = self.authorities.get(number);
        if self.hosts.is_silent(authority.host) {
            return Gate::Closed(Objection::HostSilent);
        }
        match authority.fresh_rules(now) {
            Some((robots, readable)) => {
                let allowed = robots.verdict(crate::authority::path_and_query(url)).allowed;
                match (allowed, readable) {
                    (true, _) if !self.entrances.can_pay_for(url) => Gate::Closed(Objection::EntranceSpent),
                    (true, _) => Gate::Open,
                    (false, true) => Gate::Closed(Objection::Robots),
                    (false, false) => Gate::Closed(Objection::RobotsUnreachable),
                }
            }
            None if matches!(authority.rules, Rules::Asked) => Gate::RulesUnderWay,
            None => Gate::AskRules(self.robots_page(number)),
        }
    }
}

/// What a look at one wish says.
enum Looked {
    Ask(PageId),
    AskRules(PageId),
    /// It is under way or answered already.
    Moot,
    Refuse(Objection),
    /// Until this turn at this host, or until something was answered.
    Wait(Option<(Time, u16)>),
}
