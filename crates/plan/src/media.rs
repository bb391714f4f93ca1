//! What kinds of pages a person wants, and how sure one must be before asking for one.
//!
//! Nobody knows before asking; a model says how likely it is ([`tintype_learn::media`]). A rule allows or forbids what is
//! likely enough to be of a media range.

use crate::PatternRule;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, str::FromStr};
use tintype_vocab::{ContentType, MediaRange, folded};

/// One kind of page, and how likely it must be.
#[derive(Clone, Debug, PartialEq)]
pub struct MediaRule {
    pub range: MediaRange,
    /// Between 0, which takes every page for one, and 1.
    pub min_probability: f32,
}

impl MediaRule {
    /// More likely than not.
    pub const MIN_PROBABILITY: f32 = 0.5;

    pub fn new(range: MediaRange) -> MediaRule {
        MediaRule { range, min_probability: MediaRule::MIN_PROBABILITY }
    }
}

/// `image`, or `image:0.7` where somebody said how sure to be.
impl fmt::Display for MediaRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.range.fmt(f)?;
        if self.min_probability == MediaRule::MIN_PROBABILITY { Ok(()) } else { write!(f, ":{}", self.min_probability) }
    }
}

/// A text that is no rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseMediaRuleError(String);

impl fmt::Display for ParseMediaRuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseMediaRuleError {}

impl FromStr for MediaRule {
    type Err = ParseMediaRuleError;

    fn from_str(text: &str) -> Result<MediaRule, ParseMediaRuleError> {
        let (range, chance) = text.split_once(':').map_or((text, None), |(range, chance)| (range, Some(chance)));
        let range = range.parse().map_err(|error| ParseMediaRuleError(format!("{error}")))?;
        let Some(chance) = chance else { return Ok(MediaRule::new(range)) };
        let said = chance.trim().parse::<f32>().ok().filter(|said| (0.0..=1.0).contains(said));
        let no_chance = || ParseMediaRuleError(format!("{chance:?} is no chance between 0 and 1"));
        Ok(MediaRule { range, min_probability: said.ok_or_else(no_chance)? })
    }
}

impl Serialize for MediaRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MediaRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MediaRule, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// What is wanted. Pages that carry links are asked for all the same, or nothing would be found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written")]
pub struct MediaRules {
    /// Nothing here means everything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<MediaRule>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disallow: Vec<MediaRule>,
    /// Whether what is disallowed is asked for all the same where it is likely to lead to other pages.
    pub follow_unwanted: bool,
    /// What is said of URLs of some forms.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<PatternRule>,
}

/// Rules as logs have them: older ones hold a list of what is wanted.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Wanted(Vec<String>),
    Rules {
        #[serde(default)]
        allow: Vec<MediaRule>,
        #[serde(default)]
        disallow: Vec<MediaRule>,
        /// Older logs do not say so: it was done.
        #[serde(default = "always")]
        follow_unwanted: bool,
        #[serde(default)]
        patterns: Vec<PatternRule>,
    },
}

fn always() -> bool {
    true
}

impl From<Written> for MediaRules {
    fn from(written: Written) -> MediaRules {
        match written {
            // What named no media type then allowed nothing either.
            Written::Wanted(names) => names.iter().filter_map(|name| name.parse().ok()).collect(),
            Written::Rules { allow, disallow, follow_unwanted, patterns } => {
                MediaRules { allow, disallow, follow_unwanted, patterns }
            }
        }
    }
}

/// These are wanted and nothing else.
impl FromIterator<MediaRule> for MediaRules {
    fn from_iter<T: IntoIterator<Item = MediaRule>>(rules: T) -> MediaRules {
        MediaRules { allow: rules.into_iter().collect(), ..MediaRules::default() }
    }
}

impl MediaRules {
    /// Whether there is no rule: everything is wanted.
    pub fn is_empty(&self) -> bool {
        self.allow.is_empty() && self.disallow.is_empty() && self.patterns.is_empty()
    }

    /// Whether what was there is what somebody wants.
    pub fn want(&self, media_type: &str) -> bool {
        let holds = |rule: &MediaRule| rule.range.contains(media_type);
        (self.allow.is_empty() || self.allow.iter().any(holds)) && !self.disallow.iter().any(holds)
    }

    /// Whether it may be asked for on its own account, by the chances of what it is.
    pub fn allow(&self, chance: impl Fn(&MediaRange) -> f32) -> bool {
        let likely = |rule: &MediaRule| chance(&rule.range) >= rule.min_probability;
        (self.allow.is_empty() || self.allow.iter().any(likely)) && self.forbid(&chance).is_none()
    }

    /// The rule by which it is likely enough what somebody does not want, whatever else it may be; its number.
    pub fn forbid(&self, chance: impl Fn(&MediaRange) -> f32) -> Option<usize> {
        self.disallow.iter().position(|rule| chance(&rule.range) >= rule.min_probability)
    }

    /// The chance that it is what somebody wants, by the chances of what it is.
    pub fn chance(&self, chance: impl Fn(&MediaRange) -> f32) -> f32 {
        let forbidden_of = |range: Option<&MediaRange>| {
            let forbidden = widest(&self.disallow);
            forbidden.filter(|forbidden| range.is_none_or(|range| overlap(range, forbidden))).map(&chance).sum::<f32>()
        };
        if self.allow.is_empty() {
            return (1.0 - forbidden_of(None)).max(0.0);
        }
        let allowed = widest(&self.allow).map(|range| (chance(range) - forbidden_of(Some(range))).max(0.0));
        allowed.sum::<f32>().min(1.0)
    }
}

