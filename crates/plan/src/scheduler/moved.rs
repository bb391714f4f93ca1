//! Sites that moved from one origin to another: from http to https, to a host with `www.` or without it.
//!
//! Pages of both origins are different pages, but where one redirects to the other nobody gains from asking for each of them
//! twice. One redirect to the same path under the same key says that an origin moved, unless pages were answered there; what
//! is linked there from then on is asked for where it is now, and so is what waits. A page that is answered there after all
//! says that it did not.

use super::Scheduler;
use crate::{PageState, authority::path_and_query, pages::Found};
use std::borrow::Cow;
use tintype_vocab::{Outcome, PageId, PageUrl, surt};

impl Scheduler {
    /// The page a URL stands for, where its site is now.
    pub(super) fn current<'u>(&self, url: &'u str) -> Cow<'u, str> {
        let url = PageUrl::new(url);
        match self.authorities.moved(url.as_str()) {
            Some(moved) => Cow::Owned(moved),
            None => url.into(),
        }
    }

    /// Takes note of whether a page was answered where it was asked for.
    pub(super) fn learn_origin(&mut self, page: PageId, outcome: &Outcome) {
        let number = self.pages.get(page).authority;
        match outcome {
            Outcome::Body { .. } | Outcome::NotModified => {
                let authority = self.authorities.get_mut(number);
                authority.has_pages = true;
                authority.moved_to = None;
            }
            Outcome::Redirected { to, .. } if !self.authorities.get(number).has_pages => {
                if let Some(to) = self.same_place(page, to) {
                    self.move_origin(number, to);
                }
            }
            _ => {}
        }
    }

    /// The origin that a redirect leads to, if it leads to the same path of the same host by another name.
    fn same_place(&mut self, page: PageId, to: &str) -> Option<u16> {
        let to = PageUrl::new(to);
        let (from, to) = (self.pages.url(page), to.as_str());
        let same = path_and_query(from) == path_and_query(to) && surt(from) == surt(to);
        let number = self.authorities.number(to).filter(|_| same)?;
        let there = self.authorities.get(number).moved_to;
        // Two that send visitors to each other moved nowhere.
        (number != self.pages.get(page).authority && there.is_none()).then_some(number)
    }

    fn move_origin(&mut self, from: u16, to: u16) {
        if self.authorities.get(from).moved_to == Some(to) {
            return;
        }
        self.authorities.set_moved(from, to);
        let waits = |info: &crate::PageInfo| info.authority == from && info.state == PageState::Waiting;
        let waiting: Vec<PageId> = self.pages.ids().filter(|page| waits(self.pages.get(*page))).collect();
        for page in waiting {
            self.move_page(page, to);
        }
    }

    /// A page that waits is asked for at the new place, unless that is known already.
    fn move_page(&mut self, page: PageId, to: u16) {
        let Some(url) = self.authorities.moved(self.pages.url(page)) else { return };
        if let Found::Known(_) = self.pages.look_up(&url) {
            self.pages.get_mut(page).state = PageState::Excluded;
            self.unanswered -= 1;
            self.waiting -= 1;
            return;
        }
        let from = self.pages.get(page).authority;
        self.pages.rename(page, &url);
        self.pages.get_mut(page).authority = to;
        if self.authorities.get(from).probe == Some(page) {
            self.authorities.get_mut(to).probe = Some(page);
        }
    }
}
