//! The first page: what needs a person, what is spent, how good the copies are, and what changed that matters.

use super::{
    Figure, Frame, Past, Reply, age_in_words,
    catalogue::{self, Catalogue},
    changes,
    changes_item::ItemView,
    counted, minutes, person, range, rendered,
};
use crate::past::{ask::Ask, cdx::parameter, news::News, prepared::NotReady};
use askama::Template;
use std::{collections::HashMap, sync::Arc};
use tintype_session::{SiteStatus, feed::FeedItem};
use tintype_vocab::{Change, Time, amount::bytes};

/// Sites on the page, those that were captured or kept last.
const SITES_SHOWN: usize = 60;
/// Of these at most so many are looked at anew for one request: others are shown as they are remembered, or without figures.
const LOOKED_AT: usize = 8;
const CHANGES_SHOWN: usize = 6;
/// Of an item that is shown here, and characters of each.
const EDITS_SHOWN: usize = 1;
const QUOTED_MAX: usize = 140;
/// Days back from the last visit.
const CHANGES_DAYS: u32 = 7;

#[derive(Template)]
#[template(path = "overview.html")]
struct Overview {
    frame: Frame,
    figures: Vec<Figure>,
    budgets: Vec<Spent>,
    notices: Vec<person::Notice>,
    sites: Vec<SiteCard>,
    /// Whether of any site it is known which share of its versions is held.
    tells_completeness: bool,
    more: usize,
    items: Vec<TopItem>,
    reader: String,
    unread: usize,
    /// When this reader last said what was read.
    read_last: Option<String>,
    days: u32,
    is_reading: bool,
}

/// What was spent today of what everything may take a day.
struct Spent {
    /// Of which collection, if there are several.
    name: String,
    text: String,
    requests: u64,
    percent: u64,
    is_over: bool,
}

/// The weightiest change of a page, and how many others there are.
struct TopItem {
    view: ItemView,
    more: usize,
}

struct SiteCard {
    name: String,
    line: String,
    completeness: Option<Gauge>,
    age: Option<(String, String)>,
    spent: String,
    next: Option<String>,
}

/// A share with the interval it lies in, in percent of the bar.
struct Gauge {
    text: String,
    ends: String,
    mean: f64,
    low: f64,
    width: f64,
}

pub(super) fn page(past: &Arc<Past>, ask: &Ask) -> Result<Reply, NotReady> {
    let now = (past.clock)();
    let catalogue = Catalogue::get(past)?;
    let (mut cards, mut statuses, mut looked_at, mut is_reading) = (Vec::new(), Vec::new(), 0, false);
    let mut spent: HashMap<usize, u64> = HashMap::new();
    for (collection, name, latest) in catalogue.sites.iter().take(SITES_SHOWN) {
        let mut known = past.interface.statuses.known(&(*collection, name.clone()));
        if looked_at < LOOKED_AT {
            looked_at += 1;
            match catalogue::status(past, *collection, name) {
                Ok(status) => known = Some(status),
                // One wait a request: the others come with the next one.
                Err(NotReady::Yet) => (is_reading, looked_at) = (true, LOOKED_AT),
                Err(NotReady::Failed(_)) => {}
            }
        }
        cards.push(
            known.as_ref().map_or_else(|| SiteCard::unread(name, *latest), |status| SiteCard::new(status, *latest)),
        );
        if let Some(status) = &known {
            *spent.entry(*collection).or_default() += status.spent_today.requests;
        }
        statuses.extend(known);
    }
    let news = News::of_days(past, CHANGES_DAYS).ok();
    is_reading |= news.is_none();
    let parameters = ask.parameters();
    let reader: String =
        parameter(&parameters, &["reader"]).unwrap_or(changes::READER).chars().take(changes::READER_MAX).collect();
    let told = changes::told(past, &reader)?;
    let read_last = told.values().filter_map(|(_, last)| *last).max();
    let is_news = |item: &&(usize, FeedItem)| told.get(&item.0).is_none_or(|(told, _)| item.1.is_news(told));
    let weighty = |item: &&(usize, FeedItem)| item.1.importance >= f64::from(Change::IMPORTANCE_MIN);
    let unread = || news.iter().flat_map(|news| &news.items).filter(weighty).filter(is_news);
    let page = Overview {
        figures: figures(&catalogue, &statuses),
        budgets: budgets(past, &spent),
        tells_completeness: cards.iter().any(|card| card.completeness.is_some()),
        notices: person::notices(past, &catalogue, &statuses, news.as_deref(), now),
        more: catalogue.sites.len() - cards.len(),
        sites: cards,
        unread: unread().count(),
        items: top(unread()),
        read_last: read_last.map(minutes),
        reader,
        days: CHANGES_DAYS,
        is_reading,
        frame: Frame::new(past, ask),
    };
    let reply = rendered(200, &page)?;
    Ok(if is_reading { reply.with("Refresh", "2") } else { reply })
}

