//! What was left out, and by which objection, so that a report can say so.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tintype_vocab::LeftOut;

/// Why a URL was not asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Objection {
    OutOfScope,
    Excluded,
    TooDeep,
    Robots,
    RobotsUnreachable,
    UrlTooLong,
    RepeatingPath,
    DeepPath,
    Calendar,
    ParameterExplosion,
    EndlessFamily,
    ManySpellings,
    SameBytes,
    UnwantedMedia,
    RedirectLoop,
    TooManyHosts,
    HostPause,
    HostSilent,
    EntranceSpent,
    TooManyLinks,
    NoRoom,
    /// It asks for more patience than one page gets.
    OutOfService,
    /// The site asks not to follow links to it.
    Unfollowed,
    /// It does something rather than show something.
    ActionPage,
    /// One feed of very many.
    FurtherFeed,
    /// It is likely what somebody does not want.
    ForbiddenMedia,
    /// Its domain took all that one may.
    DomainSpent,
}

impl Objection {
    /// A sentence for people.
    pub fn explain(self) -> &'static str {
        match self {
            Objection::OutOfScope => "outside the scope (--scope widens it)",
            Objection::Excluded => "not wanted by the look of its URL (--include, --exclude)",
            Objection::TooDeep => "too many links away from the seed (--depth)",
            Objection::Robots => "forbidden by robots.txt",
            Objection::RobotsUnreachable => "robots.txt could not be read, so everything on that host is forbidden",
            Objection::UrlTooLong => "URL too long",
            Objection::RepeatingPath => "trap: the path repeats itself",
            Objection::DeepPath => "trap: too many directories",
            Objection::Calendar => "trap: a calendar far from today",
            Objection::ParameterExplosion => "trap: too many combinations of query parameters",
            Objection::EndlessFamily => "trap: pages of this form only repeat what others say (name one to have it)",
            Objection::ManySpellings => "trap: too many spellings of one address",
            Objection::SameBytes => "another spelling of a page, where all spellings tried had the same bytes",
            Objection::UnwantedMedia => "not one of the wanted media types (--media)",
            Objection::RedirectLoop => "too many redirects in a row, or back to where they came from",
            Objection::TooManyHosts => "too many different hosts",
            Objection::HostPause => "its host asked for a pause longer than a capture waits",
            Objection::HostSilent => "its host stopped answering",
            Objection::EntranceSpent => "the budget of the part of the site it belongs to is spent",
            Objection::TooManyLinks => "more links than are read from one page",
            Objection::NoRoom => "less promising than what there is room to remember",
            Objection::OutOfService => "out of service for longer than a capture waits for a page; run it again later",
            Objection::Unfollowed => "the site asks not to follow links to them (--nofollow ignore takes them all)",
            Objection::ActionPage => {
                "they log in, edit, compare or sort rather than show something (--nofollow ignore takes them all)"
            }
            Objection::ForbiddenMedia => "likely what --no-media rules out (--follow-unwanted takes what leads on)",
            Objection::DomainSpent => "their domains took all that one may (--domain-budget)",
            Objection::FurtherFeed => {
                "feeds of single pages, which tell what the pages say (--nofollow ignore takes them all)"
            }
        }
    }
}

/// How many sample URLs are kept per objection.
const SAMPLES: usize = 20;

/// Counts per objection with a few samples; bounded whatever a site does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exclusions(BTreeMap<Objection, Excluded>);

/// One objection's share.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excluded {
    /// Links left out; a URL linked from many pages counts each time.
    pub links: u64,
    /// Some of the URLs; or of the pages they stand on, where they were never read.
    pub samples: Vec<String>,
    /// What can only be said of this case, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// One objection's share as it is kept.
pub(crate) type SavedExclusion = (Objection, u64, Vec<String>, Option<String>);

impl Exclusions {
    pub(crate) fn save(&self) -> Vec<SavedExclusion> {
        let save = |(objection, excluded): (Objection, &Excluded)| {
            (objection, excluded.links, excluded.samples.clone(), excluded.detail.clone())
        };
        self.iter().map(save).collect()
    }

    pub(crate) fn restore(saved: Vec<SavedExclusion>) -> Exclusions {
        let restore = |(objection, links, samples, detail)| (objection, Excluded { links, samples, detail });
        Exclusions(saved.into_iter().map(restore).collect())
    }

    pub(crate) fn add(&mut self, objection: Objection, url: &str) {
        self.count(objection, 1, url);
    }

    /// So many URLs at once, of which one is told.
    pub(crate) fn add_many(&mut self, objection: Objection, urls: u64, sample: &str) {
        self.count(objection, urls, sample);
    }

    /// Says what can only be said of this case; of several the last is kept.
    pub(crate) fn explain(&mut self, objection: Objection, detail: &str) {
        if let Some(excluded) = self.0.get_mut(&objection) {
            excluded.detail = Some(detail.to_owned());
        }
    }

    /// Links that were not read from a page, so that only their number is known.
    pub(crate) fn add_unread(&mut self, links: LeftOut, page: &str) {
        self.count(Objection::UrlTooLong, links.too_long.into(), page);
        self.count(Objection::TooManyLinks, links.too_many.into(), page);
    }

    fn count(&mut self, objection: Objection, links: u64, sample: &str) {
        if links == 0 {
            return;
        }
        let excluded = self.0.entry(objection).or_default();
        excluded.links += links;
        if excluded.samples.len() < SAMPLES && !excluded.samples.iter().any(|known| known == sample) {
            excluded.samples.push(sample.chars().take(500).collect());
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (Objection, &Excluded)> {
        self.0.iter().map(|(objection, excluded)| (*objection, excluded))
    }
}
