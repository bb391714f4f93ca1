//! Where a site's truth comes from: a recorded history, a collection of our own, or a made-up world.

use crate::usage;
use anyhow::Context;
use std::{
    fmt,
    fs::File,
    io::{BufReader, ErrorKind},
    path::{Path, PathBuf},
};
use tintype_archive::{CaptureInfo, Collection};
use tintype_vocab::{Span, Time};
use tintype_world::{
    Contents, History,
    recorded::{Segment, of_collection, read_events, window},
    synthetic::{self, SyntheticConfig},
};

/// Names of the table of events, in the order they are looked for.
const EVENTS: [&str; 2] = ["events.csv.gz", "events.csv"];
const BODIES: &str = "history.warc.gz";

/// Larger worlds would not fit in memory, longer ones not into the years that can be written.
pub const PAGES_MAX: i64 = 10_000_000;
pub const DAYS_MAX: f64 = 36_500.0;

/// Where a site comes from.
#[derive(Clone, Debug)]
pub enum SiteSource {
    /// A recorded history or a collection, and which site of a collection that holds several.
    Recorded { directory: PathBuf, site: Option<String> },
    MadeUp {
        /// One of [`synthetic::REGISTRY`].
        world: String,
        pages: usize,
        days: f64,
        seed: u64,
    },
}

/// A site whose truth is known.
pub struct OpenedSite {
    /// The directory's, the site's or the world's name.
    pub name: String,
    pub history: History,
    /// Scheme and host of the site's URLs.
    pub origin: String,
    /// Nothing if only events are known.
    pub contents: Option<Box<dyn Contents + Send>>,
    /// What is judged unless another window is asked for: from here...
    pub from: Time,
    /// ...to here.
    pub to: Time,
}

impl fmt::Debug for OpenedSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenedSite").field("name", &self.name).field("from", &self.from).finish_non_exhaustive()
    }
}

impl SiteSource {
    pub fn recorded(directory: &Path, site: Option<&str>) -> SiteSource {
        SiteSource::Recorded { directory: directory.to_owned(), site: site.map(str::to_owned) }
    }

    /// Opens the site. A made-up one writes `origin` into its feeds and sitemaps.
    pub fn open(&self, origin: &str) -> anyhow::Result<OpenedSite> {
        match self {
            SiteSource::Recorded { directory, site } => recorded(directory, site.as_deref()),
            SiteSource::MadeUp { .. } => self.sister(0, origin),
        }
    }

    pub fn is_made_up(&self) -> bool {
        matches!(self, SiteSource::MadeUp { .. })
    }

    /// A made-up site like this one, from other throws of the dice.
    pub(crate) fn sister(&self, nth: u64, origin: &str) -> anyhow::Result<OpenedSite> {
        let SiteSource::MadeUp { world, pages, days, seed } = self else {
            anyhow::bail!("only made-up sites have sisters");
        };
        let make = synthetic::named(world).context("a world by that name")?.make;
        let origin = origin.to_owned();
        let wish = SyntheticConfig {
            seed: seed.wrapping_add(nth),
            pages: *pages,
            days: *days,
            origin,
            ..SyntheticConfig::default()
        };
        let made = make(&wish);
        let to = wish.from + Span::from_millis((wish.days * 86_400_000.0) as i64);
        let contents: Box<dyn Contents + Send> = Box::new(made.contents);
        let (name, origin) = (world.clone(), wish.origin);
        Ok(OpenedSite { name, history: made.history, origin, contents: Some(contents), from: wish.from, to })
    }
}

