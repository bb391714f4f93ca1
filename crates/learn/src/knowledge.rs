//! All that is believed of one site, and what is known across sites: one for scheduler, policies, reports and the lab.
//!
//! Every observation is folded in once. What is asked about pages this very visit leads to is learned as soon as it has
//! answered ([`Knowledge::observe_rate`], [`Knowledge::observe_media`]), the rest once its links are known
//! ([`Knowledge::observe`]). Which learners there are is for who begins a run to say ([`Knowledge::learn_also`]): most take
//! hundreds of bytes a page.

mod pages;
mod saved;
mod shared;

pub use saved::Loaded;
pub use shared::SharedKnowledge;

use crate::{
    changes::{Changes, Elapsed},
    directory::Memory,
    first_guess::{FirstGuess, Signs},
    forecast::{Clues, Forecaster, Whereabouts},
    hint::{Hints, Silence},
    hours::Hours,
    lastmod::Lastmods,
    learner::{Context, Learner, PageSlot, Subject, same},
    media::Media,
    rate::Past,
    rates::Rates,
    rendering::RenderGains,
    worth::VersionWorth,
};
use pages::KnownPages;
use std::sync::Arc;
use tintype_vocab::{ChangeRate, LinkKind, Mention, Observation, PageId, Time};

/// A page of a run, as far as learners want to know it.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    pub page: PageId,
    pub url: &'a str,
    /// How it was first linked, and how that link was written.
    pub kind: LinkKind,
    pub mention: Mention,
    /// Links from the entrance.
    pub depth: u16,
    /// How often it is thought to change.
    pub rate: ChangeRate,
}

/// What a visit taught, and what was known before it did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// The latest visit before.
    pub last: Option<Time>,
    /// When the site says this version came to be, if that was since.
    pub modified: Option<Time>,
    /// The beliefs of all pages may have moved.
    pub moved_all: bool,
    /// Pages that are likelier to have changed than a moment ago.
    pub hinted: Vec<PageId>,
}

/// What a learner believes of a page, in words and numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnerBeliefs {
    pub learner: &'static str,
    pub says: Vec<(&'static str, f64)>,
}

/// What tells a page from all others, in eight bytes.
pub fn name(identity: &str) -> u64 {
    rapidhash::v3::rapidhash_v3(identity.as_bytes()).max(1)
}

/// What all learners of a site believe.
#[derive(Debug)]
pub struct Knowledge {
    shared: SharedKnowledge,
    rates: Rates,
    rendering: RenderGains,
    /// Those that learn of every page, and nothing where none is wanted.
    learners: Vec<Box<dyn Learner>>,
    pages: KnownPages,
    directories: Option<Arc<Memory>>,
    /// Pages the last capture of the site knew; 0 for a first one.
    pages_expected: usize,
}

impl Default for Knowledge {
    fn default() -> Knowledge {
        Knowledge::new(SharedKnowledge::default())
    }
}

impl Knowledge {
    /// Nothing is known of the site itself.
    pub fn new(shared: SharedKnowledge) -> Knowledge {
        Knowledge {
            shared,
            rates: Rates::of_recalled(),
            rendering: RenderGains::default(),
            learners: Vec::new(),
            pages: KnownPages::default(),
            directories: None,
            pages_expected: 0,
        }
    }

