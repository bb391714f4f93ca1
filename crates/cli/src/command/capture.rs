//! `tintype capture`: one capture of each site.

mod brought;
mod network;
mod plan;
mod policy;
mod wishes;

use super::{Common, open};
use crate::{
    ads,
    amount::{parse_budget, parse_span},
    config::{Config, SiteConfig, Which},
    failure::{self, usage},
    outlook::Outlook,
    screen::Screen,
    sites, skipped, stop,
};
use anyhow::Context;
use brought::Brought;
use clap::Args;
pub(crate) use network::Network;
use plan::{Lore, Plan};
use std::{process::ExitCode, sync::Arc, time::Duration};
use tintype_archive::{Capture, CaptureKind, Collection};
use tintype_live::{Client, ClientSettings, Ended, clock, crawl};
use tintype_plan::{Ending, Scheduler, Settings};
use tintype_quality::Tally;
use tintype_vocab::SiteId;
use tokio::sync::watch;
use wishes::Wishes;

/// Sites captured side by side; more wait for the next round.
const SITES_AT_ONCE: usize = 64;

/// Capture sites into the collection; resume what was cut short
///
/// Asks politely (robots.txt, Crawl-delay, Retry-After, one connection and a pause that follows the server's response
/// time), stores every answer as WARC with a CDXJ index, and on the next capture asks only whether pages have changed.
/// A visit that is reported is on disk: after a crash run the same command again and it goes on where it stopped.
/// With --policy skip a recapture leaves alone what will not have changed, and says what that is expected to cost.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype capture https://example.com/\n  tintype capture example.com --scope prefix --budget 500\n  tintype capture http://127.0.0.1:8080/ --delay 0 --connections 8\n  tintype capture            (all sites of tintype.toml again)\n  tintype capture example.com --media image,audio,application/pdf  (and the pages that lead there)\n  tintype capture example.com --policy skip  (once a few captures have shown what stands still)"
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
    pub(crate) wishes: Wishes,
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
    /// Requests under way at once per site; more than one only on your own servers
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) connections: usize,
    #[command(flatten)]
    pub(crate) network: Network,
    /// Begin anew even where an earlier capture was cut short
    #[arg(long)]
    pub(crate) fresh: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let outlooks = capture(options, options.common.json)?;
    let stopped = outlooks.iter().any(|outlook| matches!(outlook.ending, None | Some(Ending::Unreachable)));
    let nothing = outlooks.iter().any(|outlook| outlook.tally.pages == 0);
    let failed = outlooks.iter().any(|outlook| outlook.error.is_some());
    print(options, &outlooks)?;
    Ok(if stopped || nothing || failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Captures without a line per visit; the caller shows the outcome.
pub(crate) fn capture_quietly(options: &Options) -> anyhow::Result<Vec<Outlook>> {
    capture(options, true)
}

/// Captures, shows progress, and says how each site went.
fn capture(options: &Options, quiet: bool) -> anyhow::Result<Vec<Outlook>> {
    let wanted = wanted_sites(options)?;
    let settings = options.network.client_settings(options.connections)?;
    let collection = open(&options.common, true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
    runtime.block_on(async {
        let stop = stop::on_signal("stopping when what is under way has been stored");
        let run = Run { network: &options.network, settings, fresh: options.fresh, quiet };
        let mut outlooks = Vec::new();
        for sites in wanted.chunks(SITES_AT_ONCE) {
            if *stop.borrow() {
                break;
            }
            let remember = |site: &Wanted, _: &mut Capture| match options.urls.is_empty() {
                // What came out of the file is in it.
                true => Ok(()),
                false => Config::remember(collection.path(), &site.config),
            };
            outlooks.extend(run.crawl(&collection, sites, stop.clone(), remember).await?);
        }
        Ok(outlooks)
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
    /// Captures sites side by side. `equip` sees every capture before it begins.
    pub(crate) async fn crawl(
        &self,
        collection: &Collection,
        sites: &[Wanted],
        stop: watch::Receiver<bool>,
        mut equip: impl FnMut(&Wanted, &mut Capture) -> anyhow::Result<()>,
    ) -> anyhow::Result<Vec<Outlook>> {
        let advertisements = Arc::new(ads::read(collection.path())?);
        let spool_directory = collection.spool_directory();
        let client = Client::new(ClientSettings { spool_directory, ..self.settings.clone() })?;
        let lore = Lore::of(collection)?;
        let plans = sites.iter().map(|site| Plan::new(collection, site, self, &lore));
        let mut round = plans.collect::<anyhow::Result<Vec<_>>>()?;
        for (site, plan) in sites.iter().zip(&mut round) {
            plan.site.capture.tell_advertisements(&advertisements);
            equip(site, &mut plan.site.capture)?;
        }
        let brought = round.iter().map(Brought::of).collect::<Vec<_>>();
        let mut outlooks = crawl_round(round, &client, stop, self.quiet).await;
        for (outlook, brought) in outlooks.iter_mut().zip(brought) {
            outlook.media = brought.tell(collection, outlook);
        }
        Ok(outlooks)
    }
}

/// A site somebody wants, and the options that go with it.
pub(crate) struct Wanted {
    pub(crate) name: String,
    pub(crate) kind: CaptureKind,
    pub(crate) config: SiteConfig,
    pub(crate) settings: Settings,
}

fn wanted_sites(options: &Options) -> anyhow::Result<Vec<Wanted>> {
    let mut wanted = Vec::new();
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
    for config in configs.into_iter().map(|config| typed_over(config, options)) {
        let scope = config.scope.parse().map_err(|error| usage(error, "see tintype capture --help"))?;
        for group in sites::group(&config.seeds, &scope)? {
            let mut settings = Settings::new(SiteId(wanted.len() as u32), group.seeds.clone());
            settings.scope = scope.clone();
            let see = |problem: String| usage(problem, "see tintype capture --help");
            settings.budget = config.budget.as_deref().map(parse_budget).transpose().map_err(see)?.unwrap_or_default();
            settings.delay = config.delay.as_deref().map(parse_span).transpose().map_err(see)?;
            settings.depth_max = config.depth;
            (settings.media, settings.policy) = wishes::of_site(&config, options.policy.as_deref())?;
            settings.revisit = options.revisit;
            settings.connections = options.connections.clamp(1, 256);
            settings.run_seed = clock::now().as_millis() as u64;
            wanted.push(Wanted {
                name: group.name,
                kind: CaptureKind::Capture,
                config: SiteConfig { seeds: group.seeds, ..config.clone() },
                settings,
            });
        }
    }
    Ok(wanted)
}

/// What the file says of a site, and where something else was typed that instead.
fn typed_over(file: SiteConfig, options: &Options) -> SiteConfig {
    let file = options.wishes.typed_over(file);
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

async fn crawl_round(round: Vec<Plan>, client: &Client, stop: watch::Receiver<bool>, quiet: bool) -> Vec<Outlook> {
    let names: Vec<String> = round.iter().map(|plan| plan.name.clone()).collect();
    let screen = Screen::new(&names, quiet);
    let (mut sites, mut known) = (Vec::new(), Vec::new());
    for plan in round {
        let Plan { name, resumed, before, known_from, site, .. } = plan;
        known.push(Known { site: name, capture: site.capture.id().to_string(), resumed, before, known_from });
        sites.push(site);
    }
    let ended = crawl(sites, client, stop, end, |site, news| screen.show(site, &news)).await;
    let counted = screen.close();
    let results = known.into_iter().zip(ended).zip(counted);
    results.map(|((known, ended), (tally, took))| outlook(known, ended, tally, took)).collect()
}

/// The closing entry of a capture's log.
fn end(scheduler: &Scheduler, ending: Ending) -> serde_json::Value {
    let mut end = serde_json::json!({ "ending": ending, "excluded": scheduler.exclusions() });
    if let Some(skipped) = scheduler.skipped() {
        end["skipped"] = serde_json::to_value(skipped).expect("what was skipped is plain data");
    }
    end
}

/// What is known of a capture before it goes on.
struct Known {
    site: String,
    capture: String,
    resumed: bool,
    before: Tally,
    known_from: Option<usize>,
}

fn outlook(known: Known, ended: Ended, tally: Tally, took: Duration) -> Outlook {
    let Known { site, capture, resumed, before: mut whole, known_from } = known;
    whole.merge(&tally);
    let skipped = ended.scheduler.skipped();
    let left_alone = skipped.as_ref().map_or(0, |skipped| skipped.pages as usize);
    let nothing_skipped = known_from
        .filter(|_| left_alone == 0)
        .map(|captures| skipped::why_nothing(&ended.scheduler.settings().policy, captures));
    Outlook {
        site,
        capture,
        resumed,
        ending: ended.ending,
        seconds: took.as_secs_f64(),
        waiting: ended.scheduler.progress().waiting.saturating_sub(left_alone),
        tally: whole,
        excluded: ended.scheduler.exclusions().clone(),
        skipped,
        nothing_skipped,
        media: None,
        next: ended.error.as_ref().and_then(failure::next_step),
        error: ended.error.map(|error| failure::sentence(&error.into())),
    }
}

fn print(options: &Options, outlooks: &[Outlook]) -> anyhow::Result<()> {
    if options.common.json {
        let collection = options.common.collection.display().to_string();
        println!("{}", serde_json::json!({ "collection": collection, "sites": outlooks }));
        return Ok(());
    }
    for outlook in outlooks {
        print!("{}", outlook.text(Duration::from_secs_f64(outlook.seconds)));
        if let Some(error) = &outlook.error {
            println!("  we failed: {error}");
            println!(
                "  next: {}",
                outlook.next.as_deref().unwrap_or("run the same command again; what was reported is safe")
            );
        }
    }
    let collection = options.common.collection.display();
    println!("kept in {collection}; tintype report -C {collection} says what can be proved about it");
    Ok(())
}
