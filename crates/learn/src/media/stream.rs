//! Frequent patterns of URIs with their media types, mined in one pass and fixed memory.
//!
//! What Umbrich, Karnstedt and Harth (2009) announced and never measured. Every URI is taken apart into its patterns
//! ([`PatternKind`]), each is counted with the media types it came with, and every count says how far it may be wrong. Counts fade:
//! after so many URIs everything counts half. Beside the whole, stretches of the stream are kept apart, the older the longer.
//!
//! The memory is given, can be given or taken while running, and is taken whole at once.

mod batch;
mod budget;
mod cell;
mod mixture;
mod patterns;
mod saved;
mod shown;
mod stretches;
mod table;
mod template;
mod texts;

use self::{
    batch::Batch,
    budget::Shares,
    cell::Cell,
    mixture::Mixture,
    patterns::{PATTERNS_MAX, Pattern, Patterns},
    saved::Saved,
    stretches::Stretches,
    table::Table,
    texts::{Shown, Texts},
};
use super::{
    MediaAnswer, Model, Sight,
    names::{NameId, Names},
};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use tintype_vocab::{ContentType, MediaRange};

pub use self::{
    budget::{BUDGET_MAX, BUDGET_MIN},
    patterns::PatternKind,
    shown::Frequent,
};

/// URIs after which everything counts half, unless said otherwise.
const HALF_LIFE: u64 = 1 << 20;
/// Half-lives that are possible. Below, whole batches would fade away; above, counters could overflow.
const HALF_LIVES: std::ops::RangeInclusive<u64> = 1_024..=1 << 30;
/// A pattern seen so often with one type in one batch gets a text.
const TEXT_AT: u32 = 3;
/// And so does one in so many of all that are seen for the first time in a batch.
const TEXT_ONE_IN: u64 = 1_024;

/// How all patterns of a URL read.
pub fn patterns_of(url: &str) -> Vec<String> {
    let patterns = Patterns::of(url);
    patterns.iter().map(|pattern| patterns.text(pattern)).collect()
}

/// A miner of patterns.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Saved", into = "Saved")]
pub struct Stream {
    budget: usize,
    half_life: u64,
    /// URIs ever seen.
    seen: u64,
    names: Names,
    /// What came since the last fold. It is in none of the others.
    batch: Batch,
    /// All of the stream before, faded.
    whole: Table,
    stretches: Stretches,
    texts: Texts,
}

/// How far the counts of a [`Stream`] may be wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guarantee {
    /// How many URIs the whole stream counts for, faded as it is.
    pub uris: u32,
    /// No count is too high by more than this, and no pattern seen more often is missing.
    pub occurrences: u32,
    /// The same on average, over the hashes that patterns can have.
    pub mean_occurrences: f32,
}

impl Stream {
    /// Knows nothing, and takes this many bytes ([`BUDGET_MIN`] at least).
    pub fn new(budget: usize) -> Stream {
        let budget = budget.clamp(BUDGET_MIN, BUDGET_MAX);
        let names = Names::default();
        let shares = shares(budget, &names);
        Stream {
            budget,
            half_life: HALF_LIFE,
            seen: 0,
            names,
            batch: Batch::new(shares.batch_slots),
            whole: Table::new(shares.whole_sets),
            stretches: Stretches::new(shares.stretch_sets),
            texts: Texts::new(shares.text_sets),
        }
    }

    /// Everything counts half whenever so many URIs have passed.
    pub fn halving_every(mut self, uris: u64) -> Stream {
        self.half_life = uris.clamp(*HALF_LIVES.start(), *HALF_LIVES.end());
        self
    }

    /// Takes another amount of memory from now on, at once. The most frequent patterns stay, and their bounds.
    pub fn set_budget(&mut self, budget: usize) {
        self.fold();
        self.budget = budget.clamp(BUDGET_MIN, BUDGET_MAX);
        let shares = shares(self.budget, &self.names);
        self.whole.resize(shares.whole_sets);
        self.stretches.resize(shares.stretch_sets);
        self.texts = self.texts.resized(shares.text_sets, |key| weight(&self.whole, &self.batch, key));
        self.batch = Batch::new(shares.batch_slots);
    }

    pub fn budget(&self) -> usize {
        self.budget
    }

