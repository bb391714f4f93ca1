//! A game under way: the scheduler asks, a level of fidelity answers, the clock jumps to the next slot.

use crate::{
    Discovery, EventKind, Played, Simulation, SimulationError, VisitEnd, Visited, WarmUp, WatchedPage, WatchedPages,
    machine::sitemap::{self, SitemapFile},
    passes,
    simulate::{Answers, simulate},
};
use hashbrown::HashMap;
use tintype_plan::{Mode, Scheduler, Settings, policy::Policy};
use tintype_vocab::{Change, Decision, Observation, PageId, PageUrl, Purpose, Request, SiteId, Span, Time};

/// Where observations come from: made up from the events, or by the archive from the bytes.
pub(crate) trait Fidelity {
    fn answer(&mut self, stage: &mut Simulation<'_>, asked: &Asked<'_>) -> Result<Observation, SimulationError>;
}

/// A request, and what is there to answer it.
#[derive(Debug)]
pub(crate) struct Asked<'r> {
    pub(crate) request: &'r Request,
    /// Nothing for what is held from the outset.
    pub(crate) decision: Option<&'r Decision>,
    pub(crate) there: There,
    pub(crate) now: Time,
}

/// What answers a request.
#[derive(Debug)]
pub(crate) enum There {
    Nothing,
    /// The page that is there with a slash more or less at the end.
    Elsewhere(String),
    /// The event whose version is alive.
    Row(u32),
    /// The site's robots.txt: the recorded one, or one that names its sitemap.
    Rules(String),
    Sitemap(SitemapFile),
}

/// A history that answers with one level of fidelity, slot by slot.
pub(crate) struct Run<'s, 'a, F> {
    stage: &'s mut Simulation<'a>,
    fidelity: &'s mut F,
    /// The slots to come.
    slots: Box<dyn Iterator<Item = Time>>,
    /// The history's page behind a page of the scheduler.
    pages: HashMap<PageId, Option<u32>>,
    /// Pages that are asked for under another URL than their path in the history makes: `/caf%C3%A9` is `/café` there.
    rewritten: HashMap<String, u32>,
    /// The next event that may be an announcement.
    next_event: usize,
    /// Whether the last request was one that counts, so that its slot is spent.
    is_slot_spent: bool,
    played: Played,
}

impl<'s, 'a, F: Fidelity> Run<'s, 'a, F> {
    /// Lets a policy play from the first slot to the last.
    pub(crate) fn play(
        stage: &'s mut Simulation<'a>,
        policy: Box<dyn Policy>,
        fidelity: &'s mut F,
    ) -> Result<Played, SimulationError> {
        let mut scheduler = scheduler(stage, policy)?;
        let from = stage.game.from;
        let next_event = stage.history.events().partition_point(|event| event.at <= from);
        let slots: Box<dyn Iterator<Item = Time>> = match stage.in_passes {
            true => Box::new(passes::moments(stage.history, &stage.game).into_iter()),
            false => Box::new(stage.game.slots()),
        };
        let (pages, rewritten, played) = (HashMap::new(), rewritten(stage), Played::default());
        let mut run = Run { stage, fidelity, slots, pages, rewritten, next_event, is_slot_spent: false, played };
        run.warm_up(&mut scheduler)?;
        run.seed_initial(&mut scheduler, from)?;
        if let Some(first) = run.slots.next() {
            simulate(&mut scheduler, &mut run, first)?;
        }
        run.note_watched(&scheduler, Time::MAX);
        Ok(run.played)
    }

    /// The visits before the game.
    fn warm_up(&mut self, scheduler: &mut Scheduler) -> Result<(), SimulationError> {
        let Some(WarmUp { since, every }) = self.stage.rehearsal else { return Ok(()) };
        let mut now = since;
        while now < self.stage.game.from {
            self.seed_initial(scheduler, now)?;
            now += every.max(Span::from_secs(1));
        }
        Ok(())
    }

