//! Which crawls are not believed, and what makes them so in the end.

use super::Ledger;
use serde::{Deserialize, Serialize};
use tintype_vocab::{HeldBack, Span, Time};

/// An empty listing is believed once so many crawls in a row found it so, over so long a time: sites are down for hours.
const EMPTY_CRAWLS: u32 = 3;
const EMPTY_LASTS: Span = Span::from_days(1);
/// What else is doubted is believed once it is found again, but not sooner than this, or than the last two crawls that
/// were believed are apart: what is broken for minutes is broken for the second look as well.
const AGAIN_AFTER: Span = Span::from_secs(3600);
/// Two crawls say the same if their numbers differ by no more than such a part of what was there.
const ALIKE: u32 = 4;
/// A source of fewer objects may halve any day.
const SMALL: u32 = 8;
/// A source of fewer objects may be exchanged any day.
const FEW: u32 = 20;
/// Crawls from which it is known how fast a source changes.
const KNOWN_FROM: u32 = 3;
/// A source may lose its objects so much faster than ever before.
const FASTER: f64 = 5.0;
/// One object that is lost between two looks in a row says nothing of losses per day.
const PACE_OVER_MIN: Span = Span::from_secs(600);
/// Nobody pauses for so long, and so many times longer than ever before, by accident of the clock alone.
const PAUSE_MIN: Span = Span::from_days(100);
const PAUSE_LONGER: i64 = 20;

/// How a source behaved so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Habits {
    /// The longest and the latest time between two crawls.
    longest: Span,
    latest: Span,
    /// The fastest loss per day: of half the objects in a day it is ln 2.
    fastest: f64,
}

impl Habits {
    pub(super) fn learn(&mut self, gap: Option<Span>, was: u32, kept: u32) {
        let Some(gap) = gap else { return };
        self.longest = self.longest.max(gap);
        self.latest = gap;
        self.fastest = self.fastest.max(loss(gap, was, kept));
    }

    /// Nobody knows the usual distance of crawls before two were believed.
    fn again_after(&self) -> Span {
        if self.latest > Span::ZERO { AGAIN_AFTER.min(self.latest) } else { AGAIN_AFTER }
    }
}

fn loss(gap: Span, was: u32, kept: u32) -> f64 {
    let share = (f64::from(kept) + 0.5) / (f64::from(was) + 0.5);
    -share.ln() / gap.max(PACE_OVER_MIN).as_days_f64()
}

/// A crawl as a judge sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) at: Time,
    pub(super) was: u32,
    pub(super) kept: u32,
    pub(super) is: u32,
    pub(super) unread: u32,
}

/// What was not believed of the latest crawls.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Doubt {
    why: HeldBack,
    /// The first crawl in a row of which it was not.
    since: Time,
    latest: Time,
    crawls: u32,
}

impl Doubt {
    /// The doubt after one more crawl.
    fn again(before: Option<Doubt>, why: HeldBack, at: Time) -> Doubt {
        match before.filter(|before| is_alike(before.why, why)) {
            Some(before) => Doubt { why, latest: at, crawls: before.crawls.saturating_add(1), ..before },
            None => Doubt { why, since: at, latest: at, crawls: 1 },
        }
    }
}

/// Whether one crawl says what the other said. A third of a listing and a listing of strangers are two oddities, not one
/// that was found twice.
fn is_alike(one: HeldBack, other: HeldBack) -> bool {
    use HeldBack::{ClockAhead, Collapsed, Empty, Replaced};
    match (one, other) {
        (Empty, Empty) | (ClockAhead { .. }, ClockAhead { .. }) => true,
        (Collapsed { was, is: one }, Collapsed { is: other, .. })
        | (Replaced { was, kept: one }, Replaced { kept: other, .. }) => one.abs_diff(other) <= was / ALIKE,
        _ => false,
    }
}

impl Ledger {
    /// Why a crawl is not believed, if it is not; notes it for the next one.
    pub(super) fn doubts(&mut self, look: &Look) -> Option<HeldBack> {
        let why = self.odd(look)?;
        if self.is_confirmed(why, look.at) {
            return None;
        }
        self.note_doubt(why, look.at);
        Some(why)
    }

    /// Remembers a doubt until the next crawl. A clock that runs behind and a listing that cannot be read say nothing about
    /// what was doubted before.
    pub(super) fn note_doubt(&mut self, why: HeldBack, at: Time) {
        if !matches!(why, HeldBack::ClockBack { .. } | HeldBack::Incomplete { .. }) {
            self.doubt = Some(Doubt::again(self.doubt, why, at));
        }
    }

    fn odd(&self, look: &Look) -> Option<HeldBack> {
        let Look { at, was, kept, is, unread } = *look;
        let gap = self.last.map(|last| at - last);
        match self.last {
            Some(last) if at <= last => return Some(HeldBack::ClockBack { last }),
            Some(last) if self.is_long(at - last) && !self.is_after_doubt(at) => {
                return Some(HeldBack::ClockAhead { last });
            }
            _ => {}
        }
        if unread > 0 {
            Some(HeldBack::Incomplete { unread })
        } else if is == 0 && (was > 0 || self.crawls == 0) {
            Some(HeldBack::Empty)
        } else if was >= SMALL && 2 * is < was {
            Some(HeldBack::Collapsed { was, is })
        } else if was >= FEW && gap.is_some_and(|gap| self.is_fast(gap, was, kept)) {
            Some(HeldBack::Replaced { was, kept })
        } else {
            None
        }
    }

    fn is_long(&self, gap: Span) -> bool {
        gap > PAUSE_MIN && gap > self.habits.longest * PAUSE_LONGER
    }

    /// Whether another crawl already was at such a time: then it is the clock of the first ones that was wrong, or nobody's.
    fn is_after_doubt(&self, at: Time) -> bool {
        let ahead = |doubt: &Doubt| matches!(doubt.why, HeldBack::ClockAhead { .. }) && doubt.latest < at;
        self.doubt.as_ref().is_some_and(ahead)
    }

    fn is_fast(&self, gap: Span, was: u32, kept: u32) -> bool {
        let known = self.crawls >= KNOWN_FROM;
        known && 2 * kept < was && loss(gap, was, kept) > FASTER * self.habits.fastest.max(1.0 / f64::from(was))
    }

    fn is_confirmed(&self, why: HeldBack, at: Time) -> bool {
        let Some(before) = self.doubt.filter(|before| is_alike(before.why, why)) else { return false };
        let lasts = at - before.since;
        match why {
            HeldBack::Empty => before.crawls.saturating_add(1) >= EMPTY_CRAWLS && lasts >= EMPTY_LASTS,
            HeldBack::Collapsed { .. } | HeldBack::Replaced { .. } => lasts >= self.habits.again_after(),
            _ => false,
        }
    }
}
