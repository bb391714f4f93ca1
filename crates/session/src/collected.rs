//! What a capture that wanted certain media types brought home.

use crate::{Error, media::MediaModel};
use serde::Serialize;
use std::collections::BTreeMap;
use tintype_archive::{CaptureId, PageHistory, Reading};
use tintype_plan::MediaRules;
use tintype_quality::Calibration;
use tintype_vocab::{Entry, Observation, Outcome, PageUrl, Purpose};

/// Files of a wanted media type, what they cost, and how sure one was of them before asking.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MediaResult {
    /// Files that are wanted and held.
    pub wanted: u64,
    /// All requests of the capture.
    pub requests: u64,
    /// Wanted files by media type.
    pub types: BTreeMap<String, u64>,
    /// How many wanted files were to be expected of what was asked for, by the chances before asking...
    pub expected: f64,
    /// ...and how many there were among them.
    pub found: u64,
    /// How far chances were from what came true, on average.
    pub calibration_error: Option<f64>,
}

impl MediaResult {
    /// By the log of a capture, guessing again with what was known before it and learning on the way.
    pub fn of(
        reading: &Reading,
        capture: &CaptureId,
        history: &PageHistory,
        rules: &MediaRules,
        before: &MediaModel,
    ) -> Result<MediaResult, Error> {
        let (mut collected, mut calibration) = (MediaResult::default(), Calibration::default());
        let entries = reading.entries(capture)?.map(|entry| {
            let entry = entry?;
            if let Entry::Observation(seen) = &entry {
                collected.observe(seen, history, rules)?;
            }
            Ok(entry)
        });
        before.clone().fold(entries, |seen, guess| {
            let wanted = seen.real_media_type().is_some_and(|media_type| rules.want(media_type));
            calibration.add(rules.chance(|range| guess.chance(range)), wanted);
        })?;
        (collected.expected, collected.found) = calibration.expected_and_found();
        collected.calibration_error = calibration.error();
        Ok(collected)
    }

    fn observe(&mut self, seen: &Observation, history: &PageHistory, rules: &MediaRules) -> Result<(), Error> {
        self.requests += 1;
        let media_type = match seen.outcome {
            _ if !matches!(seen.purpose, Purpose::Visit | Purpose::Probe) => None,
            Outcome::Body { .. } => seen.real_media_type().map(str::to_owned),
            // The server only says that our copy is still right.
            Outcome::NotModified => history.page(&PageUrl::new(&seen.url))?.and_then(|page| page.media_type),
            _ => None,
        };
        if let Some(media_type) = media_type.filter(|media_type| rules.want(media_type)) {
            self.wanted += 1;
            *self.types.entry(media_type).or_default() += 1;
        }
        Ok(())
    }
}