/// The weightiest, every page once.
fn top<'a>(items: impl Iterator<Item = &'a (usize, FeedItem)>) -> Vec<TopItem> {
    let mut top: Vec<TopItem> = Vec::new();
    for (number, item) in items {
        let is_full = top.len() >= CHANGES_SHOWN;
        match top.iter_mut().find(|known| known.view.url == item.url) {
            Some(known) => known.more += 1,
            None if !is_full => top.push(TopItem { view: ItemView::new(*number, item, true), more: 0 }),
            None => {}
        }
    }
    for item in &mut top {
        item.view.edits.truncate(EDITS_SHOWN);
        for edit in &mut item.view.edits {
            edit.before = cut(&edit.before);
            edit.after = cut(&edit.after);
        }
    }
    top
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(QUOTED_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn figures(catalogue: &Catalogue, statuses: &[Arc<SiteStatus>]) -> Vec<Figure> {
    let caught: u64 = statuses.iter().map(|status| status.caught).sum();
    let missed: Vec<f64> = statuses.iter().filter_map(|status| Some(status.missed?.mean)).collect();
    let missed = match missed.is_empty() {
        true => "in 7 days; how many were missed is not known".to_owned(),
        false => format!("in 7 days; probably missed {:.0}", missed.iter().sum::<f64>()),
    };
    let spent: u64 = statuses.iter().map(|status| status.spent_today.requests).sum();
    let weight: u64 = statuses.iter().map(|status| status.spent_today.bytes).sum();
    let pages: usize = statuses.iter().map(|status| status.pages).sum();
    vec![
        Figure::new("Sites", catalogue.sites.len().to_string(), counted(pages as u64, "page")),
        Figure::new("Captures", catalogue.captures.len().to_string(), "and stretches of keeping"),
        Figure::new("Versions caught", caught.to_string(), missed),
        Figure::new("Requests today", spent.to_string(), bytes(weight)),
    ]
}

/// Of every collection that has a budget what its own sites spent of it.
fn budgets(past: &Past, spent: &HashMap<usize, u64>) -> Vec<Spent> {
    let is_one = past.holdings.collections().count() == 1;
    let budgets = past.holdings.collections().filter_map(|(number, reading)| {
        let settings = past.settings(number);
        let (text, per_day) = (settings.budget.clone()?, settings.requests_per_day?);
        let requests = spent.get(&number).copied().unwrap_or_default();
        let percent = (100.0 * requests as f64 / per_day.max(1.0)).round() as u64;
        let name = reading.path().file_name().map_or(String::new(), |name| format!(", {}", name.to_string_lossy()));
        let name = if is_one { String::new() } else { name };
        Some(Spent { name, text, requests, percent: percent.min(100), is_over: percent > 100 })
    });
    budgets.collect()
}

impl SiteCard {
    fn unread(name: &str, latest: Time) -> SiteCard {
        SiteCard {
            name: name.to_owned(),
            line: format!("last begun {}", minutes(latest)),
            completeness: None,
            age: None,
            spent: String::new(),
            next: None,
        }
    }

    fn new(status: &SiteStatus, latest: Time) -> SiteCard {
        let pages = counted(status.pages as u64, "page");
        SiteCard {
            name: status.site.clone(),
            line: match &status.policy {
                Some(_) => format!("{pages}, watched"),
                None => format!("{pages}, captured {}", minutes(latest)),
            },
            completeness: status.completeness.as_ref().map(|completeness| {
                let (text, ends) = range(completeness, 2);
                let (low, high) = (100.0 * completeness.low, 100.0 * completeness.high);
                Gauge { text, ends, mean: 100.0 * completeness.mean, low, width: high - low }
            }),
            age: status.mean_age_hours.as_ref().map(age_in_words),
            spent: format!(
                "{} in 7 days caught {}",
                counted(status.visits, "request"),
                counted(status.caught, "version")
            ),
            next: status.next.as_ref().filter(|_| status.policy.is_some()).map(|next| next.url.clone()),
        }
    }
}
