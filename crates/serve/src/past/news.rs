//! What happened to pages, made beside the requests: one list for a stretch of days, from which every page and feed chooses.

use super::{
    Past,
    prepared::{NotReady, Prepared},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};
use tintype_observe::ads::Advertisements;
use tintype_session::{
    Error,
    feed::{EventJudge, EventLog, Feed, FeedItem, FeedOrder, FeedQuery, feed},
};
use tintype_vocab::{Span, Time};

/// Items that are remembered of a stretch; the least weighty are left out.
const ITEMS_MAX: usize = 5000;

/// All that happened lately, for stretches of so many days back from the last visit.
#[derive(Debug, Default)]
pub(super) struct News {
    lists: Prepared<u32, NewsList>,
    logs: Mutex<BTreeMap<usize, EventLog>>,
}

/// What happened in a stretch, the weightiest first, down to what matters to nobody.
#[derive(Debug, Default)]
pub(super) struct NewsList {
    /// With the number of the collection.
    pub(super) items: Vec<(usize, FeedItem)>,
    pub(super) since: Option<Time>,
    /// Less weighty ones that are not remembered.
    pub(super) left: usize,
}

impl News {
    pub(super) fn of_days(past: &Arc<Past>, days: u32) -> Result<Arc<NewsList>, NotReady> {
        let make = move |past: &Past| {
            let mut list = NewsList::default();
            for (number, _) in past.holdings.collections() {
                // What is remembered stands under whatever name the reader knows this server by.
                let query = FeedQuery { traffic: past.settings(number).traffic.clone(), ..FeedQuery::default() };
                let (found, since) = past.news.look(past, number, &query, Some(Span::from_days(i64::from(days))))?;
                list.since = list.since.min(since).or(since);
                list.items.extend(found.items.into_iter().map(|item| (number, item)));
            }
            list.items.sort_by(|(_, one), (_, two)| two.score.total_cmp(&one.score));
            let mut seen = BTreeSet::new();
            list.items.retain(|(_, item)| seen.insert(item.id.clone()));
            list.left = list.items.len().saturating_sub(ITEMS_MAX);
            list.items.truncate(ITEMS_MAX);
            Ok(list)
        };
        Prepared::get(past, |past| &past.news.lists, days, make)
    }

    /// The items of a collection; without a beginning those of a stretch back from the last visit. Since when, too.
    pub(super) fn look(
        &self,
        past: &Past,
        number: usize,
        query: &FeedQuery,
        stretch: Option<Span>,
    ) -> Result<(Feed, Option<Time>), Error> {
        let Some(reading) = past.holdings.collection(number) else { return Ok(Default::default()) };
        let mut logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
        let log = logs.entry(number).or_default();
        log.advance(reading)?;
        let last = || Some(log.last_visit()? - stretch?);
        let (advertisements, since) = (Advertisements::default(), query.since.or_else(last));
        let mut judge = EventJudge::new(reading, &advertisements);
        Ok((feed(reading, log, &FeedQuery { since, ..query.clone() }, &mut judge, &|_| true)?, since))
    }
}

/// In the order somebody asked for.
pub(super) fn sort(items: &mut [FeedItem], order: FeedOrder) {
    match order {
        FeedOrder::Importance => items.sort_by(|one, two| two.score.total_cmp(&one.score)),
        FeedOrder::Time => items.sort_by_key(|item| std::cmp::Reverse(item.at)),
    }
}
