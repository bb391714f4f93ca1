//! A past site that lives again by the crawler's own clock, and the truth about it.
//!
//! Of a recorded site only the events are played: its pages are sentences, found through a sitemap. Their own bodies would
//! send the crawler to where the site was, and to hosts elsewhere for what they embed.

use crate::{SiteSource, open::OpenedSite};
use std::collections::HashMap;
use tintype_quality::{Seen, Truth, Version, capture::exact_blur, certificate::Period};
use tintype_vocab::{ChangeRate, Observation, PageUrl, Time};
use tintype_world::{
    History,
    machine::{Machine, Sitemap},
};

/// Where the time machine puts a sitemap.
const SITEMAP: &str = "/sitemap.xml";

/// What is known of a site that is served elsewhere.
#[derive(Debug)]
pub struct LivingSite {
    pub(super) name: String,
    pub(super) from: Time,
    pub(super) until: Time,
    entrance: String,
    truth: Truth,
    /// Pages of the truth by their address here.
    numbers: HashMap<PageUrl<'static>, u32>,
    origin: String,
}

impl LivingSite {
    /// Opens a site that will be served at `origin`, and the machine that answers for it.
    pub fn open(source: &SiteSource, origin: &str) -> anyhow::Result<(LivingSite, Machine)> {
        let OpenedSite { name, history, contents, from, to: until, .. } = source.open(origin)?;
        let mut truth = history.truth(|_| 1.0);
        let key = |path: &str| PageUrl::new(&format!("{origin}{path}")).into_owned();
        let mut numbers: HashMap<PageUrl<'static>, u32> =
            (0..history.pages() as u32).map(|page| (key(history.path(page)), page)).collect();
        let machine = if source.is_made_up() {
            Machine::new(history, contents, None)
        } else {
            numbers.insert(key(SITEMAP), truth.pages() as u32);
            truth.push_page(versions_of_sitemap(&history));
            Machine::new(history, None, Some(Sitemap::Honest))
        };
        let entrance = machine.entrance(from).unwrap_or("/").to_owned();
        let origin = origin.to_owned();
        Ok((LivingSite { name, from, until, entrance, truth, numbers, origin }, machine))
    }

    /// Where a capture begins.
    pub(super) fn seed(&self) -> String {
        format!("{}{}", self.origin, self.entrance)
    }

    pub(super) fn pages(&self) -> usize {
        self.truth.pages()
    }

    fn number(&self, url: &str) -> Option<u32> {
        self.numbers.get(&PageUrl::new(url)).copied()
    }

    /// All that is known.
    pub(super) fn whole(&self) -> Period {
        Period { from: self.from, to: self.until }
    }

    /// How often a page really changes within a time, as far as it is known and the page is there.
    pub(super) fn rate(&self, url: &str, within: Period) -> ChangeRate {
        let versions = self.number(url).map_or(&[][..], |page| self.truth.page(page as usize));
        let (Some(first), Some(last)) = (versions.first(), versions.last()) else { return ChangeRate::known(0.0) };
        let (from, to) = (within.from.max(self.from), within.to.min(self.until));
        let days = (last.until.min(to) - first.from.max(from)).as_days_f64();
        let is_within = |at: Time| from < at && at <= to;
        let edits = versions[1..].iter().filter(|version| is_within(version.from)).count();
        let changes = edits + usize::from(is_within(last.until));
        ChangeRate::known(if days > 0.0 { changes as f64 / days } else { 0.0 })
    }

    /// The blur that visits, in order of time, really had over the query interval.
    pub(super) fn blur<'a>(&self, query: Period, visits: impl Iterator<Item = &'a Observation>) -> f64 {
        let seen = visits.filter_map(|visit| Some(Seen { at: visit.asked, page: self.number(&visit.url)? }));
        exact_blur(&self.truth, query.from, query.to, &seen.collect::<Vec<Seen>>())
    }
}

/// An honest sitemap changes whenever a page does.
fn versions_of_sitemap(history: &History) -> Vec<Version> {
    let mut times: Vec<Time> = history.events().iter().map(|event| event.at).collect();
    times.sort_unstable();
    times.dedup();
    let ends = times.iter().skip(1).copied().chain([Time::MAX]);
    times.iter().zip(ends).map(|(&from, until)| Version { from, until, weight: 1.0 }).collect()
}
