//! The way somebody goes who knows every link and every type.
//!
//! The shortest way that passes so many files is as hard to find as the shortest tour; this one takes files whenever it
//! sees one, and otherwise the stretch of pages at whose end there are the most new files per request.

use super::{Web, YieldCurve};
use std::collections::VecDeque;

pub(super) fn curve(web: &Web) -> YieldCurve {
    let mut way = Way::new(web);
    let seeds: Vec<u32> = web.seeds.iter().filter_map(|seed| web.find(seed)).collect();
    seeds.into_iter().for_each(|seed| way.see(seed));
    while let Some(stretch) = way.best_stretch() {
        stretch.into_iter().for_each(|page| way.ask(page));
    }
    way.curve
}

struct Way<'w> {
    web: &'w Web,
    seen: Vec<bool>,
    asked: Vec<bool>,
    /// Pages seen and not asked for; not wanted files, which are asked for at once.
    frontier: Vec<u32>,
    /// By file, the pages that link it.
    linkers: Vec<Vec<u32>>,
    /// By page, wanted files it links that were not seen.
    gains: Vec<u32>,
    curve: YieldCurve,
}

impl<'w> Way<'w> {
    fn new(web: &'w Web) -> Way<'w> {
        let pages = web.pages().len();
        let (mut linkers, mut gains) = (vec![Vec::new(); pages], vec![0; pages]);
        for (number, page) in web.pages().iter().enumerate() {
            for (to, _) in page.links.iter().filter(|(to, _)| web.is_wanted(*to)) {
                let linkers = &mut linkers[*to as usize];
                if linkers.last() != Some(&(number as u32)) {
                    linkers.push(number as u32);
                    gains[number] += 1;
                }
            }
        }
        let curve = YieldCurve { wanted: web.wanted_files(), ..YieldCurve::default() };
        Way { web, seen: vec![false; pages], asked: vec![false; pages], frontier: Vec::new(), linkers, gains, curve }
    }

    fn see(&mut self, page: u32) {
        if std::mem::replace(&mut self.seen[page as usize], true) {
            return;
        }
        if self.web.is_wanted(page) {
            self.linkers[page as usize].iter().for_each(|linker| self.gains[*linker as usize] -= 1);
            self.ask(page);
        } else if !self.web.pages()[page as usize].links.is_empty() {
            self.frontier.push(page);
        }
    }

    fn ask(&mut self, page: u32) {
        if std::mem::replace(&mut self.asked[page as usize], true) {
            return;
        }
        let (web, number) = (self.web, page as usize);
        self.curve.ask(web.is_wanted(page), web.pages()[number].bytes);
        web.pages()[number].links.iter().for_each(|(to, _)| self.see(*to));
    }

    /// The pages to ask for, one after the other, to get at the most files per request.
    fn best_stretch(&mut self) -> Option<Vec<u32>> {
        self.frontier.retain(|page| !self.asked[*page as usize]);
        let most = f64::from(self.gains.iter().copied().max().unwrap_or(0));
        let mut before = vec![u32::MAX; self.seen.len()];
        let mut reached: VecDeque<(u32, u32)> = self.frontier.iter().map(|page| (*page, 1)).collect();
        reached.iter().for_each(|(page, _)| before[*page as usize] = *page);
        let (mut best, mut worth) = (None, 0.0);
        while let Some((page, steps)) = reached.pop_front() {
            if most / f64::from(steps) <= worth {
                break;
            }
            let gain = f64::from(self.gains[page as usize]) / f64::from(steps);
            if gain > worth {
                (best, worth) = (Some(page), gain);
            }
            for (to, _) in &self.web.pages()[page as usize].links {
                if before[*to as usize] == u32::MAX && !self.seen[*to as usize] {
                    before[*to as usize] = page;
                    reached.push_back((*to, steps + 1));
                }
            }
        }
        best.map(|page| stretch_to(page, &before))
    }
}

fn stretch_to(mut page: u32, before: &[u32]) -> Vec<u32> {
    let mut stretch = vec![page];
    while before[page as usize] != page {
        page = before[page as usize];
        stretch.push(page);
    }
    stretch.reverse();
    stretch
}
