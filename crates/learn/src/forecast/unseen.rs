//! Whether pages that nobody has seen are there: how far what is foretold of them is off on this site.
//!
//! Some sites link hundreds of pages that never were, or that a collection from elsewhere left out; on others every link leads
//! somewhere. What was linked before anybody watched and what came since are told apart.

use super::clues::{BORN, UNSEEN, Values};
use serde::{Deserialize, Serialize};

/// Imaginary pages that were there as foretold.
const AS_FORETOLD: f64 = 1.0;
/// Old looks count less with every new one: the links that are tried first are those that are likeliest to lead somewhere, and what
/// they came to says little of the rest. (Of .995 and .999, with digitalgov in sight.)
const LOOKS_KEPT: f64 = 0.995;

/// Pages that were there when somebody looked, and the chances they had been given.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Looked {
    there: f64,
    foretold: f64,
}

/// What looking for pages never seen came to.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Unseen {
    known_before: Looked,
    came_since: Looked,
}

impl Unseen {
    fn looked(&self, clues: &Values) -> &Looked {
        if clues[BORN] > 0.5 { &self.came_since } else { &self.known_before }
    }

    /// The chance that a page is there, when the forest gives it this one.
    pub(super) fn chance(&self, clues: &Values, foretold: f64) -> f64 {
        let looked = self.looked(clues);
        (foretold * (looked.there + AS_FORETOLD) / (looked.foretold + AS_FORETOLD)).min(1.0)
    }

    /// Somebody looked.
    pub(super) fn observe(&mut self, clues: &Values, foretold: f64, is_there: bool) {
        debug_assert!(clues[UNSEEN] == 1.0, "a page that was seen tells nothing of those that were not");
        let looked = if clues[BORN] > 0.5 { &mut self.came_since } else { &mut self.known_before };
        looked.there = LOOKS_KEPT * looked.there + f64::from(u8::from(is_there));
        looked.foretold = LOOKS_KEPT * looked.foretold + foretold;
    }

    pub(super) fn add(&mut self, other: &Unseen) {
        for (mine, theirs) in [(&mut self.known_before, other.known_before), (&mut self.came_since, other.came_since)] {
            (mine.there, mine.foretold) = (mine.there + theirs.there, mine.foretold + theirs.foretold);
        }
    }

    pub(super) fn is_sound(&self) -> bool {
        let sums = [self.known_before, self.came_since].map(|looked| [looked.there, looked.foretold]);
        sums.as_flattened().iter().all(|sum| (0.0..1e9).contains(sum))
    }
}

#[cfg(test)]
mod tests {
    use super::{super::clues::CLUES, *};

    fn clues(born: f32) -> Values {
        let mut clues = [0.0; CLUES];
        (clues[UNSEEN], clues[BORN]) = (1.0, born);
        clues
    }

    #[test]
    fn where_old_links_lead_nowhere_new_ones_are_still_followed() {
        let mut unseen = Unseen::default();
        for _ in 0..300 {
            unseen.observe(&clues(0.0), 0.3, false);
            unseen.observe(&clues(1.0), 0.6, true);
        }
        assert!(unseen.chance(&clues(0.0), 0.3) < 0.01, "{unseen:?}");
        assert!(unseen.chance(&clues(1.0), 0.6) > 0.9, "{unseen:?}");
    }

    #[test]
    fn what_came_true_is_foretold_as_before() {
        let mut unseen = Unseen::default();
        (0..400).for_each(|nth| unseen.observe(&clues(0.0), 0.25, nth % 4 == 0));
        assert!((unseen.chance(&clues(0.0), 0.25) - 0.25).abs() < 0.02, "{unseen:?}");
    }
}
