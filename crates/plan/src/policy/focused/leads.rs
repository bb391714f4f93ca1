//! What pages were found to lead to: wanted files through one visit, and through what that visit finds in turn.
//!
//! Pages whose addresses look alike are thought to lead to the same. A kind of page like none before is thought to be like
//! the other kinds of its section, its host, and all hosts. There every kind counts once, however often it was visited: a
//! thousand visits in vain to pages of one kind say nothing of another that nobody has tried.

use crate::{MediaGuess, alike::Groups, policy::view::View};
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use tintype_vocab::PageId;

/// Visits' worth of belief that a group of pages is like the wider one, and kinds' worth.
const PRIOR_VISITS: f32 = 1.0;
const PRIOR_KINDS: f32 = 1.0;
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
/// Visits ago that count for nothing.
const SINCE_MAX: u32 = 1000;
const GROUPS_MAX: usize = 1 << 16;

/// What visits to a group of pages led to.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Led {
    /// The older, the less they count.
    visits: f32,
    files: f32,
    /// All of them.
    ever: u32,
}

impl Led {
    fn add(&mut self, files: f32) {
        self.visits = self.visits * FADE + 1.0;
        self.files = self.files * FADE + files;
        self.ever = self.ever.saturating_add(1);
    }

    /// Files per visit, if it is like a wider group as long as little is known.
    fn per_visit(self, like: f32) -> f32 {
        (self.files + PRIOR_VISITS * like) / (self.visits + PRIOR_VISITS)
    }
}

/// Kinds of pages that were visited, and what a visit to each led to, summed.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Kinds {
    count: f32,
    leads: f32,
}

impl Kinds {
    /// A kind led to so much, and now leads to so much.
    fn change(&mut self, before: Option<f32>, now: f32) {
        self.count += f32::from(u8::from(before.is_none()));
        self.leads = (self.leads + now - before.unwrap_or(0.0)).max(0.0);
    }

