//! How often the pages of a site change: each page by its own visits and, where they say little, by what all the others do.
//!
//! A page that was seen once or twice could change many times a day for all its visits say, and a mean over all it might do
//! is nothing but that. So first guesses are the site's own: the mixture of rates that makes what all its visits found
//! likeliest together. Under it the changes that were to be seen are as many as were seen.

/// Rates that are told apart: from once in 27 years to once in a minute and a half.
const RATES: usize = 48;
const SLOWEST: f64 = -4.0;
const STEP: f64 = 0.15;
/// Rounds of learning the mixture. Pages of which little is known keep what is left of rates that no page has from fading.
const ROUNDS: usize = 200;
/// As many pages as this say what a site's pages do.
const PAGES_ENOUGH: usize = 2000;
/// Pages that no rate lacks altogether, lest a page that was not asked does what is impossible.
const NEVER_NOTHING: f64 = 1e-9;

/// What visits say of how often one page changes.
#[derive(Clone, Debug, Default)]
pub(super) struct RateEvidence {
    /// Changes whose moments are known, and days that are known to be without others.
    pub(super) dated: f64,
    pub(super) quiet_days: f64,
    /// Days between visits of which the second found a change, nobody knows when.
    pub(super) undated: Vec<f64>,
}

/// Weights of rates that add up to one.
#[derive(Clone, Debug)]
pub(super) struct RateBelief([f64; RATES]);

fn rates() -> impl Iterator<Item = f64> {
    (0..RATES).map(|nth| 10_f64.powf(SLOWEST + STEP * nth as f64))
}

impl RateEvidence {
    fn is_empty(&self) -> bool {
        self.dated + self.quiet_days <= 0.0 && self.undated.is_empty()
    }

    /// How likely the evidence is by each rate, against the likeliest.
    fn likelihood(&self) -> [f64; RATES] {
        let mut logs = [0.0; RATES];
        for (log, rate) in logs.iter_mut().zip(rates()) {
            let undated = self.undated.iter().map(|days| (-(-rate * days).exp_m1()).max(f64::MIN_POSITIVE).ln());
            *log = self.dated * rate.ln() - rate * self.quiet_days + undated.sum::<f64>();
        }
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        logs.map(|log| (log - most).exp())
    }
}

impl RateBelief {
    /// The mixture of rates by which the evidence of all pages is likeliest.
    pub(super) fn of_site<'a>(pages: impl ExactSizeIterator<Item = &'a RateEvidence>) -> RateBelief {
        let every = pages.len().div_ceil(PAGES_ENOUGH).max(1);
        let telling = pages.step_by(every).filter(|page| !page.is_empty());
        let likelihoods: Vec<[f64; RATES]> = telling.map(RateEvidence::likelihood).collect();
        // Where the evidence cannot tell rates apart, twice as often is half as likely: what is found changed at every visit,
        // nobody knows since when, would do a thousand things a day otherwise.
        let mut mixture = [0.0; RATES];
        mixture.iter_mut().zip(rates()).for_each(|(weight, rate)| *weight = 1.0 / rate);
        let all: f64 = mixture.iter().sum();
        mixture = mixture.map(|weight| weight / all);
        if likelihoods.is_empty() {
            return RateBelief(mixture);
        }
        for _ in 0..ROUNDS {
            let mut next = [NEVER_NOTHING; RATES];
            for likelihood in &likelihoods {
                let all: f64 = mixture.iter().zip(likelihood).map(|(weight, likely)| weight * likely).sum();
                let parts = mixture.iter().zip(likelihood).map(|(weight, likely)| weight * likely / all);
                next.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
            }
            let all: f64 = next.iter().sum();
            mixture = next.map(|weight| weight / all);
        }
        RateBelief(mixture)
    }

    /// What to believe of a page of such a site after what its visits found.
    pub(super) fn after(&self, evidence: &RateEvidence) -> RateBelief {
        let likelihood = evidence.likelihood();
        let all: f64 = self.0.iter().zip(&likelihood).map(|(weight, likely)| weight * likely).sum();
        let mut belief = self.clone();
        belief.0.iter_mut().zip(&likelihood).for_each(|(weight, likely)| *weight *= likely / all);
        belief
    }

    /// Mean of what follows from a rate, and its variance.
    pub(super) fn expect(&self, of: impl Fn(f64) -> f64) -> (f64, f64) {
        let (mut mean, mut square) = (0.0, 0.0);
        for (weight, rate) in self.0.iter().zip(rates()) {
            let value = of(rate);
            mean += weight * value;
            square += weight * value * value;
        }
        (mean, (square - mean * mean).max(0.0))
    }

    pub(super) fn mean(&self) -> f64 {
        self.expect(|rate| rate).0
    }
}
