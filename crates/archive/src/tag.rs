//! What a segment alone must tell of a visit so that a lost log line can be written again.
//!
//! The last record of every visit carries it as one field, so the field also marks where a visit is complete.

use crate::log::brief::{first_site, is_first_site, is_visit, is_zero, visit};
use serde::{Deserialize, Serialize};
use tintype_vocab::{Change, ChangeRate, Digest, Outcome, PageId, Purpose, SiteId, Span, Time, Visit};
use tintype_warc::Header;

/// The name of the field. Readers pass over fields they do not know.
pub(crate) const FIELD: &str = "Tintype-Visit";

/// What neither the WARC header nor the HTTP head says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tag {
    pub(crate) site: SiteId,
    pub(crate) page: PageId,
    pub(crate) purpose: Purpose,
    pub(crate) attempt: u8,
    pub(crate) answered: Time,
    pub(crate) bytes: u64,
    pub(crate) outcome: Outcome,
    pub(crate) rate: ChangeRate,
    /// Of the change, if this is one.
    pub(crate) importance: Option<f32>,
    /// Of a version that was only noted: no other record says it.
    pub(crate) noted: Option<Digest>,
    /// The number in the segment of the capture it belongs to.
    pub(crate) capture: u32,
}

/// A tag as it is written: what is usual is left out.
#[derive(Serialize, Deserialize)]
struct Text {
    #[serde(default = "first_site", skip_serializing_if = "is_first_site")]
    site: SiteId,
    page: PageId,
    #[serde(default = "visit", skip_serializing_if = "is_visit")]
    purpose: Purpose,
    #[serde(default, skip_serializing_if = "is_zero")]
    attempt: u8,
    /// After the date of the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    took: Option<Span>,
    /// In its place in older segments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answered: Option<Time>,
    bytes: u64,
    /// Nothing stands for "not modified".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
    #[serde(default)]
    rate: ChangeRate,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    importance: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    noted: Option<Digest>,
    /// The first capture of a segment is not named.
    #[serde(default, rename = "of", skip_serializing_if = "is_first")]
    capture: u32,
}

fn is_first(number: &u32) -> bool {
    *number == 0
}

impl Tag {
    pub(crate) fn of(visit: &Visit, bytes: u64, change: Change, noted: Option<Digest>, capture: u32) -> Tag {
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
            capture,
        }
    }

    /// For a record of this date.
    pub(crate) fn to_text(&self, date: Time) -> String {
        let Tag { site, page, purpose, attempt, bytes, rate, importance, noted, capture, .. } = *self;
        let outcome = Some(&self.outcome).filter(|outcome| **outcome != Outcome::NotModified).cloned();
        let (took, answered) = (Some(self.answered - date), None);
        let text =
            Text { site, page, purpose, attempt, took, answered, bytes, outcome, rate, importance, noted, capture };
        serde_json::to_string(&text).expect("a tag is plain data")
    }

    /// The tag of a record, if it has one.
    pub(crate) fn of_record(header: &Header) -> Option<Tag> {
        let text: Text = serde_json::from_str(header.get(FIELD)?).ok()?;
        let Text { site, page, purpose, attempt, took, answered, bytes, outcome, rate, importance, noted, capture } =
            text;
        let answered = answered.or_else(|| Some(header.date()? + took?))?;
        let outcome = outcome.unwrap_or(Outcome::NotModified);
        Some(Tag { site, page, purpose, attempt, answered, bytes, outcome, rate, importance, noted, capture })
    }
}
