//! What is not as the catalogue says, found when a collection is opened for writing.

use super::{Catalogue, Recorded, Sizes, directories::Watched};
use crate::{
    CaptureId, Error, door,
    layout::{Layout, OPEN_SUFFIX, SEGMENT_SUFFIX, names},
    log::range::{FoundCapture, LogFile},
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
    /// Logs that end within a line that is of no capture, with where the last sound one ends, and their lengths.
    pub(crate) torn: Vec<(String, u64, u64)>,
    /// Files that are named like segments being written, and that neither the catalogue nor themselves say are ours.
    pub(crate) foreign: Vec<String>,
    /// Closed segments whose index may not be theirs.
    pub(crate) stale: Vec<String>,
}

impl Survey {
    /// Behind the end of a capture.
    fn note_torn(&mut self, log: &str, file: &LogFile) {
        if file.sound < file.len {
            self.torn.push((log.to_owned(), file.sound, file.len));
        }
    }
}

impl Catalogue {
    /// Brings rows of captures up to date with their logs and says what else is not as it was.
    pub(crate) fn survey(&self, layout: &Layout) -> Result<Survey, Error> {
        let transaction = self.connection.unchecked_transaction().map_err(self.failed())?;
        let mut survey = Survey::default();
        let headless = self.survey_logs(layout, &mut survey)?;
        self.survey_segments(layout, &mut survey)?;
        survey.unsettled = self.unsettled()?.into_iter().map(|known| known.id).chain(headless).collect();
        for name in &survey.open {
            // A segment whose log is gone brings it back.
            for id in self.captures_in(name)? {
                if !self.recorded(&id)?.is_some_and(|known| door::is_file(&known.log.path)) {
                    survey.unsettled.push(id);
                }
            }
        }
        survey.unsettled.sort();
        survey.unsettled.dedup();
        transaction.commit().map_err(self.failed())?;
        Ok(survey)
    }

    /// Rows as the logs have them. Returns captures whose log has no readable beginning.
    fn survey_logs(&self, layout: &Layout, survey: &mut Survey) -> Result<Vec<CaptureId>, Error> {
        let (changed, mut headless) = (self.changed_logs(layout)?, Vec::new());
        for log in &changed.gone {
            for known in self.in_log(log)? {
                self.forget_what_ended(&known.id)?;
                self.drop_capture(&known.id)?;
            }
        }
        for log in changed.logs {
            match log.known.filter(|known| *known <= log.len) {
                Some(known) => self.survey_grown(layout, &log.name, known, survey)?,
                None => headless.extend(self.survey_changed(layout, &log.name, survey)?),
            }
        }
        Ok(headless)
    }

    /// A log has more lines than is known: of its last capture, or of captures behind that.
    fn survey_grown(&self, layout: &Layout, log: &str, known: u64, survey: &mut Survey) -> Result<(), Error> {
        let file = LogFile::read(&layout.log_file(log), known)?;
        let last = self.in_log(log)?.pop();
        let has_ended = last.as_ref().is_some_and(|last| last.has_ended);
        if let Some(last) = last.filter(|last| !last.has_ended) {
            self.unsettle(&last.id)?;
        }
        for found in &file.captures {
            self.put_found(log, found)?;
        }
        if file.has_ended().unwrap_or(has_ended) {
            survey.note_torn(log, &file);
        }
        Ok(())
    }

    /// A log is new, or shorter than it was. Returns the capture it is named after if nothing in it can be read.
    fn survey_changed(&self, layout: &Layout, log: &str, survey: &mut Survey) -> Result<Option<CaptureId>, Error> {
        let file = LogFile::read(&layout.log_file(log), 0)?;
        let is_empty = file.captures.is_empty();
        for known in self.in_log(log)? {
            self.forget_what_ended(&known.id)?;
            if !file.captures.iter().any(|found| found.id == known.id)
                && let Some(info) = self.info(&known.id)?
            {
                // Its lines are gone: it is written again from its segments.
                self.put_capture(&known.id, &info.head, None, 0, false)?;
                let is_here = is_empty && known.id.as_str() == log;
                let name = if is_here { log.to_owned() } else { layout.free_log(&known.id) };
                self.place_log(&known.id, &name, 0)?;
            }
        }
        for found in &file.captures {
            self.put_found(log, found)?;
        }
        if file.has_ended() == Some(true) {
            survey.note_torn(log, &file);
        }
        let id = CaptureId::from_text(log);
        Ok((is_empty && self.recorded(&id)?.is_none()).then_some(id))
    }

    /// Notes a capture as a log has it, unless another log has it anew.
    fn put_found(&self, log: &str, found: &FoundCapture) -> Result<(), Error> {
        let here = self.layout.log_file(log);
        let is_elsewhere = |known: Recorded| known.log.path != here && door::is_file(&known.log.path);
        if !found.anew && self.recorded(&found.id)?.is_some_and(is_elsewhere) {
            return Ok(());
        }
        let bytes = if found.end.is_some() { found.to - found.from } else { 0 };
        self.put_capture(&found.id, &found.head, found.end.as_ref(), bytes, found.end.is_some())?;
        self.place_log(&found.id, log, found.from)
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
                let scan = self.note_announced(&layout.open_segment(&name), &name, 0)?;
                if scan.announced.is_empty() && scan.len > 0 {
                    survey.foreign.push(name);
                    continue;
                }
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
        let is = door::len(&path).map_err(Error::io("read", &path))?;
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
            if door::is_file(&layout.open_segment(&name)) {
                open.push(name);
            } else if door::is_file(&layout.segment(&name)) {
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
