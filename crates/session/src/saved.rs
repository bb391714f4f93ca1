//! A session as blocks of bytes, and back: its scheduler, and what else its log would have told.

use crate::Offered;
use tintype_learn::stored;
use tintype_plan::{Scheduler, Settings};
use tintype_quality::Tally;

/// What another version saved is read from the log again.
const VERSION: u8 = 4;

/// What a session goes on with.
pub(crate) struct Saved {
    pub(crate) scheduler: Scheduler,
    pub(crate) known_from: Option<usize>,
    pub(crate) tally: Tally,
    pub(crate) offered: Offered,
}

impl Saved {
    /// Of a capture of which nothing happened yet.
    pub(crate) fn begun(scheduler: Scheduler, known_from: Option<usize>) -> Saved {
        Saved { scheduler, known_from, tally: Tally::default(), offered: Offered::default() }
    }

    /// Nothing if it is not what this version writes.
    pub(crate) fn load(settings: &Settings, next: &mut dyn FnMut() -> Option<Vec<u8>>) -> Option<Saved> {
        let (version, rest): (u8, Vec<u8>) = stored::from_bytes(&next()?)?;
        let rest = (version == VERSION).then_some(rest)?;
        let (known_from, tally, offers): (Option<u64>, Tally, Vec<_>) = stored::from_bytes(&rest)?;
        let scheduler = Scheduler::load(settings.clone(), next)?;
        let known_from = known_from.map(|captures| captures as usize);
        Some(Saved { scheduler, known_from, tally, offered: Offered::restore(offers) })
    }
}

/// What [`Saved::load`] reads, block by block; whether the scheduler could say all it has in mind.
pub(crate) fn save(
    scheduler: &Scheduler,
    known_from: Option<usize>,
    tally: &Tally,
    offered: &Offered,
    each: &mut dyn FnMut(Vec<u8>),
) -> bool {
    let own = stored::to_bytes(&(known_from.map(|captures| captures as u64), tally, offered.save()));
    each(stored::to_bytes(&(VERSION, own)));
    scheduler.save(each)
}
