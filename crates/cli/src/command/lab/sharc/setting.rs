//! What is thrown and what is believed of it before a capture.

use super::share;
use tintype_vocab::{Span, Time};
use tintype_world::{
    capture::{Manner, Tree},
    synthetic::{Placement, Sharc},
};

/// More visits nobody has the patience for.
const VISITS_MAX: f64 = 100e6;

/// Visits beyond two per page that a policy may make: one in a hundred is the most that any asks for.
const SPARE_SLOTS: usize = 64;

/// So short that even the largest sites are captured before rules are asked for again, which costs a slot a day.
pub(super) const SLOT: Span = Span::from_secs(1);

/// The made-up sites of an experiment.
#[derive(Clone, Debug)]
pub(in crate::command::lab) struct Setting {
    /// Its rate of the hottest page is Δ.
    pub(in crate::command::lab) shape: Sharc,
    pub(in crate::command::lab) pages: usize,
    pub(in crate::command::lab) tau: f64,
    pub(in crate::command::lab) size: Size,
    pub(in crate::command::lab) misestimated: f64,
    /// Shares of barren and of bearing pages that look like the other.
    pub(in crate::command::lab) mislabelled: (f64, f64),
    /// Observation interval ÷ capture, both around the same middle.
    pub(in crate::command::lab) stretch: f64,
    pub(in crate::command::lab) seeds: u64,
    pub(in crate::command::lab) run_seed: u64,
}

/// The paper's.
impl Default for Setting {
    fn default() -> Setting {
        Setting {
            shape: Sharc { slot: SLOT, ..Sharc::default() },
            pages: 1024,
            tau: 0.7,
            size: Size::Wrong(0.0),
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
pub(in crate::command::lab) enum Size {
    /// So much larger than it is; 0 is right.
    Wrong(f64),
    Unknown,
}

impl Size {
    pub(super) fn parse(text: &str) -> Result<Size, String> {
        if text.trim() == "unknown" {
            return Ok(Size::Unknown);
        }
        let wanted = "by how much of itself the site is thought to be larger, such as 0.5 or -0.5, or unknown";
        super::number(text, |error| (-1.0..=100.0).contains(&error), wanted).map(Size::Wrong)
    }

    /// 0 if nobody knows.
    fn thought(self, pages: usize) -> usize {
        match self {
            Size::Wrong(error) => ((pages as f64 * (1.0 + error)).round() as usize).max(1),
            Size::Unknown => 0,
        }
    }
}

pub(super) fn parse_mislabelled(text: &str) -> Result<(f64, f64), String> {
    let (barren, bearing) = text.split_once(',').ok_or("write two shares, such as 0.02,0.3")?;
    Ok((share(barren)?, share(bearing)?))
}

impl Setting {
    pub(super) fn is_too_long(&self) -> bool {
        (2 * self.pages) as f64 * self.seeds as f64 > VISITS_MAX
    }

    pub(in crate::command::lab) fn delta(&self) -> f64 {
        self.shape.rate_per_slot
    }

    pub(super) fn placement(&self) -> &'static str {
        match self.shape.placement {
            Placement::Top => "top",
            Placement::Random => "random",
        }
    }

    /// The nth site.
    pub(in crate::command::lab) fn site(&self, nth: u64) -> Tree {
        let seed = self.run_seed.wrapping_add(nth);
        let slots = 2 * self.pages + self.pages / 50 + SPARE_SLOTS;
        let thrown = (slots as f64 * self.stretch).ceil() as usize + slots;
        let (barren, bearing) = self.mislabelled;
        Tree::new(&self.shape, self.pages, thrown, seed)
            .misjudge(self.misestimated, seed)
            .mislabel(barren, bearing, seed)
    }

    /// When captures begin: late enough that what is asked of wider intervals has been thrown too.
    pub(in crate::command::lab) fn start(&self) -> Time {
        let before = (self.pages as f64 * (self.stretch - 1.0)).ceil() as i64;
        Time::from_millis(self.slot().as_millis() * before)
    }

    pub(in crate::command::lab) fn slot(&self) -> Span {
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
    pub(in crate::command::lab) fn rates(&self) -> Vec<f64> {
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
        let thought = |text: &str| Size::parse(text).unwrap().thought(100);
        assert_eq!(["0", "0.5", "-0.5", "unknown"].map(thought), [100, 150, 50, 0]);
        assert!(Size::parse("-2").is_err() && Size::parse("large").is_err());
    }
}
