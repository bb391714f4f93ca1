//! Kinds of URLs, and which of them a site makes without end.
//!
//! URLs that differ in numbers, in the values of their queries, or in how often they repeat a directory are a family. Where
//! nearly all pages of one say what another page said before, more of them would too: calendars, sessions, sorted lists,
//! directories that contain themselves. They wait until nothing else is left, and after so many repeats the rest is left
//! out: soon where values are made up, later where pages are merely numbered, as real ones are too. A family that feeds on
//! itself without repeating anything is captured whole, but does not keep the rest of the site waiting.

mod pattern;

use hashbrown::{HashMap, HashSet};
use pattern::Pattern;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use tintype_vocab::{LinkKind, PageId};

/// Pages of a family that only repeated others before the rest of the site comes first.
const REPEATS_MIN: u32 = 16;
/// Repeats for every page that said something new.
const REPEATS_PER_NEW: u32 = 4;
/// Repeats that are asked for in all, to see whether a family ends after all.
const REPEATS_MAX: u32 = 32;
/// The same where URLs differ in plain numbers only: small sites number pages that say next to nothing.
const NUMBERED_REPEATS_MAX: u32 = 500;
/// Visits a family has had before it may be thought to starve others.
const VISITS_MANY: u32 = 128;
/// What is remembered: beyond this nothing is limited.
const FAMILIES_MAX: usize = 1 << 18;
const GISTS_MAX: usize = 1 << 20;
/// Families cut short that are named.
const NAMED_MAX: usize = 5;

/// Of no family.
const NONE: u32 = (1 << 30) - 1;
/// A page that is asked for whatever its family is like.
const TRUSTED: u32 = 1 << 30;
/// A page that said what another said before.
const REPEATS: u32 = 1 << 31;

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Family {
    /// One that this is a part of, or [`NONE`].
    broader: u32,
    known: u32,
    /// Those that were found on pages of the same family.
    found_within: u32,
    waiting: u32,
    visits: u32,
    new: u32,
    repeats: u32,
    /// Whether its URLs differ in plain numbers only.
    is_numbered: bool,
}

impl Family {
    fn repeats_itself(&self) -> bool {
        self.repeats >= REPEATS_MIN && self.repeats > REPEATS_PER_NEW * self.new
    }

    fn repeats_max(&self) -> u32 {
        if self.is_numbered { NUMBERED_REPEATS_MAX } else { REPEATS_MAX }
    }

    fn is_over(&self) -> bool {
        self.repeats_itself() && self.repeats >= self.repeats_max()
    }

    /// Whether no more of its URLs need be known.
    fn is_full(&self) -> bool {
        self.is_over() || self.repeats_itself() && self.known >= 2 * self.repeats_max()
    }
}

/// How a page came to be known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// The page it was found on.
    pub(crate) on: Option<PageId>,
    pub(crate) kind: LinkKind,
    /// Whether a person, or an earlier capture, vouches for it.
    pub(crate) is_vouched_for: bool,
}

/// All families of a site.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Families {
    by_key: HashMap<u64, u32>,
    list: Vec<Family>,
    /// By page, with [`TRUSTED`] and [`REPEATS`].
    of_page: Vec<u32>,
    gists: HashSet<u64>,
    visits: u64,
    waiting: u64,
    /// Whether any family may be.
    was_full: bool,
    held_back: VecDeque<PageId>,
    /// Forms of URLs that were left out.
    named: Vec<String>,
    unnamed: u64,
}

impl Families {
    /// Whether a new URL is one of many that only repeat each other.
    pub(crate) fn refuses(&mut self, url: &str, found: Found) -> bool {
        // Most sites never repeat themselves that often.
        if !self.was_full {
            return false;
        }
        let pattern = Pattern::of(url);
        if self.trusts(&pattern, found) {
            return false;
        }
        let family = self.by_key.get(&pattern.key()).copied();
        let broader = pattern.broader().and_then(|key| self.by_key.get(&key).copied());
        let refuses = [family, broader].into_iter().flatten().any(|number| self.list[number as usize].is_full());
        if refuses {
            self.name(&pattern);
        }
        refuses
    }

    /// What a person named, what a sitemap lists, and what a page links that says something new is asked for; but under
    /// a query anything can be linked from anywhere.
    fn trusts(&self, pattern: &Pattern, found: Found) -> bool {
        let on_repeat = found.on.is_some_and(|page| self.repeats(page));
        found.is_vouched_for || found.kind != LinkKind::Anchor || !pattern.has_values && !on_repeat
    }

    fn name(&mut self, pattern: &Pattern) {
        let name = pattern.to_string();
        if self.named.contains(&name) {
            return;
        }
        match self.named.len() < NAMED_MAX {
            true => self.named.push(name),
            false => self.unnamed += 1,
        }
    }

    /// The forms of URLs that were left out, in words.
    pub(crate) fn told(&self) -> String {
        let more = if self.unnamed > 0 { " and others" } else { "" };
        format!("{}{more}", self.named.join(", "))
    }

