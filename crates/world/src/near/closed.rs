//! A crawler that lives with what it skips: it learns from nothing but what it visited itself, and what it skipped is held
//! as it was when it was last seen.

use super::{Passage, Ridden, SkipExperiment};
use std::collections::BTreeMap;
use tintype_learn::directory::{Memory, Unseen};
use tintype_plan::{
    SeedError,
    policy::{self, Grain, Price},
};

/// Versions that are captured whole, because without a comparison nothing is known.
pub const CLOSED_FROM: usize = 2;

impl SkipExperiment<'_> {
    /// Captures all versions one after the other, and tells of those that are tested. A change counts as lost in every
    /// capture that leaves the page alone and holds it as it no longer is.
    pub fn closed_loop(&self, origin: &str, grain: Grain, loss: Option<f64>) -> Result<Vec<Ridden>, SeedError> {
        let (mut memory, mut held) = (Memory::default(), BTreeMap::new());
        let whole = CLOSED_FROM.min(self.windows.train);
        self.versions.teach(&mut memory, 0..whole);
        held.extend(self.versions.pages(whole - 1));
        let mut tests = Vec::with_capacity(self.windows.test);
        for version in whole..self.windows.versions() {
            let passage = Passage::from_held(&self.versions, version, &self.shape, |page| held.get(&page).copied());
            let policy = (policy::skip(Price::Learned, grain), loss);
            let (ridden, asked) = self.ride_into(version, &passage, origin, memory.clone(), policy)?;
            memory.begin(self.versions.time(version));
            for page in asked {
                let path = self.versions.history.path(page);
                match self.versions.content(version, page) {
                    Some(content) => {
                        memory.see(path, content, self.versions.importance(version, page));
                        held.insert(page, content);
                    }
                    None => {
                        memory.remove(path);
                        held.remove(&page);
                    }
                }
            }
            memory.end(Unseen::Kept);
            if version >= self.windows.train {
                tests.push(ridden);
            }
        }
        Ok(tests)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::{Births, Windows};
    use crate::synthetic::{SyntheticConfig, named};
    use tintype_vocab::Span;

    const ORIGIN: &str = "http://site.test";

    #[test]
    fn what_was_skipped_and_changed_is_lost_until_it_is_visited() {
        let wish = SyntheticConfig { pages: 300, days: 60.0, ..SyntheticConfig::default() };
        let history = (named("docs").unwrap().make)(&wish).history;
        let windows = Windows { from: wish.from, every: Span::from_days(2), train: 18, test: 8 };
        let experiment = SkipExperiment::new(&history, &[], windows, Births::LookedInto);
        let all = experiment.closed_loop(ORIGIN, Grain::Pages, Some(0.0)).unwrap();
        assert!(all.iter().all(|test| test.judged.bypass.changes_lost() == 0), "who may lose nothing skips nothing");
        let some = experiment.closed_loop(ORIGIN, Grain::Pages, Some(0.3)).unwrap();
        let sum = |of: fn(&Ridden) -> u64| some.iter().map(of).sum::<u64>();
        let [skipped, lost] = [sum(|test| test.judged.bypass.skipped), sum(|test| test.judged.bypass.changes_lost())];
        assert_eq!(some.len(), 8);
        assert!(skipped > 100 && lost > 0, "{skipped} {lost}");
        // Seen again, it is held as it is.
        let open: u64 = (0..8).map(|test| experiment.without(test, []).bypass.changes).sum();
        let found = sum(|test| test.judged.bypass.changes - test.judged.bypass.changes_lost());
        assert!(found <= open * 2, "{found} found of {open}");
    }
}
