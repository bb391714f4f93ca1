//! The best averages over several passages from version to version.

use super::{BypassFrontier, hull};
use crate::bypass::{Bypass, MeanBypass};

/// The best means over several passages, each free to lose more changes where they are cheap.
///
/// The corners of the upper hull: each is reached by a choice for every passage, and no choices whatever have means above
/// the straight lines between them. From no change lost to all of them.
pub fn mean_bypass(frontiers: &[BypassFrontier]) -> Vec<MeanBypass> {
    let hulls: Vec<Vec<&Bypass>> = frontiers.iter().map(upper_hull).collect();
    let mut chosen: Vec<&Bypass> = hulls.iter().map(|hull| hull[0]).collect();
    let mut sides: Vec<(f64, usize, &Bypass)> = Vec::new();
    for (nth, hull) in hulls.iter().enumerate() {
        sides.extend(hull.windows(2).map(|side| (hull::slope(place(side[0]), place(side[1])), nth, side[1])));
    }
    sides.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut corners = vec![MeanBypass::of(chosen.iter().copied())];
    for (_, nth, next) in sides {
        chosen[nth] = next;
        corners.push(MeanBypass::of(chosen.iter().copied()));
    }
    corners
}

/// Loss of recall, and what it buys.
fn place(bypass: &Bypass) -> (f64, f64) {
    (1.0 - bypass.change_recall(), bypass.bypass_ratio())
}

fn upper_hull(frontier: &BypassFrontier) -> Vec<&Bypass> {
    hull::upper(frontier.points.iter(), place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{
        Leaves,
        bypass::{bypass, tests::trees},
    };
    use proptest::{collection::vec, prelude::*};

    /// What a loss of recall buys at most, between the corners.
    fn most(corners: &[MeanBypass], lost: f64) -> f64 {
        let at = |corner: &MeanBypass| (1.0 - corner.change_recall, corner.bypass_ratio);
        let after = corners.partition_point(|corner| at(corner).0 <= lost);
        let (before, Some(after)) = (at(&corners[after - 1]), corners.get(after)) else {
            return at(&corners[after - 1]).1;
        };
        before.1 + (lost - before.0) * hull::slope(before, at(after))
    }

    proptest! {
        #[test]
        fn no_choices_have_better_means(trees in vec(trees(5, 3), 1..4), dice in vec(any::<usize>(), 60)) {
            let frontiers: Vec<_> = trees.iter().map(|tree| bypass(tree, Leaves::Directories)).collect();
            let corners = mean_bypass(&frontiers);
            for throws in dice.chunks(frontiers.len()).filter(|throws| throws.len() == frontiers.len()) {
                let choice = frontiers.iter().zip(throws).map(|(frontier, die)| &frontier.points[die % frontier.points.len()]);
                let mean = MeanBypass::of(choice);
                prop_assert!(mean.bypass_ratio <= most(&corners, 1.0 - mean.change_recall + 1e-9) + 1e-6);
            }
            let (first, last) = (corners[0], corners[corners.len() - 1]);
            prop_assert_eq!(first.change_recall, 1.0);
            prop_assert_eq!(last, MeanBypass::of(frontiers.iter().map(|frontier| frontier.points.last().unwrap())));
        }
    }

    #[test]
    fn of_no_passages_there_is_no_mean() {
        assert_eq!(mean_bypass(&[]), [MeanBypass::default()]);
    }
}
