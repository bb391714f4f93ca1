//! What differs between the two versions of an event: by the habits of the site and the filter lists of the collection, as
//! captures judge it.

use super::{
    event::{PageEvent, PageEventKind, Sort},
    item::FactChange,
};
use crate::Error;
use std::collections::{BTreeSet, HashMap};
use tintype_archive::{Original, Payload, Reading};
use tintype_observe::{
    Described, PageFacts, StandIn,
    ads::Advertisements,
    page::{
        BlockEdit, ChangedPart, Difference, Element, Habits, HookedPage, Hooks, PartClass, Segmented,
        binary_importance, segment, segment_both,
    },
};

/// What events that are no change of content are worth, on the scale of change importance. An order made by what a reader has
/// to do about them, not learned: what cannot be read any more comes before what is new, that before what moved.
mod worth {
    pub(super) const DISAPPEARED: f64 = 0.8;
    pub(super) const REFUSED: f64 = 0.7;
    pub(super) const STAND_IN: f64 = 0.65;
    pub(super) const APPEARED: f64 = 0.6;
    pub(super) const FAILING: f64 = 0.3;
    pub(super) const MOVED: f64 = 0.3;
    pub(super) const BACK: f64 = 0.3;
    /// One visit that failed: the next may find the page as it was.
    pub(super) const FAILED_ONCE: f64 = 0.02;
    /// The same page at a longer or shorter spelling of its address.
    pub(super) const MOVED_A_LITTLE: f64 = 0.03;
    /// A page that is older than the first look at its site.
    pub(super) const FOUND_LATE: f64 = 0.05;
    pub(super) const NOINDEX: f64 = 0.4;
    pub(super) const ROBOTS: f64 = 0.15;
    pub(super) const CANONICAL: f64 = 0.2;
    pub(super) const TITLE: f64 = 0.1;
    pub(super) const LANGUAGE: f64 = 0.1;
    pub(super) const DESCRIPTION: f64 = 0.05;
    pub(super) const TYPE: f64 = 0.3;
    /// What machines read, and what pages are drawn with, beside pages.
    pub(super) const MACHINE: f64 = 0.1;
    pub(super) const PART: f64 = 0.02;
}

/// Bytes of a page that are searched for words.
const TEXT_MAX: usize = 256 << 10;

/// An event with what its versions say.
#[derive(Clone, Debug)]
pub struct JudgedEvent {
    pub event: PageEvent,
    pub importance: f64,
    /// What the changed facts alone are worth.
    pub(super) fact_importance: f64,
    /// What a page says that appeared, or said that is gone, for those who search it.
    pub(super) text: String,
    /// Every block that says something else, as it stands on the page.
    pub edits: Vec<(BlockEdit, Option<ChangedPart>)>,
    pub facts: Vec<FactChange>,
    /// Of the version that is there now, or else of the one before.
    pub title: String,
    /// Pairs of words on a page that appeared: what its announcements elsewhere are known by.
    pub(super) says: BTreeSet<u64>,
    /// Why there is nothing to say about blocks.
    pub note: Option<String>,
    /// Bytes of the bodies as served.
    pub bytes: [Option<u64>; 2],
}

/// Reads both versions as blocks, for those who have another way than by markup.
pub trait BothVersions {
    fn read(&mut self, before: (&Original, &Payload), after: (&Original, &Payload)) -> Option<[Segmented; 2]>;
}

/// By markup alone.
#[derive(Debug, Default)]
struct Markup;

impl BothVersions for Markup {
    fn read(&mut self, before: (&Original, &Payload), after: (&Original, &Payload)) -> Option<[Segmented; 2]> {
        let (old, new) = (before.1, after.1);
        segment_both((&old.described(), &old.body), (&new.described(), &new.body))
    }
}

pub struct EventJudge<'r> {
    reading: &'r Reading,
    advertisements: &'r Advertisements,
    versions: Box<dyn BothVersions + 'r>,
    /// By site, as they are needed.
    habits: HashMap<String, Habits>,
}

impl std::fmt::Debug for EventJudge<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EventJudge").field("reading", &self.reading).finish_non_exhaustive()
    }
}

/// Both bodies, as far as they are held and whole.
struct Bodies {
    before: Option<Payload>,
    after: Option<Payload>,
}

