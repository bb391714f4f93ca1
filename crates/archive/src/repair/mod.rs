//! Mends what verify finds, as far as it can be mended. The original of every file that changes stays beside it under
//! the name `….before-repair`.

mod log;
mod replace;
mod segment;

pub(crate) use replace::aside;

use crate::{
    CaptureHead, CaptureId, Error,
    catalogue::Sizes,
    collection::Shared,
    disk::publish,
    door,
    index::{
        self,
        merged::{Differing, differing},
    },
    layout::{SEGMENT_SUFFIX, names},
    log::{range::LogRange, writer::LogWriter},
    recover::{self, Repair},
    scan::{self, LogScan, SegmentScan},
    state::State,
    verify::{self, Defect, Finding, LoggedCapture},
};
use hashbrown::HashSet;
use log::Records;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// What was done, file by file.
pub(crate) fn repair(shared: &Shared) -> Result<Vec<Repair>, Error> {
    let findings = verify::verify(&shared.layout)?.findings;
    let mut repairs = Vec::new();
    let mut records = Records { absent: absent(&findings), ..Records::default() };
    for name in files_with(&findings, "warc/", is_mendable) {
        records.moved.insert(name.clone(), segment::rewrite(shared, &name)?);
        repairs.push(Repair::SegmentRewritten { segment: name });
    }
    mend_logs(shared, &findings, &records, &mut repairs)?;
    mend_indexes(shared, &mut repairs)?;
    mend_merged(shared, &mut repairs)?;
    shared.catalogue().survey(&shared.layout)?;
    Ok(repairs)
}

/// Segments and offsets where there is no such record as a log says.
fn absent(findings: &[Finding]) -> HashSet<(String, u64)> {
    let absent = findings.iter().filter_map(|finding| match &finding.defect {
        Defect::RecordMissing { segment, at, .. } => Some((segment.clone(), *at)),
        _ => None,
    });
    absent.collect()
}

fn is_mendable(defect: &Defect) -> bool {
    matches!(defect, Defect::Segment(problem) if problem.is_damage())
}

/// Names of the files in a directory with a finding that `wanted` picks.
fn files_with(findings: &[Finding], directory: &str, wanted: impl Fn(&Defect) -> bool) -> BTreeSet<String> {
    let picked = findings.iter().filter(|finding| wanted(&finding.defect));
    picked.filter_map(|finding| finding.file.strip_prefix(directory).map(str::to_owned)).collect()
}

/// What belongs to a capture, by what it says of itself in logs and segments.
#[derive(Debug, Default)]
struct Belongings {
    head: Option<CaptureHead>,
    log: Option<LogRange>,
    /// There is no other capture in its log.
    is_alone: bool,
    /// With its number in each.
    segments: BTreeMap<String, u32>,
}

/// Every capture that has a log or a segment.
fn belongings(shared: &Shared) -> Result<BTreeMap<CaptureId, Belongings>, Error> {
    let mut all: BTreeMap<CaptureId, Belongings> = BTreeMap::new();
    for (id, LoggedCapture { log, head, is_alone }) in verify::captures(&shared.layout, &mut Vec::new())? {
        all.insert(id, Belongings { head, log: Some(log), is_alone, segments: BTreeMap::new() });
    }
    let directory = shared.layout.warc();
    for name in names(&directory, SEGMENT_SUFFIX).map_err(Error::io("list", &directory))? {
        let path = shared.layout.segment(&name);
        for announced in scan::announced(&path).map_err(Error::io("read", &path))? {
            let belongings = all.entry(announced.id).or_default();
            belongings.head = belongings.head.take().or(announced.head);
            belongings.segments.insert(name.clone(), announced.number);
        }
    }
    Ok(all)
}

impl Belongings {
    fn log_name(&self) -> Option<String> {
        self.log.as_ref()?.path.file_name()?.to_str().map(str::to_owned)
    }
}

/// Makes logs and segments say the same again. A log that holds several captures is left behind for one of each.
fn mend_logs(shared: &Shared, findings: &[Finding], records: &Records, repairs: &mut Vec<Repair>) -> Result<(), Error> {
    let logs = files_with(findings, "log/", |_| true);
    let unlogged = files_with(findings, "warc/", |defect| *defect == Defect::VisitUnlogged);
    let mut left: BTreeMap<PathBuf, bool> = BTreeMap::new();
    for (id, belongings) in belongings(shared)? {
        let touched = |name: &String| unlogged.contains(name) || records.moved.contains_key(name);
        let is_touched =
            belongings.log_name().is_some_and(|name| logs.contains(&name)) || belongings.segments.keys().any(touched);
        let log = belongings.log.as_ref().filter(|_| !belongings.is_alone).map(|log| log.path.clone());
        let is_left = is_touched && mend_log(shared, &id, belongings, records, repairs)?;
        if let Some(log) = log {
            left.entry(log).and_modify(|all| *all &= is_left).or_insert(is_left);
        }
    }
    for path in left.into_iter().filter_map(|(path, is_left)| is_left.then_some(path)) {
        shared.disk.rename(&path, &replace::aside(&path)).map_err(Error::io("rename", &path))?;
        let directory = shared.layout.log();
        shared.disk.sync_dir(&directory).map_err(Error::io("sync", &directory))?;
    }
    Ok(())
}

