//! Which settings a run follows, and where each comes from: the command line speaks for this run, tintype.toml for all.

use crate::{
    amount::counted,
    command::site_names,
    config::{Config, SiteConfig, put},
    failure::usage,
    sites,
};
use anyhow::Context;
use serde::Serialize;
use std::{collections::BTreeMap, path::Path};
use tintype_plan::policy;
use toml_edit::{Array, DocumentMut, Table, Value};

/// Where a setting comes from; what comes later has the last word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) enum SettingOrigin {
    #[serde(rename = "default")]
    Default,
    #[serde(rename = "tintype.toml")]
    File,
    #[serde(rename = "command line")]
    Typed,
}

/// What a run goes by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct KnownSetting {
    #[serde(skip)]
    pub(crate) name: &'static str,
    pub(crate) value: String,
    pub(crate) from: SettingOrigin,
}

impl KnownSetting {
    /// What was typed, or else what the file says, or else what holds anyway.
    pub(crate) fn of(name: &'static str, typed: Option<&str>, file: Option<&str>, usual: &str) -> KnownSetting {
        let (value, from) = match (typed, file) {
            (Some(typed), _) => (typed, SettingOrigin::Typed),
            (None, Some(file)) => (file, SettingOrigin::File),
            (None, None) => (usual, SettingOrigin::Default),
        };
        KnownSetting { name, value: value.to_owned(), from }
    }
}

/// Settings as they were typed, by their names in the file.
pub(crate) type Typed = Vec<(&'static str, Value)>;

/// The scope of who goes wherever links lead.
pub(crate) const WEB: &str = "web";

/// What can be decided about captures of a site, and what holds where nobody did.
const OF_CAPTURES: [(&str, &str); 29] = [
    ("scope", "host"),
    ("budget", "no limit"),
    ("domain-budget", "no limit"),
    ("time", "no limit"),
    ("depth", "no limit"),
    ("include", "all"),
    ("exclude", "none"),
    ("media", "all"),
    ("no-media", "none"),
    ("rules", "none"),
    ("follow-unwanted", "no"),
    ("min-probability", "0.5"),
    ("policy", policy::DEFAULT),
    ("loss", "0.05"),
    ("degree-min", "0.05"),
    ("frequency-min", "0.1"),
    ("correlation-min", "0.5, or less where that finds no rule"),
    ("confidence-min", "0.5"),
    ("within", "the whole site"),
    ("revisit", "false"),
    ("render", "auto"),
    ("as-of", "the middle of the capture"),
    ("expected-pages", "as the last capture"),
    ("hopeless-above", "what is worth more"),
    ("delay", "five response times"),
    ("connections", "1"),
    ("ignore-robots", "none"),
    ("index", "all"),
    ("store", "all"),
];
/// And about keeping it.
const OF_KEEPING: [&str; 5] = ["weight", "ceiling", "share", "hours", "capture-every"];

/// The names of all that can be decided about a site.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    OF_CAPTURES.iter().map(|(name, _)| *name).chain(OF_KEEPING)
}

/// A section of the file, or one that might be written there, and what a run makes of it.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    /// As the file has it.
    pub(crate) file: SiteConfig,
    /// As the run follows it.
    pub(crate) config: SiteConfig,
    pub(crate) told: Vec<KnownSetting>,
}

impl Section {
    /// What the file says, and where something else was typed that instead.
    pub(crate) fn new(file: SiteConfig, typed: &Typed) -> anyhow::Result<Section> {
        let written = table_of(&file)?;
        let mut followed = written.clone();
        typed.iter().for_each(|(key, value)| put(&mut followed, key, Some(value.clone())));
        let config = toml::from_str(&followed.to_string()).context("what was typed is no setting")?;
        let told = OF_CAPTURES.iter().map(|(name, usual)| {
            let value = |table: &Table| table.get(name).and_then(|item| item.as_value()).map(shown);
            let typed = typed.iter().find(|(key, _)| key == name).map(|(_, value)| shown(value));
            KnownSetting::of(name, typed.as_deref(), value(&written).as_deref(), usual)
        });
        Ok(Section { told: told.collect(), config, file })
    }

