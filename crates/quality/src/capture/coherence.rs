//! The moment a whole capture can be dated to.

use serde::{Deserialize, Serialize};
use tintype_vocab::Time;

/// A page is known to have been one and the same version from its first to its last visit here, both included.
///
/// Of a page visited once, that is a single moment. As everywhere, a change there and back again goes unnoticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proven {
    pub first: Time,
    pub last: Time,
}

impl Proven {
    /// Whether the page was this version during all of `[from, to]`.
    pub fn covers(self, from: Time, to: Time) -> bool {
        self.first <= from && to <= self.last
    }
}

/// What the visits to one page prove, in order of time: the runs that saw the same version.
///
/// A visit answered "not modified" saw what the visit before it saw.
pub fn proven<V: PartialEq>(visits: impl IntoIterator<Item = (Time, V)>) -> Vec<Proven> {
    let mut runs: Vec<Proven> = Vec::new();
    let mut last: Option<V> = None;
    for (at, version) in visits {
        match runs.last_mut().filter(|_| last.as_ref() == Some(&version)) {
            Some(run) => run.last = at,
            None => runs.push(Proven { first: at, last: at }),
        }
        last = Some(version);
    }
    runs
}

/// An interval during which none of the pages counted changed: the capture shows them as they were together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coherent {
    pub from: Time,
    /// Included.
    pub to: Time,
    /// Pages proven throughout.
    pub pages: u64,
    /// All pages.
    pub of: u64,
}

impl Coherent {
    /// Whether this is said of the whole capture.
    pub fn is_whole(self) -> bool {
        self.pages == self.of
    }
}

/// The interval in which most pages are proven, given what is proven of every page, in order of time.
///
/// If there is a moment at which all of them are, this is the intersection of their intervals. Of several intervals with as
/// many pages the longest is given, of those the earliest. Nothing, if nothing is proven of any page. O(n log n).
///
/// # Panics
/// If the intervals of a page overlap by more than an end, or are out of order.
pub fn coherent<P: AsRef<[Proven]>>(pages: impl IntoIterator<Item = P>) -> Option<Coherent> {
    let mut sweep = Sweep::default();
    let mut edges = Vec::new();
    for page in pages {
        let runs = page.as_ref();
        assert!(runs.iter().all(|run| run.first <= run.last), "a page is proven from its first to its last visit");
        assert!(runs.windows(2).all(|pair| pair[0].last <= pair[1].first), "a page is one version at a time");
        let number = sweep.open.len();
        sweep.open.push(0);
        edges.extend(runs.iter().flat_map(|run| [(run.first, Edge::Begin, number), (run.last, Edge::End, number)]));
    }
    edges.sort_unstable();
    edges.into_iter().for_each(|(at, edge, page)| sweep.pass(at, edge, page));
    sweep.best
}

/// Intervals are closed, so at one moment all that begins comes before all that ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Edge {
    Begin,
    End,
}

#[derive(Debug, Default)]
struct Sweep {
    /// For every page how many of its intervals are open: two at the moment where one version is taken over by the next.
    open: Vec<u8>,
    /// Pages with an open interval.
    pages: u64,
    /// The last edge passed: since then nothing has changed.
    since: Time,
    best: Option<Coherent>,
}

impl Sweep {
    fn pass(&mut self, at: Time, edge: Edge, page: usize) {
        self.offer(at);
        self.since = at;
        match edge {
            Edge::Begin => {
                self.pages += u64::from(self.open[page] == 0);
                self.open[page] += 1;
            }
            Edge::End => {
                self.open[page] -= 1;
                self.pages -= u64::from(self.open[page] == 0);
            }
        }
    }

    fn offer(&mut self, to: Time) {
        let worth = |found: &Coherent| (found.pages, found.to - found.from);
        let found = Coherent { from: self.since, to, pages: self.pages, of: self.open.len() as u64 };
        if found.pages > 0 && self.best.as_ref().is_none_or(|best| worth(best) < worth(&found)) {
            self.best = Some(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::at;
    use proptest::{collection::vec, prelude::*};

    fn runs(times: &[(i64, i64)]) -> Vec<Proven> {
        times.iter().map(|&(first, last)| Proven { first: at(first), last: at(last) }).collect()
    }

    /// Runs of at most three versions within 24 ms, sometimes one beginning where another ends.
    fn page() -> impl Strategy<Value = Vec<Proven>> {
        vec((0_i64..6, 0_i64..6), 0..=3).prop_map(|lengths| {
            let mut now = 0;
            let mut run = |(gap, length)| {
                let first = now + gap;
                now = first + length;
                (first, now)
            };
            runs(&lengths.into_iter().map(&mut run).collect::<Vec<_>>())
        })
    }

    /// Every interval of whole moments, and how many pages one run of theirs covers it.
    fn slowly(pages: &[Vec<Proven>]) -> Option<Coherent> {
        let intervals = (0..40).flat_map(|from| (from..40).map(move |to| (at(from), at(to))));
        let counted = intervals.map(|(from, to)| {
            let covered = pages.iter().filter(|page| page.iter().any(|run| run.covers(from, to))).count() as u64;
            Coherent { from, to, pages: covered, of: pages.len() as u64 }
        });
        let worth = |found: &Coherent| (found.pages, found.to - found.from, std::cmp::Reverse(found.from));
        counted.filter(|found| found.pages > 0).max_by_key(worth)
    }

    proptest! {
        #[test]
        fn no_interval_has_more_pages_or_is_longer(pages in vec(page(), 0..7)) {
            prop_assert_eq!(coherent(&pages), slowly(&pages));
        }
    }

    #[test]
    fn a_capture_is_dated_to_the_intersection() {
        let pages = [runs(&[(0, 9)]), runs(&[(2, 7)]), runs(&[(1, 3), (4, 11)])];
        let whole = coherent(&pages).unwrap();
        assert_eq!(whole, Coherent { from: at(4), to: at(7), pages: 3, of: 3 });
        assert!(whole.is_whole());
    }

    #[test]
    fn a_page_never_proven_is_counted_as_missing() {
        let most = coherent([runs(&[(0, 9)]), runs(&[]), runs(&[(9, 12)])]).unwrap();
        assert_eq!(most, Coherent { from: at(9), to: at(9), pages: 2, of: 3 });
        assert!(!most.is_whole());
        assert_eq!(coherent([runs(&[])]), None);
    }

    #[test]
    fn visits_prove_the_runs_of_the_same_version() {
        let visits = [(1, 'a'), (3, 'a'), (4, 'b'), (6, 'a'), (9, 'a')].map(|(time, version)| (at(time), version));
        assert_eq!(proven(visits), runs(&[(1, 3), (4, 4), (6, 9)]));
    }
}
