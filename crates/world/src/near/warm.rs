//! WARM: the directories that rules speak of are skipped, at one setting of its thresholds or over a grid of them.

use super::{Judged, SkipExperiment, side_by_side::side_by_side};
use tintype_learn::directory::{Bitmaps, DEGREE_OF_CHANGE_MIN, DirectoryId, Rule, Thresholds, Weighing, mine, skipped};

/// The thresholds of the paper, and how changes count in the degree of change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// α: a directory has changed if this share of its nodes has.
    pub degree_of_change_min: f64,
    /// β: directories change together if they did in this share of the passages.
    pub frequency_of_change_min: f64,
    /// γ: the magnitude of the negative correlation wanted; `None` is lowered until there is a rule.
    pub correlation_max: Option<f64>,
    /// θ: how often a rule must have been right.
    pub confidence_min: f64,
    pub weighing: Weighing,
}

impl Default for Setting {
    fn default() -> Setting {
        let Thresholds { frequency_of_change_min, correlation_max, confidence_min, .. } = Thresholds::default();
        Setting {
            degree_of_change_min: DEGREE_OF_CHANGE_MIN,
            frequency_of_change_min,
            correlation_max,
            confidence_min,
            weighing: Weighing::Count,
        }
    }
}

/// All tests at one setting.
#[derive(Clone, Debug)]
pub struct Warm {
    pub setting: Setting,
    pub tests: Vec<WarmTest>,
}

#[derive(Clone, Debug)]
pub struct WarmTest {
    pub rules: Vec<Rule>,
    pub judged: Judged,
}

const DEGREES: [f64; 9] = [0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5];
const FREQUENCIES: [f64; 6] = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7];
const CORRELATIONS: [Option<f64>; 5] = [None, Some(0.05), Some(0.2), Some(0.35), Some(0.5)];
const CONFIDENCES: [f64; 6] = [0.1, 0.5, 0.7, 0.8, 0.9, 1.0];

impl SkipExperiment<'_> {
    pub fn warm(&self, setting: Setting) -> Warm {
        self.warm_with(&self.bitmaps(setting.degree_of_change_min, setting.weighing), setting)
    }

    /// Every combination of sensible thresholds. Of those under which the same is skipped in all tests only the first is
    /// kept.
    pub fn warm_everywhere(&self, weighing: Weighing) -> Vec<Warm> {
        let settings = |degree_of_change_min: f64| {
            FREQUENCIES.into_iter().flat_map(move |frequency_of_change_min| {
                CORRELATIONS.into_iter().flat_map(move |correlation_max| {
                    CONFIDENCES.into_iter().map(move |confidence_min| Setting {
                        degree_of_change_min,
                        frequency_of_change_min,
                        correlation_max,
                        confidence_min,
                        weighing,
                    })
                })
            })
        };
        let by_degree = side_by_side(DEGREES.len(), |nth| {
            let bitmaps = self.bitmaps(DEGREES[nth], weighing);
            settings(DEGREES[nth]).map(|setting| self.warm_with(&bitmaps, setting)).collect::<Vec<_>>()
        });
        let mut distinct: Vec<Warm> = Vec::new();
        for warm in by_degree.into_iter().flatten() {
            if distinct.iter().all(|known| known.judged() != warm.judged()) {
                distinct.push(warm);
            }
        }
        distinct
    }

    fn warm_with(&self, bitmaps: &Bitmaps, setting: Setting) -> Warm {
        let test = |test: usize| {
            // From the versions a test learns from, one passage fewer.
            let taught = self.windows.taught(test);
            let passages = taught.start..taught.end - 1;
            let rules = mine(&self.shape, bitmaps, passages, DirectoryId::ROOT, &setting.thresholds());
            let out = skipped(&self.shape, &rules, DirectoryId::ROOT);
            let judged = self.without(test, out.into_iter().map(|(directory, _)| directory));
            WarmTest { rules, judged }
        };
        Warm { setting, tests: (0..self.passages.len()).map(test).collect() }
    }
}

impl Setting {
    pub fn thresholds(&self) -> Thresholds {
        Thresholds::new(self.frequency_of_change_min, self.correlation_max, self.confidence_min)
    }
}

impl Warm {
    pub fn judged(&self) -> Vec<Judged> {
        self.tests.iter().map(|test| test.judged).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::{
        Births, Mean,
        trial::{see_saw, windows},
    };

    fn setting() -> Setting {
        Setting { degree_of_change_min: 0.2, ..Setting::default() }
    }

    #[test]
    fn what_stands_still_when_the_rest_changes_is_skipped() {
        let history = see_saw(12);
        let experiment = SkipExperiment::new(&history, &[], windows(0, 10, 8, 4), Births::LookedInto);
        let warm = experiment.warm(setting());
        for (nth, test) in warm.tests.iter().enumerate() {
            let [rule] = &test.rules[..] else { panic!("one rule: {:?}", test.rules) };
            assert_eq!((experiment.shape.path(rule.tail), rule.head.len()), ("/b".to_owned(), 1));
            let bypass = test.judged.bypass;
            assert_eq!((bypass.skipped, bypass.pages()), (2, 12));
            // The rule is right every other time.
            let lost = if experiment.windows.tested(nth).is_multiple_of(2) { (1, 1) } else { (0, 10) };
            assert_eq!((bypass.changes_lost(), bypass.changes), lost);
        }
        let mean = Mean::of(&warm.judged());
        assert_eq!((mean.ratios.change_recall, mean.weighted_change_recall), (0.5, 0.5));
    }

    #[test]
    fn settings_that_skip_the_same_are_one() {
        let history = see_saw(12);
        let experiment = SkipExperiment::new(&history, &[], windows(0, 10, 8, 4), Births::LookedInto);
        let all = experiment.warm_everywhere(Weighing::Count);
        let skips: Vec<_> = all.iter().map(|warm| Mean::of(&warm.judged()).ratios.bypass_ratio).collect();
        // Nothing, `/b` always, or only where the root changed in more than half of the passages.
        assert_eq!(skips, [0.0, 2.0 / 12.0, 1.0 / 12.0]);
        assert!(all.iter().all(|warm| warm.tests.len() == 4));
    }
}
