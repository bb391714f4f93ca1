//! Mends what verify finds, as far as it can be mended. The original of every file that changes stays beside it under
//! the name `….before-repair`.

mod log;
mod replace;
mod segment;

use crate::{
    CaptureHead, CaptureId, Error,
    catalogue::Sizes,
    collection::{Shared, capture_ids},
    disk::publish,
    index,
    layout::{INDEX_SUFFIX, SEGMENT_SUFFIX, names},
    log::writer::LogWriter,
    recover::{self, Repair},
    scan::{self, LogScan, SegmentScan},
    state::State,
    verify::{self, Defect, Finding},
};
use hashbrown::HashMap;
use segment::Moved;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// What was done, file by file.
pub(crate) fn repair(shared: &Shared) -> Result<Vec<Repair>, Error> {
    let findings = verify::verify(&shared.layout)?.findings;
    let mut repairs = Vec::new();
    let mut moved = HashMap::new();
    for name in files_with(&findings, "warc/", is_mendable) {
        moved.insert(name.clone(), segment::rewrite(shared, &name)?);
        repairs.push(Repair::SegmentRewritten { segment: name });
    }
    mend_logs(shared, &findings, &moved, &mut repairs)?;
    mend_indexes(shared, &mut repairs)?;
    shared.catalogue().survey(&shared.layout)?;
    Ok(repairs)
}

fn is_mendable(defect: &Defect) -> bool {
    matches!(defect, Defect::Segment(problem) if problem.is_damage())
}

/// Names of the files in a directory with a finding that `wanted` picks.
fn files_with(findings: &[Finding], directory: &str, wanted: impl Fn(&Defect) -> bool) -> BTreeSet<String> {
    let picked = findings.iter().filter(|finding| wanted(&finding.defect));
    picked.filter_map(|finding| finding.file.strip_prefix(directory).map(str::to_owned)).collect()
}

/// What belongs to a capture, by what it says of itself in segments.
#[derive(Debug, Default)]
struct Belongings {
    head: Option<CaptureHead>,
    /// With its number in each.
    segments: BTreeMap<String, u32>,
}

/// Every capture that has a log or a segment.
fn belongings(shared: &Shared) -> Result<BTreeMap<CaptureId, Belongings>, Error> {
    let mut all: BTreeMap<CaptureId, Belongings> = BTreeMap::new();
    for id in capture_ids(&shared.layout)? {
        all.entry(id).or_default();
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

/// Makes logs and segments say the same again.
fn mend_logs(
    shared: &Shared,
    findings: &[Finding],
    moved: &HashMap<String, Moved>,
    repairs: &mut Vec<Repair>,
) -> Result<(), Error> {
    let logs = files_with(findings, "log/", |_| true);
    let unlogged = files_with(findings, "warc/", |defect| *defect == Defect::VisitUnlogged);
    for (id, belongings) in belongings(shared)? {
        let touched = |name: &String| unlogged.contains(name) || moved.contains_key(name);
        if logs.contains(&format!("{id}.jsonl")) || belongings.segments.keys().any(touched) {
            mend_log(shared, &id, belongings, moved, repairs)?;
        }
    }
    Ok(())
}

fn mend_log(
    shared: &Shared,
    id: &CaptureId,
    belongings: Belongings,
    moved: &HashMap<String, Moved>,
    repairs: &mut Vec<Repair>,
) -> Result<(), Error> {
    let path = shared.layout.log_of(id);
    let head = if path.exists() { LogScan::of(&path)?.head } else { None };
    let Some(head) = head.or(belongings.head) else { return Ok(()) };
    let end = log::rewrite(shared, id, &head, moved)?;
    State::forget(&shared.layout, &head.site)?;
    let mut scan = LogScan::of(&path)?;
    let own = belongings.segments;
    let named: BTreeSet<String> = own.keys().chain(scan.records.keys()).cloned().collect();
    for name in named {
        let path = shared.layout.segment(&name);
        let found = match path.exists() {
            true => scan::segment(&path).map_err(Error::io("read", &path))?.only(own.get(&name).copied()),
            false => SegmentScan::default(),
        };
        recover::agree(shared, id, &head, &name, &found, &mut scan, &mut Vec::new())?;
    }
    if let Some(end) = end {
        let mut writer = LogWriter::open(shared.disk.as_ref(), &path, scan.sound)?;
        writer.end(&end);
        writer.commit()?;
    }
    repairs.push(Repair::LogRestored { log: id.to_string() });
    Ok(())
}

/// Indexes that are not what their segments say.
fn mend_indexes(shared: &Shared, repairs: &mut Vec<Repair>) -> Result<(), Error> {
    let directory = shared.layout.warc();
    for name in names(&directory, SEGMENT_SUFFIX).map_err(Error::io("list", &directory))? {
        let (segment, more) = (shared.layout.segment(&name), shared.layout.more_index_of(&name));
        let made = index::of_segment(&segment, &name).map_err(Error::io("read", &segment))?;
        let text = made.lines.concat();
        let mut mended = mend_index(shared, &shared.layout.index_of(&name), &text)?;
        mended |= more.exists() && mend_index(shared, &more, &made.left_out.concat())?;
        if mended {
            repairs.push(Repair::IndexMade { segment: name.clone() });
        }
        let sizes = Sizes { segment: made.len, index: text.len() as u64 };
        shared.catalogue().close_segment(&name, sizes, made.valid_up_to)?;
    }
    let directory = shared.layout.index();
    for name in names(&directory, INDEX_SUFFIX).map_err(Error::io("list", &directory))? {
        if !shared.layout.indexed_by(&name).exists() {
            let path = directory.join(&name);
            shared.disk.rename(&path, &replace::aside(&path)).map_err(Error::io("rename", &path))?;
            repairs.push(Repair::EmptyRemoved { name });
        }
    }
    Ok(())
}

/// Puts an index in place unless it is there already. Whether it was not.
fn mend_index(shared: &Shared, path: &Path, text: &str) -> Result<bool, Error> {
    if std::fs::read(path).is_ok_and(|is| is == text.as_bytes()) {
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
        if !lines.is_empty() && !path.exists() {
            publish(shared.disk.as_ref(), &path, lines.concat().as_bytes()).map_err(Error::io("write", &path))?;
            repairs.push(Repair::MoreIndexed { segment: name, records: lines.len() as u64 });
        }
    }
    Ok(repairs)
}
