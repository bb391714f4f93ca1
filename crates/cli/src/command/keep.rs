//! `tintype keep`: copies of listings that are as good as promised.

mod probe;
mod request_budget;
mod round;
pub(super) mod tell;

use super::{Common, capture::Network};
use crate::{
    amount::{parse_per_day, parse_share, parse_span},
    config::{Config, SourceConfig},
    failure::usage,
    sites, stop,
};
use anyhow::Context;
use clap::Args;
use request_budget::{RequestBudget, Shortfall, last_requests};
use round::crawl;
use std::{process::ExitCode, time::Duration};
use tintype_archive::Collection;
use tintype_learn::decay::Decay;
use tintype_live::clock;
use tintype_observe::listing::Way;
use tintype_plan::deadline::Deadline;
use tintype_session::listing::{SourceState, Terms, probe_site};
use tintype_vocab::{Span, Time};
use tokio::sync::watch;

/// Clocks are set and machines sleep: nobody waits for longer without looking at the clock.
const NAP_MAX: Span = Span::from_secs(30);

/// Keep copies of listings as good as promised, with the fewest crawls
///
/// A source is a listing of objects that have identifiers: cars, jobs, threads. Every crawl reads all its pages politely
/// into the collection, finds out what came, went and changed, learns how fast the copy goes stale, and from that when to look
/// again so that the promise holds: "at least nine tenths of what we show is still there, at least nine tenths of what is
/// there we show", but for one twentieth of the time. A crawl that looks like an outage is not believed.
///
/// HOW to find objects: links:/cars/{id} (links of that form), css:li.car (elements), json:/items/* (values), feed,
/// sitemap. HOW to find identifiers and attributes: link, {id} (of links); link, text, @data-id, a.title, a@href (of
/// elements); /id (of JSON values); guid, category@term (of entries).
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype keep https://example.com/cars --objects css:li.car --id @data-id --attribute make=.make\n  tintype keep https://example.com/jobs.json --objects 'json:/jobs/*' --id /id --next json:/next --target-recall 0.95\n  tintype keep https://example.com/ --objects links:/item/{id} --once\n  tintype keep --budget 500/day\n  tintype keep            (all sources of tintype.toml, for ever)"
)]
pub(crate) struct Options {
    /// The first page of a listing, or the name of a source; none means every source of the collection's tintype.toml
    #[arg(value_name = "URL")]
    source: Option<String>,
    #[command(flatten)]
    common: Common,
    /// Where the objects are: links:TEMPLATE, css:SELECTOR, json:/POINTER/*, feed or sitemap
    #[arg(long, value_name = "HOW")]
    objects: Option<String>,
    /// Where the identifier of an object is; by default its link, guid, id or URL
    #[arg(long, value_name = "HOW")]
    id: Option<String>,
    /// An attribute and where it is; may be given several times
    #[arg(long = "attribute", value_name = "NAME=HOW")]
    attributes: Vec<String>,
    /// Where further pages are, if not at rel=next: links:TEMPLATE, css:SELECTOR or json:/POINTER
    #[arg(long, value_name = "HOW")]
    next: Option<String>,
    /// What to call the source; by default its URL
    #[arg(long)]
    name: Option<String>,
    /// The least share of the copy that is still at the source; 0.9 if no target is given
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    target_precision: Option<f64>,
    /// The least share of the source that is in the copy; 0.9 if no target is given
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    target_recall: Option<f64>,
    /// Never crawl more often than this; 15min if the file does not say
    #[arg(long, value_name = "TIME")]
    step: Option<String>,
    /// Requests that all sources of the run share, such as 500/day; whoever needs them most goes first
    #[arg(long, value_name = "N/day", value_parser = parse_per_day)]
    budget: Option<u32>,
    /// Crawl each source once, now, and end
    #[arg(long)]
    once: bool,
    /// End after this time: 1h, 2d
    #[arg(long = "for", value_name = "TIME", value_parser = parse_span, conflicts_with = "once")]
    lasting: Option<Span>,
    /// A fixed pause between requests, in seconds; 0 lifts it for your own servers
    #[arg(long, value_name = "SECONDS")]
    delay: Option<String>,
    #[command(flatten)]
    network: Network,
}

/// A source to be kept.
struct Source {
    config: SourceConfig,
    way: Way,
    terms: Terms,
    due: Time,
    /// Crawls in a row that did not even come to their end.
    failures: u32,
    /// What the last crawl took; 1 before there was one.
    requests: u32,
    deadline: Deadline,
    decay: Decay,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let (mut sources, request_budget) = wanted(options)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
    runtime.block_on(async {
        let stop = stop::on_signal("stopping when what is under way has been stored");
        match options.once {
            true => once(options, &mut sources, request_budget, &stop).await,
            false => for_ever(options, &mut sources, request_budget, stop).await,
        }
    })
}

