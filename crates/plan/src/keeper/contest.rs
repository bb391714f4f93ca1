//! The highest of many bids that grow, each as fast as it did before, without looking at all of them.
//!
//! A tournament: every match remembers which site below it bids most, and until when that holds if bids go on growing so. A
//! bid that is set anew, or a moment that has passed, makes only the matches above it be played again.

use tintype_vocab::{Span, Time};

const DAY: f64 = Span::from_days(1).as_millis() as f64;

/// What a site bid last, weighed, and how fast that grows.
#[derive(Clone, Copy, Debug)]
pub(super) struct LatestBid {
    pub(super) value: f64,
    per_day: f64,
    pub(super) at: Time,
}

impl LatestBid {
    pub(super) const NONE: LatestBid = LatestBid { value: 0.0, per_day: 0.0, at: Time::MIN };

    /// What it would bid now if it went on growing so.
    fn estimate(&self, now: Time) -> f64 {
        self.value + self.per_day * (now - self.at).as_days_f64()
    }

    pub(super) fn renew(&mut self, value: f64, now: Time) {
        let days = (now - self.at).as_days_f64();
        // It falls with a request, and says nothing then of how fast it grows.
        if days > 0.0 && value > self.value {
            self.per_day = (value - self.value) / days;
        }
        (self.value, self.at) = (value, now);
    }
}

/// Who of two sides bids most, and the first moment at which that may be another.
#[derive(Clone, Copy, Debug)]
struct Match {
    winner: Option<u32>,
    until: Time,
}

const UNPLAYED: Match = Match { winner: None, until: Time::MIN };

/// Sites that bid, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Contest {
    /// A power of two many.
    bids: Vec<Option<LatestBid>>,
    /// The final is the first; those below match `n` are `2n` and `2n + 1`, and behind the last are the bids.
    matches: Vec<Match>,
    asked: Option<Time>,
}

impl Contest {
    /// What a site bids; nothing where it takes no part.
    pub(super) fn set(&mut self, site: usize, bid: Option<LatestBid>) {
        if site >= self.bids.len() {
            self.bids.resize((site + 1).next_power_of_two().max(2), None);
            self.matches = vec![UNPLAYED; self.bids.len()];
        }
        self.bids[site] = bid;
        let mut above = (self.bids.len() + site) / 2;
        // What is above a match that has to be played has to be played as well.
        while above > 0 && self.matches[above].until != Time::MIN {
            self.matches[above] = UNPLAYED;
            above /= 2;
        }
    }

    /// The site whose bid is highest; of several the one with the lowest number.
    pub(super) fn best(&mut self, now: Time) -> Option<usize> {
        if self.bids.is_empty() {
            return None;
        }
        if self.asked.is_some_and(|asked| now < asked) {
            self.matches.fill(UNPLAYED);
        }
        self.asked = Some(now);
        self.play(1, now).winner.map(|site| site as usize)
    }

    fn play(&mut self, place: usize, now: Time) -> Match {
        if place >= self.bids.len() {
            let site = place - self.bids.len();
            let winner = self.bids[site].map(|_| site as u32);
            return Match { winner, until: Time::MAX };
        }
        if self.matches[place].until > now {
            return self.matches[place];
        }
        let sides = [self.play(2 * place, now), self.play(2 * place + 1, now)];
        self.matches[place] = self.decide(sides, now);
        self.matches[place]
    }

    fn decide(&self, [one, other]: [Match; 2], now: Time) -> Match {
        let until = one.until.min(other.until);
        let (first, second) = match (one.winner, other.winner) {
            (Some(first), Some(second)) => (first, second),
            (winner, None) | (None, winner) => return Match { winner, until },
        };
        let bid = |site: u32| self.bids[site as usize].unwrap_or(LatestBid::NONE);
        let values = [bid(first).estimate(now), bid(second).estimate(now)];
        let (winner, loser) = if values[1].total_cmp(&values[0]).is_gt() { (second, first) } else { (first, second) };
        let gains = bid(loser).per_day - bid(winner).per_day;
        if gains <= 0.0 {
            return Match { winner: Some(winner), until };
        }
        // A moment early rather than late: then it is only played once more.
        let millis = (values[0] - values[1]).abs() / gains * DAY - 1.0;
        Match { winner: Some(winner), until: until.min(now + Span::from_millis((millis as i64).max(1))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dice;

    fn highest(bids: &[Option<LatestBid>], now: Time) -> Option<usize> {
        let values = bids.iter().enumerate().filter_map(|(site, bid)| Some((bid.as_ref()?.estimate(now), site)));
        values.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map(|(_, site)| site)
    }

    #[test]
    fn the_highest_bid_is_found_as_by_looking_at_all() {
        for seed in 0..8 {
            let mut dice = Dice::new(seed, 0);
            let (mut contest, mut bids, mut now) = (Contest::default(), vec![None; 300], Time::from_secs(0));
            for step in 0..20_000 {
                let site = (dice.unit() * 300.0) as usize;
                let mut bid = bids[site].unwrap_or(LatestBid::NONE);
                bid.renew((dice.unit() * 8.0).floor() * if dice.unit() < 0.5 { 1.0 } else { dice.unit() }, now);
                bids[site] = Some(bid).filter(|_| dice.unit() < 0.8);
                contest.set(site, bids[site]);
                // A clock may be set back.
                let back = if dice.unit() < 0.01 { -1 } else { 1 };
                now += Span::from_millis(back * (dice.unit() * 100_000.0) as i64);
                assert_eq!(contest.best(now), highest(&bids, now), "seed {seed}, step {step}");
            }
        }
    }

    #[test]
    fn who_grows_faster_overtakes_without_a_word() {
        let mut contest = Contest::default();
        assert_eq!(contest.best(Time::from_secs(0)), None);
        contest.set(0, Some(LatestBid { value: 1.0, per_day: 0.0, at: Time::from_secs(0) }));
        contest.set(5, Some(LatestBid { value: 0.0, per_day: 1.0, at: Time::from_secs(0) }));
        assert_eq!([0, 86_399, 86_401].map(|now| contest.best(Time::from_secs(now))), [Some(0), Some(0), Some(5)]);
        contest.set(5, None);
        assert_eq!(contest.best(Time::from_secs(90_000)), Some(0));
    }
}
