//! `tintype learn patterns`: when a page, a directory, a site or a cluster of pages changes.

mod charts;
mod subject;
mod text;

use crate::out::{self, mention};
use crate::{
    command::Common,
    failure::{no_capture_yet, usage},
    part::Part,
    recorded::Recorded,
};
use clap::Args;
use serde::Serialize;
use std::{collections::HashSet, path::Path, path::PathBuf, process::ExitCode};
use subject::{Site, Subject, Worth};
use tintype_archive::Collection;
use tintype_lab::Folder;
use tintype_learn::site_patterns::{ImportanceSeries, SitePatterns, VisitSource};
use tintype_live::clock;
use tintype_session::{CollectionVisits, by_site};
use tintype_vocab::Time;
use tintype_world::recorded::HistoryVisits;

/// Show when pages change: by hour, by day of the week and of the month, in the site's own time
///
/// Every visit says something, also one that found nothing new. What is believed of a page leans on what its site does
/// until the page has shown otherwise; what was seen is drawn beside it. Figures are multiples of the mean: 2 is twice as
/// busy as usual. The site's clock is inferred from when its people sleep. Below them stands how important changes were: of a
/// page in an hour, on average over days, and of all pages together day by day.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype learn patterns                                   (every site of the collection)\n  tintype learn patterns https://example.com/news/         (that page, and the directory below it)\n  tintype learn patterns example.com --clusters            (pages that behave alike)\n  tintype learn patterns --history DIR /news/ --out pictures\n                                                           (a recorded history as if every event had been seen)"
)]
pub(crate) struct Options {
    /// A page or the beginning of a directory; by default every site as a whole
    #[arg(value_name = "URL")]
    part: Option<String>,
    #[command(flatten)]
    common: Common,
    /// Read a recorded history (events.csv.gz) instead of a collection, as if every event had been seen
    #[arg(long, value_name = "DIR")]
    history: Option<PathBuf>,
    /// Show the groups of pages that behave alike
    #[arg(long)]
    clusters: bool,
    /// Draw the patterns as SVG and PNG into a directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// All that was found out, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Said {
    source: String,
    bytes_per_page: usize,
    patterns: Vec<Subject>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let said = match &options.history {
        Some(directory) => of_history(options, directory)?,
        None => of_collection(options)?,
    };
    match options.common.json {
        true => out::json(&said),
        false => out::text(&text::of(&said.patterns, said.bytes_per_page)),
    }
    if let Some(directory) = &options.out {
        mention!("{}", draw(directory, &said.patterns)?);
    }
    Ok(ExitCode::SUCCESS)
}

fn of_history(options: &Options, directory: &Path) -> anyhow::Result<Said> {
    let Recorded { name, history } = Recorded::read(directory)?;
    let source = HistoryVisits { history: &history };
    let part = options.part.as_deref().map(Part::of_path);
    let now = source.window().1;
    let (patterns, bytes_per_page) = subjects(&source, &name, part.as_ref(), options.clusters, now)?;
    let known = || history.events().iter().map(|event| history.path(event.page).to_owned()).next();
    found(patterns, options, known).map(|patterns| Said { source: name, bytes_per_page, patterns })
}

fn of_collection(options: &Options) -> anyhow::Result<Said> {
    let reading = Collection::read(&options.common.collection)?;
    let part = options.part.as_deref().map(Part::of_url).transpose()?;
    let sites = by_site(reading.captures()?);
    let collection = options.common.collection.display().to_string();
    if sites.is_empty() {
        return Err(no_capture_yet(&options.common.collection));
    }
    let known = sites.keys().next().cloned();
    let (mut patterns, mut bytes_per_page) = (Vec::new(), 0);
    for (site, captures) in sites {
        let source = CollectionVisits { reading: &reading, captures };
        let (found, bytes) = subjects(&source, &site, part.as_ref(), options.clusters, clock::now())?;
        patterns.extend(found);
        bytes_per_page = bytes;
    }
    found(patterns, options, || known).map(|patterns| Said { source: collection, bytes_per_page, patterns })
}

/// The patterns of what was asked for, and the bytes one page takes.
fn subjects<S: VisitSource>(
    source: &S,
    site: &str,
    part: Option<&Part>,
    clusters: bool,
    now: Time,
) -> anyhow::Result<(Vec<Subject>, usize)>
where
    anyhow::Error: From<S::Error>,
{
    let learned = SitePatterns::from_visits(source)?;
    let site = Site { name: site, learned: &learned, now };
    let mut subjects = if clusters { site.clusters(part) } else { site.parts(part) };
    for subject in &mut subjects {
        let names: HashSet<&str> = subject.members.iter().map(|page| &*learned.lives[*page].name).collect();
        let series = ImportanceSeries::from_visits(source, learned.calendar(), |name| names.contains(name))?;
        subject.importance = Worth::of(series);
    }
    Ok((subjects, learned.bytes_per_page()))
}

/// What was found, unless it is nothing.
fn found(
    patterns: Vec<Subject>,
    options: &Options,
    known: impl FnOnce() -> Option<String>,
) -> anyhow::Result<Vec<Subject>> {
    let Some(typed) = options.part.as_deref().filter(|_| patterns.is_empty()) else { return Ok(patterns) };
    let such_as = known().map_or(String::new(), |known| format!(", such as {known}"));
    Err(usage(format!("no page seen here begins with {typed}"), format!("name a page or a directory{such_as}")))
}

/// Writes the pictures and says so in a line.
fn draw(directory: &Path, patterns: &[Subject]) -> anyhow::Result<String> {
    let mut folder = Folder::make(directory)?;
    for (nth, subject) in patterns.iter().enumerate() {
        for (name, picture) in charts::of(subject, nth) {
            folder.picture(&name, &picture)?;
        }
    }
    match folder.written.is_empty() {
        true => Ok("no picture was drawn: there were too few changes to tell when they come".to_owned()),
        false => Ok(format!("drew {} (SVG and PNG) in {}", folder.written.join(", "), directory.display())),
    }
}
