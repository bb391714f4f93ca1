//! Search by URL.

use super::{Frame, Past, Reply, minutes, rendered};
use crate::past::{
    ask::{Ask, archived_url},
    cdx::parameter,
    prepared::NotReady,
};
use askama::Template;
use std::ops::ControlFlow;
use tintype_archive::holdings::{KeyRange, MatchType};

/// Addresses that a search shows.
const FOUND_MAX: usize = 500;

#[derive(Template)]
#[template(path = "search.html")]
struct Search {
    frame: Frame,
    searched: Option<Searched>,
    query: String,
}

struct Searched {
    pages: Vec<FoundPage>,
    is_cut: bool,
}

struct FoundPage {
    url: String,
    visits: usize,
    first: String,
    last: String,
}

pub(super) fn page(past: &Past, ask: &Ask) -> Result<Reply, NotReady> {
    let parameters = ask.parameters();
    let query = parameter(&parameters, &["url"]).unwrap_or_default().trim().to_owned();
    let searched = if query.is_empty() { None } else { Some(search(past, &query)?) };
    rendered(200, &Search { frame: Frame::new(past, ask), searched, query })
}

/// Every page whose address begins like this; of a name alone, every page of that host.
fn search(past: &Past, query: &str) -> Result<Searched, NotReady> {
    let url = archived_url(query);
    let is_host = url.split_once("://").is_some_and(|(_, rest)| !rest.contains(['/', '?', '*']));
    let match_type = if is_host { MatchType::Domain } else { MatchType::Prefix };
    let range = KeyRange::of_query(url.strip_suffix('*').unwrap_or(&url), Some(match_type));
    let (mut pages, mut is_cut) = (Vec::<FoundPage>::new(), false);
    past.holdings.scan(&range, |memento| {
        let (date, is_full) = (minutes(memento.time), pages.len() == FOUND_MAX);
        match pages.last_mut().filter(|page| page.url == memento.url()) {
            Some(page) => {
                page.visits += 1;
                page.last = date;
            }
            None if is_full => is_cut = true,
            None => pages.push(FoundPage { url: memento.url().to_owned(), visits: 1, first: date.clone(), last: date }),
        }
        if is_cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(Searched { pages, is_cut })
}
