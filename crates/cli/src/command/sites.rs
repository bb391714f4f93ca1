//! `tintype sites`: the sites of a collection, and what was decided about them.

mod list;

use super::{Common, capture, keep};
use crate::out::{self, mention, say};
use crate::{
    config::{Config, SiteConfig, put},
    failure::usage,
    settings::{Section, check_names, list, text},
    sites as typed,
};
use anyhow::Context;
use clap::{Args, Subcommand};
use serde_json::json;
use std::{path::Path, process::ExitCode};
use tintype_archive::make_directory;
use tintype_plan::{DayHours, ScopeRule};
use toml_edit::{Array, Table, Value};

/// List the sites of the collection; add, change or remove them
///
/// What is said here stands in the collection's tintype.toml and holds for every later run; the file can as well be edited by
/// hand. Removing a site stops capturing and keeping it: what was archived stays, and can be read, reported and replayed.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  tintype sites\n  tintype sites add https://example.com/ --weight 2 --hours 22:00-06:00\n  tintype sites change example.com --ceiling 200/day --capture-every 30d\n  tintype sites change example.com --unset hours\n  tintype sites remove example.com"
)]
pub(crate) struct Options {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Take sites into tintype.toml without asking them anything yet
    Add {
        #[arg(value_name = "URL", required = true)]
        urls: Vec<String>,
        #[command(flatten)]
        decided: Decided,
    },
    /// Change what is decided about a site
    Change {
        #[arg(value_name = "SITE")]
        site: String,
        #[command(flatten)]
        decided: Decided,
        /// Settings to go back to what holds without them, such as hours or ceiling
        #[arg(long, value_name = "SETTING")]
        unset: Vec<String>,
    },
    /// Take sites or sources out of tintype.toml; what was archived of them stays
    Remove {
        #[arg(value_name = "SITE", required = true)]
        sites: Vec<String>,
    },
}

/// What can be decided about a site.
#[derive(Debug, Args)]
struct Decided {
    /// How far it reaches: page, prefix, host, domain, or a SURT prefix such as com,example)/news
    #[arg(long)]
    scope: Option<String>,
    /// What one capture may spend: requests, bytes, or both (500, 2GB, 500,2GB)
    #[arg(long, value_name = "AMOUNT")]
    budget: Option<String>,
    /// Links to follow away from a start
    #[arg(long, value_name = "LINKS")]
    depth: Option<u16>,
    /// A fixed pause between requests, in seconds
    #[arg(long, value_name = "SECONDS")]
    delay: Option<String>,
    /// Only files of these types, and the pages that lead there
    #[arg(long, value_name = "TYPES", value_delimiter = ',')]
    media: Vec<String>,
    /// No files of these types
    #[arg(long, value_name = "TYPES", value_delimiter = ',')]
    no_media: Vec<String>,
    /// Only pages whose URL matches, such as '/news/*'
    #[arg(long, value_name = "PATTERN")]
    include: Vec<String>,
    /// Nothing whose URL matches, such as '/calendar/*'
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,
    /// Ask this host for what its robots.txt forbids, because you may
    #[arg(long, value_name = "HOST")]
    ignore_robots: Vec<String>,
    /// How long one run captures it, such as 2h
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// Keeping: what its changes count, where those of other sites count 1
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    weight: Option<f64>,
    /// Keeping: what it may take a day, such as 100/day
    #[arg(long, value_name = "N/day", allow_hyphen_values = true)]
    ceiling: Option<String>,
    /// Keeping: the share of the budget of all that it may take, such as 0.3
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    share: Option<f64>,
    /// Keeping: when it may be asked, in UTC, such as 22:00-06:00
    #[arg(long, value_name = "FROM-TO")]
    hours: Option<DayHours>,
    /// Keeping: how often a dated whole is captured, such as 30d
    #[arg(long, value_name = "TIME")]
    capture_every: Option<String>,
}

