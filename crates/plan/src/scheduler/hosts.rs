//! Which hosts may be asked now, and what waits for those that may not.
//!
//! A page whose host must be left in peace is parked there, and the next one has its turn: a host that wants long pauses
//! or is dead holds up what lies on it and nothing else. The policy is consulted only when the host of the seeds may be
//! asked, or has nothing left to ask for, so that its order holds where it matters.

use super::{Scheduler, Step};
use crate::{Access, Asker, Dice, HostId, HostPace, PageState, SharedHosts, pace::SavedPace};
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};
use tintype_vocab::{Decision, Observation, PageId, Purpose, Span, Time, Why};

/// Requests to other hosts that may be under way beside those to the seeds' host, so that slow ones hold up nothing.
const ELSEWHERE_MAX: usize = 8;

/// One host as one site sees it.
#[derive(Debug, Default)]
pub(super) struct SiteHost {
    /// As far as this site's own requests tell: what it decides must not depend on what others do.
    pub(super) pace: HostPace,
    shared: Option<HostId>,
    /// Pages that wait to be asked for, those parked included.
    waiting: u32,
    parked: VecDeque<(PageId, Why)>,
    /// How many of the waiting pages are set aside, here or until the rules are known.
    aside: u32,
    in_flight: u32,
    /// Not to be asked before: after an answer that is not settled yet.
    rests_until: Option<Time>,
}

/// What a site may ask of which host.
#[derive(Debug)]
pub(super) struct SiteHosts {
    pub(super) hosts: Vec<SiteHost>,
    /// Hosts of seeds, and where seeds moved to.
    pub(super) homes: Vec<u16>,
    /// The authorities of the seeds.
    home_authorities: Vec<u16>,
    shared: Option<(SharedHosts, Asker)>,
    /// Hosts with parked pages, by when to look again.
    pub(super) parked: BinaryHeap<Reverse<(Time, u16)>>,
    /// Hosts with parked pages that wait for an answer.
    pub(super) parked_busy: Vec<u16>,
    /// A log says what was asked next: the one host that could be asked.
    pub(super) retaking: Option<u16>,
    /// And the page, where the order of the host's pages depends on when others could be asked.
    pub(super) retaken: Option<PageId>,
    fixed: Option<Span>,
    connections: u32,
}

/// A host as it is kept: its pace, and what waits and is under way there.
type SavedHost = (SavedPace, u32, VecDeque<(PageId, Why)>, u32, u32);

/// All hosts of a site as they are kept.
pub(super) type SavedHosts = (Vec<SavedHost>, Vec<u16>, Vec<u16>, BinaryHeap<Reverse<(Time, u16)>>, Vec<u16>);

impl SiteHosts {
    pub(super) fn save(&self) -> SavedHosts {
        let host = |host: &SiteHost| (host.pace.save(), host.waiting, host.parked.clone(), host.aside, host.in_flight);
        let hosts = self.hosts.iter().map(host).collect();
        (hosts, self.homes.clone(), self.home_authorities.clone(), self.parked.clone(), self.parked_busy.clone())
    }

    pub(super) fn restore(&mut self, (hosts, homes, home_authorities, parked, parked_busy): SavedHosts) {
        let host = |(pace, waiting, parked, aside, in_flight)| SiteHost {
            pace: HostPace::restore(pace),
            shared: None,
            waiting,
            parked,
            aside,
            in_flight,
            rests_until: None,
        };
        self.hosts = hosts.into_iter().map(host).collect();
        (self.homes, self.home_authorities) = (homes, home_authorities);
        (self.parked, self.parked_busy) = (parked, parked_busy);
    }

    pub(super) fn new(fixed: Option<Span>, connections: usize) -> SiteHosts {
        SiteHosts {
            hosts: Vec::new(),
            homes: Vec::new(),
            home_authorities: Vec::new(),
            shared: None,
            parked: BinaryHeap::new(),
            parked_busy: Vec::new(),
            retaking: None,
            retaken: None,
            fixed,
            connections: u32::try_from(connections.max(1)).unwrap_or(u32::MAX),
        }
    }

    pub(super) fn host(&mut self, host: u16) -> &mut SiteHost {
        let index = usize::from(host);
        if index >= self.hosts.len() {
            self.hosts.resize_with(index + 1, SiteHost::default);
        }
        &mut self.hosts[index]
    }

    pub(super) fn add_home(&mut self, host: u16, authority: u16) {
        self.host(host);
        if !self.homes.contains(&host) {
            self.homes.push(host);
        }
        if !self.home_authorities.contains(&authority) {
            self.home_authorities.push(authority);
        }
    }

    pub(super) fn home_authorities(&self) -> &[u16] {
        &self.home_authorities
    }

    /// How long a request to the site takes all in all.
    pub(super) fn slot(&self) -> Span {
        let home = self.homes.last().map(|home| &self.hosts[usize::from(*home)]);
        home.map_or_else(|| HostPace::default().slot(self.fixed), |home| home.pace.slot(self.fixed))
    }

