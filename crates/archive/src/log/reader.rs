//! Reads lines, sound or not. What to do about unsound ones is for recovery and verify to say.

use super::{
    entry::{Lost, Objects, Observed, Read},
    head::CaptureHead,
    line::unseal,
    links::Decoder,
    packed::{is_packed, unpack},
};
use crate::{Error, versions::Versions};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read as _, Seek, SeekFrom},
    path::{Path, PathBuf},
};
use tintype_vocab::{Entry, Time};

/// No honest line is longer: an observation carries at most the links of 16 MiB of page.
const LINE_MAX: u64 = 64 << 20;
/// How much of a log's end is looked at first to see whether its capture ended; most ends are shorter.
const TAIL: u64 = 16 << 10;

/// The lines of one log, one at a time.
#[derive(Debug)]
pub(crate) struct Lines {
    path: PathBuf,
    file: BufReader<File>,
    /// Where the line read last starts, and the next one.
    start: u64,
    offset: u64,
    line: Vec<u8>,
    /// The lines of the packed line read last, and how far they are read.
    inner: (Vec<u8>, usize),
    /// The text of the last `many` line.
    many: Vec<u8>,
}

/// Where a line stands and what it says; nothing if it is not what was written.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// Where one may go on reading after it: nowhere in the middle of packed lines, which all begin and end where those do.
    pub(crate) is_last: bool,
    pub(crate) says: Option<Read<'a>>,
}

impl Lines {
    pub(crate) fn open(path: &Path, from: u64) -> Result<Lines, Error> {
        let open = || -> io::Result<BufReader<File>> {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(from))?;
            Ok(BufReader::with_capacity(256 << 10, file))
        };
        let file = open().map_err(Error::io("read", path))?;
        Ok(Lines {
            path: path.to_owned(),
            file,
            start: from,
            offset: from,
            line: Vec::new(),
            inner: Default::default(),
            many: Vec::new(),
        })
    }

    pub(crate) fn next(&mut self) -> Result<Option<Line<'_>>, Error> {
        let Some(start) = self.advance()? else { return Ok(None) };
        let (end, is_last) = (self.offset, !self.is_inside());
        Ok(Some(Line { start, end, is_last, says: self.says() }))
    }

    /// Whether more packed lines are at hand.
    fn is_inside(&self) -> bool {
        self.inner.1 < self.inner.0.len()
    }

    /// Reads a line without looking into it. Returns where it starts.
    fn advance(&mut self) -> Result<Option<u64>, Error> {
        if !self.is_inside() {
            self.inner.0.clear();
            return self.advance_file();
        }
        let (text, at) = &mut self.inner;
        let rest = &text[*at..];
        let end = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |feed| feed + 1);
        self.line.clear();
        self.line.extend_from_slice(&rest[..end]);
        *at += end;
        Ok(Some(self.start))
    }

    fn advance_file(&mut self) -> Result<Option<u64>, Error> {
        self.line.clear();
        let read = (&mut self.file).take(LINE_MAX).read_until(b'\n', &mut self.line);
        let read = read.map_err(Error::io("read", &self.path))?;
        self.start = self.offset;
        self.offset += read as u64;
        if read > 0
            && is_packed(&self.line)
            && let Some(inner) = self.unpacked()
        {
            self.inner = (inner, 0);
            return self.advance();
        }
        Ok((read > 0).then_some(self.start))
    }

    /// The lines that the line read last holds, if it is what was written.
    fn unpacked(&mut self) -> Option<Vec<u8>> {
        let mut line = self.line.strip_suffix(b"\n")?.to_vec();
        let inner = unseal(&mut line).then(|| unpack(&line, &mut self.many)).flatten();
        inner.filter(|lines| !lines.is_empty())
    }

    /// The next line about objects; the others are not looked into.
    pub(crate) fn next_objects(&mut self) -> Result<Option<Objects<'static>>, Error> {
        while self.advance()?.is_some() {
            if self.line.starts_with(b"{\"objects\"")
                && let Some(Read::Objects(line)) = self.says()
            {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    fn says(&mut self) -> Option<Read<'_>> {
        let is_whole = self.line.pop_if(|byte| *byte == b'\n').is_some();
        let sound = is_whole && (!self.inner.0.is_empty() || unseal(&mut self.line));
        sound.then(|| serde_json::from_slice(&self.line).ok()).flatten()
    }
}

