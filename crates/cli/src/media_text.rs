//! What a capture that wanted certain media types brought, in words.

use crate::{amount::counted, command::AcrossResult, plain::printable};
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

/// Points of the way that are told.
const POINTS: usize = 4;

/// To how many hosts it went, and how many wanted files so many requests brought.
pub(crate) fn across(result: &AcrossResult, has_wishes: bool) -> Vec<(String, String)> {
    let hosts = result.hosts;
    let mut asked = counted(hosts.asked as u64, "host") + " asked";
    if has_wishes {
        asked += &format!(", {} of them had wanted files", hosts.wanted);
    }
    if hosts.spent > 0 {
        asked += &format!("; {} took all it may (--domain-budget)", counted(hosts.spent as u64, "domain"));
    }
    let mut rows = vec![("hosts".to_owned(), asked)];
    let told = result.some(POINTS).into_iter().map(|course| {
        let as_found = course.as_found.map_or(String::new(), |as_found| format!(" ({as_found:.0})"));
        format!("{} in {}{as_found}", course.point.wanted, course.point.requests)
    });
    let told: Vec<String> = told.collect();
    if has_wishes && !told.is_empty() {
        let beside = "in brackets what is expected of asking in the order in which URLs were found";
        rows.push(("wanted by then".to_owned(), format!("{} requests; {beside}", told.join(", "))));
    }
    rows
}

/// How sure one was, and whether rightly.
pub(crate) fn sureness(result: &MediaResult) -> Option<String> {
    let error = result.calibration_error?;
    let (expected, found) = (result.expected, result.found);
    Some(format!(
        "{expected:.1} wanted ones expected before asking, {found} found; chances were {error:.2} off on average"
    ))
}
