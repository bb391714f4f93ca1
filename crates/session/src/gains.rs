//! What building pages of a site brought, folded from the logs of its captures one by one.
//!
//! What was folded is kept with the names of the captures in it, so that a new one is only added. It is derived: what is
//! lost, cannot be read, is of another version or tells of other captures than there are is folded anew.

use crate::{Error, Warning, cached, directories::ended};
use serde_json::Value;
use tintype_archive::{CaptureId, CaptureInfo, Collection, Reading};
use tintype_learn::{
    knowledge,
    learner::{Context, Learner, PageSlot, Subject},
    learners,
    rendering::RenderGains,
};
use tintype_vocab::{Entry, LinkKind, Mention, Observation, Time};

/// The name it is kept under; that of its learner too.
const NAME: &str = "rendering";
/// What was kept by another version may mean something else.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/1");

/// What a site's captures told, and which they are.
#[derive(Debug, Default)]
pub(crate) struct CachedGains {
    gains: RenderGains,
    captures: Vec<CaptureId>,
    added: usize,
}

impl CachedGains {
    /// What is known for a capture that begins, or began, at `started`; saved for the next one.
    pub(crate) fn for_capture(
        collection: &Collection,
        site: &str,
        started: Time,
        warnings: &mut Vec<Warning>,
    ) -> RenderGains {
        // A capture is worth more than what is known of rendering: without it that is learned again.
        let cached = CachedGains::of_site(&collection.reading(), site, started).unwrap_or_else(|error| {
            warnings.push(Warning::GainsUnreadable { site: site.to_owned(), error: error.to_string() });
            CachedGains::default()
        });
        if let Err(error) = cached.save(collection, site) {
            warnings.push(Warning::NotSaved { what: format!("what was learned of {site}"), error: error.to_string() });
        }
        cached.gains
    }

    fn of_site(reading: &Reading, site: &str, until: Time) -> Result<CachedGains, Error> {
        let mut captures = ended(reading.captures_of(site)?, until);
        captures.retain(has_built);
        let mut cached = CachedGains::kept(reading, site, &captures).unwrap_or_default();
        for capture in &captures[cached.captures.len()..] {
            cached.fold(reading, capture)?;
        }
        Ok(cached)
    }

    fn kept(reading: &Reading, site: &str, wanted: &[CaptureInfo]) -> Option<CachedGains> {
        let (learned, captures): (Vec<u8>, _) = cached::read(&reading.site_derived(site, NAME)?, VERSION, wanted)?;
        let learner: Box<dyn std::any::Any> = learners::find(NAME)?.load(&learned).ok()?;
        Some(CachedGains { gains: *learner.downcast().ok()?, captures, added: 0 })
    }

    fn fold(&mut self, reading: &Reading, capture: &CaptureInfo) -> Result<(), Error> {
        for entry in reading.entries(&capture.id)? {
            if let Entry::Observation(seen) = entry? {
                self.gains.observe(&subject(&seen), &seen, &Context::first(seen.answered));
            }
        }
        self.captures.push(capture.id.clone());
        self.added += 1;
        Ok(())
    }

    fn save(&self, collection: &Collection, site: &str) -> Result<(), Error> {
        if self.added == 0 {
            return Ok(());
        }
        let learned = learners::find(NAME).expect("it is registered").save(&self.gains);
        Ok(collection.keep_site_derived(site, NAME, &cached::write(VERSION, &self.captures, &learned))?)
    }
}

/// What was built, however it came to be known.
pub(crate) fn subject(seen: &Observation) -> Subject<'_> {
    Subject {
        slot: PageSlot::NONE,
        name: knowledge::name(&seen.url),
        url: &seen.url,
        kind: LinkKind::Anchor,
        mention: Mention::default(),
        depth: 0,
    }
}

/// Whether pages were built in a capture: settings without a word of it built none, and their logs need not be read.
fn has_built(capture: &CaptureInfo) -> bool {
    capture.head.settings.get("render").and_then(Value::as_str).is_some_and(|when| when != "never")
}
