//! Seven rounds of learning, each judged on the same fold H, with other lots for other seeds.

use super::{
    folds::{Folds, ROUNDS},
    players::{PLAYERS, Player, THRESHOLDS, blank},
};
use crate::{media::labelled::Labelled, parallel::side_by_side};
use tintype_quality::CONTENT_TYPES;
use tintype_quality::{Estimate, estimate};
use tintype_vocab::ContentType;

/// The content types of Table 2; fonts are applications.
pub(super) const TYPES: [ContentType; 5] =
    [ContentType::Application, ContentType::Audio, ContentType::Image, ContentType::Text, ContentType::Video];

/// URLs of one content type: said rightly, said at all, and there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Count {
    right: u32,
    said: u32,
    there: u32,
}

/// One of the numbers that are computed from a count; nothing where there is nothing to compute it from.
#[derive(Clone, Copy)]
pub(super) struct Measure {
    pub(super) name: &'static str,
    pub(super) of: fn(&Count) -> Option<f64>,
}

pub(super) const PRECISION: Measure = Measure { name: "Pr", of: |count| share(count.right, count.said) };
pub(super) const RECALL: Measure = Measure { name: "Re", of: |count| share(count.right, count.there) };
/// The harmonic mean of both.
pub(super) const F1: Measure = Measure {
    name: "F1",
    of: |count| (count.there > 0).then(|| share(2 * count.right, count.said + count.there).unwrap_or(0.0)),
};

fn share(part: u32, of: u32) -> Option<f64> {
    (of > 0).then(|| f64::from(part) / f64::from(of))
}

/// Who is asked, at which threshold: places in [`PLAYERS`] and [`THRESHOLDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) player: usize,
    pub(super) threshold: usize,
}

impl Entry {
    /// The paper's classifier at both thresholds.
    pub(super) const RULES: [Entry; 2] = [Entry { player: 0, threshold: 0 }, Entry { player: 0, threshold: 1 }];
    pub(super) const STREAM: Entry = Entry { player: 1, threshold: 0 };
    pub(super) const OURS: Entry = Entry { player: 2, threshold: 0 };

    pub(super) fn all() -> impl Iterator<Item = Entry> {
        let both = |player| (0..THRESHOLDS.len()).map(move |threshold| Entry { player, threshold });
        (0..PLAYERS.len()).flat_map(both)
    }

    pub(super) fn name(self) -> &'static str {
        PLAYERS[self.player]
    }

    pub(super) fn threshold(self) -> f32 {
        THRESHOLDS[self.threshold]
    }
}

/// By threshold and content type.
type Counts = [[Count; CONTENT_TYPES]; 2];

/// What everybody said in all rounds, for every lot.
pub(super) struct Played {
    /// By lot, round and player.
    lots: Vec<Vec<[Counts; PLAYERS.len()]>>,
    /// URLs learned after each round, and URLs of fold H.
    pub(super) known: [usize; ROUNDS],
    pub(super) judged: usize,
}

