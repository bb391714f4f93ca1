//! What a segment alone must tell of a visit so that a lost log line can be written again.
//!
//! The last record of every visit carries it as one field, so the field also marks where a visit is complete.

use serde::{Deserialize, Serialize};
use tintype_vocab::{Change, ChangeRate, Digest, Outcome, PageId, Purpose, SiteId, Time, Visit};

/// The name of the field. Readers pass over fields they do not know.
pub(crate) const FIELD: &str = "Tintype-Visit";

/// What neither the WARC header nor the HTTP head says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tag {
    pub(crate) site: SiteId,
    pub(crate) page: PageId,
    pub(crate) purpose: Purpose,
    pub(crate) attempt: u8,
    pub(crate) answered: Time,
    pub(crate) bytes: u64,
    pub(crate) outcome: Outcome,
    #[serde(default)]
    pub(crate) rate: ChangeRate,
    /// Of the change, if this is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) importance: Option<f32>,
    /// Of a version that was only noted: no other record says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) noted: Option<Digest>,
}

impl Tag {
    pub(crate) fn of(visit: &Visit, bytes: u64, change: Change, noted: Option<Digest>) -> Tag {
        let request = &visit.request;
        let importance = match change {
            Change::New { importance } => Some(importance),
            _ => None,
        };
        Tag {
            site: request.site,
            page: request.page,
            purpose: request.purpose,
            attempt: request.attempt,
            answered: visit.answered,
            bytes,
            outcome: visit.outcome.clone(),
            rate: request.rate,
            importance,
            noted,
        }
    }

    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(self).expect("a tag is plain data")
    }

    pub(crate) fn parse(text: &str) -> Option<Tag> {
        serde_json::from_str(text).ok()
    }
}
