//! How often each page changes by its own record, from capture to capture: recalled from earlier ones, or guessed from what is
//! known before asking, and made better by every answer.

use crate::{
    first_guess::{FirstGuess, RateSeen, Signs},
    learner::{Context, Effect, Learner, PageSlot, Subject, same, speaks_of_page},
    rate::{Past, believe, believe_seen},
    stored,
};
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use tintype_vocab::{Change, ChangeRate, Observation, Purpose, Time};

/// What is known of a page's rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct PageRate {
    rate: ChangeRate,
    /// What was believed before its record here began.
    prior: ChangeRate,
    /// The latest visit; nothing where the rate was told by who knows.
    last_seen: Option<Time>,
}

/// Rates by the names of pages.
#[derive(Clone, Debug)]
pub struct Rates {
    pages: HashMap<u64, PageRate>,
    /// Whether pages are taken in that were not recalled.
    keeps_new: bool,
}

impl Default for Rates {
    fn default() -> Rates {
        Rates { pages: HashMap::new(), keeps_new: true }
    }
}

impl Rates {
    /// One that speaks of recalled pages alone, and takes nothing for others: a first capture of a large site has no use
    /// for a second list of all its pages.
    pub fn of_recalled() -> Rates {
        Rates { pages: HashMap::new(), keeps_new: false }
    }

    /// Earlier captures know this of a page; the signs are those of its last visit, which was at their `now`.
    pub fn recall(&mut self, name: u64, signs: &Signs<'_>, past: &Past, guess: &FirstGuess) {
        let (prior, rate) = match signs.modified {
            // RateSeen once: when its version came to be is all that is known of its changes.
            Some(modified) if past.comparisons == 0 => {
                let seen = RateSeen::ChangedAgo { days: (signs.now - modified).as_days_f64() };
                let prior = guess.guess(&Signs { modified: None, ..*signs });
                (prior, believe_seen(prior, &seen))
            }
            _ => {
                let prior = guess.guess(signs);
                (prior, believe(prior, past))
            }
        };
        self.pages.insert(name, PageRate { rate, prior, last_seen: Some(signs.now) });
    }

    /// The same for who has a belief already.
    pub fn recall_rate(&mut self, name: u64, rate: ChangeRate) {
        self.pages.insert(name, PageRate { rate, prior: rate, last_seen: None });
    }

    pub fn get(&self, name: u64) -> Option<ChangeRate> {
        self.pages.get(&name).map(|page| page.rate)
    }

    pub(crate) fn last_seen(&self, name: u64) -> Option<Time> {
        self.pages.get(&name).and_then(|page| page.last_seen)
    }

    /// What to believe after a visit to a page of which `rate` was believed. A second look in the same capture says nothing.
    pub(crate) fn after(&mut self, name: u64, rate: ChangeRate, visit: &Observation) -> ChangeRate {
        if visit.purpose == Purpose::Revisit {
            return rate;
        }
        let after = seen(visit, self.last_seen(name)).map_or(rate, |seen| believe_seen(rate, &seen));
        let compared = visit.change != Change::Unknown;
        if self.keeps_new && compared {
            self.pages.entry(name).or_insert(PageRate { rate, prior: rate, last_seen: None });
        }
        if let Some(page) = self.pages.get_mut(&name).filter(|_| compared) {
            (page.rate, page.last_seen) = (after, Some(visit.answered));
        }
        after
    }

    pub(crate) fn load(bytes: &[u8]) -> Option<Rates> {
        let (pages, keeps_new): (Vec<(u64, PageRate)>, bool) = stored::from_bytes(bytes)?;
        pages.is_sorted_by(|one, other| one.0 < other.0).then_some(())?;
        Some(Rates { pages: pages.into_iter().collect(), keeps_new })
    }
}

/// What an answer shows of a page's changes: since the last capture, or since the version came to be.
pub(crate) fn seen(visit: &Observation, last_seen: Option<Time>) -> Option<RateSeen> {
    let modified = visit.modified();
    let changed_ago = |at: Time| RateSeen::ChangedAgo { days: (visit.answered - at).as_days_f64() };
    let Some(last_seen) = last_seen else { return modified.map(changed_ago) };
    let days = (visit.asked - last_seen).as_days_f64();
    match (visit.change, modified) {
        (change, Some(at)) if change.matters() && at > last_seen => Some(changed_ago(at)),
        (change, _) if change.matters() => Some(RateSeen::Interval { days, changed: true }),
        // A new version that says nothing new is none to reckon with: a clock ticks at every visit.
        (Change::Same | Change::New { .. }, _) => Some(RateSeen::Interval { days, changed: false }),
        (Change::First | Change::Unknown, _) => None,
    }
}

