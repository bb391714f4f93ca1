//! `tintype lab tournament`: every policy on the same history with the same visits to spend.

use super::{
    progress::{Bar, Lines},
    serve::Announced,
    show_and_write,
    site::SiteArgs,
};
use crate::amount::parse_time;
use clap::{Args, ValueEnum};
use std::{path::PathBuf, process::ExitCode};
use tintype_lab::tournament::{self, TournamentConfig};
use tintype_vocab::Time;
use tintype_world::Discovery;

/// Which policy would have kept most of a site with the same number of visits
///
/// Plays each policy on a site whose every change is known and prints what it would have kept, next to the best that any
/// schedule with the same visit times could have done. The policies are those of the live crawler, not imitations.
///
/// completeness: share of the versions born in the window that some visit saw alive. freshness: share of time and pages
/// for which the copy held was right. mean age: how long the copy had been wrong. useful: share of visits that brought a
/// version not held.
#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(flatten)]
    site: SiteArgs,
    /// Who plays, such as uniform,tintype; all if nobody is named
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    policies: Vec<String>,
    /// Visits to spend, such as 30/day; a tenth of the pages a day if nothing is said
    #[arg(long, value_name = "N/day", value_parser = parse_per_day)]
    budget: Option<f64>,
    /// The window to judge begins here (unix seconds or RFC 3339)
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    from: Option<Time>,
    /// ...and ends here
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    to: Option<Time>,
    /// How pages become known: told at their birth, as by a sitemap, or found by links
    #[arg(long, value_enum, default_value_t = Found::Announced)]
    discovery: Found,
    /// A sitemap that says when pages changed, as it is (honest), as it was a day ago (lagging) or wrongly (lying); reading
    /// it costs a visit
    #[arg(long, value_name = "KIND", default_value = "none")]
    sitemap: Announced,
    /// The number behind the policies' dice
    #[arg(long, value_name = "N", default_value_t = 1)]
    run_seed: u64,
    /// Runs of a policy that rolls dice (all policies, on made-up sites), for 95 % intervals
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    /// Writes every visit to DIR/<policy>.csv: time,path,outcome
    #[arg(long, value_name = "DIR")]
    visits: Option<PathBuf>,
    /// Ours plays with what the histories in the directories beside this one teach, and not this one: how it would do on a
    /// site nobody has seen
    #[arg(long)]
    leave_out: bool,
    /// Keeps what each history teaches in DIR, so that it need not be found out again
    #[arg(long, value_name = "DIR", requires = "leave_out")]
    rows: Option<PathBuf>,
    /// Draws pictures (SVG and PNG) and writes tables (CSV and Markdown) into DIR; plays four more budgets for them
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object for machines instead of a table for people
    #[arg(long)]
    json: bool,
    /// Tell how far it is on standard error, a line of JSON for every percent, for programs
    #[arg(long)]
    progress: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Found {
    Announced,
    Links,
}

/// `30/day`, `2/hour`, `500/week`, or a plain number of visits a day.
pub(super) fn parse_per_day(text: &str) -> Result<f64, String> {
    let (number, unit) = text.split_once('/').unwrap_or((text, "day"));
    let days = match unit.trim() {
        "day" | "d" => 1.0,
        "hour" | "h" => 1.0 / 24.0,
        "week" | "w" => 7.0,
        _ => return Err("write visits per day, such as 30/day".to_owned()),
    };
    let number = number.trim().parse::<f64>().ok().filter(|number| *number > 0.0 && number.is_finite());
    number.map(|number| number / days).ok_or_else(|| "write visits per day, such as 30/day".to_owned())
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let config = TournamentConfig {
        source: options.site.source(),
        policies: options.policies.clone(),
        budget_per_day: options.budget,
        from: options.from,
        to: options.to,
        discovery: match options.discovery {
            Found::Announced => Discovery::Announced,
            Found::Links => Discovery::Links,
        },
        sitemap: options.sitemap.sitemap(),
        run_seed: options.run_seed,
        seeds: options.seeds,
        visits: options.visits.clone(),
        leave_out: options.leave_out,
        rows: options.rows.clone(),
        with_pictures: options.out.is_some(),
    };
    let results = match options.progress {
        true => tournament::run(&config, &Lines::default())?,
        false => tournament::run(&config, &Bar::percent())?,
    };
    show_and_write(&results, options.json, options.out.as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read_per_day() {
        assert_eq!(["30/day", "30", "2/hour", "70/week"].map(parse_per_day), [Ok(30.0), Ok(30.0), Ok(48.0), Ok(10.0)]);
        assert!(["0/day", "-1/day", "x", "3/year", "inf", ""].iter().all(|text| parse_per_day(text).is_err()));
    }
}