    /// As the file has it, without a word on the command line.
    pub(crate) fn of_file(file: SiteConfig) -> Section {
        Section { config: file.clone(), told: Vec::new(), file }
    }
}

fn table_of(site: &SiteConfig) -> anyhow::Result<Table> {
    let text = toml::to_string(site).context("what a person decides is plain TOML")?;
    Ok(text.parse::<DocumentMut>().context("what is written can be read")?.as_table().clone())
}

/// As a person would type it.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(all) => all.iter().map(shown).collect::<Vec<_>>().join(","),
        Value::String(text) => text.value().clone(),
        other => other.to_string().trim().to_owned(),
    }
}

/// A list as the file has it; nothing if it is empty.
pub(crate) fn list(key: &'static str, values: &[String]) -> Option<(&'static str, Value)> {
    (!values.is_empty()).then(|| (key, values.iter().collect::<Array>().into()))
}

pub(crate) fn text(key: &'static str, value: Option<&String>) -> Option<(&'static str, Value)> {
    value.map(|value| (key, Value::from(value.as_str())))
}

/// The sections that URLs belong to: a URL of a site that the file knows is captured as the file says, others as new sites.
pub(crate) fn sections_of(urls: &[String], file: &[SiteConfig]) -> anyhow::Result<Vec<SiteConfig>> {
    let mut sections: Vec<(Option<usize>, Vec<String>)> = Vec::new();
    for text in urls {
        let url = sites::parse_start(text)?.to_string();
        let names = site_names(&SiteConfig::new(vec![url.clone()]));
        let exact = file.iter().position(|known| known.seeds.contains(&url));
        let same = |known: &SiteConfig| names.iter().any(|name| site_names(known).contains(name));
        let known = exact.or_else(|| file.iter().position(same));
        match sections.iter_mut().find(|(section, _)| *section == known) {
            Some((_, seeds)) => seeds.push(url),
            None => sections.push((known, vec![url])),
        }
    }
    let config = |(known, seeds): (Option<usize>, Vec<String>)| match known {
        Some(known) => SiteConfig { seeds, ..file[known].clone() },
        None => SiteConfig::new(seeds),
    };
    Ok(sections.into_iter().map(config).collect())
}

/// The one section of all URLs where links lead anywhere: as the file has it if it names them all for that.
pub(crate) fn section_of_web(urls: &[String], file: &[SiteConfig]) -> anyhow::Result<SiteConfig> {
    let seeds =
        urls.iter().map(|text| Ok(sites::parse_start(text)?.to_string())).collect::<anyhow::Result<Vec<String>>>()?;
    let is_known = |known: &&SiteConfig| known.scope == WEB && seeds.iter().all(|seed| known.seeds.contains(seed));
    Ok(match file.iter().find(is_known) {
        Some(known) => SiteConfig { seeds, ..known.clone() },
        None => SiteConfig::new(seeds),
    })
}

/// Writes a site down for next time: as the file would have it, or with `--save` as it was typed. Whether it was not there.
pub(crate) fn remember(collection: &Path, section: &Section, typed: Option<&Typed>) -> anyhow::Result<bool> {
    let known = Config::read(collection)?.site;
    let has = |known: &SiteConfig| section.file.seeds.iter().all(|seed| known.seeds.contains(seed));
    match typed {
        None if known.iter().any(has) => Ok(false),
        None => Config::remember(collection, &section.file).map(|()| true),
        Some(typed) if known.iter().any(has) => {
            let put_all =
                |table: &mut Table| typed.iter().for_each(|(key, value)| put(table, key, Some(value.clone())));
            let names = site_names(&section.file);
            names.iter().try_for_each(|name| Config::edit_sites(collection, name, put_all, |_| Ok(())).map(drop))?;
            Ok(false)
        }
        Some(_) => Config::remember(collection, &section.config).map(|()| true),
    }
}

