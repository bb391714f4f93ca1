//! Lessons from one site: what was known of pages at moments of a game, and what a visit would have brought.
//!
//! They are made by the learners of the live crawler while policies of the live crawler play. Who plays is watched by a
//! policy that wraps it and remembers, at some choices, the clues of the page chosen and of one taken by lot.

use crate::{open::OpenedSite, tournament::truth};
use std::sync::{Arc, Mutex, PoisonError};
use tintype_learn::{
    changes::{ChangeClock, Changes},
    forecast::{Clues, Forecaster, Forest, Lessons},
    hint::Hints,
    learner::Learner,
};
use tintype_plan::{
    Dice,
    policy::{self, Choice, Policy, View},
};
use tintype_vocab::{Observation, PageId, Time};
use tintype_world::{
    Contents, Discovery, History, SimulationConfig,
    tournament::{Tournament, pages_in_window},
};

/// Who plays, nobody that was taught by other sites, and with which multiples of a budget that fits the site.
const PLAYERS: [&str; 3] = ["posterior", "uniform", "heritrix"];
const BUDGETS: [f64; 2] = [0.5, 2.0];
/// Lessons to be had of one game.
const LESSONS: f64 = 4_000.0;
/// One page never seen counts as much as so many of those that were, so that a site of many births teaches of visits, too.
const UNSEEN_WEIGHT: f32 = 0.5;

/// A moment of a game.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    url: String,
    now: Time,
    /// The latest visit, if there was one.
    last: Option<Time>,
    pub(super) clues: Clues,
    /// What the forecaster of the game said.
    pub(super) foretold: f64,
    pub(super) was_chosen: bool,
}

/// Somebody who plays, and is watched.
#[derive(Debug)]
pub(super) struct Watched {
    player: Box<dyn Policy>,
    forest: Arc<Forest>,
    known: Vec<PageId>,
    dice: Dice,
    /// Of a hundred thousand choices, those that are remembered.
    remembered: u64,
    moments: Arc<Mutex<Vec<Moment>>>,
}

impl Watched {
    pub(super) fn new(player: Box<dyn Policy>, forest: Arc<Forest>, share: f64) -> (Watched, Arc<Mutex<Vec<Moment>>>) {
        let moments = Arc::<Mutex<Vec<Moment>>>::default();
        let remembered = (100_000.0 * share.min(1.0)) as u64;
        let watched =
            Watched { player, forest, known: Vec::new(), dice: Dice::new(1, 0), remembered, moments: moments.clone() };
        (watched, moments)
    }

    fn remember(&self, page: PageId, was_chosen: bool, view: &View<'_>) {
        let knowledge = view.knowledge;
        let (Some(changes), Some(forecaster)) = (knowledge.changes(), knowledge.forecaster()) else { return };
        let (slot, url) = (knowledge.slot(page), view.pages.url(page));
        let last = changes.last(slot);
        let clues = match last {
            Some(_) => knowledge.clues(slot, view.now),
            None => knowledge.clues_unseen(slot, url, view.now),
        };
        let Some(clues) = clues else { return };
        let foretold = 1.0 / (1.0 + (-forecaster.log_odds(&clues)).exp());
        let moment = Moment { url: url.to_owned(), now: view.now, last, clues, foretold, was_chosen };
        self.moments.lock().unwrap_or_else(PoisonError::into_inner).push(moment);
    }
}

impl Policy for Watched {
    fn on_known(&mut self, page: PageId, view: &View<'_>) {
        self.known.push(page);
        self.player.on_known(page, view);
    }

    fn choose(&mut self, now: Time, view: &View<'_>) -> Choice {
        let choice = self.player.choose(now, view);
        let Choice::Visit(chosen) = choice else { return choice };
        if self.dice.next_u64() % 100_000 < self.remembered {
            self.remember(chosen, true, view);
            let other = self.known[(self.dice.next_u64() % self.known.len() as u64) as usize];
            self.remember(other, false, view);
        }
        choice
    }

