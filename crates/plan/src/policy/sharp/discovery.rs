//! Which waiting pages lead to new ones, and how large the site will turn out to be.
//!
//! Pages found through pages form generations by their distance from a seed. What visits to a generation brought lately
//! says what its waiting pages will bring, and what those will bring in turn.

use crate::{PageInfo, Pages};
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};
use tintype_vocab::{LinkKind, PageId};

/// A page is worth visiting early if it is likely to lead to this many new ones.
const FRUITFUL: f32 = 0.2;
/// Visits' worth of belief that a directory or a generation is like those before it.
const PRIOR_VISITS: f32 = 1.0;
/// Older visits to a generation count for less: the better a site is known, the fewer new pages are found.
const FADE: f32 = 0.98;
const DIRECTORIES_MAX: usize = 1 << 16;
const GENERATIONS: usize = 24;
/// There is no telling how far it is to the end of a site of which every visit finds more; this many times what is known
/// is said then.
const GROWTH_MAX: f32 = 4.0;
/// From one capture to the next a site may have grown by one page in so many.
const SITES_GROW: usize = 20;

/// What visits to a group of pages brought.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Brought {
    visits: f32,
    new: f32,
    /// New pages that are likely to bring more.
    fruitful: f32,
}

impl Brought {
    fn add(&mut self, new: usize, fruitful: usize) {
        let count = |old: f32, more: usize| old * FADE + more.min(1000) as f32;
        *self = Brought {
            visits: count(self.visits, 1),
            new: count(self.new, new),
            fruitful: count(self.fruitful, fruitful),
        };
    }

