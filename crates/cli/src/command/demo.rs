//! `tintype demo`: the whole product on a made-up newspaper, offline, within a minute.
//!
//! One file per act: the [`newspaper`] opens, a [`week`] of captures passes, what was [`learned`] (and from whom, the
//! [`announcer`]) is set beside the truth, and the next weeks are [`spend`]-ed by several policies. Every act leaves
//! facts; [`tell`] puts them into words, `--json` prints them as they are.

mod announcer;
mod check;
mod learned;
mod newspaper;
mod spend;
mod tell;
mod week;

use check::Checked;
use clap::Args;
use learned::Learned;
use newspaper::{About, Newspaper};
use serde::Serialize;
use spend::Spent;
use std::{io::Write, path::PathBuf, process::ExitCode, time::Instant};
use week::{RECAPTURES, Round, Week};

/// Watch it work, offline, within a minute: a made-up newspaper is captured for a week, and what that taught is put to use
///
/// Serves the newspaper on this machine, captures it for a week of its own time, compares what was learned
/// with what really happened there, and plays the weeks after with the same number of visits spent in different ways.
/// Needs no network, changes nothing but the directory it writes its collection to.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Where to put the demo's collection
    #[arg(long, default_value = "tintype-demo", value_name = "DIR")]
    out: PathBuf,
    /// Print one JSON object for machines instead of text for people
    #[arg(long)]
    json: bool,
}

/// All that happened in one run.
#[derive(Debug, Serialize)]
struct Facts {
    collection: String,
    site: About,
    captures: Vec<Round>,
    learned: Learned,
    spent: Spent,
    check: Checked,
    seconds: f64,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let facts = play(options)?;
    if options.json {
        println!("{}", serde_json::to_string(&facts)?);
    }
    Ok(if facts.check.findings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The acts, told to people as they happen.
fn play(options: &Options) -> anyhow::Result<Facts> {
    let began = Instant::now();
    let tell = |text: String| {
        if !options.json {
            // A reader that went away is no reason to stop.
            let _ = std::io::stdout().lock().write_all(text.as_bytes());
        }
    };
    let mut newspaper = Newspaper::open()?;
    let site = newspaper.about();
    tell(tell::opening(&site));
    let mut week = Week::new(&newspaper, &options.out);
    for _ in 0..=RECAPTURES {
        tell(tell::round(week.capture()?));
    }
    tell(tell::week(&week.rounds));
    let learned = learned::learn(&newspaper, &week.sightings);
    tell(tell::learned(&learned));
    let (end, budget) = (week.end(), spend::budget(&week.rounds));
    let captures = week.rounds;
    let spent = spend::play(&mut newspaper, end, budget)?;
    tell(tell::spent(&spent));
    let check = check::check(&options.out)?;
    let collection = options.out.display().to_string();
    let seconds = began.elapsed().as_secs_f64();
    tell(tell::closing(&collection, &check, &spent, seconds));
    Ok(Facts { collection, site, captures, learned, spent, check, seconds })
}
