//! What pages were found to lead to: wanted files through one visit, and through what that visit finds in turn.
//!
//! Pages whose addresses look alike are thought to lead to the same. A page like none before is like its host, a host like
//! none before like all hosts; the more visits, the less that counts.

use super::View;
use crate::alike::groups;
use hashbrown::HashMap;
use tintype_vocab::PageId;

/// Visits' worth of belief that a group of pages is like the wider one.
const PRIOR_VISITS: f32 = 1.0;
/// Wanted files that a page leads to before anything was seen.
const PRIOR_LEAD: f32 = 1.0;
/// Older visits count for less: the better a site is known, the fewer new pages are found.
const FADE: f32 = 0.95;
/// Files a step further away count for less: there are requests in between.
const STEP: f32 = 0.9;
/// Files that a request must be worth.
const PRICE: f32 = 0.1;
/// Who looks for the next page to visit need not tell apart what leads to more.
const LEAD_ENOUGH: f32 = 0.6;
/// Nor who reckons what leads to such pages.
const LEAD_MAX: f32 = 100.0;
const GROUPS_MAX: usize = 1 << 16;

/// What visits to a group of pages led to.
#[derive(Clone, Copy, Debug, Default)]
struct Led {
    visits: f32,
    files: f32,
}

impl Led {
    fn add(&mut self, files: f32) {
        *self = Led { visits: self.visits * FADE + 1.0, files: self.files * FADE + files };
    }

    /// Files per visit, if it is like a wider group as long as little is known.
    fn per_visit(self, like: f32) -> f32 {
        (self.files + PRIOR_VISITS * like) / (self.visits + PRIOR_VISITS)
    }
}

#[derive(Debug, Default)]
pub(super) struct Leads {
    all: Led,
    groups: HashMap<u64, Led>,
}

impl Leads {
    /// The chance that a page is wanted, and how many wanted files it is expected to lead to.
    pub(super) fn prospect(&self, page: PageId, view: &View<'_>) -> (f32, f32) {
        let url = view.pages.url(page);
        let prospect = view.media.of(url, view.pages.get(page).mention);
        (prospect.wanted(), prospect.links() * self.expected(url))
    }

    /// Half of it is what was found of pages like this one, half is hope: that it is like the host, or like all hosts.
    fn expected(&self, url: &str) -> f32 {
        let hoped = self.closer(&groups(url), self.all.per_visit(PRIOR_LEAD));
        (hoped.min(LEAD_ENOUGH) + self.found(url).min(LEAD_ENOUGH)) / 2.0
    }

    /// What pages like this one were found to lead to; nothing where none was visited.
    fn found(&self, url: &str) -> f32 {
        self.closer(&groups(url)[1..], 0.0)
    }

    fn closer(&self, groups: &[u64], wider: f32) -> f32 {
        groups.iter().fold(wider, |lead, group| self.groups.get(group).map_or(lead, |led| led.per_visit(lead)))
    }

    /// What is sure to be gained by a page, for the one that led to it: nothing is made of hope alone, or pages full of
    /// links to what nobody knows would seem to lead to more and more.
    fn gain(&self, page: PageId, view: &View<'_>) -> f32 {
        let url = view.pages.url(page);
        let prospect = view.media.of(url, view.pages.get(page).mention);
        (prospect.wanted() + STEP * prospect.links() * self.found(url) - PRICE).max(0.0)
    }

    /// A page was visited, and these became known.
    pub(super) fn visited(&mut self, url: &str, fresh: &[PageId], view: &View<'_>) {
        let files = fresh.iter().map(|page| self.gain(*page, view)).sum::<f32>();
        self.note(url, files.min(LEAD_MAX));
    }

    fn note(&mut self, url: &str, files: f32) {
        self.all.add(files);
        for group in groups(url) {
            if self.groups.len() < GROUPS_MAX || self.groups.contains_key(&group) {
                self.groups.entry(group).or_default().add(files);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn led(leads: &mut Leads, url: &str, files: f32) {
        leads.note(url, files);
    }

    #[test]
    fn pages_lead_to_what_pages_like_them_led_to() {
        let mut leads = Leads::default();
        for nth in 0..20 {
            led(&mut leads, &format!("http://e.com/albums/a-{nth}/"), 8.0);
            led(&mut leads, &format!("http://e.com/forum/t{nth}"), 0.0);
        }
        let expected = |url: &str| leads.expected(url);
        let fruitful = expected("http://e.com/albums/new-99/");
        assert!(fruitful == LEAD_ENOUGH && leads.found("http://e.com/albums/new-99/") > 7.0);
        let barren = expected("http://e.com/forum/t99");
        assert!(barren < 0.2, "{barren}");
        let unlike_all = expected("http://e.com/diary/may/3.html");
        assert!(barren < unlike_all && unlike_all < fruitful, "{unlike_all}: hope counts for less than what was found");
        assert_eq!(leads.found("http://e.com/diary/may/3.html"), 0.0);
    }

    #[test]
    fn a_site_that_is_known_by_and_by_leads_to_less() {
        let mut leads = Leads::default();
        (0..40).for_each(|nth| led(&mut leads, &format!("http://e.com/list?page={nth}"), 20.0));
        let before = leads.found("http://e.com/list?page=99");
        (40..80).for_each(|nth| led(&mut leads, &format!("http://e.com/list?page={nth}"), 0.0));
        let after = leads.found("http://e.com/list?page=99");
        assert!(before > 18.0 && after < before / 4.0, "{before} {after}");
    }
}
