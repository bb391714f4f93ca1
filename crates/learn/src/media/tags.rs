//! What the construct that carries a link says of what is behind it: general knowledge of HTML, not learned from anything.

use super::{kind::Kind, ours::MediaReason};
use tintype_vocab::Tag;

/// How much a tag weighs, laid by hand: fifty to one for what a browser has no other use for, seven to one where it may.
const STRONG: f32 = 4.0;
const SOME: f32 = 2.0;

/// What a tag speaks for.
fn speaks_for(tag: Tag) -> &'static [(Kind, f32)] {
    match tag {
        Tag::Image | Tag::ImageSet | Tag::Icon => &[(Kind::Image, STRONG)],
        Tag::Background => &[(Kind::Image, SOME)],
        Tag::Script => &[(Kind::Script, STRONG), (Kind::TextScript, STRONG)],
        Tag::StyleSheet => &[(Kind::Css, STRONG)],
        Tag::Feed => &[(Kind::Xml, STRONG), (Kind::TextXml, STRONG)],
        Tag::Frame => &[(Kind::Html, SOME)],
        Tag::Audio => &[(Kind::Audio, STRONG)],
        Tag::Video => &[(Kind::Video, STRONG)],
        Tag::Source => &[(Kind::Audio, SOME), (Kind::Video, SOME)],
        Tag::Track => &[(Kind::Plain, STRONG)],
        Tag::FontFace => &[(Kind::Font, STRONG), (Kind::ApplicationFont, STRONG)],
        Tag::Manifest => &[(Kind::Json, STRONG)],
        Tag::Enclosure => &[(Kind::Audio, SOME), (Kind::Video, SOME), (Kind::Image, 1.0)],
        Tag::Download => &[(Kind::Pdf, 1.0), (Kind::Binary, 1.0)],
        Tag::Anchor | Tag::Unfollowed | Tag::Entry | Tag::Listed => &[(Kind::Html, 1.0)],
        Tag::Unknown | Tag::Preload | Tag::Link | Tag::Object | Tag::Redirect => &[],
    }
}

/// Adds it to the scores of kinds.
pub(super) fn add_to(scores: &mut [f32], tag: Tag) {
    speaks_for(tag).iter().for_each(|(kind, weight)| scores[*kind as usize] += *weight);
}

pub(super) fn reason(tag: Tag) -> Option<MediaReason> {
    let (kind, weight) = speaks_for(tag).first()?;
    let feature = format!("what {tag:?} stands for in HTML");
    Some(MediaReason { feature, content_type: kind.folded_content_type(), weight: *weight })
}
