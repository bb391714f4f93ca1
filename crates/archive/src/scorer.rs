//! How important a change was: two versions compared as people see them, by the habits of their site.
//!
//! Habits are derived and never needed: without them a clock counts as a change, until it has been seen to tick. They
//! are saved with the state of the site, and if they are gone learnt again from the changes in the archive.

use crate::{Bodies, Payload, Reading, held::LOOK_BYTES};
use sha1::{Digest as _, Sha1};
use std::sync::Arc;
use tintype_observe::{
    Described,
    ads::Advertisements,
    page::{Habits, HookedPage, Hooks, Judgement, binary_importance, segment, segment_both},
};
use tintype_vocab::{Digest, Span, Time};

/// The name habits are saved under.
pub(crate) const LORE: &str = "habits";
/// So many changes are read again to learn habits that are gone: under a second of work.
const CHANGES_READ_AGAIN: usize = 200;
/// The importance of a change nothing is known about.
const UNKNOWN: f64 = 1.0;
/// So many first pages of a capture are read for what they share.
const FIRST_SEEN: u32 = 64;
/// Longer ones are not: they may unfold to any size, and a template is found on short pages as well.
const FIRST_BYTES: usize = 256 << 10;
/// How a PDF file begins, and the importance of another one with the same text: pictures, signatures, layout.
const PDF: &[u8] = b"%PDF-";
const SAME_TEXT: f64 = 0.05;

/// Judges the changes of one site, and learns from them.
#[derive(Debug, Default)]
pub(crate) struct ChangeScorer {
    habits: Habits,
    pub(crate) advertisements: Arc<Advertisements>,
    /// Whether there ever was something to learn from.
    is_learned: bool,
    is_saved: bool,
    /// First pages that were read for what they share.
    seen: u32,
}

/// A file that took the place of another.
fn exchanged(old: &[u8], new: &[u8], importance: f64) -> Judgement {
    let file = |body: &[u8]| format!("{} bytes, {}", body.len(), Digest(Sha1::digest(body).into()));
    Judgement::of_file(importance, file(old), file(new))
}

impl ChangeScorer {
    /// With the habits that were saved, if they can be read.
    pub(crate) fn recall(saved: Option<Vec<u8>>) -> ChangeScorer {
        let habits = saved.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let is_learned = habits.is_some();
        ChangeScorer { is_learned, is_saved: true, habits: habits.unwrap_or_default(), ..ChangeScorer::default() }
    }

    /// The habits, if they are not what was saved.
    pub(crate) fn to_save(&self) -> Option<Vec<u8>> {
        (!self.is_saved).then(|| serde_json::to_vec(&self.habits).expect("habits are plain data"))
    }

    pub(crate) fn saved(&mut self) {
        self.is_saved = true;
    }

    /// Learns what is lost from the latest changes of `site`. What cannot be read is passed over.
    pub(crate) fn learn_again(&mut self, reading: &Reading, site: &str) {
        if self.is_learned {
            return;
        }
        let Ok(changes) = reading.changes_of(site, Time::from_millis(i64::MIN)) else { return };
        for changed in changes.newest_first().take(CHANGES_READ_AGAIN).flatten() {
            let (Some(times), Ok(bodies)) = (&changed.before, changed.bodies(reading)) else { continue };
            let Bodies { before: Some(before), after: Some(after) } = bodies else { continue };
            let (old, new) = (before.described(), after.described());
            if let Some([old, new]) = segment_both((&old, &before.body), (&new, &after.body)) {
                let url = &changed.observation.url;
                self.habits.see(url, &new);
                self.habits.learn(url, &old, &new, changed.observation.asked - times.until);
                self.has_learned();
            }
        }
        self.has_learned();
    }

    /// What the passage from the version held to a new one, seen `apart`, is worth.
    pub(crate) fn judge(&mut self, held: Option<&Payload>, new: (&Described<'_>, &[u8]), apart: Span) -> Judgement {
        let (described, body) = new;
        let Some(held) = held.filter(|held| !held.is_cut && body.len() < LOOK_BYTES) else {
            return Judgement { importance: UNKNOWN, ..Judgement::default() };
        };
        let Some([old, new]) = segment_both((&held.described(), &held.body), (described, body)) else {
            let importance = binary_importance(held.body.len() as u64, body.len() as u64, false);
            return exchanged(&held.body, body, importance);
        };
        let advertisements = &self.advertisements;
        let is_advertisement = |seen: &HookedPage<'_>| advertisements.is_one(seen);
        let hooks = Hooks { is_advertisement: &is_advertisement, ..Hooks::default() };
        let difference = self.habits.judge(&old, &new, described.url, apart, &hooks);
        self.has_learned();
        if difference.importance == 0.0 && body.starts_with(PDF) {
            return exchanged(&held.body, body, SAME_TEXT);
        }
        difference.into()
    }

    /// A page is seen for the first time: what the first pages of a site share is its template.
    pub(crate) fn see(&mut self, described: &Described<'_>, body: &[u8]) {
        if self.seen < FIRST_SEEN
            && body.len() < FIRST_BYTES
            && let Some(page) = segment(described, body)
        {
            self.seen += 1;
            self.habits.see(described.url, &page);
            self.has_learned();
        }
    }

    /// There is nothing to learn but what comes, which is also not to be found out again.
    pub(crate) fn has_learned(&mut self) {
        (self.is_learned, self.is_saved) = (true, false);
    }
}
