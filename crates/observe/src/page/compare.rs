//! The one question about two versions: what changed, and does it matter?

use super::{
    class::PartClass,
    delta::Delta,
    element::{Element, items},
    hooks::Hooks,
    importance::{BlockChange, PartWeighing},
    layout::{Layout, Role},
    matching::{self, Matching},
    news,
    read::{self, Segmented},
    share::Weigher,
    summary::{self, ChangedPart},
    weigh,
};
use crate::Described;
use serde::{Deserialize, Serialize};
use tintype_vocab::Change;

/// What there is to say about two versions of a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// All of it.
    pub delta: Delta,
    /// WeighedChange importance, 0 to 1; 0 if only markup changed.
    pub importance: f64,
    /// The most important of it, for people.
    pub changed: Vec<ChangedPart>,
    /// How many more blocks changed.
    #[serde(default)]
    pub more: u32,
}

/// Compares two versions of a page; nothing if one of them is not a page that can be read.
pub fn compare(old: (&Described<'_>, &[u8]), new: (&Described<'_>, &[u8]), hooks: &Hooks<'_>) -> Option<Difference> {
    let [before, after] = read::segment_both(old, new)?;
    Some(difference(&before, &after, new.0.url, hooks))
}

/// Compares two versions of the page at `url`.
pub fn difference(old: &Segmented, new: &Segmented, url: &str, hooks: &Hooks<'_>) -> Difference {
    weighed(old, new, &matching::matching(&old.layout, &new.layout), url, hooks)
}

/// The same where it is known which block is which.
pub(super) fn weighed(
    old: &Segmented,
    new: &Segmented,
    matching: &Matching,
    url: &str,
    hooks: &Hooks<'_>,
) -> Difference {
    let delta = Delta::between(&old.layout, &new.layout, matching);
    if delta.is_empty() {
        return Difference::default();
    }
    let compared = Compared::all(&old.layout, &new.layout, matching);
    let weights = Weights::of(old, new, matching, hooks);
    let matters = old.matters.max(new.matters);
    let (importance, parts) = match hooks.weighing {
        PartWeighing::News => news(&compared, &weights, hooks, url, matters),
        PartWeighing::Shares => shares(&compared, &weights, hooks, url, matters),
    };
    let (changed, more) = summary::changed(&compared, &parts);
    Difference { delta, importance, changed, more }
}

/// What a block adds to the whole, and what sort of change it is.
pub(super) type Part = (f64, PartClass);

/// All stamps of a page together are less important than this, so that they are told and do not matter.
const STAMPS: f64 = 0.9 * Change::IMPORTANCE_MIN as f64;

/// All blocks of a page that say the same in another order or place are together less important than this: a list that
/// was sorted anew moves every entry.
const ORDER: f64 = 0.02;

