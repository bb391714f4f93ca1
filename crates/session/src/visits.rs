//! The visits of a collection to one site, in order of time.

use crate::Error;
use std::collections::BTreeMap;
use tintype_archive::{CaptureInfo, Reading};
use tintype_learn::site_patterns::{VisitRecord, VisitResult, VisitSource};
use tintype_vocab::{Change, Entry, Observation, Outcome, PageUrl, Purpose, UrlKey};

/// What a collection saw of one site.
#[derive(Debug)]
pub struct CollectionVisits<'a> {
    pub reading: &'a Reading,
    /// Of the site, oldest first.
    pub captures: Vec<CaptureInfo>,
}

impl VisitSource for CollectionVisits<'_> {
    type Error = Error;

    fn for_each(&self, each: &mut dyn FnMut(VisitRecord<'_>)) -> Result<(), Error> {
        for (nth, capture) in self.captures.iter().enumerate() {
            for entry in self.reading.entries(&capture.id)? {
                if let Entry::Observation(seen) = entry?
                    && let Some(saw) = saw(&seen, nth > 0)
                {
                    let (key, page) = (UrlKey::of(&seen.url), PageUrl::new(&seen.url));
                    each(VisitRecord { key: key.as_str(), name: page.as_str(), at: seen.asked, saw });
                }
            }
        }
        Ok(())
    }
}

fn saw(seen: &Observation, known_site: bool) -> Option<VisitResult> {
    if seen.purpose == Purpose::Robots {
        return None;
    }
    match (&seen.outcome, seen.change) {
        (Outcome::Gone { .. }, _) => Some(VisitResult::Gone),
        (_, Change::First) => Some(VisitResult::First { newborn: known_site }),
        (_, Change::Same) => Some(VisitResult::Same),
        // A clock that ticks is no change, here as in captures.
        (_, change @ Change::New { .. }) if !change.matters() => Some(VisitResult::Same),
        (_, Change::New { importance }) => {
            Some(VisitResult::Change { at: seen.modified(), importance: f64::from(importance) })
        }
        (_, Change::Unknown) => None,
    }
}

/// The captures of each site, by name, oldest first.
pub fn by_site(captures: Vec<CaptureInfo>) -> BTreeMap<String, Vec<CaptureInfo>> {
    let mut sites = BTreeMap::new();
    for capture in captures {
        sites.entry(capture.head.site.clone()).or_insert_with(Vec::new).push(capture);
    }
    sites
}
