//! Where a site's truth comes from: a recorded history, a collection of our own, or a made-up world.

use crate::failure::usage;
use anyhow::Context;
use clap::Args;
use std::{
    fs::File,
    io::{BufReader, ErrorKind},
    path::{Path, PathBuf},
};
use tintype_archive::{CaptureInfo, Collection};
use tintype_vocab::{Span, Time};
use tintype_world::{
    Contents, History,
    recorded::{Segment, of_collection, read_events, window},
    synthetic::{self, Wish},
};

/// Names of the table of events, in the order they are looked for.
const EVENTS: [&str; 2] = ["events.csv.gz", "events.csv"];
const BODIES: &str = "history.warc.gz";

/// Larger worlds would not fit in memory, longer ones not into the years that can be written.
const PAGES_MAX: i64 = 10_000_000;
const DAYS_MAX: f64 = 36_500.0;

/// Options that name a site.
#[derive(Debug, Args)]
pub(super) struct Source {
    /// A recorded history (events.csv.gz, and history.warc.gz for the bodies), or a collection
    #[arg(long, value_name = "DIR", required_unless_present = "world", conflicts_with = "world")]
    history: Option<PathBuf>,
    /// Which site of a collection that holds several
    #[arg(long, value_name = "HOST", conflicts_with = "world")]
    site: Option<String>,
    /// A made-up site instead of a recorded one
    #[arg(long, value_name = "NAME", value_parser = worlds())]
    world: Option<String>,
    /// Pages of a made-up site
    #[arg(long, value_name = "N", default_value_t = 1000, conflicts_with = "history")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=PAGES_MAX))]
    pages: u32,
    /// Days a made-up site lives
    #[arg(long, value_name = "N", default_value_t = 56.0, conflicts_with = "history", value_parser = parse_days)]
    days: f64,
    /// The number behind all dice: the same seed throws the same
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
}

fn worlds() -> clap::builder::PossibleValuesParser {
    let worlds = synthetic::REGISTRY.iter();
    worlds.map(|world| clap::builder::PossibleValue::new(world.name).help(world.summary)).collect::<Vec<_>>().into()
}

fn parse_days(text: &str) -> Result<f64, String> {
    let days = text.parse::<f64>().ok().filter(|days| *days > 0.0 && *days <= DAYS_MAX);
    days.ok_or_else(|| format!("write a number of days up to {DAYS_MAX}"))
}

/// A site whose truth is known.
pub(super) struct Opened {
    /// The directory's, the site's or the world's name.
    pub(super) name: String,
    pub(super) history: History,
    /// Scheme and host of the site's URLs.
    pub(super) origin: String,
    /// Nothing if only events are known.
    pub(super) contents: Option<Box<dyn Contents + Send>>,
    /// What is judged unless somebody says otherwise: from here...
    pub(super) from: Time,
    /// ...to here.
    pub(super) to: Time,
}

impl Source {
    /// A recorded history or a collection, as if its name had been typed.
    pub(super) fn of_history(directory: PathBuf, site: Option<String>) -> Source {
        Source { history: Some(directory), site, world: None, pages: 0, days: 0.0, seed: 0 }
    }

    /// Opens the site. A made-up one writes `origin` into its feeds and sitemaps.
    pub(super) fn open(&self, origin: &str) -> anyhow::Result<Opened> {
        match (&self.history, &self.world) {
            (Some(directory), _) => self.recorded(directory),
            (None, Some(name)) => self.throw(name, self.seed, origin),
            (None, None) => unreachable!("one of them is required"),
        }
    }

    pub(super) fn is_made_up(&self) -> bool {
        self.world.is_some()
    }

    /// A made-up site like this one, from other throws of the dice.
    pub(super) fn sister(&self, nth: u64, origin: &str) -> anyhow::Result<Opened> {
        self.throw(
            self.world.as_deref().context("only made-up sites have sisters")?,
            self.seed.wrapping_add(nth),
            origin,
        )
    }

