//! What sort of thing changed in a part of a page.

use super::layout::Role;
use serde::{Deserialize, Serialize};

/// What sort of thing changed. Of several in one part, the one that weighs most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PartClass {
    /// What a reader reads: words, figures, dates, names.
    #[default]
    Content,
    /// The title of the page.
    Title,
    /// What its wording calls a stamp ("updated", "©", "page generated", "3 minutes ago", revision stamps, ids), or what
    /// changes alone at nearly every visit.
    Stamp,
    /// What a page says of itself beside what it shows: description, robots directives, canonical address, language.
    Metadata,
    /// The same words, shown or not shown any more, struck out or not.
    Visibility,
    /// The same words lead elsewhere.
    Link,
    /// Pictures and their descriptions.
    Image,
    /// The same words in another order or place.
    Order,
    /// A file whose bytes are others: what it says cannot be read, or is the same.
    Document,
}

impl PartClass {
    /// What a block of this role is, whatever changed in it.
    pub(super) fn of_role(role: Role) -> Option<PartClass> {
        match role {
            Role::Title => Some(PartClass::Title),
            Role::Metadata => Some(PartClass::Metadata),
            _ => None,
        }
    }
}
