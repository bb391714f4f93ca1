//! What the ending of a name says by itself: who is right where it is right has not yet shown much.

use tintype_learn::media::{MediaAnswer, Model, Parts, Sight};
use tintype_vocab::{ContentType, MediaRange};

/// Endings that everybody knows, by the content type they name once synonyms are folded. Endings of what can
/// hold anything (php, asp, cgi; gz, xz) are not among them.
const KNOWN: &[(ContentType, &[&str])] = &[
    (
        ContentType::Application,
        &[
            "7z",
            "apk",
            "atom",
            "bin",
            "cab",
            "crl",
            "crt",
            "deb",
            "dll",
            "dmg",
            "doc",
            "docx",
            "eot",
            "epub",
            "exe",
            "iso",
            "jar",
            "js",
            "json",
            "jsonp",
            "m3u8",
            "mjs",
            "msi",
            "odp",
            "ods",
            "odt",
            "otf",
            "pdf",
            "ppt",
            "pptx",
            "ps",
            "rar",
            "rdf",
            "rpm",
            "rss",
            "rtf",
            "swf",
            "tar",
            "tgz",
            "torrent",
            "ttf",
            "wasm",
            "webmanifest",
            "woff",
            "woff2",
            "xls",
            "xlsx",
            "xml",
            "xpi",
            "zip",
        ],
    ),
    (
        ContentType::Audio,
        &[
            "aac", "aif", "aiff", "flac", "m3u", "m4a", "mid", "midi", "mp3", "oga", "ogg", "opus", "pls", "ra", "wav",
            "wma",
        ],
    ),
    (
        ContentType::Image,
        &[
            "apng", "avif", "bmp", "cur", "gif", "heic", "ico", "jpeg", "jpg", "jxl", "png", "psd", "svg", "svgz",
            "tif", "tiff", "webp",
        ],
    ),
    (ContentType::Text, &["css", "csv", "htm", "html", "ics", "md", "shtml", "txt", "vcf", "vtt", "xhtml"]),
    (
        ContentType::Video,
        &["3gp", "avi", "f4v", "flv", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "ogv", "qt", "webm", "wmv"],
    ),
];
/// Longest ending of them.
const LONGEST: usize = 11;

/// The content type that the ending of a URL's last name is known for.
pub(super) fn named(url: &str) -> Option<ContentType> {
    let ending = Parts::of(url).extension()?;
    if ending.len() > LONGEST {
        return None;
    }
    let ending = ending.to_ascii_lowercase();
    KNOWN.iter().find(|(_, endings)| endings.contains(&ending.as_str())).map(|(class, _)| *class)
}

/// The table by itself, as a model that never learns: what has no known ending is text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extensions;

impl Model for Extensions {
    fn learn(&mut self, _: &Sight<'_>, _: &MediaAnswer<'_>) {}

    fn content_types(&self, sight: &Sight<'_>) -> [f32; ContentType::ALL.len()] {
        let mut chances = [0.0; ContentType::ALL.len()];
        chances[named(sight.url).unwrap_or(ContentType::Text) as usize] = 1.0;
        chances
    }

    fn chance(&self, sight: &Sight<'_>, wanted: &MediaRange) -> f32 {
        wanted.content_type().map_or(0.0, |wanted| self.content_types(sight)[wanted as usize])
    }

    fn bytes(&self) -> usize {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_is_of_the_last_name_of_the_path() {
        let cases = [
            ("http://a.com/b/c.JPG?d=e.png", Some(ContentType::Image)),
            ("http://a.com/feed.xml#x", Some(ContentType::Application)),
            ("http://a.com/c.jpg/", None),
            ("http://a.com", None),
            ("http://a.gif", None),
            ("http://a.com/view.php", None),
            ("http://a.com/v1.2/page", None),
            ("https://a.com/?img=x.png", None),
        ];
        for (url, named_as) in cases {
            assert_eq!(named(url), named_as, "{url}");
        }
        let text = Extensions.content_types(&Sight::of("http://a.com/"));
        assert_eq!(text[ContentType::Text as usize], 1.0);
        assert_eq!(Extensions.chance(&Sight::of("http://a.com/x.mp3"), &"audio".parse().unwrap()), 1.0);
    }

    #[test]
    fn no_ending_is_known_twice_nor_too_long() {
        let mut all: Vec<&str> = KNOWN.iter().flat_map(|(_, endings)| endings.iter().copied()).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert_eq!(all.iter().map(|ending| ending.len()).max(), Some(LONGEST));
    }
}
