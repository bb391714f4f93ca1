//! Which answers of a run are built by a browser, where only those are that gain by it.

use std::collections::{HashMap, HashSet};
use tintype_learn::rendering::{CHANCE_MIN, RenderGains, UnderWay};
use tintype_vocab::ScriptTemplate;

/// Of pages that are thought to gain nothing every so many is built all the same, to see whether that still holds.
const PROBE_EVERY: u32 = 32;
/// Scripts of which one page is built in every run whatever is known of them: a site may have been built anew.
const PROBES_AT_ONCE: u32 = 8;
/// So many unchanged pages are read back to see what scripts they have; further ones only where some sort of page is
/// known to gain, or every so many.
const UNCHANGED_LOOKS: u32 = 16;
const UNCHANGED_EVERY: u32 = 8;

/// What is to become of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildVerdict {
    Build,
    /// What pages like it bring is about to be known.
    Wait,
    /// Pages like it gain nothing.
    Keep,
}

/// What was built in this run and is not settled yet, and what was passed over.
#[derive(Debug, Default)]
pub(crate) struct BuildsUnderWay {
    under_way: HashMap<ScriptTemplate, u32>,
    /// Scripts of which a page was built.
    probed: HashSet<u64>,
    /// How many those are, and how many pages were kept as they were served.
    probes: u32,
    passed: u32,
    unchanged: u32,
    /// Whether any sort of page is worth building, unless something was learned since.
    is_any_worth: Option<bool>,
}

impl BuildsUnderWay {
    pub(crate) fn judge(&self, gains: &RenderGains, template: &ScriptTemplate) -> BuildVerdict {
        let under_way = self.like(template);
        if gains.chance(template, under_way) >= CHANCE_MIN {
            return BuildVerdict::Build;
        }
        if under_way.of_scripts > 0 && gains.chance(template, UnderWay::default()) >= CHANCE_MIN {
            return BuildVerdict::Wait;
        }
        let is_unproved = !self.probed.contains(&template.scripts);
        if is_unproved && self.probes < PROBES_AT_ONCE + self.passed / PROBE_EVERY {
            return BuildVerdict::Build;
        }
        let is_due = (self.passed + 1).is_multiple_of(PROBE_EVERY);
        if is_due { BuildVerdict::Build } else { BuildVerdict::Keep }
    }

    /// A page that is thought to gain nothing was kept as it was served.
    pub(crate) fn passed_over(&mut self) {
        self.passed += 1;
    }

    fn like(&self, template: &ScriptTemplate) -> UnderWay {
        let of_scripts = self.under_way.iter().filter(|(other, _)| other.scripts == template.scripts);
        UnderWay {
            of_scripts: of_scripts.map(|(_, count)| count).sum(),
            of_place: self.under_way.get(template).copied().unwrap_or(0),
        }
    }

    pub(crate) fn begun(&mut self, gains: &RenderGains, template: &ScriptTemplate) {
        self.passed += u32::from(gains.chance(template, UnderWay::default()) < CHANCE_MIN);
        *self.under_way.entry(*template).or_default() += 1;
        self.probes += u32::from(self.probed.insert(template.scripts));
    }

    pub(crate) fn ended(&mut self, template: &ScriptTemplate) {
        self.is_any_worth = None;
        if let Some(count) = self.under_way.get_mut(template) {
            *count -= 1;
            if *count == 0 {
                self.under_way.remove(template);
            }
        }
    }

    pub(crate) fn looks_at_unchanged(&mut self, gains: &RenderGains) -> bool {
        self.unchanged += 1;
        self.unchanged <= UNCHANGED_LOOKS
            || self.unchanged.is_multiple_of(UNCHANGED_EVERY)
            || *self.is_any_worth.get_or_insert_with(|| gains.is_any_worth_building())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_learn::learner::{Context, Learner};
    use tintype_vocab::{Observation, Outcome, PageId, Purpose, RenderGain, Request, SiteId, Time};

    const PAGE: ScriptTemplate = ScriptTemplate { scripts: 1, place: 1 };

    #[test]
    fn pages_wait_for_the_first_ones_and_go_on_when_those_are_settled() {
        let (mut builds, gains) = (BuildsUnderWay::default(), RenderGains::default());
        let mut begun = 0;
        while builds.judge(&gains, &PAGE) == BuildVerdict::Build {
            builds.begun(&gains, &PAGE);
            begun += 1;
        }
        assert!((2..20).contains(&begun), "{begun}");
        assert_eq!(builds.judge(&gains, &PAGE), BuildVerdict::Wait);
        (0..begun).for_each(|_| builds.ended(&PAGE));
        assert_eq!(builds.judge(&gains, &PAGE), BuildVerdict::Build);
        assert_eq!(builds.under_way.len(), 0);
    }

    #[test]
    fn of_what_gains_nothing_a_page_is_built_now_and_then() {
        let mut gains = RenderGains::default();
        (0..9).for_each(|n| learn_nothing(&mut gains, n));
        let mut builds = BuildsUnderWay::default();
        let mut built = Vec::new();
        for page in 0..100 {
            match builds.judge(&gains, &PAGE) {
                BuildVerdict::Build => {
                    built.push(page);
                    builds.begun(&gains, &PAGE);
                    builds.ended(&PAGE);
                }
                _ => builds.passed_over(),
            }
        }
        assert_eq!(built, [0, 31, 63, 95], "the first of a run, and every so many");
    }

    fn learn_nothing(gains: &mut RenderGains, nth: u32) {
        let request = Request {
            site: SiteId(0),
            page: PageId(nth),
            url: "http://e.com/".to_owned(),
            purpose: Purpose::Visit,
            attempt: 0,
            rate: Default::default(),
        };
        let outcome = Outcome::Body { status: 200 };
        let gain = RenderGain { template: Some(PAGE), ..RenderGain::default() };
        let seen = Observation { rendered: Some(gain), ..Observation::of(&request, Time::MIN, Time::MIN, outcome) };
        gains.observe(&crate::gains::subject(&seen), &seen, &Context::first(Time::MIN));
    }
}
