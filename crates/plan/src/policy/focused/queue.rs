//! A queue of fixed size: the most promising page leaves it first, and the least promising one when there is no room.

use serde::{Deserialize, Serialize};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
};
use tintype_vocab::PageId;

/// How many pages may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    pub pages: usize,
    /// Of one registered domain.
    pub per_domain: Option<usize>,
}

impl Bounds {
    pub const NONE: Bounds = Bounds { pages: usize::MAX, per_domain: None };
    /// The queue of the paper.
    pub const PAPER: Bounds = Bounds { pages: 10_000, per_domain: Some(10) };
}

/// Pages of one kind that stay.
const FEW: u32 = 8;

/// What a page is worth, and whose turn it is among equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(in crate::policy) struct Worth {
    /// Worths are not negative, and such floats order like their bits.
    bits: u32,
    turn: u32,
}

impl Worth {
    /// Among equals the page known first comes first.
    pub(in crate::policy) fn oldest_first(worth: f32, page: PageId) -> Worth {
        Worth { bits: worth.max(0.0).to_bits(), turn: !page.0 }
    }

    /// Among equals the page known last comes first.
    pub(super) fn newest_first(worth: f32, page: PageId) -> Worth {
        Worth { bits: worth.max(0.0).to_bits(), turn: page.0 }
    }
}

type Rank = (Worth, PageId);

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Held {
    worth: Worth,
    /// By hash; 0 for all where nobody counts.
    domain: u64,
}

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::policy) struct Queue {
    bounds: Bounds,
    held: HashMap<PageId, Held>,
    ranks: BTreeSet<Rank>,
    domains: BTreeMap<u64, BTreeSet<Rank>>,
}

impl Queue {
    pub(in crate::policy) fn new(bounds: Bounds) -> Queue {
        Queue { bounds, held: HashMap::new(), ranks: BTreeSet::new(), domains: BTreeMap::new() }
    }

    pub(in crate::policy) fn len(&self) -> usize {
        self.held.len()
    }

    pub(super) fn holds(&self, page: PageId) -> bool {
        self.held.contains_key(&page)
    }

    pub(super) fn pages(&self) -> Vec<PageId> {
        self.ranks.iter().rev().map(|(_, page)| *page).collect()
    }

    /// Takes a page in; gives the one that has to leave for it, which may be itself.
    pub(in crate::policy) fn push(&mut self, page: PageId, worth: Worth, url: &str) -> Option<PageId> {
        let domain = self.bounds.per_domain.map_or(0, |_| domain(url));
        self.insert(page, worth, domain);
        let crowded = self.bounds.per_domain.and_then(|limit| {
            let ranks = self.domains.get(&domain).filter(|ranks| ranks.len() > limit)?;
            ranks.first().copied()
        });
        let full = if self.len() > self.bounds.pages { self.ranks.first().copied() } else { None };
        let (_, least) = crowded.or(full)?;
        self.remove(least);
        Some(least)
    }

    /// Gives pages up until only so many are left; those that are given up come in order of promise. A few of every kind
    /// stay whatever is thought of them: they may be the only way to what nobody has seen yet.
    pub(super) fn thin(&mut self, room: usize, kind: impl Fn(PageId) -> u64) -> Vec<PageId> {
        let mut of_kind: HashMap<u64, u32> = HashMap::new();
        let mut claim = |(worth, page): &Rank| {
            let nth = of_kind.entry(kind(*page)).or_default();
            *nth += 1;
            (*nth <= FEW, *worth)
        };
        let mut claims: Vec<((bool, Worth), Rank)> = self.ranks.iter().rev().map(|rank| (claim(rank), *rank)).collect();
        claims.sort_unstable_by_key(|entry| Reverse(*entry));
        let surplus: Vec<PageId> = claims.drain(room.min(claims.len())..).map(|(_, (_, page))| page).collect();
        surplus.iter().for_each(|page| self.remove(*page));
        surplus
    }

    fn insert(&mut self, page: PageId, worth: Worth, domain: u64) {
        self.remove(page);
        self.held.insert(page, Held { worth, domain });
        self.ranks.insert((worth, page));
        if self.bounds.per_domain.is_some() {
            self.domains.entry(domain).or_default().insert((worth, page));
        }
    }

    /// The most promising page.
    pub(in crate::policy) fn best(&self) -> Option<PageId> {
        self.ranks.last().map(|(_, page)| *page)
    }

