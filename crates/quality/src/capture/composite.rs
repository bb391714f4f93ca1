//! Whether a page and what is embedded in it ever stood together: composite coherence (Ainsworth, Nelson, Van de Sompel).

use serde::{Deserialize, Serialize};
use tintype_vocab::{Digest, Time};

/// One visit to an embedded resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting {
    pub at: Time,
    pub digest: Digest,
    /// As the server says, if it does.
    pub last_modified: Option<Time>,
}

impl Sighting {
    /// When it was last modified, if that can be: nobody knows at a visit what is modified after it.
    fn modified(&self) -> Option<Time> {
        self.last_modified.filter(|&modified| modified <= self.at)
    }
}

/// What is known about the content a resource is shown with at the moment its page was visited. From best to worst: no
/// evidence is worse than proof, a change somewhere around the moment is worse than no evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CompositeVerdict {
    /// The content was there: visited at that moment, or later but not modified since.
    CoherentByOne,
    /// The content was there: visits before and after saw it.
    CoherentByBracket,
    /// Nothing says whether it was.
    Unknown,
    /// It may have been there: visits before and after saw different content, and when it changed is not known.
    Possible,
    /// It was not there: modified between the moment and the visit.
    Violation,
}

impl CompositeVerdict {
    pub const ALL: [CompositeVerdict; 5] = [
        CompositeVerdict::CoherentByOne,
        CompositeVerdict::CoherentByBracket,
        CompositeVerdict::Unknown,
        CompositeVerdict::Possible,
        CompositeVerdict::Violation,
    ];

    /// As it is written in JSON and headers.
    pub fn as_str(self) -> &'static str {
        match self {
            CompositeVerdict::CoherentByOne => "coherent-by-one",
            CompositeVerdict::CoherentByBracket => "coherent-by-bracket",
            CompositeVerdict::Unknown => "unknown",
            CompositeVerdict::Possible => "possible",
            CompositeVerdict::Violation => "violation",
        }
    }

    pub fn is_coherent(self) -> bool {
        self <= CompositeVerdict::CoherentByBracket
    }
}

/// Judges the visit to a resource that is `shown` with a page visited at `root`, by all visits to that resource, in order
/// of time; `shown` is the number of one of them.
///
/// Equal digests prove more than dates: a file touched is modified, but still the same.
///
/// # Panics
/// If visits are out of order, or `shown` is none of them.
pub fn verdict(root: Time, sightings: &[Sighting], shown: usize) -> CompositeVerdict {
    assert!(sightings.is_sorted_by_key(|sighting| sighting.at), "visits come in order of time");
    let at = sightings[shown].at;
    let modified = sightings[shown].modified();
    if at == root || (root < at && modified.is_some_and(|modified| modified <= root)) {
        return CompositeVerdict::CoherentByOne;
    }
    match (across(root, sightings, shown), modified) {
        (Some(bracket), _) if all_same(bracket) => CompositeVerdict::CoherentByBracket,
        (_, Some(modified)) if root < modified => CompositeVerdict::Violation,
        (Some(_), _) => CompositeVerdict::Possible,
        (None, _) => CompositeVerdict::Unknown,
    }
}

/// The visits from the one shown to the nearest on the other side of `root`, if there is one.
fn across(root: Time, sightings: &[Sighting], shown: usize) -> Option<&[Sighting]> {
    if sightings[shown].at < root {
        let after = sightings.partition_point(|sighting| sighting.at < root);
        sightings.get(shown..=after)
    } else {
        let before = sightings.partition_point(|sighting| sighting.at <= root).checked_sub(1)?;
        Some(&sightings[before..=shown])
    }
}

fn all_same(sightings: &[Sighting]) -> bool {
    sightings.windows(2).all(|pair| pair[0].digest == pair[1].digest)
}

/// The verdicts on all resources of a page, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Composite {
    counts: [u64; CompositeVerdict::ALL.len()],
}

impl Composite {
    pub fn count(&self, verdict: CompositeVerdict) -> u64 {
        self.counts[verdict as usize]
    }

