//! Media types as people and servers name them.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The part of a media type before the slash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContentType {
    Application,
    Audio,
    Font,
    Image,
    Text,
    Video,
}

impl ContentType {
    pub const ALL: [ContentType; 6] = [
        ContentType::Application,
        ContentType::Audio,
        ContentType::Font,
        ContentType::Image,
        ContentType::Text,
        ContentType::Video,
    ];

    /// Of a media type or of its first part; nothing for `multipart`, `model` and what nobody registered.
    pub fn of(media_type: &str) -> Option<ContentType> {
        let kind = media_type.split('/').next().unwrap_or_default();
        ContentType::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(kind))
    }

    pub fn name(self) -> &'static str {
        match self {
            ContentType::Application => "application",
            ContentType::Audio => "audio",
            ContentType::Font => "font",
            ContentType::Image => "image",
            ContentType::Text => "text",
            ContentType::Video => "video",
        }
    }
}

impl fmt::Display for ContentType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Names that mean the same, with the one that is kept. Servers send them by the taste of their time.
const SYNONYMS: &[(&str, &str)] = &[
    ("application/ecmascript", "application/javascript"),
    ("application/xhtml+xml", "text/html"),
    ("application/x-javascript", "application/javascript"),
    ("font/collection", "application/font-collection"),
    ("font/otf", "application/font-otf"),
    ("font/sfnt", "application/font-sfnt"),
    ("font/ttf", "application/font-ttf"),
    ("font/woff", "application/font-woff"),
    ("font/woff2", "application/font-woff2"),
    ("image/jpg", "image/jpeg"),
    ("image/pjpeg", "image/jpeg"),
    ("text/atom+xml", "application/atom+xml"),
    ("text/ecmascript", "application/javascript"),
    ("text/javascript", "application/javascript"),
    ("text/json", "application/json"),
    ("text/rss+xml", "application/rss+xml"),
    ("text/x-javascript", "application/javascript"),
    ("text/x-json", "application/json"),
    ("text/xml", "application/xml"),
];

/// The name that is kept of those that mean the same: scripts, XML, JSON and fonts have several.
pub fn folded(media_type: &str) -> &str {
    let hit = SYNONYMS.iter().find(|(synonym, _)| *synonym == media_type);
    hit.map_or(media_type, |(_, kept)| kept)
}

/// The content type of the folded name: what was sent as `text/javascript` is an application, as is every font.
pub fn folded_content_type(media_type: &str) -> Option<ContentType> {
    match ContentType::of(folded(media_type))? {
        ContentType::Font => Some(ContentType::Application),
        other => Some(other),
    }
}

/// What a person wants: every media type of a content type, or one media type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum MediaRange {
    /// `image`, `image/*`.
    All(ContentType),
    /// `application/pdf`; synonyms are the same wish.
    One(String),
}

impl MediaRange {
    /// Whether what was served is of it. Both the name that was sent and the folded one count: who wants text wants
    /// `text/javascript` too.
    pub fn contains(&self, media_type: &str) -> bool {
        match self {
            MediaRange::All(kind) => {
                ContentType::of(media_type) == Some(*kind) || ContentType::of(folded(media_type)) == Some(*kind)
            }
            MediaRange::One(wanted) => folded(wanted) == folded(media_type),
        }
    }

    pub fn content_type(&self) -> Option<ContentType> {
        match self {
            MediaRange::All(kind) => Some(*kind),
            MediaRange::One(media_type) => ContentType::of(media_type),
        }
    }
}

impl fmt::Display for MediaRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MediaRange::All(kind) => kind.fmt(f),
            MediaRange::One(media_type) => f.write_str(media_type),
        }
    }
}

/// Longest media type that is taken seriously.
const NAME_MAX: usize = 127;

/// A wish that names no media type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseMediaRangeError(String);

impl fmt::Display for ParseMediaRangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = ContentType::ALL.map(ContentType::name).join(", ");
        write!(f, "{:?} is no media type: use one of {kinds}, or a full name such as application/pdf", self.0)
    }
}

impl std::error::Error for ParseMediaRangeError {}

impl FromStr for MediaRange {
    type Err = ParseMediaRangeError;

    fn from_str(text: &str) -> Result<MediaRange, ParseMediaRangeError> {
        let name = text.trim().to_ascii_lowercase();
        let range = match name.split_once('/') {
            None | Some((_, "*" | "")) => ContentType::of(&name).map(MediaRange::All),
            Some((kind, subtype)) => {
                let is_token = |part: &str| {
                    !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&b))
                };
                (is_token(kind) && is_token(subtype) && name.len() <= NAME_MAX).then(|| MediaRange::One(name.clone()))
            }
        };
        range.ok_or_else(|| ParseMediaRangeError(text.chars().take(NAME_MAX).collect()))
    }
}

impl TryFrom<String> for MediaRange {
    type Error = ParseMediaRangeError;

    fn try_from(text: String) -> Result<MediaRange, ParseMediaRangeError> {
        text.parse()
    }
}

impl From<MediaRange> for String {
    fn from(range: MediaRange) -> String {
        range.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synonyms_are_one_name() {
        assert_eq!(folded("text/javascript"), folded("application/x-javascript"));
        assert_eq!(folded("image/png"), "image/png");
        assert_eq!(folded_content_type("text/xml"), Some(ContentType::Application));
        assert_eq!(folded_content_type("font/woff2"), Some(ContentType::Application));
        assert_eq!(folded_content_type("font/x-woff"), Some(ContentType::Application));
        assert_eq!(folded_content_type("application/xhtml+xml"), Some(ContentType::Text));
        assert_eq!(folded_content_type("multipart/mixed"), None);
        assert!(SYNONYMS.iter().all(|(_, kept)| folded(kept) == *kept), "folding twice is folding once");
    }

    #[test]
    fn wishes_are_read_and_met() {
        let wish = |text: &str| text.parse::<MediaRange>().unwrap();
        assert_eq!(wish("image"), MediaRange::All(ContentType::Image));
        assert_eq!(wish(" Image/* "), wish("image"));
        assert!(wish("image").contains("image/png") && !wish("image").contains("text/html"));
        assert!(wish("text").contains("text/javascript") && wish("application").contains("text/javascript"));
        assert!(wish("font").contains("font/woff") && wish("application/x-javascript").contains("text/javascript"));
        assert!(
            wish("application/pdf").contains("application/pdf") && !wish("application/pdf").contains("application/zip")
        );
        for odd in ["", "images", "a b/c", "/", "x/", &"a/b".repeat(99)] {
            assert!(odd.parse::<MediaRange>().is_err(), "{odd}");
        }
        let text = serde_json::to_string(&wish("application/pdf")).unwrap();
        assert_eq!(
            (text.as_str(), serde_json::from_str(&text).unwrap()),
            ("\"application/pdf\"", wish("application/pdf"))
        );
    }
}
