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

/// The tag of a first try at a page that its server said to be as it was: page, time it took, bytes, rate, certainty, and
/// the number of the capture unless that is the first of its segment.
#[derive(Serialize, Deserialize)]
struct ShortText(PageId, Span, u64, f32, Option<f32>, #[serde(default, skip_serializing_if = "is_first")] u32);

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
        if self.is_usual() {
            let shape = Some(rate.shape).filter(|shape| shape.is_finite());
            let text = ShortText(page, self.answered - date, bytes, rate.per_day, shape, capture);
            return serde_json::to_string(&text).expect("a tag is plain data");
        }
        let outcome = Some(&self.outcome).filter(|outcome| **outcome != Outcome::NotModified).cloned();
        let (took, answered) = (Some(self.answered - date), None);
        let text =
            Text { site, page, purpose, attempt, took, answered, bytes, outcome, rate, importance, noted, capture };
        serde_json::to_string(&text).expect("a tag is plain data")
    }

    /// Whether a [`ShortText`] says all of it. A record with one leaves out validators that came with its original.
    pub(crate) fn is_usual(&self) -> bool {
        let is_first = is_first_site(&self.site) && is_visit(&self.purpose) && is_zero(&self.attempt);
        is_first && self.outcome == Outcome::NotModified && self.importance.is_none() && self.noted.is_none()
    }

    fn of_short(text: &str, date: Time) -> Option<Tag> {
        let ShortText(page, took, bytes, per_day, shape, capture) = serde_json::from_str(text).ok()?;
        Some(Tag {
            site: first_site(),
            page,
            purpose: visit(),
            attempt: 0,
            answered: date + took,
            bytes,
            outcome: Outcome::NotModified,
            rate: ChangeRate { per_day, shape: shape.unwrap_or(f32::INFINITY) },
            importance: None,
            noted: None,
            capture,
        })
    }

    /// Whether the record with this header leaves out validators that came with its original.
    pub(crate) fn leaves_out_validators(header: &Header) -> bool {
        let has = |name| header.get(name).is_some();
        let is_short = header.get(FIELD).is_some_and(|text| text.starts_with('['));
        is_short && !has("WARC-Etag") && !has("WARC-Last-Modified")
    }

    /// The tag of a record, if it has one.
    pub(crate) fn of_record(header: &Header) -> Option<Tag> {
        if header.get(FIELD)?.starts_with('[') {
            return Tag::of_short(header.get(FIELD)?, header.date()?);
        }
        let text: Text = serde_json::from_str(header.get(FIELD)?).ok()?;
        let Text { site, page, purpose, attempt, took, answered, bytes, outcome, rate, importance, noted, capture } =
            text;
        let answered = answered.or_else(|| Some(header.date()? + took?))?;
        let outcome = outcome.unwrap_or(Outcome::NotModified);
        Some(Tag { site, page, purpose, attempt, answered, bytes, outcome, rate, importance, noted, capture })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::Request;

    #[test]
    fn a_tag_comes_back_from_its_record_short_or_long() {
        let (asked, rate) = (Time::from_millis(5), ChangeRate { per_day: 0.245, shape: 0.0121 });
        let (site, page, url) = (SiteId(0), PageId(7), String::new());
        let request = Request { site, page, url, purpose: Purpose::Visit, attempt: 0, rate };
        let visit = Visit { request, asked, answered: asked + Span::from_millis(3), outcome: Outcome::NotModified };
        let usual = Tag::of(&visit, 181, Change::Same, None, 0);
        assert_eq!(usual.to_text(asked), "[7,3,181,0.245,0.0121]");
        let second = Tag { capture: 1, ..usual.clone() };
        assert_eq!(second.to_text(asked), "[7,3,181,0.245,0.0121,1]");
        let certain = Tag { rate: ChangeRate::known(1.0), ..usual.clone() };
        let retried = Tag { attempt: 1, ..usual.clone() };
        let sent = Tag { outcome: Outcome::Body { status: 200 }, ..usual.clone() };
        assert!(sent.to_text(asked).starts_with('{') && retried.to_text(asked).starts_with('{'));
        for tag in [usual, second, certain, retried, sent] {
            let mut header = Header::new();
            header.push("WARC-Date", &asked.to_rfc3339());
            header.push(FIELD, &tag.to_text(asked));
            assert_eq!(Tag::of_record(&header), Some(tag));
        }
    }

    #[test]
    fn a_tag_of_an_older_segment_is_read() {
        let mut header = Header::new();
        header.push("WARC-Date", "2026-11-18T03:23:24.819Z");
        header.push(FIELD, r#"{"page":5497,"took":2,"bytes":181,"rate":{"per_day":0.1515336,"shape":0.004664505}}"#);
        let tag = Tag::of_record(&header).unwrap();
        assert_eq!((tag.page, tag.bytes, tag.outcome), (PageId(5497), 181, Outcome::NotModified));
        assert_eq!(tag.answered - header.date().unwrap(), Span::from_millis(2));
    }
}
