//! What our model tells apart: families of media types that URLs tell apart.

use tintype_vocab::{ContentType, folded};

/// A family of media types. Servers name some families twice, by the taste of their time; who wants the names as they are
/// sent needs them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    Html,
    Css,
    /// Plain text, and what else is sent as text.
    Plain,
    /// Scripts sent as `application`.
    Script,
    /// Scripts sent as `text`.
    TextScript,
    Json,
    /// Feeds, sitemaps and other XML sent as `application`.
    Xml,
    TextXml,
    Pdf,
    /// Fonts sent as `application`.
    ApplicationFont,
    Font,
    /// Archives, programs, office documents, bytes.
    Binary,
    Image,
    Audio,
    Video,
}

impl Kind {
    pub const COUNT: usize = 15;
    pub const ALL: [Kind; Kind::COUNT] = [
        Kind::Html,
        Kind::Css,
        Kind::Plain,
        Kind::Script,
        Kind::TextScript,
        Kind::Json,
        Kind::Xml,
        Kind::TextXml,
        Kind::Pdf,
        Kind::ApplicationFont,
        Kind::Font,
        Kind::Binary,
        Kind::Image,
        Kind::Audio,
        Kind::Video,
    ];

    /// Of a media type in lower case; nothing for what is none of the known content types.
    pub fn of(media_type: &str) -> Option<Kind> {
        let (_, subtype) = media_type.split_once('/')?;
        let has = |part: &str| subtype.contains(part);
        Some(match ContentType::of(media_type)? {
            ContentType::Image => Kind::Image,
            ContentType::Audio => Kind::Audio,
            ContentType::Video => Kind::Video,
            ContentType::Font => Kind::Font,
            ContentType::Text => match subtype {
                "html" => Kind::Html,
                "css" => Kind::Css,
                "xml" | "rss+xml" | "atom+xml" => Kind::TextXml,
                // What means JSON is rarely sent as text, and then in the place of a script.
                "json" | "x-json" | "js" | "x-js" => Kind::TextScript,
                _ if has("javascript") || has("ecmascript") => Kind::TextScript,
                _ => Kind::Plain,
            },
            ContentType::Application => match subtype {
                "xhtml+xml" => Kind::Html,
                "pdf" | "x-pdf" => Kind::Pdf,
                "js" | "x-js" => Kind::Script,
                _ if has("javascript") || has("ecmascript") => Kind::Script,
                _ if has("json") => Kind::Json,
                _ if has("xml") && !has("openxml") => Kind::Xml,
                _ if has("font") || has("woff") => Kind::ApplicationFont,
                _ => Kind::Binary,
            },
        })
    }

    /// As it is sent.
    pub fn content_type(self) -> ContentType {
        match self {
            Kind::Html | Kind::Css | Kind::Plain | Kind::TextScript | Kind::TextXml => ContentType::Text,
            Kind::Script | Kind::Json | Kind::Xml | Kind::Pdf | Kind::ApplicationFont | Kind::Binary => {
                ContentType::Application
            }
            Kind::Font => ContentType::Font,
            Kind::Image => ContentType::Image,
            Kind::Audio => ContentType::Audio,
            Kind::Video => ContentType::Video,
        }
    }

    /// With the names folded that mean the same.
    pub fn folded_content_type(self) -> ContentType {
        match self {
            Kind::TextScript | Kind::TextXml | Kind::Font => ContentType::Application,
            other => other.content_type(),
        }
    }

    /// Whether servers send such pages under names of two content types.
    pub(super) fn has_two_names(self) -> bool {
        matches!(self, Kind::Script | Kind::TextScript | Kind::Xml | Kind::TextXml | Kind::ApplicationFont | Kind::Font)
    }

    /// Whether names of this kind are folded into one of the same meaning that is of another kind.
    pub(super) fn folds_into(self, name: &str) -> bool {
        let twin = match self {
            Kind::TextScript => Kind::Script,
            Kind::TextXml => Kind::Xml,
            Kind::Font => Kind::ApplicationFont,
            _ => return false,
        };
        Kind::of(folded(name)) == Some(twin)
    }

    /// How likely such a page carries links before any was seen.
    pub(super) fn links_share(self) -> f32 {
        match self {
            Kind::Html => 0.97,
            Kind::Xml | Kind::TextXml => 0.6,
            Kind::Css => 0.3,
            Kind::Json => 0.1,
            _ => 0.01,
        }
    }

    /// The natural logarithm of its usual length in bytes before any was seen. Laid by hand, and soon
    /// outweighed by what is met.
    pub(super) fn log_bytes(self) -> f32 {
        match self {
            Kind::Html => 10.3,
            Kind::Css | Kind::Xml | Kind::TextXml => 9.6,
            Kind::Plain | Kind::Json => 7.6,
            Kind::Script | Kind::TextScript => 10.0,
            Kind::Pdf => 13.0,
            Kind::ApplicationFont | Kind::Font => 10.2,
            Kind::Binary => 12.0,
            Kind::Image => 9.6,
            Kind::Audio => 15.0,
            Kind::Video => 15.5,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::folded_content_type;

    #[test]
    fn kinds_agree_with_the_names_they_stand_for() {
        for name in [
            "text/html",
            "text/css",
            "text/csv",
            "application/x-javascript",
            "text/javascript",
            "application/ld+json",
            "application/rss+xml",
            "text/xml",
            "application/pdf",
            "application/x-font-woff",
            "font/woff2",
            "application/zip",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "image/svg+xml",
            "audio/mpeg",
            "video/mp4",
            "text/x-json",
        ] {
            let kind = Kind::of(name).unwrap();
            assert_eq!(Some(kind.content_type()), ContentType::of(name), "{name}");
            assert_eq!(Some(kind.folded_content_type()), folded_content_type(name), "{name}");
        }
        assert_eq!(Kind::of("multipart/mixed"), None);
        assert!(Kind::ALL.iter().enumerate().all(|(at, kind)| *kind as usize == at));
    }
}
