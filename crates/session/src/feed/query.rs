//! What a reader wants to know, and the answer.

use super::{
    event::{PageEvent, PageEventKind},
    fold::EventLog,
    group,
    item::{FeedItem, ItemPage},
    judge::EventJudge,
    weight::{SiteLinks, Traffic},
};
use crate::Error;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use tintype_archive::Reading;
use tintype_vocab::{Span, Time};

/// What was told within so long before the first news is judged again with it: the sidebar that lists a page may be visited
/// after the page was told.
const CONTEXT: Span = Span::from_days(1);

/// In which order items come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FeedOrder {
    /// The weightiest first.
    #[default]
    Importance,
    /// The latest first.
    Time,
}

/// Which items are wanted.
#[derive(Clone, Debug, Default)]
pub struct FeedQuery {
    /// Found at that time or later.
    pub since: Option<Time>,
    pub site: Option<String>,
    /// Any of these; all if there are none.
    pub kinds: Vec<PageEventKind>,
    /// Any of these is found in an address, a title, or in what came or went; all if there are none.
    pub terms: Vec<Regex>,
    pub min_importance: f64,
    pub order: FeedOrder,
    /// Events that were told already.
    pub told: BTreeSet<u64>,
    /// Where `tintype serve` answers, such as `http://127.0.0.1:8080`.
    pub archive: String,
    pub traffic: Traffic,
}

impl FeedQuery {
    /// Whether an item is of the site, a kind and a term that are wanted; how important it is aside.
    pub fn wants(&self, item: &FeedItem) -> bool {
        self.site.as_deref().is_none_or(|site| item.site == site)
            && (self.kinds.is_empty() || item.kinds().any(|kind| self.kinds.contains(&kind)))
            && (self.terms.is_empty() || self.terms.iter().any(|term| term.is_match(&item.searched())))
    }
}

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Feed {
    pub items: Vec<FeedItem>,
    /// Items that were wanted but are less important than was asked for.
    pub hidden: usize,
    /// Events that those are of, so that they can be called read with the others.
    pub hidden_events: Vec<u64>,
}

/// The items of a query, among the events of a log. `holds` says whether an address is wanted.
pub fn feed(
    reading: &Reading,
    log: &EventLog,
    query: &FeedQuery,
    judge: &mut EventJudge<'_>,
    holds: &dyn Fn(&str) -> bool,
) -> Result<Feed, Error> {
    let is_wanted = |event: &&PageEvent| {
        query.since.is_none_or(|since| event.found >= since)
            && query.site.as_deref().is_none_or(|site| event.site == site)
    };
    let wanted: Vec<(&PageEvent, bool)> =
        log.events().iter().filter(is_wanted).map(|event| (event, query.told.contains(&event.id()))).collect();
    let news = wanted.iter().filter(|(_, is_told)| !is_told).map(|(event, _)| event.found).min();
    let Some(context) = news.map(|news| news - CONTEXT) else { return Ok(Feed::default()) };
    let wanted = wanted.into_iter().filter(|(event, is_told)| !is_told || event.found >= context);
    let mut judged = wanted.map(|(event, _)| judge.judge(event)).collect::<Result<Vec<_>, _>>()?;
    group::tell_stand_ins(&mut judged);
    let mut items = group::group(&judged, &query.archive);
    items.retain(|item| item.is_news(&query.told));
    items.retain(|item| item.pages.iter().chain(&item.announced_on).any(|page| holds(&page.url)));
    items.retain(|item| query.wants(item));
    weigh(reading, &mut items, &query.traffic)?;
    let (mut items, hidden): (Vec<_>, Vec<_>) =
        items.into_iter().partition(|item| item.importance >= query.min_importance);
    items.sort_by(group::by_time);
    if query.order == FeedOrder::Importance {
        items.sort_by(|one, two| two.score.total_cmp(&one.score));
    }
    let hidden_events = hidden.iter().flat_map(FeedItem::events).collect();
    Ok(Feed { items, hidden: hidden.len(), hidden_events })
}

fn weigh(reading: &Reading, items: &mut [FeedItem], traffic: &Traffic) -> Result<(), Error> {
    let mut sites: BTreeMap<String, SiteLinks> = BTreeMap::new();
    for item in items {
        if !sites.contains_key(&item.site) {
            sites.insert(item.site.clone(), SiteLinks::read(reading, &item.site)?);
        }
        let links = &sites[&item.site];
        // A page that has just appeared is linked by those that announce it.
        let announced = item.announced_on.len() as u32;
        let weight = |page: &ItemPage| links.weight(&page.url, announced, traffic);
        item.weight = item.pages.iter().map(weight).fold(0.0, f64::max);
        item.settle();
    }
    Ok(())
}