impl Played {
    pub(super) fn new(
        urls: &[Labelled<'_>],
        other: Option<&[Labelled<'_>]>,
        seeds: u64,
        run_seed: u64,
    ) -> anyhow::Result<Played> {
        let folds = |nth: u64| Folds::new(urls, other, run_seed.wrapping_add(nth));
        let lots = side_by_side(seeds, |nth| Ok(play(&folds(nth))))?;
        let first = folds(0);
        let known = std::array::from_fn(|round| first.until(round).0.len());
        Ok(Played { lots, known, judged: first.judged.len() })
    }

    /// A number of every lot that has it.
    fn values(&self, entry: Entry, class: ContentType, round: usize, measure: Measure) -> Vec<Option<f64>> {
        let count = |lot: &Vec<[Counts; PLAYERS.len()]>| lot[round][entry.player][entry.threshold][class as usize];
        self.lots.iter().map(|lot| (measure.of)(&count(lot))).collect()
    }

    pub(super) fn of(&self, entry: Entry, class: ContentType, round: usize, measure: Measure) -> Option<Estimate> {
        estimate_known(self.values(entry, class, round, measure))
    }

    /// The mean over content types, rare ones counting as much as frequent ones.
    pub(super) fn mean(&self, entry: Entry, round: usize, measure: Measure) -> Option<Estimate> {
        estimate_known(self.means(entry, round, measure))
    }

    fn means(&self, entry: Entry, round: usize, measure: Measure) -> Vec<Option<f64>> {
        let by_type = TYPES.map(|class| self.values(entry, class, round, measure));
        let mean = |lot: usize| {
            let known: Vec<f64> = by_type.iter().filter_map(|values| values[lot]).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        (0..self.lots.len()).map(mean).collect()
    }

    /// How much more one has than another after the last round, lot by lot.
    pub(super) fn gain(&self, [from, to]: [Entry; 2], class: ContentType, measure: Measure) -> Option<Estimate> {
        estimate_known(differences(
            &self.values(from, class, ROUNDS - 1, measure),
            &self.values(to, class, ROUNDS - 1, measure),
        ))
    }

    pub(super) fn mean_gain(&self, [from, to]: [Entry; 2], measure: Measure) -> Option<Estimate> {
        estimate_known(differences(&self.means(from, ROUNDS - 1, measure), &self.means(to, ROUNDS - 1, measure)))
    }

    /// How far apart a number is in the best and the worst round.
    pub(super) fn swing(&self, entry: Entry, class: ContentType, measure: Measure) -> Option<Estimate> {
        let rounds: Vec<_> = (0..ROUNDS).map(|round| self.values(entry, class, round, measure)).collect();
        let swing = |lot: usize| {
            let values: Option<Vec<f64>> = rounds.iter().map(|values| values[lot]).collect();
            let ends = values?.into_iter().fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at), high.max(at)));
            Some(ends.1 - ends.0)
        };
        estimate_known((0..self.lots.len()).map(swing).collect())
    }

    /// URLs of a content type in fold H, on average.
    pub(super) fn there(&self, class: ContentType) -> f64 {
        let there = self.lots.iter().map(|lot| f64::from(lot[0][0][0][class as usize].there));
        there.sum::<f64>() / self.lots.len() as f64
    }

    pub(super) fn lots(&self) -> usize {
        self.lots.len()
    }
}

fn play(folds: &Folds<'_>) -> Vec<[Counts; PLAYERS.len()]> {
    let mut players = blank();
    let round = |round: usize| {
        let (known, new) = folds.until(round);
        players.each_mut().map(|player| {
            player.learn(known, new);
            judge(player, &folds.judged)
        })
    };
    (0..ROUNDS).map(round).collect()
}

fn judge(player: &Player, rows: &[Labelled<'_>]) -> Counts {
    let mut counts = Counts::default();
    for row in rows {
        for (counts, says) in counts.iter_mut().zip(player.says(row.url)) {
            for (class, count) in ContentType::ALL.into_iter().zip(counts) {
                let (said, is) = (says[class as usize], row.class == class);
                count.right += u32::from(said && is);
                count.said += u32::from(said);
                count.there += u32::from(is);
            }
        }
    }
    counts
}

fn differences(from: &[Option<f64>], to: &[Option<f64>]) -> Vec<Option<f64>> {
    from.iter().zip(to).map(|(from, to)| Some((*to)? - (*from)?)).collect()
}

fn estimate_known(values: Vec<Option<f64>>) -> Option<Estimate> {
    let known: Vec<f64> = values.into_iter().flatten().collect();
    (!known.is_empty()).then(|| estimate(&known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_of_nothing_are_nothing() {
        let count = Count { right: 3, said: 4, there: 6 };
        assert_eq!([PRECISION, RECALL, F1].map(|measure| (measure.of)(&count)), [Some(0.75), Some(0.5), Some(0.6)]);
        let silent = Count { there: 2, ..Count::default() };
        assert_eq!([PRECISION, RECALL, F1].map(|measure| (measure.of)(&silent)), [None, Some(0.0), Some(0.0)]);
        assert_eq!([PRECISION, RECALL, F1].map(|measure| (measure.of)(&Count::default())), [None; 3]);
    }
}
