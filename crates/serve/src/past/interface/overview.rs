//! The first page: what needs a person, what is spent, how good the copies are, and what changed that matters.

use super::{
    Figure, Frame, Past, Reply,
    catalogue::{self, Catalogue},
    changes_item::ItemView,
    counted, minutes, person, range, rendered,
};
use crate::past::{ask::Ask, news::News, prepared::NotReady};
use askama::Template;
use std::sync::Arc;
use tintype_session::SiteStatus;
use tintype_vocab::{Time, amount::bytes};

/// Sites on the page, those that were captured or kept last.
const SITES_SHOWN: usize = 60;
/// Of these at most so many are looked at anew for one request: others are shown as they are remembered, or without figures.
const LOOKED_AT: usize = 8;
const CHANGES_SHOWN: usize = 6;
/// Days back from the last visit.
const CHANGES_DAYS: u32 = 7;

#[derive(Template)]
#[template(path = "overview.html")]
struct Overview {
    frame: Frame,
    figures: Vec<Figure>,
    budget: Option<Spent>,
    notices: Vec<person::Notice>,
    sites: Vec<SiteCard>,
    more: usize,
    items: Vec<ItemView>,
    is_reading: bool,
}

/// What was spent today of what everything may take a day.
struct Spent {
    text: String,
    requests: u64,
    percent: u64,
    is_over: bool,
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
        statuses.extend(known);
    }
    let news = News::of_days(past, CHANGES_DAYS).ok();
    is_reading |= news.is_none();
    let top = news.iter().flat_map(|news| &news.items).take(CHANGES_SHOWN);
    let page = Overview {
        figures: figures(&catalogue, &statuses),
        budget: budget(past, &statuses),
        notices: person::notices(past, &catalogue, &statuses, news.as_deref(), now),
        more: catalogue.sites.len() - cards.len(),
        sites: cards,
        items: top.map(|(number, item)| ItemView::new(*number, item, true)).collect(),
        is_reading,
        frame: Frame::new(past, ask),
    };
    let reply = rendered(200, &page)?;
    Ok(if is_reading { reply.with("Refresh", "2") } else { reply })
}

fn figures(catalogue: &Catalogue, statuses: &[Arc<SiteStatus>]) -> Vec<Figure> {
    let caught: u64 = statuses.iter().map(|status| status.caught).sum();
    let missed: f64 = statuses.iter().map(|status| status.missed.mean).sum();
    let spent: u64 = statuses.iter().map(|status| status.spent_today.requests).sum();
    let weight: u64 = statuses.iter().map(|status| status.spent_today.bytes).sum();
    let pages: usize = statuses.iter().map(|status| status.pages).sum();
    vec![
        Figure::new("Sites", catalogue.sites.len().to_string(), counted(pages as u64, "page")),
        Figure::new("Captures", catalogue.captures.len().to_string(), "with stretches of keeping"),
        Figure::new("Versions caught", caught.to_string(), format!("probably missed {missed:.0}; 7 days")),
        Figure::new("Requests today", spent.to_string(), bytes(weight)),
    ]
}

fn budget(past: &Past, statuses: &[Arc<SiteStatus>]) -> Option<Spent> {
    let settings = past.holdings.collections().map(|(number, _)| past.settings(number));
    let (text, per_day) =
        settings.filter_map(|settings| Some((settings.budget?, settings.requests_per_day?))).next()?;
    let requests: u64 = statuses.iter().map(|status| status.spent_today.requests).sum();
    let percent = (100.0 * requests as f64 / per_day.max(1.0)).round() as u64;
    Some(Spent { text, requests, percent: percent.min(100), is_over: percent > 100 })
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
            age: status.mean_age_hours.as_ref().map(|age| range(age, 1)),
            spent: format!(
                "{} in 7 days caught {}",
                counted(status.visits, "request"),
                counted(status.caught, "version")
            ),
            next: status.next.as_ref().filter(|_| status.policy.is_some()).map(|next| next.url.clone()),
        }
    }
}