    fn learns(&self) -> Vec<Box<dyn Learner>> {
        let mut learners = self.player.learns();
        let ours: [Box<dyn Learner>; 3] = [
            Box::new(Changes::new(ChangeClock::Site)),
            Box::<Hints>::default(),
            Box::new(Forecaster::new(self.forest.clone())),
        ];
        for learner in ours {
            learners.retain(|other| other.name() != learner.name());
            learners.push(learner);
        }
        learners
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        self.player.on_observation(page, observation, view);
    }
}

/// A site set up to be watched.
pub(super) struct Surveyed<'a> {
    history: &'a History,
    origin: &'a str,
    pub(super) tournament: Tournament<'a>,
    pub(super) per_day: f64,
    days: f64,
}

/// Visits a day that fit a site: the middle, by multiplication, between a tenth of its pages and its versions in a day.
fn fitting(site: &OpenedSite, days: f64) -> f64 {
    let events = site.history.events().iter().filter(|event| (site.from..site.to).contains(&event.at)).count();
    let pages = pages_in_window(&site.history, site.from, site.to) as f64;
    (0.1 * pages.max(10.0) * (events as f64 / days).max(0.1)).sqrt()
}

/// Lets `work` watch games on a site.
pub(super) fn surveyed<T>(
    site: &mut OpenedSite,
    work: impl FnOnce(&mut Surveyed<'_>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let truth = truth(&site.history, site.contents.as_deref_mut(), &site.origin)?;
    let days = (site.to - site.from).as_days_f64().max(1e-3);
    let per_day = fitting(site, days);
    let game = SimulationConfig {
        from: site.from,
        to: site.to,
        per_day,
        discovery: Discovery::Announced,
        run_seed: 1,
        sitemap: None,
    };
    let contents = site.contents.as_mut().map(|contents| contents.as_mut() as &mut dyn Contents);
    let tournament = Tournament::new(&site.history, &truth, contents, &site.origin, game);
    work(&mut Surveyed { history: &site.history, origin: &site.origin, tournament, per_day, days })
}

impl Surveyed<'_> {
    /// Moments of a game, with whether a visit would have brought a new version.
    pub(super) fn watch(
        &mut self,
        player: Box<dyn Policy>,
        forest: &Arc<Forest>,
        per_day: f64,
    ) -> anyhow::Result<Vec<(Moment, bool)>> {
        let share = LESSONS / 2.0 / (per_day * self.days).max(1.0);
        let (watched, moments) = Watched::new(player, forest.clone(), share);
        self.tournament.spend(per_day);
        self.tournament.play_with(Box::new(watched), 1)?;
        let moments = std::mem::take(&mut *moments.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(moments
            .into_iter()
            .filter_map(|moment| Some((self.outcome(&moment)?, moment)))
            .map(|(new, moment)| (moment, new))
            .collect())
    }

    /// Whether a version was there that was not held; nothing of a page the history does not know.
    fn outcome(&self, moment: &Moment) -> Option<bool> {
        let page = self.history.find(moment.url.strip_prefix(self.origin.trim_end_matches('/'))?)?;
        let digest = |row: u32| self.history.events()[row as usize].digest;
        let there = self.history.alive(page, moment.now).map(digest);
        let held = moment.last.and_then(|last| self.history.alive(page, last)).map(digest);
        Some(there.is_some() && there != held)
    }

    /// All that the site teaches, weighing 1 in all.
    pub(super) fn lessons(&mut self) -> anyhow::Result<Lessons> {
        let (mut lessons, blank) = (Lessons::default(), Arc::new(Forest::default()));
        for player in PLAYERS {
            for times in BUDGETS {
                let player = policy::make(player).expect("players are registered");
                for (moment, new) in self.watch(player, &blank, times * self.per_day)? {
                    let weight = if moment.last.is_none() { UNSEEN_WEIGHT } else { 1.0 };
                    lessons.push(moment.clues.values, new, weight);
                }
            }
        }
        Ok(lessons)
    }
}
