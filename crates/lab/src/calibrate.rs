//! Whether certificates promise what then happens.
//!
//! A past site lives again on loopback, fast, and is captured again and again by the real crawler ([`site`], [`round`]);
//! what each certificate expected before the visits is held against the truth ([`table`], [`picture`]).

mod oracle;
mod picture;
mod round;
mod site;
mod table;

pub use site::LivingSite;

use crate::{Crawler, LabProgress, Results, usage};
use round::{Forecast, Round};
use serde::Serialize;
use std::path::{Path, PathBuf};
use tintype_vocab::{Span, Time};

/// How a site is captured.
#[derive(Clone, Debug)]
pub struct CalibrationConfig {
    /// How many captures, at least two.
    pub captures: u32,
    /// From the beginning of a capture to that of the next, at the site's time.
    pub every: Span,
    /// The pause between two requests, at the site's time.
    pub delay: Span,
    /// When the first capture begins; where the recording does if nothing is said.
    pub from: Option<Time>,
    /// Seconds at the site in one of ours; so many that a pause takes four milliseconds if nothing is said.
    pub speed: Option<f64>,
    pub revisit: bool,
    /// Requests a capture may spend.
    pub budget: Option<u64>,
    /// Where the captures are kept.
    pub collection: PathBuf,
}

/// The pause by our clock: timers tell milliseconds, and a request on loopback takes about one.
const PAUSE_MS: f64 = 4.0;

impl CalibrationConfig {
    fn speed(&self) -> f64 {
        self.speed.unwrap_or_else(|| (self.delay.as_millis() as f64 / PAUSE_MS).max(1.0))
    }
}

/// All that happened in one run.
#[derive(Debug, Serialize)]
pub struct CalibrationResults {
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
struct Coverage {
    captures: usize,
    blur: usize,
    sharp: usize,
    /// The same of the intervals of an oracle.
    oracle: [usize; 2],
    /// How wide intervals are in the mean, against those of the oracle.
    blur_width: Width,
    sharp_width: Width,
}

/// Means over captures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
struct Width {
    stated: f64,
    oracle: f64,
    /// How many times as wide; nothing if the oracle is always certain.
    ratio: Option<f64>,
}

impl Coverage {
    fn of(rounds: &[Round]) -> Coverage {
        let count = |inside: &dyn Fn(&Round) -> bool| rounds.iter().filter(|round| inside(round)).count();
        let by_oracle = |forecast: Forecast, interval_90| Forecast { interval_90, ..forecast }.holds();
        Coverage {
            captures: rounds.len(),
            blur: count(&|round| round.blur.holds()),
            sharp: count(&|round| round.sharp.holds()),
            oracle: [
                count(&|round| by_oracle(round.blur, round.oracle_90.blur)),
                count(&|round| by_oracle(round.sharp, round.oracle_90.sharp)),
            ],
            blur_width: Width::of(rounds, |round| [round.blur.interval_90, round.oracle_90.blur]),
            sharp_width: Width::of(rounds, |round| [round.sharp.interval_90, round.oracle_90.sharp]),
        }
    }
}

impl Width {
    fn of(rounds: &[Round], intervals: fn(&Round) -> [[f64; 2]; 2]) -> Width {
        let mean = |nth: usize| {
            let widths = rounds.iter().map(|round| intervals(round)[nth]).map(|[low, high]| high - low);
            widths.sum::<f64>() / rounds.len().max(1) as f64
        };
        let (stated, oracle) = (mean(0), mean(1));
        Width { stated, oracle, ratio: (oracle > 0.0).then(|| stated / oracle) }
    }
}

/// Captures the site again and again.
pub fn run(
    config: &CalibrationConfig,
    site: &LivingSite,
    crawler: &dyn Crawler,
    progress: &dyn LabProgress,
) -> anyhow::Result<CalibrationResults> {
    let mut begin = config.from.unwrap_or(site.from);
    let last = begin + config.every * i64::from(config.captures);
    if last > site.until {
        let problem = format!("the {}th capture would end after {}, where the past does", config.captures, site.until);
        return Err(usage(problem, "take fewer with --captures, or more often with --every"));
    }
    let mut rounds = Vec::new();
    for nth in 0..config.captures {
        // Captures take as long as the machine lets them: behind the end of the past nothing is true any more.
        if begin + config.every > site.until && nth > 1 {
            progress.note(&format!("the past ends after {nth} captures; a lower --speed leaves room for more"));
            break;
        }
        let round = round::take(site, config, crawler, begin)?;
        progress.note(&format!("{} of {}: {}", nth + 1, config.captures, table::sentence(&round)));
        begin = (begin + config.every).max(round.ended);
        rounds.push(round);
    }
    oracle::fill_in(site, &mut rounds, config.every);
    Ok(CalibrationResults {
        history: site.name.clone(),
        pages: site.pages(),
        delay_seconds: config.delay.as_millis() as f64 / 1000.0,
        every_days: config.every.as_days_f64(),
        speed: config.speed(),
        revisit: config.revisit,
        coverage: Coverage::of(&rounds[1..]),
        rounds,
    })
}

impl Results for CalibrationResults {
    fn json(&self) -> String {
        serde_json::to_string(self).expect("results are plain data")
    }

    fn text(&self) -> String {
        table::text(self)
    }
}

impl CalibrationResults {
    /// Writes the table, the numbers and the pictures into a directory.
    pub fn write(&self, directory: &Path) -> anyhow::Result<()> {
        picture::write(self, directory)
    }
}
