//! `tintype changes`: what changed, where on the page, how important it is, before and after.

#[cfg(feature = "render")]
mod drawn;
mod importance;
mod item;
mod json;
mod judge;
mod rss;
mod text;

use super::Common;
use crate::{amount::parse_moment, failure::usage, part::Part};
use clap::Args;
use importance::parse_importance;
use indicatif::{ProgressBar, ProgressDrawTarget};
use item::Item;
use judge::Judge;
use std::{
    io::{self, BufWriter, ErrorKind, IsTerminal, Write},
    process::ExitCode,
};
use tintype_archive::{Bodies, Changed, Collection, Reading};
use tintype_live::clock;
use tintype_observe::page::Difference;
use tintype_session::by_site;
use tintype_vocab::{Change, Time, UrlKey};

/// Show what changed, where on the page, how important it is, before and after
///
/// Newest first. Importance is 0 to 1: how much of what a page is for has changed. Dates, counters, advertisements and
/// markup count for little or nothing, and what counts for nothing is left out unless you ask for --min-importance 0.
/// Versions are compared block by block, from the bodies in the collection.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype changes                                  (the latest 20)\n  tintype changes https://example.com/news/ --since 2d\n  tintype changes --min-importance 0.2 --since 2026-11-01\n  tintype changes --since 1h --limit 0 --json | jq -r '.changes[].url'\n  tintype changes --rss > changes.xml              (for a feed reader)"
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
    /// Only changes at least this important, 0 to 1; 0 shows also those that matter to nobody
    #[arg(long, value_name = "X", value_parser = parse_importance)]
    min_importance: Option<f64>,
    /// Write a feed (RSS 2.0) instead of text
    #[arg(long, conflicts_with = "json")]
    rss: bool,
    /// How many to show; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Compare pages as a headless Chromium draws them from the archive, by looks instead of markup; slower
    #[cfg_attr(feature = "render", arg(long))]
    #[cfg_attr(not(feature = "render"), arg(skip))]
    render: bool,
}

/// Compares both versions of a change, if they can be.
type Compare<'r> = Box<dyn FnMut(&Changed, &Bodies) -> anyhow::Result<Option<Difference>> + 'r>;

#[cfg_attr(not(feature = "render"), expect(unused_variables, reason = "only a browser reads more"))]
fn comparison<'r>(reading: &'r Reading, mut judge: Judge<'r>, render: bool) -> anyhow::Result<Compare<'r>> {
    #[cfg(feature = "render")]
    if render {
        return drawn::comparison(reading, judge);
    }
    assert!(!render, "only who can draw is asked to");
    Ok(Box::new(move |changed, bodies| Ok(judge.by_markup(changed, bodies))))
}

/// Somebody who tells of changes one by one, so that the first is told before the last is known.
trait Teller {
    fn begin(&mut self, out: &mut dyn Write, about: &About) -> io::Result<()>;
    fn tell(&mut self, out: &mut dyn Write, item: &Item) -> io::Result<()>;
    fn end(&mut self, out: &mut dyn Write, about: &About, count: &Count) -> io::Result<()>;
}

/// What was asked for.
struct About {
    collection: String,
    /// What part of it, as it was typed.
    part: Option<String>,
    /// A URL of what is told of.
    url: Option<String>,
    /// What a feed of it is called.
    title: String,
    since: Option<Time>,
}

/// How many changes were told of, and how many not.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    shown: usize,
    /// Not important enough.
    hidden: usize,
    /// The limit was reached before the end.
    more: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let see = |problem| usage(problem, "see tintype changes --help");
    let since = options.since.as_deref().map(|text| parse_moment(text, clock::now())).transpose().map_err(see)?;
    let part = options.part.as_deref().map(Part::of_url).transpose()?;
    let reading = Collection::read(&options.common.collection)?;
    let collection = options.common.collection.display().to_string();
    let seeds = seeds(&reading)?;
    let url = part.as_ref().map(Part::url).or_else(|| seeds.first().cloned());
    let title = url.clone().filter(|_| part.is_some() || seeds.len() == 1).unwrap_or_else(|| collection.clone());
    let about = About { collection, part: options.part.clone(), url, title, since };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut teller: Box<dyn Teller> = match (options.common.json, options.rss) {
        (true, _) => Box::new(json::Json::default()),
        (_, true) => Box::new(rss::Rss),
        _ => Box::new(text::Text::new(io::stdout().is_terminal())),
    };
    let told = tell_all(&reading, options, part.as_ref(), &about, teller.as_mut(), &mut out);
    match told {
        // A reader that has seen enough, such as `head`, is no failure.
        Err(error) if is_broken_pipe(&error) => Ok(ExitCode::SUCCESS),
        other => other.map(|()| ExitCode::SUCCESS),
    }
}

/// The first seed of every site.
fn seeds(reading: &Reading) -> anyhow::Result<Vec<String>> {
    let sites = by_site(reading.captures()?).into_values();
    Ok(sites.filter_map(|captures| captures.into_iter().find_map(|of| of.head.seeds.into_iter().next())).collect())
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

fn tell_all(
    reading: &Reading,
    options: &Options,
    part: Option<&Part>,
    about: &About,
    teller: &mut dyn Teller,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let judge = Judge::of(reading, &options.common.collection);
    let mut compare = comparison(reading, judge, options.render)?;
    teller.begin(out, about)?;
    let progress = progress();
    let mut count = Count::default();
    for changed in reading.changes(about.since.unwrap_or(Time::MIN))?.newest_first() {
        let changed = changed?;
        progress.inc(1);
        if part.is_some_and(|part| !part.holds(UrlKey::of(&changed.observation.url).as_str())) {
            continue;
        }
        let Some(item) = important(reading, &changed, options, &mut compare)? else {
            count.hidden += 1;
            continue;
        };
        if options.limit > 0 && count.shown == options.limit {
            count.more = true;
            break;
        }
        progress.suspend(|| teller.tell(out, &item).and_then(|()| out.flush()))?;
        count.shown += 1;
    }
    progress.finish_and_clear();
    teller.end(out, about, &count)?;
    out.flush()?;
    Ok(())
}

/// The change with what there is to say about it, if it is as important as asked. Bodies are read only for what is told.
fn important(
    reading: &Reading,
    changed: &Changed,
    options: &Options,
    compare: &mut Compare<'_>,
) -> anyhow::Result<Option<Item>> {
    let wanted = options.min_importance.unwrap_or(f64::from(Change::IMPORTANCE_MIN));
    let enough = |importance: f64| importance >= wanted;
    if !item::is_a_guess(changed) && !enough(f64::from(changed.importance)) {
        return Ok(None);
    }
    let bodies = changed.bodies(reading)?;
    let difference = compare(changed, &bodies)?;
    let item = Item::of(changed, &bodies, difference, options.render);
    Ok(Some(item).filter(|item| enough(item.importance)))
}

/// A sign of life on a terminal.
fn progress() -> ProgressBar {
    let live = io::stderr().is_terminal();
    let target = if live { ProgressDrawTarget::stderr_with_hz(2) } else { ProgressDrawTarget::hidden() };
    let style = indicatif::ProgressStyle::with_template("{spinner} {pos} changes looked at");
    let bar = ProgressBar::with_draw_target(None, target);
    style.map_or(bar.clone(), |style| bar.with_style(style))
}
