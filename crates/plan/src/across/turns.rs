//! Which hosts may be asked now, which have to be left in peace and until when, and which promise most.

use std::{cmp::Reverse, collections::BTreeSet};
use tintype_vocab::Time;

/// Hosts whose names are being looked up at once.
pub(super) const LOOKED_UP_MAX: usize = 64;
/// Hosts that are looked at for one that needs no looking up, when that many are.
const LOOKED_AT: usize = 256;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Turn {
    /// Nothing waits there.
    #[default]
    None,
    Ready,
    Waits(Time),
    /// Something is under way there.
    Busy,
    /// Nobody knows yet where its name leads.
    LookedUp,
}

/// How promising a host is: by what is best there, then by how seldom it was asked.
type Promise = (u32, Reverse<u32>, u32);

#[derive(Debug, Default)]
pub(super) struct Turns {
    turns: Vec<(Turn, Promise)>,
    ready: BTreeSet<Promise>,
    waits: BTreeSet<(Time, u32)>,
    looked_up: BTreeSet<u32>,
    /// All hosts where something waits.
    all: BTreeSet<Promise>,
}

impl Turns {
    fn set(&mut self, lane: u32, turn: Turn, promise: Promise) {
        let index = lane as usize;
        if index >= self.turns.len() {
            self.turns.resize(index + 1, (Turn::None, (0, Reverse(0), 0)));
        }
        let (before, promised) = std::mem::replace(&mut self.turns[index], (turn, promise));
        match before {
            Turn::None | Turn::Busy => {}
            Turn::Ready => _ = self.ready.remove(&promised),
            Turn::Waits(until) => _ = self.waits.remove(&(until, lane)),
            Turn::LookedUp => _ = self.looked_up.remove(&lane),
        }
        if before != Turn::None {
            self.all.remove(&promised);
        }
        match turn {
            Turn::None | Turn::Busy => {}
            Turn::Ready => _ = self.ready.insert(promise),
            Turn::Waits(until) => _ = self.waits.insert((until, lane)),
            Turn::LookedUp => _ = self.looked_up.insert(lane),
        }
        if turn != Turn::None {
            self.all.insert(promise);
        }
    }

    fn turn(&self, lane: u32) -> Turn {
        self.turns.get(lane as usize).map_or(Turn::None, |(turn, _)| *turn)
    }

    fn promise(&self, lane: u32) -> Promise {
        self.turns.get(lane as usize).map_or((0, Reverse(0), lane), |(_, promise)| *promise)
    }

    /// What is best in a lane is worth this now; nothing if the lane is empty. One that had nothing may have its turn.
    pub(super) fn promises(&mut self, lane: u32, best: Option<u32>, asked: u32) {
        match best {
            None => self.set(lane, Turn::None, (0, Reverse(0), lane)),
            Some(bits) => {
                let turn = match self.turn(lane) {
                    Turn::None => Turn::Ready,
                    turn => turn,
                };
                self.set(lane, turn, (bits, Reverse(asked), lane));
            }
        }
    }

    /// Something ended there: it may be asked, as far as that goes.
    pub(super) fn touch(&mut self, lane: u32) {
        if self.turn(lane) == Turn::Busy {
            self.set(lane, Turn::Ready, self.promise(lane));
        }
    }

    /// Those whose time has come, and those whose names may have been looked up meanwhile.
    pub(super) fn wake(&mut self, now: Time) {
        while let Some((_, lane)) = self.waits.first().copied().filter(|(until, _)| *until <= now) {
            self.set(lane, Turn::Ready, self.promise(lane));
        }
        for lane in std::mem::take(&mut self.looked_up) {
            self.set(lane, Turn::Ready, self.promise(lane));
        }
    }

    pub(super) fn waits(&mut self, lane: u32, until: Time) {
        self.set(lane, Turn::Waits(until), self.promise(lane));
    }

    pub(super) fn busy(&mut self, lane: u32) {
        self.set(lane, Turn::Busy, self.promise(lane));
    }

    pub(super) fn looked_up(&mut self, lane: u32) {
        self.set(lane, Turn::LookedUp, self.promise(lane));
    }

    /// The most promising host that may be asked. Where many names are being looked up, one whose name is known.
    pub(super) fn best(&self, is_known: impl Fn(u32) -> bool) -> Option<(u32, u32)> {
        let mut ready = self.ready.iter().rev().map(|(bits, _, lane)| (*lane, *bits));
        match self.looked_up.len() < LOOKED_UP_MAX {
            true => ready.next(),
            false => ready.take(LOOKED_AT).find(|(lane, _)| is_known(*lane)),
        }
    }

    /// Among those that may be asked, the one that was asked least.
    pub(super) fn least_asked(&self, is_known: impl Fn(u32) -> bool) -> Option<u32> {
        let few = self.looked_up.len() < LOOKED_UP_MAX;
        let ready = self.ready.iter().filter(|(_, _, lane)| few || is_known(*lane));
        ready.max_by_key(|(bits, asked, _)| (*asked, *bits)).map(|(_, _, lane)| *lane)
    }

    /// What is best of all that waits anywhere.
    pub(super) fn best_anywhere(&self) -> Option<u32> {
        self.all.last().map(|(bits, _, _)| *bits)
    }

    pub(super) fn first_wait(&self) -> Option<(Time, u32)> {
        self.waits.first().copied()
    }

    /// Hosts that have to be left in peace, whatever for.
    pub(super) fn resting(&self) -> usize {
        self.waits.len()
    }

    /// Whether something is due without anything else happening first.
    pub(super) fn awaits_more(&self) -> bool {
        !self.all.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_promising_host_that_may_be_asked_comes_first() {
        let mut turns = Turns::default();
        for (lane, bits) in [(0, 5), (1, 9), (2, 9), (3, 1)] {
            turns.promises(lane, Some(bits), lane);
        }
        assert_eq!(turns.best(|_| true), Some((1, 9)), "of two it is the one that was asked less");
        turns.waits(1, Time::from_secs(10));
        turns.busy(2);
        assert_eq!((turns.best(|_| true), turns.best_anywhere()), (Some((0, 5)), Some(9)));
        assert_eq!((turns.least_asked(|_| true), turns.first_wait()), (Some(0), Some((Time::from_secs(10), 1))));
        turns.promises(0, None, 0);
        assert_eq!(turns.best(|_| true), Some((3, 1)));
        turns.touch(2);
        assert_eq!(turns.best(|_| true), Some((2, 9)));
        turns.promises(2, None, 0);
        turns.wake(Time::from_secs(9));
        assert_eq!(turns.best(|_| true), Some((3, 1)));
        turns.wake(Time::from_secs(10));
        assert_eq!(turns.best(|_| true), Some((1, 9)));
        turns.looked_up(1);
        assert_eq!(turns.best(|_| true), Some((3, 1)));
        turns.wake(Time::from_secs(10));
        assert_eq!(turns.best(|_| true), Some((1, 9)));
    }
}
