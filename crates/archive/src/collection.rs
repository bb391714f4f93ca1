//! A collection: the directory that holds everything, opened for writing by one process or for reading by any.

use crate::{
    Capture, CaptureHead, CaptureId, CaptureKind, CaptureMark, Error, ImportOptions, Imported, PageHistory, Reading,
    Shortage,
    catalogue::{Catalogue, Derived},
    checkpoint::KeptCheckpoint,
    disk::{Disk, FileSystem, publish},
    door, import,
    index::{KnownFiles, Merger},
    layout::{Layout, SEGMENT_SUFFIX},
    lock::{Holder, Lock, host_name},
    log::{Entries, range::LogRange, writer::LogWriter},
    recover::{self, Recovered, Repair},
    repair,
    segment::SEGMENT_MAX,
    state::State,
    versions::Versions,
    writing::{NAME_START, Writing},
};
use std::{
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
};
use tintype_vocab::{Span, Time};

/// The format this version writes, and the newest it reads.
const FORMAT: u32 = 2;
/// No file that says so is longer.
const VERSION_MAX: u64 = 1 << 10;

/// As much of a disk is left free as usual.
const USUAL: u64 = u64::MAX;

/// How to open a collection for writing.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// Make one if there is none.
    pub create: bool,
    /// What the person typed, for others who find the collection locked.
    pub command: String,
    pub now: Time,
}

/// What all captures of a process share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) layout: Layout,
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) host: String,
    /// A segment is closed when it has grown this large.
    pub(crate) segment_max: u64,
    serial: AtomicU32,
    catalogue: Mutex<Catalogue>,
    writing: Mutex<Writing>,
    /// How often a failed write was recovered from while the collection stayed open. Whoever writes holds it meanwhile.
    recoveries: RwLock<u32>,
    /// Captures that are being written.
    live: AtomicU32,
    /// A capture could not begin, or not end: the catalogue does not know what is there of it.
    has_stumbled: AtomicBool,
    /// Captures and repairs that did not come to an orderly end.
    at_work: AtomicU32,
    /// Bytes of the disk that are left to others; the usual ones while it is [`USUAL`].
    keep_free: AtomicU64,
    pub(crate) index_files: Arc<KnownFiles>,
    /// Before the lock, so that nothing is merged once that is given back.
    pub(crate) merger: Merger,
    _lock: Lock,
}

/// A collection this process may write.
#[derive(Debug)]
pub struct Collection {
    shared: Arc<Shared>,
    repairs: Vec<Repair>,
}

/// One line about a capture.
#[derive(Clone, Debug, PartialEq)]
pub struct CaptureInfo {
    pub id: CaptureId,
    /// Where its lines are.
    pub(crate) log: LogRange,
    pub head: CaptureHead,
    /// How it ended, in the words of whoever ended it; nothing while it is unfinished.
    pub end: Option<serde_json::Value>,
    /// The captures of a collection are numbered as they end; nothing while that is not in the catalogue.
    pub sequence: Option<u64>,
}

/// A capture that goes on from its last checkpoint.
#[derive(Debug)]
pub struct ResumedCapture {
    pub capture: Capture,
    pub head: CaptureHead,
    /// What [`Capture::checkpoint`] kept last.
    pub checkpoint: Option<KeptCheckpoint>,
    /// The decisions and observations since, or all of them if there is no checkpoint.
    pub entries: Entries,
}

impl Collection {
    /// Takes the lock and mends what a crash may have left; [`Collection::repairs`] says what that was.
    pub fn open(path: &Path, options: OpenOptions) -> Result<Collection, Error> {
        Collection::open_on(Arc::new(FileSystem), path, options, SEGMENT_MAX)
    }

