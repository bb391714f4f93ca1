//! Coherence (Spaniol et al. 2009), continued: round after round, the pages least likely to change first.

use crate::schedule::{Plan, RatedSite};

pub(super) fn plan(site: &RatedSite) -> Plan {
    (0..site.len()).map(|nth| site.page(nth)).collect()
}
