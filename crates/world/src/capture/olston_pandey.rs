//! Olston and Pandey's order as the SHARC paper compares with it: it needs to know what happened, so it lives here.

use super::CaptureSubject;
use hashbrown::HashMap;
use tintype_plan::{Choice, Policy, View};
use tintype_vocab::{PageId, PageUrl, Time};

/// At each step the page whose blur since the capture began is largest if it is visited now: Σ (h − start) over its
/// changes so far. Late changes count more.
#[derive(Debug)]
pub struct OlstonPandey {
    start: Time,
    /// By URL key, until the page is found.
    changes: HashMap<String, Vec<Time>>,
    found: Vec<Found>,
}

#[derive(Debug)]
struct Found {
    page: PageId,
    changes: Vec<Time>,
    /// How many of them have happened, and their utility in milliseconds.
    happened: usize,
    utility: i64,
}

impl OlstonPandey {
    pub fn new(subject: &dyn CaptureSubject, start: Time) -> OlstonPandey {
        let changes = |page: u32| {
            let versions = subject.truth().page(page as usize).iter();
            let changes = versions.map(|version| version.from).filter(|at| *at >= start).collect();
            (PageUrl::new(&subject.url(page)).to_string(), changes)
        };
        OlstonPandey { start, changes: (0..subject.pages() as u32).map(changes).collect(), found: Vec::new() }
    }
}

impl Found {
    fn utility(&mut self, start: Time, now: Time) -> i64 {
        while let Some(change) = self.changes.get(self.happened).filter(|change| **change <= now) {
            self.utility += (*change - start).as_millis();
            self.happened += 1;
        }
        self.utility
    }
}

impl Policy for OlstonPandey {
    fn on_known(&mut self, page: PageId, view: &View<'_>) {
        let changes = self.changes.remove(view.pages.url(page)).unwrap_or_default();
        self.found.push(Found { page, changes, happened: 0, utility: 0 });
    }

    fn choose(&mut self, now: Time, _view: &View<'_>) -> Choice {
        let start = self.start;
        // The first of equals, as it was found: nothing has happened to most pages.
        let utilities = self.found.iter_mut().enumerate().map(|(nth, found)| (found.utility(start, now), nth));
        match utilities.max_by_key(|(utility, nth)| (*utility, std::cmp::Reverse(*nth))) {
            Some((_, nth)) => Choice::Visit(self.found.remove(nth).page),
            None => Choice::Done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        capture::{Manner, SharcTree, take},
        synthetic::Sharc,
    };
    use tintype_vocab::Span;

    #[test]
    fn the_page_that_changed_most_and_latest_comes_first() {
        let shape = Sharc { outdegree: 20, ..Sharc::default() };
        let mut site = SharcTree::new(&shape, 16, 40, 3);
        let start = Time::from_secs(3600 * 4);
        let manner = Manner {
            policy: Box::new(OlstonPandey::new(&site, start)),
            start,
            slot: Span::from_secs(3600),
            revisit: false,
            size: 16,
            told: false,
            requests_max: None,
        };
        let taken = take(&mut site, manner).unwrap();
        assert_eq!((taken.visits.len(), taken.visits[0].page), (16, 0));
        let utility = |page: u32, now: Time| -> i64 {
            let changes = site.truth().page(page as usize).iter().map(|version| version.from);
            changes.filter(|at| *at >= start && *at <= now).map(|at| (at - start).as_millis()).sum()
        };
        for (nth, visit) in taken.visits.iter().enumerate().skip(1) {
            let later = taken.visits[nth..].iter().map(|later| utility(later.page, visit.at)).max();
            assert_eq!(Some(utility(visit.page, visit.at)), later, "slot {nth}");
        }
    }
}
