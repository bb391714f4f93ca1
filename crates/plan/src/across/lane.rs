//! What waits for one host: the best in memory, in order, the rest outside, by how good it seemed.

use super::{
    candidate::{Candidate, Rank},
    depot::Depot,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use tintype_learn::stored;

/// Worths at which a candidate that has to wait outside is in a better grade.
const GRADES: [f32; 3] = [0.5, 0.2, 0.05];
/// Candidates that go outside together, where there are few hosts and where there are many.
const BLOCK: usize = 32;
const SMALL_BLOCK: usize = 4;

fn grade(worth: f32) -> usize {
    GRADES.iter().position(|least| worth >= *least).unwrap_or(GRADES.len())
}

/// Candidates of one grade that wait outside, the oldest first.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Outside {
    /// Where blocks are, and how many candidates each holds.
    blocks: VecDeque<(u64, u32)>,
    /// What will be the next block.
    tail: Vec<Candidate>,
}

/// What waits for one host.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Lane {
    /// What it is paced by.
    pub(crate) name: String,
    pub(crate) domain: u32,
    /// Its number among the hosts that were asked.
    pub(crate) host: Option<u16>,
    inside: BTreeMap<Rank, Candidate>,
    outside: [Outside; GRADES.len() + 1],
    pub(crate) asked: u32,
    pub(crate) wanted: u32,
    /// Nothing more is asked here.
    pub(crate) is_closed: bool,
}

/// How much of a lane may be in memory, and where the rest goes.
pub(crate) struct LaneRoom<'a> {
    pub(crate) inside: usize,
    pub(crate) many_hosts: bool,
    pub(crate) depot: &'a mut dyn Depot,
}

impl Lane {
    pub(crate) fn new(name: &str, domain: u32) -> Lane {
        Lane { name: name.to_owned(), domain, ..Lane::default() }
    }

    /// What the next one is worth.
    pub(crate) fn best(&self) -> Option<Rank> {
        self.inside.last_key_value().map(|(rank, _)| *rank)
    }

    pub(crate) fn best_candidate(&self) -> Option<&Candidate> {
        self.inside.last_key_value().map(|(_, candidate)| candidate)
    }

    pub(crate) fn inside(&self) -> usize {
        self.inside.len()
    }

    /// What waits, wherever it is.
    pub(crate) fn len(&self) -> usize {
        self.inside.len() + self.outside.iter().map(Outside::len).sum::<usize>()
    }

    /// Takes a candidate in; the least promising one goes outside if there is no room.
    pub(crate) fn push(&mut self, rank: Rank, candidate: Candidate, room: &mut LaneRoom<'_>) {
        self.inside.insert(rank, candidate);
        if self.inside.len() > room.inside
            && let Some((rank, candidate)) = self.inside.pop_first()
        {
            self.put_out(rank.worth(), candidate, room);
        }
    }

    /// Lets a candidate wait outside, though there may be room.
    pub(crate) fn put_out(&mut self, worth: f32, candidate: Candidate, room: &mut LaneRoom<'_>) {
        let outside = &mut self.outside[if candidate.is_doubtful { GRADES.len() } else { grade(worth) }];
        outside.tail.push(candidate);
        if outside.tail.len() >= if room.many_hosts { SMALL_BLOCK } else { BLOCK } {
            outside.flush(room.depot);
        }
    }

    pub(crate) fn pop_ranked(&mut self) -> Option<(Rank, Candidate)> {
        self.inside.pop_last()
    }

    /// One by its URL, if it is in memory.
    pub(crate) fn take(&mut self, url: &str) -> Option<Candidate> {
        let rank = *self.inside.iter().rev().find(|(_, candidate)| candidate.url == url)?.0;
        self.inside.remove(&rank)
    }

    /// Some that wait outside and seem better than all inside, or are all there are; with how many could not be read.
    pub(crate) fn bring_in(&mut self, depot: &mut dyn Depot) -> Option<(Vec<Candidate>, u32)> {
        let inside = self.best().map_or(GRADES.len() + 1, |rank| grade(rank.worth()));
        let best = self.outside.iter().position(|outside| outside.len() > 0).filter(|best| *best < inside)?;
        Some(self.outside[best].take(depot))
    }

