//! How old copies are at a moment.

use crate::{Seen, Truth};
use tintype_vocab::Time;

/// The mean time, in hours, for which copies of pages that are still there have not been right any longer at a moment;
/// nothing if no such copy is held. Visits come in order of time, and those after the moment do not count.
pub fn mean_copy_age_hours(truth: &Truth, now: Time, visits: &[Seen]) -> Option<f64> {
    let mut held = vec![None; truth.pages()];
    for visit in visits.iter().take_while(|visit| visit.at <= now) {
        let page = visit.page as usize;
        held[page] = truth.alive(page, visit.at).or(held[page]);
    }
    let versions = truth.versions();
    let age = |page: usize| {
        let (held, current) = (held[page]?, truth.alive(page, now)?);
        let outdated = (held < current).then(|| versions[held + 1].from);
        Some(outdated.map_or(0.0, |since| (now - since).as_secs_f64() / 3600.0))
    };
    let ages: Vec<f64> = (0..truth.pages()).filter_map(age).collect();
    (!ages.is_empty()).then(|| ages.iter().sum::<f64>() / ages.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{at, page};

    #[test]
    fn a_copy_ages_from_the_first_version_that_was_not_seen() {
        let hour = 3_600_000;
        let truth = page(&[(0, hour), (hour, 2 * hour), (2 * hour, 9 * hour)]);
        let age =
            |visit: i64, now: i64| mean_copy_age_hours(&truth, at(now * hour), &[Seen { at: at(visit), page: 0 }]);
        assert_eq!(age(5, 5), Some(4.0));
        assert_eq!(age(2 * hour, 5), Some(0.0));
        assert_eq!((age(5, 9), age(10 * hour, 5)), (None, None), "gone, and not seen yet");
    }
}
