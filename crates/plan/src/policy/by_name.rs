//! From a name to a policy: one from the registry, or two where one stands above the other.

use super::{
    registry::{PolicyKind, REGISTRY, RegisteredPolicy, Use},
    second_pass::SecondPass,
    skip::{Grain, Price, Skip},
    two_tier::TwoTier,
    view::Policy,
    warm::Warm,
};

/// Other names of policies: what papers call them.
pub const ALIASES: &[(&str, &str)] = &[("frequency", "cho-freshness")];
/// What policies were called in earlier versions.
const FORMER: &[(&str, &str)] = &[("forecast", "tintype")];

/// The policies that visit again and again, for those who want to see them side by side.
pub fn continual() -> impl Iterator<Item = &'static RegisteredPolicy> {
    REGISTRY.iter().filter(|entry| !matches!(entry.kind, PolicyKind::Capture | PolicyKind::Planned))
}

/// The policies people may choose for a purpose.
pub fn offered(purpose: Use) -> impl Iterator<Item = &'static RegisteredPolicy> {
    REGISTRY.iter().filter(move |entry| entry.offered.contains(&purpose))
}

pub fn names() -> impl Iterator<Item = &'static str> {
    REGISTRY.iter().map(|entry| entry.name)
}

/// A policy by its name, or by what papers call it; of one that stands above another, the upper one.
pub fn find(name: &str) -> Option<&'static RegisteredPolicy> {
    let name = match name.split_once(':') {
        None => name,
        Some((above, below)) => above_of(above, below).map(|_| above)?,
    };
    let name = ALIASES.iter().chain(FORMER).find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
    REGISTRY.iter().find(|entry| entry.name == name)
}

/// A fresh policy by name: `sharp`, or one that chooses directories above one that orders pages, `skip:breadth-first`.
pub fn make(name: &str) -> Option<Box<dyn Policy>> {
    match name.split_once(':') {
        None => find(name).map(|entry| (entry.make)()),
        Some((above, below)) => {
            let (above, below) = above_of(above, below)?;
            Some(above((below.make)()))
        }
    }
}

type Above = fn(Box<dyn Policy>) -> Box<dyn Policy>;

/// Those that choose directories, and the policy that shall order the pages below them.
const ABOVE: &[(&str, Above)] = &[
    ("skip", |below| Box::new(TwoTier::new(Skip::new(Price::Learned, Grain::Pages), below))),
    ("warm", |below| Box::new(TwoTier::new(Warm::new(None), below))),
];

fn above_of(above: &str, below: &str) -> Option<(Above, &'static RegisteredPolicy)> {
    let (_, make) = ABOVE.iter().find(|(name, _)| *name == above)?;
    let below = REGISTRY.iter().find(|entry| entry.name == below && entry.kind == PolicyKind::Capture)?;
    ABOVE.iter().all(|(name, _)| *name != below.name).then_some((*make, below))
}

/// Whether a policy chooses by what earlier captures taught of the site's directories ([`crate::Scheduler::remember`]).
pub fn needs_memory(name: &str) -> bool {
    let above = name.split(':').next().unwrap_or_default();
    ABOVE.iter().any(|(name, _)| *name == above)
}

/// The same for a run: a policy that knows nothing of revisits makes its pass a second time where they are wanted.
pub fn for_run(name: &str, revisit: bool) -> Option<Box<dyn Policy>> {
    match name.split_once(':').filter(|_| revisit) {
        // What the upper one leaves alone is not waited for, so it is the lower one that makes the second pass.
        Some((above, below)) => above_of(above, below).map(|(above, below)| above(with_revisits((below.make)()))),
        None => make(name).map(|policy| if revisit { with_revisits(policy) } else { policy }),
    }
}

/// A policy that looks at every page again: by itself if it knows how, otherwise in a second pass.
pub fn with_revisits(policy: Box<dyn Policy>) -> Box<dyn Policy> {
    if policy.looks_again(true) { policy } else { Box::new(SecondPass::new(policy)) }
}
