//! What is behind pages, before asking: guessed when they become known, and again when their turn comes.

use super::{Scheduler, Step};
use crate::{MediaFilter, MediaGuess, Objection, PageState, Refusal, alike};
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use tintype_vocab::{LinkKind, Mention, PageId, Why};

/// A page that would be passed over is tried all the same if it is wanted with this chance: a model that never looks never
/// learns that it was wrong.
const DOUBTFUL: f32 = 0.1;
/// Pages of one kind that are tried; more only if every other one was wanted.
const TRIED_MAX: u32 = 3;
const KINDS_MAX: usize = 1 << 16;
/// Pages passed over while there was nothing to ask for that are judged again when something was answered.
const JUDGED_AGAIN_MAX: usize = 64;

/// What became of pages of each kind. Of answers alone, which a log has: who goes on from one tries nothing again.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Trials {
    tried: HashMap<u64, Tried>,
    /// Pages left out by each of the rules that say what is not wanted.
    ruled_out: Vec<u64>,
    /// Those that seemed to be ruled out when their turn came.
    put_off: VecDeque<PageId>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Tried {
    answered: u32,
    wanted: u32,
}

impl Trials {
    /// Whether to try a page of which it is doubtful that it is wanted.
    fn tries(&self, url: &str) -> bool {
        match self.tried.get(&alike::kind(url)) {
            Some(Tried { answered, wanted }) => *answered < TRIED_MAX || 2 * wanted >= *answered,
            None => self.tried.len() < KINDS_MAX,
        }
    }

    /// Whether to ask all the same, by what is expected there.
    pub(super) fn is_worth_a_try(&self, url: &str, media_guess: MediaGuess, refusal: Refusal) -> bool {
        refusal == Refusal::Unlikely && media_guess.wanted() >= DOUBTFUL && self.tries(url)
    }

    /// Whether some seemed to be ruled out and are to be judged again.
    pub(super) fn has_put_off(&self) -> bool {
        !self.put_off.is_empty()
    }

    /// One more page is left out by a rule.
    fn rule_out(&mut self, rule: usize) {
        self.ruled_out.resize(self.ruled_out.len().max(rule + 1), 0);
        self.ruled_out[rule] += 1;
    }

    /// What was found behind a page; what is found counts for more than what was thought.
    pub(super) fn found(&mut self, url: &str, wanted: bool) {
        let kind = alike::kind(url);
        if self.tried.len() < KINDS_MAX || self.tried.contains_key(&kind) {
            let tried = self.tried.entry(kind).or_default();
            tried.answered += 1;
            tried.wanted += u32::from(wanted);
        }
    }
}

impl Scheduler {
    fn media_filter(&self) -> MediaFilter<'_> {
        MediaFilter { rules: &self.settings.media, model: self.knowledge.media() }
    }

    pub(super) fn foresee(&self, url: &str, mention: Mention) -> MediaGuess {
        self.media_filter().of(url, mention)
    }

    /// Why a page whose turn has come is not worth its request, if it is not. Not decided before, when less was known of
    /// pages like it. What a person named, what lists pages and what a server leads to is always asked for.
    pub(super) fn refusal(&mut self, page: PageId, why: Why) -> Option<Refusal> {
        let info = self.pages.get(page);
        let listing = matches!(info.kind, LinkKind::Sitemap | LinkKind::Feed);
        if self.settings.media.is_empty() || why != Why::Policy || listing || info.state != PageState::Waiting {
            return None;
        }
        let (url, mention) = (self.pages.url(page), info.mention);
        let (media_guess, refusal) = self.media_filter().judge(url, mention);
        let tried = refusal.is_some_and(|refusal| self.trials.is_worth_a_try(url, media_guess, refusal));
        self.pages.get_mut(page).media_guess = media_guess;
        refusal.filter(|_| !tried)
    }

    /// Leaves out pages that were passed over on the way to a step. If that is to wait for an answer, the answer may say
    /// that they are wanted after all: then some are judged again, and what was thought of them meanwhile is forgotten.
    pub(super) fn pass_over(&mut self, mut pages: Vec<(PageId, Refusal)>, step: &Step) {
        if matches!(step, Step::Idle | Step::WaitUntil(_)) {
            let again = pages.drain(..pages.len().min(JUDGED_AGAIN_MAX));
            self.urgent.extend(again.map(|(page, _)| (page, Why::Policy)));
        }
        for (page, refusal) in pages {
            match refusal {
                Refusal::Unlikely => self.exclude(page, Objection::UnwantedMedia),
                // A few answers of other pages may have said so: when nothing else is left more is known of pages like it.
                Refusal::Forbidden(_) => self.trials.put_off.push_back(page),
            }
        }
    }

    /// The next page that was put off and is not ruled out after all, once nothing is under way that may teach more. The others
    /// are left out for good.
    pub(super) fn release_put_off(&mut self) -> Option<(PageId, Why)> {
        while self.in_flight == 0
            && self.retries.is_empty()
            && let Some(page) = self.trials.put_off.pop_front()
        {
            match self.refusal(page, Why::Policy) {
                None if self.pages.get(page).state == PageState::Waiting => return Some((page, Why::Policy)),
                None => {}
                Some(Refusal::Forbidden(rule)) => self.exclude_by_rule(page, rule),
                Some(Refusal::Unlikely) => self.exclude(page, Objection::UnwantedMedia),
            }
        }
        None
    }

    fn exclude_by_rule(&mut self, page: PageId, rule: usize) {
        self.exclude(page, Objection::ForbiddenMedia);
        self.explain_rules(rule);
    }

    /// The same of a URL that is no page yet.
    pub(super) fn exclude_url_by_rule(&mut self, url: &str, rule: usize) {
        self.exclusions.add(Objection::ForbiddenMedia, url);
        self.explain_rules(rule);
    }

    fn explain_rules(&mut self, rule: usize) {
        self.trials.rule_out(rule);
        let media = &self.settings.media;
        let patterns = media.patterns.iter().map(ToString::to_string);
        let rules = media.disallow.iter().map(ToString::to_string).chain(patterns);
        let rules = rules.zip(&self.trials.ruled_out).filter(|(_, pages)| **pages > 0);
        let detail: Vec<String> = rules.map(|(rule, pages)| format!("{pages} by {rule}")).collect();
        self.exclusions.explain(Objection::ForbiddenMedia, &detail.join(", "));
    }
}
