//! What is known of a site's pages and payloads: the store, and over it what this process learnt since.
//!
//! A capture asks for every page it visits, so its own pages stay in memory and reach the store in sorted bulk, always
//! together with the length of the log that says the same: the store never knows more than the log.

use crate::{
    Error, Retention,
    catalogue::Recorded,
    collection::Shared,
    layout::{CaptureId, Layout, site_number},
    log::{Kept, Original, entry::Observed, held_links::HeldLinks, range::LogRange, reader::Observations},
    scorer::{ChangeScorer, LORE},
    store::{Batch, KnownPage, STORES, Store, StoreError},
    versions::InStore,
};
use hashbrown::HashMap;
use std::{io, path::PathBuf};
use tintype_observe::Look;
use tintype_vocab::{Accumulator, Change, Digest, Observation, Outcome, PageUrl, Purpose};

/// How many pages may wait in memory for the store.
const OVERLAY_MAX: usize = 16_384;
/// URLs they link that weigh as much as a page.
const URLS_PER_PAGE: usize = 8;

type Map<K, V> = HashMap<K, V, rapidhash::fast::RandomState>;

/// The state of one site, up to date with its logs.
#[derive(Debug)]
pub(crate) struct State {
    path: PathBuf,
    store: Box<dyn Store>,
    /// A store that holds nothing need not be asked.
    has_history: bool,
    pages: Map<PageUrl<'static>, KnownPage>,
    payloads: Map<Digest, Original>,
    links: HeldLinks,
    pub(crate) scorer: ChangeScorer,
}

impl State {
    /// Opens the state of `site` and replays what its logs say beyond it. State that is damaged, of another version
    /// or ahead of a log is made anew.
    pub(crate) fn open(shared: &Shared, site: &str) -> Result<State, Error> {
        let (layout, logs) = (&shared.layout, logs_of(shared, site)?);
        let path = layout.state_of(site);
        let (store, known) = match usable_store(&path, site, &logs) {
            Ok(Some(usable)) => usable,
            Err(error) if !error.is_damage() => return Err(Error::state(&path)(error)),
            Ok(None) | Err(_) => {
                (STORES[0].remove)(&path).map_err(Error::io("remove", &path))?;
                ((STORES[0].open)(&path, site_number(site)).map_err(Error::state(&path))?, Map::default())
            }
        };
        let has_history = !known.is_empty();
        let scorer = ChangeScorer::recall(store.lore(LORE).map_err(Error::state(&path))?);
        let links = HeldLinks::new(store.links_end().map_err(Error::state(&path))?);
        let (pages, payloads) = (Map::default(), Map::default());
        let mut state = State { path, store, has_history, pages, payloads, links, scorer };
        for (id, log, len) in logs {
            let from = known.get(id.as_str()).copied().unwrap_or_default();
            if from != len {
                state.replay(&id, &log, from)?;
            }
        }
        Ok(state)
    }

    /// Deletes the state of a site; opening it makes it anew.
    pub(crate) fn forget(layout: &Layout, site: &str) -> Result<(), Error> {
        let path = layout.state_of(site);
        (STORES[0].remove)(&path).map_err(Error::io("remove", &path))
    }

    /// Keeps what somebody else learnt about the site.
    pub(crate) fn keep_site_derived(layout: &Layout, site: &str, name: &str, bytes: &[u8]) -> Result<(), Error> {
        assert_ne!(name, LORE, "the name of what the archive itself learns");
        let path = layout.state_of(site);
        let batch = Batch { lore: Some((name, bytes)), ..Batch::default() };
        let mut store = (STORES[0].open)(&path, site_number(site)).map_err(Error::state(&path))?;
        store.apply(&batch).map_err(Error::state(&path))
    }

    /// Whether any visit to the site is known.
    pub(crate) fn has_history(&self) -> bool {
        self.has_history
    }

