//! What a capture that skipped pages lost by that, as later captures found out.
//!
//! A page that was there before the capture and was not asked for in it was skipped. Its next visit says what was lost,
//! unless the server dates the change after the capture. A page first seen later may have been missed too, if its
//! directory was skipped and not looked into in between. What was not visited since is taken for unchanged, and
//! counted: until all were visited, the truth may be worse.

use crate::{Bypass, Fate};
use serde::Serialize;
use std::collections::HashMap;
use tintype_vocab::{Change, Observation, Outcome, PageUrl, Purpose, Time};

/// What skipping saved and what it cost, as far as that is known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RealisedBypass {
    /// Pages that were there before and were not asked for.
    pub skipped: u64,
    /// Those of them that were visited later.
    pub visited_since: u64,
    pub bypass_ratio: f64,
    pub overall_precision: f64,
    pub overall_recall: f64,
    pub change_recall: f64,
    #[serde(rename = "counted")]
    pub bypass: Bypass,
}

/// What the visits of all captures say about the one that is asked about.
#[derive(Clone, Debug)]
pub struct SkipAuditResult {
    pub realised: RealisedBypass,
    /// URLs of pages that changed, went or came and were not asked for.
    pub lost: Vec<String>,
    /// Directories of which some pages were asked for and others skipped, with how many of either; most skipped first.
    pub in_part: Vec<PartlySkipped>,
}

/// A directory of which some pages were asked for and others skipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartlySkipped {
    /// With its host.
    pub directory: String,
    pub skipped: u64,
    pub asked: u64,
}

/// VisitedWhen a visit was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitedWhen {
    Before,
    /// In the capture that is asked about.
    Then,
    /// In the nth capture after it.
    After(usize),
}

/// Is told all visits to a site in order, capture by capture, and tells what one capture lost.
#[derive(Debug, Default)]
pub struct SkipAudit {
    pages: HashMap<PageUrl<'static>, Page>,
    /// Those that were known by the end of the capture.
    directories: HashMap<Box<str>, Directory>,
    /// When the capture made its last visit.
    until: Time,
}

#[derive(Debug, Default)]
struct Page {
    url: Box<str>,
    was_there: bool,
    asked: bool,
    /// What became of it: seen by the capture if that asked, else by the first later one that did.
    fate: Option<Fate>,
}

#[derive(Debug, Default)]
struct Directory {
    asked: bool,
    /// The first capture afterwards that asked for one of its pages.
    looked_into: Option<usize>,
}

impl SkipAudit {
    pub fn observe(&mut self, when: VisitedWhen, seen: &Observation) {
        if seen.purpose == Purpose::Robots {
            return;
        }
        let first_look = self.look_into(when, directory(&seen.url));
        let page = self.pages.entry(PageUrl::new(&seen.url).into_owned()).or_default();
        if page.url.is_empty() {
            page.url = seen.url.as_str().into();
        }
        match when {
            VisitedWhen::Before => page.before(seen),
            VisitedWhen::Then => {
                self.until = self.until.max(seen.answered);
                page.then(seen);
            }
            VisitedWhen::After(_) => page.after(seen, self.until, first_look),
        }
    }

    /// Notes that somebody asked for a page of a directory. Whether that was in the first capture afterwards that did; of
    /// one that was not there before, the nearest above it counts.
    fn look_into(&mut self, when: VisitedWhen, directory: &str) -> bool {
        let VisitedWhen::After(nth) = when else {
            self.directories.entry(directory.into()).or_default().asked |= when == VisitedWhen::Then;
            return false;
        };
        let known = above(directory).find(|directory| self.directories.contains_key(*directory));
        let known = known.and_then(|directory| self.directories.get_mut(directory));
        known.is_some_and(|known| !known.asked && *known.looked_into.get_or_insert(nth) == nth)
    }

    pub fn finish(self) -> SkipAuditResult {
        let (mut bypass, mut skipped, mut visited_since) = (Bypass::default(), 0, 0);
        let mut lost = Vec::new();
        for page in self.pages.values() {
            match page.fate {
                Some(fate) if page.asked => bypass.count(fate, false),
                None if page.asked => {}
                fate if page.was_there => {
                    skipped += 1;
                    visited_since += u64::from(fate.is_some());
                    bypass.count(fate.unwrap_or(Fate::Unchanged), true);
                }
                Some(fate) => bypass.count(fate, true),
                None => continue,
            }
            if !page.asked && page.fate.is_some_and(Fate::is_change) {
                lost.push(page.url.to_string());
            }
        }
        lost.sort_unstable();
        let realised = RealisedBypass {
            skipped,
            visited_since,
            bypass_ratio: bypass.bypass_ratio(),
            overall_precision: bypass.overall_precision(),
            overall_recall: bypass.overall_recall(),
            change_recall: bypass.change_recall(),
            bypass,
        };
        SkipAuditResult { realised, lost, in_part: self.in_part() }
    }

