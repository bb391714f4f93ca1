//! The thread that keeps: everything that must reach the disk passes through it, in order.
//!
//! Fetching must not wait for hashing, compressing or syncing, and syncing one visit at a time would be slow; so one
//! thread takes visits in, and commits them in groups.

use std::{
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, Instant},
};
use tintype_archive::{Capture, Error, Exchange};
use tintype_vocab::{Decision, Observation, Visit};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// A visit waits at most this long for company before it is synced and reported.
const GROUP_WAIT: Duration = Duration::from_millis(200);
/// Uncommitted bytes that are synced without waiting any longer.
const GROUP_BYTES: u64 = 8 << 20;

/// What a crawl hands over. The number of visits under way bounds the queue.
enum Job {
    Decide(usize, Box<Decision>),
    Ingest(usize, Box<Visit>, Option<Box<Exchange>>, Option<String>),
    Close(usize, Option<serde_json::Value>),
}

/// What comes back, per capture and in order.
#[derive(Debug)]
pub(crate) enum Reply {
    Observed(Box<Observation>),
    /// This many visits of the capture, counted from its start in this run, are on disk.
    Committed(u64),
    Closed,
    Failed(Error),
}

/// The hand to the thread; one per crawl of a site.
#[derive(Debug)]
pub(crate) struct Desk {
    number: usize,
    jobs: Sender<Job>,
    pub(crate) replies: UnboundedReceiver<Reply>,
}

impl Desk {
    // A closed channel means the thread failed, and the failure itself is waiting among the replies.
    pub(crate) fn decide(&self, decision: Decision) {
        let _ = self.jobs.send(Job::Decide(self.number, Box::new(decision)));
    }

    pub(crate) fn ingest(&self, visit: Visit, exchange: Option<Exchange>, note: Option<String>) {
        let _ = self.jobs.send(Job::Ingest(self.number, Box::new(visit), exchange.map(Box::new), note));
    }

    /// Ends the capture, or with `None` leaves it open for a later run to resume.
    pub(crate) fn close(&self, end: Option<serde_json::Value>) {
        let _ = self.jobs.send(Job::Close(self.number, end));
    }
}

/// One capture on the thread's side.
struct Shelf {
    capture: Option<Capture>,
    replies: UnboundedSender<Reply>,
    committed: u64,
}

/// Starts the thread for these captures.
pub(crate) fn start(captures: Vec<Capture>) -> (Vec<Desk>, thread::JoinHandle<()>) {
    let (jobs, inbox) = channel();
    let (mut desks, mut shelves) = (Vec::new(), Vec::new());
    for (number, capture) in captures.into_iter().enumerate() {
        let (sender, replies) = unbounded_channel();
        desks.push(Desk { number, jobs: jobs.clone(), replies });
        shelves.push(Shelf { capture: Some(capture), replies: sender, committed: 0 });
    }
    let thread = thread::Builder::new().name("archivist".to_owned()).spawn(move || keep(&inbox, &mut shelves));
    (desks, thread.expect("a process can start a thread"))
}

fn keep(inbox: &Receiver<Job>, shelves: &mut [Shelf]) {
    let mut due: Option<Instant> = None;
    loop {
        let job = match due {
            None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(due) => inbox.recv_timeout(due.saturating_duration_since(Instant::now())),
        };
        match job {
            Ok(job) => {
                let number = take(job, shelves);
                let full =
                    shelves[number].capture.as_ref().is_some_and(|capture| capture.pending_bytes() >= GROUP_BYTES);
                let due_at = *due.get_or_insert_with(|| Instant::now() + GROUP_WAIT);
                if full || Instant::now() >= due_at {
                    shelves.iter_mut().for_each(Shelf::commit);
                    due = None;
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                shelves.iter_mut().for_each(Shelf::commit);
                due = None;
            }
            Err(RecvTimeoutError::Disconnected) => return shelves.iter_mut().for_each(Shelf::commit),
        }
    }
}

fn take(job: Job, shelves: &mut [Shelf]) -> usize {
    match job {
        Job::Decide(number, decision) => {
            shelves[number].attempt(|capture| capture.decide(&decision));
            number
        }
        Job::Ingest(number, visit, exchange, note) => {
            let seen = shelves[number]
                .attempt(|capture| capture.ingest(&visit, exchange.map(|exchange| *exchange), note.as_deref()));
            if let Some(observation) = seen {
                shelves[number].tell(Reply::Observed(Box::new(observation)));
            }
            number
        }
        Job::Close(number, end) => {
            shelves[number].close(end);
            number
        }
    }
}

impl Shelf {
    /// Nobody listens any more once a crawl has been told of a failure.
    fn tell(&self, reply: Reply) {
        let _ = self.replies.send(reply);
    }

    /// Does something with the capture; the first failure closes it, leaving on disk what was committed.
    fn attempt<T>(&mut self, work: impl FnOnce(&mut Capture) -> Result<T, Error>) -> Option<T> {
        match work(self.capture.as_mut()?) {
            Ok(value) => Some(value),
            Err(error) => {
                self.capture = None;
                self.tell(Reply::Failed(error));
                None
            }
        }
    }

    fn commit(&mut self) {
        let Some(committed) = self.attempt(Capture::commit) else { return };
        if committed != self.committed {
            self.committed = committed;
            self.tell(Reply::Committed(committed));
        }
    }

    fn close(&mut self, end: Option<serde_json::Value>) {
        self.commit();
        let Some(capture) = self.capture.take() else { return };
        let closed = match end {
            Some(end) => capture.finish(&end),
            None => capture.suspend(),
        };
        self.tell(closed.map_or_else(Reply::Failed, |_| Reply::Closed));
    }
}
