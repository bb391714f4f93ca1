//! What there is to say about media types.

use serde::Serialize;
use tintype_learn::media::{ExplainedUrl, UrlPattern};
use tintype_session::media::MediaModel;

/// All that was found out, as `--json` prints it.
#[derive(Debug, Serialize)]
pub(super) struct Said {
    pub(super) source: String,
    pub(super) captures: usize,
    /// What the model had learned from before it came here.
    pub(super) trained_on: String,
    /// Nothing where nothing was ever asked for.
    pub(super) foretold: Option<Foretold>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) urls: Vec<ExplainedUrl>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) patterns: Vec<UrlPattern>,
}

/// How well guesses made before asking came true in a collection.
#[derive(Debug, Serialize)]
pub(super) struct Foretold {
    pub(super) answers: u64,
    pub(super) accuracy: f64,
    pub(super) calibration_error: f64,
    /// Of the chance that a page carries links.
    pub(super) links_calibration_error: Option<f64>,
}

impl Foretold {
    pub(super) fn of(model: &MediaModel) -> Option<Foretold> {
        let score = &model.score.content_types;
        Some(Foretold {
            answers: score.count(),
            accuracy: score.accuracy()?,
            calibration_error: score.calibration.error()?,
            links_calibration_error: model.score.links.error(),
        })
    }
}
