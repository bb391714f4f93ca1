//! What was found lately on pages that belong together, against what their own past had let expect.

use crate::few::Few;
use hashbrown::HashTable;
use serde::{Deserialize, Serialize};
use tintype_vocab::Time;

/// Days in which what was found and expected counts 1/e: three hours, a day, a week.
const MEMORIES: [f64; 3] = [0.125, 1.0, 7.0];
/// Imaginary changes found and expected.
const STRENGTH: f32 = 0.3;
/// Moments of change, and members, that are remembered.
const MOMENTS_MAX: usize = 32;
const MEMBERS_MAX: usize = 4096;

/// Numbers of groups by their names, which are hashes, and names by number.
#[derive(Debug, Default)]
pub(super) struct GroupNames {
    names: Vec<u64>,
    numbers: HashTable<u32>,
}

impl GroupNames {
    pub(super) fn find(&self, name: u64) -> Option<u32> {
        self.numbers.find(name, |number| self.names[*number as usize] == name).copied()
    }

    /// The number of a name that has none yet.
    pub(super) fn add(&mut self, name: u64) -> u32 {
        let number = self.names.len() as u32;
        self.names.push(name);
        let names = &self.names;
        self.numbers.insert_unique(name, number, |number| names[*number as usize]);
        number
    }

    pub(super) fn in_order(&self) -> &[u64] {
        &self.names
    }

    /// Nothing if one is there twice.
    pub(super) fn restore(saved: &[u64]) -> Option<GroupNames> {
        let mut names = GroupNames::default();
        saved.iter().all(|name| names.find(*name).is_none() && names.add(*name) < u32::MAX).then_some(names)
    }

    pub(super) fn bytes(&self) -> usize {
        self.names.capacity() * size_of::<u64>() + self.numbers.capacity() * (size_of::<u32>() + 1)
    }
}

/// Most pages have no namesake, so that most groups are of one page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Group {
    found: [f32; 3],
    expected: [f32; 3],
    at: Time,
    pub(super) visits: f32,
    pub(super) changes: f32,
    /// Visits that found nothing any more.
    pub(super) gone: f32,
    pub(super) pages: u32,
    moments: Few<Time>,
    /// When the newest members became known.
    births: Few<Time>,
    members: Few<u32>,
    /// Whose turn it is when some of the members are to be looked at anew.
    turn: u32,
    /// What the site taught of this group besides, as log-odds, and how much it has learned so far.
    pub(super) bias: f32,
    pub(super) learned: f32,
}

impl Default for Group {
    fn default() -> Group {
        Group {
            found: [0.0; 3],
            expected: [0.0; 3],
            at: Time::MIN,
            visits: 0.0,
            changes: 0.0,
            gone: 0.0,
            pages: 0,
            moments: Few::default(),
            births: Few::default(),
            members: Few::default(),
            turn: 0,
            bias: 0.0,
            learned: 0.0,
        }
    }
}

/// The days from one moment to another, whatever they are.
pub(super) fn days(from: Time, to: Time) -> f64 {
    if from == Time::MIN { 1e4 } else { (to - from).as_days_f64().clamp(0.0, 1e4) }
}

/// The latest moments, in order.
fn remember(moments: &mut Few<Time>, moment: Time) {
    let place = moments.partition_point(|other| *other <= moment);
    if moments.len() < MOMENTS_MAX {
        moments.insert(place, moment);
    } else if place > 0 {
        moments[..place].rotate_left(1);
        moments[place - 1] = moment;
    }
}

impl Group {
    fn kept(&self, memory: usize, at: Time) -> f32 {
        (-days(self.at, at) / MEMORIES[memory]).exp() as f32
    }

    /// A visit that was expected to find a change by so much; `moment` is when what it found came to be.
    pub(super) fn observe(&mut self, at: Time, chance: f32, moment: Option<Time>) {
        for memory in 0..MEMORIES.len() {
            let kept = self.kept(memory, at);
            self.found[memory] = kept * self.found[memory] + f32::from(u8::from(moment.is_some()));
            self.expected[memory] = kept * self.expected[memory] + chance;
        }
        self.at = self.at.max(at);
        self.visits += 1.0;
        if let Some(moment) = moment {
            self.changes += 1.0;
            remember(&mut self.moments, moment);
        }
    }

    pub(super) fn join(&mut self, page: u32, known_since: Time) {
        remember(&mut self.births, known_since);
        self.take_in(page);
    }

    fn take_in(&mut self, page: u32) {
        self.pages = self.pages.saturating_add(1);
        if self.members.len() < MEMBERS_MAX {
            self.members.push(page);
        }
    }

