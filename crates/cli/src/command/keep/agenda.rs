//! What is kept, when each of it begins and ends, and what is said of it.

use super::{
    Kept, Options,
    site::{KeptSite, Phase, Stretch},
    source::Source,
    tell,
};
use crate::out::mention;
use crate::{
    command::capture,
    failure,
    opener::Opener,
    screen::Screen,
    settings::{self, Typed},
    summary::CaptureSummary,
};
use std::{collections::BTreeMap, process::ExitCode};
use tintype_archive::CaptureId;
use tintype_live::{Agenda, Begin, CrawlEvent, Ended, Next, clock};
use tintype_plan::{DayBudget, Pause, SiteTerms, deadline::most_urgent};
use tintype_vocab::{Observation, Outcome, Purpose, Span, Time};

/// What a number of the crawl stands for.
#[derive(Clone, Copy)]
enum Item {
    Site(usize),
    Source(usize),
}

struct Running {
    item: Item,
    capture: CaptureId,
    began: Time,
}

pub(super) struct KeepAgenda<'a> {
    options: &'a Options,
    opener: Opener<'a>,
    sites: Vec<KeptSite>,
    sources: Vec<Source>,
    /// Sources that were crawled by a run that crawls each once.
    crawled: Vec<bool>,
    /// As it was when the run began, and what was asked since.
    budget: Option<DayBudget>,
    running: BTreeMap<usize, Running>,
    /// Numbers given so far.
    numbers: usize,
    screen: Screen,
    told: tell::Told,
    /// When the run is to end.
    end: Option<Time>,
    /// It is ending: sites under way are told to stop.
    ending: bool,
    /// Nothing is due before, unless something ends.
    quiet_until: Option<Time>,
    all_well: bool,
    /// What was typed and is to be written to the file.
    pub(super) save: Option<Typed>,
    /// Something was typed that counts for this run only, unless it is saved.
    pub(super) has_typed: bool,
}