    /// Folds in what a log says behind `from`.
    fn replay(&mut self, id: &CaptureId, log: &LogRange, from: u64) -> Result<(), Error> {
        let mut lines = Observations::open(log, from)?;
        let mut end = from;
        while let Some((line_end, observed)) = lines.next()? {
            end = line_end.unwrap_or(end);
            if let Some(observed) = observed {
                let before = self.page(&PageUrl::new(&observed.observation.url))?;
                self.learn(before, &observed);
            }
            if line_end.is_some() && self.is_large() {
                self.flush(id, end)?;
            }
        }
        self.flush(id, end)
    }

    pub(crate) fn page(&self, url: &PageUrl<'_>) -> Result<Option<KnownPage>, Error> {
        match self.pages.get(url) {
            Some(page) => Ok(Some(page.clone())),
            None if self.has_history => self.store.page(url).map_err(Error::state(&self.path)),
            None => Ok(None),
        }
    }

    /// The response that holds this payload. Never for the empty payload, which replay tools do not resolve.
    pub(crate) fn original(&self, digest: &Digest) -> Result<Option<Original>, Error> {
        match self.payloads.get(digest) {
            _ if *digest == Digest::EMPTY => Ok(None),
            Some(original) => Ok(Some(original.clone())),
            None if self.has_history => self.store.payload(digest).map_err(Error::state(&self.path)),
            None => Ok(None),
        }
    }

    /// What a version showed, if that is known.
    pub(crate) fn links_of(&mut self, url: &str, digest: &Digest) -> Option<Look> {
        self.links.recall(url, digest, &InStore(self.store.as_ref()))
    }

    /// Keeps what a version shows.
    pub(crate) fn keep_links(&mut self, url: &str, digest: &Digest, look: &Look) {
        self.links.keep(url, digest, look);
    }

    /// Folds one observation in; `before` is what [`State::page`] says of the page observed.
    pub(crate) fn learn(&mut self, before: Option<KnownPage>, observed: &Observed) {
        let seen = &observed.observation;
        let original = observed.original();
        if let (Kept::Response, Some(digest), Some(original)) = (&observed.kept, seen.digest, &original)
            && digest != Digest::EMPTY
            // Replay tools find originals by the index.
            && observed.retention.is_indexed()
        {
            // The store keeps the first original it was given, so it need not be asked here.
            self.payloads.entry(digest).or_insert_with(|| original.clone());
        }
        let url = PageUrl::new(&seen.url).into_owned();
        let page = fold(before.unwrap_or_else(|| KnownPage::new(url.as_str(), seen.asked)), observed, original);
        self.pages.insert(url, page);
    }

    /// Whether enough waits in memory to be worth a transaction.
    pub(crate) fn is_large(&self) -> bool {
        self.pages.len().max(self.payloads.len()).max(self.links.new_urls.len() / URLS_PER_PAGE) >= OVERLAY_MAX
    }

    /// Moves everything learnt into the store; `bytes` of the log of `id` must say all of it and be on disk.
    pub(crate) fn flush(&mut self, id: &CaptureId, bytes: u64) -> Result<(), Error> {
        let mut pages: Vec<_> = self.pages.iter().collect();
        pages.sort_unstable_by_key(|(url, _)| *url);
        let mut payloads: Vec<_> = self.payloads.iter().collect();
        payloads.sort_unstable_by_key(|(digest, _)| *digest);
        let habits = self.scorer.to_save();
        let lore = habits.as_deref().map(|bytes| (LORE, bytes));
        let mut lists: Vec<_> = self.links.new_lists.iter().collect();
        lists.sort_unstable();
        let mut urls: Vec<_> = self.links.new_urls.iter().collect();
        urls.sort_unstable();
        let batch = Batch { pages, payloads, lists, urls, watermark: Some((id.as_str(), bytes)), lore };
        self.store.apply(&batch).map_err(Error::state(&self.path))?;
        self.scorer.saved();
        self.pages.clear();
        self.payloads.clear();
        self.links.new_lists.clear();
        self.links.new_urls.clear();
        self.has_history = true;
        Ok(())
    }
}

