//! A listing that is kept: when it is due, its crawls and probes, and what each of them showed.

use super::{Options, tell};
use crate::{
    amount::parse_span,
    command::Wanted,
    config::{Config, SiteConfig, SourceConfig},
    failure::usage,
    opener::Opener,
    settings::Section,
    summary::CaptureSummary,
};
use std::{
    cmp::Reverse,
    sync::{Arc, Mutex, PoisonError},
};
use tintype_archive::{Capture, CaptureKind, CaptureObserver, Reading, Shown};
use tintype_learn::{decay::Decay, ledger::CrawlVerdict};
use tintype_live::clock;
use tintype_observe::listing::Way;
use tintype_plan::{
    Budget, ScopeRule, Settings,
    deadline::{CrawlReason, Deadline, NextCrawl, Waiting},
};
use tintype_session::{
    Session,
    listing::{ListingObserver, ListingReport, SourceState, Terms, draw, probe_site, retry_after},
};
use tintype_vocab::{Entry, Links, ObjectCrawl, SiteId, Span, Time, Visit, surt};

/// Requests besides one per page: robots.txt, and pages that are asked for again.
const REQUESTS_MORE: u64 = 20;

/// A source to be kept.
pub(super) struct Source {
    pub(super) config: SourceConfig,
    way: Way,
    terms: Terms,
    pub(super) due: Time,
    /// Crawls in a row that did not even come to their end.
    failures: u32,
    /// What the last crawl took; 1 before there was one.
    pub(super) requests: u32,
    deadline: Deadline,
    decay: Decay,
    pub(super) under_way: Option<UnderWay>,
}

/// What is being asked of a source.
pub(super) struct UnderWay {
    known: SourceState,
    look: Look,
}

enum Look {
    /// All its pages.
    Crawl { expected: tell::Expected, report: Arc<Mutex<ListingReport>> },
    /// Some objects, because that is cheaper.
    Probe { began: Time, drawn: usize, was_due: Time },
}

/// Follows nothing.
#[derive(Debug)]
struct Stay;

impl CaptureObserver for Stay {
    fn see(&mut self, _: &Visit, _: Option<Shown<'_>>) -> Links {
        Links::new()
    }

    fn conclude(&mut self) -> Option<ObjectCrawl> {
        None
    }
}

impl Source {
    pub(super) fn new(config: SourceConfig) -> anyhow::Result<Source> {
        let (way, terms) = (config.way()?, config.terms()?);
        let (deadline, decay) = (Deadline::new(terms.promise), Decay::new());
        let (due, under_way) = (Time::MIN, None);
        Ok(Source { config, way, terms, due, failures: 0, requests: 1, deadline, decay, under_way })
    }

    /// What the collection knows of it.
    pub(super) fn recall(&mut self, reading: &Reading, now: Time) -> anyhow::Result<()> {
        let known = SourceState::of(reading, &self.config.name, self.terms)?;
        self.due = known.due(now);
        self.requests = last_requests(reading, &self.config.name)?;
        (self.deadline, self.decay) = (known.deadline, known.decay);
        Ok(())
    }

