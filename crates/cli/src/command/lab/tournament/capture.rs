//! One capture at the pace of the tournament, by the crawler's own scheduler: which pages stood still meanwhile?

use crate::command::lab::open::Opened;
use anyhow::Context;
use std::collections::HashMap;
use tintype_plan::{Scheduler, Settings, Step, policy};
use tintype_quality::{Seen, Truth, Version};
use tintype_vocab::{Observation, Outcome, PageId, Purpose, SiteId, Span, Time};
use tintype_world::Game;

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
pub(super) fn take(site: &Opened, truth: &Truth, game: &Game) -> anyhow::Result<Capture> {
    let there = |page: &u32| site.history.alive(*page, game.from).is_some();
    let pages: Vec<u32> = (0..site.history.pages() as u32).filter(there).collect();
    let visits = visits(site, &pages, game)?;
    let ended = visits.last().map_or(game.from, |visit| visit.at);
    let captured = |visit: &Seen| Captured {
        after: visit.at - game.from,
        changes_per_day: changes_per_day(truth.page(visit.page as usize), game),
        still: truth.alive(visit.page as usize, game.from) == truth.alive(visit.page as usize, ended),
    };
    let left = pages.len() - visits.len();
    Ok(Capture { policy: policy::DEFAULT, pages: visits.iter().map(captured).collect(), left })
}

fn visits(site: &Opened, pages: &[u32], game: &Game) -> anyhow::Result<Vec<Seen>> {
    let url = |page: u32| format!("{}{}", site.origin.trim_end_matches('/'), site.history.path(page));
    // The shortest path is the entrance, or nearly.
    let entrance = pages.iter().min_by_key(|page| site.history.path(**page).len());
    let Some(entrance) = entrance else { return Ok(Vec::new()) };
    let settings = Settings { delay: Some(Span::ZERO), ..Settings::new(SiteId(0), vec![url(*entrance)]) };
    let mut scheduler = Scheduler::new(settings).context("the site cannot be captured")?;
    let known = pages.iter().filter_map(|page| Some((scheduler.announce(&url(*page), game.from)?, *page)));
    let known: HashMap<PageId, u32> = known.collect();
    let visit = |at: Time| next_page(&mut scheduler, site, &known, at).map(|page| Seen { at, page });
    Ok(game.slots().map_while(visit).collect())
}

/// The page the policy wants now. Rules and sitemaps cost no slot: a history knows neither.
fn next_page(scheduler: &mut Scheduler, site: &Opened, known: &HashMap<PageId, u32>, now: Time) -> Option<u32> {
    loop {
        let Step::Fetch(request) = scheduler.next(now) else { return None };
        let page = known.get(&request.page).copied().filter(|_| request.purpose == Purpose::Visit);
        let alive = page.is_some_and(|page| site.history.alive(page, now).is_some());
        let outcome = if alive { Outcome::Body { status: 200 } } else { Outcome::Gone { status: 404 } };
        scheduler.settle(&Observation::of(&request, now, now, outcome));
        if page.is_some() {
            return page;
        }
    }
}

/// Versions born in the window per day of the window that the page was there.
fn changes_per_day(versions: &[Version], game: &Game) -> f64 {
    let shown = versions.iter().filter(|version| version.until > game.from && version.from < game.to);
    let born = shown.clone().filter(|version| version.from > game.from).count();
    let alive = shown.map(|version| version.until.min(game.to) - version.from.max(game.from));
    born as f64 / alive.fold(Span::ZERO, |sum, life| sum + life).as_days_f64()
}
