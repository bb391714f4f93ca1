//! SHARC-online (section 5): organ pipes while the site is being discovered, in three phases.
//!
//! Cold pages first; once half of the site is known, the page that keeps the pipes symmetric; past the middle the hottest
//! first. The size of the site is an estimate, as in the paper: what the last capture knew, or what is known now.

use super::{
    ladder::Ladder,
    view::{Choice, Policy, View},
};
use tintype_vocab::{Observation, PageId, Time};

#[derive(Debug, Default)]
pub(super) struct SharcOnline {
    detected: Ladder,
    known: usize,
}

impl Policy for SharcOnline {
    saves!(detected, known);

    fn on_known(&mut self, page: PageId, view: &View<'_>) {
        self.known += 1;
        self.detected.insert(page, view.pages.get(page).rate.per_day);
    }

    fn choose(&mut self, _now: Time, view: &View<'_>) -> Choice {
        let detected = self.detected.len();
        let nth = next(self.known - detected, detected, view.expected_pages);
        nth.and_then(|nth| self.detected.take_at(nth)).map_or(Choice::Done, Choice::Visit)
    }

    fn on_observation(&mut self, page: PageId, _observation: &Observation, _view: &View<'_>) {
        self.detected.remove(page);
    }
}

/// Which of the detected pages, coldest first, is next: equations (11) to (16).
fn next(downloaded: usize, detected: usize, size: usize) -> Option<usize> {
    let size = size.max(downloaded + detected);
    let last = detected.checked_sub(1)?;
    let ascending = 2 * (downloaded + detected) <= size;
    let descending = 2 * downloaded > size;
    Some(if ascending {
        0
    } else if descending {
        last
    } else {
        downloaded.min(last)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_5_1_to_5_3_corrected() {
        assert_eq!(next(1, 2, 6), Some(0));
        assert_eq!(next(2, 3, 6), Some(2));
        assert_eq!(next(4, 1, 6), Some(0));
        assert_eq!(next(6, 0, 6), None);
    }
}
