//! The scheduler: frontier, politeness, budget and rules around a policy.
//!
//! Two verbs, [`Scheduler::next`] and [`Scheduler::settle`], in simulation and in reality alike. What it decides is
//! a function of its settings, the times it was asked at, and the observations it was given.

use crate::{
    Budget, Choice, Dice, Exclusions, Pace, PageInfo, PageState, Pages, Policy, Rule, Scope, SeedError, Settings, View,
    Wait,
    authority::{Authorities, Rules, path_and_query},
    media, pace,
    pages::Found,
    policy,
    robots::Robots,
    trap::{Traps, URL_BYTES_MAX},
};
use hashbrown::HashMap;
use serde::Serialize;
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};
use tintype_learn::rate::{self, Past};
use tintype_vocab::{Decision, Link, LinkKind, Observation, Outcome, PageId, Purpose, Request, Time, Why};

/// Tries per page, the first included.
const TRIES_MAX: u8 = 3;
/// Redirects in a row that are followed.
const REDIRECTS_MAX: u8 = 10;
/// Redirects of robots.txt that are followed (RFC 9309 asks for five at least).
const ROBOTS_REDIRECTS_MAX: u8 = 5;
/// Steps outside the scope for what a page is made of: a style sheet elsewhere, its import, a font.
const EMBED_STEPS_MAX: u8 = 3;
/// Pages of one host set aside while its rules are fetched, so that a dead host does not hold up the others.
const PARKED_MAX: usize = 64;

/// What to do now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Fetch(Request),
    /// Nothing before this moment; [`Scheduler::waiting_for`] says why.
    WaitUntil(Time),
    /// Nothing until something in flight has been settled.
    Idle,
    Done,
}

/// How a capture came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Everything known was asked for.
    Complete,
    BudgetSpent,
    /// The site stopped answering.
    Unreachable,
}

/// Counts for a progress line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Pages taken in so far.
    pub known: usize,
    /// Known and not yet answered for good.
    pub waiting: usize,
    pub in_flight: usize,
    /// Observations settled.
    pub settled: u64,
}

/// Schedules one capture of one site.
#[derive(Debug)]
pub struct Scheduler {
    settings: Settings,
    pages: Pages,
    policy: Box<dyn Policy>,
    scope: Scope,
    traps: Traps,
    pace: Pace,
    budget: Budget,
    authorities: Authorities,
    urgent: VecDeque<(PageId, Why)>,
    retries: BinaryHeap<Reverse<(Time, PageId)>>,
    exclusions: Exclusions,
    /// Believed rates from earlier captures, by hash of the key.
    past: HashMap<u64, f32>,
    waiting: usize,
    in_flight: usize,
    steps: u64,
    settled: u64,
    waiting_for: Wait,
    last_decision: Option<Decision>,
}

enum Gate {
    Open,
    AskRules(PageId),
    RulesUnderWay,
    Closed(Rule),
}

impl Scheduler {
    pub fn new(settings: Settings) -> Result<Scheduler, SeedError> {
        let policy = policy::make(&settings.policy);
        let policy = policy.ok_or_else(|| SeedError::UnknownPolicy { name: settings.policy.clone() })?;
        let mut scheduler = Scheduler {
            pages: Pages::default(),
            policy,
            scope: Scope::new(settings.scope.clone()),
            traps: Traps::default(),
            pace: Pace::new(settings.delay),
            budget: settings.budget,
            authorities: Authorities::default(),
            urgent: VecDeque::new(),
            retries: BinaryHeap::new(),
            exclusions: Exclusions::default(),
            past: HashMap::new(),
            waiting: 0,
            in_flight: 0,
            steps: 0,
            settled: 0,
            waiting_for: Wait::NothingDue,
            last_decision: None,
            settings,
        };
        scheduler.sow()?;
        Ok(scheduler)
    }

    fn sow(&mut self) -> Result<(), SeedError> {
        if self.settings.seeds.is_empty() {
            return Err(SeedError::NoSeeds);
        }
        for seed in self.settings.seeds.clone() {
            let url = parse_seed(&seed)?;
            self.scope.widen(&url);
            if let Found::New { hash } = self.pages.look_up(&url) {
                self.admit(&url, hash, LinkKind::Anchor, 0, 0);
            }
        }
        Ok(())
    }

    /// Tells what earlier captures know about the page with this key, before it is taken in.
    pub fn recall(&mut self, key: &str, past: &Past) {
        if let Some(rate) = rate::per_day(past) {
            self.past.insert(rapidhash::v3::rapidhash_v3(key.as_bytes()), rate as f32);
        }
    }

