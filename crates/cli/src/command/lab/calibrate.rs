//! `tintype lab calibrate`: whether certificates promise what then happens.

use super::{live::Live, progress::Bar, serve::reply, show, site::SiteArgs};
use crate::amount::{parse_span, parse_time};
use anyhow::Context;
use clap::Args;
use std::{path::PathBuf, process::ExitCode};
use tintype_lab::{
    PastSite,
    calibrate::{self, CalibrationConfig, LivingSite},
};
use tintype_live::clock;
use tintype_serve::site::Bound;
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
    site: SiteArgs,
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

fn parse_speed(text: &str) -> Result<f64, String> {
    let speed = text.parse::<f64>().ok().filter(|speed| *speed > 0.0 && *speed <= 1e9);
    speed.ok_or_else(|| "write a number above 0 and up to 1000000000, such as 7500".to_owned())
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let bound = Bound::to(([127, 0, 0, 1], 0).into()).context("cannot listen on 127.0.0.1")?;
    let (site, machine) = LivingSite::open(&options.site.source(), &bound.origin())?;
    let past = PastSite::new(machine, bound.origin());
    let server = bound.serve(move |question| reply(&past, question, |ask| past.answer(ask, clock::now())));
    let _server = server.context("cannot serve")?;
    let temporary = tempfile::tempdir().context("cannot make a temporary directory")?;
    let directory = options.out.as_deref().unwrap_or(temporary.path());
    let config = options.config(directory.join("collection"));
    let results = calibrate::run(&config, &site, &Live, &Bar::hidden().without_notes(options.json))?;
    if let Some(out) = &options.out {
        results.write(out)?;
    }
    show(&results, options.json)
}

impl Options {
    fn config(&self, collection: PathBuf) -> CalibrationConfig {
        CalibrationConfig {
            captures: self.captures,
            every: self.every,
            delay: self.delay,
            from: self.from,
            speed: self.speed,
            revisit: !self.no_revisit,
            budget: self.budget,
            collection,
        }
    }
}