    /// URIs seen in all.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    pub fn guarantee(&self) -> Guarantee {
        let any = Patterns::of("").iter().next().and_then(|any| self.cell(any.key));
        let (mut count, mut sum, mut highest) = (0u64, 0u64, 0);
        for floor in self.whole.floors() {
            (count, sum, highest) = (count + 1, sum + u64::from(floor), floor.max(highest));
        }
        Guarantee {
            uris: any.map_or(0, |any| any.count()),
            occurrences: highest,
            mean_occurrences: sum as f32 / count as f32,
        }
    }

    /// The stretches that are kept apart, oldest first, by the numbers of their URIs.
    pub fn stretches(&self) -> impl Iterator<Item = Range<u64>> {
        self.stretches.iter().map(|stretch| stretch.uris.clone())
    }

    /// Takes in what another miner knows. Stretches stay as they are: time is this stream's own.
    pub fn merge(&mut self, other: &Stream) {
        self.fold();
        let numbers: Vec<Option<NameId>> = other.names.iter().map(|(_, name)| self.names.intern(name)).collect();
        let number = |theirs: NameId| numbers[usize::from(theirs.0)];
        self.whole.merge(&other.whole, |cell| cell.renumbered(number));
        for (key, media_type, times) in other.batch.iter() {
            self.whole.see(key, media_type.and_then(number), times);
        }
        other.texts.iter().for_each(|shown| self.texts.keep(shown, |key| weight(&self.whole, &self.batch, key)));
        self.seen += other.seen;
        self.stretches.newest(self.seen);
    }

    /// Moves what came since the last time to where it is kept.
    fn fold(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        let newest = self.stretches.newest(self.seen);
        for chunk in self.batch.chunks() {
            chunk.clone().for_each(|(key, ..)| self.whole.warm(key));
            for (key, media_type, times) in chunk {
                self.whole.see(key, media_type, times);
                newest.see(key, media_type, times);
            }
        }
        self.batch.clear();
    }

    /// What is known of a pattern in all of the stream.
    fn cell(&self, key: u64) -> Option<Cell> {
        match self.batch.get(key) {
            Some(new) => Some(self.whole.widened(key, new, Cell::clone)),
            None => self.whole.get(key).copied(),
        }
    }

    /// Of a pattern that is seen again and again, and of a few that are not, what it looks like is remembered.
    fn remember(&mut self, patterns: &Patterns<'_>, pattern: Pattern, times: u32) {
        let draw = pattern.key ^ self.seen.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let is_drawn = times == 1 && draw.is_multiple_of(TEXT_ONE_IN);
        if (times != TEXT_AT && !is_drawn) || self.texts.has(pattern.key) {
            return;
        }
        let domain = if pattern.kind.is_of_domain() { patterns.domain().to_lowercase() } else { String::new() };
        let text = patterns.text(pattern);
        let shown = Shown { key: pattern.key, kind: pattern.kind, text: &text, domain: &domain };
        self.texts.keep(shown, |key| weight(&self.whole, &self.batch, key));
    }

    fn mixture(&self, url: &str) -> Mixture {
        let patterns = Patterns::of(url);
        // What all URIs have in common says nothing of one.
        let telling = patterns.iter().filter(|pattern| pattern.kind != PatternKind::Any);
        Mixture::of(telling.filter_map(|pattern| self.cell(pattern.key)))
    }
}

impl Model for Stream {
    fn learn(&mut self, sight: &Sight<'_>, answer: &MediaAnswer<'_>) {
        let patterns = Patterns::of(sight.url);
        let media_type = self.names.intern(answer.media_type);
        if self.batch.is_full(PATTERNS_MAX) {
            self.fold();
        }
        self.seen += 1;
        for pattern in patterns.iter() {
            let times = self.batch.see(pattern.key, media_type);
            if times == TEXT_AT || times == 1 {
                self.remember(&patterns, pattern, times);
            }
        }
        if self.seen.is_multiple_of(self.half_life) {
            self.fold();
            self.whole.halve();
        }
    }

    fn content_types(&self, sight: &Sight<'_>) -> [f32; ContentType::ALL.len()] {
        let mixture = self.mixture(sight.url);
        let mut chances = [0.0; ContentType::ALL.len()];
        for (media_type, content_type) in self.names.content_types() {
            chances[content_type as usize] += mixture.chance(media_type);
        }
        chances
    }

    fn chance(&self, sight: &Sight<'_>, wanted: &MediaRange) -> f32 {
        let mixture = self.mixture(sight.url);
        self.names.within(wanted).map(|media_type| mixture.chance(media_type)).sum()
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.names.bytes()
            + self.batch.bytes()
            + self.whole.bytes()
            + self.stretches.bytes()
            + self.texts.bytes()
    }
}

fn shares(budget: usize, names: &Names) -> Shares {
    Shares::of(budget, size_of::<Stream>() + names.bytes())
}

/// How often a pattern may have been seen.
fn weight(whole: &Table, batch: &Batch, key: u64) -> u32 {
    let counts = [whole.get(key).copied(), batch.get(key)].map(|cell| cell.map_or(0, |cell| cell.count()));
    counts[0].saturating_add(counts[1])
}

#[cfg(test)]
mod tests;
