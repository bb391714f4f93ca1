//! How much of a site's attention a page has: by the links to it, how deep it lies, and visits of readers where they are known.

use crate::Error;
use std::collections::HashMap;
use tintype_archive::Reading;
use tintype_vocab::{Entry, PageUrl};

/// Links that are counted of a site; more say nothing new about which pages are linked most.
const LINKS_MAX: usize = 2_000_000;
/// What a page without any link to it weighs, beside one that every page links to.
const UNLINKED: f64 = 0.5;
/// What every step down the path takes: half the weight is lost seven steps down.
const PER_STEP: f64 = 0.9;

/// Visits of readers by address, as a file of the collection gives them: `URL,COUNT` a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traffic {
    visits: HashMap<String, f64>,
    most: f64,
}

impl Traffic {
    /// Lines that are none are passed over.
    pub fn parse(text: &str) -> Traffic {
        let line = |line: &str| {
            let (url, count) = line.rsplit_once([',', '\t', ' '])?;
            let count = count.trim().parse::<f64>().ok().filter(|count| count.is_finite() && *count >= 0.0)?;
            Some((PageUrl::new(url.trim().trim_matches('"')).as_str().to_owned(), count))
        };
        let visits: HashMap<String, f64> = text.lines().filter_map(line).collect();
        let most = visits.values().copied().fold(0.0, f64::max);
        Traffic { visits, most }
    }

    /// 1 for the page that is read most, the root of its share for others; nothing if nothing is known.
    fn factor(&self, url: &str) -> Option<f64> {
        let visits = self.visits.get(PageUrl::new(url).as_str()).copied();
        (self.most > 0.0).then(|| (visits.unwrap_or_default() / self.most).sqrt().max(0.1))
    }
}

/// The pages of one site that link to each page, as its first capture saw them.
#[derive(Debug, Default)]
pub(crate) struct SiteLinks {
    inlinks: HashMap<String, u32>,
    pages: u32,
}

impl SiteLinks {
    pub(crate) fn read(reading: &Reading, site: &str) -> Result<SiteLinks, Error> {
        let mut links = SiteLinks::default();
        let Some(first) = reading.captures_of(site)?.into_iter().next() else { return Ok(links) };
        let mut counted = 0;
        for entry in reading.entries(&first.id)? {
            if let Entry::Observation(seen) = entry? {
                links.pages += 1;
                for link in seen.links.iter() {
                    counted += 1;
                    *links.inlinks.entry(PageUrl::new(link.url).as_str().to_owned()).or_default() += 1;
                }
            }
            if counted > LINKS_MAX {
                break;
            }
        }
        Ok(links)
    }

    /// 0 to 1, comparable between sites: shares, not counts. So many pages at least are known to link to it.
    pub(crate) fn weight(&self, url: &str, least: u32, traffic: &Traffic) -> f64 {
        let linked = self.inlinks.get(PageUrl::new(url).as_str()).copied().unwrap_or_default().max(least);
        let share = f64::from(linked.min(self.pages)) / f64::from(self.pages.max(1));
        let path = url.split_once("://").map_or(url, |(_, rest)| rest).split(['?', '#']).next().unwrap_or_default();
        let steps = path.split('/').skip(1).filter(|step| !step.is_empty()).count();
        let by_links = UNLINKED + (1.0 - UNLINKED) * share.sqrt();
        by_links * PER_STEP.powi(steps as i32) * traffic.factor(url).unwrap_or(1.0)
    }
}
