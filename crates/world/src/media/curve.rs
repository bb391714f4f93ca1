//! How many of the wanted files were found after how many requests.

/// The course of one capture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct YieldCurve {
    /// The number of the request that brought each wanted file, from 1, in order.
    pub found: Vec<u32>,
    /// Requests made, robots.txt left aside.
    pub requests: u32,
    /// How many files are wanted.
    pub wanted: usize,
    /// Bytes that were moved.
    pub bytes: u64,
    /// URLs that were given up because there was no room to remember them.
    pub forgotten: u64,
}

impl YieldCurve {
    /// Notes what a request brought.
    pub(super) fn ask(&mut self, wanted: bool, bytes: u64) {
        self.requests += 1;
        self.bytes += bytes;
        if wanted {
            self.found.push(self.requests);
        }
    }

    /// Wanted files found with so many requests.
    pub fn after(&self, requests: u32) -> usize {
        self.found.partition_point(|request| *request <= requests)
    }

    /// The share of the wanted files that was found in the end.
    pub fn share(&self) -> f64 {
        if self.wanted == 0 { 1.0 } else { self.found.len() as f64 / self.wanted as f64 }
    }

    /// Requests until this share of the wanted files was found; nothing if it never was.
    pub fn reached(&self, share: f64) -> Option<u32> {
        let files = (share * self.wanted as f64).ceil() as usize;
        if files == 0 { Some(0) } else { self.found.get(files - 1).copied() }
    }
}

/// A mean over runs, and where it lies with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

/// Two-sided 95 % quantiles of Student's distribution by degrees of freedom, from one.
const STUDENT: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
const NORMAL: f64 = 1.96;

impl Spread {
    /// Nothing where there are no values; of one value nobody knows how far it spreads.
    pub fn of(values: &[f64]) -> Option<Spread> {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let freedom = values.len().checked_sub(1)?;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / freedom.max(1) as f64;
        let quantile = freedom.checked_sub(1).map_or(f64::INFINITY, |row| STUDENT.get(row).copied().unwrap_or(NORMAL));
        let half = if freedom == 0 { f64::INFINITY } else { quantile * (variance / count).sqrt() };
        Some(Spread { mean, low: mean - half, high: mean + half })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_says_how_many_after_how_many_and_the_other_way_round() {
        let mut curve = YieldCurve { wanted: 4, ..YieldCurve::default() };
        [false, true, true, false, true].into_iter().for_each(|wanted| curve.ask(wanted, 10));
        assert_eq!([0, 1, 2, 3, 9].map(|requests| curve.after(requests)), [0, 0, 1, 2, 3]);
        assert_eq!(
            [0.0, 0.25, 0.5, 0.6, 0.75, 0.9].map(|share| curve.reached(share)),
            [Some(0), Some(2), Some(3), Some(5), Some(5), None]
        );
        assert_eq!((curve.share(), curve.bytes, curve.requests), (0.75, 50, 5));
    }

    #[test]
    fn means_of_few_runs_spread_widely() {
        assert_eq!(Spread::of(&[]), None);
        assert_eq!(Spread::of(&[1.0]), Some(Spread { mean: 1.0, low: f64::NEG_INFINITY, high: f64::INFINITY }));
        let spread = Spread::of(&[1.0, 2.0, 3.0]).unwrap();
        assert!((spread.high - 2.0 - 4.303 / 3f64.sqrt()).abs() < 1e-9 && spread.mean == 2.0, "{spread:?}");
    }
}
