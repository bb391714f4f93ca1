//! How chances that were foretold came true: in tenths, and by their squared error.

/// Chances that were foretold, and what happened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForecastRecord {
    tenths: [ForecastTenth; 10],
    squares: f64,
}

/// Forecasts of nearly the same chance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForecastTenth {
    pub forecasts: u64,
    /// The chances added up: so many were expected to happen...
    pub foretold: f64,
    /// ...and so many did.
    pub happened: u64,
}

impl ForecastRecord {
    pub fn add(&mut self, chance: f64, happened: bool) {
        let chance = chance.clamp(0.0, 1.0);
        let tenth = &mut self.tenths[((chance * 10.0) as usize).min(9)];
        tenth.forecasts += 1;
        tenth.foretold += chance;
        tenth.happened += u64::from(happened);
        self.squares += (f64::from(u8::from(happened)) - chance).powi(2);
    }

    /// The tenths in which there was a forecast, with the chance they begin at.
    pub fn tenths(&self) -> impl Iterator<Item = (f64, ForecastTenth)> {
        let all = self.tenths.iter().enumerate().map(|(nth, tenth)| (nth as f64 / 10.0, *tenth));
        all.filter(|(_, tenth)| tenth.forecasts > 0)
    }

    pub fn all(&self) -> ForecastTenth {
        self.tenths.iter().fold(ForecastTenth::default(), |sum, tenth| ForecastTenth {
            forecasts: sum.forecasts + tenth.forecasts,
            foretold: sum.foretold + tenth.foretold,
            happened: sum.happened + tenth.happened,
        })
    }

    /// The mean squared error of the chances (Brier's score), and that of one who always says the share that happened.
    pub fn errors(&self) -> Option<(f64, f64)> {
        let all = self.all();
        let count = (all.forecasts > 0).then_some(all.forecasts as f64)?;
        let share = all.happened as f64 / count;
        Some((self.squares / count, share * (1.0 - share)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forecasts_are_held_against_what_happened() {
        let mut record = ForecastRecord::default();
        for nth in 0..10 {
            record.add(0.2, nth < 2);
            record.add(1.0, true);
        }
        let tenths: Vec<(f64, u64, u64)> =
            record.tenths().map(|(from, tenth)| (from, tenth.forecasts, tenth.happened)).collect();
        assert_eq!(tenths, [(0.2, 10, 2), (0.9, 10, 10)]);
        let all = record.all();
        assert!((all.foretold - 12.0).abs() < 1e-9 && all.happened == 12);
        let (ours, constant) = record.errors().unwrap();
        assert!((ours - (2.0 * 0.64 + 8.0 * 0.04) / 20.0).abs() < 1e-9 && (constant - 0.24).abs() < 1e-9);
        assert_eq!(ForecastRecord::default().errors(), None);
    }
}
