//! A log written again: its sound lines, with records where they are now.

use super::{
    replace::{draft, put_in_place},
    segment::{Moved, MovedRecord},
};
use crate::{
    CaptureHead, CaptureId, Error, MissingRecord, Place,
    collection::Shared,
    door,
    log::{
        entry::{Observed, Read},
        links::Decoder,
        range::LogRange,
        reader::{self, Lines},
        writer::LogWriter,
    },
};
use hashbrown::{HashMap, HashSet};

/// How many bytes of lines gather before they are written.
const GATHER: u64 = 1 << 20;

/// What became of the records that logs speak of.
#[derive(Debug, Default)]
pub(super) struct Records {
    /// Those of segments that were written again.
    pub(super) moved: HashMap<String, Moved>,
    /// Segment and offset of those that are not where a log says.
    pub(super) absent: HashSet<(String, u64)>,
}

/// Writes the sound lines of a capture, without the last, `end`, which is returned, to a log of its own. Observations whose
/// record moved say where to; of those whose record is gone it says that.
pub(super) fn rewrite(
    shared: &Shared,
    (id, head): (&CaptureId, &CaptureHead),
    from: Option<&LogRange>,
    to: &LogRange,
    records: &Records,
) -> Result<Option<serde_json::Value>, Error> {
    let draft = LogRange::whole(draft(shared, &to.path)?);
    let mut writer = LogWriter::open(shared.disk.as_ref(), &draft, 0)?;
    let is_elsewhere = from.is_some_and(|from| from.path != to.path);
    writer.head(id, head, is_elsewhere);
    writer.commit()?;
    let end = from.map_or(Ok(None), |from| copy(shared, from, records, &mut writer))?;
    writer.commit()?;
    drop(writer);
    put_in_place(shared, &draft.path, &to.path)?;
    Ok(end)
}

fn copy(
    shared: &Shared,
    log: &LogRange,
    records: &Records,
    writer: &mut LogWriter,
) -> Result<Option<serde_json::Value>, Error> {
    let lost = reader::lost(log, 0)?;
    reader::missing(log)?.iter().for_each(|missing| writer.missing(missing));
    let (mut lines, mut decoder, mut end) = (Lines::open(log, 0)?, Decoder::default(), None);
    let mut written = 0;
    while let Some(line) = lines.next()? {
        let start = line.start;
        match line.says {
            Some(Read::Decide(decision)) => writer.decide(&decision),
            Some(Read::Objects(line)) => writer.objects_line(&line),
            Some(Read::End(value)) => end = Some(value),
            Some(says @ (Read::Observe(_) | Read::Same(_))) => {
                let Some(observed) = says.into_observed(Some(&mut decoder)) else { continue };
                if lost.iter().any(|lost| lost.covers(start, observed.place.as_ref())) {
                    continue;
                }
                match records.follow(shared, &observed) {
                    Some(place) => {
                        if records.lack_request_of(&observed) {
                            writer.missing(&MissingRecord::request_of(&observed));
                        }
                        writer.observe(&Observed { place, ..observed });
                    }
                    None => writer.missing(&MissingRecord::of(observed)),
                }
            }
            Some(Read::Head(_) | Read::Lost(_) | Read::Missing(_) | Read::Closed(_)) | None => {}
        }
        if writer.len() - written > GATHER {
            writer.commit()?;
            written = writer.len();
        }
    }
    Ok(end)
}

impl Records {
    /// Whether what stood behind the answer was damaged, which is the request.
    fn lack_request_of(&self, observed: &Observed) -> bool {
        let Some(place) = &observed.place else { return false };
        let moved = self.moved.get(&place.segment);
        moved.is_some_and(|moved| moved.gaps.contains(&(place.offset + place.length)))
    }

    /// Where the record of an observation is now, if it has one; nothing if it should have and has not, or if its payload
    /// is not what was seen.
    fn follow(&self, shared: &Shared, observed: &Observed) -> Option<Option<Place>> {
        let Some(place) = &observed.place else { return Some(None) };
        if self.absent.contains(&(place.segment.clone(), place.offset)) {
            return None;
        }
        match self.moved.get(&place.segment) {
            Some(moved) => {
                let MovedRecord { place, payload } = moved.records.get(&place.offset)?;
                let is_other = payload.is_some() && *payload != observed.observation.digest;
                (!is_other || observed.observation.digest.is_none()).then(|| Some(place.clone()))
            }
            None => door::is_file(&shared.layout.segment(&place.segment)).then(|| Some(place.clone())),
        }
    }
}
