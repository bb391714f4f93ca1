//! Reads lines, sound or not. What to do about unsound ones is for recovery and verify to say.

use super::{
    entry::{Lost, MissingRecord, Objects, Observed, Read},
    line::unseal,
    links::Decoder,
    packed::{is_packed, unpack},
    range::{LogRange, is_head},
};
use crate::{Error, door, versions::Versions};
use hashbrown::{HashMap, HashSet};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read as _, Seek, SeekFrom},
    path::{Path, PathBuf},
};
use tintype_vocab::{Decision, Digest, Entry, PageUrl, Time};

/// No honest line is longer: an observation carries at most the links of 16 MiB of page.
const LINE_MAX: u64 = 64 << 20;
/// How much of a log's end is looked at first to see whether its capture ended; most ends are shorter.
const TAIL: u64 = 16 << 10;

/// The lines of a capture or a log, one at a time.
#[derive(Debug)]
pub(crate) struct Lines {
    path: PathBuf,
    file: BufReader<File>,
    /// Where the line read last starts, and the next one.
    start: u64,
    offset: u64,
    /// Where the last line ends.
    end: u64,
    /// The captures of a log are not told apart.
    is_file: bool,
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
    /// A line that is being written has no end yet, and is to be read again.
    pub(crate) has_end: bool,
    pub(crate) says: Option<Read<'a>>,
}

impl Lines {
    /// Those of a capture from a byte on.
    pub(crate) fn open(log: &LogRange, from: u64) -> Result<Lines, Error> {
        let end = log.to.map_or(u64::MAX, |to| to.saturating_sub(log.from));
        Ok(Lines { offset: from, end, is_file: false, ..Lines::of_file(&log.path, log.from + from)? })
    }

    /// Those of all captures in a file.
    pub(crate) fn of_file(path: &Path, from: u64) -> Result<Lines, Error> {
        let open = || -> io::Result<BufReader<File>> {
            let mut file = door::open_file(path)?;
            file.seek(SeekFrom::Start(from))?;
            Ok(BufReader::with_capacity(256 << 10, file))
        };
        let file = open().map_err(Error::io("read", path))?;
        Ok(Lines {
            path: path.to_owned(),
            file,
            start: from,
            offset: from,
            end: u64::MAX,
            is_file: true,
            line: Vec::new(),
            inner: Default::default(),
            many: Vec::new(),
        })
    }

    pub(crate) fn next(&mut self) -> Result<Option<Line<'_>>, Error> {
        let Some((start, end)) = self.advance()? else { return Ok(None) };
        let is_last = !self.is_inside();
        let has_end = !self.inner.0.is_empty() || self.line.ends_with(b"\n");
        Ok(Some(Line { start, end, is_last, has_end, says: self.says() }))
    }

    /// Whether more packed lines are at hand.
    fn is_inside(&self) -> bool {
        self.inner.1 < self.inner.0.len()
    }

    /// Reads a line without looking into it. Returns where it starts and ends.
    pub(super) fn advance(&mut self) -> Result<Option<(u64, u64)>, Error> {
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
        Ok(Some((self.start, self.offset)))
    }

    /// No capture begins within a packed line.
    fn advance_file(&mut self) -> Result<Option<(u64, u64)>, Error> {
        self.line.clear();
        let left = self.end.saturating_sub(self.offset).min(LINE_MAX);
        let read = (&mut self.file).take(left).read_until(b'\n', &mut self.line);
        let read = read.map_err(Error::io("read", &self.path))?;
        self.start = self.offset;
        if read == 0 || (self.start > 0 && !self.is_file && is_head(&self.line)) {
            self.end = self.start;
            return Ok(None);
        }
        self.offset += read as u64;
        match is_packed(&self.line).then(|| self.unpacked()).flatten() {
            Some(inner) => {
                self.inner = (inner, 0);
                self.advance()
            }
            None => Ok(Some((self.start, self.offset))),
        }
    }

    /// The lines that the line read last holds, if it is what was written.
    fn unpacked(&mut self) -> Option<Vec<u8>> {
        let mut line = self.line.strip_suffix(b"\n")?.to_vec();
        let inner = unseal(&mut line).then(|| unpack(&line, &mut self.many)).flatten();
        inner.filter(|lines| !lines.is_empty())
    }

    /// The line just read, if it is what was written. Packed lines that could not be unpacked are not.
    pub(super) fn sound(&mut self) -> Option<&[u8]> {
        let is_whole = self.line.pop_if(|byte| *byte == b'\n').is_some();
        let is_inner = !self.inner.0.is_empty();
        let sound = is_whole && (is_inner || (!is_packed(&self.line) && unseal(&mut self.line)));
        sound.then_some(&self.line)
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
        serde_json::from_slice(self.sound()?).ok()
    }
}

