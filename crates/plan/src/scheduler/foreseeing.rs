//! What is behind pages, before asking: guessed when they become known, and again when their turn comes.

use super::Scheduler;
use crate::{MediaRules, Outlook, PageState, Prospect, alike};
use hashbrown::HashMap;
use std::sync::LazyLock;
use tintype_learn::media::{Answer, Media, Sight};
use tintype_vocab::{Change, LinkKind, Mention, Observation, Outcome, PageId, Purpose, Why};

/// What is known of media types wherever nobody has learned more; one for all, as it is large.
static SHIPPED: LazyLock<Media> = LazyLock::new(Media::default);

/// A page that would be passed over is tried all the same if it is wanted with this chance: a model that never looks never
/// learns that it was wrong.
const DOUBTFUL: f32 = 0.1;
/// Pages of one kind that are tried; more only if every other one was wanted.
const TRIED_MAX: u32 = 3;
const KINDS_MAX: usize = 1 << 16;

/// What a scheduler knows of media types.
#[derive(Debug)]
pub(super) struct Foresight {
    /// Nothing of one who neither wants some media types only nor was told anything: it has no use for learning.
    own: Option<Box<Media>>,
    /// Kinds of pages that were tried, and what became of such pages since.
    tried: HashMap<u64, Tried>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tried {
    answered: u32,
    wanted: u32,
}

impl Foresight {
    pub(super) fn new(rules: &MediaRules) -> Foresight {
        let own = (!rules.is_empty()).then(|| Box::new(SHIPPED.clone()));
        Foresight { own, tried: HashMap::new() }
    }

    pub(super) fn model(&self) -> &Media {
        self.own.as_deref().unwrap_or(&SHIPPED)
    }

    /// Whether to try a page of which it is doubtful that it is wanted.
    fn tries(&mut self, url: &str) -> bool {
        let kind = alike::kind(url);
        if self.tried.len() >= KINDS_MAX && !self.tried.contains_key(&kind) {
            return false;
        }
        let Tried { answered, wanted } = *self.tried.entry(kind).or_default();
        answered < TRIED_MAX || 2 * wanted >= answered
    }

    /// What was found behind a page; what is found counts for more than what was thought.
    fn found(&mut self, url: &str, wanted: bool) {
        if let Some(tried) = self.tried.get_mut(&alike::kind(url)) {
            tried.answered += 1;
            tried.wanted += u32::from(wanted);
        }
    }
}

impl Scheduler {
    /// Begins with what was learned elsewhere of what is behind URLs, before the first step.
    pub fn know_media(&mut self, media: Media) {
        self.foresight.own = Some(Box::new(media));
    }

    /// What is known now of what is behind URLs, for whoever begins next.
    pub fn media(&self) -> &Media {
        self.foresight.model()
    }

    fn outlook(&self) -> Outlook<'_> {
        Outlook { rules: &self.settings.media, model: self.foresight.model() }
    }

    pub(super) fn foresee(&self, url: &str, mention: Mention) -> Prospect {
        self.outlook().of(url, mention)
    }

    /// Whether a page whose turn has come is not worth its request. Not decided before, when less was known of pages like
    /// it. What a person named, what lists pages and what a server leads to is always asked for.
    pub(super) fn is_unwanted(&mut self, page: PageId, why: Why) -> bool {
        let info = self.pages.get(page);
        let listing = matches!(info.kind, LinkKind::Sitemap | LinkKind::Feed);
        if self.settings.media.is_empty() || why != Why::Policy || listing || info.state != PageState::Waiting {
            return false;
        }
        let (url, mention) = (self.pages.url(page), info.mention);
        let (prospect, refused) = self.outlook().judge(url, mention);
        self.pages.get_mut(page).prospect = prospect;
        refused && !(prospect.wanted() >= DOUBTFUL && self.foresight.tries(self.pages.url(page)))
    }

    /// What an answer says of what is behind URLs like this one. Errors and redirects are pages of the server, not of the
    /// URL; a page that was seen before teaches nothing twice.
    pub(super) fn learn_media(&mut self, page: PageId, observation: &Observation) {
        let seen_before = observation.purpose == Purpose::Revisit || observation.change == Change::Same;
        let Some(media_type) = observation.real_media_type().filter(|_| !seen_before) else { return };
        if !matches!(observation.outcome, Outcome::Body { .. }) {
            return;
        }
        self.foresight.found(&observation.url, self.settings.media.want(media_type));
        if let Some(model) = self.foresight.own.as_deref_mut() {
            let sight = Sight { url: &observation.url, mention: self.pages.get(page).mention };
            let links = Some(!observation.links.is_empty());
            model.learn(&sight, &Answer { media_type, bytes: Some(observation.bytes), links });
        }
    }
}
