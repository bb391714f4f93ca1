//! Reads a listing while it is captured: what its pages list, where they go on, and whether all of them could be read.

use super::place::Place;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};
use tintype_archive::{CaptureObserver, Shown};
use tintype_learn::ledger::{CrawlVerdict, FoundObjects, Ledger, OBJECTS_MAX};
use tintype_observe::listing::{Listing, Way, list};
use tintype_vocab::{LinkKind, Links, ObjectCrawl, Outcome, Visit};

/// What a crawl came to.
#[derive(Clone, Debug, Default)]
pub struct ListingReport {
    /// Pages of the listing that were read, and that could not be.
    pub pages: u32,
    pub unread: u32,
    /// Those of them that came, but were cut short or of another kind than declared.
    pub broken: u32,
    /// There were more pages than a crawl may have.
    pub is_cut: bool,
    /// Objects that were listed, and those of them that had been listed before.
    pub listed: u32,
    pub duplicates: u32,
    /// Places without an identifier, and identifiers too long to be any.
    pub without_id: u32,
    pub ids_too_long: u32,
    pub over_limit: u32,
    /// Nothing if the crawl did not come to its end.
    pub verdict: Option<CrawlVerdict>,
}

/// Reads a listing page by page and judges it in the end.
#[derive(Debug)]
pub struct ListingObserver {
    way: Way,
    ledger: Ledger,
    found: Option<FoundObjects>,
    /// The pages of the listing, and whether they were read.
    pages: BTreeMap<Place, bool>,
    pages_max: usize,
    report: ListingReport,
    report_slot: Arc<Mutex<ListingReport>>,
}

impl ListingObserver {
    /// A watch over the listing that begins at `url`, and where it will tell what it saw.
    pub fn new(way: Way, url: &str, pages_max: u32, ledger: Ledger) -> (ListingObserver, Arc<Mutex<ListingReport>>) {
        let report_slot = Arc::new(Mutex::new(ListingReport::default()));
        let watch = ListingObserver {
            way,
            ledger,
            found: None,
            pages: BTreeMap::from([(Place::of(url), false)]),
            pages_max: pages_max as usize,
            report: ListingReport::default(),
            report_slot: report_slot.clone(),
        };
        (watch, report_slot)
    }

    /// Whether a page is one more of the listing, and may be asked for.
    fn admit(&mut self, url: &str) -> bool {
        let place = Place::of(url);
        if self.pages.contains_key(&place) {
            return false;
        }
        if self.pages.len() >= self.pages_max {
            self.report.is_cut = true;
            return false;
        }
        self.pages.insert(place, false);
        true
    }

    fn take(&mut self, listing: Listing, is_whole: bool, place: Place) {
        let whole = is_whole && listing.is_whole();
        self.pages.insert(place, whole);
        let ListingReport { broken, without_id, ids_too_long, over_limit, .. } = &mut self.report;
        *broken += u32::from(!is_whole || listing.findings.broken);
        *without_id += listing.findings.without_id;
        *ids_too_long += listing.findings.ids_too_long;
        *over_limit += listing.findings.over_limit;
        let found = self.found.get_or_insert_default();
        let room = (OBJECTS_MAX + 1).saturating_sub(found.objects.len());
        found.objects.extend(listing.objects.into_iter().take(room));
    }
}

impl CaptureObserver for ListingObserver {
    fn see(&mut self, visit: &Visit, page: Option<Shown<'_>>) -> Links {
        let (mut links, place) = (Links::new(), Place::of(&visit.request.url));
        self.found.get_or_insert_with(|| FoundObjects { at: visit.asked, ..FoundObjects::default() });
        // A page that was asked for once more, because it failed in between, lists nothing new.
        if self.pages.get(&place) == Some(&true) {
            return links;
        }
        match (&visit.outcome, page) {
            (Outcome::Redirected { to, .. }, _) => {
                self.pages.insert(place, true);
                if self.admit(to) {
                    links.push(to, LinkKind::Redirect);
                }
            }
            (_, Some(Shown { described, body, is_whole })) => {
                let mut listing = list(described, body, &self.way);
                for next in std::mem::take(&mut listing.next) {
                    if self.admit(&next) {
                        links.push(&next, LinkKind::Anchor);
                    }
                }
                self.take(listing, is_whole, place);
            }
            (_, None) => {}
        }
        links
    }

    fn conclude(&mut self) -> Option<ObjectCrawl> {
        let mut found = self.found.take()?;
        let read = self.pages.values().filter(|read| **read).count() as u32;
        self.report.pages = read;
        self.report.unread = self.pages.len() as u32 - read + u32::from(self.report.is_cut);
        found.unread = self.report.unread;
        let (at, listed) = (found.at, found.objects.len() as u32);
        let ids: std::collections::HashSet<&str> = found.objects.iter().map(|object| object.id.as_str()).collect();
        let different = ids.len() as u32;
        (self.report.listed, self.report.duplicates) = (listed, listed - different);
        let verdict = self.ledger.see(found);
        self.report.verdict = Some(verdict.clone());
        *self.report_slot.lock().unwrap_or_else(PoisonError::into_inner) = self.report.clone();
        Some(verdict.into_crawl(at, different))
    }
}
