//! When what a later run goes on from is written down, and where it gathers.

use std::path::PathBuf;
use tintype_archive::{Capture, Checkpoint, Error};
use tintype_session::Session;

/// Gathers checkpoints of one session.
#[derive(Debug)]
pub(crate) struct Keeper {
    spool: PathBuf,
    due: bool,
    /// Some policies cannot say what they have in mind; theirs is not asked for twice.
    can: bool,
}

impl Keeper {
    pub(crate) fn new(capture: &Capture) -> Keeper {
        Keeper { spool: capture.spool_directory(), due: false, can: true }
    }

    /// The archivist says whether the log has grown enough.
    pub(crate) fn hear(&mut self, due: bool) {
        self.due |= due && self.can;
    }

    pub(crate) fn is_due(&self) -> bool {
        self.due
    }

    /// All a session needs to go on; nothing from one that cannot say it.
    pub(crate) fn gather(&mut self, session: &Session) -> Result<Option<Checkpoint>, Error> {
        let mut checkpoint = Checkpoint::new(&self.spool);
        let mut written = Ok(());
        let mut push = |block: Vec<u8>| {
            if written.is_ok() {
                written = checkpoint.push(&block);
            }
        };
        self.can = self.can && session.save(&mut push);
        self.due = false;
        written?;
        Ok(self.can.then_some(checkpoint))
    }
}
