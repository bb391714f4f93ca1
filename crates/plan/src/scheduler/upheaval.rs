//! Notices that a kept site is no longer the one it was: its pages are gone, lead elsewhere, or all say the same, as a login
//! wall or a page that says "not found" with a good conscience does.
//!
//! What such an answer says is no change of the page, so it is not learned as one.

use super::Scheduler;
use crate::Mode;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use tintype_vocab::{Change, Observation, Outcome, PageId, Purpose, Time};

/// Visits that are looked at together.
const WINDOW: usize = 20;
/// So many of them have to find a page lost before the site is taken for another one...
const BEGINS_AT: usize = 12;
/// ...of so many different pages, or half of the site if it is smaller than twice that...
const PAGES_MIN: usize = 8;
const PAGES_LEAST: usize = 3;
/// ...and so few for it to be itself again.
const ENDS_AT: usize = 8;
/// Pages that began to say the same at different times are no wall.
const ALIKE_WITHIN: usize = 64;
/// Pages that say the same word for word, numbers and addresses aside, for it to be a wall.
const ALIKE_MIN: usize = 3;

/// What became of the pages of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageLoss {
    /// Not there any longer.
    Gone,
    /// Leads to another place.
    Moved,
    /// Says what many others say.
    Walled,
}

/// A site that is no longer the one it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Upheaval {
    pub since: Time,
    /// What happened to most pages.
    pub loss: PageLoss,
    pub pages: usize,
    /// Where one of them leads to, or its URL.
    pub example: String,
}

impl std::fmt::Display for Upheaval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Upheaval { since, loss, pages, example } = self;
        let pages = if *pages == 1 { "1 page".to_owned() } else { format!("{pages} pages") };
        match loss {
            PageLoss::Gone => write!(
                f,
                "is not the site it was: {pages} gone since {since}, such as {example}. If it was rebuilt or moved, keep it \
                 under its new address; what is archived stays"
            ),
            PageLoss::Moved => write!(
                f,
                "is not the site it was: {pages} lead elsewhere since {since}, such as to {example}. If it moved, keep that \
                 address; if it asks for a login, it cannot be kept without one"
            ),
            PageLoss::Walled => write!(
                f,
                "is not the site it was: {pages} say the same since {since}, such as {example}: an error page, a login or a \
                 consent wall. That is not learned as change"
            ),
        }
    }
}

/// What is remembered to notice it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct LostPages {
    /// What pages said when they were last seen, by number; 0 of those never seen.
    gists: Vec<u64>,
    /// The latest pages that began to say something else, what it is and what it was.
    changed: VecDeque<(PageId, u64, u64)>,
    /// Pages that are lost, and since when.
    lost: BTreeMap<PageId, (Time, PageLoss)>,
    /// The latest visits to pages that were there once: when, and whether they found them lost.
    latest: VecDeque<(Time, PageId, bool)>,
    now: Option<Upheaval>,
}

impl LostPages {
    fn gist(&mut self, page: PageId) -> &mut u64 {
        if self.gists.len() <= page.index() {
            self.gists.resize(page.index() + 1, 0);
        }
        &mut self.gists[page.index()]
    }

    /// What the visit lost; nothing if it found the page, or says nothing about it.
    fn loss(&mut self, page: PageId, seen: &Observation) -> Option<PageLoss> {
        match &seen.outcome {
            Outcome::Gone { .. } => Some(PageLoss::Gone),
            Outcome::Redirected { .. } => Some(PageLoss::Moved),
            _ => self.is_walled(page, seen).then_some(PageLoss::Walled),
        }
    }

    /// Whether a page began to say what others began to say not long ago.
    fn is_walled(&mut self, page: PageId, seen: &Observation) -> bool {
        let (Change::New { .. }, Some(gist)) = (seen.change, seen.gist) else {
            return self.lost.get(&page).is_some_and(|(_, loss)| *loss == PageLoss::Walled)
                && seen.change == Change::Same;
        };
        let before = *self.gist(page);
        if before != gist {
            self.changed.retain(|(other, ..)| *other != page);
            self.changed.push_back((page, gist, before));
            keep_latest(&mut self.changed, ALIKE_WITHIN);
        }
        let alike = self.changed.iter().filter(|(_, other, _)| *other == gist).count();
        let is_walled = alike >= ALIKE_MIN && self.changed.iter().any(|(changed, ..)| *changed == page);
        if is_walled {
            self.lose_alike(gist, seen.answered);
        }
        is_walled
    }

