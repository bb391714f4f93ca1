//! `/web/*/`: every visit to a page, by day, and which of them saw something new.

use super::{Past, ask::Ask, interface::Frame, links, reply::Reply};
use askama::Template;
use std::collections::BTreeMap;
use tintype_archive::{
    Error,
    holdings::{PageVersion, versions_of},
};

/// Visits that one page shows.
const SHOWN_MAX: usize = 5000;

#[derive(Template)]
#[template(path = "calendar.html")]
struct Calendar {
    frame: Frame,
    url: String,
    timemap: String,
    visits: usize,
    versions: usize,
    is_cut: bool,
    /// Latest first.
    months: Vec<Month>,
}

struct Month {
    name: String,
    days: Vec<Day>,
}

struct Day {
    name: String,
    visits: Vec<Visit>,
}

struct Visit {
    time: String,
    timestamp: String,
    url: String,
    status: String,
    is_new: bool,
}

pub(super) fn page(past: &Past, ask: &Ask, url: &str) -> Result<Reply, Error> {
    let mementos = past.holdings.mementos(url)?;
    let visits = mementos.len();
    let versions = versions_of(mementos);
    let page = Calendar {
        frame: Frame::new(past, ask),
        url: url.to_owned(),
        timemap: links::timemap(ask, url),
        visits,
        versions: versions.len(),
        is_cut: visits > SHOWN_MAX,
        months: months(&versions, visits.saturating_sub(SHOWN_MAX)),
    };
    Ok(Reply::page(if visits == 0 { 404 } else { 200 }, page.render().unwrap_or_default()))
}

fn months(versions: &[PageVersion], skip: usize) -> Vec<Month> {
    let mut days: BTreeMap<String, Vec<Visit>> = BTreeMap::new();
    let numbered = versions.iter().flat_map(|version| version.mementos.iter().enumerate());
    for (number, memento) in numbered.skip(skip) {
        let (date, time) = (memento.time.to_rfc3339_secs(), memento.time.to_timestamp14());
        let status = if memento.is_elsewhere() {
            "same".to_owned()
        } else {
            memento.line.status.clone().unwrap_or("-".to_owned())
        };
        let visit = Visit {
            time: date[11..19].to_owned(),
            timestamp: time,
            url: memento.url().to_owned(),
            status,
            is_new: number == 0,
        };
        days.entry(date[..10].to_owned()).or_default().push(visit);
    }
    let mut months: Vec<Month> = Vec::new();
    for (day, visits) in days.into_iter().rev() {
        let name = day[..7].to_owned();
        if months.last().is_none_or(|month| month.name != name) {
            months.push(Month { name, days: Vec::new() });
        }
        if let Some(month) = months.last_mut() {
            month.days.push(Day { name: day, visits });
        }
    }
    months
}
