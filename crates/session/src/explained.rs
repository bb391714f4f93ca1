//! What is believed of a page and why it is asked for when it is, as JSON: for `tintype explain` and for programs that ask
//! a server.

use crate::{PageStatus, PageVisit};
use serde_json::{Map, Value, json};
use tintype_learn::knowledge::LearnerBeliefs;

pub fn explained_json(site: &str, page: &PageStatus) -> Value {
    let beliefs: Map<String, Value> = page
        .beliefs
        .iter()
        .map(|LearnerBeliefs { learner, says }| {
            let says: Map<String, Value> =
                says.iter().map(|(what, value)| ((*what).to_owned(), json!(value))).collect();
            ((*learner).to_owned(), Value::Object(says))
        })
        .collect();
    let visit = |visit: &PageVisit| {
        json!({
            "at": visit.at.to_rfc3339(), "capture": visit.capture, "kind": visit.kind.as_str(), "found": visit.found,
            "importance": visit.importance,
        })
    };
    let visits: Vec<Value> = page.visits.iter().map(visit).collect();
    json!({
        "site": site, "url": page.url, "media_type": page.media_type, "believed": beliefs, "visits": visits,
        "watched": page.is_watched, "next": page.is_next, "worth": page.worth, "price": page.price,
        "due": page.due.map(|due| due.to_rfc3339()),
    })
}
