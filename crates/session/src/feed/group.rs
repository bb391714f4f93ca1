//! One edit, told once: events that are the same edit, or have one cause, are one item.

use super::{
    cause::Appeared,
    event::PageEventKind,
    item::{FeedItem, ItemPage},
    judge::JudgedEvent,
    shared_edit::{SharedEdit, shared_edits},
};
use std::collections::{BTreeMap, BTreeSet};
use tintype_vocab::{Change, Span, Time};

/// Pages that fare alike within so many hours fare so for one reason.
const TOGETHER: Span = Span::from_secs(6 * 3600);
/// So many pages of one fate are one item; fewer are told one by one, as each may be the one that matters.
const ALIKE_MIN: usize = 4;

/// Where an edit is told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    /// With the page it was made on.
    Own,
    /// With the page that appeared.
    With(usize),
    Shared,
}

/// The items that judged events make.
pub(super) fn group(judged: &[JudgedEvent], archive: &str) -> Vec<FeedItem> {
    let mut told = announcements(judged);
    let is_free = |page: usize, edit: usize| told[page][edit] == Told::Own;
    let shared = shared_edits(judged, &is_free);
    for (page, edit) in shared.iter().flat_map(|edit| &edit.places) {
        told[*page][*edit] = Told::Shared;
    }
    let mut items: BTreeMap<usize, FeedItem> = BTreeMap::new();
    let (alike, alone) = fates(judged);
    for number in alone {
        items.extend(own_item(judged, number, &told[number], archive).map(|item| (number, item)));
    }
    for (page, judged) in judged.iter().enumerate() {
        for lead in told[page].iter().filter_map(|told| if let Told::With(lead) = told { Some(*lead) } else { None }) {
            if let Some(item) = items.get_mut(&lead)
                && item.announced_on.iter().all(|known| known.event != judged.event.id())
            {
                item.announced_on.push(ItemPage::new(&judged.event));
            }
        }
    }
    let shared = shared.iter().map(|edit| shared_item(judged, edit, archive));
    let alike = alike.iter().map(|numbers| fate_item(judged, numbers, archive));
    items.into_values().chain(shared).chain(alike).collect()
}

/// Which edits only announce a page that appeared; and, where one does, those that made room for it.
fn announcements(judged: &[JudgedEvent]) -> Vec<Vec<Told>> {
    let is_new = |(_, judged): &(usize, &JudgedEvent)| judged.event.kind == PageEventKind::Appeared;
    let appeared = Appeared::new(judged.iter().enumerate().filter(is_new).collect());
    let told = |judged: &JudgedEvent| {
        let announced: Vec<Option<usize>> =
            judged.edits.iter().map(|(edit, _)| appeared.announced_by(judged, edit)).collect();
        let first = announced.iter().copied().flatten().next();
        let of = |((edit, part), announced): (&(_, Option<_>), &Option<usize>)| {
            let edit: &tintype_observe::page::BlockEdit = edit;
            let part: &Option<tintype_observe::page::ChangedPart> = part;
            // An older entry of a list falls out at its end, or moves down.
            let made_room =
                edit.inserted.is_empty() && !edit.links_removed.is_empty() || edit.print == 0 && part.is_some();
            announced.or(first.filter(|_| made_room)).map_or(Told::Own, Told::With)
        };
        judged.edits.iter().zip(&announced).map(of).collect()
    };
    judged.iter().map(told).collect()
}

/// What is left to tell of a page when others have told their part of it.
fn own_item(judged: &[JudgedEvent], number: usize, told: &[Told], archive: &str) -> Option<FeedItem> {
    let judged = &judged[number];
    let own: Vec<usize> = (0..told.len()).filter(|edit| told[*edit] == Told::Own).collect();
    let mut item = FeedItem::new(judged, &own, archive);
    if own.len() < told.len() && judged.event.kind == PageEventKind::Changed {
        let sum =
            |edits: &mut dyn Iterator<Item = usize>| edits.map(|edit| judged.edits[edit].0.importance).sum::<f64>();
        let all = sum(&mut (0..told.len())).max(f64::MIN_POSITIVE);
        let left = judged.importance * sum(&mut own.iter().copied()) / all;
        let is_little = left < f64::from(Change::IMPORTANCE_MIN);
        match item.facts.first() {
            None if is_little => return None,
            Some(fact) if is_little => item.kind = fact.kind,
            _ => {}
        }
        item.importance = left.max(judged.fact_importance);
        item.settle();
    }
    Some(item)
}

