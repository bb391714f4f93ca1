//! How a link is written on the page that carries it, as far as that says something of what is behind it.

use serde::{Deserialize, Serialize};

/// What a page says of a link without saying it: the tag, where it stands, and the words on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mention {
    pub tag: Tag,
    pub place: LinkPlace,
    /// Hashes of words a reader clicks on, never 0: the first two and the last two, since what is behind a link tends to
    /// stand at its ends ("Download …", "… (PDF)"); 0 where there are fewer.
    pub words: [u16; 4],
}

/// The construct that carries a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Tag {
    #[default]
    Unknown,
    /// `a`, `area`.
    Anchor,
    /// The same with `download`.
    Download,
    /// `img src`, `input type=image`, `video poster`, `body background`.
    Image,
    /// `srcset` of `img` or of a `source` in a `picture`.
    ImageSet,
    Script,
    /// `link rel=stylesheet`, CSS `@import`.
    StyleSheet,
    /// `link rel=icon` and its kin.
    Icon,
    /// `link rel=preload`, `prefetch`, `modulepreload`.
    Preload,
    /// `link rel=alternate` with the type of a feed.
    Feed,
    /// Other `link` elements.
    Link,
    Frame,
    Audio,
    Video,
    /// `source` outside a `picture`.
    Source,
    /// `track`: subtitles.
    Track,
    /// `object`, `embed`, `applet`.
    Object,
    /// CSS `url()` outside `@font-face`.
    Background,
    /// CSS `url()` inside `@font-face`.
    FontFace,
    Manifest,
    /// An entry of a feed.
    Entry,
    /// The enclosure or media content of a feed's entry.
    Enclosure,
    /// A location of a sitemap, or the sitemap.
    Listed,
    Redirect,
    /// `a`, `area` that the site asks not to follow: `rel=nofollow`, or the robots rules of the page they stand on.
    Unfollowed,
}

impl Tag {
    pub const ALL: [Tag; 25] = [
        Tag::Unknown,
        Tag::Anchor,
        Tag::Download,
        Tag::Image,
        Tag::ImageSet,
        Tag::Script,
        Tag::StyleSheet,
        Tag::Icon,
        Tag::Preload,
        Tag::Feed,
        Tag::Link,
        Tag::Frame,
        Tag::Audio,
        Tag::Video,
        Tag::Source,
        Tag::Track,
        Tag::Object,
        Tag::Background,
        Tag::FontFace,
        Tag::Manifest,
        Tag::Entry,
        Tag::Enclosure,
        Tag::Listed,
        Tag::Redirect,
        Tag::Unfollowed,
    ];
}

/// Where on the page a link stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum LinkPlace {
    #[default]
    Unknown,
    Head,
    Navigation,
    /// What the page is for.
    Content,
    Footer,
}

impl LinkPlace {
    pub const ALL: [LinkPlace; 5] =
        [LinkPlace::Unknown, LinkPlace::Head, LinkPlace::Navigation, LinkPlace::Content, LinkPlace::Footer];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_may_number_tags_and_places_by_their_order() {
        assert!(Tag::ALL.iter().enumerate().all(|(number, tag)| *tag as usize == number));
        assert!(LinkPlace::ALL.iter().enumerate().all(|(number, place)| *place as usize == number));
    }
}
