//! Every request goes where it most probably brings a version that is worth having.
//!
//! The chance that a page has one is foretold from all that is known of it and around it ([`Forecaster`]), by what other
//! sites have taught and this one corrects. Between two forecasts it grows with time as the page's own past lets expect:
//! what is kept of a forecast is how far it is off that. Forecasts are made anew of the page visited, of those that the
//! visit says something of, of some others in turn, and of whatever is about to be chosen. Copies that grow old are worth
//! more, by as much as keeps them younger than visits in turn would ([`AgeBalance`]). A page never seen is worth the chance
//! that it is there.

use super::{
    age_balance::AgeBalance,
    hub::Telling,
    ripening::TURN,
    view::{Choice, Policy, View},
    watching::{Past, Watching, rested},
};
use std::sync::Arc;
use tintype_learn::{
    changes::{ChangeClock, Changes},
    forecast::{Forecaster, Forest},
    hint::Hints,
    lastmod::Lastmods,
    learner::{Learner, PageSlot},
};
use tintype_vocab::{Observation, PageId, Span, Time};

/// Forecasts made anew in turn at every choice, and of the best before one of them stays the best.
const IN_TURN: usize = 10;
const TRIES: usize = 20;
/// A forecast that rises by less leaves its page where it sleeps.
const RISE_MIN: f32 = 0.05;

#[derive(Debug, Default)]
pub(super) struct Tintype {
    /// Another than the one that ships.
    forest: Option<Arc<Forest>>,
    watching: Watching,
    ages: AgeBalance,
    /// By page: how far the latest forecast, as log-odds, is off the page's own past.
    off: Vec<f32>,
    /// Whose forecast was made anew last in turn.
    turn: u32,
}

/// What visits are worth now.
struct Worth<'a> {
    past: Past<'a>,
    forecaster: &'a Forecaster,
    off: &'a [f32],
    /// Days that one round over all pages takes.
    round_days: f64,
    /// Until the next request.
    request_gap: Span,
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
    fn new(view: &'a View<'a>, off: &'a [f32], watching: &Watching, age_price: f64) -> Option<Worth<'a>> {
        let (past, forecaster) = (Past::new(view)?, view.knowledge.forecaster()?);
        let (round_days, request_gap) = (watching.round_days(), watching.request_gap());
        Some(Worth { past, forecaster, off, round_days, request_gap, age_price })
    }

    fn slot(&self, page: PageId) -> PageSlot {
        self.past.view.knowledge.slot(page)
    }

    /// The chance of a new version: the latest forecast carried on to a moment.
    fn chance_at(&self, page: PageId, slot: PageSlot, last: Time, at: Time) -> f64 {
        let off = self.off.get(page.index()).copied().unwrap_or(0.0);
        let (expected, told) = (self.past.expected_unheard(slot, last, at), self.past.told(slot));
        let stays = 1.0 - chance(log_odds(expected) + f64::from(off));
        // Most sites have no sitemap, and this is reckoned hundreds of times for a decision.
        let share = self.past.untold_share(slot, last, at);
        let stays = if share == 1.0 { stays } else { stays.powf(share) };
        1.0 - if told == 0.0 { stays } else { stays * (-told).exp() }
    }

    /// The chance that a visit brings a version that says something.
    fn chance(&self, page: PageId, at: Time) -> f64 {
        let slot = self.slot(page);
        let last = self.past.changes.last(slot).unwrap_or(at);
        self.past.changes.telling(slot) * self.chance_at(page, slot, last, at)
    }

    fn index(&self, page: PageId, at: Time) -> f64 {
        let slot = self.slot(page);
        let last = self.past.changes.last(slot).unwrap_or(at);
        let chance = self.chance_at(page, slot, last, at);
        let days = ((at - last).as_days_f64() - self.past.fresh_days(slot, last)).max(0.0);
        let age = self.age_price * days / self.round_days;
        self.past.changes.telling(slot) * chance * (1.0 + age) * rested(last, at) * self.haste(slot, last, at)
    }

    /// Of pages that a sitemap sends to, those come first whose version may soon be covered by the next.
    fn haste(&self, slot: PageSlot, last: Time, at: Time) -> f64 {
        let told = self.past.told(slot);
        if told == 0.0 {
            return 1.0;
        }
        let expected = |at: Time| self.past.expected_unheard(slot, last, at);
        let soon = 1.0 - (expected(at) - expected(at + self.request_gap)).exp();
        1.0 + (1.0 - (-told).exp()) * soon.clamp(0.0, 1.0)
    }

    /// How far a forecast made now is off the page's own past.
    fn foretell(&self, page: PageId) -> Option<f32> {
        let (slot, now) = (self.slot(page), self.past.view.now);
        let last = self.past.changes.last(slot)?;
        let clues = self.past.view.knowledge.clues(slot, now)?;
        let odds = self.forecaster.hopeful_log_odds(slot, &clues, now);
        Some((odds - log_odds(self.past.expected_unheard(slot, last, now))) as f32)
    }

    /// The chance that a page never seen is there.
    fn unseen(&self, page: PageId) -> f64 {
        let Past { view, .. } = self.past;
        let clues = view.knowledge.clues_unseen(self.slot(page), view.pages.url(page), view.now);
        let there = clues.map_or(1.0, |clues| self.forecaster.chance_there(&clues));
        let days = (view.now - view.knowledge.known_since(self.slot(page))).as_days_f64();
        there * (1.0 + self.age_price * days.max(0.0) / self.round_days)
    }
}

