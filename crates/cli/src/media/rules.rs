//! What a person wrote of media types, as rules.

use tintype_plan::{MediaRule, MediaRules};

/// Rules from wishes such as `image` or `audio:0.7`; those without a chance of their own take `min_probability`.
pub(crate) fn rules(
    wanted: &[String],
    unwanted: &[String],
    min_probability: Option<f32>,
) -> Result<MediaRules, String> {
    let read = |texts: &[String]| texts.iter().map(|text| rule(text, min_probability)).collect::<Result<Vec<_>, _>>();
    Ok(MediaRules { allow: read(wanted)?, disallow: read(unwanted)? })
}

fn rule(text: &str, min_probability: Option<f32>) -> Result<MediaRule, String> {
    let rule: MediaRule = text.parse().map_err(|error| format!("{error}"))?;
    match min_probability.filter(|_| !text.contains(':')) {
        Some(min_probability) => Ok(MediaRule { min_probability, ..rule }),
        None => Ok(rule),
    }
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
    }
}
