//! How well a version is kept, and which versions deserve better.
//!
//! Pattern-based indexing: what changes a little is not indexed, or not stored if somebody asked for that, until its
//! changes have added up to what is usual for the page. By default everything is indexed, and a version that says anything
//! else than the one before is stored whatever is asked for.

use crate::store::KnownPage;
use serde::{Deserialize, Serialize};
use tintype_vocab::Change;

/// The field of a response or duplicate record that is stored but left out of the index, and what it says. The index of a
/// segment is a function of the segment, so the record itself must say it.
pub(crate) const FIELD: (&str, &str) = ("Tintype-Index", "no");

/// So many visits without change are imagined before a page's first: while little is known of it, nearly everything is
/// important.
const IMAGINED_VISITS: f64 = 3.0;

/// How well a version is kept, the least first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Retention {
    /// Log and segment say that it was seen, with its digest; its bytes are gone.
    DigestOnly,
    /// In a segment, but not in its index.
    Stored,
    #[default]
    Indexed,
}

impl Retention {
    pub(crate) fn is_indexed(&self) -> bool {
        *self == Retention::Indexed
    }

    /// What becomes of a version; `lesser` is for those below their page's threshold.
    pub(crate) fn of(change: Change, page: Option<&KnownPage>, lesser: Retention) -> Retention {
        match (change, page) {
            // What says something new, however little, is in a file.
            (Change::New { importance }, Some(page)) if !page.is_due(importance) && change.is_readable() => {
                lesser.max(Retention::Stored)
            }
            (Change::New { importance }, Some(page)) if !page.is_due(importance) => lesser,
            // Nothing has changed but, perhaps, what we are asked to do.
            (Change::Same, Some(page)) => page.retention.max(lesser),
            _ => Retention::Indexed,
        }
    }
}

impl KnownPage {
    /// The mean importance of what its visits found: the mean of the paper's pattern, where every period has one visit.
    fn threshold(&self) -> f64 {
        let mean = self.importance / (self.visits as f64 + IMAGINED_VISITS);
        mean.max(f64::from(Change::IMPORTANCE_MIN))
    }

    /// Whether the changes since the last indexed version, this one included, are important enough.
    fn is_due(&self, importance: f32) -> bool {
        let mut waiting = self.waiting;
        waiting.index(f64::from(importance), self.threshold())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::Accumulator;

    fn page(visits: u64, importance: f64, waiting: f64) -> KnownPage {
        KnownPage {
            visits,
            importance,
            waiting: Accumulator::new(waiting),
            ..KnownPage::new("http://e/", Default::default())
        }
    }

    fn retention(importance: f32, page: &KnownPage) -> Retention {
        Retention::of(Change::New { importance }, Some(page), Retention::Stored)
    }

    #[test]
    fn what_is_usual_for_a_page_is_indexed_and_less_waits_until_it_is_enough() {
        let usual = page(97, 10.0, 0.0);
        assert_eq!(retention(0.1, &usual), Retention::Indexed);
        assert_eq!(retention(0.09, &usual), Retention::Stored);
        assert_eq!(retention(0.09, &page(97, 10.0, 0.02)), Retention::Indexed);
    }

    #[test]
    fn of_a_page_with_little_past_everything_that_matters_is_indexed() {
        let new = page(1, 0.0, 0.0);
        assert_eq!(retention(0.0011, &new), Retention::Indexed);
        assert_eq!(retention(0.0, &new), Retention::Stored);
    }

    #[test]
    fn what_says_anything_new_is_stored_even_if_only_the_important_is_asked_for() {
        let usual = page(97, 10.0, 0.0);
        let noted = |importance| Retention::of(Change::New { importance }, Some(&usual), Retention::DigestOnly);
        assert_eq!(
            [noted(0.2), noted(0.01), noted(0.0)],
            [Retention::Indexed, Retention::Stored, Retention::DigestOnly]
        );
    }

    #[test]
    fn a_version_seen_again_is_kept_as_well_as_before_or_better() {
        let again = |held, lesser| {
            let page = KnownPage { retention: held, ..page(1, 0.0, 0.0) };
            Retention::of(Change::Same, Some(&page), lesser)
        };
        assert_eq!(again(Retention::Stored, Retention::DigestOnly), Retention::Stored);
        assert_eq!(again(Retention::DigestOnly, Retention::Indexed), Retention::Indexed);
        assert_eq!(Retention::of(Change::First, None, Retention::DigestOnly), Retention::Indexed);
        assert_eq!(Retention::of(Change::Unknown, Some(&page(9, 9.0, 0.0)), Retention::DigestOnly), Retention::Indexed);
    }
}
