//! Finds what other validators let pass: reads every byte of segments, indexes and logs and compares what they say.

use crate::{
    CaptureHead, CaptureId, Error, Holder, MissingRecord, door,
    index::{
        self,
        merged::{Differing, differing},
    },
    layout::{LOG_SUFFIX, Layout, OPEN_SUFFIX, SEGMENT_SUFFIX, names},
    lock,
    log::{
        Place,
        entry::Observed,
        range::{FoundCapture, LogFile, LogRange},
        reader::{self, Observations},
    },
    scan::Group,
};
use hashbrown::{HashMap, HashSet};
use std::{collections::BTreeMap, fmt, path::Path};
use tintype_vocab::{PageUrl, Time, UrlKey};
use tintype_warc::{Extent, Reader, Record, RecordType, digest::Checker};

/// What reading everything said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Everything that is wrong.
    pub findings: Vec<Finding>,
    /// Visits whose records were damaged or lost and could not be restored. They are told for ever.
    pub missing: Vec<MissingRecord>,
    /// Records that are stored and in no index, because they are less important than somebody asked for.
    pub unindexed: u64,
    /// Versions that were seen and not stored, for the same reason.
    pub noted: u64,
    /// Who is writing a segment: that one was not judged.
    pub writer: Option<Holder>,
}

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Below the collection's directory.
    pub file: String,
    /// Byte offset, where that helps.
    pub offset: Option<u64>,
    pub defect: Defect,
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Defect {
    /// What a WARC reader finds odd or broken: torn tails, wrong digests, damaged members.
    Segment(tintype_warc::Problem),
    /// A link, a pipe or anything else that is no plain file: it is not read.
    NoPlainFile,
    /// Still named `.open`; the next capture closes it.
    StillOpen,
    /// A duplicate record whose original response is nowhere in the collection.
    OriginalMissing {
        url: String,
    },
    IndexMissing,
    /// An index without segment.
    IndexStray,
    /// Lines are not in order.
    IndexUnsorted,
    /// Lines are not those of the segment: `missing` of them are absent, `wrong` should not be there.
    IndexStale {
        missing: usize,
        wrong: usize,
    },
    /// A log without a readable first line.
    LogHeadless,
    /// A line that is not what was written.
    LogLine,
    /// A visit in the log whose record is not where the log says.
    RecordMissing {
        segment: String,
        at: u64,
        url: String,
    },
    /// A visit in a segment that no log knows.
    VisitUnlogged,
    /// A part of a package that is not as it says of itself.
    Package(&'static str),
    Signature(tintype_warc::wacz::SignatureError),
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(offset) = self.offset {
            write!(f, " at byte {offset}")?;
        }
        write!(f, ": {}", self.defect)
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Defect::Segment(problem) => problem.fmt(f),
            Defect::NoPlainFile => f.write_str("is a link or no plain file, and is not read; remove it"),
            Defect::StillOpen => f.write_str("is still being written, or its writer died"),
            Defect::OriginalMissing { url } => write!(f, "a duplicate of {url}, which is nowhere"),
            Defect::IndexMissing => f.write_str("has no index"),
            Defect::IndexStray => f.write_str("is the index of no segment"),
            Defect::IndexUnsorted => f.write_str("is not sorted"),
            Defect::IndexStale { missing, wrong } => {
                write!(f, "does not say what it is the index of: {missing} lines missing, {wrong} wrong")
            }
            Defect::LogHeadless => f.write_str("has no readable first line"),
            Defect::LogLine => f.write_str("a line is torn or damaged"),
            Defect::RecordMissing { segment, at, url } => {
                write!(f, "the record of {url} is not in {segment} at byte {at}")
            }
            Defect::VisitUnlogged => f.write_str("a visit that no log knows"),
            Defect::Package(what) => f.write_str(what),
            Defect::Signature(error) => write!(f, "{error}"),
        }
    }
}

/// What the collection holds, gathered on the way.
#[derive(Debug, Default)]
struct Seen {
    /// Response records, by index key and time: what duplicates may refer to, as replay tools find it.
    originals: HashSet<(UrlKey, Time)>,
    duplicates: Vec<(String, u64, String, Option<Time>)>,
    /// Records a log may name: offset to the page.
    records: HashMap<String, HashMap<u64, PageUrl<'static>>>,
    /// First records of whole visits of ours.
    visits: Vec<(String, u64)>,
    /// Visits of which only the digest is left.
    noted: u64,
}