impl<'r> EventJudge<'r> {
    pub fn new(reading: &'r Reading, advertisements: &'r Advertisements) -> EventJudge<'r> {
        EventJudge { reading, advertisements, versions: Box::new(Markup), habits: HashMap::new() }
    }

    /// Compares by other means than markup.
    #[must_use]
    pub fn by(mut self, versions: Box<dyn BothVersions + 'r>) -> EventJudge<'r> {
        self.versions = versions;
        self
    }

    /// The event with all there is to say about it.
    pub fn judge(&mut self, event: &PageEvent) -> Result<JudgedEvent, Error> {
        let read = |of: Option<&Original>| of.map_or(Ok(None), |of| self.reading.payload(of));
        let bodies = Bodies { before: read(event.before.as_ref())?, after: read(event.after.as_ref())? };
        let mut judged = JudgedEvent {
            event: event.clone(),
            importance: state_worth(event),
            fact_importance: 0.0,
            text: String::new(),
            edits: Vec::new(),
            facts: Vec::new(),
            title: String::new(),
            says: BTreeSet::new(),
            note: None,
            bytes: [&bodies.before, &bodies.after].map(|body| body.as_ref().map(|body| body.body.len() as u64)),
        };
        let facts = [&bodies.before, &bodies.after].map(|body| body.as_ref().and_then(facts));
        let title = |facts: &Option<PageFacts>| facts.as_ref().map(|facts| facts.title.clone());
        judged.title = title(&facts[1]).or_else(|| title(&facts[0])).unwrap_or_default();
        if !event.kind.has_versions() {
            let page = bodies.after.as_ref().or(bodies.before.as_ref());
            judged.text = page.and_then(text).unwrap_or_default();
        }
        if event.kind == PageEventKind::Appeared {
            judged.says = pairs(&judged.text).collect();
        }
        if event.kind.has_versions() {
            self.compare(&mut judged, &bodies, &facts);
        }
        Ok(judged)
    }

    fn compare(&mut self, judged: &mut JudgedEvent, bodies: &Bodies, facts: &[Option<PageFacts>; 2]) {
        if let [Some(before), Some(after)] = facts {
            judged.facts = FactChange::between(before, after);
        }
        judged.fact_importance = judged.facts.iter().map(fact_worth).fold(0.0, f64::max);
        let difference = self.difference(&judged.event, bodies);
        let of_content = match (&difference, &bodies.before, &bodies.after) {
            (Some(difference), ..) => difference.importance,
            (None, Some(old), Some(new)) if !old.is_cut && !new.is_cut => {
                binary_importance(old.body.len() as u64, new.body.len() as u64, false)
            }
            _ => f64::from(judged.event.logged),
        };
        judged.importance = judged.importance.max(of_content).max(judged.fact_importance);
        judged.note = note(bodies, difference.as_ref(), !judged.facts.is_empty());
        if let Some(difference) = &difference {
            let edits = difference.block_edits();
            judged.edits = edits.into_iter().map(|(edit, part)| (edit, part.cloned())).collect();
            let moved =
                difference.changed.iter().filter(|part| !judged.edits.iter().any(|(_, of)| of.as_ref() == Some(part)));
            let moved: Vec<_> = moved
                .map(|part| (BlockEdit { importance: part.importance, ..BlockEdit::default() }, Some(part.clone())))
                .collect();
            judged.edits.extend(moved);
            let is_fact = |part: &ChangedPart| matches!(part.class, PartClass::Metadata | PartClass::Title);
            if !judged.facts.is_empty() {
                judged.edits.retain(|(_, part)| !part.as_ref().is_some_and(is_fact));
            }
            let said = difference.changed.iter().all(|part| part.importance <= 0.0 || is_fact(part));
            if let Some(kind) = judged.facts.first().map(|fact| fact.kind).filter(|_| said) {
                judged.event.kind = if judged.event.kind == PageEventKind::Changed { kind } else { judged.event.kind };
            }
        }
        self.stands_in(judged, bodies, facts);
    }

    /// A version that is no page but stands in the place of one is an outage, not a change.
    fn stands_in(&self, judged: &mut JudgedEvent, bodies: &Bodies, facts: &[Option<PageFacts>; 2]) {
        let stands_in = |body: &Option<Payload>, facts: &Option<PageFacts>| {
            let (body, facts) = (body.as_ref()?, facts.as_ref()?);
            facts.stands_in(&text(body)?)
        };
        let [before, after] = facts;
        let Some(now) = stands_in(&bodies.after, after) else { return };
        if stands_in(&bodies.before, before) == Some(now) {
            return;
        }
        let kind = if now == StandIn::LogIn { PageEventKind::Refused } else { PageEventKind::Failing };
        judged.event.kind = kind;
        judged.event.cause = now.as_str().to_owned();
        judged.importance = judged.importance.max(worth::STAND_IN);
        judged.note = None;
    }

    fn difference(&mut self, event: &PageEvent, bodies: &Bodies) -> Option<Difference> {
        let whole = |of: &&Payload| !of.is_cut;
        let before = event.before.as_ref().zip(bodies.before.as_ref().filter(whole))?;
        let after = event.after.as_ref().zip(bodies.after.as_ref().filter(whole))?;
        let [old, new] = self.versions.read(before, after)?;
        Some(self.between(&event.site, &event.url, &old, &new))
    }

    /// What differs between two versions of a page of a site.
    pub fn between(&mut self, site: &str, url: &str, old: &Segmented, new: &Segmented) -> Difference {
        let is_advertisement = |seen: &HookedPage<'_>| self.advertisements.is_one(seen);
        let hooks = Hooks { is_advertisement: &is_advertisement, ..Hooks::default() };
        let habits = self.habits.entry(site.to_owned()).or_insert_with_key(|site| self.reading.habits(site));
        habits.difference_with(old, new, url, &hooks)
    }
}

