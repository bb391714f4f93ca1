//! How well chances foretell: whether what changes is told from what does not, and whether they come true as often as they
//! say.

use crate::importance::auc::area;
use serde::Serialize;

/// Steps of chance that are told apart.
const BINS: usize = 10;

/// What was foretold, and what was found.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Foretold {
    pub(crate) moments: usize,
    /// The chance that what has changed was given more than what has not.
    pub(crate) auc: f64,
    pub(crate) log_loss: f64,
    /// How far chances are off what came of them, on the mean.
    pub(crate) calibration_error: f64,
    pub(crate) reliability: Vec<Bin>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Bin {
    pub(crate) moments: usize,
    pub(crate) foretold: f64,
    pub(crate) found: f64,
}

impl Foretold {
    /// Of pairs of chance and outcome.
    pub(crate) fn of(judged: &[(f64, bool)]) -> Foretold {
        if judged.is_empty() {
            return Foretold::default();
        }
        let mut bins = [Bin::default(); BINS];
        let mut loss = 0.0;
        for (chance, came_true) in judged {
            let bin = &mut bins[((chance * BINS as f64) as usize).min(BINS - 1)];
            bin.moments += 1;
            bin.foretold += chance;
            bin.found += f64::from(u8::from(*came_true));
            let right = if *came_true { *chance } else { 1.0 - chance };
            loss -= right.max(1e-4).ln();
        }
        let all = judged.len() as f64;
        let error = bins.iter().map(|bin| (bin.foretold - bin.found).abs()).sum::<f64>() / all;
        let mean = |bin: &Bin| {
            let moments = bin.moments.max(1) as f64;
            Bin { moments: bin.moments, foretold: bin.foretold / moments, found: bin.found / moments }
        };
        Foretold {
            moments: judged.len(),
            auc: area(judged.to_vec()).unwrap_or(f64::NAN),
            log_loss: loss / all,
            calibration_error: error,
            reliability: bins.iter().filter(|bin| bin.moments > 0).map(mean).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_that_come_true_as_often_as_they_say_have_no_error() {
        let judged: Vec<(f64, bool)> =
            (0..100).map(|nth| (0.25, nth % 4 == 0)).chain((0..100).map(|nth| (0.75, nth % 4 != 0))).collect();
        let foretold = Foretold::of(&judged);
        assert!(foretold.calibration_error < 1e-9 && (foretold.auc - 0.75).abs() < 1e-9, "{foretold:?}");
    }
}
