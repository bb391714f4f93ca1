//! Two tiers: above, a site level that sets parts of a known site aside; below, any policy that puts the rest in order.
//!
//! Only pages an earlier capture has seen are ever set aside; what is new is looked at, and so are the entrance, sitemaps
//! and feeds, which tell of what is new. What a capture shows can bring back what was set aside, as long as it goes on.
//! When nothing more is wanted, some of what is still aside is drawn by lot and looked at: that is how an edit nobody
//! foresaw is noticed, and what the next captures learn from about what skipping loses.

mod listed;

use super::view::{Choice, Policy, View};
use crate::{
    PageState, Skipped, SkippedDirectory, WarmTerms,
    skipped::{DIRECTORIES_MAX, by_directory},
};
use hashbrown::HashSet;
use listed::Listed;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};
use tintype_learn::{
    directory::{DirectoryId, LossBelief, Memory, PageNumber, Round, drawn_of},
    learner::Learner,
    stored::{self, Bytes},
};
use tintype_vocab::{Change, LinkKind, Observation, Outcome, PageId, Purpose, Time};

/// What was set aside is reconsidered about so often in a capture, if it is large.
const STEPS: usize = 200;
/// Answers to wait for before that.
const STEP_MIN: usize = 4;

/// A page set aside.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Aside {
    pub(super) page: PageId,
    pub(super) number: PageNumber,
    pub(super) directory: DirectoryId,
    /// Changes to be expected of it before this capture showed anything.
    expected: f32,
    /// The chance that it has changed, by all that is known now.
    pub(super) chance: f32,
}

/// What a site level may go by.
pub(super) struct SoFar<'a> {
    pub(super) memory: &'a Memory,
    pub(super) round: &'a Round,
    /// Changes this capture has found.
    pub(super) found: f64,
    /// Changes to be expected of the pages that are wanted and not answered yet.
    pub(super) coming: f64,
    /// Pages that are wanted and not answered yet.
    pub(super) wanted: usize,
    pub(super) requests_left: Option<u64>,
    /// So many may be looked at before what they show is heard.
    pub(super) step: usize,
    /// Changes that may be lost, of those there are.
    pub(super) loss: f64,
    /// Changes lost in earlier captures for every one that was expected to be.
    pub(super) lost_per_expected: f64,
    pub(super) warm: &'a WarmTerms,
}

/// Chooses among the directories and pages of a known site.
pub(super) trait SiteLevel: fmt::Debug + Send {
    /// Which of the pages set aside are wanted now, by their places.
    fn wanted(&mut self, aside: &[Aside], so_far: &SoFar<'_>) -> Vec<usize>;
    /// Whether a page nobody has seen before is wanted.
    fn wants_new(&mut self, _url: &str, _memory: &Memory, _terms: &WarmTerms) -> bool {
        true
    }
    /// Whether some of what is not wanted is looked at by lot.
    fn draws_lots(&self) -> bool {
        false
    }
    /// Why a directory was set aside, in words.
    fn rule(&self, _directory: DirectoryId, _memory: &Memory) -> Option<String> {
        None
    }
}

/// A site level above a policy of pages.
#[derive(Debug)]
pub(super) struct TwoTier<S> {
    site: S,
    below: Box<dyn Policy>,
    aside: Vec<Aside>,
    /// Pages without an answer that the policy below was not told of: those set aside, and new ones nobody wants.
    apart: HashSet<PageId>,
    /// Chances of the pages the policy below was told of and has no answer for; in order, as sums depend on it.
    told: BTreeMap<PageId, f32>,
    round: Option<Round>,
    listed: Listed,
    found: f64,
    /// Pages drawn by lot, once that has happened.
    drawn: Option<BTreeSet<PageNumber>>,
    /// What earlier captures taught of losses, once somebody asked.
    belief: Option<LossBelief>,
    /// Answers, and pages set aside, since these were last looked at; nothing if they are to be looked at now.
    news: Option<usize>,
    /// Whether more was wanted then than before, so that there may be more yet.
    wanted_more: bool,
}

impl<S: SiteLevel> TwoTier<S> {
    pub(super) fn new(site: S, below: Box<dyn Policy>) -> TwoTier<S> {
        TwoTier {
            site,
            below,
            aside: Vec::new(),
            apart: HashSet::new(),
            told: BTreeMap::new(),
            round: None,
            listed: Listed::default(),
            found: 0.0,
            drawn: None,
            belief: None,
            news: None,
            wanted_more: false,
        }
    }

