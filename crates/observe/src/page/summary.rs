//! A difference in a few lines, for a change feed.

use super::{
    compare::Compared,
    delta,
    element::Element,
    layout::{Layout, Role},
};
use serde::{Deserialize, Serialize};

/// ChangedPart blocks that are told of, the most important ones.
pub const CHANGES_MAX: usize = 8;
/// Bytes quoted of a text, and of a heading.
pub const EXCERPT_MAX: usize = 240;
/// Stands for what is left out.
const ELLIPSIS: &str = " … ";

/// What happened to a block as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PartKind {
    Inserted,
    Deleted,
    Updated,
    Moved,
}

/// One block that changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangedPart {
    pub kind: PartKind,
    pub role: Role,
    /// The innermost landmark it is in, if any: navigation, the main part, an article.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub landmark: Option<Role>,
    /// The heading it stands under, if any.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub heading: String,
    /// What it adds to the importance of the whole.
    pub importance: f64,
    /// Words that are gone; if there are none, the links or images that are.
    pub before: String,
    /// Words that came; if there are none, the links or images that did.
    pub after: String,
    /// Its number in the old and in the new version, as in the delta.
    #[serde(default, skip)]
    pub blocks: [Option<u32>; 2],
}

/// The most important of the changed blocks; those without any importance are left out.
pub(super) fn changed(compared: &[Compared<'_>], importance: &[f64]) -> Vec<ChangedPart> {
    let mut order: Vec<usize> = (0..compared.len()).filter(|at| importance[*at] > 0.0).collect();
    // Sorting is stable: of equals the first on the page comes first.
    order.sort_by(|one, two| importance[*two].total_cmp(&importance[*one]));
    order.truncate(CHANGES_MAX);
    order.into_iter().map(|at| describe(&compared[at], importance[at])).collect()
}

fn describe(compared: &Compared<'_>, importance: f64) -> ChangedPart {
    let [before, after] = excerpts(compared);
    let place = compared.new.or(compared.old);
    let kind = match (compared.old, compared.new) {
        (None, _) => PartKind::Inserted,
        (_, None) => PartKind::Deleted,
        _ if compared.before() == compared.after() => PartKind::Moved,
        _ => PartKind::Updated,
    };
    let role = place.map_or(Role::Text, |(layout, at)| layout.block(at as usize).shape().role);
    let heading = place.map(|(layout, at)| heading(layout, at)).unwrap_or_default();
    let landmark = place.and_then(|(layout, at)| landmark(layout, at));
    let blocks = [compared.old, compared.new].map(|block| block.map(|(_, at)| at));
    ChangedPart { kind, role, landmark, heading, importance, before, after, blocks }
}

/// The innermost landmark a block is, or is inside of.
fn landmark(layout: &Layout, at: u32) -> Option<Role> {
    let mut inside = u16::MAX;
    let around = (0..=at as usize).rev().map(|at| layout.block(at).shape()).filter(|shape| {
        let outer = shape.depth < inside;
        inside = inside.min(shape.depth);
        outer
    });
    around.map(|shape| shape.role).find(|role| role.is_landmark())
}

/// What is gone and what came, of the first sort of elements that tells.
fn excerpts(compared: &Compared<'_>) -> [String; 2] {
    let (before, after) = (compared.before(), compared.after());
    let differs = Element::ALL.into_iter().find(|element| before[*element as usize] != after[*element as usize]);
    let Some(element) = differs else { return [excerpt([before[0]]), excerpt([after[0]])] };
    let hunks = delta::hunks(before[element as usize], after[element as usize], element);
    [excerpt(hunks.iter().map(|hunk| hunk.removed.as_str())), excerpt(hunks.iter().map(|hunk| hunk.inserted.as_str()))]
}

/// The beginning of what these pieces say.
fn excerpt<'p>(pieces: impl IntoIterator<Item = &'p str>) -> String {
    let mut out = String::new();
    for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
        if !out.is_empty() {
            out.push_str(ELLIPSIS);
        }
        let room = EXCERPT_MAX.saturating_sub(out.len());
        if piece.len() > room {
            out.push_str(&piece[..piece.floor_char_boundary(room)]);
            out.truncate(out.trim_end().len());
            out.push('…');
            break;
        }
        out.extend(piece.chars().map(|char| if char == '\n' { ' ' } else { char }));
    }
    out
}

/// The heading a block stands under: the nearest before it that is not deeper, or is first in what it is inside of.
fn heading(layout: &Layout, at: u32) -> String {
    let mut depth = layout.block(at as usize).shape().depth;
    for block in (0..at as usize).rev().map(|at| layout.block(at)) {
        let shape = block.shape();
        if shape.role == Role::Heading && shape.depth <= depth {
            return excerpt([block.of(Element::Text)]);
        }
        depth = depth.min(shape.depth);
    }
    String::new()
}
