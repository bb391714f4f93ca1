//! Filter lists, asked as a browser would ask them.

use crate::page::{Element, HookedPage};
use adblock::{Engine, FilterSet, lists::ParseOptions, request::Request};

pub(super) struct Lists(Engine);

impl Lists {
    pub(super) fn new(lists: &[&str]) -> Lists {
        let mut set = FilterSet::new(false);
        for list in lists {
            set.add_filter_list((*list).to_owned(), ParseOptions::default());
        }
        Lists(Engine::new_with_filter_set(set))
    }

    /// Whether a browser with these lists would not load it. Links are asked for as if they were loaded: lists name
    /// what is behind them in the same way.
    pub(super) fn block(&self, seen: &HookedPage<'_>) -> bool {
        let kind = match seen.element {
            Element::Image => "image",
            Element::Link | Element::Text => "other",
        };
        Request::new(seen.url, seen.page, kind, "get")
            .is_ok_and(|request| self.0.check_network_request(&request).should_block())
    }
}
