//! One capture being written: its log and its site's state, owned by one thread, and its share of the segment that all
//! captures of a process write to.

mod marks;

use crate::{
    CaptureHead, CaptureId, CaptureObserver, Error, PageHistory, Retention, Shortage,
    checkpoint::{self, Checkpoint},
    collection::Shared,
    layout::Layout,
    log::{
        entry::Observed,
        writer::{LogWriter, SharedLog},
    },
    record::Recorder,
    rendering::BroughtBefore,
    segment::Segment,
    state::State,
    store::KnownPage,
    writing::Writing,
};
use marks::Marked;
use std::{
    path::PathBuf,
    sync::{Arc, MutexGuard},
};
use tintype_observe::ads::Advertisements;
use tintype_vocab::{Decision, ObjectCrawl};

/// How many bytes of lines gather before they are written, where nobody waits for them.
const GATHER: usize = 8 << 20;

/// Takes visits in, makes them last, and says when they do. See [`Capture::ingest`] and [`Capture::commit`].
#[derive(Debug)]
pub struct Capture {
    shared: Arc<Shared>,
    id: CaptureId,
    head: CaptureHead,
    pub(crate) recorder: Recorder,
    pub(crate) state: State,
    /// What becomes of versions below their page's threshold.
    pub(crate) lesser: Retention,
    pub(crate) observer: Option<Box<dyn CaptureObserver>>,
    pub(crate) brought_before: BroughtBefore,
    log: SharedLog,
    /// The segment last written to, and the number of this capture there.
    announced: Option<(String, u32)>,
    marked: Marked,
    /// What the log had told when the last checkpoint was kept, and what that measured.
    pub(crate) kept: (u64, u64),
    visits: u64,
    committed: u64,
    stopped: bool,
    /// The recoveries of the collection before it began.
    recoveries: u32,
}

impl Capture {
    pub(crate) fn new(shared: Arc<Shared>, id: CaptureId, head: CaptureHead, log: LogWriter, state: State) -> Capture {
        shared.enter();
        let recoveries = *shared.recoveries();
        Capture {
            shared,
            id,
            head,
            recorder: Recorder::new(),
            state,
            lesser: Retention::default(),
            observer: None,
            brought_before: BroughtBefore::default(),
            log: SharedLog::new(log),
            announced: None,
            marked: Marked::default(),
            kept: (0, 0),
            visits: 0,
            committed: 0,
            stopped: false,
            recoveries,
        }
    }

    pub fn id(&self) -> &CaptureId {
        &self.id
    }

    /// What earlier captures know of the site's pages.
    pub fn history(&self) -> PageHistory {
        PageHistory::of(self.layout(), &self.head.site, self.state.has_history())
    }

    /// From now on versions that are less important than usual for their page are only kept so well; see [`Retention`].
    /// They are added up, and the one that makes the sum as important as usual is indexed.
    pub fn keep_lesser(&mut self, retention: Retention) {
        self.lesser = retention;
    }

    /// From now on a change is less important as far as these tell that it is advertisements that came and went.
    pub fn tell_advertisements(&mut self, advertisements: &Arc<Advertisements>) {
        self.state.scorer.advertisements = Arc::clone(advertisements);
    }

    /// From now on somebody looks on, and only where they say the capture goes.
    pub fn attach(&mut self, observer: Box<dyn CaptureObserver>) {
        self.observer = Some(observer);
    }

    /// Enters a crawl of a source that somebody else made. It counts once the capture is finished.
    pub fn note_objects(&mut self, crawl: &ObjectCrawl) -> Result<(), Error> {
        self.guarded(|capture| {
            let mut log = capture.log.lock();
            log.objects(crawl);
            if log.gathered() > GATHER { log.commit() } else { Ok(()) }
        })
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.shared.layout
    }

