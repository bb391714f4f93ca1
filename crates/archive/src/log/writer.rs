//! Appends lines. Observations reach the disk only with [`LogWriter::commit`], so that no line can speak of a record
//! that is not there yet; decisions go ahead of them, so that no record is there without the decision behind it.

use super::{
    brief::Brief,
    entry::{Lost, MissingRecord, Objects, ObserveOut, Observed, Written},
    head::{CaptureHead, HeadLine},
    links::Coder,
    packed,
    range::LogRange,
};
use crate::{
    CaptureId, Error,
    disk::{Append, Disk},
    segment::refuse_removed,
};
use serde::Serialize;
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tintype_vocab::{Decision, ObjectCrawl};

/// The log of a capture that shares a segment with others: what reaches the disk for one of them takes the records of all
/// with it, and so must the decisions behind those.
#[derive(Clone, Debug)]
pub(crate) struct SharedLog(Arc<Mutex<LogWriter>>);

impl SharedLog {
    pub(crate) fn new(log: LogWriter) -> SharedLog {
        SharedLog(Arc::new(Mutex::new(log)))
    }

    /// Not to be held while waiting for anything else.
    pub(crate) fn lock(&self) -> MutexGuard<'_, LogWriter> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is(&self, other: &SharedLog) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The log of one capture, open at its end. Bytes of it are counted from its first line.
#[derive(Debug)]
pub(crate) struct LogWriter {
    path: PathBuf,
    /// Where the capture begins in the file.
    from: u64,
    file: Box<dyn Append>,
    /// Bytes of the capture in the file.
    len: u64,
    /// Bytes a power cut leaves.
    synced: u64,
    /// Bytes of lines, before they are packed; those of an earlier process as they were stored.
    told: u64,
    /// Lines without checksum.
    decisions: Vec<u8>,
    lines: Vec<u8>,
    /// The lines of the `many` line that the file ends with.
    before: Option<Vec<u8>>,
    /// One of the lines is looked for without reading the log, so it must not be packed.
    is_sought: bool,
    /// After a failed write nothing tells what is on disk.
    has_failed: bool,
    coder: Coder,
}

impl LogWriter {
    /// Continues the log of a capture, which is `len` bytes long and the last in its file.
    pub(crate) fn open(disk: &dyn Disk, log: &LogRange, len: u64) -> Result<LogWriter, Error> {
        let file = disk.append(&log.path).map_err(Error::io("open", &log.path))?;
        Ok(LogWriter {
            path: log.path.clone(),
            from: log.from,
            file,
            len,
            synced: len,
            told: len,
            decisions: Vec::new(),
            lines: Vec::new(),
            before: None,
            is_sought: false,
            has_failed: false,
            coder: Coder::default(),
        })
    }

    /// What the log measures, without what is not yet committed.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// What of it survives a power cut.
    pub(crate) fn synced(&self) -> u64 {
        self.synced
    }

    /// How much there is to tell for who reads it all.
    pub(crate) fn told(&self) -> u64 {
        self.told
    }

    /// Where its lines are.
    pub(crate) fn range(&self) -> LogRange {
        LogRange { path: self.path.clone(), from: self.from, to: None }
    }

    /// Lines from here on can be read without those before.
    pub(crate) fn restart_links(&mut self) {
        self.coder = Coder::default();
    }

    /// Bytes that wait to be written.
    pub(crate) fn gathered(&self) -> usize {
        self.decisions.len() + self.lines.len()
    }

    pub(crate) fn head(&mut self, id: &CaptureId, head: &CaptureHead, anew: bool) {
        self.write_sought(&Written::Head(&HeadLine { id: Some(id.clone()), anew, head }));
    }

    pub(crate) fn decide(&mut self, decision: &Decision) {
        write(&mut self.decisions, &Written::Decide(decision));
    }

    pub(crate) fn observe(&mut self, observed: &Observed) {
        match Brief::of(observed).filter(|_| observed.is_brief) {
            Some(brief) => write(&mut self.lines, &Written::Same(Box::new(brief))),
            None => write(&mut self.lines, &Written::Observe(Box::new(ObserveOut::new(observed, &mut self.coder)))),
        }
    }

    /// Takes back what the lines so far say of a segment's records from `from` on. They must be committed.
    pub(crate) fn lost(&mut self, segment: &str, from: u64) {
        let lost = Lost { segment: segment.to_owned(), from, before: self.len() };
        self.write_sought(&Written::Lost(&lost));
    }

    /// Says that the record of a visit is not there and cannot be restored.
    pub(crate) fn missing(&mut self, missing: &MissingRecord) {
        write(&mut self.lines, &Written::Missing(missing));
    }

    /// What a crawl of a source found, on as many lines as that takes.
    pub(crate) fn objects(&mut self, crawl: &ObjectCrawl) {
        Objects::of(crawl).for_each(|line| self.objects_line(&line));
    }

    pub(crate) fn objects_line(&mut self, line: &Objects<'_>) {
        write(&mut self.lines, &Written::Objects(line));
    }

    pub(crate) fn end(&mut self, end: &serde_json::Value) {
        self.write_sought(&Written::End(end));
    }

    fn write_sought(&mut self, line: &Written<'_>) {
        self.is_sought = true;
        write(&mut self.lines, line);
    }

    /// Hands the decisions so far to the file. To be done before records go to theirs.
    pub(crate) fn write_decisions(&mut self) -> Result<(), Error> {
        let decisions = std::mem::take(&mut self.decisions);
        self.append(decisions, true)
    }

    /// Makes every line so far survive a power cut.
    pub(crate) fn commit(&mut self) -> Result<(), Error> {
        self.refuse_failed()?;
        self.write_decisions()?;
        let (lines, is_sought) = (std::mem::take(&mut self.lines), std::mem::take(&mut self.is_sought));
        self.append(lines, !is_sought)?;
        // Who reads from here on has not read what is before.
        self.before = None;
        if self.synced < self.len {
            // After a sync that failed the next one succeeds without having written what this one did not.
            self.has_failed = true;
            self.file.sync().map_err(Error::io("sync", &self.path))?;
            refuse_removed(self.file.as_ref(), &self.path)?;
            self.has_failed = false;
            self.synced = self.len;
        }
        Ok(())
    }

    fn refuse_failed(&self) -> Result<(), Error> {
        if self.has_failed { Err(Error::Stopped(self.path.display().to_string())) } else { Ok(()) }
    }

    fn append(&mut self, lines: Vec<u8>, may_pack: bool) -> Result<(), Error> {
        self.refuse_failed()?;
        if lines.is_empty() {
            return Ok(());
        }
        self.told += lines.len() as u64;
        let mut bytes = Vec::new();
        let before = self.before.take();
        match may_pack {
            true => self.before = packed::pack(&lines, before.as_deref(), &mut bytes).then_some(lines),
            false => packed::seal_each(&lines, &mut bytes),
        }
        self.has_failed = true;
        self.file.append(&bytes).map_err(Error::io("write", &self.path))?;
        self.has_failed = false;
        self.len += bytes.len() as u64;
        Ok(())
    }
}

fn write(lines: &mut Vec<u8>, line: &impl Serialize) {
    serde_json::to_writer(&mut *lines, line).expect("log lines are plain data with text keys");
    lines.push(b'\n');
}
