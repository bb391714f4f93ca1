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
            media: $crate::Outlook { rules: &$scheduler.settings.media, model: $scheduler.knowledge.media() },
            linked: $linked,
            budget: $scheduler.budget,
            slot: $scheduler.pace.slot(),
            expected_pages: $scheduler.knowledge.pages_expected(),
            revisit: $scheduler.settings.revisit,
            unanswered: $scheduler.unanswered,
            dice: $dice,
        }
    };
}
mod continual;
mod foreseeing;
mod learning;
mod resume;
mod rules;
mod taking;

use crate::{
    Budget, Choice, Dice, Exclusions, Mode, Objection, Pace, PageState, Pages, Policy, Scope, SeedError, Settings,
    Skipped, Wait,
    authority::{Authorities, Rules},
    pace, policy,
    trap::Traps,
};
use foreseeing::Trials;
use rules::Gate;
use serde::Serialize;
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};
use tintype_learn::knowledge::{Knowledge, Learned};
use tintype_vocab::{Decision, LinkKind, Observation, PageId, Purpose, Request, Time, Why};

/// Tries per page, the first included.
const TRIES_MAX: u8 = 3;
/// Pages of one host set aside while its rules are fetched, so that a dead host does not hold up the others.
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
    /// All that is believed of the site; every observation is folded in once, when it is settled.
    knowledge: Knowledge,
    /// What the visit being settled taught.
    learned: Learned,
    scope: Scope,
    traps: Traps,
    pace: Pace,
    budget: Budget,
    authorities: Authorities,
    urgent: VecDeque<(PageId, Why)>,
    retries: BinaryHeap<Reverse<(Time, PageId)>>,
    exclusions: Exclusions,
    /// The links of the visit being settled that lead to known pages, with the fingerprints of their wording.
    linked: Vec<(PageId, u32)>,
    trials: Trials,
    seed_authorities: Vec<u16>,
    /// Seeds the policy has not been told of yet.
    untold_seeds: Vec<PageId>,
    waiting: usize,
    /// Pages that were never answered and may still be.
    unanswered: usize,
    in_flight: usize,
    steps: u64,
    settled: u64,
    /// Whether the policy may want pages a second time.
    looks_again: bool,
    /// The latest moment anybody spoke of.
    clock: Time,
    /// When the budget of a continual run allows the next visit.
    next_visit: Time,
    waiting_for: Wait,
    last_decision: Option<Decision>,
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
        let looks_again = policy.looks_again(settings.revisit);
        let mut scheduler = Scheduler {
            pages: Pages::default(),
            policy,
            knowledge,
            learned: Learned::default(),
            scope: Scope::new(settings.scope.clone()),
            traps: Traps::default(),
            pace: Pace::new(settings.delay),
            budget: settings.budget,
            authorities: Authorities::default(),
            urgent: VecDeque::new(),
            retries: BinaryHeap::new(),
            exclusions: Exclusions::default(),
            linked: Vec::new(),
            trials: Trials::default(),
            seed_authorities: Vec::new(),
            untold_seeds: Vec::new(),
            waiting: 0,
            unanswered: 0,
            in_flight: 0,
            steps: 0,
            settled: 0,
            looks_again,
            clock: Time::MIN,
            next_visit: Time::MIN,
            waiting_for: Wait::NothingDue,
            last_decision: None,
            settings,
        };
        scheduler.sow()?;
        Ok(scheduler)
    }

    /// What to do at `now`. Waiting changes nothing: asking once or a thousand times is the same.
    pub fn next(&mut self, now: Time) -> Step {
        self.begin();
        self.clock = self.clock.max(now);
        if self.in_flight >= self.settings.connections.max(1) {
            return Step::Idle;
        }
        if self.waiting == 0 && self.wants_nothing_again(now) || self.ending() != Ending::Complete {
            return if self.in_flight > 0 { Step::Idle } else { Step::Done };
        }
        if self.pace.next_slot() > now {
            self.waiting_for = self.pace.why();
            return Step::WaitUntil(self.pace.next_slot());
        }
        if self.next_visit > now {
            self.waiting_for = Wait::Budget;
            return Step::WaitUntil(self.next_visit);
        }
        self.fill_slot(now)
    }

    fn wants_nothing_again(&self, now: Time) -> bool {
        let dice = Dice::new(self.settings.run_seed, self.steps);
        !self.looks_again || self.policy.has_nothing_left(&view!(self, now, &[], dice))
    }

    /// Politeness allows a request: find one.
    fn fill_slot(&mut self, now: Time) -> Step {
        let mut passed_over = Vec::new();
        let step = self.find(now, &mut passed_over);
        self.pass_over(passed_over, &step);
        step
    }

    fn find(&mut self, now: Time, passed_over: &mut Vec<PageId>) -> Step {
        let mut policy_waits = None;
        while let Some((page, why)) = self.candidate(now, &mut policy_waits) {
            if self.is_unwanted(page, why) {
                passed_over.push(page);
                continue;
            }
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
                Gate::Closed(objection) => self.exclude(page, objection),
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
            // A revisit that had to wait for the rules is as good as one that did not.
            let again = why == Why::Policy && self.may_revisit(page);
            if again || self.pages.get(page).state == PageState::Waiting {
                return Some((page, why));
            }
        }
        loop {
            let dice = Dice::new(self.settings.run_seed, self.steps);
            match self.policy.choose(now, &view!(self, now, &[], dice)) {
                Choice::Visit(page) if self.pages.get(page).state == PageState::Waiting => {
                    let info = self.pages.get(page);
                    let seed = info.depth == 0 && info.kind == LinkKind::Anchor;
                    return Some((page, if seed { Why::Seed } else { Why::Policy }));
                }
                Choice::Revisit(page) if self.may_revisit(page) => return Some((page, Why::Policy)),
                Choice::Visit(_) | Choice::Revisit(_) => {}
                Choice::WaitUntil(until) => {
                    *policy_waits = Some(until);
                    return None;
                }
                Choice::Done => return None,
            }
        }
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
            rate: self.pages.get(page).rate,
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
        if let Mode::Continual { every } = self.settings.mode {
            self.next_visit = self.next_visit.max(now) + every;
        }
        if authority.probe == Some(page) {
            Purpose::Probe
        } else if self.pages.get(page).answered && self.settings.mode == Mode::Once {
            Purpose::Revisit
        } else {
            Purpose::Visit
        }
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
        self.learned = Learned::default();
        self.clock = self.clock.max(observation.answered);
        let mut dice = Dice::new(!self.settings.run_seed, self.settled);
        match self.pages.get(page).state {
            PageState::InFlight => self.in_flight -= 1,
            // The decision was lost with the end of a log, the visit was not.
            PageState::Waiting | PageState::Retrying => self.waiting -= 1,
            PageState::Visited | PageState::Excluded => {}
        }
        self.pages.get_mut(page).state = PageState::Visited;
        self.budget.spend_bytes(observation.bytes);
        if self.is_elsewhere(page) {
            self.pace.settled_elsewhere(observation);
        } else {
            self.pace.settled(observation, &mut dice);
        }
        if !self.try_again(page, observation, &mut dice) {
            self.answered(page);
            match observation.purpose {
                Purpose::Robots => self.settle_rules(page, observation),
                Purpose::Visit | Purpose::Revisit | Purpose::Probe => {
                    self.learn_answer(page, observation);
                    self.settle_visit(page, observation);
                    self.learned = self.learn_visit(page, observation);
                    self.keep_watching(page, &observation.outcome);
                }
            }
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

    /// Whether a page is asked of a host that is no seed's, only because a page of the site is made of it.
    fn is_elsewhere(&self, page: PageId) -> bool {
        let info = self.pages.get(page);
        info.kind == LinkKind::Embed && !self.seed_authorities.contains(&info.authority)
    }

    fn answered(&mut self, page: PageId) {
        let info = self.pages.get_mut(page);
        info.attempts = 0;
        if !std::mem::replace(&mut info.answered, true) {
            self.unanswered -= 1;
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