/// Reads everything.
pub(crate) fn verify(layout: &Layout) -> Result<Verified, Error> {
    let (mut findings, mut seen, mut unindexed) = (Vec::new(), Seen::default(), 0);
    let writer = lock::holder(&layout.lock());
    let open_names = || names(&layout.warc(), OPEN_SUFFIX).map_err(Error::io("list", &layout.warc()));
    let mut open: Vec<String> = if writer.is_some() { open_names()? } else { Vec::new() };
    for (directory, name) in layout.passed_over()? {
        findings.push(found(directory, &name, None, Defect::NoPlainFile));
    }
    let directory = layout.warc();
    for suffix in [SEGMENT_SUFFIX, OPEN_SUFFIX] {
        for name in names(&directory, suffix).map_err(Error::io("list", &directory))? {
            segment(&directory.join(&name), &name, &mut findings, &mut seen)?;
            match suffix {
                SEGMENT_SUFFIX => unindexed += indexes_of(layout, &name, &mut findings)?,
                _ => findings.push(found("warc", &name, None, Defect::StillOpen)),
            }
        }
    }
    stray_indexes(layout, &mut findings)?;
    for Differing { file, missing, wrong, .. } in differing(layout).map_err(Error::io("read", &layout.merged()))? {
        findings.push(found("index", &file, None, Defect::IndexStale { missing, wrong }));
    }
    for (name, offset, url, date) in &seen.duplicates {
        if !date.is_some_and(|date| seen.originals.contains(&(UrlKey::of(url), date))) {
            findings.push(found("warc", name, Some(*offset), Defect::OriginalMissing { url: url.clone() }));
        }
    }
    let missing = logs(layout, &seen, &mut findings)?;
    // And those that were begun meanwhile.
    if writer.is_some() {
        open.extend(open_names()?);
    }
    let writer = writer.filter(|_| !open.is_empty());
    findings.retain(|finding| !open.iter().any(|open| is_of_segment(finding, open)));
    Ok(Verified { findings, missing, unindexed, noted: seen.noted, writer })
}

/// Whether a finding is about a segment that is being written: its end is not there yet, and its log may lag or be ahead.
fn is_of_segment(finding: &Finding, open: &str) -> bool {
    let segment = open.trim_end_matches(".open");
    match &finding.defect {
        Defect::StillOpen | Defect::Segment(_) | Defect::VisitUnlogged => {
            let name = finding.file.trim_start_matches("warc/");
            name == open || name == segment
        }
        Defect::RecordMissing { segment: named, .. } => named == segment,
        _ => false,
    }
}

fn found(directory: &str, name: &str, offset: Option<u64>, defect: Defect) -> Finding {
    Finding { file: format!("{directory}/{name}"), offset, defect }
}

fn segment(path: &Path, name: &str, findings: &mut Vec<Finding>, seen: &mut Seen) -> Result<(), Error> {
    let failed = || Error::io("read", path);
    let mut reader = Reader::new(door::open_file(path).map_err(failed())?);
    let mut group = Group::default();
    let final_name = name.trim_end_matches(".open");
    while let Some(mut record) = reader.next().map_err(failed())? {
        let offset = record.offset;
        let mut checker = Checker::new(record.header, record.block());
        note(&record, final_name, &mut group, seen);
        let whole = record.pour(&mut |bytes| checker.update(bytes)).map_err(failed())?;
        if whole.is_some() {
            let problems = checker.finish().map(|problem| found("warc", name, Some(offset), Defect::Segment(problem)));
            findings.extend(problems);
        }
    }
    let odd = reader.take_findings();
    let odd = odd.iter().map(|odd| found("warc", name, Some(odd.offset), Defect::Segment(odd.problem.clone())));
    findings.extend(odd);
    Ok(())
}

/// Notes what other files may say of a record.
fn note(record: &Record<'_>, name: &str, group: &mut Group, seen: &mut Seen) {
    let (header, offset) = (record.header, record.offset);
    let kind = header.record_type();
    if kind == RecordType::Warcinfo {
        return;
    }
    let url = header.target_uri();
    if let Some(url) = &url {
        seen.records.entry_ref(name).or_default().insert(offset, PageUrl::new(url).into_owned());
    }
    match (kind, url, header.date()) {
        (RecordType::Response, Some(url), Some(date)) => drop(seen.originals.insert((UrlKey::of(&url), date))),
        (RecordType::Duplicate, ..) => {
            let original = header.refers_to_target_uri().unwrap_or_default().into_owned();
            seen.duplicates.push((name.to_owned(), offset, original, header.refers_to_date()));
        }
        _ => {}
    }
    if let Some(visit) = group.add(header, Extent { offset, length: 0 }) {
        seen.visits.push((name.to_owned(), visit.offset));
        seen.noted += u64::from(visit.tag.noted.is_some());
    }
}

