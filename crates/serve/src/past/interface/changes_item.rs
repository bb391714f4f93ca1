//! One thing that happened, as a page shows it.

use super::{encoded, minutes};
use tintype_session::feed::{ArchivedVersion, FeedItem};

/// Pages of an item that are named.
const PAGES_NAMED: usize = 20;
/// Edits of an item on a list; the whole difference is one click away.
const EDITS_SHOWN: usize = 3;
/// Characters of an edit that are quoted on a list.
const QUOTED_MAX: usize = 400;

pub(super) struct ItemView {
    pub(super) collection: usize,
    pub(super) id: String,
    pub(super) is_news: bool,
    pub(super) kind: &'static str,
    pub(super) word: &'static str,
    pub(super) importance: String,
    pub(super) percent: u32,
    pub(super) headline: String,
    pub(super) url: String,
    pub(super) about: String,
    pub(super) found: String,
    pub(super) until: Option<String>,
    pub(super) cause: String,
    pub(super) note: String,
    pub(super) facts: Vec<(&'static str, String, String)>,
    pub(super) edits: Vec<EditView>,
    pub(super) more_edits: usize,
    pub(super) others: Vec<String>,
    pub(super) more_others: usize,
    pub(super) announced_on: Vec<String>,
    pub(super) more_announced: usize,
    /// What each archived version is called, its address and its time.
    pub(super) versions: Vec<(&'static str, String, String)>,
    pub(super) diff: Option<String>,
}

pub(super) struct EditView {
    pub(super) place: String,
    pub(super) before: String,
    pub(super) after: String,
}

impl ItemView {
    pub(super) fn new(collection: usize, item: &FeedItem, is_news: bool) -> ItemView {
        let named = |pages: &[tintype_session::feed::ItemPage]| -> Vec<String> {
            pages.iter().take(PAGES_NAMED).map(|page| page.url.clone()).collect()
        };
        let others = &item.pages[1.min(item.pages.len())..];
        ItemView {
            collection,
            id: item.id.clone(),
            is_news,
            kind: item.kind.as_str(),
            word: item.word,
            importance: format!("{:.2}", item.importance),
            percent: (item.importance * 100.0).round().clamp(2.0, 100.0) as u32,
            headline: item.headline.clone(),
            about: format!("/page?url={}", encoded(&item.url)),
            url: item.url.clone(),
            found: minutes(item.at),
            until: item.over.as_deref().map(short),
            cause: item.cause.clone(),
            note: item.note.clone().unwrap_or_default(),
            facts: item
                .facts
                .iter()
                .map(|fact| (fact.kind.as_str(), quoted(&fact.before), quoted(&fact.after)))
                .collect(),
            edits: item.blocks.iter().take(EDITS_SHOWN).map(EditView::new).collect(),
            more_edits: item.more_blocks + item.blocks.len().saturating_sub(EDITS_SHOWN),
            more_others: others.len().saturating_sub(PAGES_NAMED),
            others: named(others),
            more_announced: item.announced_on.len().saturating_sub(PAGES_NAMED),
            announced_on: named(&item.announced_on),
            versions: versions(item),
            diff: diff(item),
        }
    }
}

impl EditView {
    fn new(part: &tintype_observe::page::ChangedPart) -> EditView {
        let role = format!("{:?}", part.role).to_lowercase();
        let place = match (part.landmark, part.heading.is_empty()) {
            (Some(landmark), true) => format!("{}: {role}", format!("{landmark:?}").to_lowercase()),
            (_, false) => format!("{role} under “{}”", quoted(&part.heading)),
            (None, true) => role,
        };
        EditView { place, before: quoted(&part.before), after: quoted(&part.after) }
    }
}

fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// `2026-11-18T09:30:00Z` as pages write it.
fn short(time: &str) -> String {
    time.get(..16).unwrap_or(time).replace('T', " ")
}

fn versions(item: &FeedItem) -> Vec<(&'static str, String, String)> {
    let all = [("before", &item.before), ("after", &item.after), ("answer", &item.answer)];
    let shown = |(name, version): (&'static str, &Option<ArchivedVersion>)| {
        version.as_ref().map(|version| (name, version.memento.clone(), short(&version.archived)))
    };
    all.into_iter().filter_map(shown).collect()
}

/// Where both versions stand beside each other, if there are two.
fn diff(item: &FeedItem) -> Option<String> {
    let (before, after) = (item.before.as_ref()?, item.after.as_ref()?);
    Some(format!(
        "/diff?url={}&from={}&to={}",
        encoded(&after.url),
        encoded(&before.archived),
        encoded(&after.archived)
    ))
}
