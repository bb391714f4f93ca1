//! A selection of what a collection holds, ready to be handed on: whole visits, bytes as they are, and the originals of
//! duplicate records wherever they were. Nothing is held in memory but where things are.

mod table;
mod write;

use crate::{
    CaptureId, CaptureInfo, Error, Reading, door,
    holdings::{Holdings, Memento},
    layout::OPEN_SUFFIX,
    scan::Announced,
    tag::Tag,
};
use hashbrown::{HashMap, HashSet};
use sha1::{Digest, Sha1};
use std::path::{Path, PathBuf};
use tintype_vocab::{PageUrl, Time};
use tintype_warc::{Extent, Header, Reader, RecordType};
pub use write::{Exported, MoreFiles, PackageText, Sign};

/// What to hand on. Nothing named means everything.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    pub sites: Vec<String>,
    pub captures: Vec<CaptureId>,
    /// Visits made in this time, both ends included.
    pub from: Option<Time>,
    pub to: Option<Time>,
    /// Of every page only the last visit that was answered.
    pub latest: bool,
}

impl Selection {
    /// Whether captures are handed on as wholes, so that their certificates can be checked.
    pub fn has_whole_captures(&self) -> bool {
        self.from.is_none() && self.to.is_none() && !self.latest
    }

    fn wants(&self, capture: &CaptureInfo) -> bool {
        let is_of_site = self.sites.is_empty() || self.sites.contains(&capture.head.site);
        is_of_site && (self.captures.is_empty() || self.captures.contains(&capture.id))
    }

    fn holds(&self, date: Time) -> bool {
        self.from.is_none_or(|from| date >= from) && self.to.is_none_or(|to| date <= to)
    }
}

/// Where the selected records are.
#[derive(Debug, Default)]
pub struct Selected {
    segments: Vec<SelectedSegment>,
    /// Captures that have visits among them.
    pub captures: Vec<CaptureId>,
    pub visits: u64,
    /// Duplicate records whose original is nowhere in the collection.
    pub missing: u64,
}

#[derive(Debug)]
struct SelectedSegment {
    path: PathBuf,
    /// Without what the name of a segment being written ends with.
    name: String,
    /// In order, not overlapping.
    stretches: Vec<Stretch>,
    /// Not only what announces captures.
    has_visits: bool,
}

/// Records next to each other: of most visits, those of the next one follow.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    offset: u64,
    length: u64,
    records: u64,
}

impl Stretch {
    fn of(extent: Extent) -> Stretch {
        Stretch { offset: extent.offset, length: extent.length, records: 1 }
    }

    fn end(&self) -> u64 {
        self.offset + self.length
    }
}

impl SelectedSegment {
    /// Adds what lies behind all that is there, or somewhere else.
    fn add(&mut self, stretch: Stretch) {
        match self.stretches.last_mut().filter(|last| last.end() == stretch.offset) {
            Some(last) => (last.length, last.records) = (last.length + stretch.length, last.records + stretch.records),
            None => self.stretches.push(stretch),
        }
    }

    /// Brings everything into order, and leaves out what is there twice.
    fn settle(&mut self) {
        let mut all = std::mem::take(&mut self.stretches);
        all.sort_unstable_by_key(|stretch| (stretch.offset, std::cmp::Reverse(stretch.length)));
        let mut end = 0;
        for stretch in all {
            if stretch.offset >= end {
                end = stretch.end();
                self.add(stretch);
            }
        }
    }
}

/// What is known of a visit while its records come by.
#[derive(Default)]
struct Pending {
    stretches: Vec<Stretch>,
    url: String,
    date: Time,
    is_answer: bool,
    refers_to: Option<(String, Time)>,
}

/// One visit that was selected.
struct Chosen {
    segment: usize,
    /// Mostly one.
    stretches: Vec<Stretch>,
    date: Time,
    /// Its number among those that are wanted.
    capture: usize,
    refers_to: Option<(String, Time)>,
    own: RecordHash,
}

/// A record by its address and date, or a page by its address: of millions the addresses would be most of what is in memory.
type RecordHash = [u8; 16];

fn hash(url: &str, date: Time) -> RecordHash {
    let mut sha1 = Sha1::new();
    sha1.update(date.as_millis().to_le_bytes());
    sha1.update(url);
    *sha1.finalize().first_chunk().expect("20 are more than 16")
}

impl Reading {
    /// Finds what is selected.
    pub fn select(&self, selection: &Selection) -> Result<Selected, Error> {
        let captures = self.captures()?.into_iter().filter(|info| selection.wants(info));
        let wanted = captures.enumerate().map(|(number, info)| (info.id, number)).collect();
        let (segments, latest, done) = (Vec::new(), HashMap::new(), Done::default());
        let mut selecting = Selecting { selection, wanted, segments, latest, done };
        for path in self.segments()? {
            selecting.segment(&path)?;
        }
        selecting.finish(self)
    }
}

struct Selecting<'a> {
    selection: &'a Selection,
    /// Captures, with a number each.
    wanted: HashMap<CaptureId, usize>,
    segments: Vec<SelectedSegment>,
    /// By page, if only the last visit counts.
    latest: HashMap<RecordHash, Chosen>,
    done: Done,
}

/// What is certain to be handed on.
#[derive(Default)]
struct Done {
    captures: HashSet<usize>,
    visits: u64,
    /// Responses, and originals that duplicates want and that did not come by before them.
    held: HashSet<RecordHash>,
    needed: HashSet<(String, Time)>,
}

