//! What was known of a site at an earlier moment, folded from its logs again.

use crate::{CaptureInfo, Error, KnownPage, Reading, log::reader::Observations, state::fold};
use hashbrown::HashMap;
use tintype_vocab::{PageUrl, Time};

impl Reading {
    /// Every page of a site as it was known when the capture that began at `before` did, in no order.
    pub fn pages_before(&self, site: &str, before: Time) -> Result<Vec<KnownPage>, Error> {
        let mut pages: HashMap<PageUrl<'static>, KnownPage> = HashMap::new();
        let is_earlier = |capture: &&CaptureInfo| capture.head.started < before;
        for capture in self.captures_of(site)?.iter().filter(is_earlier) {
            let mut lines = Observations::open(&capture.log, 0)?;
            while let Some((_, observed)) = lines.next()? {
                let Some(observed) = observed else { continue };
                let url = PageUrl::new(&observed.observation.url).into_owned();
                let page =
                    pages.remove(&url).unwrap_or_else(|| KnownPage::new(url.as_str(), observed.observation.asked));
                let original = observed.original();
                pages.insert(url, fold(page, &observed, original));
            }
        }
        Ok(pages.into_values().collect())
    }
}
