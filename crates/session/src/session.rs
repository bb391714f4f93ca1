//! The session: opened from a collection, driven by `live` or `world`.

use crate::{
    CollectionKnowledge, Error, Offered, Warning, activity,
    building::{BuildVerdict, BuildsUnderWay},
    directories::{CachedDirectories, is_held},
    gains::CachedGains,
    keeping, known_pages,
    media::{CachedMedia, MediaModel},
    order, outside, recalled,
    saved::{self, Saved},
};
use serde_json::Value;
use std::{collections::VecDeque, ops::ControlFlow, sync::Arc};
use tintype_archive::{
    Capture, CaptureHead, CaptureId, CaptureKind, Collection, Entries, KnownPage, PageHistory, PageOrder,
    ResumedCapture, Retention,
};
use tintype_learn::{directory::Memory, knowledge::Knowledge, rendering::RenderGains};
use tintype_plan::{
    Bid, Ending, Mode, Objection, Progress, RenderMode, Scheduler, Settings, SharedHosts, Step, Wait, WishAnswer,
    policy,
};
use tintype_quality::Tally;
use tintype_vocab::{
    Decision, Entry, Observation, Outcome, PageUrl, Purpose, Request, ScriptTemplate, Span, Time, Validators,
};

/// A site to be captured, and how.
#[derive(Clone, Debug)]
pub struct SiteSpec {
    /// Unique in the collection.
    pub name: String,
    /// What is captured: a whole site, or pages that an observer leads to.
    pub kind: CaptureKind,
    pub settings: Settings,
    /// How well versions are kept that are less important than usual for their page.
    pub lesser: Retention,
    /// Fields for the `warcinfo` record of every segment.
    pub describe: Vec<(String, String)>,
    /// Begin anew even where an earlier capture was cut short.
    pub fresh: bool,
}

/// One site at work.
#[derive(Debug)]
pub struct Session {
    name: String,
    scheduler: Scheduler,
    history: PageHistory,
    offered: Offered,
    resumed: Option<Resumed>,
    known_from: Option<usize>,
    media_before: Arc<MediaModel>,
    builds: BuildsUnderWay,
    /// Of the whole capture, earlier runs included.
    tally: Tally,
}

/// A session, and the capture its answers are taken in by; the two may live on different threads.
#[derive(Debug)]
pub struct Opened {
    pub session: Session,
    pub capture: Capture,
    pub warnings: Vec<Warning>,
}

/// What an earlier run had done of a capture that is gone on with.
#[derive(Clone, Debug)]
pub struct Resumed {
    pub begun: Time,
    /// What is on disk of it.
    pub tally: Tally,
}

impl Session {
    /// Goes on with the capture of a site that was cut short, or begins one at `now`.
    pub fn open(
        collection: &Collection,
        spec: &SiteSpec,
        shared: &CollectionKnowledge,
        now: Time,
    ) -> Result<Opened, Error> {
        let unfinished = collection.unfinished(&spec.name)?;
        match keeping::end_cut_short(collection, unfinished)?.filter(|_| !spec.fresh && spec.kind != CaptureKind::Keep)
        {
            Some(id) => Session::resume(collection, spec, shared, &id),
            None => Session::begin(collection, spec, shared, now),
        }
    }

