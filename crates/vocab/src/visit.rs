//! A request with its answer and its times. A misbehaving web is an [`Outcome`], never an error.

use crate::{Request, Span, Time};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A request that has been answered, or that will not be.
#[derive(Clone, Debug, PartialEq)]
pub struct Visit {
    pub request: Request,
    /// When the request was sent.
    pub asked: Time,
    /// When the answer was complete, or given up.
    pub answered: Time,
    pub outcome: Outcome,
}

/// The answer as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub enum Outcome {
    /// The page was there.
    Body { status: u16 },
    /// The server says our copy is still right (304 to a conditional request).
    NotModified,
    /// The server points elsewhere.
    Redirected { status: u16, to: String },
    /// The page is not there (404, 410).
    Gone { status: u16 },
    /// The server does not want to answer (401, 403, 429, 451, 503 …).
    Refused {
        status: u16,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after: Option<Span>,
    },
    /// No usable answer.
    Failed { cause: Failure },
}

/// The part of a fetch that took too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    Connect,
    FirstByte,
    Body,
}

/// What is wrong with a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CertificateFault {
    Expired,
    NotYetValid,
    UnknownIssuer,
    OtherName,
    Revoked,
    Invalid,
}

impl fmt::Display for CertificateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CertificateFault::Expired => "certificate expired",
            CertificateFault::NotYetValid => "certificate not valid yet",
            CertificateFault::UnknownIssuer => "certificate of an unknown issuer",
            CertificateFault::OtherName => "certificate for another name",
            CertificateFault::Revoked => "certificate revoked",
            CertificateFault::Invalid => "certificate invalid",
        })
    }
}

/// Why there was no usable answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// The name does not resolve.
    NoSuchHost,
    /// Nobody answered at the address.
    Unreachable,
    /// The name resolved into loopback, private or link-local space, and no person asked for that.
    PrivateAddress,
    /// The TLS handshake failed.
    Tls,
    /// The server's certificate cannot be believed.
    Certificate(CertificateFault),
    Timeout(Phase),
    /// The connection ended before the answer did.
    Disconnected,
    /// What came back is not HTTP.
    NotHttp,
    /// The head of the answer was larger than we read.
    HeadTooLarge,
    /// The proxy did not let us through.
    Proxy,
    /// Not http or https, or not a URL we can send.
    BadUrl,
    /// The server failed (5xx other than 503).
    Server(u16),
}

impl Failure {
    /// Whether the same request may fare better later.
    pub fn is_transient(self) -> bool {
        !matches!(
            self,
            Failure::NoSuchHost
                | Failure::PrivateAddress
                | Failure::Certificate(_)
                | Failure::BadUrl
                | Failure::NotHttp
                | Failure::HeadTooLarge
        )
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NoSuchHost => f.write_str("the name does not resolve"),
            Failure::Unreachable => f.write_str("no connection"),
            Failure::PrivateAddress => f.write_str("address in private space"),
            Failure::Tls => f.write_str("TLS handshake failed"),
            Failure::Certificate(fault) => fault.fmt(f),
            Failure::Timeout(Phase::Connect) => f.write_str("timed out connecting"),
            Failure::Timeout(Phase::FirstByte) => f.write_str("timed out waiting for the answer"),
            Failure::Timeout(Phase::Body) => f.write_str("timed out in the body"),
            Failure::Disconnected => f.write_str("connection closed early"),
            Failure::NotHttp => f.write_str("the answer is not HTTP"),
            Failure::HeadTooLarge => f.write_str("response head too large"),
            Failure::Proxy => f.write_str("the proxy refused"),
            Failure::BadUrl => f.write_str("URL cannot be asked for"),
            Failure::Server(status) => write!(f, "server error {status}"),
        }
    }
}

impl Outcome {
    /// What an HTTP status means to an archive. `to` is the Location, `retry_after` the header of that name.
    pub fn of_status(status: u16, to: Option<&str>, retry_after: Option<Span>) -> Outcome {
        match (status, to) {
            (304, _) => Outcome::NotModified,
            (301 | 302 | 303 | 307 | 308, Some(to)) => Outcome::Redirected { status, to: to.to_owned() },
            (404 | 410, _) => Outcome::Gone { status },
            (503, _) | (400..=499, _) => Outcome::Refused { status, retry_after },
            (500.., _) => Outcome::Failed { cause: Failure::Server(status) },
            _ => Outcome::Body { status },
        }
    }

    /// Whether the page itself was seen, fresh or confirmed unchanged.
    pub fn saw_page(&self) -> bool {
        matches!(self, Outcome::Body { .. } | Outcome::NotModified)
    }

    /// Whether asking again later may help.
    pub fn is_transient(&self) -> bool {
        match self {
            Outcome::Failed { cause } => cause.is_transient(),
            Outcome::Refused { status, .. } => matches!(status, 408 | 425 | 429 | 503),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_mean_what_an_archive_needs() {
        assert_eq!(Outcome::of_status(200, None, None), Outcome::Body { status: 200 });
        assert_eq!(Outcome::of_status(304, None, None), Outcome::NotModified);
        assert_eq!(Outcome::of_status(410, None, None), Outcome::Gone { status: 410 });
        assert_eq!(Outcome::of_status(301, Some("/b"), None), Outcome::Redirected { status: 301, to: "/b".into() });
        assert_eq!(Outcome::of_status(301, None, None), Outcome::Body { status: 301 });
        let busy = Outcome::of_status(503, None, Some(Span::from_secs(7)));
        assert_eq!(busy, Outcome::Refused { status: 503, retry_after: Some(Span::from_secs(7)) });
        assert!(busy.is_transient());
        assert!(!Outcome::of_status(403, None, None).is_transient());
        assert!(Outcome::of_status(500, None, None).is_transient());
    }
}