impl Selecting<'_> {
    fn segment(&mut self, path: &Path) -> Result<(), Error> {
        let failed = || Error::io("read", path);
        let mut reader = Reader::new(door::open_file(path).map_err(failed())?);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = match name.strip_suffix(OPEN_SUFFIX) {
            Some(stem) => format!("{stem}.warc.gz"),
            None => name,
        };
        let number = self.segments.len();
        self.segments.push(SelectedSegment { path: path.to_owned(), name, stretches: Vec::new(), has_visits: false });
        let (mut captures, mut pending): (HashMap<u32, CaptureId>, _) = (HashMap::new(), Pending::default());
        while let Some(mut record) = reader.next().map_err(failed())? {
            let (announced, header) = (Announced::of(&record), record.header.clone());
            let Some(extent) = record.extent().map_err(failed())? else { continue };
            if let Some(announced) = announced {
                // Who has the file must be able to tell whose visits follow.
                if self.wanted.contains_key(&announced.id) || captures.is_empty() {
                    self.segments[number].add(Stretch::of(extent));
                }
                captures.insert(announced.number, announced.id);
                continue;
            }
            pending.add(&header, extent);
            let Some(tag) = Tag::of_record(&header) else { continue };
            let visit = std::mem::take(&mut pending);
            if let Some(capture) = captures.get(&tag.capture).and_then(|id| self.wanted.get(id)) {
                self.visit(number, visit, *capture);
            }
        }
        Ok(())
    }

    fn visit(&mut self, segment: usize, visit: Pending, capture: usize) {
        let Pending { stretches, url, date, is_answer, refers_to } = visit;
        if !self.selection.holds(date) || (self.selection.latest && !is_answer) {
            return;
        }
        let chosen = Chosen { segment, stretches, date, capture, refers_to, own: hash(&url, date) };
        if !self.selection.latest {
            return self.keep(chosen);
        }
        let page = hash(PageUrl::new(&url).as_str(), Time::default());
        if self.latest.get(&page).is_none_or(|known| known.date <= chosen.date) {
            self.latest.insert(page, chosen);
        }
    }

    fn keep(&mut self, chosen: Chosen) {
        let segment = &mut self.segments[chosen.segment];
        chosen.stretches.into_iter().for_each(|stretch| segment.add(stretch));
        segment.has_visits = true;
        self.done.visits += 1;
        self.done.captures.insert(chosen.capture);
        match chosen.refers_to {
            Some((url, date)) if !self.done.held.contains(&hash(&url, date)) => {
                self.done.needed.insert((url, date));
            }
            Some(_) => {}
            None => {
                self.done.held.insert(chosen.own);
            }
        }
    }

    fn finish(mut self, reading: &Reading) -> Result<Selected, Error> {
        for (_, chosen) in std::mem::take(&mut self.latest) {
            self.keep(chosen);
        }
        let missing = self.add_originals(reading)?;
        self.segments.iter_mut().for_each(SelectedSegment::settle);
        self.segments.retain(|segment| segment.has_visits);
        let wanted = self.wanted.into_iter().filter(|(_, number)| self.done.captures.contains(number));
        let mut captures: Vec<CaptureId> = wanted.map(|(id, _)| id).collect();
        captures.sort();
        Ok(Selected { segments: self.segments, captures, visits: self.done.visits, missing })
    }

    /// Adds the records that duplicates point to and that were not selected themselves.
    fn add_originals(&mut self, reading: &Reading) -> Result<u64, Error> {
        let holdings = Holdings::of_collection(reading.clone());
        let needed: Vec<(String, Time)> =
            self.done.needed.drain().filter(|(url, date)| !self.done.held.contains(&hash(url, *date))).collect();
        let mut missing = 0;
        for (url, date) in needed {
            let is_it = |memento: &&Memento| {
                !memento.is_elsewhere() && memento.time.as_secs() == date.as_secs() && memento.url() == url
            };
            let mementos = holdings.mementos(&url)?;
            let place = mementos.iter().find(is_it).and_then(|memento| {
                let line = &memento.line;
                let segment = self.segments.iter().position(|segment| Some(&segment.name) == line.filename.as_ref())?;
                Some((segment, Extent { offset: line.offset?, length: line.length? }))
            });
            match place {
                Some((segment, extent)) => {
                    self.segments[segment].add(Stretch::of(extent));
                    self.segments[segment].has_visits = true;
                }
                None => missing += 1,
            }
        }
        Ok(missing)
    }
}

impl Pending {
    fn add(&mut self, header: &Header, extent: Extent) {
        let url = header.target_uri().unwrap_or_default();
        let kind = header.record_type();
        let begins = matches!(kind, RecordType::Response | RecordType::Duplicate) || url != self.url;
        if begins {
            *self = Pending {
                url: url.into_owned(),
                date: header.date().unwrap_or_default(),
                is_answer: matches!(kind, RecordType::Response | RecordType::Duplicate),
                refers_to: (kind == RecordType::Duplicate)
                    .then(|| Some((header.refers_to_target_uri()?.into_owned(), header.refers_to_date()?)))
                    .flatten(),
                stretches: Vec::new(),
            };
        }
        match self.stretches.last_mut().filter(|last| last.end() == extent.offset) {
            Some(last) => (last.length, last.records) = (last.length + extent.length, last.records + 1),
            None => self.stretches.push(Stretch::of(extent)),
        }
    }
}
