//! `tintype lab calibrate`: whether certificates promise what then happens.
//!
//! A past site lives again on loopback, fast, and is captured again and again by the real crawler ([`site`], [`round`]);
//! what each certificate expected before the visits is held against the truth ([`table`], [`picture`]).

mod picture;
mod round;
mod site;
mod table;

use super::{open::Source, parse_time};
use crate::{amount::parse_span, failure::usage};
use anyhow::Context;
use clap::Args;
use round::Round;
use serde::Serialize;
use site::Living;
use std::{path::PathBuf, process::ExitCode};
use tintype_vocab::{Span, Time};

/// Hold what certificates expect against what really happened, over many live captures of a changing site
///
/// Serves a recorded or made-up site on this machine with a fast clock and captures it again and again, as tintype capture
/// does. Every certificate states how much blur and how many sharp pages were to be expected before the visits, with
/// intervals for nine captures of ten; the truth is known here, so it can be counted how often they hold it. Before the
/// second capture nothing has been learned about the site: the first is shown, and not counted. Of a recorded site only
/// the events are played, not the bodies, and a sitemap names its pages.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype lab calibrate --history calfire\n  tintype lab calibrate --world news --pages 300 --captures 30 --every 12h --out calibration\n  tintype lab calibrate --history openbsd --from 2001-03-01T00:00:00Z --every 7d --delay 10"
)]
pub(crate) struct Options {
    #[command(flatten)]
    source: Source,
    /// How many captures to take
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    captures: u32,
    /// From the beginning of a capture to that of the next, at the site's time
    #[arg(long, value_name = "SPAN", default_value = "1d", value_parser = parse_span)]
    every: Span,
    /// The pause between two requests, at the site's time: it decides how long a capture takes
    #[arg(long, value_name = "SPAN", default_value = "30s", value_parser = parse_span)]
    delay: Span,
    /// When the first capture begins, as unix seconds or RFC 3339; by default where the recording does
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    from: Option<Time>,
    /// How many seconds pass at the site in one of ours; by default so many that a pause takes four milliseconds
    #[arg(long, value_name = "X", value_parser = parse_speed)]
    speed: Option<f64>,
    /// Every page once only: nothing is proved, and little is learned about how changes come
    #[arg(long)]
    no_revisit: bool,
    /// Requests a capture may spend
    #[arg(long, value_name = "N")]
    budget: Option<u64>,
    /// Write results and pictures into this directory, and keep the collection there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object for machines instead of text for people
    #[arg(long)]
    json: bool,
}

/// The pause by our clock: timers tell milliseconds, and a request on loopback takes about one.
const PAUSE_MS: f64 = 4.0;

fn parse_speed(text: &str) -> Result<f64, String> {
    let speed = text.parse::<f64>().ok().filter(|speed| *speed > 0.0 && *speed <= 1e9);
    speed.ok_or_else(|| "write a number above 0 and up to 1000000000, such as 7500".to_owned())
}

impl Options {
    fn speed(&self) -> f64 {
        self.speed.unwrap_or_else(|| (self.delay.as_millis() as f64 / PAUSE_MS).max(1.0))
    }
}

/// All that happened in one run.
#[derive(Debug, Serialize)]
struct Facts {
    history: String,
    pages: usize,
    delay_seconds: f64,
    every_days: f64,
    speed: f64,
    revisit: bool,
    rounds: Vec<Round>,
    /// From the second capture on.
    coverage: Coverage,
}

/// How many intervals held the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Coverage {
    captures: usize,
    blur: usize,
    sharp: usize,
}

impl Coverage {
    fn of(rounds: &[Round]) -> Coverage {
        let count = |inside: fn(&Round) -> bool| rounds.iter().filter(|round| inside(round)).count();
        Coverage {
            captures: rounds.len(),
            blur: count(|round| round.blur.holds()),
            sharp: count(|round| round.sharp.holds()),
        }
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let facts = play(options)?;
    if let Some(out) = &options.out {
        picture::write(&facts, out)?;
    }
    match options.json {
        true => println!("{}", serde_json::to_string(&facts).context("results are plain data")?),
        false => print!("{}", table::text(&facts)),
    }
    Ok(ExitCode::SUCCESS)
}

fn play(options: &Options) -> anyhow::Result<Facts> {
    let site = Living::open(&options.source)?;
    let from = options.from.unwrap_or(site.from);
    let last = from + options.every * i64::from(options.captures);
    if last > site.until {
        let problem = format!("the {}th capture would end after {}, where the past does", options.captures, site.until);
        return Err(usage(problem, "take fewer with --captures, or more often with --every"));
    }
    let temporary = tempfile::tempdir().context("cannot make a temporary directory")?;
    let collection = options.out.as_ref().map_or(temporary.path(), |out| out.as_path()).join("collection");
    let (mut rounds, mut begin) = (Vec::new(), from);
    for nth in 0..options.captures {
        let round = round::take(&site, options, &collection, begin)?;
        if !options.json {
            eprintln!("{} of {}: {}", nth + 1, options.captures, table::sentence(&round));
        }
        begin = (begin + options.every).max(round.ended);
        rounds.push(round);
    }
    Ok(Facts {
        history: site.name.clone(),
        pages: site.pages(),
        delay_seconds: options.delay.as_millis() as f64 / 1000.0,
        every_days: options.every.as_days_f64(),
        speed: options.speed(),
        revisit: !options.no_revisit,
        coverage: Coverage::of(&rounds[1..]),
        rounds,
    })
}
