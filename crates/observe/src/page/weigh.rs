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
/// Between nothing but markup and nothing but text.
const DENSE: f32 = 1.0;
/// What the rest of the site has as well.
const TEMPLATE: f32 = -4.0;

/// How much being this, or inside of this, makes a block worth reading.
fn worth(role: Role) -> f32 {
    match role {
        Role::Main | Role::Article => 1.2,
        Role::Heading | Role::Title => 0.6,
        Role::Navigation | Role::Footer => -3.0,
        Role::Advertisement => -4.0,
        Role::Aside => -1.5,
        Role::Header => -1.0,
        _ => 0.0,
    }
}

/// The importance of each block, not yet normalised.
pub(super) fn weights(page: &Segmented, is_template: &dyn Fn(u64) -> bool) -> Vec<f32> {
    let all = page.measures.iter().fold([0.0, 0.0], |[words, linked], measure| {
        [words + measure.words as f32, linked + measure.linked_words as f32]
    });
    let usual_links = all[1] / f32::max(all[0], 1.0);
    let mut zones: Vec<Zone> = Vec::new();
    let count = page.layout.len().max(2) as f32 - 1.0;
    let weight = |(at, (block, measure)): (usize, (_, &Measure))| {
        let block: super::Block<'_> = block;
        let worth = zone(&mut zones, block.shape());
        if block.is_bare() {
            return 0.0;
        }
        let template = if is_template(block.fingerprint()) { TEMPLATE } else { 0.0 };
        let linked = (measure.linked_words as f32 / measure.words.max(1) as f32 - usual_links).max(0.0);
        let (late, aside) = measure.sight.map_or((at as f32 / count, 0.0), |sight| (sight.down, sight.aside));
        let dense = (block.of(Element::Text).len() as f32 / measure.source.max(1) as f32).min(1.0);
        let sum = BIAS + worth + template + LATE * late + ASIDE * aside + LINKED * linked + DENSE * dense;
        let images = items(block.of(Element::Image), Element::Image).count() as f32;
        let size = 1.0 + measure.sight.map_or(measure.words as f32 + IMAGE_WORDS * images, |sight| sight.room);
        size.powf(SIZE_POWER) / (1.0 + (-sum).exp())
    };
    page.layout.blocks().zip(&page.measures).enumerate().map(weight).collect()
}

/// An open block and what being inside of it is worth.
#[derive(Clone, Copy)]
struct Zone {
    depth: u16,
    role: Role,
    worth: f32,
}

/// What a block is worth for what it is and what it is inside of.
fn zone(zones: &mut Vec<Zone>, shape: super::Shape) -> f32 {
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
