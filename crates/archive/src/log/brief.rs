//! The line of a page that was found as it was: when and where, and nothing that the line of its version says already.
//! Keys are short, because most lines of a recapture are of this kind.

use super::entry::{Kept, Observed, Place};
use crate::Retention;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use tintype_vocab::{
    Change, ChangeRate, Digest, Links, Observation, Outcome, PageId, Purpose, SiteId, Span, Time, Validators,
};

/// One observation of an unchanged page. Its media type, links and gist are those of the version with this digest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Brief<'a> {
    #[serde(default = "first_site", skip_serializing_if = "is_first_site")]
    site: SiteId,
    page: PageId,
    #[serde(borrow)]
    url: Cow<'a, str>,
    #[serde(default = "visit", skip_serializing_if = "is_visit")]
    purpose: Purpose,
    #[serde(default, skip_serializing_if = "is_zero")]
    attempt: u8,
    at: Time,
    took: Span,
    /// Of a page that was sent again; nothing if the server said "not modified".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    digest: Digest,
    bytes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    etag: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    modified: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_age: Option<Span>,
    #[serde(default, skip_serializing_if = "Retention::is_indexed")]
    retention: Retention,
    #[serde(borrow)]
    record: (Cow<'a, str>, u64, u64),
    rate: ChangeRate,
}

pub(crate) fn first_site() -> SiteId {
    SiteId(0)
}

pub(crate) fn is_first_site(site: &SiteId) -> bool {
    *site == SiteId(0)
}

pub(crate) fn visit() -> Purpose {
    Purpose::Visit
}

pub(crate) fn is_visit(purpose: &Purpose) -> bool {
    *purpose == Purpose::Visit
}

pub(crate) fn is_zero(number: &u8) -> bool {
    *number == 0
}

impl<'a> Brief<'a> {
    /// The line of an observation, if it says no more than such a line can. That its links can be found again is for the
    /// one who observed to know.
    pub(crate) fn of(observed: &'a Observed) -> Option<Brief<'a>> {
        let seen = &observed.observation;
        let status = match seen.outcome {
            Outcome::NotModified => None,
            Outcome::Body { status } => Some(status),
            _ => return None,
        };
        let place = observed.place.as_ref()?;
        let is_plain = seen.change == Change::Same
            && seen.robots.is_none()
            && seen.truncated.is_none()
            && seen.rendered.is_none()
            && observed.before.is_none();
        is_plain.then_some(Brief {
            site: seen.site,
            page: seen.page,
            url: (&*seen.url).into(),
            purpose: seen.purpose,
            attempt: observed.attempt,
            at: seen.asked,
            took: seen.answered - seen.asked,
            status,
            digest: seen.digest?,
            bytes: seen.bytes,
            etag: seen.validators.etag.as_deref().map(Cow::from),
            modified: seen.validators.last_modified.as_deref().map(Cow::from),
            max_age: seen.max_age,
            retention: observed.retention,
            record: ((&*place.segment).into(), place.offset, place.length),
            rate: seen.rate,
        })
    }

    /// The observation without media type, links and gist.
    pub(crate) fn into_observed(self) -> Observed {
        let (segment, offset, length) = self.record;
        let observation = Observation {
            site: self.site,
            page: self.page,
            url: self.url.into_owned(),
            purpose: self.purpose,
            asked: self.at,
            answered: self.at + self.took,
            outcome: self.status.map_or(Outcome::NotModified, |status| Outcome::Body { status }),
            change: Change::Same,
            digest: Some(self.digest),
            media_type: None,
            sniffed: None,
            gist: None,
            bytes: self.bytes,
            validators: Validators {
                etag: self.etag.map(Cow::into_owned),
                last_modified: self.modified.map(Cow::into_owned),
            },
            max_age: self.max_age,
            links: Links::new(),
            robots: None,
            rate: self.rate,
            truncated: None,
            rendered: None,
        };
        Observed {
            observation,
            kept: Kept::Nothing,
            retention: self.retention,
            place: Some(Place { segment: segment.into_owned(), offset, length }),
            attempt: self.attempt,
            before: None,
            judgement: None,
            is_brief: true,
        }
    }
}
