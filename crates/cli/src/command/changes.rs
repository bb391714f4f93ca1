//! `tintype changes`: what happened, weightiest first; as text, data and feeds; and delivery of it.

#[cfg(feature = "render")]
mod drawn;
mod importance;
mod text;

use super::Common;
use crate::{
    amount::parse_moment,
    config::{self, Config},
    failure::usage,
    notify,
    out::{self, mention, say},
    part::Part,
};
use anyhow::Context;
use clap::{Args, ValueEnum};
use importance::parse_importance;
use serde_json::json;
use std::{
    io::IsTerminal,
    path::{Path, PathBuf},
    process::ExitCode,
};
use tintype_archive::{Collection, Reading, ToldEvents, put_file};
use tintype_live::clock;
use tintype_observe::ads::Advertisements;
use tintype_session::{
    by_site,
    feed::{
        EventJudge, EventLog, Feed, FeedAbout, FeedItem, FeedOrder, FeedQuery, PageEventKind, atom, feed, json_feed,
        rss,
    },
};
use tintype_vocab::{Change, Span, Time, UrlKey};

/// Without --since or --unread so much is looked at, back from the last visit.
const WINDOW: Span = Span::from_days(7);

/// Show what happened to pages: new, gone, moved, refused, failing, changed; one edit told once, the weightiest first
///
/// Items are ranked by importance (0 to 1: how much of what a page is for has changed) times the weight of the page (links to
/// it, how deep it lies, its readers if tintype.toml names a file of them). The same edit on many pages is one item, and a new
/// page leads the lists and sidebars that announce it. Without --since or --unread the seven days before the last visit are
/// shown. tintype diff URL shows the whole of a change.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype changes                                  (the weightiest 20 of the last seven days)\n  tintype changes https://example.com/news/ --since 2d\n  tintype changes --kind disappeared,refused,moved --since 2026-11-01\n  tintype changes --match 'bridge|tunnel' --min-importance 0.1\n  tintype changes --unread --reader desk           (what was not shown to this reader before)\n  tintype changes --feed atom --output changes.xml\n  tintype changes --deliver                        (sends what the rules of tintype.toml ask for: for cron)"
)]
pub(crate) struct Options {
    /// Only this page, or pages that begin like this (example.com/news/)
    #[arg(value_name = "URL")]
    part: Option<String>,
    #[command(flatten)]
    common: Common,
    /// Only what was found since then: 2d, 36h, 2026-11-15, RFC 3339 or unix seconds
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Only items at least this important, 0 to 1; 0 shows also those that matter to nobody
    #[arg(long, value_name = "X", value_parser = parse_importance)]
    min_importance: Option<f64>,
    /// Only these kinds, with commas between: appeared, disappeared, moved, refused, failing, back, changed, document, title, description, language, canonical, robots, type
    #[arg(long, value_name = "KIND,…", value_delimiter = ',')]
    kind: Vec<PageEventKind>,
    /// Only items whose address, title or changed words match this regular expression; may be given several times
    #[arg(long = "match", value_name = "REGEX")]
    terms: Vec<String>,
    /// Only items that match a term of `watch` in tintype.toml
    #[arg(long)]
    watched: bool,
    /// Only this site, by its name as tintype sites shows it
    #[arg(long, value_name = "NAME")]
    site: Option<String>,
    /// Weightiest first, or latest first
    #[arg(long, value_enum, default_value_t = Sort::Importance)]
    sort: Sort,
    /// Only what this reader has not been shown; what is shown counts as read
    #[arg(long)]
    unread: bool,
    /// Who reads: a name of your choice
    #[arg(long, value_name = "NAME", default_value = "me", requires = "unread")]
    reader: String,
    /// Write a feed instead of text
    #[arg(long, value_enum, conflicts_with = "json")]
    feed: Option<Format>,
    /// The same as --feed rss
    #[arg(long, conflicts_with_all = ["json", "feed"])]
    rss: bool,
    /// Write to a file, which is never half there, instead of the terminal
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Where tintype serve answers, for links to archived versions
    #[arg(long, value_name = "URL")]
    archive: Option<String>,
    /// Send what the [[notify]] rules of tintype.toml ask for, and end
    #[arg(long, conflicts_with_all = ["unread", "feed", "rss", "output", "part", "since", "kind", "terms"])]
    deliver: bool,
    /// How many to show; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Compare pages as a headless Chromium draws them from the archive, by looks instead of markup; slower
    #[cfg_attr(feature = "render", arg(long))]
    #[cfg_attr(not(feature = "render"), arg(skip))]
    render: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sort {
    Importance,
    Time,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Atom,
    Rss,
    Json,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    if options.deliver {
        return deliver(&options.common);
    }
    let directory = &options.common.collection;
    let part = options.part.as_deref().map(Part::of_url).transpose()?;
    let see = |problem| usage(problem, "see tintype changes --help");
    let since = options.since.as_deref().map(|text| parse_moment(text, clock::now())).transpose().map_err(see)?;
    let (config, reading) = (Config::read(directory)?, Collection::read(directory)?);
    if let Some(name) = &options.site {
        known_site(&reading, name)?;
    }
    let mut log = EventLog::default();
    log.advance(&reading)?;
    let mut told = options.unread.then(|| ToldEvents::open(directory, &options.reader)).transpose()?;
    let query = FeedQuery { since, ..FeedQuery::default() };
    let query = completed(query, options, &config, &log, told.as_ref())?;
    let advertisements = advertisements(directory);
    let mut judge = judge(&reading, &advertisements, options.render)?;
    let holds = |url: &str| part.as_ref().is_none_or(|part| part.holds(UrlKey::of(url).as_str()));
    let Feed { mut items, hidden, hidden_events } = feed(&reading, &log, &query, &mut judge, &holds)?;
    let more = if options.limit > 0 { items.split_off(items.len().min(options.limit)).len() } else { 0 };
    items.iter_mut().for_each(|item| item.name_records(&reading));
    let shown =
        Shown { items, hidden, more, since: query.since, archive: query.archive.clone(), is_all: is_all(options) };
    write(options, part.as_ref(), &reading, &shown)?;
    if let Some(told) = &mut told {
        // What nobody shows is not read; what the limit left out comes next time.
        let events = shown.items.iter().flat_map(FeedItem::events).chain(hidden_events);
        told.tell(events, clock::now())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether nothing is left out by the question.
fn is_all(options: &Options) -> bool {
    let is_chosen = options.part.is_some() || options.since.is_some() || options.site.is_some();
    let is_filtered = !options.kind.is_empty() || !options.terms.is_empty() || options.watched;
    !is_chosen && !is_filtered && !options.unread
}

/// Refuses a site that nobody captured, and names those there are.
fn known_site(reading: &Reading, name: &str) -> anyhow::Result<()> {
    let sites = by_site(reading.captures()?);
    if sites.is_empty() || sites.contains_key(name) {
        return Ok(());
    }
    let known = sites.into_keys().take(5).collect::<Vec<_>>().join(", ");
    Err(usage(format!("no site here is called {name}"), format!("name one of the sites: {known}")))
}

/// What there is to show.
pub(super) struct Shown {
    items: Vec<FeedItem>,
    hidden: usize,
    more: usize,
    since: Option<Time>,
    /// Where the archive answers.
    archive: String,
    /// Nothing was left out by the question.
    is_all: bool,
}

/// A question with all that options and file say of it.
fn completed(
    query: FeedQuery,
    options: &Options,
    config: &Config,
    log: &EventLog,
    told: Option<&ToldEvents>,
) -> anyhow::Result<FeedQuery> {
    let see = |problem| usage(problem, "see tintype changes --help");
    let window = log.last_visit().filter(|_| !options.unread).map(|last| last - WINDOW);
    let watched = config.watch.iter().filter(|_| options.watched);
    if options.watched && config.watch.is_empty() {
        return Err(usage(
            "tintype.toml names no terms to watch",
            "write watch = [\"bridge\", \"tunnel\"] into it, or use --match",
        ));
    }
    Ok(FeedQuery {
        since: query.since.or(window),
        site: options.site.clone(),
        kinds: options.kind.clone(),
        terms: config::terms(options.terms.iter().chain(watched)).map_err(see)?,
        min_importance: options.min_importance.unwrap_or(f64::from(Change::IMPORTANCE_MIN)),
        order: if options.sort == Sort::Time { FeedOrder::Time } else { FeedOrder::Importance },
        told: told.map(|told| told.events().clone()).unwrap_or_default(),
        archive: archive_address(options.archive.as_deref(), config),
        traffic: notify::traffic(&options.common.collection, config)?,
    })
}

/// Where archived versions are shown: as typed, as the file says, or where `tintype serve` listens by itself.
pub(crate) fn archive_address(typed: Option<&str>, config: &Config) -> String {
    typed.or(config.archive_address.as_deref()).unwrap_or("http://127.0.0.1:8080").to_owned()
}

/// Lists that cannot be used are worth a word, and no reason to show nothing.
pub(crate) fn advertisements(collection: &Path) -> Advertisements {
    crate::ads::read(collection).unwrap_or_else(|error| {
        mention!("tintype: {error:#}\n  advertisements are told by their address alone");
        Advertisements::default()
    })
}

#[cfg_attr(not(feature = "render"), expect(unused_variables, reason = "only a browser draws"))]
fn judge<'r>(reading: &'r Reading, ads: &'r Advertisements, render: bool) -> anyhow::Result<EventJudge<'r>> {
    let judge = EventJudge::new(reading, ads);
    #[cfg(feature = "render")]
    if render {
        return Ok(judge.by(Box::new(drawn::Drawn::from(reading)?)));
    }
    Ok(judge)
}

fn write(options: &Options, part: Option<&Part>, reading: &Reading, shown: &Shown) -> anyhow::Result<()> {
    let format = options.feed.or(options.rss.then_some(Format::Rss));
    let collection = options.common.collection.display().to_string();
    let document = match format {
        None if options.common.json => None,
        None => {
            let is_terminal = std::io::stdout().is_terminal() && options.output.is_none();
            Some(text::Text::new(is_terminal).all(shown, options.part.as_deref(), &collection))
        }
        Some(format) => Some(document(format, &about(part, reading, &collection, &shown.archive)?, shown)),
    };
    match (document, &options.output) {
        (Some(document), Some(path)) => {
            put_file(path, document.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
        }
        (Some(document), None) => {
            out::text(&document);
            Ok(())
        }
        (None, path) => {
            let Shown { items, hidden, more, since, .. } = shown;
            let object = json!({
                "collection": collection, "since": since.map(Time::to_rfc3339_secs), "changes": items,
                "shown": items.len(), "hidden": hidden, "more": *more > 0, "left": more,
            });
            match path {
                Some(path) => put_file(path, object.to_string().as_bytes())
                    .with_context(|| format!("cannot write {}", path.display())),
                None => {
                    out::json(&object);
                    Ok(())
                }
            }
        }
    }
}

fn document(format: Format, about: &FeedAbout, shown: &Shown) -> String {
    match format {
        Format::Atom => atom(about, &shown.items),
        Format::Rss => rss(about, &shown.items),
        Format::Json => format!("{}\n", json_feed(about, &shown.items)),
    }
}

/// What a feed is called, and where it leads.
fn about(part: Option<&Part>, reading: &Reading, collection: &str, archive: &str) -> anyhow::Result<FeedAbout> {
    let sites = by_site(reading.captures()?).into_values();
    let seeds: Vec<String> =
        sites.filter_map(|captures| captures.into_iter().find_map(|of| of.head.seeds.into_iter().next())).collect();
    let url = part.map(Part::url).or_else(|| seeds.first().cloned());
    let title = url.clone().filter(|_| part.is_some() || seeds.len() == 1).unwrap_or_else(|| collection.to_owned());
    // A feed must have a link, also that of a collection that nobody gave a start.
    Ok(FeedAbout { title, link: url.unwrap_or_else(|| archive.to_owned()), updated: clock::now() })
}

fn deliver(common: &Common) -> anyhow::Result<ExitCode> {
    let config = Config::read(&common.collection)?;
    let Some(mut deliverer) = notify::deliverer(&common.collection, &config)? else {
        return Err(usage("tintype.toml has no [[notify]] rule", "docs/changes.md shows how to write one"));
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start")?;
    let delivery = runtime.block_on(deliverer.pass(clock::now()))?;
    if common.json {
        out::json(&json!({
            "queued": delivery.queued, "sent": delivery.sent, "waiting": delivery.waiting, "failures": delivery.failures,
            "busy": delivery.is_busy,
        }));
    } else if delivery.is_busy {
        say!("another process delivers for this collection");
    } else {
        say!("{} new, {} sent, {} waiting", delivery.queued, delivery.sent, delivery.waiting);
        delivery.failures.iter().for_each(|failure| mention!("warning: {}", crate::plain::printable(failure)));
    }
    Ok(if delivery.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