    /// The first pages to say what all others say now were taken for changed: they were lost, and said something else.
    fn lose_alike(&mut self, gist: u64, now: Time) {
        let alike: Vec<_> = self.changed.iter().filter(|(_, other, _)| *other == gist).copied().collect();
        for (page, _, before) in alike {
            self.lost.entry(page).or_insert((now, PageLoss::Walled));
            *self.gist(page) = before;
            self.latest.iter_mut().filter(|(_, other, _)| *other == page).for_each(|(.., lost)| *lost = true);
        }
    }

    /// Takes in a visit to a page; whether it lost it, or found it again as it was before it was lost: both say nothing
    /// about how the page changes.
    fn observe(&mut self, page: PageId, seen: &Observation) -> bool {
        let was_there = *self.gist(page) != 0;
        let is_back = self.lost.contains_key(&page) && seen.gist == Some(*self.gist(page));
        let loss = self.loss(page, seen);
        let is_known = was_there || seen.change == Change::First;
        if seen.outcome.is_transient() || !is_known || loss.is_none() && !seen.outcome.saw_page() {
            return false;
        }
        match loss {
            // What was lost before all this is no part of it.
            Some(_)
                if self
                    .lost
                    .get(&page)
                    .is_some_and(|(since, _)| self.latest.front().is_some_and(|(at, ..)| since < at)) =>
            {
                return true;
            }
            Some(loss) => drop(self.lost.entry(page).or_insert((seen.answered, loss))),
            None => {
                self.lost.remove(&page);
                *self.gist(page) = seen.gist.unwrap_or(1).max(1);
            }
        }
        self.latest.push_back((seen.answered, page, loss.is_some()));
        keep_latest(&mut self.latest, WINDOW);
        self.judge(seen);
        loss.is_some() || is_back
    }

    fn judge(&mut self, seen: &Observation) {
        let mut lost: Vec<PageId> = self.latest.iter().filter(|(.., lost)| *lost).map(|(_, page, _)| *page).collect();
        let visits = lost.len();
        lost.sort_unstable();
        lost.dedup();
        if visits <= ENDS_AT.min(self.latest.len() / 2) {
            self.now = None;
        }
        let there = self.gists.iter().filter(|gist| **gist != 0).take(2 * PAGES_MIN).count();
        if visits * WINDOW < BEGINS_AT * self.latest.len() || lost.len() < PAGES_LEAST.max(there / 2) {
            return;
        }
        let of = |page: &PageId| self.lost.get(page).copied();
        let since = lost.iter().filter_map(|page| Some(of(page)?.0)).min().unwrap_or(seen.answered);
        let mut losses: Vec<PageLoss> = lost.iter().filter_map(|page| Some(of(page)?.1)).collect();
        losses.sort_unstable();
        let Some(&loss) = losses.get(losses.len() / 2) else { return };
        let example = match &seen.outcome {
            Outcome::Redirected { to, .. } => to.clone(),
            _ => seen.url.clone(),
        };
        let now = self.now.get_or_insert(Upheaval { since, loss, pages: 0, example });
        let pages = self.lost.values().filter(|(lost, _)| *lost >= now.since).count();
        (now.loss, now.pages) = (loss, now.pages.max(pages));
    }
}

/// Forgets the oldest.
fn keep_latest<T>(queue: &mut VecDeque<T>, len: usize) {
    queue.drain(..queue.len().saturating_sub(len));
}

impl Scheduler {
    /// Whether a visit lost the page it was to: then it says nothing about how the page changes.
    pub(super) fn learn_loss(&mut self, page: PageId, observation: &Observation) -> bool {
        let is_watching = self.settings.mode == Mode::Kept && observation.purpose != Purpose::Probe;
        is_watching && self.lost_pages.observe(page, observation)
    }

