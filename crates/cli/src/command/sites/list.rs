//! The sites of a collection as a table.

use super::{Common, site_names};
use crate::out::{self, say};
use crate::{
    amount::counted,
    config::{Config, SiteConfig},
    plain::printable,
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, path::Path, process::ExitCode};
use tintype_archive::{CaptureKind, Collection};
use tintype_vocab::Time;

/// What the archive has of a site.
#[derive(Clone, Copy, Default)]
struct Archived {
    captures: u64,
    kept: bool,
    latest: Option<Time>,
}

pub(super) fn run(common: &Common) -> anyhow::Result<ExitCode> {
    let config = Config::read(&common.collection)?;
    let archived = archived(&common.collection)?;
    if common.json {
        let sources: Vec<Value> = config.source.iter().map(|source| json!(source)).collect();
        let sites: Vec<Value> = rows(&config, &archived).map(|(name, site, had)| as_json(name, site, had)).collect();
        out::json(&json!({ "budget": config.budget, "sites": sites, "sources": sources }));
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(budget) = &config.budget {
        say!("budget of all: {budget}");
    }
    rows(&config, &archived).for_each(|(name, site, had)| out::text(&text(&name, site, had)));
    for source in &config.source {
        say!("{}  a listing of {}", printable(&source.name), printable(&source.url));
    }
    if config.site.is_empty() && config.source.is_empty() && archived.is_empty() {
        say!("no site yet: tintype sites add https://example.com/, or capture or keep one");
    }
    Ok(ExitCode::SUCCESS)
}

/// The sites of the file, for machines.
pub(super) fn configured(collection: &Path) -> anyhow::Result<Vec<Value>> {
    let config = Config::read(collection)?;
    let archived = archived(collection)?;
    let rows: Vec<Value> = rows(&config, &archived)
        .filter(|(_, site, _)| site.is_some())
        .map(|(name, site, had)| as_json(name, site, had))
        .collect();
    Ok(rows)
}

/// Sites of the file in its order, then those that are only archived.
fn rows<'c>(
    config: &'c Config,
    archived: &BTreeMap<String, Archived>,
) -> impl Iterator<Item = (String, Option<&'c SiteConfig>, Archived)> {
    let named = config.site.iter().flat_map(|site| site_names(site).into_iter().map(move |name| (name, site)));
    let named: Vec<(String, &SiteConfig)> = named.collect();
    let is_named = |name: &&String| named.iter().any(|(known, _)| known == *name);
    let others: Vec<String> = archived.keys().filter(|name| !is_named(name)).cloned().collect();
    let all =
        named.into_iter().map(|(name, site)| (name, Some(site))).chain(others.into_iter().map(|name| (name, None)));
    let rows: Vec<_> = all
        .map(|(name, site)| {
            let had = archived.get(&name).copied().unwrap_or_default();
            (name, site, had)
        })
        .collect();
    rows.into_iter()
}

/// What there is of every site; nothing of a collection that is not there yet. Listings are no sites.
fn archived(collection: &Path) -> anyhow::Result<BTreeMap<String, Archived>> {
    let mut sites: BTreeMap<String, Archived> = BTreeMap::new();
    if !collection.join("log").is_dir() {
        return Ok(sites);
    }
    for info in Collection::read(collection)?.captures()? {
        let kind = info.head.kind;
        if matches!(kind, CaptureKind::Capture | CaptureKind::Keep | CaptureKind::Import) {
            let site = sites.entry(info.head.site).or_default();
            site.captures += u64::from(kind != CaptureKind::Keep);
            site.kept |= kind == CaptureKind::Keep;
            site.latest = site.latest.max(Some(info.head.started));
        }
    }
    Ok(sites)
}

fn as_json(name: String, site: Option<&SiteConfig>, had: Archived) -> Value {
    json!({
        "site": name, "listed": site.is_some(), "settings": site, "captures": had.captures, "kept": had.kept,
        "latest": had.latest.map(|at| at.to_rfc3339()),
    })
}

fn text(name: &str, site: Option<&SiteConfig>, had: Archived) -> String {
    let kept = if had.kept { ", kept" } else { "" };
    let latest = had.latest.map_or_else(|| "nothing archived yet".to_owned(), |at| format!("latest {at}"));
    let mut text = format!("{}  {}{kept}, {latest}\n", printable(name), counted(had.captures, "capture"));
    let Some(site) = site else {
        return text + "  not in tintype.toml: archived, and neither captured nor kept again\n";
    };
    for line in toml::to_string(site).unwrap_or_default().lines() {
        text += &format!("  {}\n", printable(line));
    }
    text
}
