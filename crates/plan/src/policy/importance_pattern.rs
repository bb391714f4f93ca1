//! Importance-Pattern, the paper's own strategy: by how important changes are in the period that has begun.

use super::by_urgency::Strategy;
use crate::page_rank::PageRank;
use tintype_learn::hours::Counted;

pub(super) const STRATEGY: Strategy = Strategy {
    counted: Counted::Importance,
    promise: |pattern, at| (pattern.at(at), pattern.seen_at(at)),
    weight: PageRank::weight,
};

/// The same where all pages weigh the same, as they do in a tournament.
pub(super) const EVEN: Strategy = Strategy { weight: |_, _| 1.0, ..STRATEGY };