/// One edit on many pages, led by the page nearest to the root of the site.
fn shared_item(judged: &[JudgedEvent], edit: &SharedEdit, archive: &str) -> FeedItem {
    let pages = edit.pages();
    let depth = |page: &usize| (judged[*page].event.url.matches('/').count(), judged[*page].event.url.len());
    let lead = *pages.iter().min_by_key(|page| depth(page)).expect("an edit was made somewhere");
    let blocks: Vec<usize> = edit.places.iter().filter(|(page, _)| *page == lead).map(|(_, block)| *block).collect();
    let mut item = FeedItem::new(&judged[lead], &blocks, archive);
    let share = |page: &usize| {
        let here = edit.places.iter().filter(|(of, _)| of == page);
        here.map(|(_, block)| judged[*page].edits[*block].0.importance).sum::<f64>().min(judged[*page].importance)
    };
    let mut by_page: BTreeMap<usize, f64> = BTreeMap::new();
    for (page, block) in &edit.places {
        *by_page.entry(*page).or_default() += judged[*page].edits[*block].0.importance;
    }
    let most = by_page.iter().map(|(page, sum)| sum.min(judged[*page].importance)).fold(share(&lead), f64::max);
    item.kind = PageEventKind::Changed;
    item.facts.clear();
    let most = if says_words(&item) { most.max(SITE_WIDE) } else { most };
    // A stamp is one on any number of pages.
    let is_stamp = most < f64::from(Change::IMPORTANCE_MIN);
    item.importance = if is_stamp { most } else { on_many(most, distinct(judged, &pages)) };
    item.pages = pages_of(judged, lead, &pages);
    item.at = pages.iter().map(|page| judged[*page].event.found).max().unwrap_or(item.at);
    item.note = None;
    item.settle();
    item
}

/// A block that every page repeats weighs nothing on any of them, and that holds as long as it stays. When its words are edited,
/// readers of all pages see it: such an edit is *minor* at least.
const SITE_WIDE: f64 = 0.03;
/// Beginnings of words that belong to dates.
const OF_DATES: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon", "tue", "wed", "thu",
    "fri", "sat", "sun", "gmt", "utc",
];

/// Whether words were edited, not only dates and counters.
fn says_words(item: &FeedItem) -> bool {
    let is_word = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        word.chars().count() > 2
            && word.chars().all(char::is_alphabetic)
            && !OF_DATES.iter().any(|of| word.starts_with(of))
    };
    item.words.split_whitespace().any(is_word)
}

/// Events of one fate, and the numbers of all others.
fn fates(judged: &[JudgedEvent]) -> (Vec<Vec<usize>>, Vec<usize>) {
    let mut by_fate: BTreeMap<(&str, PageEventKind, String), Vec<usize>> = BTreeMap::new();
    let mut alone = Vec::new();
    for (number, judged) in judged.iter().enumerate() {
        match judged.event.kind {
            PageEventKind::Disappeared
            | PageEventKind::Refused
            | PageEventKind::Failing
            | PageEventKind::Moved
            | PageEventKind::Back => {
                let fate = (judged.event.site.as_str(), judged.event.kind, reason(judged));
                by_fate.entry(fate).or_default().push(number);
            }
            _ => alone.push(number),
        }
    }
    let mut alike = Vec::new();
    for mut numbers in by_fate.into_values() {
        numbers.sort_by_key(|number| judged[*number].event.found);
        for spell in numbers.chunk_by(|one, two| apart(judged, *one, *two) <= TOGETHER) {
            let pages = distinct(judged, &spell.iter().copied().collect());
            match pages >= ALIKE_MIN {
                true => alike.push(spell.to_vec()),
                false => alone.extend(spell),
            }
        }
    }
    (alike, alone)
}