fn recorded(directory: &Path, site: Option<&str>) -> anyhow::Result<OpenedSite> {
    let table = EVENTS.iter().map(|name| directory.join(name)).find(|path| path.exists());
    match table {
        Some(table) => from_table(directory, &table),
        None if directory.join("log").is_dir() && directory.join("warc").is_dir() => captured(directory, site),
        None if !directory.exists() => {
            let problem = format!("there is no directory {}", directory.display());
            Err(usage(problem, "name one that holds events.csv.gz, or a collection"))
        }
        None => {
            let problem = format!("{} is neither a history nor a collection", directory.display());
            Err(usage(problem, "name a directory with events.csv.gz in it, or a collection made by tintype capture"))
        }
    }
}

fn captured(directory: &Path, wanted: Option<&str>) -> anyhow::Result<OpenedSite> {
    let reading = Collection::read(directory)?;
    let mut captures = reading.captures()?;
    let site = chosen_site(wanted, &captures)?;
    captures.retain(|capture| capture.head.site == site);
    let (history, contents) = of_collection(&reading, &site)?;
    let (from, to) = window(&history);
    let from = first_pass(&history, &captures).map_or(from, |passed| from.max(passed));
    let origin = contents.origin().to_owned();
    Ok(OpenedSite { name: site, history, origin, contents: Some(Box::new(contents)), from, to })
}

fn chosen_site(wanted: Option<&str>, captures: &[CaptureInfo]) -> anyhow::Result<String> {
    let mut sites: Vec<String> = captures.iter().map(|capture| capture.head.site.clone()).collect();
    sites.sort_unstable();
    sites.dedup();
    match (wanted, sites.as_slice()) {
        (Some(wanted), known) if known.iter().any(|site| site == wanted) => Ok(wanted.to_owned()),
        (None, [only]) => Ok(only.clone()),
        (_, []) => Err(usage("the collection holds no capture yet", "capture something: tintype capture URL")),
        (Some(wanted), _) => {
            Err(usage(format!("the collection holds no capture of {wanted}"), format!("--site {}", sites[0])))
        }
        (None, several) => {
            let problem = format!("the collection holds several sites: {}", several.join(", "));
            Err(usage(problem, format!("say which with --site, such as --site {}", several[0])))
        }
    }
}

/// When the first capture had seen the last page that was new to it: before, the site is not whole. An import, which has
/// no seeds, is no pass over a site but all that is known of it.
fn first_pass(history: &History, captures: &[CaptureInfo]) -> Option<Time> {
    captures.first().filter(|capture| capture.head.kind.is_scheduled())?;
    let next = captures.get(1).map_or(Time::MAX, |second| second.head.started);
    history.events().iter().map(|event| event.at).take_while(|at| *at < next).last()
}

fn from_table(directory: &Path, table: &Path) -> anyhow::Result<OpenedSite> {
    let file = tintype_archive::open_given(table).with_context(|| format!("cannot read {}", table.display()))?;
    let history = read_events(file).map_err(|bad| {
        usage(format!("{}: {bad}", table.display()), "correct that line, or make the history again; nothing was played")
    })?;
    let (mut from, to) = window(&history);
    let segment = bodies(&directory.join(BODIES), &history)?;
    if let Some(segment) = &segment {
        from = segment.began();
    }
    // A site of which only events are known has no address.
    let origin = segment.as_ref().map_or("http://history.invalid", |segment| segment.origin()).to_owned();
    let contents = segment.map(|segment| Box::new(segment) as Box<dyn Contents + Send>);
    Ok(OpenedSite { name: name_of(directory), history, origin, contents, from, to })
}

/// The bodies, if they are there.
fn bodies(path: &Path, history: &History) -> anyhow::Result<Option<Segment<BufReader<File>>>> {
    let file = match tintype_archive::open_given(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let segment = Segment::open(BufReader::new(file), history).map_err(|bad| {
        let next = format!("make the history again, or move {BODIES} away to play the events without bodies");
        usage(format!("{}: {bad}", path.display()), next)
    })?;
    Ok(Some(segment))
}

/// The last part of a path that has a name, `.` and `..` included.
pub(crate) fn name_of(directory: &Path) -> String {
    let whole = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy().into_owned()
}
