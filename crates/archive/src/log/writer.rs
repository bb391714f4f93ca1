//! Appends lines. Observations reach the disk only with [`LogWriter::commit`], so that no line can speak of a record
//! that is not there yet; decisions go ahead of them, so that no record is there without the decision behind it.

use super::{
    brief::Brief,
    entry::{Closed, Lost, Objects, ObserveOut, Observed, Written},
    head::CaptureHead,
    links::Coder,
    packed,
};
use crate::{
    Error,
    disk::{Append, Disk},
};
use serde::Serialize;
use std::path::{Path, PathBuf};
use tintype_vocab::{Decision, ObjectCrawl};

/// One log file, open at its end.
#[derive(Debug)]
pub(crate) struct LogWriter {
    path: PathBuf,
    file: Box<dyn Append>,
    /// Bytes in the file.
    len: u64,
    /// Bytes a power cut leaves.
    synced: u64,
    /// Lines without checksum.
    decisions: Vec<u8>,
    lines: Vec<u8>,
    /// The lines of the `many` line that the file ends with.
    before: Option<Vec<u8>>,
    /// One of the lines is looked for without reading the log, so it must not be packed.
    is_sought: bool,
    coder: Coder,
}

impl LogWriter {
    /// Continues the log at `path`, which is `len` bytes long (0 and absent for a new one).
    pub(crate) fn open(disk: &dyn Disk, path: &Path, len: u64) -> Result<LogWriter, Error> {
        let file = disk.append(path).map_err(Error::io("open", path))?;
        Ok(LogWriter {
            path: path.to_owned(),
            file,
            len,
            synced: len,
            decisions: Vec::new(),
            lines: Vec::new(),
            before: None,
            is_sought: false,
            coder: Coder::default(),
        })
    }

    /// What the log measures, without what is not yet committed.
    pub(crate) fn len(&self) -> u64 {
        self.len
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

    pub(crate) fn head(&mut self, head: &CaptureHead) {
        self.write_sought(&Written::Head(head));
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

    pub(crate) fn closed(&mut self, segment: &str) {
        self.write_sought(&Written::Closed(&Closed { segment: segment.to_owned() }));
    }

    /// Takes back what the lines so far say of a segment's records from `from` on. They must be committed.
    pub(crate) fn lost(&mut self, segment: &str, from: u64) {
        let lost = Lost { segment: segment.to_owned(), from, before: self.len() };
        self.write_sought(&Written::Lost(&lost));
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
        self.write_decisions()?;
        let (lines, is_sought) = (std::mem::take(&mut self.lines), std::mem::take(&mut self.is_sought));
        self.append(lines, !is_sought)?;
        // Who reads from here on has not read what is before.
        self.before = None;
        if self.synced < self.len {
            self.file.sync().map_err(Error::io("sync", &self.path))?;
            self.synced = self.len;
        }
        Ok(())
    }

    fn append(&mut self, lines: Vec<u8>, may_pack: bool) -> Result<(), Error> {
        if lines.is_empty() {
            return Ok(());
        }
        let mut bytes = Vec::new();
        let before = self.before.take();
        match may_pack {
            true => self.before = packed::pack(&lines, before.as_deref(), &mut bytes).then_some(lines),
            false => packed::seal_each(&lines, &mut bytes),
        }
        self.file.append(&bytes).map_err(Error::io("write", &self.path))?;
        self.len += bytes.len() as u64;
        Ok(())
    }
}

fn write(lines: &mut Vec<u8>, line: &impl Serialize) {
    serde_json::to_writer(&mut *lines, line).expect("log lines are plain data with text keys");
    lines.push(b'\n');
}
