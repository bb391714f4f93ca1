//! One capture: what its certificate expected, and what was true.

use super::{CalibrationConfig, oracle::OracleIntervals, site::LivingSite};
use crate::{CaptureOrder, Crawler};
use anyhow::Context;
use serde::Serialize;
use std::collections::HashSet;
use tintype_archive::Collection;
use tintype_live::clock;
use tintype_quality::certificate::{Certificate, PageProof, PageVerdict};
use tintype_vocab::{Entry, Links, Observation, PageUrl, Purpose, Time};

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
    /// What an oracle would have stated.
    pub(super) oracle_90: OracleIntervals,
    #[serde(skip)]
    pub(super) visits: Vec<Observation>,
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
pub(super) fn take(
    site: &LivingSite,
    config: &CalibrationConfig,
    crawler: &dyn Crawler,
    begin: Time,
) -> anyhow::Result<Round> {
    let CalibrationConfig { delay, revisit, budget, ref collection, .. } = *config;
    clock::run(begin, config.speed());
    let order = CaptureOrder { seed: &site.seed(), collection, delay, revisit, budget };
    let id = crawler.capture(&order)?.context("the capture was stopped")?;
    let ended = clock::now();
    let reading = Collection::read(collection)?;
    let certificate = crawler.certify(&reading, &id)?;
    let mut visits = Vec::new();
    for entry in reading.entries(&id)? {
        if let Entry::Observation(observation) = entry? {
            visits.push(Observation { links: Links::new(), ..*observation });
        }
    }
    Ok(Round {
        capture: id.as_str().to_owned(),
        began: begin.to_rfc3339_secs(),
        ended,
        hours: (ended - begin).as_days_f64() * 24.0,
        requests: certificate.visits,
        pages: certificate.captured,
        blur: blur(site, &certificate, &mut visits),
        sharp: sharp(&certificate),
        oracle_90: OracleIntervals::default(),
        visits,
    })
}

/// The certificate speaks of captured pages, by all visits that showed what they were.
fn blur(site: &LivingSite, certificate: &Certificate, visits: &mut [Observation]) -> Forecast {
    let is_captured = |page: &&PageProof| !matches!(page.verdict, PageVerdict::Missing(_));
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
