//! The first page: search by URL, and what is held.

use super::{
    Past,
    ask::{Ask, archived_url},
    cdx::parameter,
    reply::Reply,
};
use askama::Template;
use std::ops::ControlFlow;
use tintype_archive::{
    Error,
    holdings::{KeyRange, MatchType},
};

/// Addresses that a search shows.
const FOUND_MAX: usize = 500;
const CAPTURES_SHOWN: usize = 50;

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    searched: Option<Searched>,
    query: String,
    captures: Vec<Row>,
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

struct Row {
    site: String,
    kind: &'static str,
    started: String,
    seed: Option<String>,
    is_open: bool,
}

pub(super) fn page(past: &Past, ask: &Ask) -> Result<Reply, Error> {
    let parameters = ask.parameters();
    let query = parameter(&parameters, &["url"]).unwrap_or_default().trim().to_owned();
    let searched = if query.is_empty() { None } else { Some(search(past, &query)?) };
    let captures = past.holdings.captures()?;
    let rows = captures.iter().rev().take(CAPTURES_SHOWN).map(|(_, info)| Row {
        site: info.head.site.clone(),
        kind: info.head.kind.as_str(),
        started: info.head.started.to_rfc3339_secs(),
        seed: info.head.seeds.first().cloned(),
        is_open: info.end.is_none(),
    });
    let page = Home { searched, query, captures: rows.collect() };
    Ok(Reply::page(200, page.render().unwrap_or_default()))
}

/// Every page whose address begins like this; of a name alone, every page of that host.
fn search(past: &Past, query: &str) -> Result<Searched, Error> {
    let url = archived_url(query);
    let is_host = url.split_once("://").is_some_and(|(_, rest)| !rest.contains(['/', '?', '*']));
    let match_type = if is_host { MatchType::Domain } else { MatchType::Prefix };
    let range = KeyRange::of_query(url.strip_suffix('*').unwrap_or(&url), Some(match_type));
    let (mut pages, mut is_cut) = (Vec::<FoundPage>::new(), false);
    past.holdings.scan(&range, |memento| {
        let (date, is_full) = (memento.time.to_rfc3339_secs(), pages.len() == FOUND_MAX);
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
