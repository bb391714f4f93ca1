//! How much of a document's text changed: the first measure of a change's importance.
//!
//! Jaccard distance of the sets of words, so a whole new text is 1 and moved paragraphs are next to nothing. What a
//! page's readers do not see does not count. Large sets are sampled: of all words those with the smallest hashes are
//! kept, which makes the sample of a union the union of samples and the estimate unbiased.

use crate::{
    Described,
    charset::{self, Charset},
    decode, entity,
    html::{self, Syntax},
    media::ContentTypeHeader,
    sniff,
};
use memchr::memchr;
use rapidhash::v3::rapidhash_v3;
use std::borrow::Cow;

/// What any change is worth, however little of the text it touches: the digest differs, and somebody may care why.
pub const DISTANCE_MIN: f32 = 0.01;
/// Different words kept of one document; few have more. The standard error beyond is under half a per cent.
pub const WORDS_MAX: usize = 20_000;
/// Words gathered before those seen twice are thrown out.
const GATHERED_MAX: usize = 4 * WORDS_MAX;

/// The words of one version of a document, for comparison with another version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// Tells bodies apart.
    body: u64,
    /// Nothing if the body is not text, or in a coding we do not read.
    sample: Option<Sample>,
}

/// A set of words by their hashes, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sample {
    hashes: Vec<u32>,
    /// Hashes above the last were left out.
    cut: bool,
}

impl Words {
    /// The words of a body; of a page, those that are shown.
    pub fn of(described: &Described<'_>, body: &[u8]) -> Words {
        let (plain, damage) = decode::undo(described.content_encoding, body);
        let words = Words { body: rapidhash_v3(body), sample: None };
        if damage.undecodable {
            return words;
        }
        let served = described.content_type.and_then(ContentTypeHeader::parse).filter(|served| !served.is_vague());
        let (media_type, charset) = match &served {
            Some(served) => (served.essence.as_str(), served.charset.as_deref()),
            None => (sniff::media_type(&plain).unwrap_or_default(), None),
        };
        let sample = Text::of(media_type).map(|text| text.sample(&plain, charset, described.url));
        Words { sample, ..words }
    }

    /// Keeps no more than so many words, where memory matters more than the last digit of a distance.
    pub fn thin(&mut self, max: usize) {
        if let Some(sample) = &mut self.sample {
            sample.thin(max.max(1));
            sample.hashes.shrink_to_fit();
        }
    }

    /// How far apart two versions are: 0 if they are the same, 1 if they have no word in common or one of them cannot
    /// be read, and never less than [`DISTANCE_MIN`] if their bytes differ at all.
    pub fn distance(&self, other: &Words) -> f32 {
        if self.body == other.body {
            return 0.0;
        }
        match (&self.sample, &other.sample) {
            (Some(one), Some(two)) => one.distance(two).max(DISTANCE_MIN),
            _ => 1.0,
        }
    }
}

/// Where the words of a body are.
#[derive(Clone, Copy, Debug)]
enum Text {
    Page(Syntax),
    /// Everywhere.
    Plain,
}

impl Text {
    fn of(media_type: &str) -> Option<Text> {
        match media_type {
            "text/html" => Some(Text::Page(Syntax::Html)),
            "application/xhtml+xml" => Some(Text::Page(Syntax::Xml)),
            "application/xml" | "application/json" | "application/javascript" | "application/x-javascript" => {
                Some(Text::Plain)
            }
            _ if media_type.starts_with("text/") => Some(Text::Plain),
            _ if media_type.ends_with("+xml") || media_type.ends_with("+json") => Some(Text::Plain),
            _ => None,
        }
    }

    fn sample(self, body: &[u8], charset: Option<&str>, url: &str) -> Sample {
        let inside = match self {
            Text::Page(_) => html::declared_encoding,
            Text::Plain => charset::in_xml_declaration,
        };
        let transcoded = Charset::new(body, charset, url, inside).readable();
        let bytes = transcoded.as_deref().unwrap_or(body);
        let mut sample = Sample::default();
        match self {
            Text::Page(syntax) => html::visible_text(bytes, syntax, |piece| sample.add_escaped(piece)),
            Text::Plain => sample.add(bytes),
        }
        sample.thin(WORDS_MAX);
        sample
    }
}

impl Sample {
    /// Adds text in which characters may be written as references.
    fn add_escaped(&mut self, piece: &[u8]) {
        let escaped = memchr(b'&', piece).and_then(|_| std::str::from_utf8(piece).ok());
        match escaped.map(entity::unescape) {
            Some(Cow::Owned(text)) => self.add(text.as_bytes()),
            _ => self.add(piece),
        }
    }

    fn add(&mut self, text: &[u8]) {
        match std::str::from_utf8(text) {
            Ok(text) if !text.is_ascii() => {
                text.split(|char: char| !char.is_alphanumeric()).for_each(|word| self.push(word.as_bytes()));
            }
            // In another encoding every byte beyond ASCII may be a letter.
            _ => text.split(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric()).for_each(|word| self.push(word)),
        }
    }

    fn push(&mut self, word: &[u8]) {
        if word.is_empty() {
            return;
        }
        if self.hashes.len() >= GATHERED_MAX {
            self.thin(WORDS_MAX);
        }
        self.hashes.push(rapidhash_v3(word) as u32);
    }

    fn thin(&mut self, max: usize) {
        self.hashes.sort_unstable();
        self.hashes.dedup();
        self.cut |= self.hashes.len() > max;
        self.hashes.truncate(max);
    }

