//! Which block of the new version is which block of the old one.
//!
//! What stands unchanged at both ends of the page is paired first; then blocks that their document names (a feed its
//! entries); then blocks whose content occurs once in each version and their neighbours; then, in order, repeated ones; then blocks with similar words; then those that stand
//! between the same neighbours in the same place of the hierarchy. A block that holds others is known by them.
//! Every step is linear in the number of blocks, or nearly so.

use super::{
    layout::{Layout, Role},
    sequence,
    similar::Likely,
};
use hashbrown::HashMap;

/// Old blocks looked at for one that took the place of another.
const PLACES_MAX: usize = 8;
const NONE: u32 = u32::MAX;

/// Pairs of blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Matching {
    /// By new block.
    pub(super) olds: Vec<Option<u32>>,
    /// By new block: whether it overtook others.
    pub(super) moved: Vec<bool>,
    /// The old blocks without partner.
    pub(super) gone: Vec<u32>,
}

/// For each block of the new version the same block of the old one, if it was there: however it was edited or moved.
pub fn identities(old: &Layout, new: &Layout) -> Vec<Option<u32>> {
    matching(old, new).olds
}

/// Pairs the blocks of two versions.
pub(super) fn matching(old: &Layout, new: &Layout) -> Matching {
    let mut pairs =
        Pairs { old, new, to_old: vec![NONE; new.len()], to_new: vec![NONE; old.len()], olds: 0..0, news: 0..0 };
    pairs.ends();
    if !(pairs.olds.is_empty() && pairs.news.is_empty()) {
        pairs.named();
        pairs.contents();
        pairs.similar();
        pairs.places();
        pairs.holders();
    }
    pairs.finish()
}

struct Pairs<'l> {
    old: &'l Layout,
    new: &'l Layout,
    to_old: Vec<u32>,
    to_new: Vec<u32>,
    /// What is left between the unchanged ends.
    olds: std::ops::Range<usize>,
    news: std::ops::Range<usize>,
}