fn apart(judged: &[JudgedEvent], one: usize, two: usize) -> Span {
    judged[two].event.found - judged[one].event.found
}

/// Why pages fare so: those that moved did for one reason if they went to the same host.
fn reason(judged: &JudgedEvent) -> String {
    match judged.event.kind {
        PageEventKind::Moved => url::Url::parse(&judged.event.cause)
            .ok()
            .and_then(|to| to.host_str().map(str::to_owned))
            .unwrap_or_default(),
        PageEventKind::Refused if judged.event.cause.starts_with("log-in") => "log-in".to_owned(),
        PageEventKind::Refused => judged.event.cause.clone(),
        _ => String::new(),
    }
}

fn fate_item(judged: &[JudgedEvent], numbers: &[usize], archive: &str) -> FeedItem {
    let heavier = |one: &&usize, two: &&usize| judged[**one].importance.total_cmp(&judged[**two].importance);
    let lead = *numbers.iter().max_by(heavier).expect("a fate is somebody's");
    let pages: BTreeSet<usize> = numbers.iter().copied().collect();
    let mut item = FeedItem::new(&judged[lead], &[], archive);
    item.importance = on_many(item.importance, distinct(judged, &pages));
    item.pages = pages_of(judged, lead, &pages);
    item.settle();
    item
}

/// What happens on many pages is weightier than on one: with every tenfold as if it happened once more. Grows slowly, so that
/// a footer on a thousand pages stays below a story on one.
fn on_many(importance: f64, pages: usize) -> f64 {
    1.0 - (1.0 - importance.min(1.0)).powf(1.0 + (pages.max(1) as f64).log10())
}

fn distinct(judged: &[JudgedEvent], pages: &BTreeSet<usize>) -> usize {
    pages.iter().map(|page| judged[*page].event.url.as_str()).collect::<BTreeSet<_>>().len()
}

/// The lead first, the others by address; a page that was edited twice is one page.
fn pages_of(judged: &[JudgedEvent], lead: usize, pages: &BTreeSet<usize>) -> Vec<ItemPage> {
    let mut others: Vec<ItemPage> =
        pages.iter().filter(|page| **page != lead).map(|page| ItemPage::new(&judged[*page].event)).collect();
    others.sort_by(|one, two| one.url.cmp(&two.url));
    let mut all = vec![ItemPage::new(&judged[lead].event)];
    all.extend(others);
    all
}

/// Changes by which several pages that said different things came to say the same are no edits: something stands in their place.
pub(super) fn tell_stand_ins(judged: &mut [JudgedEvent]) {
    let mut before: BTreeMap<(String, u64), BTreeSet<u64>> = BTreeMap::new();
    let gists = |judged: &JudgedEvent| {
        let is_change = judged.event.kind == PageEventKind::Changed;
        judged.event.gist.zip(judged.event.gist_before).filter(|(now, before)| is_change && now != before)
    };
    for judged in judged.iter() {
        if let Some((now, old)) = gists(judged) {
            before.entry((judged.event.site.clone(), now)).or_default().insert(old);
        }
    }
    for judged in judged.iter_mut() {
        let Some((now, _)) = gists(judged) else { continue };
        if before[&(judged.event.site.clone(), now)].len() >= STAND_IN_MIN {
            judged.event.kind = PageEventKind::Failing;
            judged.event.cause = "pages that were different now show one and the same text".to_owned();
            judged.edits.clear();
        }
    }
}

/// So many pages that come to say the same have something in their place; two may be copies of each other.
const STAND_IN_MIN: usize = 3;

/// The latest event of an item first, among those of one time the weightiest.
pub(super) fn by_time(one: &FeedItem, two: &FeedItem) -> std::cmp::Ordering {
    let key = |item: &FeedItem| -> Time { item.at };
    key(two).cmp(&key(one)).then_with(|| two.score.total_cmp(&one.score)).then_with(|| one.url.cmp(&two.url))
}