    fn in_part(&self) -> Vec<PartlySkipped> {
        let mut counts: HashMap<&str, (u64, u64)> = HashMap::new();
        for page in self.pages.values() {
            let (skipped, asked) = counts.entry(directory(&page.url)).or_default();
            *skipped += u64::from(page.was_there && !page.asked);
            *asked += u64::from(page.asked);
        }
        let both = counts.into_iter().filter(|(_, (skipped, asked))| *skipped > 0 && *asked > 0);
        let part = |(directory, (skipped, asked)): (&str, _)| PartlySkipped {
            directory: directory.to_owned(),
            skipped,
            asked,
        };
        let mut in_part: Vec<PartlySkipped> = both.map(part).collect();
        in_part.sort_unstable_by(|a, b| b.skipped.cmp(&a.skipped).then_with(|| a.directory.cmp(&b.directory)));
        in_part
    }
}

impl Page {
    fn before(&mut self, seen: &Observation) {
        match &seen.outcome {
            outcome if outcome.saw_page() => self.was_there = true,
            Outcome::Gone { .. } | Outcome::Redirected { .. } => self.was_there = false,
            _ => {}
        }
    }

    /// The first visit of the capture counts; what happened while it went on is not about skipping.
    fn then(&mut self, seen: &Observation) {
        self.asked = true;
        self.fate = self.fate.or(fate(seen, self.was_there));
    }

    /// A page nobody knew is a loss if it was found at the first look into a directory that was skipped.
    fn after(&mut self, seen: &Observation, until: Time, first_look: bool) {
        if self.asked || self.fate.is_some() {
            return;
        }
        let fate = fate(seen, self.was_there).filter(|fate| *fate != Fate::Inserted || first_look);
        let came_later = seen.modified().is_some_and(|modified| modified > until);
        self.fate = match fate {
            Some(Fate::Modified) if came_later => Some(Fate::Unchanged),
            Some(Fate::Inserted) if came_later => None,
            other => other,
        };
    }
}

/// What a visit says became of a page since the visit before; nothing if it says nothing.
fn fate(seen: &Observation, was_there: bool) -> Option<Fate> {
    match (&seen.outcome, seen.change) {
        (Outcome::Gone { .. } | Outcome::Redirected { .. }, _) => was_there.then_some(Fate::Deleted),
        (outcome, _) if !outcome.saw_page() => None,
        _ if !was_there => Some(Fate::Inserted),
        (_, change) if change.is_readable() => Some(Fate::Modified),
        (_, Change::Unknown) => None,
        _ => Some(Fate::Unchanged),
    }
}

/// What comes before the name of a page.
fn directory(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    &path[..path.rfind('/').map_or(0, |slash| slash + 1)]
}

/// A directory and all above it, up to the host's own.
fn above(directory: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(directory), |directory| parent(directory))
}

