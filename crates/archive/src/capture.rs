//! One capture being written: its segment, its log and its site's state, owned by one thread.

use crate::{
    CaptureHead, CaptureId, CaptureObserver, Error, Retention,
    checkpoint::{self, Checkpoint},
    collection::Shared,
    index,
    layout::Layout,
    log::{entry::Observed, writer::LogWriter},
    record::Recorder,
    segment::Segment,
    state::State,
    store::KnownPage,
};
use std::{path::PathBuf, sync::Arc};
use tintype_observe::ads::Advertisements;
use tintype_vocab::{Decision, ObjectCrawl, Time};

/// How many bytes of lines gather before they are written, where nobody waits for them.
const GATHER: usize = 8 << 20;
/// How often the catalogue is told how much is on disk: so much less than a segment has recovery to read.
const MARKS_PER_SEGMENT: u64 = 128;

/// Takes visits in, makes them last, and says when they do. See [`Capture::ingest`] and [`Capture::commit`].
#[derive(Debug)]
pub struct Capture {
    shared: Arc<Shared>,
    id: CaptureId,
    head: CaptureHead,
    pub(crate) segment: Option<Segment>,
    pub(crate) recorder: Recorder,
    pub(crate) state: State,
    /// What becomes of versions below their page's threshold.
    pub(crate) lesser: Retention,
    pub(crate) observer: Option<Box<dyn CaptureObserver>>,
    log: LogWriter,
    /// What was on disk of log and segment when the catalogue was last told.
    marked: (u64, u64),
    /// How much of the log the last checkpoint contains, and what that measured.
    pub(crate) kept: (u64, u64),
    visits: u64,
    committed: u64,
    stopped: bool,
}

impl Capture {
    pub(crate) fn new(shared: Arc<Shared>, id: CaptureId, head: CaptureHead, log: LogWriter, state: State) -> Capture {
        Capture {
            shared,
            id,
            head,
            segment: None,
            recorder: Recorder::new(),
            state,
            lesser: Retention::default(),
            observer: None,
            log,
            marked: (0, 0),
            kept: (0, 0),
            visits: 0,
            committed: 0,
            stopped: false,
        }
    }

