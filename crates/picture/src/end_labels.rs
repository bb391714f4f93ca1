//! Names at the ends of lines: each as near to its line as the others allow.

/// Moves labels, wanted at `wanted` (in order), apart to at least `gap` within `top..=bottom`, with the least sum of
/// squared shifts. There must be room for all: `gap * (n - 1) <= bottom - top`.
pub(crate) fn spread(wanted: &[f64], gap: f64, top: f64, bottom: f64) -> Vec<f64> {
    // With every label's own offset taken away, "at least gap apart" is "not decreasing": pool what decreases.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (index, place) in wanted.iter().enumerate() {
        let mut pool = (place - index as f64 * gap, 1);
        while let Some((mean, count)) = pools.pop_if(|(mean, _)| *mean > pool.0) {
            let sum = mean * count as f64 + pool.0 * pool.1 as f64;
            pool = (sum / (count + pool.1) as f64, count + pool.1);
        }
        pools.push(pool);
    }
    let lowest = bottom - gap * wanted.len().saturating_sub(1) as f64;
    let offsets = pools.iter().flat_map(|(mean, count)| std::iter::repeat_n(*mean, *count));
    offsets.enumerate().map(|(index, place)| place.min(lowest).max(top) + index as f64 * gap).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn labels_that_have_room_stay_and_a_crowd_is_centred() {
        assert_eq!(spread(&[10.0, 50.0, 90.0], 15.0, 0.0, 100.0), [10.0, 50.0, 90.0]);
        assert_eq!(spread(&[50.0, 50.0, 50.0], 15.0, 0.0, 100.0), [35.0, 50.0, 65.0]);
        assert_eq!(spread(&[98.0, 99.0], 15.0, 0.0, 100.0), [85.0, 100.0]);
    }

    proptest! {
        #[test]
        fn labels_are_apart_and_inside(mut wanted in prop::collection::vec(0.0..300.0f64, 0..20)) {
            wanted.sort_by(f64::total_cmp);
            let placed = spread(&wanted, 15.0, 0.0, 300.0);
            prop_assert_eq!(placed.len(), wanted.len());
            prop_assert!(placed.iter().all(|y| (-1e-9..=300.0 + 1e-9).contains(y)));
            prop_assert!(placed.windows(2).all(|pair| pair[1] - pair[0] >= 15.0 - 1e-9));
        }
    }
}