    pub(super) fn gave_up(&self) -> bool {
        let silent = |home: &u16| self.hosts[usize::from(*home)].pace.gave_up();
        !self.homes.is_empty() && self.homes.iter().all(silent)
    }

    pub(super) fn is_silent(&self, host: u16) -> bool {
        self.hosts.get(usize::from(host)).is_some_and(|host| host.pace.gave_up())
    }

    pub(super) fn is_home(&self, host: u16) -> bool {
        self.homes.contains(&host)
    }

    pub(super) fn forgive(&mut self) {
        self.hosts.iter_mut().for_each(|host| host.pace.forgive());
    }

    /// A page begins or ceases to wait.
    pub(super) fn count(&mut self, host: u16, change: i32) {
        let host = self.host(host);
        host.waiting = host.waiting.saturating_add_signed(change);
    }

    /// A waiting page is set aside until its host's rules are known, or comes back from there.
    pub(super) fn count_aside(&mut self, host: u16, change: i32) {
        let host = self.host(host);
        host.aside = host.aside.saturating_add_signed(change);
    }

    pub(super) fn sent(&mut self, host: u16, now: Time) {
        let fixed = self.fixed;
        let known = self.host(host);
        known.in_flight += 1;
        known.pace.sent(now, fixed);
        let id = known.shared;
        if let (Some((shared, asker)), Some(id)) = (&self.shared, id) {
            shared.lock().sent(id, *asker, now, fixed);
        }
    }

    /// A request of an earlier run, or one that was answered, is no longer under way.
    pub(super) fn landed(&mut self, host: u16) {
        let host = self.host(host);
        host.in_flight = host.in_flight.saturating_sub(1);
    }

    /// A host is left alone until then, whatever its pace says.
    pub(super) fn rest(&mut self, host: u16, until: Time) {
        let host = self.host(host);
        host.rests_until = host.rests_until.max(Some(until));
    }

    /// Takes a page out of those that wait at its host; how often it was among them.
    pub(super) fn take_out(&mut self, host: u16, page: PageId) -> usize {
        let parked = &mut self.host(host).parked;
        let before = parked.len();
        parked.retain(|(parked, _)| *parked != page);
        let (taken, is_empty) = (before - parked.len(), parked.is_empty());
        if taken > 0 && is_empty {
            self.parked_busy.retain(|busy| *busy != host);
        }
        taken
    }

    pub(super) fn settled(&mut self, host: u16, observation: &Observation, answered: Time, dice: &mut Dice) {
        let fixed = self.fixed;
        let mut same_dice = dice.clone();
        let known = self.host(host);
        known.pace.settled(observation, answered, fixed, dice);
        let id = known.shared;
        if let (Some((shared, _)), Some(id)) = (&self.shared, id) {
            shared.lock().settled(id, observation, answered, fixed, &mut same_dice);
        }
    }

    pub(super) fn obey(&mut self, host: u16, crawl_delay: Option<Span>, now: Time) {
        let fixed = self.fixed;
        let known = self.host(host);
        known.pace.obey(crawl_delay, now, fixed);
        let id = known.shared;
        if let (Some((shared, _)), Some(id)) = (&self.shared, id) {
            shared.lock().obey(id, crawl_delay, now, fixed);
        }
    }

    /// Whether a host may be asked, as far as this site and all others of the process know.
    fn access(&mut self, host: u16, name: &str, now: Time) -> Access {
        if let Some(only) = self.retaking {
            return if host == only { Access::Free } else { Access::Busy };
        }
        let connections = self.connections;
        let known = self.host(host);
        let (next, why) = (known.pace.next_slot(), known.pace.why());
        let slot = known.rests_until.map_or(next, |until| until.max(next));
        if known.in_flight >= connections {
            return Access::Busy;
        }
        let fixed = self.fixed;
        let Some((shared, asker)) = &self.shared else {
            return if slot > now { Access::From { slot, turn: slot, why } } else { Access::Free };
        };
        let mut paces = shared.lock();
        let id = *self.hosts[usize::from(host)].shared.get_or_insert_with(|| paces.find(name));
        match paces.access(id, *asker, now, fixed) {
            Access::Free if slot > now => Access::From { slot, turn: slot, why },
            Access::From { turn, .. } if slot > turn => Access::From { slot, turn: slot, why },
            access => access,
        }
    }

    fn park(&mut self, host: u16, page: PageId, why: Why, access: Access) {
        let known = self.host(host);
        known.parked.push_back((page, why));
        if known.parked.len() == 1 {
            self.look_again(host, access);
        }
    }

    fn look_again(&mut self, host: u16, access: Access) {
        match access {
            Access::From { turn, .. } => self.parked.push(Reverse((turn, host))),
            Access::Busy | Access::Free => self.parked_busy.push(host),
        }
    }

    /// Whether something is under way there.
    pub(super) fn is_asked(&self, host: u16) -> bool {
        self.hosts.get(usize::from(host)).is_some_and(|host| host.in_flight > 0)
    }

