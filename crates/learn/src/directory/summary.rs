//! What is believed of the directories of a site: rules, what never changes, what is to be expected next.

use super::{DirectoryId, Memory, PageNumber, Rule, Thresholds, mine_all};
use serde::Serialize;
use std::{cmp::Reverse, collections::HashMap};
use tintype_vocab::{Span, Time};

/// What was compared.
#[derive(Clone, Copy, Debug)]
pub struct ComparedVersions {
    pub versions: usize,
    /// Whether each version is a capture.
    pub captures: bool,
    pub from: Option<Time>,
    /// The latest version.
    pub to: Option<Time>,
    pub degree_min: f64,
}

impl ComparedVersions {
    /// When the next version is to be expected, if the distance between them stays what it was, and not before `now`.
    fn next(&self, now: Time) -> Time {
        let (Some(from), Some(to)) = (self.from, self.to) else { return now };
        let gaps = self.versions.saturating_sub(1).max(1) as i64;
        now.max(to + Span::from_millis((to - from).as_millis() / gaps))
    }
}

/// All directories of one site.
#[derive(Debug, Serialize)]
pub struct DirectorySummary {
    pub site: String,
    /// Whether each version is a capture.
    pub captures: bool,
    pub versions: usize,
    /// From one version to the next.
    pub transitions: usize,
    pub from: Option<String>,
    pub to: Option<String>,
    pub pages: usize,
    pub directories: usize,
    /// The strongest first, those of one head together.
    pub rules: Vec<RuleSummary>,
    /// From which degree of change on a directory has changed.
    pub degree_min: f64,
    /// Directories that never changed so much, nor did any below them, and lie in no other such, the largest first.
    pub still: Vec<UnchangedDirectory>,
    /// When the next version is to be expected.
    pub next: String,
    /// What is to be expected of each directory then, parents before children.
    pub expected: Vec<ExpectedChange>,
}

/// A rule with how often it held.
#[derive(Debug, Serialize)]
pub struct RuleSummary {
    pub when: Vec<String>,
    pub not: String,
    /// How often the one did not change when the others did...
    pub times: u32,
    /// ...and how often the others did.
    pub of: u32,
    pub transitions: u32,
    pub confidence: f64,
    pub correlation: f64,
    pub words: String,
}

/// A directory without a change.
#[derive(Debug, Serialize)]
pub struct UnchangedDirectory {
    pub directory: String,
    pub pages: usize,
}

/// What the next version is expected to change in a directory.
#[derive(Debug, Serialize)]
pub struct ExpectedChange {
    pub directory: String,
    pub pages: usize,
    /// That any of its pages has changed.
    pub chance: f64,
    /// The share of its pages that is expected to have changed.
    pub share: f64,
    /// What is above it, by its place in the list.
    #[serde(skip)]
    pub above: Option<usize>,
}

impl DirectorySummary {
    pub fn of(
        site: String,
        memory: &Memory,
        source: ComparedVersions,
        thresholds: &Thresholds,
        now: Time,
    ) -> DirectorySummary {
        let transitions = memory.bitmaps().transitions();
        let next = source.next(now);
        let forecast = Forecast::of(memory, next);
        DirectorySummary {
            site,
            captures: source.captures,
            versions: source.versions,
            transitions,
            from: source.from.map(|from| from.to_rfc3339_secs()),
            to: source.to.map(|to| to.to_rfc3339_secs()),
            pages: forecast.pages[0],
            directories: forecast.pages.iter().filter(|pages| **pages > 0).count(),
            degree_min: source.degree_min,
            rules: rules(memory, thresholds),
            still: if transitions > 0 { still(memory, &forecast) } else { Vec::new() },
            next: next.to_rfc3339_secs(),
            expected: if transitions > 0 { forecast.expected(memory) } else { Vec::new() },
        }
    }
}