/// One short line: what is not as usual, and who said so. Nothing if nobody said anything.
pub(crate) fn line(told: &[KnownSetting]) -> Option<String> {
    let from = |origin: SettingOrigin| {
        let all = told.iter().filter(|setting| setting.from == origin);
        all.map(|setting| format!("{} {}", setting.name, setting.value)).collect::<Vec<_>>().join(", ")
    };
    let parts = [
        (from(SettingOrigin::Typed), "by the command line, for this run"),
        (from(SettingOrigin::File), "by tintype.toml"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(what, _)| !what.is_empty()).map(|(what, whom)| format!("{what} ({whom})")).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The same for several sites: once for all that go by the same.
pub(crate) fn lines<'a>(sites: impl Iterator<Item = (&'a str, &'a [KnownSetting])>) -> Vec<String> {
    let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
    for (site, told) in sites {
        let Some(line) = line(told) else { continue };
        match lines.iter_mut().find(|(known, _)| *known == line) {
            Some((_, sites)) => sites.push(site),
            None => lines.push((line, vec![site])),
        }
    }
    let whose = |sites: &[&str]| match sites {
        [one] => (*one).to_owned(),
        many => counted(many.len() as u64, "site"),
    };
    lines.iter().map(|(line, sites)| format!("{}: {line}", whose(sites))).collect()
}

/// All of them, by name, for machines.
pub(crate) fn by_name(told: &[KnownSetting]) -> BTreeMap<&'static str, KnownSetting> {
    told.iter().map(|setting| (setting.name, setting.clone())).collect()
}

/// What was not decided by anybody cannot be unset.
pub(crate) fn check_names(unset: &[String]) -> anyhow::Result<()> {
    match unset.iter().find(|setting| !names().any(|name| name == setting.as_str())) {
        Some(unknown) => {
            let known = names().collect::<Vec<_>>().join(", ");
            Err(usage(format!("there is no setting {unknown}"), format!("settings are {known}")))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_comes_before_the_file_and_the_file_before_what_holds_anyway() {
        let file = SiteConfig { scope: "prefix".into(), ..SiteConfig::new(vec!["http://e.com/".into()]) };
        let file = SiteConfig { delay: Some("2".into()), media: vec!["image".into(), "audio".into()], ..file };
        let typed = vec![("delay", Value::from("0")), ("depth", Value::from(3))];
        let section = Section::new(file.clone(), &typed).unwrap();
        assert_eq!((section.config.delay.as_deref(), section.config.depth), (Some("0"), Some(3)));
        assert_eq!((section.file, section.config.scope.as_str()), (file, "prefix"));
        let said = line(&section.told).unwrap();
        let wanted =
            "depth 3, delay 0 (by the command line, for this run); scope prefix, media image,audio (by tintype.toml)";
        assert_eq!(said, wanted);
        let told = by_name(&section.told);
        assert_eq!((told["budget"].from, told["scope"].from), (SettingOrigin::Default, SettingOrigin::File));
        assert_eq!(
            line(&Section::new(SiteConfig::new(vec!["http://e.com/".into()]), &Typed::new()).unwrap().told),
            None
        );
    }

    #[test]
    fn a_url_belongs_to_the_site_that_the_file_knows() {
        let of = |seed: &str, delay: &str| SiteConfig {
            delay: Some(delay.into()),
            ..SiteConfig::new(vec![seed.to_owned()])
        };
        let file = [of("https://e.com/", "1"), of("https://e.com/news/", "2"), of("https://f.com/", "3")];
        let urls = ["e.com", "www.e.com/shop/", "https://e.com/news/", "g.com"].map(str::to_owned);
        let sections = sections_of(&urls, &file).unwrap();
        let delays: Vec<_> = sections.iter().map(|site| (site.delay.as_deref(), site.seeds.len())).collect();
        assert_eq!(delays, [(Some("1"), 2), (Some("2"), 1), (None, 1)]);
    }
}
