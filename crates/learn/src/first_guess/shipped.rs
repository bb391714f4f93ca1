//! What general experience with the web knows, as additions to the logarithm of changes per day: embedded files rest,
//! entrances, sections and feeds do not, dated pages freeze after their date, deep ones are slower. Rough on purpose;
//! a collection's own experience corrects it.

use crate::address::Leaf;
use tintype_vocab::LinkKind;

/// A page without any features: once in two months.
pub(super) const PLAIN: f32 = -4.1;

pub(super) fn of_kind(kind: LinkKind) -> f32 {
    match kind {
        LinkKind::Embed => -1.5,
        LinkKind::Feed | LinkKind::Sitemap => 2.5,
        LinkKind::Anchor | LinkKind::Redirect | LinkKind::Listed => 0.0,
    }
}

/// By class of depth.
pub(super) const DEPTHS: [f32; 6] = [1.2, 0.5, 0.2, 0.0, -0.2, -0.4];

pub(super) fn depth_class(depth: u16) -> usize {
    match depth {
        0..=3 => usize::from(depth),
        4..=6 => 4,
        _ => 5,
    }
}

pub(super) fn of_leaf(leaf: Leaf) -> f32 {
    match leaf {
        Leaf::Front => 1.5,
        Leaf::Section => 0.5,
        Leaf::Named => 0.0,
        Leaf::Slug | Leaf::Numbered => -0.3,
    }
}

/// Where an age, a validity or a frequency in days falls among bounds: below the first is 0.
pub(super) fn class_of(days: f64, bounds: &[f64]) -> usize {
    bounds.iter().take_while(|bound| days >= **bound).count()
}

/// Ages: to come, an hour or two, a day, a week, a month, half a year, two years, more.
pub(super) const AGE_DAYS: [f64; 7] = [0.0, 0.1, 1.0, 7.0, 30.0, 180.0, 730.0];
/// By age of the last change that somebody told of. A page changed once in the time its last change is old, roughly.
pub(super) const MODIFIED: [f32; 8] = [0.0, 1.2, 1.0, 0.6, 0.2, -0.4, -1.0, -1.6];
/// By age of the date in the path.
pub(super) const DATED: [f32; 8] = [1.0, 2.5, 2.0, 1.0, 0.0, -0.8, -1.5, -2.0];

/// Changes every minute, hour, day, week, month, year, or never.
pub(super) const EVERY_DAYS: [f64; 6] = [0.02, 0.5, 3.0, 15.0, 100.0, 1000.0];
pub(super) const EVERY: [f32; 7] = [1.5, 1.5, 0.8, 0.2, -0.3, -1.0, -2.0];

/// Valid not at all, for minutes, hours, days, months.
pub(super) const MAX_AGE_DAYS: [f64; 4] = [1e-9, 0.05, 1.0, 30.0];
pub(super) const MAX_AGE: [f32; 5] = [0.5, 0.4, 0.1, -0.3, -1.0];

pub(super) const IN_FEED: f32 = 0.8;

/// What names of directories and pages promise.
pub(super) fn of_word(word: &str) -> f32 {
    let is = |words: &[&str]| words.iter().any(|other| word.eq_ignore_ascii_case(other));
    if is(&["news", "latest", "live", "today", "current", "now"]) {
        0.8
    } else if is(&["feed", "rss", "atom"]) {
        1.5
    } else if is(&["archive", "archives", "old", "static", "assets"]) {
        -0.7
    } else {
        0.0
    }
}

/// What a page is made of, as far as it matters to how long it stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Page,
    Feed,
    Style,
    Picture,
    Document,
    Other,
}

impl Class {
    /// By media type if it is known, else by extension.
    pub(super) fn of(media_type: Option<&str>, extension: Option<&str>) -> Class {
        match (media_type, extension) {
            (Some(media_type), _) => Class::of_media_type(media_type),
            (None, Some(extension)) => Class::of_extension(&extension.to_ascii_lowercase()),
            (None, None) => Class::Page,
        }
    }

    fn of_media_type(media_type: &str) -> Class {
        match media_type.split_once('/').unwrap_or((media_type, "")) {
            ("text", "html") | ("application", "xhtml+xml") => Class::Page,
            ("text", "css" | "javascript") | ("application", "javascript") => Class::Style,
            ("image" | "font" | "audio" | "video", _) => Class::Picture,
            (_, "xml" | "rss+xml" | "atom+xml" | "feed+json" | "json") => Class::Feed,
            ("text", _) | ("application", "pdf" | "postscript") => Class::Document,
            _ => Class::Other,
        }
    }

    fn of_extension(extension: &str) -> Class {
        match extension {
            "html" | "htm" | "xhtml" | "shtml" | "php" | "asp" | "aspx" | "jsp" | "cgi" => Class::Page,
            "css" | "js" | "mjs" => Class::Style,
            "png" | "jpg" | "jpeg" | "gif" | "svg" | "webp" | "avif" | "ico" | "bmp" | "woff" | "woff2" | "ttf"
            | "otf" | "eot" | "mp3" | "mp4" | "webm" | "ogg" | "mov" | "avi" => Class::Picture,
            "xml" | "rss" | "atom" | "rdf" | "json" => Class::Feed,
            "pdf" | "ps" | "txt" | "doc" | "docx" | "ppt" | "pptx" | "xls" | "xlsx" | "odt" | "csv" => Class::Document,
            "zip" | "gz" | "tgz" | "bz2" | "xz" | "tar" | "7z" | "exe" | "dmg" | "iso" | "jar" => Class::Other,
            // A dot in a name more often than a format.
            _ => Class::Page,
        }
    }

    pub(super) fn weight(self) -> f32 {
        match self {
            Class::Page => 0.0,
            Class::Feed => 1.0,
            Class::Style => -0.5,
            Class::Document => -1.0,
            Class::Picture | Class::Other => -2.0,
        }
    }

    /// Its name in a kept model.
    pub(super) fn name(self) -> &'static str {
        match self {
            Class::Page => "page",
            Class::Feed => "feed",
            Class::Style => "style",
            Class::Picture => "picture",
            Class::Document => "document",
            Class::Other => "other",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_go_before_extensions() {
        assert_eq!(Class::of(Some("image/png"), Some("php")), Class::Picture);
        assert_eq!(Class::of(Some("nonsense"), None), Class::Other);
        assert_eq!(Class::of(None, Some("PNG")), Class::Picture);
        assert_eq!(Class::of(None, Some("v2")), Class::Page);
        assert_eq!(Class::of(None, None), Class::Page);
    }

    #[test]
    fn the_words_of_sitemaps_fall_into_classes_of_their_own() {
        let classes =
            [1.0 / 1440.0, 1.0 / 24.0, 1.0, 7.0, 30.0, 365.0, 36_500.0].map(|days| class_of(days, &EVERY_DAYS));
        assert_eq!(classes, [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!((class_of(-5.0, &AGE_DAYS), class_of(f64::NAN, &AGE_DAYS), class_of(1e9, &AGE_DAYS)), (0, 0, 7));
    }
}
