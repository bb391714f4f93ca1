//! A difference in a few lines, for a change feed.

use super::{
    class::PartClass,
    compare::{Compared, Part},
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
    #[serde(default)]
    pub class: PartClass,
    pub role: Role,
    /// What is said, where it has a name beside the page: `robots`, `description`, `canonical`, `language`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
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

/// The most important of the changed blocks, and how many more there are; those without any importance are left out.
pub(super) fn changed(compared: &[Compared<'_>], parts: &[Part]) -> (Vec<ChangedPart>, u32) {
    let mut order: Vec<usize> = (0..compared.len()).filter(|at| parts[*at].0 > 0.0).collect();
    // Sorting is stable: of equals the first on the page comes first.
    order.sort_by(|one, two| parts[*two].0.total_cmp(&parts[*one].0));
    let more = order.len().saturating_sub(CHANGES_MAX) as u32;
    order.truncate(CHANGES_MAX);
    (order.into_iter().map(|at| describe(&compared[at], parts[at])).collect(), more)
}

fn describe(compared: &Compared<'_>, (importance, class): Part) -> ChangedPart {
    let [mut before, mut after] = excerpts(compared);
    let place = compared.new.or(compared.old);
    let kind = match (compared.old, compared.new) {
        (None, _) => PartKind::Inserted,
        (_, None) => PartKind::Deleted,
        _ if compared.before() == compared.after() && class != PartClass::Visibility => PartKind::Moved,
        _ => PartKind::Updated,
    };
    let role = compared.role();
    let mut name = String::new();
    if role == Role::Metadata {
        [before, after] = [compared.before(), compared.after()].map(|all| {
            let (called, value) = all[0].split_once(' ').unwrap_or((all[0], ""));
            name = if called.is_empty() { std::mem::take(&mut name) } else { called.trim_end_matches(':').to_owned() };
            excerpt([value])
        });
    } else if class == PartClass::Visibility && before == after {
        let was_hidden =
            compared.old.is_some_and(|(layout, at)| layout.block(at as usize).shape().role == Role::Hidden);
        (if was_hidden { &mut before } else { &mut after }).clear();
    }
    let heading = place.map(|(layout, at)| heading(layout, at)).unwrap_or_default();
    let landmark = place.and_then(|(layout, at)| landmark(layout, at));
    let blocks = [compared.old, compared.new].map(|block| block.map(|(_, at)| at));
    ChangedPart { kind, class, role, name, landmark, heading, importance, before, after, blocks }
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
        out.extend(piece.chars().map(|char| if matches!(char, '\n' | '\t') { ' ' } else { char }));
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
