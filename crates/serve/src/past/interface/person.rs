//! What needs a person: sites that fail, refuse or were rebuilt, captures that did not come to their end, a disk that is full.

use super::{Past, catalogue::Catalogue, counted};
use crate::past::{Subscription, news::NewsList};
use std::{collections::BTreeMap, path::Path, sync::Arc};
use tintype_archive::{CaptureKind, Outbox};
use tintype_session::{SiteStatus, feed::PageEventKind};
use tintype_vocab::{Span, Time, amount::bytes};

/// Pages of a site that fail or refuse at once before somebody is told.
const PAGES_MIN: usize = 3;
/// A capture that has not ended is told of after so long.
const UNENDED: Span = Span::from_days(1);

/// A message that its receiver did not take so often is told of.
const ATTEMPTS_MIN: u32 = 3;

/// What a person should look at, and where.
pub(super) struct Notice {
    pub(super) name: String,
    pub(super) address: String,
    pub(super) text: String,
}

impl Notice {
    fn of_site(site: &str, text: String) -> Notice {
        let address = format!("/site/{}", super::encoded(site).replace('+', "%20"));
        Notice { name: site.to_owned(), address, text }
    }
}

pub(super) fn notices(
    past: &Past,
    catalogue: &Catalogue,
    statuses: &[Arc<SiteStatus>],
    news: Option<&NewsList>,
    now: Time,
) -> Vec<Notice> {
    let mut notices = Vec::new();
    for status in statuses {
        notices.extend(status.upheaval.as_ref().map(|upheaval| Notice::of_site(&status.site, upheaval.to_string())));
    }
    notices.extend(news.into_iter().flat_map(failing));
    notices.extend(unended(catalogue, now));
    for (number, reading) in past.holdings.collections() {
        let complaint = past.file.as_ref().and_then(|file| file.complaint(number));
        let live = |text| Notice { name: "keeping".to_owned(), address: "/live".to_owned(), text };
        notices.extend(complaint.map(live));
        notices.extend(undelivered(reading.path(), &past.settings(number).subscriptions));
        if let Some(room) = reading.room().filter(|room| room.free < 2 * room.usually_kept()) {
            let text = format!(
                "{} are free on its disk; below {} nothing is captured",
                bytes(room.free),
                bytes(room.usually_kept())
            );
            notices.push(Notice { name: reading.path().display().to_string(), address: "/live".to_owned(), text });
        }
    }
    notices
}

/// Messages of changes that their receivers did not take; of rules that were taken back none is tried again.
fn undelivered(collection: &Path, rules: &[Subscription]) -> Option<Notice> {
    let is_tried = |name: &str| rules.iter().any(|rule| rule.name == name);
    let waiting = Outbox::waiting(collection).ok()?;
    let late: Vec<_> =
        waiting.iter().filter(|message| message.attempts >= ATTEMPTS_MIN && is_tried(&message.rule)).collect();
    let text = format!("{} could not be delivered, and are tried again", counted(late.len() as u64, "message"));
    (!late.is_empty()).then(|| Notice { name: "told of changes".to_owned(), address: "/subscribe".to_owned(), text })
}

/// Sites of which several pages fail or are refused, as of their last visit.
fn failing(news: &NewsList) -> Vec<Notice> {
    let mut pages: BTreeMap<(&str, PageEventKind), usize> = BTreeMap::new();
    for (_, item) in news.items.iter().filter(|(_, item)| item.over.is_none()) {
        if matches!(item.kind, PageEventKind::Failing | PageEventKind::Refused) {
            *pages.entry((&item.site, item.kind)).or_default() += item.pages.len();
        }
    }
    let told = pages.into_iter().filter(|(_, pages)| *pages >= PAGES_MIN).map(|((site, kind), pages)| {
        let pages = counted(pages as u64, "page");
        let what = match kind {
            PageEventKind::Failing => format!("{pages} cannot be had since the last visits"),
            _ => format!("{pages} are refused: a log-in, a wall, or the crawler is not wanted"),
        };
        Notice::of_site(site, what)
    });
    told.collect()
}

/// The latest capture of a site that should have ended, or ended because nobody answered.
fn unended(catalogue: &Catalogue, now: Time) -> Vec<Notice> {
    let latest = catalogue.sites.iter().filter_map(|(_, site, _)| {
        let info = catalogue.captures_of(site).rev().find(|info| info.head.kind == CaptureKind::Capture)?;
        let ending =
            info.end.as_ref().map(|end| end.get("ending").and_then(|ending| ending.as_str()).unwrap_or_default());
        let text = match ending {
            None if now - info.head.started > UNENDED => {
                "its last capture was never ended; tintype capture goes on with it"
            }
            Some("unreachable") => "it stopped answering during its last capture",
            Some("cut-short") => "its last capture was cut short; tintype capture goes on with it",
            _ => return None,
        };
        Some(Notice::of_site(site, text.to_owned()))
    });
    latest.take(20).collect()
}
