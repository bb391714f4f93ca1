//! Operations weighed by share, as in the paper: of links and images how many, of texts how many of their words.

use super::{
    compare::Compared,
    element::{Element, items},
    hooks::Hooks,
    importance::WeighedChange,
    similar::WordSet,
    steady,
};
use std::{borrow::Cow, cmp::Ordering};
use url::Url;

/// α: what is left of an operation's importance if it is an advertisement that came or went.
pub const ADVERTISEMENT: f64 = 0.1;
/// I(move): the same content, seen sooner or later.
pub const MOVED: f64 = 0.1;

/// Weighs what happened in blocks.
pub(super) struct Weigher<'a> {
    hooks: &'a Hooks<'a>,
    page: &'a str,
    base: Option<Url>,
}

impl<'a> Weigher<'a> {
    pub(super) fn new(hooks: &'a Hooks<'a>, page: &'a str) -> Weigher<'a> {
        Weigher { hooks, page, base: Url::parse(page).ok() }
    }

    /// What happened in a block; an empty version of it is one that is not there.
    pub(super) fn changes(&self, compared: &Compared<'_>) -> Vec<WeighedChange> {
        let [old, new] = [compared.before(), compared.after()];
        let mut changes = Vec::new();
        self.text(old[0], new[0], &mut changes);
        self.references(Element::Link, old[1], new[1], &mut changes);
        self.references(Element::Image, old[2], new[2], &mut changes);
        if compared.moved {
            changes.push(WeighedChange { importance: MOVED, count: 1, total: 1 });
        }
        changes
    }

    fn text(&self, old: &str, new: &str, changes: &mut Vec<WeighedChange>) {
        if old == new {
            return;
        }
        let [old, new] = [old, new].map(|text| WordSet::of_text(text, self.hooks));
        let importance = old.distance(&new);
        if importance > 0.0 {
            changes.push(WeighedChange { importance, count: 1, total: 1 });
        }
    }

    fn references(&self, element: Element, old: &str, new: &str, changes: &mut Vec<WeighedChange>) {
        if old == new {
            return;
        }
        let [old, new] = [old, new]
            .map(|list| items(list, element).map(|url| (steady::url(url, self.hooks), url)).collect::<Vec<_>>());
        let before = old.len();
        let (removed, inserted) = came_and_went(old, new);
        let total = (before + inserted.len().saturating_sub(removed.len())) as u32;
        // One that came for one that went is an update.
        let updated = removed.len().min(inserted.len());
        for operation in [&inserted[..updated], &inserted[updated..], &removed[updated..]] {
            let advertisements = operation
                .iter()
                .filter(|(_, url)| self.hooks.advertises(element, url, self.page, self.base.as_ref()))
                .count();
            let parts = [(1.0, operation.len() - advertisements), (ADVERTISEMENT, advertisements)];
            for (importance, count) in parts.into_iter().filter(|(_, count)| *count > 0) {
                changes.push(WeighedChange { importance, count: count as u32, total });
            }
        }
    }
}

/// What of a URL tells it from others, and all of it.
type Steady<'u> = (Cow<'u, str>, &'u str);

/// Which URLs are gone and which are new, whatever their order.
fn came_and_went<'u>(mut old: Vec<Steady<'u>>, mut new: Vec<Steady<'u>>) -> (Vec<Steady<'u>>, Vec<Steady<'u>>) {
    old.sort_unstable();
    new.sort_unstable();
    let (mut removed, mut inserted) = (Vec::new(), Vec::new());
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    loop {
        let order = match (old.peek(), new.peek()) {
            (Some(left), Some(right)) => left.0.cmp(&right.0),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return (removed, inserted),
        };
        let (gone, came) = (old.next_if(|_| order.is_le()), new.next_if(|_| order.is_ge()));
        if order.is_ne() {
            removed.extend(gone);
            inserted.extend(came);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_no_change() {
        let lists = |old: &'static str, new: &'static str| {
            let all = |list: &'static str| list.split_whitespace().map(|url| (Cow::Borrowed(url), url)).collect();
            let (removed, inserted) = came_and_went(all(old), all(new));
            [removed, inserted].map(|list| list.into_iter().map(|(_, url)| url).collect::<String>())
        };
        assert_eq!(lists("a b c b", "c b d a"), ["b", "d"]);
        assert_eq!(lists("", "a b"), ["", "ab"]);
    }
}
