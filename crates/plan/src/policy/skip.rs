//! Ours above the pages: what is not worth its requests is left alone.
//!
//! A page is worth the chance that it has changed, by all that is known at the moment ([`Activity`]), so what the first
//! pages of a capture show decides on the rest. The price of a request is learned: the highest at which no more than one
//! change in twenty is expected to be lost. Nothing is left alone for ever: a directory nobody looked into for a while is
//! looked into, and so is one in which pages are born.
//!
//! [`Activity`]: tintype_learn::directory::DirectoryActivity

use super::two_tier::{Aside, SiteLevel, SoFar};
use hashbrown::HashMap;
use tintype_learn::directory::{DirectoryId, Memory};
use tintype_vocab::Time;

/// Changes that may be lost of those there are.
const LOSS_SHARE: f64 = 0.05;
/// A page less likely to have changed than this is not worth a request, however little there is to lose.
const PRICE_MIN: f64 = 0.002;
/// Pages likelier than this are visited whatever others show.
const LIKELY: f64 = 0.5;
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

    fn pages(&self, values: &[f64], so_far: &SoFar<'_>) -> Vec<usize> {
        let mut places: Vec<usize> = (0..values.len()).collect();
        places.sort_by(|a, b| values[*b].total_cmp(&values[*a]).then(a.cmp(b)));
        let enough = match self.price {
            Price::Fixed(price) => places.partition_point(|place| values[*place] >= price),
            Price::Learned => affordable(&places, values, so_far),
        };
        places.truncate(enough);
        places
    }

    /// Those that are wanted whatever others show, and some of the rest, the likeliest first, to hear what they show.
    fn next_pages(&self, values: &[f64], so_far: &SoFar<'_>) -> Vec<usize> {
        let mut places = self.pages(values, so_far);
        let likely = places.partition_point(|place| values[*place] >= LIKELY);
        places.truncate(likely.max(so_far.step.saturating_sub(so_far.wanted)));
        places
    }

    /// The best choice of whole directories: one is entered if what it and the entered ones below it bring is more than
    /// they cost.
    fn directories(&self, aside: &[Aside], values: &[f64], so_far: &SoFar<'_>) -> Vec<usize> {
        let shape = so_far.memory.shape();
        let price = match self.price {
            Price::Fixed(price) => price,
            Price::Learned => self.pages(values, so_far).last().map_or(f64::MAX, |place| values[*place]),
        };
        let mut gain = vec![0.0; shape.directories()];
        for (aside, value) in aside.iter().zip(values) {
            gain[aside.directory.0 as usize] += value - price;
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
        let mut values: Vec<f64> = aside.iter().map(|aside| f64::from(aside.chance)).collect();
        for (place, bonus) in looks_into(aside, so_far) {
            values[place] += bonus;
        }
        match self.grain {
            Grain::Pages => self.next_pages(&values, so_far),
            Grain::Directories => self.directories(aside, &values, so_far),
        }
    }

    fn rule(&self, directory: DirectoryId, memory: &Memory) -> Option<String> {
        let (bitmaps, all) = (memory.bitmaps(), memory.bitmaps().transitions());
        let changed = bitmaps.together(&[directory], 0..all);
        Some(format!("it changed {changed} of {all} times before"))
    }
}

/// How many of the likeliest pages must be visited so that what is left loses little, as far as the budget goes.
fn affordable(places: &[usize], values: &[f64], so_far: &SoFar<'_>) -> usize {
    let mut left: f64 = values.iter().map(|value| value.min(1.0)).sum();
    let may_be_lost = LOSS_SHARE * (so_far.found + so_far.coming + left);
    let mut enough = 0;
    for place in places {
        if left <= may_be_lost || values[*place] < PRICE_MIN {
            break;
        }
        left -= values[*place].min(1.0);
        enough += 1;
    }
    let requests = so_far.requests_left.map_or(usize::MAX, |left| (left as usize).saturating_sub(so_far.wanted));
    enough.min(requests)
}

/// The likeliest page of every directory that was not looked into yet, and what looking into it is worth beside the page:
/// the pages that are born there, and all if it was left alone for long.
fn looks_into(aside: &[Aside], so_far: &SoFar<'_>) -> Vec<(usize, f64)> {
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
    let worth = |(directory, place): (DirectoryId, usize)| {
        let left_alone = days_since(activity.last_seen(aside[place].number)) > long;
        let births = activity.births(directory, since_capture);
        (place, if left_alone { 1.0 } else { births })
    };
    let mut worths: Vec<(usize, f64)> = best.into_iter().map(worth).collect();
    worths.sort_unstable_by_key(|(place, _)| *place);
    worths
}