/// The head of a log; nothing if its first line is torn.
pub(crate) fn head(path: &Path) -> Result<Option<CaptureHead>, Error> {
    let mut lines = Lines::open(path, 0)?;
    Ok(match lines.next()? {
        Some(Line { says: Some(Read::Head(head)), .. }) => Some(head),
        _ => None,
    })
}

/// The `end` line, if it is the last one; found without reading the rest.
pub(crate) fn end(path: &Path) -> Result<Option<serde_json::Value>, Error> {
    let mut last = last_line(path).map_err(Error::io("read", path))?;
    Ok(match unseal(&mut last).then(|| serde_json::from_slice(&last)) {
        Some(Ok(Read::End(end))) => Some(end),
        _ => None,
    })
}

/// When the last visit of a log was made, if a line not far from its end says so.
pub(crate) fn last_visit(path: &Path) -> Result<Option<Time>, Error> {
    let len = std::fs::metadata(path).map_err(Error::io("read", path))?.len();
    let (mut take, mut last) = (TAIL, None);
    while last.is_none() {
        // Begins within a line, which then says nothing.
        let mut lines = Lines::open(path, len.saturating_sub(take))?;
        while let Some(line) = lines.next()? {
            let observed = line.says.and_then(|says| says.into_observed(None));
            last = observed.map(|observed| observed.observation.answered).or(last);
        }
        if take >= len.min(LINE_MAX) {
            break;
        }
        take *= 8;
    }
    Ok(last)
}

/// The last line without its line feed; empty if it has none, or is longer than any honest line. An end may be long: it
/// lists what was left out.
fn last_line(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let len = file.metadata()?.len();
    let mut tail = Vec::new();
    let mut take = TAIL;
    loop {
        tail.clear();
        file.seek(SeekFrom::Start(len.saturating_sub(take)))?;
        (&mut file).take(take).read_to_end(&mut tail)?;
        let Some(text) = tail.strip_suffix(b"\n") else { return Ok(Vec::new()) };
        if let Some(feed) = text.iter().rposition(|&byte| byte == b'\n') {
            return Ok(text[feed + 1..].to_vec());
        }
        if take >= len || take >= LINE_MAX {
            let whole = take >= len;
            return Ok(if whole { text.to_vec() } else { Vec::new() });
        }
        take = (take * 8).min(LINE_MAX);
    }
}

/// Whether a line of the log ends at this byte.
pub(crate) fn is_line_end(path: &Path, at: u64) -> bool {
    let last = || -> io::Result<u8> {
        let (mut file, mut byte) = (File::open(path)?, [0]);
        file.seek(SeekFrom::Start(at.saturating_sub(1)))?;
        file.read_exact(&mut byte)?;
        Ok(byte[0])
    };
    last().is_ok_and(|byte| byte == b'\n')
}

/// What a log takes back of its lines from `from` on: that stands behind them. Cheap to find, because such lines are rare and begin like no other.
pub(crate) fn lost(path: &Path, from: u64) -> Result<Vec<Lost>, Error> {
    let mut lines = Lines::open(path, from)?;
    let mut lost = Vec::new();
    while lines.advance()?.is_some() {
        if lines.line.starts_with(b"{\"lost\"")
            && let Some(Read::Lost(line)) = lines.says()
        {
            lost.push(line);
        }
    }
    Ok(lost)
}

/// Where one may go on reading after a line, if one may there, and what it observed, if anything.
pub(crate) type ObservedLine = (Option<u64>, Option<Observed>);

/// The observations of a log that still hold, links left out.
#[derive(Debug)]
pub(crate) struct Observations {
    lines: Lines,
    lost: Vec<Lost>,
}

impl Observations {
    pub(crate) fn open(path: &Path, from: u64) -> Result<Observations, Error> {
        Ok(Observations { lost: lost(path, from)?, lines: Lines::open(path, from)? })
    }

