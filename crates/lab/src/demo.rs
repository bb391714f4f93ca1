//! The whole product on a made-up newspaper, offline, within a minute.
//!
//! One file per act: the [`newspaper`] opens, a [`week`] of captures passes, what was [`learned`] (and from whom, the
//! [`announcer`]) is set beside the truth, and the next weeks are [`spend`]-ed by several policies. Every act leaves
//! facts; [`tell`] puts them into words.

mod announcer;
mod check;
mod learned;
mod newspaper;
mod spend;
mod tell;
mod week;

pub use newspaper::Newspaper;

use crate::Crawler;
use check::Checked;
use learned::Learned;
use newspaper::About;
use serde::Serialize;
use spend::Spent;
use std::{path::Path, time::Instant};
use week::{RECAPTURES, Round, Week};

/// All that happened in one run.
#[derive(Debug, Serialize)]
pub struct DemoFacts {
    collection: String,
    site: About,
    captures: Vec<Round>,
    learned: Learned,
    spent: Spent,
    check: Checked,
    seconds: f64,
}

impl DemoFacts {
    /// Whether nothing is wrong with what was captured.
    pub fn is_sound(&self) -> bool {
        self.check.findings == 0
    }
}

/// The acts, told to people as they happen, with a newspaper that is being served.
pub fn run(
    newspaper: &mut Newspaper,
    crawler: &dyn Crawler,
    out: &Path,
    tell: &dyn Fn(String),
) -> anyhow::Result<DemoFacts> {
    let began = Instant::now();
    let site = newspaper.about();
    tell(tell::opening(&site));
    let mut week = Week::new(newspaper, crawler, out);
    for _ in 0..=RECAPTURES {
        tell(tell::round(week.capture()?));
    }
    tell(tell::week(&week.rounds));
    let learned = learned::learn(newspaper, &week.sightings);
    tell(tell::learned(&learned));
    let (end, budget) = (week.end(), spend::budget(&week.rounds));
    let captures = week.rounds;
    let spent = spend::play(newspaper, end, budget)?;
    tell(tell::spent(&spent));
    let check = check::check(out)?;
    let collection = out.display().to_string();
    let seconds = began.elapsed().as_secs_f64();
    tell(tell::closing(&collection, &check, &spent, seconds));
    Ok(DemoFacts { collection, site, captures, learned, spent, check, seconds })
}
