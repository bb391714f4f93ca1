//! The thread that keeps: everything that must reach the disk passes through it, in order.
//!
//! Fetching must not wait for hashing, compressing or syncing, and syncing one visit at a time would be slow; so one
//! thread takes visits in, and commits them in groups.

use crate::crawl::RecallFor;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, Instant},
};
use tintype_archive::{Capture, Checkpoint, Error, Exchange, HeldAnswer, Rendering, Shortage};
use tintype_vocab::{Decision, Observation, Visit};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// A visit waits at most this long for company before it is synced and reported.
const GROUP_WAIT: Duration = Duration::from_millis(200);
/// Uncommitted bytes that are synced without waiting any longer.
const GROUP_BYTES: u64 = 8 << 20;

/// What a crawl hands over. The number of visits under way bounds the queue.
enum Job {
    Open(Box<Capture>),
    Decide(Box<Decision>),
    Ingest(Box<Visit>, Option<Box<Exchange>>, Option<String>, Option<Box<Rendering>>),
    Recall(String, RecallFor),
    /// All visits handed over so far are settled, and this is what came of it.
    Checkpoint(Box<Checkpoint>),
    Close(Option<serde_json::Value>),
    /// The crawl has gone, with or without closing its capture.
    Leave,
}

/// What comes back, per capture and in order.
#[derive(Debug)]
pub(crate) enum Reply {
    Observed(Box<Observation>),
    Committed {
        /// This many of the capture, counted from its start in this run, are on disk.
        visits: u64,
        /// Whether what a later run goes on from should be kept again.
        wants_checkpoint: bool,
    },
    /// What is held of a page, for who asked.
    Recalled(RecallFor, Option<Box<HeldAnswer>>),
    Closed,
    /// There is hardly any room left on the disk.
    DiskLow(Shortage),
    Failed(Error),
}

/// What comes back of all captures, with their numbers.
pub(crate) type Replies = UnboundedReceiver<(usize, Reply)>;

/// Starts captures on the thread.
#[derive(Debug)]
pub(crate) struct Writer {
    jobs: Sender<(usize, Job)>,
    captures: usize,
}

impl Writer {
    /// Hands a capture over.
    pub(crate) fn open(&mut self, capture: Capture) -> WriterHandle {
        let handle = WriterHandle { number: self.captures, jobs: self.jobs.clone() };
        self.captures += 1;
        handle.send(Job::Open(Box::new(capture)));
        handle
    }
}

/// The hand to the thread; one per crawl of a site.
#[derive(Debug)]
pub(crate) struct WriterHandle {
    number: usize,
    jobs: Sender<(usize, Job)>,
}

impl WriterHandle {
    /// The number that comes with replies.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    // A closed channel means the thread failed, and the failure itself is waiting among the replies.
    fn send(&self, job: Job) {
        let _ = self.jobs.send((self.number, job));
    }

    pub(crate) fn decide(&self, decision: Decision) {
        self.send(Job::Decide(Box::new(decision)));
    }

    pub(crate) fn ingest(
        &self,
        visit: Visit,
        exchange: Option<Exchange>,
        note: Option<String>,
        rendering: Option<Rendering>,
    ) {
        self.send(Job::Ingest(Box::new(visit), exchange.map(Box::new), note, rendering.map(Box::new)));
    }

    /// Asks what is held of a page.
    pub(crate) fn recall(&self, url: String, what: RecallFor) {
        self.send(Job::Recall(url, what));
    }

    pub(crate) fn checkpoint(&self, checkpoint: Checkpoint) {
        self.send(Job::Checkpoint(Box::new(checkpoint)));
    }

    /// Ends the capture, or with `None` leaves it open for a later run to resume.
    pub(crate) fn close(&self, end: Option<serde_json::Value>) {
        self.send(Job::Close(end));
    }
}

impl Drop for WriterHandle {
    fn drop(&mut self) {
        self.send(Job::Leave);
    }
}

/// One capture on the thread's side.
struct OpenCapture {
    number: usize,
    capture: Option<Capture>,
    replies: UnboundedSender<(usize, Reply)>,
    committed: u64,
    /// It was said that there is no room.
    is_short: bool,
}

