//! What goes with `--policy skip` and `--policy warm`: what may be lost, and which rules are believed.

use crate::{
    amount::parse_share,
    config::SiteConfig,
    failure::usage,
    settings::{self, Section, Typed},
};
use clap::Args;
use tintype_plan::{Settings, WarmTerms};
use toml_edit::Value;

const HEADING: &str = "Skipping";

#[derive(Debug, Args)]
pub(super) struct SkipOptions {
    /// With --policy skip: the share of the changes that may be lost by what is skipped; 0.05 by default. 0 asks for
    /// everything
    #[arg(long, value_name = "SHARE", value_parser = parse_share, help_heading = HEADING)]
    loss: Option<f64>,
    /// With --policy warm: a directory has changed if this share of its pages has, weighed by the importance of their changes
    #[arg(long, value_name = "SHARE", value_parser = parse_share, help_heading = HEADING)]
    degree_min: Option<f64>,
    /// With --policy warm: the directories of a rule must have changed together in this share of the captures
    #[arg(long, value_name = "SHARE", value_parser = parse_share, help_heading = HEADING)]
    frequency_min: Option<f64>,
    /// With --policy warm: how decidedly the one below must keep still when they change, from 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = parse_share, help_heading = HEADING)]
    correlation_min: Option<f64>,
    /// With --policy warm: the one below must have kept still this share of the times
    #[arg(long, value_name = "SHARE", value_parser = parse_share, help_heading = HEADING)]
    confidence_min: Option<f64>,
    /// With --policy warm: only what is in this directory (/news) may be skipped, by rules that begin with it
    #[arg(long, value_name = "/PATH", value_parser = directory, help_heading = HEADING)]
    within: Option<String>,
}

fn directory(text: &str) -> Result<String, String> {
    match text.starts_with('/') && !text.contains(char::is_whitespace) {
        true => Ok(text.to_owned()),
        false => Err("write the path of a directory, such as /news".to_owned()),
    }
}

impl SkipOptions {
    pub(super) fn typed(&self) -> Typed {
        let share = |key, share: Option<f64>| share.map(|share| (key, Value::from(share)));
        let own = [
            share("loss", self.loss),
            share("degree-min", self.degree_min),
            share("frequency-min", self.frequency_min),
            share("correlation-min", self.correlation_min),
            share("confidence-min", self.confidence_min),
            settings::text("within", self.within.as_ref()),
        ];
        own.into_iter().flatten().collect()
    }
}

/// A setting that means something to one policy only.
struct OfPolicy {
    name: &'static str,
    policy: &'static str,
    means: &'static str,
    said: fn(&SiteConfig) -> Option<String>,
}

const OF_POLICIES: [OfPolicy; 6] = [
    OfPolicy { name: "loss", policy: "skip", means: "how many changes it may lose", said: |site| shown(site.loss) },
    OfPolicy { name: "degree-min", policy: "warm", means: MINED, said: |site| shown(site.degree_min) },
    OfPolicy { name: "frequency-min", policy: "warm", means: MINED, said: |site| shown(site.frequency_min) },
    OfPolicy { name: "correlation-min", policy: "warm", means: MINED, said: |site| shown(site.correlation_min) },
    OfPolicy { name: "confidence-min", policy: "warm", means: MINED, said: |site| shown(site.confidence_min) },
    OfPolicy { name: "within", policy: "warm", means: "where it may skip", said: |site| site.within.clone() },
];
const MINED: &str = "which rules it skips by";

fn shown(share: Option<f64>) -> Option<String> {
    share.map(|share| share.to_string())
}

impl OfPolicy {
    fn suits(&self, policy: &str) -> bool {
        policy.split(':').next() == Some(self.policy)
    }
}

/// Sets what belongs to the policy that was chosen. What says something to another one is refused; only who chooses another
/// policy for one run leaves what the file says of its own aside.
pub(super) fn apply(section: &Section, settings: &mut Settings) -> anyhow::Result<()> {
    let (config, file) = (&section.config, &section.file);
    for option in &OF_POLICIES {
        let Some(said) = (option.said)(config) else { continue };
        let is_of_file = (option.said)(file).as_ref() == Some(&said);
        let file_suits = is_of_file && file.policy.as_deref().is_some_and(|policy| option.suits(policy));
        if !option.suits(&settings.policy) && !file_suits {
            let OfPolicy { name, policy, means, .. } = option;
            return Err(usage(
                format!("--{name} tells --policy {policy} {means}, and the policy here is {}", settings.policy),
                format!("add --policy {policy}, or leave out --{name}, here or in tintype.toml"),
            ));
        }
    }
    let share = |name: &str, share: Option<f64>| match share.filter(|share| !(0.0..=1.0).contains(share)) {
        Some(other) => Err(usage(format!("{name} = {other} is no share from 0 to 1"), "correct it in tintype.toml")),
        None => Ok(share),
    };
    if let Some(within) = &config.within {
        directory(within)
            .map_err(|problem| usage(format!("within = {within:?}: {problem}"), "correct it in tintype.toml"))?;
    }
    settings.loss = share("loss", config.loss)?;
    settings.warm = WarmTerms {
        degree_min: share("degree-min", config.degree_min)?,
        frequency_min: share("frequency-min", config.frequency_min)?,
        correlation_min: share("correlation-min", config.correlation_min)?,
        confidence_min: share("confidence-min", config.confidence_min)?,
        within: config.within.clone(),
    };
    if !settings.policy.starts_with("skip") {
        settings.loss = None;
    }
    if !settings.policy.starts_with("warm") {
        settings.warm = WarmTerms::default();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_vocab::SiteId;

    fn applied(file: &SiteConfig, typed: &Typed) -> anyhow::Result<Settings> {
        let section = Section::new(file.clone(), typed)?;
        let mut settings = Settings::new(SiteId(0), section.config.seeds.clone());
        settings.policy = section.config.policy.clone().unwrap_or_else(|| "sharp".to_owned());
        apply(&section, &mut settings).map(|()| settings)
    }

    fn site(policy: Option<&str>) -> SiteConfig {
        let policy = policy.map(str::to_owned);
        SiteConfig { policy, ..SiteConfig::new(vec!["http://e.com/".to_owned()]) }
    }

    #[test]
    fn what_says_something_to_another_policy_is_refused() {
        let loss: Typed = vec![("loss", Value::from(0.01))];
        let error = applied(&site(None), &loss).unwrap_err().to_string();
        assert!(error.contains("--loss") && error.contains("--policy skip") && error.contains("sharp"), "{error}");
        assert!(applied(&site(Some("warm")), &loss).is_err());
        assert_eq!(applied(&site(Some("skip:breadth-first")), &loss).unwrap().loss, Some(0.01));
        let within: Typed = vec![("within", Value::from("/news"))];
        assert!(applied(&site(Some("skip")), &within).is_err());
        assert_eq!(applied(&site(Some("warm")), &within).unwrap().warm.within.as_deref(), Some("/news"));
    }

    #[test]
    fn another_policy_for_one_run_leaves_aside_what_the_file_says_of_its_own() {
        let file = SiteConfig { loss: Some(0.01), ..site(Some("skip")) };
        let sharp: Typed = vec![("policy", Value::from("sharp"))];
        assert_eq!(applied(&file, &sharp).unwrap().loss, None);
        assert_eq!(applied(&file, &Typed::new()).unwrap().loss, Some(0.01));
        assert!(applied(&SiteConfig { loss: Some(0.01), ..site(None) }, &Typed::new()).is_err());
        assert!(applied(&SiteConfig { loss: Some(1.5), ..site(Some("skip")) }, &Typed::new()).is_err());
    }
}
