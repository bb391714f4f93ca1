//! `tintype capture`: one capture of each site.

mod media_options;
mod network;
mod policy;

use super::{Common, open};
use crate::{
    amount::{parse_budget, parse_span},
    config::{Config, SiteConfig, Which},
    failure::{self, usage},
    opener::Opener,
    screen::Screen,
    sites, skipped, stop,
    summary::CaptureSummary,
};
use anyhow::Context;
use clap::Args;
use media_options::MediaOptions;
pub(crate) use network::Network;
use std::{process::ExitCode, time::Duration};
use tintype_archive::{Capture, CaptureId, CaptureKind, Collection};
use tintype_live::{Agenda, Begin, ClientSettings, CrawlEvent, Ended, Hosts, Next, clock, crawl};
use tintype_plan::{Ending, Entrance, Keeper, SeedError, Settings, SiteTerms};
use tintype_quality::Tally;
use tintype_session::{MediaResult, Session};
use tintype_vocab::{SiteId, Time};
use tokio::sync::watch;

/// Sites captured side by side; when one ends, the next begins.
const SITES_AT_ONCE: usize = 64;

/// Capture sites into the collection; resume what was cut short
///
/// Asks politely (robots.txt, Crawl-delay, Retry-After, one connection and a pause that follows the server's response
/// time), stores every answer as WARC with a CDXJ index, and on the next capture asks only whether pages have changed.
/// A visit that is reported is on disk: after a crash run the same command again and it goes on where it stopped.
/// With --policy skip a recapture skips what will not have changed, and says what that is expected to cost.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype capture https://example.com/\n  tintype capture example.com --scope prefix --budget 500\n  tintype capture http://127.0.0.1:8080/ --delay 0 --connections 8\n  tintype capture            (all sites of tintype.toml again)\n  tintype capture example.com --media image,audio,application/pdf  (and the pages that lead there)\n  tintype capture example.com --policy skip  (once a few captures have shown what stays unchanged)"
)]
pub(crate) struct Options {
    /// Where to start; none means every site of the collection's tintype.toml, as it says unless options say otherwise
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<String>,
    #[command(flatten)]
    pub(crate) common: Common,
    /// How far to go: page, prefix, host (the default), domain, or a SURT prefix such as com,example)/news
    #[arg(long)]
    pub(crate) scope: Option<String>,
    /// What may be spent per site: requests, bytes, or both (500, 2GB, 500,2GB)
    #[arg(long, value_name = "AMOUNT")]
    pub(crate) budget: Option<String>,
    /// Links to follow away from a start
    #[arg(long, value_name = "LINKS")]
    pub(crate) depth: Option<u16>,
    #[command(flatten)]
    pub(crate) media_options: MediaOptions,
    /// What to ask for first, and with skip or warm what not to ask for at all; by default sharp, with --media focused
    #[arg(long, value_parser = policy::Names)]
    pub(crate) policy: Option<String>,
    /// Ask for every page twice, to prove which ones did not change meanwhile; see tintype report
    #[arg(long)]
    pub(crate) revisit: bool,
    /// Which versions replay finds: all (the default), or the important ones. Those below their page's usual importance
    /// can wait in the WARC files until their changes have added up to it; tintype repair --index all finds them again
    #[arg(long, value_enum, value_name = "WHICH", hide_possible_values = true)]
    pub(crate) index: Option<Which>,
    /// Which versions are stored: all (the default), or the important ones. With important the bytes of the others are
    /// THROWN AWAY and nobody can bring them back: only that they were seen, when, and how important they were is kept
    #[arg(long, value_enum, value_name = "WHICH", hide_possible_values = true)]
    pub(crate) store: Option<Which>,
    /// A fixed pause between requests, in seconds; 0 lifts it for your own servers
    #[arg(long, value_name = "SECONDS")]
    pub(crate) delay: Option<String>,
    /// Requests under way at once per host; more than one only on your own servers
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) connections: usize,
    #[command(flatten)]
    pub(crate) network: Network,
    /// Begin anew even where an earlier capture was cut short
    #[arg(long)]
    pub(crate) fresh: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let summaries = capture(options, options.common.json)?;
    let stopped = summaries.iter().any(|summary| matches!(summary.ending, None | Some(Ending::Unreachable)));
    let nothing = summaries.iter().any(|summary| summary.tally.pages == 0);
    let failed = summaries.iter().any(|summary| summary.error.is_some());
    print(options, &summaries)?;
    Ok(if stopped || nothing || failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Captures without a line per visit; the caller shows the outcome.
pub(crate) fn capture_quietly(options: &Options) -> anyhow::Result<Vec<CaptureSummary>> {
    capture(options, true)
}

/// Captures, shows progress, and says how each site went.
fn capture(options: &Options, quiet: bool) -> anyhow::Result<Vec<CaptureSummary>> {
    let wanted = wanted_sites(options)?;
    let settings = options.network.client_settings(options.connections)?;
    let collection = open(&options.common, true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
    runtime.block_on(async {
        let stop = stop::on_signal("stopping when what is under way has been stored");
        let run = Run { network: &options.network, settings, fresh: options.fresh, quiet };
        let remember = |site: &Wanted, _: &mut Capture| match options.urls.is_empty() {
            // What came out of the file is in it.
            true => Ok(()),
            false => Config::remember(collection.path(), &site.config),
        };
        run.crawl(&collection, &wanted, stop, remember).await
    })
}

/// How sites are captured.
pub(crate) struct Run<'a> {
    pub(crate) network: &'a Network,
    pub(crate) settings: ClientSettings,
    /// Begin anew even where an earlier capture was cut short.
    pub(crate) fresh: bool,
    /// No line per visit.
    pub(crate) quiet: bool,
}

impl Run<'_> {
    /// Captures sites, some side by side. `equip` sees every capture before it begins. A site that cannot be begun does
    /// not keep the others from being captured.
    pub(crate) async fn crawl(
        &self,
        collection: &Collection,
        sites: &[Wanted],
        stop: watch::Receiver<bool>,
        equip: impl FnMut(&Wanted, &mut Capture) -> anyhow::Result<()>,
    ) -> anyhow::Result<Vec<CaptureSummary>> {
        let by_media = sites.iter().any(|site| !site.settings.media.is_empty());
        let opener = Opener::new(collection, self.network, by_media)?;
        let client = opener.client(&self.settings)?;
        let hosts = Hosts::open(collection, &client)?;
        let mut agenda = CaptureAgenda {
            opener,
            fresh: self.fresh,
            sites: sites.iter(),
            equip,
            screen: Screen::new(self.quiet),
            begun: Vec::new(),
            failed: Vec::new(),
            summaries: Vec::new(),
        };
        crawl(&mut agenda, Keeper::default(), &client, &hosts, stop).await;
        agenda.opener.relearn();
        agenda.results()
    }
}

