//! All a policy may see, all it may answer, and what it is.

use crate::{Budget, Dice, MediaFilter, Pages, Skipped, WarmTerms};
use tintype_learn::{
    knowledge::{Knowledge, Learned},
    learner::Learner,
};
use tintype_vocab::{Observation, PageId, Span, Time};

/// All a policy may see.
#[derive(Debug)]
pub struct View<'a> {
    /// The moment this is about: of the question, of the discovery, of the answer.
    pub now: Time,
    pub pages: &'a Pages,
    /// All that is believed of the site.
    pub knowledge: &'a Knowledge,
    /// After a visit: what it taught besides.
    pub learned: &'a Learned,
    /// What is wanted, and what is known of where it is.
    pub media: MediaFilter<'a>,
    /// After a visit: the known pages it links, with the fingerprints of their wording ([`tintype_vocab::Link`]).
    pub linked: &'a [(PageId, u32)],
    pub budget: Budget,
    /// How long one request takes, pause included.
    pub slot: Span,
    /// Pages the site is expected to have: by a person, or as many as the last capture knew; 0 if nobody knows.
    pub expected_pages: usize,
    /// The moment the capture is meant for, if a person named one.
    pub as_of: Option<Time>,
    /// The chance to change above which a page is given up for proof, if a person named one.
    pub hopeless_above: Option<f64>,
    /// Changes that may be lost by what is skipped, of those there are.
    pub loss: f64,
    /// By which rules WARM skips.
    pub warm: &'a WarmTerms,
    /// Whether a person asked for proof: every page a second time.
    pub revisit: bool,
    /// Pages that were never answered and may still be: waiting, in flight, or to be tried again.
    pub unanswered: usize,
    pub dice: Dice,
}

/// Nothing is wanted in particular, and nothing was learned.
#[cfg(test)]
static NOTHING: std::sync::LazyLock<(crate::MediaRules, Knowledge, Learned, WarmTerms)> =
    std::sync::LazyLock::new(Default::default);

#[cfg(test)]
use tintype_learn::directory::LOSS_SHARE;

#[cfg(test)]
impl<'a> View<'a> {
    /// Nothing but pages at a moment.
    pub(super) fn of(pages: &'a Pages, now: Time) -> View<'a> {
        View {
            now,
            pages,
            knowledge: &NOTHING.1,
            learned: &NOTHING.2,
            media: MediaFilter { rules: &NOTHING.0, model: NOTHING.1.media() },
            linked: &[],
            budget: Budget::default(),
            slot: Span::ZERO,
            expected_pages: 0,
            as_of: None,
            hopeless_above: None,
            loss: LOSS_SHARE,
            warm: &NOTHING.3,
            revisit: false,
            unanswered: 0,
            dice: Dice::new(0, 0),
        }
    }
}

impl View<'_> {
    /// Requests that can be made before the moment the capture is meant for, if a person named one.
    pub(super) fn slots_to_moment(&self) -> Option<usize> {
        let left = self.as_of?.as_millis().saturating_sub(self.now.as_millis()).max(0);
        usize::try_from(left / self.slot.as_millis().max(1)).ok()
    }

    /// Visits for so many pages: two each, or what the budget leaves.
    pub(super) fn visits(&self, pages: usize) -> usize {
        let left = self.budget.requests.map_or(usize::MAX, |left| left as usize);
        (2 * pages).min(left)
    }
}

/// All a policy may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A page that waits.
    Visit(PageId),
    /// A page that was answered, once more.
    Revisit(PageId),
    WaitUntil(Time),
    /// Nothing more to ask for with what is known now.
    Done,
}

/// Chooses the next request. The scheduler calls [`Policy::on_known`] for every page that joins the frontier and
/// [`Policy::on_observation`] for every settled visit, and skips a chosen page that needs no visit any more. A policy
/// that chose a page does not choose it again before it was observed; whether it may be asked for once more (its state
/// is `Waiting`) depends on the run, not on the policy. In a capture a policy that [`Policy::looks_again`] may revisit
/// pages.
pub trait Policy: std::fmt::Debug + Send {
    fn on_known(&mut self, page: PageId, view: &View<'_>);
    fn choose(&mut self, now: Time, view: &View<'_>) -> Choice;
    /// The learners it reads, as they are before anything was seen. A run learns with these and no others: most take hundreds
    /// of bytes a page.
    fn learns(&self) -> Vec<Box<dyn Learner>> {
        Vec::new()
    }
    /// Whether pages that were answered may be chosen again, given whether a person asked for that.
    fn looks_again(&self, _revisit: bool) -> bool {
        false
    }
    /// Of one that looks again, when no page waits: whether it wants none of them any more. Asked without regard to
    /// politeness, so that a run ends with its last answer and not with a pause.
    fn has_nothing_left(&self, _view: &View<'_>) -> bool {
        true
    }
    /// Of one that leaves known pages alone on purpose: what it has left alone so far.
    fn skipped(&self, _view: &View<'_>) -> Option<Skipped> {
        None
    }
    /// Of one that keeps no more than so many pages in mind: those it has given up since it was last asked.
    fn let_go(&mut self) -> Vec<PageId> {
        Vec::new()
    }
    /// Changes that its next choice is expected to bring; nothing if it does not reckon in changes. Asking changes nothing.
    fn bid(&self, _view: &View<'_>) -> Option<f64> {
        None
    }
    /// The same of one page that was seen before, at a moment to come; nothing if it does not reckon in changes.
    fn worth(&self, _page: PageId, _at: Time, _view: &View<'_>) -> Option<f64> {
        None
    }
    /// All it has in mind, so that one made like it can go on from there; nothing from one that cannot say it.
    fn save(&self) -> Option<Vec<u8>> {
        None
    }
    /// Goes on from what one like it had in mind. If that cannot be read it says so, and may be as it was or not.
    fn load(&mut self, _bytes: &[u8]) -> bool {
        false
    }
    /// An earlier run had chosen this page, and is about to be told what it saw: what choosing left in mind, too.
    fn on_recall(&mut self, _page: PageId, _view: &View<'_>) {}
    /// `page` is this run's number of the page; the observation may carry an earlier run's.
    fn on_observation(&mut self, _page: PageId, _observation: &Observation, _view: &View<'_>) {}
}
