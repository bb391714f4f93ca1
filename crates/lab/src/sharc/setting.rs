//! What is thrown and what is believed of it before a capture.

use tintype_vocab::{Span, Time};
use tintype_world::{
    capture::{Manner, SharcTree},
    synthetic::{Placement, Sharc},
};

/// More visits nobody has the patience for.
const VISITS_MAX: f64 = 100e6;

/// Visits beyond two per page that a policy may make: one in a hundred is the most that any asks for.
const SPARE_SLOTS: usize = 64;

/// So short that even the largest sites are captured before rules are asked for again, which costs a slot a day.
pub const SLOT: Span = Span::from_secs(1);

/// The made-up sites of an experiment.
#[derive(Clone, Debug)]
pub struct SharcSetting {
    /// Its rate of the hottest page is Δ.
    pub shape: Sharc,
    pub pages: usize,
    pub tau: f64,
    pub size: SizeBelief,
    pub misestimated: f64,
    /// Shares of barren and of bearing pages that look like the other.
    pub mislabelled: (f64, f64),
    /// Observation interval ÷ capture, both around the same middle.
    pub stretch: f64,
    pub seeds: u64,
    pub run_seed: u64,
}

/// The paper's.
impl Default for SharcSetting {
    fn default() -> SharcSetting {
        SharcSetting {
            shape: Sharc { slot: SLOT, ..Sharc::default() },
            pages: 1024,
            tau: 0.7,
            size: SizeBelief::Wrong(0.0),
            misestimated: 0.0,
            mislabelled: (0.0, 0.0),
            stretch: 1.0,
            seeds: 30,
            run_seed: 0,
        }
    }
}

/// How large a site is thought to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SizeBelief {
    /// So much larger than it is; 0 is right.
    Wrong(f64),
    Unknown,
}

impl SizeBelief {
    /// 0 if it is unknown.
    fn thought(self, pages: usize) -> usize {
        match self {
            SizeBelief::Wrong(error) => ((pages as f64 * (1.0 + error)).round() as usize).max(1),
            SizeBelief::Unknown => 0,
        }
    }
}

impl SharcSetting {
    pub(super) fn is_too_long(&self) -> bool {
        (2 * self.pages) as f64 * self.seeds as f64 > VISITS_MAX
    }

    pub(crate) fn delta(&self) -> f64 {
        self.shape.rate_per_slot
    }

    pub(super) fn placement(&self) -> &'static str {
        match self.shape.placement {
            Placement::Top => "top",
            Placement::Random => "random",
        }
    }

    /// The nth site.
    pub(crate) fn site(&self, nth: u64) -> SharcTree {
        let seed = self.run_seed.wrapping_add(nth);
        let slots = 2 * self.pages + self.pages / 50 + SPARE_SLOTS;
        let thrown = (slots as f64 * self.stretch).ceil() as usize + slots;
        let (barren, bearing) = self.mislabelled;
        SharcTree::new(&self.shape, self.pages, thrown, seed)
            .misjudge(self.misestimated, seed)
            .mislabel(barren, bearing, seed)
    }

    /// When captures begin: late enough that what is asked of wider intervals has been thrown too.
    pub(crate) fn start(&self) -> Time {
        let before = (self.pages as f64 * (self.stretch - 1.0)).ceil() as i64;
        Time::from_millis(self.slot().as_millis() * before)
    }

    pub(crate) fn slot(&self) -> Span {
        self.shape.slot
    }

    /// How a policy captures these sites.
    pub(super) fn manner(&self, policy: Box<dyn tintype_plan::Policy>, revisit: bool, told: bool) -> Manner {
        Manner {
            policy,
            start: self.start(),
            slot: self.slot(),
            revisit,
            size: self.size.thought(self.pages),
            told,
            requests_max: None,
        }
    }

    /// Rates per slot, from the coldest.
    pub(crate) fn rates(&self) -> Vec<f64> {
        let mut rates = self.shape.rates_per_slot(self.pages, 0);
        rates.sort_by(f64::total_cmp);
        rates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_wrong_by_a_share_or_unknown() {
        let thought = |error: f64| SizeBelief::Wrong(error).thought(100);
        assert_eq!([0.0, 0.5, -0.5].map(thought), [100, 150, 50]);
        assert_eq!(SizeBelief::Unknown.thought(100), 0);
    }
}
