//! With proof: every page is visited, then revisited in the opposite order, so that the intervals lie one inside the other
//! around one moment; the colder a page, the longer its interval.
//!
//! Pages so lively that they had better be given up (`schedule::hopeless_count`) do not take part: they are visited
//! evenly over the capture, as often as a few extra requests allow, for the sake of the blur. Hot pages that discovery
//! forced to the beginning are looked at once more before the turn, if that is worth more sharp pages than it costs.

use super::Sharp;
use crate::{
    policy::view::View,
    schedule::{self, RatedSite},
};
use hashbrown::HashSet;
use serde::{Deserialize, Serialize};
use std::{cmp::Reverse, collections::BinaryHeap};
use tintype_vocab::{ChangeRate, Observation, PageId, Purpose};

/// Requests beyond two per page for the lively ones, per page of the site: one request in a hundred more.
const EXTRA: f64 = 0.02;
/// Second looks before the turn, per page of the site, at the most: with all pages known beforehand there are none.
const AGAIN_MAX: f64 = 0.02;
/// Sharp pages a request must promise, or changes it must spare, to be worth disturbing anybody for.
const WORTH_MIN: f64 = 0.01;
/// Who is hopeless is decided anew when the site has grown by so much.
const GROWTH: f64 = 1.05;
/// And at most so many times while as many visits are made as there are pages.
const DECISIONS: usize = 100;
/// Pages looked at for that.
const SAMPLE: usize = 4096;

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
enum Phase {
    /// Visits, cold ones first.
    #[default]
    Out,
    /// Second looks before the turn, the coldest last: it comes first.
    Again(Vec<PageId>),
    /// Revisits; the page to be revisited next is the last.
    Back(Vec<PageId>),
}

/// Where a capture stands when it is decided who is given up.
struct Standing {
    /// Pages of the site when all is done, and those that take part now.
    size: usize,
    pages: usize,
    slot: u32,
    /// Requests beyond two per page that the budget leaves.
    spare: usize,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Proof {
    phase: Phase,
    /// Given up above this many changes per day; nobody as long as nothing is known.
    hopeless_above: Option<f32>,
    /// Pages of the site, pages that took part, and the slot, when that was decided.
    decided_for: Option<(usize, usize, u32)>,
    /// When hopeless pages are to be visited, and lively ones besides their pair, by slot.
    due: BinaryHeap<Reverse<(u32, PageId)>>,
    /// Visits that saw a page, by page: how many, and the slot of the latest.
    seen: Vec<(u8, u32)>,
    /// Pages seen exactly once.
    seen_once: usize,
    /// The slot of the latest first visit: who was not seen after it has to be revisited.
    last_first: u32,
    /// Looked at again before the turn, and those of them that have not answered.
    again: HashSet<PageId>,
    pending: HashSet<PageId>,
}

impl Proof {
    pub(super) fn observed(&mut self, page: PageId, observation: &Observation, slot: u32) {
        self.pending.remove(&page);
        if observation.purpose == Purpose::Robots {
            return;
        }
        let made = self.seen(page).0;
        self.seen_once -= usize::from(made == 1);
        // A page that is not there has nothing to be revisited for.
        let now = if observation.outcome.saw_page() { made.saturating_add(1) } else { 0 };
        self.seen_once += usize::from(now == 1);
        *self.entry(page) = (now, slot);
        if observation.purpose == Purpose::Visit {
            self.last_first = slot;
            if let Phase::Back(stack) = &mut self.phase
                && now == 1
            {
                stack.push(page);
            }
        }
    }

    /// Whether only second looks are left, and the moment they are to prove has not come.
    pub(super) fn awaits(&self, view: &View<'_>) -> bool {
        matches!(&self.phase, Phase::Again(again) if again.is_empty())
            && self.pending.is_empty()
            && view.as_of.is_some_and(|moment| view.now < moment)
    }

    pub(super) fn seen_once(&self) -> usize {
        self.seen_once
    }

    pub(super) fn is_over(&self) -> bool {
        self.due.is_empty() && matches!(&self.phase, Phase::Back(stack) if stack.is_empty())
    }

    fn entry(&mut self, page: PageId) -> &mut (u8, u32) {
        self.seen.resize(self.seen.len().max(page.index() + 1), (0, 0));
        &mut self.seen[page.index()]
    }

    fn seen(&self, page: PageId) -> (u8, u32) {
        self.seen.get(page.index()).copied().unwrap_or_default()
    }

    fn is_hopeless(&self, rate: ChangeRate) -> bool {
        self.hopeless_above.is_some_and(|limit| rate.per_day > limit)
    }

