//! A capture that goes wherever links lead: what was found waits by host ([`Across`]) and becomes a page when its turn comes.
//!
//! Everything else is as in a capture of one site: rules, paces, retries, redirects, budget. Only whom to ask next is not for
//! a policy to say, because it depends on which hosts may be asked.

use super::{
    Scheduler, Step,
    waiting::{Consult, PAUSE_TOLERATED},
};
use crate::{
    Access, Depot, Ending, Harvest, MediaFilter, MediaGuess, Mode, Objection, PageState, Refusal, SeedError, Settings,
    across::{Across, Candidate, Judged, NOBODY, Order},
    authority::path_and_query,
    families::Found as FamilyFound,
    pages::Found,
    policy::focused::credits::Credit,
};
use std::collections::BTreeSet;
use tintype_learn::first_guess::Signs;
use tintype_vocab::{Link, LinkKind, Observation, Outcome, PageId, Purpose, Time, Why};

/// Requests that may be under way at once, each to another host.
pub(super) const HOSTS_AT_ONCE: usize = 384;

/// The orders in which hosts and their URLs are asked.
const BEST: &str = "focused";
const OLDEST: &str = "breadth-first";

/// How a capture across hosts stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct HostCounts {
    /// Hosts that were asked for pages.
    pub asked: usize,
    /// Those among them that had a wanted file.
    pub wanted: usize,
    /// Domains that took all they may.
    pub spent: usize,
    /// Hosts that have more to ask for and are left in peace now.
    pub resting: usize,
}

/// The frontier across hosts, where the settings ask for one.
pub(super) fn across_for(settings: &Settings) -> Result<Option<Box<Across>>, SeedError> {
    if !settings.goes_anywhere() {
        return Ok(None);
    }
    let order = match settings.policy.as_str() {
        BEST => Order::Best,
        OLDEST => Order::Oldest,
        other => return Err(SeedError::NotAcrossHosts { policy: other.to_owned() }),
    };
    if settings.mode != Mode::Once || settings.revisit {
        return Err(SeedError::NotAcrossHosts { policy: "looking at pages again".to_owned() });
    }
    let saves_requests = order == Order::Best && settings.budget.requests.is_some();
    Ok(Some(Box::new(Across::new(order, saves_requests, settings.domain_budget.unwrap_or_default()))))
}

impl Scheduler {
    /// What was brought so far and on the way there, of a capture across hosts.
    pub fn harvest(&self) -> Option<&Harvest> {
        self.across.as_ref().map(|across| &across.harvest)
    }

    /// How many hosts a capture across hosts asked.
    pub fn host_counts(&self) -> Option<HostCounts> {
        let across = self.across.as_ref()?;
        let (asked, wanted) = across.hosts();
        Some(HostCounts { asked, wanted, spent: across.domains_spent(), resting: across.resting() })
    }

    /// Where candidates wait that memory has no room for; what is there already is what was there when this was saved, and
    /// what came later is cut. Whether that could be done: if not, what waits there is lost.
    pub fn keep_outside(&mut self, mut depot: Box<dyn Depot>) -> bool {
        let Some(across) = self.across.as_mut() else { return true };
        let is_whole = depot.cut(across.kept_outside());
        across.keep_outside(depot);
        is_whole
    }

    pub(super) fn next_across(&mut self, now: Time) -> Step {
        if self.hosts.retaking.is_none() && self.in_flight >= HOSTS_AT_ONCE {
            return Step::Idle;
        }
        if self.ending() != Ending::Complete {
            return if self.in_flight > 0 { Step::Idle } else { Step::Done };
        }
        self.bring_back_retries(now);
        self.fill_slot(Consult::Now, now)
    }

