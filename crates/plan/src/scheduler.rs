//! The scheduler: frontier, politeness, budget and rules around a policy.
//!
//! Two verbs, [`Scheduler::next`] and [`Scheduler::settle`], in simulation and in reality alike. What it decides is
//! a function of its settings, the knowledge it began with ([`Scheduler::with_knowledge`]), the times it was asked at, and
//! the observations it was given.

/// What a policy sees now. A macro, because a method would borrow the policy along with the rest.
macro_rules! view {
    ($scheduler:expr, $now:expr, $linked:expr, $dice:expr) => {
        $crate::View {
            now: $now,
            pages: &$scheduler.pages,
            knowledge: &$scheduler.knowledge,
            learned: &$scheduler.learned,
            media: $crate::MediaFilter { rules: &$scheduler.settings.media, model: $scheduler.knowledge.media() },
            linked: $linked,
            budget: $scheduler.entrances.budget(),
            slot: $scheduler.hosts.slot(),
            expected_pages: $scheduler.expected_pages(),
            as_of: $scheduler.settings.as_of,
            hopeless_above: $scheduler.settings.hopeless_above,
            loss: $scheduler.settings.loss.unwrap_or(tintype_learn::directory::LOSS_SHARE),
            warm: &$scheduler.settings.warm,
            revisit: $scheduler.settings.revisit,
            unanswered: $scheduler.unanswered,
            dice: $dice,
        }
    };
}
mod aliases;
mod anywhere;
mod beginning;
mod continual;
mod foreseeing;
mod hosts;
mod learning;
mod lesser;
mod moved;
mod recent;
mod resume;
mod rules;
mod saved;
mod spellings;
mod taking;
mod upheaval;
mod waiting;
mod wanted;

use crate::{
    Access, Choice, Dice, Exclusions, Mode, Objection, PageState, Pages, Policy, Refusal, SeedError, Settings, Skipped,
    Wait,
    across::Across,
    authority::{Authorities, Rules},
    entrance::Entrances,
    families::Families,
    pace, policy,
    trap::Traps,
};
use aliases::Aliases;
pub use anywhere::HostCounts;
use continual::GonePages;
use foreseeing::Trials;
use hosts::SiteHosts;
use lesser::Lesser;
use rules::Gate;
use serde::Serialize;
use spellings::Spellings;
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};
use tintype_learn::knowledge::{Knowledge, Learned};
use tintype_vocab::{Change, Decision, LinkKind, Observation, Outcome, PageId, Purpose, Request, Span, Time, Why};
use upheaval::LostPages;
pub use upheaval::{PageLoss, Upheaval};
use waiting::Consult;
pub use wanted::WishAnswer;
use wanted::{Wish, Wishes};

/// Tries per page, the first included.
const TRIES_MAX: u8 = 3;
/// Pages of a seed's host set aside while its rules are fetched; more would be asked for in another order than the policy's
/// once they are known.
const PARKED_MAX: usize = 64;

/// What to do now.
#[derive(Clone, Debug, PartialEq)]
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
    /// As many pages were asked for as a capture may.
    PageLimit,
    /// So little room was left on the disk that it goes on another time.
    DiskLow,
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
    /// Of a capture across hosts: how many were asked.
    #[serde(skip_serializing_if = "is_none")]
    pub hosts: usize,
}

fn is_none(hosts: &usize) -> bool {
    *hosts == 0
}

