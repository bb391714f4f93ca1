//! `tintype capture`: one capture of each site.

mod access;
mod anywhere;
mod choice;
mod limits;
mod media_options;
mod moment;
mod network;
mod policy;
mod rendering;
mod skipping;

use super::{Common, open};
use crate::out::{self, mention, say};
use crate::{
    amount::{parse_budget, parse_span},
    config::{self, Config, RenderWhen, SiteConfig, Which},
    failure::{self, usage},
    first_failure::Trouble,
    opener::Opener,
    plain::printable,
    save_to::{FileSaver, SavedFiles},
    screen::Screen,
    settings::{self, Section, Typed},
    sites, skipped, stop,
    summary::CaptureSummary,
};
pub(crate) use access::{Access, without_secrets};
use anyhow::Context;
pub(crate) use anywhere::AcrossResult;
use anywhere::AnywhereOptions;
pub(crate) use choice::Choice;
use clap::Args;
pub(crate) use limits::Limits;
use media_options::MediaOptions;
use moment::Moment;
pub(crate) use network::Network;
use skipping::SkipOptions;
use std::{path::Path, process::ExitCode, time::Duration};
use tintype_archive::{CaptureId, CaptureKind, Collection};
use tintype_live::{Agenda, Begin, ClientSettings, CrawlEvent, Ended, Hosts, Next, clock, crawl};
use tintype_plan::{
    Budget, Ending, Entrance, Keeper, ParseUrlMaskError, RenderMode, SeedError, Settings, SiteTerms, UrlMask, UrlRules,
};
use tintype_quality::Tally;
use tintype_session::{MediaResult, Session};
use tintype_vocab::{Outcome, Purpose, SiteId, Span, Time};
use tokio::sync::watch;
use toml_edit::Value;

/// Sites captured side by side; when one ends, the next begins.
const SITES_AT_ONCE: usize = 64;
/// Of sites that the file does not name, so many are told.
const CAPTURED_NAMED: usize = 3;

