//! Every request goes where it most probably brings a version that is worth having.
//!
//! The chance that a page has one is foretold from all that is known of it and around it ([`Forecaster`]), by what other
//! sites have taught and this one corrects. Between two forecasts it grows with time as the page's own past lets expect:
//! what is kept of a forecast is how far it is off that. Forecasts are made anew of the page visited, of those that the
//! visit says something of, of some others in turn, and of whatever is about to be chosen. Copies that grow old are worth
//! more, by as much as keeps them younger than visits in turn would ([`AgePrice`]). A page never seen is worth the chance
//! that it is there.

use super::{
    age_price::AgePrice,
    hub::{Hubs, Telling},
    newcomers::Newcomers,
    ripening::{Ripening, TURN},
    view::{Choice, Policy, View},
    visit_pace::VisitPace,
};
use crate::PageState;
use std::sync::Arc;
use tintype_learn::{
    changes::{ChangeClock, Changes, Elapsed},
    forecast::{Forecaster, Forest},
    hint::Hints,
    lastmod::Lastmods,
    learner::{Learner, PageSlot, speaks_of_page},
};
use tintype_vocab::{Change, LinkKind, Observation, PageId, Span, Time};

/// Nothing is believed about changes within a minute: a day's budget that is spent at once goes round.
const REST: Span = Span::from_secs(60);
/// Forecasts made anew in turn at every choice, and of the best before one of them stays the best.
const IN_TURN: usize = 3;
const TRIES: usize = 6;
/// A forecast that rises by less leaves its page where it sleeps.
const RISE_MIN: f32 = 0.05;
/// Changes to be expected when a page is likely to be looked at next: the moment for which its forecast is made.
const LOOKED_AT_AGAIN: f64 = 0.35;

#[derive(Debug, Default)]
pub(super) struct Forecasting {
    /// Another than the one that ships.
    forest: Option<Arc<Forest>>,
    newcomers: Newcomers,
    ripening: Ripening,
    age_price: AgePrice,
    hubs: Hubs,
    pace: VisitPace,
    /// By page: how far the latest forecast, as log-odds, is off the page's own past.
    off: Vec<f32>,
    /// Whose forecast was made anew last in turn.
    turn: u32,
}

/// What visits are worth now.
struct Worth<'a> {
    view: &'a View<'a>,
    changes: &'a Changes,
    hints: &'a Hints,
    forecaster: &'a Forecaster,
    /// Where a sitemap was read.
    lastmods: Option<&'a Lastmods>,
    off: &'a [f32],
    /// Days that one round over all pages takes.
    round_days: f64,
    age_price: f64,
}

fn log_odds(expected: f64) -> f64 {
    // ln(p / (1 − p)) with p = 1 − e^−y is ln(e^y − 1).
    expected.clamp(1e-7, 30.0).exp_m1().ln()
}