    /// Carries what is outside from one place to another; what finds no room there is lost.
    pub(crate) fn carry_over(&mut self, from: &mut dyn Depot, to: &mut dyn Depot) {
        for outside in &mut self.outside {
            let carry = |(place, count): &(u64, u32)| Some((to.put(&from.get(*place)?)?, *count));
            outside.blocks = outside.blocks.iter().filter_map(carry).collect();
        }
    }

    /// Gives up all that waits; how many that were, with one of them.
    pub(crate) fn close(&mut self) -> (usize, Option<Candidate>) {
        self.is_closed = true;
        let all = self.len();
        let sample = self.pop_ranked().map(|(_, candidate)| candidate);
        self.inside = BTreeMap::new();
        self.outside = Default::default();
        (all, sample)
    }
}

impl Outside {
    fn len(&self) -> usize {
        self.tail.len() + self.blocks.iter().map(|(_, count)| *count as usize).sum::<usize>()
    }

    /// Where there is no room outside they stay in memory after all.
    fn flush(&mut self, depot: &mut dyn Depot) {
        if let Some(place) = depot.put(&stored::to_bytes(&self.tail)) {
            self.blocks.push_back((place, self.tail.len() as u32));
            self.tail = Vec::new();
        }
    }

    fn take(&mut self, depot: &mut dyn Depot) -> (Vec<Candidate>, u32) {
        let Some((place, count)) = self.blocks.pop_front() else { return (std::mem::take(&mut self.tail), 0) };
        match depot.get(place).and_then(|block| stored::from_bytes::<Vec<Candidate>>(&block)) {
            Some(candidates) => (candidates, 0),
            None => (Vec::new(), count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::candidate::NOBODY, super::depot::MemoryDepot, *};
    use tintype_vocab::{LinkKind, Mention};

    fn candidate(nth: u32) -> Candidate {
        Candidate {
            url: format!("http://e.com/{nth}"),
            kind: LinkKind::Anchor,
            mention: Mention::default(),
            depth: 1,
            hops: 0,
            from: NOBODY,
            credit: None,
            nth: 0,
            is_doubtful: false,
        }
    }

    #[test]
    fn the_best_stay_in_memory_and_all_come_back() {
        let (mut lane, mut depot) = (Lane::new("e.com", 0), MemoryDepot::default());
        let worth = |nth: u32| (nth * 7919 % 1000) as f32 / 1000.0;
        for nth in 0..1000 {
            let mut room = LaneRoom { inside: 20, many_hosts: false, depot: &mut depot };
            lane.push(Rank::of(worth(nth), nth), candidate(nth), &mut room);
        }
        assert_eq!((lane.inside(), lane.len()), (20, 1000));
        assert!(depot.len() > 20 && lane.best().unwrap().worth() > 0.95, "{lane:?}");
        let mut order = Vec::new();
        while lane.len() > 0 {
            if let Some((more, lost)) = lane.bring_in(&mut depot) {
                assert_eq!(lost, 0);
                for candidate in more {
                    let nth: u32 = candidate.url.rsplit('/').next().unwrap().parse().unwrap();
                    let mut room = LaneRoom { inside: 20, many_hosts: false, depot: &mut depot };
                    lane.push(Rank::of(worth(nth), nth), candidate, &mut room);
                }
                continue;
            }
            order.push(lane.pop_ranked().unwrap().1.url);
        }
        let distinct: std::collections::BTreeSet<&String> = order.iter().collect();
        assert_eq!((order.len(), distinct.len()), (1000, 1000));
        let grade_of = |url: &String| grade(worth(url.rsplit('/').next().unwrap().parse().unwrap()));
        let first: Vec<usize> = order.iter().take(300).map(grade_of).collect();
        assert!(first.iter().all(|grade| *grade == 0), "{first:?}");
    }
}
