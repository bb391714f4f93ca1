//! A tree of pages that are all there from the first moment and change at known rates: nothing but rates and times.

use super::{
    Made, SyntheticConfig,
    chance::{Purpose, dice, log_normal},
    press::{Edition, Happening, Press, record},
    prose::Prose,
};
use std::{fmt::Write, ops::Range};
use tintype_plan::Dice;

/// Pages per directory of a plain world.
pub(super) const DIRECTORY: usize = 16;

/// Faster than anybody edits a page.
const RATE_MAX: f64 = 48.0;

/// Page 0 links to the pages 1 to `outdegree`, page 1 to the next so many, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainTree {
    pub pages: usize,
    pub outdegree: usize,
}

impl PlainTree {
    /// The page that links to a page; `None` for the first.
    pub fn parent(&self, page: u32) -> Option<u32> {
        Some(page.checked_sub(1)? / self.outdegree.max(1) as u32)
    }

    /// The pages a page links to.
    pub fn children(&self, page: u32) -> Range<u32> {
        let outdegree = self.outdegree.max(1);
        let start = |page: usize| page.saturating_mul(outdegree).saturating_add(1).min(self.pages) as u32;
        start(page as usize)..start(page as usize + 1)
    }
}

/// A plain world in the making.
#[derive(Debug)]
pub(super) struct Plain {
    tree: PlainTree,
    rates: Vec<f64>,
    prose: Prose,
}

impl Plain {
    pub(super) fn new(wish: &SyntheticConfig, outdegree: usize, rates: Vec<f64>) -> Plain {
        let tree = PlainTree { pages: rates.len(), outdegree };
        Plain { tree, rates, prose: Prose::new(wish.seed) }
    }

    /// Lets every page change at the days that `days` draws for it, given its rate.
    pub(super) fn play<Days>(self, wish: &SyntheticConfig, mut days: impl FnMut(&mut Dice, usize, f64) -> Days) -> Made
    where
        Days: IntoIterator<Item = f64>,
    {
        let mut happenings = Vec::new();
        for (page, &rate) in self.rates.iter().enumerate() {
            let mut dice = dice(wish.seed, Purpose::Changes, page as u64);
            happenings.push(Happening::appears(wish.from, page as u32));
            let changes = days(&mut dice, page, rate).into_iter();
            happenings.extend(changes.map(|day| Happening::changes(wish.moment(day), page as u32)));
        }
        let tree = self.tree;
        record(self, happenings, Some(tree))
    }
}

/// Rates as they are on the web: most pages change seldom, a few all the time.
pub(super) fn skewed_rates(wish: &SyntheticConfig, sigma: f64) -> Vec<f64> {
    let rate = |page| log_normal(&mut dice(wish.seed, Purpose::Rates, page), wish.rate_per_day, sigma).min(RATE_MAX);
    (0..wish.pages as u64).map(rate).collect()
}

fn path(page: u32) -> String {
    match page {
        0 => "/".to_owned(),
        _ => format!("/d{}/p{page}.html", page as usize / DIRECTORY),
    }
}

impl Press for Plain {
    fn path(&self, page: u32) -> String {
        path(page)
    }

    fn content_type(&self, _: u32) -> &'static str {
        "text/html; charset=utf-8"
    }

    fn rate_per_day(&self, page: u32) -> Option<f64> {
        Some(self.rates[page as usize])
    }

    fn print(&self, Edition { page, nth, .. }: Edition, out: &mut String) {
        let title = self.prose.title(page.into());
        write!(
            out,
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
             <body><main><article><h1>{title}</h1>\n<p class=\"revision\">Revision {nth}</p>\n"
        )
        .expect("strings grow");
        self.prose.paragraphs(page.into(), self.prose.length(page.into()), nth, out);
        out.push_str("</article></main>\n<nav><ul>\n");
        for page in self.tree.parent(page).into_iter().chain(self.tree.children(page)) {
            writeln!(out, "<li><a href=\"{}\">{}</a></li>", path(page), self.prose.title(page.into()))
                .expect("strings grow");
        }
        out.push_str("</ul></nav></body></html>\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_but_the_first_is_its_parents_child() {
        for outdegree in 1..10 {
            let tree = PlainTree { pages: 100, outdegree };
            assert_eq!(tree.parent(0), None);
            for page in 1..100 {
                assert!(tree.children(tree.parent(page).unwrap()).contains(&page));
            }
            assert_eq!((0..100).map(|page| tree.children(page).len()).sum::<usize>(), 99);
        }
    }
}
