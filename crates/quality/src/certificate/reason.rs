//! Why a page is not sharp.

use serde::{Deserialize, Serialize};
use std::fmt;
use tintype_vocab::{Failure, Outcome};

/// Why a page is not sharp, or not there at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Visit and revisit saw different versions.
    Changed,
    /// Nobody looked a second time.
    VisitedOnce,
    /// It was not there any more.
    GoneLater,
    /// It was not there at first.
    Appeared,
    /// One of the two looks was sent elsewhere.
    Redirected,
    /// The second look was under way before the first was answered.
    AtOnce,
    /// Visits agree, but the moment does not lie between them.
    NotThen,
    /// The server confirmed a version that the archive does not hold.
    NotHeld,
    /// Its body was cut short, which proves nothing of the rest.
    Truncated,
    /// Looked at twice, but one of the looks had no usable answer.
    RefusedOnce(u16),
    FailedOnce(Failure),
    /// Never there.
    Gone(u16),
    /// The server did not want to answer.
    Refused(u16),
    /// There was no usable answer.
    Failed(Failure),
}

impl Reason {
    /// Why a visit did not see its page; nothing if it did, or was sent elsewhere.
    pub(super) fn of_failure(outcome: &Outcome) -> Option<Reason> {
        match outcome {
            Outcome::Gone { status } => Some(Reason::Gone(*status)),
            Outcome::Refused { status, .. } => Some(Reason::Refused(*status)),
            Outcome::Failed { cause } => Some(Reason::Failed(*cause)),
            Outcome::Body { .. } | Outcome::NotModified | Outcome::Redirected { .. } => None,
        }
    }

    /// The same, said of a page that another visit did see.
    pub(super) fn once(self) -> Reason {
        match self {
            Reason::Refused(status) => Reason::RefusedOnce(status),
            Reason::Failed(cause) => Reason::FailedOnce(cause),
            other => other,
        }
    }

    /// As certificates said it that knew of no bodies cut short.
    pub(super) fn without_truncation(self) -> Reason {
        if self == Reason::Truncated { Reason::NotHeld } else { self }
    }

    /// Whether visits showed that the page was not one and the same, rather than showing nothing.
    pub fn is_change(self) -> bool {
        matches!(self, Reason::Changed | Reason::GoneLater | Reason::Appeared | Reason::Redirected)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Changed => f.write_str("changed between visit and revisit"),
            Reason::VisitedOnce => f.write_str("visited once"),
            Reason::GoneLater => f.write_str("gone at the revisit"),
            Reason::Appeared => f.write_str("not there yet at the first visit"),
            Reason::Redirected => f.write_str("pointed elsewhere at one of the visits"),
            Reason::AtOnce => f.write_str("visit and revisit at the same time"),
            Reason::NotThen => f.write_str("visited twice, but not around the moment"),
            Reason::NotHeld => f.write_str("the server confirmed a version that is not held"),
            Reason::Truncated => f.write_str("cut short; kept as far as it came"),
            Reason::RefusedOnce(status) => write!(f, "one of the visits was refused ({status})"),
            Reason::FailedOnce(cause) => write!(f, "one of the visits failed: {cause}"),
            Reason::Gone(status) => write!(f, "{status} not there"),
            Reason::Refused(status) => write!(f, "{status} refused"),
            Reason::Failed(cause) => write!(f, "{cause}"),
        }
    }
}
