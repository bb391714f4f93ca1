//! What it brings to have a browser build pages: learned by the scripts that run on them and the places these fill.
//!
//! A page is alike to those with the same scripts, and more so to those with the same places in the same directory. What a
//! new sort of page will bring is foretold from what new sorts with the same scripts brought, and how pages of the known
//! ones fare. Only what no page built before had brought counts, so that what all pages have in common counts once.

use crate::{
    learner::{Context, Effect, Learner, PageSlot, Subject, same},
    stored,
};
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use tintype_vocab::{Observation, ScriptTemplate};

/// Pages are built where the chance that it brings something is at least this: a miss costs a second of a browser, and what
/// is missed is missed for good. One in twenty was chosen for that, not tuned on any site.
pub const CHANCE_MIN: f32 = 0.05;
/// How much what is believed of pages around weighs, in pages.
const PRIOR: f32 = 1.0;
/// What is believed of scripts never met.
const FIRST_CHANCE: f32 = 0.5;
/// Pages of which the outcome is remembered; older ones fade, since sites are built anew.
const MEMORY: f32 = 40.0;
/// Sorts of pages that are told apart.
const SORTS_MAX: usize = 4096;

/// How many were built, and how many of them brought something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Trials {
    built: f32,
    gained: f32,
}

impl Trials {
    fn add(&mut self, gained: f32, built: f32) {
        self.built += built;
        self.gained += gained;
        if self.built > MEMORY {
            let share = MEMORY / self.built;
            (self.built, self.gained) = (MEMORY, self.gained * share);
        }
    }

    /// The chance of the next one, with what is believed beforehand.
    fn chance(self, prior: f32) -> f32 {
        (PRIOR * prior + self.gained) / (PRIOR + self.built)
    }

    fn is_sound(self) -> bool {
        (0.0..=MEMORY).contains(&self.built) && (0.0..=self.built).contains(&self.gained)
    }
}

/// Of pages on which the same scripts run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct OfScripts {
    /// The first page of every place.
    firsts: Trials,
    /// All further pages.
    pages: Trials,
}

/// Builds that are under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnderWay {
    pub of_scripts: u32,
    pub of_place: u32,
}

/// What building pages brought on one site.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenderGains {
    all: Trials,
    /// The first page of every set of scripts.
    firsts: Trials,
    scripts: HashMap<u64, OfScripts>,
    places: HashMap<ScriptTemplate, Trials>,
}

impl RenderGains {
    /// Whether no page was ever built here.
    pub fn is_blank(&self) -> bool {
        self.all == Trials::default()
    }

    /// The chance that building a page of a template brings something, should those under way bring nothing.
    pub fn chance(&self, template: &ScriptTemplate, under_way: UnderWay) -> f32 {
        let missed = |trials: Trials, count: u32| Trials { built: trials.built + count as f32, ..trials };
        let Some(of_scripts) = self.scripts.get(&template.scripts) else {
            let first = self.firsts.chance(FIRST_CHANCE);
            return missed(Trials::default(), under_way.of_scripts).chance(first);
        };
        let elsewhere = under_way.of_scripts.saturating_sub(under_way.of_place);
        let of_pages = missed(of_scripts.pages, under_way.of_place).chance(FIRST_CHANCE);
        match self.places.get(template) {
            Some(of_place) => missed(*of_place, under_way.of_place).chance(of_scripts.firsts.chance(of_pages)),
            None => missed(of_scripts.firsts, elsewhere + under_way.of_place).chance(of_pages),
        }
    }

    /// Whether building any sort of page known here is worth it.
    pub fn is_any_worth_building(&self) -> bool {
        self.places.keys().any(|template| self.chance(template, UnderWay::default()) >= CHANCE_MIN)
    }

    fn learn(&mut self, template: &ScriptTemplate, gained: bool) {
        let gained = f32::from(u8::from(gained));
        self.all.add(gained, 1.0);
        if self.scripts.len() >= SORTS_MAX && !self.scripts.contains_key(&template.scripts) {
            return;
        }
        let (knows_scripts, has_room) = (self.scripts.contains_key(&template.scripts), self.places.len() < SORTS_MAX);
        let of_scripts = self.scripts.entry(template.scripts).or_default();
        match self.places.get_mut(template) {
            Some(of_place) => {
                of_place.add(gained, 1.0);
                of_scripts.pages.add(gained, 1.0);
            }
            None => {
                // What the first page of all brings, all share: it says nothing of the others.
                if knows_scripts {
                    of_scripts.firsts.add(gained, 1.0)
                } else {
                    self.firsts.add(gained, 1.0)
                }
                if has_room {
                    self.places.insert(*template, Trials::default());
                }
            }
        }
    }