    pub(crate) fn next(&mut self) -> Result<Option<ObservedLine>, Error> {
        let Some(Line { start, end, is_last, says }) = self.lines.next()? else { return Ok(None) };
        let end = is_last.then_some(end);
        let Some(observed) = says.and_then(|says| says.into_observed(None)) else { return Ok(Some((end, None))) };
        let gone = self.lost.iter().any(|lost| lost.covers(start, observed.place.as_ref()));
        Ok(Some((end, (!gone).then_some(observed))))
    }
}

/// The decisions and observations of a capture in order. Damaged lines are passed over; verify names them.
#[derive(Debug)]
pub struct Entries {
    lines: Lines,
    lost: Vec<Lost>,
    decoder: Decoder,
    held: Option<Versions>,
}

impl Entries {
    /// Those of the log at `path` from a byte on where the table of links starts afresh; pages that were found as they were have no links unless `held` knows them.
    pub(crate) fn open(path: &Path, from: u64, held: Option<Versions>) -> Result<Entries, Error> {
        Ok(Entries { lost: lost(path, from)?, lines: Lines::open(path, from)?, decoder: Decoder::default(), held })
    }
}

impl Iterator for Entries {
    type Item = Result<Entry, Error>;

    fn next(&mut self) -> Option<Result<Entry, Error>> {
        loop {
            let line = match self.lines.next() {
                Ok(line) => line?,
                Err(error) => return Some(Err(error)),
            };
            match line.says {
                Some(Read::Decide(decision)) => return Some(Ok(Entry::Decision(decision))),
                Some(says) => {
                    let start = line.start;
                    let Some(mut observed) = says.into_observed(Some(&mut self.decoder)) else { continue };
                    if self.lost.iter().any(|lost| lost.covers(start, observed.place.as_ref())) {
                        continue;
                    }
                    if let Some(held) = self.held.as_mut().filter(|_| observed.is_brief) {
                        held.show(&mut observed.observation);
                    }
                    return Some(Ok(Entry::Observation(Box::new(observed.observation))));
                }
                None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_capture_that_left_out_very_much_has_ended_all_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log.jsonl");
        let sealed = |end: &serde_json::Value| {
            let mut line = serde_json::to_vec(&serde_json::json!({ "end": end })).unwrap();
            super::super::line::seal(&mut line, 0);
            line
        };
        for bytes in [10, TAIL as usize - 20, TAIL as usize, 3 * TAIL as usize, 1 << 20] {
            let end = serde_json::json!({ "excluded": "x".repeat(bytes) });
            let (alone, before) = (sealed(&end), sealed(&serde_json::json!(0)));
            std::fs::write(&path, &alone).unwrap();
            assert_eq!(super::end(&path).unwrap().as_ref(), Some(&end), "{bytes}");
            std::fs::write(&path, [before.as_slice(), &alone].concat()).unwrap();
            assert_eq!(super::end(&path).unwrap().as_ref(), Some(&end), "{bytes}");
            std::fs::write(&path, &alone[..alone.len() - 1]).unwrap();
            assert_eq!(super::end(&path).unwrap(), None, "a torn line says nothing");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), cut in 0usize..400) {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("log.jsonl");
            let mut text = br#"{"observe":{"links":{"from":3,"list":[7,["x",1]]}}}"#.to_vec();
            super::super::line::seal(&mut text, 0);
            text.truncate(cut);
            text.extend_from_slice(&bytes);
            std::fs::write(&path, &text).unwrap();
            let mut lines = Lines::open(&path, 0).unwrap();
            let mut reached = 0;
            while let Some(line) = lines.next().unwrap() {
                prop_assert_eq!(line.start, reached);
                prop_assert!(line.is_last);
                reached = line.end;
            }
            prop_assert_eq!(reached, text.len() as u64);
            prop_assert!(head(&path).unwrap().is_none() && end(&path).unwrap().is_none());
            prop_assert_eq!(Entries::open(&path, 0, None).unwrap().count(), 0);
        }
    }
}