    /// The segment that is being written, for one question.
    pub(crate) fn writing(&self) -> MutexGuard<'_, Writing> {
        self.shared.writing()
    }

    /// Bytes of records, of all captures, that a power cut would cost now.
    pub fn pending_bytes(&self) -> u64 {
        self.writing().segment().map_or(0, Segment::unsynced)
    }

    /// Bytes of log lines that wait to be written.
    pub(crate) fn gathered_lines(&self) -> usize {
        self.log.lock().gathered()
    }

    /// Notes a choice of the scheduler, before the visit it leads to is taken in. Decisions keep their order, and so do
    /// observations; a decision must say itself how many observations it followed.
    pub fn decide(&mut self, decision: &Decision) -> Result<(), Error> {
        self.guarded(|capture| {
            capture.log.lock().decide(decision);
            Ok(())
        })
    }

    /// Makes everything so far survive a power cut: records first, then the lines that speak of them. Returns how
    /// many visits of this process are on disk; only those may be reported.
    pub fn commit(&mut self) -> Result<u64, Error> {
        self.guarded(Capture::commit_all)
    }

    /// Ends the log with `end` and brings state up to date, and the index too if no other capture is being written.
    pub fn finish(self, end: &serde_json::Value) -> Result<(), Error> {
        self.close(Some(end))
    }

    /// The same without an end: a later run goes on from here.
    pub fn suspend(self) -> Result<(), Error> {
        self.close(None)
    }

    fn close(mut self, end: Option<&serde_json::Value>) -> Result<(), Error> {
        let closed = self.guarded(|capture| {
            capture.commit_all()?;
            if let Some(end) = end {
                let crawl = capture.observer.take().and_then(|mut observer| observer.conclude());
                let mut log = capture.log.lock();
                crawl.iter().for_each(|crawl| log.objects(crawl));
                log.end(end);
                log.commit()?;
            }
            capture.state.flush(&capture.id, capture.log_len())?;
            capture.enter(end)
        });
        // Whether it ended only its log knows.
        if closed.is_err() {
            self.shared.stumble();
        }
        closed?;
        let shared = Arc::clone(&self.shared);
        drop(self);
        shared.close_unless_busy()
    }

    /// Says in the catalogue how it ended, or that it may go on from here.
    fn enter(&self, end: Option<&serde_json::Value>) -> Result<(), Error> {
        self.shared.catalogue().put_capture(&self.id, &self.head, end, self.log_len(), true)?;
        if end.is_some() {
            checkpoint::forget(self.shared.disk.as_ref(), &self.shared.layout, &self.id)?;
        }
        self.shared.end_work();
        Ok(())
    }

    /// After a failed write nobody knows what is on disk; only recovery may go on from there.
    pub(crate) fn guarded<T>(&mut self, work: impl FnOnce(&mut Capture) -> Result<T, Error>) -> Result<T, Error> {
        let shared = Arc::clone(&self.shared);
        let recoveries = shared.recoveries();
        if self.stopped || *recoveries != self.recoveries {
            return Err(Error::Stopped(self.id.to_string()));
        }
        let result = work(self);
        self.stopped = result.is_err();
        result
    }

    fn commit_all(&mut self) -> Result<u64, Error> {
        self.log.lock().write_decisions()?;
        let at = self.sync_segment()?;
        self.log.lock().commit()?;
        self.committed = self.visits;
        if self.is_far_from_mark(at.as_ref()) {
            self.mark_synced(at)?;
        }
        if self.state.is_large() {
            self.state.flush(&self.id, self.log_len())?;
        }
        Ok(self.committed)
    }

    /// Whether there is less room on the disk than is to be left free: what is on its way still fits, more may not.
    pub fn shortage(&self) -> Result<Option<Shortage>, Error> {
        self.shared.shortage()
    }

    /// Keeps what a scheduler needs to go on from here, in the place of what it kept before. Everything so far is made
    /// to survive a power cut first. See [`Collection::resume`](crate::Collection).
    pub fn checkpoint(&mut self, checkpoint: Checkpoint) -> Result<(), Error> {
        self.guarded(|capture| {
            capture.commit_all()?;
            capture.log.lock().restart_links();
            capture.state.flush(&capture.id, capture.log_len())?;
            let at = capture.sync_segment()?;
            capture.mark_synced(at)?;
            let (range, at, told) = {
                let log = capture.log.lock();
                (log.range(), log.len(), log.told())
            };
            let (disk, layout) = (capture.shared.disk.as_ref(), &capture.shared.layout);
            let len = checkpoint::keep(disk, layout, (&capture.id, &range), at, checkpoint)?;
            capture.kept = (told, len);
            Ok(())
        })
    }

    /// Whether so much happened since the last checkpoint that another one is worth its while.
    pub fn wants_checkpoint(&self) -> bool {
        let (told, len) = self.kept;
        self.log.lock().told() >= told + checkpoint::growth(len)
    }

    /// Where a [`Checkpoint`] is gathered.
    pub fn spool_directory(&self) -> PathBuf {
        self.shared.layout.spool()
    }

    /// What the log measures, without what is not yet committed.
    fn log_len(&self) -> u64 {
        self.log.lock().len()
    }

    /// Hands gathered records to their file, at once when more than memory is about to come; whichever capture does, the
    /// decisions they followed go to the logs before.
    pub(crate) fn relieve(&mut self, segment: &mut Segment, large: bool) -> Result<(), Error> {
        segment.follow(&self.log);
        if large || segment.has_gathered() { segment.flush() } else { Ok(()) }
    }

    /// Enters an observation into log and state; `before` is what state says of the page.
    pub(crate) fn note(&mut self, before: Option<KnownPage>, observed: &Observed) {
        self.log.lock().observe(observed);
        self.state.learn(before, observed);
        self.visits += 1;
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        self.shared.leave();
    }
}
