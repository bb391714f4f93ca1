//! Made-up webs: every change is drawn from a known process, every document printed when somebody asks for it.
//!
//! A world is a function of its [`SyntheticConfig`], seed included, and of nothing else. The plain ones (`sharc`, `poisson`,
//! `seasonal`, `bursty`, `directories`) are trees of pages whose change rates are known; `objects` comes and goes; `news`,
//! `docs`, `shop` and `forum` behave and read like real sites. Nothing is kept of the bodies: printing one again takes
//! microseconds. Read [`REGISTRY`] first; a new world is one file and one line there.

mod bursty;
pub(crate) mod chance;
mod course;
mod directories;
mod docs;
mod feed;
mod forum;
mod frame;
mod leaf;
mod listing;
mod news;
mod noise;
mod objects;
mod outlet;
mod plain;
mod poisson;
mod press;
mod profile;
mod prose;
mod seasonal;
mod sharc;
mod shelf;
mod shop;
mod sitemap;
#[cfg(test)]
mod tests;

pub use noise::noise;
pub use objects::{MadeUpSurvival, Objects, objects};
pub use plain::PlainTree;
pub use press::Printer;
pub use sharc::{Placement, Sharc, sharc};
pub use sitemap::Lastmod;

use crate::History;
use tintype_vocab::{Span, Time};

/// What a world should be like. What is left at its default is realistic.
#[derive(Clone, Debug)]
pub struct SyntheticConfig {
    /// Behind all dice: the same wish gives the same world.
    pub seed: u64,
    /// How many pages exist in the course of time. Exact in plain worlds; the others come near it.
    pub pages: usize,
    /// The first moment, at which everything that is there already is added.
    pub from: Time,
    pub days: f64,
    /// Mean change rate of a page of a plain world. Sites that behave like real ones have their own habits.
    pub rate_per_day: f64,
    /// Where the site says it lives, for feeds, sitemaps and robots.txt. Links of pages are relative.
    pub origin: String,
    pub lastmod: Lastmod,
}

impl Default for SyntheticConfig {
    fn default() -> SyntheticConfig {
        SyntheticConfig {
            seed: 1,
            pages: 1000,
            // A Monday, so that weeks are whole.
            from: Time::from_secs(1_767_571_200),
            days: 56.0,
            rate_per_day: 0.2,
            origin: "http://world.invalid".to_owned(),
            lastmod: Lastmod::Honest,
        }
    }
}

impl SyntheticConfig {
    /// The moment after so many days.
    fn moment(&self, day: f64) -> Time {
        self.from + Span::from_millis((day * 86_400_000.0) as i64)
    }

    fn until(&self) -> Time {
        self.moment(self.days)
    }
}

/// A world that came true.
#[derive(Debug)]
pub struct Made {
    pub history: History,
    /// Mean changes per day of each page of the history while it is there: those the dice were thrown with where there
    /// are such, otherwise those that happened.
    pub rates: Vec<f64>,
    /// Which page links to which, where that never changes.
    pub tree: Option<PlainTree>,
    /// Prints the document behind any row of the history.
    pub contents: Printer,
}

/// A kind of world by name.
#[derive(Clone, Copy, Debug)]
pub struct RegisteredSite {
    pub name: &'static str,
    pub summary: &'static str,
    pub make: fn(&SyntheticConfig) -> Made,
}

/// Every kind of world.
pub const REGISTRY: &[RegisteredSite] = &[
    RegisteredSite { name: "sharc", summary: sharc::SUMMARY, make: |wish| sharc(wish, &Sharc::default()) },
    RegisteredSite { name: "poisson", summary: poisson::SUMMARY, make: poisson::make },
    RegisteredSite { name: "seasonal", summary: seasonal::SUMMARY, make: seasonal::make },
    RegisteredSite { name: "bursty", summary: bursty::SUMMARY, make: bursty::make },
    RegisteredSite { name: "directories", summary: directories::SUMMARY, make: directories::make },
    RegisteredSite { name: "objects", summary: objects::SUMMARY, make: |wish| objects(wish, &Objects::default()) },
    RegisteredSite { name: "news", summary: news::SUMMARY, make: news::make },
    RegisteredSite { name: "docs", summary: docs::SUMMARY, make: docs::make },
    RegisteredSite { name: "shop", summary: shop::SUMMARY, make: shop::make },
    RegisteredSite { name: "forum", summary: forum::SUMMARY, make: forum::make },
];

/// The kind of world of that name.
pub fn named(name: &str) -> Option<&'static RegisteredSite> {
    REGISTRY.iter().find(|registered| registered.name == name)
}
