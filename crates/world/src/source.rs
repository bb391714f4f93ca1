//! Sources whose every object is known: a listing watched for a while, recorded by somebody or made up.
//!
//! Read [`Source`] first, then [`CrawlGrid`]: the same objects as states at equal distances, from which the quality of any copy
//! at any later step is read off. What is read here may be hostile: it is bounded, and what cannot have happened is
//! refused or told ([`SourceFindings`]).

#[cfg(test)]
mod agreement;
mod by_group;
mod copies;
mod cycle;
mod experiment;
mod findings;
mod grid;
mod learned;
mod leavings;
pub mod made_up;
mod play;
mod probing;
mod read;
mod refused;
#[cfg(test)]
mod tests;

pub use by_group::{Aim, ByGroup, GroupScore, Groups, Share};
pub use copies::{Aged, Copies, Cut, Looked, Turnover, Unit, days_until, looked_at};
pub use cycle::{CycleOutcome, Horizon, cycle_coverage, cycle_error, horizons};
pub use experiment::{CrawlExperiment, Foreseen, KeptPromise};
pub use findings::SourceFindings;
pub use grid::{CrawlGrid, STEPS_MAX, TooFine};
pub use learned::LearnedDecay;
pub use play::Trial;
pub use probing::Probed;
pub use read::{LIVES_MAX, LOOKS_MAX, TEXT_BYTES_MAX, read_lives, read_looks};
pub use refused::{Refused, Unsound};
pub use tintype_session::listing::{BadSubset, Subset};

use tintype_vocab::{Life, Span, Time};

/// The objects of a source, and when somebody looked.
#[derive(Clone, Debug)]
pub struct Source {
    attributes: Vec<String>,
    /// By when they were first seen.
    lives: Vec<Life>,
    /// In order, each later than the one before.
    looks: Vec<Time>,
    findings: SourceFindings,
}

impl Source {
    /// Objects with attributes of these names, seen by looks at these times, in order.
    ///
    /// A look that found nothing where others found something was no look: it is left out, and objects that were gone
    /// only then have not been away.
    pub fn new(attributes: Vec<String>, lives: Vec<Life>, looks: Vec<Time>) -> Result<Source, Unsound> {
        check(&attributes, &lives, &looks)?;
        let mut findings = SourceFindings::default();
        let (sound, empty) = sound_looks(&lives, looks);
        findings.empty_looks = empty;
        let lives = bridged(lives, &sound, &mut findings)?;
        (findings.usual_gap, findings.longest_gap) = gaps(&sound);
        Ok(Source { attributes, lives, looks: sound, findings })
    }

    /// Names of the attributes, in the order in which lives have them.
    pub fn attributes(&self) -> &[String] {
        &self.attributes
    }

    /// By when they were first seen.
    pub fn lives(&self) -> &[Life] {
        &self.lives
    }

    /// When somebody looked, in order.
    pub fn looks(&self) -> &[Time] {
        &self.looks
    }

    /// What is odd about it.
    pub fn findings(&self) -> &SourceFindings {
        &self.findings
    }

    /// The usual time from one look to the next, as a length people use.
    pub fn usual_step(&self) -> Span {
        let gap = self.findings.usual_gap.as_secs_f64().max(1.0);
        let far = |span: &Span| (span.as_secs_f64() / gap).ln().abs();
        STEPS.into_iter().min_by(|a, b| far(a).total_cmp(&far(b))).expect("there are some")
    }

    /// The objects of a subset, as if there were no others.
    pub fn subset(&self, subset: &Subset) -> Result<Source, BadSubset> {
        let wanted = subset.on(&self.attributes)?;
        let lives = self.lives.iter().filter(|life| wanted.holds(&life.attributes)).cloned().collect();
        Ok(Source { lives, ..self.clone() })
    }
}

/// Lengths of time in which people count.
const STEPS: [Span; 16] = {
    const MINUTE: i64 = 60;
    const HOUR: i64 = 60 * MINUTE;
    [
        Span::from_secs(1),
        Span::from_secs(5),
        Span::from_secs(15),
        Span::from_secs(MINUTE),
        Span::from_secs(5 * MINUTE),
        Span::from_secs(10 * MINUTE),
        Span::from_secs(15 * MINUTE),
        Span::from_secs(30 * MINUTE),
        Span::from_secs(HOUR),
        Span::from_secs(2 * HOUR),
        Span::from_secs(3 * HOUR),
        Span::from_secs(6 * HOUR),
        Span::from_secs(12 * HOUR),
        Span::from_days(1),
        Span::from_days(7),
        Span::from_days(28),
    ]
};

