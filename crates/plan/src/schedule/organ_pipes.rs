//! SHARC-offline: the least blur with one visit per page.

use super::{Plan, RatedSite};

/// The slot of the `nth` coldest of `pages` pages: equation (6). Even ones rise from the beginning, odd ones fall to the
/// end, so that the hottest meet in the middle, where the penalty is smallest (rearrangement inequality).
pub fn slot_of(nth: usize, pages: usize) -> usize {
    if nth.is_multiple_of(2) { nth / 2 } else { pages - 1 - nth / 2 }
}

/// Every page once, cold ones at the ends and hot ones in the middle.
///
/// Algorithm 1 of the paper writes the inverse permutation, which is worse; this is what equation (6) says.
pub fn organ_pipes(site: &RatedSite) -> Plan {
    let pages = site.len();
    let rising = (0..pages).step_by(2);
    let falling = (1..pages).step_by(2).rev();
    rising.chain(falling).map(|nth| site.page(nth)).collect()
}
