//! What a capture that skips part of a site saves and loses: bypass ratio, overall precision, overall recall, change recall.
//!
//! Between the version of a site that an archive holds and the one that is there now every page has a [`Fate`]. A capture
//! asks for some pages and skips the others; what it skips stays as it was held. [`Bypass`] counts both by fate; its ratios
//! are those of the set definitions (2)–(5) of the NEAR-Miner paper. The paper also prints formulas for counters that
//! contradict them: [`Bypass::printed_overall_precision`] and [`Bypass::printed_change_recall`] show by how much.

use serde::{Deserialize, Serialize};

/// What became of a page from one version of the site to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    Unchanged,
    Modified,
    Inserted,
    Deleted,
}

impl Fate {
    /// From the content in one version and in the next, of a page that is in one of them.
    pub fn of<C: PartialEq>(before: Option<C>, now: Option<C>) -> Fate {
        match (before, now) {
            (None, _) => Fate::Inserted,
            (_, None) => Fate::Deleted,
            (before, now) if before == now => Fate::Unchanged,
            _ => Fate::Modified,
        }
    }

    pub fn is_change(self) -> bool {
        self != Fate::Unchanged
    }

    /// Whether the page is in the later version.
    pub fn is_there(self) -> bool {
        self != Fate::Deleted
    }
}

/// The counters: pages of the later version by what was done with them, changes by whether they were noticed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bypass {
    /// Pages of the later version that were not fetched, inserted ones among them (N_s).
    pub skipped: u64,
    /// Pages of the later version that were fetched (N_m).
    pub fetched: u64,
    /// Pages inserted, deleted or modified (C_t).
    pub changes: u64,
    /// Inserted, not fetched: the archive lacks them (C_1s).
    pub skipped_insertions: u64,
    /// Deleted, not asked for: the archive still holds them (C_2s).
    pub skipped_deletions: u64,
    /// Modified, not fetched: the archive holds the old content (C_3s; the paper has no such counter).
    pub skipped_modifications: u64,
}

impl Bypass {
    /// One page more.
    pub fn count(&mut self, fate: Fate, skipped: bool) {
        if fate.is_there() {
            *if skipped { &mut self.skipped } else { &mut self.fetched } += 1;
        }
        self.changes += u64::from(fate.is_change());
        let lost = match fate {
            Fate::Inserted => &mut self.skipped_insertions,
            Fate::Deleted => &mut self.skipped_deletions,
            Fate::Modified => &mut self.skipped_modifications,
            Fate::Unchanged => return,
        };
        *lost += u64::from(skipped);
    }

    /// Pages of the later version, |N(V_t)|.
    pub fn pages(&self) -> u64 {
        self.skipped + self.fetched
    }

    pub fn changes_lost(&self) -> u64 {
        self.skipped_insertions + self.skipped_deletions + self.skipped_modifications
    }

    /// Definition (2): the share of the site that was not asked for. Of an empty site nothing was left out.
    pub fn bypass_ratio(&self) -> f64 {
        share(self.skipped, self.pages(), 0.0)
    }

    /// Definition (3): the share of the pages now in the archive that are still at the site.
    pub fn overall_precision(&self) -> f64 {
        let right = self.pages() - self.skipped_insertions;
        share(right, right + self.skipped_deletions, 1.0)
    }

    /// Definition (4): the share of the pages at the site that are now in the archive.
    pub fn overall_recall(&self) -> f64 {
        share(self.pages() - self.skipped_insertions, self.pages(), 1.0)
    }

    /// Definition (5): the share of the changes that were noticed. Where nothing changed, nothing was missed.
    pub fn change_recall(&self) -> f64 {
        share(self.changes - self.changes_lost(), self.changes, 1.0)
    }

    /// Formula (7) as printed: forgets that skipped insertions are not in the archive, so it differs from definition (3).
    pub fn printed_overall_precision(&self) -> f64 {
        share(self.pages() - self.skipped_insertions, self.pages() + self.skipped_deletions, 1.0)
    }

    /// Formula (9) as printed: counts skipped modifications as noticed, so it flatters whoever skips.
    pub fn printed_change_recall(&self) -> f64 {
        share(self.changes - self.skipped_insertions - self.skipped_deletions, self.changes, 1.0)
    }
}

fn share(part: u64, whole: u64, of_nothing: f64) -> f64 {
    if whole == 0 { of_nothing } else { part as f64 / whole as f64 }
}

/// The ratios of several passages from version to version, averaged as the paper does: each passage counts alike.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeanBypass {
    pub bypass_ratio: f64,
    pub overall_precision: f64,
    pub overall_recall: f64,
    pub change_recall: f64,
}

