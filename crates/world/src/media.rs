//! Made-up webs of media, of which everything is known: what is behind every URL, how long it is, and how pages link.
//!
//! Somebody wants the files of some media types and pays for every request. Read [`REGISTRY`] first, then [`Web`]; [`play`]
//! lets a strategy loose on one and gives the [`YieldCurve`] of wanted files against requests. A new web is one file and one
//! line in the registry. Addresses lie: pages are called `.jpg`, and files have no extension at all.

mod curve;
mod documents;
mod draft;
mod experiment;
mod forum;
mod gallery;
mod neighbourhood;
mod oracle;
mod podcasts;
mod portal;
mod recorded;
mod repository;
mod strategy;
#[cfg(test)]
mod tests;
mod web;

pub use curve::{Spread, YieldCurve};
pub use experiment::{StrategyRow, compare};
pub use recorded::recorded;
pub use strategy::{MediaCrawlConfig, ROOM, STRATEGIES, Strategy, play, play_policy};
pub use web::{Web, WebPage};

/// What a web should be like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WebConfig {
    /// Behind all dice: the same wish gives the same web.
    pub seed: u64,
    /// Pages and files, roughly.
    pub pages: usize,
}

impl Default for WebConfig {
    fn default() -> WebConfig {
        WebConfig { seed: 1, pages: 10_000 }
    }
}

/// A kind of web by name.
#[derive(Clone, Copy, Debug)]
pub struct RegisteredWeb {
    pub name: &'static str,
    pub summary: &'static str,
    pub make: fn(&WebConfig) -> Web,
}

/// Every kind of web.
pub const REGISTRY: &[RegisteredWeb] = &[
    RegisteredWeb { name: "gallery", summary: gallery::SUMMARY, make: gallery::make },
    RegisteredWeb { name: "podcasts", summary: podcasts::SUMMARY, make: podcasts::make },
    RegisteredWeb { name: "documents", summary: documents::SUMMARY, make: documents::make },
    RegisteredWeb { name: "portal", summary: portal::SUMMARY, make: portal::make },
    RegisteredWeb { name: "neighbourhood", summary: neighbourhood::SUMMARY, make: neighbourhood::make },
    RegisteredWeb { name: "forum", summary: forum::SUMMARY, make: forum::make },
    RegisteredWeb { name: "repository", summary: repository::SUMMARY, make: repository::make },
];

/// The kind of web of that name.
pub fn named(name: &str) -> Option<&'static RegisteredWeb> {
    REGISTRY.iter().find(|registered| registered.name == name)
}
