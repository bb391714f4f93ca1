//! Which versions are worth indexing, when most changes of a page hardly matter.

use serde::{Deserialize, Serialize};

/// The importance of a page's changes since the last version that was worth indexing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Accumulator(f64);

impl Accumulator {
    /// Goes on from a sum that was written down.
    pub fn new(sum: f64) -> Accumulator {
        Accumulator(if sum > 0.0 { sum } else { 0.0 })
    }

    /// Whether a version is worth indexing: the changes since the last one that was, this one included, are as important
    /// as `threshold` asks for.
    pub fn index(&mut self, importance: f64, threshold: f64) -> bool {
        self.0 += importance.max(0.0);
        let enough = self.0 >= threshold;
        if enough {
            self.0 = 0.0;
        }
        enough
    }

    pub fn sum(self) -> f64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_p09_versions_indexed() {
        let changes = [0.3, 0.3, 0.1, 0.6, 0.2, 0.2, 0.2, 0.05];
        let mut accumulator = Accumulator::default();
        let indexed: Vec<_> = (0..changes.len()).filter(|&at| accumulator.index(changes[at], 0.5)).collect();
        assert_eq!(indexed, [1, 3, 6]);
        assert_eq!(accumulator, Accumulator::new(0.05));
    }
}
