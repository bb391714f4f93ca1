//! What was learned, read back: not believed before it fits the site.

use super::{DirectoryActivity, DirectoryShape};

impl DirectoryActivity {
    /// Makes it one of this site, or says why it cannot be. A capture that was not folded to its end leaves pages and
    /// directories nobody has learned about yet.
    pub(in crate::directory) fn fit(&mut self, shape: &DirectoryShape) -> Result<(), &'static str> {
        if self.pages.len() > shape.pages() || self.directories.len() > shape.directories() {
            return Err("more was learned than there are pages or directories");
        }
        if self.pages.len() != self.seen.len() || [self.uneven.len(), self.births.len()] != [self.directories.len(); 2]
        {
            return Err("some of what was learned is missing");
        }
        if !self.is_counted() || !self.table.is_sound() || !self.losses.is_sound() {
            return Err("what was learned could not have been counted");
        }
        self.grow(shape);
        Ok(())
    }

    /// Whether there is no number in it that makes no sense.
    fn is_counted(&self) -> bool {
        let counts = |number: f32| number.is_finite() && number >= 0.0;
        self.pages.iter().all(|page| counts(page.changes) && counts(page.days))
            && self.births.iter().all(|births| counts(*births))
            && self.uneven.iter().all(|uneven| uneven.surplus.is_finite() && counts(uneven.expected_squared))
    }
}