    fn per_kind(self, like: f32) -> f32 {
        (self.leads + PRIOR_KINDS * like) / (self.count + PRIOR_KINDS)
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Leads {
    all: Kinds,
    /// Hosts and sections.
    wider: HashMap<u64, Kinds>,
    /// Kinds and directories.
    groups: HashMap<u64, Led>,
}

impl Leads {
    /// The chance that a page is wanted, and how many wanted files it is expected to lead to.
    pub(super) fn media_guess(&self, page: PageId, view: &View<'_>) -> (f32, f32) {
        let url = view.pages.url(page);
        let media_guess = view.media.of(url, view.pages.get(page).mention);
        (media_guess.wanted(), media_guess.links() * self.expected(url))
    }

    /// The share of requests that will bring a wanted file if this URL is asked for, and what it leads to.
    pub(crate) fn worth(&self, url: &str, media_guess: MediaGuess) -> f32 {
        let (wanted, lead) = (media_guess.wanted(), media_guess.links() * self.expected(url));
        wanted + (1.0 - wanted) * lead / (1.0 + lead)
    }

    /// What is sure to be gained by a URL, for the page that led to it.
    pub(crate) fn sure_gain(&self, url: &str, media_guess: MediaGuess) -> Gain {
        Gain { wanted: media_guess.wanted(), led: media_guess.links() * self.found(url) }
    }

    /// Half of it is what was found of pages like this one, half is hope: that it is like other kinds.
    fn expected(&self, url: &str) -> f32 {
        let groups = Groups::of(url);
        let wider = [groups.host, groups.section].into_iter().filter_map(|group| self.wider.get(&group));
        let hope = wider.fold(self.all.per_kind(PRIOR_LEAD), |lead, kinds| kinds.per_kind(lead));
        (self.closer(&groups, hope).min(LEAD_ENOUGH) + self.closer(&groups, 0.0).min(LEAD_ENOUGH)) / 2.0
    }

    /// What pages like this one were found to lead to; nothing where none was visited.
    fn found(&self, url: &str) -> f32 {
        self.closer(&Groups::of(url), 0.0)
    }

    fn closer(&self, groups: &Groups, wider: f32) -> f32 {
        let closer = [groups.kind, groups.directory].into_iter().filter_map(|group| self.groups.get(&group));
        closer.fold(wider, |lead, led| led.per_visit(lead))
    }

    /// What is sure to be gained by a page, for the one that led to it: nothing is made of hope alone, or pages full of
    /// links to what nobody knows would seem to lead to more and more.
    pub(super) fn gain(&self, page: PageId, view: &View<'_>) -> Gain {
        let url = view.pages.url(page);
        self.sure_gain(url, view.media.of(url, view.pages.get(page).mention))
    }

    /// A page was visited, and led to so many files. Gives the number of that visit among those to pages of its kind.
    pub(crate) fn note(&mut self, url: &str, files: f32) -> u32 {
        self.change(url, |led| led.add(files.min(LEAD_MAX)))
    }

    /// What that visit led to turned out to be more, or less. The longer ago it was, the less that counts, too.
    pub(crate) fn correct(&mut self, url: &str, nth: u32, files: f32) {
        let since = |led: &Led| led.ever.saturating_sub(nth).min(SINCE_MAX) as i32;
        let now = self.groups.get(&Groups::of(url).kind).map_or(0, since);
        let files = files * FADE.powi(now);
        self.change(url, |led| led.files = (led.files + files).max(0.0));
    }

    fn change(&mut self, url: &str, change: impl Fn(&mut Led)) -> u32 {
        let groups = Groups::of(url);
        let before = self.groups.get(&groups.kind).map(|led| led.per_visit(0.0));
        for group in [groups.kind, groups.directory] {
            if let Some(led) = entry(&mut self.groups, group) {
                change(led);
            }
        }
        let Some(led) = self.groups.get(&groups.kind).copied() else { return 0 };
        let now = led.per_visit(0.0);
        self.all.change(before, now);
        for group in [groups.host, groups.section] {
            if let Some(kinds) = entry(&mut self.wider, group) {
                kinds.change(before, now);
            }
        }
        led.ever
    }
}

/// What a page brings: itself, or files it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Gain {
    pub(crate) wanted: f32,
    pub(crate) led: f32,
}

impl Gain {
    /// In files, with the page's own request paid.
    pub(crate) fn files(self) -> f32 {
        (self.wanted + STEP * self.led - PRICE).max(0.0)
    }
}

/// A group, as long as there is room for new ones.
fn entry<T: Default>(groups: &mut HashMap<u64, T>, group: u64) -> Option<&mut T> {
    (groups.len() < GROUPS_MAX || groups.contains_key(&group)).then(|| groups.entry(group).or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(leads: &mut Leads, files: f32, urls: impl Iterator<Item = String>) {
        urls.for_each(|url| _ = leads.note(&url, files));
    }

    #[test]
    fn pages_lead_to_what_pages_like_them_led_to() {
        let mut leads = Leads::default();
        for nth in 0..20 {
            leads.note(&format!("http://e.com/albums/a-{nth}/"), 8.0);
            leads.note(&format!("http://e.com/forum/t{nth}"), 0.0);
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
        visit(&mut leads, 20.0, (0..40).map(|nth| format!("http://e.com/list?page={nth}")));
        let before = leads.found("http://e.com/list?page=99");
        visit(&mut leads, 0.0, (40..80).map(|nth| format!("http://e.com/list?page={nth}")));
        let after = leads.found("http://e.com/list?page=99");
        assert!(before > 18.0 && after < before / 4.0, "{before} {after}");
    }

    #[test]
    fn visits_in_vain_to_one_kind_do_not_speak_against_another() {
        let mut leads = Leads::default();
        visit(&mut leads, 0.0, (0..500).map(|nth| format!("http://e.com/photo/{nth}/map")));
        let (tried, untried) = (leads.expected("http://e.com/photo/999/map"), leads.expected("http://e.com/albums/"));
        assert!(untried > 0.1 && untried > 10.0 * tried, "{tried} {untried}");
        visit(&mut leads, 0.0, (0..500).map(|nth| format!("http://e.com/wiki/{}", letters(nth))));
        let (article, entrance) = (leads.expected("http://e.com/wiki/Zebra"), leads.expected("http://e.com/albums/"));
        assert!(entrance > 5.0 * article, "{article} {entrance}: where every page has a name, names are no news");
    }

    fn letters(number: u32) -> String {
        format!("{number}").bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
    }

    #[test]
    fn what_turns_out_later_counts_unless_it_was_long_ago() {
        let read = |nth: u32| format!("http://e.com/read/{nth}");
        let mut leads = Leads::default();
        let visits: Vec<u32> = (0..5).map(|nth| leads.note(&read(nth), 0.0)).collect();
        assert_eq!((visits, leads.found(&read(99))), (vec![1, 2, 3, 4, 5], 0.0));
        (0..5).for_each(|nth| leads.correct(&read(nth), nth + 1, 0.9));
        assert!(leads.found(&read(99)) > 0.6);
        visit(&mut leads, 0.9, (5..500).map(read));
        let before = leads.found(&read(999));
        (0..5).for_each(|nth| leads.correct(&read(nth), nth + 1, -100.0));
        assert!((leads.found(&read(999)) - before).abs() < 1e-3);
        leads.correct(&read(499), 500, -1000.0);
        assert_eq!(leads.found(&read(999)), 0.0);
    }
}
