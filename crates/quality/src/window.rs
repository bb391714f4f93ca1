//! The time a judgement is about.

use crate::Version;
use tintype_vocab::Time;

/// `[from, to)`. What is alive at `from` is held from the outset, so only what comes to be later has to be found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) from: Time,
    pub(crate) to: Time,
}

impl Window {
    pub(crate) fn new(from: Time, to: Time) -> Window {
        assert!(from <= to, "a window does not end before it begins");
        Window { from, to }
    }

    pub(crate) fn millis(self) -> i64 {
        (self.to - self.from).as_millis()
    }

    pub(crate) fn contains(self, at: Time) -> bool {
        (self.from..self.to).contains(&at)
    }

    /// Whether the version came to be inside the window, so that seeing it counts.
    pub(crate) fn bears(self, version: &Version) -> bool {
        self.from < version.from && version.from < self.to
    }

    /// Those of the slots that lie inside.
    pub(crate) fn slots(self, slots: &[Time]) -> &[Time] {
        assert!(slots.is_sorted(), "slots come in order of time");
        let first = slots.partition_point(|&slot| slot < self.from);
        let end = slots.partition_point(|&slot| slot < self.to);
        &slots[first..end]
    }
}
