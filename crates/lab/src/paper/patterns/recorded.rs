//! Figure 14: recorded sites, as published with so many in a hundred pages an hour after a time in which everybody has learned
//! their patterns; and with five to twenty-five in a hundred pages a day and nothing known before, which is what archives do.

use super::{
    BASELINES, DAYS, LIVE_VALUE, OTHERS, OURS, OWN,
    play::{Kept, PERIOD, best},
    strategies,
    sweep::{self, Sweep},
};
use crate::{
    LabProgress,
    open::{OpenedSite, SiteSource},
    paper::PaperConfig,
    paper::part::{Claim, Part},
    parallel::side_by_side,
    tournament,
};
use anyhow::Context;
use std::path::Path;
use tintype_picture::{Axis, Lines};
use tintype_plan::policy::{ALIASES, PolicyKind, REGISTRY, RegisteredPolicy};
use tintype_quality::Truth;
use tintype_vocab::{Span, Time};
use tintype_world::{
    Contents, Discovery, EventKind, History, SimulationConfig, WarmUp,
    tournament::{Tournament, pages_in_window},
};

/// Shares of the pages visited a day: real sites move less than the paper's simulation.
pub(super) const SHARES: [f64; 3] = [0.05, 0.1, 0.25];
/// Runs of those who roll dice.
const RUNS: u64 = 3;

/// A recorded site that everybody has played on.
pub(super) struct Recorded {
    pub(super) name: String,
    pages: usize,
    pub(super) sweep: Sweep,
    hourly: Hourly,
}

/// The same site as the paper plays it.
struct Hourly {
    days: f64,
    pages: usize,
    sweep: Sweep,
}

pub(super) fn parts(config: &PaperConfig, progress: &dyn LabProgress) -> anyhow::Result<(Vec<Part>, Vec<Recorded>)> {
    if config.histories.is_empty() {
        return Ok((vec![skipped()], Vec::new()));
    }
    progress.now("Figure 14");
    let days = f64::from(config.days.unwrap_or(DAYS));
    let play = |nth: u64| Recorded::play(&config.histories[nth as usize], config.run_seed, days);
    let played = side_by_side(config.histories.len() as u64, play)?;
    Ok((played.iter().flat_map(|recorded| [recorded.hourly.part(&recorded.name), recorded.part()]).collect(), played))
}

fn skipped() -> Part {
    Part {
        name: "figure-14".to_owned(),
        title: "Figure 14: recorded sites".to_owned(),
        text: "Skipped: no --history was given.".to_owned(),
        table: None,
        picture: None,
        claims: Vec::new(),
    }
}

/// Everybody who needs no more than the site shows.
fn players() -> impl Iterator<Item = &'static RegisteredPolicy> {
    REGISTRY.iter().filter(|policy| policy.kind == PolicyKind::Continual)
}

fn name_in_paper(player: &RegisteredPolicy) -> &'static str {
    ALIASES.iter().find(|(_, name)| *name == player.name).map_or(player.name, |(alias, _)| alias)
}

impl Recorded {
    fn play(directory: &Path, run_seed: u64, days: f64) -> anyhow::Result<Recorded> {
        let mut site = SiteSource::recorded(directory, None).open("http://history.invalid")?;
        let truth = tournament::truth(&site.history, site.contents.as_deref_mut(), &site.origin)?;
        let pages = pages_in_window(&site.history, site.from, site.to);
        let at = SHARES.into_iter().map(|share| {
            let per_day = (share * pages as f64).max(1.0);
            let game = SimulationConfig {
                from: site.from,
                to: site.to,
                per_day,
                discovery: Discovery::Announced,
                run_seed,
                sitemap: None,
            };
            Ok((share, kept(&mut site, &truth, &game)?))
        });
        let at = at.collect::<anyhow::Result<_>>()?;
        let names = players().map(|player| name_in_paper(player).to_owned()).collect();
        let hourly = Hourly::play(&mut site, &truth, days, run_seed)?;
        Ok(Recorded { name: site.name, pages, sweep: Sweep { names, at }, hourly })
    }

    fn part(&self) -> Part {
        let shown = [&OWN[..1], &OTHERS, &BASELINES, &[LIVE_VALUE, OURS]].concat();
        let chart = Lines {
            title: format!("Weighted completeness: {}", self.name),
            caption: format!("{} pages; the table has all policies.", self.pages),
            x: Axis::linear("Visits a day", "per cent of the pages"),
            y: Axis::linear("Weighted completeness", "share of the best possible"),
            series: self.sweep.only(&shown).series(|share| share * 100.0),
        };
        Part {
            name: format!("figure-14-{}-by-day", self.name),
            title: format!("Beside Figure 14: the recorded site {}, by the day", self.name),
            text: format!(
                "{} pages. Weighted completeness ÷ that of the best schedule with the same visits, spread evenly over \
                 the day; a version weighs as much as its change is important. Nothing is known before the first visit.",
                self.pages
            ),
            table: Some(self.sweep.table("policy", |share| format!("{:.0} % a day", share * 100.0))),
            picture: Some(chart.draw()),
            claims: self.claims(),
        }
    }

    fn claims(&self) -> Vec<Claim> {
        let others = self.sweep.only(&OTHERS);
        let own = |at: usize| self.sweep.of_best(at, OWN[0]);
        let best = |at: usize| others.best_other(at);
        let all: Vec<usize> = (0..SHARES.len()).collect();
        let words = |at: &usize| {
            let (name, value) = best(*at);
            format!("{:.0} %: {:.3}, {name} {value:.3}", 100.0 * SHARES[*at], own(*at))
        };
        vec![Claim::new(
            "Importance-Pattern keeps at least 20 % more than Relevance, Frequency, Coherence and SHARC",
            all.iter().all(|at| own(*at) >= 1.2 * best(*at).1),
            all.iter().map(words).collect::<Vec<_>>().join("; "),
        )]
    }
}