    /// Share of the words of both that only one has: among those whose hashes are so small that neither left them out.
    fn distance(&self, other: &Sample) -> f32 {
        let limit = self.limit().min(other.limit());
        let (one, two) = (self.up_to(limit), other.up_to(limit));
        let common = in_both(one, two);
        let all = one.len() + two.len() - common;
        (all - common) as f32 / all.max(1) as f32
    }

    fn limit(&self) -> u32 {
        self.hashes.last().copied().filter(|_| self.cut).unwrap_or(u32::MAX)
    }

    fn up_to(&self, limit: u32) -> &[u32] {
        &self.hashes[..self.hashes.partition_point(|hash| *hash <= limit)]
    }
}

/// How many numbers two sorted lists have in common.
fn in_both(one: &[u32], two: &[u32]) -> usize {
    let (mut at, mut beside, mut common) = (0, 0, 0);
    while let (Some(left), Some(right)) = (one.get(at), two.get(beside)) {
        common += usize::from(left == right);
        at += usize::from(left <= right);
        beside += usize::from(right <= left);
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(content_type: &str, body: impl AsRef<[u8]>) -> Words {
        let described = Described { content_type: Some(content_type), ..Described::default() };
        Words::of(&described, body.as_ref())
    }

    fn distance(content_type: &str, old: &str, new: &str) -> f32 {
        words(content_type, old).distance(&words(content_type, new))
    }

    #[test]
    fn the_share_of_words_that_came_or_went_is_the_distance() {
        for (old, new, expected) in [
            ("one two three", "one two three", 0.0),
            ("one two three", "one two four", 0.5),
            ("one two", "one two three four", 0.5),
            ("", "all new", 1.0),
            ("all gone", "", 1.0),
            ("one two", "three four", 1.0),
            ("one two", "two, one!", DISTANCE_MIN),
            ("café noir", "café «noir»", DISTANCE_MIN),
        ] {
            assert_eq!(distance("text/plain", old, new), expected, "{old} / {new}");
            assert_eq!(distance("text/html", old, new), expected, "{old} / {new}");
        }
    }

    #[test]
    fn only_what_is_shown_counts_in_a_page() {
        let page = "<p>some words</p>";
        for same in [
            "<script>var id = 77</script><p class=new>some <i>words</i>",
            "<style>p { color: red }</style><p>some words<!-- build 9 -->",
            "some&nbsp;words",
            "so&#109;e &#119;ords",
        ] {
            assert_eq!(distance("text/html; charset=utf-8", page, same), DISTANCE_MIN, "{same}");
        }
        assert_eq!(distance("text/html", page, "<p>some other"), 2.0 / 3.0);
        assert!(distance("application/json", r#"{"a": 1, "b": [true]}"#, r#"{"a": 2, "b": [true]}"#) < 0.5 + 1e-6);
    }

    #[test]
    fn what_cannot_be_read_changes_as_a_whole() {
        assert_eq!(distance("image/png", "some words", "some words more"), 1.0);
        assert_eq!(distance("image/png", "some words", "some words"), 0.0);
        assert_eq!(words("text/plain", "some words").distance(&words("image/png", "some words more")), 1.0);
        let coded =
            Described { content_type: Some("text/plain"), content_encoding: Some("br"), ..Described::default() };
        assert_eq!(Words::of(&coded, b"some words").distance(&Words::of(&coded, b"some words more")), 1.0);
    }

    #[test]
    fn encodings_that_hide_ascii_are_read_too() {
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let [old, new] =
            ["<p>one two</p>", "<p>one three</p>"].map(|page| words("text/html; charset=utf-16le", wide(page)));
        assert_eq!(old.distance(&new), 2.0 / 3.0);
    }

    #[test]
    fn a_sample_tells_nearly_the_same_and_stays_small() {
        let text = |range: std::ops::Range<u32>| range.map(|n| format!("word{n} ")).collect::<String>();
        let [mut old, new] = [0..100_000, 25_000..125_000].map(|range| words("text/plain", text(range)));
        assert_eq!(old.sample.as_ref().unwrap().hashes.len(), WORDS_MAX);
        assert!((old.distance(&new) - 0.4).abs() < 0.02, "{}", old.distance(&new));
        old.thin(2_000);
        assert_eq!(old.sample.as_ref().unwrap().hashes.len(), 2_000);
        assert!((old.distance(&new) - 0.4).abs() < 0.05, "{}", old.distance(&new));
    }

    proptest! {
        #[test]
        fn distances_are_symmetric_and_within_bounds(
            old in "(one |two |<b>|&amp;|é|[a-d]{1,2} ){0,30}",
            new in "(one |two |<b>|&amp;|é|[a-d]{1,2} ){0,30}",
            max in 1usize..40,
        ) {
            for content_type in ["text/html", "text/css", "application/rss+xml", "video/mp4"] {
                let [mut one, two] = [&old, &new].map(|body| words(content_type, body));
                one.thin(max);
                let distance = one.distance(&two);
                prop_assert_eq!(distance, two.distance(&one));
                prop_assert_eq!(one.distance(&one), 0.0);
                match old == new {
                    true => prop_assert_eq!(distance, 0.0),
                    false => prop_assert!((DISTANCE_MIN..=1.0).contains(&distance), "{}", distance),
                }
            }
        }

        #[test]
        fn any_bytes_have_words(body in proptest::collection::vec(any::<u8>(), 0..400)) {
            for content_type in ["text/html", "application/xhtml+xml", "text/plain", ""] {
                let seen = words(content_type, &body);
                prop_assert_eq!(seen.distance(&seen), 0.0);
            }
        }
    }
}
