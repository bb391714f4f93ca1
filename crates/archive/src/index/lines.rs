//! The index lines of a segment being written: sorted runs in an unnamed file, merged when the segment is closed, so that
//! memory does not grow with the segment.

use crate::spool::unnamed_file;
use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// Lines that gather in memory before they are sorted and written out.
const RUN_LINES: usize = 8192;
/// Bytes of a run that are read back at a time.
const READ: usize = 16 << 10;

#[derive(Debug)]
pub(crate) struct IndexLines {
    directory: PathBuf,
    gathered: Vec<String>,
    bytes: u64,
    /// Where each run ends in the file.
    ends: Vec<u64>,
    file: Option<File>,
}

impl IndexLines {
    /// Lines that overflow into an unnamed file of `directory`.
    pub(crate) fn new(directory: &Path) -> IndexLines {
        IndexLines { directory: directory.to_owned(), gathered: Vec::new(), bytes: 0, ends: Vec::new(), file: None }
    }

    /// Adds a line, with its line break.
    pub(crate) fn push(&mut self, line: String) {
        self.bytes += line.len() as u64;
        self.gathered.push(line);
    }

    /// Of all lines so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Writes out what gathered, if that is enough for a run.
    pub(crate) fn relieve(&mut self) -> io::Result<()> {
        if self.gathered.len() >= RUN_LINES { self.write_run() } else { Ok(()) }
    }

    fn write_run(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(unnamed_file(&self.directory)?),
        };
        self.gathered.sort_unstable();
        let run = self.gathered.concat();
        file.write_all(run.as_bytes())?;
        self.ends.push(self.ends.last().unwrap_or(&0) + run.len() as u64);
        self.gathered = Vec::new();
        Ok(())
    }

    /// Hands out all lines in order.
    pub(crate) fn merge(mut self, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let Some(file) = self.file.take() else {
            self.gathered.sort_unstable();
            return self.gathered.iter().try_for_each(|line| each(line.as_bytes()));
        };
        self.file = Some(file);
        self.write_run()?;
        let Some(mut file) = self.file.take() else { return Ok(()) };
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        let mut runs: Vec<Run> = starts.zip(&self.ends).map(|(at, end)| Run::new(at, *end)).collect();
        let mut first = BinaryHeap::new();
        for (number, run) in runs.iter_mut().enumerate() {
            first.extend(run.next(&mut file)?.map(|line| Reverse((line, number))));
        }
        while let Some(Reverse((line, number))) = first.pop() {
            each(&line)?;
            first.extend(runs[number].next(&mut file)?.map(|line| Reverse((line, number))));
        }
        Ok(())
    }
}

/// A run that is being read back.
struct Run {
    at: u64,
    end: u64,
    read: Vec<u8>,
    used: usize,
}

impl Run {
    fn new(at: u64, end: u64) -> Run {
        Run { at, end, read: Vec::new(), used: 0 }
    }

    fn next(&mut self, file: &mut File) -> io::Result<Option<Vec<u8>>> {
        loop {
            let rest = &self.read[self.used..];
            if let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                let line = rest[..=end].to_vec();
                self.used += end + 1;
                return Ok(Some(line));
            }
            if self.at == self.end {
                return Ok(None);
            }
            self.read_more(file)?;
        }
    }

    fn read_more(&mut self, file: &mut File) -> io::Result<()> {
        self.read.drain(..self.used);
        self.used = 0;
        let (kept, more) = (self.read.len(), (self.end - self.at).min(READ as u64));
        self.read.resize(kept + more as usize, 0);
        file.seek(SeekFrom::Start(self.at))?;
        file.read_exact(&mut self.read[kept..])?;
        self.at += more;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_in_order_however_many_there_are() {
        let directory = tempfile::tempdir().unwrap();
        for count in [0, 10, RUN_LINES, 3 * RUN_LINES + 7] {
            let mut lines = IndexLines::new(directory.path());
            let mut all: Vec<String> =
                (0..count).map(|n| format!("{} {}\n", n * 7919 % 10_007, "x".repeat(n % 300))).collect();
            for line in &all {
                lines.push(line.clone());
                lines.relieve().unwrap();
                assert!(lines.gathered.len() < RUN_LINES, "memory is bounded");
            }
            let mut merged = Vec::new();
            let mut keep = |line: &[u8]| merged.extend_from_slice(line);
            lines
                .merge(|line| {
                    keep(line);
                    Ok(())
                })
                .unwrap();
            all.sort_unstable();
            assert!(merged == all.concat().into_bytes(), "{count}");
        }
    }
}
