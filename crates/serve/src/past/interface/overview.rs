//! The first page: every site that is kept, how good its copy is, and what needs a person.

use super::{Past, Reply, counted, minutes, range, rendered};
use askama::Template;
use std::collections::BTreeMap;
use tintype_archive::CaptureKind;
use tintype_session::{Error, SiteStatus};
use tintype_vocab::Time;

/// Sites on the page, those that were captured or kept last.
const SITES_SHOWN: usize = 60;
/// Of these at most so many are looked at anew for one request: others are shown as they are remembered, or without figures.
const LOOKED_AT: usize = 8;

#[derive(Template)]
#[template(path = "overview.html")]
struct Overview {
    sites: Vec<SiteCard>,
    more: usize,
    notices: Vec<Notice>,
}

struct SiteCard {
    name: String,
    lines: Vec<String>,
    next: Option<String>,
}

/// What a person should look at.
struct Notice {
    site: String,
    text: String,
}

pub(super) fn page(past: &Past) -> Result<Reply, Error> {
    let now = (past.clock)();
    let sites = latest_first(past)?;
    let (mut cards, mut notices, mut looked_at) = (Vec::new(), Vec::new(), 0);
    for (collection, name, latest) in sites.iter().take(SITES_SHOWN) {
        let Some(reading) = past.holdings.collection(*collection) else { continue };
        let mut status = past.statuses.remembered(*collection, name, now);
        if status.is_none() && looked_at < LOOKED_AT {
            looked_at += 1;
            status = Some(past.statuses.of((*collection, reading), name, now)?);
        }
        match status {
            Some(status) => {
                notices.extend(notice(&status));
                cards.push(card(&status, *latest));
            }
            None => {
                let lines = vec![format!("last begun {}", minutes(*latest))];
                cards.push(SiteCard { name: name.clone(), lines, next: None });
            }
        }
    }
    let more = sites.len() - cards.len();
    rendered(200, &Overview { sites: cards, more, notices })
}

/// The sites of all collections with the beginning of their latest capture.
fn latest_first(past: &Past) -> Result<Vec<(usize, String, Time)>, Error> {
    let mut latest: BTreeMap<(usize, String), Time> = BTreeMap::new();
    for (collection, reading) in past.holdings.collections() {
        for info in reading.captures()? {
            if matches!(info.head.kind, CaptureKind::Capture | CaptureKind::Keep | CaptureKind::Import) {
                let last = latest.entry((collection, info.head.site)).or_insert(info.head.started);
                *last = info.head.started.max(*last);
            }
        }
    }
    let mut sites: Vec<_> = latest.into_iter().map(|((collection, site), at)| (collection, site, at)).collect();
    sites.sort_by_key(|(_, _, at)| std::cmp::Reverse(*at));
    Ok(sites)
}

fn card(status: &SiteStatus, latest: Time) -> SiteCard {
    let mut lines = vec![match &status.policy {
        Some(_) => format!("{}, watched", counted(status.pages as u64, "page")),
        None => format!("{}, captured {}", counted(status.pages as u64, "page"), minutes(latest)),
    }];
    if let Some(completeness) = &status.completeness {
        let (mean, ends) = range(completeness, 2);
        lines.push(format!("completeness {mean} ({ends})"));
    }
    if let Some(age) = &status.mean_age_hours {
        let (mean, ends) = range(age, 1);
        lines.push(format!("copies {mean} h old ({ends})"));
    }
    lines.push(format!("{} in 7 days caught {}", counted(status.visits, "request"), counted(status.caught, "version")));
    let next = status.next.as_ref().filter(|_| status.policy.is_some());
    SiteCard { name: status.site.clone(), lines, next: next.map(|next| next.url.clone()) }
}

fn notice(status: &SiteStatus) -> Option<Notice> {
    let text = status.upheaval.as_ref()?.to_string();
    Some(Notice { site: status.site.clone(), text })
}
