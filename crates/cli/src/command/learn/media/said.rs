//! What there is to say about media types.

use serde::Serialize;
use tintype_learn::media::{Media, Reason, Sight, stream::Frequent};
use tintype_session::media::MediaModel;
use tintype_vocab::ContentType;

/// All that was found out, as `--json` prints it.
#[derive(Debug, Serialize)]
pub(super) struct Said {
    pub(super) source: String,
    pub(super) captures: usize,
    /// What the model had learned from before it came here.
    pub(super) trained_on: String,
    /// Nothing where nothing was ever asked for.
    pub(super) foretold: Option<Foretold>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) urls: Vec<Explained>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) patterns: Vec<Pattern>,
}

/// How well guesses made before asking came true in a collection.
#[derive(Debug, Serialize)]
pub(super) struct Foretold {
    pub(super) answers: u64,
    pub(super) accuracy: f64,
    pub(super) calibration_error: f64,
    /// Of the chance that a page carries links.
    pub(super) links_calibration_error: Option<f64>,
}

impl Foretold {
    pub(super) fn of(model: &MediaModel) -> Option<Foretold> {
        let score = &model.score.content_types;
        Some(Foretold {
            answers: score.count(),
            accuracy: score.accuracy()?,
            calibration_error: score.calibration.error()?,
            links_calibration_error: model.score.links.error(),
        })
    }
}

/// What is thought to be behind a URL.
#[derive(Debug, Serialize)]
pub(super) struct Explained {
    pub(super) url: String,
    /// The likeliest first.
    pub(super) content_types: Vec<Chance>,
    /// The same, as far as they are likely at all.
    pub(super) media_types: Vec<Chance>,
    /// The chance that it carries links.
    pub(super) links: f32,
    /// How long it is likely to be.
    pub(super) bytes: f32,
    /// The strongest first.
    pub(super) reasons: Vec<Why>,
    /// What URLs like it were in this collection.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) here: Vec<Pattern>,
    /// What it was when it was last asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) was: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Chance {
    pub(super) name: String,
    pub(super) chance: f32,
}

/// A sign and what it says: more than 0 for the content type, less against it.
#[derive(Debug, Serialize)]
pub(super) struct Why {
    pub(super) feature: String,
    pub(super) content_type: ContentType,
    pub(super) weight: f32,
}

/// URLs that have something in common, and what was behind them.
#[derive(Debug, Serialize)]
pub(super) struct Pattern {
    pub(super) pattern: String,
    pub(super) media_type: String,
    /// How many were seen, at the least and at the most.
    pub(super) urls: [u32; 2],
    /// The share that was of this media type, at the least and at the most.
    pub(super) share: [f32; 2],
}

impl Pattern {
    /// As they read, each once: some that are told apart read the same, and of several that say the same of the same
    /// URLs the one that says most about them stands for all.
    pub(super) fn distinct(frequent: Vec<Frequent>) -> Vec<Pattern> {
        let mut patterns: Vec<Pattern> = Vec::new();
        for Frequent { text, media_type, occurrences, confidence, .. } in frequent {
            if !patterns.iter().any(|known| known.pattern == text) {
                patterns.push(Pattern { pattern: text, media_type, urls: occurrences, share: confidence });
            }
        }
        Pattern::telling(patterns)
    }

    fn telling(patterns: Vec<Pattern>) -> Vec<Pattern> {
        let says_more = |pattern: &Pattern| patterns.iter().any(|other| other.says_all_of(pattern));
        let spare: Vec<bool> = patterns.iter().map(says_more).collect();
        patterns.into_iter().zip(spare).filter(|(_, spare)| !spare).map(|(pattern, _)| pattern).collect()
    }

    /// Whether this is the other one with more said of the same URLs.
    fn says_all_of(&self, other: &Pattern) -> bool {
        let same = |one: &Pattern| (one.urls, one.share.map(f32::to_bits));
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

impl Explained {
    pub(super) fn of(media: &Media, sight: &Sight<'_>, reasons: usize) -> Explained {
        let guess = media.guess(sight);
        let content_types = ContentType::ALL.into_iter().zip(guess.content_types());
        let content_types = content_types.map(|(class, chance)| Chance { name: class.to_string(), chance });
        let named = guess.names(NAMED).into_iter().map(|(name, chance)| Chance { name, chance });
        let why = |Reason { feature, content_type, weight }| Why { feature, content_type, weight };
        Explained {
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

fn likeliest_first(mut chances: Vec<Chance>) -> Vec<Chance> {
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
        let found = found.map(|(text, media_type, urls)| Pattern {
            pattern: text.to_owned(),
            media_type: media_type.to_owned(),
            urls: [urls; 2],
            share: [1.0; 2],
        });
        let shown: Vec<String> = Pattern::telling(found.into()).into_iter().map(|pattern| pattern.pattern).collect();
        assert_eq!(shown, ["*.jpg", "h/view/{n}-{n}.jpg", "/docs/{n}", "/docs/*", "* without extension"]);
    }
}
