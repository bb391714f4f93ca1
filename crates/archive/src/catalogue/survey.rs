//! What is not as the catalogue says, found when a collection is opened for writing.

use super::{Catalogue, captures, directories::Watched};
use crate::{
    CaptureId, Error,
    layout::{Layout, OPEN_SUFFIX, SEGMENT_SUFFIX, names},
    scan,
};
use hashbrown::HashSet;
use std::path::Path;

/// What is to be looked into.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// Captures whose log and segments may not say the same.
    pub(crate) unsettled: Vec<CaptureId>,
    /// Segments that are still named `.open`, with the capture each belongs to.
    pub(crate) open: Vec<(String, Option<CaptureId>)>,
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
        // A segment whose log is gone brings it back.
        let owners = survey.open.iter().filter_map(|(_, owner)| owner.clone());
        survey.unsettled.extend(owners.filter(|id| !layout.log_of(id).exists()));
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
        for name in open {
            let path = layout.open_segment(&name);
            let owner = owner(&path)?;
            self.note_owner(&name, owner.as_ref())?;
            survey.open.push((name, owner));
        }
        for name in closed {
            if !self.is_current(layout, &name)? {
                let path = layout.segment(&name);
                self.note_owner(&name, owner(&path)?.as_ref())?;
                survey.stale.push(name);
            }
        }
        Ok(())
    }

    /// The capture of a segment that is not as it was has to be looked into.
    fn note_owner(&self, name: &str, owner: Option<&CaptureId>) -> Result<(), Error> {
        let Some(id) = owner else { return Ok(()) };
        self.own_segment(name, id)?;
        let expected = self.recorded(id)?.and_then(|known| known.segment);
        if expected.as_deref() == Some(name) { self.unsettle(id) } else { self.doubt(id) }
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
        let gone: Vec<_> = known.into_iter().filter(|(name, _)| !there.contains(name)).collect();
        drop(there);
        for (name, capture) in gone {
            self.drop_segment(&name)?;
            capture.map_or(Ok(()), |id| self.doubt(&id))?;
        }
        Ok((open, closed))
    }
}

/// Whose segment this is, by its first record.
fn owner(path: &Path) -> Result<Option<CaptureId>, Error> {
    let owner = scan::owner(path).map_err(Error::io("read", path))?;
    Ok(owner.map(|(id, _)| id))
}
