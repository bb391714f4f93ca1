//! One item of a feed: what happened, on which pages, how weighty it is, and the records that show it.

use super::{
    event::{PageEvent, PageEventKind},
    headline::headline,
    judge::JudgedEvent,
    word::importance_word,
};
use serde::Serialize;
use std::collections::BTreeSet;
use tintype_archive::{Original, Place, Reading};
use tintype_observe::{
    PageFacts,
    page::{BlockEdit, ChangedPart, EXCERPT_MAX, PartClass, PartKind, Role},
};
use tintype_vocab::Time;

/// Edits quoted of an item that has no block of importance.
const QUOTED_MAX: usize = 3;

/// Something that a page says of itself and that is another now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FactChange {
    pub kind: PageEventKind,
    pub before: String,
    pub after: String,
}

impl FactChange {
    /// The weightiest first.
    pub(crate) fn between(before: &PageFacts, after: &PageFacts) -> Vec<FactChange> {
        type Field = fn(&PageFacts) -> &String;
        let fields: [(PageEventKind, Field); 5] = [
            (PageEventKind::Robots, |facts| &facts.robots),
            (PageEventKind::Canonical, |facts| &facts.canonical),
            (PageEventKind::Title, |facts| &facts.title),
            (PageEventKind::Language, |facts| &facts.language),
            (PageEventKind::Description, |facts| &facts.description),
        ];
        let change = |(kind, field): (PageEventKind, fn(&PageFacts) -> &String)| {
            let (before, after) = (field(before).clone(), field(after).clone());
            (before != after).then_some(FactChange { kind, before, after })
        };
        fields.into_iter().filter_map(change).collect()
    }
}

/// A version or an answer in the archive: everything it takes to find it with any tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArchivedVersion {
    /// When it was archived.
    pub archived: String,
    pub url: String,
    /// Where `tintype serve` shows it.
    pub memento: String,
    /// Bytes of its body as served; nothing if it is not held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Its record: the WARC file, the first byte and how many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
}

impl ArchivedVersion {
    pub fn new(archive: &str, of: &Original, bytes: Option<u64>) -> ArchivedVersion {
        let url = of.url.clone();
        ArchivedVersion { bytes, ..ArchivedVersion::of_record(archive, &url, of.date, of.place.as_ref()) }
    }

    fn of_record(archive: &str, url: &str, date: Time, place: Option<&Place>) -> ArchivedVersion {
        ArchivedVersion {
            archived: date.to_rfc3339_secs(),
            url: url.to_owned(),
            memento: format!("{}/web/{}/{url}", archive.trim_end_matches('/'), date.to_timestamp14()),
            bytes: None,
            file: place.map(|place| place.segment.clone()),
            offset: place.map(|place| place.offset),
            length: place.map(|place| place.length),
            record: None,
        }
    }

    /// Looks into the record for its id; one that cannot be read has none.
    pub fn name_record(&mut self, reading: &Reading) {
        let (Some(segment), Some(offset), Some(length)) = (self.file.clone(), self.offset, self.length) else { return };
        self.record = reading.record_id(&Place { segment, offset, length });
    }
}

/// One of the pages an item is about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ItemPage {
    pub url: String,
    pub found: String,
    #[serde(skip)]
    pub event: u64,
}

/// What people are told.
#[derive(Clone, Debug, Serialize)]
pub struct FeedItem {
    /// The same whenever the feed is made, as long as it is about the same.
    pub id: String,
    pub kind: PageEventKind,
    pub headline: String,
    pub url: String,
    pub site: String,
    pub capture: String,
    pub title: String,
    /// The first visit that found it so, and the last.
    pub found: String,
    pub last_seen: String,
    pub visits: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_seen_before: Option<String>,
    /// A later visit found it otherwise again, then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
    pub importance: f64,
    pub word: &'static str,
    /// How much of the site's attention the page has, 0 to 1.
    pub weight: f64,
    /// What items are ranked by: importance × weight.
    pub score: f64,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub cause: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// The version before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<ArchivedVersion>,
    /// The version that is there now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<ArchivedVersion>,
    /// The answer that shows it, where that is no version of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<ArchivedVersion>,
    pub facts: Vec<FactChange>,
    /// The most important blocks that changed.
    pub blocks: Vec<ChangedPart>,
    /// Further blocks that changed, told by `tintype diff`.
    pub more_blocks: usize,
    /// All pages it is about, the one named above first.
    pub pages: Vec<ItemPage>,
    /// Pages that changed only because of it: they list or announce it.
    pub announced_on: Vec<ItemPage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(skip)]
    pub at: Time,
    /// All that was written and deleted, for those who search it.
    #[serde(skip)]
    pub words: String,
}

impl ItemPage {
    pub(super) fn new(event: &PageEvent) -> ItemPage {
        ItemPage { url: event.url.clone(), found: event.found.to_rfc3339_secs(), event: event.id() }
    }
}