/// Writes the log of a capture again, if it is known what it set out to do.
fn mend_log(
    shared: &Shared,
    id: &CaptureId,
    belongings: Belongings,
    records: &Records,
    repairs: &mut Vec<Repair>,
) -> Result<bool, Error> {
    let Belongings { head: Some(head), log, is_alone, segments } = belongings else { return Ok(false) };
    let own = match &log {
        Some(log) if is_alone => LogRange::whole(log.path.clone()),
        _ => LogRange::whole(shared.layout.log_file(&shared.layout.free_log(id))),
    };
    let end = log::rewrite(shared, (id, &head), log.as_ref(), &own, records)?;
    note_place(shared, id, &head, &own)?;
    State::forget(&shared.layout, &head.site)?;
    let mut scan = LogScan::of(&own)?;
    let named: BTreeSet<String> = segments.keys().chain(scan.records.keys()).cloned().collect();
    for name in named {
        let path = shared.layout.segment(&name);
        let found = match door::is_file(&path) {
            true => scan::segment(&path).map_err(Error::io("read", &path))?.only(segments.get(&name).copied()),
            false => SegmentScan::default(),
        };
        recover::agree(shared, (id, &own), &head, &name, &found, &mut scan, &mut Vec::new())?;
    }
    if let Some(end) = end {
        let mut writer = LogWriter::open(shared.disk.as_ref(), &own, scan.sound)?;
        writer.end(&end);
        writer.commit()?;
    }
    repairs.push(Repair::LogRestored { log: id.to_string() });
    Ok(true)
}

/// Says in the catalogue where a capture is now.
fn note_place(shared: &Shared, id: &CaptureId, head: &CaptureHead, log: &LogRange) -> Result<(), Error> {
    let name = log.path.file_stem().unwrap_or_default().to_string_lossy();
    let catalogue = shared.catalogue();
    catalogue.put_capture(id, head, None, 0, false)?;
    catalogue.place_log(id, &name, 0)
}

/// Indexes that are not what their segments say.
fn mend_indexes(shared: &Shared, repairs: &mut Vec<Repair>) -> Result<(), Error> {
    let directory = shared.layout.warc();
    for name in names(&directory, SEGMENT_SUFFIX).map_err(Error::io("list", &directory))? {
        let (segment, more) = (shared.layout.segment(&name), shared.layout.more_index_of(&name));
        let made = index::of_segment(&segment, &name).map_err(Error::io("read", &segment))?;
        let mut mended = index::read(&shared.layout, &name).is_none_or(|is| is != made.lines.concat());
        if mended {
            make_index(shared, &name, &made)?;
        }
        mended |= door::is_file(&more) && mend_index(shared, &more, &made.left_out.concat())?;
        if mended {
            repairs.push(Repair::IndexMade { segment: name.clone() });
        }
        if let Some(index) = index::sizes(&shared.layout, &name) {
            let sizes = Sizes { segment: made.len, index };
            shared.catalogue().close_segment(&name, sizes, made.valid_up_to)?;
        }
    }
    let directory = shared.layout.index();
    for name in index::names_of(&shared.layout).map_err(Error::io("list", &directory))? {
        if !door::is_file(&shared.layout.indexed_by(&name)) {
            let path = directory.join(&name);
            shared.disk.rename(&path, &replace::aside(&path)).map_err(Error::io("rename", &path))?;
            repairs.push(Repair::EmptyRemoved { name });
        }
    }
    Ok(())
}

/// Merged indexes that do not say what indexes say; as all of it is in those, nothing is kept.
fn mend_merged(shared: &Shared, repairs: &mut Vec<Repair>) -> Result<(), Error> {
    let directory = shared.layout.merged();
    let failed = || Error::io("merge", &directory);
    for Differing { stem, file, .. } in differing(&shared.layout).map_err(failed())? {
        index::remove(&shared.layout, &stem).map_err(failed())?;
        repairs.push(Repair::MergedAgain { index: file });
    }
    shared.merger.finish(&shared.layout).map_err(failed())?;
    Ok(())
}

/// Puts the index of a segment in the place of what is there, which stays beside it.
fn make_index(shared: &Shared, segment: &str, made: &index::Made) -> Result<(), Error> {
    for path in index::files(&shared.layout, segment) {
        shared.disk.rename(&path, &replace::aside(&path)).map_err(Error::io("rename", &path))?;
    }
    index::write(shared.disk.as_ref(), &shared.layout, segment, made.len, &made.lines).map(drop)
}

/// Puts an index in place unless it is there already. Whether it was not.
fn mend_index(shared: &Shared, path: &Path, text: &str) -> Result<bool, Error> {
    if door::read_text(path, index::TEXT_MAX).is_ok_and(|is| is == text) {
        return Ok(false);
    }
    let draft = replace::draft(shared, path)?;
    publish(shared.disk.as_ref(), &draft, text.as_bytes()).map_err(Error::io("write", &draft))?;
    replace::put_in_place(shared, &draft, path)?;
    Ok(true)
}

/// Indexes what segments hold and their indexes leave out, in files of its own beside them.
pub(crate) fn index_everything(shared: &Shared) -> Result<Vec<Repair>, Error> {
    let mut repairs = Vec::new();
    let directory = shared.layout.warc();
    for name in names(&directory, SEGMENT_SUFFIX).map_err(Error::io("list", &directory))? {
        let (segment, path) = (shared.layout.segment(&name), shared.layout.more_index_of(&name));
        let lines = index::of_segment(&segment, &name).map_err(Error::io("read", &segment))?.left_out;
        if !lines.is_empty() && !door::is_taken(&path) {
            publish(shared.disk.as_ref(), &path, lines.concat().as_bytes()).map_err(Error::io("write", &path))?;
            repairs.push(Repair::MoreIndexed { segment: name, records: lines.len() as u64 });
        }
    }
    Ok(repairs)
}
