//! Leaves out points no eye could tell apart, so that a picture of a million points stays a small file.

use crate::canvas::Point;

/// A polyline with at most four points per pixel column: the first, the lowest, the highest and the last, in their
/// order. Drawn, it covers the same pixels.
pub(crate) fn line(points: &[Point]) -> Vec<Point> {
    let mut kept = Vec::new();
    for column in points.chunk_by(|a, b| a.0.floor() == b.0.floor()) {
        kept.extend(extremes(column).into_iter().map(|index| column[index]));
    }
    kept
}

/// The envelope of a band: per pixel column the lowest lower and the highest upper edge.
pub(crate) fn band(edges: &[(f64, f64, f64)]) -> Vec<(f64, f64, f64)> {
    let columns = edges.chunk_by(|a, b| a.0.floor() == b.0.floor());
    let envelope = |column: &[(f64, f64, f64)]| column.iter().copied().reduce(|a, b| (b.0, a.1.max(b.1), a.2.min(b.2)));
    columns.filter_map(envelope).collect()
}

/// One dot per square of one pixel.
pub(crate) fn dots(points: &[Point]) -> Vec<Point> {
    let cell = |point: &Point| (point.0.floor() as i64, point.1.floor() as i64);
    let mut kept = points.to_vec();
    kept.sort_by_key(cell);
    kept.dedup_by_key(|point| cell(point));
    kept
}

fn extremes(column: &[Point]) -> Vec<usize> {
    let by_height = |a: &usize, b: &usize| column[*a].1.total_cmp(&column[*b].1);
    let low = (0..column.len()).min_by(by_height);
    let high = (0..column.len()).max_by(by_height);
    let mut indexes: Vec<usize> = [Some(0), low, high, column.len().checked_sub(1)].into_iter().flatten().collect();
    indexes.sort_unstable();
    indexes.dedup();
    indexes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_points_become_four_per_column_and_keep_the_spike() {
        let wave = |i: usize| (i as f64 / 2000.0, if i == 777_777 { 1e3 } else { (i as f64).sin() });
        let points: Vec<Point> = (0..1_000_000).map(wave).collect();
        let kept = line(&points);
        assert!(kept.len() <= 4 * 501, "{}", kept.len());
        assert!(kept.contains(&wave(777_777)) && kept.first() == points.first() && kept.last() == points.last());
        assert!(kept.is_sorted_by(|a, b| a.0 <= b.0));
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let points = [(0.0, 1.0), (10.0, 2.0), (20.5, 0.0)];
        assert_eq!(line(&points), points);
        assert_eq!(dots(&points), points);
        assert_eq!(dots(&[(1.2, 3.4), (1.3, 3.5)]).len(), 1);
    }
}
