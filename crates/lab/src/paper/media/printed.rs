//! Table 2 as the paper has it, in per cent.

use super::{folds::ROUNDS, rounds::TYPES};

/// Media precision and recall in every round.
type Rounds = [[f64; ROUNDS]; 2];

/// By content type, in the order of [`TYPES`], and threshold.
#[rustfmt::skip]
pub(super) const PRINTED: [[Rounds; 2]; TYPES.len()] = [
    [
        [[85.24, 85.34, 86.21, 85.93, 86.05, 85.84, 85.67], [66.56, 67.37, 67.54, 67.68, 67.50, 67.46, 67.47]],
        [[91.98, 91.96, 93.34, 93.10, 93.22, 93.04, 93.13], [66.50, 68.44, 66.48, 65.38, 65.34, 65.32, 65.32]],
    ],
    [
        [[87.88, 86.14, 86.57, 86.57, 84.88, 86.57, 84.69], [84.88, 84.88, 84.88, 84.88, 84.88, 84.88, 86.34]],
        [[91.58, 91.58, 91.10, 91.10, 91.10, 91.10, 91.10], [84.88, 84.88, 84.88, 84.88, 84.88, 84.88, 84.88]],
    ],
    [
        [[84.89, 84.05, 83.50, 82.96, 83.37, 83.53, 83.23], [98.31, 98.43, 98.64, 98.64, 98.66, 98.66, 98.68]],
        [[87.84, 87.81, 87.90, 87.74, 87.89, 87.60, 87.66], [98.11, 98.25, 98.37, 98.46, 98.52, 98.50, 98.50]],
    ],
    [
        [[73.68, 73.78, 73.81, 74.00, 73.94, 73.97, 73.99], [99.78, 99.77, 99.74, 99.73, 99.74, 99.75, 99.74]],
        [[86.74, 87.26, 87.47, 88.85, 88.71, 88.77, 88.83], [61.36, 61.07, 61.01, 60.06, 60.16, 59.91, 59.90]],
    ],
    [
        [[72.73, 72.73, 71.11, 72.73, 71.11, 71.11, 71.11], [91.43, 91.43, 91.43, 91.43, 91.43, 91.43, 91.43]],
        [[81.48, 81.48, 74.42, 81.48, 74.42, 74.42, 74.42], [62.86, 62.86, 91.43, 62.86, 91.43, 91.43, 91.43]],
    ],
];

/// The lowest of all printed values of media precision or recall, and of which content type at which threshold.
pub(super) fn lowest(measure: usize) -> (f64, usize, usize) {
    let all = PRINTED.iter().enumerate().flat_map(|(class, thresholds)| {
        let one = move |(threshold, rounds): (usize, &Rounds)| rounds[measure].map(|value| (value, class, threshold));
        thresholds.iter().enumerate().flat_map(one)
    });
    all.min_by(|one, other| one.0.total_cmp(&other.0)).expect("something is printed")
}
