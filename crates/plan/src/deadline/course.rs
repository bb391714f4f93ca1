//! How the chance that a promise is broken rises after a crawl.

use super::Promise;
use tintype_learn::decay::Decay;
use tintype_vocab::{Span, Time};

/// Forecasts lie so many to a factor of e in time, at the most; between them chances rise in a straight line.
const APART: u32 = 10;

/// The chance, step by step after the last crawl, forecast as far as somebody asks.
pub(super) struct Course<'a> {
    promise: &'a Promise,
    decay: &'a Decay,
    last: Time,
    step: Span,
    /// Steps and the chance at them, from the crawl itself on, and the sum of chances up to there.
    known: Vec<(u32, f64, f64)>,
}

impl<'a> Course<'a> {
    pub(super) fn new(promise: &'a Promise, decay: &'a Decay, step: Span) -> Course<'a> {
        let last = decay.last().map_or(Time::MIN, |last| last.at);
        Course { promise, decay, last, step, known: vec![(0, 0.0, 0.0)] }
    }

    /// The piece of that number: from one forecast to the next. Nothing while too little is known.
    fn piece(&mut self, number: usize) -> Option<Piece> {
        while self.known.len() < number + 2 {
            let (steps, before, sum) = self.known[self.known.len() - 1];
            let next = steps.saturating_add((steps / APART).max(1));
            let at = self.last + self.step * i64::from(next);
            let chance = self.promise.broken_at(self.decay, at)?;
            let piece = Piece { from: steps, to: next, low: before, high: chance, sum };
            self.known.push((next, chance, piece.sum_to(next)));
        }
        let ((from, low, sum), (to, high, _)) = (self.known[number], self.known[number + 1]);
        Some(Piece { from, to, low, high, sum })
    }

    fn piece_of(&mut self, steps: u32) -> Option<Piece> {
        (0..).find_map(|number| match self.piece(number) {
            Some(piece) if piece.to < steps => None,
            other => Some(other),
        })?
    }

    /// The chance after so many steps.
    pub(super) fn chance(&mut self, steps: u32) -> Option<f64> {
        Some(self.piece_of(steps)?.chance(steps))
    }

    /// The average over the steps before that one and the crawl, at which the copy is right.
    pub(super) fn average_before(&mut self, steps: u32) -> Option<f64> {
        let before = steps.saturating_sub(1);
        Some(self.piece_of(before)?.sum_to(before) / f64::from(steps.max(1)))
    }

    /// The last chance that can be waited for if chances averaged over the time between crawls may come to so much.
    pub(super) fn accepted(&mut self, allowed: f64, at_most: u32) -> Option<f64> {
        let (mut accepted, at_most) = (0.0, at_most.max(2) - 1);
        for number in 0.. {
            let piece = self.piece(number)?;
            let to = piece.to.min(at_most);
            let fits = |steps: u32| piece.sum_to(steps) / (f64::from(steps) + 1.0) <= allowed;
            if !fits(to) {
                let (mut good, mut bad) = (piece.from, to);
                while bad - good > 1 {
                    let middle = good.midpoint(bad);
                    if fits(middle) { good = middle } else { bad = middle }
                }
                return Some(if good > piece.from { piece.chance(good) } else { accepted });
            }
            accepted = piece.chance(to);
            if to == at_most {
                break;
            }
        }
        Some(accepted)
    }

    /// The first step at which the chance is larger, and which no probe has shown to be well.
    pub(super) fn first_above(&mut self, chance: f64, at_most: u32) -> Option<u32> {
        let probed = self.decay.probe().map_or(Time::MIN, |probe| probe.at);
        for number in 0.. {
            let piece = self.piece(number)?;
            let passed =
                (piece.from + 1..=piece.to).take_while(|steps| self.last + self.step * i64::from(*steps) < probed);
            let from = piece.from + passed.count() as u32;
            if let Some(steps) = piece.first_above(chance, from).filter(|steps| *steps <= at_most) {
                return Some(steps);
            }
            if piece.to >= at_most {
                return None;
            }
        }
        None
    }
}

/// Chances that rise or fall in a straight line.
#[derive(Clone, Copy)]
struct Piece {
    from: u32,
    to: u32,
    low: f64,
    high: f64,
    /// Of all chances up to where it begins.
    sum: f64,
}

impl Piece {
    fn slope(self) -> f64 {
        (self.high - self.low) / f64::from(self.to - self.from).max(1.0)
    }

    fn chance(self, steps: u32) -> f64 {
        self.low + self.slope() * f64::from(steps - self.from)
    }

    fn sum_to(self, steps: u32) -> f64 {
        let count = f64::from(steps - self.from);
        self.sum + count * self.low + self.slope() * count * (count + 1.0) / 2.0
    }

    /// The first step after `from` with a larger chance.
    fn first_above(self, chance: f64, from: u32) -> Option<u32> {
        let next = from + 1;
        if next > self.to || self.chance(self.to).max(self.chance(next)) <= chance {
            return None;
        }
        if self.chance(next) > chance {
            return Some(next);
        }
        let steps = (chance - self.low) / self.slope();
        Some(self.from + (steps.floor() as u32 + 1).clamp(next - self.from, self.to - self.from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadline::sampling::tests::{DAY, learned};
    use tintype_learn::decay::Probe;
    use tintype_vocab::CopyMeasure;

    #[test]
    fn a_line_is_added_up_and_crossed_where_its_steps_are() {
        let piece = Piece { from: 10, to: 14, low: 0.2, high: 0.6, sum: 1.0 };
        assert!((piece.sum_to(14) - (1.0 + 0.3 + 0.4 + 0.5 + 0.6)).abs() < 1e-12);
        assert_eq!(piece.first_above(0.45, 10), Some(13));
        assert_eq!((piece.first_above(0.1, 10), piece.first_above(0.1, 12)), (Some(11), Some(13)));
        assert_eq!((piece.first_above(0.6, 10), piece.first_above(0.1, 14)), (None, None));
    }

    #[test]
    fn far_ahead_few_steps_are_forecast_and_every_one_can_be_asked_for() {
        let (decay, promise) = (learned(2000, 100), Promise::of(CopyMeasure::Precision, 0.9));
        let mut course = Course::new(&promise, &decay, Span::from_secs(60));
        let crossed = course.first_above(0.5, 1_000_000).unwrap();
        assert!(course.known.len() < 200, "{}", course.known.len());
        assert!(course.chance(crossed - 1).unwrap() <= 0.5 && course.chance(crossed).unwrap() > 0.5);
        let averages: Vec<f64> =
            [crossed / 2, crossed, 2 * crossed].map(|to| course.average_before(to).unwrap()).into();
        assert!(averages.is_sorted() && averages[2] < 1.0, "{averages:?}");
        let accepted = course.accepted(averages[1], 1_000_000).unwrap();
        assert!((accepted - 0.5).abs() < 0.01, "{accepted}");
        assert_eq!(course.first_above(0.5, crossed - 1), None);
    }

    #[test]
    fn what_a_probe_has_passed_is_not_waited_for() {
        let (mut decay, promise) = (learned(2000, 100), Promise::of(CopyMeasure::Precision, 0.9));
        let crossed = Course::new(&promise, &decay, DAY).first_above(0.5, 100).unwrap();
        let at = decay.last().unwrap().at + DAY * i64::from(crossed + 3);
        decay.probed(Probe { at, asked: 20, kept: 10 });
        assert_eq!(Course::new(&promise, &decay, DAY).first_above(0.5, 100), Some(crossed + 3));
    }
}
