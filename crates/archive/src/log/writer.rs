//! Appends lines. Observations reach the disk only with [`LogWriter::commit`], so that no line can speak of a record
//! that is not there yet; decisions go ahead of them, so that no record is there without the decision behind it.

use super::{
    brief::Brief,
    entry::{Lost, Objects, ObserveOut, Observed, Written},
    head::{CaptureHead, HeadLine},
    line::seal,
    links::Coder,
    range::LogRange,
};
use crate::{
    CaptureId, Error,
    disk::{Append, Disk},
};
use serde::Serialize;
use std::path::{Path, PathBuf};
use tintype_vocab::{Decision, ObjectCrawl};

/// The log of one capture, open at its end. Bytes of it are counted from its first line.
#[derive(Debug)]
pub(crate) struct LogWriter {
    path: PathBuf,
    file: Box<dyn Append>,
    /// Bytes of the capture in the file.
    len: u64,
    /// Bytes a power cut leaves.
    synced: u64,
    decisions: Vec<u8>,
    lines: Vec<u8>,
    coder: Coder,
}

impl LogWriter {
    /// Continues the log of a capture, which is `len` bytes long and the last in its file.
    pub(crate) fn open(disk: &dyn Disk, log: &LogRange, len: u64) -> Result<LogWriter, Error> {
        let file = disk.append(&log.path).map_err(Error::io("open", &log.path))?;
        Ok(LogWriter {
            path: log.path.clone(),
            file,
            len,
            synced: len,
            decisions: Vec::new(),
            lines: Vec::new(),
            coder: Coder::default(),
        })
    }

    /// What the log measures once committed.
    pub(crate) fn len(&self) -> u64 {
        self.len + self.gathered() as u64
    }

    /// What of it survives a power cut.
    pub(crate) fn synced(&self) -> u64 {
        self.synced
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
        write(&mut self.lines, &Written::Head(&HeadLine { id: Some(id.clone()), anew, head }));
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

    /// Takes back what the lines so far say of a segment's records from `from` on.
    pub(crate) fn lost(&mut self, segment: &str, from: u64) {
        let lost = Lost { segment: segment.to_owned(), from, before: self.len() };
        write(&mut self.lines, &Written::Lost(&lost));
    }

    /// What a crawl of a source found, on as many lines as that takes.
    pub(crate) fn objects(&mut self, crawl: &ObjectCrawl) {
        Objects::of(crawl).for_each(|line| self.objects_line(&line));
    }

    pub(crate) fn objects_line(&mut self, line: &Objects<'_>) {
        write(&mut self.lines, &Written::Objects(line));
    }

    pub(crate) fn end(&mut self, end: &serde_json::Value) {
        write(&mut self.lines, &Written::End(end));
    }

    /// Hands the decisions so far to the file. To be done before records go to theirs.
    pub(crate) fn write_decisions(&mut self) -> Result<(), Error> {
        append(self.file.as_mut(), &self.path, &mut self.decisions, &mut self.len)
    }

    /// Makes every line so far survive a power cut.
    pub(crate) fn commit(&mut self) -> Result<(), Error> {
        self.write_decisions()?;
        append(self.file.as_mut(), &self.path, &mut self.lines, &mut self.len)?;
        if self.synced < self.len {
            self.file.sync().map_err(Error::io("sync", &self.path))?;
            self.synced = self.len;
        }
        Ok(())
    }
}

fn append(file: &mut dyn Append, path: &Path, lines: &mut Vec<u8>, len: &mut u64) -> Result<(), Error> {
    if !lines.is_empty() {
        file.append(lines).map_err(Error::io("write", path))?;
        *len += lines.len() as u64;
        lines.clear();
    }
    Ok(())
}

fn write(lines: &mut Vec<u8>, line: &impl Serialize) {
    let start = lines.len();
    serde_json::to_writer(&mut *lines, line).expect("log lines are plain data with text keys");
    seal(lines, start);
}
