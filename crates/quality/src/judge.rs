//! What a list of visits is worth.

use crate::{
    Truth,
    life::Page,
    measure::{Age, Blur, Freshness, Kept},
    window::Window,
};
use serde::{Deserialize, Serialize};
use tintype_vocab::Time;

/// One visit, as far as a judge cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    pub at: Time,
    /// Numbered as in the [`Truth`].
    pub page: u32,
}

/// Every measure of continuous archiving. [`crate::measure::REGISTRY`] says what each one means.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Visits inside the window.
    pub visits: u64,
    /// Versions that came to be inside the window.
    pub versions: u64,
    /// Those of them that a visit found alive.
    pub seen: u64,
    pub completeness: f64,
    pub weighted_completeness: f64,
    pub freshness: f64,
    pub mean_age_hours: f64,
    pub useful: f64,
    pub blur: f64,
}

/// Judges visits, in order of time, by what really happened in `[from, to)`; visits outside do not count.
///
/// The site as it is at `from` is held from the outset. Linear in versions, visits and pages.
///
/// # Panics
/// If visits are out of order, or go to a page the truth does not have.
pub fn judge(truth: &Truth, from: Time, to: Time, visits: &[Seen]) -> Score {
    let window = Window::new(from, to);
    let visits = ByPage::new(truth.pages(), window, visits);
    let (mut kept, mut freshness, mut age, mut blur) =
        (Kept::default(), Freshness::default(), Age::default(), Blur::default());
    let mut lives = Vec::new();
    for number in 0..truth.pages() {
        let page = Page::new(window, truth.page(number), visits.of(number), &mut lives);
        kept.add(&page);
        freshness.add(&page);
        age.add(&page);
        blur.add(&page);
    }
    Score {
        visits: kept.visits,
        versions: kept.versions,
        seen: kept.seen,
        completeness: kept.completeness(),
        weighted_completeness: kept.weighted_completeness(),
        freshness: freshness.share(),
        mean_age_hours: age.mean_hours(),
        useful: kept.useful(),
        blur: blur.changes(window),
    }
}

/// Visit times sorted by page; within a page they stay in order of time.
pub(crate) struct ByPage {
    /// Where each page's times begin; one more at the end.
    first: Vec<usize>,
    times: Vec<Time>,
}

impl ByPage {
    pub(crate) fn new(pages: usize, window: Window, visits: &[Seen]) -> ByPage {
        assert!(visits.is_sorted_by_key(|visit| visit.at), "visits come in order of time");
        let inside = || visits.iter().filter(|visit| window.contains(visit.at));
        let mut first = vec![0; pages + 1];
        inside().for_each(|visit| first[visit.page as usize + 1] += 1);
        (0..pages).for_each(|page| first[page + 1] += first[page]);
        let mut next = first.clone();
        let mut times = vec![Time::default(); first[pages]];
        for visit in inside() {
            let place = &mut next[visit.page as usize];
            times[*place] = visit.at;
            *place += 1;
        }
        ByPage { first, times }
    }

