//! The life spans that make what was seen most likely, with lives watched late and lost sight of early.

use super::{Family, KaplanMeier, Lives, Survival, climb::highest, tally::Tally};
use serde::Serialize;

/// Stretches that are thought of: the logarithms of the smallest and the largest spread.
const LN_SPREAD: (f64, f64) = (-4.6, 4.6);
/// Ages are reckoned with alike if they lie within so many parts of a factor of e, as their mean: the error is of second order.
const CELLS: f64 = 256.0;
/// How far one looks to both sides to see how sharply the likelihood is bent.
const BEND: f64 = 1e-3;

/// One family, as likely as it gets.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Fitted {
    pub survival: Survival,
    /// The logarithm of the likelihood, with densities per day.
    pub ln_likelihood: f64,
    /// The largest distance to Kaplan and Meier's curve: how good the fit is at all.
    pub gap: f64,
}

impl Fitted {
    /// Nothing if no life was seen to end.
    pub fn of(lives: &Lives, family: Family) -> Option<Fitted> {
        let rate = lives.rate_per_day()?;
        let (survival, ln_likelihood) = Likelihood::of(lives).fit(family, rate, lives.ended());
        let gap = KaplanMeier::of(lives).gap(&survival);
        ln_likelihood.is_finite().then_some(Fitted { survival, ln_likelihood, gap })
    }

    /// Akaike's criterion: the smaller the better, among fits to the same lives.
    pub fn aic(&self) -> f64 {
        2.0 * f64::from(self.survival.family.parameters()) - 2.0 * self.ln_likelihood
    }
}

/// All families, the best by Akaike's criterion first; none if no life was seen to end.
pub fn fits(lives: &Lives) -> Vec<Fitted> {
    let mut fits: Vec<Fitted> = Family::ALL.iter().filter_map(|family| Fitted::of(lives, *family)).collect();
    fits.sort_by(|one, other| one.aic().total_cmp(&other.aic()));
    fits
}

/// Logarithms of ages, and how often something happened there: of an end the density counts, of a life lost sight of the
/// share beyond, and of one watched late the share that got so far is taken for granted.
struct Likelihood {
    ended: Vec<(f64, f64)>,
    lost: Vec<(f64, f64)>,
    late: Vec<(f64, f64)>,
}

impl Likelihood {
    fn of(lives: &Lives) -> Likelihood {
        let by_age = lives.by_age();
        let gathered = |of: fn(&Tally) -> u64| {
            let mut cells: Vec<(f64, f64)> = Vec::new();
            let mut cell = i64::MIN;
            for (ln_age, count) in
                by_age.iter().map(|(age, tally)| (age.ln(), of(tally) as f64)).filter(|(_, count)| *count > 0.0)
            {
                let next = (ln_age * CELLS).floor() as i64;
                match cells.last_mut().filter(|_| next == cell) {
                    Some(last) => *last = ((last.0 * last.1 + ln_age * count) / (last.1 + count), last.1 + count),
                    None => cells.push((ln_age, count)),
                }
                cell = next;
            }
            cells
        };
        Likelihood {
            ended: gathered(|tally| tally.ended),
            lost: gathered(|tally| tally.lost),
            late: gathered(|tally| tally.entered),
        }
    }

    fn at(&self, family: Family, [location, ln_spread]: [f64; 2]) -> f64 {
        if !(LN_SPREAD.0..=LN_SPREAD.1).contains(&ln_spread) {
            return f64::NEG_INFINITY;
        }
        let stretch = (-ln_spread).exp();
        let sum = |cells: &[(f64, f64)], of: &dyn Fn(f64, f64) -> f64| -> f64 {
            cells.iter().map(|(ln_age, count)| count * of((ln_age - location) * stretch, *ln_age)).sum()
        };
        sum(&self.ended, &|place, ln_age| family.ln_density(place) - ln_spread - ln_age)
            + sum(&self.lost, &|place, _| family.ln_beyond(place))
            - sum(&self.late, &|place, _| family.ln_beyond(place))
    }

    fn fit(&self, family: Family, rate_per_day: f64, ended: u64) -> (Survival, f64) {
        if family == Family::Exponential {
            let survival =
                Survival { covariance: [[1.0 / ended as f64, 0.0], [0.0; 2]], ..Survival::exponential(rate_per_day) };
            return (survival, self.at(family, [survival.location, 0.0]));
        }
        let (top, ln_likelihood) = highest([-rate_per_day.ln(), 0.0], 0.5, |at| self.at(family, at));
        let survival =
            Survival { family, location: top[0], spread: top[1].exp(), covariance: self.covariance(family, top) };
        (survival, ln_likelihood)
    }

