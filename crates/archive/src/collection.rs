//! A collection: the directory that holds everything, opened for writing by one process or for reading by any.

use crate::{
    Capture, CaptureHead, CaptureId, Error, ImportOptions, Imported, PageHistory, Reading,
    catalogue::{Catalogue, Derived, Sizes},
    checkpoint::KeptCheckpoint,
    disk::{Disk, FileSystem, publish},
    import,
    layout::{LOG_SUFFIX, Layout, names},
    lock::{Holder, Lock, host_name},
    log::{Entries, writer::LogWriter},
    recover::{self, Repair},
    repair,
    segment::SEGMENT_MAX,
    state::State,
    versions::Versions,
};
use std::{
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};
use tintype_vocab::{Span, Time};

/// The format this version writes, and the newest it reads.
const FORMAT: u32 = 1;

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
    /// Captures and repairs that did not come to an orderly end.
    at_work: AtomicU32,
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
        let is_new = check_version(&layout, options.create)?;
        if is_new {
            disk.create_dir(path).map_err(Error::io("create", path))?;
        }
        let host = host_name();
        let holder =
            Holder { pid: std::process::id(), host: host.clone(), command: options.command, since: options.now };
        let lock = Lock::take(&layout.lock(), &holder)?;
        for directory in [layout.warc(), layout.index(), layout.log(), layout.state()] {
            disk.create_dir(&directory).map_err(Error::io("create", &directory))?;
        }
        if is_new {
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
            at_work: AtomicU32::new(0),
            _lock: lock,
        });
        let repairs = recover::recover_or_rebuild(&shared)?;
        Ok(Collection { shared, repairs })
    }

    /// Opens a collection to look at, whoever else is writing it.
    pub fn read(path: &Path) -> Result<Reading, Error> {
        Reading::open(path)
    }

    /// The same collection for looking at.
    pub fn reading(&self) -> Reading {
        Reading::of(&self.shared.layout)
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

    /// All captures, oldest first.
    pub fn captures(&self) -> Result<Vec<CaptureInfo>, Error> {
        self.shared.catalogue().infos(None)
    }

    /// Those of one site.
    pub fn captures_of(&self, site: &str) -> Result<Vec<CaptureInfo>, Error> {
        self.shared.catalogue().infos(Some(site))
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
        let latest = self.shared.catalogue().latest(site)?;
        Ok(latest.filter(|known| !known.has_ended).map(|known| known.id))
    }

    /// Starts a capture.
    pub fn begin(&self, head: CaptureHead) -> Result<Capture, Error> {
        let state = self.state(&head.site)?;
        let id = self.new_id(&head);
        let path = self.shared.layout.log_of(&id);
        self.shared.begin_work();
        self.shared.catalogue().put_capture(&id, &head, None, 0, false)?;
        let mut log = LogWriter::open(self.shared.disk.as_ref(), &path, 0)?;
        log.head(&head);
        log.commit()?;
        let directory = self.shared.layout.log();
        self.shared.disk.sync_dir(&directory).map_err(Error::io("sync", &directory))?;
        self.shared.catalogue().mark(&id, log.len(), None)?;
        Ok(Capture::new(self.shared.clone(), id, head, log, state))
    }

    /// Goes on with a capture that was cut short, from its last [`Capture::checkpoint`]: what was kept there, and its
    /// decisions and observations since. Where there is none that the log bears out, all of them.
    pub fn resume(&self, id: &CaptureId) -> Result<ResumedCapture, Error> {
        let (mut capture, head) = self.reopen(id)?;
        let layout = &self.shared.layout;
        let checkpoint = KeptCheckpoint::open(layout, id);
        capture.kept = checkpoint.as_ref().map_or((0, 0), |kept| (kept.log_bytes, kept.len));
        let entries = Entries::open(&layout.log_of(id), capture.kept.0, Some(Versions::new(layout, id)))?;
        Ok(ResumedCapture { capture, head, checkpoint, entries })
    }

    fn reopen(&self, id: &CaptureId) -> Result<(Capture, CaptureHead), Error> {
        let path = self.shared.layout.log_of(id);
        if !path.exists() {
            return Err(Error::NoSuchCapture(id.to_string()));
        }
        let Some(recovered) = recover::recover_capture(&self.shared, id)? else {
            return Err(Error::NoSuchCapture(id.to_string()));
        };
        if recovered.ended {
            return Err(Error::Finished(id.to_string()));
        }
        let state = self.state(&recovered.head.site)?;
        self.shared.begin_work();
        self.shared.catalogue().unsettle(id)?;
        let log = LogWriter::open(self.shared.disk.as_ref(), &path, recovered.log_len)?;
        let capture = Capture::new(self.shared.clone(), id.clone(), recovered.head.clone(), log, state);
        Ok((capture, recovered.head))
    }

    /// What earlier captures know of a site's pages.
    pub fn history(&self, site: &str) -> Result<PageHistory, Error> {
        let has_history = State::open(&self.shared, site)?.has_history();
        PageHistory::open(&self.shared.layout, site, has_history)
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

    fn new_id(&self, head: &CaptureHead) -> CaptureId {
        let mut started = head.started;
        loop {
            let id = CaptureId::new(started, &head.site);
            if !self.shared.layout.log_of(&id).exists() {
                return id;
            }
            started += Span::from_millis(1);
        }
    }
}

impl Shared {
    /// A name no segment has had.
    pub(crate) fn segment_name(&self, now: Time) -> String {
        loop {
            let serial = self.serial.fetch_add(1, Ordering::Relaxed);
            let name = format!("tintype-{}-{serial:05}-{}.warc.gz", now.to_timestamp17(), self.host);
            if !self.layout.segment(&name).exists() && !self.layout.open_segment(&name).exists() {
                return name;
            }
        }
    }

    /// The catalogue, for one question.
    pub(crate) fn catalogue(&self) -> MutexGuard<'_, Catalogue> {
        self.catalogue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn begin_work(&self) {
        self.at_work.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn end_work(&self) {
        self.at_work.fetch_sub(1, Ordering::Relaxed);
    }

    fn work<T>(&self, work: impl FnOnce(&Shared) -> Result<T, Error>) -> Result<T, Error> {
        self.begin_work();
        let done = work(self)?;
        self.end_work();
        Ok(done)
    }

    pub(crate) fn note_sizes(&self, segment: &str, sizes: Sizes) -> Result<(), Error> {
        self.catalogue().close_segment(segment, sizes)
    }
}

pub(crate) fn capture_ids(layout: &Layout) -> Result<Vec<CaptureId>, Error> {
    let directory = layout.log();
    let names = names(&directory, LOG_SUFFIX).map_err(Error::io("list", &directory))?;
    Ok(names.iter().map(|name| CaptureId::from_text(name.trim_end_matches(LOG_SUFFIX))).collect())
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

/// Refuses what a newer version wrote. Returns whether the collection is yet to be made.
pub(crate) fn check_version(layout: &Layout, create: bool) -> Result<bool, Error> {
    let path = layout.version();
    let text = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        other => other.map_err(Error::io("read", &path))?,
    };
    let found = text.trim().strip_prefix("format = ").and_then(|number| number.parse().ok());
    match found {
        Some(found) if found > FORMAT => Err(Error::Newer { path: layout.root().to_owned(), found, known: FORMAT }),
        Some(_) => Ok(false),
        None if create || layout.warc().exists() || layout.log().exists() => Ok(true),
        None => Err(Error::NotACollection { path: layout.root().to_owned() }),
    }
}
