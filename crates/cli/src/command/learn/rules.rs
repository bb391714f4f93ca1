//! `tintype learn rules`: which directories stay unchanged while those above them change.

mod text;

use crate::out::{self, mention};
use crate::{
    amount::{counted, parse_share, parse_span},
    command::Common,
    failure::{no_capture_yet, usage},
    recorded::Recorded,
};
use clap::Args;
use serde::Serialize;
use std::{path::Path, path::PathBuf, process::ExitCode};
use tintype_archive::{Collection, Reading};
use tintype_lab::{Folder, directory_figures};
use tintype_learn::directory::{
    ComparedVersions, DEGREE_OF_CHANGE_MIN, DirectorySummary, Memory, Thresholds, Weighing,
};
use tintype_live::clock;
use tintype_session::by_site;
use tintype_session::directories::{CachedDirectories, fold_captures, fold_visits};
use tintype_vocab::{Span, Time};
use tintype_world::{near::teach_history, recorded::window};

/// How far apart versions of a recorded history are, unless another distance is asked for.
const EVERY: Span = Span::from_days(7);
/// Versions of a recorded history; each is a list of all its pages.
const VERSIONS_MAX: i64 = 10_000;

/// Show which directories stay unchanged while those above them change, and what a capture could skip
///
/// Every capture is compared with the one before it, directory by directory. A rule says that when certain directories
/// changed, one below them did not; tintype capture --policy warm skips by such rules alone. Directories that never changed
/// have no rule, because nothing can be compared with their changes; --policy skip leaves out whatever is unlikely enough
/// to have changed, which is shown for the next capture.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype learn rules                          (every site of the collection)\n  tintype learn rules example.com --every 1w   (as if it had been captured once a week)\n  tintype learn rules --history DIR            (a recorded history, week by week)\n  tintype learn rules --figures DIR            (how much changed in each capture, drawn)\n  tintype capture --policy skip                (skips what will not have changed)"
)]
pub(crate) struct Options {
    /// A site of the collection; by default every one
    #[arg(value_name = "SITE")]
    site: Option<String>,
    #[command(flatten)]
    common: Common,
    /// Read a recorded history (events.csv.gz) instead of a collection
    #[arg(long, value_name = "DIR", conflicts_with = "site")]
    history: Option<PathBuf>,
    /// Compare what was seen this far apart (12h, 1d, 1w) instead of captures; of a history a week if nothing is report
    #[arg(long, value_name = "SPAN", value_parser = every)]
    every: Option<Span>,
    /// A directory has changed if this share of its pages has, weighed by the importance of their changes
    #[arg(long, value_name = "SHARE", value_parser = parse_share, default_value_t = DEGREE_OF_CHANGE_MIN)]
    degree_min: f64,
    /// The directories above must have changed together in this share of the comparisons
    #[arg(long, value_name = "SHARE", value_parser = parse_share, default_value_t = Thresholds::default().frequency_of_change_min)]
    frequency_min: f64,
    /// How decidedly the one below must keep still when they change, from 0 to 1; by default 0.5, or less where that finds
    /// no rule
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    correlation_min: Option<f64>,
    /// Draws how much of the directories changed in each version and how the site grew (SVG, PNG, CSV) into DIR
    #[arg(long, value_name = "DIR")]
    figures: Option<PathBuf>,
    /// The one below must have kept still this share of the times
    #[arg(long, value_name = "SHARE", value_parser = parse_share, default_value_t = Thresholds::default().confidence_min)]
    confidence_min: f64,
}

/// All that was found out, as `--json` prints it.
#[derive(Debug, Serialize)]
struct RulesReport {
    source: String,
    sites: Vec<DirectorySummary>,
}

fn every(text: &str) -> Result<Span, String> {
    parse_span(text).and_then(|every| match every > Span::ZERO {
        true => Ok(every),
        false => Err("write a time such as 12h, 1d or 1w".to_owned()),
    })
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut figures = options.figures.as_deref().map(Folder::make).transpose()?;
    let report = match &options.history {
        Some(directory) => of_history(options, directory, figures.as_mut())?,
        None => of_collection(options, figures.as_mut())?,
    };
    match options.common.json {
        true => out::json(&report),
        false => out::text(&text::of(&report)),
    }
    if let Some(figures) = &figures {
        mention!("{}", figures.line());
    }
    Ok(ExitCode::SUCCESS)
}

