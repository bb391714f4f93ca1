//! Things that come, change and go, sorted into sections: the stock behind a site's listings.

use super::SyntheticConfig;
use std::ops::Range;
use tintype_vocab::{Span, Time};

/// Things on one page of a listing that only ever grows.
pub(super) const BUCKET: usize = 20;

/// How far back a listing by activity looks for things that are still active.
const ACTIVE_WINDOW: usize = 100;

/// The course of one thing, in days after the first moment of the world; what was before is negative.
#[derive(Clone, Debug)]
pub(super) struct Life {
    pub section: usize,
    pub born: f64,
    /// Infinite if it stays.
    pub dies: f64,
    /// In any order; what falls outside its life is dropped.
    pub updates: Vec<f64>,
}

#[derive(Clone, Debug)]
struct Thing {
    section: u32,
    /// Its number within the section.
    place: u32,
    born: Time,
    dies: Time,
    updates: Range<u32>,
}

/// Everything that is ever on the shelf, in order of birth.
#[derive(Debug)]
pub(super) struct Shelf {
    things: Vec<Thing>,
    updates: Vec<Time>,
    sections: Vec<Vec<u32>>,
}

impl Shelf {
    pub(super) fn new(wish: &SyntheticConfig, sections: usize, mut lives: Vec<Life>) -> Shelf {
        lives.retain(|life| life.born < wish.days && wish.moment(life.dies) > wish.from);
        lives.sort_by(|a, b| a.born.total_cmp(&b.born));
        let mut shelf = Shelf { things: Vec::new(), updates: Vec::new(), sections: vec![Vec::new(); sections] };
        lives.into_iter().for_each(|life| shelf.put(wish, life));
        shelf
    }

    fn put(&mut self, wish: &SyntheticConfig, life: Life) {
        let born = wish.moment(life.born);
        // Whatever is added is there for a moment, or nobody could say that it was.
        let dies = wish.moment(life.dies).max(born.max(wish.from) + Span::from_millis(1));
        let first = self.updates.len();
        let end = dies.min(wish.until());
        self.updates.extend(life.updates.iter().map(|&day| wish.moment(day)).filter(|&at| born < at && at < end));
        self.updates[first..].sort_unstable();
        let section = &mut self.sections[life.section];
        let place = section.len() as u32;
        section.push(self.things.len() as u32);
        let updates = first as u32..self.updates.len() as u32;
        self.things.push(Thing { section: life.section as u32, place, born, dies, updates });
    }

    pub(super) fn len(&self) -> usize {
        self.things.len()
    }

    pub(super) fn born(&self, thing: u32) -> Time {
        self.things[thing as usize].born
    }

    pub(super) fn dies(&self, thing: u32) -> Time {
        self.things[thing as usize].dies
    }

    pub(super) fn section(&self, thing: u32) -> usize {
        self.things[thing as usize].section as usize
    }

    /// Which page of its section's full listing a thing is on.
    pub(super) fn bucket(&self, thing: u32) -> usize {
        self.things[thing as usize].place as usize / BUCKET
    }

    pub(super) fn starts_bucket(&self, thing: u32) -> bool {
        (self.things[thing as usize].place as usize).is_multiple_of(BUCKET)
    }

    /// All moments at which a thing changes.
    pub(super) fn updates(&self, thing: u32) -> &[Time] {
        let Range { start, end } = self.things[thing as usize].updates;
        &self.updates[start as usize..end as usize]
    }

    /// The changes a thing has gone through by now.
    pub(super) fn past(&self, thing: u32, now: Time) -> &[Time] {
        let updates = self.updates(thing);
        &updates[..updates.partition_point(|&at| at <= now)]
    }

    /// When a thing was last something else.
    pub(super) fn touched(&self, thing: u32, now: Time) -> Time {
        self.past(thing, now).last().copied().unwrap_or(self.born(thing))
    }

    fn alive(&self, thing: u32, now: Time) -> bool {
        let thing = &self.things[thing as usize];
        thing.born <= now && now < thing.dies
    }

    /// What is there now, the newest first; of all sections or of one.
    pub(super) fn newest(&self, section: Option<usize>, now: Time) -> Box<dyn Iterator<Item = u32> + '_> {
        let there = move |thing: &u32| self.alive(*thing, now);
        match section {
            None => {
                let born = self.things.partition_point(|thing| thing.born <= now) as u32;
                Box::new((0..born).rev().filter(there))
            }
            Some(section) => {
                Box::new(self.sections[section][..self.born_in(section, now)].iter().rev().copied().filter(there))
            }
        }
    }

    /// The same, what changed last first.
    pub(super) fn most_active(&self, section: Option<usize>, now: Time) -> Vec<u32> {
        let mut things: Vec<u32> = self.newest(section, now).take(ACTIVE_WINDOW).collect();
        things.sort_by_cached_key(|&thing| std::cmp::Reverse((self.touched(thing, now), thing)));
        things
    }

    /// What is on one page of a section's full listing now.
    pub(super) fn in_bucket(&self, section: usize, bucket: usize, now: Time) -> impl Iterator<Item = u32> {
        let things = &self.sections[section];
        let range = bucket * BUCKET..((bucket + 1) * BUCKET).min(things.len());
        things[range].iter().copied().filter(move |&thing| self.alive(thing, now))
    }

    /// How many pages a section's full listing has by now.
    pub(super) fn buckets(&self, section: usize, now: Time) -> usize {
        self.born_in(section, now).div_ceil(BUCKET)
    }

    fn born_in(&self, section: usize, now: Time) -> usize {
        self.sections[section].partition_point(|&thing| self.born(thing) <= now)
    }
}