/// Schedules one capture of one site.
#[derive(Debug)]
pub struct Scheduler {
    settings: Settings,
    pages: Pages,
    policy: Box<dyn Policy>,
    /// Where a capture goes wherever links lead: what waits, host by host, instead of the policy.
    across: Option<Box<Across>>,
    /// All that is believed of the site; every observation is folded in once, when it is settled.
    knowledge: Knowledge,
    /// What the visit being settled taught.
    learned: Learned,
    entrances: Entrances,
    /// The log has not been told yet what may be spent.
    is_budget_new: bool,
    traps: Traps,
    families: Families,
    /// The page whose visit is being settled.
    settling: Option<PageId>,
    hosts: SiteHosts,
    authorities: Authorities,
    urgent: VecDeque<(PageId, Why)>,
    retries: BinaryHeap<Reverse<(Time, PageId)>>,
    /// Pages whose back-off is over.
    retries_due: VecDeque<PageId>,
    exclusions: Exclusions,
    /// The links of the visit being settled that lead to known pages, with the fingerprints of their wording.
    linked: Vec<(PageId, u32)>,
    /// The same of a sitemap, with when it says they changed.
    dated: Vec<(PageId, Time)>,
    recent_links: recent::RecentLinks,
    spellings: Spellings,
    lesser: Lesser,
    trials: Trials,
    /// Seeds the policy has not been told of yet.
    untold_seeds: Vec<PageId>,
    waiting: usize,
    /// Pages that were never answered and may still be.
    unanswered: usize,
    /// Pages answered in this run, each once.
    seen: u64,
    in_flight: usize,
    steps: u64,
    settled: u64,
    /// Whether the policy may want pages a second time.
    looks_again: bool,
    /// The latest moment anybody spoke of.
    clock: Time,
    /// By how much that clock is ahead of a steady one.
    clock_ahead: Span,
    /// When the budget of a continual run allows the next visit.
    next_visit: Time,
    gone: GonePages,
    aliases: Aliases,
    lost_pages: LostPages,
    waiting_for: Wait,
    /// The host that is waited for.
    waiting_at: Option<u16>,
    last_decision: Option<Decision>,
    wishes: Wishes,
}

impl Scheduler {
    /// Of a site of which nothing is known.
    pub fn new(settings: Settings) -> Result<Scheduler, SeedError> {
        Scheduler::with_knowledge(settings, Knowledge::default())
    }

    /// Begins with what is known, and learns on with it.
    pub fn with_knowledge(settings: Settings, knowledge: Knowledge) -> Result<Scheduler, SeedError> {
        let policy = policy::for_run(&settings.policy, settings.revisit);
        let policy = policy.ok_or_else(|| SeedError::UnknownPolicy { name: settings.policy.clone() })?;
        Scheduler::assemble(settings, policy, knowledge)
    }

    /// A policy that is not registered, for experiments, on a site of which nothing is known.
    pub fn with_policy(settings: Settings, policy: Box<dyn Policy>) -> Result<Scheduler, SeedError> {
        Scheduler::assemble(settings, policy, Knowledge::default())
    }

    /// Any policy with any knowledge. What the policy reads and is not known yet is learned from here on, with the
    /// parameters it says.
    pub fn assemble(
        settings: Settings,
        policy: Box<dyn Policy>,
        mut knowledge: Knowledge,
    ) -> Result<Scheduler, SeedError> {
        knowledge.learn_also(policy.learns());
        let mut scheduler = Scheduler::blank(settings, policy, knowledge)?;
        scheduler.sow()?;
        Ok(scheduler)
    }

    /// One that knows no page.
    fn blank(settings: Settings, policy: Box<dyn Policy>, knowledge: Knowledge) -> Result<Scheduler, SeedError> {
        let looks_again = policy.looks_again(settings.revisit);
        let across = anywhere::across_for(&settings)?;
        Ok(Scheduler {
            pages: Pages::default(),
            policy,
            across,
            knowledge,
            learned: Learned::default(),
            entrances: Entrances::new(&settings),
            is_budget_new: false,
            traps: Traps::default(),
            families: Families::default(),
            settling: None,
            hosts: SiteHosts::new(settings.delay, settings.connections),
            authorities: Authorities::default(),
            urgent: VecDeque::new(),
            retries: BinaryHeap::new(),
            retries_due: VecDeque::new(),
            exclusions: Exclusions::default(),
            linked: Vec::new(),
            dated: Vec::new(),
            recent_links: recent::RecentLinks::default(),
            spellings: Spellings::default(),
            lesser: Lesser::default(),
            trials: Trials::default(),
            untold_seeds: Vec::new(),
            waiting: 0,
            unanswered: 0,
            seen: 0,
            in_flight: 0,
            steps: 0,
            settled: 0,
            looks_again,
            clock: Time::MIN,
            clock_ahead: Span::ZERO,
            next_visit: Time::MIN,
            gone: GonePages::default(),
            aliases: Aliases::default(),
            lost_pages: LostPages::default(),
            waiting_for: Wait::NothingDue,
            waiting_at: None,
            last_decision: None,
            wishes: Wishes::default(),
            settings,
        })
    }

