//! Who gets how much of the memory.

use super::{batch::Batch, stretches::STRETCHES, table::Table, texts::Texts};

/// Less than this holds nothing of use.
pub const BUDGET_MIN: usize = 256 << 10;
/// More than this is a mistake.
pub const BUDGET_MAX: usize = 16 << 30;
/// Most that the newest patterns get: what fits into the cache nearest to one processor.
const BATCH_BYTES_MAX: usize = 512 << 10;

/// Sizes of everything that has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shares {
    pub(super) batch_slots: usize,
    pub(super) text_sets: usize,
    pub(super) stretch_sets: usize,
    pub(super) whole_sets: usize,
}

impl Shares {
    /// Of what is left when `fixed` bytes are gone: an eighth for the newest patterns, a sixteenth for texts, a
    /// thirty-second for every stretch, and all the rest for the whole.
    pub(super) fn of(budget: usize, fixed: usize) -> Shares {
        let rest = budget.clamp(BUDGET_MIN, BUDGET_MAX) - fixed;
        let batch_slots = (rest / 8).min(BATCH_BYTES_MAX) / Batch::SLOT_BYTES;
        let text_sets = rest / 16 / Texts::SET_BYTES;
        let stretch_sets = rest / 32 / Table::SET_BYTES;
        let taken = batch_slots * Batch::SLOT_BYTES
            + text_sets * Texts::SET_BYTES
            + stretch_sets * Table::SET_BYTES * STRETCHES;
        Shares { batch_slots, text_sets, stretch_sets, whole_sets: (rest - taken) / Table::SET_BYTES }
    }
}
