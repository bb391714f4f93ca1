//! One full look at a source, reduced to what a learner of decay needs.

use serde::{Deserialize, Serialize};
use tintype_vocab::Time;

/// How many objects a crawl found, by the crawl that saw them first.
///
/// Nothing else is needed to know how good any earlier copy was by now: of the objects held since then, those are left
/// that were first seen by then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crawl {
    pub at: Time,
    /// When objects were first seen, oldest first, and how many of them are there; those first seen `at` are new.
    pub alive: Vec<(Time, u32)>,
}

impl Crawl {
    /// All objects at the source.
    pub fn size(&self) -> u32 {
        total(&self.alive)
    }

    /// The objects that a copy made at `then` has in common with the source now.
    pub fn kept_since(&self, then: Time) -> u32 {
        let held = self.alive.partition_point(|(first, _)| *first <= then);
        total(&self.alive[..held])
    }
}

/// Not more than can be told.
fn total(cohorts: &[(Time, u32)]) -> u32 {
    cohorts.iter().fold(0, |sum, (_, count)| sum.saturating_add(*count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_first_seen_by_then_was_held_then() {
        let at = Time::from_millis;
        let crawl = Crawl { at: at(30), alive: vec![(at(0), 5), (at(10), 2), (at(30), 4)] };
        assert_eq!((crawl.size(), crawl.kept_since(at(10)), crawl.kept_since(at(9))), (11, 7, 5));
    }

    #[test]
    fn more_objects_than_can_be_counted_are_as_many_as_can() {
        let at = Time::from_millis;
        let crawl = Crawl { at: at(30), alive: vec![(at(0), u32::MAX), (at(10), 7)] };
        assert_eq!((crawl.size(), crawl.kept_since(at(20))), (u32::MAX, u32::MAX));
    }
}
