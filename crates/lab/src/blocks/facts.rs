//! What was found, for people and programs.

use super::{agree::Agreement, site::Version};
use crate::{
    Results,
    ranks::rank_correlation,
    table::{Cell, Table},
};
use serde::Serialize;
use tintype_quality::estimate;

/// Two divisions agree on a page if both of these are at least so large: which words stand together in the smallest
/// blocks, and on which words importance lies.
pub(super) const LEVEL: f64 = 0.7;

/// One page.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Page {
    pub(super) path: String,
    #[serde(skip)]
    pub(super) version: Version,
    /// By markup and by looks.
    pub(super) blocks: [usize; 2],
    #[serde(flatten)]
    pub(super) agreement: Agreement,
    /// The importance of its last change, by markup and by looks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) change: Option<[f64; 2]>,
}

impl Page {
    fn agrees(&self) -> bool {
        self.agreement.leaves >= LEVEL && self.agreement.importance >= LEVEL
    }
}

/// A share with its interval.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Share {
    share: f64,
    ci95: [f64; 2],
}

/// All pages.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Facts {
    history: String,
    level: f64,
    /// That could not be drawn.
    failed: usize,
    agree: Share,
    same_main: Share,
    means: Means,
    /// Pairs of versions, and the rank correlation of their change importance.
    changes: usize,
    change_rank_correlation: f64,
    pages: Vec<Page>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Means {
    shared: f64,
    leaves: f64,
    parts: f64,
    main: f64,
    importance: f64,
}

impl Facts {
    pub(super) fn new(history: &str, failed: usize, pages: Vec<Page>) -> Facts {
        // Pages that say nothing agree on nothing.
        let pages: Vec<Page> = pages.into_iter().filter(|page| page.agreement.words > 0).collect();
        let mean = |of: fn(&Agreement) -> f64| {
            if pages.is_empty() {
                0.0
            } else {
                estimate(&pages.iter().map(|page| of(&page.agreement)).collect::<Vec<_>>()).mean
            }
        };
        let count = |holds: fn(&Page) -> bool| share(pages.iter().filter(|page| holds(page)).count(), pages.len());
        let changes: Vec<[f64; 2]> = pages.iter().filter_map(|page| page.change).collect();
        Facts {
            history: history.to_owned(),
            level: LEVEL,
            failed,
            agree: count(Page::agrees),
            same_main: count(|page| page.agreement.main >= LEVEL),
            means: Means {
                shared: mean(|agreement| agreement.shared),
                leaves: mean(|agreement| agreement.leaves),
                parts: mean(|agreement| agreement.parts),
                main: mean(|agreement| agreement.main),
                importance: mean(|agreement| agreement.importance),
            },
            changes: changes.len(),
            change_rank_correlation: rank_correlation(&changes),
            pages,
        }
    }

    /// Pages worth a picture: the one on which both agree least, and the one in the middle.
    pub(super) fn shown(&self) -> Vec<(&'static str, Version)> {
        let mut order: Vec<usize> = (0..self.pages.len()).collect();
        order.sort_by(|one, two| self.pages[*one].agreement.leaves.total_cmp(&self.pages[*two].agreement.leaves));
        let named = |name, at: Option<&usize>| at.map(|at| (name, self.pages[*at].version));
        named("least", order.first()).into_iter().chain(named("typical", order.get(order.len() / 2))).collect()
    }

    pub(super) fn table(&self) -> Table {
        let titles =
            ["page", "blocks by markup", "blocks by looks", "words shared", "leaves", "parts", "main", "importance"];
        let mut table = Table::new(titles.into_iter().chain(["change by markup", "change by looks"]));
        for page in &self.pages {
            let Agreement { shared, leaves, parts, main, importance, .. } = page.agreement;
            let counts = page.blocks.map(|count| Cell::Number(count as f64, 0));
            let shares = [shared, leaves, parts, main, importance].map(|share| Cell::Number(share, 3));
            let changes = [0, 1].map(|way| Cell::maybe(page.change.map(|change| change[way]), 3));
            table.push([Cell::text(&page.path)].into_iter().chain(counts).chain(shares).chain(changes).collect());
        }
        table
    }
}

impl Results for Facts {
    fn json(&self) -> String {
        serde_json::to_string(self).expect("results are plain data")
    }

    fn text(&self) -> String {
        let Means { shared, leaves, parts, main, importance } = self.means;
        let of = |share: Share| {
            let [share, low, high] = [share.share, share.ci95[0], share.ci95[1]].map(|share| share * 100.0);
            format!("{share:.1} % ({low:.1} to {high:.1})")
        };
        format!(
            "{}: {} pages drawn, {} could not be\n\
             Blocks by markup and by looks agree on {} of them at {}: which words stand together, and which matter.\n\
             The block that most of the importance is in is the same on {}.\n\
             Means: words in both {shared:.3}, smallest blocks {leaves:.3} and parts {parts:.3} (adjusted Rand index), \
             main block {main:.3}, importance on the same words {importance:.3}.\n\
             Change importance over {} changes: rank correlation {:.3}.\n",
            self.history,
            self.pages.len(),
            self.failed,
            of(self.agree),
            self.level,
            of(self.same_main),
            self.changes,
            self.change_rank_correlation,
        )
    }
}

/// A share with its 95 % interval (Wilson's).
fn share(count: usize, of: usize) -> Share {
    const Z: f64 = 1.959_963_985;
    let all = of.max(1) as f64;
    let share = count as f64 / all;
    let middle = (share + Z * Z / (2.0 * all)) / (1.0 + Z * Z / all);
    let reach = Z / (1.0 + Z * Z / all) * (share * (1.0 - share) / all + Z * Z / (4.0 * all * all)).sqrt();
    Share { share, ci95: [(middle - reach).max(0.0), (middle + reach).min(1.0)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_wilsons_interval() {
        let share = share(8, 10);
        assert!((share.ci95[0] - 0.4902).abs() < 1e-4 && (share.ci95[1] - 0.9433).abs() < 1e-4, "{share:?}");
    }
}