    fn take_due(&mut self, slot: u32) -> Option<PageId> {
        let Reverse((due, page)) = *self.due.peek()?;
        (due <= slot).then(|| {
            self.due.pop();
            page
        })
    }

    /// Deciding looks at all pages, so a while has to pass in between however the estimates move.
    fn is_outdated(&self, size: usize, pages: usize, slot: u32) -> bool {
        let Some((size_then, pages_then, slot_then)) = self.decided_for else { return true };
        let grown = |now: usize, then: usize| now.abs_diff(then) as f64 > (GROWTH - 1.0) * then as f64;
        let a_while = (slot - slot_then) as usize > pages / DECISIONS;
        a_while && (grown(size, size_then) || grown(pages, pages_then))
    }

    /// The rate from which on pages are given up, from a sample of those known, as if it were the whole site.
    fn decide(&mut self, now: &Standing, waits: impl Fn(PageId) -> bool, view: &View<'_>) {
        let Standing { size, pages, slot, .. } = *now;
        let step = view.pages.len().div_ceil(SAMPLE).max(1);
        let rates: Vec<ChangeRate> = view.pages.ids().step_by(step).map(|page| view.pages.get(page).rate).collect();
        let slots_each = (size / rates.len().max(1)).max(1) as i64;
        let site = RatedSite::new(&rates, view.slot * slots_each);
        let hopeless = match view.hopeless_above {
            Some(chance) => schedule::hopeless_by_threshold(&site, chance),
            None => schedule::hopeless_count(&site),
        };
        let coldest = site.len() - hopeless;
        self.hopeless_above = (hopeless > 0).then(|| match coldest.checked_sub(1) {
            Some(below) => view_rate(&rates, &site, below),
            None => -1.0,
        });
        self.decided_for = Some((size, pages, slot));
        self.spread(now, waits, view);
    }

    /// Spreads visits over the slots that are left: those of hopeless pages, and what lively ones get besides their pair.
    fn spread(&mut self, now: &Standing, waits: impl Fn(PageId) -> bool, view: &View<'_>) {
        let (pages, &Standing { size, slot, spare, .. }) = (view.pages, now);
        let extra = ((size as f64 * EXTRA) as usize).min(spare);
        let rate = |page: PageId| pages.get(page).rate.per_day;
        let mut lively: Vec<PageId> = pages.ids().filter(|page| self.seen(*page).0 > 0 || waits(*page)).collect();
        lively.sort_unstable_by(|a, b| rate(*b).total_cmp(&rate(*a)).then(a.cmp(b)));
        let hopeless = lively.iter().take_while(|page| self.is_hopeless(pages.get(**page).rate)).count();
        let from_the_cold_end = |nth: usize| f64::from(rate(lively[lively.len() - 1 - nth]));
        let counts = schedule::visits_besides(from_the_cold_end, lively.len(), hopeless, extra);
        let slots = 2 * size + extra;
        // Two visits besides a pair spare a sixth of what a page changes during the capture.
        let worthwhile = 2.0 * WORTH_MIN * 6.0 / (slots as f64 * view.slot.as_days_f64());
        self.due.clear();
        for (rank, (page, count)) in lively.into_iter().zip(counts).enumerate() {
            if rank < hopeless {
                self.spread_hopeless(page, count + 2, slots, slot);
            } else if f64::from(rate(page)) > worthwhile {
                let left = schedule::wishes_around_a_pair(count, slots).filter(|wish| *wish >= f64::from(slot));
                self.due.extend(left.map(|wish| Reverse((wish as u32, page))));
            }
        }
    }

    fn spread_hopeless(&mut self, page: PageId, count: u32, slots: usize, slot: u32) {
        let (made, latest) = self.seen(page);
        let left = schedule::wishes(count, slots).map(|wish| wish as u32).filter(|wish| *wish >= slot);
        let left: Vec<u32> = left.collect();
        let unproved = made == 0 || (latest as usize) < slots / 2;
        let needed = count.saturating_sub(u32::from(made)).max(u32::from(unproved)) as usize;
        let skipped = left.len().saturating_sub(needed);
        self.due.extend(left.iter().skip(skipped).map(|wish| Reverse((*wish, page))));
        if left.is_empty() && unproved {
            self.due.push(Reverse((slot, page)));
        }
    }