    pub fn resources(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The page is no better than its worst resource. Without resources there is nothing to contradict it.
    pub fn worst(&self) -> Option<CompositeVerdict> {
        CompositeVerdict::ALL.into_iter().rfind(|&verdict| self.count(verdict) > 0)
    }
}

impl Extend<CompositeVerdict> for Composite {
    fn extend<I: IntoIterator<Item = CompositeVerdict>>(&mut self, verdicts: I) {
        verdicts.into_iter().for_each(|verdict| self.counts[verdict as usize] += 1);
    }
}

impl FromIterator<CompositeVerdict> for Composite {
    fn from_iter<I: IntoIterator<Item = CompositeVerdict>>(verdicts: I) -> Composite {
        let mut composite = Composite::default();
        composite.extend(verdicts);
        composite
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::at;
    use CompositeVerdict::*;

    const ROOT: i64 = 10;

    /// A visit at a time to content of a number.
    fn seen(time: i64, content: u8) -> Sighting {
        Sighting { at: at(time), digest: Digest([content; 20]), last_modified: None }
    }

    fn modified(time: i64, sighting: Sighting) -> Sighting {
        Sighting { last_modified: Some(at(time)), ..sighting }
    }

    #[test]
    fn the_table_row_by_row() {
        let rows: &[(&str, &[Sighting], usize, CompositeVerdict)] = &[
            ("visited with the page", &[seen(10, 1)], 0, CoherentByOne),
            ("visited with the page, whatever it says", &[modified(12, seen(10, 1))], 0, CoherentByOne),
            ("not modified since", &[modified(9, seen(12, 1))], 0, CoherentByOne),
            ("modified at that moment", &[modified(10, seen(12, 1))], 0, CoherentByOne),
            ("the same before and after, shown before", &[seen(8, 1), seen(12, 1)], 0, CoherentByBracket),
            ("the same before and after, shown after", &[seen(8, 1), seen(12, 1)], 1, CoherentByBracket),
            ("the same at that moment", &[seen(8, 1), seen(10, 1)], 0, CoherentByBracket),
            ("the same at that moment, shown after", &[seen(10, 1), seen(12, 1)], 1, CoherentByBracket),
            ("touched, but the same", &[seen(8, 1), modified(11, seen(12, 1))], 1, CoherentByBracket),
            ("the same over many visits", &[seen(7, 1), seen(8, 1), seen(12, 1), seen(13, 1)], 0, CoherentByBracket),
            ("modified since", &[modified(11, seen(12, 1))], 0, Violation),
            ("modified since, different before", &[seen(8, 2), modified(11, seen(12, 1))], 1, Violation),
            ("different after", &[seen(8, 1), seen(12, 2)], 0, Possible),
            ("different before", &[seen(8, 2), seen(12, 1)], 1, Possible),
            ("there and back again", &[seen(7, 1), seen(8, 2), seen(12, 1)], 0, Possible),
            ("modified after the visit is no date", &[modified(13, seen(12, 1))], 0, Unknown),
            ("modified after the page was visited, but visited before", &[modified(11, seen(8, 1))], 0, Unknown),
            ("only before", &[seen(8, 1)], 0, Unknown),
            ("only before, with a date", &[modified(3, seen(8, 1))], 0, Unknown),
            ("only after", &[seen(12, 1)], 0, Unknown),
            ("twice before", &[seen(7, 1), seen(8, 1)], 0, Unknown),
            ("twice after", &[seen(12, 1), seen(13, 1)], 0, Unknown),
        ];
        for (row, sightings, shown, expected) in rows {
            assert_eq!(verdict(at(ROOT), sightings, *shown), *expected, "{row}");
        }
    }

    #[test]
    fn a_page_is_no_better_than_its_worst_resource() {
        let composite: Composite = [CoherentByOne, Possible, CoherentByOne, Unknown].into_iter().collect();
        assert_eq!((composite.worst(), composite.resources()), (Some(Possible), 4));
        assert_eq!((composite.count(CoherentByOne), composite.count(Violation)), (2, 0));
        assert_eq!(Composite::default().worst(), None);
    }

    #[test]
    fn verdicts_are_listed_in_their_order() {
        assert!(CompositeVerdict::ALL.is_sorted());
        assert!(CompositeVerdict::ALL.iter().enumerate().all(|(place, &verdict)| place == verdict as usize));
        assert_eq!(CompositeVerdict::ALL.map(CompositeVerdict::is_coherent), [true, true, false, false, false]);
    }
}
