//! Who says what differs: by the habits of the site and the filter lists of the collection, as captures do.

use crate::ads;
use crate::out::mention;
use std::{collections::HashMap, path::Path};
use tintype_archive::{Bodies, Changed, Payload, Reading};
use tintype_observe::{
    ads::Advertisements,
    page::{Difference, Habits, HookedPage, Hooks, Segmented, segment},
};

pub(super) struct Judge<'r> {
    reading: &'r Reading,
    advertisements: Advertisements,
    /// By site, as they are needed.
    habits: HashMap<String, Habits>,
}

impl<'r> Judge<'r> {
    /// Lists that cannot be used are worth a word, and no reason to show nothing.
    pub(super) fn of(reading: &'r Reading, collection: &Path) -> Judge<'r> {
        let advertisements = ads::read(collection).unwrap_or_else(|error| {
            mention!("tintype: {error:#}\n  advertisements are told by their address alone");
            Advertisements::default()
        });
        Judge { reading, advertisements, habits: HashMap::new() }
    }

    pub(super) fn difference(&mut self, changed: &Changed, old: &Segmented, new: &Segmented) -> Difference {
        let is_advertisement = |seen: &HookedPage<'_>| self.advertisements.is_one(seen);
        let hooks = Hooks { is_advertisement: &is_advertisement, ..Hooks::default() };
        let habits = self.habits.entry(changed.site.clone()).or_insert_with_key(|site| self.reading.habits(site));
        habits.difference_with(old, new, &changed.observation.url, &hooks)
    }

    /// What differs in the markup, if both versions are here and can be read to their end.
    pub(super) fn by_markup(&mut self, changed: &Changed, bodies: &Bodies) -> Option<Difference> {
        let whole = |of: &&Payload| !of.is_cut;
        let read = |of: &Option<Payload>| of.as_ref().filter(whole).and_then(|of| segment(&of.described(), &of.body));
        let (old, new) = (read(&bodies.before)?, read(&bodies.after)?);
        Some(self.difference(changed, &old, &new))
    }
}
