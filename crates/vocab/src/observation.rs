//! What a visit taught against the previous version: the only food of learners and schedulers.

use crate::{ChangeRate, Digest, Links, Outcome, PageId, Purpose, RenderGain, Request, SiteId, Span, Time};
use serde::{Deserialize, Serialize};

/// How this visit compares with the version we held.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// The page was never seen before.
    First,
    /// The same version as last time: equal digest, or the server said so.
    Same,
    /// A new version; importance in 0..=1, 1 while nothing finer is known.
    New { importance: f32 },
    /// The visit says nothing about content (failed, refused, redirected).
    Unknown,
}

impl Change {
    /// A change of less importance is none that a person would call one: a clock, a counter, a new session id. It is a
    /// version all the same, and stored like any other.
    pub const IMPORTANCE_MIN: f32 = 0.001;

    /// Whether there is a new version that says something new. What learns how often pages change asks this, or a page
    /// with a clock would seem to change with every visit.
    pub fn matters(self) -> bool {
        matches!(self, Change::New { importance } if importance >= Change::IMPORTANCE_MIN)
    }

    /// Whether there is a new version with anything in it that can be read and was not there before, if only a stamp. What
    /// decides which pages need not be asked for asks this: who skips a page must not call what it says nothing.
    pub fn is_readable(self) -> bool {
        matches!(self, Change::New { importance } if importance > 0.0)
    }
}

/// What the server offers for asking "has it changed?" next time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validators {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

impl Validators {
    pub fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

/// Why a body is shorter than the server meant it to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Truncated {
    /// Our size limit was reached.
    Length,
    /// Our time limit was reached.
    Time,
    /// The connection ended early.
    Disconnect,
}

impl Truncated {
    /// The value of WARC-Truncated.
    pub fn as_str(self) -> &'static str {
        match self {
            Truncated::Length => "length",
            Truncated::Time => "time",
            Truncated::Disconnect => "disconnect",
        }
    }

    /// What a value of WARC-Truncated means; other reasons than ours are the other side's.
    pub fn of_field(value: &str) -> Truncated {
        match value {
            "length" => Truncated::Length,
            "time" => Truncated::Time,
            _ => Truncated::Disconnect,
        }
    }
}

/// One visit, digested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    pub site: SiteId,
    pub page: PageId,
    pub url: String,
    pub purpose: Purpose,
    pub asked: Time,
    pub answered: Time,
    pub outcome: Outcome,
    pub change: Change,
    /// SHA-1 of the payload (transfer-decoded, still content-encoded), where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// `type/subtype`, lower case, as served or, failing that, as sniffed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// What the bytes are, in the same form, where that is something else than the server said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sniffed: Option<String>,
    /// What a page says without its numbers and the words of its address, as one number; nothing of what is no page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gist: Option<u64>,
    /// Bytes that crossed the wire for this answer, head included.
    pub bytes: u64,
    #[serde(default, skip_serializing_if = "Validators::is_empty")]
    pub validators: Validators,
    /// For how long the server says this answer may be used again; none at all if it says it may not. Nothing of a
    /// "not modified", whose head is not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_age: Option<Span>,
    #[serde(default, skip_serializing_if = "Links::is_empty")]
    pub links: Links,
    /// The text of robots.txt, when that is what was asked for and it was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub robots: Option<String>,
    /// How often the page was thought to change before this visit.
    #[serde(default)]
    pub rate: ChangeRate,
    /// The end of the body is missing, for this reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<Truncated>,
    /// What a browser made of it, where one built it: its links are among the links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rendered: Option<RenderGain>,
}

impl Observation {
    /// When the server says this version came to be, if it says so and it can be.
    pub fn modified(&self) -> Option<Time> {
        let date = self.validators.last_modified.as_deref().and_then(Time::parse_mail_date)?;
        (date <= self.answered).then_some(date)
    }

    /// The media type to believe: what the bytes are where the server is wrong, what it says otherwise.
    pub fn real_media_type(&self) -> Option<&str> {
        self.sniffed.as_deref().or(self.media_type.as_deref())
    }

    /// What a visit taught before anybody has looked at its bytes: when, and how it ended.
    pub fn of(request: &Request, asked: Time, answered: Time, outcome: Outcome) -> Observation {
        Observation {
            site: request.site,
            page: request.page,
            url: request.url.clone(),
            purpose: request.purpose,
            asked,
            answered,
            outcome,
            change: Change::Unknown,
            digest: None,
            media_type: None,
            sniffed: None,
            gist: None,
            bytes: 0,
            validators: Validators::default(),
            max_age: None,
            links: Links::new(),
            robots: None,
            rate: request.rate,
            truncated: None,
            rendered: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_version_of_no_importance_does_not_matter() {
        assert!(Change::New { importance: 1.0 }.matters());
        let stamp = Change::New { importance: Change::IMPORTANCE_MIN / 2.0 };
        assert!(!stamp.matters() && stamp.is_readable());
        assert!(Change::New { importance: Change::IMPORTANCE_MIN }.matters());
        for other in [Change::New { importance: 0.0 }, Change::First, Change::Same, Change::Unknown] {
            assert!(!other.matters() && !other.is_readable(), "{other:?}");
        }
    }
}
