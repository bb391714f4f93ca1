//! Frequencies worked out for all pages at once, then kept: what the policies with a global optimum share.

use super::{
    believed::Rates,
    view::{Choice, Policy, View},
};
use crate::{Dice, PageState};
use std::{cmp::Reverse, collections::BinaryHeap};
use tintype_learn::learner::{Learner, speaks_of_page};
use tintype_vocab::{Observation, PageId, Span, Time};

/// Visits per day for every page, from change rates per day and visits per day in all.
pub(super) type Allocate = fn(&[f64], f64) -> Vec<f64>;

/// When a page is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rhythm {
    /// Evenly.
    Periodic,
    /// At random moments with that mean frequency.
    Random,
}

/// Frequencies are worked out anew after this many visits, or a visit to every fourth page if that is more.
const RECKON_AFTER: usize = 100;

#[derive(Debug)]
pub(super) struct ByFrequency {
    allocate: Allocate,
    rhythm: Rhythm,
    rates: Rates,
    /// When, which turn of the page, and which page. A page has one turn that counts.
    due: BinaryHeap<Reverse<(Time, u32, PageId)>>,
    turn: Vec<u32>,
    turns: u32,
    frequency: Vec<f64>,
    chosen: usize,
    first_choice: Option<Time>,
    reckoned: usize,
}

impl ByFrequency {
    pub(super) fn new(rates: Rates, allocate: Allocate, rhythm: Rhythm) -> ByFrequency {
        ByFrequency {
            allocate,
            rhythm,
            rates,
            due: BinaryHeap::new(),
            turn: Vec::new(),
            turns: 0,
            frequency: Vec::new(),
            chosen: 0,
            first_choice: None,
            reckoned: 0,
        }
    }

    fn queue(&mut self, page: PageId, at: Time) {
        if self.turn.len() <= page.index() {
            self.turn.resize(page.index() + 1, 0);
        }
        self.turns += 1;
        self.turn[page.index()] = self.turns;
        self.due.push(Reverse((at, self.turns, page)));
    }

    /// When a page visited at `last` is due again; pages without a frequency come after all others, oldest first.
    fn due_after(&self, page: PageId, last: Time, dice: &mut Dice) -> Time {
        let frequency = self.frequency.get(page.index()).copied().unwrap_or(0.0);
        let stretch = match self.rhythm {
            Rhythm::Periodic => 1.0,
            Rhythm::Random => -(1.0 - dice.unit()).ln(),
        };
        let never = Span::from_days(36_500);
        let days = stretch / frequency;
        if days < 36_500.0 { last + Span::from_millis((days * 86_400_000.0) as i64) } else { last + never }
    }

    fn reckon(&mut self, now: Time, view: &View<'_>) {
        let Some(first) = self.first_choice.filter(|first| *first < now) else { return };
        let per_day = self.chosen as f64 / (now - first).as_days_f64();
        let believed = self.rates.of(view);
        let watched: Vec<PageId> = view.pages.ids().filter(|page| believed.last(*page).is_some()).collect();
        let rates: Vec<f64> = watched.iter().map(|page| believed.mean_per_day(*page)).collect();
        let frequencies = (self.allocate)(&rates, per_day);
        self.frequency.resize(view.pages.len(), 0.0);
        let mut dice = view.dice.clone();
        for (&page, frequency) in watched.iter().zip(frequencies) {
            self.frequency[page.index()] = frequency;
            if view.pages.get(page).state == PageState::Waiting {
                let last = believed.last(page).unwrap_or(now);
                let at = self.due_after(page, last, &mut dice);
                self.queue(page, at);
            }
        }
    }
}

impl Policy for ByFrequency {
    saves!(due, turn, turns, frequency, chosen, first_choice, reckoned);

    fn learns(&self) -> Vec<Box<dyn Learner>> {
        self.rates.learners()
    }

    fn on_known(&mut self, page: PageId, _view: &View<'_>) {
        self.queue(page, Time::MIN);
    }

    fn choose(&mut self, now: Time, view: &View<'_>) -> Choice {
        self.first_choice.get_or_insert(now);
        if self.chosen >= self.reckoned + RECKON_AFTER.max(self.rates.of(view).visited() / 4) {
            self.reckoned = self.chosen;
            self.reckon(now, view);
        }
        while let Some(Reverse((_, turn, page))) = self.due.pop() {
            if self.turn[page.index()] == turn && view.pages.get(page).state == PageState::Waiting {
                self.chosen += 1;
                return Choice::Visit(page);
            }
        }
        Choice::Done
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        if !speaks_of_page(observation) || view.pages.get(page).state != PageState::Waiting {
            return;
        }
        let at = self.due_after(page, observation.answered, &mut view.dice.clone());
        self.queue(page, at);
    }
}

/// The multiplier at which the frequencies add up to the budget; `spend` falls as it grows.
pub(super) fn balance(per_day: f64, spend: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (1e-12f64, 1e12f64);
    for _ in 0..100 {
        let middle = (low * high).sqrt();
        if spend(middle) > per_day { low = middle } else { high = middle }
    }
    (low * high).sqrt()
}