    fn begin(
        collection: &Collection,
        spec: &SiteSpec,
        shared: &CollectionKnowledge,
        now: Time,
    ) -> Result<Opened, Error> {
        let mut warnings = Vec::new();
        let (mut scheduler, known_from, knowledge) = match spec.kind {
            CaptureKind::Keep => {
                let site = (spec.name.as_str(), &spec.settings);
                let (scheduler, digest) = recalled::scheduler(collection, site, shared, now, &mut warnings)?;
                (scheduler, None, CollectionKnowledge::field(digest))
            }
            kind => {
                let history = collection.history(&spec.name)?;
                let pages = PastPages::Known(&history, Time::MAX);
                let directories = directories(collection, spec, &spec.settings, now, &mut warnings);
                let gains = gains(collection, spec, &spec.settings, now, &mut warnings);
                let past = Past { kind, pages, directories, gains };
                let (scheduler, known_from) = past.teach(spec.settings.clone(), shared, now)?;
                (scheduler, known_from, shared.name(collection, !spec.settings.media.is_empty())?)
            }
        };
        let mut capture = collection.begin(head(collection, spec, knowledge, now)?)?;
        capture.keep_lesser(spec.lesser);
        scheduler.keep_outside(outside::depot(&capture, &spec.settings)?);
        let session = Session {
            name: spec.name.clone(),
            scheduler,
            history: capture.history(),
            offered: Offered::default(),
            resumed: None,
            known_from,
            media_before: shared.media.clone(),
            builds: BuildsUnderWay::default(),
            tally: Tally::default(),
        };
        Ok(Opened { session, capture, warnings })
    }

    fn resume(
        collection: &Collection,
        spec: &SiteSpec,
        shared: &CollectionKnowledge,
        id: &CaptureId,
    ) -> Result<Opened, Error> {
        let mut warnings = Vec::new();
        let history = collection.history(&spec.name)?;
        let ResumedCapture { mut capture, head, checkpoint, entries } = collection.resume(id)?;
        capture.keep_lesser(spec.lesser);
        let mut settings: Settings = serde_json::from_value(head.settings).map_err(Error::OtherVersion)?;
        // How fast to go on and how far is for today's command to say; what is captured stays as it was begun.
        settings.delay = spec.settings.delay.or(settings.delay);
        settings.connections = spec.settings.connections;
        // What was learned meanwhile elsewhere was not known when the decisions on disk were made.
        let media_before = match settings.media.is_empty() {
            true => shared.media.clone(),
            false => Arc::new(CachedMedia::of(&collection.reading(), head.started)?.model),
        };
        let saved = checkpoint.and_then(|mut kept| Saved::load(&settings, &mut || kept.next_block()));
        // Where what waits outside is not what it was, the log tells it again.
        let saved = match saved {
            Some(mut saved) => saved.scheduler.keep_outside(outside::depot(&capture, &settings)?).then_some(saved),
            None => None,
        };
        let (saved, entries) = match saved {
            Some(saved) => (saved, entries),
            None => {
                let pages = PastPages::Known(&history, head.started);
                let directories = directories(collection, spec, &settings, head.started, &mut warnings);
                let shared = CollectionKnowledge { media: media_before.clone(), ..shared.clone() };
                let gains = gains(collection, spec, &settings, head.started, &mut warnings);
                let past = Past { kind: spec.kind, pages, directories, gains };
                let depot = outside::depot(&capture, &settings)?;
                let (mut scheduler, known_from) = past.teach(settings, &shared, head.started)?;
                scheduler.keep_outside(depot);
                (Saved::begun(scheduler, known_from), collection.reading().entries(id)?)
            }
        };
        let Saved { scheduler, known_from, tally, offered } = saved;
        let (name, resumed) = (spec.name.clone(), None);
        let builds = BuildsUnderWay::default();
        let mut session =
            Session { name, scheduler, history, offered, resumed, known_from, media_before, builds, tally };
        session.retrace(entries)?;
        session.scheduler.release_in_flight();
        session.scheduler.allow(&spec.settings);
        session.resumed = Some(Resumed { begun: head.started, tally: session.tally.clone() });
        Ok(Opened { session, capture, warnings })
    }

    /// Takes the steps of an earlier run again, in their order: a log has decisions ahead of observations they followed.
    fn retrace(&mut self, entries: Entries) -> Result<(), Error> {
        let mut decided = VecDeque::new();
        for entry in entries {
            match entry? {
                Entry::Decision(decision) => decided.push_back(decision),
                Entry::Observation(observation) => {
                    self.assume_until(&mut decided, &observation);
                    self.settle(&observation);
                }
            }
        }
        decided.iter().for_each(|decision| self.scheduler.assume(decision));
        Ok(())
    }

