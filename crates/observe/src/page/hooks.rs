//! What others know better: asked, not learned here.

use super::{element::Element, importance::Normalisation};

/// A link or an image that came or went.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    pub element: Element,
    /// Absolute where the page's own URL makes it so, else as written.
    pub url: &'a str,
    /// The page it is on.
    pub page: &'a str,
}

/// The questions a comparison asks. Only about what changed, so an answer may cost something.
#[derive(Clone, Copy)]
pub struct Hooks<'h> {
    /// Whether a link or an image is an advertisement.
    pub is_advertisement: &'h dyn Fn(&Seen<'_>) -> bool,
    /// Whether a word, as it stands between white space, changes without anything being said: clocks, counters. Asked
    /// of the parts of URLs as well: session ids, build hashes.
    pub is_volatile: &'h dyn Fn(&str) -> bool,
    /// Whether a block with this [fingerprint](super::Block::fingerprint) is part of the site's template.
    pub is_template: &'h dyn Fn(u64) -> bool,
    pub normalisation: Normalisation,
}

impl Default for Hooks<'_> {
    /// Advertisements as the paper tells them, by their address; no word is volatile, no block a template.
    fn default() -> Self {
        Hooks {
            is_advertisement: &|seen| seen.url.contains("advertisement"),
            is_volatile: &|_| false,
            is_template: &|_| false,
            normalisation: Normalisation::default(),
        }
    }
}

impl std::fmt::Debug for Hooks<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hooks").field("normalisation", &self.normalisation).finish_non_exhaustive()
    }
}