impl Telling for Worth<'_> {
    fn per_day(&self, page: PageId) -> f64 {
        self.past.per_day(page)
    }

    fn chance(&self, page: PageId) -> f64 {
        let (slot, now) = (self.slot(page), self.past.view.now);
        let Some(last) = self.past.changes.last(slot).filter(|_| self.past.told(slot) == 0.0) else { return 0.0 };
        self.chance_at(page, slot, last, now)
    }

    fn days(&self, from: Time, to: Time) -> f64 {
        self.past.days(from, to)
    }

    fn is_right(&self) -> f64 {
        self.past.is_right()
    }
}

impl Tintype {
    /// With what other sites have taught than those that ship.
    pub(super) fn taught_by(forest: Arc<Forest>) -> Tintype {
        Tintype { forest: Some(forest), ..Tintype::default() }
    }

    fn worth_now<'a>(&'a self, view: &'a View<'a>) -> Option<Worth<'a>> {
        Worth::new(view, &self.off, &self.watching, self.ages.get())
    }

    /// Makes the forecast of a page anew.
    fn foretell(&mut self, page: PageId, view: &View<'_>) {
        let Some(off) = self.worth_now(view).and_then(|worth| worth.foretell(page)) else { return };
        if self.off.len() <= page.index() {
            self.off.resize(page.index() + 1, 0.0);
        }
        let before = std::mem::replace(&mut self.off[page.index()], off);
        if off > before + RISE_MIN && self.watching.ripening.contains(page) {
            self.watching.ripening.put(page);
        }
    }

    /// Makes some forecasts anew, and looks how old those copies have grown.
    fn foretell_in_turn(&mut self, now: Time, view: &View<'_>) {
        for _ in 0..IN_TURN {
            match self.watching.ripening.after(self.turn) {
                Some(page) => {
                    self.turn = page.0;
                    self.foretell(page, view);
                    self.mind_age(page, now, view);
                }
                // Most pages are out: on from there.
                None => self.turn = self.turn.wrapping_add(TURN as u32),
            }
        }
    }

    fn mind_age(&mut self, page: PageId, now: Time, view: &View<'_>) {
        let Some(worth) = self.worth_now(view) else { return };
        let (slot, round) = (worth.slot(page), worth.round_days);
        let Some(last) = worth.past.changes.last(slot) else { return };
        let days = ((now - last).as_days_f64() - worth.past.fresh_days(slot, last)).max(0.0);
        let per_round = worth.past.changes.mean_per_day(slot) * round;
        let chance = worth.chance_at(page, slot, last, now);
        self.ages.look(days / round, chance, per_round, self.watching.ripening.len());
    }

    /// The best page, by a forecast made now, and what it is worth. It leaves.
    fn best(&mut self, now: Time, view: &View<'_>) -> Option<(f64, PageId)> {
        let mut best: Option<(f64, PageId)> = None;
        for _ in 0..TRIES {
            let worth = Worth::new(view, &self.off, &self.watching, self.ages.get())?;
            let Some(page) = self.watching.ripening.pick(now, |page, at| worth.index(page, at)) else { break };
            self.foretell(page, view);
            let worth = self.worth_now(view)?;
            let this = worth.index(page, now);
            let next = self.watching.ripening.bid(now, |page, at| worth.index(page, at));
            if best.is_none_or(|(most, _)| this > most) {
                best.replace((this, page)).into_iter().for_each(|(_, other)| self.watching.ripening.put(other));
            } else {
                self.watching.ripening.put(page);
            }
            if best.is_some_and(|(most, _)| most >= next) {
                break;
            }
        }
        best
    }
}

