//! What is being done now: who writes the collections, and the latest visits of the captures that have not ended.

use super::{
    Past,
    prepared::{NotReady, Prepared},
};
use axum::body::Body;
use bytes::Bytes;
use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    convert::Infallible,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tintype_archive::{CaptureId, Holder, LoggedStep, LoggedVisit, LoggedVisits};
use tintype_vocab::{Change, Decision, Outcome, PageId, Time};

/// Visits that are remembered of a capture.
const VISITS_MAX: usize = 60;
/// Requests under way that are remembered of a capture; politeness allows far fewer.
const ASKED_MAX: usize = 1000;
/// Captures that have not ended and are looked at, the latest.
const CAPTURES_MAX: usize = 50;
/// Readers who are told as it happens.
const READERS_MAX: usize = 32;
/// What is known of it, and how far each log was read.
#[derive(Debug, Default)]
pub(super) struct Live {
    now: Prepared<(), Now>,
    logs: Mutex<HashMap<CaptureId, LiveLog>>,
    readers: AtomicUsize,
}

#[derive(Debug, Default)]
struct LiveLog {
    read_to: u64,
    visits: VecDeque<LiveVisit>,
    /// Requests that no visit came of yet.
    asked: BTreeMap<PageId, (Time, String)>,
    count: u64,
}

/// What is being done.
#[derive(Debug, Default)]
pub(super) struct Now {
    /// Who writes each collection.
    pub(super) holders: Vec<(usize, Option<Holder>)>,
    /// The captures that have not ended: site, kind, beginning and visits so far.
    pub(super) open: Vec<(String, &'static str, Time, u64)>,
    /// Requests under way, the oldest first: since when and for what.
    pub(super) asked: Vec<(Time, String)>,
    /// The latest first.
    pub(super) visits: Vec<LiveVisit>,
}

#[derive(Clone, Debug)]
pub(super) struct LiveVisit {
    pub(super) at: Time,
    pub(super) url: String,
    pub(super) found: String,
    pub(super) took_ms: i64,
}

impl Now {
    pub(super) fn is_running(&self) -> bool {
        self.holders.iter().any(|(_, holder)| holder.is_some())
    }
}

impl Live {
    pub(super) fn now(past: &Arc<Past>) -> Result<Arc<Now>, NotReady> {
        Prepared::get(past, |past| &past.live.now, (), |past| past.live.look(past))
    }

    fn look(&self, past: &Past) -> Result<Now, NotReady> {
        let mut now = Now::default();
        let mut logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
        let mut still = Vec::new();
        for (number, reading) in past.holdings.collections() {
            now.holders.push((number, reading.holder()));
            let captures = reading.captures()?;
            let last = captures.last().map(|info| info.id.clone());
            let open = captures.iter().rev().filter(|info| info.end.is_none() || Some(&info.id) == last.as_ref());
            for info in open.take(CAPTURES_MAX) {
                let log = logs.entry(info.id.clone()).or_default();
                let mut visits = LoggedVisits::open(info, log.read_to)?;
                while let Some(step) = visits.step() {
                    match step? {
                        LoggedStep::Asked(asked) => log.ask(asked),
                        LoggedStep::Visited(visit) => log.take(&visit),
                    }
                }
                log.read_to = visits.read_to();
                now.visits.extend(log.visits.iter().cloned());
                // What a process that ended had asked for is not under way.
                let is_written = now.holders.last().is_some_and(|(_, holder)| holder.is_some());
                if info.end.is_none() && is_written {
                    now.asked.extend(log.asked.values().cloned());
                }
                if info.end.is_none() {
                    now.open.push((info.head.site.clone(), info.head.kind.as_str(), info.head.started, log.count));
                }
                still.push(info.id.clone());
            }
        }
        logs.retain(|id, _| still.contains(id));
        now.visits.sort_by_key(|visit| std::cmp::Reverse(visit.at));
        now.visits.truncate(VISITS_MAX);
        now.asked.sort();
        now.asked.truncate(VISITS_MAX);
        Ok(now)
    }
}

impl LiveLog {
    fn ask(&mut self, asked: Decision) {
        // Of a run that was killed the last requests never became visits.
        if self.asked.len() >= ASKED_MAX {
            self.asked.clear();
        }
        self.asked.insert(asked.page, (asked.at, asked.url));
    }

    fn take(&mut self, visit: &LoggedVisit) {
        let seen = &visit.observation;
        self.asked.remove(&seen.page);
        let found = match (&seen.outcome, seen.change) {
            (Outcome::Gone { status } | Outcome::Refused { status, .. }, _) => format!("refused or gone: {status}"),
            (Outcome::Failed { cause }, _) => format!("failed: {cause}"),
            (Outcome::Redirected { to, .. }, _) => format!("leads to {to}"),
            (_, Change::First) => "first seen".to_owned(),
            (_, Change::New { importance }) => format!("changed, importance {importance:.2}"),
            (_, Change::Same) => "unchanged".to_owned(),
            (_, Change::Unknown) => "seen".to_owned(),
        };
        let took_ms = (seen.answered - seen.asked).as_millis();
        self.visits.push_back(LiveVisit { at: seen.answered, url: seen.url.clone(), found, took_ms });
        self.count += 1;
        if self.visits.len() > VISITS_MAX {
            self.visits.pop_front();
        }
    }
}

/// What is told now of what came since a moment, and the moment to begin with next time.
pub(super) type Tell = fn(&Arc<Past>, Time) -> Result<(String, Time), NotReady>;

/// A reader who is told as it happens.
#[derive(Debug)]
pub(super) struct LiveFeed {
    pub(super) tell: Tell,
    pub(super) every: Duration,
}

/// Counted as long as it is told.
struct Reader(Arc<Past>);

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.live.readers.fetch_sub(1, Ordering::AcqRel);
    }
}

impl LiveFeed {
    /// Server-sent events, until the reader or the server goes.
    pub(super) fn body(self, past: &Arc<Past>) -> Body {
        let readers = &past.live.readers;
        if readers
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |count| (count < READERS_MAX).then_some(count + 1))
            .is_err()
        {
            return Body::from("retry: 60000\n\n");
        }
        let begin = (Reader(past.clone()), (past.clock)());
        let LiveFeed { tell, every } = self;
        Body::from_stream(futures_util::stream::unfold(begin, move |(reader, since)| async move {
            tokio::time::sleep(every).await;
            if reader.0.is_over.load(Ordering::Relaxed) {
                return None;
            }
            let past = reader.0.clone();
            let told = tokio::task::spawn_blocking(move || tell(&past, since)).await.ok()?;
            let (text, since) = match told {
                Ok((told, since)) => (format!("event: now\ndata: {told}\n\n"), since),
                // A comment keeps the connection.
                Err(_) => (":\n\n".to_owned(), since),
            };
            Some((Ok::<Bytes, Infallible>(Bytes::from(text)), (reader, since)))
        }))
    }
}
