//! Pages never seen, in the order they became known: the first version of a page is there for certain and nobody has it.

use super::view::View;
use crate::PageState;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use tintype_vocab::PageId;

/// Pages at either end that are looked at.
const LOOK: usize = 8;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Newcomers(VecDeque<PageId>);

impl Newcomers {
    pub(super) fn push(&mut self, page: PageId) {
        self.0.push_back(page);
    }

    /// Those that may be visited, the one known longest and the latest, as far as a look at both ends tells: most of those
    /// in between may have been seen since, or asked for in vain.
    pub(super) fn ends(&self, view: &View<'_>, is_seen: impl Fn(PageId) -> bool) -> impl Iterator<Item = PageId> {
        let waits = |page: &PageId| !is_seen(*page) && view.pages.get(*page).state == PageState::Waiting;
        let (oldest, latest) =
            (self.0.iter().take(LOOK).copied().find(waits), self.0.iter().rev().take(LOOK).copied().find(waits));
        oldest.into_iter().chain(latest.filter(|latest| Some(*latest) != oldest))
    }

    /// The one worth most of those at either end that may be visited and that nobody has seen; of several, the one known
    /// longest.
    pub(super) fn best(
        &mut self,
        view: &View<'_>,
        is_seen: impl Fn(PageId) -> bool,
        worth: impl Fn(PageId) -> f64,
    ) -> Option<(f64, PageId)> {
        let waits = |page: PageId| !is_seen(page) && view.pages.get(page).state == PageState::Waiting;
        while self.0.front().is_some_and(|page| !waits(*page)) {
            self.0.pop_front();
        }
        while self.0.back().is_some_and(|page| !waits(*page)) {
            self.0.pop_back();
        }
        let ends =
            self.0.iter().take(LOOK).chain(self.0.iter().rev().take(LOOK.min(self.0.len().saturating_sub(LOOK))));
        let waiting = ends.copied().filter(|page| waits(*page)).map(|page| (worth(page), page));
        waiting.reduce(|best, next| if next.0 > best.0 { next } else { best })
    }

    /// One of those at either end is visited.
    pub(super) fn take_out(&mut self, page: PageId) {
        let from_front = self.0.iter().take(LOOK).position(|other| *other == page);
        let from_back = || self.0.iter().rev().take(LOOK).position(|other| *other == page);
        let place = from_front.or_else(|| from_back().map(|place| self.0.len() - 1 - place));
        place.map(|place| self.0.remove(place));
    }

    /// The one known longest that may be visited and that nobody has seen to meanwhile.
    pub(super) fn next(&mut self, view: &View<'_>, is_seen: impl Fn(PageId) -> bool) -> Option<PageId> {
        let waits = |page: PageId| view.pages.get(page).state == PageState::Waiting;
        std::iter::from_fn(|| self.0.pop_front()).find(|page| !is_seen(*page) && waits(*page))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PageInfo, Pages};
    use tintype_vocab::Time;

    #[test]
    fn the_page_that_is_worth_most_comes_first_and_the_oldest_of_equals() {
        let mut pages = Pages::default();
        let mut newcomers = Newcomers::default();
        for nth in 0..40 {
            newcomers.push(pages.add_unlisted(&format!("http://e.com/{nth}"), PageInfo::waiting(1)));
        }
        let view = View::of(&pages, Time::from_secs(0));
        let best =
            |newcomers: &mut Newcomers, worth: fn(PageId) -> f64| newcomers.best(&view, |page| page.0 == 0, worth);
        assert_eq!(best(&mut newcomers, |_| 0.5), Some((0.5, PageId(1))));
        assert_eq!(best(&mut newcomers, |page| f64::from(page.0)), Some((39.0, PageId(39))));
        newcomers.take_out(PageId(39));
        assert_eq!(best(&mut newcomers, |page| f64::from(page.0)), Some((38.0, PageId(38))));
    }

    #[test]
    fn a_page_that_was_asked_for_in_vain_is_no_newcomer_any_more() {
        let mut pages = Pages::default();
        let mut newcomers = Newcomers::default();
        let page = pages.add_unlisted("http://e.com/sitemap.xml", PageInfo::waiting(1));
        newcomers.push(page);
        assert!(newcomers.ends(&View::of(&pages, Time::from_secs(0)), |_| false).eq([page]));
        pages.get_mut(page).state = PageState::Visited;
        assert_eq!(newcomers.ends(&View::of(&pages, Time::from_secs(0)), |_| false).count(), 0);
    }
}
