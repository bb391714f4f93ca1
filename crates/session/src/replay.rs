//! Replaying a capture: every step a session took, taken again by a fresh one that knows what the first one knew.

use crate::{
    CollectionKnowledge, Error,
    directories::CachedDirectories,
    keeping,
    media::CachedMedia,
    order,
    session::{Past, PastPages},
};
use std::sync::Arc;
use tintype_archive::{CaptureInfo, CaptureKind, Reading};
use tintype_learn::rendering::RenderGains;
use tintype_plan::{Scheduler, Settings, policy, replay_with};

/// What a capture came to when its log was fed to a fresh session.
#[derive(Debug)]
pub struct Replayed {
    /// As it was at the end of the log.
    pub scheduler: Scheduler,
}

/// Feeds the log of a capture to a session that begins with what was known of the site when the capture began, and
/// checks that it takes every step again.
pub fn replay(reading: &Reading, capture: &CaptureInfo) -> Result<Replayed, Error> {
    let settings: Settings = serde_json::from_value(capture.head.settings.clone()).map_err(Error::OtherVersion)?;
    let (site, started) = (&capture.head.site, capture.head.started);
    let before = || Ok::<_, Error>(order::there_before(reading.captures_of(site)?, &capture.head));
    let shared = shared_before(reading, capture, &settings)?;
    let entries = reading.entries(&capture.id)?.collect::<Result<Vec<_>, _>>()?;
    if capture.head.kind == CaptureKind::Keep {
        let scheduler = keeping::scheduler(reading, &before()?, &settings, &shared, started)?;
        return Ok(Replayed { scheduler: replay_with(scheduler, entries)? });
    }
    let directories = match policy::needs_memory(&settings.policy) {
        true => {
            let known = match settings.warm.degree_min {
                None => CachedDirectories::of_captures(reading, site, started, before()?)?,
                Some(degree_min) => CachedDirectories::folded_by_degree(reading, before()?, started, degree_min)?,
            };
            Some((known.memory, known.captures.len()))
        }
        false => None,
    };
    let pages = PastPages::Folded(reading.pages_of(&before()?)?);
    // Which pages a browser built is in the log.
    let past = Past { kind: capture.head.kind, pages, directories, gains: RenderGains::default() };
    let (scheduler, _) = past.teach(settings, &shared, started)?;
    Ok(Replayed { scheduler: replay_with(scheduler, entries)? })
}

/// What was known across sites when a capture began: as its head names it, or else as the logs tell it again.
fn shared_before(reading: &Reading, capture: &CaptureInfo, settings: &Settings) -> Result<CollectionKnowledge, Error> {
    if let Some(named) = CollectionKnowledge::named_by(&capture.head, reading) {
        return Ok(named);
    }
    let media = match settings.media.is_empty() {
        true => Arc::default(),
        false => Arc::new(CachedMedia::of(reading, capture.head.started)?.model),
    };
    Ok(CollectionKnowledge { media, ..CollectionKnowledge::default() })
}
