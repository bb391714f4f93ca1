//! `tintype.toml`: the sites of a collection and what a person decided about them. Everything else is learned.

mod edit;
mod names;
mod notify;
mod source;
mod torn;

pub(crate) use edit::put;
pub(crate) use names::is_no_captured_site;
pub(crate) use notify::{MailConfig, NotifyConfig, OneOrMany, terms};
pub(crate) use source::SourceConfig;
pub(crate) use torn::captured_sites;

use crate::failure::usage;
use anyhow::Context;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::{
    io::{ErrorKind, Read},
    path::{Path, PathBuf},
};
use tintype_archive::{Retention, open_file, put_file};
use tintype_plan::{DayHours, RenderMode};

const FILE: &str = "tintype.toml";
/// No file that a person writes is longer.
const FILE_MAX: u64 = 16 << 20;
const HEAD: &str = "# The sites and sources of this collection: `tintype capture` without a URL captures all sites again, `tintype keep`\n\
    # keeps all sites and the objects of all sources.\n";

/// What a person decided about one site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SiteConfig {
    pub(crate) seeds: Vec<String>,
    #[serde(default = "host", skip_serializing_if = "is_host")]
    pub(crate) scope: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) budget: Option<String>,
    /// With scope web: what may be spent on one domain.
    #[serde(default, rename = "domain-budget", skip_serializing_if = "Option::is_none")]
    pub(crate) domain_budget: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) depth: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) delay: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) media: Vec<String>,
    #[serde(default, rename = "no-media", skip_serializing_if = "Vec::is_empty")]
    pub(crate) no_media: Vec<String>,
    /// What is said of URLs of some forms: `ALLOW audio/ogg example.com/listen/{n}`, `DISALLOW */tmp/*`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) rules: Vec<String>,
    /// Whether what is not wanted is asked for all the same where it is likely to lead on.
    #[serde(default, rename = "follow-unwanted", skip_serializing_if = "std::ops::Not::not")]
    pub(crate) follow_unwanted: bool,
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
    /// Only pages whose URL matches one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) include: Vec<String>,
    /// Nothing whose URL matches one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) exclude: Vec<String>,
    /// Hosts whose robots.txt forbids nothing.
    #[serde(default, rename = "ignore-robots", skip_serializing_if = "Vec::is_empty")]
    pub(crate) ignore_robots: Vec<String>,
    /// How long one run captures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) time: Option<String>,
    /// By which captures choose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) policy: Option<String>,
    /// With policy skip: changes that may be lost, of those there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) loss: Option<f64>,
    /// With policy warm: what makes a rule, and where it is to hold.
    #[serde(default, rename = "degree-min", skip_serializing_if = "Option::is_none")]
    pub(crate) degree_min: Option<f64>,
    #[serde(default, rename = "frequency-min", skip_serializing_if = "Option::is_none")]
    pub(crate) frequency_min: Option<f64>,
    #[serde(default, rename = "correlation-min", skip_serializing_if = "Option::is_none")]
    pub(crate) correlation_min: Option<f64>,
    #[serde(default, rename = "confidence-min", skip_serializing_if = "Option::is_none")]
    pub(crate) confidence_min: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) within: Option<String>,
    /// Captures ask for every page twice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) revisit: bool,
    /// Which pages a browser builds before they are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) render: Option<RenderWhen>,
    /// The moment a capture is meant for: of one run, so the file has none.
    #[serde(default, rename = "as-of", skip_serializing_if = "Option::is_none")]
    pub(crate) as_of: Option<String>,
    /// How large the site is thought to be.
    #[serde(default, rename = "expected-pages", skip_serializing_if = "Option::is_none")]
    pub(crate) expected_pages: Option<u64>,
    /// The chance to change above which a page is not to be proved.
    #[serde(default, rename = "hopeless-above", skip_serializing_if = "Option::is_none")]
    pub(crate) hopeless_above: Option<f64>,
    /// Requests under way at once per host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) connections: Option<usize>,
    /// Which versions get into the index.
    #[serde(default, skip_serializing_if = "Which::is_all")]
    pub(crate) index: Which,
    /// Which versions are stored at all.
    #[serde(default, skip_serializing_if = "Which::is_all")]
    pub(crate) store: Which,
}

/// Which pages a browser builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RenderWhen {
    Never,
    Auto,
    Always,
}