/// Sites to be captured once each.
struct CaptureAgenda<'a, E> {
    opener: Opener<'a>,
    fresh: bool,
    sites: std::slice::Iter<'a, Wanted>,
    equip: E,
    screen: Screen,
    begun: Vec<CaptureId>,
    failed: Vec<(&'a Wanted, anyhow::Error)>,
    summaries: Vec<(usize, CaptureSummary)>,
}

impl<E: FnMut(&Wanted, &mut Capture) -> anyhow::Result<()>> CaptureAgenda<'_, E> {
    fn begin(&mut self, site: &Wanted) -> anyhow::Result<Begin> {
        let (session, mut capture) = self.opener.open(site, self.fresh)?;
        tell_resumed(&session, &site.settings);
        (self.equip)(site, &mut capture)?;
        let number = self.begun.len();
        self.screen.begin(number, session.name());
        self.begun.push(capture.id().clone());
        Ok(Begin { number, session, capture, terms: SiteTerms::default() })
    }

    fn results(mut self) -> anyhow::Result<Vec<CaptureSummary>> {
        if self.summaries.is_empty() && !self.failed.is_empty() {
            return Err(self.failed.remove(0).1);
        }
        self.summaries.sort_by_key(|(number, _)| *number);
        let failed = self.failed.into_iter().map(|(site, error)| CaptureSummary::not_begun(&site.name, &error));
        Ok(self.summaries.into_iter().map(|(_, summary)| summary).chain(failed).collect())
    }
}

