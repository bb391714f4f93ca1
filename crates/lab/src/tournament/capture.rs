//! One capture at the pace of the tournament, by the crawler's own scheduler: which pages stood still meanwhile?

use crate::open::OpenedSite;
use anyhow::Context;
use std::collections::HashSet;
use tintype_plan::policy;
use tintype_quality::{Seen, Version};
use tintype_vocab::{ChangeRate, Span};
use tintype_world::{
    SimulationConfig,
    capture::{self, CaptureSubject, Manner, RecordedCapture},
};

/// One pass over the pages that were there at the beginning of the window.
pub(super) struct Capture {
    pub(super) policy: &'static str,
    /// In order of their visits.
    pub(super) pages: Vec<Captured>,
    /// Pages there would have been no slot for before the window ended.
    pub(super) left: usize,
}

pub(super) struct Captured {
    /// Since the capture began.
    pub(super) after: Span,
    /// As they really were in the window.
    pub(super) changes_per_day: f64,
    /// The same version from the first visit of the capture to its last.
    pub(super) still: bool,
}

/// Captures a site, told of every page at the start as by a sitemap.
pub(super) fn take(site: &OpenedSite, game: &SimulationConfig) -> anyhow::Result<Capture> {
    let unknown = |_| ChangeRate::default();
    let mut past =
        RecordedCapture::new(&site.history, None, &site.origin, game.from, unknown).context("nothing is there yet")?;
    let manner = Manner {
        policy: policy::make(policy::DEFAULT).context("the default is registered")?,
        start: game.from,
        slot: Span::from_millis((86_400_000.0 / game.per_day) as i64),
        revisit: false,
        size: past.pages(),
        told: true,
        requests_max: None,
    };
    let mut taken = capture::take(&mut past, manner).context("the site cannot be captured")?;
    taken.visits.retain(|visit| visit.at < game.to);
    let (from, to) = (taken.from().unwrap_or(game.from), taken.to().unwrap_or(game.from));
    let truth = past.truth();
    let captured = |visit: &Seen| Captured {
        after: visit.at - game.from,
        changes_per_day: changes_per_day(truth.page(visit.page as usize), game),
        still: truth.alive(visit.page as usize, from) == truth.alive(visit.page as usize, to),
    };
    let seen: HashSet<u32> = taken.visits.iter().map(|visit| visit.page).collect();
    let left = past.pages() - seen.len();
    Ok(Capture { policy: policy::DEFAULT, pages: taken.visits.iter().map(captured).collect(), left })
}

/// Versions born in the window per day of the window that the page was there.
fn changes_per_day(versions: &[Version], game: &SimulationConfig) -> f64 {
    let shown = versions.iter().filter(|version| version.until > game.from && version.from < game.to);
    let born = shown.clone().filter(|version| version.from > game.from).count();
    let alive = shown.map(|version| version.until.min(game.to) - version.from.max(game.from));
    born as f64 / alive.fold(Span::ZERO, |sum, life| sum + life).as_days_f64()
}
