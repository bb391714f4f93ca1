//! `tintype lab near`: which parts of a site could have been skipped.
//!
//! A past is cut into full captures at equal distances; WARM, our skip and the best possible each leave pages out of the
//! tested ones ([`results`]), and are compared where they leave out as many ([`table`], [`out`]).

mod out;
mod point;
mod results;
mod table;

use super::{
    open::{Opened, Source},
    parse_time,
};
use crate::{
    amount::{parse_share, parse_span},
    failure::usage,
};
use clap::{Args, ValueEnum};
use results::Results;
use std::{path::PathBuf, process::ExitCode};
use tintype_vocab::{Span, Time};
use tintype_world::near::{Births, Experiment, Setting, TooShort, Wanted, Windows};

/// Which parts of a site could have been skipped, and what that would have cost
///
/// Cuts a site whose every change is known into full captures at equal distances. Each test learns from the captures
/// before it, skips what it thinks has not changed, and is held against what had. WARM skips the directories that rules
/// speak of ("when these directories changed, that one did not"); skip leaves out what is not worth its price by the
/// chances learned from earlier captures and during this one; the oracle is told everything. Those ending in -directories
/// may leave out whole directories only, as WARM.
///
/// BR, bypass ratio: share of the site's pages not asked for. CR, change recall: share of the pages inserted, deleted or
/// modified that were noticed. OP and OR, overall precision and recall: share of the archive's pages that are still at
/// the site, and of the site's pages that are in the archive.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tintype lab near --history openbsd\n  tintype lab near --history calfire --every 1d --train 30 --test 60 --out skipping\n  tintype lab near --history collection --every 12h --alpha 0.02 --beta 0.2 --theta 0.8 --json"
)]
pub(crate) struct Options {
    #[command(flatten)]
    source: Source,
    /// From one capture to the next, such as 7d or 12h; by default a week, or as long as leaves enough of them
    #[arg(long, value_name = "SPAN", value_parser = parse_span)]
    every: Option<Span>,
    /// Captures each test learns from
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    train: u32,
    /// Captures that are tested, each learning from those right before it
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    test: u32,
    /// When the first capture is taken (unix seconds or RFC 3339); by default where the recording begins
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    from: Option<Time>,
    /// WARM: a directory has changed if this share of it has
    #[arg(long, value_name = "SHARE", default_value_t = Setting::default().degree_of_change_min, value_parser = parse_share)]
    alpha: f64,
    /// WARM: directories change together if they did in this share of the captures
    #[arg(long, value_name = "SHARE", default_value_t = Setting::default().frequency_of_change_min, value_parser = parse_share)]
    beta: f64,
    /// WARM: how strongly a rule's directories must be against each other, as the size of a negative correlation; by
    /// default 0.5, or as much less as leaves a rule, but more than 0.3
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    gamma: Option<f64>,
    /// WARM: how often a rule must have been right
    #[arg(long, value_name = "SHARE", default_value_t = Setting::default().confidence_min, value_parser = parse_share)]
    theta: f64,
    /// How new pages are found: in directories that were looked into, or all of them, as sitemaps and feeds name them
    #[arg(long, value_enum, default_value_t = Discovery::LookedInto)]
    discovery: Discovery,
    /// Draws the curves (SVG and PNG) and writes tables (CSV and Markdown) into DIR
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object for machines, with every point of every curve, instead of tables for people
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Discovery {
    LookedInto,
    Announced,
}

/// Host of the URLs of a made-up site.
const ORIGIN: &str = "http://world.invalid";

/// Unless somebody says otherwise, and the history is long enough.
const EVERY: Span = Span::from_days(7);

impl Options {
    fn setting(&self) -> Setting {
        Setting {
            degree_of_change_min: self.alpha,
            frequency_of_change_min: self.beta,
            correlation_max: self.gamma,
            confidence_min: self.theta,
            ..Setting::default()
        }
    }

    fn wanted(&self) -> Wanted {
        Wanted { every: self.every, train: self.train as usize, test: self.test as usize }
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut site = options.source.open(ORIGIN)?;
    let windows = windows(options, &site)?;
    let notes = notes(options, &windows);
    notes.iter().for_each(|note| eprintln!("{note}"));
    let weights = match site.contents.as_deref_mut() {
        Some(contents) => tintype_world::weights(&site.history, contents, &site.origin)?,
        None => Vec::new(),
    };
    let births = match options.discovery {
        Discovery::LookedInto => Births::LookedInto,
        Discovery::Announced => Births::Announced,
    };
    let experiment = Experiment::new(&site.history, &weights, windows, births);
    let results = Results::of(&experiment, &site, options.setting(), notes)?;
    if options.json {
        println!("{}", results.json());
    } else {
        print!("{}", table::text(&results));
    }
    if let Some(directory) = &options.out {
        let line = out::write(directory, &results)?;
        if options.json { eprintln!("{line}") } else { println!("\n{line}") }
    }
    Ok(ExitCode::SUCCESS)
}

fn windows(options: &Options, site: &Opened) -> anyhow::Result<Windows> {
    let from = options.from.unwrap_or(site.from);
    Windows::fit(from, site.to, options.wanted()).map_err(|TooShort { versions, every, enough }| {
        let problem = format!(
            "captures {} apart from {} to {} are {versions}, and three are needed: two to learn from, one to test",
            table::span(every),
            from.to_rfc3339_secs(),
            site.to.to_rfc3339_secs(),
        );
        let next = match enough {
            Some(enough) => format!("say --every {}, or choose another --from", table::span(enough)),
            None => "choose an earlier --from, or a longer history".to_owned(),
        };
        usage(problem, next)
    })
}

/// What is not as was asked for, in sentences.
fn notes(options: &Options, windows: &Windows) -> Vec<String> {
    let wanted = options.wanted();
    let mut notes = Vec::new();
    if wanted.every.is_none() && windows.every != EVERY {
        notes.push(format!(
            "The history is too short for {} captures a week apart: they are {} apart.",
            wanted.train + wanted.test,
            table::span(windows.every),
        ));
    }
    if (windows.train, windows.test) != (wanted.train, wanted.test) {
        notes.push(format!(
            "The history is too short for {} captures {} apart: {} tested, learning from {}.",
            wanted.train + wanted.test,
            table::span(windows.every),
            windows.test,
            windows.train,
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_from_nothing_to_all() {
        assert_eq!(["0", "0.5", "1"].map(parse_share), [Ok(0.0), Ok(0.5), Ok(1.0)]);
        assert!(["-0.1", "1.1", "half", "nan", ""].iter().all(|text| parse_share(text).is_err()));
    }
}
