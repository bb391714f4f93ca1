//! The moment a capture is meant for, and what decides how well it is met.

use crate::{
    command::captures::parse_at,
    config::SiteConfig,
    failure::usage,
    settings::{self, Typed},
};
use clap::Args;
use tintype_plan::Settings;
use tintype_vocab::PartialTime;
use toml_edit::Value;

#[derive(Debug, Args)]
pub(super) struct Moment {
    /// The moment the capture is meant for: it begins so that its middle falls there, asks for lively pages nearest to it,
    /// and with --revisit proves what was the same before and after it. Of a site never captured before say its size, too
    #[arg(long, value_name = "TIME", value_parser = moment, conflicts_with = "save")]
    as_of: Option<String>,
    /// How many pages the site has, if you know better than the last capture: lively pages are asked for in the middle
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    expected_pages: Option<u32>,
    /// With --revisit, give up proving pages that are likelier than this to change between their two visits (0.7); by
    /// default as many as make the most of all others sharp
    #[arg(long, value_name = "CHANCE", value_parser = chance)]
    hopeless_above: Option<f64>,
}

fn moment(text: &str) -> Result<String, String> {
    parse_at(text).map(|_| text.to_owned())
}

fn chance(text: &str) -> Result<f64, String> {
    let chance = text.parse::<f64>().ok().filter(|chance| (0.0..=1.0).contains(chance));
    chance.ok_or_else(|| "write a chance from 0 to 1, such as 0.7".to_owned())
}

impl Moment {
    pub(super) fn typed(&self) -> Typed {
        let own = [
            settings::text("as-of", self.as_of.as_ref()),
            self.expected_pages.map(|pages| ("expected-pages", Value::from(i64::from(pages)))),
            self.hopeless_above.map(|chance| ("hopeless-above", Value::from(chance))),
        ];
        own.into_iter().flatten().collect()
    }
}

/// Tells the scheduler of a site what is decided about it.
pub(super) fn apply(config: &SiteConfig, settings: &mut Settings) -> anyhow::Result<()> {
    let wrong = |problem: String| usage(problem, "correct it in tintype.toml");
    let as_of = config.as_of.as_deref().map(parse_at).transpose().map_err(wrong)?;
    settings.as_of = as_of.map(PartialTime::as_asked);
    settings.pages_expected = config.expected_pages;
    if let Some(other) = config.hopeless_above.filter(|chance| !(0.0..=1.0).contains(chance)) {
        return Err(wrong(format!("hopeless-above = {other} is no chance from 0 to 1")));
    }
    settings.hopeless_above = config.hopeless_above;
    Ok(())
}
