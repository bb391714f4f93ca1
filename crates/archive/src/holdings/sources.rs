//! Where lines and records come from.

use super::{KeyRange, foreign::ForeignFiles};
use crate::{
    CaptureId, CaptureInfo, Error, Place, Reading, door, held,
    index::{self, journal},
    layout::{JOURNAL_SUFFIX, Layout, names},
    scan::first_announced,
    tag::Tag,
};
use hashbrown::HashMap;
use std::{
    io::{self, Read},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tintype_vocab::{PageUrl, Span, Time};
use tintype_warc::{Reader, cdxj};

/// So often an index that cannot be read is looked for again: it may just be growing.
pub(super) const TRIES: u32 = 5;
pub(super) const PAUSE: Duration = Duration::from_millis(10);
/// Records of one visit.
const VISIT_RECORDS: usize = 4;
/// How much of a segment is read for the capture of a visit.
const VISIT_BYTES: u64 = 64 << 20;

#[derive(Debug)]
pub(super) enum Source {
    Collection(Reading, WrittenLines),
    Files(ForeignFiles),
}

/// The index lines of segments that have no index yet, or one that lags: read as far as they are, and from there on the
/// next time.
#[derive(Debug, Default)]
pub(super) struct WrittenLines(Mutex<HashMap<String, Known>>);

/// Sorted lines, with their ends, of so many bytes of a segment.
type Known = (Arc<Vec<String>>, u64);

impl WrittenLines {
    /// The lines in the range of a segment that is being written.
    fn of(&self, layout: &Layout, segment: &str, range: &KeyRange) -> io::Result<Vec<String>> {
        let lines = self.up_to_date(layout, segment)?;
        let from = lines.partition_point(|line| *line < range.low);
        let in_range =
            lines[from..].iter().map(|line| line.trim_end_matches('\n')).take_while(|line| *line < range.high.as_str());
        Ok(in_range.map(str::to_owned).collect())
    }

    fn up_to_date(&self, layout: &Layout, segment: &str) -> io::Result<Arc<Vec<String>>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let open = layout.open_segment(segment);
        let path = if door::is_file(&open) { open } else { layout.segment(segment) };
        if !door::is_file(&path) {
            return Ok(Arc::default());
        }
        let (lines, bytes) = match all.remove(segment) {
            Some((lines, bytes)) if bytes <= door::len(&path)? => (Arc::unwrap_or_clone(lines), bytes),
            _ => journal::read(layout, segment),
        };
        let made = index::completed(&path, segment, (lines, bytes))?;
        let lines = Arc::new(made.lines);
        all.insert(segment.to_owned(), (lines.clone(), made.valid_up_to.max(bytes)));
        Ok(lines)
    }
}

/// Sorted lines, from the beginning of a range on.
pub(super) struct Listed<'a> {
    pub(super) path: PathBuf,
    pub(super) lines: Box<dyn Iterator<Item = io::Result<String>> + Send + 'a>,
}

impl Source {
    pub(super) fn lists(&self, range: &KeyRange) -> Result<Vec<Listed<'_>>, Error> {
        match self {
            Source::Collection(reading, written) => lists_of(reading, written, range),
            Source::Files(files) => Ok(vec![files.list(range)?]),
        }
    }

    pub(super) fn stored(&self, line: &cdxj::Line) -> Result<Box<dyn Read + Send>, Error> {
        let (Some(segment), Some(offset), Some(length)) = (line.filename.clone(), line.offset, line.length) else {
            let reason = format!("the index does not say where the record of {} is", line.key);
            return Err(Error::Unusable { path: PathBuf::from("index"), reason });
        };
        let place = Place { segment, offset, length };
        match self {
            Source::Collection(reading, _) => Ok(Box::new(reading.record(&place)?)),
            Source::Files(files) => files.stored(&place),
        }
    }

    pub(super) fn capture_of(&self, line: &cdxj::Line, time: Time) -> Result<Option<CaptureInfo>, Error> {
        let Source::Collection(reading, _) = self else { return Ok(None) };
        if let Some(id) = told_by_record(reading, line).ok().flatten()
            && let Some(capture) = reading.capture(&id)?
        {
            return Ok(Some(capture));
        }
        // Nobody says which it was: the one of this site that had begun last.
        let mut captures = reading.captures()?;
        let url = line.url.as_deref().unwrap_or_default();
        captures.retain(|capture| capture.head.started < time + Span::from_secs(1));
        let of_site = captures.iter().rposition(|capture| is_of(url, &capture.head.site));
        let at = of_site.or_else(|| captures.len().checked_sub(1));
        Ok(at.map(|at| captures.swap_remove(at)))
    }
}

/// Whether a page lies at a site, by their names.
pub(crate) fn is_of(url: &str, site: &str) -> bool {
    let page = PageUrl::new(url);
    page.as_str().split_once("://").is_some_and(|(_, rest)| {
        rest.strip_prefix(site).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', ':']))
    })
}

/// The capture that the record of a visit names by its number in the segment.
fn told_by_record(reading: &Reading, line: &cdxj::Line) -> io::Result<Option<CaptureId>> {
    let (Some(segment), Some(offset)) = (line.filename.clone(), line.offset) else { return Ok(None) };
    let layout = reading.layout();
    let place = Place { segment, offset, length: VISIT_BYTES };
    let mut reader = Reader::new(held::stored(layout, &place)?);
    for _ in 0..VISIT_RECORDS {
        let Some(record) = reader.next()? else { return Ok(None) };
        match Tag::of_record(record.header) {
            Some(tag) if tag.capture == 0 => {
                let path = layout.segment(&place.segment);
                let first = first_announced(&path).or_else(|_| first_announced(&layout.open_segment(&place.segment)));
                return Ok(first?.map(|announced| announced.id));
            }
            Some(tag) => return Ok(reading.numbered(&place.segment, tag.capture)),
            None => {}
        }
    }
    Ok(None)
}

/// The indexes of a collection, and what is known of the segments being written.
fn lists_of(reading: &Reading, written: &WrittenLines, range: &KeyRange) -> Result<Vec<Listed<'static>>, Error> {
    for _ in 1..TRIES {
        if let Ok(lists) = try_lists_of(reading, written, range) {
            return Ok(lists);
        }
        std::thread::sleep(PAUSE);
    }
    try_lists_of(reading, written, range).map_err(Error::io("read", &reading.layout().index()))
}

fn try_lists_of(reading: &Reading, written: &WrittenLines, range: &KeyRange) -> io::Result<Vec<Listed<'static>>> {
    let layout = reading.layout();
    let mut lists = Vec::new();
    // Segments being written come first: one that is closed meanwhile is then found twice and not missed.
    for journal in names(&layout.state(), JOURNAL_SUFFIX)? {
        let segment = journal.strip_suffix(JOURNAL_SUFFIX).unwrap_or(&journal);
        let lines = written.of(layout, segment, range)?;
        lists.push(Listed { path: layout.journal_of(segment), lines: Box::new(lines.into_iter().map(Ok)) });
    }
    let indexed = reading.index_files().of(layout)?.lines_from(layout, &range.low)?;
    lists.extend(indexed.into_iter().map(|(path, lines)| Listed { path, lines }));
    Ok(lists)
}
