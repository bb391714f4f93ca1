//! The posterior skip through the real scheduler: what it leaves out at a price, what it expects that to cost, and what
//! it did cost.

use super::{Judged, Ridden, SkipExperiment, side_by_side::side_by_side};
use tintype_learn::directory::Memory;
use tintype_plan::{
    SeedError,
    policy::{self, Grain, Price},
};

/// All tests at one price.
#[derive(Clone, Debug)]
pub struct Skip {
    pub price: Price,
    pub tests: Vec<Ridden>,
}

impl Skip {
    pub fn judged(&self) -> Vec<Judged> {
        self.tests.iter().map(|test| test.judged).collect()
    }
}

impl SkipExperiment<'_> {
    /// What the versions before a test teach.
    pub fn memory(&self, test: usize) -> Memory {
        let mut memory = Memory::default();
        self.versions.teach(&mut memory, self.windows.taught(test));
        memory
    }

    /// Every price on every test; `loss` is what may be lost at the learned one, if somebody says so.
    pub fn skip(
        &self,
        origin: &str,
        prices: &[Price],
        grain: Grain,
        loss: Option<f64>,
    ) -> Result<Vec<Skip>, SeedError> {
        let tests = self.passages.len();
        let memories = side_by_side(tests, |test| self.memory(test));
        let rides = side_by_side(prices.len() * tests, |run| {
            let (price, test) = (prices[run / tests], run % tests);
            self.ride(test, origin, memories[test].clone(), policy::skip(price, grain), loss)
        });
        let mut rides = rides.into_iter();
        prices
            .iter()
            .map(|price| Ok(Skip { price: *price, tests: rides.by_ref().take(tests).collect::<Result<_, _>>()? }))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        near::{
            Births, Mean, Windows,
            trial::{history, see_saw, windows},
        },
        synthetic::{SyntheticConfig, named},
    };
    use tintype_vocab::Span;

    const ORIGIN: &str = "http://site.test";

    fn play(experiment: &SkipExperiment<'_>, prices: &[Price], grain: Grain) -> Vec<Skip> {
        experiment.skip(ORIGIN, prices, grain, None).unwrap()
    }

    #[test]
    fn who_pays_anything_skips_nothing_and_who_pays_nothing_skips_nearly_all() {
        let history = see_saw(12);
        let experiment = SkipExperiment::new(&history, &[], windows(0, 10, 8, 4), Births::LookedInto);
        for grain in [Grain::Pages, Grain::Directories] {
            let played = play(&experiment, &[Price::Fixed(0.0), Price::Fixed(2.0), Price::Learned], grain);
            let means: Vec<_> = played.iter().map(|skip| Mean::of(&skip.judged()).ratios).collect();
            assert_eq!((means[0].bypass_ratio, means[0].change_recall), (0.0, 1.0), "{grain:?}");
            // The entrance is always asked for.
            assert!(means[1].bypass_ratio >= 0.9 && means[1].change_recall < 0.2, "{grain:?}: {:?}", means[1]);
            assert!(means[2].change_recall > 0.9, "{grain:?}: {:?}", means[2]);
        }
    }

    #[test]
    fn a_price_of_nothing_is_paid_for_every_page_of_a_larger_site() {
        let wish = SyntheticConfig { pages: 400, days: 40.0, ..SyntheticConfig::default() };
        let history = (named("docs").unwrap().make)(&wish).history;
        let windows = Windows { from: wish.from, every: Span::from_days(2), train: 16, test: 4 };
        let experiment = SkipExperiment::new(&history, &[], windows, Births::LookedInto);
        let changes: u64 = (0..4).map(|test| experiment.without(test, []).bypass.changes).sum();
        assert!(changes > 20, "{changes}");
        for grain in [Grain::Pages, Grain::Directories] {
            let played = play(&experiment, &[Price::Fixed(0.0), Price::Learned], grain);
            let [all, learned] = [0, 1].map(|nth: usize| Mean::of(&played[nth].judged()).ratios);
            assert_eq!((all.bypass_ratio, all.change_recall), (0.0, 1.0), "{grain:?}");
            assert!(learned.change_recall > 0.8, "{grain:?}: {learned:?}");
        }
    }

    #[test]
    fn a_capture_says_what_it_expects_to_lose() {
        let history = see_saw(12);
        let experiment = SkipExperiment::new(&history, &[], windows(0, 10, 8, 4), Births::LookedInto);
        let [skip] = &play(&experiment, &[Price::Fixed(2.0)], Grain::Pages)[..] else { panic!("one price") };
        for test in &skip.tests {
            let said = test.said.as_ref().unwrap();
            assert_eq!(said.pages, test.judged.bypass.skipped, "all that was skipped is said");
            assert!(said.expected_lost > 0.0 && said.expected_lost <= 12.0, "{said:?}");
        }
    }

    #[test]
    fn new_pages_are_found_as_agreed() {
        let events = [(0, "/", 'A', 1), (0, "/a/x", 'A', 1), (15, "/a/new", 'A', 1), (16, "/c/d/new", 'A', 1)];
        let history = history(&events);
        let skipped_insertions = |births: Births, price: f64| {
            let experiment = SkipExperiment::new(&history, &[], windows(0, 10, 2, 1), births);
            let played = play(&experiment, &[Price::Fixed(price)], Grain::Pages);
            played[0].tests[0].judged.bypass.skipped_insertions
        };
        assert_eq!(skipped_insertions(Births::LookedInto, 0.0), 0);
        assert_eq!(skipped_insertions(Births::LookedInto, 2.0), 1, "the entrance leads to the other");
        assert_eq!(skipped_insertions(Births::Announced, 2.0), 0);
    }

    #[test]
    fn sites_that_vanish_and_come_back_are_captured_all_the_same() {
        let history = history(&[(5, "/a/x", 'A', 1), (15, "/a/x", 'D', 0), (35, "/a/x", 'A', 1), (36, "/z", 'A', 2)]);
        let experiment = SkipExperiment::new(&history, &[], windows(0, 10, 2, 4), Births::LookedInto);
        for skip in play(&experiment, &[Price::Fixed(0.0), Price::Learned], Grain::Pages) {
            let fetched: Vec<u64> = skip.tests.iter().map(|test| test.judged.bypass.fetched).collect();
            assert_eq!(fetched[2], 2, "{:?}: of an empty archive everything is new", skip.price);
        }
    }

    #[test]
    fn a_memory_holds_what_the_versions_before_a_test_showed() {
        let history = see_saw(12);
        let experiment = SkipExperiment::new(&history, &[], windows(0, 10, 8, 4), Births::LookedInto);
        let memory = experiment.memory(1);
        assert_eq!((memory.bitmaps().transitions(), memory.tree().versions()), (7, 8));
        assert_eq!(memory.last(), Some(experiment.windows.time(8)));
    }
}