fn check(attributes: &[String], lives: &[Life], looks: &[Time]) -> Result<(), Unsound> {
    let (Some(&first), Some(&last)) = (looks.first(), looks.last()) else { return Err(Unsound::NoLooks) };
    if let Some(pair) = looks.windows(2).find(|pair| pair[1] <= pair[0]) {
        return Err(Unsound::LooksOutOfOrder { at: pair[1] });
    }
    for life in lives {
        let id = || life.id.clone();
        if life.last_seen < life.first_seen {
            return Err(Unsound::Negative { id: id() });
        }
        if life.first_seen < first || life.last_seen > last {
            return Err(Unsound::Outside { id: id() });
        }
        if life.attributes.len() != attributes.len() {
            return Err(Unsound::Attributes { id: id(), expected: attributes.len(), found: life.attributes.len() });
        }
    }
    Ok(())
}

/// The looks that may be believed, and how many may not: those that found nothing between two that found something.
fn sound_looks(lives: &[Life], looks: Vec<Time>) -> (Vec<Time>, usize) {
    let sizes = sizes(lives, &looks);
    let found = |size: &u32| *size > 0;
    let Some((first, last)) = sizes.iter().position(found).zip(sizes.iter().rposition(found)) else {
        return (looks, 0);
    };
    let is_sound = |nth: usize| sizes[nth] > 0 || !(first..=last).contains(&nth);
    let count = looks.len();
    let sound: Vec<Time> = looks.into_iter().enumerate().filter(|(nth, _)| is_sound(*nth)).map(|(_, at)| at).collect();
    let empty = count - sound.len();
    (sound, empty)
}

/// How many objects are there at each look.
fn sizes(lives: &[Life], looks: &[Time]) -> Vec<u32> {
    let mut change = vec![0i64; looks.len() + 1];
    for life in lives {
        change[looks.partition_point(|look| *look < life.first_seen)] += 1;
        change[looks.partition_point(|look| *look <= life.last_seen)] -= 1;
    }
    let sizes = change[..looks.len()].iter().scan(0, |size, change| {
        *size += change;
        Some(*size as u32)
    });
    sizes.collect()
}

/// Lives in order, those of one object that no look tells apart made one.
fn bridged(mut lives: Vec<Life>, looks: &[Time], findings: &mut SourceFindings) -> Result<Vec<Life>, Unsound> {
    lives.sort_by(|a, b| a.id.cmp(&b.id).then(a.first_seen.cmp(&b.first_seen)));
    let mut whole: Vec<Life> = Vec::with_capacity(lives.len());
    for life in lives {
        match whole.last_mut().filter(|before| before.id == life.id) {
            Some(before) if life.first_seen <= before.last_seen => return Err(Unsound::SeenTwice { id: life.id }),
            Some(before) if was_never_away(before, &life, looks) => {
                findings.bridged += 1;
                before.last_seen = life.last_seen;
                before.right_censored = life.right_censored;
                before.updates = before.updates.saturating_add(life.updates);
            }
            Some(_) => {
                findings.returned += 1;
                whole.push(life);
            }
            None => whole.push(life),
        }
    }
    whole.sort_by(|a, b| a.first_seen.cmp(&b.first_seen).then_with(|| a.id.cmp(&b.id)));
    Ok(whole)
}

fn was_never_away(before: &Life, after: &Life, looks: &[Time]) -> bool {
    let next = looks.partition_point(|look| *look <= before.last_seen);
    looks.get(next).is_none_or(|look| *look >= after.first_seen)
}

/// The usual and the longest time between two looks.
fn gaps(looks: &[Time]) -> (Span, Span) {
    let mut gaps: Vec<Span> = looks.windows(2).map(|pair| pair[1] - pair[0]).collect();
    gaps.sort_unstable();
    let usual = gaps.get(gaps.len() / 2).copied().unwrap_or(Span::ZERO);
    (usual, gaps.last().copied().unwrap_or(Span::ZERO))
}
