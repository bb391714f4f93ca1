//! Keeping: a run without end that begins with all that earlier ones saw.
//!
//! Its scheduler is fed every observation of the site's earlier logs, as if it had made those visits itself. So it knows what
//! an import taught as well as what it learned yesterday, and feeding the same logs again gives the same scheduler.

use crate::{
    CollectionKnowledge, Error,
    recalled::{self, Recalled},
};
use tintype_archive::{CaptureId, CaptureInfo, CaptureKind, Collection, Reading};
use tintype_plan::{Scheduler, Settings};
use tintype_vocab::Time;

/// A scheduler that recalls all that was seen of a site by those of its captures that began before a moment.
pub(crate) fn scheduler(
    reading: &Reading,
    captures: &[CaptureInfo],
    settings: &Settings,
    shared: &CollectionKnowledge,
    before: Time,
) -> Result<Scheduler, Error> {
    let mut recalled = Recalled::nothing(settings, shared, String::new())?;
    let is_watching =
        |id: &CaptureId| captures.iter().any(|info| info.id == *id && info.head.kind == CaptureKind::Keep);
    recalled.recall(reading, &of_pages(reading, captures, before)?, is_watching)?;
    Ok(recalled.begin(settings))
}

/// Captures of whole pages begun before a moment that saw something, by when they saw the first.
pub(crate) fn in_order(reading: &Reading, site: &str, before: Time) -> Result<Vec<(Time, CaptureId)>, Error> {
    of_pages(reading, &reading.captures_of(site)?, before)
}

fn of_pages(reading: &Reading, captures: &[CaptureInfo], before: Time) -> Result<Vec<(Time, CaptureId)>, Error> {
    let of_pages = |info: &&CaptureInfo| recalled::is_of_pages(info.head.kind) && info.head.started < before;
    recalled::in_order(reading, captures.iter().filter(of_pages).map(|info| &info.id))
}

/// Ends a stretch of keeping that was killed: nothing is lost by it, as the next one recalls what it saw. Anything else that
/// was cut short is given back.
pub(crate) fn end_cut_short(
    collection: &Collection,
    unfinished: Option<CaptureId>,
) -> Result<Option<CaptureId>, Error> {
    let Some(id) = unfinished else { return Ok(None) };
    if collection.capture(&id)?.is_none_or(|info| info.head.kind != CaptureKind::Keep) {
        return Ok(Some(id));
    }
    let capture = collection.resume(&id)?.capture;
    capture.finish(&serde_json::json!({ "ending": "cut-short" }))?;
    Ok(None)
}