/// The strongest first; those of one head follow its strongest.
fn rules(memory: &Memory, thresholds: &Thresholds) -> Vec<RuleSummary> {
    let shape = memory.shape();
    let mut rules = mine_all(shape, memory.bitmaps(), 0..memory.bitmaps().transitions(), thresholds);
    let strength = |rule: &Rule| (rule.confidence, rule.head_changed, -rule.correlation);
    rules.sort_by(|a, b| strength(b).partial_cmp(&strength(a)).expect("rules are made of numbers"));
    let mut groups: HashMap<Vec<DirectoryId>, usize> = HashMap::new();
    for rule in &rules {
        let next = groups.len();
        groups.entry(rule.head.clone()).or_insert(next);
    }
    rules.sort_by_key(|rule| groups[&rule.head]);
    rules.iter().map(|rule| summary(memory, rule)).collect()
}

fn summary(memory: &Memory, rule: &Rule) -> RuleSummary {
    let path = |directory: &DirectoryId| memory.shape().path(*directory);
    RuleSummary {
        when: rule.head.iter().map(path).collect(),
        not: path(&rule.tail),
        times: rule.head_changed - rule.together,
        of: rule.head_changed,
        transitions: rule.transitions,
        confidence: rule.confidence,
        correlation: rule.correlation,
        words: rule.words(memory.shape()),
    }
}

/// The outermost directories without a change in any transition, their own or of one below them: a large one may change
/// too little to be seen while all of a small one in it does.
fn still(memory: &Memory, forecast: &Forecast) -> Vec<UnchangedDirectory> {
    let (shape, bitmaps) = (memory.shape(), memory.bitmaps());
    let mut moved = vec![false; shape.directories()];
    for directory in (0..shape.directories() as u32).rev().map(DirectoryId) {
        moved[directory.0 as usize] |= bitmaps.get(directory).any(|changed| changed);
        if let Some(parent) = shape.parent(directory) {
            moved[parent.0 as usize] |= moved[directory.0 as usize];
        }
    }
    let is_still = |directory: DirectoryId| !moved[directory.0 as usize];
    let outermost = |directory| shape.parent(directory).is_none_or(|parent| !is_still(parent));
    let mut still: Vec<UnchangedDirectory> = (0..shape.directories() as u32)
        .map(DirectoryId)
        .filter(|directory| forecast.pages[directory.0 as usize] > 0 && is_still(*directory) && outermost(*directory))
        .map(|directory| UnchangedDirectory {
            directory: shape.path(directory),
            pages: forecast.pages[directory.0 as usize],
        })
        .collect();
    still.sort_by_key(|still| Reverse(still.pages));
    still
}

/// What is expected of every directory, pages below it included.
struct Forecast {
    pages: Vec<usize>,
    changes: Vec<f64>,
    /// The logarithm of the chance that nothing changed.
    unchanged: Vec<f64>,
}

impl Forecast {
    fn of(memory: &Memory, at: Time) -> Forecast {
        let (shape, activity) = (memory.shape(), memory.activity());
        let directories = shape.directories();
        let (mut pages, mut changes, mut unchanged) =
            (vec![0; directories], vec![0.0; directories], vec![0.0; directories]);
        let round = activity.begin(shape, at);
        let pages_seen = (0..shape.pages() as u32).map(PageNumber);
        for page in pages_seen.filter(|page| memory.tree().is_there(*page)) {
            let expected = activity.expected(shape, page, at);
            let chance = activity.chance(shape, &round, page, expected).clamp(0.0, 1.0 - 1e-9);
            for directory in shape.ancestors(shape.directory_of(page)) {
                let number = directory.0 as usize;
                pages[number] += 1;
                changes[number] += chance;
                unchanged[number] += (-chance).ln_1p();
            }
        }
        Forecast { pages, changes, unchanged }
    }

    fn expected(&self, memory: &Memory) -> Vec<ExpectedChange> {
        let shape = memory.shape();
        let mut places = vec![None; shape.directories()];
        let mut all: Vec<ExpectedChange> = Vec::new();
        for number in (0..shape.directories()).filter(|number| self.pages[*number] > 0) {
            let directory = DirectoryId(number as u32);
            places[number] = Some(all.len());
            all.push(ExpectedChange {
                directory: shape.path(directory),
                pages: self.pages[number],
                chance: 1.0 - self.unchanged[number].exp(),
                share: self.changes[number] / self.pages[number] as f64,
                above: shape.parent(directory).and_then(|parent| places[parent.0 as usize]),
            });
        }
        all
    }
}