    pub(crate) fn open_on(
        disk: Arc<dyn Disk>,
        path: &Path,
        options: OpenOptions,
        segment_max: u64,
    ) -> Result<Collection, Error> {
        let layout = Layout::new(path);
        let is_older = check_version(&layout, options.create)?;
        if is_older {
            disk.create_dir(path).map_err(Error::io("create", path))?;
        }
        let host = host_name();
        let holder =
            Holder { pid: std::process::id(), host: host.clone(), command: options.command, since: options.now };
        let lock = Lock::take(&layout.lock(), &holder)?;
        for directory in [layout.warc(), layout.index(), layout.log(), layout.state()] {
            disk.create_dir(&directory).map_err(Error::io("create", &directory))?;
        }
        if is_older {
            let path = layout.version();
            publish(disk.as_ref(), &path, format!("format = {FORMAT}\n").as_bytes())
                .map_err(Error::io("write", &path))?;
        }
        let catalogue = Mutex::new(Catalogue::open(&layout)?);
        let shared = Arc::new(Shared {
            layout,
            disk,
            host,
            segment_max,
            serial: AtomicU32::new(0),
            catalogue,
            writing: Mutex::default(),
            recoveries: RwLock::default(),
            live: AtomicU32::new(0),
            has_stumbled: AtomicBool::new(false),
            at_work: AtomicU32::new(0),
            keep_free: AtomicU64::new(USUAL),
            index_files: Arc::default(),
            merger: Merger::default(),
            _lock: lock,
        });
        let repairs = recover::recover_or_rebuild(&shared)?;
        shared.merger.wake(&shared.layout);
        Ok(Collection { shared, repairs })
    }

    /// Opens a collection to look at, whoever else is writing it.
    pub fn read(path: &Path) -> Result<Reading, Error> {
        Reading::open(path)
    }

    /// The same collection for looking at.
    pub fn reading(&self) -> Reading {
        Reading::of(&self.shared)
    }