    /// What the policy below sees: as if nothing else were there.
    fn below_view<'a>(&self, view: &View<'a>) -> View<'a> {
        let apart = self.apart.len();
        View {
            unanswered: view.unanswered.saturating_sub(apart),
            expected_pages: view.expected_pages.saturating_sub(apart),
            dice: view.dice.clone(),
            ..*view
        }
    }

    fn tell(&mut self, page: PageId, chance: f32, view: &View<'_>) {
        self.apart.remove(&page);
        self.told.insert(page, chance);
        let below = self.below_view(view);
        self.below.on_known(page, &below);
    }

    /// Looks at what was set aside in the light of what was seen since.
    fn reconsider(&mut self, now: Time, view: &View<'_>) {
        self.news = Some(0);
        let step = self.step();
        // Of what robots.txt forbids meanwhile there is no answer.
        let awaited = |page: PageId| !matches!(view.pages.get(page).state, PageState::Visited | PageState::Excluded);
        self.told.retain(|page, _| awaited(*page));
        let waits = |aside: &mut Aside| view.pages.get(aside.page).state == PageState::Waiting;
        for aside in self.aside.extract_if(.., |aside| !waits(aside)) {
            self.apart.remove(&aside.page);
        }
        // A robots.txt or a page may have said meanwhile that some of them list others.
        let listings: Vec<PageId> =
            self.aside.extract_if(.., |aside| must_be_seen(aside.page, view)).map(|aside| aside.page).collect();
        for page in listings {
            self.tell(page, 0.0, view);
        }
        let is_over = self.below_view(view).unanswered == 0;
        let Some(memory) = view.knowledge.directories() else { return };
        let round = self.round.get_or_insert_with(|| memory.activity().begin(memory.shape(), now));
        round.take_stock(memory.shape());
        let belief = self.belief.get_or_insert_with(|| memory.activity().losses().belief());
        for aside in &mut self.aside {
            if aside.expected < 0.0 {
                aside.expected = memory.activity().expected(memory.shape(), aside.number, round.at()) as f32;
            }
            let chance = memory.activity().chance(memory.shape(), round, aside.number, f64::from(aside.expected));
            aside.chance = chance.max(self.listed.chance(aside.number)) as f32;
        }
        let so_far = SoFar {
            memory,
            round,
            found: self.found,
            coming: self.told.values().map(|chance| f64::from(*chance)).sum(),
            wanted: self.told.len(),
            requests_left: view.budget.requests,
            step,
            loss: view.loss,
            lost_per_expected: belief.ratio(),
            warm: view.warm,
        };
        let mut places = self.site.wanted(&self.aside, &so_far);
        if places.is_empty() && is_over && self.drawn.is_none() && self.site.draws_lots() {
            places = draw(self.aside.len(), view);
            self.drawn = Some(places.iter().map(|place| self.aside[*place].number).collect());
        }
        // From the back, so that the places that are left stay what they are.
        places.sort_unstable();
        places.dedup();
        self.wanted_more = !places.is_empty();
        let mut wanted: Vec<Aside> = places.into_iter().rev().map(|place| self.aside.swap_remove(place)).collect();
        wanted.sort_by_key(|aside| aside.page);
        for aside in wanted {
            self.tell(aside.page, aside.chance, view);
        }
    }

    /// The chance that a page has changed, by all a capture has shown.
    fn chance(&self, memory: &Memory, round: &Round, number: PageNumber) -> f64 {
        let expected = memory.activity().expected(memory.shape(), number, round.at());
        memory.activity().chance(memory.shape(), round, number, expected).max(self.listed.chance(number))
    }

    fn is_due(&self) -> bool {
        self.news.is_none_or(|news| news >= self.step())
    }

    fn may_want_more(&self) -> bool {
        self.news != Some(0) || self.wanted_more
    }

    fn hear(&mut self) {
        self.news = self.news.map(|news| news + 1);
    }

    fn step(&self) -> usize {
        STEP_MIN.max((self.aside.len() + self.told.len()) / STEPS)
    }

    fn note(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        let Some(memory) = view.knowledge.directories() else { return };
        self.listed.hear(&observation.links, memory);
        let number = memory.find(view.pages.url(page));
        let changed = match (&observation.outcome, observation.change) {
            // A link that was dead before is no news.
            (Outcome::Gone { .. }, _) => number.is_some_and(|number| memory.tree().is_there(number)),
            (_, Change::Unknown) => return,
            (_, change) => change.is_readable() || change == Change::First,
        };
        self.found += f64::from(u8::from(changed));
        let Some(number) = number else { return };
        let round = self.round.get_or_insert_with(|| memory.activity().begin(memory.shape(), observation.asked));
        let expected = memory.activity().expected(memory.shape(), number, round.at());
        let usual = memory.activity().usual_chance(memory.shape(), round, number, expected);
        round.suspect(memory.shape(), number, usual, changed);
        if self.drawn.as_ref().is_some_and(|drawn| drawn.contains(&number)) {
            round.sampled(memory.shape(), number, expected, changed);
        } else {
            round.saw(memory.shape(), number, expected, changed);
        }
        self.listed.saw(number, changed);
    }
}