    /// Learns with these as well, which have seen nothing. One that is there already goes on; if it was made with other
    /// parameters it gives way. Returns the names of those that begin blank, for who can to teach them.
    pub fn learn_also(&mut self, wanted: Vec<Box<dyn Learner>>) -> Vec<&'static str> {
        let mut blank = Vec::new();
        for learner in wanted {
            if self.learners.iter().any(|mine| mine.fits(&*learner)) {
                continue;
            }
            self.learners.retain(|mine| mine.name() != learner.name());
            blank.push(learner.name());
            self.learners.push(learner);
        }
        blank
    }

    fn get<L: Learner>(&self) -> Option<&L> {
        self.learners.iter().find_map(|learner| same(&**learner))
    }

    /// How often pages change.
    pub fn changes(&self) -> Option<&Changes> {
        self.get()
    }

    /// What listings hint at.
    pub fn hints(&self) -> Option<&Hints> {
        self.get()
    }

    /// What sitemaps tell of.
    pub fn lastmods(&self) -> Option<&Lastmods> {
        self.get()
    }

    /// The time since `last` in which a listing or a sitemap, whichever is heard more of, would have told of a change.
    pub fn silence(&self, page: PageSlot, last: Time) -> Option<Silence> {
        let heard = self.hints().and_then(|hints| hints.silence(page, last));
        let dated = self.lastmods().and_then(|lastmods| lastmods.silence(page, last));
        let weight = |silence: &Silence| silence.shown * (silence.until - silence.from).as_days_f64();
        match (heard, dated) {
            (Some(heard), Some(dated)) => Some(if weight(&dated) > weight(&heard) { dated } else { heard }),
            (heard, dated) => heard.or(dated),
        }
    }

    /// Of the changes expected of a page between two moments, the share that no sitemap would have told of by its last
    /// reading: 1 where none speaks of the page.
    pub fn untold_share(&self, page: PageSlot, last: Time, at: Time) -> f64 {
        let silence = self.lastmods().and_then(|lastmods| lastmods.silence(page, last));
        let (Some(silence), Some(changes)) = (silence, self.changes()) else { return 1.0 };
        let expected = |at: Time| changes.changes_in(page, &Elapsed { last, at, silence: None, habit: 1.0 });
        let heard_by = expected(silence.until.min(at)) / expected(at).max(f64::MIN_POSITIVE);
        (1.0 - silence.shown * heard_by).clamp(0.0, 1.0)
    }

    /// What is foretold by all that is known around a page.
    pub fn forecaster(&self) -> Option<&Forecaster> {
        self.get()
    }

    /// What there is to foretell from whether a page has changed by a moment; nothing of one that was never visited. What
    /// sitemaps say is no part of it: it is certain enough to be reckoned with afterwards ([`Knowledge::untold_share`]).
    pub fn clues(&self, page: PageSlot, at: Time) -> Option<Clues> {
        let (forecaster, changes, hints) = (self.forecaster()?, self.changes()?, self.hints()?);
        let last = changes.last(page)?;
        let elapsed = Elapsed { last, at, silence: hints.silence(page, last), habit: hints.habit(page) };
        forecaster.clues(changes, &hints.heard(page, last), page, &elapsed)
    }

    /// The same of one that was never visited, and of whether anything is there.
    pub fn clues_unseen(&self, page: PageSlot, url: &str, at: Time) -> Option<Clues> {
        let (forecaster, changes, hints) = (self.forecaster()?, self.changes()?, self.hints()?);
        let known_since = self.pages.known_since(page).min(at);
        let heard = hints.heard(page, known_since);
        Some(forecaster.clues_unseen(changes, &heard, &Whereabouts::of(url), known_since, at))
    }

    /// The chance that a page has a version we do not hold, as far as forecasts came true on this site; nothing where none are
    /// made, or of a page that was never visited.
    pub fn borne_out(&self, page: PageSlot, at: Time) -> Option<f64> {
        let last = self.changes()?.last(page)?;
        let chance = self.forecaster()?.borne_out(&self.clues(page, at)?, at - last);
        Some(1.0 - (1.0 - chance).powf(self.untold_share(page, last, at)))
    }

    /// How important changes are by the hour.
    pub fn hours(&self) -> Option<&Hours> {
        self.get()
    }

    /// What versions are worth by the hour they come to be in.
    pub fn worth(&self) -> Option<&VersionWorth> {
        self.get()
    }

    /// What earlier captures taught of the site's directories, where somebody remembered it.
    pub fn directories(&self) -> Option<&Memory> {
        self.directories.as_deref()
    }

    /// What is behind URLs.
    pub fn media(&self) -> &Media {
        &self.shared.media
    }

    /// How often pages change, by their signs.
    pub fn first_guess(&self) -> &FirstGuess {
        &self.shared.first_guess
    }

    pub fn shared(&self) -> &SharedKnowledge {
        &self.shared
    }

    /// Begins with what was learned elsewhere.
    pub fn share(&mut self, shared: SharedKnowledge) {
        self.shared = shared;
    }

    /// Begins with what earlier captures taught of the site's directories.
    pub fn remember_directories(&mut self, memory: impl Into<Arc<Memory>>) {
        self.directories = Some(memory.into());
    }

    /// Pages the site is thought to have.
    pub fn pages_expected(&self) -> usize {
        self.pages_expected
    }

    pub fn expect_pages(&mut self, pages: usize) {
        self.pages_expected = pages;
    }

    /// Earlier captures know this of a page; the signs are those of its last visit, which was at their `now`.
    pub fn recall(&mut self, identity: &str, signs: &Signs<'_>, past: &Past) {
        self.rates.recall(name(identity), signs, past, &self.shared.first_guess);
    }

    /// The same for who has a belief already.
    pub fn recall_rate(&mut self, identity: &str, rate: ChangeRate) {
        self.rates.recall_rate(name(identity), rate);
    }

    /// What is believed of a page that becomes known.
    pub fn first_rate(&self, identity: &str, signs: &Signs<'_>) -> ChangeRate {
        self.rates.get(name(identity)).unwrap_or_else(|| self.shared.first_guess.guess(signs))
    }

    /// A page of the run is this one. Needed for those that learn of every page only, and free without them.
    pub fn know(&mut self, page: PageId, identity: &str, now: Time) {
        if !self.learners.is_empty() {
            self.pages.know(page, name(identity), now);
        }
    }

    /// The number that learners know a page of the run by.
    pub fn slot(&self, page: PageId) -> PageSlot {
        self.pages.slot(page)
    }

    /// Since when a page is known.
    pub fn known_since(&self, page: PageSlot) -> Time {
        self.pages.known_since(page)
    }

    /// Which page of the run is which, for who goes on with the run itself; see [`Knowledge::save`] for the rest.
    pub fn save_run(&self) -> Vec<u8> {
        self.pages.save_run()
    }

    /// Goes on with a run; whether it fits what is known.
    pub fn load_run(&mut self, bytes: &[u8]) -> bool {
        self.pages.load_run(bytes).is_some()
    }

    /// What an answer says of how often the page changes, and of pages like it: what to believe from now on.
    pub fn observe_rate(&mut self, about: &About<'_>, identity: &str, seen: &Observation) -> ChangeRate {
        let name = name(identity);
        let subject = Subject { name, ..self.subject(about) };
        let context = Context { last: self.rates.last_seen(name), rate: about.rate, ..Context::first(seen.answered) };
        if context.last.is_none() && seen.modified().is_some() {
            Arc::make_mut(&mut self.shared.first_guess).observe(&subject, seen, &context);
        }
        self.rates.after(name, about.rate, seen)
    }

    /// What building pages in a browser brought.
    pub fn rendering(&self) -> &RenderGains {
        &self.rendering
    }

    /// Begins with what it brought in earlier captures.
    pub fn remember_rendering(&mut self, gains: RenderGains) {
        self.rendering = gains;
    }

    /// What a page that was built says of building pages like it.
    pub fn observe_rendering(&mut self, about: &About<'_>, seen: &Observation) {
        let (subject, context) = (self.subject(about), Context::first(seen.answered));
        self.rendering.observe(&subject, seen, &context);
    }

    /// What an answer says of what is behind URLs like this one.
    pub fn observe_media(&mut self, about: &About<'_>, seen: &Observation) {
        let (subject, context) = (self.subject(about), Context::first(seen.answered));
        Arc::make_mut(&mut self.shared.media).observe(&subject, seen, &context);
    }

    /// Folds in a visit whose links are known, for good: not one that will be tried again.
    pub fn observe(&mut self, about: &About<'_>, seen: &Observation, linked: &[(PageId, u32)]) -> Learned {
        self.observe_dated(about, seen, linked, &[])
    }

    /// The same of a sitemap, which dates pages.
    pub fn observe_dated(
        &mut self,
        about: &About<'_>,
        seen: &Observation,
        linked: &[(PageId, u32)],
        dated: &[(PageId, Time)],
    ) -> Learned {
        if self.learners.is_empty() {
            return Learned::default();
        }
        let subject = self.subject(about);
        if subject.slot == PageSlot::NONE {
            return Learned::default();
        }
        let last = self.changes().and_then(|changes| changes.last(subject.slot));
        let linked: Vec<(PageSlot, u32)> = self.pages.slots(linked).collect();
        let dated: Vec<(PageSlot, Time)> = self.pages.slots(dated).collect();
        let clues = self.clues(subject.slot, seen.answered);
        let clues = clues.or_else(|| self.clues_unseen(subject.slot, about.url, seen.answered));
        let context = Context {
            known_since: self.pages.known_since(subject.slot),
            last,
            rate: about.rate,
            per_day: self.changes().map_or(about.rate.per_day.into(), |changes| changes.mean_per_day(subject.slot)),
            came_back: self.changes().is_some_and(|changes| changes.came_back(subject.slot, seen)),
            expected: last.map_or(0.0, |last| self.expected(subject.slot, last, seen.answered)),
            linked: &linked,
            dated: &dated,
            told: self.lastmods().map_or(0.0, |lastmods| lastmods.strength(subject.slot)),
            untold_share: last.map_or(1.0, |last| self.untold_share(subject.slot, last, seen.answered)),
            clues: clues.as_ref(),
        };
        let modified = seen.modified().filter(|modified| last.is_none_or(|last| *modified > last));
        let mut learned = Learned { last, modified, ..Learned::default() };
        // A sitemap is no page like those that the others learn from: it changes whenever one of them does.
        let is_hub = about.kind == LinkKind::Sitemap && self.lastmods().is_some();
        for learner in self.learners.iter_mut().filter(|learner| !is_hub || learner.name() == "lastmods") {
            let effect = learner.observe(&subject, seen, &context);
            learned.moved_all |= effect.moved_all;
            learned.hinted.extend(effect.hinted.into_iter().filter_map(|slot| self.pages.page(slot)));
        }
        learned
    }

    /// Changes to be expected of a page without hints, but with what listings kept silent about.
    fn expected(&self, page: PageSlot, last: Time, at: Time) -> f64 {
        let (Some(changes), Some(_)) = (self.changes(), self.hints()) else { return 0.0 };
        changes.surprise_in(page, &Elapsed { last, at, silence: self.silence(page, last), habit: 1.0 })
    }

    fn subject<'a>(&self, about: &About<'a>) -> Subject<'a> {
        let slot = self.slot(about.page);
        let About { url, kind, mention, depth, .. } = *about;
        Subject { slot, name: self.pages.name(slot), url, kind, mention, depth }
    }

    /// What is believed of a page, learner by learner.
    pub fn explain(&self, about: &About<'_>, at: Time) -> Vec<LearnerBeliefs> {
        let subject = self.subject(about);
        let shared: [&dyn Learner; 2] = [&*self.shared.first_guess, &*self.shared.media];
        let rendering = (!self.rendering.is_blank()).then_some(&self.rendering as &dyn Learner);
        let own = std::iter::once(&self.rates as &dyn Learner).chain(rendering);
        let own = own.chain(self.learners.iter().map(|learner| &**learner));
        let says =
            |learner: &dyn Learner| LearnerBeliefs { learner: learner.name(), says: learner.believes(&subject, at) };
        let mut all: Vec<LearnerBeliefs> = own.chain(shared).map(says).collect();
        if let (Some(forecaster), Some(clues)) = (self.forecaster(), self.clues(subject.slot, at)) {
            let foretold = ("chance of a new version", 1.0 / (1.0 + (-forecaster.log_odds(&clues)).exp()));
            all.iter_mut().filter(|one| one.learner == forecaster.name()).for_each(|one| one.says.insert(0, foretold));
        }
        all
    }

    /// Bytes it takes in memory, shared knowledge left aside.
    pub fn bytes(&self) -> usize {
        let learners: usize = self.learners.iter().map(|learner| learner.bytes()).sum();
        learners + self.rates.bytes() + self.rendering.bytes() + self.pages.bytes()
    }
}