impl<'a> KeepAgenda<'a> {
    pub(super) fn new(
        options: &'a Options,
        kept: Kept,
        opener: Opener<'a>,
        budget: Option<DayBudget>,
        now: Time,
        listener: tell::Listener,
    ) -> KeepAgenda<'a> {
        let Kept { sites, sources, .. } = kept;
        KeepAgenda {
            options,
            opener,
            crawled: vec![false; sources.len()],
            sites,
            sources,
            budget,
            running: BTreeMap::new(),
            numbers: 0,
            screen: Screen::new(true),
            told: tell::Told::new(listener),
            end: options.lasting.map(|lasting| now + lasting),
            ending: false,
            quiet_until: None,
            all_well: true,
            save: None,
            has_typed: false,
        }
    }

    /// What the run is about to do, and by which settings.
    pub(super) fn tell_plan(&self) {
        let policy = self.options.policy.as_deref().unwrap_or(tintype_plan::policy::CONTINUAL_DEFAULT);
        self.told.plan(self.sites.len(), self.sources.len(), self.budget.as_ref(), policy);
        self.told.settings(&self.sites);
    }

    pub(super) fn over(self) -> ExitCode {
        self.opener.relearn();
        let due = self.sources.iter().map(|source| (source.due, source.config.name.as_str())).min();
        self.told.over(due.filter(|_| !self.options.once && self.sites.is_empty()));
        if self.all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    fn begin_site(&mut self, nth: usize, now: Time) -> anyhow::Result<Begin> {
        let (stretch, wanted, terms) = self.sites[nth].next(now);
        let (session, capture) = self.opener.open(&wanted, false)?;
        let number = self.enter(Item::Site(nth), capture.id(), session.name(), now);
        self.sites[nth].phase = Phase::UnderWay { number, stretch };
        self.told.begins(session.name(), stretch, session.watched());
        Ok(Begin { number, session, capture, terms })
    }

    fn begin_source(&mut self, nth: usize, now: Time) -> anyhow::Result<Begin> {
        self.crawled[nth] = true;
        let (session, capture) = self.sources[nth].begin(&self.opener, self.options.once)?;
        let number = self.enter(Item::Source(nth), capture.id(), session.name(), now);
        Ok(Begin { number, session, capture, terms: SiteTerms { at_once: true, ..SiteTerms::default() } })
    }

    fn enter(&mut self, item: Item, capture: &CaptureId, name: &str, began: Time) -> usize {
        let number = self.numbers;
        self.numbers += 1;
        self.screen.begin(number, name, None);
        self.running.insert(number, Running { item, capture: capture.clone(), began });
        number
    }

    /// A site whose time has come.
    fn due_site(&mut self, now: Time) -> Option<Next> {
        for nth in 0..self.sites.len() {
            let phase = self.sites[nth].phase;
            match phase {
                Phase::Due(at) if at <= now => match self.begin_site(nth, now) {
                    Ok(begin) => return Some(Next::Begin(Box::new(begin))),
                    Err(error) => self.fail(nth, &error, now),
                },
                // A whole is due: watching goes on after it.
                Phase::UnderWay { number, stretch: Stretch::Watch }
                    if self.sites[nth].capture_due().is_some_and(|due| due <= now) =>
                {
                    self.sites[nth].phase = Phase::UnderWay { number, stretch: Stretch::Capture };
                    return Some(Next::End(number));
                }
                // Watching begins anew every day, so that whoever opens the site next reads the log of a day at most.
                Phase::UnderWay { number, stretch: Stretch::Watch } if self.is_of_another_day(number, now) => {
                    return Some(Next::End(number));
                }
                Phase::Due(_) | Phase::UnderWay { .. } => {}
            }
        }
        None
    }

    /// Whether midnight has passed since a stretch began, or since this was asked last.
    fn is_of_another_day(&mut self, number: usize, now: Time) -> bool {
        let Some(running) = self.running.get_mut(&number) else { return false };
        std::mem::replace(&mut running.began, now) < now.midnight()
    }

    fn fail(&mut self, nth: usize, error: &anyhow::Error, now: Time) {
        self.all_well = false;
        let stretch = Stretch::Watch;
        self.sites[nth].ended(stretch, now, None, true, now);
        let site = &self.sites[nth];
        self.told.failed(site.name(), &failure::sentence(error), &site.phase);
        if self.options.once {
            self.sites[nth].phase = Phase::Due(Time::MAX);
        }
    }

    /// Of the sources that are due the one for which a request does most, if it can be afforded. If it cannot, the others
    /// wait with it: would they go first, a long listing might never be crawled.
    fn due_source(&mut self, now: Time) -> Option<Next> {
        let is_due = |nth: &usize| {
            let source = &self.sources[*nth];
            let wanted = if self.options.once { !self.crawled[*nth] } else { source.due <= now };
            wanted && source.under_way.is_none()
        };
        let due: Vec<usize> = (0..self.sources.len()).filter(is_due).collect();
        let per_day = self.budget.and_then(|budget| budget.per_day().requests);
        let waiting: Vec<_> =
            due.iter().map(|nth| self.sources[*nth].waiting(per_day.unwrap_or(u64::MAX), now)).collect();
        let first = due[most_urgent(&waiting, now, u64::MAX)?];
        if let Some(short) = self.shortfall(first, now) {
            self.put_off(&due, first, &short);
            return None;
        }
        match self.begin_source(first, now) {
            Ok(begin) => Some(Next::Begin(Box::new(begin))),
            Err(error) => {
                self.all_well = false;
                self.sources[first].put_off(now);
                let source = &self.sources[first];
                self.told.failed(&source.config.name, &failure::sentence(&error), &Phase::Due(source.due));
                None
            }
        }
    }

    /// Whether a source cannot be afforded today.
    fn shortfall(&mut self, nth: usize, now: Time) -> Option<tell::Shortfall> {
        let budget = self.budget.as_mut()?;
        budget.next_slot(now);
        let (left, per_day) = (budget.requests_left()?, budget.per_day().requests?);
        let needed = self.sources[nth].needed(per_day);
        (u64::from(needed) > left).then(|| tell::Shortfall { left, needed, at: budget.next_day() })
    }

    /// Sources wait for the next day's requests.
    fn put_off(&mut self, due: &[usize], first: usize, short: &tell::Shortfall) {
        let name = |nth: usize| self.sources[nth].config.name.as_str();
        self.told.waits(name(first), short, None);
        if self.options.once {
            due.iter()
                .filter(|nth| **nth != first)
                .for_each(|nth| self.told.waits(name(*nth), short, Some(name(first))));
        }
        for nth in due {
            self.sources[*nth].due = short.at;
            self.crawled[*nth] = true;
        }
    }

    /// When something may be due next.
    fn next_due(&self, now: Time) -> Option<Time> {
        let tomorrow = now.midnight() + Span::from_days(1);
        let sites = self.sites.iter().filter_map(|site| match site.phase {
            Phase::Due(at) => Some(at),
            Phase::UnderWay { stretch: Stretch::Watch, .. } => site.capture_due().into_iter().chain([tomorrow]).min(),
            Phase::UnderWay { .. } => None,
        });
        let idle = self.sources.iter().filter(|source| source.under_way.is_none() && !self.options.once);
        sites.chain(idle.map(|source| source.due)).chain(self.end).filter(|at| *at < Time::MAX).min()
    }

    /// Sites under way are told to stop, one after the other.
    fn stop_next(&mut self) -> Next {
        for site in &mut self.sites {
            if let Phase::UnderWay { number, .. } = site.phase {
                site.phase = Phase::Due(Time::MAX);
                return Next::End(number);
            }
        }
        Next::WhenOneEnds
    }

    /// The first page of a site in this run: now it is known to be one.
    fn answered(&mut self, nth: usize) {
        let site = &mut self.sites[nth];
        let is_named = !self.options.urls.is_empty() || self.options.choice.has_urls();
        if std::mem::replace(&mut site.has_answered, true) || !is_named && self.save.is_none() {
            return;
        }
        match settings::remember(self.opener.collection().path(), site.section(), self.save.as_ref()) {
            Ok(is_new) => self.told.remembered(site.name(), is_new && self.has_typed && self.save.is_none()),
            Err(error) => {
                mention!("warning: {} is not kept in tintype.toml: {}", site.name(), failure::sentence(&error));
            }
        }
    }

    fn end_site(&mut self, nth: usize, running: &Running, summary: &CaptureSummary) {
        let now = clock::now();
        let stretch = match self.sites[nth].phase {
            Phase::UnderWay { stretch, .. } => stretch,
            Phase::Due(_) => Stretch::Watch,
        };
        // Watching that made room for a whole was no whole.
        let stretch = if summary.ending.is_none() { Stretch::Watch } else { stretch };
        // What has not answered once was not captured, whatever its robots.txt kept from being asked.
        let empty = stretch == Stretch::Capture && summary.tally.pages == 0;
        let failed = summary.error.is_some() || empty;
        self.all_well &= !failed;
        self.sites[nth].ended(stretch, running.began, summary.ending, failed, now);
        if self.options.once && self.sites[nth].phase != Phase::Due(now) {
            self.sites[nth].phase = Phase::Due(Time::MAX);
        }
        self.told.stretch_over(summary, stretch, &self.sites[nth].phase, self.ending);
    }
}