    /// What to do at `now`. Waiting changes nothing: asking once or a thousand times is the same.
    pub fn next(&mut self, now: Time) -> Step {
        self.begin();
        self.clock = self.clock.max(now);
        if let Some(begins) = self.begins().filter(|begins| *begins > now) {
            (self.waiting_for, self.waiting_at) = (Wait::Moment, None);
            return Step::WaitUntil(begins);
        }
        if self.across.is_some() {
            return self.next_across(now);
        }
        match self.grant_wish(now) {
            Wish::Granted(step) => step,
            Wish::None => self.next_of_policy(now),
            Wish::From(turn) => {
                let waiting = (self.waiting_for, self.waiting_at);
                match self.next_of_policy(now) {
                    Step::WaitUntil(until) if until <= turn => Step::WaitUntil(until),
                    Step::WaitUntil(_) | Step::Idle | Step::Done => {
                        (self.waiting_for, self.waiting_at) = waiting;
                        Step::WaitUntil(turn)
                    }
                    step => step,
                }
            }
        }
    }

    /// What to do at `now` where no browser waits for anything.
    fn next_of_policy(&mut self, now: Time) -> Step {
        self.look_for_gone(now);
        if self.is_crowded() || self.has_enough_to_build() {
            return Step::Idle;
        }
        if self.waiting == 0 && self.wants_nothing_again(now) || self.ending() != Ending::Complete {
            return if self.in_flight > 0 { Step::Idle } else { Step::Done };
        }
        self.bring_back_retries(now);
        let consult = match self.consult(now) {
            Consult::Nothing if !self.something_comes() => Consult::Now,
            consult => consult,
        };
        if !matches!(consult, Consult::Now) && self.ready_host(now).is_none() {
            return self.wait(consult, None, now);
        }
        if self.next_visit > self.steady(now) {
            self.waiting_for = Wait::Budget;
            self.waiting_at = None;
            return Step::WaitUntil(self.next_visit + self.clock_ahead);
        }
        self.fill_slot(consult, now)
    }

    /// Whether time or an answer will bring something to ask for, without the policy.
    fn something_comes(&self) -> bool {
        self.in_flight > 0 || !self.retries.is_empty() || self.hosts.has_parked()
    }

    /// Pages whose back-off is over wait like all others, but come first.
    fn bring_back_retries(&mut self, now: Time) {
        let steady = self.steady(now);
        while let Some(Reverse((_, page))) = self.retries.peek().copied().filter(|Reverse((at, _))| *at <= steady) {
            self.retries.pop();
            let info = self.pages.get_mut(page);
            if info.state == PageState::Retrying {
                info.state = PageState::Waiting;
                self.hosts.count(self.host_of(page), 1);
                self.families.count(page, 1);
                self.retries_due.push_back(page);
            }
        }
    }

    fn wants_nothing_again(&self, now: Time) -> bool {
        let dice = Dice::new(self.settings.run_seed, self.steps);
        !self.looks_again || self.policy.has_nothing_left(&view!(self, now, &[], dice))
    }