impl<E: FnMut(&Wanted, &mut Capture) -> anyhow::Result<()>> Agenda for CaptureAgenda<'_, E> {
    fn next(&mut self, _: Time, under_way: usize) -> Next {
        if under_way >= SITES_AT_ONCE {
            return Next::WhenOneEnds;
        }
        while let Some(site) = self.sites.next() {
            match self.begin(site) {
                Ok(begin) => return Next::Begin(Box::new(begin)),
                Err(error) => self.failed.push((site, error)),
            }
        }
        Next::WhenOneEnds
    }

    fn event(&mut self, number: usize, event: CrawlEvent<'_>) {
        self.screen.show(number, &event);
    }

    fn ended(&mut self, number: usize, ended: Ended) {
        let (tally, took) = self.screen.end(number);
        let summary = summary(self.opener.collection(), &self.begun[number], ended, tally, took);
        self.summaries.push((number, summary));
    }
}

/// Says that a capture is gone on with, and what of today's command it does not follow.
fn tell_resumed(session: &Session, today: &Settings) {
    let Some(resumed) = session.resumed() else { return };
    let (name, visits) = (session.name(), resumed.tally.visits);
    eprintln!("going on with the capture of {name} begun {}: {visits} visits are on disk", resumed.begun);
    let begun = session.settings();
    if (begun.revisit, &begun.policy) != (today.revisit, &today.policy) {
        let how = if begun.revisit { "with" } else { "without" };
        eprintln!("it was begun {how} --revisit by policy {} and goes on so; --fresh begins anew", begun.policy);
    }
    if begun.media != today.media {
        let wanted: Vec<String> = begun.media.allow.iter().map(ToString::to_string).collect();
        let wanted = if wanted.is_empty() { "all media types".to_owned() } else { wanted.join(", ") };
        let never: Vec<String> = begun.media.disallow.iter().map(ToString::to_string).collect();
        let never = if never.is_empty() { String::new() } else { format!(" without {}", never.join(", ")) };
        eprintln!("it was begun for {wanted}{never} and goes on so; --fresh begins anew");
    }
}

/// A site somebody wants, and the options that go with it.
#[derive(Clone)]
pub(crate) struct Wanted {
    pub(crate) name: String,
    pub(crate) kind: CaptureKind,
    pub(crate) config: SiteConfig,
    pub(crate) settings: Settings,
}

fn wanted_sites(options: &Options) -> anyhow::Result<Vec<Wanted>> {
    let file = Config::read(&options.common.collection)?;
    let configs = match options.urls.as_slice() {
        [] => file.site,
        seeds => vec![SiteConfig::new(seeds.to_vec())],
    };
    if configs.is_empty() {
        let next = match file.source.is_empty() {
            true => "name a site: tintype capture https://example.com/",
            false => "name a site: tintype capture https://example.com/; sources are crawled by tintype keep",
        };
        return Err(usage("there is nothing to capture yet", next));
    }
    let configs = configs.into_iter().map(|config| with_options(config, options)).collect();
    let mut wanted = wanted(configs, options.policy.as_deref(), "capture")?;
    for site in &mut wanted {
        site.settings.revisit = options.revisit;
        site.settings.connections = options.connections.clamp(1, 256);
    }
    Ok(wanted)
}

/// Sites as a scheduler takes them, from what is written of them.
pub(crate) fn wanted(configs: Vec<SiteConfig>, policy: Option<&str>, command: &str) -> anyhow::Result<Vec<Wanted>> {
    let mut wanted = Vec::new();
    for config in configs {
        let see = |problem: String| usage(problem, format!("see tintype {command} --help"));
        let scope = config.scope.parse().map_err(|error: SeedError| see(error.to_string()))?;
        for group in sites::group(&config.seeds, &scope)? {
            let mut settings = Settings::new(SiteId(wanted.len() as u32), group.seeds.clone());
            settings.scope = scope.clone();
            settings.budget = config.budget.as_deref().map(parse_budget).transpose().map_err(see)?.unwrap_or_default();
            settings.delay = config.delay.as_deref().map(parse_span).transpose().map_err(see)?;
            settings.depth_max = config.depth;
            (settings.media, settings.policy) = media_options::of_site(&config, policy)?;
            settings.run_seed = clock::now().as_millis() as u64;
            let config = SiteConfig { seeds: group.seeds, ..config.clone() };
            take_in(&mut wanted, Wanted { name: group.name, kind: CaptureKind::Capture, config, settings });
        }
    }
    Ok(wanted)
}

