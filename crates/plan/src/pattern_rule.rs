//! What is said of URLs of a form, by a person or by an earlier capture: `ALLOW audio/ogg e.com/listen/{n}`, `DISALLOW e.com/*/tmp/*`.
//!
//! Patterns are those that the miner of patterns tells ([`tintype_learn::media::patterns_of`]), written as it writes them.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, str::FromStr};
use tintype_learn::media::patterns_of;
use tintype_vocab::MediaRange;

/// How sure a rule is of what it says, whatever the model thinks.
const SURE: f32 = 0.98;
/// No pattern is longer.
const PATTERN_BYTES_MAX: usize = 4096;

/// One form of URLs, and what is said of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternRule {
    /// What is there; nothing where it is not to be asked for whatever is there.
    pub says: Option<MediaRange>,
    pub pattern: String,
}

impl fmt::Display for PatternRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.says {
            Some(range) => write!(f, "ALLOW {range} {}", self.pattern),
            None => write!(f, "DISALLOW {}", self.pattern),
        }
    }
}

/// A text that is no such rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsePatternRuleError(String);

impl fmt::Display for ParsePatternRuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: write ALLOW audio/ogg example.com/listen/{{n}}, or DISALLOW example.com/*/tmp/*", self.0)
    }
}

impl std::error::Error for ParsePatternRuleError {}

impl FromStr for PatternRule {
    type Err = ParsePatternRuleError;

    /// What follows a `#` after a blank is a remark.
    fn from_str(text: &str) -> Result<PatternRule, ParsePatternRuleError> {
        let wrong = |why: &str| ParsePatternRuleError(format!("{:?} is no rule, {why}", text.trim()));
        let text = text.split(" #").next().unwrap_or(text);
        let words: Vec<&str> = text.split_whitespace().collect();
        let (says, pattern) = match words.as_slice() {
            ["ALLOW", range, pattern] => {
                let range = range.parse::<MediaRange>().map_err(|error| wrong(&format!("{error}")))?;
                (Some(range), pattern)
            }
            ["DISALLOW", pattern] => (None, pattern),
            ["ALLOW", ..] => return Err(wrong("which needs a media type and one pattern")),
            ["DISALLOW", ..] => return Err(wrong("which needs one pattern")),
            _ => return Err(wrong("which begins with ALLOW or DISALLOW")),
        };
        if pattern.len() > PATTERN_BYTES_MAX {
            return Err(ParsePatternRuleError("the pattern is too long".to_owned()));
        }
        Ok(PatternRule { says, pattern: pattern.to_lowercase() })
    }
}

impl Serialize for PatternRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PatternRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PatternRule, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// What rules say of one URL.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ToldByRules<'a> {
    /// The first rule that says what is there.
    pub(crate) says: Option<&'a MediaRange>,
    /// The number of the first rule by which it is not to be asked for.
    pub(crate) never: Option<usize>,
}

impl<'a> ToldByRules<'a> {
    pub(crate) fn of(rules: &'a [PatternRule], url: &str) -> ToldByRules<'a> {
        let mut told = ToldByRules::default();
        if rules.is_empty() {
            return told;
        }
        let patterns = patterns_of(url);
        for (nth, rule) in rules.iter().enumerate().filter(|(_, rule)| patterns.contains(&rule.pattern)) {
            match &rule.says {
                Some(range) => told.says = told.says.or(Some(range)),
                None => told.never = told.never.or(Some(nth)),
            }
        }
        told
    }

    /// The chance of a range, if the model says so much.
    pub(crate) fn chance(&self, range: &MediaRange, by_model: f32) -> f32 {
        match self.says {
            None => by_model,
            Some(says) if is_within(says, range) => SURE + (1.0 - SURE) * by_model,
            Some(_) => (1.0 - SURE) * by_model,
        }
    }
}

fn is_within(says: &MediaRange, range: &MediaRange) -> bool {
    match says {
        MediaRange::One(name) => range.contains(name),
        MediaRange::All(_) => says == range,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_and_written_as_a_person_would() {
        for text in ["ALLOW audio/ogg e.com/listen/{n}", "ALLOW image */photos/*", "DISALLOW e.com/*/tmp/*"] {
            assert_eq!(text.parse::<PatternRule>().unwrap().to_string(), text);
        }
        let remarked: PatternRule = "  ALLOW audio/ogg E.com/Listen/{n}   # 98 to 100 % of 40 URLs".parse().unwrap();
        assert_eq!(remarked.to_string(), "ALLOW audio/ogg e.com/listen/{n}");
        for odd in ["", "allow audio x", "ALLOW audio", "ALLOW pictures x", "DISALLOW", "DISALLOW a b", "x"] {
            assert!(odd.parse::<PatternRule>().is_err(), "{odd}");
        }
    }

    #[test]
    fn what_a_rule_says_comes_before_what_the_model_thinks() {
        let rules: Vec<PatternRule> =
            ["DISALLOW */tmp/*", "ALLOW audio/ogg e.com/listen/{n}"].map(|text| text.parse().unwrap()).into();
        let told = |url: &str| ToldByRules::of(&rules, url);
        let [audio, html]: [MediaRange; 2] = ["audio", "text/html"].map(|range| range.parse().unwrap());
        let song = told("http://www.e.com/listen/17");
        assert!(song.never.is_none() && song.chance(&audio, 0.1) > 0.98 && song.chance(&html, 0.9) < 0.02);
        assert_eq!(told("http://x.org/a/tmp/b").never, Some(0));
        let other = told("http://e.com/listen/words");
        assert_eq!((other, other.chance(&html, 0.9)), (ToldByRules::default(), 0.9));
    }
}