impl MeanBypass {
    pub fn of<'a>(passages: impl IntoIterator<Item = &'a Bypass>) -> MeanBypass {
        let (mut sum, mut count) = ([0.0; 4], 0_u32);
        for passage in passages {
            let ratios = [
                passage.bypass_ratio(),
                passage.overall_precision(),
                passage.overall_recall(),
                passage.change_recall(),
            ];
            sum.iter_mut().zip(ratios).for_each(|(sum, ratio)| *sum += ratio);
            count += 1;
        }
        let [bypass_ratio, overall_precision, overall_recall, change_recall] =
            sum.map(|sum| if count == 0 { 0.0 } else { sum / f64::from(count) });
        MeanBypass { bypass_ratio, overall_precision, overall_recall, change_recall }
    }
}

/// Changes by how important they are: an insertion or a deletion weighs 1, a modification its importance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WeighedChanges {
    pub all: f64,
    pub lost: f64,
}

impl WeighedChanges {
    pub fn count(&mut self, fate: Fate, importance: f64, skipped: bool) {
        let weight = match fate {
            Fate::Unchanged => return,
            Fate::Inserted | Fate::Deleted => 1.0,
            Fate::Modified => importance,
        };
        self.all += weight;
        if skipped {
            self.lost += weight;
        }
    }

    /// The share of the importance of all changes that was noticed.
    pub fn recall(&self) -> f64 {
        if self.all > 0.0 { 1.0 - self.lost / self.all } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::close;
    use proptest::{collection::vec, prelude::*};
    use std::collections::{BTreeMap, BTreeSet};

    /// Content of every page held before and there now, and whether a capture would skip it.
    type Page = (Option<u8>, Option<u8>, bool);
    type Pages = BTreeMap<u32, Page>;

    fn pages() -> impl Strategy<Value = Pages> {
        let content = || prop_oneof![Just(None), (0_u8..3).prop_map(Some)];
        let page = (content(), content(), any::<bool>()).prop_filter("somewhere", |page| page.0.or(page.1).is_some());
        vec(page, 0..40).prop_map(|pages| (0..).zip(pages).collect())
    }

    fn counted(pages: &Pages) -> Bypass {
        let mut bypass = Bypass::default();
        pages.values().for_each(|&(before, now, skipped)| bypass.count(Fate::of(before, now), skipped));
        bypass
    }

    /// A quotient of the sizes of sets, as the definitions have them.
    fn of<T: Ord>(part: &BTreeSet<T>, whole: &BTreeSet<T>, of_nothing: f64) -> f64 {
        if whole.is_empty() { of_nothing } else { part.intersection(whole).count() as f64 / whole.len() as f64 }
    }

    proptest! {
        #[test]
        fn the_counters_give_what_the_set_definitions_say(pages in pages()) {
            let set = |keep: fn(&Page) -> bool| -> BTreeSet<u32> {
                pages.iter().filter(|(_, page)| keep(page)).map(|(name, _)| *name).collect()
            };
            let there = set(|(_, now, _)| now.is_some());
            let archived = set(|(before, now, skipped)| if *skipped { before.is_some() } else { now.is_some() });
            let changed = set(|(before, now, _)| before != now);
            let noticed = set(|(before, now, skipped)| before != now && !skipped);
            let skipped = set(|(_, now, skipped)| now.is_some() && *skipped);
            let bypass = counted(&pages);
            prop_assert!(close(bypass.bypass_ratio(), of(&skipped, &there, 0.0)));
            prop_assert!(close(bypass.overall_precision(), of(&there, &archived, 1.0)));
            prop_assert!(close(bypass.overall_recall(), of(&archived, &there, 1.0)));
            prop_assert!(close(bypass.change_recall(), of(&noticed, &changed, 1.0)));
        }

        #[test]
        fn the_printed_formulas_flatter_recall_and_belittle_precision(pages in pages()) {
            let bypass = counted(&pages);
            prop_assert!(bypass.printed_change_recall() >= bypass.change_recall());
            prop_assert!(bypass.printed_overall_precision() <= bypass.overall_precision());
            let agree = close(bypass.printed_change_recall(), bypass.change_recall());
            prop_assert_eq!(agree, bypass.skipped_modifications == 0);
        }

        #[test]
        fn changes_of_equal_importance_are_recalled_alike(pages in pages()) {
            let mut weighed = WeighedChanges::default();
            for &(before, now, skipped) in pages.values() {
                weighed.count(Fate::of(before, now), 1.0, skipped);
            }
            prop_assert!(close(weighed.recall(), counted(&pages).change_recall()));
        }
    }

    #[test]
    fn an_important_change_is_a_larger_loss() {
        let recall = |lost: f64, noticed: f64| {
            let mut weighed = WeighedChanges::default();
            weighed.count(Fate::Modified, lost, true);
            weighed.count(Fate::Modified, noticed, false);
            weighed.count(Fate::Unchanged, 1.0, true);
            weighed.recall()
        };
        assert!(close(recall(0.25, 0.75), 0.75) && close(recall(0.75, 0.25), 0.25));
        assert_eq!(WeighedChanges::default().recall(), 1.0);
    }
}
