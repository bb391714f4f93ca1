//! What was mended, in words.

use std::fmt;

/// One thing that was mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repair {
    /// The end of a log was no whole line.
    LogCut {
        log: String,
        bytes: u64,
    },
    /// The end of a segment was no whole visit.
    SegmentCut {
        segment: String,
        bytes: u64,
    },
    /// Visits that were on disk but not yet in the log.
    Revived {
        capture: String,
        visits: u64,
    },
    /// Visits in the log whose records are gone; they will be made again.
    Lost {
        segment: String,
        visits: u64,
    },
    /// A log without a readable beginning was written again from its segments.
    LogRestored {
        log: String,
    },
    /// A capture that had kept nothing yet.
    EmptyRemoved {
        name: String,
    },
    /// A file that does not say it is ours was not shortened or removed: it has another name now.
    SetAside {
        name: String,
        to: String,
    },
    /// What is no plain file was not opened.
    PassedOver {
        name: String,
    },
    SegmentClosed {
        segment: String,
    },
    IndexMade {
        segment: String,
    },
    /// A merged index did not say what indexes say.
    MergedAgain {
        index: String,
    },
    /// Records that were left out of an index on purpose now have one.
    MoreIndexed {
        segment: String,
        records: u64,
    },
    /// A damaged segment was written again without what could not be read; the original is beside it.
    SegmentRewritten {
        segment: String,
    },
    /// A closed segment is not sound to its end; verify and repair know more.
    SegmentDamaged {
        segment: String,
        sound: u64,
        len: u64,
    },
}

impl Repair {
    /// The word before it: not everything that is told was mended.
    pub fn label(&self) -> &'static str {
        match self {
            Repair::PassedOver { .. } | Repair::SegmentDamaged { .. } | Repair::Lost { .. } => "warning",
            _ => "repaired",
        }
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Repair::LogCut { log, bytes } => write!(f, "cut {bytes} bytes of an unfinished line from log {log}"),
            Repair::SegmentCut { segment, bytes } => write!(f, "cut {bytes} unreported bytes from segment {segment}"),
            Repair::Revived { capture, visits } => write!(f, "entered {visits} visits into the log of {capture}"),
            Repair::Lost { segment, visits } => write!(f, "lost {visits} visits with the end of segment {segment}"),
            Repair::LogRestored { log } => write!(f, "wrote log {log} again from its segments"),
            Repair::EmptyRemoved { name } => write!(f, "removed {name}, which held nothing"),
            Repair::SetAside { name, to } => write!(f, "set {name} aside as {to}: nothing in it says whose it is"),
            Repair::PassedOver { name } => {
                write!(f, "did not open {name}, which is a link or no plain file; remove it")
            }
            Repair::SegmentClosed { segment } => write!(f, "closed segment {segment}"),
            Repair::IndexMade { segment } => write!(f, "made the index of segment {segment}"),
            Repair::MergedAgain { index } => write!(f, "merged indexes anew, for {index} said something else"),
            Repair::MoreIndexed { segment, records } => {
                write!(f, "indexed {records} records of segment {segment} that had been left out")
            }
            Repair::SegmentRewritten { segment } => write!(f, "wrote the sound records of segment {segment} again"),
            Repair::SegmentDamaged { segment, sound, len } => {
                write!(f, "segment {segment} is sound only to byte {sound} of {len}; run repair")
            }
        }
    }
}
