//! A log written again: its sound lines, with records where they are now.

use super::{
    replace::{draft, put_in_place},
    segment::Moved,
};
use crate::{
    CaptureHead, CaptureId, Error,
    collection::Shared,
    log::{
        entry::{Observed, Read},
        links::Decoder,
        range::LogRange,
        reader::{self, Lines},
        writer::LogWriter,
    },
};
use hashbrown::HashMap;

/// How many bytes of lines gather before they are written.
const GATHER: u64 = 1 << 20;

/// Writes the sound lines of a capture, without the last, `end`, which is returned, to a log of its own. Observations whose
/// record moved say where to; those whose record is gone are left out.
pub(super) fn rewrite(
    shared: &Shared,
    (id, head): (&CaptureId, &CaptureHead),
    from: Option<&LogRange>,
    to: &LogRange,
    moved: &HashMap<String, Moved>,
) -> Result<Option<serde_json::Value>, Error> {
    let draft = LogRange::whole(draft(shared, &to.path)?);
    let mut writer = LogWriter::open(shared.disk.as_ref(), &draft, 0)?;
    let is_elsewhere = from.is_some_and(|from| from.path != to.path);
    writer.head(id, head, is_elsewhere);
    writer.commit()?;
    let end = from.map_or(Ok(None), |from| copy(shared, from, moved, &mut writer))?;
    writer.commit()?;
    drop(writer);
    put_in_place(shared, &draft.path, &to.path)?;
    Ok(end)
}

fn copy(
    shared: &Shared,
    log: &LogRange,
    moved: &HashMap<String, Moved>,
    writer: &mut LogWriter,
) -> Result<Option<serde_json::Value>, Error> {
    let lost = reader::lost(log, 0)?;
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
                let gone = lost.iter().any(|lost| lost.covers(start, observed.place.as_ref()));
                if let Some(observed) = (!gone).then(|| follow(shared, observed, moved)).flatten() {
                    writer.observe(&observed);
                }
            }
            Some(Read::Head(_) | Read::Lost(_) | Read::Closed(_)) | None => {}
        }
        if writer.len() - written > GATHER {
            writer.commit()?;
            written = writer.len();
        }
    }
    Ok(end)
}

/// The observation with its record where it is now; nothing if it is nowhere.
fn follow(shared: &Shared, mut observed: Observed, moved: &HashMap<String, Moved>) -> Option<Observed> {
    if let Some(place) = &observed.place {
        match moved.get(&place.segment) {
            Some(moved) => observed.place = Some(moved.get(&place.offset)?.clone()),
            None if shared.layout.segment(&place.segment).exists() => {}
            None => return None,
        }
    }
    Some(observed)
}
