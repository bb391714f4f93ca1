//! Requests a day that all sources of a run share: whose turn it is, and who has to wait.

use super::Source;
use std::cmp::Reverse;
use tintype_archive::Reading;
use tintype_live::clock;
use tintype_plan::deadline::{Allowance, CrawlReason, NextCrawl, Waiting, most_urgent};
use tintype_vocab::{Entry, Span, Time};

/// What was spent longer ago has come in again.
const MEMORY: Span = Span::from_days(2);

/// The requests that are left, if anybody counts them.
pub(super) struct RequestBudget {
    allowance: Option<Allowance>,
    /// The source that was last said to wait: it is said once.
    said: Option<String>,
}

/// The source to be crawled next.
pub(super) struct NextSource {
    pub(super) source: usize,
    /// When its crawl may begin, as far as is known now.
    pub(super) at: Time,
    /// When it may be somebody else's turn.
    pub(super) until: Time,
    /// It is due, and cannot be afforded.
    pub(super) short: Option<Shortfall>,
}

/// Requests that are left, where more are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shortfall {
    pub(super) left: u64,
    pub(super) needed: u32,
    /// When there will be enough.
    pub(super) at: Time,
}

impl RequestBudget {
    /// So many requests a day, less what earlier runs have spent of them on these sources.
    pub(super) fn new(
        per_day: Option<u32>,
        sources: &[String],
        reading: Option<&Reading>,
    ) -> anyhow::Result<RequestBudget> {
        let now = clock::now();
        let mut allowance = per_day.map(|per_day| Allowance::new(per_day, now - MEMORY));
        if let (Some(allowance), Some(reading)) = (&mut allowance, reading) {
            for capture in reading.captures()? {
                let started = capture.head.started;
                if sources.contains(&capture.head.site) && started > now - MEMORY && started <= now {
                    allowance.spend(requests(reading, &capture.id)?, started);
                }
            }
        }
        Ok(RequestBudget { allowance, said: None })
    }

    /// Whose turn it is: whoever is due first, or of all that are due the one for which a request does most.
    ///
    /// If that one cannot be afforded the others wait with it: would they go first, a long listing might never be crawled.
    pub(super) fn turn(&self, sources: &[Source], now: Time) -> NextSource {
        let mut due: Vec<usize> = (0..sources.len()).collect();
        due.sort_by_key(|nth| sources[*nth].due);
        let later = due.iter().map(|nth| sources[*nth].due).find(|due| *due > now);
        if self.allowance.is_some() {
            due.retain(|nth| sources[*nth].due <= now);
        }
        let among: Vec<&Source> = due.iter().map(|nth| &sources[*nth]).collect();
        let by_time = || (0..sources.len()).min_by_key(|nth| sources[*nth].due).expect("there is a source to keep");
        let source = self.first(&among, now).map_or_else(by_time, |first| due[first]);
        let short = self.short(&sources[source], now).filter(|_| sources[source].due <= now);
        let at = short.map_or(sources[source].due, |short| short.at);
        NextSource { source, at, until: later.map_or(at, |later| later.min(at)), short }
    }

    /// The one of these for which a request does most; the first if nobody counts requests.
    pub(super) fn first(&self, due: &[&Source], now: Time) -> Option<usize> {
        let Some(allowance) = &self.allowance else { return (!due.is_empty()).then_some(0) };
        let waiting: Vec<Waiting> = due.iter().map(|source| source.waiting(allowance, now)).collect();
        most_urgent(&waiting, now, u64::MAX)
    }

    /// Whether a source cannot be afforded.
    pub(super) fn short(&self, source: &Source, now: Time) -> Option<Shortfall> {
        let allowance = self.allowance.as_ref()?;
        let (left, needed) = (allowance.left(now), allowance.needed(source.requests));
        let at = allowance.affords_at(needed, now);
        (u64::from(needed) > left && at > now).then_some(Shortfall { left, needed, at })
    }

    pub(super) fn spend(&mut self, requests: u64) {
        let now = clock::now();
        self.allowance.iter_mut().for_each(|allowance| allowance.spend(requests, now));
        self.said = None;
    }

    /// Whether it is news that a source waits.
    pub(super) fn is_news(&mut self, source: &Source) -> bool {
        let name = Some(&source.config.name);
        let is_news = self.said.as_ref() != name;
        self.said = name.cloned();
        is_news
    }
}

impl Source {
    fn waiting<'a>(&'a self, allowance: &Allowance, now: Time) -> Waiting<'a> {
        let at = self.due.min(now);
        let next = NextCrawl { at, why: CrawlReason::Spent, broken: 0.0, broken_average: 0.0, allowed: 0.0 };
        let requests = allowance.needed(self.requests);
        Waiting { deadline: &self.deadline, decay: &self.decay, requests, next }
    }
}

/// What the last crawl of a source took; 1 before there was one.
pub(super) fn last_requests(reading: &Reading, source: &str) -> anyhow::Result<u32> {
    let captures = reading.captures_of(source)?.into_iter();
    let last = captures.filter(|capture| capture.end.is_some()).min_by_key(|capture| Reverse(capture.head.started));
    let taken = last.map(|last| requests(reading, &last.id)).transpose()?.unwrap_or(1);
    Ok(u32::try_from(taken).unwrap_or(u32::MAX).max(1))
}

/// What a capture took.
fn requests(reading: &Reading, capture: &tintype_archive::CaptureId) -> anyhow::Result<u64> {
    let mut requests = 0;
    for entry in reading.entries(capture)? {
        requests += u64::from(matches!(entry?, Entry::Observation(_)));
    }
    Ok(requests)
}
