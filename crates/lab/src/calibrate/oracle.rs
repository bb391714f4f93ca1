//! What somebody would have stated who knows how often every page really changed around each capture, and by how much
//! captures differed: intervals cannot be expected to be narrower and hold as often.
//!
//! Around a capture, and not over all that is known of the page: a page that changes every hour of its one day and never
//! again has no mean rate that says anything of that day.

use super::{LivingSite, round::Round};
use serde::Serialize;
use tintype_quality::certificate::{Activity, Certificate, Certifier, Experience, Period};
use tintype_vocab::Span;

/// The intervals of one capture.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct OracleIntervals {
    pub(super) blur: [f64; 2],
    pub(super) sharp: [f64; 2],
}

/// No activity spreads less: what is left is chance.
const SPREAD_MIN: f64 = 1e-6;

/// Fills in what would have been stated of every capture by whoever knows how all of them went.
pub(super) fn fill_in(site: &LivingSite, rounds: &mut [Round], every: Span) {
    let steady = Activity { factor: 1.0, spread: SPREAD_MIN, captures: rounds.len() as u32 };
    let seen: Vec<Experience> = rounds.iter().map(|round| certify(site, round, every, steady).experience).collect();
    let activity = in_hindsight(&seen);
    for round in rounds {
        let certificate = certify(site, round, every, activity);
        let OracleIntervals { blur, sharp } = &mut round.oracle_90;
        (*blur, *sharp) = (certificate.blur.interval_90, certificate.sharp.interval_90);
        round.visits = Vec::new();
    }
}

fn certify(site: &LivingSite, round: &Round, every: Span, activity: Activity) -> Certificate {
    let around = Period { from: round.begun - every, to: round.ended + every };
    let mut certifier = Certifier::new();
    for visit in &round.visits {
        let mut visit = visit.clone();
        visit.rate = site.rate(&visit.url, around);
        certifier.add(&visit);
    }
    certifier.finish(&site.name, &round.capture, activity, None, None)
}

/// The factor and the spread that captures had among them.
fn in_hindsight(seen: &[Experience]) -> Activity {
    let expected: f64 = seen.iter().map(|seen| seen.expected).sum();
    let changed: f64 = seen.iter().map(|seen| seen.changed as f64).sum();
    let factor = if expected > 0.0 && changed > 0.0 { changed / expected } else { 1.0 };
    let means = || seen.iter().map(|seen| factor * seen.expected);
    let off: f64 = seen.iter().zip(means()).map(|(seen, mean)| (seen.changed as f64 - mean).powi(2) - mean).sum();
    let squares: f64 = means().map(|mean| mean * mean).sum();
    let spread = if squares > 0.0 { (off / squares).max(SPREAD_MIN) } else { SPREAD_MIN };
    Activity { factor, spread, captures: seen.len() as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(changed: &[u64]) -> Activity {
        let each = changed.iter().map(|&changed| Experience { changed, expected: 10.0, per_factor: 10.0 });
        in_hindsight(&each.collect::<Vec<Experience>>())
    }

    #[test]
    fn hindsight_tells_chance_from_days_that_differ() {
        let steady = seen(&[7, 13, 9, 11, 10, 12, 8, 10]);
        assert!((steady.factor - 1.0).abs() < 1e-9 && steady.spread <= SPREAD_MIN, "{steady:?}");
        let uneven = seen(&[0, 40, 0, 0, 0, 40, 0, 0]);
        assert!((uneven.factor - 1.0).abs() < 1e-9 && uneven.spread > 2.0, "{uneven:?}");
        assert_eq!(seen(&[0, 0, 0]).factor, 1.0, "nothing happened, and nothing is learned from it");
    }
}
