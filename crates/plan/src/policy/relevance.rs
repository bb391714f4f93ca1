//! Relevance: round after round over all pages, in the order of their PageRank (Cho, Garcia-Molina, Page 1998).

use super::{by_list::Listing, by_urgency::read_links, view::View};
use crate::page_rank::PageRank;
use tintype_vocab::{Observation, PageId, Time};

#[derive(Debug, Default)]
pub(super) struct Relevance {
    ranks: PageRank,
}

impl Listing for Relevance {
    saves!(ranks);

    fn list(&mut self, pages: &[(PageId, Time)], _now: Time, _view: &View<'_>) -> Vec<f64> {
        pages.iter().map(|(page, _)| self.ranks.weight(*page)).collect()
    }

    fn on_visit(&mut self, page: PageId, observation: &Observation, view: &View<'_>) {
        read_links(&mut self.ranks, page, observation, view);
    }
}
