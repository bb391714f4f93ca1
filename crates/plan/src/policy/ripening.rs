//! The page with the highest index, without looking at all of them.
//!
//! An index grows while a page is left alone, so a page that is worth less than a price today will be worth it at a
//! moment that can be computed. Until then it sleeps. Only pages that are awake are compared; the price follows what
//! was worth a visit lately, so that few are. While the price stands or rises the answer is the same as looking at every
//! page; after it was lowered, a page may sleep a little past the moment it became the best one. Indexes must not fall
//! by themselves, nor jump without [`Ripening::put`].

use serde::{Deserialize, Serialize};
use std::{
    cell::Cell,
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};
use tintype_vocab::{PageId, Span, Time};

/// The longest sleep before a page is looked at again.
const SLEEP_MAX: Span = Span::from_days(64);
const SLEEP_MIN: Span = Span::from_secs(1);
/// Pages that are compared at every choice, and a few more on a large site.
const AWAKE_MAX: usize = 24;
/// Pages put in last that a bid looks at: the one visited just now, and those it told of.
const LATEST: usize = 8;
/// How far a page whose turn it is is looked for.
pub(super) const TURN: usize = 8;
/// A price that nothing is worth is lowered to this share.
const LESS: f64 = 0.95;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Place {
    Out,
    /// To be looked at when somebody asks.
    Unsorted,
    Asleep {
        until: Time,
    },
    Awake,
    /// Worth the price exactly, like too many others: its turn comes when fewer are awake.
    Queued,
}

/// Pages that may be chosen, by when they will be worth it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Ripening {
    places: Vec<Place>,
    unsorted: Vec<PageId>,
    asleep: BinaryHeap<Reverse<(Time, PageId)>>,
    awake: Vec<PageId>,
    queued: VecDeque<PageId>,
    price: f64,
    inside: usize,
    /// How long each page slept last: the first guess for the next time.
    slept: Vec<Span>,
    /// The next best when a page was last picked, or the best when a bid last looked at all that are up.
    runner_up: Cell<Option<PageId>>,
}

impl Ripening {
    /// The page may be chosen; or its index has jumped.
    pub(super) fn put(&mut self, page: PageId) {
        if self.places.len() <= page.index() {
            self.places.resize(page.index() + 1, Place::Out);
            self.slept.resize(page.index() + 1, SLEEP_MIN * 1024);
        }
        let place = &mut self.places[page.index()];
        match *place {
            Place::Out => self.inside += 1,
            Place::Unsorted => return,
            Place::Awake | Place::Queued | Place::Asleep { .. } => {}
        }
        if *place != Place::Awake {
            *place = Place::Unsorted;
            self.unsorted.push(page);
        }
    }

    pub(super) fn take_out(&mut self, page: PageId) {
        if let Some(place) = self.places.get_mut(page.index()).filter(|place| **place != Place::Out) {
            *place = Place::Out;
            self.inside -= 1;
        }
    }

    pub(super) fn contains(&self, page: PageId) -> bool {
        self.places.get(page.index()).is_some_and(|place| *place != Place::Out)
    }

