//! What versions are worth read back, and that of two logs together.

use super::{PageWorth, SHAPE_STRENGTH, VersionWorth};
use crate::{learner::PageSlot, stored};

impl VersionWorth {
    pub(crate) fn load(bytes: &[u8]) -> Option<VersionWorth> {
        let worth: VersionWorth = stored::from_bytes(bytes)?;
        let calendars = |page: &PageWorth| [page.tally.calendar(), page.shape.calendar(), page.worth.calendar()];
        let fits = |page: &PageWorth| calendars(page) == [worth.calendar; 3];
        let sound = worth.rhythm.calendar() == worth.calendar && worth.pages.iter().flatten().all(|page| fits(page));
        sound.then_some(worth)
    }

    /// Adds what another log says.
    pub(super) fn add(&mut self, other: &VersionWorth, slots: &[PageSlot]) {
        self.rhythm.merge(&other.rhythm);
        self.worth = (self.worth.0 + other.worth.0, self.worth.1 + other.worth.1);
        for (slot, theirs) in slots.iter().zip(&other.pages) {
            let Some(theirs) = theirs else { continue };
            if self.pages.len() <= slot.index() {
                self.pages.resize_with(slot.index() + 1, || None);
            }
            match &mut self.pages[slot.index()] {
                Some(mine) => mine.add(theirs),
                place => *place = Some(theirs.clone()),
            }
        }
        let site = self.mean_worth();
        for page in self.pages.iter_mut().flatten() {
            page.shape = page.tally.shape(self.rhythm.shape(), SHAPE_STRENGTH);
            page.shrink(site);
        }
    }
}

impl PageWorth {
    fn add(&mut self, other: &PageWorth) {
        self.last = self.last.max(other.last);
        self.tally.merge(&other.tally);
        self.worth.merge(&other.worth);
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<PageWorth>() + self.tally.bytes() + self.shape.bytes() + self.worth.bytes()
    }
}