    /// It is due: how much a request would do for it.
    pub(super) fn waiting(&self, per_day: u64, now: Time) -> Waiting<'_> {
        let at = self.due.min(now);
        let next = NextCrawl { at, why: CrawlReason::Spent, broken: 0.0, broken_average: 0.0, allowed: 0.0 };
        Waiting { deadline: &self.deadline, decay: &self.decay, requests: self.needed(per_day), next }
    }

    /// What must be left of a day's requests before it begins. One that takes more than a whole day's begins with a whole day's.
    pub(super) fn needed(&self, per_day: u64) -> u32 {
        self.requests.clamp(1, u32::try_from(per_day.max(1)).unwrap_or(u32::MAX))
    }

    /// Begins what is cheapest now: some objects, or a crawl.
    pub(super) fn begin(&mut self, opener: &Opener<'_>, once: bool) -> anyhow::Result<(Session, Capture)> {
        let known = SourceState::of(&opener.collection().reading(), &self.config.name, self.terms)?;
        let now = clock::now();
        // A look is one: what was cut short is not gone on with, but made anew.
        if let Some(drawn) = self.sample(&known, now).filter(|_| !once) {
            let (session, mut capture) = opener.open(&self.probe(&drawn)?, true)?;
            capture.attach(Box::new(Stay));
            let look = Look::Probe { began: now, drawn: drawn.len(), was_due: self.due };
            self.under_way = Some(UnderWay { known, look });
            return Ok((session, capture));
        }
        let expected = tell::Expected::of(&known, now);
        let Source { config, way, .. } = &*self;
        let (observer, report) = ListingObserver::new(way.clone(), &config.url, config.pages, known.ledger.clone());
        let (session, mut capture) = opener.open(&self.listing()?, true)?;
        capture.attach(Box::new(observer));
        self.under_way = Some(UnderWay { known, look: Look::Crawl { expected, report } });
        Ok((session, capture))
    }

    /// The look is over: says what it showed and notes when the next one is due. Whether something was learned.
    pub(super) fn end(
        &mut self,
        options: &Options,
        opener: &Opener<'_>,
        summary: &CaptureSummary,
    ) -> anyhow::Result<bool> {
        let Some(UnderWay { mut known, look, .. }) = self.under_way.take() else { return Ok(true) };
        let (collection, name) = (opener.collection(), &self.config.name);
        known.catch_up(&collection.reading(), name)?;
        known.save(collection, name)?;
        let learned = match look {
            Look::Probe { began, drawn, was_due } => self.end_probe(options, &known, began, drawn, was_due),
            Look::Crawl { expected, report } => {
                let report = report.lock().unwrap_or_else(PoisonError::into_inner).clone();
                // Trying what fits the page is not to be remembered for ever.
                if !options.urls.is_empty() && matches!(report.verdict, Some(CrawlVerdict::Taken(_))) {
                    Config::remember_source(collection.path(), &self.config)?;
                }
                self.end_crawl(options, &known, &report, &expected, summary)
            }
        };
        (self.deadline, self.decay) = (known.deadline, known.decay);
        Ok(learned)
    }

    fn end_crawl(
        &mut self,
        options: &Options,
        known: &SourceState,
        report: &ListingReport,
        expected: &tell::Expected,
        summary: &CaptureSummary,
    ) -> bool {
        let now = clock::now();
        self.failures = if report.verdict.is_some() { 0 } else { self.failures + 1 };
        self.due = match self.failures {
            0 => known.due_again(now),
            failures => now + retry_after(self.terms.step, failures),
        };
        if report.verdict.is_some() {
            self.requests = u32::try_from(summary.tally.visits).unwrap_or(u32::MAX);
        }
        let crawled = tell::Crawled { source: &self.config.name, report, summary, expected };
        crawled.tell(options.common.json, known, self.due, now)
    }

    fn end_probe(&mut self, options: &Options, known: &SourceState, began: Time, drawn: usize, was_due: Time) -> bool {
        let Some(probe) = known.decay.probe().filter(|probe| probe.at >= began) else {
            // It showed nothing: a crawl will.
            self.failures += 1;
            return true;
        };
        self.due = known.due(clock::now());
        let objects = known.ledger.size();
        let probed = tell::Probed { probe, drawn, objects, due: self.due, was_due };
        tell::probed(options.common.json, &self.config.name, &probed);
        true
    }

    /// Objects to ask for instead of a crawl, if that is cheaper. Only where objects are known by URLs of their own, on the
    /// host of the listing.
    fn sample(&self, known: &SourceState, now: Time) -> Option<Vec<String>> {
        if !self.way.identifies_by_url() || self.failures > 0 {
            return None;
        }
        let drawn = draw(&known.ledger, known.sample(now, self.requests)?, now.as_millis() as u64);
        drawn.iter().all(|url| self.is_own(url)).then_some(drawn)
    }

    fn is_own(&self, url: &str) -> bool {
        let origin = |url: &str| url.splitn(4, '/').take(3).map(str::to_owned).collect::<Vec<_>>();
        origin(url) == origin(&self.config.url)
    }

    /// The listing as a site to be captured: no more requests than it has pages.
    fn listing(&self) -> anyhow::Result<Wanted> {
        let (config, requests) = (&self.config, 2 * u64::from(self.config.pages) + REQUESTS_MORE);
        self.wanted(CaptureKind::Listing, config.name.clone(), vec![config.url.clone()], requests)
    }

    /// The objects as a site to be captured, as politely as the listing.
    fn probe(&self, urls: &[String]) -> anyhow::Result<Wanted> {
        let name = probe_site(&self.config.name);
        self.wanted(CaptureKind::Probe, name, urls.to_vec(), urls.len() as u64 + REQUESTS_MORE)
    }

    /// Pages of a source as a site to be captured: only its own host.
    fn wanted(&self, kind: CaptureKind, name: String, seeds: Vec<String>, requests: u64) -> anyhow::Result<Wanted> {
        let mut settings = Settings::new(SiteId(0), seeds.clone());
        let key = surt(&self.config.url);
        settings.scope = ScopeRule::Surt(key[..key.find(')').map_or(key.len(), |end| end + 1)].to_owned());
        settings.budget = Budget { requests: Some(requests), ..Budget::default() };
        let delay = self.config.delay.as_deref().map(parse_span).transpose();
        settings.delay = delay.map_err(|problem| usage(problem, "see tintype keep --help"))?;
        settings.run_seed = clock::now().as_millis() as u64;
        Ok(Wanted { name, kind, section: Section::of_file(SiteConfig::new(seeds)), settings, time: None })
    }

    /// A look that could not even begin.
    pub(super) fn put_off(&mut self, now: Time) {
        self.failures += 1;
        self.due = now + retry_after(self.terms.step, self.failures).max(Span::from_secs(10));
    }
}

/// What the last crawl of a source took; 1 before there was one.
fn last_requests(reading: &Reading, source: &str) -> anyhow::Result<u32> {
    let captures = reading.captures_of(source)?.into_iter();
    let last = captures.filter(|capture| capture.end.is_some()).min_by_key(|capture| Reverse(capture.head.started));
    let Some(last) = last else { return Ok(1) };
    let mut requests = 0u32;
    for entry in reading.entries(&last.id)? {
        requests = requests.saturating_add(u32::from(matches!(entry?, Entry::Observation(_))));
    }
    Ok(requests.max(1))
}
