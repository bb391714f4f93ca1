//! Which time zone a site lives in: people sleep at night.

use super::tally::HourTally;
use tintype_vocab::Span;

/// Changes by local hour where people make them, from midnight.
const ACTIVITY: [f64; 24] = [
    0.35, 0.22, 0.16, 0.14, 0.14, 0.18, 0.35, 0.7, 1.1, 1.45, 1.6, 1.6, 1.5, 1.55, 1.65, 1.65, 1.6, 1.45, 1.25, 1.15,
    1.1, 1.0, 0.85, 0.55,
];
/// How strongly a site follows it.
const STRENGTHS: [f64; 3] = [0.4, 0.7, 1.0];
/// How many people live so many hours later than that (or earlier), by hour: none, one, two.
const HABITS: [f64; 3] = [0.4, 0.2, 0.1];
/// The smallest chance to be right, two hours more or less, that is worth telling.
const CONFIDENCE_MIN: f64 = 0.9;

/// A site's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zone {
    /// How far it is ahead of UTC, in whole hours; summer time is not told apart.
    pub offset: Span,
    /// The chance that this is right, two hours more or less.
    pub confidence: f32,
}

/// The zone of a site from the changes of all its pages, or nothing if they do not show one. Changes that come together
/// say no more than one: `occasions` is at how many different times there were any.
pub fn infer_zone(site: &HourTally, occasions: f64) -> Option<Zone> {
    let hours = by_hour(site);
    let changes: f64 = hours.iter().map(|(found, _)| found).sum();
    if changes <= 0.0 || occasions.is_nan() {
        return None;
    }
    let temper = (occasions / changes).clamp(0.0, 1.0);
    let log_chance = |offset: usize, strength: f64| temper * log_likelihood(&hours, offset, strength);
    let flat = log_chance(0, 0.0);
    let evidence: [f64; 24] = std::array::from_fn(|offset| {
        STRENGTHS.iter().map(|strength| (log_chance(offset, *strength) - flat).min(600.0).exp()).sum::<f64>()
            / (24 * STRENGTHS.len()) as f64
    });
    let around = |of: &[f64; 24], at: usize, weights: [f64; 3]| -> f64 {
        (0..5).map(|shift: usize| weights[shift.abs_diff(2)] * of[(at + shift + 22) % 24]).sum()
    };
    let chances: [f64; 24] = std::array::from_fn(|offset| around(&evidence, offset, HABITS));
    let best = (0..24).max_by(|a, b| chances[*a].total_cmp(&chances[*b]))?;
    let confidence = around(&chances, best, [1.0; 3]) / (chances.iter().sum::<f64>() + 1.0);
    let hours_ahead = if best > 12 { best as i64 - 24 } else { best as i64 };
    (confidence >= CONFIDENCE_MIN)
        .then(|| Zone { offset: Span::from_secs(3600 * hours_ahead), confidence: confidence as f32 })
}

/// Changes found, and expected of a flat shape, by hour of UTC.
fn by_hour(site: &HourTally) -> [(f64, f64); 24] {
    let calendar = site.calendar();
    let periods = calendar.periods();
    let mut hours = [(0.0, 0.0); 24];
    for bin in 0..2 * periods {
        let middle = (bin % periods) as f64 * calendar.period_hours() + calendar.period_hours() / 2.0;
        let utc = (middle - calendar.offset().as_secs_f64() / 3600.0).rem_euclid(24.0);
        let (found, expected) = site.bin(bin);
        let hour = &mut hours[utc as usize % 24];
        (hour.0, hour.1) = (hour.0 + found, hour.1 + expected);
    }
    hours
}

/// How likely changes fell into their hours if the site is so many hours ahead.
fn log_likelihood(hours: &[(f64, f64); 24], offset: usize, strength: f64) -> f64 {
    let activity = |hour: usize| ACTIVITY[(hour + offset) % 24].powf(strength);
    let expected: f64 = hours.iter().enumerate().map(|(hour, (_, expected))| expected * activity(hour)).sum();
    let found = hours.iter().enumerate().filter(|(_, (found, _))| *found > 0.0);
    found.map(|(hour, (found, _))| found * (activity(hour) / expected.max(1e-30)).ln()).sum()
}
