//! The key of the index.

use crate::surt;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What the index is sorted and looked up by: the SURT of a URL, exactly as the Python `surt` package writes it, because that
/// is what every replay tool looks pages up by. Several pages may have one key; what tells them apart is their
/// [`PageUrl`](crate::PageUrl).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UrlKey(Box<str>);

impl UrlKey {
    pub fn of(url: &str) -> UrlKey {
        UrlKey(surt(url).into_boxed_str())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UrlKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
