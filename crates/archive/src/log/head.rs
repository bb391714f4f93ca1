//! The first line of a capture: what it set out to do.

use crate::layout::CaptureId;
use serde::{Deserialize, Serialize};
use tintype_vocab::Time;

/// Ended the names under which probes were captured before heads said what kind of capture they begin.
const OLD_PROBE_SUFFIX: &str = " (probe)";

/// What a capture is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaptureKind {
    /// One dated whole of a site.
    #[default]
    Capture,
    /// A stretch of keeping a site.
    Keep,
    /// A crawl of a source's listing.
    Listing,
    /// Some objects of a source, asked for one by one.
    Probe,
    /// What another tool recorded.
    Import,
}

impl CaptureKind {
    pub const ALL: [CaptureKind; 5] =
        [CaptureKind::Capture, CaptureKind::Keep, CaptureKind::Listing, CaptureKind::Probe, CaptureKind::Import];

    pub fn as_str(self) -> &'static str {
        match self {
            CaptureKind::Capture => "capture",
            CaptureKind::Keep => "keep",
            CaptureKind::Listing => "listing",
            CaptureKind::Probe => "probe",
            CaptureKind::Import => "import",
        }
    }

    /// Whether a scheduler chose the visits, in the order of the log.
    pub fn is_scheduled(self) -> bool {
        self != CaptureKind::Import
    }
}

/// What a capture set out to do, enough to start its scheduler again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "HeadIn")]
pub struct CaptureHead {
    /// The name of the site, unique in the collection.
    pub site: String,
    pub kind: CaptureKind,
    pub seeds: Vec<String>,
    /// Whatever the caller needs to continue; the archive does not look inside.
    pub settings: serde_json::Value,
    /// The number behind the dice.
    pub run_seed: u64,
    pub started: Time,
    /// Fields for the `warcinfo` record of each segment: software, operator, robots, http-header-user-agent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub describe: Vec<(String, String)>,
}

/// The line where a capture begins in a log.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct HeadLine<H = CaptureHead> {
    /// In older logs the name of the file said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<CaptureId>,
    /// What other logs have of this capture does not count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) anew: bool,
    #[serde(flatten)]
    pub(crate) head: H,
}

/// A head as it may stand in a log; old ones do not say their kind.
#[derive(Deserialize)]
struct HeadIn {
    site: String,
    kind: Option<CaptureKind>,
    seeds: Vec<String>,
    settings: serde_json::Value,
    run_seed: u64,
    started: Time,
    #[serde(default)]
    describe: Vec<(String, String)>,
}

impl From<HeadIn> for CaptureHead {
    fn from(head: HeadIn) -> CaptureHead {
        let HeadIn { site, kind, seeds, settings, run_seed, started, describe } = head;
        let kind = kind.unwrap_or_else(|| match () {
            () if site.ends_with(OLD_PROBE_SUFFIX) => CaptureKind::Probe,
            () if seeds.is_empty() => CaptureKind::Import,
            () => CaptureKind::Capture,
        });
        CaptureHead { site, kind, seeds, settings, run_seed, started, describe }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(site: &str, rest: &str) -> CaptureHead {
        let text = format!(r#"{{"site":"{site}",{rest}"settings":null,"run_seed":1,"started":0}}"#);
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn heads_that_do_not_say_their_kind_are_told_by_how_they_used_to_be_written() {
        assert_eq!(read("cars (probe)", r#""seeds":["http://e/1"],"#).kind, CaptureKind::Probe);
        assert_eq!(read("e", r#""seeds":[],"#).kind, CaptureKind::Import);
        assert_eq!(read("e", r#""seeds":["http://e/"],"#).kind, CaptureKind::Capture);
    }

    #[test]
    fn a_head_keeps_its_kind_whatever_it_is_called() {
        for kind in CaptureKind::ALL {
            let rest = format!(r#""kind":"{}","seeds":[],"#, kind.as_str());
            let head = read("cars (probe)", &rest);
            assert_eq!(head.kind, kind);
            let again: CaptureHead = serde_json::from_str(&serde_json::to_string(&head).unwrap()).unwrap();
            assert_eq!(again, head);
        }
    }
}