impl<S: SiteLevel> Policy for TwoTier<S> {
    fn learns(&self) -> Vec<Box<dyn Learner>> {
        self.below.learns()
    }

    fn save(&self) -> Option<Vec<u8>> {
        let TwoTier { aside, apart, told, round, listed, found, drawn, news, wanted_more, .. } = self;
        Some(stored::to_bytes(&(
            Bytes(self.below.save()?),
            aside,
            apart,
            told,
            round,
            listed,
            found,
            drawn,
            news,
            wanted_more,
        )))
    }

    fn load(&mut self, bytes: &[u8]) -> bool {
        let Some((Bytes(below), aside, apart, told, round, listed, found, drawn, news, wanted_more)) =
            stored::from_bytes(bytes)
        else {
            return false;
        };
        (self.aside, self.apart, self.told, self.round) = (aside, apart, told, round);
        (self.listed, self.found, self.drawn) = (listed, found, drawn);
        (self.news, self.wanted_more) = (news, wanted_more);
        self.below.load(&below)
    }

    fn on_known(&mut self, page: PageId, view: &View<'_>) {
        // One capture alone has shown nothing of how pages change.
        let has_compared = |memory: &&Memory| memory.bitmaps().transitions() > 0;
        let Some(memory) = view.knowledge.directories().filter(has_compared).filter(|_| !must_be_seen(page, view))
        else {
            return self.tell(page, 0.0, view);
        };
        match memory.find(view.pages.url(page)) {
            Some(number) => {
                let directory = memory.shape().directory_of(number);
                self.aside.push(Aside { page, number, directory, expected: -1.0, chance: 0.0 });
                self.apart.insert(page);
                self.hear();
            }
            None if self.site.wants_new(view.pages.url(page), memory, view.warm) => self.tell(page, 0.0, view),
            None => drop(self.apart.insert(page)),
        }
    }

    fn choose(&mut self, now: Time, view: &View<'_>) -> Choice {
        if self.is_due() {
            self.reconsider(now, view);
        }
        loop {
            let below = self.below_view(view);
            // Nothing is looked at twice as long as something may be wanted that was not looked at once.
            if below.unanswered > 0 || !self.may_want_more() {
                let choice = self.below.choose(now, &below);
                let is_over = matches!(choice, Choice::Done | Choice::WaitUntil(_));
                if !is_over || !self.may_want_more() {
                    return choice;
                }
            }
            self.reconsider(now, view);
        }
    }

