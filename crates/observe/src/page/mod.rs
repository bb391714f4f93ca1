//! Pages as people see them: blocks, what changed from one version to the next, and whether it matters.
//!
//! A page is segmented into a hierarchy of blocks without rendering it ([`Layout`]), two versions are compared block by
//! block ([`Delta`]), and the difference is weighed: by how important the block is, and by how much of it changed.
//! [`compare`] does all three. What a site repeats and which of its words are volatile is learned by [`Habits`]; what is
//! an advertisement is asked through [`Hooks`].

mod apply;
mod atoms;
mod beside;
mod binary;
mod class;
mod compare;
mod delta;
mod document;
mod edits;
mod element;
mod figure;
mod habits;
mod hooks;
mod importance;
mod judgement;
mod layout;
mod matching;
mod news;
mod notation;
mod read;
mod retarget;
mod role;
mod scan;
mod segment;
mod sequence;
mod share;
mod side_by_side;
mod similar;
mod spelling;
mod stamp;
mod steady;
mod summary;
mod vips;
mod weigh;

pub use apply::Mismatch;
pub use atoms::{ATOMS_MAX, URL_KEPT};
pub use binary::binary_importance;
pub use class::PartClass;
pub use compare::{Difference, compare, difference};
pub use delta::{Delta, Operation};
pub use edits::{BlockEdit, same_edits};
pub use element::{Content, Element};
pub use habits::Habits;
pub use hooks::{Field, HookedPage, Hooks};
pub use importance::{BlockChange, Normalisation, PartWeighing, WeighedChange};
pub use judgement::Judgement;
pub use layout::{Block, BlockShape, Layout, Role};
pub use matching::identities;
pub use read::{Segmented, segment, segment_both};
pub use scan::DEPTH_MAX;
pub use sequence::{EDITS_MAX, Hunk};
pub use share::{ADVERTISEMENT, MOVED};
pub use side_by_side::{DiffRow, RowKind, WordRun, lines_side_by_side, side_by_side};
pub use summary::{CHANGES_MAX, ChangedPart, EXCERPT_MAX, PartKind};
pub use vips::{ATTRIBUTES, Boxes, Node, Rect, VisualBox, What, vips};

pub(crate) use weigh::main_texts;

#[cfg(test)]
mod tests;
