//! A forecaster as bytes and back, and that of two logs together.

use super::{
    Forecaster,
    adaption::Adaption,
    ages::Ages,
    group::{Group, GroupNames},
    story::Story,
    tested::Tested,
    unseen::Unseen,
};
use crate::{learner::PageSlot, stored};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tintype_vocab::Time;

#[derive(Serialize, Deserialize)]
struct Saved {
    /// Of the forest: what is adapted to one says nothing of another.
    fingerprint: u64,
    pages: Vec<(PageSlot, Story)>,
    /// How far the numbers of pages went.
    slots: u32,
    /// The name of every group, in order.
    names: Vec<u64>,
    groups: Vec<Group>,
    site: Group,
    adaption: Adaption,
    ages: Ages,
    tested: Tested,
    unseen: Unseen,
    clock: (Time, Time, f64),
}

impl Forecaster {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let pages = (0..).map(PageSlot).zip(&self.pages);
        stored::to_bytes(&Saved {
            fingerprint: self.forest.fingerprint(),
            pages: pages.filter_map(|(slot, story)| Some((slot, *story.clone()?))).collect(),
            slots: self.pages.len() as u32,
            names: self.names.in_order().to_vec(),
            groups: self.groups.clone(),
            site: self.site.clone(),
            adaption: self.adaption.clone(),
            ages: self.ages.clone(),
            tested: self.tested.clone(),
            unseen: self.unseen.clone(),
            clock: (self.began, self.latest, self.pace),
        })
    }

    /// Nothing if it was adapted to another forest than the one that ships.
    pub(crate) fn load(bytes: &[u8]) -> Option<Forecaster> {
        let saved: Saved = stored::from_bytes(bytes)?;
        let blank = Forecaster::default();
        let groups = saved.groups.len();
        let slots = saved.slots as usize;
        let sound = saved.fingerprint == blank.forest.fingerprint()
            && saved.names.len() == groups
            && slots <= 64 * (1 + bytes.len())
            && saved.pages.is_sorted_by(|one, other| one.0 < other.0)
            && saved.pages.iter().all(|(slot, story)| slot.index() < slots && story.is_sound(groups))
            && saved.groups.iter().chain([&saved.site]).all(|group| group.is_sound(slots))
            && saved.adaption.is_sound()
            && saved.ages.is_sound()
            && saved.tested.is_sound()
            && saved.unseen.is_sound()
            && (0.0..1e9).contains(&saved.clock.2);
        let names = GroupNames::restore(&saved.names).filter(|_| sound)?;
        let mut pages = Vec::new();
        pages.resize_with(slots, || None);
        let alive = saved.pages.iter().filter(|(_, story)| !story.is_gone).count() as u32;
        saved.pages.into_iter().for_each(|(slot, story)| pages[slot.index()] = Some(Box::new(story)));
        let (began, latest, pace) = saved.clock;
        let Saved { groups, site, adaption, ages, tested, unseen, .. } = saved;
        let kept = Forecaster { pages, groups, names, site, adaption, ages, tested, unseen, ..blank };
        Some(Forecaster { began, latest, pace, alive, ..kept })
    }

    /// Adds what another log says.
    pub(super) fn add(&mut self, other: &Forecaster, slots: &[PageSlot]) {
        let here = |page: u32| slots.get(page as usize).filter(|slot| **slot != PageSlot::NONE).map(|slot| slot.0);
        let numbers: Vec<u32> = other.names.in_order().iter().map(|name| self.group(*name)).collect();
        for (theirs, number) in other.groups.iter().zip(&numbers) {
            self.groups[*number as usize].add(theirs, here);
        }
        for (slot, story) in (0..).zip(&other.pages).filter_map(|(slot, story)| Some((here(slot)?, story.as_deref()?)))
        {
            let slot = slot as usize;
            if self.pages.len() <= slot {
                self.pages.resize_with(slot + 1, || None);
            }
            let theirs = Story { groups: story.groups.map(|group| numbers[group as usize]), ..story.clone() };
            let mine = self.pages[slot].take();
            let story = mine.map_or_else(|| theirs.clone(), |mine| mine.with(&theirs));
            self.pages[slot] = Some(Box::new(story));
        }
        self.site.add(&other.site, |_| None);
        self.site.pages = self.pages.iter().flatten().count() as u32;
        self.alive = self.pages.iter().flatten().filter(|story| !story.is_gone).count() as u32;
        self.adaption.add(&other.adaption);
        self.ages.add(&other.ages);
        self.tested.add(&other.tested);
        self.unseen.add(&other.unseen);
        if other.latest > self.latest {
            self.pace = other.pace;
        }
        (self.began, self.latest) = (self.began.min(other.began), self.latest.max(other.latest));
    }
}

impl Default for Forecaster {
    /// With the forest that ships.
    fn default() -> Forecaster {
        Forecaster::new(Arc::clone(&super::shipped::FOREST))
    }
}
