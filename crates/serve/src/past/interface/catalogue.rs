//! All captures of all collections, and the sites they are of.

use super::{Past, Prepared};
use crate::past::prepared::NotReady;
use std::{collections::BTreeMap, sync::Arc};
use tintype_archive::{CaptureInfo, CaptureKind};
use tintype_session::{PageStatus, SiteOverview, SiteStatus};
use tintype_vocab::{Span, Time};

/// Every capture with the number of its collection, oldest first.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    pub(super) captures: Vec<(usize, CaptureInfo)>,
    /// Those that were captured or kept last come first, with the beginning of that.
    pub(super) sites: Vec<(usize, String, Time)>,
}

impl Catalogue {
    pub(super) fn get(past: &Arc<Past>) -> Result<Arc<Catalogue>, NotReady> {
        Prepared::get(
            past,
            |past| &past.interface.catalogue,
            (),
            |past| {
                let mut captures = Vec::new();
                for (number, reading) in past.holdings.collections() {
                    captures.extend(reading.captures()?.into_iter().map(|info| (number, info)));
                }
                captures.sort_by_key(|(_, info)| info.head.started);
                Ok(Catalogue { sites: sites(&captures), captures })
            },
        )
    }

    /// The collection that holds captures of a site.
    pub(super) fn collection_of(&self, site: &str) -> Option<usize> {
        self.captures.iter().rev().find(|(_, info)| info.head.site == site).map(|(number, _)| *number)
    }

    /// Of one site, oldest first.
    pub(super) fn captures_of<'a>(&'a self, site: &'a str) -> impl DoubleEndedIterator<Item = &'a CaptureInfo> {
        self.captures.iter().map(|(_, info)| info).filter(move |info| info.head.site == site)
    }
}

fn sites(captures: &[(usize, CaptureInfo)]) -> Vec<(usize, String, Time)> {
    let mut latest: BTreeMap<(usize, &str), Time> = BTreeMap::new();
    for (collection, info) in captures {
        if matches!(info.head.kind, CaptureKind::Capture | CaptureKind::Keep | CaptureKind::Import) {
            let last = latest.entry((*collection, &info.head.site)).or_insert(info.head.started);
            *last = info.head.started.max(*last);
        }
    }
    let mut sites: Vec<_> =
        latest.into_iter().map(|((collection, site), at)| (collection, site.to_owned(), at)).collect();
    sites.sort_by_key(|(_, _, at)| std::cmp::Reverse(*at));
    sites
}

/// How well a site is kept, as `tintype status` tells it.
pub(super) fn status(past: &Arc<Past>, collection: usize, site: &str) -> Result<Arc<SiteStatus>, NotReady> {
    let name = site.to_owned();
    Prepared::get(
        past,
        |past| &past.interface.statuses,
        (collection, site.to_owned()),
        move |past| {
            let now = (past.clock)();
            Ok(SiteStatus::of(past.collection(collection)?, &name, now - super::STATUS_WINDOW, now)?)
        },
    )
}

/// What the visits of the last days found.
pub(super) fn overview(
    past: &Arc<Past>,
    collection: usize,
    site: &str,
    window: Span,
) -> Result<Arc<SiteOverview>, NotReady> {
    let name = site.to_owned();
    Prepared::get(
        past,
        |past| &past.interface.overviews,
        (collection, site.to_owned()),
        move |past| Ok(SiteOverview::since(past.collection(collection)?, &name, (past.clock)() - window)?),
    )
}

/// What is believed of a page of a site, as `tintype explain` tells it.
pub(super) fn page_status(
    past: &Arc<Past>,
    collection: usize,
    site: &str,
    url: &str,
) -> Result<Arc<Option<PageStatus>>, NotReady> {
    let (name, page) = (site.to_owned(), url.to_owned());
    let key = (collection, site.to_owned(), url.to_owned());
    Prepared::get(
        past,
        |past| &past.interface.pages,
        key,
        move |past| Ok(PageStatus::of(past.collection(collection)?, &name, &page, (past.clock)())?),
    )
}
