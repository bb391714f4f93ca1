//! What a capture that wanted certain media types brought home.

use super::score::Calibration;
use crate::{amount::counted, memory::media::Lessons};
use serde::Serialize;
use std::collections::BTreeMap;
use tintype_archive::{CaptureId, History, Reading};
use tintype_plan::MediaRules;
use tintype_vocab::{Entry, Observation, Outcome, PageUrl, Purpose};

/// Media types that are named; more are counted together.
const NAMED: usize = 4;

/// Files of a wanted media type, what they cost, and how sure one was of them before asking.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Collected {
    /// Files that are wanted and held.
    pub(crate) wanted: u64,
    /// All requests of the capture.
    pub(crate) requests: u64,
    /// Wanted files by media type.
    pub(crate) types: BTreeMap<String, u64>,
    /// How many wanted files were to be expected of what was asked for, by the chances before asking...
    pub(crate) expected: f64,
    /// ...and how many there were among them.
    pub(crate) found: u64,
    /// How far chances were from what came true, on average.
    pub(crate) calibration_error: Option<f64>,
}

impl Collected {
    /// By the log of a capture, guessing again with what was known before it and learning on the way.
    pub(crate) fn of(
        reading: &Reading,
        capture: &CaptureId,
        history: &History,
        rules: &MediaRules,
        before: &Lessons,
    ) -> anyhow::Result<Collected> {
        let (mut collected, mut calibration) = (Collected::default(), Calibration::default());
        let heard = reading.entries(capture)?.map(|entry| {
            let entry = entry?;
            if let Entry::Observation(seen) = &entry {
                collected.hear(seen, history, rules)?;
            }
            Ok(entry)
        });
        before.clone().fold(heard, |seen, guess| {
            let wanted = seen.real_media_type().is_some_and(|media_type| rules.want(media_type));
            calibration.add(rules.chance(|range| guess.chance(range)), wanted);
        })?;
        (collected.expected, collected.found) = calibration.expected_and_found();
        collected.calibration_error = calibration.error();
        Ok(collected)
    }

    fn hear(&mut self, seen: &Observation, history: &History, rules: &MediaRules) -> anyhow::Result<()> {
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

    /// What is held and what it cost.
    pub(crate) fn cost(&self) -> String {
        let mut types: Vec<(&String, &u64)> = self.types.iter().collect();
        types.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), *name));
        let further: u64 = types.iter().skip(NAMED).map(|(_, count)| **count).sum();
        let named = types.iter().take(NAMED).map(|(name, count)| format!("{count} {}", crate::plain::printable(name)));
        let further = (further > 0).then(|| format!("{further} of other types"));
        let named: Vec<String> = named.chain(further).collect();
        let requests = counted(self.requests, "request");
        match self.wanted {
            0 => format!("none in {requests}"),
            wanted => format!("{}; {requests}, {:.1} for each", named.join(", "), self.requests as f64 / wanted as f64),
        }
    }

    /// How sure one was, and whether rightly.
    pub(crate) fn sureness(&self) -> Option<String> {
        let error = self.calibration_error?;
        let (expected, found) = (self.expected, self.found);
        Some(format!(
            "{expected:.1} wanted ones expected before asking, {found} found; chances were {error:.2} off on average"
        ))
    }
}
