//! Captures of a site that is being served, taken by the real crawler.

use std::path::Path;
use tintype_archive::{CaptureId, Reading};
use tintype_quality::certificate::Certificate;
use tintype_vocab::{Span, Time};

/// A capture to be taken now.
#[derive(Clone, Copy, Debug)]
pub struct CaptureOrder<'a> {
    /// Where it begins.
    pub seed: &'a str,
    pub collection: &'a Path,
    pub delay: Span,
    pub revisit: bool,
    /// Requests it may spend.
    pub budget: Option<u64>,
}

/// Takes captures as `tintype capture` does.
pub trait Crawler {
    /// Takes one with the clock as it stands, and says which one it was; nothing if it was stopped.
    fn capture(&self, order: &CaptureOrder<'_>) -> anyhow::Result<Option<CaptureId>>;

    /// Sets the clock that captures are dated by.
    fn turn_to(&self, now: Time);

    /// What is certified of a capture.
    fn certify(&self, reading: &Reading, id: &CaptureId) -> anyhow::Result<Certificate>;
}
