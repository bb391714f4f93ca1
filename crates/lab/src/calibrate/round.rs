//! One capture: what its certificate expected, and what was true.

use super::{CalibrationConfig, oracle::OracleIntervals, site::LivingSite};
use crate::{CaptureOrder, Crawler};
use anyhow::Context;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use tintype_archive::Collection;
use tintype_live::clock;
use tintype_quality::{
    capture::blur_moments,
    certificate::{Activity, Certificate, Experience, PageProof, PageVerdict},
};
use tintype_vocab::{ChangeRate, Entry, Links, Observation, PageUrl, Purpose, Time};

/// One capture, as it is told.
#[derive(Debug, Serialize)]
pub(super) struct Round {
    pub(super) capture: String,
    /// The site's time.
    pub(super) began: String,
    #[serde(skip)]
    pub(super) begun: Time,
    #[serde(skip)]
    pub(super) ended: Time,
    pub(super) hours: f64,
    pub(super) requests: u64,
    pub(super) pages: u64,
    pub(super) blur: Forecast,
    pub(super) sharp: Forecast,
    /// What was believed of the site before, and what the capture taught.
    pub(super) activity: Activity,
    pub(super) experience: Experience,
    /// What an oracle would have stated.
    pub(super) oracle_90: OracleIntervals,
    #[serde(skip)]
    pub(super) visits: Vec<Observation>,
    /// Where most of what was not expected, or did not come, lies.
    pub(super) off: Vec<PageOff>,
}

/// One page's part in the blur, foretold and true.
#[derive(Debug, Serialize)]
pub(super) struct PageOff {
    pub(super) url: String,
    pub(super) visits: u32,
    pub(super) expected: f64,
    #[serde(rename = "true")]
    pub(super) truth: f64,
    /// Changes a day, and how sure: as believed before its first visit, times the activity of the site.
    believed_per_day: f64,
    believed_shape: f64,
    /// Over all that is known of it.
    true_per_day: f64,
}

/// So many pages are told of each capture.
const OFF_MAX: usize = 5;

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
        begun: begin,
        ended,
        hours: (ended - begin).as_days_f64() * 24.0,
        requests: certificate.visits,
        pages: certificate.captured,
        blur: blur(site, &certificate, &mut visits),
        off: off(site, &certificate, &visits),
        sharp: sharp(&certificate),
        activity: certificate.activity,
        experience: certificate.experience,
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
    let counts = |visit: &&Observation| shows(visit) && captured.contains(&PageUrl::new(&visit.url));
    let truth = certificate.query.map_or(0.0, |query| site.blur(query, visits.iter().filter(counts)));
    Forecast { expected: certificate.blur.expected, interval_90: certificate.blur.interval_90, truth }
}

/// The pages whose blur is furthest from what was expected of them. Visits are in order of time.
fn off(site: &LivingSite, certificate: &Certificate, visits: &[Observation]) -> Vec<PageOff> {
    let Some(query) = certificate.query else { return Vec::new() };
    let mut by_page: HashMap<PageUrl<'_>, Vec<&Observation>> = HashMap::new();
    for visit in visits.iter().filter(|visit| shows(visit)) {
        by_page.entry(PageUrl::new(&visit.url)).or_default().push(visit);
    }
    let mut all = Vec::new();
    for page in certificate.pages.iter().filter(|page| !matches!(page.verdict, PageVerdict::Missing(_))) {
        let Some(visits) = by_page.get(&PageUrl::new(&page.url)) else { continue };
        let times: Vec<Time> = visits.iter().map(|visit| visit.asked).collect();
        let believed_per_day = f64::from(page.rate.per_day) * certificate.activity.factor;
        let rate = ChangeRate { per_day: believed_per_day as f32, ..page.rate };
        all.push(PageOff {
            expected: blur_moments(rate, &times, query.from, query.to).mean,
            truth: site.blur(query, visits.iter().copied()),
            believed_per_day,
            believed_shape: page.rate.shape.into(),
            true_per_day: site.rate(&page.url, site.whole()).per_day.into(),
            visits: page.visits,
            url: page.url.clone(),
        });
    }
    let distance = |page: &PageOff| (page.truth - page.expected).abs();
    all.sort_by(|one, other| distance(other).total_cmp(&distance(one)).then_with(|| one.url.cmp(&other.url)));
    all.truncate(OFF_MAX);
    all
}

/// Whether a visit showed what the page was.
fn shows(visit: &Observation) -> bool {
    let showed = visit.outcome.saw_page() || matches!(visit.outcome, tintype_vocab::Outcome::Gone { .. });
    visit.purpose != Purpose::Robots && showed
}

/// A page proved sharp is sharp: what was proved is the truth.
fn sharp(certificate: &Certificate) -> Forecast {
    let sharp = &certificate.sharp;
    Forecast { expected: sharp.expected, interval_90: sharp.interval_90, truth: sharp.proved as f64 }
}