    /// Some members besides this one, others each time.
    pub(super) fn some(&mut self, but: u32, most: usize) -> impl Iterator<Item = u32> + '_ {
        let (all, first) = (self.members.len(), self.turn as usize);
        let count = most.min(all);
        self.turn = if all == 0 { 0 } else { ((first + count) % all) as u32 };
        (0..count).map(move |nth| self.members[(first + nth) % all]).filter(move |page| *page != but)
    }

    /// The logarithm of how much more was found than expected.
    pub(super) fn surprise(&self, memory: usize, at: Time) -> f32 {
        let kept = self.kept(memory, at);
        ((self.found[memory] * kept + STRENGTH) / (self.expected[memory] * kept + STRENGTH)).ln()
    }

    /// The logarithm of what was expected within a day.
    pub(super) fn looked(&self, at: Time) -> f32 {
        (self.expected[1] * self.kept(1, at) + 0.01).ln()
    }

    /// Changes since a moment, as far as they are remembered.
    pub(super) fn since(&self, moment: Time) -> f32 {
        (self.moments.len() - self.moments.partition_point(|other| *other <= moment)) as f32
    }

    /// Members that became known after a moment, as far as they are remembered.
    pub(super) fn newer(&self, moment: Time) -> f32 {
        (self.births.len() - self.births.partition_point(|other| *other <= moment)) as f32
    }

    pub(super) fn last_change(&self) -> Time {
        self.moments.last().copied().unwrap_or(Time::MIN)
    }

    /// Share of visits that found a change.
    pub(super) fn share(&self) -> f32 {
        (self.changes + 0.5) / (self.visits + 2.0)
    }

    /// Share of visits that found nothing any more.
    pub(super) fn gone_share(&self) -> f32 {
        (self.gone + 0.1) / (self.visits + self.gone + 2.0)
    }

    pub(super) fn bytes(&self) -> usize {
        self.moments.bytes() + self.births.bytes() + self.members.bytes()
    }

    /// Adds what another log says; `page` says which number here each of its members has.
    pub(super) fn add(&mut self, other: &Group, page: impl Fn(u32) -> Option<u32>) {
        let at = self.at.max(other.at);
        for memory in 0..MEMORIES.len() {
            let (mine, theirs) = (self.kept(memory, at), other.kept(memory, at));
            self.found[memory] = mine * self.found[memory] + theirs * other.found[memory];
            self.expected[memory] = mine * self.expected[memory] + theirs * other.expected[memory];
        }
        self.at = at;
        self.visits += other.visits;
        self.changes += other.changes;
        self.gone += other.gone;
        other.moments.iter().for_each(|moment| remember(&mut self.moments, *moment));
        other.births.iter().for_each(|birth| remember(&mut self.births, *birth));
        for theirs in other.members.iter().filter_map(|theirs| page(*theirs)) {
            if !self.members.contains(&theirs) {
                self.take_in(theirs);
            }
        }
        if other.learned > self.learned {
            (self.bias, self.learned) = (other.bias, other.learned);
        }
    }

    pub(super) fn is_sound(&self, pages: usize) -> bool {
        let numbers = [self.visits, self.changes, self.gone, self.bias, self.learned];
        let sums = self.found.iter().chain(&self.expected);
        self.members.iter().all(|page| (*page as usize) < pages)
            && [&self.moments, &self.births].iter().all(|all| all.is_sorted() && all.len() <= MOMENTS_MAX)
            && numbers.iter().chain(sums).all(|number| number.is_finite() && number.abs() < 1e12)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hour(hour: i64) -> Time {
        Time::from_secs(1_704_067_200 + 3600 * hour)
    }

    #[test]
    fn more_than_was_expected_is_a_surprise_that_passes() {
        let mut group = Group::default();
        (0..5).for_each(|at| group.observe(hour(at), 0.1, Some(hour(at))));
        assert!(group.surprise(0, hour(5)) > 1.0 && group.surprise(2, hour(5)) > 1.0);
        assert!(group.surprise(0, hour(40)) < 0.1, "{}", group.surprise(0, hour(40)));
        assert_eq!((group.since(hour(2)), group.since(hour(9))), (2.0, 0.0));
    }

    #[test]
    fn a_group_of_one_page_costs_its_own_bytes_only() {
        let mut group = Group::default();
        group.join(7, hour(0));
        group.observe(hour(1), 0.1, Some(hour(1)));
        assert_eq!((size_of::<Group>(), group.bytes()), (112, 0));
        group.join(8, hour(2));
        assert!(group.bytes() > 0 && group.newer(hour(1)) == 1.0);
    }

    #[test]
    fn names_are_numbered_in_order_and_one_that_is_there_twice_is_refused() {
        let mut names = GroupNames::default();
        let numbers: Vec<u32> = (0..2000).map(|name| names.add(name * 7 + 1)).collect();
        assert!(numbers.iter().copied().eq(0..2000) && names.find(8) == Some(1) && names.find(9).is_none());
        assert_eq!(GroupNames::restore(names.in_order()).unwrap().in_order(), names.in_order());
        assert!(GroupNames::restore(&[5, 6, 5]).is_none());
    }

    #[test]
    fn members_take_turns() {
        let mut group = Group::default();
        (0..10).for_each(|page| group.join(page, hour(0)));
        let mut seen: Vec<u32> = (0..4).flat_map(|_| group.some(99, 3).collect::<Vec<_>>()).collect();
        assert_eq!(seen.len(), 12);
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 10);
    }
}
