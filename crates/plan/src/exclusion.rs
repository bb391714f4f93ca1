//! What was left out, and by which rule, so that a report can say so.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tintype_vocab::LeftOut;

/// Why a URL was not asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    OutOfScope,
    TooDeep,
    Robots,
    RobotsUnreachable,
    UrlTooLong,
    RepeatingPath,
    DeepPath,
    Calendar,
    ParameterExplosion,
    UnwantedMedia,
    RedirectLoop,
    TooManyHosts,
    TooManyLinks,
}

impl Rule {
    /// A sentence for people.
    pub fn explain(self) -> &'static str {
        match self {
            Rule::OutOfScope => "outside the scope (--scope widens it)",
            Rule::TooDeep => "too many links away from the seed (--depth)",
            Rule::Robots => "forbidden by robots.txt",
            Rule::RobotsUnreachable => "robots.txt could not be read, so everything on that host is forbidden",
            Rule::UrlTooLong => "URL too long",
            Rule::RepeatingPath => "trap: the path repeats itself",
            Rule::DeepPath => "trap: too many directories",
            Rule::Calendar => "trap: a calendar far from today",
            Rule::ParameterExplosion => "trap: too many combinations of query parameters",
            Rule::UnwantedMedia => "not one of the wanted media types (--media)",
            Rule::RedirectLoop => "too many redirects in a row",
            Rule::TooManyHosts => "too many different hosts",
            Rule::TooManyLinks => "more links than are read from one page",
        }
    }
}

/// How many sample URLs are kept per rule.
const SAMPLES: usize = 20;

/// Counts per rule with a few samples; bounded whatever a site does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exclusions(BTreeMap<Rule, Excluded>);

/// One rule's share.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excluded {
    /// Links left out; a URL linked from many pages counts each time.
    pub links: u64,
    /// Some of the URLs; or of the pages they stand on, where they were never read.
    pub samples: Vec<String>,
}

impl Exclusions {
    pub(crate) fn add(&mut self, rule: Rule, url: &str) {
        self.count(rule, 1, url);
    }

    /// Links that were not read from a page, so that only their number is known.
    pub(crate) fn add_unread(&mut self, links: LeftOut, page: &str) {
        self.count(Rule::UrlTooLong, links.too_long.into(), page);
        self.count(Rule::TooManyLinks, links.too_many.into(), page);
    }

    fn count(&mut self, rule: Rule, links: u64, sample: &str) {
        if links == 0 {
            return;
        }
        let excluded = self.0.entry(rule).or_default();
        excluded.links += links;
        if excluded.samples.len() < SAMPLES && !excluded.samples.iter().any(|known| known == sample) {
            excluded.samples.push(sample.chars().take(500).collect());
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (Rule, &Excluded)> {
        self.0.iter().map(|(rule, excluded)| (*rule, excluded))
    }
}