impl Pairs<'_> {
    fn pair(&mut self, old: usize, new: usize) {
        self.to_old[new] = old as u32;
        self.to_new[old] = new as u32;
    }

    fn is_free(&self, old: usize, new: usize) -> bool {
        self.to_new[old] == NONE && self.to_old[new] == NONE
    }

    fn ends(&mut self) {
        let same = |(old, new): (usize, usize)| self.old.block(old).same_as(self.new.block(new));
        let start = (0..self.old.len()).zip(0..self.new.len()).take_while(|pair| same(*pair)).count();
        let (olds, news) = (start..self.old.len(), start..self.new.len());
        let end = olds.clone().rev().zip(news.clone().rev()).take_while(|pair| same(*pair)).count();
        (self.olds, self.news) = (start..olds.end - end, start..news.end - end);
        (0..start).for_each(|at| self.pair(at, at));
        (1..=end).for_each(|back| self.pair(olds.end - back, news.end - back));
    }

    /// Pairs blocks by their names, as far as a name is of one block only.
    fn named(&mut self) {
        let mut seen: HashMap<u64, [Vec<usize>; 2]> = HashMap::new();
        for (side, layout, range) in [(0, self.old, &self.olds), (1, self.new, &self.news)] {
            for at in range.clone() {
                if let Some(name) = layout.name(at) {
                    seen.entry(name).or_default()[side].push(at);
                }
            }
        }
        let mut places: Vec<(usize, usize)> = seen.into_values().filter_map(one_of_each).collect();
        places.sort_unstable();
        for (old, new) in places {
            if self.old.block(old).is_bare() == self.new.block(new).is_bare() {
                self.pair(old, new);
            }
        }
    }

    fn contents(&mut self) {
        let mut seen: HashMap<u64, [Vec<u32>; 2]> = HashMap::with_capacity(self.olds.len());
        for at in self.olds.clone() {
            seen.entry(self.old.block(at).fingerprint()).or_default()[0].push(at as u32);
        }
        for at in self.news.clone() {
            if let Some(found) = seen.get_mut(&self.new.block(at).fingerprint()) {
                found[1].push(at as u32);
            }
        }
        seen.remove(&0);
        // In the order of the new version, whatever order the map has.
        let mut places: Vec<[Vec<u32>; 2]> = seen.into_values().filter(|[_, news]| !news.is_empty()).collect();
        places.sort_unstable_by_key(|[_, news]| news[0]);
        for [olds, news] in places.iter().filter(|[olds, news]| olds.len() == 1 && news.len() == 1) {
            self.anchor(olds[0] as usize, news[0] as usize);
        }
        for [olds, news] in &places {
            self.repeated(olds, news);
        }
    }

    /// Pairs two blocks and, as far as they are the same, their neighbours.
    fn anchor(&mut self, old: usize, new: usize) {
        if !self.is_free(old, new) || !self.is_same(old, new) {
            return;
        }
        self.pair(old, new);
        let (olds, news) = (self.olds.clone(), self.news.clone());
        self.extend((old + 1..olds.end).zip(new + 1..news.end));
        self.extend((olds.start..old).rev().zip((news.start..new).rev()));
    }

    fn extend(&mut self, neighbours: impl Iterator<Item = (usize, usize)>) {
        for (old, new) in neighbours {
            if !self.is_free(old, new) || !self.is_same(old, new) {
                return;
            }
            self.pair(old, new);
        }
    }

    fn is_same(&self, old: usize, new: usize) -> bool {
        let (old, new) = (self.old.block(old), self.new.block(new));
        old.all() == new.all() && (!old.is_bare() || old.shape().role == new.shape().role)
    }

    fn repeated(&mut self, olds: &[u32], news: &[u32]) {
        let free = |list: &[u32], partners: &[u32]| -> Vec<usize> {
            list.iter().filter(|at| partners[**at as usize] == NONE).map(|at| *at as usize).collect()
        };
        let (olds, news) = (free(olds, &self.to_new), free(news, &self.to_old));
        for (old, new) in olds.into_iter().zip(news) {
            if self.is_same(old, new) {
                self.pair(old, new);
            }
        }
    }

    fn similar(&mut self) {
        let mut likely = Likely::default();
        for at in self.olds.clone().filter(|at| self.to_new[*at] == NONE) {
            let block = self.old.block(at);
            if !block.is_bare() {
                likely.add(at as u32, block);
            }
        }
        let mut near = self.olds.start as u32;
        for at in self.news.clone() {
            let block = self.new.block(at);
            if self.to_old[at] == NONE
                && !block.is_bare()
                && let Some(found) = likely.find(block, near, |old| self.to_new[old as usize] == NONE)
            {
                self.pair(found as usize, at);
            }
            if self.to_old[at] != NONE {
                near = self.to_old[at] + 1;
            }
        }
    }

    /// Pairs blocks that have nothing in common but their place.
    fn places(&mut self) {
        let (olds, news) = (paths(self.old), paths(self.new));
        let mut next = self.olds.start;
        for at in self.news.clone() {
            if self.to_old[at] != NONE {
                next = self.to_old[at] as usize + 1;
            } else if !self.new.block(at).is_bare() {
                let gap = (next..self.olds.end).take(PLACES_MAX).take_while(|old| self.is_gap(*old));
                let here = |old: &usize| olds[*old] == news[at] && !self.old.block(*old).is_bare();
                if let Some(found) = gap.into_iter().find(here) {
                    self.pair(found, at);
                    next = found + 1;
                }
            }
        }
    }

    fn is_gap(&self, old: usize) -> bool {
        self.to_new[old] == NONE
    }

    /// Pairs blocks that hold others by the last of those that has a partner.
    fn holders(&mut self) {
        let (olds, news) = (self.old.parents(), self.new.parents());
        for at in (0..self.new.len()).rev() {
            let around = olds.get(self.to_old[at] as usize).copied().flatten();
            if let (Some(old), Some(new)) = (around, news[at])
                && self.is_free(old as usize, new as usize)
            {
                self.pair(old as usize, new as usize);
            }
        }
    }

    fn finish(self) -> Matching {
        let order: Vec<u32> = self.to_old.iter().copied().filter(|old| *old != NONE).collect();
        let mut kept = sequence::in_order(&order).into_iter();
        let moved = self.to_old.iter().map(|old| *old != NONE && !kept.next().unwrap_or(true)).collect();
        let gone = (0..self.to_new.len()).filter(|old| self.to_new[*old] == NONE).map(|old| old as u32).collect();
        let olds = self.to_old.into_iter().map(|old| Some(old).filter(|old| *old != NONE)).collect();
        Matching { olds, moved, gone }
    }
}

fn one_of_each([olds, news]: [Vec<usize>; 2]) -> Option<(usize, usize)> {
    match (olds.as_slice(), news.as_slice()) {
        ([old], [new]) => Some((*old, *new)),
        _ => None,
    }
}

/// Where in the hierarchy each block stands: what it is and what it is inside of, without numbers.
fn paths(layout: &Layout) -> Vec<u64> {
    let mut paths: Vec<u64> = Vec::with_capacity(layout.len());
    for (block, parent) in layout.blocks().zip(layout.parents()) {
        let around = parent.map_or(0, |parent| paths[parent as usize]);
        paths.push(step(around, block.shape().role));
    }
    paths
}

fn step(around: u64, role: Role) -> u64 {
    (around ^ (role as u64 + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}