fn facts(body: &Payload) -> Option<PageFacts> {
    let rules: Vec<&str> = body.robots.iter().map(String::as_str).collect();
    PageFacts::read(&Described { robots_headers: &rules, ..body.described() }, &body.body)
}

/// What a reader sees of a page, of a long one the beginning.
fn text(body: &Payload) -> Option<String> {
    let page = segment(&body.described(), &body.body)?;
    let mut text = String::new();
    for block in page.layout.blocks().map(|block| block.of(Element::Text)).filter(|block| !block.is_empty()) {
        if text.len() + block.len() > TEXT_MAX {
            break;
        }
        text.push_str(block);
        text.push('\n');
    }
    Some(text)
}

/// Every two words that follow each other.
pub(super) fn pairs(text: &str) -> impl Iterator<Item = u64> {
    let hash = |word: &str| rapidhash::v3::rapidhash_v3(word.to_lowercase().as_bytes());
    let words: Vec<u64> = text.split_whitespace().map(hash).collect();
    (1..words.len()).map(move |at| words[at - 1].rotate_left(1) ^ words[at])
}

/// What an event is worth that is no change of content.
fn state_worth(event: &PageEvent) -> f64 {
    let worth = match event.kind {
        PageEventKind::Disappeared => worth::DISAPPEARED,
        PageEventKind::Refused => worth::REFUSED,
        PageEventKind::Appeared if event.is_old => worth::FOUND_LATE,
        PageEventKind::Appeared => worth::APPEARED,
        PageEventKind::Failing if event.visits > 1 => worth::FAILING,
        PageEventKind::Failing => worth::FAILED_ONCE,
        PageEventKind::Moved if is_respelled(&event.url, &event.cause) => worth::MOVED_A_LITTLE,
        PageEventKind::Moved => worth::MOVED,
        PageEventKind::Back => worth::BACK,
        PageEventKind::Type => worth::TYPE,
        _ => return 0.0,
    };
    match event.sort() {
        Sort::Page | Sort::Document => worth,
        Sort::Machine => worth * worth::MACHINE,
        Sort::Part => worth * worth::PART,
    }
}

/// Whether two addresses differ in scheme, `www.`, capitals or a slash at the end only.
fn is_respelled(from: &str, to: &str) -> bool {
    let bare = |url: &str| {
        let url = url.split_once("://").map_or(url, |(_, rest)| rest).to_ascii_lowercase();
        url.strip_prefix("www.").unwrap_or(&url).trim_end_matches('/').to_owned()
    };
    bare(from) == bare(to)
}

fn fact_worth(fact: &FactChange) -> f64 {
    match fact.kind {
        PageEventKind::Robots if fact.after.contains("noindex") && !fact.before.contains("noindex") => worth::NOINDEX,
        PageEventKind::Robots => worth::ROBOTS,
        PageEventKind::Canonical => worth::CANONICAL,
        PageEventKind::Title => worth::TITLE,
        PageEventKind::Language => worth::LANGUAGE,
        PageEventKind::Description => worth::DESCRIPTION,
        _ => 0.0,
    }
}

fn note(bodies: &Bodies, difference: Option<&Difference>, has_facts: bool) -> Option<String> {
    let note = match (&bodies.before, &bodies.after, difference) {
        (None, None, _) => "neither version is held; only that it changed is known".to_owned(),
        (None, _, _) => "the version before is not held".to_owned(),
        (_, None, _) => "the new version is not held".to_owned(),
        (Some(before), Some(after), None) if before.is_cut || after.is_cut => "too long to be compared".to_owned(),
        (Some(before), Some(after), None) => format!(
            "not text that can be compared: {} before, {} after",
            tintype_vocab::amount::bytes(before.body.len() as u64),
            tintype_vocab::amount::bytes(after.body.len() as u64)
        ),
        (_, _, Some(difference)) if difference.changed.is_empty() && !has_facts => {
            "nothing a reader would see: only markup, dates or counters".to_owned()
        }
        _ => return None,
    };
    Some(note)
}
