//! Whether a phrase was on a page, visit by visit.

use super::ExcerptPart;
use crate::holdings::Memento;
use tintype_vocab::{Span, Time};

/// What a visit says of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    Present,
    Absent,
    /// The server said that there was no page, or none for us.
    NotThere,
    /// It led to another address.
    Elsewhere,
    /// What it saw is no text, not whole, or not held any more: nothing is said of it.
    Unread,
}

impl Presence {
    pub fn as_str(self) -> &'static str {
        match self {
            Presence::Present => "present",
            Presence::Absent => "absent",
            Presence::NotThere => "not-there",
            Presence::Elsewhere => "elsewhere",
            Presence::Unread => "unread",
        }
    }
}

/// Visits one after the other that say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhraseStretch {
    pub presence: Presence,
    /// Of the first and the last of them, to the second.
    pub first: Time,
    pub last: Time,
    pub visits: u64,
    /// The longest time within it in which nobody looked.
    pub longest_gap: Span,
}

/// A page, and when a phrase was on it.
#[derive(Clone, Debug)]
pub struct PhrasePage {
    pub url: String,
    pub title: String,
    /// Where it stands, in the latest version that has it.
    pub excerpt: Vec<ExcerptPart>,
    /// In the order of time, within the times that were asked about.
    pub stretches: Vec<PhraseStretch>,
}

impl PhrasePage {
    pub fn visits(&self, presence: Presence) -> u64 {
        self.stretches.iter().filter(|stretch| stretch.presence == presence).map(|stretch| stretch.visits).sum()
    }

    /// The first and the last visit that saw it.
    pub fn seen(&self) -> Option<(Time, Time)> {
        let mut seen = self.stretches.iter().filter(|stretch| stretch.presence == Presence::Present);
        let first = seen.next()?;
        Some((first.first, seen.next_back().unwrap_or(first).last))
    }
}

/// What a visit says where its body is not to be asked: nothing if it is.
pub(super) fn by_status(memento: &Memento) -> Option<Presence> {
    match memento.status() {
        Some(304) => None,
        Some(300..=399) => Some(Presence::Elsewhere),
        Some(400..) => Some(Presence::NotThere),
        _ => None,
    }
}

/// Visits, oldest first, as stretches.
pub(super) fn stretches(visits: impl Iterator<Item = (Time, Presence)>) -> Vec<PhraseStretch> {
    let mut stretches: Vec<PhraseStretch> = Vec::new();
    for (time, presence) in visits {
        match stretches.last_mut().filter(|stretch| stretch.presence == presence) {
            Some(stretch) => {
                stretch.longest_gap = stretch.longest_gap.max(time - stretch.last);
                stretch.last = time;
                stretch.visits += 1;
            }
            None => {
                stretches.push(PhraseStretch { presence, first: time, last: time, visits: 1, longest_gap: Span::ZERO });
            }
        }
    }
    stretches
}