    /// What the bend of the likelihood at its top says about how well that is known.
    fn covariance(&self, family: Family, [x, y]: [f64; 2]) -> [[f64; 2]; 2] {
        let at = |right: f64, up: f64| self.at(family, [x + right * BEND, y + up * BEND]);
        let square = BEND * BEND;
        let along = (2.0 * at(0.0, 0.0) - at(1.0, 0.0) - at(-1.0, 0.0)) / square;
        let across = (2.0 * at(0.0, 0.0) - at(0.0, 1.0) - at(0.0, -1.0)) / square;
        let both = (at(1.0, -1.0) + at(-1.0, 1.0) - at(1.0, 1.0) - at(-1.0, -1.0)) / (4.0 * square);
        let determinant = along * across - both * both;
        if determinant.is_nan() || determinant <= 0.0 || along <= 0.0 {
            return [[0.0; 2]; 2];
        }
        [[across / determinant, -both / determinant], [-both / determinant, along / determinant]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::life::Watched;
    use proptest::prelude::*;
    use proptest::test_runner::{RngAlgorithm, TestRng};
    use tintype_vocab::Span;

    fn days(days: f64) -> Span {
        Span::from_millis((days * 86_400_000.0) as i64)
    }

    /// Lives of a known kind, some watched late, some lost sight of early.
    fn made_up(truth: &Survival, count: usize, seed: u8) -> Lives {
        let mut dice = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
        let mut lives = Lives::default();
        while lives.count() < count as u64 {
            let (end, late, lost) = (dice.random::<f64>(), dice.random::<f64>(), dice.random::<f64>());
            let end = truth.quantile(end);
            let from = if late < 0.5 { 0.0 } else { (late - 0.5) * truth.quantile(0.6) };
            let lost = from + lost * truth.quantile(0.95);
            let (to, ended) = if end <= lost { (end, true) } else { (lost, false) };
            if to > from {
                lives.see(Watched { from: days(from), to: days(to), ended });
            }
        }
        lives
    }

    #[test]
    fn truncated_and_censored_lives_give_back_what_they_were_made_of() {
        for (family, spread) in [
            (Family::Exponential, 1.0),
            (Family::Weibull, 0.4),
            (Family::Weibull, 1.6),
            (Family::LogNormal, 0.7),
            (Family::LogLogistic, 0.5),
        ] {
            let truth = Survival { family, location: 3.0, spread, covariance: [[0.0; 2]; 2] };
            let all = fits(&made_up(&truth, 6_000, 7));
            let found = all.iter().find(|fit| fit.survival.family == family).unwrap();
            let Survival { location, spread: found_spread, covariance, .. } = found.survival;
            assert!(
                (location - 3.0).abs() < 4.0 * covariance[0][0].sqrt() && covariance[0][0].sqrt() < 0.1,
                "{found:?}"
            );
            assert!((found_spread / spread).ln().abs() <= 4.0 * covariance[1][1].sqrt(), "{found:?}");
            assert!(found.gap < 0.04, "{found:?}");
            assert!(found.aic() < all[0].aic() + 2.0, "another family was taken for it: {all:?}");
        }
    }

    #[test]
    fn lives_watched_late_would_be_taken_for_longer_ones() {
        let truth = Survival { family: Family::Weibull, location: 3.0, spread: 0.5, covariance: [[0.0; 2]; 2] };
        let lives = made_up(&truth, 6_000, 8);
        let naive = KaplanMeier::of(&lives).survival(truth.quantile(0.5));
        assert!((naive - 0.5).abs() < 0.02, "{naive}");
        assert!(
            lives.mean_of_completed_days().unwrap() < 0.95 * truth.quantile(0.5),
            "the mean of the completed is biased"
        );
    }

    #[test]
    fn nothing_is_fitted_to_lives_without_an_end() {
        let mut lives = Lives::default();
        assert_eq!(fits(&lives), []);
        lives.see(Watched { from: Span::ZERO, to: days(3.0), ended: false });
        assert_eq!(fits(&lives), []);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn any_lives_are_fitted_with_numbers(
            watched in prop::collection::vec((0i64..5000, 1i64..1_000_000_000_000, any::<bool>()), 1..12),
        ) {
            let mut lives = Lives::default();
            for (from, more, ended) in watched {
                lives.see(Watched { from: Span::from_millis(from), to: Span::from_millis(from + more), ended });
            }
            for fit in fits(&lives) {
                prop_assert!(fit.aic().is_finite() && (0.0..=1.0).contains(&fit.gap), "{fit:?}");
                prop_assert!(fit.survival.covariance.iter().flatten().all(|number| number.is_finite()), "{fit:?}");
                prop_assert!((0.0..=1.0).contains(&fit.survival.stays(1.0, 1.0)), "{fit:?}");
            }
        }
    }
}
