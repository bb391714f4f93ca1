//! What share of the changes is noticed at every share of pages skipped.

use tintype_quality::MeanBypass;

/// The best points of a policy over its settings, from skipping nothing to skipping all, with straight lines between
/// them: who takes one setting for some captures and another for the rest lands on the line.
#[derive(Clone, Debug, PartialEq)]
pub struct BypassCurve {
    /// Bypass ratio and change recall; the first rises, the second falls.
    points: Vec<(f64, f64)>,
}

impl BypassCurve {
    pub fn of(settings: impl IntoIterator<Item = MeanBypass>) -> BypassCurve {
        let settings = settings.into_iter().map(|mean| (mean.bypass_ratio, mean.change_recall));
        let mut all: Vec<(f64, f64)> = settings.chain([(0.0, 1.0), (1.0, 0.0)]).collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
        let mut points: Vec<(f64, f64)> = Vec::new();
        for point in all {
            if points.last().is_none_or(|best| best.1 < point.1) {
                points.push(point);
            }
        }
        points.reverse();
        BypassCurve { points }
    }

    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// The change recall at a bypass ratio.
    pub fn recall_at(&self, bypass_ratio: f64) -> f64 {
        let after = self.points.partition_point(|point| point.0 < bypass_ratio);
        self.between(after, |point| point, bypass_ratio)
    }

    /// The largest bypass ratio with at least this change recall.
    pub fn bypass_at(&self, change_recall: f64) -> f64 {
        let after = self.points.partition_point(|point| point.1 >= change_recall);
        self.between(after, |(bypass, recall)| (recall, bypass), change_recall)
    }

    /// The second coordinate on the line that ends in a point, where the first is as given.
    fn between(&self, after: usize, axes: impl Fn((f64, f64)) -> (f64, f64), first: f64) -> f64 {
        let last = self.points.len() - 1;
        let (from, to) = (axes(self.points[after.min(last).saturating_sub(1)]), axes(self.points[after.min(last)]));
        let share = if from.0 == to.0 { 1.0 } else { ((first - from.0) / (to.0 - from.0)).clamp(0.0, 1.0) };
        from.1 + share * (to.1 - from.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(points: &[(f64, f64)]) -> BypassCurve {
        let mean = |&(bypass_ratio, change_recall)| MeanBypass { bypass_ratio, change_recall, ..MeanBypass::default() };
        BypassCurve::of(points.iter().map(mean))
    }

    #[test]
    fn only_points_that_nothing_beats_are_kept() {
        let curve = curve(&[(0.5, 0.9), (0.4, 0.8), (0.7, 0.6), (0.5, 0.7)]);
        assert_eq!(curve.points(), [(0.0, 1.0), (0.5, 0.9), (0.7, 0.6), (1.0, 0.0)]);
    }

    #[test]
    fn between_points_the_line_is_straight() {
        let curve = curve(&[(0.5, 0.9), (0.7, 0.6)]);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} is {b}");
        near(curve.recall_at(0.25), 0.95);
        near(curve.recall_at(0.5), 0.9);
        near(curve.recall_at(0.6), 0.75);
        near(curve.recall_at(0.85), 0.3);
        near(curve.bypass_at(0.95), 0.25);
        near(curve.bypass_at(0.75), 0.6);
        near(curve.bypass_at(1.0), 0.0);
    }

    #[test]
    fn free_pages_are_skipped_first() {
        let curve = curve(&[(0.4, 1.0)]);
        assert_eq!((curve.recall_at(0.2), curve.bypass_at(1.0)), (1.0, 0.4));
        assert_eq!((curve.recall_at(0.0), curve.recall_at(1.0), curve.bypass_at(0.0)), (1.0, 0.0, 1.0));
    }
}
