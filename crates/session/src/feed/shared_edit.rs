//! Edits that are the same on several pages.

use super::judge::JudgedEvent;
use std::collections::{BTreeMap, BTreeSet};
use tintype_observe::page::same_edits;
use tintype_vocab::Span;

/// What is edited alike within so many hours is one edit, as deployments and caches take their time.
const TOGETHER: Span = Span::from_secs(6 * 3600);
/// Two edits that are on that share of each other's pages are one item.
const SAME_PAGES: f64 = 0.8;
/// So many others of the same pages an edit is held against; more are told one by one.
const MERGED_MAX: usize = 400;

/// One edit and where it was made: the number of the page and of the block among its edits.
#[derive(Debug, Default)]
pub(super) struct SharedEdit {
    pub(super) places: Vec<(usize, usize)>,
}

impl SharedEdit {
    pub(super) fn pages(&self) -> BTreeSet<usize> {
        self.places.iter().map(|(page, _)| *page).collect()
    }
}

/// The edits that more than one page has, each with those that came along with it. `is_free` says which edits may be told so.
pub(super) fn shared_edits(judged: &[JudgedEvent], is_free: &dyn Fn(usize, usize) -> bool) -> Vec<SharedEdit> {
    let places: Vec<(usize, usize)> = (judged.iter().enumerate())
        .flat_map(|(page, judged)| (0..judged.edits.len()).map(move |edit| (page, edit)))
        .filter(|(page, edit)| judged[*page].edits[*edit].0.print != 0 && is_free(*page, *edit))
        .collect();
    let kinds = same_edits(places.iter().map(|(page, edit)| &judged[*page].edits[*edit].0));
    let mut by_kind: BTreeMap<(&str, usize), Vec<(usize, usize)>> = BTreeMap::new();
    for (place, kind) in places.iter().zip(kinds) {
        by_kind.entry((&judged[place.0].event.site, kind)).or_default().push(*place);
    }
    let spells = by_kind.into_values().flat_map(|places| in_spells(judged, places));
    let shared = spells.filter(|edit| is_on_several(judged, edit)).collect();
    merged(shared)
}

/// Parts an edit where nothing of the kind happened for hours.
fn in_spells(judged: &[JudgedEvent], mut places: Vec<(usize, usize)>) -> Vec<SharedEdit> {
    places.sort_by_key(|(page, _)| judged[*page].event.found);
    let mut spells: Vec<SharedEdit> = Vec::new();
    let mut last = None;
    for place in places {
        let found = judged[place.0].event.found;
        match (last, spells.last_mut()) {
            (Some(last), Some(spell)) if found - last <= TOGETHER => spell.places.push(place),
            _ => spells.push(SharedEdit { places: vec![place] }),
        }
        last = Some(found);
    }
    spells
}

fn is_on_several(judged: &[JudgedEvent], edit: &SharedEdit) -> bool {
    let first = &judged[edit.places[0].0].event.url;
    edit.places.iter().any(|(page, _)| judged[*page].event.url != *first)
}

/// Edits that were made on the same pages are told together.
fn merged(mut edits: Vec<SharedEdit>) -> Vec<SharedEdit> {
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.places.len()));
    let mut kept: Vec<(BTreeSet<usize>, SharedEdit)> = Vec::new();
    let mut made_on: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for edit in edits {
        let pages = edit.pages();
        let same = |known: &BTreeSet<usize>| {
            let common = known.intersection(&pages).count();
            common as f64 >= SAME_PAGES * (known.len() + pages.len() - common) as f64
        };
        // Who has that share of these pages has one of the first few.
        let few = (pages.len() as f64 * (1.0 - SAME_PAGES)) as usize + 1;
        let near = pages.iter().take(few).filter_map(|page| made_on.get(page)).flatten().take(MERGED_MAX);
        let found = near.copied().find(|number| same(&kept[*number].0));
        let number = found.unwrap_or_else(|| {
            kept.push(Default::default());
            kept.len() - 1
        });
        let (known, first) = &mut kept[number];
        for page in pages.into_iter().filter(|page| known.insert(*page)) {
            made_on.entry(page).or_default().push(number);
        }
        first.places.extend(edit.places);
    }
    kept.into_iter().map(|(_, edit)| edit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_many_edits_there_are_those_of_the_same_pages_are_told_together() {
        let edit = |page: usize, block| SharedEdit { places: vec![(2 * page, block), (2 * page + 1, block)] };
        let told = merged((0..3).flat_map(|block| (0..1000).map(move |page| edit(page, block))).collect());
        assert_eq!(told.len(), 1000);
        assert!(told.iter().all(|edit| edit.places.len() == 6 && edit.pages().len() == 2));
        let most = SharedEdit { places: (0..100).map(|page| (page, 0)).collect() };
        let nearly = SharedEdit { places: (9..100).map(|page| (page, 1)).collect() };
        let half = SharedEdit { places: (0..50).map(|page| (page, 2)).collect() };
        assert_eq!(merged(vec![nearly, half, most]).len(), 2);
    }
}