    /// Politeness allows a request: find one.
    fn fill_slot(&mut self, consult: Consult, now: Time) -> Step {
        loop {
            let mut passed_over = Vec::new();
            let step = self.find(consult, now, &mut passed_over);
            self.pass_over(passed_over, &step);
            // What was just put off is all there is left.
            if step != Step::Done || !matches!(consult, Consult::Now) || !self.trials.has_put_off() {
                return step;
            }
        }
    }

    fn find(&mut self, consult: Consult, now: Time, passed_over: &mut Vec<(PageId, Refusal)>) -> Step {
        let mut policy_waits = None;
        while let Some((page, why)) = self.candidate(consult, now, &mut policy_waits) {
            if self.across.is_none()
                && let Some(refusal) = self.refusal(page, why)
            {
                passed_over.push((page, refusal));
                continue;
            }
            let access = self.access(self.host_of(page), now);
            if access != Access::Free || self.is_not_retaken(page) {
                self.park(page, why, access);
                continue;
            }
            match self.gate(page, now) {
                Gate::Open => return self.issue(page, why, now),
                Gate::AskRules(robots_page) => {
                    self.urgent.push_front((page, why));
                    return self.issue(robots_page, Why::Rules, now);
                }
                Gate::RulesUnderWay => {
                    if !self.park_for_rules(page, why) {
                        self.urgent.push_front((page, why));
                        return self.pause();
                    }
                }
                Gate::Closed(objection) => self.exclude(page, objection),
            }
        }
        if self.across.is_some() {
            return self.wait_across(now);
        }
        let consult = if matches!(consult, Consult::Now) { Consult::Nothing } else { consult };
        self.wait(consult, policy_waits, now)
    }

    /// The rules of the next page's host are being fetched or retried.
    fn pause(&mut self) -> Step {
        match self.retries.peek() {
            Some(Reverse((at, _))) if self.in_flight == 0 => {
                self.waiting_for = Wait::BackOff;
                self.waiting_at = None;
                Step::WaitUntil(*at + self.clock_ahead)
            }
            _ => Step::Idle,
        }
    }

    fn candidate(&mut self, consult: Consult, now: Time, policy_waits: &mut Option<Time>) -> Option<(PageId, Why)> {
        while let Some((page, why)) = self.unpark(now) {
            if self.is_wanted_still(page, why) {
                return Some((page, why));
            }
        }
        if !matches!(consult, Consult::Now) {
            return None;
        }
        // Rules that are being retried come before everything that waits for them.
        while let Some(page) = self.retries_due.pop_front() {
            if self.pages.get(page).state == PageState::Waiting {
                return Some((page, Why::Retry));
            }
        }
        while let Some((page, why)) = self.urgent.pop_front() {
            if self.is_wanted_still(page, why) {
                return Some((page, why));
            }
        }
        if self.across.is_some() {
            return self.pick(now);
        }
        if self.awaits_home_rules() {
            return None;
        }
        loop {
            let dice = Dice::new(self.settings.run_seed, self.steps);
            match self.policy.choose(now, &view!(self, now, &[], dice)) {
                Choice::Visit(page) if self.pages.get(page).state == PageState::Waiting => {
                    let info = self.pages.get(page);
                    let seed = info.depth == 0 && info.kind == LinkKind::Anchor;
                    if seed || !self.hold_back(page) {
                        return Some((page, if seed { Why::Seed } else { Why::Policy }));
                    }
                }
                Choice::Revisit(page) if self.may_revisit(page) => return Some((page, Why::Policy)),
                Choice::Visit(_) | Choice::Revisit(_) => {}
                Choice::WaitUntil(until) => {
                    *policy_waits = Some(until);
                    return self.release();
                }
                Choice::Done => return self.release(),
            }
        }
    }

