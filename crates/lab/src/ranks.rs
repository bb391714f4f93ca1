//! Whether two measures order alike.

/// Spearman's: the correlation of the ranks, equals sharing theirs.
pub(crate) fn rank_correlation(pairs: &[[f64; 2]]) -> f64 {
    let [one, two] = [0, 1].map(|side| ranks(&pairs.iter().map(|pair| pair[side]).collect::<Vec<_>>()));
    let mean = (pairs.len() as f64 - 1.0) / 2.0;
    let sum =
        |left: &[f64], right: &[f64]| left.iter().zip(right).map(|(one, two)| (one - mean) * (two - mean)).sum::<f64>();
    let spread = (sum(&one, &one) * sum(&two, &two)).sqrt();
    if spread == 0.0 { 1.0 } else { sum(&one, &two) / spread }
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, two| values[*one].total_cmp(&values[*two]));
    let mut ranks = vec![0.0; values.len()];
    let mut at = 0;
    for same in order.chunk_by(|one, two| values[*one] == values[*two]) {
        let shared = at as f64 + (same.len() as f64 - 1.0) / 2.0;
        same.iter().for_each(|place| ranks[*place] = shared);
        at += same.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_correlate_as_spearman_says() {
        assert_eq!(rank_correlation(&[[1.0, 10.0], [2.0, 20.0], [3.0, 21.0]]), 1.0);
        assert_eq!(rank_correlation(&[[1.0, 3.0], [2.0, 2.0], [3.0, 1.0]]), -1.0);
        assert_eq!(ranks(&[5.0, 1.0, 5.0]), [1.5, 0.0, 1.5]);
    }
}
