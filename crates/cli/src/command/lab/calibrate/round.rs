//! One capture: what its certificate expected, and what was true.

use super::{Options, site::Living};
use crate::command::{capture, report};
use anyhow::{Context, bail};
use clap::Parser;
use serde::Serialize;
use std::{collections::HashSet, path::Path};
use tintype_archive::{CaptureId, Collection};
use tintype_live::clock;
use tintype_plan::Ending;
use tintype_quality::certificate::{Certificate, PageProof, Verdict};
use tintype_vocab::{Entry, Observation, PageUrl, Purpose, Time};

#[derive(Debug, Parser)]
struct CaptureLine {
    #[command(flatten)]
    options: capture::Options,
}

/// One capture, as it is told.
#[derive(Debug, Serialize)]
pub(super) struct Round {
    pub(super) capture: String,
    /// The site's time.
    pub(super) began: String,
    #[serde(skip)]
    pub(super) ended: Time,
    pub(super) hours: f64,
    pub(super) requests: u64,
    pub(super) pages: u64,
    pub(super) blur: Forecast,
    pub(super) sharp: Forecast,
}

/// What was expected, and what came.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Forecast {
    pub(super) expected: f64,
    pub(super) interval_90: [f64; 2],
    #[serde(rename = "true")]
    pub(super) truth: f64,
}

impl Forecast {
    /// Whether the interval holds the truth; what is the same to nine digits is the same.
    pub(super) fn holds(&self) -> bool {
        let [low, high] = self.interval_90;
        let rounding = 1e-9 * self.truth.abs().max(1.0);
        (low - rounding..=high + rounding).contains(&self.truth)
    }
}

/// Sets the clock and captures the site as `tintype capture` does.
pub(super) fn take(site: &Living, options: &Options, collection: &Path, begin: Time) -> anyhow::Result<Round> {
    let line = command_line(site, options, collection)?;
    clock::run(begin, options.speed());
    let outlook = capture::capture_quietly(&line.options)?.pop().context("there is one site")?;
    let ended = clock::now();
    if let Some(error) = outlook.error {
        bail!(error);
    }
    if !matches!(outlook.ending, Some(Ending::Complete | Ending::BudgetSpent)) {
        bail!("the capture was stopped");
    }
    let reading = Collection::read(collection)?;
    let id = CaptureId::from_text(&outlook.capture);
    let info = reading.captures()?.into_iter().find(|info| info.id == id).context("the capture has a log")?;
    let certificate = report::certify(&reading, &info)?;
    let mut visits = Vec::new();
    for entry in reading.entries(&id)? {
        if let Entry::Observation(observation) = entry? {
            visits.push(*observation);
        }
    }
    Ok(Round {
        capture: outlook.capture,
        began: begin.to_rfc3339_secs(),
        ended,
        hours: (ended - begin).as_days_f64() * 24.0,
        requests: certificate.visits,
        pages: certificate.captured,
        blur: blur(site, &certificate, visits),
        sharp: sharp(&certificate),
    })
}

fn command_line(site: &Living, options: &Options, collection: &Path) -> anyhow::Result<CaptureLine> {
    let collection = collection.to_str().context("the directory's name is not text")?;
    let delay = (options.delay.as_millis() as f64 / 1000.0).to_string();
    let seed = site.seed();
    let mut words = vec!["capture", &seed, "-C", collection, "--fresh", "--delay", &delay];
    if !options.no_revisit {
        words.push("--revisit");
    }
    let budget = options.budget.map(|requests| requests.to_string());
    if let Some(budget) = &budget {
        words.extend(["--budget", budget]);
    }
    Ok(CaptureLine::parse_from(words))
}

/// The certificate speaks of captured pages, by all visits that showed what they were.
fn blur(site: &Living, certificate: &Certificate, mut visits: Vec<Observation>) -> Forecast {
    let is_captured = |page: &&PageProof| !matches!(page.verdict, Verdict::Missing(_));
    let captured: HashSet<PageUrl<'_>> =
        certificate.pages.iter().filter(is_captured).map(|page| PageUrl::new(&page.url)).collect();
    visits.sort_by_key(|visit| visit.asked);
    let counts = |visit: &&Observation| {
        let showed = visit.outcome.saw_page() || matches!(visit.outcome, tintype_vocab::Outcome::Gone { .. });
        visit.purpose != Purpose::Robots && showed && captured.contains(&PageUrl::new(&visit.url))
    };
    let truth = certificate.query.map_or(0.0, |query| site.blur(query, visits.iter().filter(counts)));
    Forecast { expected: certificate.blur.expected, interval_90: certificate.blur.interval_90, truth }
}

/// A page proved sharp is sharp: what was proved is the truth.
fn sharp(certificate: &Certificate) -> Forecast {
    let sharp = &certificate.sharp;
    Forecast { expected: sharp.expected, interval_90: sharp.interval_90, truth: sharp.proved as f64 }
}
