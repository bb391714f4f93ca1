//! `tintype lab sharc`: every capture policy on the sites of the SHARC paper, or on windows of a recorded history.

use super::{progress::Bar, show_and_write};
use crate::amount::parse_span;
use clap::{Args, ValueEnum};
use std::{path::PathBuf, process::ExitCode};
use tintype_lab::{
    SiteSource,
    sharc::{self, SLOT, SharcSetting, SizeBelief, WindowsConfig},
};
use tintype_vocab::Span;
use tintype_world::synthetic::{Placement, Sharc};

/// How sharp a capture each policy makes, by the measures of the SHARC paper
///
/// Captures made-up sites with every capture policy of the live crawler, once with one visit per page and once with
/// revisits. Policies that plan are told all pages beforehand, the others find them by links. With --history, windows of a
/// recorded site are captured instead, with what an archive would have believed of its pages by then.
///
/// blur: changes between the moment asked for and the visit that answers, averaged over the capture, summed over pages,
/// as expected from the true rates. sharp: pages that visit and revisit are expected to prove unchanged. realised: both
/// as they came out with changes thrown by dice.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Pages of the site
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pages: u32,
    /// How fast change rates fall: 1 / rank ^ SKEW
    #[arg(long, value_name = "X", default_value_t = 1.75, value_parser = not_negative)]
    skew: f64,
    /// Links on a page
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    outdegree: u32,
    /// Time between two requests; the hottest page changes once per unit of time
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = positive)]
    delta: f64,
    /// SHARC-threshold gives up pages likelier than this to change
    #[arg(long, value_name = "P", default_value_t = 0.7, value_parser = share)]
    tau: f64,
    /// Where the pages are that change most: near the entrance or anywhere
    #[arg(long, value_enum, default_value_t = Where::Top)]
    placement: Where,
    /// How much larger the site is thought to be than it is, such as 0.5 or -0.5; `unknown` if nobody has an idea
    #[arg(long, value_name = "X", default_value = "0", allow_hyphen_values = true, value_parser = parse_size)]
    size_error: SizeBelief,
    /// Share of the pages whose rate is believed to be 1 - rate
    #[arg(long, value_name = "P", default_value_t = 0.0, value_parser = share)]
    misestimated: f64,
    /// Share of pages without links that look as if they had some, and the other way round, such as 0.02,0.3
    #[arg(long, value_name = "B,L", default_value = "0,0", value_parser = parse_mislabelled)]
    mislabelled: (f64, f64),
    /// Sites to throw, for 95 % intervals
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    seeds: u64,
    /// The number behind all dice
    #[arg(long, value_name = "N", default_value_t = 0)]
    run_seed: u64,
    /// A recorded history (events.csv.gz, and history.warc.gz for the links) or a collection instead of made-up sites
    #[arg(long, value_name = "DIR", conflicts_with_all = MADE_UP)]
    history: Option<PathBuf>,
    /// Which site of a collection that holds several
    #[arg(long, value_name = "HOST", requires = "history")]
    site: Option<String>,
    /// Pauses between two requests of a capture of a recorded history
    #[arg(long, value_name = "TIMES", default_value = "30s,5min,1h", value_delimiter = ',', value_parser = parse_delay)]
    delay: Vec<Span>,
    /// Captures at each pause, spread over the second half of what was recorded
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    captures: u32,
    /// Draws pictures (SVG and PNG) and writes tables (CSV and Markdown) into DIR
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object for machines instead of a table for people
    #[arg(long)]
    json: bool,
}

/// What only made-up sites have.
const MADE_UP: [&str; 9] =
    ["pages", "skew", "outdegree", "delta", "placement", "size_error", "misestimated", "mislabelled", "seeds"];

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Where {
    Top,
    Random,
}

fn number(text: &str, fits: impl Fn(f64) -> bool, wanted: &str) -> Result<f64, String> {
    text.trim().parse::<f64>().ok().filter(|number| fits(*number)).ok_or_else(|| format!("write {wanted}"))
}

fn positive(text: &str) -> Result<f64, String> {
    number(text, |number| number > 0.0 && number < 1e6, "a number above 0, such as 1.7")
}

fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |number| (0.0..100.0).contains(&number), "a number from 0 up, such as 1.75")
}

fn share(text: &str) -> Result<f64, String> {
    number(text, |number| (0.0..=1.0).contains(&number), "a share from 0 to 1, such as 0.7")
}

/// A share of the size, or `unknown`.
fn parse_size(text: &str) -> Result<SizeBelief, String> {
    if text.trim() == "unknown" {
        return Ok(SizeBelief::Unknown);
    }
    let wanted = "by how much of itself the site is thought to be larger, such as 0.5 or -0.5, or unknown";
    number(text, |error| (-1.0..=100.0).contains(&error), wanted).map(SizeBelief::Wrong)
}

fn parse_mislabelled(text: &str) -> Result<(f64, f64), String> {
    let (barren, bearing) = text.split_once(',').ok_or("write two shares, such as 0.02,0.3")?;
    Ok((share(barren)?, share(bearing)?))
}

/// `30s`, `5min`, `5m` or `1h`.
fn parse_delay(text: &str) -> Result<Span, String> {
    let text = text.trim();
    let minutes = text.strip_suffix('m').filter(|number| number.parse::<f64>().is_ok());
    let span = parse_span(&minutes.map_or_else(|| text.to_owned(), |number| format!("{number}min")))?;
    if span > Span::ZERO { Ok(span) } else { Err("a pause of nothing is no pause: write 30s, 5min or 1h".to_owned()) }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let out = options.out.as_deref();
    let Some(directory) = &options.history else {
        let results = sharc::run(&options.setting(), &Bar::percent())?;
        return show_and_write(&results, options.json, out);
    };
    let config = WindowsConfig {
        source: SiteSource::recorded(directory, options.site.as_deref()),
        delays: options.delay.clone(),
        captures: options.captures,
        tau: options.tau,
    };
    let windows = sharc::run_recorded(&config, &Bar::percent())?;
    show_and_write(&windows, options.json, out)
}

impl Options {
    fn setting(&self) -> SharcSetting {
        let placement = match self.placement {
            Where::Top => Placement::Top,
            Where::Random => Placement::Random,
        };
        let shape = Sharc {
            skew: self.skew,
            outdegree: self.outdegree as usize,
            placement,
            rate_per_slot: self.delta,
            slot: SLOT,
        };
        SharcSetting {
            shape,
            pages: self.pages as usize,
            tau: self.tau,
            size: self.size_error,
            misestimated: self.misestimated,
            mislabelled: self.mislabelled,
            seeds: self.seeds,
            run_seed: self.run_seed,
            ..SharcSetting::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_wrong_by_a_share_or_unknown() {
        assert_eq!(["0.5", "-0.5"].map(parse_size), [0.5, -0.5].map(|error| Ok(SizeBelief::Wrong(error))));
        assert_eq!(parse_size("unknown"), Ok(SizeBelief::Unknown));
        assert!(parse_size("-2").is_err() && parse_size("large").is_err());
    }
}