    /// What opening mended.
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.shared.layout
    }

    pub(crate) fn disk(&self) -> &dyn Disk {
        self.shared.disk.as_ref()
    }

    pub fn path(&self) -> &Path {
        self.shared.layout.root()
    }

    /// Where bodies too large for memory wait; made on demand, cleaned by nobody having to.
    pub fn spool_directory(&self) -> PathBuf {
        self.shared.layout.spool()
    }

    /// From now on so many bytes of the disk are left to others, instead of the usual ones.
    pub fn keep_free(&self, bytes: u64) {
        self.shared.keep_free.store(bytes.min(USUAL - 1), Ordering::Relaxed);
    }

    /// Whether there is less room on the disk than is to be left free.
    pub fn shortage(&self) -> Result<Option<Shortage>, Error> {
        self.shared.shortage()
    }

    /// All captures, oldest first.
    pub fn captures(&self) -> Result<Vec<CaptureInfo>, Error> {
        self.shared.catalogue().infos(None)
    }

    /// Those of one site.
    pub fn captures_of(&self, site: &str) -> Result<Vec<CaptureInfo>, Error> {
        self.shared.catalogue().infos(Some(site))
    }

    /// Those of one site, without what their heads say: quick to list.
    pub fn marks_of(&self, site: &str) -> Result<Vec<CaptureMark>, Error> {
        self.shared.catalogue().marks(site)
    }

    /// How many those are.
    pub fn count_of(&self, site: &str) -> Result<u64, Error> {
        self.shared.catalogue().count(site)
    }

    /// One capture.
    pub fn capture(&self, id: &CaptureId) -> Result<Option<CaptureInfo>, Error> {
        self.shared.catalogue().info(id)
    }

    /// The capture of a site and kind that came to its end and began last.
    pub fn latest_ended(&self, site: &str, kind: CaptureKind) -> Result<Option<CaptureInfo>, Error> {
        self.shared.catalogue().latest_ended(site, kind)
    }

    /// The number of the capture that ended last; 0 before there is one.
    pub fn sequence(&self) -> Result<u64, Error> {
        self.shared.catalogue().sequence()
    }

    /// The names of all sites, in order.
    pub fn sites(&self) -> Result<Vec<String>, Error> {
        self.shared.catalogue().sites()
    }

    /// What was learned across all sites and kept under this name. Derived: it goes with the catalogue, and when captures
    /// it was learned from are changed or removed.
    pub fn derived(&self, name: &str) -> Result<Option<Derived>, Error> {
        self.shared.catalogue().derived(name)
    }

    /// Keeps what was learned from all captures that ended up to number `upto`.
    pub fn keep_derived(&self, name: &str, upto: u64, bytes: &[u8]) -> Result<(), Error> {
        self.shared.catalogue().keep_derived(name, upto, bytes)
    }

    /// The capture of `site` to go on with: the latest, if it did not come to its end. One that a later capture made
    /// obsolete stays as it is, and so does an import.
    pub fn unfinished(&self, site: &str) -> Result<Option<CaptureId>, Error> {
        self.shared.recover_from_failure()?;
        let latest = self.shared.catalogue().latest(site)?;
        Ok(latest.filter(|known| !known.has_ended).map(|known| known.id))
    }

    /// Starts a capture.
    pub fn begin(&self, head: CaptureHead) -> Result<Capture, Error> {
        self.shared.recover_from_failure()?;
        let state = self.state(&head.site)?;
        let shared = &self.shared;
        shared.begin_work()?;
        let begun = self.begin_log(&head);
        if begun.is_err() {
            shared.stumble();
        }
        let (id, writer) = begun?;
        Ok(Capture::new(shared.clone(), id, head, writer, state))
    }

    /// Enters a capture into the catalogue and begins its log.
    fn begin_log(&self, head: &CaptureHead) -> Result<(CaptureId, LogWriter), Error> {
        let shared = &self.shared;
        let (id, log) = self.enter(head)?;
        let mut writer = LogWriter::open(shared.disk.as_ref(), &log, 0)?;
        writer.head(&id, head, false);
        writer.commit()?;
        if log.from == 0 {
            let directory = shared.layout.log();
            shared.disk.sync_dir(&directory).map_err(Error::io("sync", &directory))?;
        }
        shared.catalogue().mark(&id, writer.len(), None)?;
        Ok((id, writer))
    }

    /// Notes a capture that begins, and where its log is: behind what the latest log of the site holds, or a new one.
    fn enter(&self, head: &CaptureHead) -> Result<(CaptureId, LogRange), Error> {
        let (catalogue, layout) = (self.shared.catalogue(), &self.shared.layout);
        let id = new_id(&catalogue, layout, head)?;
        let log = catalogue.growing_log(&head.site, head.started)?;
        let (name, from) = log.unwrap_or_else(|| (id.to_string(), 0));
        catalogue.put_capture(&id, head, None, 0, false)?;
        catalogue.place_log(&id, &name, from)?;
        Ok((id, LogRange { path: layout.log_file(&name), from, to: None }))
    }

    /// Goes on with a capture that was cut short, from its last [`Capture::checkpoint`]: what was kept there, and its
    /// decisions and observations since. Where there is none that the log bears out, all of them.
    pub fn resume(&self, id: &CaptureId) -> Result<ResumedCapture, Error> {
        let (mut capture, head, log) = self.reopen(id)?;
        let layout = &self.shared.layout;
        let checkpoint = KeptCheckpoint::open(layout, (id, &log));
        let (from, len) = checkpoint.as_ref().map_or((0, 0), |kept| (kept.log_bytes, kept.len));
        capture.kept = (from, len);
        let entries = Entries::open(&log, from, Some(Versions::new(layout, &head.site)))?;
        Ok(ResumedCapture { capture, head, checkpoint, entries })
    }

    fn reopen(&self, id: &CaptureId) -> Result<(Capture, CaptureHead, LogRange), Error> {
        self.shared.recover_from_failure()?;
        let Some(Recovered { head, ended, log, log_len }) = recover::recover_capture(&self.shared, id)? else {
            return Err(Error::NoSuchCapture(id.to_string()));
        };
        if ended {
            return Err(Error::Finished(id.to_string()));
        }
        let state = self.state(&head.site)?;
        self.shared.begin_work()?;
        self.shared.catalogue().unsettle(id)?;
        let writer = LogWriter::open(self.shared.disk.as_ref(), &log, log_len)?;
        let capture = Capture::new(self.shared.clone(), id.clone(), head.clone(), writer, state);
        Ok((capture, head, log))
    }

    /// What earlier captures know of a site's pages.
    pub fn history(&self, site: &str) -> Result<PageHistory, Error> {
        let has_history = State::open(&self.shared, site)?.has_history();
        Ok(PageHistory::of(&self.shared.layout, site, has_history))
    }

    /// Keeps what somebody learnt about a site from its logs, under a name of theirs, with the state of the site: it goes
    /// when that goes, and [`Reading::lore`] gives it back. What it was learnt from is for the bytes to say.
    pub fn keep_site_derived(&self, site: &str, name: &str, bytes: &[u8]) -> Result<(), Error> {
        State::keep_site_derived(&self.shared.layout, site, name, bytes)
    }

    /// Mends what [`Reading::verify`] finds, as far as it can be mended, and says what it did. No capture may be open.
    pub fn repair(&self) -> Result<Vec<Repair>, Error> {
        self.shared.work(repair::repair)
    }

    /// Indexes also what was stored but left out of the index; see [`Retention::Stored`](crate::Retention::Stored).
    pub fn index_everything(&self) -> Result<Vec<Repair>, Error> {
        self.shared.work(repair::index_everything)
    }

    /// Merges indexes now, where otherwise that goes on beside other work, and says how many lines were written for it.
    pub fn merge_indexes(&self) -> Result<u64, Error> {
        let layout = &self.shared.layout;
        self.shared.merger.finish(layout).map_err(Error::io("merge", &layout.index()))
    }

    /// Takes in what another tool kept: WARC (plain, gzip, zstd), WACZ, CDX or CDXJ. A file that is none of these is
    /// refused before anything is written.
    pub fn import(&self, path: &Path, options: ImportOptions) -> Result<Imported, Error> {
        import::import(self, path, options)
    }

    /// What is known of a site, ready to judge its changes.
    fn state(&self, site: &str) -> Result<State, Error> {
        let mut state = State::open(&self.shared, site)?;
        if state.has_history() {
            state.scorer.learn_again(&self.reading(), site);
        } else {
            state.scorer.has_learned();
        }
        Ok(state)
    }
}

