//! How good the copy of a source was under a schedule of crawls.
//!
//! Time goes in steps. A crawl makes the copy whole at its own step; at every other step the copy is as good as what is
//! known of the last crawl says.

use serde::Serialize;
use std::ops::Range;

/// A schedule held against what happened.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CopyScore {
    /// Crawls, that before the first step not counted.
    pub crawls: usize,
    /// Mean quality over all steps (Q).
    pub mean: f64,
    /// Share of the steps at which the copy was worse than promised.
    pub below: f64,
    /// The worst it ever was.
    pub least: f64,
}

impl CopyScore {
    /// The paper's measure, mean quality by crawls (ρ). It rewards not crawling, whatever was promised: never read it
    /// without [`CopyScore::below`].
    pub fn quality_per_crawl(&self) -> f64 {
        self.mean / self.crawls.max(1) as f64
    }

    /// Whether it keeps a promise that may be broken for a share of the time.
    pub fn keeps(&self, broken_share_max: f64) -> bool {
        self.below <= broken_share_max
    }
}

/// How good the copy was at the steps of a window, before which it was made anew. `schedule` is in order, crawls outside
/// the window do not count; `quality` says how good a copy made at one step is at a later one.
pub fn copy_score(
    schedule: &[usize],
    window: Range<usize>,
    target: f64,
    quality: impl Fn(usize, usize) -> f64,
) -> CopyScore {
    let mut coming = schedule.iter().copied().filter(|crawl| *crawl > window.start).peekable();
    let (mut copied, mut crawls, mut sum, mut below, mut least) = (window.start, 0, 0.0, 0, 1.0f64);
    for step in window.clone() {
        if coming.next_if_eq(&step).is_some() {
            copied = step;
            crawls += 1;
        }
        let good = if copied == step { 1.0 } else { quality(copied, step) };
        sum += good;
        below += usize::from(good < target);
        least = least.min(good);
    }
    let steps = window.len().max(1) as f64;
    CopyScore { crawls, mean: sum / steps, below: below as f64 / steps, least }
}

/// Of several ways, the one with the fewest crawls that keeps the promise; of those with as many, the one that breaks it
/// least. At a share of 5 % this is the fair single number (C@5%).
pub fn fewest_crawls<T>(
    tried: impl IntoIterator<Item = (T, CopyScore)>,
    broken_share_max: f64,
) -> Option<(T, CopyScore)> {
    let kept = tried.into_iter().filter(|(_, score)| score.keeps(broken_share_max));
    kept.min_by(|(_, a), (_, b)| a.crawls.cmp(&b.crawls).then(a.below.total_cmp(&b.below)))
}

/// For how many steps the promise holds: up to the last before the first that is worse.
pub fn steps_above(qualities: &[f64], target: f64) -> usize {
    qualities.iter().position(|quality| *quality < target).unwrap_or(qualities.len())
}

/// Squared differences between what was expected and what happened, added up (SSE).
pub fn squared_error(pairs: impl IntoIterator<Item = (f64, f64)>) -> f64 {
    pairs.into_iter().map(|(expected, happened)| (expected - happened).powi(2)).sum()
}

/// The share of an error that another one saves.
pub fn share_saved(before: f64, after: f64) -> f64 {
    1.0 - after / before
}

/// The share of intervals that hold what happened.
pub fn coverage(stated: impl IntoIterator<Item = ((f64, f64), f64)>) -> Option<f64> {
    let (mut held, mut all) = (0u32, 0u32);
    for ((low, high), happened) in stated {
        all += 1;
        held += u32::from((low..=high).contains(&happened));
    }
    (all > 0).then(|| f64::from(held) / f64::from(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tenth less at every step.
    fn linear(from: usize, to: usize) -> f64 {
        1.0 - (to - from) as f64 / 10.0
    }

    #[test]
    fn a_crawl_makes_the_copy_whole_at_its_own_step() {
        let score = copy_score(&[0, 2, 5], 2..8, 0.85, linear);
        // 1, .9, .8, crawl, .9, .8.
        assert_eq!(score.crawls, 1);
        assert!((score.mean - 5.4 / 6.0).abs() < 1e-12 && (score.below - 2.0 / 6.0).abs() < 1e-12, "{score:?}");
        assert_eq!(score.least, 0.8);
        assert!(score.keeps(0.34) && !score.keeps(0.33));
    }

    #[test]
    fn a_copy_exactly_as_good_as_promised_is_good_enough() {
        let tie = copy_score(&[], 0..2, 0.9, |_, _| 27.0 / 30.0);
        assert_eq!(tie.below, 0.0);
    }

    #[test]
    fn golden_q17_what_adaptation_saved() {
        assert!((share_saved(0.136, 0.030) - 0.779_411_764_706).abs() < 1e-9);
        assert_eq!(squared_error([(0.5, 1.0), (1.0, 0.5)]), 0.5);
    }

    #[test]
    fn golden_q18_a_promise_holds_up_to_the_step_before_it_is_broken() {
        assert_eq!(steps_above(&[0.97, 0.95, 0.92, 0.89], 0.9), 3);
        assert_eq!(steps_above(&[0.97], 0.9), 1);
    }

    #[test]
    fn golden_q19_mean_quality_by_crawls() {
        let course = [1.0, 0.97, 0.95, 1.0, 0.96, 0.94];
        let score = copy_score(&[0, 3], 0..6, 0.9, |_, step| course[step]);
        // The paper counts the crawl that began it all.
        let counted = CopyScore { crawls: score.crawls + 1, ..score };
        assert!((counted.quality_per_crawl() - 0.485).abs() < 1e-9);
    }

    #[test]
    fn fewer_crawls_win_only_if_the_promise_is_kept() {
        let score = |crawls, below| CopyScore { crawls, mean: 0.9, below, least: 0.5 };
        let tried =
            [("rude", score(9, 0.0)), ("lazy", score(3, 0.2)), ("late", score(5, 0.05)), ("good", score(5, 0.01))];
        assert_eq!(fewest_crawls(tried, 0.05).unwrap().0, "good");
        assert!(fewest_crawls([("lazy", score(3, 0.2))], 0.05).is_none());
    }

    #[test]
    fn intervals_hold_their_ends() {
        assert_eq!(coverage([((0.1, 0.3), 0.3), ((0.1, 0.3), 0.31)]), Some(0.5));
        assert_eq!(coverage([]), None);
    }
}