/// The `end` line, if it is the last one; found without reading the rest.
pub(crate) fn end(log: &LogRange) -> Result<Option<serde_json::Value>, Error> {
    let mut last = last_line(log).map_err(Error::io("read", &log.path))?;
    Ok(match unseal(&mut last).then(|| serde_json::from_slice(&last)) {
        Some(Ok(Read::End(end))) => Some(end),
        _ => None,
    })
}

/// When the last visit of a log was made, if a line not far from its end says so.
pub(crate) fn last_visit(log: &LogRange) -> Result<Option<Time>, Error> {
    let len = log.len().map_err(Error::io("read", &log.path))?;
    let (mut take, mut last) = (TAIL, None);
    while last.is_none() {
        // Begins within a line, which then says nothing.
        let mut lines = Lines::open(log, len.saturating_sub(take))?;
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
fn last_line(log: &LogRange) -> io::Result<Vec<u8>> {
    let mut file = door::open_file(&log.path)?;
    let len = log.len()?;
    let mut tail = Vec::new();
    let mut take = TAIL;
    loop {
        tail.clear();
        file.seek(SeekFrom::Start(log.from + len.saturating_sub(take)))?;
        (&mut file).take(take.min(len)).read_to_end(&mut tail)?;
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

/// What a log takes back of its lines from `from` on: that stands behind them. Cheap to find, because such lines are rare and begin like no other.
pub(crate) fn lost(log: &LogRange, from: u64) -> Result<Vec<Lost>, Error> {
    let mut lines = Lines::open(log, from)?;
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

/// The visits of a capture whose records are not there any more: those a repair has given up, and those taken back and
/// not made again since.
pub(crate) fn missing(log: &LogRange) -> Result<Vec<MissingRecord>, Error> {
    let (mut lines, mut missing) = (Lines::open(log, 0)?, Vec::new());
    while lines.advance()?.is_some() {
        if lines.line.starts_with(b"{\"missing\"")
            && let Some(Read::Missing(line)) = lines.says()
        {
            missing.push(line);
        }
    }
    if !missing.is_empty() {
        let found = found_again(log)?;
        let key = |missing: &MissingRecord| (missing.url.clone(), missing.asked, missing.digest);
        missing.retain(|missing| missing.only_request || !found.contains(&key(missing)));
    }
    missing.extend(not_made_again(log)?);
    Ok(missing)
}

/// What is held of the visits of a log: one that was missed may have been elsewhere in its segment.
fn found_again(log: &LogRange) -> Result<HashSet<(String, Time, Option<Digest>)>, Error> {
    let (mut observations, mut found) = (Observations::open(log, 0)?, HashSet::new());
    while let Some((_, observed)) = observations.next()? {
        if let Some(Observed { observation: seen, .. }) = observed {
            found.insert((seen.url, seen.asked, seen.digest));
        }
    }
    Ok(found)
}

/// Visits that were taken back, without those whose page was visited again later.
fn not_made_again(log: &LogRange) -> Result<Vec<MissingRecord>, Error> {
    let lost = lost(log, 0)?;
    if lost.is_empty() {
        return Ok(Vec::new());
    }
    let (mut gone, mut made) = (Vec::new(), HashMap::new());
    let mut lines = Lines::open(log, 0)?;
    while let Some(line) = lines.next()? {
        let start = line.start;
        let Some(observed) = line.says.and_then(|says| says.into_observed(None)) else { continue };
        let page = PageUrl::new(&observed.observation.url).into_owned();
        match lost.iter().any(|lost| lost.covers(start, observed.place.as_ref())) {
            true => gone.push((page, MissingRecord::of(observed))),
            false => drop(made.insert(page, observed.observation.asked)),
        }
    }
    gone.retain(|(page, missing)| made.get(page).is_none_or(|again| *again < missing.asked));
    Ok(gone.into_iter().map(|(_, missing)| missing).collect())
}

/// Where one may go on reading after a line, if one may there, and what it observed, if anything.
pub(crate) type ObservedLine = (Option<u64>, Option<Observed>);

/// A line that says what was asked, or what came of it.
pub(crate) enum LoggedLine {
    Decided(Decision),
    Observed(Box<Observed>),
}

/// The same with what was asked.
pub(crate) type SteppedLine = (Option<u64>, Option<LoggedLine>);

/// The observations of a log that still hold, links left out.
#[derive(Debug)]
pub(crate) struct Observations {
    lines: Lines,
    lost: Vec<Lost>,
}

impl Observations {
    pub(crate) fn open(log: &LogRange, from: u64) -> Result<Observations, Error> {
        Ok(Observations { lost: lost(log, from)?, lines: Lines::open(log, from)? })
    }

    pub(crate) fn next(&mut self) -> Result<Option<ObservedLine>, Error> {
        let line = self.step()?;
        Ok(line.map(|(end, step)| match step {
            Some(LoggedLine::Observed(observed)) => (end, Some(*observed)),
            _ => (end, None),
        }))
    }

    /// The same with decisions.
    pub(crate) fn step(&mut self) -> Result<Option<SteppedLine>, Error> {
        let Some(Line { start, end, is_last, has_end, says }) = self.lines.next()? else { return Ok(None) };
        let end = (is_last && has_end).then_some(end);
        let observed = match says {
            Some(Read::Decide(decision)) => return Ok(Some((end, Some(LoggedLine::Decided(decision))))),
            Some(says) => says.into_observed(None),
            None => None,
        };
        let Some(observed) = observed else { return Ok(Some((end, None))) };
        let gone = self.lost.iter().any(|lost| lost.covers(start, observed.place.as_ref()));
        Ok(Some((end, (!gone).then(|| LoggedLine::Observed(Box::new(observed))))))
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
    /// Those of a capture from a byte on where the table of links starts afresh; pages that were found as they were have no links unless `held` knows them.
    pub(crate) fn open(log: &LogRange, from: u64, held: Option<Versions>) -> Result<Entries, Error> {
        Ok(Entries { lost: lost(log, from)?, lines: Lines::open(log, from)?, decoder: Decoder::default(), held })
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
    use super::{super::range::LogFile, *};
    use proptest::prelude::*;

    #[test]
    fn a_capture_that_left_out_very_much_has_ended_all_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log.jsonl");
        let log = LogRange::whole(path.clone());
        let sealed = |end: &serde_json::Value| {
            let mut line = serde_json::to_vec(&serde_json::json!({ "end": end })).unwrap();
            super::super::line::seal(&mut line, 0);
            line
        };
        for bytes in [10, TAIL as usize - 20, TAIL as usize, 3 * TAIL as usize, 1 << 20] {
            let end = serde_json::json!({ "excluded": "x".repeat(bytes) });
            let (alone, before) = (sealed(&end), sealed(&serde_json::json!(0)));
            std::fs::write(&path, &alone).unwrap();
            assert_eq!(super::end(&log).unwrap().as_ref(), Some(&end), "{bytes}");
            std::fs::write(&path, [before.as_slice(), &alone].concat()).unwrap();
            assert_eq!(super::end(&log).unwrap().as_ref(), Some(&end), "{bytes}");
            std::fs::write(&path, &alone[..alone.len() - 1]).unwrap();
            assert_eq!(super::end(&log).unwrap(), None, "a torn line says nothing");
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
            let log = LogRange::whole(path);
            let mut lines = Lines::open(&log, 0).unwrap();
            let mut reached = 0;
            while let Some(line) = lines.next().unwrap() {
                prop_assert_eq!(line.start, reached);
                prop_assert!(line.is_last);
                reached = line.end;
            }
            prop_assert_eq!(reached, text.len() as u64);
            prop_assert!(LogFile::read(&log.path, 0).unwrap().captures.is_empty() && end(&log).unwrap().is_none());
            prop_assert_eq!(Entries::open(&log, 0, None).unwrap().count(), 0);
        }
    }
}