    pub fn id(&self) -> &CaptureId {
        &self.id
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
            capture.log.objects(crawl);
            if capture.log.gathered() > GATHER { capture.log.commit() } else { Ok(()) }
        })
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.shared.layout
    }

    /// Bytes of records that a power cut would cost now.
    pub fn pending_bytes(&self) -> u64 {
        self.segment.as_ref().map_or(0, Segment::unsynced)
    }

    /// Notes a choice of the scheduler, before the visit it leads to is taken in. Decisions keep their order, and so do
    /// observations; a decision must say itself how many observations it followed.
    pub fn decide(&mut self, decision: &Decision) -> Result<(), Error> {
        self.guarded(|capture| {
            capture.log.decide(decision);
            Ok(())
        })
    }

    /// Makes everything so far survive a power cut: records first, then the lines that speak of them. Returns how
    /// many visits of this process are on disk; only those may be reported.
    pub fn commit(&mut self) -> Result<u64, Error> {
        self.guarded(Capture::commit_all)
    }

    /// Closes the segment, ends the log with `end` and brings index and state up to date.
    pub fn finish(self, end: &serde_json::Value) -> Result<(), Error> {
        self.close(Some(end))
    }

    /// The same without an end: a later run goes on from here.
    pub fn suspend(self) -> Result<(), Error> {
        self.close(None)
    }

    fn close(mut self, end: Option<&serde_json::Value>) -> Result<(), Error> {
        self.guarded(|capture| {
            capture.commit_all()?;
            capture.close_segment()?;
            if let Some(end) = end {
                let crawl = capture.observer.take().and_then(|mut observer| observer.conclude());
                crawl.iter().for_each(|crawl| capture.log.objects(crawl));
                capture.log.end(end);
                capture.log.commit()?;
            }
            capture.state.flush(&capture.id, capture.log.len())?;
            capture.enter(end)
        })
    }

    /// Says in the catalogue how it ended, or that it may go on from here.
    fn enter(&self, end: Option<&serde_json::Value>) -> Result<(), Error> {
        self.shared.catalogue().put_capture(&self.id, &self.head, end, self.log.len(), true)?;
        if end.is_some() {
            checkpoint::forget(self.shared.disk.as_ref(), &self.shared.layout, &self.id)?;
        }
        self.shared.end_work();
        Ok(())
    }

    /// After a failed write nobody knows what is on disk; only recovery may go on from there.
    pub(crate) fn guarded<T>(&mut self, work: impl FnOnce(&mut Capture) -> Result<T, Error>) -> Result<T, Error> {
        if self.stopped {
            return Err(Error::Stopped(self.id.to_string()));
        }
        let result = work(self);
        self.stopped = result.is_err();
        result
    }

    fn commit_all(&mut self) -> Result<u64, Error> {
        self.log.write_decisions()?;
        if let Some(segment) = &mut self.segment {
            segment.sync()?;
        }
        self.log.commit()?;
        self.committed = self.visits;
        let (log, segment) = (self.log.synced(), self.segment.as_ref().map_or(0, Segment::synced));
        let grown = log.saturating_sub(self.marked.0).max(segment.saturating_sub(self.marked.1));
        if grown >= self.shared.segment_max / MARKS_PER_SEGMENT {
            self.mark()?;
        }
        if self.state.is_large() {
            self.state.flush(&self.id, self.log.len())?;
        }
        Ok(self.committed)
    }

    /// Makes sure there is a segment with room for a visit.
    pub(crate) fn make_room(&mut self, now: Time) -> Result<(), Error> {
        if self.segment.as_ref().is_some_and(|segment| segment.len() >= self.shared.segment_max) {
            self.commit_all()?;
            self.close_segment()?;
        }
        if self.segment.is_none() {
            let shared = &self.shared;
            let name = shared.segment_name(now);
            shared.catalogue().open_segment(&name, &self.id)?;
            let mut segment = Segment::create(shared.disk.as_ref(), &shared.layout, name)?;
            self.recorder.warcinfo(&mut segment, now, &shared.host, self.id.as_str(), &self.head);
            self.segment = Some(segment);
            self.mark()?;
        }
        Ok(())
    }

    /// Tells the catalogue how much is on disk, so that recovery need look only at what came after.
    fn mark(&mut self) -> Result<(), Error> {
        self.segment.iter_mut().for_each(Segment::mark);
        let segment = self.segment.as_ref().map(|segment| (segment.name(), segment.synced()));
        self.shared.catalogue().mark(&self.id, self.log.synced(), segment)?;
        self.marked = (self.log.synced(), segment.map_or(0, |(_, bytes)| bytes));
        Ok(())
    }

    /// Keeps what a scheduler needs to go on from here, in the place of what it kept before. Everything so far is made
    /// to survive a power cut first. See [`Collection::resume`](crate::Collection).
    pub fn checkpoint(&mut self, checkpoint: Checkpoint) -> Result<(), Error> {
        self.guarded(|capture| {
            capture.commit_all()?;
            capture.log.restart_links();
            capture.state.flush(&capture.id, capture.log.len())?;
            capture.mark()?;
            let (disk, at) = (capture.shared.disk.as_ref(), capture.log.len());
            let len = checkpoint::keep(disk, &capture.shared.layout, &capture.id, at, checkpoint)?;
            capture.kept = (at, len);
            Ok(())
        })
    }

    /// Whether so much happened since the last checkpoint that another one is worth its while.
    pub fn wants_checkpoint(&self) -> bool {
        let (at, len) = self.kept;
        self.log.len() >= at + checkpoint::growth(len)
    }

    /// Where a [`Checkpoint`] is gathered.
    pub fn spool_directory(&self) -> PathBuf {
        self.shared.layout.spool()
    }

    /// Hands gathered records to the file, decisions first; at once when more than memory is about to come.
    pub(crate) fn relieve(&mut self, large: bool) -> Result<(), Error> {
        match &mut self.segment {
            Some(segment) if large || segment.has_gathered() => {
                self.log.write_decisions()?;
                segment.flush()
            }
            _ => Ok(()),
        }
    }

    /// Everything in the segment must be committed.
    fn close_segment(&mut self) -> Result<(), Error> {
        let Some(segment) = self.segment.take() else { return Ok(()) };
        let shared = &self.shared;
        let (name, len, lines) = segment.close(shared.disk.as_ref(), &shared.layout)?;
        let sizes = index::write_lines(shared.disk.as_ref(), &shared.layout, &name, len, lines)?;
        shared.note_sizes(&name, sizes)?;
        index::journal::forget(&shared.layout, &name);
        self.log.closed(&name);
        self.log.commit()
    }

    /// Enters an observation into log and state; `before` is what state says of the page.
    pub(crate) fn note(&mut self, before: Option<KnownPage>, observed: &Observed) {
        self.log.observe(observed);
        self.state.learn(before, observed);
        self.visits += 1;
    }
}
