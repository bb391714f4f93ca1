//! What the versions that are held show, for those who read of pages that were found as they were.

use crate::{
    held::look_again,
    layout::{Layout, site_number},
    log::held_links::{HeldLinks, Kept},
    store::{STORES, Store},
};
use tintype_observe::Look;
use tintype_vocab::{Digest, Observation, PageUrl};

/// The versions of one site.
#[derive(Debug)]
pub(crate) struct Versions {
    layout: Layout,
    site: String,
    links: HeldLinks,
    /// Opened when it is first asked for.
    store: Option<Option<Box<dyn Store>>>,
}

/// A store as the place where links are kept; what cannot be read is not there.
pub(crate) struct InStore<'a>(pub(crate) &'a dyn Store);

impl Kept for InStore<'_> {
    fn list(&self, key: u64) -> Option<Vec<u8>> {
        self.0.link_list(key).ok().flatten()
    }

    fn urls(&self, from: u64, count: u64) -> Vec<(u64, Vec<u8>)> {
        self.0.link_urls(from, count).unwrap_or_default()
    }
}

impl Versions {
    pub(crate) fn new(layout: &Layout, site: &str) -> Versions {
        Versions { layout: layout.clone(), site: site.to_owned(), links: HeldLinks::default(), store: None }
    }

    /// Adds to an observation what the version it saw is and links to.
    pub(crate) fn show(&mut self, seen: &mut Observation) {
        let Some(digest) = seen.digest else { return };
        if let Some(look) = self.look(&seen.url, &digest) {
            (seen.media_type, seen.sniffed) = (look.media_type, look.sniffed);
            (seen.links, seen.gist) = (look.links, look.gist);
        }
    }

    fn look(&mut self, url: &str, digest: &Digest) -> Option<Look> {
        let Versions { layout, site, links, store } = self;
        let store = store.get_or_insert_with(|| open(layout, site)).as_deref()?;
        links.recall(url, digest, &InStore(store)).or_else(|| read_again(layout, store, url, digest))
    }
}

fn open(layout: &Layout, site: &str) -> Option<Box<dyn Store>> {
    (STORES[0].read)(&layout.state_of(site), site_number(site)).ok()?
}

/// Reads the record of the version.
fn read_again(layout: &Layout, store: &dyn Store, url: &str, digest: &Digest) -> Option<Look> {
    let page = store.page(&PageUrl::new(url)).ok()?;
    let own = page.filter(|page| page.digest == Some(*digest)).and_then(|page| page.original);
    let original = own.or_else(|| store.payload(digest).ok().flatten())?;
    look_again(layout, None, original.place.as_ref()?, url).ok()
}