async fn once(
    options: &Options,
    sources: &mut [Source],
    mut request_budget: RequestBudget,
    stop: &watch::Receiver<bool>,
) -> anyhow::Result<ExitCode> {
    let mut all_well = true;
    let mut left: Vec<&mut Source> = sources.iter_mut().collect();
    loop {
        let (now, among) = (clock::now(), left.iter().map(|source| &**source).collect::<Vec<_>>());
        let Some(first) = request_budget.first(&among, now).filter(|_| !*stop.borrow()) else { break };
        if let Some(short) = request_budget.short(left[first], now) {
            tell_all_wait(options, &left, first, &short);
            break;
        }
        let crawled = crawl(options, left.remove(first), stop).await?;
        request_budget.spend(crawled.requests);
        all_well &= crawled.learned;
    }
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn tell_all_wait(options: &Options, left: &[&mut Source], first: usize, short: &Shortfall) {
    let name = |nth: usize| left[nth].config.name.as_str();
    tell::waits(options.common.json, name(first), short, None);
    let others = (0..left.len()).filter(|nth| *nth != first);
    others.for_each(|nth| tell::waits(options.common.json, name(nth), short, Some(name(first))));
}

async fn for_ever(
    options: &Options,
    sources: &mut [Source],
    mut request_budget: RequestBudget,
    mut stop: watch::Receiver<bool>,
) -> anyhow::Result<ExitCode> {
    let end = options.lasting.map(|lasting| clock::now() + lasting);
    loop {
        let now = clock::now();
        let turn = request_budget.turn(sources, now);
        let source = &mut sources[turn.source];
        if let Some(short) = turn.short.filter(|_| request_budget.is_news(source)) {
            tell::waits(options.common.json, &source.config.name, &short, None);
        }
        if let Some(end) = end.filter(|end| turn.at > *end) {
            wait(end, &mut stop).await;
            tell::over(options.common.json, &source.config.name, turn.at);
            return Ok(ExitCode::SUCCESS);
        }
        if !wait(turn.until, &mut stop).await {
            tell::over(options.common.json, &source.config.name, turn.at);
            return Ok(ExitCode::SUCCESS);
        }
        if turn.at <= now {
            let crawled = match probe::instead(options, source, &stop).await? {
                Some(probed) => probed,
                None => crawl(options, source, &stop).await?,
            };
            request_budget.spend(crawled.requests);
        }
    }
}

/// Waits until a moment. Whether nobody stopped it.
async fn wait(until: Time, stop: &mut watch::Receiver<bool>) -> bool {
    loop {
        let left = until - clock::now();
        if *stop.borrow() {
            return false;
        }
        if left <= Span::ZERO {
            return true;
        }
        let nap = clock::wall(left.min(NAP_MAX)).max(Duration::from_millis(1));
        tokio::select! {
            () = tokio::time::sleep(nap) => {}
            _ = stop.changed() => {}
        }
    }
}

/// The sources somebody wants kept, when each is due, and the requests they share.
fn wanted(options: &Options) -> anyhow::Result<(Vec<Source>, RequestBudget)> {
    let Config { source: file, budget, .. } = Config::read(&options.common.collection)?;
    let budget = budget.as_deref().map(parse_per_day).transpose();
    let budget = budget.map_err(|problem| usage(problem, "correct the budget in tintype.toml"))?;
    let mut sharing: Vec<String> = file.iter().map(|source| source.name.clone()).collect();
    let configs = match &options.source {
        None if file.is_empty() => {
            return Err(usage(
                "there is no source to keep yet",
                "declare one: tintype keep https://example.com/cars --objects css:li.car --id @data-id",
            ));
        }
        None => file,
        Some(text) => vec![one(text, file, options)?],
    };
    let reading = Collection::read(&options.common.collection).ok();
    let now = clock::now();
    let prepared = configs.into_iter().map(|config| {
        let config = with_options(config, options);
        let (way, terms) = (config.way()?, config.terms()?);
        let known = reading.as_ref().map(|reading| SourceState::of(reading, &config.name, terms)).transpose()?;
        let due = known.as_ref().map_or(now, |known| known.due(now));
        let requests = reading.as_ref().map_or(Ok(1), |reading| last_requests(reading, &config.name))?;
        let (deadline, decay) = match known {
            Some(known) => (known.deadline, known.decay),
            None => (Deadline::new(terms.promise), Decay::new()),
        };
        Ok(Source { config, way, terms, due, failures: 0, requests, deadline, decay })
    });
    let sources = prepared.collect::<anyhow::Result<Vec<_>>>()?;
    sharing.extend(sources.iter().map(|source| source.config.name.clone()));
    sharing.extend(sharing.clone().iter().map(|source| probe_site(source)));
    let request_budget = RequestBudget::new(options.budget.or(budget), &sharing, reading.as_ref())?;
    Ok((sources, request_budget))
}

/// The source of that name or URL, or a new one.
fn one(text: &str, file: Vec<SourceConfig>, options: &Options) -> anyhow::Result<SourceConfig> {
    if let Some(known) = file.iter().find(|known| known.name == text) {
        return Ok(known.clone());
    }
    let url = sites::parse(text)?;
    let is_same = |known: &&SourceConfig| match &options.name {
        Some(name) => known.name == *name,
        None => known.url == url.as_str(),
    };
    match (file.iter().find(is_same), &options.objects) {
        (Some(known), _) => Ok(known.clone()),
        (None, Some(objects)) => {
            let new = SourceConfig::new(text, objects)?;
            Ok(SourceConfig { name: options.name.clone().unwrap_or(new.name.clone()), ..new })
        }
        (None, None) => {
            // One that was imported has a name, but no place.
            let place = if text.contains(['.', ':', '/']) { text.to_owned() } else { format!("URL --name {text}") };
            Err(usage(
                format!("what are the objects of {text}?"),
                format!(
                    "say where they are: tintype keep {place} --objects css:li.car, links:/car/{{id}}, json:/items/*, feed or sitemap"
                ),
            ))
        }
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
        step: options.step.clone().unwrap_or(file.step),
        delay: typed(&options.delay, file.delay),
        ..file
    }
}
