//! The certificate of a capture: what its visits prove about it, and what was to be expected of it.
//!
//! A pure fold over the observations of one capture, in any order ([`Certifier`]), so that whoever has the WARC files
//! comes to the same [`Certificate`] as whoever has the log. The one exception is [`FromLog`], which no record holds and
//! nobody else can check. [`Certificate::differences`] says where two certificates part.
//!
//! A visit counts as of the moment it was asked for, which is its WARC-Date. Two visits that saw the same version prove
//! that it was there from the first answer to the second question. A change there and back again goes unnoticed.

mod activity;
mod certifier;
#[cfg(test)]
mod coverage;
mod dates;
mod differences;
mod fingerprint;
mod page;
mod parts;
mod quantile;
mod reason;
#[cfg(test)]
mod tests;

pub use activity::{Activity, Experience, REMEMBERED};
pub use certifier::Certifier;
pub use differences::CertificateDifference;
pub use reason::Reason;

use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt};
use tintype_vocab::{ChangeRate, Digest, Time};

/// The version of the form and of what its figures mean; a certificate of another one cannot be compared.
pub const FORMAT: u32 = 2;

/// Everything that can be said about the quality of one capture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    pub format: u32,
    pub site: String,
    pub capture: String,
    /// From the first to the last visit that a page answered: the times the capture answers for.
    pub query: Option<Period>,
    /// The moment for which a page has to be proved to count as sharp: the one a person asked for, or the middle of the time
    /// in which most pages had been looked at and were still to be looked at again.
    #[serde(with = "dates::optional")]
    pub moment: Option<Time>,
    /// Requests for pages; rules of hosts, and what was looked for without being promised and not found, are not counted.
    pub visits: u64,
    /// Those of the visits that went to a page already seen.
    pub revisits: u64,
    /// Pages of which the capture holds a version.
    pub captured: u64,
    /// Addresses that only pointed elsewhere, or to another spelling of themselves.
    pub redirects: u64,
    /// What was believed of the whole site before: expectations use it. The head of the capture, in every segment, says from
    /// what.
    pub activity: Activity,
    /// What the next capture learns from this one.
    pub experience: Experience,
    pub blur: Blur,
    pub sharp: Sharp,
    /// The interval in which most pages are proved to be as captured.
    pub dated: Option<Dated>,
    /// The same if the server's own Last-Modified dates are believed.
    pub dated_by_server: Option<Dated>,
    pub composites: Composites,
    /// Pages that were asked for and never seen, by cause.
    pub failures: BTreeMap<String, u64>,
    /// SHA-256 over all visits: equal if and only if they are.
    pub fingerprint: String,
    pub from_log: Option<FromLog>,
    /// Visits whose records were damaged or lost on disk and could not be restored, by the log. Nobody else can know of
    /// them, so this is never compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<LostVisit>,
    /// Answers whose body is not whole: cut at a limit of ours, or by the other side. Nothing in older certificates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<u64>,
    /// All pages that were asked for, but those that only pointed elsewhere, in order of URL.
    pub pages: Vec<PageProof>,
}

/// A closed interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Period {
    #[serde(with = "dates")]
    pub from: Time,
    #[serde(with = "dates")]
    pub to: Time,
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from {} to {}", self.from.to_rfc3339(), self.to.to_rfc3339())
    }
}

/// Changes missed by somebody who asks for any moment of the query interval, summed over the captured pages.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blur {
    /// By the change rates believed before each page was first asked for, and the times of the visits.
    pub expected: f64,
    /// Where the blur lies in nine of ten such captures: by chance, and by the activity of the site.
    pub interval_90: [f64; 2],
    /// By what the visits showed, and as expected of so active a site where they showed nothing.
    pub realised: f64,
}

/// Pages whose visit and revisit saw the same version, the moment of the capture between them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sharp {
    pub proved: u64,
    /// By the change rates believed before, and the times of the visits.
    pub expected: f64,
    /// Where their number lies in nine of ten such captures.
    pub interval_90: [f64; 2],
    /// Pages not proved sharp of which the server says that they had not changed since before the query interval.
    pub server_alone: u64,
    /// Pages that changed although the server's Last-Modified says they had not; its word is not taken for them.
    pub contradicted: u64,
}

/// An interval in which pages are known to be as captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dated {
    #[serde(flatten)]
    pub period: Period,
    /// How many are.
    pub pages: u64,
    /// Of how many captured ones.
    pub of: u64,
}

impl Dated {
    /// Whether the capture as a whole can be dated.
    pub fn is_whole(&self) -> bool {
        self.pages == self.of
    }
}

/// Pages by whether what they are made of was there together: images, styles, scripts as far as they were captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Composites {
    /// Proved to be as the page showed them.
    pub coherent: u64,
    /// A part changed, and nothing says whether before or after the page was visited.
    pub possible: u64,
    /// A part is proved to be later than the page.
    pub violations: u64,
    /// Nothing is known of a part but that it was seen once.
    pub unknown: u64,
}

impl Composites {
    pub fn pages(&self) -> u64 {
        self.coherent + self.possible + self.violations + self.unknown
    }
}

/// What only the log of the capture says. It is in no WARC record, so it is never compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FromLog {
    /// How the capture ended; nothing if it was cut short.
    #[serde(default)]
    pub ending: Option<String>,
    /// What was left out, by rule.
    #[serde(default)]
    pub excluded: BTreeMap<String, ExcludedRule>,
}

/// A visit of which there is no record any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostVisit {
    pub url: String,
    #[serde(with = "dates")]
    pub asked: Time,
    /// What was seen then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// The answer is held; what is lost is the request as it was sent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_request: bool,
}

/// Links left out by one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExcludedRule {
    pub links: u64,
    #[serde(default)]
    pub samples: Vec<String>,
}

/// One page: when it was seen, and what that proves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageProof {
    pub url: String,
    /// When it was first asked for.
    #[serde(with = "dates")]
    pub first: Time,
    pub visits: u32,
    /// How often it was believed to change before that.
    pub rate: ChangeRate,
    /// Since when the server says the captured version is there, where nothing contradicts it.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "dates::optional")]
    pub unchanged_since: Option<Time>,
    pub verdict: PageVerdict,
}

/// What is proved about a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageVerdict {
    /// This version was there from one visit to another, and so at the moment.
    Sharp {
        #[serde(flatten)]
        period: Period,
        digest: Digest,
    },
    /// Captured, but not sharp.
    NotSharp(Reason),
    /// Asked for and never seen.
    Missing(Reason),
}

impl PageProof {
    pub fn is_sharp(&self) -> bool {
        matches!(self.verdict, PageVerdict::Sharp { .. })
    }

    /// Why the page is not sharp, if it is not.
    pub fn reason(&self) -> Option<Reason> {
        match self.verdict {
            PageVerdict::Sharp { .. } => None,
            PageVerdict::NotSharp(reason) | PageVerdict::Missing(reason) => Some(reason),
        }
    }
}
