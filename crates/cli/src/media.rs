//! What is behind a URL before asking: what people want of it, and guesses held against what was there.

pub(crate) mod collected;
pub(crate) mod rules;

pub(crate) mod score {
    pub(crate) use tintype_quality::{Calibration, MediaScore as Score};
}