impl Hourly {
    /// On the days with most changes, after as many in which everybody visits every page once an hour.
    fn play(site: &mut OpenedSite, truth: &Truth, days: f64, run_seed: u64) -> anyhow::Result<Hourly> {
        let days = days.min((site.to - site.from).as_days_f64() / 2.0);
        let length = Span::from_secs((days * 86_400.0) as i64);
        let to = busiest(&site.history, (site.from + length, site.to), length);
        let from = to - length;
        let pages = pages_in_window(&site.history, from, to);
        let truth = truth.page_by_page(from, to, |_| 1.0);
        let game = |share: f64| SimulationConfig {
            from,
            to,
            per_day: (share * pages as f64 * 24.0).max(1.0),
            discovery: Discovery::Announced,
            run_seed,
            sitemap: None,
        };
        let games = strategies::SHARES.map(|share| (share, game(share)));
        let names = [&OWN[..], &OTHERS, &BASELINES, &[LIVE_VALUE, OURS]].concat();
        let players = sweep::players(&names);
        let contents = site.contents.as_mut().map(|contents| contents.as_mut() as &mut dyn Contents);
        let mut tournament = Tournament::new(&site.history, &truth, contents, &site.origin, games[0].1.clone());
        // Once an hour, at its very end: whatever happened in it is seen in it.
        tournament.rehearse(Some(WarmUp { since: from - length + PERIOD - Span::from_secs(1), every: PERIOD }));
        let mut at = Vec::new();
        for (share, game) in games {
            tournament.spend(game.per_day);
            let best = best(&truth, &game);
            let mut kept = Vec::new();
            for player in &players {
                let played = tournament.play_with((player.make)(), run_seed);
                let score = played.with_context(|| format!("{} cannot play", player.name))?.score;
                kept.push(vec![Kept { share: score.weighted_completeness, best }]);
            }
            at.push((share, kept));
        }
        let names = players.into_iter().map(|player| player.name).collect();
        Ok(Hourly { days, pages, sweep: Sweep { names, at } })
    }

    fn part(&self, name: &str) -> Part {
        let chart = Lines {
            title: format!("Completeness by Definition 4: {name}"),
            caption: format!(
                "{} pages, {:.1} days, after as many in which patterns were learned.",
                self.pages, self.days
            ),
            x: Axis::linear("Visits an hour", "per cent of the pages"),
            y: Axis::linear("Weighted completeness", "share of the best possible").including(0.0, 1.0),
            series: self.sweep.series(|share| share * 100.0),
        };
        Part {
            name: format!("figure-14-{name}"),
            title: format!("Figure 14: the recorded site {name}"),
            text: format!(
                "{} pages, the {:.1} days with most changes. Completeness by Definition 4, every page by its own changes weighed by their importance, ÷ \
                 that of the best schedule with the same visits. Before the game every page was visited once an hour for \
                 as long, by everybody. One run.",
                self.pages, self.days
            ),
            table: Some(self.sweep.table("policy", |share| format!("M = {:.0} %", share * 100.0))),
            picture: Some(chart.draw()),
            claims: vec![self.claim()],
        }
    }

    fn claim(&self) -> Claim {
        let others = self.sweep.only(&OTHERS);
        let own = |at: usize| self.sweep.of_best(at, OWN[0]);
        let all = 0..strategies::SHARES.len();
        let words = |at: usize| {
            let (name, value) = others.best_other(at);
            format!("M = {:.0} %: {:.3}, {name} {value:.3}", 100.0 * strategies::SHARES[at], own(at))
        };
        Claim::new(
            "Importance-Pattern keeps at least 20 % more than Relevance, Frequency, Coherence and SHARC",
            all.clone().all(|at| own(at) >= 1.2 * others.best_other(at).1),
            all.map(words).collect::<Vec<_>>().join("; "),
        )
    }
}

/// Where the stretch of that length with most changes ends, within these bounds; the last of several.
fn busiest(history: &History, (from, to): (Time, Time), length: Span) -> Time {
    let is_change = |at: &Time| (from..to).contains(at);
    let changes = history.events().iter().filter(|event| event.kind == EventKind::Modified).map(|event| event.at);
    let changes: Vec<Time> = changes.filter(is_change).collect();
    let count = |first: usize| {
        let end = changes[first] + length;
        let last = changes.partition_point(|at| *at < end);
        (end <= to).then_some((last - first, first))
    };
    let most = (0..changes.len()).filter_map(count).max();
    most.map_or(to, |(_, first)| changes[first] + length)
}

/// What everybody keeps with one budget, in every run.
fn kept(site: &mut OpenedSite, truth: &Truth, game: &SimulationConfig) -> anyhow::Result<Vec<Vec<Kept>>> {
    let best = best(truth, game);
    let contents = site.contents.as_mut().map(|contents| contents.as_mut() as &mut dyn Contents);
    let mut tournament = Tournament::new(&site.history, truth, contents, &site.origin, game.clone());
    let runs = |player: &RegisteredPolicy| {
        let runs = if player.rolls_dice { RUNS } else { 1 };
        let play = |run: u64| {
            let outcome = tournament.play(player.name, game.run_seed.wrapping_add(run));
            let score = outcome.with_context(|| format!("{} cannot play", player.name))?.score;
            Ok(Kept { share: score.weighted_completeness, best })
        };
        (0..runs).map(play).collect()
    };
    players().map(runs).collect()
}