    /// That the site is no longer the one it was, while it is not.
    pub fn upheaval(&self) -> Option<&Upheaval> {
        self.lost_pages.now.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::{Request, SiteId};

    const PAGES: u32 = 30;

    fn at(hour: i64) -> Time {
        Time::from_secs(1_700_000_000 + 3600 * hour)
    }

    fn seen(page: u32, hour: i64, outcome: Outcome, change: Change, gist: Option<u64>) -> Observation {
        let url = format!("https://e.com/{page}");
        let request = Request {
            site: SiteId(0),
            page: PageId(page),
            url,
            purpose: Purpose::Visit,
            attempt: 0,
            rate: Default::default(),
        };
        Observation { change, gist, ..Observation::of(&request, at(hour), at(hour), outcome) }
    }

    fn found(page: u32, hour: i64, change: Change, gist: u64) -> Observation {
        seen(page, hour, Outcome::Body { status: 200 }, change, Some(gist))
    }

    fn new() -> Change {
        Change::New { importance: 1.0 }
    }

    /// A site of which every page was seen once.
    fn site() -> LostPages {
        let mut site = LostPages::default();
        for page in 0..PAGES {
            assert!(!site.observe(PageId(page), &found(page, 0, Change::First, 100 + u64::from(page))));
        }
        site
    }

    #[test]
    fn pages_that_change_each_in_their_own_way_are_no_upheaval() {
        let mut site = site();
        for hour in 1..200 {
            let page = (hour as u32 * 7) % PAGES;
            assert!(!site.observe(PageId(page), &found(page, hour, new(), 1000 + hour as u64)));
            assert_eq!(site.now, None);
        }
    }

    #[test]
    fn a_wall_is_noticed_after_a_few_pages_and_its_end_too() {
        let mut site = site();
        let walled: Vec<bool> =
            (0..PAGES).map(|page| site.observe(PageId(page), &found(page, 1 + i64::from(page), new(), 7))).collect();
        assert_eq!(walled.iter().filter(|walled| !**walled).count(), ALIKE_MIN - 1, "the first ones were learned");
        let upheaval = site.now.clone().expect("it is noticed");
        assert_eq!((upheaval.loss, upheaval.since <= at(4)), (PageLoss::Walled, true), "{upheaval:?}");
        assert!(site.observe(PageId(5), &found(5, 50, Change::Same, 7)), "it still stands");
        for page in 0..PAGES {
            site.observe(PageId(page), &found(page, 60, new(), 100 + u64::from(page)));
        }
        assert_eq!(site.now, None, "the site is back");
    }

    #[test]
    fn a_site_whose_pages_all_went_or_lead_elsewhere_is_noticed() {
        for (outcome, loss) in [
            (Outcome::Gone { status: 404 }, PageLoss::Gone),
            (Outcome::Redirected { status: 302, to: "https://f.com/login".into() }, PageLoss::Moved),
        ] {
            let mut site = site();
            for page in 0..PAGES {
                assert!(site.observe(PageId(page), &seen(page, 1, outcome.clone(), Change::Unknown, None)));
            }
            let upheaval = site.now.clone().expect("it is noticed");
            assert_eq!((upheaval.loss, upheaval.since), (loss, at(1)));
        }
    }

    #[test]
    fn a_few_pages_that_go_among_others_that_stay_are_no_upheaval() {
        let mut site = site();
        for hour in 1..300 {
            let page = hour as u32 % PAGES;
            match page % 4 {
                0 => drop(
                    site.observe(PageId(page), &seen(page, hour, Outcome::Gone { status: 404 }, Change::Unknown, None)),
                ),
                _ => drop(site.observe(PageId(page), &found(page, hour, Change::Same, 0))),
            }
            assert_eq!(site.now, None, "hour {hour}");
        }
    }

    #[test]
    fn a_site_of_three_pages_can_be_lost_and_one_that_is_out_of_order_is_not() {
        let mut site = LostPages::default();
        for page in 0..3 {
            site.observe(PageId(page), &found(page, 0, Change::First, 10 + u64::from(page)));
        }
        let busy = Outcome::Refused { status: 503, retry_after: None };
        for page in 0..3 {
            site.observe(PageId(page), &seen(page, 1, busy.clone(), Change::Unknown, None));
        }
        assert_eq!(site.now, None);
        for hour in 2..4 {
            for page in 0..3 {
                site.observe(PageId(page), &seen(page, hour, Outcome::Gone { status: 410 }, Change::Unknown, None));
            }
        }
        assert_eq!(site.now.as_ref().map(|now| now.loss), Some(PageLoss::Gone));
    }
}
