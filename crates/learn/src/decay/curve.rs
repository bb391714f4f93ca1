//! How what is left of a stock follows from how much loss was due.

/// What is left when `due` losses per object were due, for one shape of the stock.
///
/// One family that is exact for the three stocks there are: objects that go at random (0: exponential), stocks whose
/// oldest objects go next (-1: so many a day, whatever is left), and stocks of short-lived and long-lived objects, whose
/// losses slow down (positive: the harmonic decline of Gamma-distributed rates).
pub(super) fn left(shape: f64, due: f64) -> f64 {
    match shape == 0.0 {
        true => (-due).exp(),
        false => (1.0 + shape * due).max(1e-9).powf(-1.0 / shape),
    }
}

/// The losses that must have been due for that much to be left.
pub(super) fn due(shape: f64, left: f64) -> f64 {
    match shape == 0.0 {
        true => -left.ln(),
        false => (left.powf(-shape) - 1.0) / shape,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn due_and_left_are_inverse_and_shapes_bend_as_they_say() {
        for shape in [-1.0, -0.5, 0.0, 0.5, 1.0] {
            assert!((left(shape, 0.0) - 1.0).abs() < 1e-12);
            for share in [0.3, 0.8, 0.99] {
                assert!((left(shape, due(shape, share)) - share).abs() < 1e-12, "{shape} {share}");
            }
        }
        assert!((left(-1.0, 0.3) - 0.7).abs() < 1e-12, "so many a day");
        assert!(left(-1.0, 0.5) < left(0.0, 0.5) && left(0.0, 0.5) < left(1.0, 0.5));
    }
}