    /// What to do at `now`. Waiting changes nothing: asking once or a thousand times is the same.
    pub fn next(&mut self, now: Time) -> Step {
        if self.in_flight >= self.settings.connections.max(1) {
            return Step::Idle;
        }
        if self.waiting == 0 || self.ending() != Ending::Complete {
            return if self.in_flight > 0 { Step::Idle } else { Step::Done };
        }
        if self.pace.next_slot() > now {
            self.waiting_for = self.pace.why();
            return Step::WaitUntil(self.pace.next_slot());
        }
        self.fill_slot(now)
    }

    /// Politeness allows a request: find one.
    fn fill_slot(&mut self, now: Time) -> Step {
        let mut policy_waits = None;
        while let Some((page, why)) = self.candidate(now, &mut policy_waits) {
            match self.gate(page, now) {
                Gate::Open => return self.issue(page, why, now),
                Gate::AskRules(robots_page) => {
                    self.urgent.push_front((page, why));
                    return self.issue(robots_page, Why::Rules, now);
                }
                Gate::RulesUnderWay => {
                    let parked = &mut self.authorities.get_mut(self.pages.get(page).authority).parked;
                    if parked.len() >= PARKED_MAX {
                        self.urgent.push_front((page, why));
                        return self.pause();
                    }
                    parked.push((page, why));
                }
                Gate::Closed(rule) => self.exclude(page, rule),
            }
        }
        let retry = self.retries.peek().map(|Reverse((at, _))| *at);
        match (retry, policy_waits) {
            (None, None) => {
                if self.in_flight > 0 {
                    Step::Idle
                } else {
                    Step::Done
                }
            }
            (retry, wait) => {
                let (until, why) = match (retry, wait) {
                    (Some(at), wait) if wait.is_none_or(|wait| at <= wait) => (at, Wait::BackOff),
                    (_, wait) => (wait.unwrap_or(Time::MAX), Wait::NothingDue),
                };
                self.waiting_for = why;
                Step::WaitUntil(until)
            }
        }
    }

    /// The rules of the next page's host are being fetched or retried.
    fn pause(&mut self) -> Step {
        match self.retries.peek() {
            Some(Reverse((at, _))) if self.in_flight == 0 => {
                self.waiting_for = Wait::BackOff;
                Step::WaitUntil(*at)
            }
            _ => Step::Idle,
        }
    }

    fn candidate(&mut self, now: Time, policy_waits: &mut Option<Time>) -> Option<(PageId, Why)> {
        // Rules that are being retried come before everything that waits for them.
        while let Some(Reverse((_, page))) = self.retries.peek().copied().filter(|Reverse((at, _))| *at <= now) {
            self.retries.pop();
            let info = self.pages.get_mut(page);
            if info.state == PageState::Retrying {
                info.state = PageState::Waiting;
                return Some((page, Why::Retry));
            }
        }
        while let Some((page, why)) = self.urgent.pop_front() {
            if self.pages.get(page).state == PageState::Waiting {
                return Some((page, why));
            }
        }
        loop {
            let view =
                View { pages: &self.pages, budget: self.budget, dice: Dice::new(self.settings.run_seed, self.steps) };
            match self.policy.choose(now, &view) {
                Choice::Visit(page) if self.pages.get(page).state == PageState::Waiting => {
                    let info = self.pages.get(page);
                    let seed = info.depth == 0 && info.kind == LinkKind::Anchor;
                    return Some((page, if seed { Why::Seed } else { Why::Policy }));
                }
                Choice::Visit(_) => {}
                Choice::WaitUntil(until) => {
                    *policy_waits = Some(until);
                    return None;
                }
                Choice::Done => return None,
            }
        }
    }

    /// Whether the page's host lets us.
    fn gate(&mut self, page: PageId, now: Time) -> Gate {
        let number = self.pages.get(page).authority;
        let authority = self.authorities.get(number);
        if authority.robots_page == Some(page) {
            return Gate::Open;
        }
        match authority.fresh_rules(now) {
            Some((robots, readable)) => {
                let allowed = robots.verdict(path_and_query(self.pages.url(page))).allowed;
                match (allowed, readable) {
                    (true, _) => Gate::Open,
                    (false, true) => Gate::Closed(Rule::Robots),
                    (false, false) => Gate::Closed(Rule::RobotsUnreachable),
                }
            }
            None if matches!(authority.rules, Rules::Asked) => Gate::RulesUnderWay,
            None => Gate::AskRules(self.robots_page(number)),
        }
    }

