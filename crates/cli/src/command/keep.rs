//! `tintype keep`: sites and listings kept continuously, under one budget.

mod agenda;
mod policy;
mod site;
mod source;
pub(super) mod tell;

use super::{
    Common, capture,
    capture::{Choice, Limits, Network},
    open,
};
use crate::{
    amount::{parse_per_day, parse_share, parse_span, per_day_text},
    config::{Config, SourceConfig, is_no_captured_site},
    failure::usage,
    notify::Delivering,
    opener::{NO_BUDGET, Opener},
    settings::{self, Section, Typed},
    sites, stop,
};
use agenda::KeepAgenda;
use anyhow::Context;
use clap::Args;
use site::KeptSite;
use source::Source;
use std::process::ExitCode;
use tintype_archive::{Collection, Reading};
use tintype_live::{Hosts, clock, crawl};
use tintype_plan::{Budget, DayBudget, DaySpending, Keeper};
use tintype_session::{listing::probe_site, spent_on};
use tintype_vocab::{Span, Time};

/// Clocks that are set right now and then are off by less.
const CLOCKS_DIFFER: Span = Span::from_secs(3600);

/// Keep whole sites and listings up to date, spending every request where it buys most
///
/// A new site is captured once, as coherently as its budget lets it, and then never stops being watched: what changes often,
/// at which hours, and what listings and sitemaps say of it is learned, and every request goes to the page where most is
/// expected to be new. tintype status says how well that goes, tintype explain URL why a page was or was not asked for.
/// Without a budget it spends what politeness allows, until another request is expected to gain next to nothing.
///
/// A listing (a source, with --objects) is a page of objects that have identifiers: cars, jobs, threads. Every crawl reads
/// all its pages, finds out what came, went and changed, learns how fast the copy goes stale, and from that when to look again
/// so that the promise holds: "at least nine tenths of what we show is still there, at least nine tenths of what is there we
/// show", but for one twentieth of the time (--broken-share). A crawl that looks like an outage is not believed.
///
/// HOW to find objects: links:/cars/{id} (links of that form), css:li.car (elements), json:/items/* (values), feed,
/// sitemap. HOW to find identifiers and attributes: link, {id} (of links); link, text, @data-id, a.title, a@href (of
/// elements); /id (of JSON values); guid, category@term (of entries).
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype keep https://example.com/ --budget 500/day\n  tintype keep example.com example.org --budget 2000/day,1GB/day --for 8h\n  tintype keep            (all sites and sources of tintype.toml, for ever)\n  tintype keep --once     (spends today's budget and ends: for cron)\n  tintype keep https://example.com/cars --objects css:li.car --id @data-id --attribute make=.make\n  tintype keep https://example.com/jobs.json --objects 'json:/jobs/*' --id /id --next json:/next --target-recall 0.95"
)]
pub(crate) struct Options {
    /// Sites to keep, or the first page of a listing, or names of either; none means everything in the collection's tintype.toml
    #[arg(value_name = "URL")]
    urls: Vec<String>,
    #[command(flatten)]
    common: Common,
    /// What all may spend a day: requests, bytes, or both (500/day, 2GB/day, 500/day,2GB/day)
    #[arg(long, value_name = "N/day", value_parser = parse_per_day, allow_hyphen_values = true)]
    budget: Option<Budget>,
    /// How requests are chosen; tintype, ours, is the default
    #[arg(long, value_name = "NAME", value_parser = policy::Names, hide_possible_values = true)]
    policy: Option<String>,
    /// How far a site reaches: page, prefix, host (the default), domain, or a SURT prefix such as com,example)/news
    #[arg(long)]
    scope: Option<String>,
    /// Where the objects of a listing are: links:TEMPLATE, css:SELECTOR, json:/POINTER/*, feed or sitemap
    #[arg(long, value_name = "HOW", help_heading = "Listings")]
    objects: Option<String>,
    /// Where the identifier of an object is; by default its link, guid, id or URL
    #[arg(long, value_name = "HOW", help_heading = "Listings")]
    id: Option<String>,
    /// An attribute and where it is; may be given several times
    #[arg(long = "attribute", value_name = "NAME=HOW", help_heading = "Listings")]
    attributes: Vec<String>,
    /// Where further pages are, if not at rel=next: links:TEMPLATE, css:SELECTOR or json:/POINTER
    #[arg(long, value_name = "HOW", help_heading = "Listings")]
    next: Option<String>,
    /// What to call the source; by default its URL
    #[arg(long, help_heading = "Listings")]
    name: Option<String>,
    /// The least share of the copy that is still at the source; 0.9 if no target is given
    #[arg(long, value_name = "SHARE", value_parser = parse_share, help_heading = "Listings")]
    target_precision: Option<f64>,
    /// The least share of the source that is in the copy; 0.9 if no target is given
    #[arg(long, value_name = "SHARE", value_parser = parse_share, help_heading = "Listings")]
    target_recall: Option<f64>,
    /// The share of the time in which the promise may be broken; 0.05 if nothing is said
    #[arg(long, value_name = "SHARE", value_parser = parse_share, help_heading = "Listings")]
    broken_share: Option<f64>,
    /// Never crawl more often than this; 15min if the file does not say
    #[arg(long, value_name = "TIME", help_heading = "Listings")]
    step: Option<String>,
    /// Spend today's budget now, or crawl each source once, and end
    #[arg(long)]
    once: bool,
    /// End after this time: 1h, 2d
    #[arg(long = "for", value_name = "TIME", value_parser = parse_span, conflicts_with = "once")]
    lasting: Option<Span>,
    /// A fixed pause between requests, in seconds; 0 lifts it for your own servers
    #[arg(long, value_name = "SECONDS")]
    delay: Option<String>,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    network: Network,
}

