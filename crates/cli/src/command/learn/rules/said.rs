//! What there is to say about the directories of a site.

use serde::Serialize;
use std::{cmp::Reverse, collections::HashMap};
use tintype_learn::directory::{DirectoryId, Memory, PageNumber, Rule, Thresholds, mine_all};
use tintype_vocab::{Span, Time};

/// All that was found out, as `--json` prints it.
#[derive(Debug, Serialize)]
pub(super) struct Said {
    pub(super) source: String,
    pub(super) sites: Vec<Site>,
}

/// What was compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    pub(super) versions: usize,
    /// Whether each version is a capture.
    pub(super) captures: bool,
    pub(super) from: Option<Time>,
    /// The latest version.
    pub(super) to: Option<Time>,
    pub(super) degree_min: f64,
}

impl Source {
    /// When the next version is to be expected, if the distance between them stays what it was, and not before `now`.
    fn next(&self, now: Time) -> Time {
        let (Some(from), Some(to)) = (self.from, self.to) else { return now };
        let gaps = self.versions.saturating_sub(1).max(1) as i64;
        now.max(to + Span::from_millis((to - from).as_millis() / gaps))
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Site {
    pub(super) site: String,
    /// Whether each version is a capture.
    pub(super) captures: bool,
    pub(super) versions: usize,
    /// From one version to the next.
    pub(super) transitions: usize,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
    pub(super) pages: usize,
    pub(super) directories: usize,
    /// The strongest first, those of one head together.
    pub(super) rules: Vec<SaidRule>,
    /// From which degree of change on a directory has changed.
    pub(super) degree_min: f64,
    /// Directories that never changed so much, nor did any below them, and lie in no other such, the largest first.
    pub(super) still: Vec<Still>,
    /// When the next version is to be expected.
    pub(super) next: String,
    /// What is to be expected of each directory then, parents before children.
    pub(super) expected: Vec<Expected>,
}

#[derive(Debug, Serialize)]
pub(super) struct SaidRule {
    pub(super) when: Vec<String>,
    pub(super) not: String,
    /// How often the one did not change when the others did...
    pub(super) times: u32,
    /// ...and how often the others did.
    pub(super) of: u32,
    pub(super) transitions: u32,
    pub(super) confidence: f64,
    pub(super) correlation: f64,
    pub(super) words: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Still {
    pub(super) directory: String,
    pub(super) pages: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct Expected {
    pub(super) directory: String,
    pub(super) pages: usize,
    /// That any of its pages has changed.
    pub(super) chance: f64,
    /// The share of its pages that is expected to have changed.
    pub(super) share: f64,
    /// What is above it, by its place in the list.
    #[serde(skip)]
    pub(super) above: Option<usize>,
}

impl Site {
    pub(super) fn of(site: String, memory: &Memory, source: Source, thresholds: &Thresholds, now: Time) -> Site {
        let transitions = memory.bitmaps().transitions();
        let next = source.next(now);
        let outlook = Outlook::of(memory, next);
        Site {
            site,
            captures: source.captures,
            versions: source.versions,
            transitions,
            from: source.from.map(|from| from.to_rfc3339_secs()),
            to: source.to.map(|to| to.to_rfc3339_secs()),
            pages: outlook.pages[0],
            directories: outlook.pages.iter().filter(|pages| **pages > 0).count(),
            degree_min: source.degree_min,
            rules: rules(memory, thresholds),
            still: if transitions > 0 { still(memory, &outlook) } else { Vec::new() },
            next: next.to_rfc3339_secs(),
            expected: if transitions > 0 { outlook.expected(memory) } else { Vec::new() },
        }
    }
}

/// The strongest first; those of one head follow its strongest.
fn rules(memory: &Memory, thresholds: &Thresholds) -> Vec<SaidRule> {
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
    rules.iter().map(|rule| say(memory, rule)).collect()
}

fn say(memory: &Memory, rule: &Rule) -> SaidRule {
    let path = |directory: &DirectoryId| memory.shape().path(*directory);
    SaidRule {
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
fn still(memory: &Memory, outlook: &Outlook) -> Vec<Still> {
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
    let mut still: Vec<Still> = (0..shape.directories() as u32)
        .map(DirectoryId)
        .filter(|directory| outlook.pages[directory.0 as usize] > 0 && is_still(*directory) && outermost(*directory))
        .map(|directory| Still { directory: shape.path(directory), pages: outlook.pages[directory.0 as usize] })
        .collect();
    still.sort_by_key(|still| Reverse(still.pages));
    still
}

/// What is expected of every directory, pages below it included.
struct Outlook {
    pages: Vec<usize>,
    changes: Vec<f64>,
    /// The logarithm of the chance that nothing changed.
    unchanged: Vec<f64>,
}

impl Outlook {
    fn of(memory: &Memory, at: Time) -> Outlook {
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
        Outlook { pages, changes, unchanged }
    }

    fn expected(&self, memory: &Memory) -> Vec<Expected> {
        let shape = memory.shape();
        let mut places = vec![None; shape.directories()];
        let mut all: Vec<Expected> = Vec::new();
        for number in (0..shape.directories()).filter(|number| self.pages[*number] > 0) {
            let directory = DirectoryId(number as u32);
            places[number] = Some(all.len());
            all.push(Expected {
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