    fn robots_page(&mut self, number: u16) -> PageId {
        if let Some(page) = self.authorities.get(number).robots_page {
            return page;
        }
        let url = format!("{}/robots.txt", self.authorities.get(number).origin);
        let info = PageInfo {
            rate_per_day: 0.0,
            depth: 0,
            authority: number,
            kind: LinkKind::Embed,
            state: PageState::Visited,
            attempts: 0,
            hops: 0,
        };
        let page = self.pages.add_unlisted(&url, info);
        self.authorities.get_mut(number).robots_page = Some(page);
        page
    }

    /// Lets a request out.
    fn issue(&mut self, page: PageId, why: Why, now: Time) -> Step {
        let purpose = self.mark_sent(page, now);
        let request = Request {
            site: self.settings.site,
            page,
            url: self.pages.url(page).to_owned(),
            purpose,
            attempt: self.pages.get(page).attempts - 1,
        };
        self.last_decision = Some(Decision::of(&request, now, self.settled, why));
        Step::Fetch(request)
    }

    fn mark_sent(&mut self, page: PageId, now: Time) -> Purpose {
        let authority = self.authorities.get_mut(self.pages.get(page).authority);
        let info = self.pages.get_mut(page);
        match info.state {
            PageState::Waiting | PageState::Retrying => self.waiting -= 1,
            // A log may tell of a request twice: before a kill, and again after it.
            PageState::InFlight => self.in_flight -= 1,
            PageState::Visited | PageState::Excluded => {}
        }
        info.state = PageState::InFlight;
        info.attempts = info.attempts.saturating_add(1);
        self.in_flight += 1;
        self.steps += 1;
        self.pace.sent(now);
        if authority.robots_page == Some(page) {
            authority.rules = Rules::Asked;
            return Purpose::Robots;
        }
        self.budget.spend_request();
        if authority.probe == Some(page) { Purpose::Probe } else { Purpose::Visit }
    }

    /// Takes in what a visit taught.
    pub fn settle(&mut self, observation: &Observation) {
        let page = self.locate(observation.page, &observation.url, observation.purpose);
        self.settled += 1;
        let mut dice = Dice::new(!self.settings.run_seed, self.settled);
        match self.pages.get(page).state {
            PageState::InFlight => self.in_flight -= 1,
            // The decision was lost with the end of a log, the visit was not.
            PageState::Waiting | PageState::Retrying => self.waiting -= 1,
            PageState::Visited | PageState::Excluded => {}
        }
        self.pages.get_mut(page).state = PageState::Visited;
        self.budget.spend_bytes(observation.bytes);
        self.pace.settled(observation, &mut dice);
        if !self.try_again(page, observation, &mut dice) {
            self.pages.get_mut(page).attempts = 0;
            match observation.purpose {
                Purpose::Robots => self.settle_rules(page, observation),
                Purpose::Visit | Purpose::Revisit | Purpose::Probe => self.settle_visit(page, observation),
            }
        }
        let view = View { pages: &self.pages, budget: self.budget, dice };
        self.policy.on_observation(observation, &view);
    }

    /// The page a log line speaks of. Its number is only right in the run that made it, its URL always.
    fn locate(&mut self, page: PageId, url: &str, purpose: Purpose) -> PageId {
        if page.index() < self.pages.len() && self.pages.url(page) == url {
            return page;
        }
        if purpose == Purpose::Robots
            && let Some(number) = self.authorities.number(url)
        {
            return self.robots_page(number);
        }
        match self.pages.look_up(url) {
            Found::Known(page) => page,
            Found::New { hash } => self.admit(url, hash, LinkKind::Anchor, 0, 0),
        }
    }

    /// Puts a page whose visit failed for the moment aside for a while.
    fn try_again(&mut self, page: PageId, observation: &Observation, dice: &mut Dice) -> bool {
        let info = self.pages.get_mut(page);
        if !observation.outcome.is_transient() || info.attempts >= TRIES_MAX {
            return false;
        }
        let at = observation.answered + pace::back_off(u32::from(info.attempts).saturating_sub(1), dice);
        info.state = PageState::Retrying;
        self.waiting += 1;
        self.retries.push(Reverse((at, page)));
        true
    }

