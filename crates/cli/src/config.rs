//! `tintype.toml`: the sites of a collection and what a person decided about them. Everything else is learned.

mod source;

pub(crate) use source::SourceConfig;

use crate::failure::usage;
use anyhow::Context;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};
use tintype_archive::Retention;
use tintype_plan::DayHours;

const FILE: &str = "tintype.toml";
const HEAD: &str = "# The sites and sources of this collection: `tintype capture` without a URL captures all sites again, `tintype keep`\n\
    # keeps all sites and the objects of all sources.\n";

/// What a person decided about one site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SiteConfig {
    pub(crate) seeds: Vec<String>,
    #[serde(default = "host")]
    pub(crate) scope: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) budget: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) depth: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) delay: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) media: Vec<String>,
    #[serde(default, rename = "no-media", skip_serializing_if = "Vec::is_empty")]
    pub(crate) no_media: Vec<String>,
    /// How likely a URL must be of these, where they do not say so themselves.
    #[serde(default, rename = "min-probability", skip_serializing_if = "Option::is_none")]
    pub(crate) min_probability: Option<f32>,
    /// Keeping: what its changes count, where those of other sites count 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) weight: Option<f64>,
    /// Keeping: what it may take a day, such as `100/day`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ceiling: Option<String>,
    /// Keeping: the share of the budget of all that it may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) share: Option<f64>,
    /// Keeping: when it may be asked, such as `22:00-06:00`, in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hours: Option<DayHours>,
    /// Keeping: how often a dated whole is captured.
    #[serde(default, rename = "capture-every", skip_serializing_if = "Option::is_none")]
    pub(crate) capture_every: Option<String>,
    /// Which versions get into the index.
    #[serde(default, skip_serializing_if = "Which::is_all")]
    pub(crate) index: Which,
    /// Which versions are stored at all.
    #[serde(default, skip_serializing_if = "Which::is_all")]
    pub(crate) store: Which,
}

/// Versions, by what changed against the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Which {
    #[default]
    All,
    /// Those whose changes, added up, are as important as is usual for their page
    Important,
}

impl Which {
    fn is_all(&self) -> bool {
        *self == Which::All
    }
}

impl SiteConfig {
    /// A site of which nobody has decided anything.
    pub(crate) fn new(seeds: Vec<String>) -> SiteConfig {
        SiteConfig {
            seeds,
            scope: host(),
            budget: None,
            depth: None,
            delay: None,
            media: Vec::new(),
            no_media: Vec::new(),
            min_probability: None,
            weight: None,
            ceiling: None,
            share: None,
            hours: None,
            capture_every: None,
            index: Which::All,
            store: Which::All,
        }
    }

    /// How well versions are kept that are less important than usual.
    pub(crate) fn lesser(&self) -> Retention {
        match (self.index, self.store) {
            (_, Which::Important) => Retention::DigestOnly,
            (Which::Important, Which::All) => Retention::Stored,
            (Which::All, Which::All) => Retention::Indexed,
        }
    }
}

fn host() -> String {
    "host".to_owned()
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    /// Filter lists that tell advertisements; a path counts from the collection.
    #[serde(default, rename = "ad-lists", skip_serializing_if = "Vec::is_empty")]
    pub(crate) ad_lists: Vec<PathBuf>,
    /// What all sites and sources that are kept share, such as `200/day` or `200/day,1GB/day`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) budget: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) site: Vec<SiteConfig>,
    /// Listings whose objects are kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) source: Vec<SourceConfig>,
}

impl Config {
    /// The collection's file; empty if there is none.
    pub(crate) fn read(collection: &Path) -> anyhow::Result<Config> {
        let path = collection.join(FILE);
        match fs::read_to_string(&path) {
            Ok(text) => {
                let config: Config =
                    toml::from_str(&text).with_context(|| format!("{} cannot be understood", path.display()))?;
                config.names_are_unique().with_context(|| format!("{} cannot be followed", path.display()))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Config::default()),
            Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => Err(usage(
                format!("{} is a file", collection.display()),
                "name the directory of a collection with -C DIR",
            )),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    /// What is learned of a source is kept under its name: two of one name would be taken for one that changes.
    fn names_are_unique(self) -> anyhow::Result<Config> {
        let mut names: Vec<&str> = self.source.iter().map(|source| source.name.as_str()).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(anyhow::anyhow!("two sources are called {}; give one another name", pair[0])),
            None => Ok(self),
        }
    }

    /// Writes down a site for next time. The file is the person's: what is there stays as it is.
    pub(crate) fn remember(collection: &Path, site: &SiteConfig) -> anyhow::Result<()> {
        if Config::read(collection)?.site.iter().any(|known| known.seeds == site.seeds) {
            return Ok(());
        }
        Config { site: vec![site.clone()], ..Config::default() }.append(collection)
    }

    /// Writes down a source for next time, unless there is one of that name.
    pub(crate) fn remember_source(collection: &Path, source: &SourceConfig) -> anyhow::Result<()> {
        if Config::read(collection)?.source.iter().any(|known| known.name == source.name) {
            return Ok(());
        }
        Config { source: vec![source.clone()], ..Config::default() }.append(collection)
    }

    fn append(&self, collection: &Path) -> anyhow::Result<()> {
        let path = collection.join(FILE);
        let section = toml::to_string(self).context("what a person decides is plain TOML")?;
        let head = if path.exists() { "\n" } else { HEAD };
        let mut file = fs::OpenOptions::new().create(true).append(true).open(&path)?;
        file.write_all(format!("{head}{section}").as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_sources_of_one_name_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let source = |place: &str| format!("[[source]]\nname = \"cars\"\nurl = \"{place}\"\nobjects = \"feed\"\n");
        fs::write(directory.path().join(FILE), source("http://a/") + &source("http://b/")).unwrap();
        let error = format!("{:#}", Config::read(directory.path()).unwrap_err());
        assert!(error.contains("two sources are called cars"), "{error}");
    }

    #[test]
    fn what_nobody_understands_is_not_passed_over() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join(FILE), "ad_lists = [\"easylist.txt\"]\n").unwrap();
        let error = format!("{:#}", Config::read(directory.path()).unwrap_err());
        assert!(error.contains("ad_lists") && error.contains("ad-lists"), "{error}");
    }

    #[test]
    fn a_site_is_remembered_once_and_comments_survive() {
        let directory = tempfile::tempdir().unwrap();
        let site = SiteConfig {
            budget: Some("10,1MB".into()),
            index: Which::Important,
            ..SiteConfig::new(vec!["http://e.com/".into()])
        };
        Config::remember(directory.path(), &site).unwrap();
        let path = directory.path().join(FILE);
        fs::write(&path, fs::read_to_string(&path).unwrap() + "# my note\n").unwrap();
        Config::remember(directory.path(), &site).unwrap();
        let other = SiteConfig { seeds: vec!["http://f.com/".into()], ..site.clone() };
        Config::remember(directory.path(), &other).unwrap();
        assert_eq!(Config::read(directory.path()).unwrap().site, [site, other]);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("# my note") && text.contains("index = \"important\"") && !text.contains("store"));
    }
}
