//! What is not as the catalogue says, found when a collection is opened for writing.

use super::{Catalogue, Sizes, captures, directories::Watched};
use crate::{
    CaptureId, Error,
    layout::{Layout, OPEN_SUFFIX, SEGMENT_SUFFIX, names},
    scan::{self, SegmentScan},
};
use hashbrown::HashSet;
use std::path::Path;

/// What is to be looked into.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// Captures whose log and segments may not say the same.
    pub(crate) unsettled: Vec<CaptureId>,
    /// Segments that were being written.
    pub(crate) open: Vec<String>,
    /// Closed segments whose index may not be theirs.
    pub(crate) stale: Vec<String>,
}

impl Catalogue {
    /// Brings rows of captures up to date with their logs and says what else is not as it was.
    pub(crate) fn survey(&self, layout: &Layout) -> Result<Survey, Error> {
        let transaction = self.connection.unchecked_transaction().map_err(self.failed())?;
        let mut survey = Survey::default();
        let headless = self.survey_logs(layout)?;
        self.survey_segments(layout, &mut survey)?;
        survey.unsettled = self.unsettled()?.into_iter().map(|known| known.id).chain(headless).collect();
        for name in &survey.open {
            // A segment whose log is gone brings it back.
            let captures = self.captures_in(name)?.into_iter();
            survey.unsettled.extend(captures.filter(|id| !layout.log_of(id).exists()));
        }
        survey.unsettled.sort();
        survey.unsettled.dedup();
        transaction.commit().map_err(self.failed())?;
        Ok(survey)
    }

    /// Rows as the logs have them. Returns logs without a readable beginning.
    fn survey_logs(&self, layout: &Layout) -> Result<Vec<CaptureId>, Error> {
        let (changed, mut headless) = (self.changed_logs(layout)?, Vec::new());
        for id in &changed.gone {
            self.forget_what_ended(id)?;
            self.drop_capture(id)?;
        }
        for (id, bytes) in changed.logs {
            let known = self.recorded(&id)?;
            if known.is_some_and(|known| !known.has_ended && (1..=bytes).contains(&known.bytes)) {
                self.unsettle(&id)?;
                continue;
            }
            self.forget_what_ended(&id)?;
            match captures::read(layout, &id)? {
                Some(info) if info.end.is_some() => {
                    self.put_capture(&id, &info.head, info.end.as_ref(), bytes, true)?;
                }
                Some(info) => self.put_capture(&id, &info.head, None, 0, false)?,
                None => {
                    self.drop_capture(&id)?;
                    headless.push(id);
                }
            }
        }
        Ok(headless)
    }

    fn forget_what_ended(&self, id: &CaptureId) -> Result<(), Error> {
        let has_ended = self.recorded(id)?.is_some_and(|known| known.has_ended);
        if has_ended { self.forget_derived() } else { Ok(()) }
    }

    fn survey_segments(&self, layout: &Layout, survey: &mut Survey) -> Result<(), Error> {
        let as_noted = self.is_as_noted(layout, Watched::Segments)? && self.is_as_noted(layout, Watched::Indexes)?;
        let (open, closed) = if as_noted { self.latest_segments(layout)? } else { self.listed_segments(layout)? };
        let newest = closed.iter().max().cloned();
        for name in open {
            if !self.is_known(&name)? {
                self.note_announced(&layout.open_segment(&name), &name, 0)?;
                self.open_segment(&name)?;
            }
            survey.open.push(name);
        }
        for name in closed {
            if self.is_current(layout, &name)? {
                continue;
            }
            if self.was_being_written(layout, &name, newest.as_ref() == Some(&name))? {
                survey.open.push(name);
            } else {
                self.captures_in(&name)?.iter().try_for_each(|id| self.doubt(id))?;
                survey.stale.push(name);
            }
        }
        Ok(())
    }

    /// Whether a segment under its final name was being gone on with: by its row, by its length, or, where there is no
    /// row, because it is the newest of ours and its end is torn.
    fn was_being_written(&self, layout: &Layout, name: &str, is_newest: bool) -> Result<bool, Error> {
        if self.sound_of_open(name)?.is_some() {
            return Ok(true);
        }
        let path = layout.segment(name);
        let Some(Sizes { segment: was, .. }) = self.sizes(name)? else {
            let scan = self.note_announced(&path, name, 0)?;
            let is_torn = is_newest && scan.whole < scan.len && !scan.announced.is_empty();
            return if is_torn { self.open_segment(name).map(|()| true) } else { Ok(false) };
        };
        let is = std::fs::metadata(&path).map_err(Error::io("read", &path))?.len();
        if is > was {
            self.note_announced(&path, name, was)?;
            self.captures_in(name)?.iter().try_for_each(|id| self.doubt(id))?;
            self.reopen_segment(name, was)?;
        }
        Ok(is > was)
    }

    /// Reads whose visits are in a segment from a byte on. They have to be looked into.
    fn note_announced(&self, path: &Path, name: &str, from: u64) -> Result<SegmentScan, Error> {
        let scan = scan::segment_from(path, from).map_err(Error::io("read", path))?;
        for announced in &scan.announced {
            self.note_written(name, announced.number, &announced.id, announced.at)?;
            self.doubt(&announced.id)?;
        }
        Ok(scan)
    }

    /// Those last written, open and closed.
    fn latest_segments(&self, layout: &Layout) -> Result<(Vec<String>, Vec<String>), Error> {
        let (mut open, mut closed) = (Vec::new(), Vec::new());
        for name in self.last_segments()? {
            if layout.open_segment(&name).exists() {
                open.push(name);
            } else if layout.segment(&name).exists() {
                closed.push(name);
            } else {
                self.drop_segment(&name)?;
            }
        }
        Ok((open, closed))
    }

    /// Open and closed segments by name; rows of others go.
    fn listed_segments(&self, layout: &Layout) -> Result<(Vec<String>, Vec<String>), Error> {
        let directory = layout.warc();
        let list = |suffix| names(&directory, suffix).map_err(Error::io("list", &directory));
        let closed = list(SEGMENT_SUFFIX)?;
        let open = list(OPEN_SUFFIX)?.iter().map(|name| name.trim_end_matches(".open").to_owned()).collect::<Vec<_>>();
        let known = self.all_segments()?;
        let there: HashSet<&String> = closed.iter().chain(&open).collect();
        let gone: Vec<_> = known.into_iter().filter(|name| !there.contains(name)).collect();
        drop(there);
        for name in gone {
            self.captures_in(&name)?.iter().try_for_each(|id| self.doubt(id))?;
            self.drop_segment(&name)?;
        }
        Ok((open, closed))
    }
}
