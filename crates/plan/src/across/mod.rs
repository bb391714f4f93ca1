//! The frontier of a capture that goes wherever links lead: one queue per host, the best of each in memory.
//!
//! Pages of a site are all known to the scheduler. Of the web nobody can know all pages that were found, so a URL stays a
//! [`Candidate`] until its turn has come: in the [`Lane`] of its host, in memory as far as there is room and in a [`Depot`]
//! beyond. Which host is asked depends on paces, so on moments; which of its URLs comes next does not, only on answers and
//! requests so far: a log can be retaken, one host at a time.

mod candidate;
mod depot;
mod harvest;
mod lane;
mod saved;
mod seen;
mod turns;

pub(crate) use candidate::{Candidate, NOBODY, Rank};
pub use depot::{Depot, MemoryDepot};
pub use harvest::{Harvest, HarvestPoint};
use lane::{Lane, LaneRoom};
use seen::Seen;
use serde::{Deserialize, Serialize};
use turns::Turns;

use crate::{
    Access, Budget, MediaGuess, Objection, Refusal, host_name,
    policy::focused::{credits::Credits, leads::Leads},
};
use hashbrown::HashMap;
use tintype_vocab::{PageId, Time};

/// Candidates in memory, all in all and of one host: more of each host where there are few.
const INSIDE_MAX: usize = 1 << 16;
const LANE_MAX: usize = 256;
const LANE_MIN: usize = 8;
/// Hosts that are remembered. What lies on further ones is left out.
const HOSTS_MAX: usize = 1 << 17;
/// From so many hosts on candidates go outside in small blocks.
const MANY_HOSTS: usize = 4096;
/// Candidates that turned out to be worth less when they came first, put back per look.
const DEMOTED_MAX: usize = 16;
/// A host waits for better ones if its best is worth less than this share of what requests brought lately...
const PRICE: f32 = 0.25;
/// ...but for one request in so many, which goes to the host that was asked least.
const EXPLORED_EVERY: u64 = 16;
/// How much the latest answer counts for what requests brought lately.
const LATELY: f32 = 0.02;

/// Who comes first on a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Best,
    /// As in breadth-first.
    Oldest,
}

/// What the model makes of a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged {
    pub(crate) guess: MediaGuess,
    pub(crate) refusal: Option<Refusal>,
}

/// A registered domain.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Domain {
    requests: u64,
    bytes: u64,
    wanted: u64,
    is_spent: bool,
}

/// Why candidates are left out that wait.
#[derive(Clone, Debug)]
pub(crate) struct LeftOutCandidates {
    pub(crate) count: usize,
    pub(crate) sample: String,
}

/// The URLs that wait, host by host.
#[derive(Debug)]
pub(crate) struct Across {
    order: Order,
    /// Whether requests are what is saved: then hosts that promise little wait for better ones.
    saves_requests: bool,
    /// What one domain may take.
    ceiling: Budget,
    lanes: Vec<Lane>,
    by_name: HashMap<String, u32>,
    by_host: HashMap<u16, u32>,
    domains: Vec<Domain>,
    by_domain: HashMap<String, u32>,
    seen: Seen,
    /// Found on the page that is being settled.
    fresh: Vec<Candidate>,
    pub(crate) leads: Leads,
    pub(crate) credits: Credits,
    /// Pages that were asked for: as the so-manieth they were found, and how likely wanted.
    awaited: HashMap<PageId, (u64, f32)>,
    depot: Box<dyn Depot>,
    kept_outside: u64,
    turns: Turns,
    waiting: usize,
    inside: usize,
    /// Candidates numbered so far.
    numbered: u32,
    /// The share of wanted files among the latest answers.
    lately: f32,
    explored: u64,
    asked: u64,
    /// Those asked, and those that had wanted files.
    hosts: (usize, usize),
    pub(crate) harvest: Harvest,
}

