//! `tintype lab tournament`: every policy on the same history with the same visits to spend.

mod capture;
mod games;
mod out;
mod results;
mod table;
mod visits;

use super::{
    open::{Opened, Source},
    parse_time,
};
use crate::failure::usage;
use clap::{Args, ValueEnum};
use games::Games;
use results::Results;
use std::{path::PathBuf, process::ExitCode};
use tintype_plan::policy;
use tintype_quality::Truth;
use tintype_vocab::Time;
use tintype_world::{Contents, Discovery, Game, History, tournament::pages_in_window};

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
    source: Source,
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
    /// The number behind the policies' dice
    #[arg(long, value_name = "N", default_value_t = 1)]
    run_seed: u64,
    /// Runs of a policy that rolls dice (all policies, on made-up sites), for 95 % intervals
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    /// Writes every visit to DIR/<policy>.csv: time,path,outcome
    #[arg(long, value_name = "DIR")]
    visits: Option<PathBuf>,
    /// Draws pictures (SVG and PNG) and writes tables (CSV and Markdown) into DIR; plays four more budgets for them
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object for machines instead of a table for people
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Found {
    Announced,
    Links,
}

/// `30/day`, `2/hour`, `500/week`, or a plain number of visits a day.
fn parse_per_day(text: &str) -> Result<f64, String> {
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

/// Host of the URLs of a made-up site.
const ORIGIN: &str = "http://world.invalid";

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let players = players(&options.policies)?;
    let mut site = options.source.open(ORIGIN)?;
    let game = game(options, &site)?;
    let pages = pages_in_window(&site.history, game.from, game.to);
    let truth_of_site = truth(&site.history, site.contents.as_deref_mut(), &site.origin)?;
    let mut games = Games::new(options, &players, &game);
    games.play_on(&mut site, &truth_of_site, 0)?;
    for nth in 1..games.sites() {
        // A made-up site is itself thrown with dice: the same tournament on its sisters.
        let mut sister = options.source.sister(nth, ORIGIN)?;
        let truth = truth(&sister.history, sister.contents.as_deref_mut(), &sister.origin)?;
        games.play_on(&mut sister, &truth, nth)?;
    }
    let (asked, others) = games.finish();
    let results = Results { name: site.name.clone(), game, pages, asked, others };
    print(options, &results);
    if let Some(directory) = &options.out {
        let capture = capture::take(&site, &results.game)?;
        say(options, &out::write(directory, &results, &capture)?);
    }
    Ok(ExitCode::SUCCESS)
}

fn print(options: &Options, results: &Results) {
    if options.json {
        println!("{}", results.json());
    } else {
        print!("{}", table::text(results));
    }
}

/// What is for people must not come between machines and their one object.
fn say(options: &Options, line: &str) {
    if options.json { eprintln!("{line}") } else { println!("\n{line}") }
}

/// What is played, if it can be.
fn game(options: &Options, site: &Opened) -> anyhow::Result<Game> {
    let (from, to) = (options.from.unwrap_or(site.from), options.to.unwrap_or(site.to));
    if from >= to {
        return Err(usage(
            format!("the window ends before it begins: {} to {}", from.to_rfc3339_secs(), to.to_rfc3339_secs()),
            format!("choose --from and --to between {} and {}", site.from.to_rfc3339_secs(), site.to.to_rfc3339_secs()),
        ));
    }
    let discovery = match options.discovery {
        Found::Announced => Discovery::Announced,
        Found::Links => Discovery::Links,
    };
    if discovery == Discovery::Links && site.contents.is_none() {
        return Err(usage(
            "links cannot be followed: only the events of this history are known, not its bodies",
            "put history.warc.gz beside events.csv.gz, or leave --discovery links out",
        ));
    }
    let a_tenth = || (pages_in_window(&site.history, from, to) as f64 / 10.0).max(1.0);
    let per_day = options.budget.unwrap_or_else(a_tenth);
    let game = Game { from, to, per_day, discovery, run_seed: options.run_seed };
    if Games::too_long(&game) {
        let problem = "that is more than a hundred million visits";
        return Err(usage(problem, "choose a smaller --budget or a shorter window"));
    }
    Ok(game)
}

/// What happened, every version weighing as much as its change is important, or 1 where only events are known.
pub(super) fn truth(
    history: &History,
    contents: Option<&mut (dyn Contents + Send + 'static)>,
    origin: &str,
) -> anyhow::Result<Truth> {
    match contents {
        Some(contents) => {
            let weights = tintype_world::weights(history, contents, origin)?;
            Ok(history.truth(|row| weights[row as usize]))
        }
        None => Ok(history.truth(|_| 1.0)),
    }
}

fn players(names: &[String]) -> anyhow::Result<Vec<&'static policy::Registered>> {
    if names.is_empty() {
        return Ok(policy::continual().collect());
    }
    let find = |name: &String| {
        policy::find(name.trim()).ok_or_else(|| {
            let known = policy::continual().map(|entry| entry.name).collect::<Vec<_>>().join(", ");
            usage(format!("no policy is called {name}"), format!("choose among {known}"))
        })
    };
    names.iter().map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read_per_day() {
        assert_eq!(["30/day", "30", "2/hour", "70/week"].map(parse_per_day), [Ok(30.0), Ok(30.0), Ok(48.0), Ok(10.0)]);
        assert!(["0/day", "-1/day", "x", "3/year", "inf", ""].iter().all(|text| parse_per_day(text).is_err()));
    }

    #[test]
    fn pictures_and_tables_are_written_for_every_budget() {
        #[derive(clap::Parser)]
        struct Typed {
            #[command(flatten)]
            options: Options,
        }
        let directory = tempfile::tempdir().unwrap();
        let words =
            "x --world poisson --pages 12 --days 4 --policies uniform,tintype --seeds 2 --budget 8 --json --out";
        let typed = words.split(' ').map(std::ffi::OsStr::new).chain([directory.path().as_os_str()]);
        run(&<Typed as clap::Parser>::try_parse_from(typed).unwrap().options).unwrap();
        for name in ["completeness-by-budget", "freshness-over-time", "policies", "capture-sharp"] {
            for kind in ["svg", "png"] {
                assert!(
                    directory.path().join(format!("{name}.{kind}")).metadata().unwrap().len() > 1000,
                    "{name}.{kind}"
                );
            }
        }
        let read = |name: &str| std::fs::read_to_string(directory.path().join(name)).unwrap();
        let (results, budgets, document) = (read("results.csv"), read("budgets.csv"), read("results.md"));
        assert_eq!((results.lines().count(), budgets.lines().count()), (1 + 2, 1 + 5 * 3));
        for table in [&results, &budgets] {
            let fields = |line: &str| line.split(',').count();
            assert!(table.lines().all(|line| fields(line) == fields(table.lines().next().unwrap())), "{table}");
        }
        assert!(document.contains("\n| tintype |") && document.contains("Made by `tintype "), "{document}");
    }

    #[test]
    fn everybody_plays_unless_somebody_is_named() {
        assert!(players(&[]).unwrap().iter().any(|player| player.name == "tintype"));
        assert_eq!(players(&["uniform".to_owned()]).unwrap()[0].name, "uniform");
        assert_eq!(players(&["frequency".to_owned()]).unwrap()[0].name, "cho-freshness");
        assert!(players(&["nobody".to_owned()]).is_err());
    }
}