impl RenderWhen {
    /// As it is written.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            RenderWhen::Never => "never",
            RenderWhen::Auto => "auto",
            RenderWhen::Always => "always",
        }
    }

    pub(crate) fn mode(self) -> RenderMode {
        match self {
            RenderWhen::Never => RenderMode::Never,
            RenderWhen::Auto => RenderMode::Auto,
            RenderWhen::Always => RenderMode::Always,
        }
    }
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

    /// As it is written.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Which::All => "all",
            Which::Important => "important",
        }
    }
}

impl SiteConfig {
    /// A site of which nobody has decided anything.
    pub(crate) fn new(seeds: Vec<String>) -> SiteConfig {
        SiteConfig {
            seeds,
            scope: host(),
            budget: None,
            domain_budget: None,
            depth: None,
            delay: None,
            media: Vec::new(),
            no_media: Vec::new(),
            rules: Vec::new(),
            follow_unwanted: false,
            min_probability: None,
            weight: None,
            ceiling: None,
            share: None,
            hours: None,
            capture_every: None,
            include: Vec::new(),
            exclude: Vec::new(),
            ignore_robots: Vec::new(),
            time: None,
            policy: None,
            loss: None,
            degree_min: None,
            frequency_min: None,
            correlation_min: None,
            confidence_min: None,
            within: None,
            revisit: false,
            render: None,
            as_of: None,
            expected_pages: None,
            hopeless_above: None,
            connections: None,
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

fn is_host(scope: &String) -> bool {
    *scope == host()
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
    /// Where the owner of a site can reach the person behind the requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) contact: Option<String>,
    /// What is sent with every request instead of our own name.
    #[serde(default, rename = "user-agent", skip_serializing_if = "Option::is_none")]
    pub(crate) user_agent: Option<String>,
    /// Regular expressions of what `changes --watched` shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) watch: Vec<String>,
    /// Where `tintype serve` answers, for links to archived versions.
    #[serde(default, rename = "archive-address", skip_serializing_if = "Option::is_none")]
    pub(crate) archive_address: Option<String>,
    /// A file of `URL,VISITS` lines: what changes on pages that are read more ranks higher.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) traffic: Option<PathBuf>,
    /// How mail gets out.
    #[serde(default, skip_serializing_if = "MailConfig::is_default")]
    pub(crate) mail: MailConfig,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) site: Vec<SiteConfig>,
    /// Listings whose objects are kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) source: Vec<SourceConfig>,
    /// Who is told of what.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) notify: Vec<NotifyConfig>,
}

impl Config {
    /// The collection's file; empty if there is none. Of one whose end is missing, what can be known, with a warning.
    pub(crate) fn read(collection: &Path) -> anyhow::Result<Config> {
        let path = collection.join(FILE);
        let Some(text) = read_text(&path)? else { return Ok(Config::default()) };
        let config = match toml::from_str(&text) {
            Ok(config) => config,
            Err(_) if torn::is_torn(&text) => {
                torn::warn_once(&path, collection);
                torn::recovered(collection, &text).0
            }
            Err(error) => {
                let problem = format!("{} cannot be understood: {error}", path.display());
                return Err(usage(problem, "mend that line, or move the file away and name the sites again"));
            }
        };
        config.names_are_unique().with_context(|| format!("{} cannot be followed", path.display()))
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
        torn::mend_first(collection)?;
        let whole = match read_text(&path)? {
            Some(text) => text + "\n",
            None => HEAD.to_owned(),
        };
        put_file(&path, format!("{whole}{section}").as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

/// The text of the file; nothing if there is none. It may be a stranger's: a link is not followed.
fn read_text(path: &Path) -> anyhow::Result<Option<String>> {
    let collection = path.parent().unwrap_or(path).display();
    let mut text = Vec::new();
    match open_file(path).and_then(|file| file.take(FILE_MAX).read_to_end(&mut text)) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return Err(usage(format!("{collection} is a file"), "name the directory of a collection with -C DIR"));
        }
        Err(error) if error.kind() == ErrorKind::InvalidInput => {
            return Err(usage(format!("{} {error}", path.display()), "put the file itself there, or remove it"));
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
    let text = String::from_utf8(text)
        .map_err(|_| usage(format!("{} is no text", path.display()), "move the file away and name the sites again"))?;
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
