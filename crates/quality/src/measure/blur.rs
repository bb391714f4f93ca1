//! How wrong a reader is who asks for a moment and gets the captures nearest to it.

use super::Measure;
use crate::{life::Page, window::Window};
use tintype_vocab::Time;

pub(super) const BLUR: Measure = Measure {
    name: "blur",
    unit: "changes",
    meaning: "changes between a moment of the window and the nearest visit, averaged over the window, summed over pages",
    more_is_better: false,
    read: |score| score.blur,
};

/// Exact blur of K visits per page with nearest access: SHARC's (22) and (23), continued.
///
/// Coming to be and ceasing to be are changes like any other, and a visit that finds a page gone has seen that it is. The
/// site as it is at the start is held, so the start counts as a visit to every page.
#[derive(Debug, Default)]
pub(crate) struct Blur {
    twice_ms: i128,
}

impl Blur {
    pub(crate) fn add(&mut self, page: &Page<'_>) {
        let visits = [page.window.from].into_iter().chain(page.visits.iter().copied());
        self.twice_ms += missed(page.changes(), visits, page.window);
    }

    pub(crate) fn changes(&self, window: Window) -> f64 {
        mean(self.twice_ms, window)
    }
}

/// What [`missed`] gives, as the mean over the window.
pub(crate) fn mean(twice_ms: i128, window: Window) -> f64 {
    if window.millis() == 0 { 0.0 } else { twice_ms as f64 / 2.0 / window.millis() as f64 }
}

/// Twice the time of the window for which a reader misses a change, summed over the changes; all times in order.
///
/// Between two visits, moments before the middle are answered by the first and miss what came after it; later ones are
/// answered by the second and already see what is still to come. Either way a change is missed from itself to the middle,
/// or to the end of the window where no visit is left on one side.
pub(crate) fn missed(changes: impl Iterator<Item = Time>, visits: impl Iterator<Item = Time>, window: Window) -> i128 {
    let twice = |time: Time| 2 * i128::from(time.as_millis());
    let cut = |twice_ms: i128| twice_ms.clamp(twice(window.from), twice(window.to));
    let mut visits = visits.peekable();
    let mut before: Option<Time> = None;
    let mut twice_ms = 0;
    for change in changes {
        while let Some(visit) = visits.next_if(|&visit| visit < change) {
            before = Some(visit);
        }
        let until = match (before, visits.peek()) {
            (Some(before), Some(&after)) => i128::from(before.as_millis()) + i128::from(after.as_millis()),
            (Some(_), None) => twice(window.to),
            (None, _) => twice(window.from),
        };
        twice_ms += (cut(twice(change)) - cut(until)).abs();
    }
    twice_ms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{at, close};

    /// In thousandths, so that half moments are whole.
    fn blur(history: &[f64], visits: &[f64], to: f64) -> f64 {
        let times = |list: &[f64]| list.iter().map(|time| at((time * 1000.0) as i64)).collect::<Vec<Time>>();
        let window = Window::new(at(0), at((to * 1000.0) as i64));
        mean(missed(times(history).into_iter(), times(visits).into_iter(), window), window)
    }

    #[test]
    fn golden_s41_one_visit() {
        assert!(close(blur(&[1.0, 3.0, 3.5], &[2.0], 5.0), 0.9));
    }

    #[test]
    fn golden_s42_visit_and_revisit() {
        assert!((blur(&[1.0, 3.0, 4.0, 6.0, 9.0], &[2.0, 7.0], 11.0) - 0.590_909_090_909).abs() < 1e-9);
    }

    #[test]
    fn golden_s43_all_changes_seen_at_the_end() {
        assert!(close(blur(&[1.0, 3.0, 4.0], &[5.0], 5.0), 1.6));
    }

    #[test]
    fn golden_s44_three_visits_among_steady_changes() {
        // A thousand changes per unit of time, all along: blur is the penalty per change rate and length.
        let history: Vec<f64> = (0..12_000).map(|change| f64::from(change) / 1000.0).collect();
        assert!((blur(&history, &[2.0, 6.0, 10.0], 12.0) / 1000.0 * 12.0 - 12.0).abs() < 1e-2);
    }
}