    /// What is there is held: as if every page had just been visited.
    fn seed_initial(&mut self, scheduler: &mut Scheduler, now: Time) -> Result<(), SimulationError> {
        for page in 0..self.stage.history.pages() as u32 {
            let Some(row) = self.stage.history.alive(page, now) else { continue };
            let Some(id) = self.known(scheduler, page, now) else { continue };
            let request = Request {
                site: SiteId(0),
                page: id,
                url: scheduler.pages().url(id).to_owned(),
                purpose: Purpose::Visit,
                attempt: 0,
                rate: scheduler.pages().get(id).rate,
            };
            let asked = Asked { request: &request, decision: None, there: There::Row(row), now };
            let observation = self.fidelity.answer(self.stage, &asked)?;
            scheduler.settle(&observation);
        }
        Ok(())
    }

    /// Makes a page of the history known to the scheduler.
    fn known(&mut self, scheduler: &mut Scheduler, page: u32, now: Time) -> Option<PageId> {
        let url = format!("{}{}", self.stage.origin, self.stage.history.path(page));
        let id = scheduler.announce(&url, now)?;
        scheduler.reveal_rate(id, self.stage.true_rates[page as usize]);
        self.pages.entry(id).or_insert(Some(page));
        Some(id)
    }

    /// The moments up to now at which it is to be noted what is watched.
    fn note_watched(&mut self, scheduler: &Scheduler, now: Time) {
        while let Some(&at) = self.stage.moments.get(self.played.watched.len()).filter(|at| **at <= now) {
            let believed = |page: PageId| {
                let watched =
                    WatchedPage { heard_of: scheduler.heard_of(page), foretold: scheduler.foretold(page, at) };
                Some((self.pages.get(&page).copied()??, watched))
            };
            let (pages, tested) =
                (scheduler.watched().filter_map(believed).collect(), scheduler.tested_days().collect());
            self.played.watched.push(WatchedPages { at, pages, tested });
        }
    }

    fn note(&mut self, page: Option<u32>, is_signal: bool, observation: &Observation) {
        let ended = match observation.change {
            Change::First | Change::New { .. } => VisitEnd::New,
            Change::Same => VisitEnd::Same,
            Change::Unknown => VisitEnd::Gone,
        };
        let url = &observation.url;
        let asked = url.strip_prefix(&self.stage.origin).unwrap_or(url);
        let path = page.map_or(asked, |page| self.stage.history.path(page)).to_owned();
        self.played.bytes += observation.bytes;
        self.played.visits.push(Visited { at: observation.asked, page, is_signal, path, ended });
    }

    /// What answers a request now, and the page of the history it is, if it is one.
    fn there(
        &mut self,
        scheduler: &mut Scheduler,
        request: &Request,
        now: Time,
    ) -> Result<(Option<u32>, There), SimulationError> {
        // Links lead to what a recorded robots.txt forbids; sites that announce their pages announce no dead ones.
        if request.purpose == Purpose::Robots
            && self.stage.game.discovery == Discovery::Links
            && let Some(rules) = self.stage.reader.rules(now)?
        {
            return Ok((None, There::Rules(rules)));
        }
        let Simulation { history, origin, game, .. } = &*self.stage;
        if let Some(sitemap) = game.sitemap {
            if request.purpose == Purpose::Robots {
                return Ok((None, There::Rules(sitemap::robots(origin))));
            }
            let target = request.url.strip_prefix(origin.as_str());
            if let Some(file) = target.and_then(|target| sitemap.read(history, target, now)) {
                return Ok((None, There::Sitemap(file)));
            }
        }
        let page = if request.purpose == Purpose::Robots { None } else { self.page(scheduler, request) };
        let row = page.and_then(|page| self.stage.history.alive(page, now));
        let elsewhere = || self.stage.history.respelled(request.url.strip_prefix(&self.stage.origin)?, now);
        let there = match (row, page) {
            (Some(row), _) => There::Row(row),
            (None, None) => {
                elsewhere().map_or(There::Nothing, |path| There::Elsewhere(format!("{}{path}", self.stage.origin)))
            }
            (None, Some(_)) => There::Nothing,
        };
        Ok((page, there))
    }