impl FeedItem {
    /// An item about one page, with these blocks of it.
    pub(super) fn new(judged: &JudgedEvent, edits: &[usize], archive: &str) -> FeedItem {
        let event = &judged.event;
        let version = |of: Option<&Original>, bytes| of.map(|of| ArchivedVersion::new(archive, of, bytes));
        let mut blocks: Vec<ChangedPart> = edits.iter().filter_map(|at| judged.edits[*at].1.clone()).collect();
        blocks.sort_by(|one, two| two.importance.total_cmp(&one.importance));
        if blocks.is_empty() {
            // What weighs nothing is quoted all the same: somebody asked for it, or it is on many pages.
            blocks = edits.iter().take(QUOTED_MAX).map(|at| quoted(&judged.edits[*at].0)).collect();
        }
        let answer = event.answer.as_ref().filter(|_| event.after.is_none());
        let mut item = FeedItem {
            id: format!("{:016x}", event.id()),
            kind: event.kind,
            headline: String::new(),
            url: event.url.clone(),
            site: event.site.clone(),
            capture: event.capture.to_string(),
            title: judged.title.clone(),
            found: event.found.to_rfc3339_secs(),
            last_seen: event.last_seen.to_rfc3339_secs(),
            visits: event.visits,
            last_seen_before: event.last_seen_before.map(Time::to_rfc3339_secs),
            over: event.over.map(Time::to_rfc3339_secs),
            importance: judged.importance,
            word: "",
            weight: 1.0,
            score: judged.importance,
            cause: event.cause.clone(),
            media_type: event.media_type.clone(),
            before: version(event.before.as_ref(), judged.bytes[0]),
            after: version(event.after.as_ref(), judged.bytes[1]),
            answer: answer.map(|place| ArchivedVersion::of_record(archive, &event.url, event.found, Some(place))),
            facts: judged.facts.clone(),
            more_blocks: edits.len() - blocks.len(),
            blocks,
            pages: vec![ItemPage::new(event)],
            announced_on: Vec::new(),
            note: judged.note.clone(),
            at: event.found,
            words: words(judged, edits),
        };
        item.settle();
        item
    }

    /// What follows from the rest.
    pub(super) fn settle(&mut self) {
        self.word = importance_word(self.importance);
        self.score = self.importance * self.weight;
        self.headline = headline(self);
    }

    /// Every kind it is of.
    pub fn kinds(&self) -> impl Iterator<Item = PageEventKind> {
        std::iter::once(self.kind).chain(self.facts.iter().map(|fact| fact.kind))
    }

    /// The events it tells of.
    pub fn events(&self) -> impl Iterator<Item = u64> {
        self.pages.iter().chain(&self.announced_on).map(|page| page.event)
    }

    /// An item is told once: more pages with the same edit, or more announcements of the same page, are no news. Many more are.
    pub fn is_news(&self, told: &BTreeSet<u64>) -> bool {
        let known = self.pages.iter().filter(|page| told.contains(&page.event)).count();
        known == 0 || self.pages.len() > 2 * known && !told.contains(&self.pages[0].event)
    }

    /// Everything in it that somebody may look for.
    pub fn searched(&self) -> String {
        let pages = self.pages.iter().map(|page| page.url.as_str()).collect::<Vec<_>>().join("\n");
        let facts = self.facts.iter().map(|fact| format!("{}\n{}\n", fact.before, fact.after)).collect::<String>();
        [&pages, &self.title, &self.headline, &self.cause, &facts, &self.words].map(String::as_str).join("\n")
    }

    /// Looks into the records for their ids.
    pub fn name_records(&mut self, reading: &Reading) {
        let versions = [&mut self.before, &mut self.after, &mut self.answer];
        versions.into_iter().flatten().for_each(|version| version.name_record(reading));
    }
}

/// An edit that is not among the most important, in a few words.
fn quoted(edit: &BlockEdit) -> ChangedPart {
    let kind = match (edit.removed.is_empty(), edit.inserted.is_empty()) {
        (true, false) => PartKind::Inserted,
        (false, true) => PartKind::Deleted,
        _ => PartKind::Updated,
    };
    let excerpt = |text: &str, links: &[String]| {
        let text = if text.is_empty() { links.join(" ") } else { text.replace('\n', " … ") };
        text[..text.floor_char_boundary(EXCERPT_MAX)].to_owned()
    };
    ChangedPart {
        kind,
        class: PartClass::Content,
        role: Role::Text,
        name: String::new(),
        landmark: None,
        heading: String::new(),
        importance: edit.importance,
        before: excerpt(&edit.removed, &edit.links_removed),
        after: excerpt(&edit.inserted, &edit.links_inserted),
        blocks: [None; 2],
    }
}

fn words(judged: &JudgedEvent, edits: &[usize]) -> String {
    let edits = edits.iter().map(|at| &judged.edits[*at].0);
    let words = edits.flat_map(|edit| [edit.removed.as_str(), edit.inserted.as_str()]);
    words.chain([judged.text.as_str()]).collect::<Vec<_>>().join("\n")
}
