//! By what a value is known in every version: its own word for it, else the names that lead to it.

use super::tree::{Node, Value};
use rapidhash::v3::rapidhash_v3;

/// Names of members that tell a record from its neighbours, the best first.
const NAMING: [&str; 12] =
    ["guid", "id", "@id", "uid", "uuid", "uniqueid", "loc", "url", "link", "href", "key", "name"];
/// Identities longer than this are texts.
const NAMING_MAX: usize = 1_024;

/// The name of a value inside of one that is called `around`. Several may have the same; then it tells nothing.
pub(super) fn of(node: &Node<'_>, around: u64) -> u64 {
    let path = step(around, &node.name);
    own(node).map_or(path, |own| step(path, own))
}

/// What a record calls itself.
pub(super) fn own<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    let Value::Many(members) = &node.value else { return None };
    let called = |name: &&str| {
        let named = members.iter().find(|member| member.name.eq_ignore_ascii_case(name))?;
        named.said().map(str::trim).filter(|own| !own.is_empty() && own.len() <= NAMING_MAX)
    };
    NAMING.iter().find_map(called)
}

/// The name of a part of something named.
pub(super) fn step(around: u64, part: &str) -> u64 {
    (around ^ rapidhash_v3(part.as_bytes())).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).max(1)
}