/// Capture sites into the collection; resume what was cut short
///
/// Asks politely (robots.txt, Crawl-delay, Retry-After, one connection and a pause that follows the server's response
/// time), stores every answer as WARC with a CDXJ index, and on the next capture asks only whether pages have changed.
/// A visit that is reported is on disk: after a crash run the same command again and it goes on where it stopped.
/// With --policy skip a recapture skips what will not have changed, and says what that is expected to cost.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype capture https://example.com/\n  tintype capture example.com --scope prefix --budget 500\n  tintype capture http://127.0.0.1:8080/ --delay 0 --connections 8\n  tintype capture            (all sites of tintype.toml again)\n  tintype capture example.com --media image,audio,application/pdf  (and the pages that lead there)\n  tintype capture example.com example.org --scope web --media audio --budget 20000,50GB --time 12h --save-to audio\n  tintype capture example.com --policy skip --loss 0.01  (once a few captures have shown what stays unchanged)"
)]
pub(crate) struct Options {
    /// Where to start; none means every site of the collection's tintype.toml, as it says unless options say otherwise
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<String>,
    #[command(flatten)]
    pub(crate) common: Common,
    /// How far to go: page, prefix, host (the default), domain, a SURT prefix such as com,example)/news, or web: wherever links
    /// lead, many hosts side by side, as far as --budget, --time or --depth goes
    #[arg(long)]
    pub(crate) scope: Option<String>,
    /// What may be spent per site: requests, bytes, or both (500, 2GB, 500,2GB)
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    pub(crate) budget: Option<String>,
    /// Links to follow away from a start
    #[arg(long, value_name = "LINKS", allow_negative_numbers = true)]
    pub(crate) depth: Option<u16>,
    #[command(flatten)]
    pub(crate) anywhere: AnywhereOptions,
    #[command(flatten)]
    pub(crate) media_options: MediaOptions,
    /// What to ask for first, and with skip or warm what not to ask for at all; by default sharp, with --media focused
    #[arg(long, value_parser = policy::Names)]
    pub(crate) policy: Option<String>,
    #[command(flatten)]
    skip_options: SkipOptions,
    /// Ask for every page twice, to prove which ones did not change meanwhile; see tintype report
    #[arg(long)]
    pub(crate) revisit: bool,
    /// Have the system's Chromium build pages whose scripts make them: never, auto (the default: pages of the sorts that gain
    /// by it, as is learned), always. It has no network: what it asks for is asked of the servers by tintype, at the same pace,
    /// by the same rules, and into the same archive
    #[arg(long, value_enum, value_name = "WHEN", hide_possible_values = true)]
    pub(crate) render: Option<RenderWhen>,
    #[command(flatten)]
    moment: Moment,
    /// Which versions replay finds: all (the default), or the important ones. Those below their page's usual importance
    /// can wait in the WARC files until their changes have added up to it; tintype repair --index all finds them again
    #[arg(long, value_enum, value_name = "WHICH", hide_possible_values = true)]
    pub(crate) index: Option<Which>,
    /// Which versions are stored: all (the default), or the important ones. With important the bytes of the others are
    /// THROWN AWAY and nobody can bring them back: only that they were seen, when, and how important they were is kept
    #[arg(long, value_enum, value_name = "WHICH", hide_possible_values = true)]
    pub(crate) store: Option<Which>,
    /// A fixed pause between requests, in seconds; 0 lifts it for your own servers
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(crate) delay: Option<String>,
    /// Requests under way at once per host; more than one only on your own servers
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) connections: Option<u16>,
    /// Stop after this time (2h, 30min); the same command goes on from there
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub(crate) time: Option<String>,
    #[command(flatten)]
    pub(crate) choice: Choice,
    #[command(flatten)]
    pub(crate) limits: Limits,
    #[command(flatten)]
    pub(crate) network: Network,
    /// Begin anew even where an earlier capture was cut short
    #[arg(long)]
    pub(crate) fresh: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let (summaries, saved) = capture(options, options.common.json)?;
    let is_stopped = |summary: &CaptureSummary| match summary.ending {
        None => !summary.time_is_up,
        ending => matches!(ending, Some(Ending::Unreachable | Ending::DiskLow)),
    };
    let stopped = summaries.iter().any(is_stopped);
    let nothing = summaries.iter().any(|summary| summary.tally.pages == 0);
    let failed = summaries.iter().any(|summary| summary.error.is_some());
    let went_well = !(stopped || nothing || failed);
    if !(options.choice.quiet && went_well && !options.common.json) {
        print(options, &summaries, saved.as_ref())?;
    }
    let went_well = went_well && saved.as_ref().is_none_or(|saved| saved.failed == 0);
    Ok(if went_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Captures without a line per visit; the caller shows the outcome.
pub(crate) fn capture_quietly(options: &Options) -> anyhow::Result<Vec<CaptureSummary>> {
    capture(options, true).map(|(summaries, _)| summaries)
}

/// Captures, shows progress, and says how each site went, and what was saved besides.
fn capture(options: &Options, quiet: bool) -> anyhow::Result<(Vec<CaptureSummary>, Option<SavedFiles>)> {
    let (typed, quiet) = (options.typed()?, quiet || options.choice.quiet);
    let file = Config::read(&options.common.collection)?;
    let urls = options.choice.urls(&options.urls)?;
    let mut wanted = wanted_sites((&file, &options.common.collection), &urls, &typed, &options.limits)?;
    let seeds: Vec<String> = wanted.iter().flat_map(|site| site.settings.all_seeds().cloned()).collect();
    let connections = wanted.iter().map(|site| site.settings.connections).max().unwrap_or(1);
    rendering::need_browser(&wanted)?;
    let speech = options.network.speech(&file, &seeds, (!urls.is_empty(), options.choice.save), connections)?;
    wanted.iter_mut().for_each(|site| site.section.told.extend_from_slice(&speech.told));
    let mut saver = options.anywhere.saver(wanted.iter().map(|site| &site.settings))?;
    if !quiet {
        tell_settings(&wanted);
        if file.site.is_empty() {
            rendering::tell_missing(&wanted);
        }
    }
    let collection = open(&options.common, true)?;
    speech.remember(collection.path())?;
    options.limits.keep_free(&collection);
    saver.as_mut().map_or(Ok(()), |saver| saver.start(&collection))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
    let summaries = runtime.block_on(async {
        let stop = stop::on_signal("stopping when what is under way has been stored");
        let run = Run { settings: speech.settings, fresh: options.fresh, quiet, saver: saver.as_ref() };
        // What came out of the file is in it; what goes anywhere is no site that would be captured again as it is.
        let is_kept_elsewhere = |site: &Wanted| urls.is_empty() || site.settings.goes_anywhere();
        let remember = |site: &Wanted| match is_kept_elsewhere(site) && !options.choice.save {
            true => Ok(()),
            false => {
                settings::remember(collection.path(), &site.section, options.choice.save.then_some(&typed)).map(drop)
            }
        };
        run.crawl(&collection, &wanted, stop, remember).await
    })?;
    let saved = saver.map(|saver| anywhere::finish(saver, &summaries));
    Ok((summaries, saved))
}

/// Says by which settings sites are captured, and what would be better ones.
fn tell_settings(wanted: &[Wanted]) {
    let sites = wanted.iter().map(|site| (site.name.as_str(), site.section.told.as_slice()));
    settings::lines(sites).iter().for_each(|line| mention!("{line}"));
    let waits = |site: &&Wanted| {
        site.settings.delay.is_none() && site.settings.all_seeds().all(|url| sites::is_own_machine(url))
    };
    if let Some(site) = wanted.iter().find(waits) {
        mention!("{} is this very machine: --delay 0 lifts the pause between requests", site.name);
    }
}

/// How sites are captured.
struct Run<'s> {
    settings: ClientSettings,
    /// Begin anew even where an earlier capture was cut short.
    fresh: bool,
    /// No line per visit.
    quiet: bool,
    /// Puts wanted files into a directory.
    saver: Option<&'s FileSaver>,
}

