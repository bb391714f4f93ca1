//! Who captures: every capture policy of the registry and Olston–Pandey, without and with revisits.

use super::setting::SharcSetting;
use tintype_plan::{
    Policy,
    policy::{self, PolicyKind, RegisteredPolicy},
};
use tintype_vocab::Time;
use tintype_world::capture::{CaptureSubject, OlstonPandey, WithoutMiddle};

/// The paper's competitor, told the history.
pub(crate) const OLSTON_PANDEY: &str = "olston-pandey";
const THRESHOLD: &str = "sharc-threshold";

/// A policy in one of its two ways.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    /// As it would be typed: `breadth-first --revisit`.
    pub(crate) name: String,
    strategy: Strategy,
    pub(crate) revisit: bool,
    /// All pages are known beforehand, as on a recapture.
    recaptures: bool,
}

#[derive(Clone, Copy, Debug)]
enum Strategy {
    RegisteredPolicy(&'static RegisteredPolicy),
    OlstonPandey,
    WithoutMiddle,
}

/// Everybody, in the order of the registry.
pub(crate) fn all() -> Vec<Player> {
    let registered =
        policy::REGISTRY.iter().filter(|entry| matches!(entry.kind, PolicyKind::Capture | PolicyKind::Planned));
    let strategies = registered.map(Strategy::RegisteredPolicy).chain([Strategy::OlstonPandey]);
    let first = strategies.flat_map(|strategy| strategy.ways().into_iter().map(move |way| Player::new(strategy, way)));
    first.chain(recaptures()).collect()
}

/// Ours where an earlier capture holds every page.
fn recaptures() -> impl Iterator<Item = Player> {
    let sharp = policy::find(policy::DEFAULT).expect("the default policy is registered");
    [false, true].into_iter().map(|revisit| {
        let first = Player::new(Strategy::RegisteredPolicy(sharp), revisit);
        Player { name: format!("{} (recapture)", first.name), recaptures: true, ..first }
    })
}

/// Those of these names. `without a middle phase` is one of them, though nobody should use it.
///
/// # Panics
/// If nobody is called that.
pub(crate) fn named(names: &[&str]) -> Vec<Player> {
    let known: Vec<Player> = all().into_iter().chain([Player::new(Strategy::WithoutMiddle, false)]).collect();
    let find = |name: &&str| known.iter().find(|player| player.name == *name).cloned();
    names.iter().map(|name| find(name).unwrap_or_else(|| panic!("nobody is called {name}"))).collect()
}

impl Strategy {
    fn name(self) -> &'static str {
        match self {
            Strategy::RegisteredPolicy(entry) => entry.name,
            Strategy::OlstonPandey => OLSTON_PANDEY,
            Strategy::WithoutMiddle => "without a middle phase",
        }
    }

    /// Whether to ask for revisits: not, or both ways; a plan that has them anyway is asked once.
    fn ways(self) -> Vec<bool> {
        match self {
            Strategy::RegisteredPolicy(entry) if self.plans() && policy_of(entry.name, 0.5).looks_again(false) => {
                vec![true]
            }
            _ => vec![false, true],
        }
    }

    /// Whether it is told all pages beforehand.
    fn plans(self) -> bool {
        matches!(self, Strategy::RegisteredPolicy(entry) if entry.kind == PolicyKind::Planned)
    }
}

fn policy_of(name: &str, tau: f64) -> Box<dyn Policy> {
    if name == THRESHOLD {
        return policy::sharc_threshold(tau);
    }
    policy::make(name).expect("a registered policy can be made")
}

impl Player {
    fn new(strategy: Strategy, revisit: bool) -> Player {
        let only_way = strategy.ways().len() == 1;
        let option = if revisit && !only_way { " --revisit" } else { "" };
        Player { name: format!("{}{option}", strategy.name()), strategy, revisit, recaptures: false }
    }

    pub(crate) fn is_told(&self) -> bool {
        self.recaptures || self.strategy.plans()
    }

    /// A fresh policy for a capture of a site.
    pub(super) fn policy(&self, subject: &dyn CaptureSubject, start: Time, tau: f64) -> Box<dyn Policy> {
        let policy: Box<dyn Policy> = match self.strategy {
            Strategy::RegisteredPolicy(entry) => policy_of(entry.name, tau),
            Strategy::OlstonPandey => Box::new(OlstonPandey::new(subject, start)),
            Strategy::WithoutMiddle => Box::<WithoutMiddle>::default(),
        };
        if self.revisit { policy::with_revisits(policy) } else { policy }
    }

    /// The same on the sites of a setting.
    pub(super) fn manner(
        &self,
        subject: &dyn CaptureSubject,
        setting: &SharcSetting,
    ) -> tintype_world::capture::Manner {
        let policy = self.policy(subject, setting.start(), setting.tau);
        setting.manner(policy, self.revisit, self.is_told())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_plays_both_ways_but_plans_that_revisit_anyway() {
        let names: Vec<String> = all().into_iter().map(|player| player.name).collect();
        for name in ["breadth-first", "breadth-first --revisit", "sharp", "sharp --revisit", "sharc-threshold"] {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
        assert!(!names.iter().any(|name| name == "sharc-threshold --revisit"));
        assert_eq!(named(&["olston-pandey --revisit"]).len(), 1);
    }
}
