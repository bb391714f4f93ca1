//! What a person wrote of media types, as rules.

use std::{fmt::Display, str::FromStr};
use tintype_plan::{MediaRule, MediaRules};
use tintype_vocab::MediaRange;

/// Rules from wishes such as `image` or `audio:0.7`; those without a chance of their own take `min_probability`.
pub(crate) fn rules(
    wanted: &[String],
    unwanted: &[String],
    min_probability: Option<f32>,
) -> Result<MediaRules, String> {
    let read = |texts: &[String]| texts.iter().map(|text| rule(text, min_probability)).collect::<Result<Vec<_>, _>>();
    Ok(MediaRules { allow: read(wanted)?, disallow: read(unwanted)?, ..MediaRules::default() })
}

fn rule(text: &str, min_probability: Option<f32>) -> Result<MediaRule, String> {
    let rule: MediaRule = text.parse().map_err(|error: <MediaRule as FromStr>::Err| explain(text, &error))?;
    match min_probability.filter(|_| !text.contains(':')) {
        Some(min_probability) => Ok(MediaRule { min_probability, ..rule }),
        None => Ok(rule),
    }
}

/// What is wrong, and how it would be right.
fn explain(text: &str, error: &impl Display) -> String {
    match text.split_once(':') {
        Some((range, _)) if range.parse::<MediaRange>().is_ok() => format!("{error}: write it as in {range}:0.7"),
        _ => error.to_string(),
    }
}

/// Whether nothing can be wanted, since all that is allowed is forbidden as well.
pub(crate) fn leave_nothing(rules: &MediaRules) -> bool {
    let is_forbidden = |range: &MediaRange| {
        rules.disallow.iter().any(|never| match range {
            MediaRange::One(name) => never.range.contains(name),
            MediaRange::All(_) => never.range == *range,
        })
    };
    !rules.allow.is_empty() && rules.allow.iter().all(|rule| is_forbidden(&rule.range))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chance_of_its_own_comes_before_the_one_for_all() {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let (wanted, unwanted) = (texts(&["image", "audio:0.7"]), texts(&["image/gif"]));
        let chances = |rules: &[MediaRule]| rules.iter().map(|rule| rule.min_probability).collect::<Vec<_>>();
        let all = rules(&wanted, &unwanted, Some(0.25)).unwrap();
        assert_eq!((chances(&all.allow), chances(&all.disallow)), (vec![0.25, 0.7], vec![0.25]));
        let all = rules(&wanted, &unwanted, None).unwrap();
        assert_eq!((chances(&all.allow), chances(&all.disallow)), (vec![0.5, 0.7], vec![0.5]));
        assert!(rules(&texts(&["pictures"]), &[], None).unwrap_err().contains("image"));
        assert!(rules(&texts(&["image:2"]), &[], None).unwrap_err().ends_with("write it as in image:0.7"));
    }

    #[test]
    fn what_is_wanted_and_unwanted_is_nothing() {
        for (wanted, unwanted, nothing) in [
            (&["image"][..], &["image"][..], true),
            (&["image/gif", "image/png:0.9"], &["image"], true),
            (&["text/javascript"], &["application/javascript"], true),
            (&["image", "audio"], &["image"], false),
            (&["image"], &["image/gif"], false),
            (&[], &["image"], false),
            (&["image"], &[], false),
        ] {
            let rules_of = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
            let rules = MediaRules { allow: rules_of(wanted), disallow: rules_of(unwanted), ..MediaRules::default() };
            assert_eq!(leave_nothing(&rules), nothing, "{wanted:?} {unwanted:?}");
        }
    }
}
