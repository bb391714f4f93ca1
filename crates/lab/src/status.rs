//! What `status` says of a kept site, held against the truth: a policy keeps a past or made-up site as in a tournament, and
//! at the end of every week what would be stated is worked out by the same function, from the same visits.

mod results;

pub use results::StatusResults;

use crate::{LabProgress, SiteSource, open::OpenedSite, tournament, usage};
use anyhow::Context;
use results::{PolicyWeeks, Week};
use std::collections::BTreeSet;
use tintype_quality::{KeptFound, KeptPage, KeptSite, KeptVisit, Seen, Truth, judge, mean_copy_age_hours};
use tintype_vocab::{Span, Time};
use tintype_world::{
    Contents, Discovery, SimulationConfig, VisitEnd, Visited, WatchedPages,
    tournament::{PolicyOutcome, Tournament},
};

/// What is kept, and how often it is looked at.
#[derive(Clone, Debug)]
pub struct StatusConfig {
    pub source: SiteSource,
    pub policies: Vec<String>,
    /// Visits a day; a tenth of the pages if nothing is said.
    pub budget_per_day: Option<f64>,
    pub from: Option<Time>,
    pub to: Option<Time>,
    /// The length of a window of status, and of the time between two.
    pub every: Span,
    /// Whether servers keep to themselves when versions came to be.
    pub without_dates: bool,
    pub run_seed: u64,
}

/// Lets every policy keep the site, and looks at it at the end of every window.
pub fn run(config: &StatusConfig, progress: &dyn LabProgress) -> anyhow::Result<StatusResults> {
    let played = tournament::TournamentConfig {
        source: config.source.clone(),
        policies: config.policies.clone(),
        budget_per_day: config.budget_per_day,
        from: config.from,
        to: config.to,
        discovery: Discovery::Announced,
        sitemap: None,
        run_seed: config.run_seed,
        seeds: 1,
        visits: None,
        leave_out: false,
        rows: None,
        with_pictures: false,
    };
    let players = tournament::players(&config.policies)?;
    let mut site = config.source.open(tournament::ORIGIN)?;
    let game = tournament::game(&played, &site)?;
    let moments = moments(&game, config.every)?;
    let truth = tournament::truth(&site.history, site.contents.as_deref_mut(), &site.origin)?;
    progress.begin(players.len() as u64);
    let mut policies = Vec::new();
    for player in players {
        progress.now(player.name);
        let outcome = play(&mut site, &truth, &game, player.name, &moments)?;
        policies.push(PolicyWeeks { policy: player.name, weeks: weeks(&outcome, &truth, game.from, config) });
        progress.advance(1);
    }
    Ok(StatusResults { name: site.name, game, every: config.every, policies })
}

/// The ends of whole windows.
fn moments(game: &SimulationConfig, every: Span) -> anyhow::Result<Vec<Time>> {
    if every <= Span::ZERO || game.from + every > game.to {
        return Err(usage("no whole window fits in", "choose a shorter --every, or another --from and --to"));
    }
    Ok((1..).map(|nth| game.from + every * nth).take_while(|at| *at <= game.to).collect())
}

fn play(
    site: &mut OpenedSite,
    truth: &Truth,
    game: &SimulationConfig,
    policy: &str,
    moments: &[Time],
) -> anyhow::Result<PolicyOutcome> {
    let contents = site.contents.as_mut().map(|contents| contents.as_mut() as &mut dyn Contents);
    let mut tournament = Tournament::new(&site.history, truth, contents, &site.origin, game.clone());
    tournament.note_watched(moments.to_vec());
    tournament.play(policy, game.run_seed).with_context(|| format!("{policy} cannot play"))
}

/// Every window: what is stated at its end, and what is true.
fn weeks(outcome: &PolicyOutcome, truth: &Truth, from: Time, config: &StatusConfig) -> Vec<Week> {
    let visits = &outcome.played.visits;
    let seen: Vec<Seen> = held_at(truth, from).chain(outcome.played.seen()).collect();
    let week = |watched: &WatchedPages| {
        let (now, since) = (watched.at, watched.at - config.every);
        let stated = kept_site(visits, watched, truth, from, config.without_dates).quality(since, now);
        let score = judge(truth, since, now, &seen);
        let completeness = (score.versions > 0).then_some(score.completeness);
        let mean_age_hours = mean_copy_age_hours(truth, now, &seen);
        Week { at: now, stated, caught: score.seen, versions: score.versions, completeness, mean_age_hours }
    };
    outcome.played.watched.iter().map(week).collect()
}

/// What was there at the beginning is held.
fn held_at(truth: &Truth, from: Time) -> impl Iterator<Item = Seen> {
    let there = move |page: &usize| truth.alive(*page, from).is_some();
    (0..truth.pages()).filter(there).map(move |page| Seen { at: from, page: page as u32 })
}

/// The site as its archive knows it at a moment: what visits up to then found, and what is watched.
fn kept_site(visits: &[Visited], watched: &WatchedPages, truth: &Truth, from: Time, without_dates: bool) -> KeptSite {
    // The history's servers say when a version came to be, unless they are to keep it to themselves.
    let modified = |page: u32, at: Time| {
        let version = truth.alive(page as usize, at).filter(|_| !without_dates)?;
        Some(truth.versions()[version].from)
    };
    let kept_visit = |page: u32, at: Time, found: KeptFound| KeptVisit { at, found, modified: modified(page, at) };
    let mut pages: Vec<Vec<KeptVisit>> = vec![Vec::new(); truth.pages()];
    for Seen { at, page } in held_at(truth, from) {
        pages[page as usize].push(kept_visit(page, at, KeptFound::First));
    }
    for visit in visits.iter().take_while(|visit| visit.at <= watched.at) {
        let Some(page) = visit.page else { continue };
        let found = match visit.ended {
            VisitEnd::Gone => continue,
            VisitEnd::New if pages[page as usize].is_empty() => KeptFound::First,
            VisitEnd::New => KeptFound::New,
            VisitEnd::Same => KeptFound::Same,
        };
        pages[page as usize].push(kept_visit(page, visit.at, found));
    }
    let seen = (0..truth.pages() as u32).filter(|page| !pages[*page as usize].is_empty());
    let numbers: BTreeSet<u32> = seen.chain(watched.pages.keys().copied()).collect();
    let page = |number: u32| KeptPage {
        known: truth.page(number as usize).first().map_or(from, |version| version.from.max(from)),
        visits: std::mem::take(&mut pages[number as usize]),
        is_watched: watched.pages.contains_key(&number),
        heard_of: watched.pages.get(&number).map_or(0.0, |page| page.heard_of),
        foretold: watched.pages.get(&number).and_then(|page| page.foretold),
    };
    KeptSite::new(numbers.into_iter().map(page).collect()).with_tests(watched.tested.clone())
}