/// A second part of a site is one more way into it, so that what both reach is asked for once. Not if they want different
/// things of what they reach: then they stay two captures.
fn take_in(wanted: &mut Vec<Wanted>, site: Wanted) {
    let same = |known: &&mut Wanted| {
        let (a, b) = (&known.settings, &site.settings);
        let lesser = (known.config.index, known.config.store) == (site.config.index, site.config.store);
        known.name == site.name && lesser && (&a.media, &a.policy, a.delay) == (&b.media, &b.policy, b.delay)
    };
    match wanted.iter_mut().find(same) {
        Some(known) => {
            let Settings { seeds, scope, budget, depth_max, .. } = site.settings;
            known.settings.more.push(Entrance { seeds, scope, budget, depth_max });
        }
        None => wanted.push(site),
    }
}

/// What the file says of a site, and where something else was typed that instead.
fn with_options(file: SiteConfig, options: &Options) -> SiteConfig {
    let file = options.media_options.with_options(file);
    SiteConfig {
        scope: options.scope.clone().unwrap_or(file.scope),
        budget: options.budget.clone().or(file.budget),
        depth: options.depth.or(file.depth),
        delay: options.delay.clone().or(file.delay),
        index: options.index.unwrap_or(file.index),
        store: options.store.unwrap_or(file.store),
        ..file
    }
}

pub(crate) fn summary(
    collection: &Collection,
    id: &CaptureId,
    ended: Ended,
    tally: Tally,
    took: Duration,
) -> CaptureSummary {
    let Ended { session, ending, error } = ended;
    let mut whole = session.resumed().map_or_else(Tally::default, |resumed| resumed.tally.clone());
    whole.merge(&tally);
    let skipped = session.scheduler().skipped();
    let left_alone = skipped.as_ref().map_or(0, |skipped| skipped.pages as usize);
    let nothing_skipped = session
        .known_from()
        .filter(|_| left_alone == 0)
        .map(|captures| skipped::why_nothing(&session.settings().policy, captures));
    CaptureSummary {
        site: session.name().to_owned(),
        capture: id.to_string(),
        resumed: session.resumed().is_some(),
        ending,
        seconds: took.as_secs_f64(),
        waiting: session.progress().waiting.saturating_sub(left_alone),
        tally: whole,
        same_bytes: session.scheduler().same_bytes(),
        excluded: session.scheduler().exclusions().clone(),
        skipped,
        nothing_skipped,
        media: media_result(collection, id, &session),
        next: error.as_ref().and_then(failure::next_step),
        error: error.map(|error| failure::sentence(&error.into())),
    }
}

/// Which wanted files a capture brought; nothing if everything was wanted, or if it cannot be counted.
fn media_result(collection: &Collection, id: &CaptureId, session: &Session) -> Option<MediaResult> {
    let rules = &session.settings().media;
    let counted = || {
        let history = collection.history(session.name())?;
        MediaResult::of(&collection.reading(), id, &history, rules, session.media_before())
    };
    let counted: Result<MediaResult, tintype_session::Error> = (!rules.is_empty()).then(counted)?;
    counted.inspect_err(|error| eprintln!("warning: what was wanted cannot be counted: {error}")).ok()
}

fn print(options: &Options, summaries: &[CaptureSummary]) -> anyhow::Result<()> {
    if options.common.json {
        let collection = options.common.collection.display().to_string();
        println!("{}", serde_json::json!({ "collection": collection, "sites": summaries }));
        return Ok(());
    }
    for summary in summaries {
        print!("{}", summary.text(Duration::from_secs_f64(summary.seconds)));
        if let Some(error) = &summary.error {
            println!("  error: {error}");
            println!(
                "  next: {}",
                summary.next.as_deref().unwrap_or("run the same command again; what was reported is safe")
            );
        }
    }
    let collection = options.common.collection.display();
    println!("kept in {collection}; tintype report -C {collection} says what can be proved about it");
    Ok(())
}
