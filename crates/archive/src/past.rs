//! What was known of a site at an earlier moment, folded from its logs again.

use crate::{CaptureInfo, Error, KnownPage, Reading, log::reader::Observations, state::fold};
use hashbrown::HashMap;
use tintype_vocab::PageUrl;

impl Reading {
    /// Every page as it was known when these captures of a site, in this order, had been made; in no order.
    pub fn pages_of(&self, captures: &[CaptureInfo]) -> Result<Vec<KnownPage>, Error> {
        let mut pages: HashMap<PageUrl<'static>, KnownPage> = HashMap::new();
        for capture in captures {
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