/// Holds the indexes of a segment against it. Returns how many of its records are in neither on purpose.
fn indexes_of(layout: &Layout, name: &str, findings: &mut Vec<Finding>) -> Result<u64, Error> {
    let segment = layout.segment(name);
    let made = index::of_segment(&segment, name).map_err(Error::io("read", &segment))?;
    if !index_of(&layout.index_of(name), index::read(layout, name), &made.lines, findings) {
        findings.push(found("warc", name, None, Defect::IndexMissing));
    }
    let more = layout.more_index_of(name);
    let has_more = index_of(&more, door::read_text(&more, index::TEXT_MAX).ok(), &made.left_out, findings);
    Ok(if has_more { 0 } else { made.left_out.len() as u64 })
}

/// Holds the text of an index against the lines it should have. Whether it is there at all.
fn index_of(path: &Path, text: Option<String>, should: &[String], findings: &mut Vec<Finding>) -> bool {
    let Some(text) = text else { return false };
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if !lines.is_sorted() {
        findings.push(found("index", &file, None, Defect::IndexUnsorted));
    }
    let should: HashSet<&str> = should.iter().map(String::as_str).collect();
    let is: HashSet<&str> = lines.into_iter().collect();
    let (missing, wrong) = (should.difference(&is).count(), is.difference(&should).count());
    if missing + wrong > 0 {
        findings.push(found("index", &file, None, Defect::IndexStale { missing, wrong }));
    }
    true
}

fn stray_indexes(layout: &Layout, findings: &mut Vec<Finding>) -> Result<(), Error> {
    let directory = layout.index();
    for name in index::names_of(layout).map_err(Error::io("list", &directory))? {
        if !door::is_file(&layout.indexed_by(&name)) {
            findings.push(found("index", &name, None, Defect::IndexStray));
        }
    }
    Ok(())
}

/// Holds logs against segments. Returns what they say is missing for good.
fn logs(layout: &Layout, seen: &Seen, findings: &mut Vec<Finding>) -> Result<Vec<MissingRecord>, Error> {
    let mut missing = Vec::new();
    let mut logged: HashSet<(String, u64)> = HashSet::new();
    for LoggedCapture { log, .. } in captures(layout, findings)?.into_values() {
        let name = log.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        missing.extend(reader::missing(&log)?);
        let mut observations = Observations::open(&log, 0)?;
        while let Some((_, observed)) = observations.next()? {
            let Some(Observed { observation, place: Some(place), .. }) = observed else { continue };
            let Place { segment, offset, .. } = place;
            let held = seen.records.get(&segment).and_then(|records| records.get(&offset));
            if held != Some(&PageUrl::new(&observation.url)) {
                let defect = Defect::RecordMissing { segment: segment.clone(), at: offset, url: observation.url };
                findings.push(found("log", &name, None, defect));
            }
            logged.insert((segment, offset));
        }
    }
    let unlogged = seen.visits.iter().filter(|visit| !logged.contains(*visit));
    findings.extend(unlogged.map(|(name, offset)| found("warc", name, Some(*offset), Defect::VisitUnlogged)));
    Ok(missing)
}

/// A capture as logs alone tell it.
#[derive(Debug)]
pub(crate) struct LoggedCapture {
    pub(crate) log: LogRange,
    /// Nothing where its first line cannot be read.
    pub(crate) head: Option<CaptureHead>,
    /// There is no other in its file.
    pub(crate) is_alone: bool,
}

/// Reads all logs for the captures in them and what is wrong with their lines.
pub(crate) fn captures(
    layout: &Layout,
    findings: &mut Vec<Finding>,
) -> Result<BTreeMap<CaptureId, LoggedCapture>, Error> {
    let directory = layout.log();
    let mut captures = BTreeMap::new();
    for name in names(&directory, LOG_SUFFIX).map_err(Error::io("list", &directory))? {
        let path = directory.join(&name);
        let file = LogFile::read(&path, 0)?;
        findings.extend(file.unsound.iter().map(|start| found("log", &name, Some(*start), Defect::LogLine)));
        let first = file.captures.first().map_or(file.len, |found| found.from);
        if first > 0 || file.captures.is_empty() {
            findings.push(found("log", &name, None, Defect::LogHeadless));
            let log = LogRange { path: path.clone(), from: 0, to: Some(first) };
            let headless = LoggedCapture { log, head: None, is_alone: file.captures.is_empty() };
            captures.entry(CaptureId::from_text(name.trim_end_matches(LOG_SUFFIX))).or_insert(headless);
        }
        let is_alone = file.captures.len() == 1 && first == 0;
        for FoundCapture { id, head, anew, from, to, .. } in file.captures {
            let log = LogRange { path: path.clone(), from, to: Some(to) };
            let logged = LoggedCapture { log, head: Some(head), is_alone };
            match anew {
                true => drop(captures.insert(id, logged)),
                false => drop(captures.entry(id).or_insert(logged)),
            }
        }
    }
    Ok(captures)
}