impl Policy for Tintype {
    saves!(watching, ages, off, turn);

    fn learns(&self) -> Vec<Box<dyn Learner>> {
        let forecaster = self.forest.clone().map_or_else(Forecaster::default, Forecaster::new);
        let changes = Changes::new(ChangeClock::Site);
        vec![Box::new(changes), Box::<Hints>::default(), Box::<Lastmods>::default(), Box::new(forecaster)]
    }

    fn on_known(&mut self, page: PageId, _view: &View<'_>) {
        self.watching.know(page);
    }

    fn choose(&mut self, now: Time, view: &View<'_>) -> Choice {
        self.watching.begin(now);
        self.foretell_in_turn(now, view);
        let best = self.best(now, view);
        let worth = Worth::new(view, &self.off, &self.watching, self.ages.get());
        let unseen = |page| worth.as_ref().map_or(1.0, |worth| worth.unseen(page));
        // However old copies have grown: nobody has a copy of a page never seen.
        let chance = |page| worth.as_ref().map_or(0.0, |worth| worth.chance(page, now));
        let to_beat = best.map(|(worth, page)| worth.min(chance(page)));
        let newcomer = self.watching.best_unseen(view, best.map(|(_, page)| page), unseen);
        if let Some((_, page)) = newcomer.filter(|(unseen, _)| to_beat.is_none_or(|worth| *unseen >= worth)) {
            self.watching.newcomers.take_out(page);
            best.into_iter().for_each(|(_, best)| self.watching.ripening.put(best));
            return Choice::Visit(page);
        }
        let Some((worth, page)) = best else { return Choice::Done };
        let about = Worth::new(view, &self.off, &self.watching, self.ages.get());
        let hub = about.and_then(|about| self.watching.hub_instead_of(worth.min(1.0), now, &about));
        let Some(hub) = hub else { return Choice::Visit(page) };
        self.watching.ripening.put(page);
        Choice::Visit(hub)
    }

    fn bid(&self, view: &View<'_>) -> Option<f64> {
        let worth = self.worth_now(view)?;
        Some(self.watching.bid(view, &worth, |page, at| worth.index(page, at), |page| worth.unseen(page).min(1.0)))
    }

    fn worth(&self, page: PageId, at: Time, view: &View<'_>) -> Option<f64> {
        let worth = self.worth_now(view)?;
        self.watching.ripening.contains(page).then(|| worth.index(page, at))
    }

    fn on_recall(&mut self, page: PageId, view: &View<'_>) {
        self.foretell_in_turn(view.now, view);
        if let Some(about) = Worth::new(view, &self.off, &self.watching, self.ages.get()) {
            self.watching.recall(page, view.now, &about);
        }
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        if self.watching.settle(page, observation, view) {
            self.foretell(page, view);
        }
        for hinted in &view.learned.hinted {
            self.foretell(*hinted, view);
        }
    }
}
