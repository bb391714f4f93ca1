//! Everything that is looked at together: collections, also while they are written, and the WARC, WACZ and CDXJ files of
//! other tools. A URL and a time in, the answer of that time out.

mod foreign;
mod given_index;
mod key_range;
mod opened;
mod sources;
mod version;

pub use key_range::{KeyRange, MatchType};
pub use opened::{MementoBody, OpenedMemento};
pub use version::{AskedVersion, PageVersion, TimeProof, nearest, proof, versions_of};

use crate::{CaptureInfo, Error, Reading, lookup::of_page};
pub(crate) use sources::is_of as is_of_site;
use sources::{Source, WrittenLines};
use std::{collections::BinaryHeap, io::Read, ops::ControlFlow, path::Path};
use tintype_vocab::Time;
use tintype_warc::cdxj;

/// More lines of one URL are not gathered; whoever wants them all scans.
pub const MEMENTOS_MAX: usize = 200_000;

/// Collections and files, looked at as one.
#[derive(Debug, Default)]
pub struct Holdings {
    sources: Vec<Source>,
}

/// A record of an answer, by its index line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memento {
    pub line: cdxj::Line,
    /// To the second, as index lines have it.
    pub time: Time,
    source: usize,
}

impl Memento {
    pub(crate) fn parse(text: &str, source: usize) -> Option<Memento> {
        let line = cdxj::Line::parse(text).ok()?;
        let time = line.time()?;
        Some(Memento { line, time, source })
    }

    /// The URL as it was asked for.
    pub fn url(&self) -> &str {
        self.line.url.as_deref().unwrap_or_default()
    }

    pub fn status(&self) -> Option<u16> {
        self.line.status.as_deref()?.parse().ok()
    }

    /// Whether the payload is in another record: a duplicate record, or an answer that says "not modified".
    pub fn is_elsewhere(&self) -> bool {
        self.line.is_duplicate() || self.status() == Some(304)
    }
}

impl Holdings {
    pub fn of_collection(reading: Reading) -> Holdings {
        Holdings { sources: vec![Source::Collection(reading, WrittenLines::default())] }
    }

    pub fn add_collection(&mut self, reading: Reading) {
        self.sources.push(Source::Collection(reading, WrittenLines::default()));
    }

    /// Takes in a WARC, WACZ or CDXJ file of any tool, by reading it once. Says how many lines its index has, unless that is
    /// so large that it is only searched.
    pub fn add_file(&mut self, path: &Path) -> Result<Option<usize>, Error> {
        let files = foreign::ForeignFiles::open(path)?;
        let lines = files.len();
        self.sources.push(Source::Files(files));
        Ok(lines)
    }

    /// The collections among what is looked at, with their numbers.
    pub fn collections(&self) -> impl Iterator<Item = (usize, &Reading)> {
        self.sources.iter().enumerate().filter_map(|(number, source)| match source {
            Source::Collection(reading, _) => Some((number, reading)),
            Source::Files(_) => None,
        })
    }

    /// The collection of that number.
    pub fn collection(&self, number: usize) -> Option<&Reading> {
        self.collections().find(|(known, _)| *known == number).map(|(_, reading)| reading)
    }

    /// The captures of all collections, oldest first.
    pub fn captures(&self) -> Result<Vec<(&Reading, CaptureInfo)>, Error> {
        let mut captures = Vec::new();
        for source in &self.sources {
            if let Source::Collection(reading, _) = source {
                captures.extend(reading.captures()?.into_iter().map(|capture| (reading, capture)));
            }
        }
        captures.sort_by_key(|(_, capture)| capture.head.started);
        Ok(captures)
    }

    /// Hands out every index line in the range, in order, until told to stop.
    pub fn scan(&self, range: &KeyRange, mut each: impl FnMut(Memento) -> ControlFlow<()>) -> Result<(), Error> {
        let mut lists = Vec::new();
        for (number, source) in self.sources.iter().enumerate() {
            lists.extend(source.lists(range)?.into_iter().map(|list| (number, list)));
        }
        let mut heads = BinaryHeap::new();
        for (at, (_, list)) in lists.iter_mut().enumerate() {
            heads.extend(next_in(list, range)?.map(|line| std::cmp::Reverse((line, at))));
        }
        let mut last = None;
        while let Some(std::cmp::Reverse((line, at))) = heads.pop() {
            let (source, list) = &mut lists[at];
            heads.extend(next_in(list, range)?.map(|line| std::cmp::Reverse((line, at))));
            // An index that grows may be there in two forms for a moment.
            let same = last.as_ref().is_some_and(|(known, of)| *known == line && of == source);
            if !same
                && let Some(memento) = Memento::parse(&line, *source)
                && each(memento).is_break()
            {
                break;
            }
            last = Some((line, *source));
        }
        Ok(())
    }

    /// All records of a page, oldest first: of the pages that have its key only the one it stands for, unless none is
    /// held under this very URL.
    pub fn mementos(&self, url: &str) -> Result<Vec<Memento>, Error> {
        for _ in 1..sources::TRIES {
            if let Ok(found) = self.try_mementos(url) {
                return Ok(found);
            }
            // An index that is replaced while it is read cannot be read, and the next one can.
            std::thread::sleep(sources::PAUSE);
        }
        self.try_mementos(url)
    }

    fn try_mementos(&self, url: &str) -> Result<Vec<Memento>, Error> {
        let mut found = Vec::new();
        self.scan(&KeyRange::exact(url), |memento| {
            found.push(memento);
            if found.len() < MEMENTOS_MAX { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        found.retain(|memento| memento.line.url.is_some() && memento.line.mime.as_deref() != Some("text/dns"));
        Ok(of_page(found, url, |memento| (memento.url(), memento.status())))
    }

    /// The stored bytes of a record.
    pub fn stored(&self, memento: &Memento) -> Result<Box<dyn Read + Send>, Error> {
        let source = self.sources.get(memento.source);
        source.ok_or_else(|| Error::NoSuchCapture(memento.url().to_owned()))?.stored(&memento.line)
    }

    /// The answer a record stands for; nothing if its payload is not held anywhere here.
    pub fn open(&self, memento: &Memento) -> Result<Option<OpenedMemento>, Error> {
        opened::open(self, memento)
    }

    /// The capture a record was made in, if it is of a collection.
    pub fn capture_of(&self, memento: &Memento) -> Result<Option<CaptureInfo>, Error> {
        self.sources.get(memento.source).map_or(Ok(None), |source| source.capture_of(&memento.line, memento.time))
    }
}

/// The next line of a list that is in the range; nothing at its end.
fn next_in(list: &mut sources::Listed<'_>, range: &KeyRange) -> Result<Option<String>, Error> {
    match list.lines.next().transpose().map_err(Error::io("read", &list.path))? {
        Some(line) if line.as_str() < range.high.as_str() => Ok(Some(line)),
        _ => Ok(None),
    }
}