fn parent(directory: &str) -> Option<&str> {
    let end = directory[..directory.len().saturating_sub(1)].rfind('/')?;
    Some(&directory[..=end]).filter(|parent| !parent.ends_with("//"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::{PageId, Request, SiteId, Span};

    const NOON: Time = Time::from_secs(1_790_000_000);
    const CHANGED: Change = Change::New { importance: 1.0 };

    fn seen(path: &str, outcome: Outcome, change: Change) -> Observation {
        let (url, purpose) = (format!("http://e{path}"), Purpose::Visit);
        let request = Request { site: SiteId(0), page: PageId(0), url, purpose, attempt: 0, rate: Default::default() };
        Observation { change, ..Observation::of(&request, NOON, NOON, outcome) }
    }

    fn body(path: &str, change: Change) -> Observation {
        seen(path, Outcome::Body { status: 200 }, change)
    }

    /// A site of four pages in two directories; the capture asks for `/news/` alone.
    fn site() -> SkipAudit {
        let mut audit = SkipAudit::default();
        for path in ["/news/a", "/news/b", "/old/a", "/old/b"] {
            audit.observe(VisitedWhen::Before, &body(path, Change::First));
        }
        audit.observe(VisitedWhen::Then, &body("/news/a", CHANGED));
        audit.observe(VisitedWhen::Then, &body("/news/b", Change::Same));
        audit
    }

    #[test]
    fn before_anybody_visits_them_nothing_is_known_of_skipped_pages() {
        let SkipAuditResult { realised, in_part, .. } = site().finish();
        assert_eq!(in_part, []);
        assert_eq!((realised.skipped, realised.visited_since), (2, 0));
        assert_eq!((realised.bypass_ratio, realised.change_recall), (0.5, 1.0));
    }

    #[test]
    fn the_next_visit_tells_what_was_lost() {
        let mut audit = site();
        audit.observe(VisitedWhen::After(0), &body("/old/a", CHANGED));
        audit.observe(VisitedWhen::After(0), &seen("/old/b", Outcome::Gone { status: 404 }, Change::Unknown));
        audit.observe(VisitedWhen::After(1), &body("/old/a", CHANGED));
        let SkipAuditResult { realised, lost, .. } = audit.finish();
        assert_eq!((realised.skipped, realised.visited_since), (2, 2));
        assert_eq!(lost, ["http://e/old/a", "http://e/old/b"]);
        let counted = realised.bypass;
        assert_eq!((counted.changes, counted.skipped_modifications, counted.skipped_deletions), (3, 1, 1));
        assert_eq!(realised.overall_precision, 0.75);
    }

    #[test]
    fn a_change_dated_after_the_capture_was_not_there_to_be_lost() {
        let mut audit = site();
        let later = |path, change| {
            let mut later = body(path, change);
            later.answered = NOON + Span::from_days(3);
            // Two days after noon.
            later.validators.last_modified = Some("Wed, 23 Sep 2026 13:33:20 GMT".to_owned());
            assert!(later.modified().is_some_and(|modified| modified > NOON), "{later:?}");
            later
        };
        audit.observe(VisitedWhen::After(0), &later("/old/a", CHANGED));
        audit.observe(VisitedWhen::After(0), &later("/old/new", Change::First));
        let SkipAuditResult { realised, lost, .. } = audit.finish();
        assert_eq!((realised.visited_since, lost.len(), realised.change_recall), (1, 0, 1.0));
    }

    #[test]
    fn births_are_missed_only_where_nobody_looked() {
        let mut audit = site();
        audit.observe(VisitedWhen::After(0), &body("/news/new", Change::First));
        audit.observe(VisitedWhen::After(0), &body("/old/new", Change::First));
        audit.observe(VisitedWhen::After(0), &body("/old/deep/new", Change::First));
        audit.observe(VisitedWhen::After(0), &body("/other/new", Change::First));
        audit.observe(VisitedWhen::After(1), &body("/old/newer", Change::First));
        let SkipAuditResult { realised, lost, .. } = audit.finish();
        assert_eq!(lost, ["http://e/old/deep/new", "http://e/old/new"], "what the second look found is younger");
        assert_eq!(realised.bypass.skipped_insertions, 2);
        assert_eq!(realised.overall_recall, 4.0 / 6.0);
    }

    #[test]
    fn what_failed_or_moved_is_not_skipped() {
        let mut audit = SkipAudit::default();
        for path in ["/a", "/b"] {
            audit.observe(VisitedWhen::Before, &body(path, Change::First));
        }
        let moved = Outcome::Redirected { status: 301, to: "http://e/c".to_owned() };
        audit.observe(VisitedWhen::Before, &seen("/b", moved, Change::Unknown));
        let refused = Outcome::Refused { status: 403, retry_after: None };
        audit.observe(VisitedWhen::Then, &seen("/a", refused, Change::Unknown));
        let realised = audit.finish().realised;
        assert_eq!((realised.skipped, realised.bypass.pages()), (0, 0));
    }

    #[test]
    fn pages_left_out_of_a_directory_are_counted_there() {
        let mut audit = site();
        // A second look is no second page.
        audit.observe(VisitedWhen::Then, &body("/news/a", Change::Same));
        audit.observe(VisitedWhen::Then, &body("/old/a", Change::Same));
        let in_part = audit.finish().in_part;
        assert_eq!(in_part, [PartlySkipped { directory: "http://e/old/".to_owned(), skipped: 1, asked: 1 }]);
    }
}