    fn page(&mut self, scheduler: &mut Scheduler, request: &Request) -> Option<u32> {
        let Simulation { history, origin, true_rates, .. } = &*self.stage;
        let rewritten = &self.rewritten;
        *self.pages.entry(request.page).or_insert_with(|| {
            let as_written = || history.find(request.url.strip_prefix(origin.as_str())?);
            let page = rewritten.get(&request.url).copied().or_else(as_written)?;
            scheduler.reveal_rate(request.page, true_rates[page as usize]);
            Some(page)
        })
    }
}

fn rewritten(stage: &Simulation<'_>) -> HashMap<String, u32> {
    let url = |page: u32| format!("{}{}", stage.origin, stage.history.path(page));
    let urls = (0..stage.history.pages() as u32).map(|page| (page, url(page)));
    let normal = urls.map(|(page, url)| (page, PageUrl::new(&url).to_string(), url));
    normal.filter(|(_, normal, url)| normal != url).map(|(page, normal, _)| (normal, page)).collect()
}

impl<F: Fidelity> Answers for Run<'_, '_, F> {
    type Error = SimulationError;

    /// Tells of the pages born since the last slot.
    fn arrive(&mut self, scheduler: &mut Scheduler, now: Time) {
        self.note_watched(scheduler, now);
        if self.stage.game.discovery == Discovery::Links {
            return;
        }
        while let Some(event) = self.stage.history.events().get(self.next_event).filter(|event| event.at <= now) {
            let (page, kind, at) = (event.page, event.kind, event.at);
            self.next_event += 1;
            if kind == EventKind::Added {
                self.known(scheduler, page, at);
            }
        }
    }

    /// Asking for rules costs no slot; nor does looking for a sitemap where the site announces its pages without one.
    fn answer(
        &mut self,
        scheduler: &mut Scheduler,
        request: &Request,
        now: Time,
    ) -> Result<Observation, SimulationError> {
        let (page, there) = self.there(scheduler, request, now)?;
        let is_signal = matches!(there, There::Sitemap(_));
        self.is_slot_spent = match request.purpose {
            Purpose::Visit | Purpose::Revisit => true,
            Purpose::Probe => page.is_some() || is_signal || self.stage.game.discovery == Discovery::Links,
            Purpose::Robots => false,
        };
        let asked = Asked { request, decision: scheduler.last_decision(), there, now };
        let observation = self.fidelity.answer(self.stage, &asked)?;
        if self.is_slot_spent {
            self.note(page, is_signal, &observation);
        }
        Ok(observation)
    }

    fn after_visit(&mut self, answered: Time) -> Option<Time> {
        if self.is_slot_spent { self.slots.next() } else { Some(answered) }
    }

    /// A policy that waits lets the slot pass.
    fn after_wait(&mut self, _: Option<Time>) -> Option<Time> {
        self.slots.next()
    }
}

fn scheduler(stage: &Simulation<'_>, policy: Box<dyn Policy>) -> Result<Scheduler, SimulationError> {
    let from = stage.game.from;
    let there = |page: u32| stage.history.alive(page, from).is_some();
    // The shortest path is the entrance, or nearly.
    let entrance = (0..stage.history.pages() as u32).filter(|page| there(*page));
    let entrance = entrance.min_by_key(|page| stage.history.path(*page).len()).ok_or(SimulationError::Empty)?;
    let seed = format!("{}{}", stage.origin, stage.history.path(entrance));
    let mut settings = Settings::new(SiteId(0), vec![seed]);
    // No server is disturbed in a simulation: the budget alone sets the pace.
    settings.delay = Some(Span::ZERO);
    // Who looks for pages by their links is told of none that came back, and asks again as one that keeps a site does.
    settings.mode = match stage.game.discovery {
        Discovery::Announced => Mode::Continual { every: Span::ZERO },
        Discovery::Links => Mode::Kept,
    };
    settings.run_seed = stage.game.run_seed;
    Ok(Scheduler::with_policy(settings, policy)?)
}
