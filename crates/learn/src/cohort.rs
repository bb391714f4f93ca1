//! Pages of a kind change alike: what is known of some is the first guess for the others.

use crate::grid::{BINS, Grid, Weights};
use serde::{Deserialize, Serialize};

/// Imaginary members that hold the wider group's belief, in a cohort and in the whole site.
const COHORT_STRENGTH: f32 = 5.0;
const SITE_STRENGTH: f32 = 10.0;

/// A number for a cohort, as given by [`Cohorts::join`].
pub type CohortId = u32;

/// First guesses by cohort: empirical Bayes on two levels, cohort and site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<f32>", into = "Vec<f32>")]
pub struct Cohorts {
    priors: Vec<Weights>,
    site: Weights,
    ignorance: Weights,
}

/// The site's first guess, then those of its cohorts.
impl From<Cohorts> for Vec<f32> {
    fn from(cohorts: Cohorts) -> Vec<f32> {
        std::iter::once(&cohorts.site).chain(&cohorts.priors).flatten().copied().collect()
    }
}

impl TryFrom<Vec<f32>> for Cohorts {
    type Error = &'static str;

    fn try_from(weights: Vec<f32>) -> Result<Cohorts, &'static str> {
        let (all, rest) = weights.as_chunks::<BINS>();
        let [site, priors @ ..] = all else { return Err("first guesses without that of the site") };
        if !rest.is_empty() || !weights.iter().all(|weight| (0.0..=1.0).contains(weight)) {
            return Err("a first guess that is none");
        }
        Ok(Cohorts { priors: priors.to_vec(), site: *site, ignorance: Grid::default().ignorance() })
    }
}

impl Cohorts {
    pub fn new(grid: &Grid) -> Cohorts {
        let ignorance = grid.ignorance();
        Cohorts { priors: Vec::new(), site: ignorance, ignorance }
    }

    /// A new cohort, which knows what the site knows.
    pub fn join(&mut self) -> CohortId {
        self.priors.push(self.site);
        (self.priors.len() - 1) as CohortId
    }

    pub fn len(&self) -> usize {
        self.priors.len()
    }

    pub fn is_empty(&self) -> bool {
        self.priors.is_empty()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.priors.capacity() * size_of::<Weights>()
    }

    pub fn prior(&self, cohort: CohortId) -> &Weights {
        &self.priors[cohort as usize]
    }

    /// The first guesses that follow from what is believed of every member.
    pub fn learned(&self, members: impl Iterator<Item = (CohortId, Weights)>) -> Cohorts {
        let mut sums = vec![([0.0f32; BINS], 0.0f32); self.priors.len()];
        for (cohort, belief) in members {
            let (sum, count) = &mut sums[cohort as usize];
            *count += 1.0;
            sum.iter_mut().zip(&belief).for_each(|(sum, weight)| *sum += weight);
        }
        let count: f32 = sums.iter().map(|(_, count)| count).sum();
        let site: Weights = std::array::from_fn(|bin| {
            let sum: f32 = sums.iter().map(|(sum, _)| sum[bin]).sum();
            (sum + SITE_STRENGTH * self.ignorance[bin]) / (count + SITE_STRENGTH)
        });
        let prior = |(sum, count): &(Weights, f32)| {
            std::array::from_fn(|bin| (sum[bin] + COHORT_STRENGTH * site[bin]) / (count + COHORT_STRENGTH))
        };
        Cohorts { priors: sums.iter().map(prior).collect(), site, ignorance: self.ignorance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::RateEvidence;

    #[test]
    fn a_newcomer_is_thought_to_be_like_its_cohort() {
        let grid = Grid::default();
        let mut cohorts = Cohorts::new(&grid);
        let (news, attic) = (cohorts.join(), cohorts.join());
        let (mut busy, mut quiet) = (RateEvidence::default(), RateEvidence::default());
        (0..10).for_each(|_| busy.changed_ago(0.2));
        quiet.unchanged(500.0);
        for _ in 0..5 {
            let beliefs =
                [(news, busy.belief(&grid, cohorts.prior(news))), (attic, quiet.belief(&grid, cohorts.prior(attic)))];
            let members: Vec<_> = (0..40).map(|i| beliefs[i % 2]).collect();
            cohorts = cohorts.learned(members.into_iter());
        }
        let mean = |cohort| grid.mean_per_day(cohorts.prior(cohort));
        assert!(mean(news) > 2.0 && mean(news) > 5.0 * mean(attic), "{} {}", mean(news), mean(attic));
    }
}
