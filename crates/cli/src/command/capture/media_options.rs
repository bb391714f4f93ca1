//! `--media` and what goes with it: the kinds of files somebody wants, and how sure to be before asking for one.

use crate::{
    amount::parse_share,
    config::SiteConfig,
    failure::usage,
    media_rules::{leave_nothing, rules},
    settings::{Typed, list},
};
use anyhow::Context;
use clap::Args;
use std::{
    io::Read,
    path::{Path, PathBuf},
};
use tintype_archive::open_given;
use tintype_plan::{MediaRule, MediaRules, ParsePatternRuleError, PatternRule, policy};

/// Nobody writes more rules.
const RULES_BYTES_MAX: u64 = 16 << 20;
/// The policy for those who want some media types only.
const FOCUSED: &str = "focused";

/// Which media types are wanted.
#[derive(Debug, Args)]
pub(crate) struct MediaOptions {
    /// Collect only these, and pages that lead to them: content types or media types, each if need be with how likely it
    /// must be (image,audio:0.7,application/pdf). What is behind a URL is guessed before asking, by a model that learns
    /// with every answer; see tintype learn media
    #[arg(long, value_delimiter = ',', value_name = "TYPES", value_parser = wish)]
    media: Vec<String>,
    /// Do not ask for what is likely one of these (image/gif,video:0.9), whatever --media says
    #[arg(long, value_delimiter = ',', value_name = "TYPES", value_parser = wish)]
    no_media: Vec<String>,
    /// Ask for what --no-media rules out all the same where it is likely to lead to other pages
    #[arg(long)]
    follow_unwanted: bool,
    /// Rules for forms of URLs, one on a line: ALLOW audio/ogg example.com/listen/{n} says what is there, DISALLOW */tmp/*
    /// that it is not asked for. They come before what the model thinks; tintype learn media --rules writes them
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// How likely a URL must be of a type of --media or --no-media, where the type does not say; 0.5 by default. Less finds
    /// more of what is wanted, more asks for less of what is not
    #[arg(long, value_name = "CHANCE", value_parser = parse_share)]
    min_probability: Option<f64>,
}

/// A wish as it was typed, if it is one.
fn wish(text: &str) -> Result<String, String> {
    rules(&[text.to_owned()], &[], None).map(|_| text.to_owned())
}

impl MediaOptions {
    pub(super) fn typed(&self) -> anyhow::Result<Typed> {
        let rules = self.rules.as_deref().map(lines_of).transpose()?.unwrap_or_default();
        let chance = self.min_probability.map(|chance| ("min-probability", chance.into()));
        let follow = self.follow_unwanted.then(|| ("follow-unwanted", true.into()));
        let lists = [list("media", &self.media), list("no-media", &self.no_media), list("rules", &rules)];
        Ok(lists.into_iter().chain([follow, chance]).flatten().collect())
    }
}

/// The rules in a file, blank lines and remarks left aside.
fn lines_of(path: &Path) -> anyhow::Result<Vec<String>> {
    let mut text = String::new();
    let file = open_given(path).with_context(|| format!("cannot read rules from {}", path.display()))?;
    file.take(RULES_BYTES_MAX).read_to_string(&mut text).with_context(|| format!("{} is no text", path.display()))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let place = path.display().to_string();
    let rule = |line: &str| -> anyhow::Result<String> { Ok(pattern_rule(line, &place)?.to_string()) };
    lines.map(rule).collect()
}

fn pattern_rule(text: &str, place: &str) -> anyhow::Result<PatternRule> {
    text.parse().map_err(|error: ParsePatternRuleError| usage(error, format!("correct it in {place}")))
}

/// `image, audio without image/gif`.
pub(super) fn in_words(rules: &MediaRules) -> String {
    let all = |rules: &[MediaRule]| rules.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let wanted = if rules.allow.is_empty() { "all media types".to_owned() } else { all(&rules.allow) };
    if rules.disallow.is_empty() { wanted } else { format!("{wanted} without {}", all(&rules.disallow)) }
}

/// What is wanted of a site, and the policy that goes with it unless somebody named another.
pub(super) fn of_site(config: &SiteConfig) -> anyhow::Result<(MediaRules, String)> {
    let mut rules = rules(&config.media, &config.no_media, config.min_probability)
        .map_err(|problem| usage(problem, "see tintype capture --help"))?;
    let patterns = config.rules.iter().map(|rule| pattern_rule(rule, "tintype.toml"));
    rules.patterns = patterns.collect::<anyhow::Result<_>>()?;
    if rules.is_empty() && config.min_probability.is_some() {
        let next = "say what is wanted with --media, or what is not with --no-media";
        return Err(usage("--min-probability says how sure to be, but nothing says of what", next));
    }
    if rules.disallow.is_empty() && config.follow_unwanted {
        let next =
            "say what is not wanted with --no-media; what --media does not name is followed anyway where it leads on";
        return Err(usage(
            "--follow-unwanted says what to do with what is not wanted, but nothing says what that is",
            next,
        ));
    }
    let rules = MediaRules { follow_unwanted: config.follow_unwanted, ..rules };
    if leave_nothing(&rules) {
        let next = "leave one of the two out, here or in tintype.toml";
        return Err(usage("all that --media wants is what --no-media does not: nothing would be collected", next));
    }
    let usual = if rules.allow.is_empty() && rules.disallow.is_empty() { policy::DEFAULT } else { FOCUSED };
    Ok((rules, config.policy.as_deref().unwrap_or(usual).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(media: &[&str]) -> SiteConfig {
        let media = media.iter().map(|text| (*text).to_owned()).collect();
        SiteConfig { media, ..SiteConfig::new(vec!["http://e.com/".to_owned()]) }
    }

    #[test]
    fn who_wants_some_media_types_is_served_by_the_policy_for_that_unless_another_is_named() {
        let policy = |config: &SiteConfig, named: Option<&str>| {
            of_site(&SiteConfig { policy: named.map(str::to_owned), ..config.clone() }).unwrap().1
        };
        assert_eq!(policy(&site(&[]), None), policy::DEFAULT);
        assert_eq!(policy(&site(&["image"]), None), FOCUSED);
        assert_eq!(policy(&site(&["image"]), Some("breadth-first")), "breadth-first");
        assert!(policy::find(FOCUSED).is_some());
    }

    #[test]
    fn how_sure_to_be_needs_something_to_be_sure_of() {
        let config = SiteConfig { min_probability: Some(0.9), ..site(&[]) };
        assert!(of_site(&config).unwrap_err().to_string().contains("--min-probability"));
    }
}
