//! What pages are made of, and whether the parts stood together with the page.

use super::{Composites, page::Page};
use crate::capture::{Composite, CompositeVerdict, Sighting, verdict};
use std::collections::HashMap;
use tintype_vocab::{LinkKind, Observation, Time};

/// Parts looked at per page: more than pages for people have.
const PARTS_MAX: usize = 1000;

/// The parts of every page by number, as the earliest visit that had any shows them.
#[derive(Debug, Default)]
pub(super) struct Parts {
    of: HashMap<u32, (Time, Box<[u32]>)>,
}

impl Parts {
    /// What the page is made of, by what the visit saw.
    pub(super) fn of(visit: &Observation) -> impl Iterator<Item = &str> {
        let saw = visit.outcome.saw_page();
        let parts = visit.links.iter().filter(move |link| saw && link.kind == LinkKind::Embed);
        parts.map(|link| link.url).take(PARTS_MAX)
    }

    pub(super) fn add(&mut self, page: u32, at: Time, mut parts: Vec<u32>) {
        if parts.is_empty() || self.of.get(&page).is_some_and(|(earliest, _)| *earliest <= at) {
            return;
        }
        parts.sort_unstable();
        parts.dedup();
        self.of.insert(page, (at, parts.into_boxed_slice()));
    }

    /// Every page with parts that were captured, judged by its worst part.
    pub(super) fn composites(&self, pages: &[Option<Page>], moment: Time) -> Composites {
        let mut composites = Composites::default();
        for (page, (_, parts)) in &self.of {
            let Some(root) = pages[*page as usize].as_ref().and_then(|page| shown_at(page, moment)) else { continue };
            let parts = parts.iter().filter(|part| *part != page).filter_map(|part| pages[*part as usize].as_ref());
            let worst = parts.filter_map(|part| judge(root, part)).collect::<Composite>().worst();
            match worst {
                Some(CompositeVerdict::CoherentByOne | CompositeVerdict::CoherentByBracket) => composites.coherent += 1,
                Some(CompositeVerdict::Possible) => composites.possible += 1,
                Some(CompositeVerdict::Violation) => composites.violations += 1,
                Some(CompositeVerdict::Unknown) => composites.unknown += 1,
                None => {}
            }
        }
        composites
    }
}

/// As of when the capture shows a page: the moment itself if it is proved for it, else the nearest visit that saw it.
fn shown_at(page: &Page, moment: Time) -> Option<Time> {
    let nearest = |time: Time| (time - moment).as_millis().abs();
    match page.proven().iter().any(|proof| proof.covers(moment, moment)) {
        true => Some(moment),
        false => page
            .looks
            .iter()
            .filter(|look| look.version().is_some())
            .map(|look| look.asked)
            .min_by_key(|at| nearest(*at)),
    }
}

/// What is known of a part when its page is shown as of `root`.
fn judge(root: Time, part: &Page) -> Option<CompositeVerdict> {
    let sightings: Vec<Sighting> = part
        .looks
        .iter()
        .filter_map(|look| Some(Sighting { at: look.asked, digest: look.version()?, last_modified: look.modified }))
        .collect();
    let nearest = (0..sightings.len()).min_by_key(|&number| (sightings[number].at - root).as_millis().abs())?;
    Some(verdict(root, &sightings, nearest))
}
