//! How well sites are kept, remembered for a while: telling it means going through their logs.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};
use tintype_archive::Reading;
use tintype_session::{Error, SiteStatus};
use tintype_vocab::{Span, Time};

/// How far back a status looks.
pub(super) const WINDOW: Span = Span::from_days(7);
/// For so long a status is shown again.
const FRESH_FOR: Span = Span::from_secs(60);
/// Sites that are remembered.
const SITES_MAX: usize = 1000;

/// When it was told, and what.
type Told = (Time, Arc<SiteStatus>);

/// The latest status of every site that was looked at, by collection and name.
#[derive(Debug, Default)]
pub(crate) struct Statuses(Mutex<HashMap<(usize, String), Told>>);

impl Statuses {
    /// What is remembered of a site, if that is not too long ago.
    pub(super) fn remembered(&self, collection: usize, site: &str, now: Time) -> Option<Arc<SiteStatus>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (made, status) = known.get(&(collection, site.to_owned()))?;
        (now - *made < FRESH_FOR).then(|| status.clone())
    }

    pub(super) fn of(
        &self,
        (collection, reading): (usize, &Reading),
        site: &str,
        now: Time,
    ) -> Result<Arc<SiteStatus>, Error> {
        if let Some(status) = self.remembered(collection, site, now) {
            return Ok(status);
        }
        let status = Arc::new(SiteStatus::of(reading, site, now - WINDOW, now)?);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= SITES_MAX {
            known.clear();
        }
        known.insert((collection, site.to_owned()), (now, status.clone()));
        Ok(status)
    }
}
