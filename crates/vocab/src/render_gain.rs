//! What it cost and brought to have a browser build a page.

use crate::Span;
use serde::{Deserialize, Serialize};

/// What a browser made of a page that its bytes alone do not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenderGain {
    /// For how long the browser was busy with it, the wait for servers left out.
    pub took: Span,
    /// Requests the browser made for it.
    pub asked: u32,
    /// Of those, the ones that no page had named: they were sent to servers because of it.
    pub found: u32,
    /// Links in what it built that are not in what was served.
    #[serde(default, skip_serializing_if = "is_none")]
    pub links: u32,
    /// Words a person sees that are not in what was served.
    #[serde(default, skip_serializing_if = "is_none")]
    pub words: u32,
    /// Requests that were refused it: robots.txt, address, budget, method.
    #[serde(default, skip_serializing_if = "is_none")]
    pub refused: u32,
    /// What of it no page built before in the capture had brought: contents, links, and words, of which five count as one.
    #[serde(default, skip_serializing_if = "is_none")]
    pub own: u32,
    /// Which pages are built alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<ScriptTemplate>,
    /// Whether the browser crashed, or took more time or memory than a page gets: it was kept as it was served.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
}

/// What pages have in common whose scripts make the same of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ScriptTemplate {
    /// The scripts that run on them.
    pub scripts: u64,
    /// Where what those make is put, and the directory of the page.
    pub place: u64,
}

fn is_none(count: &u32) -> bool {
    *count == 0
}

impl RenderGain {
    /// Whether it brought anything.
    pub fn is_something(&self) -> bool {
        self.found > 0 || self.links > 0 || self.words > 0
    }
}
