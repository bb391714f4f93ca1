//! Pages that are something else than their server said.

use crate::amount::counted;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use tintype_archive::{CaptureInfo, Reading};
use tintype_vocab::{Entry, Observation, Outcome, PageId, Purpose};

/// Pairs of media types that are told apart; a hostile server can name as many as it likes.
const PAIRS_MAX: usize = 64;
/// Pages named of each pair.
const EXAMPLES: usize = 3;

/// How many there are, and of which sort.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Mislabelled {
    pages: u64,
    /// Of how many pages something was said at all.
    of: u64,
    /// The most frequent first.
    pairs: Vec<Pair>,
    /// Pages of pairs beyond the number that is told apart.
    #[serde(skip_serializing_if = "is_none")]
    of_other_pairs: u64,
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Pair {
    served: String,
    found: String,
    pages: u64,
    examples: Vec<String>,
}

impl Mislabelled {
    /// Those of a capture, if it has any.
    pub(super) fn of(reading: &Reading, capture: &CaptureInfo) -> anyhow::Result<Option<Mislabelled>> {
        let mut tally = Tally::default();
        for entry in reading.entries(&capture.id)? {
            if let Entry::Observation(seen) = entry? {
                tally.hear(&seen);
            }
        }
        Ok(tally.finish())
    }

    /// In rows of a label and a sentence.
    pub(super) fn rows(&self) -> Vec<(&'static str, String)> {
        let what = format!("{} of {} are something else than the server said", self.pages, counted(self.of, "page"));
        let pairs = self.pairs.iter().map(|Pair { served, found, pages, examples }| {
            let examples = examples.join(" ");
            format!("{}: {served} was said, {found} is there, as at {examples}", counted(*pages, "page"))
        });
        let others = Some(self.of_other_pairs).filter(|pages| *pages > 0);
        let others = others.map(|pages| format!("{}: other pairs, too many to name", counted(pages, "page")));
        std::iter::once(what).chain(pairs).chain(others).map(|sentence| ("mislabelled", sentence)).collect()
    }
}

/// What was heard so far; a page counts once, as it was seen first.
#[derive(Debug, Default)]
struct Tally {
    heard: HashSet<PageId>,
    pairs: BTreeMap<(String, String), Pair>,
    wrong: u64,
    of_other_pairs: u64,
}

impl Tally {
    fn hear(&mut self, seen: &Observation) {
        let is_page =
            seen.purpose != Purpose::Robots && matches!(seen.outcome, Outcome::Body { .. } | Outcome::NotModified);
        let Some(served) = seen.media_type.as_ref().filter(|_| is_page) else { return };
        if !self.heard.insert(seen.page) {
            return;
        }
        if let Some(found) = &seen.sniffed {
            self.wrong += 1;
            self.note(served, found, &seen.url);
        }
    }

    fn note(&mut self, served: &str, found: &str, url: &str) {
        let key = (served.to_owned(), found.to_owned());
        if self.pairs.len() >= PAIRS_MAX && !self.pairs.contains_key(&key) {
            self.of_other_pairs += 1;
            return;
        }
        let (served, found) = key.clone();
        let pair = self.pairs.entry(key).or_insert(Pair { served, found, pages: 0, examples: Vec::new() });
        pair.pages += 1;
        if pair.examples.len() < EXAMPLES {
            pair.examples.push(url.to_owned());
        }
    }

    fn finish(self) -> Option<Mislabelled> {
        let Tally { heard, pairs, wrong, of_other_pairs } = self;
        let mut pairs: Vec<Pair> = pairs.into_values().collect();
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.pages));
        (wrong > 0).then_some(Mislabelled { pages: wrong, of: heard.len() as u64, pairs, of_other_pairs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::{Request, SiteId, Time};

    fn seen(page: u32, served: &str, found: Option<&str>) -> Observation {
        let (page, url, purpose) = (PageId(page), format!("http://h/{page}"), Purpose::Visit);
        let request = Request { site: SiteId(0), page, url, purpose, attempt: 0, rate: Default::default() };
        Observation {
            media_type: Some(served.to_owned()),
            sniffed: found.map(str::to_owned),
            ..Observation::of(&request, Time::default(), Time::default(), Outcome::Body { status: 200 })
        }
    }

    #[test]
    fn pages_are_counted_once_and_by_pair() {
        let mut tally = Tally::default();
        for page in 0..4 {
            tally.hear(&seen(page, "image/jpeg", Some("text/html")));
            tally.hear(&seen(page, "image/jpeg", Some("text/html")));
        }
        tally.hear(&seen(4, "text/plain", Some("image/png")));
        tally.hear(&seen(5, "text/html", None));
        let found = tally.finish().unwrap();
        assert_eq!((found.pages, found.of), (5, 6));
        assert_eq!((found.pairs[0].pages, found.pairs[0].examples.len()), (4, EXAMPLES));
        let rows: Vec<String> = found.rows().into_iter().map(|(_, sentence)| sentence).collect();
        assert_eq!(rows[0], "5 of 6 pages are something else than the server said");
        assert_eq!(rows[2], "1 page: text/plain was said, image/png is there, as at http://h/4");
    }

    #[test]
    fn nothing_is_said_where_servers_are_right() {
        let mut tally = Tally::default();
        tally.hear(&seen(0, "text/html", None));
        assert_eq!(tally.finish(), None);
    }

    #[test]
    fn a_server_that_names_everything_differently_costs_little() {
        let mut tally = Tally::default();
        (0..500).for_each(|page| tally.hear(&seen(page, &format!("x/{page}"), Some("text/html"))));
        let found = tally.finish().unwrap();
        assert_eq!((found.pairs.len(), found.of_other_pairs), (PAIRS_MAX, 500 - PAIRS_MAX as u64));
    }
}
