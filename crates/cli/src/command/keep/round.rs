//! One crawl of a source, from asking for its first page to knowing when to ask again.

use super::{Options, Source, tell};
use crate::{
    amount::parse_span,
    command::{
        capture::{Run, Wanted},
        open,
    },
    config::{Config, SiteConfig, SourceConfig},
    failure::usage,
};
use std::sync::PoisonError;
use tintype_archive::{CaptureKind, Error};
use tintype_learn::ledger::CrawlVerdict;
use tintype_live::clock;
use tintype_plan::{Budget, ScopeRule, Settings};
use tintype_session::listing::{ListingObserver, SourceState, retry_after};
use tintype_vocab::{SiteId, Span, surt};
use tokio::sync::watch;

/// Requests besides one per page: robots.txt, and pages that are asked for again.
const REQUESTS_MORE: u64 = 20;
/// How soon to try again when somebody else is writing the collection.
const LOCKED_WAIT: Span = Span::from_secs(10);

/// What a crawl came to.
#[derive(Default)]
pub(super) struct Crawl {
    pub(super) learned: bool,
    pub(super) requests: u64,
}

/// Crawls a source, says what came of it, and notes when it is due again.
pub(super) async fn crawl(
    options: &Options,
    source: &mut Source,
    stop: &watch::Receiver<bool>,
) -> anyhow::Result<Crawl> {
    let collection = match open(&options.common, true) {
        Err(error) if !options.once && is_locked(&error) => {
            tell::locked(&error);
            source.due = clock::now() + LOCKED_WAIT;
            return Ok(Crawl::default());
        }
        other => other?,
    };
    let Source { config, way, terms, .. } = &*source;
    let mut known = SourceState::of(&collection.reading(), &config.name, *terms)?;
    let expected = tell::Expected::of(&known, clock::now());
    let (observer, slot) = ListingObserver::new(way.clone(), &config.url, config.pages, known.ledger.clone());
    let settings = options.network.client_settings(1)?;
    // A crawl is one look: one that was cut short is not gone on with, but made anew.
    let run = Run { network: &options.network, settings, fresh: true, quiet: true };
    let (sites, mut observer) = ([wanted(source)?], Some(observer));
    let equip = |_: &Wanted, capture: &mut tintype_archive::Capture| {
        observer.take().into_iter().for_each(|observer| capture.attach(Box::new(observer)));
        Ok(())
    };
    let summary = run.crawl(&collection, &sites, stop.clone(), equip).await?.pop().expect("one site was captured");
    known.catch_up(&collection.reading(), &config.name)?;
    known.save(&collection, &config.name)?;
    let report = slot.lock().unwrap_or_else(PoisonError::into_inner).clone();
    // Whoever tries what fits the page does not want the first guess for ever.
    if options.source.is_some() && matches!(report.verdict, Some(CrawlVerdict::Taken(_))) {
        Config::remember_source(collection.path(), config)?;
    }
    let now = clock::now();
    source.failures = if report.verdict.is_some() { 0 } else { source.failures + 1 };
    source.due = match source.failures {
        0 => known.due_again(now),
        failures => now + retry_after(source.terms.step, failures),
    };
    let crawled =
        tell::Crawled { source: &source.config.name, report: &report, summary: &summary, expected: &expected };
    let learned = crawled.tell(options.common.json, &known, source.due, now);
    let requests = summary.tally.visits;
    if report.verdict.is_some() {
        source.requests = u32::try_from(requests).unwrap_or(u32::MAX);
    }
    (source.deadline, source.decay) = (known.deadline, known.decay);
    Ok(Crawl { learned, requests })
}

fn is_locked(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref::<Error>(), Some(Error::Locked { .. }))
}

/// The listing as a site to be captured: no more requests than it has pages.
fn wanted(source: &Source) -> anyhow::Result<Wanted> {
    let config = &source.config;
    let requests = 2 * u64::from(config.pages) + REQUESTS_MORE;
    wanted_pages(config, CaptureKind::Listing, config.name.clone(), vec![config.url.clone()], requests)
}

/// Pages of a source as a site to be captured: only its own host.
pub(super) fn wanted_pages(
    config: &SourceConfig,
    kind: CaptureKind,
    name: String,
    seeds: Vec<String>,
    requests: u64,
) -> anyhow::Result<Wanted> {
    let mut settings = Settings::new(SiteId(0), seeds.clone());
    let key = surt(&config.url);
    settings.scope = ScopeRule::Surt(key[..key.find(')').map_or(key.len(), |end| end + 1)].to_owned());
    settings.budget = Budget { requests: Some(requests), ..Budget::default() };
    let delay = config.delay.as_deref().map(parse_span).transpose();
    settings.delay = delay.map_err(|problem| usage(problem, "see tintype keep --help"))?;
    settings.run_seed = clock::now().as_millis() as u64;
    Ok(Wanted { name, kind, config: SiteConfig::new(seeds), settings })
}