impl Decided {
    /// The settings that were typed, as the file has them.
    fn values(&self) -> Vec<(&'static str, Value)> {
        let text = |key, value: &Option<String>| text(key, value.as_ref());
        let number = |key, value: Option<f64>| value.map(|value| (key, Value::from(value)));
        let all = [
            text("scope", &self.scope),
            text("budget", &self.budget),
            self.depth.map(|depth| ("depth", Value::from(i64::from(depth)))),
            text("delay", &self.delay),
            list("media", &self.media),
            list("no-media", &self.no_media),
            list("include", &self.include),
            list("exclude", &self.exclude),
            list("ignore-robots", &self.ignore_robots),
            text("time", &self.time),
            number("weight", self.weight),
            text("ceiling", &self.ceiling),
            number("share", self.share),
            self.hours.map(|hours| ("hours", Value::from(hours.to_string()))),
            text("capture-every", &self.capture_every),
        ];
        all.into_iter().flatten().collect()
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let collection = &options.common.collection;
    match &options.action {
        None => return list::run(&options.common),
        Some(Action::Add { urls, decided }) => add(collection, urls, decided)?,
        Some(Action::Change { site, decided, unset }) => change(collection, site, decided, unset)?,
        Some(Action::Remove { sites }) => {
            sites.iter().try_for_each(|site| remove(collection, site, options.common.json))?;
        }
    }
    if options.common.json {
        out::json(&json!({ "sites": list::configured(collection)? }));
    }
    Ok(ExitCode::SUCCESS)
}

fn add(collection: &Path, urls: &[String], decided: &Decided) -> anyhow::Result<()> {
    let known = Config::read(collection)?.site;
    let mut new = Vec::new();
    for text in urls {
        let url = typed::parse_start(text)?.to_string();
        if known.iter().any(|site| site.seeds.contains(&url)) {
            let name = site_names(&SiteConfig::new(vec![url.clone()])).concat();
            return Err(usage(format!("{url} is there already"), format!("tintype sites change {name} changes it")));
        }
        let mut table = Table::new();
        table.insert("seeds", toml_edit::value([url].iter().collect::<Array>()));
        decided.values().into_iter().for_each(|(key, value)| put(&mut table, key, Some(value)));
        let site = toml::from_str(&table.to_string()).context("what can be typed can be written down")?;
        check(&site, &Config::read(collection)?)?;
        new.push(site);
    }
    make_directory(collection).with_context(|| format!("cannot make {}", collection.display()))?;
    for site in &new {
        Config::remember(collection, site)?;
        let names = site_names(site).concat();
        mention!("added {names}; tintype keep watches it, tintype capture captures it now");
    }
    Ok(())
}

fn change(collection: &Path, site: &str, decided: &Decided, unset: &[String]) -> anyhow::Result<()> {
    let values = decided.values();
    check_names(unset)?;
    change_values(collection, site, &values, unset)?;
    mention!("changed {}; runs that begin from now on follow it", name_of(site));
    Ok(())
}

/// The settings that [`change_settings`] takes.
pub(crate) fn setting_names() -> [&'static str; 10] {
    ["scope", "budget", "depth", "delay", "include", "exclude", "weight", "ceiling", "hours", "capture-every"]
}

/// Changes settings as they are typed into a form; an empty one goes back to what holds without it.
pub(crate) fn change_settings(collection: &Path, site: &str, typed: &[(String, String)]) -> anyhow::Result<()> {
    let (mut values, mut unset) = (Vec::new(), Vec::new());
    for (key, text) in typed {
        let Some(key) = setting_names().into_iter().find(|known| known == key) else {
            return Err(usage(format!("{key} is no setting"), "see tintype sites change --help"));
        };
        match text.is_empty() {
            true => unset.push(key.to_owned()),
            false => values.push((key, value_of(key, text)?)),
        }
    }
    change_values(collection, site, &values, &unset)
}

/// A setting as the file has it.
fn value_of(key: &'static str, text: &str) -> anyhow::Result<Value> {
    let wrong = |what: &str| usage(format!("{text} is {what}"), format!("correct {key}"));
    Ok(match key {
        "depth" => Value::from(i64::from(text.parse::<u16>().map_err(|_| wrong("no number of links"))?)),
        "weight" => {
            Value::from(text.parse::<f64>().ok().filter(|weight| weight.is_finite()).ok_or_else(|| wrong("no number"))?)
        }
        "include" | "exclude" => {
            Value::from(text.split(',').map(str::trim).filter(|one| !one.is_empty()).collect::<Array>())
        }
        _ => Value::from(text),
    })
}

fn change_values(
    collection: &Path,
    site: &str,
    values: &[(&'static str, Value)],
    unset: &[String],
) -> anyhow::Result<()> {
    if values.is_empty() && unset.is_empty() {
        return Err(usage(
            "nothing was said that should change",
            "say what, such as --weight 2; see tintype sites change --help",
        ));
    }
    let site = name_of(site);
    let follow = |config: &Config| {
        let mut changed = config.site.iter().filter(|known| site_names(known).contains(&site));
        changed.try_for_each(|site| check(site, config))
    };
    let change = |table: &mut Table| {
        unset.iter().for_each(|key| put(table, key, None));
        values.iter().for_each(|(key, value)| put(table, key, Some(value.clone())));
    };
    if Config::edit_sites(collection, &site, change, follow)? == 0 {
        return Err(unknown(collection, &site)?);
    }
    Ok(())
}

fn remove(collection: &Path, site: &str, quiet: bool) -> anyhow::Result<()> {
    let name = name_of(site);
    if Config::remove_sites(collection, &name)? == 0 && !Config::remove_source(collection, site)? {
        return Err(unknown(collection, &name)?);
    }
    if !quiet {
        say!("{name} is captured and kept no longer; what was archived of it stays");
    }
    Ok(())
}

/// Whether a run could follow it.
fn check(site: &SiteConfig, config: &Config) -> anyhow::Result<()> {
    let wanted = capture::wanted(vec![Section::of_file(site.clone())], "sites")?;
    config.names_differ(&wanted.iter().map(|site| site.name.as_str()).collect::<Vec<_>>(), &[])?;
    wanted.into_iter().try_for_each(|site| keep::check(site, config.budget.as_deref()))
}

fn unknown(collection: &Path, site: &str) -> anyhow::Result<anyhow::Error> {
    let config = Config::read(collection)?;
    let sources = config.source.iter().map(|source| source.name.clone());
    let mut known: Vec<String> = config.site.iter().flat_map(site_names).chain(sources).collect();
    known.dedup();
    let next = match known.is_empty() {
        true => "add one: tintype sites add https://example.com/".to_owned(),
        false => format!("it has {}", known.join(", ")),
    };
    Ok(usage(format!("tintype.toml has no site called {site}"), next))
}

/// The name of a site, from its name or one of its URLs.
fn name_of(text: &str) -> String {
    let url = text.contains("://").then(|| SiteConfig::new(vec![text.to_owned()]));
    url.and_then(|config| site_names(&config).pop()).unwrap_or_else(|| text.to_owned())
}

/// What the sites of a section are called, whether or not its scope can be followed.
pub(crate) fn site_names(config: &SiteConfig) -> Vec<String> {
    let scope = config.scope.parse().unwrap_or(ScopeRule::Host);
    let groups = typed::group(&config.seeds, &scope).unwrap_or_default();
    groups.into_iter().map(|group| group.name).collect()
}
