//! Ours above the pages: what is not worth its requests is left alone.
//!
//! A page is worth the chance that it has changed, by all that is known at the moment ([`Activity`]), so what the first
//! pages of a capture show decides on the rest. The price of a request is learned: the highest at which no more of the
//! changes are expected to be lost than a person allows, by what was lost before where so much was expected. Nothing is left
//! alone for ever: a directory nobody looked into for a while is looked into, and so is one in which pages are born. Some of
//! what is left alone is looked at by lot ([`super::two_tier`]), so that an edit of everything is noticed.
//!
//! [`Activity`]: tintype_learn::directory::DirectoryActivity

use super::two_tier::{Aside, SiteLevel, SoFar};
use hashbrown::HashMap;
use tintype_learn::directory::{DirectoryId, Memory, UNLIKELY};
use tintype_vocab::Time;

/// Gaps between captures after which a directory that was left alone is looked into.
const PROBE_AFTER_GAPS: f64 = 4.0;

/// What a request has to bring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Price {
    /// The highest at which hardly anything is lost.
    Learned,
    /// So many changes.
    Fixed(f64),
}

/// What is chosen as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    Pages,
    /// Whole directories with everything below them, as WARM does.
    Directories,
}

#[derive(Debug)]
pub(super) struct Skip {
    price: Price,
    grain: Grain,
}

impl Skip {
    pub(super) fn new(price: Price, grain: Grain) -> Skip {
        Skip { price, grain }
    }

    fn pages(&self, worths: &[Worth], so_far: &SoFar<'_>) -> Vec<usize> {
        let mut places: Vec<usize> = (0..worths.len()).collect();
        let value = |place: &usize| worths[*place].value();
        places.sort_by(|a, b| value(b).total_cmp(&value(a)).then(a.cmp(b)));
        let enough = match self.price {
            Price::Fixed(price) => places.partition_point(|place| value(place) >= price),
            Price::Learned => affordable(&places, worths, so_far),
        };
        places.truncate(enough);
        places
    }

    /// Those that are wanted whatever others show, and some of the rest, the likeliest first, to hear what they show.
    fn next_pages(&self, worths: &[Worth], so_far: &SoFar<'_>) -> Vec<usize> {
        let mut places = self.pages(worths, so_far);
        let likely = places.partition_point(|place| worths[*place].value() >= UNLIKELY);
        places.truncate(likely.max(so_far.step.saturating_sub(so_far.wanted)));
        places
    }

    /// The best choice of whole directories: one is entered if what it and the entered ones below it bring is more than
    /// they cost.
    fn directories(&self, aside: &[Aside], worths: &[Worth], so_far: &SoFar<'_>) -> Vec<usize> {
        let shape = so_far.memory.shape();
        let price = match self.price {
            Price::Fixed(price) => price,
            Price::Learned => self.pages(worths, so_far).last().map_or(f64::MAX, |place| worths[*place].value()),
        };
        let mut gain = vec![0.0; shape.directories()];
        for (aside, worth) in aside.iter().zip(worths) {
            gain[aside.directory.0 as usize] += worth.value() - price;
        }
        for directory in (1..gain.len()).rev() {
            let parent = shape.parent(DirectoryId(directory as u32)).expect("only the root has none");
            gain[parent.0 as usize] += f64::max(gain[directory], 0.0);
        }
        let entered = |directory| shape.ancestors(directory).all(|above| gain[above.0 as usize] > 0.0);
        let worth = |place: &usize| gain[aside[*place].directory.0 as usize];
        let places = (0..aside.len()).filter(|place| entered(aside[*place].directory));
        let Some(best) = places.max_by(|a, b| worth(a).total_cmp(&worth(b))) else { return Vec::new() };
        // One at a time, with what leads to it: what it shows is heard before the next is entered.
        let way: Vec<DirectoryId> = shape.ancestors(aside[best].directory).collect();
        let on_the_way = |(place, aside): (usize, &Aside)| way.contains(&aside.directory).then_some(place);
        aside.iter().enumerate().filter_map(on_the_way).collect()
    }
}

impl SiteLevel for Skip {
    fn wanted(&mut self, aside: &[Aside], so_far: &SoFar<'_>) -> Vec<usize> {
        let worths = worths(aside, so_far);
        match self.grain {
            Grain::Pages => self.next_pages(&worths, so_far),
            Grain::Directories => self.directories(aside, &worths, so_far),
        }
    }

    /// A fixed price is paid whatever is lost; who promises something looks whether it is kept.
    fn draws_lots(&self) -> bool {
        self.price == Price::Learned
    }

    fn rule(&self, directory: DirectoryId, memory: &Memory) -> Option<String> {
        let (bitmaps, all) = (memory.bitmaps(), memory.bitmaps().transitions());
        let changed = bitmaps.together(&[directory], 0..all);
        Some(format!("it changed {changed} of {all} times before"))
    }
}

/// How many of the likeliest pages must be visited so that what is left loses little, as far as the budget goes.
fn affordable(places: &[usize], worths: &[Worth], so_far: &SoFar<'_>) -> usize {
    let mut left: f64 = worths.iter().map(|worth| worth.changes).sum();
    let all = so_far.found + so_far.coming + left;
    let mut enough = 0;
    for place in places {
        let lost = so_far.lost_per_expected * left;
        // Who wants to lose nothing asks for everything, whatever is expected.
        if so_far.loss > 0.0 && lost <= so_far.loss * (all - left + lost) && !worths[*place].is_due {
            break;
        }
        left -= worths[*place].changes;
        enough += 1;
    }
    let requests = so_far.requests_left.map_or(usize::MAX, |left| (left as usize).saturating_sub(so_far.wanted));
    enough.min(requests)
}

/// What looking at a page brings.
#[derive(Clone, Copy, Debug)]
struct Worth {
    /// Changes: its own, and what is born beside it if nobody looked there.
    changes: f64,
    /// Its directory was left alone for long.
    is_due: bool,
}

impl Worth {
    /// What is compared with a price.
    fn value(&self) -> f64 {
        if self.is_due { self.changes + 1.0 } else { self.changes }
    }
}

/// What looking at each page brings. Of every directory that was not looked into yet the likeliest page stands for it.
fn worths(aside: &[Aside], so_far: &SoFar<'_>) -> Vec<Worth> {
    let mut worths: Vec<Worth> =
        aside.iter().map(|aside| Worth { changes: f64::from(aside.chance), is_due: false }).collect();
    let mut best: HashMap<DirectoryId, usize> = HashMap::new();
    for (place, page) in aside.iter().enumerate().filter(|(_, page)| !so_far.round.looked_into(page.directory)) {
        let best = best.entry(page.directory).or_insert(place);
        if page.chance > aside[*best].chance {
            *best = place;
        }
    }
    let activity = so_far.memory.activity();
    // A clock that was set back in between counts as no time.
    let days_since = |time: Option<Time>| time.map_or(0.0, |time| (so_far.round.at() - time).as_days_f64().max(0.0));
    let (since_capture, long) = (days_since(so_far.memory.last()), PROBE_AFTER_GAPS * activity.gap_days());
    for (directory, place) in best {
        worths[place].is_due = days_since(activity.last_seen(aside[place].number)) > long;
        worths[place].changes += activity.births(directory, since_capture);
    }
    worths
}