    /// What was decided when as much was settled as is now; in any case what led to the observation, as some may be lost.
    fn assume_until(&mut self, decided: &mut VecDeque<Decision>, seen: &Observation) {
        let settled = self.scheduler.progress().settled;
        let due = decided.partition_point(|decision| decision.settled <= settled);
        let own = decided.iter().position(|decision| decision.page == seen.page && decision.url == seen.url);
        for decision in decided.drain(..due.max(own.map_or(0, |own| own + 1))) {
            self.scheduler.assume(&decision);
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// What to do at `now`.
    pub fn next(&mut self, now: Time) -> Step {
        self.scheduler.next(now)
    }

    /// What the next request is worth.
    pub fn bid(&self, now: Time) -> Bid {
        self.scheduler.bid(now)
    }

    /// The request let out last, as the log keeps it.
    pub fn last_decision(&self) -> Option<&Decision> {
        self.scheduler.last_decision()
    }

    /// What to ask with whether the page of a request has changed.
    pub fn validators(&mut self, request: &Request) -> Result<Validators, tintype_archive::Error> {
        match request.purpose {
            Purpose::Robots => Ok(Validators::default()),
            Purpose::Revisit => Ok(self.offered.take(&request.url)),
            Purpose::Visit | Purpose::Probe => match self.offered.take(&request.url) {
                seen if seen != Validators::default() => Ok(seen),
                _ => Ok(self.history.validators(&PageUrl::new(&request.url))?.unwrap_or_default()),
            },
        }
    }

    /// Takes in what a visit taught.
    pub fn settle(&mut self, observation: &Observation) {
        if self.settings().revisit || self.settings().mode == Mode::Kept {
            self.offered.keep(observation);
        }
        if let Some(template) = observation.rendered.and_then(|gain| gain.template) {
            self.builds.ended(&template);
        }
        self.tally.add(observation);
        self.scheduler.settle(observation);
    }

    /// Hands out all that is needed to go on from here; whether it could. Every visit that was taken in must be settled.
    pub fn save(&self, each: &mut dyn FnMut(Vec<u8>)) -> bool {
        saved::save(&self.scheduler, self.known_from, &self.tally, &self.offered, each)
    }

    /// The closing entry of the capture's log; nothing where a later run is to go on with it. A site that stopped answering
    /// may answer tomorrow, and a disk that is nearly full may have room then, so its capture stays open. Keeping ends whenever it is stopped, and is begun anew.
    pub fn closing_entry(&self, ending: Option<Ending>) -> Option<Value> {
        if self.settings().mode == Mode::Kept {
            return Some(ending.map_or_else(|| serde_json::json!({ "ending": "stopped" }), |ending| self.end(ending)));
        }
        ending.filter(|ending| !matches!(ending, Ending::Unreachable | Ending::DiskLow)).map(|ending| self.end(ending))
    }

    fn end(&self, ending: Ending) -> Value {
        let (excluded, same_bytes) = (self.scheduler.exclusions(), self.scheduler.same_bytes());
        let mut end = serde_json::json!({ "ending": ending, "excluded": excluded, "same_bytes": same_bytes });
        if let Some(skipped) = self.scheduler.skipped() {
            end["skipped"] = serde_json::to_value(skipped).expect("what was skipped is plain data");
        }
        end
    }

    /// Shares the paces of hosts with the other sites of the process, at a moment of a clock that nobody sets.
    pub fn share_hosts(&mut self, hosts: SharedHosts, steady: Time) {
        self.scheduler.share_hosts(hosts, steady);
    }

    /// The clock on the wall is so far ahead of the steady one.
    pub fn clock_was_set(&mut self, ahead: Span) {
        self.scheduler.clock_was_set(ahead);
    }

    /// The host that has to rest, if it is a host that is waited for.
    pub fn waiting_host(&self) -> Option<&str> {
        self.scheduler.waiting_host()
    }

    pub fn ending(&self) -> Ending {
        self.scheduler.ending()
    }

    pub fn progress(&self) -> Progress {
        self.scheduler.progress()
    }

    /// How many pages are or may be asked for. What is only asked for the sake of others, and is not there, is none.
    pub fn watched(&self) -> usize {
        self.scheduler.watched().count()
    }

    pub fn waiting_for(&self) -> Wait {
        self.scheduler.waiting_for()
    }

    /// A browser that builds a page of the site asks for a URL.
    pub fn want(&mut self, url: &str) -> WishAnswer {
        self.scheduler.want(url)
    }

    /// No browser waits for it any more.
    pub fn forget_wanted(&mut self, url: &str) {
        self.scheduler.forget_wanted(url);
    }

    /// What was wanted and will not be asked for.
    pub fn take_refused(&mut self) -> Vec<(String, Objection)> {
        self.scheduler.take_refused()
    }

    /// Whether the request let out last for a browser is for something that no page had named.
    pub fn last_wish_is_new(&self) -> bool {
        self.scheduler.last_wish_is_new()
    }

    /// A browser builds a page of this answer before it is settled.
    pub fn being_built(&mut self, request: &Request, answered: Time) {
        self.scheduler.being_built(request, answered);
    }

    /// Whether a browser may build a page of this answer.
    pub fn may_be_built(&self, request: &Request, outcome: &Outcome) -> bool {
        self.scheduler.may_be_built(request, outcome)
    }

    /// What is to become of a page that scripts of this template build, where only those are built that gain.
    pub fn judge_build(&self, template: &ScriptTemplate) -> BuildVerdict {
        self.builds.judge(self.scheduler.knowledge().rendering(), template)
    }

    /// A browser has begun to build a page.
    pub fn build_begun(&mut self, template: &ScriptTemplate) {
        self.builds.begun(self.scheduler.knowledge().rendering(), template);
    }

    /// A page was kept as it was served, since pages like it gain nothing.
    pub fn build_passed_over(&mut self) {
        self.builds.passed_over();
    }

    /// Whether a page that is as it was may be worth reading back, to have a browser build it.
    pub fn may_build_unchanged(&mut self) -> bool {
        self.builds.looks_at_unchanged(self.scheduler.knowledge().rendering())
    }

    /// Whether what an earlier capture holds of a page is one that a browser can build.
    pub fn is_known_html(&self, url: &str) -> bool {
        let known = self.history.page(&PageUrl::new(url)).ok().flatten();
        known
            .and_then(|page| page.media_type)
            .is_some_and(|kind| kind == "text/html" || kind == "application/xhtml+xml")
    }

    pub fn scheduler(&self) -> &Scheduler {
        &self.scheduler
    }

    pub fn settings(&self) -> &Settings {
        self.scheduler.settings()
    }

    /// What an earlier run had done, if this goes on with one.
    pub fn resumed(&self) -> Option<&Resumed> {
        self.resumed.as_ref()
    }

    /// From how many captures it is known what stays unchanged; nothing where everything is asked for.
    pub fn known_from(&self) -> Option<usize> {
        self.known_from
    }

    /// What was known of media types before the capture began.
    pub fn media_before(&self) -> &Arc<MediaModel> {
        &self.media_before
    }
}

/// Pages of earlier captures. A large site's are not all held in memory.
pub(crate) enum PastPages<'a> {
    /// As the site's state has them; those first seen before a moment.
    Known(&'a PageHistory, Time),
    /// As they were at an earlier moment.
    Folded(Vec<KnownPage>),
}

impl PastPages<'_> {
    fn for_each(&self, order: PageOrder, mut each: impl FnMut(&KnownPage)) -> Result<(), Error> {
        match self {
            PastPages::Known(history, before) => Ok(history.each_page(order, |page| {
                // What the capture to be resumed saw first is no memory of an earlier one.
                if page.first_seen < *before {
                    each(&page);
                }
                ControlFlow::Continue(())
            })?),
            PastPages::Folded(pages) => {
                let mut pages: Vec<&KnownPage> = pages.iter().collect();
                match order {
                    PageOrder::Url => pages.sort_by_key(|page| &page.url),
                    PageOrder::FirstSeen => pages.sort_by_key(|page| (page.first_seen, &page.url)),
                }
                pages.into_iter().for_each(each);
                Ok(())
            }
        }
    }
}

/// What is known of a site when a capture begins.
pub(crate) struct Past<'a> {
    pub(crate) kind: CaptureKind,
    pub(crate) pages: PastPages<'a>,
    /// Where the policy goes by them: what earlier captures taught of directories, and how many there were.
    pub(crate) directories: Option<(Memory, usize)>,
    /// What building pages brought in earlier captures.
    pub(crate) gains: RenderGains,
}

