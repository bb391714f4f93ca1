//! What every learner is: something that folds observations into beliefs, can be summed with what another worker learned,
//! kept as bytes and read again.
//!
//! To add one: one file with an `impl Learner`, one line in [`crate::learners::LEARNERS`]; the suite in
//! `tests/suite/every_learner.rs` then checks it unasked. What all learners of a site believe is its
//! [`crate::knowledge::Knowledge`].

use crate::forecast::Clues;
use std::{any::Any, fmt};
use tintype_vocab::{ChangeRate, LinkKind, Mention, Observation, Outcome, Purpose, Time};

/// The number of a page among all that a knowledge has ever heard of: a place in its learners' vectors. A run numbers its
/// pages anew ([`tintype_vocab::PageId`]), so the two are different types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct PageSlot(pub u32);

impl PageSlot {
    /// A page of which nothing is known.
    pub const NONE: PageSlot = PageSlot(u32::MAX);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The page that something is learned or asked about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    pub slot: PageSlot,
    /// A hash of what tells the page from all others ([`crate::knowledge::name`]), the same in every run.
    pub name: u64,
    pub url: &'a str,
    /// How it was first linked.
    pub kind: LinkKind,
    /// How that link was written.
    pub mention: Mention,
    /// Links from the entrance.
    pub depth: u16,
}

/// What was known when an observation was made.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// When the page became known.
    pub known_since: Time,
    /// The latest visit before, if there was one.
    pub last: Option<Time>,
    /// How often the page was thought to change.
    pub rate: ChangeRate,
    /// The same by what is learned of all pages of a site together.
    pub per_day: f64,
    /// Changes to be expected since the latest visit, hints left aside.
    pub expected: f64,
    /// The bytes are those of before, and yet there was another version meanwhile.
    pub came_back: bool,
    /// Known pages it links, with the fingerprints of their wording ([`tintype_vocab::Link`]).
    pub linked: &'a [(PageSlot, u32)],
    /// Known pages that it dates, if it is a sitemap, and when it says they changed.
    pub dated: &'a [(PageSlot, Time)],
    /// Changes to be expected because a sitemap told of them.
    pub told: f64,
    /// Of the changes expected, the share that none would have told of yet.
    pub untold_share: f64,
    /// What there was to foretell this visit from, where somebody does.
    pub clues: Option<&'a Clues>,
}

impl Context<'_> {
    /// A page that becomes known with this visit and of which nothing else is.
    pub fn first(now: Time) -> Context<'static> {
        let rate = ChangeRate::default();
        let per_day = f64::from(rate.per_day);
        Context {
            known_since: now,
            last: None,
            rate,
            per_day,
            came_back: false,
            expected: 0.0,
            linked: &[],
            dated: &[],
            told: 0.0,
            untold_share: 1.0,
            clues: None,
        }
    }
}

/// What an observation moved besides the belief of its own page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// The beliefs of all pages may have moved.
    pub moved_all: bool,
    /// Pages that are likelier to have changed than a moment ago.
    pub hinted: Vec<PageSlot>,
}

/// Folds observations into beliefs.
pub trait Learner: Any + fmt::Debug + Send + Sync {
    /// Its name in [`crate::learners::LEARNERS`].
    fn name(&self) -> &'static str;

    /// Whether it learns what another that has seen nothing would: the same, with the same parameters.
    fn fits(&self, wanted: &dyn Learner) -> bool {
        self.name() == wanted.name()
    }

    /// One with the same parameters that has seen nothing.
    fn blank(&self) -> Box<dyn Learner>;

    /// Folds in one observation. Each is given once, in order of time for any one page.
    fn observe(&mut self, page: &Subject<'_>, seen: &Observation, context: &Context<'_>) -> Effect;

    /// Adds what the same learner learned from another log; `slots` says which number here each of its pages has, none
    /// if it is no page. Another learner's beliefs, or those of one made with other parameters, are left alone.
    fn merge(&mut self, other: &dyn Learner, slots: &[PageSlot]);

    /// All it knows, its parameters included.
    fn save(&self) -> Vec<u8>;

    /// Bytes it takes in memory.
    fn bytes(&self) -> usize;

    /// What decisions about a page are made from, in words and numbers.
    fn believes(&self, page: &Subject<'_>, at: Time) -> Vec<(&'static str, f64)>;
}

/// The same learner, if another is one.
pub(crate) fn same<L: Learner>(other: &dyn Learner) -> Option<&L> {
    (other as &dyn Any).downcast_ref()
}

/// Whether a visit said anything about its page: rules of a host do not, nor does a page that is gone.
pub fn speaks_of_page(seen: &Observation) -> bool {
    seen.purpose != Purpose::Robots && !matches!(seen.outcome, Outcome::Gone { .. })
}