    /// A URL was found that nobody has met: it waits for its turn.
    pub(super) fn find_candidate(&mut self, link: &Link<'_>, from: PageId, depth: u16, hops: u8) {
        let candidate = Candidate {
            url: link.url.to_owned(),
            kind: link.kind,
            mention: link.mention,
            depth,
            hops,
            from,
            credit: None,
            nth: 0,
            is_doubtful: false,
        };
        if let Some(across) = &mut self.across {
            across.find(candidate);
        }
    }

    /// The same of one that an earlier capture found.
    pub(super) fn hold_candidate(&mut self, url: &str, kind: LinkKind) {
        self.find_candidate(&Link::new(url, kind), NOBODY, 1, 0);
        self.settle_found(None);
    }

    /// The next page to ask for, taken in for that.
    pub(super) fn pick(&mut self, now: Time) -> Option<(PageId, Why)> {
        if let Some(host) = self.hosts.retaking {
            return self.pick_retaken(host, now);
        }
        let steady = self.steady(now);
        // Once: a host that turns out to wait still is not looked at twice.
        self.across.as_mut()?.wake(steady);
        loop {
            let lane = self.across.as_ref()?.choose()?;
            let Some(host) = self.host_of_lane(lane) else {
                self.close_lane(lane, Objection::TooManyHosts);
                continue;
            };
            let access = self.access(host, now);
            if access != Access::Free {
                let is_asked = self.hosts.is_asked(host);
                self.across.as_mut()?.told(lane, access, is_asked);
                continue;
            }
            if let Some(page) = self.take_candidate(lane, now) {
                return Some((page, Why::Policy));
            }
        }
    }

    /// A log says which host was asked, and whether that was for a page known then.
    fn pick_retaken(&mut self, host: u16, now: Time) -> Option<(PageId, Why)> {
        if self.hosts.retaken.is_some_and(|page| page.index() < self.pages.len()) {
            return None;
        }
        let name = self.authorities.host_name(host).to_owned();
        let across = self.across.as_mut()?;
        let lane = across.lane_named(&name)?;
        across.set_host(lane, host);
        if across.best_url(lane).is_none() {
            self.look_at(lane);
        }
        self.take_candidate(lane, now).map(|page| (page, Why::Policy))
    }

    fn host_of_lane(&mut self, lane: u32) -> Option<u16> {
        let across = self.across.as_mut()?;
        if let Some(host) = across.host(lane) {
            return Some(host);
        }
        let number = self.authorities.number(across.best_url(lane)?)?;
        let host = self.authorities.get(number).host;
        across.set_host(lane, host);
        Some(host)
    }

    /// The best of a lane becomes a page.
    fn take_candidate(&mut self, lane: u32, now: Time) -> Option<PageId> {
        let mut taken = None;
        while taken.is_none()
            && let Some(candidate) = self.across.as_mut()?.pop(lane)
        {
            let rules = self.authorities.find(&candidate.url).and_then(|authority| authority.fresh_rules(now));
            let is_forbidden = rules.is_some_and(|(robots, _)| !robots.verdict(path_and_query(&candidate.url)).allowed);
            match is_forbidden {
                true => self.exclusions.add(Objection::Robots, &candidate.url),
                false => taken = self.admit_candidate(candidate),
            }
        }
        self.look_at(lane);
        taken
    }

    /// Nothing if it is known already, through a redirect perhaps, or is one of many that only repeat each other.
    pub(super) fn admit_candidate(&mut self, candidate: Candidate) -> Option<PageId> {
        let Candidate { url, kind, mention, depth, hops, from, .. } = &candidate;
        let Found::New { hash, .. } = self.pages.look_up(url) else { return None };
        let on = Some(*from).filter(|from| *from != NOBODY);
        if self.families.refuses(url, FamilyFound { on, kind: *kind, is_vouched_for: *depth == 0 }) {
            self.exclusions.add(Objection::EndlessFamily, url);
            self.exclusions.explain(Objection::EndlessFamily, &self.families.told());
            return None;
        }
        self.settling = on;
        let page = self.admit(&Signs::new(url, *kind, *depth, self.clock), *mention, hash, *hops);
        self.settling = None;
        if let Some(across) = &mut self.across {
            across.await_answer(page, &candidate);
        }
        Some(page)
    }

