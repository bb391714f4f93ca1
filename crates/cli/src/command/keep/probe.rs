//! Asking for some objects when a crawl is due, where that is cheaper than the crawl.

use super::{
    Options, Source,
    round::{self, Crawl},
    tell,
};
use crate::command::{
    capture::{Run, Wanted},
    open,
};
use tintype_archive::{Capture, CaptureKind, CaptureObserver, Shown};
use tintype_learn::decay::Probe;
use tintype_live::clock;
use tintype_session::listing::{SourceState, draw, probe_site};
use tintype_vocab::{Links, ObjectCrawl, Time, Visit};
use tokio::sync::watch;

/// Requests besides one per object: robots.txt, and objects that are asked for again.
const REQUESTS_MORE: u64 = 20;

/// What a probe showed.
pub(super) struct Probed {
    pub(super) probe: Probe,
    /// Objects that were drawn; of some no answer said anything.
    pub(super) drawn: usize,
    pub(super) objects: u32,
    pub(super) due: Time,
    /// When the crawl would have been.
    pub(super) was_due: Time,
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

/// Asks for some objects of a source that is due and says what came of it; nothing if a crawl is the better way.
pub(super) async fn instead(
    options: &Options,
    source: &mut Source,
    stop: &watch::Receiver<bool>,
) -> anyhow::Result<Option<Crawl>> {
    if !source.may_be_probed() {
        return Ok(None);
    }
    // Whoever else writes the collection is told of by the crawl.
    let Ok(collection) = open(&options.common, true) else { return Ok(None) };
    let name = source.config.name.clone();
    let mut known = SourceState::of(&collection.reading(), &name, source.terms)?;
    let (now, was_due) = (clock::now(), source.due);
    let Some(count) = known.sample(now, source.requests) else { return Ok(None) };
    let drawn = draw(&known.ledger, count, now.as_millis() as u64);
    if drawn.iter().any(|url| !source.is_own(url)) {
        return Ok(None);
    }
    let run =
        Run { network: &options.network, settings: options.network.client_settings(1)?, fresh: true, quiet: true };
    let sites = [wanted(source, &drawn)?];
    let equip = |_: &Wanted, capture: &mut Capture| {
        capture.attach(Box::new(Stay));
        Ok(())
    };
    let summary = run.crawl(&collection, &sites, stop.clone(), equip).await?.pop().expect("one site was captured");
    known.catch_up(&collection.reading(), &name)?;
    known.save(&collection, &name)?;
    let Some(probe) = known.decay.probe().filter(|probe| probe.at >= now) else { return Ok(None) };
    source.due = known.due(clock::now());
    let objects = known.ledger.size();
    tell::probed(options.common.json, &name, &Probed { probe, drawn: drawn.len(), objects, due: source.due, was_due });
    (source.deadline, source.decay) = (known.deadline, known.decay);
    Ok(Some(Crawl { learned: true, requests: summary.tally.visits }))
}

impl Source {
    /// Whether its objects are known by URLs of their own, and it is due because a promise wants it.
    fn may_be_probed(&self) -> bool {
        self.way.identifies_by_url() && self.failures == 0
    }

    /// Whether a URL is on the host of the listing: nobody else was to be asked.
    fn is_own(&self, url: &str) -> bool {
        let origin = |url: &str| url.splitn(4, '/').take(3).map(str::to_owned).collect::<Vec<_>>();
        origin(url) == origin(&self.config.url)
    }
}

/// The objects as a site to be captured, as politely as the listing.
fn wanted(source: &Source, urls: &[String]) -> anyhow::Result<Wanted> {
    let name = probe_site(&source.config.name);
    round::wanted_pages(&source.config, CaptureKind::Probe, name, urls.to_vec(), urls.len() as u64 + REQUESTS_MORE)
}
