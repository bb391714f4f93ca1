//! `tintype lab live`: the real crawler keeps a past site over loopback, with a fast clock.

use super::{serve, show, site::SiteArgs};
use crate::{amount::parse_time, command::keep};
use anyhow::Context;
use clap::{Args, Parser};
use std::{path::PathBuf, process::ExitCode};
use tintype_lab::{
    PastSite,
    live::{LiveConfig, LivePlay},
};
use tintype_live::clock;
use tintype_plan::policy::CONTINUAL_DEFAULT;
use tintype_serve::site::{Bound, Question};
use tintype_vocab::{Span, Time};

/// Keep a past site over loopback HTTP as tintype keep would have, and hold it against the lab
///
/// The site answers as it did at the time, the clock runs fast and stands still while anything is under way, and everything else is real: sockets, robots.txt, WARC files,
/// knowledge. What was there at the beginning is held, as in a tournament. Pages that appear are found by links, and by a
/// sitemap if there is one. lab_completeness is what the same policy does with the same budget in lab tournament --discovery
/// links.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype lab live --history calfire --budget 25/day\n  tintype lab live --world news --pages 200 --days 14 --budget 60/day --policy uniform --json"
)]
pub(crate) struct Options {
    #[command(flatten)]
    site: SiteArgs,
    /// Requests to spend, such as 25/day
    #[arg(long, value_name = "N/day", value_parser = parse_requests)]
    budget: u64,
    /// The window to judge begins here (unix seconds or RFC 3339)
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    from: Option<Time>,
    /// ...and ends here
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    to: Option<Time>,
    /// How many seconds pass at the site in one of ours while the crawler waits; by default waiting takes no time
    #[arg(long, value_name = "X", value_parser = parse_speed)]
    speed: Option<f64>,
    /// How requests are chosen
    #[arg(long, value_name = "NAME", default_value = CONTINUAL_DEFAULT)]
    policy: String,
    /// A sitemap of all pages at /sitemap.xml: none, honest, lagging (a day late) or lying
    #[arg(long, value_name = "KIND", default_value = "none")]
    sitemap: serve::Announced,
    /// Also write DIR/POLICY.csv with time, path and outcome of every request
    #[arg(long, value_name = "DIR")]
    visits: Option<PathBuf>,
    /// Print one JSON object for machines instead of text for people
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Parser)]
struct KeepLine {
    #[command(flatten)]
    options: keep::Options,
}

fn parse_requests(text: &str) -> Result<u64, String> {
    let number = text.trim().strip_suffix("/day").unwrap_or(text).trim().parse().ok();
    number.filter(|number| *number > 0).ok_or_else(|| "write whole requests per day, such as 25/day".to_owned())
}

fn parse_speed(text: &str) -> Result<f64, String> {
    let speed = text.parse::<f64>().ok().filter(|speed| *speed > 0.0 && *speed <= 1e9);
    speed.ok_or_else(|| "write a number above 0 and up to 1000000000, such as 10000".to_owned())
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let play = LivePlay::new(LiveConfig {
        source: options.site.source(),
        policy: options.policy.clone(),
        per_day: options.budget,
        from: options.from,
        to: options.to,
        sitemap: options.sitemap.sitemap(),
        visits: options.visits.clone(),
    })?;
    let bound = Bound::to(([127, 0, 0, 1], 0).into()).context("cannot listen on loopback")?;
    let origin = bound.origin();
    let machine = play.machine(&origin)?;
    let seed = format!("{origin}{}", machine.entrance(play.from).unwrap_or("/"));
    let directory = tempfile::tempdir().context("cannot make a directory for the collection")?;
    let name = origin.trim_start_matches("http://").to_owned();
    play.hold(directory.path(), &name, &origin)?;
    let site = PastSite::new(machine, origin);
    let visits = play.visits();
    let server = bound.serve(move |question: &Question| {
        let now = clock::now();
        let reply = serve::reply(&site, question, |ask| site.answer(ask, now));
        visits.note(now, site.page_of(&question.target), &question.target, reply.status().as_u16());
        reply
    });
    let server = server.context("cannot serve")?;
    // What is held was seen before keeping begins.
    let begin = play.from + Span::from_millis(1);
    clock::step(begin, options.speed);
    let lasting = format!("{}s", (play.to - begin).as_secs_f64());
    let collection = directory.path().to_str().context("the directory's name is not text")?;
    let budget = format!("{}/day", options.budget);
    let words = ["keep", &seed, "-C", collection, "--delay", "0", "--budget", &budget, "--policy", &options.policy];
    let line = KeepLine::try_parse_from(words.into_iter().chain(["--for", &lasting]))?;
    keep::keep_quietly(&line.options)?;
    drop(server);
    show(&play.results()?, options.json)
}
