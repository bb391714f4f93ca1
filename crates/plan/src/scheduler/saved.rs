//! A scheduler as blocks of bytes, and back: who goes on from there takes the steps this one would have taken.

use super::{
    Scheduler,
    aliases::Aliases,
    continual::GonePages,
    foreseeing::Trials,
    hosts::SavedHosts,
    lesser::Lesser,
    spellings::{SavedSpellings, Spellings},
    upheaval::LostPages,
};
use crate::{
    Exclusions, Settings, Wait,
    authority::Authorities,
    entrance::{Entrances, SavedEntrance},
    exclusion::SavedExclusion,
    families::Families,
    policy,
    trap::Traps,
};
use serde::{Deserialize, Serialize};
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashSet, VecDeque},
};
use tintype_learn::{
    knowledge::{Knowledge, SharedKnowledge},
    stored,
};
use tintype_vocab::{PageId, Span, Time, Why};

/// To be raised whenever anything that is saved changes: blocks say nothing about themselves.
const VERSION: u32 = 13;

/// All but pages, policy and knowledge.
#[derive(Serialize, Deserialize)]
struct Rest {
    version: u32,
    policy: String,
    pages: u64,
    entrances: Vec<SavedEntrance>,
    hosts: SavedHosts,
    retries: BinaryHeap<Reverse<(Time, PageId)>>,
    retries_due: VecDeque<PageId>,
    urgent: VecDeque<(PageId, Why)>,
    exclusions: Vec<SavedExclusion>,
    untold_seeds: Vec<PageId>,
    counts: (u64, u64, u64, u64, u64, u64),
    clock: (Time, Span, Time),
    gone: GonePages,
    aliases: Aliases,
    lost_pages: LostPages,
    waiting_for: (Wait, Option<u16>),
}

impl Scheduler {
    /// Hands out all it has in mind, block by block; whether it could. Where the policy cannot say what it has in mind
    /// there is nothing to go on from but a log.
    pub fn save(&self, each: &mut dyn FnMut(Vec<u8>)) -> bool {
        let Some(policy) = self.policy.save() else { return false };
        each(stored::to_bytes(&self.rest()));
        each(policy);
        each(self.knowledge.save());
        each(self.knowledge.save_run());
        each(self.knowledge.shared().save_run());
        each(stored::to_bytes(&self.authorities));
        each(stored::to_bytes(&(&self.traps, &self.trials, &self.families, &self.lesser)));
        each(stored::to_bytes(&self.spellings.save()));
        if let Some(across) = &self.across {
            across.save(each);
        }
        self.pages.save(each);
        true
    }

    fn rest(&self) -> Rest {
        let count = |count: usize| count as u64;
        Rest {
            version: VERSION,
            policy: self.settings.policy.clone(),
            pages: count(self.pages.len()),
            entrances: self.entrances.save(),
            hosts: self.hosts.save(),
            retries: self.retries.clone(),
            retries_due: self.retries_due.clone(),
            urgent: self.urgent.clone(),
            exclusions: self.exclusions.save(),
            untold_seeds: self.untold_seeds.clone(),
            counts: (
                count(self.waiting),
                count(self.unanswered),
                count(self.in_flight),
                self.steps,
                self.settled,
                self.seen,
            ),
            clock: (self.clock, self.clock_ahead, self.next_visit),
            gone: self.gone.clone(),
            aliases: self.aliases.clone(),
            lost_pages: self.lost_pages.clone(),
            waiting_for: (self.waiting_for, self.waiting_at),
        }
    }

    /// Goes on from what [`Scheduler::save`] handed out, in its order. Nothing if it is not what this version writes, or
    /// of other settings.
    pub fn load(settings: Settings, next: &mut dyn FnMut() -> Option<Vec<u8>>) -> Option<Scheduler> {
        let rest: Rest = stored::from_bytes(&next()?)?;
        if rest.version != VERSION || rest.policy != settings.policy {
            return None;
        }
        let mut policy = policy::for_run(&settings.policy, settings.revisit)?;
        policy.load(&next()?).then_some(())?;
        let knowledge = load_knowledge(next)?;
        let mut scheduler = Scheduler::blank(settings, policy, knowledge).ok()?;
        scheduler.authorities = stored::from_bytes::<Authorities>(&next()?)?;
        (scheduler.traps, scheduler.trials, scheduler.families, scheduler.lesser) =
            stored::from_bytes::<(Traps, Trials, Families, Lesser)>(&next()?)?;
        scheduler.spellings = Spellings::restore(stored::from_bytes::<SavedSpellings>(&next()?)?);
        if let Some(across) = &mut scheduler.across {
            across.load(next)?;
        }
        let rules: HashSet<PageId> = scheduler.authorities.robots_pages().collect();
        while scheduler.pages.len() < rest.pages as usize {
            scheduler.pages.load(&next()?, |page| !rules.contains(&page))?;
        }
        scheduler.take_up(rest)?;
        Some(scheduler)
    }

    fn take_up(&mut self, rest: Rest) -> Option<()> {
        self.entrances = Entrances::restore(&self.settings, rest.entrances)?;
        self.hosts.restore(rest.hosts);
        (self.retries, self.retries_due, self.urgent) = (rest.retries, rest.retries_due, rest.urgent);
        self.exclusions = Exclusions::restore(rest.exclusions);
        self.untold_seeds = rest.untold_seeds;
        let (waiting, unanswered, in_flight, steps, settled, seen) = rest.counts;
        (self.waiting, self.unanswered, self.in_flight) = (waiting as usize, unanswered as usize, in_flight as usize);
        (self.steps, self.settled, self.seen) = (steps, settled, seen);
        (self.clock, self.clock_ahead, self.next_visit) = rest.clock;
        (self.gone, self.aliases, self.lost_pages) = (rest.gone, rest.aliases, rest.lost_pages);
        (self.waiting_for, self.waiting_at) = rest.waiting_for;
        Some(())
    }
}

fn load_knowledge(next: &mut dyn FnMut() -> Option<Vec<u8>>) -> Option<Knowledge> {
    let (knowledge, run) = (next()?, next()?);
    let mut loaded = Knowledge::load(&knowledge, SharedKnowledge::load_run(&next()?)?);
    let whole = loaded.relearn.is_empty() && loaded.knowledge.load_run(&run);
    whole.then_some(loaded.knowledge)
}