fn chance(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

impl<'a> Worth<'a> {
    fn new(view: &'a View<'a>, off: &'a [f32], round_days: f64, age_price: f64) -> Option<Worth<'a>> {
        let knowledge = view.knowledge;
        let (changes, hints, forecaster) = (knowledge.changes()?, knowledge.hints()?, knowledge.forecaster()?);
        let lastmods = knowledge.lastmods().filter(|lastmods| !lastmods.is_empty());
        Some(Worth { view, changes, hints, forecaster, lastmods, off, round_days, age_price })
    }

    /// Changes to be expected by the page's own past and what listings kept silent about.
    fn expected(&self, page: PageSlot, last: Time, at: Time) -> f64 {
        let (silence, habit) = (self.view.knowledge.silence(page, last), self.hints.habit(page));
        self.changes.changes_in(page, &Elapsed { last, at, silence, habit })
    }

    /// The chance of a new version, the latest forecast carried on to a moment.
    fn chance_at(&self, page: PageId, slot: PageSlot, last: Time, at: Time) -> f64 {
        let off = self.off.get(page.index()).copied().unwrap_or(0.0);
        let told = self.lastmods.map_or(0.0, |lastmods| lastmods.strength(slot));
        let own = chance(log_odds(self.expected(slot, last, at)) + f64::from(off));
        1.0 - (1.0 - own) * (-told).exp()
    }

    fn index(&self, page: PageId, at: Time) -> f64 {
        let slot = self.view.knowledge.slot(page);
        let last = self.changes.last(slot).unwrap_or(at);
        let rested = ((at - last).as_secs_f64() / REST.as_secs_f64()).min(1.0);
        let worth = self.changes.telling(slot) * self.chance_at(page, slot, last, at) * rested;
        // A copy does not grow old while a sitemap says that it is right.
        let silence = self.lastmods.and_then(|lastmods| lastmods.silence(slot, last));
        let fresh = silence.map_or(0.0, |silence| silence.shown * (silence.until - silence.from).as_days_f64());
        let days = ((at - last).as_days_f64() - fresh).max(0.0);
        worth * (1.0 + self.age_price * days / self.round_days)
    }

    /// How far a forecast made now is off the page's own past, at the moment it is likely to be looked at next.
    fn foretell(&self, page: PageId) -> Option<f32> {
        let slot = self.view.knowledge.slot(page);
        let last = self.changes.last(slot)?;
        let days = LOOKED_AT_AGAIN / self.changes.mean_per_day(slot).max(1e-6);
        let later = last + Span::from_millis((days.min(self.round_days / 2.0) * 86_400_000.0) as i64);
        let at = self.view.now.max(later);
        let clues = self.view.knowledge.clues(slot, at)?;
        Some((self.forecaster.log_odds(&clues) - log_odds(self.expected(slot, last, at))) as f32)
    }

    /// The chance that a page never seen is there.
    fn unseen(&self, page: PageId) -> f64 {
        let (slot, url) = (self.view.knowledge.slot(page), self.view.pages.url(page));
        let clues = self.view.knowledge.clues_unseen(slot, url, self.view.now);
        clues.map_or(1.0, |clues| chance(self.forecaster.log_odds(&clues)))
    }
}

impl Telling for Worth<'_> {
    fn per_day(&self, page: PageId) -> f64 {
        self.changes.mean_per_day(self.view.knowledge.slot(page))
    }

    fn chance(&self, page: PageId) -> f64 {
        let (slot, now) = (self.view.knowledge.slot(page), self.view.now);
        if self.lastmods.is_some_and(|lastmods| lastmods.is_told(slot)) {
            return 0.0;
        }
        let last = self.changes.last(slot).unwrap_or(now);
        1.0 - (-self.expected(slot, last, now)).exp()
    }

    fn is_right(&self) -> f64 {
        self.lastmods.map_or(1.0, Lastmods::may_be_right)
    }
}

impl Forecasting {
    /// With what other sites have taught than those that ship.
    pub(super) fn taught_by(forest: Arc<Forest>) -> Forecasting {
        Forecasting { forest: Some(forest), ..Forecasting::default() }
    }

    fn worth_now<'a>(&'a self, view: &'a View<'a>) -> Option<Worth<'a>> {
        Worth::new(view, &self.off, self.round_days(), self.age_price.get())
    }

    /// Days that one round over all pages takes.
    fn round_days(&self) -> f64 {
        (self.ripening.len() as f64 * self.pace.days()).max(1e-6)
    }

    /// Makes the forecast of a page anew.
    fn foretell(&mut self, page: PageId, view: &View<'_>) {
        let Some(off) = self.worth_now(view).and_then(|worth| worth.foretell(page)) else { return };
        if self.off.len() <= page.index() {
            self.off.resize(page.index() + 1, 0.0);
        }
        let before = std::mem::replace(&mut self.off[page.index()], off);
        if off > before + RISE_MIN && self.ripening.contains(page) {
            self.ripening.put(page);
        }
    }

    fn foretell_in_turn(&mut self, view: &View<'_>) {
        for _ in 0..IN_TURN {
            match self.ripening.after(self.turn) {
                Some(page) => {
                    self.turn = page.0;
                    self.foretell(page, view);
                }
                // Most pages are out: on from there.
                None => self.turn = self.turn.wrapping_add(TURN as u32),
            }
        }
    }

    fn pick(&mut self, now: Time, view: &View<'_>) -> Option<PageId> {
        let worth = Worth::new(view, &self.off, self.round_days(), self.age_price.get())?;
        self.ripening.pick(now, |page, at| worth.index(page, at))
    }

    /// The best page, by a forecast made now, and what it is worth. It leaves.
    fn best(&mut self, now: Time, view: &View<'_>) -> Option<(f64, PageId)> {
        let mut best: Option<(f64, PageId)> = None;
        for _ in 0..TRIES {
            let Some(page) = self.pick(now, view) else { break };
            self.foretell(page, view);
            let worth = self.worth_now(view)?;
            let this = worth.index(page, now);
            let next = self.ripening.bid(now, |page, at| worth.index(page, at));
            if best.is_none_or(|(most, _)| this > most) {
                best.replace((this, page)).into_iter().for_each(|(_, other)| self.ripening.put(other));
            } else {
                self.ripening.put(page);
            }
            if best.is_some_and(|(most, _)| most >= next) {
                break;
            }
        }
        best
    }

    /// A hub that is worth more than this, if there is one.
    fn hub_instead_of(&mut self, worth_of_page: f64, now: Time, view: &View<'_>) -> Option<PageId> {
        if self.hubs.is_empty() {
            return None;
        }
        let worth = Worth::new(view, &self.off, self.round_days(), self.age_price.get())?;
        self.hubs.sort(self.ripening.pages(), &worth);
        self.hubs.better_than(worth_of_page.min(1.0), now, &worth)
    }

    /// Keeps account of how old the copy had grown.
    fn mind_age(&mut self, observation: &Observation, page: PageId, view: &View<'_>) {
        let round_days = self.round_days();
        if let (Some(last), Change::New { .. }) = (view.learned.last, observation.change) {
            self.age_price.found(page, last, view.learned.modified, observation.answered, round_days);
        }
        self.age_price.visited(self.ripening.len());
    }

    fn learn(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        if !speaks_of_page(observation) {
            self.hubs.take_out(page);
            return self.ripening.take_out(page);
        }
        if view.pages.get(page).state != PageState::Waiting {
            return;
        }
        let is_hub = view.pages.get(page).kind == LinkKind::Sitemap;
        if is_hub {
            self.ripening.take_out(page);
            self.hubs.read(page, observation.answered, view.learned.hinted.len());
        } else {
            self.mind_age(observation, page, view);
        }
        if view.learned.moved_all {
            self.ripening.shake();
        }
        for hinted in &view.learned.hinted {
            if self.ripening.contains(*hinted) {
                self.foretell(*hinted, view);
                self.ripening.put(*hinted);
            }
        }
        if !is_hub {
            self.foretell(page, view);
            self.ripening.put(page);
        }
    }
}

