//! What to ask with whether a page changed since its last visit in the same capture.

use std::collections::HashMap;
use tintype_vocab::{Observation, Purpose, Validators};

/// Validators of this capture's own answers, by URL. Only kept where all pages are revisited: a second look at a few asks
/// for the whole page.
#[derive(Debug, Default)]
pub struct Offered(HashMap<String, Validators>);

/// A URL with its validators as they are kept.
type SavedOffer<'a> = (&'a String, &'a Option<String>, &'a Option<String>);

impl Offered {
    /// Takes note of an answer: what it offers, or that it no longer offers anything.
    pub fn keep(&mut self, observation: &Observation) {
        if !observation.outcome.saw_page() || observation.purpose == Purpose::Robots {
            return;
        }
        if observation.validators.is_empty() {
            self.0.remove(&observation.url);
        } else {
            self.0.insert(observation.url.clone(), observation.validators.clone());
        }
    }

    pub(crate) fn save(&self) -> Vec<SavedOffer<'_>> {
        self.0.iter().map(|(url, kept)| (url, &kept.etag, &kept.last_modified)).collect()
    }

    pub(crate) fn restore(offers: Vec<(String, Option<String>, Option<String>)>) -> Offered {
        let offer = |(url, etag, last_modified)| (url, Validators { etag, last_modified });
        Offered(offers.into_iter().map(offer).collect())
    }

    /// A 304 need not repeat them, so they are taken out: the answer says what holds from then on.
    pub fn take(&mut self, url: &str) -> Validators {
        self.0.remove(url).unwrap_or_default()
    }
}
