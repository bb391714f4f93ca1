//! From the bytes of an answer to its blocks.

use super::{
    layout::Layout,
    scan,
    segment::{self, Measure},
    weigh,
};
use crate::{Described, charset::Charset, decode, html, html::Syntax, media::ContentType, sniff};

/// The blocks of one version of a page, ready to be weighed.
#[derive(Clone, Debug)]
pub struct Segmented {
    pub layout: Layout,
    pub(super) measures: Vec<Measure>,
}

impl Segmented {
    /// The blocks of characters.
    pub(crate) fn of(page: &str, syntax: Syntax) -> Segmented {
        let (layout, measures) = segment::blocks(scan::scan(page, syntax));
        Segmented { layout, measures }
    }

    /// Block importance: how much of what the page is for is in each block. Sums to 1; blocks that only hold others
    /// have none of their own. `is_template` tells fingerprints of blocks that the site repeats.
    pub fn importance(&self, is_template: &dyn Fn(u64) -> bool) -> Vec<f32> {
        let mut weights = weigh::weights(self, is_template);
        let sum: f32 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum.max(f32::MIN_POSITIVE));
        weights
    }
}

/// The blocks of a body, if it is a page we can read.
pub fn segment(described: &Described<'_>, body: &[u8]) -> Option<Segmented> {
    let (plain, damage) = decode::undo(described.content_encoding, body);
    let served = described.content_type.and_then(ContentType::parse).filter(|served| !served.is_vague());
    let media_type = match &served {
        Some(served) => served.essence.as_str(),
        None => sniff::media_type(&plain)?,
    };
    let syntax = match media_type {
        "text/html" => Syntax::Html,
        "application/xhtml+xml" => Syntax::Xml,
        _ => return None,
    };
    if damage.undecodable {
        return None;
    }
    let header = served.as_ref().and_then(|served| served.charset.as_deref());
    let charset = Charset::new(&plain, header, described.url, html::declared_encoding);
    Some(Segmented::of(&charset.text(), syntax))
}