    /// A page that is held is worth something else now.
    pub(super) fn set(&mut self, page: PageId, worth: Worth) {
        if let Some(held) = self.held.get(&page).copied().filter(|held| held.worth != worth) {
            self.insert(page, worth, held.domain);
        }
    }

    pub(in crate::policy) fn remove(&mut self, page: PageId) {
        let Some(held) = self.held.remove(&page) else { return };
        let rank = (held.worth, page);
        self.ranks.remove(&rank);
        if let Some(ranks) = self.domains.get_mut(&held.domain) {
            ranks.remove(&rank);
            if ranks.is_empty() {
                self.domains.remove(&held.domain);
            }
        }
    }
}

/// The registered domain of a URL, or its host where there is none.
fn domain(url: &str) -> u64 {
    let host = url.split("://").nth(1).unwrap_or(url);
    let host = host.split(['/', '?', '#', ':']).next().unwrap_or(host);
    rapidhash::v3::rapidhash_v3(psl::domain_str(host).unwrap_or(host).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn domains_are_those_that_somebody_registered() {
        assert_eq!(domain("http://a.example.co.uk/x"), domain("https://b.example.co.uk:81"));
        assert_ne!(domain("http://example.co.uk/"), domain("http://other.co.uk/"));
        assert_ne!(domain("http://localhost/"), domain("http://127.0.0.1/"));
    }

    #[test]
    fn the_least_promising_page_of_a_crowded_domain_leaves() {
        let mut queue = Queue::new(Bounds { pages: 3, per_domain: Some(2) });
        assert_eq!(queue.push(PageId(0), Worth::oldest_first(0.5, PageId(0)), "http://a.com/0"), None);
        assert_eq!(queue.push(PageId(1), Worth::oldest_first(0.1, PageId(1)), "http://b.com/1"), None);
        assert_eq!(queue.push(PageId(2), Worth::oldest_first(0.4, PageId(2)), "http://a.com/2"), None);
        assert_eq!(
            queue.push(PageId(3), Worth::oldest_first(0.9, PageId(3)), "http://a.com/3"),
            Some(PageId(2)),
            "not the least promising of all"
        );
        assert_eq!(
            queue.push(PageId(4), Worth::oldest_first(0.2, PageId(4)), "http://c.com/4"),
            Some(PageId(1)),
            "there is no more room"
        );
        assert_eq!(queue.best(), Some(PageId(3)));
    }

    /// A hundred pages of one kind and a single one that is thought little of.
    #[test]
    fn the_only_page_of_its_kind_stays_when_many_of_another_are_given_up() {
        let mut queue = Queue::new(Bounds::NONE);
        for page in 0..100 {
            queue.push(PageId(page), Worth::oldest_first(0.5 + page as f32 / 1000.0, PageId(page)), "http://e.com/");
        }
        queue.push(PageId(100), Worth::oldest_first(0.1, PageId(100)), "http://e.com/");
        let given_up = queue.thin(20, |page| u64::from(page.0 == 100));
        assert_eq!((given_up.len(), queue.len()), (81, 20));
        assert!(!given_up.contains(&PageId(100)) && !given_up.contains(&PageId(99)) && given_up.contains(&PageId(0)));
        assert_eq!(queue.thin(20, |_| 0), []);
    }

    proptest! {
        #[test]
        fn it_holds_what_sorting_would_keep(worths in proptest::collection::vec(0u8..20, 1..60), room in 1usize..20) {
            let mut queue = Queue::new(Bounds { pages: room, per_domain: None });
            for (page, worth) in worths.iter().enumerate() {
                queue.push(PageId(page as u32), Worth::oldest_first(f32::from(*worth), PageId(page as u32)), "http://e.com/");
            }
            let mut sorted: Vec<(u8, Reverse<u32>)> =
                worths.iter().zip(0..).map(|(worth, page)| (*worth, Reverse(page))).collect();
            sorted.sort_unstable_by_key(|entry| Reverse(*entry));
            for (_, Reverse(page)) in sorted.into_iter().take(room) {
                let best = queue.best();
                prop_assert_eq!(best, Some(PageId(page)));
                queue.remove(PageId(page));
            }
            prop_assert_eq!((queue.best(), queue.len()), (None, 0));
        }
    }
}
