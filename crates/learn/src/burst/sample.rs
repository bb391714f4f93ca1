//! The visits of a few pages of a site, kept to learn its bursts from.

use super::{Bursts, Interval, Log};
use std::collections::BTreeMap;
use tintype_vocab::PageId;

/// Pages whose visits are kept, and how many of each: half a mebibyte.
const PAGES_MAX: usize = 256;
const VISITS_MAX: usize = 128;
/// The first fit, and every next when the sample has grown by half.
const FIRST_FIT: usize = 500;

#[derive(Clone, Debug)]
struct Sampled {
    newborn: bool,
    visits: Vec<Interval>,
}

/// Of all pages those whose numbers mix to the smallest: as good as drawn by lot, the same whatever order they come in,
/// and newcomers have the same chance as the first.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    pages: BTreeMap<u64, Sampled>,
    visits: usize,
    fitted_at: usize,
}

impl Sample {
    /// A visit to a page, new to the site when it was first seen or not. Returns whether it is time to fit.
    pub fn observe(&mut self, page: PageId, newborn: bool, visit: Interval) -> bool {
        let key = mix(page);
        let sampled = self.pages.entry(key).or_insert(Sampled { newborn, visits: Vec::new() });
        if sampled.visits.len() < VISITS_MAX {
            sampled.visits.push(visit);
            self.visits += 1;
        }
        if self.pages.len() > PAGES_MAX
            && let Some((_, dropped)) = self.pages.pop_last()
        {
            self.visits -= dropped.visits.len();
        }
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
fn mix(page: PageId) -> u64 {
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
                let due = sample.observe(PageId(page), page >= 1000, Interval { days: 1.0, changed: visit == 3 });
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
                sample.observe(PageId(page), false, Interval { days: 1.0 / 24.0, changed });
            }
        }
        assert!(sample.fit().is_some());
        assert_eq!(Sample::default().fit(), None);
    }
}
