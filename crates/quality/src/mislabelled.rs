//! Pages that are something else than their server said.

use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use tintype_vocab::{Observation, Outcome, PageId, Purpose};

/// Pairs of media types that are told apart; a hostile server can name as many as it likes.
const PAIRS_MAX: usize = 64;
/// Pages named of each pair.
const EXAMPLES: usize = 3;

/// How many there are, and of which sort.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Mislabelled {
    pub pages: u64,
    /// Of how many pages something was said at all.
    pub of: u64,
    /// The most frequent first.
    pub pairs: Vec<MislabelledPair>,
    /// Pages of pairs beyond the number that is told apart.
    #[serde(skip_serializing_if = "is_none")]
    pub of_other_pairs: u64,
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Pages that were served as one media type and are another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MislabelledPair {
    pub served: String,
    pub found: String,
    pub pages: u64,
    pub examples: Vec<String>,
}

/// What was seen so far; a page counts once, as it was seen first.
#[derive(Debug, Default)]
pub struct MislabelledTally {
    seen_pages: HashSet<PageId>,
    pairs: BTreeMap<(String, String), MislabelledPair>,
    wrong: u64,
    of_other_pairs: u64,
}

impl MislabelledTally {
    pub fn observe(&mut self, seen: &Observation) {
        let is_page =
            seen.purpose != Purpose::Robots && matches!(seen.outcome, Outcome::Body { .. } | Outcome::NotModified);
        let Some(served) = seen.media_type.as_ref().filter(|_| is_page) else { return };
        if !self.seen_pages.insert(seen.page) {
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
        let pair = self.pairs.entry(key).or_insert(MislabelledPair { served, found, pages: 0, examples: Vec::new() });
        pair.pages += 1;
        if pair.examples.len() < EXAMPLES {
            pair.examples.push(url.to_owned());
        }
    }

    pub fn finish(self) -> Option<Mislabelled> {
        let MislabelledTally { seen_pages, pairs, wrong, of_other_pairs } = self;
        let mut pairs: Vec<MislabelledPair> = pairs.into_values().collect();
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.pages));
        (wrong > 0).then_some(Mislabelled { pages: wrong, of: seen_pages.len() as u64, pairs, of_other_pairs })
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
        let mut tally = MislabelledTally::default();
        for page in 0..4 {
            tally.observe(&seen(page, "image/jpeg", Some("text/html")));
            tally.observe(&seen(page, "image/jpeg", Some("text/html")));
        }
        tally.observe(&seen(4, "text/plain", Some("image/png")));
        tally.observe(&seen(5, "text/html", None));
        let found = tally.finish().unwrap();
        assert_eq!((found.pages, found.of), (5, 6));
        assert_eq!((found.pairs[0].pages, found.pairs[0].examples.len()), (4, EXAMPLES));
    }

    #[test]
    fn nothing_is_said_where_servers_are_right() {
        let mut tally = MislabelledTally::default();
        tally.observe(&seen(0, "text/html", None));
        assert_eq!(tally.finish(), None);
    }

    #[test]
    fn a_server_that_names_everything_differently_costs_little() {
        let mut tally = MislabelledTally::default();
        (0..500).for_each(|page| tally.observe(&seen(page, &format!("x/{page}"), Some("text/html"))));
        let found = tally.finish().unwrap();
        assert_eq!((found.pairs.len(), found.of_other_pairs), (PAIRS_MAX, 500 - PAIRS_MAX as u64));
    }
}
