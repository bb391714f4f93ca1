//! Block importance without rendering: what a block is, how much is in it, where it stands, and how much of it leads
//! elsewhere.
//!
//! The judgement is a logistic function of a few features (those of Song et al., WWW 2004, that the source shows), times
//! the size of the block. Navigation that a page consists of is its content: link density counts against the page's own.

use super::{
    element::{Element, items},
    layout::Role,
    read::Segmented,
    segment::Measure,
};

/// Size counts somewhat less than in proportion: a long table is not all that a page is about.
const SIZE_POWER: f32 = 0.75;
/// An image takes the room of so many words.
const IMAGE_WORDS: f32 = 10.0;
/// What every block starts with.
const BIAS: f32 = 0.5;
/// Between the first and the last block.
const LATE: f32 = -0.8;
/// Between the middle of a page and its edges, where it was drawn.
const ASIDE: f32 = -1.0;
/// Between no and only links, where the rest of the page has none.
const LINKED: f32 = -2.5;
/// What is left of that in lists and tables, which are made of links more often than sentences are.
const LISTED: f32 = 0.5;
/// Between nothing but markup and nothing but text.
const DENSE: f32 = 1.0;
/// What the rest of the site has as well.
const TEMPLATE: f32 = -4.0;

/// What readers care for what they do not see: words that wait for a click or a script, data that a script shows, and
/// what is said to search engines, by its name.
const HIDDEN: f32 = 0.15;
const DATA: f32 = 0.5;
const METADATA: [(&str, f32); 5] =
    [("robots:", 0.6), ("canonical:", 0.4), ("language:", 0.4), ("description:", 0.3), ("keywords:", 0.05)];

/// What a block that is not shown is worth.
fn unshown(block: super::Block<'_>) -> f32 {
    let text = block.of(Element::Text);
    match block.shape().role {
        Role::Hidden => HIDDEN,
        Role::Data => DATA,
        _ => METADATA.iter().find(|(name, _)| text.starts_with(name)).map_or(HIDDEN, |(_, worth)| *worth),
    }
}

/// How much being this, or inside of this, makes a block worth reading.
fn worth(role: Role) -> f32 {
    match role {
        Role::Main | Role::Article => 1.2,
        Role::Heading | Role::Title => 0.6,
        Role::Footer => -3.0,
        Role::Navigation => -2.0,
        Role::Advertisement => -4.0,
        Role::Aside => -1.5,
        Role::Header => -1.0,
        _ => 0.0,
    }
}

/// The importance of each block, not yet normalised: its worth times its size.
pub(super) fn weights(page: &Segmented, is_template: &dyn Fn(u64) -> bool) -> Vec<f32> {
    let size = |(block, measure): (super::Block<'_>, &Measure)| {
        let images = items(block.of(Element::Image), Element::Image).count() as f32;
        let room = measure.sight.map_or(measure.words as f32 + IMAGE_WORDS * images, |sight| sight.room);
        (1.0 + room).powf(SIZE_POWER)
    };
    let sizes = page.layout.blocks().zip(&page.measures).map(size);
    worths(page, is_template).into_iter().zip(sizes).map(|(worth, size)| worth * size).collect()
}

/// How likely it is that a reader cares for what a block says, whatever its size.
pub(super) fn worths(page: &Segmented, is_template: &dyn Fn(u64) -> bool) -> Vec<f32> {
    let mut zones: Vec<Zone> = Vec::new();
    let zones: Vec<f32> = page.layout.blocks().map(|block| zone(&mut zones, block.shape())).collect();
    let share = |words: fn(&Measure, f32) -> u32| -> f32 {
        let all = page.measures.iter().map(|measure| measure.words).sum::<u32>().max(1);
        let some = page.measures.iter().zip(&zones).map(|(measure, zone)| words(measure, *zone)).sum::<u32>();
        some as f32 / all as f32
    };
    let usual_links = share(|measure, _| measure.linked_words);
    // What most of a page is inside of is what it is for, whatever it is called.
    let beside = (2.0 * share(|measure, zone| if zone < 0.0 { 0 } else { measure.words })).min(1.0);
    let count = page.layout.len().max(2) as f32 - 1.0;
    let worth = |(at, ((block, measure), zone)): (usize, ((super::Block<'_>, &Measure), &f32))| {
        if block.is_bare() {
            return 0.0;
        }
        if !block.shape().role.is_shown() {
            return unshown(block);
        }
        let zone = if *zone < 0.0 { zone * beside } else { *zone };
        let template = if is_template(block.fingerprint()) { TEMPLATE } else { 0.0 };
        let linked = (measure.linked_words as f32 / measure.words.max(1) as f32 - usual_links).max(0.0);
        let listed = if block.shape().role.is_listed() { LISTED } else { 1.0 };
        let (late, aside) = measure.sight.map_or((at as f32 / count, 0.0), |sight| (sight.down, sight.aside));
        let dense = (block.of(Element::Text).len() as f32 / measure.source.max(1) as f32).min(1.0);
        // What stands beside the content, or on every page, is worth the same wherever it stands.
        if zone < 0.0 || template < 0.0 {
            return logistic(BIAS + zone + template);
        }
        let sum = BIAS + zone + LATE * late + ASIDE * aside + LINKED * listed * linked + DENSE * dense;
        logistic(sum)
    };
    page.layout.blocks().zip(&page.measures).zip(&zones).enumerate().map(worth).collect()
}

fn logistic(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}

/// The texts that are likelier read than not, in order; all of them if none is.
pub(crate) fn main_texts(page: &Segmented) -> Vec<&str> {
    let worths = worths(page, &|_| false);
    let shown = |(block, worth)| {
        let block: super::Block<'_> = block;
        block.shape().role.is_shown().then(|| (block.of(Element::Text), worth))
    };
    let texts = || page.layout.blocks().zip(&worths).filter_map(shown);
    let read = |least: f32| -> Vec<&str> {
        texts().filter(|(text, worth)| !text.is_empty() && **worth > least).map(|(text, _)| text).collect()
    };
    let main = read(0.5);
    if main.is_empty() { read(0.0) } else { main }
}

/// An open block and what being inside of it is worth.
#[derive(Clone, Copy)]
struct Zone {
    depth: u16,
    role: Role,
    worth: f32,
}

/// What a block is worth for what it is and what it is inside of.
fn zone(zones: &mut Vec<Zone>, shape: super::BlockShape) -> f32 {
    while zones.last().is_some_and(|zone| zone.depth >= shape.depth) {
        zones.pop();
    }
    let around = zones.last().copied();
    // The header of an article is its headline, not that of the site.
    let in_article = around.is_some_and(|around| matches!(around.role, Role::Main | Role::Article));
    let own = if in_article && shape.role == Role::Header { 0.0 } else { worth(shape.role) };
    let worth = match around {
        Some(around) if own >= 0.0 && around.worth < 0.0 => around.worth,
        Some(around) if own >= 0.0 => around.worth.max(own),
        _ => own,
    };
    let role = match (shape.role, around) {
        (Role::Main | Role::Article, _) | (_, None) => shape.role,
        (_, Some(around)) => around.role,
    };
    zones.push(Zone { depth: shape.depth, role, worth });
    worth
}
