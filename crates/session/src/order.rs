//! In which order the captures of a site were begun, whatever the clock said: a clock may be set back by days, and then what
//! was begun later is dated earlier.

use crate::Error;
use tintype_archive::{CaptureHead, CaptureInfo, Collection};

/// The field of the head that says how many captures of the site there were before.
const FIELD: &str = "tintype-captures-before";

/// For the head of a capture that begins now.
pub(crate) fn field(collection: &Collection, site: &str) -> Result<(String, String), Error> {
    Ok((FIELD.to_owned(), collection.count_of(site)?.to_string()))
}

fn before(head: &CaptureHead) -> Option<u64> {
    head.describe.iter().find(|(name, _)| name == FIELD)?.1.parse().ok()
}

/// Whether a capture was there when another began; where heads do not tell, as their dates have it.
pub(crate) fn was_there(one: &CaptureHead, when: &CaptureHead) -> bool {
    match (before(one), before(when)) {
        (Some(one), Some(when)) => one < when,
        _ => one.started < when.started,
    }
}

/// Those that were there when a capture began, in the order in which they were begun, as far as their heads tell it.
pub(crate) fn there_before(mut captures: Vec<CaptureInfo>, when: &CaptureHead) -> Vec<CaptureInfo> {
    captures.retain(|info| was_there(&info.head, when));
    if captures.iter().all(|info| before(&info.head).is_some()) {
        captures.sort_by_key(|info| before(&info.head));
    }
    captures
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_archive::CaptureKind;
    use tintype_vocab::Time;

    fn head(day: i64, before: Option<u64>) -> CaptureHead {
        CaptureHead {
            site: "e.com".to_owned(),
            kind: CaptureKind::Keep,
            seeds: Vec::new(),
            settings: serde_json::Value::Null,
            run_seed: 0,
            started: Time::from_secs(86_400 * day),
            describe: before.map(|before| (FIELD.to_owned(), before.to_string())).into_iter().collect(),
        }
    }

    #[test]
    fn what_was_begun_later_under_an_earlier_date_was_not_there() {
        assert!(!was_there(&head(11, Some(2)), &head(13, Some(1))));
        assert!(was_there(&head(13, Some(1)), &head(11, Some(2))));
        assert!(was_there(&head(11, None), &head(13, Some(1))), "older heads go by their dates");
    }
}