    fn recorded(&self, directory: &Path) -> anyhow::Result<Opened> {
        let table = EVENTS.iter().map(|name| directory.join(name)).find(|path| path.exists());
        match table {
            Some(table) => from_table(directory, &table),
            None if directory.join("log").is_dir() && directory.join("warc").is_dir() => self.captured(directory),
            None if !directory.exists() => {
                let problem = format!("there is no directory {}", directory.display());
                Err(usage(problem, "name one that holds events.csv.gz, or a collection"))
            }
            None => {
                let problem = format!("{} is neither a history nor a collection", directory.display());
                Err(usage(
                    problem,
                    "name a directory with events.csv.gz in it, or a collection made by tintype capture",
                ))
            }
        }
    }

    fn captured(&self, directory: &Path) -> anyhow::Result<Opened> {
        let reading = Collection::read(directory)?;
        let mut captures = reading.captures()?;
        let site = self.chosen_site(&captures)?;
        captures.retain(|capture| capture.head.site == site);
        let (history, contents) = of_collection(&reading, &site)?;
        let (from, to) = window(&history);
        let from = first_pass(&history, &captures).map_or(from, |passed| from.max(passed));
        let origin = contents.origin().to_owned();
        Ok(Opened { name: site, history, origin, contents: Some(Box::new(contents)), from, to })
    }

    fn chosen_site(&self, captures: &[CaptureInfo]) -> anyhow::Result<String> {
        let mut sites: Vec<String> = captures.iter().map(|capture| capture.head.site.clone()).collect();
        sites.sort_unstable();
        sites.dedup();
        match (&self.site, sites.as_slice()) {
            (Some(wanted), known) if known.contains(wanted) => Ok(wanted.clone()),
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

    fn throw(&self, name: &str, seed: u64, origin: &str) -> anyhow::Result<Opened> {
        let world = synthetic::named(name).context("a world by that name")?;
        let wish =
            Wish { seed, pages: self.pages as usize, days: self.days, origin: origin.to_owned(), ..Wish::default() };
        let made = (world.make)(&wish);
        let to = wish.from + Span::from_millis((wish.days * 86_400_000.0) as i64);
        let contents: Box<dyn Contents + Send> = Box::new(made.contents);
        let (name, origin) = (name.to_owned(), wish.origin);
        Ok(Opened { name, history: made.history, origin, contents: Some(contents), from: wish.from, to })
    }
}

/// When the first capture had seen the last page that was new to it: before, the site is not whole. An import, which has
/// no seeds, is no pass over a site but all that is known of it.
fn first_pass(history: &History, captures: &[CaptureInfo]) -> Option<Time> {
    captures.first().filter(|capture| capture.head.kind.is_scheduled())?;
    let next = captures.get(1).map_or(Time::MAX, |second| second.head.started);
    history.events().iter().map(|event| event.at).take_while(|at| *at < next).last()
}

fn from_table(directory: &Path, table: &Path) -> anyhow::Result<Opened> {
    let file = File::open(table).with_context(|| format!("cannot read {}", table.display()))?;
    let history = read_events(file).map_err(|bad| {
        usage(format!("{}: {bad}", table.display()), "mend that line, or make the history again; nothing was played")
    })?;
    let (mut from, to) = window(&history);
    let segment = bodies(&directory.join(BODIES), &history)?;
    if let Some(segment) = &segment {
        from = segment.began();
    }
    // A site of which only events are known has no address.
    let origin = segment.as_ref().map_or("http://history.invalid", |segment| segment.origin()).to_owned();
    let contents = segment.map(|segment| Box::new(segment) as Box<dyn Contents + Send>);
    Ok(Opened { name: name_of(directory), history, origin, contents, from, to })
}

/// The bodies, if they are there.
fn bodies(path: &Path, history: &History) -> anyhow::Result<Option<Segment<BufReader<File>>>> {
    let file = match File::open(path) {
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
fn name_of(directory: &Path) -> String {
    let whole = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy().into_owned()
}
