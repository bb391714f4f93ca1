//! The highest point of a function of two numbers, by a triangle that tumbles uphill (Nelder and Mead).

/// Tumbles at most, and the size of a triangle that has arrived.
const TUMBLES_MAX: usize = 300;
const ARRIVED: f64 = 1e-7;

type Point = ([f64; 2], f64);

/// Starts at a point with a triangle of that size, twice: the second time where the first arrived, in case it got stuck.
///
/// What is no number lies lower than everything.
pub(super) fn highest(start: [f64; 2], size: f64, height: impl Fn([f64; 2]) -> f64) -> Point {
    let known = |at: [f64; 2]| {
        let height = height(at);
        (at, if height.is_nan() { f64::NEG_INFINITY } else { height })
    };
    let (once, _) = climb(start, size, &known);
    climb(once, size / 10.0, &known)
}

fn climb(start: [f64; 2], size: f64, known: &impl Fn([f64; 2]) -> Point) -> Point {
    let [x, y] = start;
    let mut triangle = [[x, y], [x + size, y], [x, y + size]].map(known);
    for _ in 0..TUMBLES_MAX {
        triangle.sort_by(|one, other| other.1.total_cmp(&one.1));
        let [best, good, worst] = triangle;
        if (0..2).all(|axis| (worst.0[axis] - best.0[axis]).abs().max((good.0[axis] - best.0[axis]).abs()) < ARRIVED) {
            break;
        }
        let beyond = |far: f64| {
            let along = |axis: usize| {
                let middle = (best.0[axis] + good.0[axis]) / 2.0;
                middle + far * (middle - worst.0[axis])
            };
            known([along(0), along(1)])
        };
        let mirrored = beyond(1.0);
        triangle[2] = if mirrored.1 > best.1 {
            higher(beyond(2.0), mirrored)
        } else if mirrored.1 > good.1 {
            mirrored
        } else {
            let nearer = if mirrored.1 > worst.1 { beyond(0.5) } else { beyond(-0.5) };
            if nearer.1 > worst.1.max(mirrored.1) {
                nearer
            } else {
                let towards = |point: Point| known([0, 1].map(|axis| (point.0[axis] + best.0[axis]) / 2.0));
                triangle[1] = towards(good);
                towards(worst)
            }
        };
    }
    triangle.into_iter().reduce(higher).unwrap_or(known(start))
}

fn higher(one: Point, other: Point) -> Point {
    if other.1 > one.1 { other } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_bent_ridge_is_climbed_to_its_top() {
        let ridge = |[x, y]: [f64; 2]| -((1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2));
        let ([x, y], _) = highest([-1.2, 1.0], 0.5, ridge);
        assert!((x - 1.0).abs() < 1e-4 && (y - 1.0).abs() < 1e-4, "{x} {y}");
    }

    #[test]
    fn nothing_is_highest_where_there_are_no_numbers() {
        assert_eq!(highest([0.0, 0.0], 1.0, |_| f64::NAN).1, f64::NEG_INFINITY);
    }

    proptest! {
        #[test]
        fn a_hill_is_climbed_from_anywhere(x in -5.0f64..5.0, y in -5.0f64..5.0, steep in 0.1f64..50.0) {
            let (top, _) = highest([x, y], 0.3, |[x, y]| -(x - 1.0).powi(2) - steep * (y + 2.0).powi(2) - (x - 1.0) * (y + 2.0) * 0.1);
            prop_assert!((top[0] - 1.0).abs() < 1e-3 && (top[1] + 2.0).abs() < 1e-3, "{top:?}");
        }
    }
}