impl PageRate {
    /// What both logs say: changes and days of both, with what was believed before counted once.
    fn add(&mut self, other: &PageRate) {
        let parts = |rate: ChangeRate| (f64::from(rate.shape), f64::from(rate.shape) / f64::from(rate.per_day));
        let ((mine, my_days), (theirs, their_days), (prior, prior_days)) =
            (parts(self.rate), parts(other.rate), parts(other.prior));
        let (changes, days) = (mine + theirs - prior, my_days + their_days - prior_days);
        if changes.is_finite() && days.is_finite() && changes > 0.0 && days > 0.0 {
            self.rate = ChangeRate { per_day: (changes / days) as f32, shape: changes as f32 };
        } else if other.rate.shape > self.rate.shape {
            self.rate = other.rate;
        }
        self.last_seen = self.last_seen.max(other.last_seen);
    }
}

impl Learner for Rates {
    fn name(&self) -> &'static str {
        "rates"
    }

    fn blank(&self) -> Box<dyn Learner> {
        Box::new(Rates { pages: HashMap::new(), ..*self })
    }

    fn observe(&mut self, page: &Subject<'_>, seen: &Observation, context: &Context<'_>) -> Effect {
        if speaks_of_page(seen) {
            self.after(page.name, self.get(page.name).unwrap_or(context.rate), seen);
        }
        Effect::default()
    }

    fn merge(&mut self, other: &dyn Learner, _: &[PageSlot]) {
        let Some(other) = same::<Rates>(other) else { return };
        for (name, page) in &other.pages {
            self.pages.entry(*name).and_modify(|mine| mine.add(page)).or_insert(*page);
        }
    }

    fn save(&self) -> Vec<u8> {
        let mut pages: Vec<(u64, PageRate)> = self.pages.iter().map(|(name, page)| (*name, *page)).collect();
        pages.sort_unstable_by_key(|(name, _)| *name);
        stored::to_bytes(&(pages, self.keeps_new))
    }

    fn bytes(&self) -> usize {
        self.pages.capacity() * (size_of::<(u64, PageRate)>() + 1)
    }

    fn believes(&self, page: &Subject<'_>, _: Time) -> Vec<(&'static str, f64)> {
        let Some(rate) = self.get(page.name) else { return Vec::new() };
        vec![("changes per day by its own record", rate.per_day.into())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::{LinkKind, Span};

    fn request() -> tintype_vocab::Request {
        tintype_vocab::Request {
            site: tintype_vocab::SiteId(0),
            page: tintype_vocab::PageId(0),
            url: String::new(),
            purpose: Purpose::Visit,
            attempt: 0,
            rate: ChangeRate::default(),
        }
    }

    #[test]
    fn a_page_seen_once_is_judged_by_when_it_last_changed() {
        let now = Time::from_secs(1_800_000_000);
        let rate = |modified: Option<Time>, past: Past| {
            let mut rates = Rates::default();
            let signs = Signs { modified, ..Signs::new("http://e.com/a.html", LinkKind::Anchor, 1, now) };
            rates.recall(7, &signs, &past, &FirstGuess::default());
            rates.get(7).unwrap().per_day
        };
        let once = Past { comparisons: 0, changes: 0, observed: Span::ZERO };
        let (old, young) = (now - Span::from_days(1000), now - Span::from_secs(3600));
        assert!(rate(Some(old), once) < rate(None, once) && rate(None, once) < rate(Some(young), once));
        let often = Past { comparisons: 50, changes: 45, observed: Span::from_days(50) };
        assert!(rate(Some(old), often) > 1.0, "its own record says more than any date");
    }

    #[test]
    fn a_clock_that_ticks_is_no_change() {
        let now = Time::from_secs(1_800_000_000);
        let outcome = tintype_vocab::Outcome::Body { status: 200 };
        let says = |importance| {
            let visit = Observation::of(&request(), now, now, outcome.clone());
            seen(&Observation { change: Change::New { importance }, ..visit }, Some(now - Span::from_days(2)))
        };
        assert!(matches!(says(0.0), Some(RateSeen::Interval { changed: false, .. })));
        assert!(matches!(says(0.5), Some(RateSeen::Interval { changed: true, .. })));
    }

    #[test]
    fn who_was_told_a_rate_keeps_it_and_only_recalled_pages_take_room() {
        let visit = |name| {
            let mut rates = Rates::of_recalled();
            rates.recall_rate(1, ChangeRate::known(7.0));
            let now = Time::from_secs(1_800_000_000);
            let seen = Observation::of(&request(), now, now, tintype_vocab::Outcome::Body { status: 200 });
            rates.after(name, rates.get(1).unwrap(), &Observation { change: Change::First, ..seen });
            (rates.get(1), rates.pages.len())
        };
        assert_eq!([visit(1), visit(2)], [(Some(ChangeRate::known(7.0)), 1); 2]);
    }
}
