//! What the visits to a site tell at a glance: day by day, by the hours of the week, page by page.

use crate::{Error, asked::HostAsked};
use std::collections::{BTreeMap, HashMap};
use tintype_archive::Reading;
use tintype_vocab::{Change, Entry, Observation, Outcome, Purpose, Time};

/// Pages that are told of one by one.
pub const ACTIVE_PAGES_MAX: usize = 200;
/// Directories that are, the largest.
const DIRECTORIES_MAX: usize = 200;
/// Hosts that are: those whose addresses a link anywhere may bring in have no end.
const HOSTS_MAX: usize = 16;

/// The visits to a site since a moment.
#[derive(Clone, Debug, Default)]
pub struct SiteOverview {
    /// By the beginning of their day, in UTC.
    pub days: BTreeMap<Time, VisitCounts>,
    /// Monday first, by the hours of UTC.
    pub week: [[VisitCounts; 24]; 7],
    /// Those that changed most, then those that were visited most; at most [`ACTIVE_PAGES_MAX`].
    pub pages: Vec<(String, PageActivity)>,
    pub pages_in_all: usize,
    pub all: VisitCounts,
    /// By the first step of their paths, those with most pages first.
    pub directories: Vec<(String, DirectoryVisits)>,
    /// How each host was asked, by scheme, name and port.
    pub hosts: BTreeMap<String, HostAsked>,
}

/// What the visits to the pages of a directory found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectoryVisits {
    pub pages: u64,
    pub counts: VisitCounts,
}

/// What some visits found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VisitCounts {
    pub visits: u64,
    pub changed: u64,
    pub first_seen: u64,
    pub gone: u64,
    pub failed: u64,
}

/// What the visits to a page found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PageActivity {
    pub counts: VisitCounts,
    /// Of all its changes together.
    pub importance: f64,
    pub last_visit: Option<Time>,
    pub last_change: Option<Time>,
}

impl VisitCounts {
    fn include(&mut self, other: VisitCounts) {
        self.visits += other.visits;
        self.changed += other.changed;
        self.first_seen += other.first_seen;
        self.gone += other.gone;
        self.failed += other.failed;
    }

    fn add(&mut self, seen: &Observation) {
        self.visits += 1;
        self.changed += u64::from(matches!(seen.change, Change::New { .. }));
        self.first_seen += u64::from(seen.change == Change::First);
        self.gone += u64::from(matches!(seen.outcome, Outcome::Gone { .. }));
        self.failed += u64::from(matches!(seen.outcome, Outcome::Failed { .. } | Outcome::Refused { .. }));
    }
}

impl PageActivity {
    fn add(&mut self, seen: &Observation) {
        self.counts.add(seen);
        self.last_visit = self.last_visit.max(Some(seen.asked));
        if let Change::New { importance } = seen.change {
            self.importance += f64::from(importance);
            self.last_change = self.last_change.max(Some(seen.asked));
        }
    }
}

impl SiteOverview {
    /// Of a site since a moment; reads the logs since then only.
    pub fn since(reading: &Reading, site: &str, since: Time) -> Result<SiteOverview, Error> {
        let mut overview = SiteOverview::default();
        let mut pages: HashMap<String, PageActivity> = HashMap::new();
        for capture in reading.captures_reaching(site, since)? {
            overview.hosts.values_mut().for_each(HostAsked::rest);
            for entry in reading.entries(&capture.id)? {
                let Entry::Observation(seen) = entry? else { continue };
                if seen.asked < since {
                    continue;
                }
                overview.ask(&seen);
                if seen.purpose == Purpose::Robots {
                    continue;
                }
                overview.add(&seen);
                match pages.get_mut(&seen.url) {
                    Some(page) => page.add(&seen),
                    None => pages.entry(seen.url.clone()).or_default().add(&seen),
                }
            }
        }
        overview.pages_in_all = pages.len();
        overview.directories = directories(&pages);
        overview.pages = pages.into_iter().collect();
        let order = |(url, page): &(String, PageActivity)| {
            (std::cmp::Reverse((page.counts.changed, page.counts.visits)), url.clone())
        };
        overview.pages.sort_by_cached_key(order);
        overview.pages.truncate(ACTIVE_PAGES_MAX);
        Ok(overview)
    }

    fn ask(&mut self, seen: &Observation) {
        let origin = split(&seen.url).0;
        if let Some(host) = self.hosts.get_mut(origin) {
            host.add(seen);
        } else if self.hosts.len() < HOSTS_MAX {
            self.hosts.entry(origin.to_owned()).or_default().add(seen);
        }
    }

    fn add(&mut self, seen: &Observation) {
        let day = seen.asked.midnight();
        let hour = (seen.asked - day).as_millis() / 3_600_000;
        // The first of January 1970 was a Thursday.
        let weekday = (day.as_secs().div_euclid(86_400) + 3).rem_euclid(7);
        self.all.add(seen);
        self.days.entry(day).or_default().add(seen);
        self.week[weekday as usize][hour as usize].add(seen);
    }
}

/// Scheme, name and port, and what is behind them.
fn split(url: &str) -> (&str, &str) {
    let name = url.find("://").map_or(0, |at| at + 3);
    let end = url[name..].find(['/', '?', '#']).map_or(url.len(), |at| name + at);
    url.split_at(end)
}

/// The first step of a path; pages that have none stand at the top.
fn directory(url: &str) -> String {
    let (origin, path) = split(url);
    let path = &path[..path.find(['?', '#']).unwrap_or(path.len())];
    let step = path.get(1..).and_then(|path| path.split_once('/')).map_or("", |(step, _)| step);
    if step.is_empty() { format!("{origin}/") } else { format!("{origin}/{step}/") }
}

fn directories(pages: &HashMap<String, PageActivity>) -> Vec<(String, DirectoryVisits)> {
    let mut sums: BTreeMap<String, DirectoryVisits> = BTreeMap::new();
    for (url, page) in pages {
        let sum = sums.entry(directory(url)).or_default();
        sum.pages += 1;
        sum.counts.include(page.counts);
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_by_key(|(_, sum)| std::cmp::Reverse(sum.pages));
    sums.truncate(DIRECTORIES_MAX);
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_counted_by_the_first_step_of_their_paths() {
        let of = [
            "https://a.example/",
            "https://a.example/x?y=/z/",
            "https://a.example/news/1",
            "https://a.example/news/2/b",
            "https://a.example",
            "https://a.example/news/3",
        ];
        let counts = VisitCounts { visits: 2, changed: 1, ..VisitCounts::default() };
        let pages = of.map(|url| (url.to_owned(), PageActivity { counts, ..PageActivity::default() })).into();
        let found: Vec<_> =
            directories(&pages).into_iter().map(|(name, sum)| (name, sum.pages, sum.counts.changed)).collect();
        let expected = [("https://a.example/".to_owned(), 3, 3), ("https://a.example/news/".to_owned(), 3, 3)];
        assert_eq!(found, expected);
    }
}
