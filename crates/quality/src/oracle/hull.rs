//! The upper hull of points that come from left to right: what a mixture of them can reach.

type Point = (f64, f64);

pub(super) fn slope(from: Point, to: Point) -> f64 {
    (to.1 - from.1) / (to.0 - from.0)
}

/// The points no straight line between two others passes above, in their order. Of points above each other the last
/// stays, so they come from low to high.
pub(super) fn upper<T: Copy>(points: impl Iterator<Item = T>, place: impl Fn(T) -> Point) -> Vec<T> {
    let mut hull: Vec<T> = Vec::new();
    for point in points {
        while hull.last().is_some_and(|last| place(*last).0 >= place(point).0) {
            hull.pop();
        }
        while let [.., before, last] = hull[..]
            && slope(place(before), place(last)) <= slope(place(last), place(point))
        {
            hull.pop();
        }
        hull.push(point);
    }
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dents_are_left_out() {
        let points = [(0.0, 1.0), (1.0, 2.0), (2.0, 2.5), (3.0, 4.0), (4.0, 4.5), (5.0, 5.0), (5.0, 5.5)];
        assert_eq!(upper(points.into_iter(), |point| point), [(0.0, 1.0), (3.0, 4.0), (5.0, 5.5)]);
        assert_eq!(upper([(1.0, 1.0)].into_iter(), |point| point), [(1.0, 1.0)]);
    }
}