/// The captures of a site with the lengths of their logs, oldest first. Only what is not settled may be longer than
/// catalogued.
fn logs_of(shared: &Shared, site: &str) -> Result<Vec<(CaptureId, LogRange, u64)>, Error> {
    let known = shared.catalogue().logs_of(site)?;
    let mut logs = Vec::with_capacity(known.len());
    for Recorded { id, log, bytes, is_settled, .. } in known {
        let bytes = if is_settled { bytes } else { length(&log)? };
        logs.push((id, log, bytes));
    }
    Ok(logs)
}

/// A log that is yet to be written again is empty.
fn length(log: &LogRange) -> Result<u64, Error> {
    match log.len() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
        other => other.map_err(Error::io("read", &log.path)),
    }
}

/// A store, and how much of each log it knows.
type StoreWithMarks = (Box<dyn Store>, Map<String, u64>);

/// The store with how much of each log it knows, unless it speaks of log lines that are not there (any more).
fn usable_store(
    path: &std::path::Path,
    site: &str,
    logs: &[(CaptureId, LogRange, u64)],
) -> Result<Option<StoreWithMarks>, StoreError> {
    let store = (STORES[0].open)(path, site_number(site))?;
    let known: Map<String, u64> = store.watermarks()?.into_iter().collect();
    let there = logs.iter().filter(|(id, _, len)| known.get(id.as_str()).is_some_and(|bytes| bytes <= len));
    let sound = there.count() == known.len();
    Ok(sound.then_some((store, known)))
}

/// The next state of a page.
pub(crate) fn fold(mut page: KnownPage, observed: &Observed, original: Option<Original>) -> KnownPage {
    let seen = &observed.observation;
    page.visits += u64::from(is_comparison(seen));
    page.first_seen = page.first_seen.min(seen.asked);
    if seen.asked < page.last_seen {
        return page;
    }
    page.last_seen = seen.asked;
    page.status = status(&seen.outcome).or(page.status);
    match seen.change {
        Change::First | Change::New { .. } => renew(&mut page, observed, original),
        Change::Same => {
            if !seen.validators.is_empty() && seen.validators != page.validators {
                page.validators.clone_from(&seen.validators);
                page.has_original_validators = false;
            }
            if observed.retention > page.retention {
                (page.retention, page.original) = (observed.retention, original);
                page.has_original_validators = observed.kept == Kept::Response;
            }
        }
        Change::Unknown => {}
    }
    page
}

/// There is another version now.
fn renew(page: &mut KnownPage, observed: &Observed, original: Option<Original>) {
    let (seen, retention) = (&observed.observation, observed.retention);
    if let Change::New { importance } = seen.change {
        page.changes += u64::from(seen.change.matters());
        page.importance += f64::from(importance);
        let waits = if retention.is_indexed() { 0.0 } else { page.waiting.sum() + f64::from(importance) };
        page.waiting = Accumulator::new(waits);
    }
    page.last_changed = seen.asked;
    page.digest = seen.digest;
    page.media_type = seen.real_media_type().map(str::to_owned);
    page.validators.clone_from(&seen.validators);
    page.has_original_validators = observed.kept == Kept::Response;
    page.retention = retention;
    if retention != Retention::DigestOnly {
        page.original = original;
    }
}

/// A visit that saw nothing of the page compares nothing. A second look in the same capture that finds nothing new that
/// matters is proof, not one more comparison: captures are compared at their own distance, or a page looked at twice
/// would seem to change half as often.
fn is_comparison(seen: &Observation) -> bool {
    let nothing_new = seen.change != Change::First && !seen.change.matters();
    let proof = seen.purpose == Purpose::Revisit && nothing_new;
    seen.change != Change::Unknown && !proof
}

fn status(outcome: &Outcome) -> Option<u16> {
    match outcome {
        Outcome::Body { status }
        | Outcome::Redirected { status, .. }
        | Outcome::Gone { status }
        | Outcome::Refused { status, .. } => Some(*status),
        Outcome::NotModified | Outcome::Failed { .. } => None,
    }
}