    /// New pages per visit, and fruitful ones among them, if it is like another group as long as little is known.
    fn per_visit(self, like: (f32, f32)) -> (f32, f32) {
        let mean = |sum: f32, prior: f32| (sum + PRIOR_VISITS * prior) / (self.visits + PRIOR_VISITS);
        (mean(self.new, like.0), mean(self.fruitful, like.1))
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Discovery {
    site: Brought,
    directories: HashMap<u64, Brought>,
    generations: [Brought; GENERATIONS],
    /// Fruitful pages that wait, by generation.
    waiting: [u32; GENERATIONS],
    /// Pages that became known since the last visit was settled, and fruitful ones among them.
    fresh: (usize, usize),
}

fn generation(depth: u16) -> usize {
    usize::from(depth).min(GENERATIONS - 1)
}

impl Discovery {
    /// Whether a page is likely to lead to new ones: it may carry links by its name, and its neighbours did.
    pub(super) fn is_fruitful(&self, page: PageId, pages: &Pages) -> bool {
        may_lead_on(pages.get(page)) && self.expected(directory(pages.url(page))) >= FRUITFUL
    }

    fn expected(&self, directory: u64) -> f32 {
        let Some(brought) = self.directories.get(&directory) else { return FRUITFUL };
        brought.per_visit(self.site.per_visit((1.0, 1.0))).0
    }

    /// A page became known. What a sitemap lists was not found through links, and says nothing of what links bring.
    pub(super) fn known(&mut self, page: &PageInfo, fruitful: bool) {
        let linked = usize::from(page.kind != LinkKind::Listed);
        self.fresh.0 += linked;
        self.fresh.1 += linked * usize::from(fruitful);
    }

    /// A page waits for its visit.
    pub(super) fn waits(&mut self, page: &PageInfo, fruitful: bool) {
        self.waiting[generation(page.depth)] += u32::from(fruitful);
    }

    /// A page that was thought fruitful waits no longer, or is no longer thought so.
    pub(super) fn gone(&mut self, depth: u16) {
        let waiting = &mut self.waiting[generation(depth)];
        *waiting = waiting.saturating_sub(1);
    }

    /// A page that may carry links was visited.
    pub(super) fn visited(&mut self, url: &str, depth: u16) {
        let (new, fruitful) = std::mem::take(&mut self.fresh);
        self.site.add(new, fruitful);
        self.generations[generation(depth)].add(new, fruitful);
        if self.directories.len() < DIRECTORIES_MAX {
            self.directories.entry(directory(url)).or_default().add(new, fruitful);
        }
    }

    /// Whether too few pages that may carry links were seen to say what the others bring.
    pub(super) fn knows_little(&self) -> bool {
        self.site.visits < 4.0 * PRIOR_VISITS
    }

    /// Pages of the site when all is done. What the last capture knew is believed as long as there is somewhere left for
    /// it to come from.
    pub(super) fn size(&self, known: usize, expected: usize) -> usize {
        let most = GROWTH_MAX * (known + expected) as f32;
        let to_come = self.to_come(most);
        let room = (expected.saturating_sub(known) + known / SITES_GROW) as f32;
        // Two witnesses who disagree are met half way, as ratios go.
        let to_come = if expected > 0 { (to_come * room).sqrt().min(room) } else { to_come };
        known + to_come as usize
    }

    /// Pages that will be found through those that wait, and through these in turn.
    fn to_come(&self, most: f32) -> f32 {
        let mut like = (2.0, 0.5);
        let rates = self.generations.map(|brought| {
            like = brought.per_visit(like);
            like
        });
        // Below each page of a generation: its own, and what its fruitful ones bring.
        let (mut below, mut sum) = (0.0f32, 0.0);
        for (waiting, (new, fruitful)) in self.waiting.iter().zip(rates).rev() {
            below = (new + fruitful * below).min(most);
            sum += *waiting as f32 * below;
        }
        sum.min(most)
    }
}

/// Whether a page may carry links, by how it is called and linked.
pub(super) fn may_lead_on(page: &PageInfo) -> bool {
    page.kind != LinkKind::Embed && page.media_guess.may_lead_on()
}

/// Host and path up to the last slash.
fn directory(url: &str) -> u64 {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let end = path.trim_end_matches('/').rfind('/').map_or(path.len(), |slash| slash + 1);
    rapidhash::v3::rapidhash_v3(&path.as_bytes()[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_last_capture_knew_is_believed_while_it_can_still_come() {
        let mut discovery = Discovery::default();
        discovery.waiting[1] = 50;
        assert_eq!(discovery.size(50, 0), 249);
        assert_eq!(discovery.size(50, 200), 202);
        for _ in 0..50 {
            discovery.fresh = (0, 0);
            discovery.visited("http://e.com/a", 1);
            discovery.gone(1);
        }
        assert_eq!(discovery.size(50, 1000), 50);
    }

    #[test]
    fn pages_near_the_entrance_hide_more_than_those_far_below() {
        let (mut near, mut far) = (Discovery::default(), Discovery::default());
        for (discovery, depth) in [(&mut near, 1), (&mut far, 3)] {
            for below in 1..4u16 {
                for _ in 0..50 {
                    discovery.fresh = if below < 3 { (8, 4) } else { (8, 0) };
                    discovery.visited("http://e.com/a", below);
                }
            }
            discovery.waiting[depth] = 1;
        }
        assert!(near.size(1000, 0) > 1100 && far.size(1000, 0) < 1020, "{near:?} {far:?}");
    }

    #[test]
    fn a_directory_that_led_nowhere_is_left_for_later() {
        let mut discovery = Discovery::default();
        for _ in 0..60 {
            discovery.fresh = (5, 5);
            discovery.visited("http://e.com/list/1.html", 1);
            discovery.fresh = (0, 0);
            discovery.visited("http://e.com/archive/1.html", 2);
        }
        assert!(discovery.expected(directory("http://e.com/list/2.html")) >= FRUITFUL);
        assert!(discovery.expected(directory("http://e.com/archive/2.html")) < FRUITFUL);
        assert!(discovery.expected(directory("http://e.com/unseen/2.html")) >= FRUITFUL);
    }
}