/// The ranges of rules, without those inside another: the wider one stands for both, or they would count twice.
fn widest(rules: &[MediaRule]) -> impl Iterator<Item = &MediaRange> {
    let numbered = || rules.iter().map(|rule| &rule.range).enumerate();
    let outermost =
        numbered().filter(move |(nth, range)| !numbered().any(|(other, wider)| covers(wider, range, other < *nth)));
    outermost.map(|(_, range)| range)
}

fn overlap(one: &MediaRange, other: &MediaRange) -> bool {
    covers(one, other, true) || covers(other, one, true)
}

/// Whether one range holds all of another; of two equal ones only if that is asked for.
fn covers(wide: &MediaRange, narrow: &MediaRange, equals: bool) -> bool {
    match (wide, narrow) {
        (MediaRange::All(wide), MediaRange::All(narrow)) => equals && wide == narrow,
        (MediaRange::All(wide), MediaRange::One(name)) => {
            [name.as_str(), folded(name)].into_iter().any(|name| ContentType::of(name) == Some(*wide))
        }
        (MediaRange::One(wide), MediaRange::One(narrow)) => equals && folded(wide) == folded(narrow),
        (MediaRange::One(_), MediaRange::All(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(allow: &[&str], disallow: &[&str]) -> MediaRules {
        let read = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
        MediaRules { allow: read(allow), disallow: read(disallow), ..MediaRules::default() }
    }

    /// Three images in ten, one of them a GIF; four PDFs; the rest is text.
    fn chance(range: &MediaRange) -> f32 {
        match range.to_string().as_str() {
            "image" | "text" => 0.3,
            "image/gif" => 0.1,
            "application" | "application/pdf" => 0.4,
            _ => 0.0,
        }
    }

    #[test]
    fn rules_are_read_and_written_as_a_person_would() {
        let rule: MediaRule = "audio:0.7".parse().unwrap();
        assert_eq!((rule.range.to_string().as_str(), rule.min_probability), ("audio", 0.7));
        assert_eq!(rule.to_string(), "audio:0.7");
        assert_eq!("image:0.5".parse::<MediaRule>().unwrap().to_string(), "image");
        for odd in ["image:", "image:2", "image:-0.1", "image:NaN", "pictures", ":0.5"] {
            assert!(odd.parse::<MediaRule>().is_err(), "{odd}");
        }
    }

    #[test]
    fn logs_with_a_list_of_wishes_are_still_read() {
        let old: MediaRules = serde_json::from_str(r#"["image","application/pdf","nothing"]"#).unwrap();
        assert_eq!(old, rules(&["image", "application/pdf"], &[]));
        let followed: MediaRules = serde_json::from_str(r#"{"disallow":["text"]}"#).unwrap();
        assert_eq!(followed, MediaRules { follow_unwanted: true, ..rules(&[], &["text"]) });
        let new = rules(&["image", "audio:0.75"], &["image/gif"]);
        let text = serde_json::to_string(&new).unwrap();
        assert_eq!(text, r#"{"allow":["image","audio:0.75"],"disallow":["image/gif"],"follow_unwanted":false}"#);
        assert_eq!(serde_json::from_str::<MediaRules>(&text).unwrap(), new);
        assert!(serde_json::from_str::<MediaRules>(r#"{"allow":["pictures"]}"#).is_err());
    }

    #[test]
    fn what_is_forbidden_is_not_wanted_whatever_allows_it() {
        let images = rules(&["image"], &["image/gif"]);
        assert!(images.want("image/png") && !images.want("image/gif") && !images.want("text/html"));
        let all_but_text = rules(&[], &["text"]);
        assert!(all_but_text.want("image/gif") && !all_but_text.want("text/html"));
        assert!(MediaRules::default().want("text/html"));
    }

    #[test]
    fn likely_enough_is_decided_rule_by_rule() {
        assert!(!rules(&["image"], &[]).allow(chance) && rules(&["image:0.3"], &[]).allow(chance));
        assert!(rules(&["image", "application:0.4"], &[]).allow(chance));
        assert!(!rules(&["application:0.4"], &["application/pdf:0.4"]).allow(chance));
        assert!(rules(&["audio:0"], &[]).allow(chance), "who does not mind takes everything");
    }

    #[test]
    fn chances_of_several_wishes_add_up_without_counting_twice() {
        let said = |allow: &[&str], disallow: &[&str]| (rules(allow, disallow).chance(chance) * 10.0).round() as u32;
        assert_eq!(said(&["image", "application"], &[]), 7);
        assert_eq!(said(&["application", "application/pdf"], &[]), 4);
        assert_eq!(said(&["application/pdf", "application/pdf"], &[]), 4);
        assert_eq!(said(&["image"], &["image/gif"]), 2);
        assert_eq!(said(&["image/gif"], &["image"]), 0);
        assert_eq!(said(&["image"], &["text"]), 3);
        assert_eq!(said(&[], &["text"]), 7);
        assert_eq!(said(&[], &["application", "application/pdf"]), 6);
        assert_eq!(said(&["image"], &["image/gif", "image/gif"]), 2);
        assert_eq!(said(&[], &[]), 10);
    }
}
