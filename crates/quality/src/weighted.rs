//! Weighted completeness as the page-change-pattern paper has it: page by page, then averaged over pages.
//!
//! A [`Score`](crate::Score) adds up the importance of all versions, so a page counts by how much happens on it. Here
//! every page counts by its weight, however much happens.

use crate::{Seen, Truth, Version, judge::ByPage, life::Page, measure::Kept, window::Window};
use tintype_vocab::Time;

/// Importance of the versions of each page that a visit found alive, of that of all that came to be in `[from, to)`
/// (Definition 3); `None` where nothing did. Seeing a version twice is seeing it once.
///
/// # Panics
/// If visits are out of order, or go to a page the truth does not have.
pub fn page_completeness(truth: &Truth, from: Time, to: Time, visits: &[Seen]) -> Vec<Option<f64>> {
    let window = Window::new(from, to);
    let visits = ByPage::new(truth.pages(), window, visits);
    let mut lives = Vec::new();
    let mut of_page = |number: usize| {
        let mut kept = Kept::default();
        kept.add(&Page::new(window, truth.page(number), visits.of(number), &mut lives));
        (kept.versions > 0).then(|| kept.weighted_completeness())
    };
    (0..truth.pages()).map(&mut of_page).collect()
}

/// The mean of what [`page_completeness`] found, pages weighing ω(P) (Definition 4); pages of which there was nothing to
/// keep have no say. Where there was nothing at all, or no page weighs anything, everything was kept.
pub fn archive_completeness(pages: &[Option<f64>], page_weight: impl Fn(usize) -> f64) -> f64 {
    let counted = pages.iter().enumerate().filter_map(|(page, share)| Some((page_weight(page), (*share)?)));
    let (kept, all) = counted.fold((0.0, 0.0), |(kept, all), (weight, share)| (kept + weight * share, all + weight));
    if all > 0.0 { kept / all } else { 1.0 }
}

impl Truth {
    /// The same history with versions that weigh as much more as their page does (Definition 1).
    pub fn weighing_pages(&self, page_weight: impl Fn(usize) -> f64) -> Truth {
        self.reweighed(|page, version| page_weight(page) * f64::from(version.weight))
    }

    /// The same history with weights such that adding up versions gives [`archive_completeness`], so that whatever holds
    /// for sums, the oracle above all, holds for it as well.
    pub fn page_by_page(&self, from: Time, to: Time, page_weight: impl Fn(usize) -> f64) -> Truth {
        let window = Window::new(from, to);
        let totals: Vec<(f64, f64)> = (0..self.pages())
            .map(|page| {
                let born = self.page(page).iter().filter(|version| window.bears(version));
                born.fold((0.0, 0.0), |(weight, count), version| (weight + f64::from(version.weight), count + 1.0))
            })
            .collect();
        self.reweighed(|page, version| match totals[page] {
            _ if !window.bears(version) => 0.0,
            // Where no version weighs anything, all weigh the same.
            (0.0, count) => page_weight(page) / count,
            (weight, _) => page_weight(page) * f64::from(version.weight) / weight,
        })
    }

    fn reweighed(&self, weight: impl Fn(usize, &Version) -> f64) -> Truth {
        let mut truth = Truth::default();
        for page in 0..self.pages() {
            let weighed = |version: &Version| Version { weight: weight(page, version) as f32, ..*version };
            truth.push_page(self.page(page).iter().map(weighed));
        }
        truth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{judge, trial};
    use proptest::prelude::*;

    const FROM: Time = Time::from_millis(4);
    const TO: Time = Time::from_millis(20);

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-5
    }

    proptest! {
        #[test]
        fn sums_over_a_truth_page_by_page_are_means_over_pages(
            truth in trial::truths(4, 6), plan in trial::visits(4, 12), weights in prop::collection::vec(1_u8..9, 4),
        ) {
            let plan: Vec<Seen> = plan.into_iter().filter(|visit| (visit.page as usize) < truth.pages()).collect();
            let weight = |page: usize| f64::from(weights[page]);
            let mean = archive_completeness(&page_completeness(&truth, FROM, TO, &plan), weight);
            let sum = judge(&truth.page_by_page(FROM, TO, weight), FROM, TO, &plan).weighted_completeness;
            prop_assert!(close(mean, sum), "{} is {}", mean, sum);
        }

        #[test]
        fn one_page_is_as_complete_as_its_archive(truth in trial::truths(1, 8), plan in trial::visits(1, 8)) {
            let score = judge(&truth, FROM, TO, &plan);
            let mean = archive_completeness(&page_completeness(&truth, FROM, TO, &plan), |_| 0.3);
            prop_assert!(close(mean, score.weighted_completeness));
        }
    }

    #[test]
    fn a_heavy_page_counts_more() {
        let mut truth = trial::page(&[(5, 9)]);
        truth.push_page(trial::page(&[(6, 9)]).versions().to_vec());
        let seen = [Seen { at: trial::at(7), page: 1 }];
        let score = |truth: &Truth| judge(truth, FROM, TO, &seen).weighted_completeness;
        assert_eq!((score(&truth), score(&truth.weighing_pages(|page| [1.0, 3.0][page]))), (0.5, 0.75));
        let pages = page_completeness(&truth, FROM, TO, &seen);
        assert_eq!(archive_completeness(&pages, |page| [1.0, 3.0][page]), 0.75);
    }

    #[test]
    fn pages_without_a_version_have_no_say() {
        assert_eq!(archive_completeness(&[Some(0.5), None], |_| 1.0), 0.5);
        assert_eq!(archive_completeness(&[None], |_| 1.0), 1.0);
    }
}