    /// Whether a page that was set aside still has to be asked for. A revisit that had to wait is as good as one that did
    /// not.
    fn is_wanted_still(&self, page: PageId, why: Why) -> bool {
        why == Why::Policy && self.may_revisit(page) || self.pages.get(page).state == PageState::Waiting
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
            rate: self.pages.get(page).rate.rounded(),
        };
        let mut decision = Decision::of(&request, now, self.settled, why);
        if std::mem::take(&mut self.is_budget_new) {
            decision.budgets = self.entrances.allowed();
        }
        self.last_decision = Some(decision);
        Step::Fetch(request)
    }

    fn mark_sent(&mut self, page: PageId, now: Time) -> Purpose {
        let (host, now) = (self.host_of(page), self.steady(now));
        // A log may tell of a request twice: before a kill, and again after it.
        self.no_longer(page);
        let info = self.pages.get_mut(page);
        info.state = PageState::InFlight;
        info.attempts = info.attempts.saturating_add(1);
        self.in_flight += 1;
        self.steps += 1;
        self.hosts.sent(host, now);
        let authority = self.authorities.get_mut(self.pages.get(page).authority);
        if authority.robots_page == Some(page) {
            authority.rules = Rules::Asked;
            // A capture asks for so much and no more; what is kept for years asks once a day what it may.
            if self.settings.mode == Mode::Once {
                self.entrances.spend_request(self.pages.url(page));
            }
            return Purpose::Robots;
        }
        self.entrances.spend_request(self.pages.url(page));
        self.count_across(page);
        self.count_lesser(page);
        if let Mode::Continual { every } = self.settings.mode {
            self.next_visit = self.next_visit.max(now) + every;
        }
        if self.authorities.get(self.pages.get(page).authority).probe == Some(page) {
            Purpose::Probe
        } else if self.pages.get(page).answered && self.settings.mode == Mode::Once {
            Purpose::Revisit
        } else {
            Purpose::Visit
        }
    }

    /// A page leaves the state it is in.
    fn no_longer(&mut self, page: PageId) {
        let host = self.host_of(page);
        match self.pages.get(page).state {
            PageState::Waiting => {
                self.waiting -= 1;
                self.hosts.count(host, -1);
                self.families.count(page, -1);
            }
            PageState::Retrying => self.waiting -= 1,
            PageState::InFlight => {
                self.in_flight -= 1;
                if !self.wishes.built.remove(&page) {
                    self.hosts.landed(host);
                }
            }
            PageState::Visited | PageState::Excluded => {}
        }
    }

    /// A page is to be asked for, again or for the first time.
    fn wait_again(&mut self, page: PageId) {
        self.pages.get_mut(page).state = PageState::Waiting;
        self.waiting += 1;
        self.hosts.count(self.host_of(page), 1);
        self.families.count(page, 1);
    }

    fn may_revisit(&self, page: PageId) -> bool {
        let info = self.pages.get(page);
        self.looks_again && info.answered && info.state == PageState::Visited
    }

    /// Takes in what a visit taught.
    pub fn settle(&mut self, observation: &Observation) {
        self.begin();
        let page = self.locate(observation.page, &observation.url, observation.purpose);
        self.settled += 1;
        self.linked.clear();
        self.dated.clear();
        self.learned = Learned::default();
        self.clock = self.clock.max(observation.answered);
        let mut dice = Dice::new(!self.settings.run_seed, self.settled);
        // It may wait still: the decision can be lost with the end of a log, the visit not.
        self.no_longer(page);
        self.pages.get_mut(page).state = PageState::Visited;
        self.entrances.spend_bytes(&observation.url, observation.bytes);
        let answered = self.steady(observation.answered);
        self.hosts.settled(self.host_of(page), observation, answered, &mut dice);
        let lost =
            self.learn_loss(page, observation).then(|| Observation { change: Change::Unknown, ..observation.clone() });
        let observation = lost.as_ref().unwrap_or(observation);
        if !self.try_again(page, observation, &mut dice) {
            let first = !self.pages.get(page).answered;
            self.answered(page);
            match observation.purpose {
                Purpose::Robots => self.settle_rules(page, observation),
                Purpose::Visit | Purpose::Revisit | Purpose::Probe => {
                    if first {
                        self.learn_bytes(page, observation);
                        self.count_gone(page, &observation.outcome);
                        self.families.settle(page, observation.gist);
                    }
                    self.learn_origin(page, &observation.outcome);
                    self.learn_answer(page, observation);
                    self.settling = Some(page);
                    self.settle_visit(page, observation);
                    self.settling = None;
                    self.learn_alias(page, &observation.outcome);
                    self.learned = self.learn_visit(page, observation);
                    self.keep_watching(page, &observation.outcome);
                }
            }
        }
        if self.across.is_some() {
            return self.settle_across(page, observation);
        }
        let (now, linked) = (self.clock, &self.linked);
        self.policy.on_observation(page, observation, &view!(self, now, linked, dice));
        self.give_up();
    }

    /// Leaves out what the policy has no room for. A redirect is followed at once whether or not it has, and may be under
    /// way already.
    fn give_up(&mut self) {
        for page in self.policy.let_go() {
            let followed = self.urgent.iter().any(|(urgent, _)| *urgent == page);
            if self.pages.get(page).state == PageState::Waiting && !followed {
                self.exclude(page, Objection::NoRoom);
            }
        }
    }

    fn answered(&mut self, page: PageId) {
        let info = self.pages.get_mut(page);
        info.attempts = 0;
        if !std::mem::replace(&mut info.answered, true) {
            self.unanswered -= 1;
            self.seen += 1;
        }
    }

    /// Puts a page whose visit failed for the moment aside for a while.
    fn try_again(&mut self, page: PageId, observation: &Observation, dice: &mut Dice) -> bool {
        let info = self.pages.get_mut(page);
        if !observation.outcome.is_transient() || info.attempts >= TRIES_MAX {
            return false;
        }
        let asked_for = match observation.outcome {
            Outcome::Refused { retry_after: Some(span), .. } => span.min(pace::RETRY_AFTER_MAX),
            _ => Span::ZERO,
        };
        let wait = pace::back_off(u32::from(info.attempts).saturating_sub(1), dice).max(asked_for);
        let at = observation.answered - self.clock_ahead + wait;
        info.state = PageState::Retrying;
        self.waiting += 1;
        self.retries.push(Reverse((at, page)));
        true
    }

    /// Why the run is over, once it is; `Complete` while nothing forbids going on.
    pub fn ending(&self) -> Ending {
        if self.hosts.gave_up() {
            Ending::Unreachable
        } else if self.entrances.is_spent() {
            Ending::BudgetSpent
        } else if self.settings.pages_max.is_some_and(|max| self.seen + self.in_flight as u64 >= max) {
            Ending::PageLimit
        } else {
            Ending::Complete
        }
    }

    /// What the policy has left alone on purpose, and what that is expected to have cost.
    pub fn skipped(&self) -> Option<Skipped> {
        let dice = Dice::new(self.settings.run_seed, self.steps);
        self.policy.skipped(&view!(self, self.clock, &[], dice))
    }

    /// The request let out last, as the log keeps it.
    pub fn last_decision(&self) -> Option<&Decision> {
        self.last_decision.as_ref()
    }

    pub fn progress(&self) -> Progress {
        let (found, hosts) = self.across.as_ref().map_or((0, 0), |across| (across.waiting(), across.hosts().0));
        let (known, waiting) = (self.pages.len() + found, self.waiting + found);
        Progress { known, waiting, in_flight: self.in_flight, settled: self.settled, hosts }
    }

    pub fn waiting_for(&self) -> Wait {
        self.waiting_for
    }

    /// The host that has to be left in peace meanwhile, if it is a host.
    pub fn waiting_host(&self) -> Option<&str> {
        self.waiting_at.map(|host| self.authorities.host_name(host))
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
