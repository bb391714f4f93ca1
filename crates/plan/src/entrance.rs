//! The ways into a site: where to start, how far to go from there, and what may be spent on it.
//!
//! A person may want two parts of one host, each with a reach and a budget of its own. They are one site all the same:
//! what can be reached from both is asked for once, and paid for by the first that has something left.

use crate::{Budget, Scope, ScopeRule, Settings};
use serde::{Deserialize, Serialize};
use tintype_vocab::surt;

/// One more way into a site beside the one in its [`Settings`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entrance {
    pub seeds: Vec<String>,
    pub scope: ScopeRule,
    pub budget: Budget,
    /// Links followed away from a seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth_max: Option<u16>,
}

#[derive(Debug)]
struct OpenEntrance {
    scope: Scope,
    /// What the scope was widened by.
    places: Vec<String>,
    /// What may be spent in all.
    budget: Budget,
    spent: Spent,
    depth_max: Option<u16>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    requests: u64,
    bytes: u64,
}

impl OpenEntrance {
    fn left(&self) -> Budget {
        let left = |all: Option<u64>, spent| all.map(|all| all.saturating_sub(spent));
        Budget {
            requests: left(self.budget.requests, self.spent.requests),
            bytes: left(self.budget.bytes, self.spent.bytes),
        }
    }

    fn is_spent(&self) -> bool {
        self.left().is_spent()
    }
}

/// All ways into a site, with what is left to spend on each.
#[derive(Debug)]
pub(crate) struct Entrances(Vec<OpenEntrance>);

/// What changes of an entrance: the places it was widened by, requests and bytes in all, and those spent.
pub(crate) type SavedEntrance = (Vec<String>, [Option<u64>; 2], [u64; 2]);

impl Entrances {
    pub(crate) fn save(&self) -> Vec<SavedEntrance> {
        let save = |open: &OpenEntrance| {
            let Spent { requests, bytes } = open.spent;
            (open.places.clone(), open.budget.as_pair(), [requests, bytes])
        };
        self.0.iter().map(save).collect()
    }

    /// Nothing if there are not as many as there were.
    pub(crate) fn restore(settings: &Settings, saved: Vec<SavedEntrance>) -> Option<Entrances> {
        let mut entrances = Entrances::new(settings);
        (entrances.0.len() == saved.len()).then_some(())?;
        for (nth, (places, budget, [requests, bytes])) in saved.into_iter().enumerate() {
            places.iter().for_each(|place| entrances.widen(nth, place));
            entrances.0[nth].budget = Budget::from_pair(budget);
            entrances.0[nth].spent = Spent { requests, bytes };
        }
        Some(entrances)
    }

    pub(crate) fn new(settings: &Settings) -> Entrances {
        let first = (&settings.scope, settings.budget, settings.depth_max);
        let more = settings.more.iter().map(|more| (&more.scope, more.budget, more.depth_max));
        let open = |(scope, budget, depth_max): (&ScopeRule, _, _)| OpenEntrance {
            scope: Scope::new(scope.clone()),
            places: Vec::new(),
            budget,
            spent: Spent::default(),
            depth_max,
        };
        Entrances(std::iter::once(first).chain(more).map(open).collect())
    }

    /// Takes in the place of a seed of one entrance.
    pub(crate) fn widen(&mut self, entrance: usize, url: &str) {
        self.0[entrance].scope.widen(url);
        self.0[entrance].places.push(url.to_owned());
    }

    /// Takes in the place a seed redirects to, whichever entrance it belongs to.
    pub(crate) fn move_to(&mut self, from: &str, to: &str) {
        let key = surt(from);
        let entrance = self.0.iter().position(|open| open.scope.contains(&key)).unwrap_or(0);
        self.widen(entrance, to);
    }

    /// Whether the page with this key belongs to the capture.
    pub(crate) fn contains(&self, key: &str) -> bool {
        self.0.iter().any(|open| open.scope.contains(key))
    }

    /// Whether the whole host of this key belongs, so that its sitemap may be asked for.
    pub(crate) fn spans_host(&self, key: &str) -> bool {
        self.0.iter().any(|open| open.scope.contains(key) && open.scope.spans_hosts())
    }

    /// Whether a page is too many links away from a seed.
    pub(crate) fn is_too_deep(&self, key: &str, depth: u16) -> bool {
        let too_deep = |open: &OpenEntrance| open.depth_max.is_some_and(|max| depth > max);
        match self.0.as_slice() {
            [only] => too_deep(only),
            all => all.iter().filter(|open| open.scope.contains(key)).all(too_deep),
        }
    }

    /// From now on so much may be spent on each in all; what was spent stays spent.
    pub(crate) fn allow(&mut self, budgets: &[[Option<u64>; 2]]) {
        for (open, budget) in self.0.iter_mut().zip(budgets) {
            open.budget = Budget::from_pair(*budget);
        }
    }

    /// What may be spent on each in all, requests and bytes.
    pub(crate) fn allowed(&self) -> Vec<[Option<u64>; 2]> {
        self.0.iter().map(|open| open.budget.as_pair()).collect()
    }

    /// What is left in all.
    pub(crate) fn budget(&self) -> Budget {
        let sum = |of: fn(&Budget) -> Option<u64>| {
            self.0.iter().map(|open| of(&open.left())).try_fold(0u64, |sum, left| Some(sum.saturating_add(left?)))
        };
        Budget { requests: sum(|budget| budget.requests), bytes: sum(|budget| budget.bytes) }
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.0.iter().all(OpenEntrance::is_spent)
    }

    /// Whether any entrance that leads to a page still has something to spend on it.
    pub(crate) fn can_pay_for(&self, url: &str) -> bool {
        !self.0[self.payer(url)].is_spent()
    }

    pub(crate) fn spend_request(&mut self, url: &str) {
        let payer = self.payer(url);
        self.0[payer].spent.requests += 1;
    }

    pub(crate) fn spend_bytes(&mut self, url: &str, bytes: u64) {
        let payer = self.payer(url);
        self.0[payer].spent.bytes += bytes;
    }

    /// The first entrance that leads to a page and has something left. What a page is made of may lie outside: any pays.
    fn payer(&self, url: &str) -> usize {
        if self.0.len() == 1 {
            return 0;
        }
        let key = surt(url);
        let leads: Vec<usize> = (0..self.0.len()).filter(|nth| self.0[*nth].scope.contains(&key)).collect();
        let leads = if leads.is_empty() { (0..self.0.len()).collect() } else { leads };
        leads.iter().copied().find(|nth| !self.0[*nth].is_spent()).unwrap_or(leads[0])
    }
}
