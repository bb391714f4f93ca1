//! The best any schedule could have done, told what was going to happen.
//!
//! One file per measure. Those of schedules keep to given slots, one visit each, and all are exact: no schedule with the
//! same slots does better, and some schedule does as well. [`bypass`] is the best that can be skipped, [`fewest_crawls`] the least work that keeps a promise.

mod assignment;
mod blur;
mod bypass;
mod completeness;
mod crawls;
mod expected_sharp;
mod freshness;
mod hull;
mod mean_bypass;
mod priced;
mod sharp;
mod weighted;

pub use assignment::assignment;
pub use blur::{OneVisit, blur};
pub use bypass::{BypassFrontier, DirectoryFates, Leaves, bypass};
pub use completeness::completeness;
pub use crawls::{fewest_crawls, latest_crawls};
pub use expected_sharp::{Pairs, expected_sharp};
pub use freshness::freshness;
pub use mean_bypass::mean_bypass;
pub use sharp::sharp;
pub use weighted::{archive_completeness, weighted_completeness};

use crate::{Truth, Version, window::Window};
use std::collections::BinaryHeap;
use tintype_vocab::Time;

fn born(truth: &Truth, window: Window) -> Vec<Version> {
    truth.versions().iter().filter(|version| window.bears(version)).copied().collect()
}

/// At every slot offers the versions that have come to be, most urgent first, until `take(slot, until)` accepts one.
///
/// A version refused once is never offered again: what cannot be served now cannot be served later. O((V + S) log V).
fn serve<K: Ord>(
    mut versions: Vec<Version>,
    slots: &[Time],
    urgency: impl Fn(Time) -> K,
    mut take: impl FnMut(Time, Time) -> bool,
) {
    versions.sort_unstable_by_key(|version| version.from);
    let mut coming = versions.iter().peekable();
    let mut waiting = BinaryHeap::new();
    for &slot in slots {
        while let Some(version) = coming.next_if(|version| version.from <= slot) {
            waiting.push((urgency(version.until), version.until));
        }
        while let Some((_, until)) = waiting.pop() {
            if take(slot, until) {
                break;
            }
        }
    }
}
