//! A page and why it is asked for, not yet answered.

use crate::{ChangeRate, PageId, SiteId};
use serde::{Deserialize, Serialize};

/// Why a page is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// The rules of a host, asked before anything else there.
    Robots,
    /// A page nobody linked, asked for because sites customarily have it.
    Probe,
    /// The page itself.
    Visit,
    /// A second look in the same capture, to prove that nothing changed.
    Revisit,
}

/// One question to a site. Only a scheduler makes these, so politeness and budget were already checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    pub site: SiteId,
    pub page: PageId,
    /// The URL exactly as it will be sent.
    pub url: String,
    pub purpose: Purpose,
    /// 0 for the first try, then one more for every retry.
    pub attempt: u8,
    /// How often the page was thought to change when it was asked for; kept with the answer, so that a stranger can
    /// compute what was to be expected of a capture.
    #[serde(default)]
    pub rate: ChangeRate,
}