    fn settle_rules(&mut self, page: PageId, observation: &Observation) {
        let number = self.pages.get(page).authority;
        if let Outcome::Redirected { to, .. } = &observation.outcome
            && self.pages.get(page).hops < ROBOTS_REDIRECTS_MAX
            && is_http(to)
            && to.len() <= URL_BYTES_MAX
        {
            self.pages.rename(page, to);
            let info = self.pages.get_mut(page);
            info.hops += 1;
            info.state = PageState::Waiting;
            self.waiting += 1;
            self.urgent.push_front((page, Why::Redirect));
            return;
        }
        let (robots, readable) = match &observation.outcome {
            Outcome::Body { .. } | Outcome::NotModified => {
                let text = observation.robots.as_deref().unwrap_or_default();
                (Robots::parse(text.as_bytes(), &self.settings.agent), true)
            }
            Outcome::Failed { .. } | Outcome::Refused { status: 503, .. } => (Robots::disallow_all(), false),
            Outcome::Gone { .. } | Outcome::Refused { .. } | Outcome::Redirected { .. } => (Robots::allow_all(), true),
        };
        self.pace.obey(robots.crawl_delay());
        self.take_sitemaps(page, &robots, observation.answered);
        let rules = Rules::Known { robots: Box::new(robots), at: observation.answered, readable };
        let authority = self.authorities.get_mut(number);
        authority.rules = rules;
        for parked in std::mem::take(&mut authority.parked).into_iter().rev() {
            self.urgent.push_front(parked);
        }
    }

    /// Sitemaps named by robots.txt, or the customary one.
    fn take_sitemaps(&mut self, page: PageId, robots: &Robots, now: Time) {
        let number = self.pages.get(page).authority;
        let origin = format!("{}/", self.authorities.get(number).origin);
        self.pages.look_up(&origin);
        if !self.scope.contains(self.pages.last_key()) || !self.scope.spans_hosts() {
            return;
        }
        for url in robots.sitemaps() {
            self.take(&Link { url, kind: LinkKind::Sitemap, modified: None }, page, now);
        }
        if robots.sitemaps().is_empty() && robots.verdict("/sitemap.xml").allowed {
            let url = format!("{origin}sitemap.xml");
            self.take(&Link { url: &url, kind: LinkKind::Sitemap, modified: None }, page, now);
            self.authorities.get_mut(number).probe = self.pages.find(&url);
        }
    }

    fn settle_visit(&mut self, page: PageId, observation: &Observation) {
        if let Outcome::Redirected { to, .. } = &observation.outcome {
            self.take_redirect(page, to, observation.answered);
        }
        for link in observation.links.iter().filter(|link| link.kind != LinkKind::Redirect) {
            self.take(&link, page, observation.answered);
        }
        self.exclusions.add_unread(observation.links.left_out(), &observation.url);
    }

    /// Follows a redirect at once, so that what the server tied to it (a cookie, a moment) still holds.
    fn take_redirect(&mut self, from: PageId, to: &str, now: Time) {
        let origin = *self.pages.get(from);
        if !is_http(to) {
            return self.exclusions.add(Rule::OutOfScope, to);
        }
        if to.len() > URL_BYTES_MAX {
            return self.exclusions.add(Rule::UrlTooLong, to);
        }
        let found = self.pages.look_up(to);
        if origin.hops >= REDIRECTS_MAX {
            return self.exclusions.add(Rule::RedirectLoop, to);
        }
        if self.authorities.number(to).is_none() {
            return self.exclusions.add(Rule::TooManyHosts, to);
        }
        match found {
            // Another spelling of the same page: http became https, www came or went.
            Found::Known(page) if page == from => {
                self.pages.rename(page, to);
                let info = self.pages.get_mut(page);
                info.hops += 1;
                info.state = PageState::Waiting;
                self.waiting += 1;
                if let Some(number) = self.authorities.number(to) {
                    self.pages.get_mut(page).authority = number;
                }
                self.urgent.push_back((page, Why::Redirect));
            }
            Found::Known(_) => {}
            Found::New { hash } => {
                if origin.depth == 0 && origin.kind == LinkKind::Anchor {
                    self.scope.widen(to);
                    self.pages.look_up(to);
                }
                let inside = self.scope.contains(self.pages.last_key()) || origin.kind == LinkKind::Embed;
                if let Some(rule) = if inside { self.traps.judge(to, now) } else { Some(Rule::OutOfScope) } {
                    return self.exclusions.add(rule, to);
                }
                let page = self.admit(to, hash, origin.kind, origin.depth, origin.hops + 1);
                self.urgent.push_back((page, Why::Redirect));
            }
        }
    }

    /// Takes in a link if no rule is against it.
    fn take(&mut self, link: &Link<'_>, from: PageId, now: Time) {
        let Found::New { hash } = self.pages.look_up(link.url) else { return };
        let parent = *self.pages.get(from);
        let inside = self.scope.contains(self.pages.last_key());
        let outward = link.kind == LinkKind::Embed && !inside;
        let depth = match link.kind {
            LinkKind::Anchor | LinkKind::Listed => parent.depth.saturating_add(1),
            _ => parent.depth,
        };
        match self.objection(link, inside, parent.hops, depth, now) {
            Some(rule) => self.exclusions.add(rule, link.url),
            None => {
                self.admit(link.url, hash, link.kind, depth, if outward { parent.hops + 1 } else { 0 });
            }
        }
    }