impl Policy for Forecasting {
    saves!(newcomers, ripening, age_price, hubs, pace, off, turn);

    fn learns(&self) -> Vec<Box<dyn Learner>> {
        let forecaster = self.forest.clone().map_or_else(Forecaster::default, Forecaster::new);
        let changes = Changes::new(ChangeClock::Site);
        vec![Box::new(changes), Box::<Hints>::default(), Box::<Lastmods>::default(), Box::new(forecaster)]
    }

    fn on_known(&mut self, page: PageId, _view: &View<'_>) {
        self.newcomers.push(page);
        self.hubs.count_birth();
    }

    fn choose(&mut self, now: Time, view: &View<'_>) -> Choice {
        self.pace.choose(now);
        self.hubs.forget_births();
        self.foretell_in_turn(view);
        let best = self.best(now, view);
        let ripening = &self.ripening;
        let worth = Worth::new(view, &self.off, self.round_days(), self.age_price.get());
        let unseen = |page| worth.as_ref().map_or(1.0, |worth| worth.unseen(page));
        let is_seen = |page| ripening.contains(page) || best.is_some_and(|(_, best)| best == page);
        let newcomer = self.newcomers.best(view, is_seen, unseen);
        if let Some((_, page)) = newcomer.filter(|(unseen, _)| best.is_none_or(|(worth, _)| *unseen >= worth)) {
            self.newcomers.take_out(page);
            best.into_iter().for_each(|(_, best)| self.ripening.put(best));
            return Choice::Visit(page);
        }
        let Some((worth, page)) = best else { return Choice::Done };
        match self.hub_instead_of(worth, now, view) {
            Some(hub) => {
                self.ripening.put(page);
                Choice::Visit(hub)
            }
            None => Choice::Visit(page),
        }
    }

    /// A page that was never seen is a version for certain.
    fn bid(&self, view: &View<'_>) -> Option<f64> {
        if self.newcomers.has_unseen(|page| self.ripening.contains(page)) {
            return Some(1.0);
        }
        let worth = self.worth_now(view)?;
        let page = self.ripening.bid(view.now, |page, at| worth.index(page, at));
        Some(page.max(self.hubs.bid(view.now, &worth)))
    }

    fn worth(&self, page: PageId, at: Time, view: &View<'_>) -> Option<f64> {
        let worth = self.worth_now(view)?;
        self.ripening.contains(page).then(|| worth.index(page, at))
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        if self.pace.is_recalling() {
            self.pace.recall(observation.asked);
        }
        self.learn(page, observation, view);
        self.hubs.forget_births();
    }
}