    /// The page of a URL that a log speaks of and that was not taken in yet.
    pub(super) fn locate_across(&mut self, url: &str) -> PageId {
        let candidate = self.across.as_mut().and_then(|across| across.take(url));
        if let Some(page) = candidate.and_then(|candidate| self.admit_candidate(candidate)) {
            return page;
        }
        let signs = Signs::new(url, LinkKind::Anchor, 1, self.clock);
        match self.pages.look_up(url) {
            Found::Known(page) => page,
            Found::New { hash, .. } => self.admit(&signs, Default::default(), hash, 0),
        }
    }

    /// A request for a page is sent.
    pub(super) fn count_across(&mut self, page: PageId) {
        let url = self.pages.url(page);
        let Some(across) = &mut self.across else { return };
        across.sent(url);
        for lane in across.spent_lanes(url) {
            self.close_lane(lane, Objection::DomainSpent);
        }
    }

    /// Takes in what an answer taught of where wanted files are, and what was found.
    pub(super) fn settle_across(&mut self, page: PageId, observation: &Observation) {
        let is_over = observation.purpose != Purpose::Robots && self.pages.get(page).state == PageState::Visited;
        if is_over {
            self.count_answer(page, observation);
        }
        self.settle_found(Some(page).filter(|_| is_over));
        let host = self.host_of(page);
        let Some(lane) = self.across.as_mut().and_then(|across| across.touch(host)) else { return };
        match self.hosts.is_silent(host) {
            true => self.close_lane(lane, Objection::HostSilent),
            false => self.look_at(lane),
        }
    }

    fn count_answer(&mut self, page: PageId, observation: &Observation) {
        let is_file = matches!(observation.outcome, Outcome::Body { .. } | Outcome::NotModified);
        let wanted = |media_type: &str| self.settings.media.want(media_type);
        let is_wanted = is_file && observation.real_media_type().is_some_and(wanted);
        let Some(across) = &mut self.across else { return };
        let url = self.pages.url(page);
        across.answered(url, is_wanted, observation.bytes, observation.answered);
        across.learned(page, is_wanted);
        if let Some(Credit { from, nth, gain }) = across.credits.settle(page) {
            let found = crate::policy::focused::leads::Gain { wanted: f32::from(u8::from(is_wanted)), ..gain };
            across.leads.correct(self.pages.url(from), nth, found.files() - gain.files());
        }
        for lane in across.spent_lanes(url) {
            self.close_lane(lane, Objection::DomainSpent);
        }
    }

    /// What was found goes to its hosts. The visit that found it is credited with what it is likely to bring.
    fn settle_found(&mut self, visit: Option<PageId>) {
        let Some(mut across) = self.across.take() else { return };
        let fresh = across.take_fresh();
        let guesses: Vec<MediaGuess> = fresh.iter().map(|candidate| self.judged(candidate).guess).collect();
        let gains: Vec<_> = fresh
            .iter()
            .zip(&guesses)
            .map(|(candidate, guess)| across.leads.sure_gain(&candidate.url, *guess))
            .collect();
        let nth =
            visit.map(|visit| across.leads.note(self.pages.url(visit), gains.iter().map(|gain| gain.files()).sum()));
        let mut lanes = BTreeSet::new();
        for ((mut candidate, guess), gain) in fresh.into_iter().zip(guesses).zip(gains) {
            if candidate.from != NOBODY {
                candidate.nth = across.harvest.found(guess.wanted());
            }
            candidate.credit = visit.zip(nth).map(|(from, nth)| Credit { from, nth, gain });
            match across.lane_of(&candidate.url) {
                Ok(lane) => {
                    across.enter(lane, candidate, guess);
                    lanes.insert(lane);
                }
                Err(objection) => self.exclusions.add(objection, &candidate.url),
            }
        }
        self.across = Some(across);
        lanes.into_iter().for_each(|lane| self.look_at(lane));
    }