    fn looks_again(&self, revisit: bool) -> bool {
        self.below.looks_again(revisit)
    }

    fn let_go(&mut self) -> Vec<PageId> {
        self.below.let_go()
    }

    fn has_nothing_left(&self, view: &View<'_>) -> bool {
        self.below.has_nothing_left(&self.below_view(view))
    }

    fn on_observation(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        if observation.purpose != Purpose::Robots && view.pages.get(page).state == PageState::Visited {
            self.told.remove(&page);
            // A page set aside may be answered all the same: a redirect led there, or a log tells of it.
            self.apart.remove(&page);
            if observation.purpose != Purpose::Revisit {
                self.hear();
                self.note(page, observation, view);
            }
        }
        let below = self.below_view(view);
        self.below.on_observation(page, observation, &below);
    }

    fn skipped(&self, view: &View<'_>) -> Option<Skipped> {
        let (memory, round) = (view.knowledge.directories()?, self.round.as_ref()?);
        let waiting = self.aside.iter().filter(|aside| view.pages.get(aside.page).state == PageState::Waiting);
        let mut lost: Vec<(DirectoryId, f64)> =
            waiting.map(|aside| (aside.directory, self.chance(memory, round, aside.number))).collect();
        add_births(memory, round, &mut lost);
        // An empty sum would be the other zero, which reads badly.
        let by_chances = lost.iter().fold(0.0, |sum, (_, chance)| sum + chance);
        let belief = memory.activity().losses().belief();
        lost.iter_mut().for_each(|(_, lost)| *lost *= belief.ratio());
        let expected_lost = by_chances * belief.ratio();
        let (mut directories, single_pages) =
            by_directory(memory, lost.iter().copied(), |directory| round.looked_below(directory));
        directories.truncate(DIRECTORIES_MAX);
        let directories = directories.into_iter().map(|(directory, pages, expected_lost)| SkippedDirectory {
            directory: memory.shape().path(directory),
            pages,
            expected_lost,
            rule: self.site.rule(directory, memory),
        });
        Some(Skipped {
            pages: lost.len() as u64,
            expected_lost,
            expected_changes: self.found + expected_lost,
            lost_between: Some(belief.between(by_chances)),
            drawn: self.drawn.as_ref().map_or(0, |drawn| drawn.len() as u64),
            directories: directories.collect(),
            single_pages,
        })
    }
}

/// What is to be born where nobody looks is lost with what is left alone there.
fn add_births(memory: &Memory, round: &Round, lost: &mut [(DirectoryId, f64)]) {
    let since = memory.last().map_or(0.0, |last| (round.at() - last).as_days_f64().max(0.0));
    let mut told = HashSet::new();
    for (directory, lost) in lost {
        if !round.looked_into(*directory) && told.insert(*directory) {
            *lost += memory.activity().births(*directory, since);
        }
    }
}

/// Some of so many places, by lot, as far as the budget goes.
fn draw(places: usize, view: &View<'_>) -> Vec<usize> {
    let requests = view.budget.requests.map_or(usize::MAX, |left| left as usize);
    let (mut dice, mut all) = (view.dice.clone(), (0..places).collect::<Vec<_>>());
    let number = drawn_of(places).min(requests);
    for nth in 0..number {
        let other = nth + (dice.unit() * (places - nth) as f64) as usize;
        all.swap(nth, other.min(places - 1));
    }
    all.truncate(number);
    all
}

/// Where a capture begins, and what lists other pages.
fn must_be_seen(page: PageId, view: &View<'_>) -> bool {
    let info = view.pages.get(page);
    info.depth == 0 && info.kind == LinkKind::Anchor || matches!(info.kind, LinkKind::Sitemap | LinkKind::Feed)
}

#[cfg(test)]
mod tests;
