//! When what a later run goes on from is written down, and where it gathers.

use std::path::PathBuf;
use tintype_archive::Checkpoint;
use tintype_plan::Mode;
use tintype_session::Session;

/// Gathers checkpoints of one session.
#[derive(Debug)]
pub(crate) struct Checkpoints {
    spool: PathBuf,
    due: bool,
    /// Some policies cannot say what they have in mind; theirs is not asked for twice. Keeping is begun anew, not gone on with.
    can: bool,
}

impl Checkpoints {
    pub(crate) fn new(session: &Session, spool: PathBuf) -> Checkpoints {
        Checkpoints { spool, due: false, can: session.settings().mode == Mode::Once }
    }

    /// The archivist says whether the log has grown enough.
    pub(crate) fn hear(&mut self, due: bool) {
        self.due |= due && self.can;
    }

    pub(crate) fn is_due(&self) -> bool {
        self.due
    }

    /// All a session needs to go on; nothing from one that cannot say it, or where there is no room for it: a later run
    /// reads more of the log then.
    pub(crate) fn gather(&mut self, session: &Session) -> Option<Checkpoint> {
        let mut checkpoint = Checkpoint::new(&self.spool);
        let mut written = Ok(());
        let mut push = |block: Vec<u8>| {
            if written.is_ok() {
                written = checkpoint.push(&block);
            }
        };
        self.can = session.save(&mut push);
        self.due = false;
        written.ok().filter(|()| self.can).map(|()| checkpoint)
    }
}