impl Shared {
    /// A name no segment has had.
    pub(crate) fn segment_name(&self, now: Time) -> String {
        loop {
            let serial = self.serial.fetch_add(1, Ordering::Relaxed);
            let name = format!("{NAME_START}{}-{serial:05}{}", now.to_timestamp17(), self.segment_end());
            if !door::is_taken(&self.layout.segment(&name)) && !door::is_taken(&self.layout.open_segment(&name)) {
                return name;
            }
        }
    }

    /// Ends the names of segments that were written on this machine.
    pub(crate) fn segment_end(&self) -> String {
        format!("-{}{SEGMENT_SUFFIX}", self.host)
    }

    /// The segment that is being written; the catalogue may be asked meanwhile, not the other way round.
    pub(crate) fn writing(&self) -> MutexGuard<'_, Writing> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// After a failed write, as on a full disk, brings everything in order as opening the collection would. Captures that
    /// were being written do not go on, but can be resumed.
    fn recover_from_failure(&self) -> Result<(), Error> {
        if !self.writing().has_failed() && !self.has_stumbled.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut recoveries = self.recoveries.write().unwrap_or_else(PoisonError::into_inner);
        recover::recover_or_rebuild(self)?;
        *self.writing() = Writing::default();
        *recoveries += 1;
        self.has_stumbled.store(false, Ordering::Relaxed);
        self.at_work.store(0, Ordering::Relaxed);
        Ok(())
    }