    pub(crate) fn of(&self, page: usize) -> &[Time] {
        &self.times[self.first[page]..self.first[page + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{self, at, close, page};
    use proptest::prelude::*;

    /// Everything by its definition, millisecond by millisecond.
    fn slowly(truth: &Truth, from: i64, to: i64, visits: &[Seen]) -> [f64; 4] {
        let (mut alive, mut fresh, mut age, mut missed) = (0.0, 0.0, 0.0, 0.0);
        for page in 0..truth.pages() {
            let mut held = truth.alive(page, at(from));
            let captures: Vec<f64> =
                visits.iter().filter(|v| v.page as usize == page).map(|v| v.at.as_millis() as f64).collect();
            for now in from..to {
                if captures.contains(&(now as f64)) {
                    held = truth.alive(page, at(now)).or(held);
                }
                missed += trial::missed_changes(truth, page, from, now, &captures);
                let Some(current) = truth.alive(page, at(now)) else { continue };
                alive += 1.0;
                if held == Some(current) {
                    fresh += 1.0;
                } else {
                    let unseen = |v: &&crate::Version| match held {
                        Some(held) => v.from > truth.versions()[held].from,
                        None => v.from > at(from),
                    };
                    let since = truth.page(page).iter().find(unseen).unwrap().from.as_millis();
                    age += now as f64 + 0.5 - since as f64;
                }
            }
        }
        let of = |sum: f64, empty| if alive == 0.0 { empty } else { sum / alive };
        [alive, of(fresh, 1.0), of(age, 0.0) / 3_600_000.0, missed / (to - from) as f64]
    }

    proptest! {
        #[test]
        fn the_sweep_agrees_with_the_definitions(truth in trial::truths(3, 6), plan in trial::visits(3, 8)) {
            let plan: Vec<Seen> = plan.into_iter().filter(|visit| (visit.page as usize) < truth.pages()).collect();
            let inside: Vec<Seen> = plan.iter().copied().filter(|v| (at(4)..at(20)).contains(&v.at)).collect();
            let score = judge(&truth, at(4), at(20), &plan);
            let [_, freshness, age, blur] = slowly(&truth, 4, 20, &inside);
            prop_assert!(close(score.freshness, freshness), "freshness {} is {freshness}", score.freshness);
            prop_assert!(close(score.mean_age_hours, age), "age {} is {age}", score.mean_age_hours);
            prop_assert!(close(score.blur, blur), "blur {} is {blur}", score.blur);
            let mut found: Vec<usize> = inside.iter().filter_map(|v| truth.alive(v.page as usize, v.at)).collect();
            found.retain(|&version| truth.versions()[version].from > at(4));
            found.sort();
            found.dedup();
            let weight = |of: &mut dyn Iterator<Item = &crate::Version>| of.map(|v| f64::from(v.weight)).sum::<f64>();
            let born = || truth.versions().iter().filter(|v| at(4) < v.from && v.from < at(20));
            prop_assert_eq!(score.visits, inside.len() as u64);
            prop_assert_eq!(score.versions, born().count() as u64);
            prop_assert_eq!(score.seen, found.len() as u64);
            let all = weight(&mut born());
            if all > 0.0 {
                let held = weight(&mut found.iter().map(|&version| &truth.versions()[version]));
                prop_assert!(close(score.weighted_completeness, held / all));
            }
        }
    }

    #[test]
    fn nothing_to_keep_is_kept_completely() {
        let score = judge(&Truth::default(), at(0), at(10), &[]);
        let shares = [score.completeness, score.weighted_completeness, score.freshness, score.useful];
        assert_eq!((shares, score.mean_age_hours, score.blur), ([1.0, 1.0, 1.0, 0.0], 0.0, 0.0));
        assert_eq!(judge(&page(&[(0, 9)]), at(5), at(5), &[]).freshness, 1.0);
    }

    #[test]
    fn a_page_that_comes_back_is_stale_until_seen() {
        // Held at 2, deleted at 4, back at 6, changed at 8; visits at 5 (nothing there), 9 and 9 again.
        let truth = page(&[(0, 4), (6, 8), (8, 20)]);
        let visits = [5, 9, 9].map(|time| Seen { at: at(time), page: 0 });
        let score = judge(&truth, at(2), at(12), &visits);
        assert_eq!((score.visits, score.versions, score.seen), (3, 2, 1));
        assert_eq!((score.completeness, score.freshness), (0.5, 5.0 / 8.0));
        // Stale from 6 to 9, and all of it since 6.
        assert!(close(score.mean_age_hours * 3_600_000.0, 4.5 / 8.0));
        assert!(close(score.useful, 1.0 / 3.0));
    }

    #[test]
    fn when_no_version_weighs_anything_all_weigh_the_same() {
        let mut truth = Truth::default();
        truth.push_page([3, 6].map(|from| crate::Version { from: at(from), until: at(from + 3), weight: 0.0 }));
        assert_eq!(judge(&truth, at(0), at(10), &[Seen { at: at(3), page: 0 }]).weighted_completeness, 0.5);
    }
}
