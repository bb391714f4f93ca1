//! Separators: the space between blocks that runs across all of them, and how strongly it divides.

use super::{boxes::Rect, extract::Part, sheet::Sheet};

/// Lines of text may reach into each other this far, in pixels, and still be two.
const OVERLAP: f32 = 4.0;
/// How much half of a letter's height of space weighs, and all space at most.
const HALF_LETTER: f32 = 1.0;
const SPACE_MAX: f32 = 6.0;
/// A line drawn across.
const RULE: f32 = 4.0;
/// Another background.
const BACKGROUND: f32 = 2.0;
/// A text twice as large begins: a heading.
const TWICE_AS_LARGE: f32 = 4.0;
/// A bold text begins.
const BOLD: f32 = 1.0;
/// Another part of the page by its own words: from navigation to the main part.
const LANDMARK: f32 = 3.0;

/// The direction in which blocks follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    Down,
    Across,
}

impl Axis {
    fn ends(self, rect: Rect) -> (f32, f32) {
        match self {
            Axis::Down => (rect.y, rect.bottom()),
            Axis::Across => (rect.x, rect.right()),
        }
    }
}

/// Parts that nothing separates in one direction, in the order they stand.
pub(super) type Band = Vec<Part>;

/// The bands of some parts, and the weight of each separator between two of them.
#[derive(Debug)]
pub(super) struct Bands {
    pub(super) bands: Vec<Band>,
    pub(super) weights: Vec<u8>,
}

impl Bands {
    /// What the paper does by splitting and shrinking separators, block by block, with one look along the axis.
    pub(super) fn along(axis: Axis, sheet: &Sheet<'_>, parts: &[Part]) -> Bands {
        let mut ordered = parts.to_vec();
        ordered.sort_by(|one, two| axis.ends(one.extent).0.total_cmp(&axis.ends(two.extent).0));
        let (mut bands, mut separators): (Vec<Band>, Vec<Separator>) = (Vec::new(), Vec::new());
        let mut reach = f32::NEG_INFINITY;
        for part in ordered {
            let (start, end) = axis.ends(part.extent);
            match bands.last_mut() {
                Some(band) if start < reach - OVERLAP.min((end - start) / 2.0) => band.push(part),
                before => {
                    if let Some(before) = before {
                        separators.push(Separator::between(sheet, axis, before, &part, start - reach));
                    }
                    bands.push(vec![part]);
                }
            }
            reach = reach.max(end);
        }
        Bands { bands, weights: weights(&separators) }
    }

    pub(super) fn heaviest(&self) -> Option<u8> {
        self.weights.iter().copied().max()
    }
}

/// A space, and what it stands between.
struct Separator {
    weight: f32,
    /// Whether a heading follows it.
    above_heading: bool,
    /// Whether a heading precedes it.
    below_heading: bool,
}

/// How strongly each separator divides. A heading belongs to what follows it as closely as that holds together.
fn weights(separators: &[Separator]) -> Vec<u8> {
    let weight = |at: usize| match (&separators[at], separators.get(at + 1)) {
        (this, Some(next)) if this.below_heading && !next.above_heading => this.weight.min(next.weight),
        (this, _) if this.below_heading => 0.0,
        (this, _) => this.weight,
    };
    (0..separators.len()).map(|at| weight(at).round().max(0.0) as u8).collect()
}

impl Separator {
    /// What divides what is before a space from what begins after it.
    fn between(sheet: &Sheet<'_>, axis: Axis, before: &[Part], after: &Part, space: f32) -> Separator {
        let last = before.iter().max_by(|one, two| axis.ends(one.extent).1.total_cmp(&axis.ends(two.extent).1));
        let last = last.unwrap_or(after);
        let [above, below] = [last, after].map(|part| Face::of(sheet, part));
        let letter = above.font_size.min(below.font_size).max(1.0);
        let mut weight = (space / letter * 2.0 * HALF_LETTER).clamp(0.0, SPACE_MAX);
        if has_rule(sheet, axis, last, after) {
            weight += RULE;
        }
        if above.background != below.background {
            weight += BACKGROUND;
        }
        if above.landmark != below.landmark {
            weight += LANDMARK;
        }
        let heading = |one: &Face, two: &Face| if axis == Axis::Down { one.stands_out_from(two) } else { 0.0 };
        let [down, up] = [heading(&below, &above), heading(&above, &below)];
        let same_part = above.landmark == below.landmark;
        Separator { weight: weight + down, above_heading: down > 0.0, below_heading: up > 0.0 && same_part }
    }
}

fn has_rule(sheet: &Sheet<'_>, axis: Axis, before: &Part, after: &Part) -> bool {
    let (from, to) = (axis.ends(before.extent).1 - OVERLAP, axis.ends(after.extent).0 + OVERLAP);
    axis == Axis::Down
        && sheet.rules_from(from).take_while(|rule| rule.y <= to).any(|rule| {
            let beside = rule.right() < after.extent.x || rule.x > after.extent.right();
            rule.bottom() <= to && !beside
        })
}

/// What is seen of a part next to a separator.
struct Face {
    font_size: f32,
    bold: bool,
    background: [u8; 3],
    landmark: Option<u32>,
}

/// From this weight on letters are bold.
const BOLD_FROM: f32 = 600.0;

impl Face {
    /// By how much the letters are larger or bolder; 0 if they are not.
    fn stands_out_from(&self, other: &Face) -> f32 {
        let larger = (self.font_size / other.font_size.max(1.0)).clamp(0.25, 4.0).log2();
        let bolder = if self.bold && !other.bold { BOLD } else { 0.0 };
        if larger < 0.0 { 0.0 } else { TWICE_AS_LARGE * larger + bolder }
    }

    /// By the first thing that shows in it.
    fn of(sheet: &Sheet<'_>, part: &Part) -> Face {
        let shows = |at: &u32| {
            let facts = &sheet.facts[*at as usize];
            facts.children.is_empty() && !facts.extent.is_empty()
        };
        let at = (part.first..part.end).find(shows).unwrap_or(part.first);
        let (look, facts) = (sheet.node(at).look, &sheet.facts[at as usize]);
        Face {
            font_size: look.font_size,
            bold: look.font_weight >= BOLD_FROM,
            background: facts.background,
            landmark: facts.landmark,
        }
    }
}