    pub(crate) fn load(bytes: &[u8]) -> Option<RenderGains> {
        let (all, firsts, scripts, places): Saved = stored::from_bytes(bytes)?;
        let is_sound = all.is_sound()
            && firsts.is_sound()
            && scripts.iter().all(|(_, of)| of.firsts.is_sound() && of.pages.is_sound())
            && places.iter().all(|(_, of)| of.is_sound())
            && scripts.len().max(places.len()) <= SORTS_MAX;
        let in_order = scripts.is_sorted_by(|a, b| a.0 < b.0) && places.is_sorted_by(|a, b| a.0 < b.0);
        (is_sound && in_order).then(|| RenderGains {
            all,
            firsts,
            scripts: scripts.into_iter().collect(),
            places: places.into_iter().collect(),
        })
    }
}

type Saved = (Trials, Trials, Vec<(u64, OfScripts)>, Vec<(ScriptTemplate, Trials)>);

impl Learner for RenderGains {
    fn name(&self) -> &'static str {
        "rendering"
    }

    fn blank(&self) -> Box<dyn Learner> {
        Box::<RenderGains>::default()
    }

    fn observe(&mut self, _: &Subject<'_>, seen: &Observation, _: &Context<'_>) -> Effect {
        if let Some(gain) = &seen.rendered
            && let Some(template) = &gain.template
        {
            self.learn(template, gain.own > 0 && !gain.failed);
        }
        Effect::default()
    }

    fn merge(&mut self, other: &dyn Learner, _: &[PageSlot]) {
        let Some(other) = same::<RenderGains>(other) else { return };
        self.all.add(other.all.gained, other.all.built);
        self.firsts.add(other.firsts.gained, other.firsts.built);
        for (scripts, theirs) in &other.scripts {
            if self.scripts.len() < SORTS_MAX || self.scripts.contains_key(scripts) {
                let mine = self.scripts.entry(*scripts).or_default();
                mine.firsts.add(theirs.firsts.gained, theirs.firsts.built);
                mine.pages.add(theirs.pages.gained, theirs.pages.built);
            }
        }
        for (template, theirs) in &other.places {
            if self.places.len() < SORTS_MAX || self.places.contains_key(template) {
                self.places.entry(*template).or_default().add(theirs.gained, theirs.built);
            }
        }
    }

    fn save(&self) -> Vec<u8> {
        let mut scripts: Vec<(u64, OfScripts)> = self.scripts.iter().map(|(key, of)| (*key, *of)).collect();
        let mut places: Vec<(ScriptTemplate, Trials)> = self.places.iter().map(|(key, of)| (*key, *of)).collect();
        scripts.sort_by_key(|(key, _)| *key);
        places.sort_by_key(|(key, _)| *key);
        let saved: Saved = (self.all, self.firsts, scripts, places);
        stored::to_bytes(&saved)
    }

    fn bytes(&self) -> usize {
        size_of::<RenderGains>() + 48 * (self.scripts.capacity() + self.places.capacity())
    }

    fn believes(&self, _: &Subject<'_>, _: tintype_vocab::Time) -> Vec<(&'static str, f64)> {
        let share = self.all.chance(FIRST_CHANCE);
        vec![("chance that building a page of the site brings something", f64::from(share))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(scripts: u64, place: u64) -> ScriptTemplate {
        ScriptTemplate { scripts, place }
    }

    /// How many of `pages` are built one after the other if this is what comes of each.
    fn built(gains: &mut RenderGains, pages: impl Iterator<Item = (ScriptTemplate, bool)>) -> usize {
        pages
            .filter(|(template, gained)| {
                let is_built = gains.chance(template, UnderWay::default()) >= CHANCE_MIN;
                if is_built {
                    gains.learn(template, *gained);
                }
                is_built
            })
            .count()
    }

    #[test]
    fn pages_that_gain_are_all_built_and_those_that_do_not_after_a_few_are_not() {
        let mut gains = RenderGains::default();
        // The first brings what all share.
        let still = (0..200).map(|n| (template(1, n % 5), n == 0));
        assert!(built(&mut gains, still) < 10);
        let shells = (0..200).map(|n| (template(2, n % 5), true));
        assert_eq!(built(&mut gains, shells), 200);
        assert!(gains.is_any_worth_building());
    }

    #[test]
    fn a_place_that_is_filled_on_a_site_where_others_are_not_is_found() {
        let mut gains = RenderGains::default();
        built(&mut gains, (0..50).map(|n| (template(1, 0), n == 0)));
        let maps = (0..50).map(|_| (template(1, 7), true));
        assert_eq!(built(&mut gains, maps), 50);
    }

    #[test]
    fn sites_that_are_built_anew_are_learned_anew() {
        let mut gains = RenderGains::default();
        (0..10_000).for_each(|_| gains.learn(&template(1, 1), false));
        assert!(!gains.is_any_worth_building());
        (0..3).for_each(|_| gains.learn(&template(1, 1), true));
        assert!(gains.is_any_worth_building());
    }

    #[test]
    fn pages_wait_for_what_those_under_way_bring() {
        let gains = RenderGains::default();
        let chance = |count| gains.chance(&template(1, 1), UnderWay { of_scripts: count, of_place: count });
        assert!(chance(0) >= CHANCE_MIN && chance(1) >= CHANCE_MIN && chance(20) < CHANCE_MIN);
    }
}