impl Options {
    /// What was typed about sites, by its name in the file.
    fn typed(&self) -> Typed {
        let own = [settings::text("scope", self.scope.as_ref()), settings::text("delay", self.delay.as_ref())];
        own.into_iter().flatten().chain(self.choice.typed()).collect()
    }
}

/// What is to be kept.
struct Kept {
    sites: Vec<KeptSite>,
    sources: Vec<Source>,
    budget: Option<Budget>,
    /// The names of all that share the budget, kept by this run or not.
    sharing: Vec<String>,
}

impl Kept {
    /// Where sites and sources begin.
    fn seeds(&self) -> Vec<String> {
        let sources = self.sources.iter().map(|source| source.config.url.clone());
        self.sites.iter().flat_map(|site| site.section().config.seeds.clone()).chain(sources).collect()
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let how = if options.common.json { tell::Listener::Machine } else { tell::Listener::Person };
    keep(options, how)
}

/// Keeps without a word; the caller looks at what came of it.
pub(crate) fn keep_quietly(options: &Options) -> anyhow::Result<ExitCode> {
    keep(options, tell::Listener::Nobody)
}

fn keep(options: &Options, listener: tell::Listener) -> anyhow::Result<ExitCode> {
    let (file, typed) = (Config::read(&options.common.collection)?, options.typed());
    let urls = options.choice.urls(&options.urls)?;
    let mut kept = wanted(options, &file, &urls, &typed)?;
    let listener = if options.choice.quiet { tell::Listener::Nobody } else { listener };
    let speech = options.network.speech(&file, &kept.seeds(), (!urls.is_empty(), options.choice.save), 1)?;
    kept.sites.iter_mut().for_each(|site| site.tell_also(&speech.told));
    let collection = open(&options.common, true)?;
    speech.remember(collection.path())?;
    if let Some(budget) = options.budget.filter(|_| options.choice.save) {
        Config::set(collection.path(), "budget", &per_day_text(budget))?;
    }
    let has_typed = !typed.is_empty() || options.budget.is_some();
    let typed = options.choice.save.then_some(typed);
    options.limits.keep_free(&collection);
    let now = clock::now();
    refuse_earlier_clock(&collection.reading(), now)?;
    kept.sources.iter().try_for_each(|source| is_no_captured_site(&collection.reading(), &source.config))?;
    kept.sources.iter_mut().try_for_each(|source| source.recall(&collection.reading(), now))?;
    kept.sites.iter_mut().try_for_each(|site| site.recall(&collection, now))?;
    let budget = day_budget(options, &kept, &collection, now)?;
    let _delivering = Delivering::begin(collection.path(), &file);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
    runtime.block_on(async {
        let stop = stop::on_signal("stopping when what is under way has been stored");
        let mut opener =
            Opener::new(&collection, &speech.settings.user_agent, kept.sites.iter().any(KeptSite::is_choosy))?;
        opener.budget = Some(kept.budget.map_or_else(|| NO_BUDGET.to_owned(), per_day_text));
        let client = opener.client(&speech.settings)?;
        let hosts = Hosts::open(&collection, &client)?;
        let mut agenda = KeepAgenda::new(options, kept, opener, budget, now, listener);
        (agenda.save, agenda.has_typed) = (typed, has_typed);
        agenda.tell_plan();
        crawl(&mut agenda, Keeper::new(budget), &client, &hosts, stop).await;
        Ok(agenda.over())
    })
}

/// Whether a site could be kept as it is written down.
pub(super) fn check(site: capture::Wanted, budget: Option<&str>) -> anyhow::Result<()> {
    let budget = budget.and_then(|budget| parse_per_day(budget).ok());
    KeptSite::new(site, tintype_plan::policy::CONTINUAL_DEFAULT, budget).map(drop)
}

/// What was seen later than now is not known yet: with a clock that was set back every site would look new, and what is seen
/// now would be dated before what it came after.
fn refuse_earlier_clock(reading: &Reading, now: Time) -> anyhow::Result<()> {
    let latest = reading.captures()?.into_iter().map(|info| info.head.started).max();
    match latest.filter(|latest| *latest > now + CLOCKS_DIFFER) {
        Some(latest) => Err(usage(
            format!("the clock of this machine says {}, and the collection was written at {}", told(now), told(latest)),
            "set the clock, or wait until it is later than that; nothing was asked for and nothing is lost",
        )),
        None => Ok(()),
    }
}

fn told(moment: Time) -> String {
    moment.to_rfc3339_secs()
}

/// The budget of all, less what was spent of it today.
fn day_budget(options: &Options, kept: &Kept, collection: &Collection, now: Time) -> anyhow::Result<Option<DayBudget>> {
    let Some(per_day) = kept.budget else { return Ok(None) };
    let spent = spent_on(&collection.reading(), &kept.sharing, now.midnight())?;
    let spent = DaySpending { requests: spent.requests, bytes: spent.bytes, all_day: spent.earlier };
    let budget = DayBudget::new(per_day, now, spent);
    Ok(Some(if options.once { budget.at_once() } else { budget }))
}

/// The sites and sources to be kept, by the options or else by the file.
fn wanted(options: &Options, config: &Config, urls: &[String], typed: &Typed) -> anyhow::Result<Kept> {
    let (file_sites, file) = (config.site.clone(), config.source.clone());
    let budget = config.budget.as_deref().map(parse_per_day).transpose();
    let budget = options.budget.or(budget.map_err(|problem| usage(problem, "correct the budget in tintype.toml"))?);
    let mut sharing: Vec<String> = file.iter().map(|source| source.name.clone()).collect();
    sharing.extend(
        capture::wanted(file_sites.iter().cloned().map(Section::of_file).collect(), "keep")?
            .into_iter()
            .map(|site| site.name),
    );
    let (mut sources, sites);
    if urls.is_empty() {
        if file.is_empty() && file_sites.is_empty() {
            return Err(usage(
                "there is nothing to keep yet",
                "name a site: tintype keep https://example.com/ --budget 500/day; or a listing: tintype keep https://example.com/cars --objects css:li.car --id @data-id",
            ));
        }
        (sources, sites) = (file, file_sites);
    } else {
        let mut of_sites = Vec::new();
        sources = Vec::new();
        for text in urls {
            match one(text, &file, options)? {
                Some(source) => sources.push(source),
                None => of_sites.push(text.clone()),
            }
        }
        sites = settings::sections_of(&of_sites, &file_sites)?;
    }
    let sources: Vec<Source> =
        sources.into_iter().map(|config| Source::new(with_options(config, options))).collect::<Result<_, _>>()?;
    let sites = sites.into_iter().map(|config| Section::new(config, typed)).collect::<anyhow::Result<_>>()?;
    let mut sites = capture::wanted(sites, "keep")?;
    sites.iter_mut().for_each(|site| options.limits.apply(&mut site.settings));
    let policy = options.policy.as_deref().unwrap_or(tintype_plan::policy::CONTINUAL_DEFAULT);
    let sites =
        sites.into_iter().map(|site| KeptSite::new(site, policy, budget)).collect::<anyhow::Result<Vec<_>>>()?;
    let names: Vec<&str> = sites.iter().map(KeptSite::name).collect();
    config.names_differ(&names, &sources.iter().map(|source| &source.config).collect::<Vec<_>>())?;
    sharing.extend(sites.iter().map(|site| site.name().to_owned()));
    sharing.extend(sources.iter().map(|source| source.config.name.clone()));
    sharing.extend(sharing.clone().iter().map(|source| probe_site(source)));
    sharing.sort_unstable();
    sharing.dedup();
    Ok(Kept { sites, sources, budget, sharing })
}

/// The source of that name or URL, or a new one; nothing if it is none.
fn one(text: &str, file: &[SourceConfig], options: &Options) -> anyhow::Result<Option<SourceConfig>> {
    if let Some(known) = file.iter().find(|known| known.name == text) {
        return Ok(Some(known.clone()));
    }
    // One that was imported has a name, but no place.
    if !text.contains(['.', ':', '/']) && text != "localhost" {
        return Err(usage(
            format!("neither a site nor a source is called {text}, and it is no URL"),
            format!(
                "tintype sites lists what is kept; say where a new one is: tintype keep https://example.com/, or of a listing tintype keep URL --name {text} --objects css:li.car, links:/car/{{id}}, json:/items/*, feed or sitemap"
            ),
        ));
    }
    let url = sites::parse(text)?;
    let is_same = |known: &&SourceConfig| match &options.name {
        Some(name) => known.name == *name,
        None => known.url == url.as_str(),
    };
    match (file.iter().find(is_same), &options.objects) {
        (Some(known), _) => Ok(Some(known.clone())),
        (None, Some(objects)) => {
            let new = SourceConfig::new(text, objects)?;
            Ok(Some(SourceConfig { name: options.name.clone().unwrap_or(new.name.clone()), ..new }))
        }
        (None, None) => Ok(None),
    }
}

/// What the file says of a source, and where something else was typed that instead.
fn with_options(file: SourceConfig, options: &Options) -> SourceConfig {
    let typed = |option: &Option<String>, file: Option<String>| option.clone().or(file);
    SourceConfig {
        objects: options.objects.clone().unwrap_or(file.objects),
        id: typed(&options.id, file.id),
        attributes: if options.attributes.is_empty() { file.attributes } else { options.attributes.clone() },
        next: typed(&options.next, file.next),
        target_precision: options.target_precision.or(file.target_precision),
        target_recall: options.target_recall.or(file.target_recall),
        broken_share: options.broken_share.or(file.broken_share),
        step: options.step.clone().unwrap_or(file.step),
        delay: typed(&options.delay, file.delay),
        ..file
    }
}