    /// Makes sure that the best of a lane is worth a request, by what is known now.
    fn look_at(&mut self, lane: u32) {
        let Some(mut across) = self.across.take() else { return };
        let refused = across.look_again(lane, |candidate| self.judged(candidate));
        for (mut candidate, refusal) in refused {
            match refusal {
                Refusal::Forbidden(rule) if candidate.is_doubtful => self.exclude_url_by_rule(&candidate.url, rule),
                Refusal::Unlikely if candidate.is_doubtful => {
                    self.exclusions.add(Objection::UnwantedMedia, &candidate.url);
                }
                // It is looked at once more when nothing better is left there, by who knows more then.
                Refusal::Unlikely | Refusal::Forbidden(_) => {
                    candidate.is_doubtful = true;
                    let guess = self.judged(&candidate).guess;
                    across.enter(lane, candidate, guess);
                }
            }
        }
        self.across = Some(across);
    }

    /// What is thought of a candidate now, and whether that is too little for a request. What lists pages is asked for.
    fn judged(&self, candidate: &Candidate) -> Judged {
        let media = MediaFilter { rules: &self.settings.media, model: self.knowledge.media() };
        let (guess, refusal) = media.judge(&candidate.url, candidate.mention);
        if matches!(candidate.kind, LinkKind::Sitemap | LinkKind::Feed) {
            return Judged { guess: guess.that_leads_on(), refusal: None };
        }
        let is_tried = |refusal: Refusal| self.trials.is_worth_a_try(&candidate.url, guess, refusal);
        let refusal = refusal.filter(|refusal| !self.settings.media.is_empty() && !is_tried(*refusal));
        Judged { guess, refusal }
    }

    /// Nothing more is asked for at a host.
    fn close_lane(&mut self, lane: u32, objection: Objection) {
        let Some(across) = &mut self.across else { return };
        let left_out = across.close(lane);
        self.exclusions.add_many(objection, left_out.count as u64, &left_out.sample);
    }

    /// No host can be asked now: until when.
    pub(super) fn wait_across(&mut self, now: Time) -> Step {
        let steady = self.steady(now);
        let Some(across) = &self.across else { return Step::Done };
        let first = across.first_wait();
        let nothing_else = self.in_flight == 0 && self.retries.is_empty() && !self.hosts.has_parked();
        if let Some((until, lane)) = first.filter(|(until, _)| nothing_else && *until - steady > PAUSE_TOLERATED) {
            let detail = format!("{} asked for a pause of {}", across.name(lane), until - steady);
            self.close_lane(lane, Objection::HostPause);
            self.exclusions.explain(Objection::HostPause, &detail);
            return self.next(now);
        }
        let awaits_more = across.awaits_more();
        match self.wait(Consult::Nothing, first.map(|(until, _)| until + self.clock_ahead), now) {
            Step::Done if awaits_more => Step::Idle,
            Step::Done if self.try_doubtful() => self.next(now),
            Step::WaitUntil(until) if first.is_some_and(|(first, _)| first + self.clock_ahead == until) => {
                self.waiting_at = first.and_then(|(_, lane)| self.across.as_ref()?.host(lane));
                if let Some(host) = self.waiting_at {
                    self.waiting_for = self.hosts.host(host).pace.why();
                }
                Step::WaitUntil(until)
            }
            step => step,
        }
    }

    /// Nothing is left but what was thought not to be worth a request: whether some of it is, as is known now.
    fn try_doubtful(&mut self) -> bool {
        while let Some(lane) = self.across.as_ref().and_then(|across| across.lane_with_doubtful()) {
            self.look_at(lane);
            if self.across.as_ref().is_some_and(|across| across.best_url(lane).is_some()) {
                return true;
            }
        }
        false
    }
}