    pub(super) fn has_parked(&self) -> bool {
        !self.parked.is_empty() || !self.parked_busy.is_empty()
    }

    pub(super) fn has_work(&self, host: u16) -> bool {
        self.hosts.get(usize::from(host)).is_some_and(|host| host.waiting > host.aside)
    }
}

impl Scheduler {
    /// Shares the hosts' paces with the other sites of the process, from `now` on. They only ever make it wait longer.
    pub fn share_hosts(&mut self, shared: SharedHosts, now: Time) {
        let asker = shared.lock().join();
        self.hosts.shared = Some((shared, asker));
        self.hosts.hosts.iter_mut().for_each(|host| host.pace.resume(now));
    }

    /// Tells by how much the clock of `next` and of observations is ahead of a steady one, because it was set. Pauses are
    /// by the steady one.
    pub fn clock_was_set(&mut self, ahead: Span) {
        self.clock_ahead = ahead;
    }

    /// What to do at the time of a decision in a log, knowing which host was asked. Which others were waited for is not in
    /// the log, because it was for other sites of the process to decide; nor is the order in which pages of hosts other
    /// than the seeds' were parked, which depends on it. On a seed's host the page must be the one of the log by itself.
    pub fn retake(&mut self, logged: &Decision) -> Step {
        self.hosts.retaking = self.authorities.number(&logged.url).map(|number| self.authorities.get(number).host);
        let known = logged.page.index() < self.pages.len() && self.pages.url(logged.page) == logged.url;
        let elsewhere = self.hosts.retaking.is_some_and(|host| !self.hosts.is_home(host));
        let is_page = logged.purpose != Purpose::Robots;
        // Where every host is elsewhere a page may become known by being asked for.
        let known = known || self.across.is_some();
        self.hosts.retaken = Some(logged.page).filter(|_| known && elsewhere && is_page);
        self.entrances.allow(&logged.budgets);
        let step = match logged.why {
            Why::Rendered => self.retake_wanted(logged),
            _ => self.next(logged.at),
        };
        (self.hosts.retaking, self.hosts.retaken) = (None, None);
        step
    }

    /// Whether a log says that another page of this host was asked for.
    pub(super) fn is_not_retaken(&self, page: PageId) -> bool {
        self.hosts.retaken.is_some_and(|retaken| retaken != page)
    }

    /// A moment on the clock that was never set.
    pub(super) fn steady(&self, now: Time) -> Time {
        now - self.clock_ahead
    }

    pub(super) fn host_of(&self, page: PageId) -> u16 {
        self.authorities.get(self.pages.get(page).authority).host
    }

    pub(super) fn access(&mut self, host: u16, now: Time) -> Access {
        self.hosts.access(host, self.authorities.host_name(host), self.steady(now))
    }

    /// Whether more requests are under way than one site should have.
    pub(super) fn is_crowded(&self) -> bool {
        let elsewhere = if self.authorities.hosts() > 1 { ELSEWHERE_MAX } else { 0 };
        let under_way = self.in_flight.saturating_sub(self.wishes.built.len());
        self.hosts.retaking.is_none() && under_way >= self.settings.connections.max(1) + elsewhere
    }

    pub(super) fn park(&mut self, page: PageId, why: Why, access: Access) {
        let host = self.host_of(page);
        self.hosts.park(host, page, why, access);
        if self.pages.get(page).state == PageState::Waiting {
            self.hosts.count_aside(host, 1);
        }
    }

    /// The next parked page whose host may be asked.
    pub(super) fn unpark(&mut self, now: Time) -> Option<(PageId, Why)> {
        let (host, retaken) = (self.ready_host(now)?, self.hosts.retaken);
        let known = self.hosts.host(host);
        let parked = match retaken {
            None => known.parked.pop_front(),
            Some(page) => {
                known.parked.iter().position(|(parked, _)| *parked == page).and_then(|at| known.parked.remove(at))
            }
        };
        if known.parked.is_empty() {
            self.hosts.parked_busy.retain(|busy| *busy != host);
        }
        let (page, why) = parked?;
        if self.pages.get(page).state != PageState::Visited {
            self.hosts.count_aside(host, -1);
        }
        Some((page, why))
    }

    /// A host with parked pages that may be asked. It stays among those that are looked at every time until it has none.
    pub(super) fn ready_host(&mut self, now: Time) -> Option<u16> {
        let steady = self.steady(now);
        while let Some(Reverse((_, host))) = self.hosts.parked.peek().copied().filter(|Reverse((at, _))| *at <= steady)
        {
            self.hosts.parked.pop();
            self.hosts.parked_busy.push(host);
        }
        let mut ready = None;
        for host in std::mem::take(&mut self.hosts.parked_busy) {
            match self.access(host, now) {
                Access::From { turn, .. } => self.hosts.parked.push(Reverse((turn, host))),
                access => {
                    self.hosts.parked_busy.push(host);
                    if access == Access::Free && ready.is_none() {
                        ready = Some(host);
                    }
                }
            }
        }
        ready
    }
}
