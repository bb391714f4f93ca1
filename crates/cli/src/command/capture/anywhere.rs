//! `--scope web`: wherever links lead, how far that may go, and where wanted files are put.

use super::CaptureSummary;
use crate::{
    config::{RenderWhen, SiteConfig},
    failure::usage,
    save_to::{FileSaver, SavedFiles},
    settings::{Typed, WEB, text},
};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use tintype_plan::{HarvestPoint, HostCounts, Settings};
use tintype_session::Session;

/// By which such a capture chooses where nothing is wanted in particular.
const WITHOUT_WISHES: &str = "breadth-first";
const ORDERS: [&str; 2] = ["focused", WITHOUT_WISHES];

#[derive(Debug, Args)]
pub(crate) struct AnywhereOptions {
    /// With --scope web: what may be spent on one registered domain, requests, bytes or both (500,1GB)
    #[arg(long, value_name = "AMOUNT")]
    domain_budget: Option<String>,
    /// Put the files --media wants into this directory as well, each under the hash of its bytes, with a list of where they
    /// come from (manifest.jsonl)
    #[arg(long, value_name = "DIR")]
    save_to: Option<PathBuf>,
}

impl AnywhereOptions {
    pub(super) fn typed(&self) -> Typed {
        text("domain-budget", self.domain_budget.as_ref()).into_iter().collect()
    }

    /// Where wanted files go, if anywhere.
    pub(super) fn saver<'a>(&self, mut sites: impl Iterator<Item = &'a Settings>) -> anyhow::Result<Option<FileSaver>> {
        let Some(directory) = &self.save_to else { return Ok(None) };
        if sites.all(|settings| settings.media.is_empty()) {
            return Err(usage(
                "--save-to says where wanted files go, but nothing says what is wanted",
                "say it with --media audio,application/pdf",
            ));
        }
        FileSaver::open(directory).map(Some)
    }
}

/// Sets what belongs to a scope without end, after everything else is set; `command` says for what.
pub(super) fn apply(config: &SiteConfig, settings: &mut Settings, command: &str) -> anyhow::Result<()> {
    if config.scope != WEB {
        return match config.domain_budget {
            None => Ok(()),
            Some(_) => Err(usage(
                "--domain-budget is what one of many domains may take, and only --scope web goes to many",
                "add --scope web, or say what may be spent with --budget",
            )),
        };
    }
    if command != "capture" {
        return Err(usage(
            "scope web goes wherever links lead, and what it finds is not watched",
            "capture it: tintype capture URL… --scope web --budget 20000; or watch a site: --scope host",
        ));
    }
    if config.budget.is_none() && config.time.is_none() && config.depth.is_none() {
        return Err(usage(
            "--scope web goes wherever links lead, and nothing says how far",
            "say it with --budget 20000,50GB, --time 12h or --depth 3",
        ));
    }
    if config.render.is_some_and(|when| when != RenderWhen::Never) {
        return Err(usage(
            "--scope web builds no pages in a browser: its hosts have no turns to give to what scripts ask for",
            "leave out --render, or name the sites and leave out --scope web",
        ));
    }
    if config.revisit || config.as_of.is_some() {
        return Err(usage(
            "--scope web asks for every page once, as its host allows, and not for proof or for a moment",
            "leave out --revisit and --as-of, or name the sites and leave out --scope web",
        ));
    }
    if config.policy.is_none() && settings.media.is_empty() {
        settings.policy = WITHOUT_WISHES.to_owned();
    }
    if !ORDERS.contains(&settings.policy.as_str()) {
        return Err(usage(
            format!("--scope web chooses by {}, not by {}", ORDERS.join(" or "), settings.policy),
            "leave out --policy: with --media what is likely wanted comes first",
        ));
    }
    settings.domain_budget = config.domain_budget.as_deref().map(super::budget).transpose()?;
    Ok(())
}

/// How far a capture across hosts came, and what it brought on the way.
#[derive(Debug, Serialize)]
pub(crate) struct AcrossResult {
    pub(crate) hosts: HostCounts,
    pub(crate) course: Vec<CoursePoint>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct CoursePoint {
    #[serde(flatten)]
    pub(crate) point: HarvestPoint,
    /// What was to be expected of asking for as much in the order in which it was found.
    pub(crate) as_found: Option<f64>,
}

impl AcrossResult {
    pub(super) fn of(session: &Session) -> Option<AcrossResult> {
        let (hosts, harvest) = (session.scheduler().host_counts()?, session.scheduler().harvest()?);
        let with_expected = |point: HarvestPoint| CoursePoint { point, as_found: harvest.as_found(point.requests) };
        Some(AcrossResult { hosts, course: harvest.course().map(with_expected).collect() })
    }

    /// Some points of the way, evenly, the last included.
    pub(crate) fn some(&self, points: usize) -> Vec<CoursePoint> {
        let Some(last) = self.course.last() else { return Vec::new() };
        let mut some: Vec<CoursePoint> = Vec::new();
        for nth in 1..=points {
            let requests = last.point.requests * nth as u64 / points as u64;
            let at = self.course.partition_point(|course| course.point.requests <= requests).saturating_sub(1);
            let is_new = some.last().is_none_or(|before| before.point.requests < self.course[at].point.requests);
            some.extend(is_new.then_some(self.course[at]));
        }
        some
    }
}

/// What was saved, as told by the saver at the end.
pub(super) fn finish(saver: FileSaver, summaries: &[CaptureSummary]) -> SavedFiles {
    saver.finish(summaries.iter().filter(|summary| !summary.capture.is_empty()).map(|summary| summary.capture.as_str()))
}
