//! From the bytes of an answer to its blocks.

use super::{
    Element,
    document::{self, Format},
    layout::Layout,
    scan,
    segment::{self, Measure},
    weigh,
};
use crate::{Described, charset::Charset, decode, html::Syntax, media::ContentTypeHeader, sniff};
use encoding_rs::{Encoding, UTF_8};

/// How much of a page its encoding is guessed from, beginning where the guess begins to matter.
const GUESSED_FROM: usize = 4 << 10;

/// The blocks of one version of a page, ready to be weighed.
#[derive(Clone, Debug)]
pub struct Segmented {
    pub layout: Layout,
    pub(super) measures: Vec<Measure>,
    /// How much changes of such a document matter, beside those of a page: 1 but for decoration and programs.
    pub(super) matters: f64,
}

impl Segmented {
    /// The blocks of characters.
    pub(crate) fn of(page: &str, syntax: Syntax) -> Segmented {
        let (layout, measures) = segment::blocks(scan::scan(page, syntax));
        Segmented::new(layout, measures)
    }

    pub(super) fn new(layout: Layout, measures: Vec<Measure>) -> Segmented {
        Segmented { layout, measures, matters: 1.0 }
    }

    /// What a reader reads, a line for every block.
    pub fn text(&self) -> String {
        let texts = self.layout.blocks().map(|block| block.of(Element::Text));
        texts.filter(|text| !text.is_empty()).map(|text| format!("{text}\n")).collect()
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

/// The blocks of a body; nothing if it is not a document that we can read (see [`binary_importance`] then).
///
/// HTML, feeds, sitemaps, JSON, XML, SVG, style sheets, scripts, texts and PDF are.
///
/// [`binary_importance`]: super::binary_importance
pub fn segment(described: &Described<'_>, body: &[u8]) -> Option<Segmented> {
    read(described, body, None).map(|(segmented, _)| segmented)
}

/// The blocks of two versions. If neither names its encoding they are taken to have the same one: a guess that changed
/// its mind would be a change of every accent on the page.
pub fn segment_both(old: (&Described<'_>, &[u8]), new: (&Described<'_>, &[u8])) -> Option<[Segmented; 2]> {
    let (after, encoding) = read(new.0, new.1, None)?;
    let (before, _) = read(old.0, old.1, Some(encoding))?;
    Some([before, after])
}

/// The blocks of a body, and the encoding it was read in.
fn read(
    described: &Described<'_>,
    body: &[u8],
    likely: Option<&'static Encoding>,
) -> Option<(Segmented, &'static Encoding)> {
    let (plain, damage) = decode::undo(described.content_encoding, body);
    let served = described.content_type.and_then(ContentTypeHeader::parse).filter(|served| !served.is_vague());
    let media_type = match &served {
        Some(served) => served.essence.as_str(),
        None => sniff::media_type(&plain)?,
    };
    if damage.undecodable {
        return None;
    }
    let plain = document::unpacked(plain);
    let format = Format::of(media_type, &plain)?;
    if format == Format::Pdf {
        return document::pdf(&plain).map(|segmented| (segmented, UTF_8));
    }
    let header = served.as_ref().and_then(|served| served.charset.as_deref());
    let inside = |head| format.declared_encoding(head).or_else(|| guess(&plain, described.url, likely));
    let charset = Charset::new(&plain, header, described.url, inside);
    Some((format.blocks(&charset.text()), charset.encoding()))
}

/// The encoding of a page that does not name it.
fn guess(page: &[u8], url: &str, likely: Option<&'static Encoding>) -> Option<&'static Encoding> {
    let first = std::str::from_utf8(page).err()?.valid_up_to();
    let sample = &page[first..page.len().min(first + GUESSED_FROM)];
    let guessed = || Charset::new(sample, None, url, |_| None).encoding();
    Some(likely.filter(|likely| *likely != UTF_8).unwrap_or_else(guessed))
}
