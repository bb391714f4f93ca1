//! What earlier captures know of a page, for those who ask servers whether it changed.

use crate::{
    Error,
    layout::{Layout, site_number},
    scorer::LORE,
    store::{KnownPage, PageOrder, STORES, Store},
};
use std::{cell::OnceCell, ops::ControlFlow, path::PathBuf};
use tintype_observe::page::Habits;
use tintype_vocab::{PageUrl, Validators};

/// The past of one site. Has its own connection, so it may be asked from another thread than the one that writes.
#[derive(Debug)]
pub struct PageHistory {
    path: PathBuf,
    number: u64,
    has_history: bool,
    /// Opened when it is first asked: of many sites that are kept few are asked for at a time.
    store: OnceCell<Option<Box<dyn Store>>>,
}

impl PageHistory {
    pub(crate) fn of(layout: &Layout, site: &str, has_history: bool) -> PageHistory {
        let (path, number) = (layout.state_of(site), site_number(site));
        PageHistory { path, number, has_history, store: OnceCell::new() }
    }

    fn store(&self) -> Result<Option<&dyn Store>, Error> {
        if !self.has_history {
            return Ok(None);
        }
        if self.store.get().is_none() {
            let opened = (STORES[0].read)(&self.path, self.number).map_err(Error::state(&self.path))?;
            let _ = self.store.set(opened);
        }
        Ok(self.store.get().and_then(Option::as_deref))
    }

    /// Whether the site was never captured: then every other question has the answer "nothing".
    pub fn is_empty(&self) -> bool {
        self.store().is_ok_and(|store| store.is_none())
    }

    pub fn page(&self, url: &PageUrl<'_>) -> Result<Option<KnownPage>, Error> {
        match self.store()? {
            Some(store) => store.page(url).map_err(Error::state(&self.path)),
            None => Ok(None),
        }
    }

    /// Every page ever seen, until the caller has seen enough.
    pub fn each_page(&self, order: PageOrder, mut each: impl FnMut(KnownPage) -> ControlFlow<()>) -> Result<(), Error> {
        self.store()?.map_or(Ok(()), |store| store.pages(order, &mut each).map_err(Error::state(&self.path)))
    }

    /// What the site taught about its pages, if that was saved and can be read.
    pub(crate) fn habits(&self) -> Option<Habits> {
        serde_json::from_slice(&self.lore(LORE)?).ok()
    }

    pub(crate) fn lore(&self, name: &str) -> Option<Vec<u8>> {
        self.store().ok()??.lore(name).ok().flatten()
    }

    /// What to ask with whether a page changed: only where a "no" could be archived, which takes a version we hold.
    pub fn validators(&self, url: &PageUrl<'_>) -> Result<Option<Validators>, Error> {
        let held = |page: &KnownPage| page.held().is_some() && !page.validators.is_empty();
        Ok(self.page(url)?.filter(held).map(|page| page.validators))
    }
}