impl Past<'_> {
    /// A scheduler that knows it: rates of all pages, guesses of what pages like them did on all sites, and every page
    /// that is held in its frontier.
    pub(crate) fn teach(
        self,
        settings: Settings,
        shared: &CollectionKnowledge,
        started: Time,
    ) -> Result<(Scheduler, Option<usize>), Error> {
        let Past { kind, pages, directories, gains } = self;
        let (memory, known_from) =
            directories.map_or((None, None), |(memory, captures)| (Some(memory), Some(captures)));
        let memory = memory.map(Arc::new);
        let is_there = |page: &KnownPage| match &memory {
            Some(memory) => is_held(memory, page),
            None => known_pages::is_there(page),
        };
        let mut knowledge = Knowledge::new(shared.shared());
        let mut held = 0;
        pages.for_each(PageOrder::Url, |page| {
            knowledge.recall(&page.url, &known_pages::signs(page), &known_pages::past(page));
            held += usize::from(is_there(page));
        })?;
        knowledge.expect_pages(held);
        if let Some(memory) = &memory {
            knowledge.remember_directories(memory.clone());
        }
        knowledge.remember_rendering(gains);
        let mut scheduler = Scheduler::with_knowledge(settings, knowledge)?;
        // Of a listing only its pages of today are read, as its observer finds them. And how deep a page lies is only known
        // once it was reached again, so a depth that was asked for is kept by following links.
        if kind == CaptureKind::Capture && scheduler.settings().depth_max.is_none() {
            pages.for_each(PageOrder::FirstSeen, |page| {
                if is_there(page) {
                    scheduler.hold(&page.url, known_pages::kind(page.media_type.as_deref()), started);
                }
            })?;
        }
        Ok((scheduler, known_from))
    }
}

