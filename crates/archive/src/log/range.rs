//! Where the lines of one capture are: logs hold the captures of a site one after the other.

use super::{entry::Read, head::CaptureHead, reader::Lines};
use crate::{Error, door, layout::CaptureId};
use std::{
    io,
    path::{Path, PathBuf},
};

/// The lines of a capture. Bytes of it are counted from its first line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LogRange {
    pub(crate) path: PathBuf,
    pub(crate) from: u64,
    /// Nothing where it is the last in its file and may grow.
    pub(crate) to: Option<u64>,
}

impl LogRange {
    /// A log with one capture in it.
    pub(crate) fn whole(path: PathBuf) -> LogRange {
        LogRange { path, from: 0, to: None }
    }

    /// How many bytes there are.
    pub(crate) fn len(&self) -> io::Result<u64> {
        let file = door::len(&self.path)?;
        Ok(self.to.map_or(file, |to| to.min(file)).saturating_sub(self.from))
    }
}

/// A capture as a log has it.
#[derive(Debug)]
pub(crate) struct FoundCapture {
    pub(crate) id: CaptureId,
    pub(crate) head: CaptureHead,
    /// It was written again: what other logs have of it does not count.
    pub(crate) anew: bool,
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) end: Option<serde_json::Value>,
}

/// What a log holds from some byte on.
#[derive(Debug, Default)]
pub(crate) struct LogFile {
    /// The captures that begin there.
    pub(crate) captures: Vec<FoundCapture>,
    /// How the one ended whose lines come before them.
    pub(crate) end_before: Option<serde_json::Value>,
    /// There are sound lines before the first head.
    pub(crate) has_lines_before: bool,
    /// Where the last sound line ends.
    pub(crate) sound: u64,
    pub(crate) len: u64,
    /// Where lines begin that are not what was written.
    pub(crate) unsound: Vec<u64>,
    /// The head of the lines at hand cannot be read.
    is_lost: bool,
}

impl LogFile {
    /// Reads the lines of `path` from one on, looking only into those where captures begin and end.
    pub(crate) fn read(path: &Path, from: u64) -> Result<LogFile, Error> {
        let mut lines = Lines::of_file(path, from)?;
        let mut file = LogFile { sound: from, len: from, ..LogFile::default() };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        while let Some((start, end)) = lines.advance()? {
            file.len = end;
            match lines.sound() {
                Some(line) => file.take(line, start, end, &stem),
                None => file.pass_over(start),
            }
        }
        Ok(file)
    }

    fn take(&mut self, line: &[u8], start: u64, end: u64, stem: &str) {
        self.sound = end;
        let says = is_edge(line).then(|| serde_json::from_slice(line).ok()).flatten();
        if let Some(Read::Head(line)) = says {
            let id = line.id.unwrap_or_else(|| CaptureId::from_text(stem));
            let found = FoundCapture { id, head: line.head, anew: line.anew, from: start, to: end, end: None };
            self.captures.push(found);
            self.is_lost = false;
            return;
        }
        let ending = match says {
            Some(Read::End(end)) => Some(end),
            _ => None,
        };
        match self.captures.last_mut() {
            _ if self.is_lost => {}
            Some(capture) => (capture.to, capture.end) = (end, ending),
            None => (self.has_lines_before, self.end_before) = (true, ending),
        }
    }

    /// Behind an end there should have been a head.
    fn pass_over(&mut self, start: u64) {
        let has_ended = self.captures.last().map_or(self.end_before.is_some(), |capture| capture.end.is_some());
        self.is_lost |= has_ended;
        self.unsound.push(start);
    }

    /// Whether what comes last has ended.
    pub(crate) fn has_ended(&self) -> Option<bool> {
        self.captures.last().map(|capture| capture.end.is_some())
    }
}

/// Whether a line begins or ends a capture.
fn is_edge(line: &[u8]) -> bool {
    is_head(line) || line.starts_with(b"{\"end\"")
}

pub(super) fn is_head(line: &[u8]) -> bool {
    line.starts_with(b"{\"head\"")
}
