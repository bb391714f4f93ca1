//! Keeping: a run without end that begins with all that earlier ones saw.
//!
//! Its scheduler is fed every observation of the site's earlier logs, as if it had made those visits itself. So it knows what
//! an import taught as well as what it learned yesterday, and feeding the same logs again gives the same scheduler.

use crate::{CollectionKnowledge, Error};
use tintype_archive::{CaptureId, CaptureInfo, CaptureKind, Collection, Reading};
use tintype_learn::knowledge::Knowledge;
use tintype_plan::{Scheduler, Settings};
use tintype_vocab::{Entry, Time};

/// A scheduler that recalls all that was seen of a site by captures begun before a moment.
pub(crate) fn scheduler(
    reading: &Reading,
    site: &str,
    settings: Settings,
    shared: &CollectionKnowledge,
    before: Time,
) -> Result<Scheduler, Error> {
    let mut scheduler = Scheduler::with_knowledge(settings, Knowledge::new(shared.shared()))?;
    for capture in in_order(reading, site, before)? {
        for entry in reading.entries(&capture)? {
            if let Entry::Observation(observation) = entry? {
                scheduler.recall(&observation);
            }
        }
    }
    scheduler.begin_after_recall();
    Ok(scheduler)
}

/// Captures of whole pages, by when they saw the first: an import tells of times long before it was made.
pub(crate) fn in_order(reading: &Reading, site: &str, before: Time) -> Result<Vec<CaptureId>, Error> {
    let of_pages = |info: &CaptureInfo| {
        let is_kind = matches!(info.head.kind, CaptureKind::Capture | CaptureKind::Keep | CaptureKind::Import);
        is_kind && info.head.started < before
    };
    let mut captures = Vec::new();
    for info in reading.captures_of(site)?.into_iter().filter(of_pages) {
        let first = reading.entries(&info.id)?.find_map(|entry| match entry {
            Ok(Entry::Observation(seen)) => Some(seen.asked),
            _ => None,
        });
        captures.push((first.unwrap_or(info.head.started), info.id));
    }
    captures.sort();
    Ok(captures.into_iter().map(|(_, id)| id).collect())
}

/// Ends a stretch of keeping that was killed: nothing is lost by it, as the next one recalls what it saw. Anything else that
/// was cut short is given back.
pub(crate) fn end_cut_short(
    collection: &Collection,
    unfinished: Option<CaptureId>,
) -> Result<Option<CaptureId>, Error> {
    let Some(id) = unfinished else { return Ok(None) };
    let info = collection.captures()?.into_iter().find(|info| info.id == id);
    if info.is_none_or(|info| info.head.kind != CaptureKind::Keep) {
        return Ok(Some(id));
    }
    let capture = collection.resume(&id)?.capture;
    capture.finish(&serde_json::json!({ "ending": "cut-short" }))?;
    Ok(None)
}
