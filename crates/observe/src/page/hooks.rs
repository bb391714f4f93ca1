//! What others know better: asked, not learned here.

use super::{
    element::Element,
    importance::{Normalisation, PartWeighing},
};
use url::Url;

/// A link or an image that came or went.
#[derive(Clone, Copy, Debug)]
pub struct HookedPage<'a> {
    pub element: Element,
    /// Absolute where the page's own URL makes it so, else as written.
    pub url: &'a str,
    /// The page it is on.
    pub page: &'a str,
}

/// A word as it stands between white space, or a part of a URL, and what it is the value of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'w> {
    /// The two words before it; empty where there are none.
    pub before: [&'w str; 2],
    pub word: &'w str,
}

/// The questions a comparison asks. Only about what changed, so an answer may cost something.
#[derive(Clone, Copy)]
pub struct Hooks<'h> {
    /// Whether a link or an image is an advertisement.
    pub is_advertisement: &'h dyn Fn(&HookedPage<'_>) -> bool,
    /// Whether a word changes without anything being said: counters, session ids. Dates, clocks and the like are known
    /// without asking.
    pub is_volatile: &'h dyn Fn(&Field<'_>) -> bool,
    /// Whether a block with this [fingerprint](super::Block::fingerprint) is part of the site's template.
    pub is_template: &'h dyn Fn(u64) -> bool,
    pub weighing: PartWeighing,
    pub normalisation: Normalisation,
}

impl Default for Hooks<'_> {
    /// Advertisements as the paper tells them, by their address; no word is volatile, no block a template.
    fn default() -> Self {
        Hooks {
            is_advertisement: &|seen| seen.url.contains("advertisement"),
            is_volatile: &|_| false,
            is_template: &|_| false,
            weighing: PartWeighing::default(),
            normalisation: Normalisation::default(),
        }
    }
}

impl Hooks<'_> {
    /// Whether a link or an image on a page is an advertisement.
    pub(super) fn advertises(&self, element: Element, url: &str, page: &str, base: Option<&Url>) -> bool {
        let absolute = base.and_then(|base| base.join(url).ok());
        (self.is_advertisement)(&HookedPage { element, url: absolute.as_ref().map_or(url, Url::as_str), page })
    }
}

impl std::fmt::Debug for Hooks<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hooks").field("normalisation", &self.normalisation).finish_non_exhaustive()
    }
}
