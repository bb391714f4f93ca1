//! What a capture that wanted certain media types brought, in words.

use crate::{amount::counted, plain::printable};
use tintype_session::MediaResult;

/// Media types that are named; more are counted together.
const NAMED: usize = 4;

/// What is held and what it cost.
pub(crate) fn cost(result: &MediaResult) -> String {
    let mut types: Vec<(&String, &u64)> = result.types.iter().collect();
    types.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), *name));
    let further: u64 = types.iter().skip(NAMED).map(|(_, count)| **count).sum();
    let named = types.iter().take(NAMED).map(|(name, count)| format!("{count} {}", printable(name)));
    let further = (further > 0).then(|| format!("{further} of other types"));
    let named: Vec<String> = named.chain(further).collect();
    let requests = counted(result.requests, "request");
    match result.wanted {
        0 => format!("none in {requests}"),
        wanted => format!("{}; {requests}, {:.1} for each", named.join(", "), result.requests as f64 / wanted as f64),
    }
}

/// How sure one was, and whether rightly.
pub(crate) fn sureness(result: &MediaResult) -> Option<String> {
    let error = result.calibration_error?;
    let (expected, found) = (result.expected, result.found);
    Some(format!(
        "{expected:.1} wanted ones expected before asking, {found} found; chances were {error:.2} off on average"
    ))
}
