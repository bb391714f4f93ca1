//! A site whose entrance lists the pages that no link leads to, as a sitemap does: whoever follows links finds them all.

use super::{CaptureSubject, Manner, take};
use tintype_plan::{SeedError, policy};
use tintype_quality::Truth;
use tintype_vocab::{ChangeRate, LinkKind, Links, Span, Time};

/// A subject with its orphans listed.
#[derive(Debug)]
pub struct Listed<S> {
    site: S,
    orphans: Vec<String>,
}

impl<S: CaptureSubject> Listed<S> {
    /// Follows all links at `start` to see whom they lead to.
    pub fn new(mut site: S, start: Time) -> Result<Listed<S>, SeedError> {
        let policy = policy::make("breadth-first").expect("it is registered");
        let slot = Span::from_millis(1);
        let manner = Manner { policy, start, slot, revisit: false, size: 0, told: false, requests_max: None };
        let taken = take(&mut site, manner)?;
        let mut reached = vec![false; site.pages()];
        taken.visits.iter().for_each(|visit| reached[visit.page as usize] = true);
        let orphans = (0..site.pages() as u32).filter(|page| !reached[*page as usize]);
        Ok(Listed { orphans: orphans.map(|page| site.url(page)).collect(), site })
    }

    /// How many pages no link leads to.
    pub fn orphans(&self) -> usize {
        self.orphans.len()
    }

    pub fn into_inner(self) -> S {
        self.site
    }
}

impl<S: CaptureSubject> CaptureSubject for Listed<S> {
    fn pages(&self) -> usize {
        self.site.pages()
    }

    fn url(&self, page: u32) -> String {
        self.site.url(page)
    }

    fn page_of(&self, url: &str) -> Option<u32> {
        self.site.page_of(url)
    }

    fn entrance(&self) -> u32 {
        self.site.entrance()
    }

    fn believed(&self, page: u32) -> ChangeRate {
        self.site.believed(page)
    }

    fn links(&mut self, page: u32, at: Time) -> Links {
        let mut links = self.site.links(page, at);
        if page == self.site.entrance() {
            self.orphans.iter().for_each(|url| links.push(url, LinkKind::Listed));
        }
        links
    }

    fn truth(&self) -> &Truth {
        self.site.truth()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{capture::RecordedCapture, recorded::read_events};

    #[test]
    fn pages_that_nothing_links_are_found_too() {
        let table = "time,path,kind,size,sha1,media_type\n1,/,A,1,aa,text/html\n1,/alone,A,1,bb,text/html\n";
        let history = read_events(table.as_bytes()).unwrap();
        let start = Time::from_secs(10);
        let past = RecordedCapture::new(&history, None, "http://site.test", start, |_| ChangeRate::default()).unwrap();
        let mut site = Listed::new(past, start).unwrap();
        assert_eq!(site.orphans(), 1);
        let policy = policy::make("breadth-first").unwrap();
        let slot = Span::from_secs(1);
        let manner = Manner { policy, start, slot, revisit: false, size: 0, told: false, requests_max: None };
        assert_eq!(take(&mut site, manner).unwrap().visits.len(), 2);
        assert!(site.into_inner().unreadable().is_none());
    }
}