/// Starts the thread. It ends when the writer and all its handles are gone.
pub(crate) fn start() -> (Writer, Replies, thread::JoinHandle<()>) {
    let ((jobs, inbox), (sender, replies)) = (channel(), unbounded_channel());
    let thread = thread::Builder::new().name("archivist".to_owned()).spawn(move || keep(&inbox, &sender));
    (Writer { jobs, captures: 0 }, replies, thread.expect("a process can start a thread"))
}

fn keep(inbox: &Receiver<(usize, Job)>, replies: &UnboundedSender<(usize, Reply)>) {
    let mut open = OpenCaptures::default();
    let mut due: Option<Instant> = None;
    loop {
        let job = match due {
            None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(due) => inbox.recv_timeout(due.saturating_duration_since(Instant::now())),
        };
        match job {
            Ok((number, job)) => {
                let full = open.take(number, job, replies);
                let due_at = *due.get_or_insert_with(|| Instant::now() + GROUP_WAIT);
                if full || Instant::now() >= due_at {
                    open.commit();
                    due = None;
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                open.commit();
                due = None;
            }
            Err(RecvTimeoutError::Disconnected) => return open.commit(),
        }
    }
}

/// All captures on the thread's side.
#[derive(Default)]
struct OpenCaptures {
    captures: BTreeMap<usize, OpenCapture>,
    /// Those that were given something since the last commit: of a thousand sites hardly any at a time.
    uncommitted: BTreeSet<usize>,
}

impl OpenCaptures {
    /// Does one job; whether so much waits to be committed that it should not wait any longer.
    fn take(&mut self, number: usize, job: Job, replies: &UnboundedSender<(usize, Reply)>) -> bool {
        if let Job::Open(capture) = job {
            let (capture, replies) = (Some(*capture), replies.clone());
            self.captures.insert(number, OpenCapture { number, capture, replies, committed: 0, is_short: false });
            return false;
        }
        let Some(open) = self.captures.get_mut(&number) else { return false };
        self.uncommitted.insert(number);
        match job {
            Job::Open(..) => unreachable!("just taken"),
            Job::Decide(decision) => {
                open.attempt(|capture| capture.decide(&decision));
            }
            Job::Recall(url, what) => {
                if let Some(held) = open.attempt(|capture| capture.recall(&url)) {
                    open.tell(Reply::Recalled(what, held.map(Box::new)));
                }
                return false;
            }
            Job::Ingest(visit, exchange, note, rendering) => {
                let (exchange, rendering) = (exchange.map(|exchange| *exchange), rendering.map(|rendering| *rendering));
                let seen =
                    open.attempt(|capture| capture.ingest_rendered(&visit, exchange, note.as_deref(), rendering));
                if let Some(observation) = seen {
                    open.tell(Reply::Observed(Box::new(observation)));
                }
            }
            Job::Checkpoint(checkpoint) => {
                open.attempt(|capture| capture.checkpoint(*checkpoint));
            }
            Job::Close(end) => open.close(end),
            Job::Leave => {
                open.commit();
                self.uncommitted.remove(&number);
                self.captures.remove(&number);
                return false;
            }
        }
        open.capture.as_ref().is_some_and(|capture| capture.pending_bytes() >= GROUP_BYTES)
    }

    fn commit(&mut self) {
        self.look_for_room();
        for number in std::mem::take(&mut self.uncommitted) {
            self.captures.get_mut(&number).into_iter().for_each(OpenCapture::commit);
        }
    }

    /// Says once that the disk is nearly full, while there still is room for what is on its way. All captures share it.
    fn look_for_room(&mut self) {
        let is_open = |open: &&mut OpenCapture| open.capture.is_some();
        let Some(any) = self.captures.values_mut().find(is_open) else { return };
        if let Some(Some(shortage)) = any.attempt(|capture| capture.shortage()) {
            self.captures.values_mut().for_each(|open| open.tell_shortage(shortage));
        }
    }
}

impl OpenCapture {
    /// Nobody listens any more once a crawl has been told of a failure.
    fn tell(&self, reply: Reply) {
        let _ = self.replies.send((self.number, reply));
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
            let wants_checkpoint = self.capture.as_ref().is_some_and(Capture::wants_checkpoint);
            self.tell(Reply::Committed { visits: committed, wants_checkpoint });
        }
    }

    fn tell_shortage(&mut self, shortage: Shortage) {
        if self.capture.is_some() && !std::mem::replace(&mut self.is_short, true) {
            self.tell(Reply::DiskLow(shortage));
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
