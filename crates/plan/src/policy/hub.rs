//! Pages that are visited for what they tell: sitemaps.
//!
//! A reading costs a request and tells of pages that have changed, or of new ones, each of which then costs a request as
//! well: n pages told of are n versions for n + 1 requests, where the dates are right. That is held against the chance that
//! the best page to visit has changed. How many pages a reading tells of is expected from what is believed of them, and
//! from how far that was right at earlier readings.

use serde::{Deserialize, Serialize};
use tintype_vocab::{PageId, Time};

/// Pages that change oftenest are looked at one by one, the others together.
const HOT_MAX: usize = 32;
/// Visits after which it is found out anew which these are.
const SORT_AFTER: u32 = 100;
/// Imaginary pages told of as expected.
const TOLD_STRENGTH: f64 = 2.0;
/// Old readings count less with every new one.
const READINGS_KEPT: f64 = 0.95;
/// Days without a new page that a sitemap begins with.
const BIRTHLESS_DAYS: f64 = 1.0;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Hub {
    page: PageId,
    read: Time,
    is_under_way: bool,
    /// Pages it told of, and those it was expected to.
    told: f64,
    expected: f64,
    /// New pages it named, in so many days.
    born: f64,
    days: f64,
    /// What the reading under way is expected to tell of.
    expects: f64,
}

impl Hub {
    fn new(page: PageId, read: Time) -> Hub {
        let (told, expected) = (TOLD_STRENGTH, TOLD_STRENGTH);
        Hub { page, read, is_under_way: false, told, expected, born: 0.0, days: BIRTHLESS_DAYS, expects: 0.0 }
    }

    /// Pages to be told of: changed ones, and new ones.
    fn tells(&self, now: Time, changed: f64) -> (f64, f64) {
        let days = (now - self.read).as_days_f64().max(0.0);
        (changed * self.told / self.expected, days * self.born / self.days)
    }
}

/// What is believed of the pages that a hub may tell of.
pub(super) trait Telling {
    fn per_day(&self, page: PageId) -> f64;
    /// The chance that a page has changed that nothing was told of; none of a page that was told of.
    fn chance(&self, page: PageId) -> f64;
    /// Days between two moments as the site counts them: its nights are short.
    fn days(&self, from: Time, to: Time) -> f64;
    /// The chance that what is told is right.
    fn is_right(&self) -> f64;
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Hubs {
    hubs: Vec<Hub>,
    hot: Vec<PageId>,
    /// Changes a day of all pages that are not hot.
    rest_per_day: f64,
    unsorted: u32,
    /// Pages that became known since the latest choice.
    born: u32,
}

impl Hubs {
    pub(super) fn is_empty(&self) -> bool {
        self.hubs.is_empty()
    }

    pub(super) fn take_out(&mut self, page: PageId) {
        self.hubs.retain(|hub| hub.page != page);
    }

    /// A page became known.
    pub(super) fn count_birth(&mut self) {
        self.born += 1;
    }

    /// A choice is about to be made.
    pub(super) fn forget_births(&mut self) {
        self.born = 0;
    }

    /// The hub was read, and told of so many pages.
    pub(super) fn read(&mut self, page: PageId, now: Time, told: usize) {
        let born = f64::from(std::mem::take(&mut self.born));
        let Some(hub) = self.hubs.iter_mut().find(|hub| hub.page == page) else {
            // What the first reading brings was there before and says nothing of the next.
            return self.hubs.push(Hub::new(page, now));
        };
        let days = (now - hub.read).as_days_f64().max(0.0);
        let fade = |sum: f64, one: f64| READINGS_KEPT * (sum - TOLD_STRENGTH) + one + TOLD_STRENGTH;
        // Of a reading that an earlier run chose, what it expected is not known.
        if hub.is_under_way {
            (hub.told, hub.expected) = (fade(hub.told, told as f64), fade(hub.expected, hub.expects));
        }
        (hub.born, hub.days) = (READINGS_KEPT * hub.born + born, READINGS_KEPT * hub.days + days);
        (hub.read, hub.is_under_way) = (now, false);
    }

    /// Finds out now and then which pages change oftenest.
    pub(super) fn sort(&mut self, pages: impl Iterator<Item = PageId>, about: &impl Telling) {
        self.unsorted = match self.unsorted {
            0 => SORT_AFTER,
            left => return self.unsorted = left - 1,
        };
        let mut rates: Vec<(f64, PageId)> = pages.map(|page| (about.per_day(page), page)).collect();
        rates.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        self.rest_per_day = rates.iter().skip(HOT_MAX).map(|(rate, _)| rate).sum();
        self.hot = rates.iter().take(HOT_MAX).map(|(_, page)| *page).collect();
    }

    /// The hub to read now rather than visit a page that is worth so much, if there is one.
    pub(super) fn better_than(&mut self, worth: f64, now: Time, about: &impl Telling) -> Option<PageId> {
        let (_, page) = self.best(now, about).filter(|(gain, _)| *gain > worth)?;
        self.choose(page, now, about);
        Some(page)
    }

    /// If this is a hub it is about to be read.
    pub(super) fn choose(&mut self, page: PageId, now: Time, about: &impl Telling) {
        let Some(nth) = self.hubs.iter().position(|hub| hub.page == page) else { return };
        let changed = self.changed(&self.hubs[nth], now, about);
        (self.hubs[nth].is_under_way, self.hubs[nth].expects) = (true, changed);
    }

    /// Versions for a request that the best hub is expected to bring.
    pub(super) fn bid(&self, now: Time, about: &impl Telling) -> f64 {
        self.best(now, about).map_or(0.0, |(gain, _)| gain)
    }

    /// How many pages have changed that a hub may tell of.
    fn changed(&self, hub: &Hub, now: Time, about: &impl Telling) -> f64 {
        let hot: f64 = self.hot.iter().map(|page| about.chance(*page)).sum();
        hot + self.rest_per_day * about.days(hub.read, now).max(0.0)
    }

    /// The best hub to read, and what it brings for a request.
    fn best(&self, now: Time, about: &impl Telling) -> Option<(f64, PageId)> {
        let right = about.is_right();
        let gain = |hub: &Hub| {
            let (told, born) = hub.tells(now, self.changed(hub, now, about));
            (right * told + born) / (told + born + 1.0)
        };
        let gains = self.hubs.iter().filter(|hub| !hub.is_under_way).map(|hub| (gain(hub), hub.page));
        gains.reduce(|best, next| if next.0 > best.0 { next } else { best })
    }
}