impl Run<'_> {
    /// Captures sites, some side by side. `remember` is told of every site that answered. A site that cannot be begun does
    /// not keep the others from being captured.
    async fn crawl(
        &self,
        collection: &Collection,
        sites: &[Wanted],
        stop: watch::Receiver<bool>,
        remember: impl FnMut(&Wanted) -> anyhow::Result<()>,
    ) -> anyhow::Result<Vec<CaptureSummary>> {
        let by_media = sites.iter().any(|site| !site.settings.media.is_empty());
        let opener = Opener::new(collection, &self.settings.user_agent, by_media)?;
        let client = opener.client(&self.settings)?;
        let hosts = Hosts::open(collection, &client)?;
        let mut agenda = CaptureAgenda {
            opener,
            fresh: self.fresh,
            sites: sites.iter(),
            remember,
            screen: Screen::new(self.quiet),
            saver: self.saver,
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
struct CaptureAgenda<'a, R> {
    opener: Opener<'a>,
    fresh: bool,
    sites: std::slice::Iter<'a, Wanted>,
    remember: R,
    screen: Screen,
    saver: Option<&'a FileSaver>,
    begun: Vec<Begun<'a>>,
    failed: Vec<(&'a Wanted, anyhow::Error)>,
    summaries: Vec<(usize, CaptureSummary)>,
}

/// A site whose capture has begun.
struct Begun<'a> {
    site: &'a Wanted,
    capture: CaptureId,
    has_answered: bool,
    /// When its time is up.
    until: Option<Time>,
    is_over: bool,
    time_is_up: bool,
}

impl<'a, R: FnMut(&Wanted) -> anyhow::Result<()>> CaptureAgenda<'a, R> {
    fn begin(&mut self, site: &'a Wanted, now: Time) -> anyhow::Result<Begin> {
        let (session, capture) = self.opener.open(site, self.fresh)?;
        tell_resumed(&session, &site.settings);
        let number = self.begun.len();
        self.screen.begin(number, session.name(), Some(session.settings()));
        let until = site.time.map(|time| now + time);
        let capture_id = capture.id().clone();
        let (has_answered, is_over, time_is_up) = (false, false, false);
        self.begun.push(Begun { site, capture: capture_id, has_answered, until, is_over, time_is_up });
        Ok(Begin { number, session, capture, terms: SiteTerms::default() })
    }

    /// A site whose time is up.
    fn out_of_time(&mut self, now: Time) -> Option<Next> {
        let is_up =
            |begun: &Begun<'_>| !begun.is_over && !begun.time_is_up && begun.until.is_some_and(|until| until <= now);
        let number = self.begun.iter().position(is_up)?;
        self.begun[number].time_is_up = true;
        Some(Next::End(number))
    }

    /// When the next site's time is up.
    fn next_up(&self) -> Next {
        let running = self.begun.iter().filter(|begun| !begun.is_over && !begun.time_is_up);
        running.filter_map(|begun| begun.until).min().map_or(Next::WhenOneEnds, Next::At)
    }

    /// The first page of a site: now it is known to be one.
    fn answered(&mut self, number: usize) {
        let begun = &mut self.begun[number];
        if !std::mem::replace(&mut begun.has_answered, true)
            && let Err(error) = (self.remember)(begun.site)
        {
            mention!("warning: {} is not kept in tintype.toml: {}", begun.site.name, failure::sentence(&error));
        }
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

impl<R: FnMut(&Wanted) -> anyhow::Result<()>> Agenda for CaptureAgenda<'_, R> {
    fn next(&mut self, now: Time, under_way: usize) -> Next {
        if let Some(next) = self.out_of_time(now) {
            return next;
        }
        while under_way < SITES_AT_ONCE
            && let Some(site) = self.sites.next()
        {
            match self.begin(site, now) {
                Ok(begin) => return Next::Begin(Box::new(begin)),
                Err(error) => self.failed.push((site, error)),
            }
        }
        self.next_up()
    }

    fn event(&mut self, number: usize, event: CrawlEvent<'_>) {
        self.screen.show(number, &event);
        if let (CrawlEvent::Reported { observation, .. }, Some(saver)) = (&event, self.saver) {
            let begun = &self.begun[number];
            saver.hear(observation, &begun.capture, &begun.site.settings);
        }
        if let CrawlEvent::Reported { observation, .. } = event
            && observation.purpose != Purpose::Robots
            && matches!(observation.outcome, Outcome::Body { .. } | Outcome::NotModified)
        {
            self.answered(number);
        }
    }

    fn ended(&mut self, number: usize, ended: Ended) {
        let (tally, took) = self.screen.end(number);
        let begun = &mut self.begun[number];
        begun.is_over = true;
        let mut summary = summary(self.opener.collection(), &begun.capture, ended, tally, took);
        summary.time_is_up = begun.time_is_up && summary.ending.is_none();
        summary.settings = settings::by_name(&begun.site.section.told);
        self.summaries.push((number, summary));
    }
}

/// Says that a capture is gone on with, and what of today's command it does not follow.
fn tell_resumed(session: &Session, today: &Settings) {
    let Some(resumed) = session.resumed() else { return };
    let (name, visits) = (session.name(), resumed.tally.visits);
    mention!("going on with the capture of {name} begun {}: {visits} visits are on disk", resumed.begun);
    let begun = session.settings();
    let spent = |of: u64| if of <= visits { ", which is spent" } else { "" };
    if let Some(requests) = today.budget.requests {
        mention!("its budget is {requests} requests in all, those on disk included{}", spent(requests));
    }
    let mut other = Vec::new();
    let mut differs = |is_other: bool, how: String| other.extend(is_other.then_some(how));
    let revisit = if begun.revisit { "with --revisit" } else { "without --revisit" };
    differs(begun.revisit != today.revisit, revisit.to_owned());
    let render = if begun.render == RenderMode::Never { "without a browser" } else { "with a browser" };
    differs(begun.render != today.render, render.to_owned());
    let as_of = begun.as_of.map_or("for no moment".to_owned(), |moment| format!("as of {moment}"));
    differs(begun.as_of != today.as_of, as_of);
    differs(begun.policy != today.policy, format!("by policy {}", begun.policy));
    let loss = begun.loss.map_or("the usual loss".to_owned(), |loss| format!("a loss of {loss}"));
    differs(begun.policy == today.policy && begun.loss != today.loss, format!("with {loss}"));
    differs(begun.policy == today.policy && begun.warm != today.warm, "by other rules".to_owned());
    differs(begun.scope != today.scope, format!("with scope {}", begun.scope));
    let depth = begun.depth_max.map_or("no limit".to_owned(), |depth| depth.to_string());
    differs(begun.depth_max != today.depth_max, format!("with depth {depth}"));
    differs(begun.media != today.media, format!("for {}", media_options::in_words(&begun.media)));
    differs(begun.urls != today.urls, "with other --include and --exclude".to_owned());
    differs(begun.ignore_robots != today.ignore_robots, "with other --ignore-robots".to_owned());
    if !other.is_empty() {
        mention!("it was begun {} and goes on so; --fresh begins anew", other.join(", "));
    }
}

/// A site somebody wants, and the options that go with it.
#[derive(Clone)]
pub(crate) struct Wanted {
    pub(crate) name: String,
    pub(crate) kind: CaptureKind,
    pub(crate) section: Section,
    pub(crate) settings: Settings,
    /// How long one run captures it.
    pub(crate) time: Option<Span>,
}

impl Wanted {
    pub(crate) fn config(&self) -> &SiteConfig {
        &self.section.config
    }
}

impl Options {
    /// What was typed about sites, by its name in the file.
    fn typed(&self) -> anyhow::Result<Typed> {
        let which = |key, which: Option<Which>| which.map(|which| (key, Value::from(which.as_str())));
        let number = |key, number: Option<u16>| number.map(|number| (key, Value::from(i64::from(number))));
        let own = [
            settings::text("scope", self.scope.as_ref()),
            settings::text("budget", self.budget.as_ref()),
            settings::text("time", self.time.as_ref()),
            number("depth", self.depth),
            settings::text("policy", self.policy.as_ref()),
            self.revisit.then(|| ("revisit", Value::from(true))),
            which("index", self.index),
            which("store", self.store),
            self.render.map(|when| ("render", Value::from(when.as_str()))),
            settings::text("delay", self.delay.as_ref()),
            number("connections", self.connections),
        ];
        let own = own.into_iter().flatten().chain(self.moment.typed()).chain(self.skip_options.typed());
        let own = own.chain(self.anywhere.typed());
        Ok(own.chain(self.media_options.typed()?).chain(self.choice.typed()).collect())
    }
}

/// No site is named, neither here nor in the file. The file may have lost its sites; the captures have not.
fn nothing_to_capture(file: &Config, collection: &Path) -> anyhow::Error {
    let before: Vec<String> = config::captured_sites(collection).into_iter().flat_map(|site| site.seeds).collect();
    if let Some(one) = before.first() {
        let all: Vec<&str> = before.iter().take(CAPTURED_NAMED).map(String::as_str).collect();
        let more = before.len() - all.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let problem = format!(
            "there is nothing to capture: tintype.toml names no site, though {}{more} were captured",
            printable(&all.join(", "))
        );
        return usage(problem, format!("name what to capture again: tintype capture {} --save", printable(one)));
    }
    let next = match file.source.is_empty() {
        true => "name a site: tintype capture https://example.com/",
        false => "name a site: tintype capture https://example.com/; sources are crawled by tintype keep",
    };
    usage("there is nothing to capture yet", next)
}

fn wanted_sites(
    (file, collection): (&Config, &Path),
    urls: &[String],
    typed: &Typed,
    limits: &Limits,
) -> anyhow::Result<Vec<Wanted>> {
    let configs = match urls {
        [] => file.site.clone(),
        urls if typed.iter().any(|(key, value)| *key == "scope" && value.as_str() == Some(settings::WEB)) => {
            vec![settings::section_of_web(urls, &file.site)?]
        }
        urls => settings::sections_of(urls, &file.site)?,
    };
    if configs.is_empty() {
        return Err(nothing_to_capture(file, collection));
    }
    let sections = configs.into_iter().map(|config| Section::new(config, typed)).collect::<anyhow::Result<_>>()?;
    let mut wanted = wanted(sections, "capture")?;
    file.names_differ(&wanted.iter().map(|site| site.name.as_str()).collect::<Vec<_>>(), &[])?;
    wanted.iter_mut().for_each(|site| limits.apply(&mut site.settings));
    Ok(wanted)
}

/// Sites as a scheduler takes them, from what is decided about them.
pub(crate) fn wanted(sections: Vec<Section>, command: &str) -> anyhow::Result<Vec<Wanted>> {
    let mut wanted = Vec::new();
    for section in sections {
        let config = &section.config;
        let see = |problem: String| usage(problem, format!("see tintype {command} --help"));
        let scope = config.scope.parse().map_err(|error: SeedError| see(error.to_string()))?;
        for group in sites::group(&config.seeds, &scope)? {
            let mut settings = Settings::new(SiteId(wanted.len() as u32), group.seeds.clone());
            settings.scope = scope.clone();
            settings.budget = config.budget.as_deref().map(budget).transpose()?.unwrap_or_default();
            settings.delay = config.delay.as_deref().map(parse_span).transpose().map_err(see)?;
            settings.depth_max = config.depth;
            settings.revisit = config.revisit;
            moment::apply(config, &mut settings)?;
            settings.connections = config.connections.unwrap_or(1).clamp(1, 256);
            settings.urls = UrlRules { include: patterns(&config.include)?, exclude: patterns(&config.exclude)? };
            settings.ignore_robots = config.ignore_robots.iter().map(|host| host.to_ascii_lowercase()).collect();
            (settings.media, settings.policy) = media_options::of_site(config)?;
            anywhere::apply(config, &mut settings, command)?;
            skipping::apply(&section, &mut settings)?;
            settings.render = rendering::mode(config, &settings, command);
            settings.run_seed = clock::now().as_millis() as u64;
            let time = config.time.as_deref().map(parse_span).transpose().map_err(see)?;
            if time == Some(Span::ZERO) {
                return Err(usage("a time of 0 allows not even one request", "write 2h or 30min, or leave it out"));
            }
            let with_seeds = |config: &SiteConfig| SiteConfig { seeds: group.seeds.clone(), ..config.clone() };
            let (config, file) = (with_seeds(config), with_seeds(&section.file));
            let section = Section { config, file, told: section.told.clone() };
            take_in(&mut wanted, Wanted { name: group.name, kind: CaptureKind::Capture, section, settings, time });
        }
    }
    Ok(wanted)
}

/// What may be spent; not nothing at all.
fn budget(text: &str) -> anyhow::Result<Budget> {
    let next = "write 500, 2GB or 500,2GB, or leave it out to spend what politeness allows";
    let budget = parse_budget(text).map_err(|problem| usage(problem, next))?;
    match budget.is_spent() {
        true => Err(usage(format!("a budget of {text} allows not even one request"), next)),
        false => Ok(budget),
    }
}

fn patterns(texts: &[String]) -> anyhow::Result<Vec<UrlMask>> {
    let parse =
        |text: &String| text.parse().map_err(|error: ParseUrlMaskError| usage(error, "correct it in tintype.toml"));
    texts.iter().map(parse).collect()
}

/// A second part of a site is one more way into it, so that what both reach is asked for once. Not if they want different
/// things of what they reach: then they stay two captures.
fn take_in(wanted: &mut Vec<Wanted>, site: Wanted) {
    let same = |known: &&mut Wanted| {
        let (a, b) = (&known.settings, &site.settings);
        let lesser = |site: &Wanted| (site.config().index, site.config().store);
        let ways = |of: &Settings| (of.delay, of.revisit, of.connections, of.render);
        let wishes = |of: &Settings| (of.media.clone(), of.policy.clone(), of.urls.clone(), of.ignore_robots.clone());
        let terms = |of: &Settings| (of.loss, of.warm.clone());
        let is_alike = lesser(known) == lesser(&site) && ways(a) == ways(b) && wishes(a) == wishes(b);
        known.name == site.name && is_alike && terms(a) == terms(b)
    };
    match wanted.iter_mut().find(same) {
        Some(known) => {
            let Settings { seeds, scope, budget, depth_max, .. } = site.settings;
            known.settings.more.push(Entrance { seeds, scope, budget, depth_max });
        }
        None => wanted.push(site),
    }
}

pub(crate) fn summary(
    collection: &Collection,
    id: &CaptureId,
    ended: Ended,
    tally: Tally,
    took: Duration,
) -> CaptureSummary {
    let Ended { session, ending, shortage, error } = ended;
    let mut whole = session.resumed().map_or_else(Tally::default, |resumed| resumed.tally.clone());
    whole.merge(&tally);
    let (whole_pages, whole_first) = (whole.pages, whole.first_failure.clone());
    let skipped = session.scheduler().skipped();
    let left_alone = skipped.as_ref().map_or(0, |skipped| skipped.pages as usize);
    let nothing_skipped = session
        .known_from()
        .filter(|_| left_alone == 0)
        .map(|captures| skipped::why_nothing(session.settings(), captures));
    CaptureSummary {
        site: session.name().to_owned(),
        capture: id.to_string(),
        resumed: session.resumed().is_some(),
        ending,
        seconds: took.as_secs_f64(),
        // What was under way when it was stopped is asked for again.
        waiting: (session.progress().waiting + session.progress().in_flight).saturating_sub(left_alone),
        tally: whole,
        same_bytes: session.scheduler().same_bytes(),
        excluded: session.scheduler().exclusions().clone(),
        skipped,
        nothing_skipped,
        media: media_result(collection, id, &session),
        across: AcrossResult::of(&session),
        trouble: (whole_pages == 0)
            .then(|| Trouble::of(whole_first.as_ref(), session.scheduler().exclusions()))
            .flatten(),
        time_is_up: false,
        settings: Default::default(),
        shortage: shortage.map(|shortage| shortage.to_string()),
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
    counted.inspect_err(|error| mention!("warning: what was wanted cannot be counted: {error}")).ok()
}

fn print(options: &Options, summaries: &[CaptureSummary], saved: Option<&SavedFiles>) -> anyhow::Result<()> {
    if options.common.json {
        let collection = options.common.collection.display().to_string();
        let mut all = serde_json::json!({ "collection": collection, "sites": summaries });
        if let Some(saved) = saved {
            all["saved"] = serde_json::to_value(saved)?;
        }
        out::json(&all);
        return Ok(());
    }
    for summary in summaries {
        out::text(&summary.text(Duration::from_secs_f64(summary.seconds)));
        if let Some(error) = &summary.error {
            say!("  error: {error}");
            say!(
                "  next: {}",
                summary.next.as_deref().unwrap_or("run the same command again; what was reported is safe")
            );
        }
    }
    if let Some(saved) = saved {
        say!("{}", saved.text());
    }
    if summaries.iter().any(|summary| summary.tally.pages > 0) {
        let collection = options.common.collection.display();
        say!("kept in {collection}; tintype report -C {collection} says what can be proved about it");
    }
    Ok(())
}
