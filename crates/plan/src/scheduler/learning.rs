//! What is known to begin with, and what every answer adds to it.

use super::Scheduler;
use crate::Mode;
use std::sync::Arc;
use tintype_learn::{
    directory::Memory,
    knowledge::{About, Knowledge, Learned, SharedKnowledge},
    media::{Media, MediaAnswer},
};
use tintype_vocab::{Observation, PageId};

impl Scheduler {
    /// All that is believed of the site now.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// Tells what earlier captures taught of the site's directories, before the first step.
    pub fn remember(&mut self, memory: Memory) {
        self.knowledge.remember_directories(memory);
    }

    /// Begins with what was learned elsewhere of what is behind URLs, before the first step.
    pub fn know_media(&mut self, media: impl Into<Arc<Media>>) {
        let shared = self.knowledge.shared().clone();
        self.knowledge.share(SharedKnowledge { media: media.into(), ..shared });
    }

    /// What is known now of what is behind URLs, for whoever begins next.
    pub fn media(&self) -> &Media {
        self.knowledge.media()
    }

    /// What an answer says by itself: it is asked about the pages the answer leads to. How often a page changes is read off a
    /// single visit only where there is just one.
    pub(super) fn learn_answer(&mut self, page: PageId, observation: &Observation) {
        let about = about(&self.pages, page, &observation.url);
        if self.settings.mode == Mode::Once {
            self.pages.get_mut(page).rate = self.knowledge.observe_rate(&about, &observation.url, observation);
        }
        if observation.rendered.is_some() {
            self.knowledge.observe_rendering(&about, observation);
        }
        // Who wants everything has no use for learning.
        if let Some(answer) = MediaAnswer::told_by(observation).filter(|_| !self.settings.media.is_empty()) {
            self.trials.found(&observation.url, self.settings.media.want(answer.media_type));
            self.knowledge.observe_media(&about, observation);
        }
    }

    /// What a visit says together with those before it.
    pub(super) fn learn_visit(&mut self, page: PageId, observation: &Observation) -> Learned {
        let about = about(&self.pages, page, self.pages.url(page));
        self.knowledge.observe_dated(&about, observation, &self.linked, &self.dated)
    }
}

pub(super) fn about<'a>(pages: &crate::Pages, page: PageId, url: &'a str) -> About<'a> {
    let info = pages.get(page);
    About { page, url, kind: info.kind, mention: info.mention, depth: info.depth, rate: info.rate }
}
