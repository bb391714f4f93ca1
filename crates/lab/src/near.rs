//! Which parts of a site could have been skipped.
//!
//! A past is cut into full captures at equal distances; WARM, our skip and the best possible each leave pages out of the
//! tested ones ([`results`]), and are compared where they leave out as many ([`table`], [`out`]). What skip said it would
//! lose is held against what it lost ([`foretold`]).

mod foretold;
mod out;
mod point;
mod results;
mod table;

use crate::{LabProgress, SiteSource, open::OpenedSite, usage};
pub use results::NearResults;
use tintype_vocab::{Span, Time};
use tintype_world::near::{Births, Setting, SkipExperiment, TooShort, Wanted, Windows};

/// What is skipped, and when.
#[derive(Clone, Debug)]
pub struct NearConfig {
    pub source: SiteSource,
    /// Captures, how far apart, and how many of them are learned from.
    pub wanted: Wanted,
    /// When the first capture is taken; where the recording begins if nothing is said.
    pub from: Option<Time>,
    /// Thresholds of WARM.
    pub setting: Setting,
    /// How new pages are found.
    pub births: Births,
    /// What skip may lose, if somebody says so.
    pub loss: Option<f64>,
    /// Whether skip is also played learning from nothing but what it visited itself.
    pub closed_loop: bool,
}

/// Host of the URLs of a made-up site.
const ORIGIN: &str = "http://world.invalid";

/// Unless another is asked for, and the history is long enough.
const EVERY: Span = Span::from_days(7);

/// Plays WARM, skip and the best possible on one past.
pub fn run(config: &NearConfig, progress: &dyn LabProgress) -> anyhow::Result<NearResults> {
    let mut site = config.source.open(ORIGIN)?;
    let windows = windows(config, &site)?;
    let notes = notes(&config.wanted, &windows);
    notes.iter().for_each(|note| progress.note(note));
    let weights = match site.contents.as_deref_mut() {
        Some(contents) => tintype_world::weights(&site.history, contents, &site.origin)?,
        None => Vec::new(),
    };
    let experiment = SkipExperiment::new(&site.history, &weights, windows, config.births);
    NearResults::of(&experiment, &site, config, notes)
}

fn windows(config: &NearConfig, site: &OpenedSite) -> anyhow::Result<Windows> {
    let from = config.from.unwrap_or(site.from);
    Windows::fit(from, site.to, config.wanted).map_err(|TooShort { versions, every, enough }| {
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
fn notes(wanted: &Wanted, windows: &Windows) -> Vec<String> {
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
