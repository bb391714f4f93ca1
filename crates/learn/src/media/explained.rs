//! What a model thinks of a URL and why, and what URLs like it were.

use super::{Media, MediaReason, Sight, stream::Frequent};
use serde::Serialize;
use tintype_vocab::ContentType;

/// What is thought to be behind a URL.
#[derive(Debug, Serialize)]
pub struct ExplainedUrl {
    pub url: String,
    /// The likeliest first.
    pub content_types: Vec<NamedChance>,
    /// The same, as far as they are likely at all.
    pub media_types: Vec<NamedChance>,
    /// The chance that it carries links.
    pub links: f32,
    /// How long it is likely to be.
    pub bytes: f32,
    /// The strongest first.
    pub reasons: Vec<FeatureWeight>,
    /// What URLs like it were in this collection.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub here: Vec<UrlPattern>,
    /// What it was when it was last asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
}

/// A content type or media type, and how likely it is.
#[derive(Debug, Serialize)]
pub struct NamedChance {
    pub name: String,
    pub chance: f32,
}

/// A sign and what it says: more than 0 for the content type, less against it.
#[derive(Debug, Serialize)]
pub struct FeatureWeight {
    pub feature: String,
    pub content_type: ContentType,
    pub weight: f32,
}

/// URLs that have something in common, and what was behind them.
#[derive(Debug, Serialize)]
pub struct UrlPattern {
    pub pattern: String,
    pub media_type: String,
    /// How many were seen, at the least and at the most.
    pub urls: [u32; 2],
    /// The share that was of this media type, at the least and at the most.
    pub share: [f32; 2],
}

impl UrlPattern {
    /// As they read, each once: some that are told apart read the same, and of several that say the same of the same
    /// URLs the one that says most about them stands for all.
    pub fn distinct(frequent: Vec<Frequent>) -> Vec<UrlPattern> {
        let mut patterns: Vec<UrlPattern> = Vec::new();
        for Frequent { text, media_type, occurrences, confidence, .. } in frequent {
            if !patterns.iter().any(|known| known.pattern == text) {
                patterns.push(UrlPattern { pattern: text, media_type, urls: occurrences, share: confidence });
            }
        }
        UrlPattern::telling(patterns)
    }

    fn telling(patterns: Vec<UrlPattern>) -> Vec<UrlPattern> {
        let says_more = |pattern: &UrlPattern| patterns.iter().any(|other| other.says_all_of(pattern));
        let spare: Vec<bool> = patterns.iter().map(says_more).collect();
        patterns.into_iter().zip(spare).filter(|(_, spare)| !spare).map(|(pattern, _)| pattern).collect()
    }

    /// Whether this is the other one with more said of the same URLs.
    fn says_all_of(&self, other: &UrlPattern) -> bool {
        let same = |one: &UrlPattern| (one.urls, one.share.map(f32::to_bits));
        same(self) == same(other)
            && self.media_type == other.media_type
            && self.pattern.len() > other.pattern.len()
            && holds(&self.pattern, &other.pattern)
    }
}

/// Whether all that a pattern spells out stands in a text, in its order. `/*/` may be one slash.
fn holds(text: &str, pattern: &str) -> bool {
    let mut pieces = pattern.split('*');
    let after = |piece: &str| piece.strip_suffix('/').unwrap_or(piece).len();
    pieces.try_fold(text, |rest, piece| rest.find(piece).map(|at| &rest[at + after(piece)..])).is_some()
}

/// Media types that are named.
const NAMED: usize = 8;
/// Less likely ones are not named.
const LIKELY: f32 = 0.01;

impl ExplainedUrl {
    pub fn of(media: &Media, sight: &Sight<'_>, reasons: usize) -> ExplainedUrl {
        let guess = media.guess(sight);
        let content_types = ContentType::ALL.into_iter().zip(guess.content_types());
        let content_types = content_types.map(|(class, chance)| NamedChance { name: class.to_string(), chance });
        let named = guess.names(NAMED).into_iter().map(|(name, chance)| NamedChance { name, chance });
        let why = |MediaReason { feature, content_type, weight }| FeatureWeight { feature, content_type, weight };
        ExplainedUrl {
            url: sight.url.to_owned(),
            content_types: likeliest_first(content_types.collect()),
            media_types: named.filter(|named| named.chance >= LIKELY).collect(),
            links: guess.links(),
            bytes: guess.bytes(),
            reasons: media.explain(sight).into_iter().take(reasons).map(why).collect(),
            here: Vec::new(),
            was: None,
        }
    }
}

fn likeliest_first(mut chances: Vec<NamedChance>) -> Vec<NamedChance> {
    chances.sort_by(|one, other| other.chance.total_cmp(&one.chance));
    chances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_patterns_that_say_the_same_of_the_same_urls_one_is_shown() {
        let found = [
            ("*.jpg", "text/html", 41),
            ("*/view/*", "text/html", 40),
            ("/view/{n}-{n}.jpg", "text/html", 40),
            ("h/view/{n}-{n}.jpg", "text/html", 40),
            ("{n}-{n}.*", "text/html", 40),
            ("h/*/view/*", "text/html", 40),
            ("/docs/{n}", "text/html", 40),
            ("/docs/*", "image/png", 40),
            ("* without extension", "text/html", 40),
        ];
        let found = found.map(|(text, media_type, urls)| UrlPattern {
            pattern: text.to_owned(),
            media_type: media_type.to_owned(),
            urls: [urls; 2],
            share: [1.0; 2],
        });
        let shown: Vec<String> = UrlPattern::telling(found.into()).into_iter().map(|pattern| pattern.pattern).collect();
        assert_eq!(shown, ["*.jpg", "h/view/{n}-{n}.jpg", "/docs/{n}", "/docs/*", "* without extension"]);
    }
}