    /// Pages worth a second look before the turn: hot, seen long ago, and not given up.
    fn worth_again(&self, size: usize, slot: u32, spare: usize, view: &View<'_>) -> Vec<PageId> {
        let days = |slots: f64| slots * view.slot.as_days_f64();
        let most = (size as f64 * AGAIN_MAX).ceil().min(spare as f64);
        let (mut gains, mut cost) = (Vec::new(), 0.0);
        for page in view.pages.ids() {
            let (rate, (made, at)) = (view.pages.get(page).rate, self.seen(page));
            if made != 1 || self.is_hopeless(rate) {
                continue;
            }
            let length = 2.0 * f64::from(slot.saturating_sub(at));
            let still = rate.still_chance_days(days(length));
            cost += still - rate.still_chance_days(days(length + 2.0));
            gains.push((rate.still_chance_days(days(most)) - still, page));
        }
        gains.retain(|(gain, _)| *gain > cost.max(WORTH_MIN));
        gains.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        gains.truncate(most as usize);
        let mut again: Vec<PageId> = gains.into_iter().map(|(_, page)| page).collect();
        again.sort_by(|a, b| view.pages.get(*b).rate.per_day.total_cmp(&view.pages.get(*a).rate.per_day));
        again
    }

    /// Everybody who was seen before the turn and not since, and is to be revisited, the latest last. After a resume the
    /// moment of the turn is not known; it came after the last first visit.
    fn turn(&self, view: &View<'_>) -> Vec<PageId> {
        let open = |page: &PageId| {
            let (made, latest) = self.seen(*page);
            let before = latest <= self.last_first || self.again.contains(page);
            made > 0 && before && !self.is_hopeless(view.pages.get(*page).rate)
        };
        let mut stack: Vec<PageId> = view.pages.ids().filter(open).collect();
        stack.sort_by_key(|page| self.seen(*page).1);
        stack
    }
}

fn view_rate(rates: &[ChangeRate], site: &RatedSite, nth: usize) -> f32 {
    rates[site.page(nth) as usize].per_day
}

impl Sharp {
    pub(super) fn by_proof(&mut self, view: &View<'_>) -> Option<PageId> {
        let size = self.size(view);
        let out = self.proof.phase == Phase::Out;
        if out && self.proof.is_outdated(size, self.taking_part, self.slot) {
            self.decide(size, view);
        }
        if let Some(page) = self.proof.take_due(self.slot) {
            self.drop_waiting(page, view);
            return Some(page);
        }
        if out {
            // From the moment on what was seen before it is proved; what was not can no more be.
            let is_time = view.as_of.is_some_and(|moment| moment <= view.now) && self.proof.seen_once > 0;
            if !is_time && let Some(page) = self.ascend(size, view) {
                return Some(page);
            }
            // What is still on its way may lead to more; what the budget cannot pay for is not waited for.
            if !is_time && view.unanswered > self.later.len() {
                return None;
            }
            self.decide(self.taking_part, view);
            let pages = self.taking_part;
            // What the lively ones may have is not there for anybody else.
            let spare = self.affordable(view).saturating_sub((pages as f64 * EXTRA) as usize);
            let again = if is_time { Vec::new() } else { self.proof.worth_again(pages, self.slot, spare, view) };
            self.proof.phase = Phase::Again(again);
        }
        self.come_back(view)
    }

    fn decide(&mut self, size: usize, view: &View<'_>) {
        let now = Standing { size, pages: self.taking_part, slot: self.slot, spare: self.affordable(view) };
        let waits = |page| self.fruitful.contains(page) || self.barren.contains(page);
        self.proof.decide(&now, waits, view);
    }

    /// Cold pages first, but as long as part of the site is unknown those that lead to others: a page found late has a
    /// long interval, and makes that of every page before it longer.
    fn ascend(&mut self, size: usize, view: &View<'_>) -> Option<PageId> {
        let hottest = self.waiting().checked_sub(1)?;
        let found = if size > self.taking_part { self.explore(hottest, view) } else { None };
        found.or_else(|| self.take_at(0, view))
    }

    fn come_back(&mut self, view: &View<'_>) -> Option<PageId> {
        if let Phase::Again(again) = &mut self.proof.phase {
            if let Some(page) = again.pop() {
                self.proof.again.insert(page);
                self.proof.pending.insert(page);
                return Some(page);
            }
            if !self.proof.pending.is_empty() || self.proof.awaits(view) {
                return None;
            }
            self.proof.phase = Phase::Back(self.proof.turn(view));
        }
        if let Phase::Back(stack) = &mut self.proof.phase
            && let Some(page) = stack.pop()
        {
            return Some(page);
        }
        // What was found on the way back, then the lively ones that are not due yet.
        if let Some(page) = self.take_hottest(view) {
            return Some(page);
        }
        self.proof.due.pop().map(|Reverse((_, page))| page)
    }
}
