//! Objects of a source: what a listing lists, and how long each of them stayed.

use crate::Time;
use serde::{Deserialize, Serialize};

/// One object's stay at a source, as far as it was watched.
///
/// A stay is known only from crawl to crawl: the object came at some moment up to `first_seen` and left at some moment
/// from `last_seen` on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Life {
    pub id: String,
    pub first_seen: Time,
    pub last_seen: Time,
    /// It was there when watching began: nobody knows since when.
    pub left_censored: bool,
    /// It was still there when watching ended.
    pub right_censored: bool,
    /// How often its attributes or its text changed.
    pub updates: u32,
    /// In the order in which the source declares them.
    pub attributes: Vec<String>,
}

/// The two ways in which a copy of a source can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CopyMeasure {
    /// The share of the objects we hold that are still at the source.
    Precision,
    /// The share of the objects at the source that we hold.
    Recall,
}

impl CopyMeasure {
    pub const ALL: [CopyMeasure; 2] = [CopyMeasure::Precision, CopyMeasure::Recall];

    pub fn name(self) -> &'static str {
        match self {
            CopyMeasure::Precision => "precision",
            CopyMeasure::Recall => "recall",
        }
    }
}