    fn objection(&mut self, link: &Link<'_>, inside: bool, hops: u8, depth: u16, now: Time) -> Option<Rule> {
        let embed = link.kind == LinkKind::Embed;
        if !is_http(link.url) || !(inside || embed && hops < EMBED_STEPS_MAX) {
            return Some(Rule::OutOfScope);
        }
        if !embed && self.settings.depth_max.is_some_and(|max| depth > max) {
            return Some(Rule::TooDeep);
        }
        if media::is_unwanted(link.url, &self.settings.media) {
            return Some(Rule::UnwantedMedia);
        }
        if self.authorities.number(link.url).is_none() {
            return Some(Rule::TooManyHosts);
        }
        self.traps.judge(link.url, now)
    }

    /// A page becomes known.
    fn admit(&mut self, url: &str, hash: u32, kind: LinkKind, depth: u16, hops: u8) -> PageId {
        let recalled = self.past.get(&rapidhash::v3::rapidhash_v3(self.pages.last_key().as_bytes()));
        let rate_per_day = recalled.copied().unwrap_or_else(|| rate::prior_per_day(kind, depth) as f32);
        let authority = self.authorities.number(url).unwrap_or(u16::MAX);
        let info = PageInfo { rate_per_day, depth, authority, kind, state: PageState::Waiting, attempts: 0, hops };
        let page = self.pages.add(url, hash, info);
        self.waiting += 1;
        let view =
            View { pages: &self.pages, budget: self.budget, dice: Dice::new(self.settings.run_seed, self.steps) };
        self.policy.on_known(page, &view);
        page
    }

    fn exclude(&mut self, page: PageId, rule: Rule) {
        self.exclusions.add(rule, self.pages.url(page));
        self.pages.get_mut(page).state = PageState::Excluded;
        self.waiting -= 1;
    }

    /// Marks a request of an earlier run as sent, whatever the policy would choose today.
    pub fn assume(&mut self, decision: &Decision) {
        let page = self.locate(decision.page, &decision.url, decision.purpose);
        self.mark_sent(page, decision.at);
    }

    /// An earlier run stopped here: what it had in flight is asked for again, first of all.
    pub fn release_in_flight(&mut self) {
        self.pace.forgive();
        for page in self.pages.ids() {
            if self.pages.get(page).state != PageState::InFlight {
                continue;
            }
            self.in_flight -= 1;
            self.waiting += 1;
            let authority = self.authorities.get_mut(self.pages.get(page).authority);
            if authority.robots_page == Some(page) {
                authority.rules = Rules::Unknown;
                self.waiting -= 1;
                self.pages.get_mut(page).state = PageState::Visited;
            } else {
                self.pages.get_mut(page).state = PageState::Waiting;
                self.urgent.push_back((page, Why::Resumed));
            }
        }
    }

    /// Why the run is over, once it is; `Complete` while nothing forbids going on.
    pub fn ending(&self) -> Ending {
        if self.pace.gave_up() {
            Ending::Unreachable
        } else if self.budget.is_spent() {
            Ending::BudgetSpent
        } else {
            Ending::Complete
        }
    }

    /// The request let out last, as the log keeps it.
    pub fn last_decision(&self) -> Option<&Decision> {
        self.last_decision.as_ref()
    }

    pub fn progress(&self) -> Progress {
        Progress { known: self.pages.len(), waiting: self.waiting, in_flight: self.in_flight, settled: self.settled }
    }

    pub fn waiting_for(&self) -> Wait {
        self.waiting_for
    }

    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    pub fn pages(&self) -> &Pages {
        &self.pages
    }

    pub fn exclusions(&self) -> &Exclusions {
        &self.exclusions
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

fn is_http(url: &str) -> bool {
    url.starts_with("http://") || url.starts_with("https://")
}

/// The URL of a seed as it will be sent.
fn parse_seed(seed: &str) -> Result<String, SeedError> {
    let malformed = |why: String| SeedError::Malformed { url: seed.to_owned(), why };
    let mut url = url::Url::parse(seed).map_err(|error| malformed(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(SeedError::NotHttp { url: seed.to_owned() });
    }
    url.set_fragment(None);
    if url.as_str().len() > URL_BYTES_MAX {
        return Err(malformed("it is too long".to_owned()));
    }
    Ok(url.into())
}
