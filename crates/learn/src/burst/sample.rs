//! The visits of a few pages of a site, kept to learn its bursts from.

use super::{Bursts, Interval, Log};
use crate::learner::PageSlot;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Pages whose visits are kept, and how many of each: half a mebibyte.
const PAGES_MAX: usize = 256;
const VISITS_MAX: usize = 128;
/// The first fit, and every next when the sample has grown by half.
const FIRST_FIT: usize = 500;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Sampled {
    page: PageSlot,
    newborn: bool,
    visits: Vec<Interval>,
}

/// Of all pages those whose numbers mix to the smallest: as good as drawn by lot, the same whatever order they come in,
/// and newcomers have the same chance as the first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Sample {
    pages: BTreeMap<u64, Sampled>,
    visits: usize,
    fitted_at: usize,
}

/// The pages and how many visits there were when bursts were last fitted; the rest follows.
#[derive(Serialize, Deserialize)]
struct Written(Vec<Sampled>, u64);

impl From<Sample> for Written {
    fn from(sample: Sample) -> Written {
        Written(sample.pages.into_values().collect(), sample.fitted_at as u64)
    }
}

impl From<Written> for Sample {
    fn from(Written(pages, fitted_at): Written) -> Sample {
        let mut sample = Sample { fitted_at: fitted_at.min(u64::from(u32::MAX)) as usize, ..Sample::default() };
        pages.into_iter().for_each(|page| sample.add(page));
        sample
    }
}

impl Sample {
    /// Adds what was seen of a page elsewhere.
    fn add(&mut self, page: Sampled) {
        let key = mix(page.page);
        let sampled = self.pages.entry(key).or_insert(Sampled { visits: Vec::new(), ..page });
        let room = VISITS_MAX.saturating_sub(sampled.visits.len());
        let before = sampled.visits.len();
        sampled.visits.extend(page.visits.into_iter().take(room));
        self.visits += sampled.visits.len() - before;
        self.thin();
    }

    /// Adds what another log says; `slots` says which number here each of its pages has.
    pub fn merge(&mut self, other: &Sample, slots: &[PageSlot]) {
        for page in other.pages.values() {
            if let Some(slot) = slots.get(page.page.index()) {
                self.add(Sampled { page: *slot, ..page.clone() });
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let visits: usize = self.pages.values().map(|page| page.visits.capacity()).sum();
        self.pages.len() * 2 * size_of::<(u64, Sampled)>() + visits * size_of::<Interval>()
    }

    /// Leaves out whoever is too many.
    fn thin(&mut self) {
        if self.pages.len() > PAGES_MAX
            && let Some((_, dropped)) = self.pages.pop_last()
        {
            self.visits -= dropped.visits.len();
        }
    }

    /// A visit to a page, new to the site when it was first seen or not. Returns whether it is time to fit.
    pub fn observe(&mut self, page: PageSlot, newborn: bool, visit: Interval) -> bool {
        let key = mix(page);
        let sampled = self.pages.entry(key).or_insert(Sampled { page, newborn, visits: Vec::new() });
        if sampled.visits.len() < VISITS_MAX {
            sampled.visits.push(visit);
            self.visits += 1;
        }
        self.thin();
        self.visits >= FIRST_FIT.max(self.fitted_at + self.fitted_at / 2)
    }

    /// The bursts that the sample shows, if any.
    pub fn fit(&mut self) -> Option<Bursts> {
        self.fitted_at = self.visits;
        let logs = self.pages.values().map(|page| Log { newborn: page.newborn, visits: &page.visits });
        Bursts::fit(&logs.collect::<Vec<_>>())
    }
}

/// A number of 64 bits that differs in all of them for neighbouring pages (the finaliser of SplitMix64).
fn mix(page: PageSlot) -> u64 {
    let mut bits = u64::from(page.0).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_stays_small_and_late_pages_are_in_it() {
        let mut sample = Sample::default();
        let mut fits = 0;
        for visit in 0..40 {
            for page in 0..2000 {
                let due = sample.observe(PageSlot(page), page >= 1000, Interval { days: 1.0, changed: visit == 3 });
                if due {
                    fits += 1;
                    sample.fitted_at = sample.visits;
                }
            }
        }
        assert_eq!((sample.pages.len(), sample.visits), (PAGES_MAX, PAGES_MAX * 40));
        assert!((3..20).contains(&fits), "{fits}");
        let late = sample.pages.values().filter(|page| page.newborn).count();
        assert!((90..166).contains(&late), "{late}");
    }

    #[test]
    fn bursts_are_fitted_from_the_sample() {
        let mut sample = Sample::default();
        for hour in 0..100 {
            for page in 0..20u32 {
                // Three changes in a row, once.
                let changed = (hour + page * 7) % 100 < 3;
                sample.observe(PageSlot(page), false, Interval { days: 1.0 / 24.0, changed });
            }
        }
        assert!(sample.fit().is_some());
        assert_eq!(Sample::default().fit(), None);
    }
}
