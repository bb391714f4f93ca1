//! Nothing can be asked now: whether the policy may be consulted, until when to wait, and when not to wait any longer.

use super::{Scheduler, Step};
use crate::{Access, Mode, Objection, PageState, Wait};
use std::cmp::Reverse;
use tintype_vocab::{PageId, Span, Time};

/// What waits for a host that wants a longer pause when nothing else is left is given up.
pub(super) const PAUSE_TOLERATED: Span = Span::from_secs(3600);
/// A page that asks to be left alone for longer is given up when nothing else is left.
const PAGE_WAIT_TOLERATED: Span = Span::from_secs(30);

/// Whether the policy may be asked what comes next.
#[derive(Clone, Copy, Debug)]
pub(super) enum Consult {
    Now,
    From(Blocked),
    /// Not before something under way has ended.
    AfterAnswer,
    /// No host has anything that waits and was not parked.
    Nothing,
}

/// Of no host: a page's own back-off, or the policy's wish.
const NOWHERE: u16 = u16::MAX;

/// Until when a host may not be asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocked {
    host: u16,
    slot: Time,
    turn: Time,
    why: Wait,
}

impl Scheduler {
    /// Whether the policy may be asked what comes next: when a host of the seeds may be asked, or if those have nothing
    /// left, any that has.
    pub(super) fn consult(&mut self, now: Time) -> Consult {
        if self.hosts.retaking.is_some() {
            return Consult::Now;
        }
        let homes = self.hosts.homes.clone().into_iter();
        let homes: Vec<u16> = homes.filter(|home| self.looks_again || self.hosts.has_work(*home)).collect();
        if !homes.is_empty() {
            return self.any_free(homes, now);
        }
        let hosts = 0..self.hosts.hosts.len() as u16;
        let hosts = hosts.filter(|host| self.hosts.has_work(*host)).collect();
        self.any_free(hosts, now)
    }

    fn any_free(&mut self, hosts: Vec<u16>, now: Time) -> Consult {
        let mut best = Consult::Nothing;
        for host in hosts {
            match (self.access(host, now), best) {
                (Access::Free, _) => return Consult::Now,
                (Access::Busy, Consult::Nothing) => best = Consult::AfterAnswer,
                (Access::From { turn, .. }, Consult::From(first)) if first.turn <= turn => {}
                (Access::From { slot, turn, why }, _) => best = Consult::From(Blocked { host, slot, turn, why }),
                (Access::Busy, _) => {}
            }
        }
        best
    }

    /// The parked page that may be asked for first.
    fn first_parked(&mut self, now: Time) -> Option<Blocked> {
        let Reverse((_, host)) = self.hosts.parked.peek().copied()?;
        match self.access(host, now) {
            Access::From { slot, turn, why } => Some(Blocked { host, slot, turn, why }),
            Access::Free | Access::Busy => None,
        }
    }

    /// Nothing can be asked now: until when, and why. `policy_waits` is what the policy said when it was consulted.
    pub(super) fn wait(&mut self, consult: Consult, policy_waits: Option<Time>, now: Time) -> Step {
        let mut first: Option<Blocked> = None;
        let mut consider = |blocked: Blocked| {
            if first.is_none_or(|first| blocked.turn < first.turn) {
                first = Some(blocked);
            }
        };
        if let Consult::From(blocked) = consult {
            consider(blocked);
        }
        if let Some(Reverse((at, _))) = self.retries.peek() {
            consider(Blocked { host: NOWHERE, slot: *at, turn: *at, why: Wait::BackOff });
        }
        if let Some(at) = policy_waits.map(|at| self.steady(at)) {
            consider(Blocked { host: NOWHERE, slot: at, turn: at, why: Wait::NothingDue });
        }
        if let Some(parked) = self.first_parked(now) {
            consider(parked);
        }
        match first {
            Some(blocked) if self.is_too_long(&blocked, now) => self.give_up_hosts(now),
            Some(blocked) if self.is_too_long_for_pages(&blocked, now) && self.give_up_pages(now) => self.next(now),
            Some(blocked) => {
                self.waiting_for = blocked.why;
                self.waiting_at = Some(blocked.host).filter(|host| *host != NOWHERE);
                Step::WaitUntil(blocked.turn + self.clock_ahead)
            }
            None if self.in_flight > 0 || !self.hosts.parked_busy.is_empty() => Step::Idle,
            None if matches!(consult, Consult::AfterAnswer) => Step::Idle,
            None => Step::Done,
        }
    }

    /// Whether a capture that has nothing else to do should not wait for a host. Pauses a person chose are waited for.
    fn is_too_long(&self, blocked: &Blocked, now: Time) -> bool {
        self.settings.mode == Mode::Once
            && self.in_flight == 0
            && self.retries.is_empty()
            && self.hosts.parked_busy.is_empty()
            && blocked.why == Wait::CrawlDelay
            && blocked.slot - self.steady(now) > PAUSE_TOLERATED
    }

    /// Whether a capture that has nothing else to do waits for single pages only, and longer than those are worth.
    fn is_too_long_for_pages(&self, blocked: &Blocked, now: Time) -> bool {
        self.settings.mode == Mode::Once
            && self.in_flight == 0
            && (blocked.host, blocked.why) == (NOWHERE, Wait::BackOff)
            && blocked.turn - self.steady(now) > PAGE_WAIT_TOLERATED
    }

    /// Gives up pages that are out of service while their hosts are not. Whether there were any.
    fn give_up_pages(&mut self, now: Time) -> bool {
        let retries = std::mem::take(&mut self.retries).into_vec();
        let before = retries.len();
        for Reverse((at, page)) in retries {
            let host = self.host_of(page);
            let of_host = self.hosts.host(host).pace.next_slot() - self.steady(now) > PAGE_WAIT_TOLERATED;
            if of_host || self.is_rules(page) || at - self.steady(now) <= PAGE_WAIT_TOLERATED {
                self.retries.push(Reverse((at, page)));
            } else if self.pages.get(page).state == PageState::Retrying {
                self.exclude(page, Objection::OutOfService);
            }
        }
        self.retries.len() < before
    }

    fn is_rules(&self, page: PageId) -> bool {
        self.authorities.get(self.pages.get(page).authority).robots_page == Some(page)
    }

    /// Gives up what lies on hosts that want longer pauses than a capture waits for.
    fn give_up_hosts(&mut self, now: Time) -> Step {
        let mut given_up = 0;
        for page in self.pages.ids() {
            let host = self.host_of(page);
            let Access::From { slot, why: Wait::CrawlDelay, .. } = self.access(host, now) else { continue };
            let pause = slot - self.steady(now);
            if self.pages.get(page).state == PageState::Waiting && pause > PAUSE_TOLERATED {
                let asked = self.hosts.host(host).pace.pause(self.settings.delay).0.max(pause);
                let detail = format!("{} asked for a pause of {asked}", self.authorities.host_name(host));
                self.exclude_because(page, Objection::HostPause, &detail);
                given_up += 1;
            }
        }
        if given_up > 0 { self.next(now) } else { Step::Done }
    }
}