impl Options {
    fn thresholds(&self) -> Thresholds {
        Thresholds {
            frequency_of_change_min: self.frequency_min,
            correlation_max: self.correlation_min,
            confidence_min: self.confidence_min,
            ..Thresholds::default()
        }
    }

    /// One that knows nothing yet.
    fn memory(&self) -> Memory {
        let mut memory = Memory::new(self.degree_min, Weighing::Importance);
        if self.figures.is_some() {
            memory.keep_chronicle();
        }
        memory
    }

    fn is_kept(&self) -> bool {
        self.every.is_none() && self.degree_min == DEGREE_OF_CHANGE_MIN && self.figures.is_none()
    }
}

fn of_history(options: &Options, directory: &Path, figures: Option<&mut Folder>) -> anyhow::Result<RulesReport> {
    let Recorded { name, history } = Recorded::read(directory)?;
    let every = options.every.unwrap_or(EVERY);
    let (from, to) = window(&history);
    let versions = (to - from).as_millis() / every.as_millis();
    if versions > VERSIONS_MAX {
        let problem = format!("{every} apart {name} would have {versions} versions");
        let hours = (to - from).as_millis() / VERSIONS_MAX / Span::from_secs(3600).as_millis() + 1;
        return Err(usage(problem, format!("take a longer time, such as --every {hours}h")));
    }
    let mut memory = options.memory();
    let versions = teach_history(&mut memory, &history, every);
    if let Some(figures) = figures {
        let what = format!("{} of it, {every} apart.", counted(versions as u64, "version"));
        directory_figures::draw(figures, &name, "", &what, &memory)?;
    }
    let degree_min = options.degree_min;
    let source = ComparedVersions { versions, captures: false, from: Some(from), to: memory.last(), degree_min };
    let site = DirectorySummary::of(name.clone(), &memory, source, &options.thresholds(), Time::MIN);
    Ok(RulesReport { source: name, sites: vec![site] })
}

fn of_collection(options: &Options, mut figures: Option<&mut Folder>) -> anyhow::Result<RulesReport> {
    let reading = Collection::read(&options.common.collection)?;
    let collection = options.common.collection.display().to_string();
    let mut sites: Vec<String> = by_site(reading.captures()?).into_keys().collect();
    if sites.is_empty() {
        return Err(no_capture_yet(&options.common.collection));
    }
    if let Some(wanted) = &options.site {
        let known = sites.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
        sites.retain(|site| site == wanted);
        if sites.is_empty() {
            return Err(usage(format!("no site here is called {wanted}"), format!("name one of the sites: {known}")));
        }
    }
    let is_alone = sites.len() == 1;
    let mut of_each = |site: String| {
        let prefix = if is_alone { String::new() } else { format!("{}-", file_name(&site)) };
        of_site(options, &reading, site, figures.as_deref_mut().map(|folder| (folder, prefix)))
    };
    let sites = sites.into_iter().map(&mut of_each).collect::<anyhow::Result<_>>()?;
    Ok(RulesReport { source: collection, sites })
}

/// A site's name without what no file should be called.
fn file_name(site: &str) -> String {
    site.chars().map(|one| if one.is_ascii_alphanumeric() || ".-".contains(one) { one } else { '_' }).collect()
}

fn of_site(
    options: &Options,
    reading: &Reading,
    site: String,
    figures: Option<(&mut Folder, String)>,
) -> anyhow::Result<DirectorySummary> {
    let mut memory = options.memory();
    let (memory, versions) = match options.every {
        Some(every) => {
            let versions = fold_visits(&mut memory, reading, &site, every)?;
            (memory, versions)
        }
        None => {
            let remembered = match options.is_kept() {
                true => CachedDirectories::of_site(reading, &site, Time::MAX)?,
                false => fold_captures(memory, reading, &site)?,
            };
            (remembered.memory, remembered.captures.len())
        }
    };
    if let Some((figures, prefix)) = figures {
        let apart = options.every.map_or_else(String::new, |every| format!(", {every} apart"));
        let what = if options.every.is_some() { "version" } else { "capture" };
        let what = format!("{}{apart}.", counted(versions as u64, what));
        directory_figures::draw(figures, &site, &prefix, &what, &memory)?;
    }
    let from = reading.captures_of(&site)?.into_iter().find(|capture| capture.end.is_some());
    let from = from.map(|capture| capture.head.started);
    let (captures, to, degree_min) = (options.every.is_none(), memory.last(), options.degree_min);
    let source = ComparedVersions { versions, captures, from, to, degree_min };
    Ok(DirectorySummary::of(site, &memory, source, &options.thresholds(), clock::now()))
}