/// What earlier captures taught of the site's directories, for a policy that goes by it.
fn directories(
    collection: &Collection,
    spec: &SiteSpec,
    settings: &Settings,
    started: Time,
    warnings: &mut Vec<Warning>,
) -> Option<(Memory, usize)> {
    policy::needs_memory(&settings.policy).then(|| {
        let cached = match settings.warm.degree_min {
            None => CachedDirectories::for_capture(collection, &spec.name, started, warnings),
            Some(degree_min) => CachedDirectories::by_degree(collection, &spec.name, started, degree_min, warnings),
        };
        (cached.memory, cached.captures.len())
    })
}

/// What building pages brought in earlier captures, where that decides which are built.
fn gains(
    collection: &Collection,
    spec: &SiteSpec,
    settings: &Settings,
    started: Time,
    warnings: &mut Vec<Warning>,
) -> RenderGains {
    match settings.render {
        RenderMode::Auto => CachedGains::for_capture(collection, &spec.name, started, warnings),
        RenderMode::Never | RenderMode::Always => RenderGains::default(),
    }
}

fn head(
    collection: &Collection,
    spec: &SiteSpec,
    knowledge: (String, String),
    started: Time,
) -> Result<CaptureHead, Error> {
    let (name, value) = activity::field(&activity::experience(collection, &spec.name)?);
    let mut describe = spec.describe.clone();
    describe.push((name.to_owned(), value));
    describe.push(knowledge);
    describe.push(order::field(collection, &spec.name)?);
    Ok(CaptureHead {
        site: spec.name.clone(),
        kind: spec.kind,
        seeds: spec.settings.all_seeds().cloned().collect(),
        settings: serde_json::to_value(&spec.settings).expect("settings are plain data"),
        run_seed: spec.settings.run_seed,
        started,
        describe,
    })
}
