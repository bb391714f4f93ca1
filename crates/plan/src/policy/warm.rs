//! WARM: what the negative evolution association rules of a site say will not have changed is left alone
//! (NEAR-Miner, Algorithm 4). Nothing is ever looked at to see whether a rule still holds: that is the paper's way, and
//! why there is `skip`.

use super::two_tier::{Aside, SiteLevel, SoFar};
use crate::WarmTerms;
use hashbrown::HashMap;
use tintype_learn::directory::{DirectoryId, Memory, Rule, Thresholds, mine, skipped};

#[derive(Debug)]
pub(super) struct Warm {
    /// Nothing leaves them to the settings of the run.
    thresholds: Option<Thresholds>,
    mined: Option<Mined>,
}

#[derive(Debug)]
struct Mined {
    rules: Vec<Rule>,
    /// By directory, the rule that says so.
    still: HashMap<DirectoryId, usize>,
}

impl Warm {
    pub(super) fn new(thresholds: Option<Thresholds>) -> Warm {
        Warm { thresholds, mined: None }
    }

    fn mined(&mut self, memory: &Memory, terms: &WarmTerms) -> &Mined {
        let thresholds = self.thresholds;
        self.mined.get_or_insert_with(|| {
            let (shape, bitmaps) = (memory.shape(), memory.bitmaps());
            let target = match &terms.within {
                None => Some(DirectoryId::ROOT),
                // Of a directory nobody has seen nothing is known, and nothing is skipped.
                Some(path) => shape.find_directory(path.trim_end_matches('/')),
            };
            let thresholds = thresholds.unwrap_or_else(|| terms.thresholds());
            let rules = target
                .map_or_else(Vec::new, |target| mine(shape, bitmaps, 0..bitmaps.transitions(), target, &thresholds));
            let still = target.map_or_else(Vec::new, |target| skipped(shape, &rules, target));
            Mined { rules, still: still.into_iter().collect() }
        })
    }
}

impl Mined {
    fn is_still(&self, directory: DirectoryId, memory: &Memory) -> bool {
        memory.shape().ancestors(directory).any(|ancestor| self.still.contains_key(&ancestor))
    }
}

impl SiteLevel for Warm {
    fn wanted(&mut self, aside: &[Aside], so_far: &SoFar<'_>) -> Vec<usize> {
        let mined = self.mined(so_far.memory, so_far.warm);
        let changing =
            |(place, aside): (usize, &Aside)| (!mined.is_still(aside.directory, so_far.memory)).then_some(place);
        aside.iter().enumerate().filter_map(changing).collect()
    }

    fn wants_new(&mut self, url: &str, memory: &Memory, terms: &WarmTerms) -> bool {
        let directory = memory.directory_of(url);
        !self.mined(memory, terms).is_still(directory, memory)
    }

    fn rule(&self, directory: DirectoryId, memory: &Memory) -> Option<String> {
        let mined = self.mined.as_ref()?;
        let shape = memory.shape();
        // What was wholly left alone may lie below the one a rule names or, if it has no pages of its own, above it.
        let above = shape.ancestors(directory).find_map(|ancestor| mined.still.get(&ancestor));
        let below = || {
            let within = mined.still.iter().filter(|(still, _)| shape.ancestors(**still).any(|one| one == directory));
            within.min_by_key(|(still, _)| **still).map(|(_, rule)| rule)
        };
        above.or_else(below).map(|rule| mined.rules[*rule].words(shape))
    }
}
