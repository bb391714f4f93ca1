//! Beliefs folded from captures, saved with the names of those captures, so that a new capture is only added.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tintype_archive::{CaptureId, CaptureInfo};

#[derive(Deserialize)]
struct Kept<T> {
    version: String,
    captures: Vec<CaptureId>,
    learned: T,
}

#[derive(Serialize)]
struct ToKeep<'a, T> {
    version: &'a str,
    captures: &'a [CaptureId],
    learned: &'a T,
}

pub(crate) fn write<T: Serialize>(version: &str, captures: &[CaptureId], learned: &T) -> Vec<u8> {
    serde_json::to_vec(&ToKeep { version, captures, learned }).expect("beliefs are plain data")
}

/// What was learned and the captures it is of, if it can be read, is of this version, and they are the first of those
/// that are wanted.
pub(crate) fn read<T: DeserializeOwned>(
    bytes: &[u8],
    version: &str,
    wanted: &[CaptureInfo],
) -> Option<(T, Vec<CaptureId>)> {
    let kept: Kept<T> = serde_json::from_slice(bytes).ok()?;
    let alike = wanted.iter().zip(&kept.captures).filter(|(wanted, kept)| wanted.id == **kept).count();
    (kept.version == version && alike == kept.captures.len()).then_some((kept.learned, kept.captures))
}
