//! The site of the SHARC experiments: a tree of pages whose rates fall as a power of their rank.

use super::CaptureSubject;
use crate::synthetic::{Sharc, chance};
use tintype_quality::{Truth, Version};
use tintype_vocab::{ChangeRate, LinkKind, Links, Span, Time};

const ORIGIN: &str = "http://sharc.test/s/";

/// A tree of pages. Names tell which pages carry links, as media types do on the web; they may lie.
#[derive(Clone, Debug)]
pub struct SharcTree {
    outdegree: usize,
    /// Changes per slot, as they are and as they are thought to be.
    rates: Vec<f64>,
    believed: Vec<f64>,
    slot: Span,
    /// Whether a page is named as if it carried links.
    named_bearing: Vec<bool>,
    truth: Truth,
}

impl SharcTree {
    /// A site of so many pages; its changes are thrown for `slots` slots from the start of time.
    pub fn new(shape: &Sharc, pages: usize, slots: usize, seed: u64) -> SharcTree {
        let rates = shape.rates_per_slot(pages, seed);
        let named_bearing = (0..pages).map(|page| page * shape.outdegree + 1 < pages).collect();
        let mut truth = Truth::default();
        for (page, rate) in rates.iter().enumerate() {
            let mut dice = chance::dice(seed, chance::Purpose::Changes, page as u64);
            let changes: Vec<Time> = chance::poisson(&mut dice, *rate, 0.0, slots as f64)
                .map(|slot| Time::from_millis((slot * shape.slot.as_millis() as f64) as i64))
                .collect();
            truth.push_page(versions(changes));
        }
        SharcTree { outdegree: shape.outdegree, believed: rates.clone(), rates, slot: shape.slot, named_bearing, truth }
    }

    /// For a share of the pages, 1 − λ is believed instead of λ: the paper's worst misestimate.
    pub fn misjudge(mut self, share: f64, seed: u64) -> SharcTree {
        let mut dice = chance::dice(seed, chance::Purpose::Places, 1);
        for rate in &mut self.believed {
            if chance::happens(&mut dice, share) {
                *rate = (1.0 - *rate).abs();
            }
        }
        self
    }

    /// Pages without links are named as if they had some, and the other way round, with these chances.
    pub fn mislabel(mut self, barren: f64, bearing: f64, seed: u64) -> SharcTree {
        let mut dice = chance::dice(seed, chance::Purpose::Titles, 1);
        for bears in &mut self.named_bearing {
            let wrong = chance::happens(&mut dice, if *bears { bearing } else { barren });
            *bears ^= wrong;
        }
        self
    }

    /// Changes per day, as they are.
    pub fn rates_per_day(&self) -> Vec<f64> {
        let slots_per_day = 1.0 / self.slot.as_days_f64();
        self.rates.iter().map(|rate| rate * slots_per_day).collect()
    }

    fn children(&self, page: u32) -> std::ops::Range<usize> {
        let first = page as usize * self.outdegree + 1;
        first.min(self.rates.len())..(first + self.outdegree).min(self.rates.len())
    }
}

fn versions(mut changes: Vec<Time>) -> Vec<Version> {
    changes.dedup();
    let from: Vec<Time> = [Time::from_millis(-1)].into_iter().chain(changes).collect();
    let until = from[1..].iter().copied().chain([Time::MAX]).collect::<Vec<_>>();
    from.into_iter().zip(until).map(|(from, until)| Version { from, until, weight: 1.0 }).collect()
}

impl CaptureSubject for SharcTree {
    fn pages(&self) -> usize {
        self.rates.len()
    }

    fn url(&self, page: u32) -> String {
        let end = if self.named_bearing[page as usize] { "" } else { ".pdf" };
        if page == 0 { ORIGIN.to_owned() } else { format!("{ORIGIN}p{page}{end}") }
    }

    fn page_of(&self, url: &str) -> Option<u32> {
        let name = url.strip_prefix(ORIGIN)?.trim_end_matches(".pdf");
        if name.is_empty() { Some(0) } else { name.strip_prefix('p')?.parse().ok() }
    }

    fn entrance(&self) -> u32 {
        0
    }

    fn believed(&self, page: u32) -> ChangeRate {
        ChangeRate::known(self.believed[page as usize] / self.slot.as_days_f64())
    }

    fn links(&mut self, page: u32, _at: Time) -> Links {
        let mut links = Links::new();
        self.children(page).for_each(|child| links.push(&self.url(child as u32), LinkKind::Anchor));
        links
    }

    fn truth(&self) -> &Truth {
        &self.truth
    }
}