    pub(crate) fn stumble(&self) {
        self.has_stumbled.store(true, Ordering::Relaxed);
    }

    /// Nothing is recovered while this is held.
    pub(crate) fn recoveries(&self) -> RwLockReadGuard<'_, u32> {
        self.recoveries.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn enter(&self) {
        self.live.fetch_add(1, Ordering::AcqRel);
    }

    pub(crate) fn leave(&self) {
        self.live.fetch_sub(1, Ordering::AcqRel);
    }

    /// Closes the segment if no capture is being written.
    pub(crate) fn close_unless_busy(&self) -> Result<(), Error> {
        if self.live.load(Ordering::Acquire) == 0 { self.writing().close(self) } else { Ok(()) }
    }

    /// The catalogue, for one question.
    pub(crate) fn catalogue(&self) -> MutexGuard<'_, Catalogue> {
        self.catalogue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on the files are not what the catalogue says until the work ends in order.
    pub(crate) fn begin_work(&self) -> Result<(), Error> {
        self.at_work.fetch_add(1, Ordering::Relaxed);
        self.catalogue().forget_directories()
    }

    pub(crate) fn shortage(&self) -> Result<Option<Shortage>, Error> {
        let root = self.layout.root();
        let room = self.disk.room(root).map_err(Error::io("look at the disk of", root))?;
        let wanted = match self.keep_free.load(Ordering::Relaxed) {
            USUAL => room.usually_kept(),
            wanted => wanted,
        };
        Ok((room.free < wanted).then_some(Shortage { free: room.free, wanted }))
    }

    pub(crate) fn end_work(&self) {
        self.at_work.fetch_sub(1, Ordering::Relaxed);
    }

    fn work<T>(&self, work: impl FnOnce(&Shared) -> Result<T, Error>) -> Result<T, Error> {
        self.begin_work()?;
        let done = work(self)?;
        self.end_work();
        Ok(done)
    }
}

/// A name that no capture has had.
fn new_id(catalogue: &Catalogue, layout: &Layout, head: &CaptureHead) -> Result<CaptureId, Error> {
    let mut started = head.started;
    loop {
        let id = CaptureId::new(started, &head.site);
        if catalogue.recorded(&id)?.is_none() && !door::is_taken(&layout.log_file(id.as_str())) {
            return Ok(id);
        }
        started += Span::from_millis(1);
    }
}

impl Drop for Shared {
    /// Where everything came to its end the next one to open the collection need not look at every file.
    fn drop(&mut self) {
        if *self.at_work.get_mut() == 0 {
            let catalogue = self.catalogue.get_mut().unwrap_or_else(PoisonError::into_inner);
            // What could not be noted is found out again.
            let _ = catalogue.note_directories(&self.layout);
        }
    }
}

/// Refuses what a newer version wrote. Returns whether the collection is older than this version, or yet to be made.
pub(crate) fn check_version(layout: &Layout, create: bool) -> Result<bool, Error> {
    layout.refuse_linked_directories()?;
    let path = layout.version();
    let text = match door::read_text(&path, VERSION_MAX) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        other => other.map_err(Error::io("read", &path))?,
    };
    let found = text.trim().strip_prefix("format = ").and_then(|number| number.parse().ok());
    match found {
        Some(found) if found > FORMAT => Err(Error::Newer { path: layout.root().to_owned(), found, known: FORMAT }),
        Some(found) => Ok(found < FORMAT),
        None if create || door::is_taken(&layout.warc()) || door::is_taken(&layout.log()) => Ok(true),
        None => Err(Error::NotACollection { path: layout.root().to_owned() }),
    }
}
