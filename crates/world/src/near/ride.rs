//! One capture of a tested version through the crawler's own scheduler, which knows the pages of the version before.

use super::{Births, Judged, Passage, Passed, SkipExperiment};
use crate::simulate::{Answers, simulate_surely};
use std::{
    collections::{BTreeMap, BTreeSet},
    convert::Infallible,
};
use tintype_learn::{
    directory::{DirectoryId, Memory},
    knowledge::Knowledge,
};
use tintype_plan::{Policy, Scheduler, ScopeRule, SeedError, Settings, Skipped};
use tintype_quality::Fate;
use tintype_vocab::{Change, Observation, Outcome, PageId, Purpose, Request, SiteId, Span, Time};

/// The site is as it is in one version however long the capture takes, so it may as well be quick.
const SLOT: Span = Span::from_millis(1);

/// What a capture saved and lost, and what it said about that itself.
#[derive(Clone, Debug)]
pub struct Ridden {
    pub judged: Judged,
    pub said: Option<Skipped>,
}

impl SkipExperiment<'_> {
    /// Captures the version of a test by a policy that remembers the versions before it; `loss` is what it may lose, if
    /// somebody says so.
    pub fn ride(
        &self,
        test: usize,
        origin: &str,
        memory: Memory,
        policy: Box<dyn Policy>,
        loss: Option<f64>,
    ) -> Result<Ridden, SeedError> {
        let version = self.windows.tested(test);
        self.ride_into(version, &self.passages[test], origin, memory, (policy, loss)).map(|(ridden, _)| ridden)
    }

    /// Captures a version, of which `passage` says what became of every page since it was last seen. Also says which pages
    /// were asked for.
    pub(super) fn ride_into(
        &self,
        version: usize,
        passage: &Passage,
        origin: &str,
        memory: Memory,
        (policy, loss): (Box<dyn Policy>, Option<f64>),
    ) -> Result<(Ridden, BTreeSet<u32>), SeedError> {
        let origin = origin.trim_end_matches('/');
        let pages = &passage.pages;
        let held = || pages.iter().enumerate().filter(|(_, page)| page.fate != Fate::Inserted);
        let shortest = held().map(|(_, page)| self.versions.history.path(page.page)).min_by_key(|path| path.len());
        let mut settings = Settings::new(SiteId(0), vec![format!("{origin}{}", shortest.unwrap_or("/"))]);
        settings.delay = Some(SLOT);
        settings.loss = loss;
        // Nobody offers a sitemap here, and asking for one would cost a slot.
        settings.scope = ScopeRule::Prefix;
        let mut knowledge = Knowledge::default();
        knowledge.remember_directories(memory);
        let mut scheduler = Scheduler::assemble(settings, policy, knowledge)?;
        let now = self.versions.time(version);
        let mut ride = Ride {
            experiment: self,
            pages,
            origin,
            known: BTreeMap::new(),
            asked: BTreeSet::new(),
            births: BTreeMap::new(),
        };
        held().for_each(|(place, _)| ride.announce(&mut scheduler, place, now));
        ride.await_births(&mut scheduler, now);
        simulate_surely(&mut scheduler, &mut ride, now);
        let judged = passage.judge(self.births, |page| ride.asked.contains(&page.page));
        Ok((Ridden { judged, said: scheduler.skipped() }, ride.asked))
    }
}

impl Ridden {
    /// Whether it lost as much as it said it would nine times out of ten; nothing if it said nothing.
    pub fn is_within(&self) -> Option<bool> {
        let [from, to] = self.said.as_ref()?.lost_between?;
        Some((from..=to).contains(&self.judged.bypass.changes_lost()))
    }
}

/// A capture under way.
struct Ride<'e> {
    experiment: &'e SkipExperiment<'e>,
    pages: &'e [Passed],
    origin: &'e str,
    /// Places in `pages` of what the scheduler knows. Several paths may be one page to it.
    known: BTreeMap<PageId, Vec<usize>>,
    /// Numbers of the pages that were asked for.
    asked: BTreeSet<u32>,
    /// New pages, by the directory they are found in.
    births: BTreeMap<DirectoryId, Vec<usize>>,
}

impl Ride<'_> {
    fn announce(&mut self, scheduler: &mut Scheduler, place: usize, now: Time) {
        let url = format!("{}{}", self.origin, self.experiment.versions.history.path(self.pages[place].page));
        if let Some(page) = scheduler.announce(&url, now) {
            self.known.entry(page).or_default().push(place);
        }
    }

    /// New pages that need no looking are known at once, the others later.
    fn await_births(&mut self, scheduler: &mut Scheduler, now: Time) {
        for (place, page) in self.pages.iter().enumerate().filter(|(_, page)| page.fate == Fate::Inserted) {
            match page.found_in.filter(|_| self.experiment.births == Births::LookedInto) {
                Some(directory) => self.births.entry(directory).or_default().push(place),
                None => self.announce(scheduler, place, now),
            }
        }
    }

    /// Places of the pages that a request asks for.
    fn places(&self, request: &Request) -> &[usize] {
        let places = self.known.get(&request.page).filter(|_| request.purpose != Purpose::Robots);
        places.map_or(&[], Vec::as_slice)
    }

    /// A page was asked for; so its directory was looked into.
    fn look(&mut self, scheduler: &mut Scheduler, place: usize, now: Time) {
        let page = self.pages[place];
        self.asked.insert(page.page);
        if page.fate != Fate::Inserted {
            let births = self.births.remove(&page.directory).unwrap_or_default();
            births.into_iter().for_each(|place| self.announce(scheduler, place, now));
        }
    }
}

impl Answers for Ride<'_> {
    type Error = Infallible;

    fn answer(&mut self, _: &mut Scheduler, request: &Request, now: Time) -> Result<Observation, Infallible> {
        let mut observation = Observation::of(request, now, now, Outcome::Gone { status: 404 });
        let page = self.places(request).first().map(|place| &self.pages[*place]);
        if let Some(page) = page.filter(|page| page.fate.is_there()) {
            observation.outcome = Outcome::Body { status: 200 };
            observation.change = match page.fate {
                Fate::Inserted => Change::First,
                // Here every change counts, however small: so it is judged, and so the memory was told.
                Fate::Modified => Change::New { importance: page.importance.max(Change::IMPORTANCE_MIN) },
                Fate::Unchanged | Fate::Deleted => Change::Same,
            };
        }
        Ok(observation)
    }

    fn settled(&mut self, scheduler: &mut Scheduler, request: &Request, observation: Observation) {
        for place in self.places(request).to_vec() {
            self.look(scheduler, place, observation.asked);
        }
    }
}
