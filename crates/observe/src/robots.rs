//! Rules for robots that come with a page: `<meta name=robots>` and the header `X-Robots-Tag`.

/// Who we are in rules that name somebody.
const AGENT: &str = "tintype";

/// Whether a list of rules, as in `noindex, nofollow`, asks not to follow the page's links. One that is for another robot
/// (`otherbot: none`) does not.
pub(crate) fn forbids_following(rules: &str) -> bool {
    let mut is_for_us = true;
    rules.split(',').any(|rule| {
        let rule = match rule.split_once(':') {
            Some((agent, rule)) if !is_setting(agent.trim()) => {
                is_for_us = agent.trim().eq_ignore_ascii_case(AGENT);
                rule
            }
            _ => rule,
        };
        is_for_us && ["nofollow", "none"].iter().any(|word| rule.trim().eq_ignore_ascii_case(word))
    })
}

/// Rules that have a value, as in `max-snippet:-1`.
fn is_setting(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("max-") || name == "unavailable_after"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_apart_and_those_for_others_do_not_count() {
        for rules in ["nofollow", "noindex, NoFollow", "none", "max-snippet:-1,nofollow", "tintype: nofollow"] {
            assert!(forbids_following(rules), "{rules}");
        }
        for rules in ["", "index,follow", "noindex", "otherbot: noindex, nofollow", "max-snippet:none", "nofollows"] {
            assert!(!forbids_following(rules), "{rules}");
        }
    }
}
