//! Why a block changed: because a page appeared that it announces.

use super::judge::{JudgedEvent, pairs};
use std::collections::HashMap;
use tintype_observe::page::BlockEdit;
use tintype_vocab::{PageUrl, Span};
use url::Url;

/// A page is announced near the time it appears, as visits find it: a hub may be visited a day before or after.
const NEAR: Span = Span::from_days(1);
/// Fewer words are on other pages by chance.
const WORDS_MIN: usize = 4;
/// The share of its pairs of words that an announcement takes from the page, at least.
const TAKEN: f64 = 0.8;
/// So many pages are searched for the words of an announcement; of more, links alone tell.
const SEARCHED_MAX: usize = 200;

/// The pages that appeared.
pub(super) struct Appeared<'j> {
    by_url: HashMap<String, usize>,
    pages: Vec<(usize, &'j JudgedEvent)>,
}

impl<'j> Appeared<'j> {
    /// Those among the judged, by their number.
    pub(super) fn new(pages: Vec<(usize, &'j JudgedEvent)>) -> Appeared<'j> {
        let key = |judged: &JudgedEvent| PageUrl::new(&judged.event.url).as_str().to_owned();
        let by_url = pages.iter().enumerate().map(|(at, (_, judged))| (key(judged), at)).collect();
        Appeared { by_url, pages }
    }

    /// The page that an edit announces, if any.
    pub(super) fn announced_by(&self, judged: &JudgedEvent, edit: &BlockEdit) -> Option<usize> {
        if self.pages.is_empty() {
            return None;
        }
        let base = Url::parse(&judged.event.url).ok();
        let linked = edit.links_inserted.iter().find_map(|link| {
            let url = base.as_ref()?.join(link).ok()?;
            self.by_url.get(PageUrl::new(url.as_str()).as_str()).copied().filter(|at| self.is_near(*at, judged))
        });
        linked.or_else(|| self.quoted_by(judged, edit)).map(|at| self.pages[at].0)
    }

    fn is_near(&self, at: usize, judged: &JudgedEvent) -> bool {
        let apart = self.pages[at].1.event.found.as_millis() - judged.event.found.as_millis();
        apart.abs() <= NEAR.as_millis()
    }

    fn quoted_by(&self, judged: &JudgedEvent, edit: &BlockEdit) -> Option<usize> {
        if self.pages.len() > SEARCHED_MAX || edit.inserted.split_whitespace().nth(WORDS_MIN - 1).is_none() {
            return None;
        }
        let said: Vec<u64> = pairs(&edit.inserted).collect();
        let taken = |at: &usize| {
            let says = &self.pages[*at].1.says;
            said.iter().filter(|pair| says.contains(pair)).count() as f64 >= TAKEN * said.len() as f64
        };
        (0..self.pages.len()).find(|at| self.is_near(*at, judged) && taken(at))
    }
}
