//! Visits to the pages of a site, as learners of time patterns take them in.

use tintype_vocab::Time;

/// One visit, as learners take it in.
#[derive(Clone, Copy, Debug)]
pub struct VisitRecord<'a> {
    /// What parts of a site are selected by: its key in the index, or its path.
    pub key: &'a str,
    /// Identity of the page, and what people call it.
    pub name: &'a str,
    pub at: Time,
    pub saw: VisitResult,
}

/// What a visit saw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VisitResult {
    /// The page, for the first time; `newborn` if the site was known before and the page was not there.
    First {
        newborn: bool,
    },
    Same,
    /// At least one change since the visit before, the latest at a known moment or not.
    Change {
        at: Option<Time>,
        importance: f64,
    },
    /// The page is not there.
    Gone,
}

/// Visits to a site that can be gone through as often as need be.
pub trait VisitSource {
    type Error;

    /// Goes through every visit, in order of time.
    fn for_each(&self, each: &mut dyn FnMut(VisitRecord<'_>)) -> Result<(), Self::Error>;
}