    /// Pages that may be chosen.
    pub(super) fn pages(&self) -> impl Iterator<Item = PageId> + '_ {
        (0..).map(PageId).zip(&self.places).filter(|(_, place)| **place != Place::Out).map(|(page, _)| page)
    }

    /// The next page after the one of this number that may be chosen, all in turn, if one of the next [`TURN`] may.
    pub(super) fn after(&self, number: u32) -> Option<PageId> {
        let all = self.places.len() as u32;
        (1..=all).map(|step| PageId((number % all + step) % all)).take(TURN).find(|page| self.contains(*page))
    }

    /// How many pages may be chosen.
    pub(super) fn len(&self) -> usize {
        self.inside
    }

    /// Every index may have jumped.
    pub(super) fn shake(&mut self) {
        self.asleep.clear();
        self.awake.clear();
        self.queued.clear();
        self.unsorted.clear();
        for page in (0..self.places.len() as u32).map(PageId) {
            if self.places[page.index()] != Place::Out {
                self.places[page.index()] = Place::Unsorted;
                self.unsorted.push(page);
            }
        }
    }

    /// The page with the highest index now; of several, the one known longest. It leaves.
    pub(super) fn pick(&mut self, now: Time, index: impl Fn(PageId, Time) -> f64) -> Option<PageId> {
        if self.inside == 0 {
            return None;
        }
        self.wake(now, &index);
        if self.awake.is_empty() {
            self.lower_price();
        }
        let page = self.two_best(now, &index)?;
        self.take_out(page);
        self.awake.retain(|&other| other != page);
        if self.awake.len() > AWAKE_MAX + self.inside.isqrt() / 4 {
            self.raise_price(now, &index);
        }
        Some(page)
    }

    /// What the next pick is about to be worth, without looking at more than a few pages: the one that was next best, those
    /// put in since, and the one that wakes next. A site that was opened just now has no next best yet, and one of few pages
    /// has no price, so neither can stand for it.
    pub(super) fn bid(&self, now: Time, index: impl Fn(PageId, Time) -> f64) -> f64 {
        let is_up = |page: &PageId| matches!(self.places[page.index()], Place::Awake | Place::Unsorted);
        if self.runner_up.get().is_none_or(|page| !is_up(&page)) {
            let up = self.awake.iter().chain(&self.unsorted).copied().filter(is_up);
            let valued = up.map(|page| (index(page, now), page));
            self.runner_up.set(valued.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, page)| page));
        }
        let latest = self.unsorted.iter().rev().take(LATEST).copied();
        let next_awake = self.asleep.peek().map(|Reverse((_, page))| *page);
        let few = self.runner_up.get().into_iter().chain(latest).chain(next_awake);
        few.filter(|page| self.contains(*page)).map(|page| index(page, now)).fold(0.0, f64::max)
    }

    /// The best page that is awake; the next best is remembered.
    fn two_best(&mut self, now: Time, index: &impl Fn(PageId, Time) -> f64) -> Option<PageId> {
        let mut best: [Option<(f64, Reverse<PageId>)>; 2] = [None, None];
        for &page in &self.awake {
            let this = (index(page, now), Reverse(page));
            let beats = |other: &Option<(f64, Reverse<PageId>)>| {
                other.is_none_or(|other| this.0.total_cmp(&other.0).then(this.1.cmp(&other.1)).is_gt())
            };
            if beats(&best[0]) {
                best = [Some(this), best[0]];
            } else if beats(&best[1]) {
                best[1] = Some(this);
            }
        }
        let [first, second] = best.map(|best| best.map(|(_, Reverse(page))| page));
        self.runner_up.set(second);
        first
    }

    /// Sorts what was put in, and wakes whose time has come.
    fn wake(&mut self, now: Time, index: &impl Fn(PageId, Time) -> f64) {
        let places = &self.places;
        self.awake.retain(|page| places[page.index()] == Place::Awake);
        while let Some(page) = self.unsorted.pop() {
            if self.places[page.index()] == Place::Unsorted {
                self.sort(page, now, index);
            }
        }
        while let Some(&Reverse((until, page))) = self.asleep.peek().filter(|Reverse((until, _))| *until <= now) {
            self.asleep.pop();
            if self.places[page.index()] == (Place::Asleep { until }) {
                self.sort(page, now, index);
            }
        }
        // At least one each time: it stands for those behind it, which are worth as much.
        let mut called = 0;
        while (called == 0 || self.awake.len() < AWAKE_MAX / 2)
            && let Some(page) = self.queued.pop_front()
        {
            called += 1;
            if self.places[page.index()] == Place::Queued {
                self.places[page.index()] = Place::Awake;
                self.awake.push(page);
            }
        }
    }

    fn sort(&mut self, page: PageId, now: Time, index: &impl Fn(PageId, Time) -> f64) {
        if index(page, now) >= self.price {
            self.places[page.index()] = Place::Awake;
            self.awake.push(page);
        } else {
            let sleep = self.sleep(page, now, index);
            self.slept[page.index()] = sleep;
            let until = now + sleep;
            self.places[page.index()] = Place::Asleep { until };
            self.asleep.push(Reverse((until, page)));
        }
    }

    /// A while after which the page is not yet worth the price, but nearly.
    fn sleep(&self, page: PageId, now: Time, index: &impl Fn(PageId, Time) -> f64) -> Span {
        let worth_it = |after: Span| index(page, now + after) >= self.price;
        let mut late = self.slept[page.index()] * 2;
        let mut too_early = late;
        // Whether it is worth the price after the shorter of the two, once that was reckoned.
        let mut is_too_late = None;
        while late < SLEEP_MAX {
            let is_worth_it = worth_it(late);
            if is_too_late.is_none() || !is_worth_it {
                is_too_late = Some(is_worth_it);
            }
            if is_worth_it {
                break;
            }
            (too_early, late) = (late, late * 4);
        }
        while too_early > SLEEP_MIN && is_too_late.take().unwrap_or_else(|| worth_it(too_early)) {
            (too_early, late) = (too_early / 4, too_early);
        }
        for _ in 0..5 {
            let middle = Span::from_millis((too_early.as_millis() + late.as_millis()) / 2);
            if worth_it(middle) { late = middle } else { too_early = middle }
        }
        too_early.clamp(SLEEP_MIN, SLEEP_MAX)
    }

    /// Nothing is worth the price: it was too high. Those that would have been worth it first are woken.
    fn lower_price(&mut self) {
        self.price *= LESS;
        while self.awake.len() < AWAKE_MAX / 2
            && let Some(Reverse((until, page))) = self.asleep.pop()
        {
            if self.places[page.index()] == (Place::Asleep { until }) {
                self.places[page.index()] = Place::Awake;
                self.awake.push(page);
            }
        }
    }

    /// Too much is worth the price: half of it goes back to sleep. Of those that are worth the new price exactly (pages
    /// of which the same is known) some stay awake and the others queue, or every choice would compare them all.
    fn raise_price(&mut self, now: Time, index: &impl Fn(PageId, Time) -> f64) {
        let mut values: Vec<_> = self.awake.iter().map(|&page| index(page, now)).collect();
        let middle = values.len() / 2;
        self.price = *values.select_nth_unstable_by(middle, f64::total_cmp).1;
        let mut equals = Vec::new();
        for page in std::mem::take(&mut self.awake) {
            if index(page, now) == self.price { equals.push(page) } else { self.sort(page, now, index) }
        }
        equals.sort_unstable();
        for (nth, page) in equals.into_iter().enumerate() {
            if nth < AWAKE_MAX / 2 {
                self.awake.push(page);
            } else {
                self.places[page.index()] = Place::Queued;
                self.queued.push_back(page);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dice;

    /// Thousands of picks among pages with different rates, each checked against looking at every page.
    #[test]
    fn the_highest_index_or_nearly_is_found_without_looking_at_all() {
        for seed in 0..4 {
            let mut dice = Dice::new(seed, 0);
            let rates: Vec<f64> = (0..300).map(|_| (dice.unit() * 9.0 - 7.0).exp()).collect();
            let mut last = vec![Time::from_secs(0); rates.len()];
            let mut ripening = Ripening::default();
            (0..300).for_each(|page| ripening.put(PageId(page)));
            let mut shares = 0.0;
            for visit in 1..3000i64 {
                let now = Time::from_secs(visit * 600);
                let index = |page: PageId, at: Time| {
                    let days = (at - last[page.index()]).as_days_f64();
                    1.0 - (-rates[page.index()] * days).exp()
                };
                let best = (0..300).map(PageId).map(|page| index(page, now)).fold(0.0, f64::max);
                let picked = ripening.pick(now, index).unwrap();
                let share = index(picked, now) / best;
                assert!(share > 0.8, "visit {visit}, seed {seed}: {share}");
                shares += share / 2999.0;
                last[picked.index()] = now;
                ripening.put(picked);
            }
            assert!(shares > 0.99, "seed {seed}: {shares}");
        }
    }

    #[test]
    fn pages_of_which_the_same_is_known_take_turns() {
        let mut ripening = Ripening::default();
        (0..500).for_each(|page| ripening.put(PageId(page)));
        let mut last = [Time::from_secs(0); 500];
        let mut picked = Vec::new();
        for visit in 1..=1000i64 {
            let now = Time::from_secs(visit * 60);
            let page = ripening.pick(now, |page, at| (at - last[page.index()]).as_days_f64()).unwrap();
            last[page.index()] = now;
            ripening.put(page);
            picked.push(page);
        }
        picked[..500].sort_unstable();
        assert!(picked[..500].iter().copied().eq((0..500).map(PageId)), "each once before any twice");
    }

    #[test]
    fn a_bid_is_what_the_next_pick_brings_whether_or_not_there_was_one_before() {
        for pages in [1, 3, 300] {
            let mut dice = Dice::new(pages, 0);
            let rates: Vec<f64> = (0..pages).map(|_| (dice.unit() * 4.0 - 2.0).exp()).collect();
            let mut last = vec![Time::from_secs(0); rates.len()];
            let mut ripening = Ripening::default();
            (0..pages as u32).for_each(|page| ripening.put(PageId(page)));
            for visit in 1..2000i64 {
                let now = Time::from_secs(visit * 600);
                let index = |page: PageId, at: Time| rates[page.index()] * (at - last[page.index()]).as_days_f64();
                let bid = ripening.bid(now, index);
                let picked = ripening.pick(now, index).unwrap();
                let brings = index(picked, now);
                assert!((0.7 * brings..=brings).contains(&bid), "{pages} pages, visit {visit}: {bid} {brings}");
                last[picked.index()] = now;
                ripening.put(picked);
            }
        }
    }

    #[test]
    fn pages_that_may_be_chosen_take_turns() {
        let mut ripening = Ripening::default();
        assert_eq!(ripening.after(7), None);
        [2, 5, 6].map(PageId).into_iter().for_each(|page| ripening.put(page));
        let turns = [0, 2, 5, 6].map(|page| ripening.after(page).map(|page| page.0));
        assert_eq!(turns, [Some(2), Some(5), Some(6), Some(2)]);
    }

    #[test]
    fn pages_leave_and_come_back() {
        let mut ripening = Ripening::default();
        assert_eq!(ripening.pick(Time::from_secs(1), |_, _| 1.0), None);
        ripening.put(PageId(3));
        ripening.put(PageId(1));
        ripening.take_out(PageId(3));
        assert_eq!((ripening.len(), ripening.contains(PageId(3))), (1, false));
        assert_eq!(ripening.pick(Time::from_secs(1), |_, _| 0.0), Some(PageId(1)));
        assert_eq!(ripening.pick(Time::from_secs(2), |_, _| 0.0), None);
        ripening.put(PageId(3));
        assert_eq!(ripening.pick(Time::from_secs(3), |_, _| 0.0), Some(PageId(3)));
    }
}