impl Agenda for KeepAgenda<'_> {
    fn next(&mut self, now: Time, _: usize) -> Next {
        self.ending |= self.end.is_some_and(|end| end <= now);
        self.ending |= self.options.once && self.sources.is_empty() && self.budget.is_some_and(|day| day.is_spent());
        if self.ending {
            return self.stop_next();
        }
        if self.quiet_until.is_some_and(|until| now < until) {
            return self.quiet_until.map_or(Next::WhenOneEnds, Next::At);
        }
        if let Some(next) = self.due_source(now).or_else(|| self.due_site(now)) {
            return next;
        }
        self.quiet_until = self.next_due(now).filter(|due| *due > now);
        self.quiet_until.map_or(Next::WhenOneEnds, Next::At)
    }

    fn event(&mut self, number: usize, event: CrawlEvent<'_>) {
        self.screen.show(number, &event);
        if let CrawlEvent::Reported { observation, .. } = &event
            && observation.purpose != Purpose::Robots
            && matches!(observation.outcome, Outcome::Body { .. } | Outcome::NotModified)
            && let Some(Item::Site(nth)) = self.running.get(&number).map(|running| running.item)
        {
            self.answered(nth);
        }
        let site = match self.running.get(&number).map(|running| &running.item) {
            Some(Item::Site(nth)) => Some(self.sites[*nth].name()),
            _ => None,
        };
        match (event, site) {
            (CrawlEvent::Reported { observation, .. }, site) => {
                spend(&mut self.budget, observation);
                site.into_iter().for_each(|site| self.told.visit(site, observation));
            }
            (CrawlEvent::Upheaval(upheaval), Some(site)) => self.told.upheaval(site, upheaval),
            _ => {}
        }
    }

    /// A run that spends today's budget ends when it is spent, or when nothing is worth a request.
    fn paused(&mut self, until: Time, why: Pause) -> bool {
        self.told.paused(until, why);
        let ends = self.options.once && why != Pause::Sites && !self.ending;
        self.ending |= ends;
        ends
    }

    fn ended(&mut self, number: usize, ended: Ended) {
        self.quiet_until = None;
        let Some(running) = self.running.remove(&number) else { return };
        let (tally, took) = self.screen.end(number);
        let summary = capture::summary(self.opener.collection(), &running.capture, ended, tally, took);
        match running.item {
            Item::Site(nth) => self.end_site(nth, &running, &summary),
            Item::Source(nth) => match self.sources[nth].end(self.options, &self.opener, &summary) {
                Ok(learned) => self.all_well &= learned,
                Err(error) => {
                    self.all_well = false;
                    self.sources[nth].put_off(clock::now());
                    mention!("error: {}", failure::sentence(&error));
                }
            },
        }
    }
}

/// The agenda's own account, for sources that must be afforded as a whole.
fn spend(budget: &mut Option<DayBudget>, seen: &Observation) {
    if let Some(budget) = budget.as_mut().filter(|_| seen.purpose != Purpose::Robots) {
        budget.spend_request(seen.asked);
        budget.spend_bytes(seen.bytes, seen.asked);
    }
}