/// What is new in each block. The sum levels off, so that of two pages full of news the one with more is more
/// important; blocks have their share of it.
fn news(compared: &[Compared<'_>], weights: &Weights, hooks: &Hooks<'_>, url: &str, matters: f64) -> (f64, Vec<Part>) {
    let news = news::all(compared, hooks, url);
    let mut each: Vec<f64> =
        news.iter().zip(compared).map(|(news, block)| weights.worth(block) * news.importance()).collect();
    let ordered: f64 = each.iter().zip(&news).filter(|(_, news)| news.is_order()).map(|(each, _)| each).sum();
    let less = ORDER / (ORDER + ordered);
    each.iter_mut().zip(&news).filter(|(_, news)| news.is_order()).for_each(|(each, _)| *each *= less);
    let sum: f64 = each.iter().sum();
    let level = matters / (1.0 + sum);
    let stamped = news.iter().filter(|news| news.stamps > 0).count().max(1) as f64;
    let stamp = |at: usize| if news[at].stamps > 0 { STAMPS / stamped } else { 0.0 };
    let class = |at: usize| news[at].class(compared[at].role());
    let parts: Vec<Part> = (0..news.len()).map(|at| (each[at] * level + stamp(at), class(at))).collect();
    (parts.iter().fold(0.0, |sum: f64, part| sum + part.0).min(1.0), parts)
}

/// What happened in each block, operation by operation.
fn shares(
    compared: &[Compared<'_>],
    weights: &Weights,
    hooks: &Hooks<'_>,
    url: &str,
    matters: f64,
) -> (f64, Vec<Part>) {
    let weigher = Weigher::new(hooks, url);
    let change =
        |compared| BlockChange { block: weights.worth(compared) / weights.sum, changes: weigher.changes(compared) };
    let blocks: Vec<BlockChange> = compared.iter().map(change).collect();
    let part = |block: &BlockChange| (matters * block.importance(hooks.normalisation), PartClass::Content);
    (matters * hooks.normalisation.importance(&blocks), blocks.iter().map(part).collect())
}

/// A block with content that is not the same in both versions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared<'l> {
    pub(super) old: Option<(&'l Layout, u32)>,
    pub(super) new: Option<(&'l Layout, u32)>,
    pub(super) moved: bool,
}

impl<'l> Compared<'l> {
    fn all(old: &'l Layout, new: &'l Layout, matching: &Matching) -> Vec<Compared<'l>> {
        let gone = matching.gone.iter().map(|at| Compared { old: Some((old, *at)), new: None, moved: false });
        let here = matching.olds.iter().zip(&matching.moved).enumerate().map(|(at, (from, moved))| Compared {
            old: from.map(|from| (old, from)),
            new: Some((new, at as u32)),
            moved: *moved,
        });
        gone.chain(here).filter(Compared::is_changed).collect()
    }

    fn is_changed(&self) -> bool {
        let [before, after] = [self.before(), self.after()];
        before != after || self.is_toggled() || self.moved && before.iter().any(|content| !content.is_empty())
    }

    /// What it is in the new version, or was in the old one.
    pub(super) fn role(&self) -> Role {
        self.new.or(self.old).map_or(Role::Text, |(layout, at)| layout.block(at as usize).shape().role)
    }

    /// Words that were hidden and are shown, or the other way round.
    pub(super) fn toggled_words(&self) -> usize {
        if self.is_toggled() { items(self.after()[0], Element::Text).count().max(1) } else { 0 }
    }

    fn is_toggled(&self) -> bool {
        let is_hidden = |(layout, at): (&Layout, u32)| layout.block(at as usize).shape().role == Role::Hidden;
        matches!((self.old, self.new), (Some(old), Some(new)) if is_hidden(old) != is_hidden(new))
    }

    /// Its text, links and images in the old version.
    pub(super) fn before(&self) -> [&'l str; 3] {
        self.old.map_or([""; 3], |(layout, at)| layout.block(at as usize).all())
    }

    pub(super) fn after(&self) -> [&'l str; 3] {
        self.new.map_or([""; 3], |(layout, at)| layout.block(at as usize).all())
    }
}

/// Words of a row that names something and its value, at most.
const FIELD_WORDS: usize = 12;

/// Whether a row of a table has another of the values that many pages have: "Status: Draft", "Status: Final". What only
/// this page says otherwise is no template, however many pages say either.
fn is_field(old: &Segmented, from: u32, to: usize, new: &Segmented, hooks: &Hooks<'_>) -> bool {
    let [one, two] = [old.layout.block(from as usize), new.layout.block(to)];
    let words = |block: super::Block<'_>| items(block.of(Element::Text), Element::Text).count();
    let name = |block: super::Block<'_>| items(block.of(Element::Text), Element::Text).next().map(str::to_owned);
    let is_row = one.shape().role == Role::Row && two.shape().role == Role::Row;
    is_row
        && one.fingerprint() != two.fingerprint()
        && (hooks.is_template)(two.fingerprint())
        && [one, two].into_iter().all(|block| (2..=FIELD_WORDS).contains(&words(block)))
        && name(one) == name(two)
}

/// Block importance over both versions: of a block that is in both, the greater, unless it was part of the template.
struct Weights {
    old: Vec<f32>,
    new: Vec<f32>,
    sum: f64,
}

impl Weights {
    fn of(old: &Segmented, new: &Segmented, matching: &Matching, hooks: &Hooks<'_>) -> Weights {
        let weights = match hooks.weighing {
            PartWeighing::News => weigh::worths,
            PartWeighing::Shares => weigh::weights,
        };
        let was_template = |at: u32| (hooks.is_template)(old.layout.block(at as usize).fingerprint());
        let (new_page, mut plain) = (new, None::<Vec<f32>>);
        let mut new = weights(new, hooks.is_template);
        let weighed = weights(old, hooks.is_template);
        for (new_at, (weight, from)) in new.iter_mut().zip(&matching.olds).enumerate() {
            let Some(from) = *from else { continue };
            let before = weighed[from as usize];
            if was_template(from) && is_field(old, from, new_at, new_page, hooks) {
                *weight = *plain.get_or_insert_with(|| weights(new_page, &|_| false)).get(new_at).unwrap_or(weight);
                continue;
            }
            *weight = if was_template(from) { before.min(*weight) } else { before.max(*weight) };
        }
        let old = weighed;
        let gone = matching.gone.iter().map(|at| f64::from(old[*at as usize])).sum::<f64>();
        let sum = gone + new.iter().map(|weight| f64::from(*weight)).sum::<f64>();
        Weights { old, new, sum: sum.max(f64::MIN_POSITIVE) }
    }

    /// The weight of a block, not yet normalised.
    fn worth(&self, compared: &Compared<'_>) -> f64 {
        let weight = match (compared.new, compared.old) {
            (Some((_, at)), _) => self.new[at as usize],
            (None, Some((_, at))) => self.old[at as usize],
            (None, None) => 0.0,
        };
        f64::from(weight)
    }
}
