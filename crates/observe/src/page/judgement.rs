//! What was found when a version came in, kept with it: one judgement, made once.

use super::{
    class::PartClass,
    compare::Difference,
    layout::Role,
    summary::{ChangedPart, PartKind},
};
use serde::{Deserialize, Serialize};

/// How important a change is, and the parts that make it so.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// 0 to 1: the sum of that of all parts. 0 if nothing that can be read differs.
    pub importance: f64,
    /// The most important parts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ChangedPart>,
    /// How many more there are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: u32,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Judgement {
    /// One file in the place of another, each said in a few words.
    pub fn of_file(importance: f64, before: String, after: String) -> Judgement {
        let part = ChangedPart {
            kind: PartKind::Updated,
            class: PartClass::Document,
            role: Role::Text,
            name: String::new(),
            landmark: None,
            heading: String::new(),
            importance,
            before,
            after,
            blocks: [None, None],
        };
        Judgement { importance, parts: vec![part], more: 0 }
    }

    /// The class of the part that weighs most.
    pub fn class(&self) -> Option<PartClass> {
        self.parts.first().map(|part| part.class)
    }
}

impl From<Difference> for Judgement {
    fn from(difference: Difference) -> Judgement {
        Judgement { importance: difference.importance, parts: difference.changed, more: difference.more }
    }
}