impl Across {
    pub(crate) fn new(order: Order, saves_requests: bool, ceiling: Budget) -> Across {
        Across {
            order,
            saves_requests,
            ceiling,
            lanes: Vec::new(),
            by_name: HashMap::new(),
            by_host: HashMap::new(),
            domains: Vec::new(),
            by_domain: HashMap::new(),
            seen: Seen::default(),
            fresh: Vec::new(),
            leads: Leads::default(),
            credits: Credits::default(),
            awaited: HashMap::new(),
            depot: Box::<MemoryDepot>::default(),
            kept_outside: 0,
            turns: Turns::default(),
            waiting: 0,
            inside: 0,
            numbered: 0,
            lately: 0.0,
            explored: 0,
            asked: 0,
            hosts: (0, 0),
            harvest: Harvest::default(),
        }
    }

    /// URLs that were found and wait.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting + self.fresh.len()
    }

    /// Hosts that were asked, and those among them that had wanted files.
    pub(crate) fn hosts(&self) -> (usize, usize) {
        self.hosts
    }

    fn count_hosts(&self) -> (usize, usize) {
        let asked = self.lanes.iter().filter(|lane| lane.asked > 0);
        let wanted = self.lanes.iter().filter(|lane| lane.wanted > 0).count();
        (asked.count(), wanted)
    }

    /// Domains that took all they may.
    pub(crate) fn domains_spent(&self) -> usize {
        self.domains.iter().filter(|domain| domain.is_spent).count()
    }

    pub(crate) fn resting(&self) -> usize {
        self.turns.resting()
    }

    /// Whether a URL was never found before.
    pub(crate) fn is_new(&mut self, url: &str) -> bool {
        self.seen.insert(url)
    }

    /// A URL was found that is new.
    pub(crate) fn find(&mut self, candidate: Candidate) {
        self.fresh.push(candidate);
    }

    /// What was found since it was last asked for.
    pub(crate) fn take_fresh(&mut self) -> Vec<Candidate> {
        std::mem::take(&mut self.fresh)
    }

    /// The lane of a URL, or why nothing more is asked there.
    pub(crate) fn lane_of(&mut self, url: &str) -> Result<u32, Objection> {
        let name = host_name(url);
        if let Some(lane) = self.by_name.get(name) {
            let known = &self.lanes[*lane as usize];
            return match known.is_closed {
                false => Ok(*lane),
                true if self.domains[known.domain as usize].is_spent => Err(Objection::DomainSpent),
                true => Err(Objection::HostSilent),
            };
        }
        if self.lanes.len() >= HOSTS_MAX {
            return Err(Objection::TooManyHosts);
        }
        let (domain, lane) = (self.domain_of(name), self.lanes.len() as u32);
        let mut opened = Lane::new(name, domain);
        opened.is_closed = self.domains[domain as usize].is_spent;
        let is_closed = opened.is_closed;
        self.lanes.push(opened);
        self.by_name.insert(name.to_owned(), lane);
        if is_closed { Err(Objection::DomainSpent) } else { Ok(lane) }
    }

    /// Whether the domain of a URL took all it may.
    pub(crate) fn is_domain_spent(&self, url: &str) -> bool {
        let domain = self.by_domain.get(domain_name(host_name(url)));
        domain.is_some_and(|domain| self.domains[*domain as usize].is_spent)
    }

    fn domain_of(&mut self, host: &str) -> u32 {
        let name = domain_name(host);
        if let Some(domain) = self.by_domain.get(name) {
            return *domain;
        }
        let domain = self.domains.len() as u32;
        self.by_domain.insert(name.to_owned(), domain);
        self.domains.push(Domain::default());
        domain
    }

    fn rank(&mut self, candidate: &Candidate, guess: MediaGuess) -> Rank {
        self.numbered += 1;
        match self.order {
            Order::Oldest => Rank::oldest_first(self.numbered),
            Order::Best => Rank::of(self.leads.worth(&candidate.url, guess), self.numbered),
        }
    }

    /// How many candidates of a lane may be in memory.
    fn room(&self) -> usize {
        (INSIDE_MAX / self.lanes.len().max(1)).clamp(LANE_MIN, LANE_MAX)
    }

    /// A candidate waits in its lane.
    pub(crate) fn enter(&mut self, lane: u32, candidate: Candidate, guess: MediaGuess) {
        let rank = self.rank(&candidate, guess);
        let (inside, many_hosts) = (self.room(), self.lanes.len() > MANY_HOSTS);
        let (lane, depot) = (&mut self.lanes[lane as usize], &mut *self.depot);
        let before = lane.inside();
        let mut room = LaneRoom { inside, many_hosts, depot };
        match candidate.is_doubtful {
            true => lane.put_out(rank.worth(), candidate, &mut room),
            false => lane.push(rank, candidate, &mut room),
        }
        self.inside = self.inside + lane.inside() - before;
        self.waiting += 1;
    }

    /// Looks at the best of a lane again, as answers came: what is worth less now makes room for the next, what is not worth
    /// a request goes. Those are handed over with what is said against them.
    pub(crate) fn look_again(&mut self, lane: u32, judge: impl Fn(&Candidate) -> Judged) -> Vec<(Candidate, Refusal)> {
        let mut refused = Vec::new();
        let mut demoted = 0;
        loop {
            self.bring_in(lane, &judge);
            let Some((rank, candidate)) = self.lanes[lane as usize].pop_ranked() else { break };
            self.waiting -= 1;
            self.inside -= 1;
            let judged = judge(&candidate);
            match judged.refusal {
                Some(refusal) => refused.push((candidate, refusal)),
                None => {
                    let again = match self.order {
                        Order::Oldest => rank,
                        Order::Best => rank.at(self.leads.worth(&candidate.url, judged.guess)),
                    };
                    let is_best = self.lanes[lane as usize].best().is_none_or(|next| again > next);
                    self.put_back(lane, again, candidate);
                    demoted += 1;
                    if is_best || demoted >= DEMOTED_MAX {
                        break;
                    }
                }
            }
        }
        self.promise(lane);
        refused
    }

    fn put_back(&mut self, lane: u32, rank: Rank, candidate: Candidate) {
        let (inside, many_hosts) = (self.room(), self.lanes.len() > MANY_HOSTS);
        let (lane, depot) = (&mut self.lanes[lane as usize], &mut *self.depot);
        let before = lane.inside();
        lane.push(rank, candidate, &mut LaneRoom { inside, many_hosts, depot });
        self.inside = self.inside + lane.inside() - before;
        self.waiting += 1;
    }

    /// Lets in what waits outside, if it seems better than what is inside.
    fn bring_in(&mut self, lane: u32, judge: impl Fn(&Candidate) -> Judged) {
        let index = lane as usize;
        // What comes in may turn out to be worth less, and the next better: but not for ever.
        for _ in 0..DEMOTED_MAX {
            let Some((candidates, lost)) = self.lanes[index].bring_in(&mut *self.depot) else { return };
            self.waiting -= candidates.len() + lost as usize;
            for candidate in candidates {
                let guess = judge(&candidate).guess;
                let rank = self.rank(&candidate, guess);
                self.put_back(lane, rank, candidate);
            }
        }
    }

    /// Tells how good the best of a lane is.
    fn promise(&mut self, lane: u32) {
        let known = &self.lanes[lane as usize];
        let best = known.best().filter(|_| !known.is_closed).map(Rank::bits);
        self.turns.promises(lane, best, known.asked);
    }

    /// The number of a lane's host among those that were asked, once it has one.
    pub(crate) fn host(&self, lane: u32) -> Option<u16> {
        self.lanes[lane as usize].host
    }

    pub(crate) fn lane_of_host(&self, host: u16) -> Option<u32> {
        self.by_host.get(&host).copied()
    }

    pub(crate) fn lane_named(&self, host: &str) -> Option<u32> {
        self.by_name.get(host).copied()
    }

    /// A lane where nothing waits but what was thought not to be worth a request.
    pub(crate) fn lane_with_doubtful(&self) -> Option<u32> {
        if self.waiting == 0 {
            return None;
        }
        self.lanes.iter().zip(0..).find(|(lane, _)| lane.inside() == 0 && lane.len() > 0).map(|(_, lane)| lane)
    }

    /// From now on what memory has no room for is there; what is elsewhere already comes along.
    pub(crate) fn keep_outside(&mut self, mut depot: Box<dyn Depot>) {
        if self.kept_outside == 0 && !self.depot.is_empty() {
            self.lanes.iter_mut().for_each(|lane| lane.carry_over(&mut *self.depot, &mut *depot));
        }
        self.depot = depot;
    }

    /// How much there was outside when this was saved.
    pub(crate) fn kept_outside(&self) -> u64 {
        self.kept_outside
    }

    pub(crate) fn set_host(&mut self, lane: u32, host: u16) {
        self.lanes[lane as usize].host = Some(host);
        self.by_host.insert(host, lane);
    }

    /// The URL that a lane would have asked for next.
    pub(crate) fn best_url(&self, lane: u32) -> Option<&str> {
        self.lanes[lane as usize].best_candidate().map(|candidate| candidate.url.as_str())
    }

    pub(crate) fn name(&self, lane: u32) -> &str {
        &self.lanes[lane as usize].name
    }

    pub(crate) fn pop(&mut self, lane: u32) -> Option<Candidate> {
        let (rank, candidate) = self.lanes[lane as usize].pop_ranked()?;
        self.explored += u64::from(rank.worth() < PRICE * self.lately);
        self.inside -= 1;
        self.waiting -= 1;
        Some(candidate)
    }

    /// A candidate by its URL, which a log says was asked for.
    pub(crate) fn take(&mut self, url: &str) -> Option<Candidate> {
        let lane = *self.by_name.get(host_name(url))?;
        let candidate = self.lanes[lane as usize].take(url)?;
        self.inside -= 1;
        self.waiting -= 1;
        Some(candidate)
    }

    /// Hosts whose pause is over may be asked, and those whose names were looked up.
    pub(crate) fn wake(&mut self, now: Time) {
        self.turns.wake(now);
    }

    /// The host to ask next, if one may be asked: the most promising, unless it is worth so little that requests are saved
    /// for others.
    pub(crate) fn choose(&self) -> Option<u32> {
        let is_known = |lane: u32| self.lanes[lane as usize].host.is_some();
        let (lane, bits) = self.turns.best(is_known)?;
        let is_poor = |bits: u32| f32::from_bits(bits) < PRICE * self.lately;
        if !self.saves_requests || !is_poor(bits) || self.turns.best_anywhere().is_none_or(is_poor) {
            return Some(lane);
        }
        (self.explored * EXPLORED_EVERY <= self.asked).then(|| self.turns.least_asked(is_known)).flatten()
    }

    /// The host of a lane may be asked, or not.
    pub(crate) fn told(&mut self, lane: u32, access: Access, is_asked: bool) {
        match access {
            Access::Free => {}
            Access::From { turn, .. } => self.turns.waits(lane, turn),
            Access::Busy if is_asked => self.turns.busy(lane),
            Access::Busy => self.turns.looked_up(lane),
        }
    }

    /// A request is sent that is no question for rules.
    pub(crate) fn sent(&mut self, url: &str) {
        // Seeds and what redirects lead to were never candidates, and are asked for at their hosts all the same.
        if let Ok(lane) = self.lane_of(url) {
            let known = &mut self.lanes[lane as usize];
            self.hosts.0 += usize::from(known.asked == 0);
            known.asked += 1;
            self.promise(lane);
        }
        self.asked += 1;
        let domain = self.domain_of(host_name(url));
        self.domains[domain as usize].requests += 1;
        self.look_at_ceiling(domain);
    }

    fn look_at_ceiling(&mut self, domain: u32) {
        let known = &mut self.domains[domain as usize];
        let over = |spent: u64, most: Option<u64>| most.is_some_and(|most| spent >= most);
        known.is_spent |= over(known.requests, self.ceiling.requests) || over(known.bytes, self.ceiling.bytes);
    }

    /// An answer came; whether that was all the domain may have.
    pub(crate) fn answered(&mut self, url: &str, is_wanted: bool, bytes: u64, at: Time) {
        self.lately += LATELY * (f32::from(u8::from(is_wanted)) - self.lately);
        self.harvest.answered(is_wanted, bytes, at);
        let domain = self.domain_of(host_name(url));
        let known = &mut self.domains[domain as usize];
        known.bytes += bytes;
        known.wanted += u64::from(is_wanted);
        self.look_at_ceiling(domain);
        if let Some(lane) = self.by_name.get(host_name(url)) {
            let known = &mut self.lanes[*lane as usize];
            self.hosts.1 += usize::from(is_wanted && known.wanted == 0);
            known.wanted += u32::from(is_wanted);
        }
    }

    /// The lanes of the domain of a URL, if that took all it may.
    pub(crate) fn spent_lanes(&mut self, url: &str) -> Vec<u32> {
        let domain = self.domain_of(host_name(url));
        if !self.domains[domain as usize].is_spent {
            return Vec::new();
        }
        let of_domain = |lane: &Lane| lane.domain == domain && !lane.is_closed;
        let lanes = self.lanes.iter().zip(0..).filter(|(lane, _)| of_domain(lane));
        lanes.map(|(_, number)| number).collect()
    }

    /// Nothing more is asked for there.
    pub(crate) fn close(&mut self, lane: u32) -> LeftOutCandidates {
        let known = &mut self.lanes[lane as usize];
        self.inside -= known.inside();
        let (count, sample) = known.close();
        self.waiting -= count;
        self.promise(lane);
        let sample = sample.map_or_else(|| self.name(lane).to_owned(), |candidate| candidate.url);
        LeftOutCandidates { count, sample }
    }

    /// A candidate is asked for as this page.
    pub(crate) fn await_answer(&mut self, page: PageId, candidate: &Candidate) {
        if let Some(credit) = candidate.credit {
            self.credits.give(page, credit);
            self.awaited.insert(page, (candidate.nth, credit.gain.wanted));
        }
    }

    /// What is behind a page is known.
    pub(crate) fn learned(&mut self, page: PageId, is_wanted: bool) {
        if let Some((nth, chance)) = self.awaited.remove(&page) {
            self.harvest.learned(nth, chance, is_wanted);
        }
    }

    /// Something at this host ended.
    pub(crate) fn touch(&mut self, host: u16) -> Option<u32> {
        let lane = self.lane_of_host(host)?;
        self.turns.touch(lane);
        Some(lane)
    }

    /// The host that has to be waited for first, and until when.
    pub(crate) fn first_wait(&self) -> Option<(Time, u32)> {
        self.turns.first_wait()
    }

    pub(crate) fn awaits_more(&self) -> bool {
        self.turns.awaits_more()
    }
}

/// The registered domain of a host, or the host itself where there is none.
fn domain_name(host: &str) -> &str {
    let bare = host.rsplit_once(':').map_or(host, |(bare, port)| if port.contains(']') { host } else { bare });
    let is_address = bare.starts_with('[') || bare.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if is_address { host } else { psl::domain_str(bare).unwrap_or(host) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_what_somebody_registered() {
        for (host, domain) in [
            ("news.example.co.uk", "example.co.uk"),
            ("example.com:8080", "example.com"),
            ("127.0.0.7:80", "127.0.0.7:80"),
            ("[::1]:80", "[::1]:80"),
            ("localhost", "localhost"),
        ] {
            assert_eq!(domain_name(host), domain);
        }
    }
}
