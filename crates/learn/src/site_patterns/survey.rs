//! The first reading: who is there, how often each page changes, which clock the site lives by, whether it has bursts.

use super::{PAGES_MAX, VisitRecord, VisitResult, VisitSource};
use crate::{
    burst::{BurstActivity, Bursts, Interval, Sample},
    first_guess,
    learner::PageSlot,
    pattern::{Calendar, HourSeen, Rhythm, Zone},
    rate::believe_seen,
};
use std::collections::HashMap;
use tintype_vocab::{ChangeRate, Time};

/// How long ago counts 1/e: habits change, but seasons are part of them.
pub(super) const MEMORY_DAYS: f64 = 365.0;

/// What is known of a page besides its pattern.
#[derive(Clone, Debug)]
pub struct PageLife {
    pub key: Box<str>,
    pub name: Box<str>,
    pub first: Time,
    /// When it was last seen to be there.
    pub last: Time,
    pub visits: u32,
    pub changes: u32,
    pub rate: ChangeRate,
    newborn: bool,
    gone: bool,
}

impl PageLife {
    pub fn is_gone(&self) -> bool {
        self.gone
    }

    /// What its being there says of its activity.
    pub(super) fn activity_at_first(&self, bursts: &Bursts) -> BurstActivity {
        if self.newborn { bursts.newborn() } else { bursts.unknown() }
    }
}

/// A comparison of a visit with the one before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    pub(super) page: usize,
    pub(super) from: Time,
    pub(super) to: Time,
    pub(super) seen: HourSeen,
}

impl Compared {
    pub(super) fn changed(&self) -> bool {
        self.seen != HourSeen::Same
    }

    pub(super) fn days(&self) -> f64 {
        (self.to - self.from).as_days_f64()
    }
}

/// The pages of a site and when each was last seen: turns visits into comparisons.
#[derive(Debug, Default)]
pub(super) struct Register {
    numbers: HashMap<Box<str>, usize>,
    pub(super) lives: Vec<PageLife>,
    /// Visits to pages beyond [`PAGES_MAX`].
    pub(super) passed_over: u64,
}

impl Register {
    pub(super) fn observe(&mut self, sight: &VisitRecord<'_>) -> Option<Compared> {
        let page = match self.numbers.get(sight.name) {
            Some(page) => *page,
            None if sight.saw == VisitResult::Gone => return None,
            None if self.lives.len() >= PAGES_MAX => {
                self.passed_over += 1;
                return None;
            }
            None => return self.enter(sight),
        };
        let life = &mut self.lives[page];
        let (from, to, was_gone) = (life.last, sight.at, life.gone);
        life.visits = life.visits.saturating_add(1);
        life.gone = sight.saw == VisitResult::Gone;
        if life.gone || to <= from {
            return None;
        }
        life.last = to;
        let seen = match sight.saw {
            // A page that was away and is back says nothing of when it changed.
            _ if was_gone => return None,
            VisitResult::Change { at: Some(at), importance } if at > from && at <= to => {
                HourSeen::ChangeAt { at, importance }
            }
            VisitResult::Change { importance, .. } => HourSeen::Change { importance },
            VisitResult::Same => HourSeen::Same,
            VisitResult::First { .. } | VisitResult::Gone => return None,
        };
        life.changes = life.changes.saturating_add(u32::from(seen != HourSeen::Same));
        Some(Compared { page, from, to, seen })
    }

    fn enter(&mut self, sight: &VisitRecord<'_>) -> Option<Compared> {
        self.numbers.insert(sight.name.into(), self.lives.len());
        self.lives.push(PageLife {
            key: sight.key.into(),
            name: sight.name.into(),
            first: sight.at,
            last: sight.at,
            visits: 1,
            changes: 0,
            rate: ChangeRate::default(),
            newborn: sight.saw == VisitResult::First { newborn: true },
            gone: false,
        });
        None
    }
}

/// What the first reading found out.
#[derive(Debug)]
pub(super) struct Survey {
    pub(super) lives: Vec<PageLife>,
    pub(super) passed_over: u64,
    pub(super) zone: Option<Zone>,
    pub(super) bursts: Option<Bursts>,
}

pub(super) fn survey<S: VisitSource>(source: &S) -> Result<Survey, S::Error> {
    let mut register = Register::default();
    let mut rhythm = Rhythm::new(Calendar::default(), MEMORY_DAYS);
    let mut sample = Sample::default();
    source.for_each(&mut |sight| {
        let Some(compared) = register.observe(&sight) else { return };
        let life = &mut register.lives[compared.page];
        rhythm.observe(compared.from, compared.to, compared.seen, f64::from(life.rate.per_day));
        life.rate = believe_seen(life.rate, &taught(&compared));
        let visit = Interval { days: compared.days(), changed: compared.changed() };
        sample.observe(PageSlot(compared.page as u32), life.newborn, visit);
    })?;
    let Register { lives, passed_over, .. } = register;
    Ok(Survey { lives, passed_over, zone: rhythm.zone(), bursts: sample.fit() })
}

/// What a comparison teaches about the rate.
fn taught(compared: &Compared) -> first_guess::RateSeen {
    match compared.seen {
        HourSeen::ChangeAt { at, .. } if at < compared.to => {
            first_guess::RateSeen::ChangedAgo { days: (compared.to - at).as_days_f64() }
        }
        _ => first_guess::RateSeen::Interval { days: compared.days(), changed: compared.changed() },
    }
}