    /// A page becomes known.
    pub(crate) fn enter(&mut self, page: PageId, url: &str, found: Found) {
        let pattern = Pattern::of(url);
        let broader = pattern.broader().map_or(NONE, |key| self.number(key, NONE));
        let number = self.number(pattern.key(), broader);
        for number in [number, broader] {
            if let Some(family) = self.list.get_mut(number as usize) {
                family.is_numbered &= pattern.is_numbered;
            }
        }
        let trusted = if self.trusts(&pattern, found) { TRUSTED } else { 0 };
        if self.of_page.len() <= page.index() {
            self.of_page.resize(page.index() + 1, NONE | TRUSTED);
        }
        self.of_page[page.index()] = number | trusted;
        let on = found.on.map(|on| self.with_broader(self.family_number(on)));
        for number in [number, broader] {
            if let Some(family) = self.list.get_mut(number as usize) {
                family.known += 1;
                family.found_within += u32::from(on.is_some_and(|on| on.contains(&number)));
            }
        }
    }

    fn number(&mut self, key: u64, broader: u32) -> u32 {
        if let Some(number) = self.by_key.get(&key) {
            return *number;
        }
        if self.list.len() >= FAMILIES_MAX {
            return NONE;
        }
        let number = self.list.len() as u32;
        self.by_key.insert(key, number);
        let counts =
            Family { broader, known: 0, found_within: 0, waiting: 0, visits: 0, new: 0, repeats: 0, is_numbered: true };
        self.list.push(counts);
        number
    }

    fn family_number(&self, page: PageId) -> u32 {
        self.of_page.get(page.index()).map_or(NONE, |number| number & NONE)
    }

    /// A family and the one it is a part of.
    fn with_broader(&self, number: u32) -> [u32; 2] {
        [number, self.list.get(number as usize).map_or(NONE, |family| family.broader)]
    }

    fn family(&self, page: PageId) -> Option<&Family> {
        self.list.get(self.family_number(page) as usize)
    }

    fn repeats(&self, page: PageId) -> bool {
        self.of_page.get(page.index()).is_some_and(|number| number & REPEATS != 0)
    }

    fn is_trusted(&self, page: PageId) -> bool {
        self.of_page.get(page.index()).is_none_or(|number| number & TRUSTED != 0)
    }

    /// A page begins or ceases to wait.
    pub(crate) fn count(&mut self, page: PageId, change: i32) {
        self.waiting = self.waiting.saturating_add_signed(change.into());
        for number in self.with_broader(self.family_number(page)) {
            if let Some(family) = self.list.get_mut(number as usize) {
                family.waiting = family.waiting.saturating_add_signed(change);
            }
        }
    }

    /// The first answer of a page: whether it says what another said before, if it says anything.
    pub(crate) fn settle(&mut self, page: PageId, gist: Option<u64>) {
        self.visits += 1;
        let number = self.family_number(page);
        let is_new = gist.map(|gist| self.is_new(gist));
        if is_new == Some(false) && page.index() < self.of_page.len() {
            self.of_page[page.index()] |= REPEATS;
        }
        for number in self.with_broader(number) {
            if let Some(family) = self.list.get_mut(number as usize) {
                family.visits += 1;
                family.new += u32::from(is_new == Some(true));
                family.repeats += u32::from(is_new == Some(false));
                self.was_full |= family.repeats_itself();
            }
        }
    }

    fn is_new(&mut self, gist: u64) -> bool {
        match self.gists.len() < GISTS_MAX {
            true => self.gists.insert(gist),
            false => !self.gists.contains(&gist),
        }
    }

    fn is(&self, page: PageId, what: fn(&Family) -> bool) -> bool {
        let Some(family) = self.family(page).filter(|_| !self.is_trusted(page)) else { return false };
        what(family) || self.list.get(family.broader as usize).is_some_and(what)
    }

    /// Puts a page that was chosen aside, if others should come first.
    pub(crate) fn hold_back(&mut self, page: PageId) -> bool {
        let waits = self.is(page, Family::repeats_itself) || self.starves_others(page);
        if waits {
            self.held_back.push_back(page);
        }
        waits
    }

    /// Whether a family that feeds on itself, or a whole branch of the site that does, has had most of all visits while
    /// other pages wait.
    fn starves_others(&self, page: PageId) -> bool {
        let families = self.with_broader(self.family_number(page));
        families.iter().filter_map(|number| self.list.get(*number as usize)).any(|family| {
            family.visits >= VISITS_MANY
                && 2 * family.found_within >= family.known
                && 2 * u64::from(family.visits) > self.visits
                && self.waiting > family.waiting.into()
        })
    }

    /// A page that was put aside, and whether it need not be asked for after all.
    pub(crate) fn release(&mut self) -> Option<(PageId, bool)> {
        let page = self.held_back.pop_front()?;
        Some((page, self.is(page, Family::is_over)))
    }

    /// A page that was put aside is left out.
    pub(crate) fn leave_out(&mut self, url: &str) {
        self.name(&Pattern::of(url));
    }
}
